// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classcheck.h"

#include <QWidget>

class QLabel;

namespace rankwright {

/// What an exercise checks, and what is known of each: seen (green tick, and where), not yet (grey ring, never red),
/// cannot be known (broken ring, and why); beside a check that has failed what to change, and its hint. Texts are shown
/// as they are, never as rich text.
class ClassCheckList final : public QWidget {
    Q_OBJECT
public:
    explicit ClassCheckList(QWidget* parent = nullptr);

    void setVerdicts(const QList<CheckVerdict>& verdicts);
    const QList<CheckVerdict>& verdicts() const { return m_verdicts; }

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        QWidget* whole = nullptr;
        QLabel* shape = nullptr;
        QLabel* text = nullptr;
        QLabel* where = nullptr;
        QLabel* remedy = nullptr; ///< what to change after a job that failed
        QLabel* hint = nullptr; ///< the teacher's, of a check that has failed
    };
    void addRow();
    void show(const Row& row, const CheckVerdict& verdict);
    void showAll();

    QList<CheckVerdict> m_verdicts;
    QList<Row> m_rows;
};

/// "seen", "not yet", "cannot be known": never the shape alone.
QString stateWords(CheckState state);

} // namespace rankwright
