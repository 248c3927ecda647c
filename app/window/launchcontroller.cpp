// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/launchcontroller.h"

#include "app/documents/documents.h"
#include "app/session/practicedesign.h"
#include "app/window/links/connections.h"
#include "app/window/uploadcontroller.h"
#include "models/script/document/design.h"
#include "widgets/base/translate.h"
#include "widgets/design/designpage.h"
#include "widgets/script/differenceview.h"
#include "widgets/window/mainwindow.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int programQueryDelayMs = 800; // after the last change

/// The script that was sent last to a cluster, from the job log, to compare the present one with: of the design of this
/// name, else of any. `title` names the cluster where there is none.
ComparedScript lastSubmitted(const JobLog& log, const QString& cluster, const QString& title, const QString& name)
{
    ComparedScript last;
    last.missing = tr("Nothing has been submitted to %1 yet.").arg(title);
    const auto found = log.lastSent(cluster, name);
    if (!found || !*found || (*found)->script.isEmpty())
        return last;
    const JobLogEntry* entry = &**found;
    last.text = QString::fromUtf8(entry->script);
    last.missing.clear();
    const QString when = QLocale().toString(entry->created.toLocalTime(), QLocale::ShortFormat);
    const QString other = entry->name == name ? QString() : tr("; “%1” itself was not sent yet").arg(name);
    last.caption = (entry->job.isEmpty() ? tr("− %1 as sent on %2   + now").arg(entry->name, when)
                                         : tr("− %1, job %2 of %3   + now").arg(entry->name, entry->job, when))
        + other;
    return last;
}

} // namespace

LaunchController::LaunchController(
    Design& design, DesignPage& page, Documents& documents, Connections& connections, JobLog& log, MainWindow& window)
    : m_design(design), m_page(page), m_documents(documents), m_connections(connections), m_log(log), m_window(window)
{
    m_upload = new UploadController(window, this);
    m_programTimer.setSingleShot(true);
    m_programTimer.setInterval(programQueryDelayMs);
    connect(&m_programTimer, &QTimer::timeout, this, &LaunchController::findProgram);
    connect(m_upload, &UploadController::filesUploaded, this, [this] {
        findProgramSoon();
        if (const auto launch = std::exchange(m_afterUpload, {}))
            launch();
    });
    connect(m_upload, &UploadController::uploadAbandoned, this, [this] { m_afterUpload = {}; });
    connectPage();
    connect(&m_design, &Design::changed, this, &LaunchController::handleDesign);
    connect(&m_log, &JobLog::entryChanged, this, &LaunchController::showLastSubmitted);
    connect(&m_connections, &Connections::sessionMade, this, &LaunchController::follow);
    connect(&m_connections, &Connections::practiceReady, this, [this](const PracticeStatus& status) {
        m_practice = status;
        fillIn();
    });
    connect(&m_connections, &Connections::linkChanged, this, [this](const LinkInfo& link) {
        if (link.cluster == QString::fromUtf16(practiceName) && link.state == LinkState::Offline)
            m_practice.reset();
        if (link.cluster == m_design.spec().cluster)
            showLaunch();
    });
    connect(&m_documents, &Documents::documentReplaced, this, [this] {
        m_page.forgetOutcome();
        fillIn();
    });
}

LaunchController::~LaunchController() = default;

void LaunchController::connectPage()
{
    connect(&m_page, &DesignPage::namesWanted, this, [this] {
        if (session())
            session()->learnNames();
    });
    connect(&m_page, &DesignPage::rehearseRequested, this, [this] { submit(SubmitPurpose::Rehearsal); });
    connect(&m_page, &DesignPage::launchRequested, this, &LaunchController::launch);
    connect(&m_page, &DesignPage::uploadRequested, this, [this] { upload(); });
    connect(&m_window, &MainWindow::uploadRequested, this, [this] { upload(); });
    connect(&m_page, &DesignPage::stopRequested, this, &LaunchController::stop);
    connect(&m_page, &DesignPage::connectRequested, this, [this] { m_connections.connectTo(m_design.spec().cluster); });
}

ClusterSession* LaunchController::session() const { return m_connections.session(m_design.spec().cluster); }

QString LaunchController::titleOf(const QString& cluster) const
{
    const ClusterProfile* profile = m_design.catalogue().find(cluster);
    return profile ? profile->title : cluster;
}

QString LaunchController::clusterTitle() const { return titleOf(m_design.spec().cluster); }

void LaunchController::follow(ClusterSession* made)
{
    SubmitFlow& flow = made->submitFlow();
    connect(&flow, &SubmitFlow::stateChanged, this,
        [this, cluster = made->profile().name](const SubmitState& state) { handleSubmit(state, cluster); });
    connect(&flow, &SubmitFlow::stateChanged, this, [&flow] { flow.acknowledge(); }); // shown by now
    connect(&flow, &SubmitFlow::jobCompared, this, [this](const SubmitState& state) {
        SubmitState shown = state;
        if (!state.wasCompared)
            shown.text = QStringList{state.text, tr("Slurm did not report what it recorded of it.")}.join(u' ');
        if (!state.wasCompared || !state.differences.isEmpty())
            m_page.showSubmitState(shown);
    });
    connect(made, &ClusterSession::factsDiscovered, this, &LaunchController::showFacts);
    connect(made, &ClusterSession::factsDiscovered, this, &LaunchController::findProgramSoon);
    connect(made, &ClusterSession::namesLearned, this, &LaunchController::showFacts);
}

void LaunchController::refresh()
{
    showFacts();
    showLastSubmitted();
    showLaunch();
}

void LaunchController::handleDesign()
{
    const QString cluster = m_design.spec().cluster;
    if (cluster != m_cluster) {
        showFacts();
        // What is undone or redone was so before: nothing is added to it.
        if (!m_design.canRedo())
            fillIn();
    }
    if (m_comparedWith != std::pair(cluster, m_design.derived().resolved.name))
        showLastSubmitted();
    if (!m_seen || m_seen->cluster != cluster || m_seen->program != programFile())
        findProgramSoon();
    showProgram();
    showLaunch();
}

void LaunchController::showFacts()
{
    m_cluster = m_design.spec().cluster;
    if (session())
        m_page.setFacts(session()->facts(), session()->names());
    else
        m_page.setFacts({});
}

void LaunchController::showLastSubmitted()
{
    const QString cluster = m_design.spec().cluster;
    const QString name = m_design.derived().resolved.name;
    m_comparedWith = {cluster, name};
    m_page.setLastSubmitted(lastSubmitted(m_log, cluster, clusterTitle(), name));
}

void LaunchController::showLaunch()
{
    const ClusterProfile* profile = m_design.catalogue().find(m_design.spec().cluster);
    if (!profile)
        m_page.setLaunchBlocked(tr("This cluster is not in the catalogue."));
    else if (!profile->acceptsJobs)
        m_page.setLaunchBlocked(tr("%1 accepts no jobs: %2.").arg(profile->title, profile->status));
    else if (const auto why = m_connections.failure(profile->name); !m_connections.isOnline(profile->name) && why)
        // Said here, too: this is where one clicked.
        m_page.setLaunchBlocked(tr("Not connected to %1: %2 %3").arg(profile->title, why->what, why->remedy).trimmed());
    else if (const auto doing = m_connections.activity(profile->name); doing)
        m_page.setLaunchBlocked(
            doing->isEmpty() ? tr("Connecting to %1 …").arg(profile->title) : u"%1: %2"_s.arg(profile->title, *doing));
    else if (!m_connections.isOnline(profile->name))
        m_page.setLaunchBlocked(tr("Not connected to %1.").arg(profile->title));
    else
        m_page.setLaunchBlocked({});
}

void LaunchController::fillIn()
{
    if (!m_practice || m_design.spec().cluster != QString::fromUtf16(practiceName))
        return;
    if (m_design.derived().author)
        return; // its text is the author's: nothing is put into it unasked
    JobSpec filled = m_design.spec();
    fillFromPractice(filled, *m_practice);
    if (filled == m_design.spec())
        return;
    const bool wasSaved = !m_design.isModified();
    m_design.edit(tr("Practice account and folder"), [&filled](JobSpec& spec) { spec = filled; });
    if (wasSaved && m_documents.path().isEmpty())
        m_design.markSaved(); // nothing of the user's is unsaved
}

/// The folder in which a job starts that names none: that of the practice cluster; empty: the home folder.
QString LaunchController::usualFolder() const
{
    return m_practice && m_design.spec().cluster == QString::fromUtf16(practiceName) ? m_practice->workdir : QString();
}

ProgramFile LaunchController::programFile() const
{
    ProgramFile file = programOf(m_design.derived());
    if (file.folder.isEmpty())
        file.folder = usualFolder();
    return file;
}

SubmitOrder LaunchController::orderOfDesign(SubmitPurpose purpose) const
{
    SubmitOrder order = submitOrder(m_design.spec(), m_design.derived(), purpose);
    if (order.workdir.isEmpty())
        order.workdir = usualFolder();
    return order;
}

void LaunchController::findProgramSoon()
{
    m_seen.reset();
    m_programTimer.start();
    showProgram();
}

/// One cheap question; what it answered holds until design, cluster or files change.
void LaunchController::findProgram()
{
    const QString cluster = m_design.spec().cluster;
    const ProgramFile program = programFile();
    m_seen.reset();
    if (program.file.isEmpty() || !m_connections.isOnline(cluster)) {
        showProgram();
        return;
    }
    m_programQuery = std::make_unique<QObject>();
    askForProgram(
        session()->shell(), program, m_programQuery.get(), [this, cluster, program](const Result<bool>& isThere) {
            if (isThere)
                m_seen = Seen{cluster, program, *isThere};
            showProgram();
        });
}

QString LaunchController::missingText() const
{
    const ProgramFile program = programFile();
    if (!m_seen || m_seen->isThere || m_seen->cluster != m_design.spec().cluster || m_seen->program != program)
        return {};
    return missingText(m_design.spec().cluster, program);
}

QString LaunchController::missingText(const QString& cluster, const ProgramFile& program) const
{
    return program.folder.isEmpty() ? tr("%1 is not in your home folder on %2.").arg(program.file, titleOf(cluster))
                                    : tr("%1 is not in %2 on %3.").arg(program.file, program.folder, titleOf(cluster));
}

void LaunchController::showProgram() { m_page.setProgramMissing(missingText()); }

void LaunchController::upload()
{
    const QString& cluster = m_design.spec().cluster;
    if (!m_connections.isOnline(cluster))
        m_window.showNotice(Notice::Upload, tr("Not connected to %1: nothing can be copied.").arg(clusterTitle()),
            tr("Connect"), [this, cluster] { m_connections.connectTo(cluster); });
    else
        upload(cluster, programFile(), missingText());
}

/// `why` empty: the program is not known to be missing, and not proposed.
void LaunchController::upload(const QString& cluster, const ProgramFile& program, const QString& why)
{
    const QString here = QFileInfo(m_documents.path()).path();
    m_upload->open(*m_connections.session(cluster), program.folder, why, here,
        why.isEmpty() ? QString() : uploadFor(program.file, here));
}

/// A job whose program is known to be missing would end at once: asks the user first.
void LaunchController::askAboutMissing(const SubmitOrder& order, const ProgramFile& program)
{
    const QString missing = missingText(order.cluster, program);
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Launch"), missing, QMessageBox::NoButton, &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(tr("The job would end as soon as it starts. Upload the program, or set the working folder "
                               "that contains it."));
    const QAbstractButton* toUpload = box->addButton(tr("Upload…"), QMessageBox::AcceptRole);
    const QAbstractButton* anyway = box->addButton(tr("Launch anyway"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    connect(box, &QMessageBox::buttonClicked, this,
        [this, toUpload, anyway, order, program, missing](const QAbstractButton* clicked) {
            if (clicked == anyway || (clicked == toUpload && !m_connections.isOnline(order.cluster))) {
                send(order); // not connected any more: said there
            } else if (clicked == toUpload) {
                upload(order.cluster, program, tr("%1 Once it is copied, the launch goes on.").arg(missing));
                m_afterUpload = [this, order, program] { checkProgram(order, program); };
            }
        });
    box->open();
}

void LaunchController::stop()
{
    if (!stopLaunch({Fault::Cancelled, tr("Stopped; nothing was sent."), {}, {}}) && session())
        session()->submitFlow().stop();
}

bool LaunchController::isUnderWay() const
{
    return m_launching || (session() && session()->submitFlow().state().isBusy());
}

/// What is launched is what was shown at the click: the answer may take as long as the line wants.
void LaunchController::launch()
{
    if (isUnderWay())
        return; // a second click
    emit asked(launchFacts(m_design), SubmitPurpose::Submission);
    m_afterUpload = {}; // an earlier click that still waits for its program is this one
    SubmitOrder clicked = orderOfDesign(SubmitPurpose::Submission);
    if (const auto moment = m_log.lastEvent())
        clicked.asked = *moment;
    const ProgramFile program = programFile();
    if (program.file.isEmpty())
        send(clicked);
    else
        checkProgram(clicked, program);
}

void LaunchController::checkProgram(const SubmitOrder& order, const ProgramFile& program)
{
    if (!m_connections.isOnline(order.cluster)) {
        send(order);
        return;
    }
    m_programTimer.stop();
    m_launching = std::make_unique<QObject>();
    m_launchingOn = order.cluster;
    ClusterSession& its = *m_connections.session(order.cluster);
    connect(its.guard(), &QObject::destroyed, m_launching.get(), [this] {
        stopLaunch(
            {Fault::Offline, tr("The connection was closed; nothing was sent."), {}, tr("Connect, then launch.")});
    });
    SubmitState state;
    state.stage = SubmitState::Stage::Checking;
    state.text = tr("Looking for %1 …").arg(program.file);
    show(state, order.cluster);
    askForProgram(its.shell(), program, m_launching.get(),
        [this, order, program](const Result<bool>& isThere) { handleProgramCheck(order, program, isThere); });
}

void LaunchController::handleProgramCheck(
    const SubmitOrder& order, const ProgramFile& program, const Result<bool>& isThere)
{
    m_launching.release()->deleteLater(); // we are inside its answer
    if (isThere)
        m_seen = Seen{order.cluster, program, *isThere};
    showProgram();
    if (isThere.valueOr(true)) { // where it is unknown, Slurm is asked
        send(order);
        return;
    }
    show({}, order.cluster);
    askAboutMissing(order, program);
}

/// False: none is looking for its program.
bool LaunchController::stopLaunch(const Error& why)
{
    if (!m_launching)
        return false;
    m_launching.reset(); // no answer any more
    SubmitState state;
    state.stage = SubmitState::Stage::Refused;
    state.text = why.what;
    state.error = why;
    show(state, m_launchingOn);
    return true;
}

void LaunchController::submit(SubmitPurpose purpose)
{
    if (isUnderWay())
        return;
    emit asked(launchFacts(m_design), purpose);
    send(orderOfDesign(purpose));
}

void LaunchController::send(const SubmitOrder& order)
{
    if (!m_connections.isOnline(order.cluster)) {
        const QString text = tr("Not connected to %1; nothing was sent.").arg(titleOf(order.cluster));
        show({}, order.cluster);
        m_window.showNotice(Notice::Connection, text, tr("Connect"),
            [this, cluster = order.cluster] { m_connections.connectTo(cluster); });
        return;
    }
    m_connections.session(order.cluster)->submitFlow().start(order);
}

/// To the page, and to whoever else follows a launch.
void LaunchController::show(const SubmitState& state, const QString& cluster)
{
    m_page.showSubmitState(state);
    emit stateChanged(state, cluster);
}

void LaunchController::handleSubmit(const SubmitState& state, const QString& cluster)
{
    m_page.showSubmitState(state);
    if (state.stage == SubmitState::Stage::Submitted) {
        m_documents.flushAutosave();
        emit jobSubmitted(state.job, cluster);
    }
    emit stateChanged(state, cluster);
}

} // namespace rankwright
