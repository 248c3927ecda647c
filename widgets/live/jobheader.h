// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/insight/progress/rankbinding.h"
#include "models/insight/progress/trainingprogress.h"
#include "models/planner/design/jobprice.h"
#include "widgets/history/lossplot.h"
#include "widgets/live/liveexport.h"

#include <QFrame>

class QAction;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace rankwright {

/// The strip above the live views: which job, its state, how far it is, the time of a step, its loss, what it has used
/// so far, export, report, Cancel. Shows values; elapsed time is counted on by the caller.
class JobHeader final : public QFrame {
    Q_OBJECT
public:
    explicit JobHeader(QWidget* parent = nullptr);

    /// `strategy`: "FSDP" of the design it was launched from; empty when not known.
    void showJob(const JobRecord& job, const QString& gpuWord, const QString& strategy);
    /// How long it took until it trained, of a job that does; shown beside its time limit with the next showElapsed().
    void setStartUp(std::optional<Seconds> startUp) { m_startUp = startUp; }
    /// What it has used: in the site's unit by `price`; without one the hours of its `gpus`.
    void showElapsed(JobState state, std::optional<Seconds> elapsed, const std::optional<JobPrice>& price,
        std::optional<int> gpus, const QString& gpuWord);
    /// `starting`: "2 agents, workers not yet" of a job that starts; said where no step is known.
    void showProgress(const TrainingProgress& progress, JobState state, const QString& starting = {});
    /// Where the job's ranks report to be; of a moment of the past empty.
    void showBinding(const std::optional<RankBinding>& binding, JobState state);
    void showLoss(std::optional<double> loss, std::optional<LossTrend> trend);

    /// Nothing newer is known: state, hours and progress are from that time, and no clock runs on. Empty: they are
    /// current.
    void setAsOf(std::optional<qint64> ms) { m_asOfMs = ms; }
    /// A moment of the past is shown: nothing can be cancelled there.
    void setPast(bool past);
    /// Where the job shown is from: what a file of somebody else holds is not passed on.
    enum class Origin { Cluster, File };
    void setOrigin(Origin origin);
    /// The job has ended, whatever moment is shown: its files are complete.
    void setHasResults(bool has);

    QPushButton* cancelButton() const { return m_cancel; }
    QPushButton* reportButton() const { return m_report; }
    QPushButton* resultsButton() const { return m_results; }
    QToolButton* exportButton() const { return m_export; }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void cancelClicked();
    void reportClicked();
    void resultsClicked();
    void jobFileClicked();
    void exportClicked(rankwright::LiveExport kind);

private:
    struct Figure {
        QWidget* box = nullptr;
        QLabel* value = nullptr;
        QLabel* caption = nullptr;
    };
    struct Shown {
        QList<const Figure*> figures;
        bool secondRow = true;
    };
    void buildExport();
    void buildReport();
    Figure makeFigure(const QString& name);
    static void fill(const Figure& figure, const QString& value, const QString& caption);
    void makeRoom();
    struct Widths {
        int sum = 0; ///< of all but the bar
        int widest = 0; ///< of what is read
    };
    Widths widthOf(const Shown& shown) const;
    bool isRoomy(const Shown& shown) const;
    void apply(const Shown& shown);
    void showUsed(JobState state, const QString& amount, double perHour);

    QLabel* m_name = nullptr;
    QLabel* m_allocation = nullptr;
    QLabel* m_state = nullptr;
    QLabel* m_limit = nullptr;
    QProgressBar* m_bar = nullptr;
    Figure m_progress;
    Figure m_step;
    Figure m_loss;
    Figure m_used;
    QToolButton* m_export = nullptr;
    QAction* m_jobFile = nullptr;
    QPushButton* m_report = nullptr;
    QPushButton* m_results = nullptr; ///< in the place of Cancel, once the job has ended
    QPushButton* m_cancel = nullptr;
    bool m_cancellable = false;
    bool m_past = false;
    bool m_makesRoom = false;
    std::optional<qint64> m_asOfMs;
    QString m_allocated; ///< nodes, GPUs, strategy
    std::optional<Seconds> m_timeLimit;
    std::optional<Seconds> m_startUp;
    QDateTime m_expected; ///< start, while waiting
};

} // namespace rankwright
