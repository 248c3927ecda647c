// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/live/alerttext.h"

#include <QScrollArea>

class QVBoxLayout;

namespace rankwright {

/// Findings as notes with a coloured edge and a word for it; renewed in place, so that focus and scroll position stay
/// when a figure in a text changes.
class AlertNotes final : public QScrollArea {
    Q_OBJECT
public:
    explicit AlertNotes(QWidget* parent = nullptr);
    void setFindings(const QList<AlertText>& findings);
    const QList<AlertText>& findings() const { return m_findings; }

signals:
    void hangInspectionClicked(); ///< where the job hangs is to be looked for
    void gpuClicked(rankwright::GpuAddress gpu);
    void fieldClicked(const QString& field); ///< the design is to be opened there
    void lineClicked(const QString& failure); ///< the line of the output that says so is to be shown

private:
    class Note;
    QList<AlertText> m_findings;
    QList<Note*> m_notes;
    QVBoxLayout* m_column = nullptr;
};

} // namespace rankwright
