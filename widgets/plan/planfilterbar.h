// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/layoutsearch.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace rankwright {

class QuantityEdit;
class SegmentedControl;

/// The head of the Plan page: what is searched for, what is to come first, how far the search may go, which of the
/// layouts found are shown; progress and Cancel while a search takes long enough to be noticed.
class PlanFilterBar final : public QWidget {
    Q_OBJECT
public:
    explicit PlanFilterBar(QWidget* parent = nullptr);

    void setTitle(const QString& title);
    void setGpuWord(const QString& word); ///< as the site says: "GCD"
    /// The most nodes that the partition gives to a job; empty: not known.
    void setMostNodes(std::optional<int> nodes);
    SearchLimits limits() const;
    void showBusy(bool busy);

signals:
    void limitsChanged(); ///< to something that can be read
    void filterChanged(const QString& text);
    void cancelRequested();

private:
    QuantityEdit* makeDemand(const QString& hint, const QString& placeholder, const QString& name, const QString& help);

    QTimer m_patience; ///< before progress is shown
    QLabel* m_title = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_cancel = nullptr;
    SegmentedControl* m_objective = nullptr;
    QuantityEdit* m_maxNodes = nullptr;
    QuantityEdit* m_within = nullptr;
    QuantityEdit* m_budget = nullptr;
    QuantityEdit* m_filter = nullptr;
};

} // namespace rankwright
