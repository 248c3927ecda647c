// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/document/design.h"
#include "models/tables/layoutmodel.h"
#include "widgets/plan/speedupplot.h"

#include <QHash>
#include <QWidget>

class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;

namespace rankwright {

class Card;
class EmptyState;
class ParetoPlot;
class PlanFilterBar;
class PlanSideCard;
class RecordTable;

/// The Plan page: all layouts that a search found as a table and as a time-cost plot, the expected speed-up, what the
/// user's own runs taught. Applying a layout is one step of the design. Asks for searches by a signal; searches
/// nothing.
class PlanPage final : public QWidget {
    Q_OBJECT
public:
    explicit PlanPage(Design& design, QWidget* parent = nullptr);

    /// What a search is to put first and how far it may go.
    SearchLimits limits() const;
    /// Progress and Cancel are seen only when it takes long enough to be noticed.
    void showBusy(bool busy);
    void showResult(const Result<SearchResult>& result);
    /// `sentence`: why more GPUs won't help, or that they do.
    void showSpeedup(const SpeedupData& curve, const QString& sentence);
    /// Opens what the user's own runs taught.
    void showMeasured();
    const LayoutModel& layouts() const { return *m_model; }
    bool selectLayout(const QString& id);

signals:
    void searchWanted(); ///< what is shown belongs to an older design or other requests
    void cancelRequested();
    void clearRunsRequested();
    void useRunsRequested(bool on);
    void modelWanted();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildBody();
    Card* buildTable();
    Card* buildPlot();
    void handleDesign();
    void askAgain();
    void showRows();
    void showPlot();
    void showWords();
    void filterRows(const QString& text);
    void showSelected(const QString& id);
    void applyLayout(const QString& id);
    bool isCurrent(const Candidate& layout) const;
    const Candidate* find(const QString& id) const;
    QString summary(const Candidate& layout) const;

    Design& m_design;
    LayoutModel* m_model = nullptr;
    SearchResult m_result;
    std::optional<Error> m_fault; ///< why nothing could be searched
    QHash<QString, Candidate> m_byId;
    bool m_searched = false;
    bool m_outdated = true; ///< asked again as soon as the page is shown
    QString m_selected;
    JobSpec m_shownSpec;

    PlanFilterBar* m_head = nullptr;
    QStackedWidget* m_stack = nullptr;
    EmptyState* m_empty = nullptr;
    QSplitter* m_main = nullptr;
    QSplitter* m_right = nullptr;
    Card* m_tableCard = nullptr;
    RecordTable* m_table = nullptr;
    QLabel* m_rejected = nullptr;
    QLabel* m_why = nullptr;
    QPushButton* m_use = nullptr;
    ParetoPlot* m_plot = nullptr;
    PlanSideCard* m_side = nullptr;
};

} // namespace rankwright
