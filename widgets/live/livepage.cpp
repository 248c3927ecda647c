// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/livepage.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/emptystate.h"
#include "widgets/heatmap/heatmapview.h"
#include "widgets/jobs/jobtext.h"
#include "widgets/live/alertscard.h"
#include "widgets/live/jobheader.h"
#include "widgets/live/livefilestrip.h"
#include "widgets/live/liveframe.h"
#include "widgets/live/livehistorycard.h"
#include "widgets/live/livelosscard.h"
#include "widgets/live/livemapcard.h"
#include "widgets/live/livesidecolumn.h"
#include "widgets/log/joblogview.h"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QDateTime>
#include <QGridLayout>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Two cards beside each other, or, where the width is too small for both, the second above the first: what is read
/// most stays in sight, the other is reached by scrolling.
class LiveBottomRow final : public QWidget {
public:
    LiveBottomRow(QWidget& first, int firstShare, QWidget& second, int secondShare, QWidget* parent);
    /// As wide as the wider of the two, so that a narrow page may be narrow.
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget& m_first;
    QWidget& m_second;
    QBoxLayout* m_row;
};

LiveBottomRow::LiveBottomRow(QWidget& first, int firstShare, QWidget& second, int secondShare, QWidget* parent)
    : QWidget(parent), m_first(first), m_second(second), m_row(new QBoxLayout(QBoxLayout::LeftToRight, this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(12);
    m_row->addWidget(&first, firstShare);
    m_row->addWidget(&second, secondShare);
}

QSize LiveBottomRow::minimumSizeHint() const
{
    return {
        std::max(m_first.minimumSizeHint().width(), m_second.minimumSizeHint().width()), m_row->minimumSize().height()};
}

void LiveBottomRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int together = m_first.minimumSizeHint().width() + m_row->spacing() + m_second.minimumSizeHint().width();
    const QBoxLayout::Direction direction = width() < together ? QBoxLayout::BottomToTop : QBoxLayout::LeftToRight;
    if (direction == m_row->direction())
        return;
    m_row->setDirection(direction);
    updateGeometry();
}

constexpr int beatMs = 100; // from a sample to its pixel 0.1 s at most; only what differs is painted
constexpr int beatsPerSecond = 1000 / beatMs;

} // namespace

LivePage::LivePage(GpuGrid& grid, QWidget* parent)
    : QWidget(parent), m_grid(grid), m_clock([] { return QDateTime::currentMSecsSinceEpoch(); }),
      m_pages(new QStackedWidget(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    m_pages->addWidget(buildEmptyState());
    m_pages->addWidget(buildViews());
    m_timer.setInterval(beatMs);
    connectViews();
    showJob({});
}

QWidget* LivePage::buildEmptyState()
{
    auto* empty = new EmptyState(u"live"_s, tr("No job is watched"),
        tr("Here you see every GPU of one job as it works: how busy it is, its memory, power and "
           "temperature, which rank lags behind, the loss curve and the output."),
        this);
    connect(empty->addButton(tr("Watch my newest job")), &QAbstractButton::clicked, this,
        [this] { emit watchRequested({}); });
    connect(empty->addLink(tr("Choose a job")), &QAbstractButton::clicked, this, &LivePage::openJobsRequested);
    connect(
        empty->addLink(tr("Replay a recording")), &QAbstractButton::clicked, this, &LivePage::openRecordingsRequested);
    connect(empty->addLink(tr("Design one")), &QAbstractButton::clicked, this, &LivePage::openDesignRequested);
    return empty;
}

QWidget* LivePage::buildViews()
{
    m_background = new LiveFrame(this);
    QGridLayout* grid = m_background->cards();
    m_file = new LiveFileStrip(m_background);
    m_header = new JobHeader(m_background);
    m_slider = new TimeSlider(m_background);
    m_map = new LiveMapCard(m_grid, m_background);
    m_findings = new AlertsCard(m_grid, m_background);
    m_history = new LiveHistoryCard(m_grid, m_background);
    m_outputCard = new Card(tr("Output"), m_background);
    m_output = new JobLogView(m_outputCard);
    m_outputCard->head()->addWidget(m_output->controls());
    m_outputCard->body()->addWidget(m_output, 1);
    m_loss = new LiveLossCard(m_background);
    grid->addWidget(m_file, 0, 0, 1, 2);
    grid->addWidget(m_header, 1, 0, 1, 2);
    grid->addWidget(m_slider, 2, 0, 1, 2);
    grid->addWidget(m_map, 3, 0);
    grid->addWidget(new LiveBottomRow(*m_loss, 5, *m_outputCard, 6, m_background), 4, 0);
    grid->addWidget(
        new LiveSideColumn(*m_findings, *m_findings->notes(), *m_history, *m_map, m_background), 3, 1, 2, 1);
    grid->setColumnStretch(0, 72);
    grid->setColumnStretch(1, 28);
    grid->setColumnMinimumWidth(1, 288);
    grid->setRowStretch(3, 58);
    grid->setRowStretch(4, 42);
    return m_background;
}

void LivePage::connectViews()
{
    connect(&m_timer, &QTimer::timeout, this, &LivePage::beat);
    connect(m_header, &JobHeader::cancelClicked, this, [this] {
        if (confirmCancel(this, m_job))
            emit cancelRequested(m_job.id);
    });
    connect(&heatMap(), &HeatMapView::currentChanged, this, [this](std::optional<GpuAddress> gpu) {
        m_isChosen = gpu && !m_isLeading;
        showGpu(gpu);
    });
    connect(&heatMap(), &HeatMapView::gpuPicked, this, [this] { m_isChosen = true; });
    connect(m_findings, &AlertsCard::gpuClicked, this, [this](GpuAddress gpu) {
        heatMap().setCurrent(gpu);
        m_isChosen = true;
        m_output->setRankFilter(rankOf(shownGrid(), gpu));
    });
    connect(&heatMap(), &HeatMapView::pinsChanged, this, [this] {
        QList<HistorySubject> pinned;
        for (const HeatMapPin& pin : heatMap().pins())
            pinned.append({pin.node, pin.gpu});
        m_history->setPins(pinned);
    });
    connect(m_history, &LiveHistoryCard::pinsCleared, this, [this] { heatMap().setPins({}); });
    connect(&m_history->plot(), &HistoryPlot::momentPicked, this, &LivePage::momentPicked);
    connect(m_header, &JobHeader::exportClicked, this, &LivePage::exportRequested);
    connect(m_findings, &AlertsCard::fieldClicked, this, &LivePage::designFieldRequested);
    connect(m_findings, &AlertsCard::hangInspectionClicked, this, &LivePage::hangInspectionRequested);
    connect(
        m_findings, &AlertsCard::lineClicked, this, [this](const QString& failure) { m_output->showCause(failure); });
    connect(m_header, &JobHeader::reportClicked, this, [this] { emit reportRequested(m_job.id); });
    connect(m_header, &JobHeader::jobFileClicked, this, [this] { emit jobFileRequested(m_job.id); });
    connect(m_file, &LiveFileStrip::contentsClicked, this, &LivePage::fileContentsRequested);
    connect(m_file, &LiveFileStrip::designClicked, this, &LivePage::fileDesignRequested);
    connect(m_file, &LiveFileStrip::closeClicked, this, &LivePage::fileCloseRequested);
    connect(m_header, &JobHeader::resultsClicked, this, [this] { emit resultsRequested(m_job); });
    const auto reshaped = [this] {
        refreshMessage();
        refreshHeader();
        if (m_grid.nodeCount() > 0 && !heatMap().current())
            leadTo({0, 0});
    };
    connect(&m_grid, &GpuGrid::shapeChanged, this, reshaped);
    orderTabs();
    setFocusProxy(&heatMap()); // where Tab enters the page
}

void LivePage::orderTabs()
{
    // The map first, what ends the job last.
    QList<QWidget*> stops{&heatMap(), m_findings->hangInspectionButton(), m_findings->notes(), &m_history->plot()};
    stops += m_output->tabStops();
    stops += m_slider->tabStops();
    stops += m_file->tabStops();
    stops.append(m_header->exportButton());
    stops.append(m_header->reportButton());
    stops.append(m_header->cancelButton());
    for (qsizetype stop = 1; stop < stops.size(); ++stop)
        setTabOrder(stops.at(stop - 1), stops.at(stop));
}

HeatMapView& LivePage::heatMap() const { return m_map->map(); }

void LivePage::showJob(const JobRecord& job)
{
    showLive();
    setFile({});
    m_isChosen = false;
    m_progress = {};
    m_phase = {};
    m_slider->setOverview({});
    m_slider->setState({});
    m_history->setHistory({});
    m_findings->forgetTroubles();
    m_alerts.clear();
    m_binding.reset();
    m_strategy.clear();
    m_price.reset();
    setSamplingCost({});
    m_coverage.reset();
    m_asOfMs.reset();
    m_output->clear();
    showLosses({});
    heatMap().setStandouts({});
    updateJob(job);
    m_pages->setCurrentIndex(job.id.isEmpty() ? 0 : 1);
    showGpu(heatMap().current());
}

void LivePage::updateJob(const JobRecord& job)
{
    m_job = job;
    m_reportedMs = m_clock();
    if (hasFinished())
        m_asOfMs.reset();
    heatMap().setEnded(hasFinished() && !isPast());
    if (hasFinished())
        heatMap().setStandouts({});
    refreshTitles();
    refreshHeader();
    refreshMessage();
    refreshSlowly();
    m_history->refresh(); // the last samples of a job that has ended come with no beat
}

void LivePage::showProgress(const TrainingProgress& progress)
{
    m_progress = progress;
    if (!isPast())
        refreshHeader();
}

void LivePage::showPhase(const JobPhase& phase)
{
    m_phase = phase;
    if (!isPast())
        refreshHeader();
}

void LivePage::showBinding(const RankBinding& binding)
{
    m_binding = binding;
    if (isPast())
        return;
    refreshHeader();
    refreshSlowly();
}

void LivePage::showLosses(const QList<LossPoint>& losses)
{
    m_loss->setLosses(losses);
    if (!isPast())
        refreshHeader();
}

JobLogView& LivePage::log() const { return *m_output; }

void LivePage::appendLog(const QList<LogLine>& lines) { m_output->append(lines); }

void LivePage::showTrouble(TroubleSource source, const std::optional<Error>& why)
{
    m_findings->showTrouble(source, why);
    refreshSlowly();
}

void LivePage::showAlerts(const QList<Alert>& alerts)
{
    m_alerts = alerts;
    refreshSlowly();
}

void LivePage::setSamplingCost(const QString& text) { m_background->setFooter(text); }

void LivePage::setCoverage(std::optional<double> share)
{
    m_coverage = share;
    refreshAge();
}

void LivePage::setStrategy(const QString& strategy)
{
    m_strategy = strategy;
    refreshHeader();
}

void LivePage::setPrice(const std::optional<JobPrice>& price)
{
    m_price = price;
    refreshHeader();
}

void LivePage::setFile(const QString& fileName)
{
    m_file->showFile(fileName);
    m_header->setOrigin(isFromFile() ? JobHeader::Origin::File : JobHeader::Origin::Cluster);
    m_header->setHasResults(hasFinished() && !isFromFile());
}

bool LivePage::isFromFile() const { return m_file->isShown(); }

QString LivePage::jobId() const { return m_job.id; }

void LivePage::setAsOf(std::optional<qint64> ms)
{
    if (hasFinished())
        ms.reset();
    if (ms == m_asOfMs)
        return;
    m_asOfMs = ms;
    refreshHeader();
    refreshSlowly();
}

void LivePage::setInspectionCheck(std::function<QString()> whyNot)
{
    m_inspectionCheck = std::move(whyNot);
    refreshSlowly();
}

/// None where nothing runs: of the past, and of a job that waits or has ended.
std::optional<QString> LivePage::inspectionObstacle() const
{
    if (!m_inspectionCheck || isPast() || m_job.state != JobState::Running)
        return {};
    return m_inspectionCheck();
}

void LivePage::showGpuOf(const QString& node, int gpu)
{
    const qsizetype row = shownGrid().series().nodes().indexOf(node);
    if (row < 0 || gpu < 0 || gpu >= shownGrid().gpusPerNode())
        return;
    heatMap().setCurrent(GpuAddress{int(row), gpu});
    m_isChosen = true;
}

void LivePage::setClock(std::function<qint64()> clock)
{
    m_clock = std::move(clock);
    m_reportedMs = m_clock();
}

void LivePage::beat()
{
    m_grid.flush(m_clock());
    m_loss->flush();
    if (m_beats++ % beatsPerSecond != 0)
        return;
    refreshSlowly();
    refreshCurves();
}

void LivePage::refreshCurves()
{
    // Of a job that has ended, and of the past, nothing more comes by itself.
    if (!hasFinished() && (!isPast() || m_history->plot().range() == HistoryPlot::Range::All))
        m_history->refresh();
}

void LivePage::refreshTitles()
{
    if (isPast())
        m_map->setTitle(
            tr("GPUs at %1").arg(clockText(m_past->moment.ms)), tr("At %1").arg(clockText(m_past->moment.ms)));
    else
        m_map->setTitle(hasFinished() ? tr("GPUs, last values") : tr("GPUs now"), tr("GPUs"));
    m_outputCard->setTitle(!isPast() ? tr("Output") : hasFinished() ? tr("Output to its end") : tr("Output now"));
}

void LivePage::refreshHeader()
{
    m_header->setAsOf(isPast() ? std::nullopt : m_asOfMs);
    m_header->showJob(shownJob(), shownGrid().gpuWord(), m_strategy);
    m_header->setHasResults(hasFinished() && !isFromFile());
    m_header->showBinding(shownBinding(), shownJob().state);
    const std::optional<qint64> startUp = isPast() ? std::nullopt : m_phase.startUpMs;
    m_header->setStartUp(startUp ? std::optional(Seconds{*startUp / 1000}) : std::nullopt);
    m_header->showElapsed(shownJob().state, elapsedNow(), m_price, shownJob().gpus, shownGrid().gpuWord());
    m_header->showProgress(shownProgress(), shownJob().state, isPast() ? QString() : phaseDetail(m_phase));
    m_header->showLoss(shownProgress().loss, m_past ? m_loss->trendUntil(m_past->moment.lossStep) : m_loss->trend());
}

void LivePage::refreshSlowly()
{
    if (m_job.id.isEmpty())
        return;
    m_header->showElapsed(shownJob().state, elapsedNow(), m_price, shownJob().gpus, shownGrid().gpuWord());
    refreshAge();
    const QList<Alert>& alerts = m_past ? m_past->moment.alerts : m_alerts;
    leadToOddGpu(alerts);
    m_findings->setAlerts(alerts);
    m_findings->setBinding(shownBinding());
    m_findings->setLines(m_output->causes());
    m_findings->setInspectionObstacle(inspectionObstacle());
    // A failure is explained once, where the eye goes; the output only leads to its line.
    m_output->setCauseReportedElsewhere(std::any_of(alerts.begin(), alerts.end(), isOfOutput));
    heatMap().setMarks(m_findings->showFindings(shownJob(), shownProgress(), isPast() ? std::nullopt : m_asOfMs));
}

/// What stands out is beside the map by itself; a person's own choice stays.
void LivePage::leadToOddGpu(const QList<Alert>& alerts)
{
    if (m_isChosen)
        return;
    const auto odd = std::find_if(alerts.begin(), alerts.end(),
        [](const Alert& alert) { return alert.level >= Alert::Level::Warning && !alert.gpus.isEmpty(); });
    if (odd != alerts.end())
        leadTo(odd->gpus.first());
}

void LivePage::leadTo(GpuAddress gpu)
{
    if (gpu.node >= shownGrid().nodeCount() || gpu.gpu >= shownGrid().gpusPerNode())
        return;
    m_isLeading = true;
    heatMap().setCurrent(gpu);
    m_isLeading = false;
}

void LivePage::refreshAge()
{
    if (isPast()) {
        const TimeSpan& span = m_slider->overview().span;
        const QString age = hasFinished()
            ? tr("%1 after its first sample").arg(spanText(m_past->moment.ms - span.fromMs))
            : tr("the past, %1 ago").arg(spanText(span.toMs - m_past->moment.ms));
        m_map->setCaption(age, age, {});
        return;
    }
    qint64 newest = 0;
    for (int node = 0; node < m_grid.nodeCount(); ++node)
        newest = std::max(newest, newestArrival(m_grid, node));
    QString age;
    if (newest > 0)
        age = hasFinished() ? tr("reported at %1").arg(clockText(newest)) : agoText(m_grid.nowMs() - newest);
    QStringList parts{age};
    // Below this the picture has holes that one should know of; above, and while the job has just begun, the figure is
    // noise.
    constexpr int justBegun = 60; // seconds
    if (elapsedNow().value_or(Seconds{justBegun}).count >= justBegun && m_coverage && *m_coverage < 0.995 && newest > 0
        && !hasFinished())
        parts.prepend(tr("%1 of the seconds seen").arg(percentText(std::floor(*m_coverage * 100), 0)));
    m_map->setCaption(parts.join(u" · "_s), age, m_background->footer());
}

void LivePage::refreshMessage()
{
    if (isWaiting(m_job.state))
        m_map->setMessage(tr("The GPUs appear here when the job starts."));
    else if (hasFinished())
        m_map->setMessage(tr("No GPU of this job was watched while it ran."));
    else
        m_map->setMessage(tr("Waiting for the job's nodes."));
    m_map->refresh();
}

void LivePage::showGpu(std::optional<GpuAddress> gpu) { m_history->showGpu(gpu); }

std::optional<Seconds> LivePage::elapsedNow() const
{
    if (m_past)
        return m_past->moment.job.elapsed;
    if (!m_job.elapsed || m_job.state != JobState::Running)
        return m_job.elapsed;
    const qint64 known = m_asOfMs.value_or(m_clock());
    return Seconds{m_job.elapsed->count + std::max<qint64>(0, known - m_reportedMs) / 1000};
}

void LivePage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_beats = 0;
    beat();
    m_history->refresh(); // it was not drawn while hidden
    m_timer.start();
}

void LivePage::hideEvent(QHideEvent* event)
{
    m_timer.stop();
    QWidget::hideEvent(event);
}

void LivePage::setHistory(std::shared_ptr<const TelemetryHistory> history)
{
    m_history->setHistory(std::move(history));
}

void LivePage::setOverview(const TimeOverview& overview)
{
    m_slider->setOverview(overview);
    m_history->plot().setGaps(overview.gaps, overview.gapLongerThanMs);
}

void LivePage::showPast(const PastMoment& moment, GpuGrid& grid)
{
    const bool entered = !m_past;
    const bool other = &shownGrid() != &grid;
    m_past = Past{moment, &grid};
    if (other)
        showGrid();
    if (entered) {
        m_background->setPast(true);
        m_header->setPast(true);
        heatMap().setEnded(false);
    }
    m_history->plot().setMoment(moment.ms);
    m_loss->setMoment(moment.lossStep.value_or(LossPlot::beforeTheFirst));
    m_loss->flush();
    refreshTitles();
    refreshHeader();
    refreshSlowly();
}

void LivePage::showGrid()
{
    m_map->setGrid(shownGrid());
    m_findings->setGrid(shownGrid());
    m_history->setGrid(shownGrid());
}

void LivePage::showLive()
{
    if (!m_past)
        return;
    m_past.reset();
    showGrid();
    m_background->setPast(false);
    m_header->setPast(false);
    heatMap().setEnded(hasFinished());
    m_history->plot().setMoment({});
    m_loss->setMoment({});
    m_loss->flush();
    refreshTitles();
    refreshHeader();
    refreshSlowly();
}

std::optional<TimeSpan> LivePage::chosenSpan() const
{
    const bool chosen = m_history->plot().range() == HistoryPlot::Range::Chosen;
    return chosen ? std::optional(m_history->plot().span()) : std::nullopt;
}

std::optional<GpuAddress> LivePage::currentGpu() const { return heatMap().current(); }

} // namespace rankwright
