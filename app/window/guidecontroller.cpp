// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/guidecontroller.h"

#include "app/session/clustersession.h"
#include "app/store/joblog.h"
#include "app/submit/submitorder.h"
#include "app/window/documentactions.h"
#include "app/window/launchcontroller.h"
#include "app/window/links/connections.h"
#include "models/script/document/design.h"
#include "models/teaching/guide/guidequestions.h"
#include "models/teaching/guide/guidestep.h"
#include "widgets/guide/guidepage.h"

#include <QEvent>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int clockMs = 1000;

QString practiceCluster() { return QString::fromUtf16(practiceName); }

} // namespace

GuideController::GuideController(const Parts& parts, const QString& dataFolder, QObject* parent)
    : QObject(parent), m_design(parts.design), m_documents(parts.documents), m_actions(parts.actions),
      m_connections(parts.connections), m_launch(parts.launch), m_log(parts.log), m_page(parts.page),
      m_waiter(parts.connections, parts.log, dataFolder), m_rehearsal([this] { refresh(); })
{
    connectPage();
    m_page.installEventFilter(this);
    connect(&m_design, &Design::changed, this, &GuideController::refresh);
    // Another document: the guide begins again, unless it is its own.
    connect(&m_documents, &Documents::documentReplaced, this, [this] { m_isBegun = false; });
    connect(&m_connections, &Connections::linkChanged, this, &GuideController::handleLink);
    connect(&m_connections, &Connections::sessionMade, this, &GuideController::follow);
    connect(&m_connections, &Connections::loginDeclined, this, [this](const QString& cluster) {
        if (cluster == m_design.spec().cluster)
            stop();
    });
    for (ClusterSession* session : m_connections.sessions())
        follow(session);
    connect(&m_launch, &LaunchController::jobSubmitted, this, &GuideController::handleSubmitted);
    connect(&m_launch, &LaunchController::stateChanged, this, &GuideController::handleSubmit);
    m_waiter.setLearned([this] { return m_design.calibrations(); });
    connect(&m_waiter, &ReportWaiter::reportArrived, this, &GuideController::setReport);
    connect(&m_waiter, &ReportWaiter::reportsEnded, this, &GuideController::refresh);
    m_keeping.setSingleShot(true);
    connect(&m_keeping, &QTimer::timeout, this, &GuideController::save);
    connect(&m_design, &Design::changed, &m_keeping, qOverload<>(&QTimer::start));
    m_clock.setInterval(clockMs);
    connect(&m_clock, &QTimer::timeout, this, [this] {
        if (m_step == GuideStep::Watch)
            refresh();
    });
}

GuideController::~GuideController() { saveNow(); }

void GuideController::connectPage()
{
    connect(&m_page, &GuidePage::stepRequested, this, [this](GuideStep step) {
        if (guideStepIndex(step) <= guideStepIndex(m_reached))
            goTo(step);
    });
    connect(&m_page, &GuidePage::backRequested, this, [this] {
        if (guideStepIndex(m_step) > 0)
            goTo(GuideStep(guideStepIndex(m_step) - 1));
    });
    connect(&m_page, &GuidePage::nextRequested, this, &GuideController::goOn);
    connect(&m_page, &GuidePage::stopRequested, this, &GuideController::stop);
    connect(&m_page, &GuidePage::answerChosen, this, &GuideController::choose);
    connect(&m_page, &GuidePage::entered, this, &GuideController::enterField);
    connect(&m_page, &GuidePage::connectRequested, this, [this] { m_connections.connectTo(m_design.spec().cluster); });
    connect(&m_page, &GuidePage::designRequested, this, &GuideController::designWanted);
    connect(&m_page, &GuidePage::jobsRequested, this, &GuideController::jobsWanted);
    connect(&m_page, &GuidePage::liveRequested, this, [this] { emit liveWanted(m_job, m_launched.cluster); });
    connect(&m_page, &GuidePage::reportRequested, this, [this] { emit reportWanted(m_job, m_launched.cluster); });
}

/// Changes while the page was hidden are shown with the page.
bool GuideController::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Show)
        refresh();
    // Left between the click and the sending (the question about a missing program): what is launched elsewhere then is
    // not this page's job. While one is sent, the Live page comes before the answer is heard here.
    if (event->type() == QEvent::Hide && !m_submit.isBusy())
        m_asked.reset();
    return QObject::eventFilter(watched, event);
}

void GuideController::begin()
{
    const auto settled = this->settled();
    if (settled && settled->id != m_settledBy)
        return beginHere(settled->id);
    if (m_isBegun && (settled || m_settledBy.isEmpty())) { // a class's ends with it
        emit pageWanted();
        m_page.focusStep();
        return;
    }
    if (kept())
        resume();
    else
        beginWith(guidedDesign(practiceCluster(), m_design.catalogue()));
}

void GuideController::beginNew()
{
    saveForAnother();
    m_actions.beginAfterAsking(guidedDesign(practiceCluster(), m_design.catalogue()), [this] {
        m_shelf.setAside();
        beginHere({});
        emit asideChanged();
    });
}

void GuideController::beginWith(const JobSpec& start)
{
    m_actions.beginAfterAsking(start, [this] { beginHere({}); });
}

void GuideController::beginHere(const QString& settledBy)
{
    reset();
    m_settledBy = settledBy;
    emit pageWanted();
    refresh();
    m_page.focusStep();
}

void GuideController::reset()
{
    m_isBegun = true;
    m_isSeen = false;
    m_settledBy.clear();
    m_step = m_reached = GuideStep::Where;
    m_isWaiting = false;
    m_failure.clear();
    m_refused.reset();
    m_submit = {};
    m_rehearsal.forget();
    m_launched = {};
    m_job.clear();
    m_record = {};
    m_report.reset();
    m_waiter.stop();
    m_clock.stop();
}

std::optional<GuidePlace> GuideController::left() const
{
    if (!isUnderWay())
        return kept();
    return m_reached == GuideStep::Where || m_isSeen ? std::nullopt : std::optional(place());
}

void GuideController::resume()
{
    const auto place = kept();
    if (!place || m_isBegun) {
        begin();
        return;
    }
    // After a crash the design was restored already: there is nothing to ask about, and it keeps its file.
    if (m_design.spec() == place->spec)
        goBackTo(*place);
    else
        m_actions.beginAfterAsking(place->spec, [this, place = *place] { goBackTo(place); });
}

void GuideController::resumeEarlier()
{
    saveForAnother();
    if (const auto place = earlier())
        m_actions.beginAfterAsking(place->spec, [this, place = *place] {
            m_shelf.restore();
            goBackTo(place);
            emit asideChanged();
        });
}

void GuideController::goBackTo(const GuidePlace& place)
{
    if (!m_shelf.present())
        m_shelf.restore();
    goOnAt(place);
}

/// What Slurm said of a running job before means nothing now: until it is asked again nothing is claimed of it.
void GuideController::goOnAt(const GuidePlace& place)
{
    reset();
    m_reached = place.reached;
    if (!place.job.isEmpty()) {
        m_job = place.job;
        m_launched = launchFacts(place.launched, place.cluster, m_design.catalogue());
        JobRecord known = place.record;
        const auto entries = m_log.withJob(m_launched.cluster, m_job);
        if (!hasEnded(known.state) && entries && !entries->isEmpty())
            known.state = entries->first().state;
        m_record.id = known.id = m_job;
        if (hasEnded(known.state)) {
            handleRecord(known);
        } else {
            m_clock.start();
            m_connections.connectTo(m_launched.cluster);
        }
    }
    emit pageWanted();
    goTo(place.job.isEmpty() ? place.step : GuideStep::Watch);
    m_page.focusStep();
}

void GuideController::dismiss()
{
    m_shelf.dismiss(isUnderWay());
    m_isBegun = m_isBegun && !isUnderWay();
    emit asideChanged();
}

void GuideController::dismissEarlier()
{
    m_shelf.dropAside();
    emit asideChanged();
}

void GuideController::saveNow()
{
    if (m_keeping.isActive())
        save();
}

/// Answers that are kept, and in no file, need not be asked about before another guide comes in their place.
void GuideController::saveForAnother()
{
    saveNow();
    const auto present = m_shelf.present();
    if (present && present->spec == m_design.spec() && m_documents.path().isEmpty())
        m_design.markSaved();
}

GuidePlace GuideController::place() const
{
    GuidePlace place{m_step, m_reached, m_design.spec(), m_job, m_launched.cluster, m_launched.spec, {}};
    if (hasEnded(m_record.state))
        place.record = m_record;
    return place;
}

/// A first step with nothing chosen is not worth keeping.
void GuideController::save()
{
    m_keeping.stop();
    if (isUnderWay() && m_isSeen)
        m_shelf.drop();
    else if (isUnderWay() && m_reached != GuideStep::Where)
        m_shelf.save(place());
}

bool GuideController::isPractice() const { return m_design.spec().cluster == practiceCluster(); }
bool GuideController::isLaunched() const { return !m_job.isEmpty() && m_launched.spec == m_design.spec(); }
bool GuideController::isOnline() const { return m_connections.isOnline(m_design.spec().cluster); }

void GuideController::goTo(GuideStep step)
{
    m_step = step;
    m_keeping.start();
    m_isWaiting = false;
    m_refused.reset();
    if (guideStepIndex(step) > guideStepIndex(m_reached))
        m_reached = step;
    // Nothing can be launched there before it runs, and starting it costs nothing.
    if (step == GuideStep::Launch && isPractice() && !isOnline() && m_failure.isEmpty())
        m_connections.connectTo(m_design.spec().cluster);
    refresh();
}

void GuideController::goOn()
{
    if (!m_isBegun || !content().obstacle.isEmpty())
        return;
    switch (m_step) {
    case GuideStep::Where: leaveWhere(); return;
    case GuideStep::Launch:
        if (isLaunched())
            goTo(GuideStep::Watch);
        else
            launch();
        return;
    case GuideStep::Watch: emit designWanted(); return;
    default: goTo(GuideStep(guideStepIndex(m_step) + 1));
    }
}

/// The practice cluster is started first; whoever does not want to wait goes on meanwhile. A real one asks for a login,
/// which only the launch needs.
void GuideController::leaveWhere()
{
    if (!isPractice() || isOnline() || m_isWaiting || !m_failure.isEmpty()) {
        goTo(GuideStep::What);
        return;
    }
    m_isWaiting = true;
    m_connections.connectTo(m_design.spec().cluster);
    refresh();
}

void GuideController::stop()
{
    m_isWaiting = false;
    if (m_submit.isBusy())
        m_launch.stop();
    else if (!isOnline() && !isPractice()) // the practice cluster comes up all the same, and is there when it is wanted
        m_connections.disconnectFrom(m_design.spec().cluster);
    refresh();
}

void GuideController::launch()
{
    if (m_launch.isUnderWay())
        return;
    m_asked = launchFacts(m_design);
    m_launch.launch();
}

void GuideController::choose(GuideStep step, const QString& id)
{
    const GuideQuestion question = guideQuestion(step, context());
    const GuideAnswer* answer = question.answer(id);
    if (!answer || !question.lockedWhy.isEmpty())
        return;
    m_refused.reset();
    if (step == GuideStep::Where) {
        m_isWaiting = false;
        m_failure.clear();
    }
    m_design.edit(answer->title, [answer](JobSpec& spec) { spec = answer->spec; });
    refresh();
}

void GuideController::enterField(const FieldPath& field, const QString& text)
{
    const auto entered = withEntry(context(), field, text);
    if (!entered) {
        m_refused
            = Refused{field, text, QStringList{entered.error().what, entered.error().remedy}.join(u' ').trimmed()};
        refresh();
        return;
    }
    m_refused.reset();
    if (field == field::cluster) {
        m_isWaiting = false;
        m_failure.clear();
    }
    m_design.edit(tr("Guided first job"), [&entered](JobSpec& spec) { spec = *entered; });
    refresh();
}

void GuideController::handleLink(const LinkInfo& link)
{
    m_links.insert(link.cluster, link);
    if (link.cluster != m_design.spec().cluster)
        return;
    if (link.state == LinkState::Online) {
        m_failure.clear();
        if (m_isWaiting && m_step == GuideStep::Where) {
            const bool had = m_page.isAncestorOf(m_page.window()->focusWidget());
            goTo(GuideStep::What);
            if (had)
                m_page.focusStep();
            return;
        }
    } else if (link.state == LinkState::Offline && link.activity.isEmpty()) {
        m_isWaiting = false;
        m_failure = link.error ? link.error->oneLine() : QString();
    }
    refresh();
}

void GuideController::follow(ClusterSession* made)
{
    connect(made, &ClusterSession::queueChanged, this, [this, made](const QList<JobRecord>& queue) {
        if (made->profile().name != m_launched.cluster)
            return;
        for (const JobRecord& record : queue)
            handleRecord(record);
    });
    connect(made, &ClusterSession::ourJobEnded, this, [this, made](const JobRecord& record) {
        if (made->profile().name == m_launched.cluster)
            handleRecord(record);
    });
    connect(made, &ClusterSession::factsDiscovered, this, &GuideController::refresh);
}

void GuideController::handleSubmit(const SubmitState& state, const QString& cluster)
{
    if (m_asked && m_asked->cluster != cluster)
        return; // another one's
    m_submit = state;
    if (state.stage == SubmitState::Stage::Refused || state.stage == SubmitState::Stage::Unknown)
        m_asked.reset();
    refresh();
}

void GuideController::handleSubmitted(const JobId& job, const QString& cluster)
{
    if (!m_asked || m_asked->cluster != cluster)
        return;
    m_launched = *std::exchange(m_asked, {});
    if (isUnderWay())
        dismissEarlier(); // the new one came to something
    m_job = job;
    m_record = {};
    m_record.id = job;
    m_record.state = JobState::Pending;
    m_report.reset();
    m_isSeen = false;
    m_waiter.stop();
    m_clock.start();
    emit pageWanted(); // whoever watches the job has shown the Live page
    goTo(GuideStep::Watch);
    m_page.focusStep();
    // In the next turn: by then it is watched.
    QTimer::singleShot(0, this, &GuideController::followJob);
}

void GuideController::followJob()
{
    ClusterSession* session = m_connections.session(m_launched.cluster);
    if (!session || m_job.isEmpty())
        return;
    for (const auto& one : m_following)
        disconnect(one);
    m_following.clear();
    JobWatch* watch = session->watched();
    if (!watch || watch->job() != m_job)
        return; // the queue and the job log report it as well
    m_following.append(connect(watch, &JobWatch::recordChanged, this, &GuideController::handleRecord));
    m_following.append(connect(watch, &JobWatch::jobEnded, this, &GuideController::handleRecord));
    handleRecord(watch->record());
}

void GuideController::handleRecord(const JobRecord& record)
{
    if (record.id != m_job || m_job.isEmpty() || record.state == JobState::Unknown)
        return;
    const bool wasOver = hasEnded(m_record.state);
    if (wasOver && !hasEnded(record.state))
        return; // a slower answer about what is known to have ended
    m_record = mergedRecord(m_record, record);
    if (hasEnded(m_record.state) && !wasOver) {
        m_keeping.start();
        m_clock.stop();
        m_waiter.ask(m_launched.cluster, m_job, [](const EfficiencyReport& report) {
            const ReportFigure* use = report.figure(u"gpuUse"_s);
            const ReportFigure* cost = report.figure(u"cost"_s);
            return use && use->value && cost && cost->value;
        });
    }
    refresh();
}

void GuideController::setReport(const EfficiencyReport& report)
{
    m_report = report;
    refresh();
}

GuideContext GuideController::context() const
{
    GuideContext context{m_design.catalogue(), m_design.spec(), m_design.calibrations()};
    context.knownClusters = m_knownClusters ? m_knownClusters() : QStringList();
    if (const auto settled = m_settledBy.isEmpty() ? std::nullopt : this->settled())
        context.settled = *settled;
    if (const ClusterSession* session = m_connections.session(m_design.spec().cluster))
        context.facts = session->facts();
    return context;
}

void GuideController::refresh()
{
    if (!m_isBegun || !m_page.isVisible())
        return;
    askSlurm();
    m_page.setContent(content());
    if (m_step == GuideStep::Watch && hasEnded(m_record.state) && !isReportPending() && !m_isSeen) {
        m_isSeen = true;
        m_keeping.start();
    }
}

GuideContent GuideController::content() const
{
    const GuideContext asked = context();
    GuideContent content;
    content.question = guideQuestion(m_step, asked);
    content.reached = m_reached;
    content.derived = &m_design.derived();
    content.clusterTitle = asked.profile().title;
    content.isPractice = asked.isPractice();
    content.soFar = guideSummary(m_design.derived(), asked, m_reached);
    content.obstacle = guideObstacle(content.question);
    for (GuideEntry& entry : content.question.entries) {
        if (m_refused && m_refused->field == entry.field) {
            entry.value = m_refused->text;
            entry.trouble = m_refused->why;
        }
    }
    if (m_step == GuideStep::Script)
        content.parts = guideScriptParts(m_design.derived().script, m_design.derived().resolved);
    if (m_step == GuideStep::Launch)
        addLaunch(content, asked);
    if (m_step == GuideStep::Watch)
        addWatch(content);
    addWaiting(content, asked);
    content.nextText = guideNextText({m_step, m_isWaiting, !m_failure.isEmpty(), isPractice() && !isOnline(),
        isLaunched(), !m_job.isEmpty(), hasEnded(m_record.state)});
    return content;
}

/// What Slurm says to this very script, asked once without queueing it, when nothing else is in the way.
void GuideController::askSlurm()
{
    const QString script = m_design.derived().script.text();
    ClusterSession* session = m_connections.session(m_design.spec().cluster);
    if (m_step != GuideStep::Launch || !session || !session->isOnline() || m_submit.isBusy() || isLaunched()
        || m_rehearsal.isAsked(script))
        return;
    for (const GuideCheck& check : guideChecks(m_design.derived(), context(), surroundings())) {
        if (check.blocks())
            return;
    }
    m_rehearsal.ask(*session, script, submitOrder(m_design.spec(), m_design.derived(), SubmitPurpose::Rehearsal));
}

GuideSurroundings GuideController::surroundings() const
{
    GuideSurroundings around;
    around.link = m_links.value(m_design.spec().cluster);
    around.isOnline = isOnline();
    around.failure = m_connections.failure(m_design.spec().cluster);
    around.forecast = m_rehearsal.answer(m_design.derived().script.text());
    return around;
}

void GuideController::addLaunch(GuideContent& content, const GuideContext& context) const
{
    const GuideSurroundings around = surroundings();
    content.question.entries = guideLaunchEntries(m_design.derived(), context);
    content.checks = guideChecks(m_design.derived(), context, around);
    content.mayConnect = !around.isOnline && around.link.activity.isEmpty();
    content.expected = guideExpectation(m_design.derived(), context, around, QDateTime::currentDateTime());
    content.submit = m_submit;
    if (isLaunched())
        return;
    if (m_submit.isBusy())
        content.obstacle = m_submit.text;
    for (const GuideCheck& check : content.checks) {
        if (check.blocks() && content.obstacle.isEmpty())
            content.obstacle = QStringList{check.title + u':', check.text}.join(u' ');
    }
}

void GuideController::addWatch(GuideContent& content) const
{
    content.stage = guideStage(m_record, m_job.isEmpty() ? GuideLaunch::NotYet : GuideLaunch::Done);
    content.question.text = guideWatchText(content.stage);
    content.stageText = guideStageText(m_record, QDateTime::currentDateTime());
    content.job = m_job;
    content.isReportPending = isReportPending();
    if (hasEnded(m_record.state) && !isReportPending())
        content.closing = guideClosing(m_record, m_report ? &*m_report : nullptr, m_launched.gpuWord,
            m_launched.cluster == practiceCluster() ? GuideBilling::Free : GuideBilling::Billed);
}

void GuideController::addWaiting(GuideContent& content, const GuideContext& context) const
{
    const LinkInfo link = m_links.value(context.spec.cluster);
    if (m_step == GuideStep::Launch && m_submit.isBusy())
        content.waiting = {true, m_submit.text, {}};
    else if (m_isWaiting || (m_step == GuideStep::Launch && !isOnline() && !link.activity.isEmpty()))
        content.waiting = {true,
            link.activity.isEmpty() ? tr("Starting the practice cluster …")
                                    : tr("%1: %2").arg(link.title, link.activity),
            link.activityFraction};
    else if (m_step == GuideStep::Where && !m_failure.isEmpty())
        content.note = m_failure;
}

} // namespace rankwright
