// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/planning/remedies.h"

#include <QWidget>

class QPushButton;

namespace rankwright {

class Card;
class MemoryView;
class StepView;

/// Memory and time of a step: side by side where there is room, else one of them with a link to the other.
class EstimateCards final : public QWidget {
    Q_OBJECT
public:
    enum class Which { Memory, Step };

    explicit EstimateCards(QWidget* parent = nullptr);

    void setData(const Result<DesignEstimate>& estimate, const QList<Remedy>& remedies, const QString& gpuWord);
    void setSideBySide(bool both);
    /// Brings one to the front and the focus to it.
    void show(Which which);
    const MemoryView& memory() const { return *m_memory; }
    const StepView& step() const { return *m_step; }

signals:
    void modelWanted();
    void remedyChosen(int index);
    void layoutsWanted();

private:
    void arrangeCards();

    Card* m_memoryCard = nullptr;
    Card* m_stepCard = nullptr;
    MemoryView* m_memory = nullptr;
    StepView* m_step = nullptr;
    QPushButton* m_toStep = nullptr;
    QPushButton* m_toMemory = nullptr;
    bool m_both = false;
    bool m_known = false;
    Which m_front = Which::Memory;
};

} // namespace rankwright
