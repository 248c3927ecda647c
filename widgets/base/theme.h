// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

#include <optional>

namespace rankwright {

/// Semantic colours with a light, a dark and a high-contrast value; with colourmap the only place with colour
/// constants. Decides dark by the application palette's lightness unless the user chose. apply() sets palette, font and
/// style sheet of the whole application; painted views ask colour() at paint time and never keep one.
///
/// What the style sheet (stylesheet.cpp) knows by property, true where no value is named: push buttons "accent" (the
/// one action), "chip", "danger", "fold", "link", "spot", "verdict" (good, warn, bad, quiet); tool buttons
/// "navigation", "segment" (first, middle, last, only); labels "title", "figure", "section", "caption", "quiet",
/// "fault", "lit", "tone" (good, warn, bad), "pill" (good, warn, bad, busy, quiet); frames "card", "well"; widgets
/// "card", "strip"; line edits "frameless", "invalid"; text edits "invalid"; combo boxes "open"; splitters "gap".
/// setStyleProperty() sets one and restyles.
class Theme final : public QObject {
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark, HighContrast };
    /// As settings and the option --theme write it: "system", "light", "dark", "contrast".
    static QString nameOf(Mode mode);
    static std::optional<Mode> modeNamed(const QString& name);
    /// What is painted with: text keeps 4.5:1, in high contrast 7:1 (WCAG 2.1, 1.4.3 and 1.4.6).
    enum class Scheme { Light, Dark, HighContrast };
    enum class Token {
        Background,
        Panel,
        Line,
        Foreground,
        Foreground2,
        Foreground3,
        Accent,
        AccentBackground,
        OnAccent,
        Good,
        GoodBackground,
        Warn,
        WarnBackground,
        Bad,
        BadBackground,
        LineHighlight,
        CodeKeyword,
        CodeDirective,
        CodeString,
        CodeVariable,
        CodeComment,
        FieldLine
    };

    explicit Theme(QObject* parent = nullptr);
    ~Theme() override;

    void setMode(Mode mode);
    Mode mode() const { return m_mode; }
    Scheme scheme() const { return m_scheme; }
    bool isDark() const { return m_scheme != Scheme::Light; }
    bool isHighContrast() const { return m_scheme == Scheme::HighContrast; }
    /// Pictures stand and are stepped through: nothing moves by itself.
    void setReducedMotion(bool reduced);
    bool reducedMotion() const { return m_reducedMotion; }
    void apply();

    static QColor colour(Token token, Scheme scheme);
    QColor colour(Token token) const { return colour(token, m_scheme); }
    /// Categories (Okabe-Ito), same in both modes: groups, memory parts, ranks.
    static QColor category(int index);
    /// Black or white text, whichever reads better on `background`.
    static QColor foregroundOn(const QColor& background);
    static QColor numaBackground(int numa, Scheme scheme);
    /// `over` mixed into `under`: derived tints are asked for here, not written down elsewhere.
    static QColor mix(const QColor& over, const QColor& under, double share);
    /// WCAG 2.1 contrast ratio, 1 to 21.
    static double contrast(const QColor& a, const QColor& b);

    static QFont uiFont(int pixelSize = 13,
        QFont::Weight weight = QFont::Normal); ///< Inter where installed, tabular digits where it can
    static QFont codeFont(int pixelSize = 12);

    bool eventFilter(QObject* watched, QEvent* event) override;

signals:
    void changed();

private:
    Mode m_mode = Mode::System;
    Scheme m_scheme = Scheme::Light;
    bool m_reducedMotion = false;
    bool m_applying = false;
};

/// The theme that paints `widget`: looked up from the application's property, so that views need no parameter chain.
Theme& themeOf(const QObject* object);

} // namespace rankwright
