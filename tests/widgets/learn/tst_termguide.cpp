// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/form/designform.h"
#include "widgets/learn/explanationview.h"
#include "widgets/learn/termguide.h"
#include "widgets/learn/termpicture.h"
#include "widgets/learn/termpopover.h"
#include "widgets/learn/termtext.h"
#include "widgets/learn/wordsdialog.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextDocument>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

/// A window with a form, a marked label, a marked button and a field without a mark.
class Bench {
public:
    Bench() : design(catalogue())
    {
        JobSpec spec;
        spec.cluster = u"lumi"_s;
        spec.partition = u"standard-g"_s;
        spec.resources.nodes = 2;
        design.replace(spec);
        auto* page = new QWidget(&window);
        auto* column = new QVBoxLayout(page);
        word = new QLabel(u"World size"_s, page);
        word->setProperty("term", u"world-size"_s);
        button = new QPushButton(u"Launch"_s, page);
        button->setProperty("term", u"job"_s);
        plain = new QLineEdit(page);
        form = new DesignForm(design, page);
        column->addWidget(word, 0, Qt::AlignLeft);
        column->addWidget(button);
        column->addWidget(plain);
        column->addWidget(form, 1);
        window.setCentralWidget(page);
        window.resize(1024, 700);
        window.show();
        QApplication::setActiveWindow(&window);
        guide = new TermGuide(&window, design);
    }
    static const Catalogue& catalogue()
    {
        static const Catalogue all = loadCatalogue();
        return all;
    }
    static void hover(QWidget* widget)
    {
        const QPoint at = widget->rect().center();
        QHelpEvent event(QEvent::ToolTip, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &event);
    }
    static void leave(QWidget* widget)
    {
        QEvent event(QEvent::Leave);
        QApplication::sendEvent(widget, &event);
    }
    QRect popoverRect() const { return {guide->popover()->mapTo(&window, QPoint()), guide->popover()->size()}; }
    static QRect rectIn(QWidget* widget) { return {widget->mapTo(widget->window(), QPoint()), widget->size()}; }

    Theme theme;
    Design design;
    QMainWindow window;
    TermGuide* guide = nullptr;
    DesignForm* form = nullptr;
    QLabel* word = nullptr;
    QPushButton* button = nullptr;
    QLineEdit* plain = nullptr;
};

} // namespace

/// Terms are explained where they stand: by mouse, by F1, and never in the way.
class TermGuideTest final : public test::Suite {
    Q_OBJECT
private slots:
    void hovering();
    void leaving();
    void formRows();
    void f1();
    void f1GoesBeforeAShortcut();
    void f1WithoutATerm();
    void f1AtTheCursorOfAScript();
    void escape();
    void relatedTerms();
    void followsTheDesign();
    void nodes();
    void neverCoversItsWidget_data();
    void neverCoversItsWidget();
    void staysInTheWindow();
    void largeText();
    void dialogs();
    void overAModalDialog();
    void links();
    void dottedLinks();
    void names();
    void pictures();
    void unknownTerm();
};

void TermGuideTest::hovering()
{
    Bench bench;
    QVERIFY(!bench.guide->isOpen());
    Bench::hover(bench.plain);
    QVERIFY(!bench.guide->isOpen());
    Bench::hover(bench.word);
    QVERIFY(bench.guide->isOpen());
    QCOMPARE(bench.guide->popover()->shown().id, u"world-size"_s);
    QVERIFY(bench.guide->popover()->shown().numbers.contains(u"a world size of 16"));
    QVERIFY(!bench.guide->popover()->isAncestorOf(QApplication::focusWidget()));
    // One at a time.
    Bench::hover(bench.button);
    QCOMPARE(bench.guide->popover()->shown().id, u"job"_s);
    QCOMPARE(bench.window.findChildren<TermPopover*>().size(), 1);
}

void TermGuideTest::leaving()
{
    Bench bench;
    Bench::hover(bench.word);
    Bench::leave(bench.word);
    // The mouse reaches the popover in time, and it stays.
    QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
    QApplication::sendEvent(bench.guide->popover(), &enter);
    test::quietFor(600);
    QVERIFY(bench.guide->isOpen());
    Bench::leave(bench.guide->popover());
    QTRY_VERIFY(!bench.guide->isOpen());
    // Opened on purpose it waits to be closed.
    bench.guide->show(u"rank"_s, bench.word);
    Bench::leave(bench.word);
    test::quietFor(600);
    QVERIFY(bench.guide->isOpen());
    QTest::mouseClick(bench.plain, Qt::LeftButton);
    QVERIFY(!bench.guide->isOpen());
}

void TermGuideTest::formRows()
{
    Bench bench;
    int explained = 0;
    for (auto* label : bench.form->findChildren<QLabel*>()) {
        if (label->buddy() == nullptr || TermGuide::termOf(label).isEmpty() || !label->isVisible())
            continue;
        Bench::hover(label);
        QVERIFY2(bench.guide->isOpen(), qPrintable(label->text()));
        QVERIFY(findTerm(TermGuide::termOf(label)) != nullptr);
        ++explained;
        bench.guide->close();
    }
    QVERIFY2(explained >= 10, qPrintable(QString::number(explained)));
    auto* nodes = bench.form->findChild<QWidget*>(QString(field::nodes));
    QVERIFY(nodes != nullptr);
    QCOMPARE(TermGuide::termOf(nodes), u"node"_s);
    // The control keeps its own tool tip.
    Bench::hover(nodes);
    QVERIFY(!bench.guide->isOpen());
    nodes->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
    QVERIFY(bench.guide->isOpen());
    QCOMPARE(bench.guide->popover()->shown().id, u"node"_s);
}

void TermGuideTest::f1()
{
    Bench bench;
    bench.button->setFocus();
    QTest::keyClick(bench.button, Qt::Key_F1);
    QVERIFY(bench.guide->isOpen());
    QCOMPARE(bench.guide->popover()->shown().id, u"job"_s);
    QVERIFY(bench.guide->popover()->isAncestorOf(QApplication::focusWidget()));
    // Once more: all words, at this one.
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
    QVERIFY(bench.guide->words() != nullptr && bench.guide->words()->isVisible());
    QCOMPARE(bench.guide->words()->shown().id, u"job"_s);
}

void TermGuideTest::f1GoesBeforeAShortcut()
{
    Bench bench;
    QAction keys(u"Keyboard shortcuts"_s, &bench.window);
    keys.setShortcut(Qt::Key_F1);
    bench.window.addAction(&keys);
    QSignalSpy triggered(&keys, &QAction::triggered);
    bench.button->setFocus();
    QTest::keyClick(bench.button, Qt::Key_F1);
    QCOMPARE(triggered.size(), 0);
    QVERIFY(bench.guide->isOpen());
}

void TermGuideTest::f1WithoutATerm()
{
    Bench bench;
    bench.plain->setFocus();
    QTest::keyClick(bench.plain, Qt::Key_F1);
    QVERIFY(!bench.guide->isOpen());
    QVERIFY(bench.guide->words() != nullptr && bench.guide->words()->isVisible());
}

void TermGuideTest::f1AtTheCursorOfAScript()
{
    Bench bench;
    bench.plain->setFocus();
    bench.plain->setProperty("helpLine", u"#SBATCH --mem=64G"_s);
    bench.plain->setProperty("helpColumn", 12);
    QTest::keyClick(bench.plain, Qt::Key_F1);
    QVERIFY(bench.guide->isOpen());
    QCOMPARE(bench.guide->popover()->shown().id, u"mem"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    // A question explains as well as a term does.
    bench.plain->setProperty("helpLine", u"#SBATCH --gpus-per-task=1"_s);
    QTest::keyClick(bench.plain, Qt::Key_F1);
    QVERIFY(bench.guide->isOpen());
    QCOMPARE(bench.guide->popover()->shown().id, u"gpus-per-task"_s);
    QVERIFY(!bench.guide->popover()->shown().numbers.isEmpty());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    // Nothing is known of it: as before.
    bench.plain->setProperty("helpLine", u"cd /scratch"_s);
    QTest::keyClick(bench.plain, Qt::Key_F1);
    QVERIFY(!bench.guide->isOpen());
    QVERIFY(bench.guide->words() && bench.guide->words()->isVisible());
}

void TermGuideTest::escape()
{
    Bench bench;
    bench.button->setFocus();
    QTest::keyClick(bench.button, Qt::Key_F1);
    QVERIFY(!bench.button->hasFocus());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!bench.guide->isOpen());
    QVERIFY(bench.button->hasFocus());
    // Of a popover that the mouse opened, too.
    Bench::hover(bench.word);
    QTest::keyClick(bench.button, Qt::Key_Escape);
    QVERIFY(!bench.guide->isOpen());
    QVERIFY(bench.button->hasFocus());
}

void TermGuideTest::relatedTerms()
{
    Bench bench;
    bench.guide->show(u"rank"_s, bench.button);
    auto* view = bench.guide->popover()->findChild<ExplanationView*>();
    QVERIFY(view->relatedLabel()->text().contains(u"term:local-rank"));
    emit view->relatedLabel()->linkActivated(u"term:local-rank"_s);
    QCOMPARE(bench.guide->popover()->shown().id, u"local-rank"_s);
    emit view->relatedLabel()->linkActivated(u"https://example.org"_s);
    QCOMPARE(bench.guide->popover()->shown().id, u"local-rank"_s);
}

void TermGuideTest::followsTheDesign()
{
    Bench bench;
    bench.guide->show(u"world-size"_s, bench.word);
    bench.design.edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 4; });
    QVERIFY2(bench.guide->popover()->shown().numbers.contains(u"a world size of 32"),
        qPrintable(bench.guide->popover()->shown().numbers));
}

void TermGuideTest::nodes()
{
    Bench bench;
    bench.guide->show(u"gcd"_s, bench.word);
    const auto link = [&bench] {
        for (auto* button : bench.guide->popover()->findChildren<QPushButton*>()) {
            if (button->text().contains(u"nodes"))
                return button;
        }
        return static_cast<QPushButton*>(nullptr);
    };
    QVERIFY(link() != nullptr && link()->isHidden()); // nobody would show them
    QSignalSpy asked(bench.guide, &TermGuide::nodesRequested);
    bench.guide->show(u"gcd"_s, bench.word);
    QVERIFY(!link()->isHidden());
    link()->click();
    QCOMPARE(asked.size(), 1);
    QVERIFY(!bench.guide->isOpen());
    bench.guide->show(u"qos"_s, bench.word);
    QVERIFY(link()->isHidden()); // the node picture does not show it
}

void TermGuideTest::neverCoversItsWidget_data()
{
    QTest::addColumn<QRect>("anchor");
    QTest::addColumn<QSize>("room");
    const QSize small(1024, 700);
    QTest::newRow("top left") << QRect(10, 10, 80, 20) << small;
    QTest::newRow("bottom") << QRect(300, 670, 80, 20) << small;
    QTest::newRow("right") << QRect(960, 300, 60, 20) << small;
    QTest::newRow("corner") << QRect(960, 670, 60, 20) << small;
    QTest::newRow("tall") << QRect(10, 10, 200, 680) << small;
    QTest::newRow("wide") << QRect(10, 300, 1000, 60) << small;
    QTest::newRow("little room") << QRect(20, 150, 80, 20) << QSize(400, 320);
}

void TermGuideTest::neverCoversItsWidget()
{
    QFETCH(QRect, anchor);
    QFETCH(QSize, room);
    const QRect area = QRect(QPoint(), room).adjusted(8, 8, -8, -8);
    for (const QSize wanted : {QSize(420, 180), QSize(420, 260), QSize(360, 120), QSize(600, 600)}) {
        const QRect placed = TermPopover::placeFor(wanted, anchor, area);
        QVERIFY(area.contains(placed));
        QVERIFY(placed.height() >= 90);
        QVERIFY(!placed.intersects(anchor));
    }
    // Nothing is left beside what fills the window.
    QVERIFY(area.contains(TermPopover::placeFor({420, 200}, area, area)));
}

void TermGuideTest::staysInTheWindow()
{
    Bench bench;
    for (auto* label : bench.form->findChildren<QLabel*>()) {
        if (label->buddy() == nullptr || label->visibleRegion().isEmpty() || TermGuide::termOf(label).isEmpty())
            continue;
        bench.guide->show(TermGuide::termOf(label), label);
        QVERIFY(bench.window.rect().contains(bench.popoverRect()));
        QVERIFY2(!bench.popoverRect().intersects(Bench::rectIn(label)), qPrintable(label->text()));
    }
}

void TermGuideTest::largeText()
{
    Bench bench;
    QFont large = bench.window.font();
    large.setPixelSize(26);
    bench.window.setStyleSheet(u"* { font-size: 26px; }"_s);
    bench.window.setFont(large);
    QCoreApplication::processEvents();
    for (const QString& id : {u"gcd"_s, u"visible-devices"_s, u"checkpoint"_s}) {
        bench.guide->show(id, bench.word);
        QVERIFY(bench.window.rect().contains(bench.popoverRect()));
        QVERIFY(!bench.popoverRect().intersects(Bench::rectIn(bench.word)));
    }
}

/// In a dialog of the window the popover is in the dialog, and outlives it without harm.
void TermGuideTest::dialogs()
{
    Bench bench;
    auto* dialog = new QDialog(&bench.window);
    dialog->resize(700, 500);
    auto* label = new QLabel(u"GCD"_s, dialog);
    label->setProperty("term", u"gcd"_s);
    dialog->show();
    Bench::hover(label);
    QVERIFY(bench.guide->isOpen());
    QCOMPARE(bench.guide->popover()->window(), dialog);
    delete dialog;
    QVERIFY(!bench.guide->isOpen());
    Bench::hover(bench.word);
    QVERIFY(bench.guide->isOpen());
}

/// A modal dialog shuts the windows behind it out: the glossary is then the dialog's.
void TermGuideTest::overAModalDialog()
{
    Bench bench;
    bench.guide->showWords(u"rank"_s);
    QCOMPARE(bench.guide->words()->parentWidget(), &bench.window);
    QDialog dialog(&bench.window);
    auto* field = new QLineEdit(&dialog);
    dialog.setModal(true);
    dialog.show();
    QApplication::setActiveWindow(&dialog);
    field->setFocus();
    QTest::keyClick(field, Qt::Key_F1);
    QVERIFY(bench.guide->words()->isVisible());
    QCOMPARE(bench.guide->words()->parentWidget(), &dialog);
    auto* search = bench.guide->words()->findChild<QLineEdit*>();
    QTest::keyClicks(search, u"straggler"_s);
    QCOMPARE(bench.guide->words()->shown().id, u"straggler"_s);
    dialog.close();
    bench.guide->showWords(u"gcd"_s);
    QCOMPARE(bench.guide->words()->parentWidget(), &bench.window);
    QCOMPARE(bench.guide->words()->shown().id, u"gcd"_s);
}

void TermGuideTest::links()
{
    Bench bench;
    auto* label = new QLabel(bench.window.centralWidget());
    setTermText(label, u"All travel from [gcd] to [gcd|GCD] in [no such thing]."_s);
    label->setGeometry(20, 20, 400, 30);
    label->show();
    QEnterEvent enter(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5));
    QApplication::sendEvent(label, &enter);
    emit label->linkHovered(u"term:gcd"_s);
    Bench::hover(label);
    QVERIFY(bench.guide->isOpen());
    QCOMPARE(bench.guide->popover()->shown().id, u"gcd"_s);
    emit label->linkHovered(QString());
    QTRY_VERIFY(!bench.guide->isOpen());
    Bench::hover(label);
    QVERIFY(!bench.guide->isOpen()); // beside the link
}

void TermGuideTest::dottedLinks()
{
    Bench bench;
    QLabel label;
    setTermText(&label, u"From [gcd] to GCD."_s);
    auto* document = label.findChild<QTextDocument*>();
    QVERIFY(document != nullptr);
    int dotted = 0;
    for (auto part = document->begin().begin(); !part.atEnd(); ++part)
        dotted += part.fragment().charFormat().underlineStyle() == QTextCharFormat::DotLine ? 1 : 0;
    QCOMPARE(dotted, 1);
    QCOMPARE(document->toPlainText(), u"From GCD to GCD."_s);
}

void TermGuideTest::names()
{
    Bench bench;
    bench.guide->show(u"gcd"_s, bench.word);
    const TermPopover* popover = bench.guide->popover();
    QVERIFY(popover->accessibleName().contains(u"GCD"));
    QVERIFY(popover->accessibleDescription().contains(u"16 GCDs on 2 nodes"));
    const auto* picture = popover->findChild<TermPicture*>();
    QVERIFY(!picture->accessibleName().isEmpty());
    QVERIFY(picture->accessibleDescription().contains(u"2 GCDs"));
    for (const auto* widget : popover->findChildren<QWidget*>()) {
        if ((widget->focusPolicy() & Qt::TabFocus) && widget->isVisibleTo(popover)) {
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                widget->metaObject()->className());
        }
    }
}

/// Every picture is painted, in both themes: more than its ground.
void TermGuideTest::pictures()
{
    Bench bench;
    for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
        bench.theme.setMode(mode);
        TermPicture picture;
        picture.resize(picture.sizeHint());
        for (const Term& term : terms()) {
            picture.setPicture(term.picture, pictureFigures(bench.design.derived()));
            const QImage image = picture.grab().toImage();
            QSet<QRgb> colours;
            for (int y = 0; y < image.height(); y += 2) {
                for (int x = 0; x < image.width(); x += 2)
                    colours.insert(image.pixel(x, y));
            }
            QVERIFY2(colours.size() >= 4, qPrintable(term.id));
        }
    }
}

void TermGuideTest::unknownTerm()
{
    Bench bench;
    bench.guide->show(u"flux capacitor"_s, bench.word);
    QVERIFY(!bench.guide->isOpen());
    QVERIFY(bench.guide->words()->isVisible());
    bench.guide->show({}, nullptr);
    bench.word->setProperty("term", u"<b>nonsense</b>"_s);
    Bench::hover(bench.word);
    QVERIFY(!bench.guide->isOpen());
}

RANKWRIGHT_WIDGET_TEST_MAIN(TermGuideTest)
#include "tst_termguide.moc"
