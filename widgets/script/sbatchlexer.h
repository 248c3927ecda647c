// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qscilexercustom.h>

namespace rankwright {

/// Colours a batch script in QScintilla: what is what says sbatchRuns(), colours come from the theme, the font is one.
/// Ligatures of the code font are broken up: what is typed is what is seen.
class SbatchLexer final : public QsciLexerCustom {
    Q_OBJECT
public:
    explicit SbatchLexer(QObject* parent = nullptr);

    const char* language() const override { return "sbatch"; }
    QString description(int style) const override;
    QColor defaultColor(int style) const override;
    QColor defaultPaper(int style) const override;
    QFont defaultFont(int style) const override;
    void styleText(int start, int end) override;
    /// Sets colours and fonts again after a change of theme.
    void applyTheme();
};

} // namespace rankwright
