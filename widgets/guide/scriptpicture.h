// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/write/scriptdocument.h"

#include <QPlainTextEdit>

namespace rankwright {

/// A script to be read, lines wrapped and never cut; some of its lines are marked.
class ScriptPicture final : public QPlainTextEdit {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ScriptPicture)
public:
    explicit ScriptPicture(QWidget* parent = nullptr);

    void setScript(const ScriptDocument& script);
    /// Marks these lines (0 based) and brings the first into view.
    void mark(const QList<int>& lines);
    QList<int> marked() const { return m_lines; }

private:
    void paintMarks();

    QList<int> m_lines;
};

} // namespace rankwright
