// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/core/troublesource.h"
#include "models/insight/alerts/alert.h"
#include "models/insight/alerts/jobphase.h"
#include "models/insight/progress/progresstrack.h"
#include "models/insight/progress/rankbinding.h"
#include "models/planner/design/jobprice.h"
#include "models/tables/grid/gpugrid.h"
#include "widgets/history/timeslider.h"
#include "widgets/live/liveexport.h"

#include <QTimer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QStackedWidget;

namespace rankwright::inline insight {
struct LogLine;
} // namespace rankwright::inline insight

namespace rankwright {

class AlertsCard;
class Card;
class HeatMapView;
class JobHeader;
class JobLogView;
class LiveFileStrip;
class LiveFrame;
class LiveHistoryCard;
class LiveLossCard;
class LiveMapCard;

/// A moment of a job's past, as everything on the page shows it.
struct PastMoment {
    qint64 ms = 0;
    JobRecord job; ///< as it was then: state, elapsed
    TrainingProgress progress; ///< as reported until then
    std::optional<double> lossStep; ///< how far the loss curve reached
    QList<Alert> alerts; ///< what would have been said then
    std::optional<RankBinding> binding = {}; ///< as reported until then; empty: not recorded
    bool isEvaluating = false; ///< the minutes before are still being evaluated
};

/// The Live page: one job, running or replayed. Header with state, progress and cancel; the job's whole time as a
/// slider; heat map of nodes x GPUs; what stands out; curves; loss curve; output: each a part of its own, placed and
/// fed here. Shows what it is given; the one clock of the live views is in here (10 Hz: flushes the grid model and the
/// plots). While a moment of the past is shown, everything shows that moment and says so. Does not ask the cluster.
class LivePage final : public QWidget {
    Q_OBJECT
public:
    explicit LivePage(GpuGrid& grid, QWidget* parent = nullptr);

    /// Another job is watched: clears everything. Empty id: the empty state ("nothing is watched ...").
    void showJob(const JobRecord& job);
    /// The same job reported again (state, elapsed, reason).
    void updateJob(const JobRecord& job);
    void showProgress(const TrainingProgress& progress);
    void showPhase(const JobPhase& phase);
    void showLosses(const QList<LossPoint>& losses);
    /// Where the ranks of a watched job report to be, now.
    void showBinding(const RankBinding& binding);
    void appendLog(const QList<LogLine>& lines);
    /// A fault of feed or tail in words; empty text clears it.
    void showTrouble(TroubleSource source, const std::optional<Error>& why);
    /// What is wrong with the job now, worst first.
    void showAlerts(const QList<Alert>& alerts);
    /// What sampling costs, in a sentence: at the bottom of the page.
    void setSamplingCost(const QString& text);
    /// Share of seconds with a sample so far, 0..1, shown with the age; negative: unknown.
    void setCoverage(std::optional<double> share);
    /// How the job was laid out ("FSDP"), when it was launched from a design; beside its nodes and GPUs.
    void setStrategy(const QString& strategy);
    /// What an hour of the job costs; empty: not known, the hours of its GPUs are shown.
    void setPrice(const std::optional<JobPrice>& price);
    /// The job shown is from a job file of this name, of somebody else: the page says so, and offers nothing that asks
    /// a cluster. Until showJob().
    void setFile(const QString& fileName);
    bool isFromFile() const;
    QString jobId() const;
    /// The job that is shown, as last reported; its id is empty when none is.
    const JobRecord& job() const { return m_job; }
    /// The cluster does not answer any more: what is shown of the job is from that time, and no clock runs on. Empty:
    /// it answers.
    void setAsOf(std::optional<qint64> ms);

    /// What was recorded of the job; null: only what the grid still holds.
    void setHistory(std::shared_ptr<const TelemetryHistory> history);
    void setOverview(const TimeOverview& overview);
    TimeSlider& slider() const { return *m_slider; }
    /// Shows a moment of the past from another grid until showLive().
    void showPast(const PastMoment& moment, GpuGrid& grid);
    void showLive();
    bool isPast() const { return m_past.has_value(); }
    /// The stretch of time that the curves show, when it was chosen; for exports. Empty: the whole job.
    std::optional<TimeSpan> chosenSpan() const;
    std::optional<GpuAddress> currentGpu() const;

    HeatMapView& heatMap() const;
    /// The job's output: what it asks for is answered by its controller.
    JobLogView& log() const;
    /// Why a look at the ranks of the running job cannot begin now; empty: it can. Without it none is offered.
    void setInspectionCheck(std::function<QString()> whyNot);
    /// Shows one GPU of the job in the map, where the map has it.
    void showGpuOf(const QString& node, int gpu);
    /// Milliseconds since 1970 by the clock that stamps arrivals; tests and benchmarks put their own in.
    void setClock(std::function<qint64()> clock);
    /// One beat of the clock, as the timer does it ten times a second while the page is visible.
    void beat();

signals:
    void cancelRequested(const QString& jobId); ///< already confirmed by the user
    void watchRequested(const QString& jobId); ///< from the empty state: newest job
    void reportRequested(const QString& jobId);
    void resultsRequested(const rankwright::JobRecord& job); ///< of one that has ended: its files, to be fetched
    void jobFileRequested(const QString& jobId); ///< the job as one file
    void fileContentsRequested(); ///< of the file that is shown, as the two below
    void fileDesignRequested();
    void fileCloseRequested();
    void openJobsRequested();
    void openDesignRequested();
    void openRecordingsRequested();
    void momentPicked(qint64 ms); ///< in a curve: this moment is to be shown
    void hangInspectionRequested(); ///< where the job hangs is to be looked for
    void exportRequested(rankwright::LiveExport kind);
    void designFieldRequested(const QString& field); ///< an alert's remedy lies there

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    struct Past {
        PastMoment moment;
        GpuGrid* grid;
    };
    QWidget* buildEmptyState();
    QWidget* buildViews();
    void connectViews();
    void orderTabs();
    void refreshHeader();
    void refreshSlowly();
    void leadToOddGpu(const QList<Alert>& alerts);
    void leadTo(GpuAddress gpu);
    void refreshAge();
    void refreshTitles();
    void refreshMessage();
    void refreshCurves();
    void showGrid(); ///< the live one or that of the moment shown
    void showGpu(std::optional<GpuAddress> gpu);
    std::optional<QString> inspectionObstacle() const;
    std::optional<Seconds> elapsedNow() const;
    const JobRecord& shownJob() const { return m_past ? m_past->moment.job : m_job; }
    const TrainingProgress& shownProgress() const { return m_past ? m_past->moment.progress : m_progress; }
    const std::optional<RankBinding>& shownBinding() const { return m_past ? m_past->moment.binding : m_binding; }
    GpuGrid& shownGrid() const { return m_past ? *m_past->grid : m_grid; }
    bool hasFinished() const { return hasEnded(m_job.state); }

    GpuGrid& m_grid; ///< live
    std::function<qint64()> m_clock;
    std::function<QString()> m_inspectionCheck;
    QTimer m_timer;
    int m_beats = 0;

    JobRecord m_job;
    QString m_strategy;
    std::optional<JobPrice> m_price;
    std::optional<qint64> m_asOfMs;
    qint64 m_reportedMs = 0; ///< when m_job.elapsed was reported, our clock
    TrainingProgress m_progress;
    JobPhase m_phase; ///< current, also while the past is shown
    std::optional<Past> m_past;
    QList<Alert> m_alerts; ///< current, also while the past is shown
    std::optional<RankBinding> m_binding; ///< current; empty: the job's output is not read
    std::optional<double> m_coverage;
    bool m_isChosen = false; ///< the GPU whose history is shown, by a person
    bool m_isLeading = false;

    QStackedWidget* m_pages = nullptr;
    LiveFrame* m_background = nullptr;
    LiveFileStrip* m_file = nullptr;
    JobHeader* m_header = nullptr;
    TimeSlider* m_slider = nullptr;
    LiveMapCard* m_map = nullptr;
    AlertsCard* m_findings = nullptr;
    LiveHistoryCard* m_history = nullptr;
    LiveLossCard* m_loss = nullptr;
    Card* m_outputCard = nullptr;
    JobLogView* m_output = nullptr;
};

} // namespace rankwright
