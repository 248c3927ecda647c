// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qscilexercustom.h>

namespace rankwright {

/// Colours a batch script: bash, and #SBATCH lines as what they are, directives and not comments. One piece of state
/// crosses lines: an open quote. Colours come from the theme, fonts are one.
class SbatchLexer final : public QsciLexerCustom {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SbatchLexer)
public:
    enum Style { Plain, Comment, Directive, Keyword, Command, Variable, String, Option };

    explicit SbatchLexer(QObject* parent = nullptr);

    /// A run of bytes of one style.
    struct Run {
        int length = 0;
        Style style = Plain;
    };
    /// Pure: the whole script (UTF-8) as runs whose lengths add up to its size.
    static QList<Run> tokenize(const QByteArray& script);

    const char* language() const override { return "sbatch"; }
    QString description(int style) const override;
    QColor defaultColor(int style) const override;
    QColor defaultPaper(int style) const override;
    QFont defaultFont(int style) const override;
    void styleText(int start, int end) override;
    /// Colours and fonts anew, after a change of theme.
    void applyTheme();
};

} // namespace rankwright
