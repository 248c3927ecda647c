// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/theme.h"

#include "widgets/base/icons.h"
#include "widgets/base/stylesheet.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QLabel>
#include <QPointer>
#include <QProxyStyle>
#include <QToolTip>

#include <array>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Fusion with our icons in the place of the desktop's, which are drawn for a light window: what Qt puts into fields,
/// messages and dialogs by itself follows the theme.
class ThemeStyle final : public QProxyStyle {
public:
    ThemeStyle();
    QIcon standardIcon(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const override;
    QPixmap standardPixmap(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(
        StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* answer) const override;
};

/// Of icons.h; empty: Qt's own is drawn with the palette.
QString ourNameOf(QStyle::StandardPixmap pixmap)
{
    switch (pixmap) {
    case QStyle::SP_LineEditClearButton: return u"close"_s;
    case QStyle::SP_MessageBoxInformation:
    case QStyle::SP_MessageBoxQuestion: return u"hint"_s;
    case QStyle::SP_MessageBoxWarning: return u"warning"_s;
    case QStyle::SP_MessageBoxCritical: return u"error"_s;
    default: return {};
    }
}

ThemeStyle::ThemeStyle() : QProxyStyle(u"Fusion"_s) { }

QIcon ThemeStyle::standardIcon(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const
{
    const QString name = ourNameOf(pixmap);
    return name.isEmpty() ? QProxyStyle::standardIcon(pixmap, option, widget) : lineIcon(name);
}

QPixmap ThemeStyle::standardPixmap(StandardPixmap pixmap, const QStyleOption* option, const QWidget* widget) const
{
    const QString name = ourNameOf(pixmap);
    return name.isEmpty() ? QProxyStyle::standardPixmap(pixmap, option, widget) : lineIcon(name).pixmap(16);
}

/// The words of a dialog's buttons say it all.
int ThemeStyle::styleHint(
    StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* answer) const
{
    return hint == SH_DialogButtonBox_ButtonsHaveIcons ? 0 : QProxyStyle::styleHint(hint, option, widget, answer);
}

constexpr const char* themeProperty = "rankwrightTheme";

struct Values {
    QRgb light;
    QRgb dark;
    QRgb contrast;

    QColor in(Theme::Scheme scheme) const
    {
        return QColor::fromRgb(scheme == Theme::Scheme::Light ? light
                : scheme == Theme::Scheme::Dark               ? dark
                                                              : contrast);
    }
};

// In the order of Theme::Token. Where the drawing's value stays under 4.5:1 on a tinted background it is one step
// darker.
constexpr std::array<Values, 22> tokens{{
    {0xfff6f7f9, 0xff14181f, 0xff000000}, // Background
    {0xffffffff, 0xff1b212b, 0xff000000}, // Panel
    {0xffdfe3ea, 0xff2b3442, 0xffb0b8c4}, // Line
    {0xff1b2330, 0xffe6eaf0, 0xffffffff}, // Foreground
    {0xff566174, 0xffa3adbd, 0xfff0f0f0}, // Foreground2
    {0xff667082, 0xff8f9aac, 0xffd6dbe2}, // Foreground3
    {0xff0f6cbd, 0xff4aa3ee, 0xff7cc4ff}, // Accent
    {0xffe8f1fb, 0xff1d3044, 0xff0b2236}, // AccentBackground
    {0xffffffff, 0xff0e1722, 0xff000000}, // OnAccent
    {0xff17774a, 0xff4fc28a, 0xff7ce8ac}, // Good
    {0xffe3f4ea, 0xff16322a, 0xff06281a}, // GoodBackground
    {0xffa85600, 0xfff0a848, 0xffffc562}, // Warn
    {0xfffdf1e2, 0xff38291a, 0xff2e2108}, // WarnBackground
    {0xffb3261e, 0xfff2766b, 0xffffa59c}, // Bad
    {0xfffbeae8, 0xff3a2022, 0xff3a1210}, // BadBackground
    {0xffe8f1fb, 0xff1d3044, 0xff0b2236}, // LineHighlight
    {0xff7a3fc4, 0xffc3a1f7, 0xffdcc4ff}, // CodeKeyword
    {0xff17774a, 0xff4fc28a, 0xff7ce8ac}, // CodeDirective
    {0xff8a5a00, 0xffe0b877, 0xfff4d59b}, // CodeString
    {0xffa85600, 0xfff0a848, 0xffffc562}, // CodeVariable
    {0xff566174, 0xffa3adbd, 0xffd6dbe2}, // CodeComment
    {0xffcbd2dd, 0xff3a4557, 0xffffffff}, // FieldLine
}};

// Okabe and Ito 2008, "Color Universal Design"; the eighth is a grey instead of black, which is the ink.
constexpr std::array<QRgb, 8> categories{
    {0xff0072b2, 0xffe69f00, 0xff009e73, 0xffcc79a7, 0xff56b4e9, 0xffd55e00, 0xfff0e442, 0xff8a94a6}};

constexpr std::array<Values, 4> numaBackgrounds{{{0xffeaf1fd, 0xff1c2a40, 0xff0c1a30},
    {0xfffef5e4, 0xff332a1a, 0xff271d0a}, {0xffe8f6ef, 0xff17302a, 0xff07231b}, {0xfff8ebf4, 0xff33212f, 0xff271322}}};

double linear(double channel)
{
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour)
{
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

QString firstInstalled(const QStringList& wanted, QFontDatabase::SystemFont otherwise)
{
    const QStringList families = QFontDatabase::families();
    for (const QString& family : wanted) {
        if (families.contains(family))
            return family;
    }
    return QFontDatabase::systemFont(otherwise).family();
}

QPalette paletteFor(Theme::Scheme scheme)
{
    using T = Theme::Token;
    const auto c = [scheme](T token) { return Theme::colour(token, scheme); };
    QPalette palette;
    const std::array<std::pair<QPalette::ColorRole, T>, 14> roles{{{QPalette::Window, T::Background},
        {QPalette::WindowText, T::Foreground}, {QPalette::Base, T::Panel}, {QPalette::AlternateBase, T::Background},
        {QPalette::Text, T::Foreground}, {QPalette::Button, T::Panel}, {QPalette::ButtonText, T::Foreground},
        {QPalette::Highlight, T::Accent}, {QPalette::HighlightedText, T::OnAccent}, {QPalette::Link, T::Accent},
        {QPalette::LinkVisited, T::Accent}, {QPalette::ToolTipBase, T::Panel}, {QPalette::ToolTipText, T::Foreground},
        {QPalette::PlaceholderText, T::Foreground3}}};
    for (const auto& [role, token] : roles)
        palette.setColor(role, c(token));
    palette.setColor(QPalette::Mid, c(T::Line));
    palette.setColor(QPalette::Midlight, c(T::Line));
    palette.setColor(QPalette::Dark, c(T::FieldLine));
    palette.setColor(QPalette::Light, c(T::Panel));
    palette.setColor(QPalette::Shadow, c(T::FieldLine));
    palette.setColor(QPalette::BrightText, c(T::Bad));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, c(T::Foreground3));
    return palette;
}

/// A desktop's high-contrast colours are known by their extremes: no other theme has pure white on pure black.
Theme::Scheme schemeOf(const QPalette& desktop)
{
    const QColor background = desktop.color(QPalette::Window);
    if (background.rgb() == qRgb(0, 0, 0) && desktop.color(QPalette::WindowText).rgb() == qRgb(255, 255, 255))
        return Theme::Scheme::HighContrast;
    return background.lightness() < 128 ? Theme::Scheme::Dark : Theme::Scheme::Light;
}

} // namespace

Theme::Theme(QObject* parent) : QObject(parent)
{
    if (auto* application = QCoreApplication::instance()) {
        application->setProperty(themeProperty, QVariant::fromValue<QObject*>(this));
        application->installEventFilter(this);
    }
    loadIconResources();
}

Theme::~Theme()
{
    auto* application = QCoreApplication::instance();
    if (application && application->property(themeProperty).value<QObject*>() == this)
        application->setProperty(themeProperty, {});
}

QString Theme::nameOf(Mode mode)
{
    switch (mode) {
    case Mode::System: break;
    case Mode::Light: return u"light"_s;
    case Mode::Dark: return u"dark"_s;
    case Mode::HighContrast: return u"contrast"_s;
    }
    return u"system"_s;
}

std::optional<Theme::Mode> Theme::modeNamed(const QString& name)
{
    for (const Mode mode : {Mode::System, Mode::Light, Mode::Dark, Mode::HighContrast}) {
        if (name == nameOf(mode))
            return mode;
    }
    return {};
}

void Theme::setMode(Mode mode)
{
    m_mode = mode;
    apply();
}

void Theme::apply()
{
    if (!qApp || m_applying)
        return;
    m_applying = true;
    if (!qApp->property("rankwrightStyle").toBool()) {
        // Fusion draws what a style sheet leaves open from the palette alone, the same on every desktop.
        QApplication::setStyle(new ThemeStyle);
        qApp->setProperty("rankwrightStyle", true);
    }
    if (m_mode == Mode::System) {
        // Taking our own palette back lets the desktop's show through, so that its lightness can be read.
        QApplication::setPalette(QPalette());
        m_scheme = schemeOf(QApplication::palette());
    } else {
        m_scheme = m_mode == Mode::Dark ? Scheme::Dark : m_mode == Mode::Light ? Scheme::Light : Scheme::HighContrast;
    }
    const QPalette palette = paletteFor(m_scheme);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
    QApplication::setFont(uiFont());
    qApp->setStyleSheet(styleSheetFor(m_scheme));
    // The colour of a link is read from the palette when its text is set, and then kept.
    for (QWidget* widget : QApplication::allWidgets()) {
        auto* label = qobject_cast<QLabel*>(widget);
        if (!label || !label->text().contains(u"<a "_s))
            continue;
        const QString text = label->text();
        label->clear();
        label->setText(text);
    }
    m_applying = false;
    emit changed();
}

void Theme::setReducedMotion(bool reduced)
{
    if (reduced == m_reducedMotion)
        return;
    m_reducedMotion = reduced;
    emit changed();
}

QColor Theme::colour(Token token, Scheme scheme) { return tokens.at(size_t(token)).in(scheme); }

QColor Theme::category(int index)
{
    const int count = int(categories.size());
    return QColor::fromRgb(categories.at(size_t(((index % count) + count) % count)));
}

QColor Theme::foregroundOn(const QColor& background)
{
    // White where it reaches the 4.5:1 of WCAG 2.1 (1.4.3), else the dark ink.
    return contrast(Qt::white, background) >= 4.5 ? QColor(Qt::white) : colour(Token::OnAccent, Scheme::Dark);
}

QColor Theme::numaBackground(int numa, Scheme scheme)
{
    const int count = int(numaBackgrounds.size());
    return numaBackgrounds.at(size_t(((numa % count) + count) % count)).in(scheme);
}

QColor Theme::mix(const QColor& over, const QColor& under, double share)
{
    const auto blend = [share](float a, float b) { return float(double(a) * share + double(b) * (1 - share)); };
    return QColor::fromRgbF(
        blend(over.redF(), under.redF()), blend(over.greenF(), under.greenF()), blend(over.blueF(), under.blueF()));
}

double Theme::contrast(const QColor& a, const QColor& b)
{
    const double one = luminance(a);
    const double two = luminance(b);
    return (qMax(one, two) + 0.05) / (qMin(one, two) + 0.05);
}

QFont Theme::uiFont(int pixelSize, QFont::Weight weight)
{
    static const QString family = firstInstalled({u"Inter"_s, u"Inter Variable"_s}, QFontDatabase::GeneralFont);
    QFont font(family);
    font.setPixelSize(pixelSize);
    font.setWeight(weight);
    return font;
}

QFont Theme::codeFont(int pixelSize)
{
    static const QString family
        = firstInstalled({u"JetBrains Mono"_s, u"Cascadia Mono"_s, u"DejaVu Sans Mono"_s}, QFontDatabase::FixedFont);
    QFont font(family);
    font.setStyleHint(QFont::Monospace);
    font.setPixelSize(pixelSize);
    return font;
}

bool Theme::eventFilter(QObject* watched, QEvent* event)
{
    // The desktop switched between day and night: follow, unless the user chose.
    if (event->type() == QEvent::ThemeChange && m_mode == Mode::System && !m_applying)
        apply();
    return QObject::eventFilter(watched, event);
}

Theme& themeOf(const QObject* object)
{
    Q_UNUSED(object)
    QCoreApplication* application = QCoreApplication::instance();
    Q_ASSERT(application);
    if (auto* theme = qobject_cast<Theme*>(application->property(themeProperty).value<QObject*>()))
        return *theme;
    return *new Theme(application);
}

} // namespace rankwright
