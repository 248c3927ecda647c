// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/classcontroller.h"

#include "app/base/settings.h"
#include "app/documents/documents.h"
#include "app/session/clustersession.h"
#include "app/session/practicecluster.h"
#include "app/window/classruns.h"
#include "app/window/classsharer.h"
#include "app/window/documentactions.h"
#include "app/window/launchcontroller.h"
#include "app/window/links/connections.h"
#include "models/core/harmlesstext.h"
#include "models/teaching/classroom/classrules.h"
#include "models/teaching/classroom/classsafety.h"
#include "models/teaching/classroom/classscript.h"
#include "models/teaching/classroom/reservationfit.h"
#include "models/teaching/guide/guidescript.h"
#include "widgets/classroom/classpanel.h"
#include "widgets/design/designpage.h"
#include "widgets/design/verdictbar.h"
#include "widgets/script/scriptfolds.h"
#include "widgets/window/mainwindow.h"

#include <QDesktopServices>
#include <QUrl>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int meterMs = 2000;
constexpr int minuteMs = 60'000;

} // namespace

ClassController::ClassController(const Parts& parts, QObject* parent)
    : QObject(parent), m_parts(parts),
      m_opener(new ClassOpener({parts.design.catalogue(), parts.settings, parts.window, parts.dataFolder}, this)),
      m_runs(new ClassRuns(parts.connections, parts.log, parts.dataFolder, this)),
      m_sharer(new ClassSharer(parts.connections, this))
{
    connect(m_opener, &ClassOpener::classAccepted, this, &ClassController::begin);
    connect(m_opener, &ClassOpener::classResumed, this, &ClassController::goOn);
    connect(m_opener, &ClassOpener::failed, this, &ClassController::failed);
    connect(m_runs, &ClassRuns::factsReported, this, &ClassController::addReport);
    connect(&m_parts.launch, &LaunchController::asked, this, [this](const LaunchFacts& facts, SubmitPurpose purpose) {
        // No job comes of a rehearsal: a launch that waits for its upload keeps its own facts.
        if (m_file && facts.cluster == m_file->cluster && purpose == SubmitPurpose::Submission)
            m_asked = {facts, exercise().id};
    });
    connect(&m_parts.launch, &LaunchController::jobSubmitted, this, &ClassController::handleSubmitted);
    connect(&m_parts.launch, &LaunchController::stateChanged, this, &ClassController::handleLaunch);
    connect(&m_parts.connections, &Connections::sessionMade, this, &ClassController::followSession);
    connect(&m_parts.page, &DesignPage::fieldWanted, this, [this](const FieldPath& field) {
        if (m_panel)
            m_panel->pointTo(field);
    });
    connect(&m_parts.page, &DesignPage::checksRequested, this, [this] {
        if (m_panel)
            m_panel->showChecks();
    });
    m_minute.setInterval(minuteMs);
    connect(&m_minute, &QTimer::timeout, this, &ClassController::showReservation);
    m_metering.setInterval(meterMs);
    connect(&m_metering, &QTimer::timeout, this, &ClassController::fillFromWatch);
    connect(m_sharer, &ClassSharer::lineWritten, this, &ClassController::handleNoted);
    connect(m_sharer, &ClassSharer::failed, this, [this](const Error& why) {
        m_parts.window.showNotice(Notice::Class, tr("Your step was not noted: %1").arg(why.oneLine()));
    });
}

ClassController::~ClassController() = default;

ClassPanel* ClassController::panel() const { return m_panel; }

ClassConsentDialog* ClassController::question() const { return m_opener->question(); }

void ClassController::open(const QString& path) { m_opener->open(path); }

void ClassController::openShipped(const QString& name) { m_opener->openShipped(name); }

void ClassController::openLink(const QString& link) { m_opener->openLink(link); }

void ClassController::restore()
{
    const int draft = m_parts.documents.draft();
    const QString path = m_parts.settings.openClass(draft);
    if (path.isEmpty() || m_file)
        return;
    m_opener->resume(path, m_parts.settings.agreedClass(draft));
}

void ClassController::goOn(const OpenedClass& opened)
{
    const ClassPlace place = readPlace(m_parts.settings.classPlace(placeKey(opened.file)));
    const ClassExercise& exercise = opened.file.exercises.at(place.index(opened.file));
    if (enforce(opened.file, exercise, m_parts.design.spec()).putBack.isEmpty()) {
        start(opened, place);
        return;
    }
    // Nothing of anybody's is in the window: the exercise had only been begun.
    if (m_parts.documents.path().isEmpty() && !m_parts.design.isModified()) {
        m_parts.actions.beginAfterAsking(
            withOwn(startingSpec(opened.file, exercise)), [this, opened, place] { start(opened, place); });
        return;
    }
    m_parts.window.showNotice(Notice::Class, tr("You were in a class: %1.").arg(harmlessLine(opened.file.title)),
        tr("Go on"), [this, path = opened.path] { m_opener->openAgain(path); });
}

void ClassController::begin(const OpenedClass& opened, const AgreedSharing& sharing)
{
    ClassPlace place = readPlace(m_parts.settings.classPlace(placeKey(opened.file)));
    const ClassExercise& exercise = opened.file.exercises.at(place.index(opened.file));
    place.exercise = exercise.id;
    place.shares = sharing.shares; // asked again each time: exactly what was ticked
    place.alias = sharing.alias;
    place.name = sharing.name;
    // The same exercise is in the design already (restored work, or the class opened twice): it stays.
    if (m_parts.settings.openClass(m_parts.documents.draft()) == opened.path
        && enforce(opened.file, exercise, m_parts.design.spec()).putBack.isEmpty()) {
        start(opened, place);
        return;
    }
    // Without a file: saving must not put an exercise over somebody's own design.
    m_parts.actions.beginAfterAsking(
        withOwn(startingSpec(opened.file, exercise)), [this, opened, place] { start(opened, place); });
}

void ClassController::start(const OpenedClass& opened, const ClassPlace& place)
{
    disconnect(m_followsDesign);
    ++m_begun;
    m_parts.window.clearNotice(Notice::Class);
    if (m_file)
        savePlace();
    follow(nullptr, {});
    m_file = opened.file;
    m_asked.reset();
    m_path = opened.path;
    m_place = place;
    m_designs.clear();
    m_verdicts.clear();
    m_sharer->stop();
    if (m_place.shares && !m_file->progressFolder.isEmpty())
        beginSharing();
    m_stuckOn.clear();
    buildPanel();
    useRules();
    m_lastSpec = m_parts.design.spec();
    m_followsDesign = connect(&m_parts.design, &Design::changed, this, &ClassController::handleDesign);
    m_parts.settings.setOpenClass(m_path, classDigest(*m_file), m_parts.documents.draft());
    sayWhere(opened.verdict);
    readQueues();
    savePlace();
    updateChecks();
    showReservation();
    emit designWanted();
    emit classBegun();
    m_panel->focusFirst();
}

/// In the top bar, and among the questions that learners ask.
void ClassController::sayWhere(const ClassVerdict& verdict)
{
    m_parts.window.setClass(m_file->title,
        verdict.trust == ClassTrust::Shipped        ? tr("part of the program")
            : verdict.trust == ClassTrust::KnownKey ? tr("signed, key known")
                                                    : tr("signed, key new"));
    emit courseChanged(m_file->title, m_file->acknowledgement);
    if (m_file->cluster != QString::fromUtf16(practiceName) || m_parts.connections.isOnline(m_file->cluster))
        return;
    m_parts.window.clearNotice(Notice::Connection); // this message says what to connect to
    m_parts.window.showNotice(Notice::Class, tr("This class runs on the practice cluster of this machine."),
        tr("Start the practice cluster"), [this] { m_parts.connections.startPractice(); });
}

/// By the class's own dates: what the cluster has of it its teacher asks.
void ClassController::showReservation()
{
    const auto fit = m_file ? reservationFit(*m_file) : std::nullopt;
    auto* bar = m_parts.page.findChild<VerdictBar*>();
    if (!fit) {
        m_minute.stop();
        bar->setReservation({}, {}, {});
        return;
    }
    m_minute.start();
    const QDateTime now = QDateTime::currentDateTimeUtc();
    bar->setReservation(harmlessLine(reservationTitle(*fit, now)), reservationState(*fit, now),
        tr("Nodes that are kept for this class: jobs of its exercises start there while it is open, without waiting for others."));
}

/// What became of the jobs of this class while the window was closed.
void ClassController::readQueues()
{
    for (ClusterSession* session : m_parts.connections.sessions())
        for (const JobRecord& record : session->queue())
            if (session->profile().name == m_file->cluster)
                handleRecord(record);
    for (const QList<RunFacts>& runs : std::as_const(m_place.runs))
        if (!runs.isEmpty() && runs.first().state == JobState::Completed && !runs.first().stepSeconds)
            m_runs->ask(m_file->cluster, runs.first().job);
}

void ClassController::buildPanel()
{
    m_panel = new ClassPanel(m_parts.design, *m_file);
    m_panel->setPlace(m_place);
    connect(m_panel, &ClassPanel::exerciseWanted, this, &ClassController::goTo);
    connect(m_panel, &ClassPanel::termRequested, this, &ClassController::termRequested);
    connect(m_panel, &ClassPanel::sharesChanged, this, &ClassController::setShares);
    connect(m_panel, &ClassPanel::linkWanted, this, [](const QString& url) {
        if (isHttpsLink(url))
            QDesktopServices::openUrl(QUrl(url));
    });
    // Later: the panel goes, and with it the button that was pressed.
    connect(m_panel, &ClassPanel::leaveWanted, this, &ClassController::leave, Qt::QueuedConnection);
    connect(m_panel, &ClassPanel::hintWanted, this, [this] {
        int& shown = m_place.hints[exercise().id];
        shown = qMin(shown + 1, int(exercise().hints.size()));
        savePlace();
    });
    connect(m_panel, &ClassPanel::solutionWanted, this, [this] {
        m_place.solutions.insert(exercise().id);
        savePlace();
    });
    connect(m_panel, &ClassPanel::applyWanted, this, [this] {
        const auto spec = solutionSpec(*m_file, exercise());
        if (spec && m_place.solutions.contains(exercise().id))
            apply(m_place.index(*m_file), tr("Solution of “%1”").arg(exercise().title), withOwn(*spec));
    });
    connect(m_panel, &ClassPanel::againWanted, this, [this] {
        apply(
            m_place.index(*m_file), tr("“%1” again").arg(exercise().title), withOwn(startingSpec(*m_file, exercise())));
    });
    m_parts.page.setSidePanel(m_panel);
}

JobSpec ClassController::withOwn(const JobSpec& spec) const { return rankwright::withOwn(spec, m_parts.design.spec()); }

void ClassController::goTo(int index)
{
    if (!m_file || index < 0 || index >= m_file->exercises.size() || index == m_place.index(*m_file))
        return;
    m_designs.insert(exercise().id, m_parts.design.spec());
    const ClassExercise& next = m_file->exercises.at(index);
    const auto kept = m_designs.constFind(next.id);
    apply(index, tr("Exercise “%1”").arg(next.title),
        kept == m_designs.cend() ? withOwn(startingSpec(*m_file, next)) : *kept);
    m_panel->focusFirst();
}

/// One step that can be undone: the earlier design is not lost.
void ClassController::apply(int index, const QString& label, const JobSpec& spec)
{
    const bool other = index != m_place.index(*m_file);
    m_place.exercise = m_file->exercises.at(index).id;
    if (other) {
        m_verdicts.clear();
        m_stuckOn.clear();
    }
    m_putsBack = true; // what is put in is the class's own
    // The limits of this exercise are those by which the design is checked; one pass shows both.
    m_parts.design.edit(harmlessLine(label), [&spec](JobSpec& present) { present = spec; });
    m_putsBack = false;
    useRules();
    m_lastSpec = m_parts.design.spec();
    savePlace();
    updateChecks();
}

void ClassController::useRules()
{
    m_parts.design.setRules([file = *m_file, present = exercise()](const ResolvedSpec& resolved) {
        return classFindings(file, present, resolved, QDateTime::currentDateTimeUtc());
    });
}

void ClassController::handleDesign()
{
    Design& design = m_parts.design;
    const bool isAnother = !design.canUndo() && !design.canRedo() && design.spec() != m_lastSpec;
    m_lastSpec = design.spec();
    if (isAnother) { // another document was opened
        const QString path = m_path;
        const auto leaveThis = [this, of = m_begun] {
            if (of == m_begun) // unless it was for another class that the design was put in
                leave();
        };
        QMetaObject::invokeMethod(this, leaveThis, Qt::QueuedConnection);
        m_parts.window.showNotice(Notice::Class, tr("Another design was opened: you have left the class."),
            tr("Back to the class"), [this, path] { m_opener->openAgain(path); });
        return;
    }
    if (!m_putsBack)
        QMetaObject::invokeMethod(this, &ClassController::restoreFields, Qt::QueuedConnection); // not within an edit
    updateChecks();
}

/// What the design is now, under the class: its present exercise, another one that Undo or Redo came to, or an edit of
/// what the class sets, which is put back.
void ClassController::restoreFields()
{
    if (!m_file || m_putsBack)
        return;
    const EnforcedDesign enforced = enforce(*m_file, exercise(), m_parts.design.spec());
    if (enforced.putBack.isEmpty())
        return;
    for (const ClassExercise& other : m_file->exercises) {
        if (!enforce(*m_file, other, m_parts.design.spec()).putBack.isEmpty())
            continue;
        m_place.exercise = other.id;
        m_verdicts.clear();
        useRules();
        savePlace();
        updateChecks();
        return;
    }
    // After Undo it stands as a finding with its remedy: Redo must not be lost.
    if (m_parts.design.canRedo())
        return;
    m_putsBack = true;
    m_parts.design.edit(tr("Set by the class"), [&enforced](JobSpec& spec) { spec = enforced.spec; });
    m_putsBack = false;
    m_parts.window.showNotice(
        Notice::Class, tr("The class sets this, so it was put back: %1.").arg(enforced.putBack.join(u", "_s)));
    if (m_panel)
        m_panel->pointTo(enforced.putBack.first());
}

void ClassController::handleSubmitted(const QString& job, const QString& cluster)
{
    if (!m_file || cluster != m_file->cluster || !m_asked || job.isEmpty())
        return;
    // Numbers begin again where a cluster is set up again: what is known of that number was another job.
    for (QList<RunFacts>& runs : m_place.runs)
        runs.removeIf([&job](const RunFacts& run) { return run.job == job; });
    RunFacts& facts = m_place.run(m_asked->exercise, job);
    facts.at = QDateTime::currentDateTimeUtc();
    facts.gpus = m_asked->facts.gpus;
    savePlace();
    updateChecks();
    // It is watched by the next turn.
    QTimer::singleShot(0, this, [this] { follow(m_watch, m_file ? m_file->cluster : QString()); });
}

void ClassController::handleLaunch(const SubmitState& state, const QString& cluster)
{
    const bool isRefused = state.stage == SubmitState::Stage::Refused && state.error.fault != Fault::Offline;
    const bool isHere = m_file && cluster == m_file->cluster;
    if (!isHere || (!isRefused && state.stage != SubmitState::Stage::Submitted))
        return;
    m_stuckOn = QString(isRefused ? refusedBySlurm : QLatin1StringView());
    updateChecks();
}

void ClassController::handleRecord(const JobRecord& record)
{
    if (!m_file)
        return;
    bool isOurs = false;
    for (QList<RunFacts>& runs : m_place.runs) {
        for (RunFacts& run : runs) {
            if (run.job != record.id)
                continue;
            const RunFacts before = run;
            applyRecord(run, record, QDateTime::currentDateTimeUtc());
            const bool isWatched = m_watch && !m_watchedExercise.isEmpty() && m_watch->job() == record.id;
            addFailure(run, record, isWatched ? m_watch->output().diagnoses() : QList<Diagnosis>());
            if (run.state == before.state && run.nodes == before.nodes && run.gpus == before.gpus)
                run.at = before.at; // nothing new was seen
            isOurs = isOurs || run != before;
            if (hasEnded(run.state) && !hasEnded(before.state))
                m_runs->ask(m_file->cluster, run.job);
        }
    }
    if (!isOurs)
        return;
    savePlace();
    updateChecks();
}

void ClassController::addReport(const RunFacts& seen)
{
    if (!m_file)
        return;
    for (QList<RunFacts>& runs : m_place.runs)
        for (RunFacts& run : runs)
            if (run.job == seen.job)
                mergeFacts(run, seen);
    savePlace();
    updateChecks();
}

void ClassController::followSession(ClusterSession* made)
{
    connect(made, &ClusterSession::queueChanged, this, [this, made](const QList<JobRecord>& queue) {
        if (!m_file || made->profile().name != m_file->cluster)
            return;
        for (const JobRecord& record : queue)
            handleRecord(record);
    });
    connect(made, &ClusterSession::ourJobEnded, this, [this, made](const JobRecord& record) {
        if (m_file && made->profile().name == m_file->cluster)
            handleRecord(record);
    });
}

void ClassController::follow(JobWatch* watch, const QString& cluster)
{
    if (m_watch)
        disconnect(m_watch, nullptr, this, nullptr);
    if (m_watch)
        disconnect(&m_watch->output(), nullptr, this, nullptr);
    fillFromWatch();
    m_metering.stop();
    m_watch = watch;
    m_watchedExercise.clear();
    if (!watch || !m_file || cluster != m_file->cluster)
        return;
    const JobSpec launched = watch->launched().spec.value_or(m_parts.design.spec());
    m_meter = ClassMeter(launchFacts(launched, cluster, m_parts.design.catalogue()).gpuWord);
    for (auto runs = m_place.runs.cbegin(); runs != m_place.runs.cend(); ++runs)
        for (const RunFacts& run : runs.value())
            if (run.job == watch->job())
                m_watchedExercise = runs.key();
    if (m_watchedExercise.isEmpty())
        return; // no job of this class
    connect(watch, &JobWatch::tickArrived, this, [this](const NodeTick& tick) { m_meter.addTick(tick); });
    connect(watch, &JobWatch::recordChanged, this, &ClassController::handleRecord);
    connect(watch, &JobWatch::jobEnded, this, [this](const JobRecord& record) {
        fillFromWatch();
        handleRecord(record);
    });
    const JobOutput* output = &watch->output();
    connect(
        output, &JobOutput::progressChanged, this, [this](const TrainingProgress& seen) { m_meter.addProgress(seen); });
    connect(output, &JobOutput::bindingChanged, this, [this](const RankBinding& seen) { m_meter.setBinding(seen); });
    connect(output, &JobOutput::linesArrived, this, [this](const QList<LogLine>& lines) {
        for (const LogLine& line : lines)
            m_meter.addLine(line.text);
    });
    connect(output, &JobOutput::diagnosesChanged, this, [this](const QList<Diagnosis>& diagnoses) {
        m_stuckOn = firstFailure(diagnoses);
        handleRecord(m_watch->record()); // the cause may be found after the end
        updateChecks();
    });
    connect(output, &JobOutput::lossesChanged, this, [this](const QList<LossPoint>& seen) { m_meter.setLosses(seen); });
    m_meter.addProgress(output->progress());
    m_meter.setLosses(output->losses());
    m_meter.setBinding(output->binding());
    m_metering.start();
    handleRecord(watch->record());
}

void ClassController::fillFromWatch()
{
    if (!m_file || !m_watch || m_watchedExercise.isEmpty())
        return;
    RunFacts& facts = m_place.run(m_watchedExercise, m_watch->job());
    const RunFacts before = facts;
    m_meter.fill(facts);
    if (facts == before)
        return;
    facts.at = QDateTime::currentDateTimeUtc();
    savePlace();
    updateChecks();
}

void ClassController::updateChecks()
{
    if (!m_file)
        return;
    const CheckContext context{
        &m_parts.design.derived(), m_place.runs.value(exercise().id), m_place.runs, m_file->limits};
    const QList<CheckVerdict> verdicts = evaluate(exercise().checks, context);
    const auto isSeen = [](const CheckVerdict& verdict) { return verdict.state == CheckState::Seen; };
    const bool isDone = !verdicts.isEmpty() && std::all_of(verdicts.cbegin(), verdicts.cend(), isSeen);
    m_verdicts = verdicts;
    if (isDone && !m_place.done.contains(exercise().id)) {
        m_place.done.insert(exercise().id);
        if (m_sharer->isSharing())
            m_place.owed.insert(exercise().id);
        savePlace();
        const bool last = m_place.index(*m_file) + 1 == m_file->exercises.size();
        m_parts.window.showNotice(Notice::Class,
            last ? tr("All checks of the last exercise were seen.") : tr("All checks of this exercise were seen."),
            last ? QString() : tr("Next exercise"), [this] {
                if (m_file)
                    goTo(m_place.index(*m_file) + 1);
            });
    }
    m_panel->setVerdicts(verdicts);
    foldScript();
    m_parts.page.setChecks(int(std::count_if(verdicts.cbegin(), verdicts.cend(), isSeen)), int(verdicts.size()));
    m_sharer->note(presentLine());
}

/// What the class prescribes is one line of the script.
void ClassController::foldScript()
{
    const Derived& derived = m_parts.design.derived();
    const QList<GuideScriptPart> parts = guideScriptParts(derived.script, derived.resolved);
    QList<ScriptFold> folds;
    for (const ScriptSpan& span : classScriptSpans(*m_file, exercise(), derived.script)) {
        QStringList titles;
        for (const GuideScriptPart& part : parts) {
            const bool isIn = std::any_of(part.lines.cbegin(), part.lines.cend(),
                [&span](int line) { return line >= span.first && line <= span.last; });
            if (isIn)
                titles.append(part.title.left(1).toLower() + part.title.mid(1));
        }
        folds.append({span.first, span.last, titles.join(u", "_s), tr("set by the class")});
    }
    m_parts.page.setScriptFolds(folds);
}

void ClassController::savePlace()
{
    if (!m_file)
        return;
    m_parts.settings.setClassPlace(placeKey(*m_file), writePlace(m_place));
    if (m_panel)
        m_panel->setPlace(m_place);
}

/// Begun by a click on words that say what it does; the way back is beside it.
void ClassController::setShares(bool shares)
{
    if (!m_file || m_file->progressFolder.isEmpty())
        return;
    if (!shares) {
        m_place.shares = false;
        m_place.owed.clear();
        m_sharer->stop();
        savePlace();
        return;
    }
    // Again with exactly the line that would be written, and the box to tick.
    m_opener->openAgain(m_path);
}

/// With what was finished and not noted, because the cluster was not there or the program ended.
void ClassController::beginSharing()
{
    if (!isAlias(m_place.alias))
        m_place.alias = newAlias();
    m_sharer->begin(m_file->cluster, m_file->progressFolder, m_place.alias, m_place.name);
    for (const ClassExercise& each : m_file->exercises) {
        if (m_place.owed.contains(each.id))
            m_sharer->note({{}, each.id, QList<CheckState>(each.checks.size(), CheckState::Seen), {}, {}});
    }
}

void ClassController::handleNoted(const ProgressLine& line)
{
    const bool isEnd = !line.checks.isEmpty() && line.checks.count(CheckState::Seen) == line.checks.size();
    if (isEnd && m_place.owed.remove(line.exercise))
        savePlace();
}

ProgressLine ClassController::presentLine() const
{
    ProgressLine line;
    line.exercise = exercise().id;
    for (const CheckVerdict& verdict : m_verdicts)
        line.checks.append(verdict.state);
    line.stuckOn = stuckOn(m_parts.design.derived().findings(), m_stuckOn);
    return line;
}

void ClassController::leave()
{
    if (!m_file)
        return;
    savePlace();
    disconnect(m_followsDesign);
    follow(nullptr, {});
    m_sharer->stop();
    m_runs->clear();
    m_file.reset();
    m_verdicts.clear();
    m_parts.page.setSidePanel(nullptr);
    m_parts.page.setChecks(0, 0);
    showReservation();
    m_parts.page.setScriptFolds(std::nullopt);
    m_parts.design.setRules({});
    m_parts.settings.setOpenClass({}, {}, m_parts.documents.draft());
    m_parts.window.setClass({}, {});
    emit courseChanged({}, {});
}

} // namespace rankwright
