// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/readable.h"
#include "widgets/base/icons.h"
#include "widgets/base/plotstyle.h"
#include "widgets/base/stylesheet.h"
#include "widgets/base/theme.h"

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace rankwright;
using T = Theme::Token;

class ThemeTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsContrastAsWcagDefinesIt();
    void keepsTextReadable_data();
    void keepsTextReadable();
    void inksEveryCategoryReadably();
    void hasTheOkabeItoCategories();
    void appliesModeToTheApplication();
    void findsTheThemeOfAWidget();
    void followsADesktopOfHighContrast();
    void drawsFramesOfFieldsInHighContrast();
    void leavesNoNameInTheStyleSheet();
    void paintsEveryIcon();
    void linksFollow();
    void iconsOfFieldsFollow();
    void plotsFollowWhenTheyAreShownAgain();
    void iconsOfQuestionsFollow();
};

void ThemeTest::readsContrastAsWcagDefinesIt()
{
    // WCAG 2.1: black on white is 21:1; #767676 is the lightest grey that reaches 4.5:1 on white.
    QCOMPARE(qRound(Theme::contrast(Qt::black, Qt::white)), 21);
    QVERIFY(Theme::contrast(QColor(0x76, 0x76, 0x76), Qt::white) >= 4.5);
    QVERIFY(Theme::contrast(QColor(0x77, 0x77, 0x77), Qt::white) < 4.5);
}

void ThemeTest::keepsTextReadable_data()
{
    QTest::addColumn<int>("text");
    QTest::addColumn<int>("background");
    const auto add
        = [](const char* name, T text, T background) { QTest::newRow(name) << int(text) << int(background); };
    add("ink on ground", T::Foreground, T::Background);
    add("ink on panel", T::Foreground, T::Panel);
    add("ink on accent ground", T::Foreground, T::AccentBackground);
    add("ink-2 on ground", T::Foreground2, T::Background);
    add("ink-2 on panel", T::Foreground2, T::Panel);
    add("ink-2 on accent ground", T::Foreground2, T::AccentBackground);
    add("ink-3 on ground", T::Foreground3, T::Background);
    add("ink-3 on panel", T::Foreground3, T::Panel);
    add("accent on panel", T::Accent, T::Panel);
    add("accent on its ground", T::Accent, T::AccentBackground);
    add("text on accent", T::OnAccent, T::Accent);
    add("good on panel", T::Good, T::Panel);
    add("good on its ground", T::Good, T::GoodBackground);
    add("warn on panel", T::Warn, T::Panel);
    add("warn on its ground", T::Warn, T::WarnBackground);
    add("bad on panel", T::Bad, T::Panel);
    add("bad on its ground", T::Bad, T::BadBackground);
    for (const T code : {T::CodeKeyword, T::CodeDirective, T::CodeString, T::CodeVariable, T::CodeComment}) {
        QTest::addRow("code %d on panel", int(code)) << int(code) << int(T::Panel);
        QTest::addRow("code %d on a lit line", int(code)) << int(code) << int(T::LineHighlight);
    }
}

void ThemeTest::keepsTextReadable()
{
    QFETCH(int, text);
    QFETCH(int, background);
    for (const auto scheme : {Theme::Scheme::Light, Theme::Scheme::Dark}) {
        const double ratio = Theme::contrast(Theme::colour(T(text), scheme), Theme::colour(T(background), scheme));
        QVERIFY2(ratio >= 4.5,
            qPrintable(u"%1:1 in %2"_s.arg(ratio).arg(scheme == Theme::Scheme::Dark ? u"dark"_s : u"light"_s)));
    }
    // WCAG 2.1, 1.4.6: what was asked for with high contrast.
    const auto high = Theme::Scheme::HighContrast;
    const double ratio = Theme::contrast(Theme::colour(T(text), high), Theme::colour(T(background), high));
    QVERIFY2(ratio >= 7, qPrintable(u"%1:1 in high contrast"_s.arg(ratio)));
    for (int numa = 0; numa < 4; ++numa) {
        for (const auto scheme : {Theme::Scheme::Light, Theme::Scheme::Dark})
            QVERIFY(Theme::contrast(Theme::colour(T::Foreground2, scheme), Theme::numaBackground(numa, scheme)) >= 4.5);
        QVERIFY(Theme::contrast(Theme::colour(T::Foreground2, high), Theme::numaBackground(numa, high)) >= 7);
    }
}

void ThemeTest::inksEveryCategoryReadably()
{
    for (int i = 0; i < 8; ++i)
        QVERIFY2(Theme::contrast(Theme::foregroundOn(Theme::category(i)), Theme::category(i)) >= 4.5,
            qPrintable(QString::number(i)));
}

void ThemeTest::hasTheOkabeItoCategories()
{
    // Okabe and Ito 2008, "Color Universal Design": blue, orange, bluish green, reddish purple, sky blue, vermilion,
    // yellow.
    const QStringList published{
        u"#0072b2"_s, u"#e69f00"_s, u"#009e73"_s, u"#cc79a7"_s, u"#56b4e9"_s, u"#d55e00"_s, u"#f0e442"_s};
    for (int i = 0; i < published.size(); ++i)
        QCOMPARE(Theme::category(i).name(), published.at(i));
    QCOMPARE(Theme::category(8), Theme::category(0));
    QCOMPARE(Theme::category(-1), Theme::category(7));
}

void ThemeTest::appliesModeToTheApplication()
{
    Theme theme;
    QSignalSpy changed(&theme, &Theme::changed);
    theme.setMode(Theme::Mode::Dark);
    QVERIFY(theme.isDark());
    QCOMPARE(qApp->palette().color(QPalette::Window), Theme::colour(T::Background, Theme::Scheme::Dark));
    theme.setMode(Theme::Mode::Light);
    QVERIFY(!theme.isDark());
    QCOMPARE(qApp->palette().color(QPalette::Text), Theme::colour(T::Foreground, Theme::Scheme::Light));
    theme.setMode(Theme::Mode::System);
    QCOMPARE(changed.count(), 3);
    QCOMPARE(qApp->font().pixelSize(), 13);
}

void ThemeTest::findsTheThemeOfAWidget()
{
    Theme theme;
    QWidget widget;
    QCOMPARE(&themeOf(&widget), &theme);
}

void ThemeTest::followsADesktopOfHighContrast()
{
    Theme theme;
    QSignalSpy changed(&theme, &Theme::changed);
    theme.setMode(Theme::Mode::HighContrast);
    QVERIFY(theme.isHighContrast() && theme.isDark());
    QCOMPARE(qApp->palette().color(QPalette::Window), Theme::colour(T::Background, Theme::Scheme::HighContrast));
    QCOMPARE(changed.size(), 1);
    theme.setMode(Theme::Mode::Light);
    QVERIFY(!theme.isHighContrast() && !theme.isDark());
    theme.setReducedMotion(true);
    QCOMPARE(changed.size(), 3);
    QVERIFY(theme.reducedMotion());
}

/// WCAG 2.1, 1.4.11: what a control is known by keeps 3:1.
void ThemeTest::drawsFramesOfFieldsInHighContrast()
{
    const auto high = Theme::Scheme::HighContrast;
    for (const T frame : {T::Line, T::FieldLine, T::Accent})
        QVERIFY(Theme::contrast(Theme::colour(frame, high), Theme::colour(T::Panel, high)) >= 3);
}

void ThemeTest::leavesNoNameInTheStyleSheet()
{
    for (const auto scheme : {Theme::Scheme::Light, Theme::Scheme::Dark, Theme::Scheme::HighContrast}) {
        const QString sheet = styleSheetFor(scheme);
        QVERIFY(!sheet.contains(u'@'));
        QVERIFY(sheet.contains(Theme::colour(T::Accent, scheme).name()));
    }
}

void ThemeTest::paintsEveryIcon()
{
    loadIconResources();
    const QStringList files = QDir(u":/icons"_s).entryList({u"*.svg"_s});
    QVERIFY(files.size() >= 20);
    for (const QString& file : files) {
        const QImage image = iconPixmap(file.chopped(4), Qt::red, 20, 1.0).toImage();
        bool inked = false;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                inked = inked || image.pixelColor(x, y).alpha() > 40;
        }
        QVERIFY2(inked, qPrintable(file));
    }
}

/// Another theme was chosen on another page: the plots of Plan kept white grid lines until the window changed its size.
/// A link in a text that was there before has the new colour, not the old one on the new ground.
void ThemeTest::linksFollow()
{
    Theme theme;
    theme.setMode(Theme::Mode::Light);
    theme.apply();
    QLabel label(u"<a href=\"step:1\">██████</a>"_s);
    label.resize(label.sizeHint());
    label.show();
    const auto has = [&label](const QColor& colour) {
        const QImage image = label.grab().toImage();
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixel(x, y) == colour.rgb())
                    return true;
            }
        }
        return false;
    };
    QVERIFY(has(QApplication::palette().color(QPalette::Link)));
    const QColor before = QApplication::palette().color(QPalette::Link);
    theme.setMode(Theme::Mode::Dark);
    QVERIFY(QApplication::palette().color(QPalette::Link) != before);
    QVERIFY(!has(before));
    QVERIFY(has(QApplication::palette().color(QPalette::Link)));
}

/// The button that clears a field was the desktop's: dark on dark.
void ThemeTest::iconsOfFieldsFollow()
{
    Theme theme;
    for (const Theme::Mode mode : {Theme::Mode::Dark, Theme::Mode::Light}) {
        theme.setMode(mode);
        QWidget window;
        auto* field = new QLineEdit(u"8B"_s, &window);
        field->setClearButtonEnabled(true);
        field->resize(200, field->sizeHint().height());
        window.resize(300, 60);
        window.show();
        const auto* clear = field->findChild<QToolButton*>();
        QVERIFY(clear);
        QTRY_VERIFY(test::contrastIn(test::enlarged(window), test::seenOf(*clear, window).adjusted(2, 2, -2, -2)) >= 3);
    }
}

void ThemeTest::plotsFollowWhenTheyAreShownAgain()
{
    Theme theme;
    theme.setMode(Theme::Mode::Light);
    QStackedWidget pages;
    pages.resize(300, 200);
    auto* plot = new QCustomPlot(&pages);
    pages.addWidget(plot);
    pages.addWidget(new QWidget(&pages));
    stylePlot(*plot, theme);
    pages.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pages, rankwright::test::longWaitMs));
    pages.setCurrentIndex(1);
    theme.setMode(Theme::Mode::Dark);
    stylePlot(*plot, theme);
    replotIfShown(*plot); // has no pixels to draw on
    rankwright::test::quietFor(50);
    QSignalSpy drawn(plot, &QCustomPlot::afterReplot);
    pages.setCurrentIndex(0);
    QTRY_VERIFY(!drawn.isEmpty());
}

/// A question on dark ground had the platform's icon in its own colours.
void ThemeTest::iconsOfQuestionsFollow()
{
    Theme theme;
    for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
        theme.setMode(mode);
        theme.apply();
        for (const auto icon : {QMessageBox::Information, QMessageBox::Warning, QMessageBox::Critical}) {
            QMessageBox box(icon, u"Rankwright"_s, u"Cancel the job?"_s);
            box.ensurePolished();
            const QImage image = box.iconPixmap().toImage();
            QVERIFY(!image.isNull());
            QSet<QRgb> colours;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const QColor pixel = image.pixelColor(x, y);
                    if (pixel.alpha() == 255)
                        colours.insert(pixel.rgb());
                }
            }
            QVERIFY2(!colours.isEmpty(), qPrintable(QString::number(icon)));
            // One line colour, as all icons of the program; the platform's are pictures of many colours.
            QVERIFY2(colours.size() == 1, qPrintable(u"%1 colours"_s.arg(colours.size())));
            const double contrast = Theme::contrast(QColor(*colours.cbegin()), theme.colour(Theme::Token::Panel));
            QVERIFY2(contrast >= 3.0, qPrintable(QString::number(contrast)));
        }
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(ThemeTest)
#include "tst_theme.moc"
