// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/livepage.h"

#include "widgets/card.h"
#include "widgets/emptystate.h"
#include "widgets/findingnotes.h"
#include "widgets/gpuhistoryview.h"
#include "widgets/heatmaplegend.h"
#include "widgets/heatmapview.h"
#include "widgets/jobheader.h"
#include "widgets/joblogview.h"
#include "widgets/jobwords.h"
#include "widgets/lossplot.h"
#include "widgets/segmentedcontrol.h"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QDateTime>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int beatMs = 250; // 4 Hz: faster than the eye asks for, slower than a sampler tells
constexpr int beatsPerSecond = 1000 / beatMs;
constexpr int mapFrameHeight = 98; // head, legend, margins of the heat map's card
constexpr int mapLeastHeight = 296;

} // namespace

LivePage::LivePage(GpuGridModel& grid, QWidget* parent)
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
    connect(empty->addAction(tr("Watch my newest job"), true), &QAbstractButton::clicked, this,
        [this] { emit watchRequested({}); });
    connect(empty->addAction(tr("Choose a job"), false), &QAbstractButton::clicked, this, &LivePage::openJobsRequested);
    connect(empty->addAction(tr("Design one"), false), &QAbstractButton::clicked, this, &LivePage::openDesignRequested);
    return empty;
}

QWidget* LivePage::buildViews()
{
    auto* page = new QWidget(this);
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(16, 14, 16, 14);
    grid->setSpacing(12);
    m_header = new JobHeader(page);
    m_mapCard = buildMapCard();
    m_findingsCard = new Card(tr("What I see"), page);
    m_findings = new FindingNotes(m_findingsCard);
    m_findingsCard->body()->addWidget(m_findings);
    m_lossCard = new Card(tr("Loss"), page);
    m_loss = new LossPlot(m_lossCard);
    m_lossCard->body()->addWidget(m_loss, 1);
    auto* logCard = new Card(tr("Output"), page);
    m_log = new JobLogView(logCard);
    logCard->head()->addWidget(m_log->controls());
    logCard->body()->addWidget(m_log, 1);
    m_historyCard = buildHistoryCard();
    auto* bottom = new QHBoxLayout;
    bottom->setSpacing(12);
    bottom->addWidget(m_lossCard, 5);
    bottom->addWidget(logCard, 6);
    grid->addWidget(m_header, 0, 0, 1, 2);
    grid->addWidget(m_mapCard, 1, 0);
    grid->addWidget(m_findingsCard, 1, 1);
    grid->addLayout(bottom, 2, 0);
    grid->addWidget(m_historyCard, 2, 1);
    grid->setColumnStretch(0, 72);
    grid->setColumnStretch(1, 28);
    grid->setColumnMinimumWidth(1, 300);
    grid->setRowStretch(1, 58);
    grid->setRowStretch(2, 42);
    return page;
}

Card* LivePage::buildMapCard()
{
    auto* card = new Card(tr("GPUs now"), this);
    m_measure = new SegmentedControl(
        {toText(Measure::Utilization), toText(Measure::Memory), toText(Measure::Power), toText(Measure::Temperature)},
        card);
    m_measure->setAccessibleName(tr("What the cells show"));
    for (int index = 0; index < m_measure->count(); ++index)
        m_measure->setSegmentToolTip(index, tr("Key %1 in the map").arg(index + 1));
    // Title, then the choice at the right with the age after it, as the eye reads: what, of which kind, how old.
    card->head()->addWidget(m_measure);
    m_mapPages = new QStackedWidget(card);
    m_map = new HeatMapView(m_grid, m_mapPages);
    m_message = makeLabel({}, "quiet", m_mapPages);
    m_message->setAlignment(Qt::AlignCenter);
    m_message->setWordWrap(true);
    m_mapPages->addWidget(m_map);
    m_mapPages->addWidget(m_message);
    m_legend = new HeatMapLegend(*m_map, card);
    card->body()->addWidget(m_mapPages, 1);
    card->body()->addWidget(m_legend);
    return card;
}

Card* LivePage::buildHistoryCard()
{
    auto* card = new Card(tr("History"), this);
    card->setCaption(tr("last 10 min"));
    m_history = new GpuHistoryView(m_grid, card);
    card->body()->addWidget(m_history, 1);
    return card;
}

void LivePage::connectViews()
{
    connect(&m_timer, &QTimer::timeout, this, &LivePage::beat);
    connect(m_header, &JobHeader::cancelClicked, this, [this] {
        if (confirmCancel(this, m_job))
            emit cancelRequested(m_job.id);
    });
    connect(m_measure, &SegmentedControl::chosen, this, [this](int index) { m_map->setMeasure(Measure(index)); });
    connect(
        m_map, &HeatMapView::measureChanged, this, [this](Measure measure) { m_measure->setCurrent(int(measure)); });
    connect(m_map, &HeatMapView::layoutChanged, this, [this] {
        m_legend->refresh();
        fitRows();
    });
    connect(m_map, &HeatMapView::currentChanged, this, &LivePage::showGpu);
    connect(m_findings, &FindingNotes::gpuClicked, this, [this](GpuAddress gpu) {
        m_map->setCurrent(gpu);
        m_log->setRankFilter(rankOf(m_grid, gpu));
    });
    const auto reshaped = [this] {
        m_standoutSince.clear();
        refreshMessage();
        fitRows();
        refreshHeader();
        if (m_grid.rowCount() > 0 && !m_map->current())
            m_map->setCurrent(GpuAddress{0, 0});
    };
    connect(&m_grid, &QAbstractItemModel::modelReset, this, reshaped);
    connect(&m_grid, &QAbstractItemModel::rowsInserted, this, reshaped);
    m_measure->setCurrent(0);
    // The map first, what ends the job last.
    QList<QWidget*> stops{m_map, m_findings};
    stops += m_log->tabStops();
    stops.append(m_header->cancelButton());
    for (qsizetype stop = 1; stop < stops.size(); ++stop)
        setTabOrder(stops.at(stop - 1), stops.at(stop));
}

void LivePage::showJob(const JobRecord& job)
{
    m_progress = {};
    m_troubles.clear();
    m_standoutSince.clear();
    m_strategy.clear();
    m_cost.clear();
    m_coverage = -1;
    m_log->clear();
    showLosses({});
    m_map->setStandouts({});
    updateJob(job);
    m_pages->setCurrentIndex(job.id.isEmpty() ? 0 : 1);
    showGpu(m_map->current());
}

void LivePage::updateJob(const JobRecord& job)
{
    m_job = job;
    m_toldMs = m_clock();
    m_map->setEnded(hasFinished());
    m_history->setEnded(hasFinished());
    if (hasFinished())
        m_map->setStandouts({});
    m_mapCard->setTitle(hasFinished() ? tr("GPUs, last values") : tr("GPUs now"));
    m_header->showJob(job, m_grid.gpuWord(), m_strategy);
    m_header->showProgress(m_progress, m_job.state);
    refreshMessage();
    fitRows();
    refreshSlowly();
}

void LivePage::showProgress(const TrainingProgress& progress)
{
    m_progress = progress;
    m_header->showProgress(progress, m_job.state);
    m_header->showLoss(progress.loss, lossTrend(m_losses));
}

void LivePage::showLosses(const QList<LossPoint>& losses)
{
    m_losses = losses;
    m_loss->setLosses(losses);
    m_lossCard->setCaption(
        losses.isEmpty() ? QString() : tr("read from the log · %1 points").arg(humanNumber(double(losses.size()), 0)));
    m_header->showLoss(m_progress.loss, lossTrend(losses));
}

void LivePage::appendLog(const QList<LogLine>& lines) { m_log->append(lines); }

void LivePage::showTrouble(const QString& source, const Error& why)
{
    if (why.what.isEmpty())
        m_troubles.remove(source);
    else
        m_troubles.insert(source, why);
    refreshSlowly();
}

void LivePage::setSamplingCost(const QString& text)
{
    m_cost = text;
    refreshAge();
}

void LivePage::setCoverage(double share)
{
    m_coverage = share;
    refreshAge();
}

void LivePage::setStrategy(const QString& strategy)
{
    m_strategy = strategy;
    refreshHeader();
}

QString LivePage::jobId() const { return m_job.id; }

void LivePage::setClock(std::function<qint64()> clock)
{
    m_clock = std::move(clock);
    m_toldMs = m_clock();
}

void LivePage::beat()
{
    m_grid.flush(m_clock());
    m_loss->flush();
    if (m_beats++ % beatsPerSecond != 0)
        return;
    refreshSlowly();
    if (!hasFinished())
        m_history->update();
}

void LivePage::refreshHeader()
{
    m_header->showJob(m_job, m_grid.gpuWord(), m_strategy);
    m_header->showElapsed(m_job.state, elapsedNow(), m_job.gpus, m_grid.gpuWord());
}

void LivePage::refreshSlowly()
{
    if (m_job.id.isEmpty())
        return;
    m_header->showElapsed(m_job.state, elapsedNow(), m_job.gpus, m_grid.gpuWord());
    refreshAge();
    QList<Standout> standouts;
    if (isActive(m_job.state))
        standouts = findStandouts(m_grid);
    QList<GpuAddress> marked;
    QMap<GpuAddress, qint64> since;
    for (const Standout& one : std::as_const(standouts)) {
        if (!marked.contains(one.gpu))
            marked.append(one.gpu);
        since.insert(one.gpu, m_standoutSince.value(one.gpu, m_grid.nowMs()));
    }
    m_standoutSince = since;
    m_map->setStandouts(marked);
    const QList<LiveFinding> findings
        = findingsOf({m_grid, m_job, m_progress, m_troubles, standouts, since, elapsedNow()});
    m_findings->setFindings(findings);
    const qsizetype alarms = std::count_if(findings.begin(), findings.end(),
        [](const LiveFinding& finding) { return finding.tone == Tone::Warn || finding.tone == Tone::Bad; });
    m_findingsCard->setCaption(alarms > 0 ? tr("%n to look at", nullptr, int(alarms)) : QString());
}

void LivePage::refreshAge()
{
    qint64 newest = 0;
    for (int node = 0; node < m_grid.rowCount(); ++node)
        newest = std::max(newest, newestArrival(m_grid, node));
    QString age;
    if (newest > 0)
        age = hasFinished() ? tr("told at %1").arg(clockText(newest)) : agoText(m_grid.nowMs() - newest);
    QStringList parts{age};
    // Below this the picture has holes that one should know of; above, the figure is noise.
    if (m_coverage >= 0 && m_coverage < 0.995 && newest > 0 && !hasFinished())
        parts.prepend(tr("%1\u2009% of the seconds seen").arg(int(m_coverage * 100)));
    m_mapCard->setCaption(parts.join(u" · "_s));
    m_mapCard->setToolTip(m_cost.isEmpty() ? QString() : tr("Sampling costs: %1").arg(m_cost));
}

void LivePage::refreshMessage()
{
    const bool any = m_grid.rowCount() > 0 && m_grid.columnCount() > 0;
    m_mapPages->setCurrentIndex(any ? 0 : 1);
    m_legend->setVisible(any);
    m_measure->setVisible(any);
    if (isWaiting(m_job.state))
        m_message->setText(tr("The GPUs appear here when the job starts."));
    else if (hasFinished())
        m_message->setText(tr("No GPU of this job was watched while it ran."));
    else
        m_message->setText(tr("Waiting for the job's nodes."));
}

void LivePage::fitRows()
{
    // A few nodes need little height: the curves below get the rest.
    const int height
        = m_grid.rowCount() > 0 ? std::max(mapLeastHeight, m_map->roomiestHeight() + mapFrameHeight) : QWIDGETSIZE_MAX;
    m_mapCard->setMaximumHeight(height);
    m_findingsCard->setMaximumHeight(height);
}

void LivePage::showGpu(std::optional<GpuAddress> gpu)
{
    m_history->show(gpu);
    if (!gpu) {
        m_historyCard->setTitle(tr("History"));
        return;
    }
    const std::optional<int> rank = rankOf(m_grid, *gpu);
    const QString place = u"%1 · %2 %3"_s.arg(m_grid.series().nodes().value(gpu->node), m_grid.gpuWord()).arg(gpu->gpu);
    m_historyCard->setTitle(rank ? tr("Rank %1 · %2").arg(*rank).arg(place) : place);
}

std::optional<Seconds> LivePage::elapsedNow() const
{
    if (!m_job.elapsed || m_job.state != JobState::Running)
        return m_job.elapsed;
    return Seconds{m_job.elapsed->count + std::max<qint64>(0, m_clock() - m_toldMs) / 1000};
}

void LivePage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_beats = 0;
    beat();
    m_timer.start();
}

void LivePage::hideEvent(QHideEvent* event)
{
    m_timer.stop();
    QWidget::hideEvent(event);
}

} // namespace rankwright
