// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/planning/remedies.h"
#include "widgets/base/stackedbar.h"

class QLabel;
class QPushButton;
class QHBoxLayout;

namespace rankwright {

/// The bar's figures of an estimate that is known.
StackedBarData memoryBar(const DesignEstimate& estimate);

/// The memory of the fullest rank against what can be used, with the remedies when it does not fit. Without an
/// estimate: why, and the one thing to do. Shows; decides nothing.
class MemoryView final : public QWidget {
    Q_OBJECT
public:
    explicit MemoryView(QWidget* parent = nullptr);

    void setData(const Result<DesignEstimate>& estimate, const QList<Remedy>& remedies);
    const StackedBar& bar() const { return *m_bar; }

signals:
    void modelWanted(); ///< nothing is known before a model is named
    void remedyChosen(int index);
    void layoutsWanted(); ///< all layouts that fit

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showRemedies();
    void showEffect(int index);
    QPushButton* buttonAt(int index);

    StackedBar* m_bar = nullptr;
    QLabel* m_corrected = nullptr; ///< by the user's own runs; hidden when it is not
    QWidget* m_unknown = nullptr;
    QLabel* m_why = nullptr;
    QPushButton* m_name = nullptr;
    QWidget* m_remedyBox = nullptr;
    QHBoxLayout* m_remedyRow = nullptr;
    QHBoxLayout* m_effectRow = nullptr;
    QLabel* m_effect = nullptr; ///< of the button under the mouse or with the focus, else of the first
    QPushButton* m_all = nullptr;
    QList<QPushButton*> m_buttons;
    QStringList m_effects;
    QList<Remedy> m_remedies;
    bool m_urgent = false; ///< it will not fit
};

} // namespace rankwright
