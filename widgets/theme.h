// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

namespace rankwright {

/// Semantic colours with a light and a dark value (docs/look.md); the only place with colour constants. Decides dark by
/// the application palette's lightness unless the user chose. apply() sets palette, font and style sheet of the whole
/// application; painted views ask colour() at paint time and never keep one.
class Theme final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Theme)
public:
    enum class Mode { System, Light, Dark };
    enum class Token { Ground, Panel, Line, Ink, Ink2, Ink3, Accent, AccentGround, OnAccent, Good, GoodGround, Warn, WarnGround,
                       Bad, BadGround, LineHighlight, CodeKeyword, CodeDirective, CodeString, CodeVariable, CodeComment };

    explicit Theme(QObject* parent = nullptr);

    void setMode(Mode mode);
    Mode mode() const { return m_mode; }
    bool isDark() const { return m_dark; }
    void apply();

    static QColor colour(Token token, bool dark);
    QColor colour(Token token) const { return colour(token, m_dark); }
    /// Categories (Okabe-Ito), same in both modes: groups, memory parts, ranks.
    static QColor category(int index);
    static QColor numaGround(int numa, bool dark);

    static QFont uiFont(int pixelSize = 13, QFont::Weight weight = QFont::Normal); ///< Inter where installed, tabular digits where it can
    static QFont codeFont(int pixelSize = 12);

signals:
    void changed();

private:
    Mode m_mode = Mode::System;
    bool m_dark = false;
};

/// The theme that paints `widget`: looked up from the application's property, so that views need no parameter chain.
Theme& themeOf(const QObject* object);

} // namespace rankwright
