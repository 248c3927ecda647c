// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/diagnosis.h"
#include "widgets/log/offeredchange.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace rankwright {

class LinkButton;

/// Why a job failed, in words: who failed first, the line that says it, what to change. Hidden while nothing is known.
class DiagnosisStrip final : public QFrame {
    Q_OBJECT
public:
    explicit DiagnosisStrip(QWidget* parent = nullptr);

    /// The first is the cause.
    void show(const QList<Diagnosis>& diagnoses);
    /// What would help the next time, in one click; empty: nothing is offered. Goes with the diagnoses.
    void offer(const std::optional<OfferedChange>& change);
    /// Without a view of the output no line can be shown.
    void setCanJump(bool on);
    /// What it means is explained elsewhere on the page: one line that says so, and leads to the evidence.
    void setBrief(bool brief);
    const QList<Diagnosis>& diagnoses() const { return m_diagnoses; }
    QString spoken() const; ///< all of it as a screen reader says it

signals:
    void evidenceClicked(const rankwright::Diagnosis& diagnosis);
    void changeClicked(); ///< what is offered is to be written into the design

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QList<Diagnosis> m_diagnoses;
    QLabel* m_title = nullptr;
    QLabel* m_advice = nullptr;
    LinkButton* m_evidence = nullptr;
    QLabel* m_change = nullptr;
    QPushButton* m_apply = nullptr;
    void fill();

    bool m_canJump = true;
    bool m_brief = false;
};

/// "rank 3 · GPU 3 · nid005528 · line 1,204": who failed first and where it says so; empty when it is not known.
QString diagnosisPlace(const Diagnosis& diagnosis);

} // namespace rankwright
