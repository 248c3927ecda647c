// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/journey/journeydriver.h"

#include "app/session/practicedesign.h"
#include "app/window/links/connections.h"
#include "app/window/pages/livecontroller.h"
#include "models/core/jsonvalue.h"
#include "widgets/design/designpage.h"
#include "widgets/heatmap/heatmapview.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QPushButton>
#include <QSaveFile>

#include <cstdio>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int overallMs = 5 * 60 * 1000;
constexpr int trainingSeconds = 60; // long enough for curves and for a fair share of seen seconds
constexpr qint64 livePictureAfterMs = 25000; // ranks have loaded, losses are there
constexpr int settleMs = 700; // two beats of the live clock and the layout after a change of size
constexpr double neededCoverage = 0.9;

} // namespace

JourneyDriver::JourneyDriver(Workbench& workbench, const QString& folder, QObject* parent)
    : QObject(parent), m_workbench(workbench), m_folder(folder)
{
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] { end(u"took longer than 5 minutes, while: "_s + m_step); });
    connect(&workbench.connections(), &Connections::linkChanged, this, &JourneyDriver::handleLink);
    connect(&workbench.connections(), &Connections::failed, this,
        [this](const QString& cluster, const Error& why) { end(cluster + u": "_s + why.oneLine()); });
    connect(&workbench, &Workbench::submitStateChanged, this, &JourneyDriver::handleSubmit);
    connect(&workbench.live(), &LiveController::firstSample, this, [this] {
        m_firstTickMs = m_clock.elapsed();
        note(u"firstSample"_s);
        followWatch();
    });
    connect(&workbench.live(), &LiveController::jobOver, this, &JourneyDriver::handleOver);
}

void JourneyDriver::start()
{
    m_clock.start();
    m_deadline.start(overallMs);
    if (!QDir().mkpath(m_folder)) {
        end(u"the folder "_s + m_folder + u" could not be made"_s);
        return;
    }
    m_step = u"starting the practice cluster"_s;
    m_workbench.connections().startPractice();
}

void JourneyDriver::note(const QString& name)
{
    if (!m_times.contains(name))
        m_times.insert(name, double(m_clock.elapsed()) / 1000.0);
    std::fprintf(stderr, "journey: %7.1f s  %s\n", double(m_clock.elapsed()) / 1000.0, qPrintable(name));
}

void JourneyDriver::handleLink(const LinkInfo& link)
{
    if (!link.activity.isEmpty())
        m_step = link.activity;
    if (link.state == LinkState::Online && !m_times.contains(u"connected"_s)) {
        note(u"connected"_s);
        m_step = u"designing"_s;
        // In the next turn: whoever else hears of the connection has heard by then.
        QTimer::singleShot(0, this, &JourneyDriver::design);
    } else if (link.state == LinkState::Offline && link.error && !m_over) {
        end(link.error->oneLine());
    }
}

void JourneyDriver::design()
{
    JobSpec wanted = workshopDesign(trainingSeconds);
    const JobSpec& present = m_workbench.design().spec();
    if (present.cluster == wanted.cluster) {
        wanted.account = present.account;
        wanted.workdir = present.workdir;
    }
    m_workbench.design().edit(u"Journey"_s, [&wanted](JobSpec& spec) { spec = wanted; });
    for (const Finding& finding : m_workbench.design().derived().findings()) {
        if (finding.severity == Severity::Error) {
            end(u"the design has an error: "_s + finding.text);
            return;
        }
    }
    note(u"designed"_s);
    launch();
}

void JourneyDriver::launch()
{
    m_step = u"submitting"_s;
    auto* button = m_workbench.designPage().findChild<QPushButton*>(u"launch"_s);
    if (!button || !button->isEnabled()) {
        end(button ? u"Launch is off: "_s + button->toolTip() : u"the Launch button was not found"_s);
        return;
    }
    note(u"launch"_s);
    m_residentAtRest = residentMib();
    button->click();
}

void JourneyDriver::handleSubmit(const SubmitState& state)
{
    if (state.stage == SubmitState::Stage::Submitted) {
        m_job = state.job;
        note(u"submitted"_s);
        m_step = u"waiting for job %1 to start"_s.arg(m_job);
    } else if (state.stage == SubmitState::Stage::Refused || state.stage == SubmitState::Stage::Unknown) {
        end(state.error.what.isEmpty() ? state.text : state.error.oneLine());
    }
}

void JourneyDriver::followWatch()
{
    JobWatch* watch = m_workbench.live().watch();
    if (!watch)
        return;
    m_step = u"following job %1"_s.arg(m_job);
    connect(watch, &JobWatch::tickArrived, this, &JourneyDriver::handleTick);
    if (const auto* view = m_workbench.window().findChild<HeatMapView*>())
        m_meter.watch(*watch, *view);
    connect(&watch->output(), &JobOutput::lossesChanged, this, [this](const QList<LossPoint>& losses) {
        if (m_losses.isEmpty())
            note(u"firstLoss"_s);
        m_losses = losses;
    });
    connect(&watch->output(), &JobOutput::progressChanged, this,
        [this](const TrainingProgress& progress) { m_progress = progress; });
}

void JourneyDriver::handleTick()
{
    if (m_livePictured || m_losses.isEmpty() || m_clock.elapsed() - m_firstTickMs < livePictureAfterMs)
        return;
    m_livePictured = true;
    addShots(MainWindow::Page::Live, u"live-running"_s);
    addShots(MainWindow::Page::Jobs, u"jobs-running"_s);
    captureNext();
}

void JourneyDriver::handleOver(const JobRecord& record)
{
    m_over = true;
    m_record = record;
    note(u"over"_s);
    if (const JobWatch* watch = m_workbench.live().watch()) {
        m_coverage = watch->coverage(QDateTime::currentMSecsSinceEpoch());
        m_losses = watch->output().losses();
        m_progress = watch->output().progress();
        m_cost = watch->cost();
    }
    m_residentLive = residentMib();
    m_step = u"taking pictures"_s;
    addShots(MainWindow::Page::Live, u"live-after"_s);
    addShots(MainWindow::Page::Jobs, u"jobs"_s);
    addShots(MainWindow::Page::Design, u"design"_s);
    captureNext();
}

void JourneyDriver::addShots(MainWindow::Page page, const QString& name)
{
    for (const Theme::Mode theme : {Theme::Mode::Light, Theme::Mode::Dark}) {
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
            const QString look = theme == Theme::Mode::Light ? u"light"_s : u"dark"_s;
            m_shots.append(
                {page, theme, size, u"%1-%2-%3x%4.png"_s.arg(name, look).arg(size.width()).arg(size.height())});
        }
    }
}

void JourneyDriver::captureNext()
{
    if (m_taking || m_ended)
        return;
    if (m_shots.isEmpty()) {
        if (m_over)
            checkOutcome();
        return;
    }
    m_taking = true;
    const Shot shot = m_shots.takeFirst();
    m_workbench.theme().setMode(shot.theme);
    m_workbench.theme().apply();
    m_workbench.window().resize(shot.size);
    m_workbench.window().showPage(shot.page);
    QTimer::singleShot(settleMs, this, [this, shot] {
        capture(shot);
        m_taking = false;
        captureNext();
    });
}

void JourneyDriver::capture(const Shot& shot)
{
    const QString path = QDir(m_folder).filePath(shot.name);
    if (!m_workbench.window().grab().save(path))
        end(u"the picture "_s + path + u" could not be written"_s);
    else
        m_taken.append(shot.name);
}

void JourneyDriver::checkOutcome()
{
    if (m_record.state != JobState::Completed)
        end(u"job %1 ended as %2"_s.arg(m_job, toText(m_record.state)));
    else if (!m_coverage)
        end(u"it is not known how much of job %1 was seen"_s.arg(m_job));
    else if (*m_coverage < neededCoverage)
        end(u"only %1 % of the job's seconds were seen on every GPU"_s.arg(*m_coverage * 100.0, 0, 'f', 1));
    else if (m_losses.isEmpty())
        end(u"the loss curve is empty"_s);
    else if (!m_livePictured)
        end(u"the job ended before a picture of it was taken"_s);
    else
        end({});
}

QJsonObject JourneyDriver::report(const QString& reason) const
{
    const auto firstLoss = m_losses.isEmpty() ? std::nullopt : std::optional(m_losses.first().loss);
    const auto lastLoss = m_losses.isEmpty() ? std::nullopt : std::optional(m_losses.last().loss);
    const auto between = [this](const QString& from, const QString& to) {
        return m_times.contains(from) && m_times.contains(to)
            ? QJsonValue(m_times.value(to).toDouble() - m_times.value(from).toDouble())
            : QJsonValue();
    };
    return {
        {u"ok"_s, reason.isEmpty()},
        {u"reason"_s, reason.isEmpty() ? QJsonValue() : QJsonValue(reason)},
        {u"jobId"_s, m_job.isEmpty() ? QJsonValue() : QJsonValue(m_job)},
        {u"state"_s, m_job.isEmpty() ? QJsonValue() : QJsonValue(toText(m_record.state))},
        {u"nodes"_s, QJsonArray::fromStringList(m_record.nodeList)},
        {u"gpus"_s, orNull(m_record.gpus)},
        {u"elapsedSeconds"_s, orNull(m_record.elapsed)},
        {u"coverage"_s, orNull(m_coverage)},
        {u"lossPoints"_s, m_losses.size()},
        {u"firstLoss"_s, orNull(firstLoss)},
        {u"lastLoss"_s, orNull(lastLoss)},
        {u"ticks"_s, double(m_cost.ticks)},
        {u"samplingBytes"_s, double(m_cost.bytes)},
        {u"samplingSteps"_s, m_cost.steps},
        {u"sampleToPainted"_s, m_meter.figures()},
        {u"residentAtRestMib"_s, orNull(m_residentAtRest)},
        {u"residentLiveMib"_s, orNull(m_residentLive)},
        {u"timesSeconds"_s, m_times},
        {u"launchToSubmittedSeconds"_s, between(u"launch"_s, u"submitted"_s)},
        {u"launchToFirstSampleSeconds"_s, between(u"launch"_s, u"firstSample"_s)},
        {u"totalSeconds"_s, double(m_clock.elapsed()) / 1000.0},
        {u"pictures"_s, QJsonArray::fromStringList(m_taken)},
        {u"program"_s, QStringLiteral(RANKWRIGHT_VERSION)},
        {u"qt"_s, QString::fromLatin1(qVersion())},
    };
}

void JourneyDriver::end(const QString& reason)
{
    if (m_ended)
        return;
    m_ended = true;
    m_deadline.stop();
    QSaveFile file(QDir(m_folder).filePath(u"journey.json"_s));
    const QByteArray json = QJsonDocument(report(reason)).toJson();
    const bool written = file.open(QIODevice::WriteOnly) && file.write(json) == json.size() && file.commit();
    if (!written)
        std::fprintf(stderr, "journey: journey.json could not be written: %s\n", qPrintable(file.errorString()));
    if (reason.isEmpty())
        std::fprintf(stderr, "journey: done, job %s COMPLETED, %.1f %% of its seconds seen, %d loss points\n",
            qPrintable(m_job), m_coverage.value_or(0) * 100.0, int(m_losses.size()));
    else
        std::fprintf(stderr, "journey: failed: %s\n", qPrintable(reason));
    emit finished(reason.isEmpty() && written ? 0 : 1);
}

} // namespace rankwright
