// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobfilesaver.h"

#include "app/base/whendone.h"
#include "app/jobfile/jobfilewords.h"
#include "app/jobfile/outputends.h"
#include "app/recording/endedrecord.h"
#include "app/session/clustersession.h"
#include "app/window/links/connections.h"
#include "models/core/quantitytext.h"
#include "widgets/jobs/jobfiledialog.h"
#include "widgets/window/mainwindow.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QTimer>
#include <QUrl>
#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int progressEveryMs = 100;

using MadeDraft = Result<std::shared_ptr<const JobFileDraft>>;

MadeDraft makeShared(const JobFileParts& parts)
{
    auto made = JobFileDraft::make(parts);
    if (!made)
        return fail(made.error());
    return std::shared_ptr<const JobFileDraft>(std::move(*made));
}

QList<JobFileItem> itemsOfDraft(const JobFileDraft& draft)
{
    QList<JobFileItem> items;
    const QList<JobFileMember>& members = draft.manifest().members;
    for (qsizetype i = 0; i < members.size(); ++i) {
        const JobFileMember& member = members.at(i);
        JobFileItem item{member.name, contentText(member), member.bytes, {}};
        if (member.kind != JobFileMember::Kind::Recording)
            item.text = draft.text(i);
        items.append(item);
    }
    return items;
}

} // namespace

JobFileSaver::JobFileSaver(const Parts& parts, QObject* parent)
    : QObject(parent), m_parts(parts), m_maker(parts.catalogue, &parts.log, parts.dataFolder)
{
    connect(&m_maker, &ReportMaker::sumProgressed, this, [this](double share) {
        if (m_dialog)
            m_dialog->showWork(tr("The recording is being evaluated …"), share);
    });
}

JobFileSaver::~JobFileSaver()
{
    stop();
    delete m_dialog;
}

JobFileDialog* JobFileSaver::dialog() const { return m_dialog; }

QString JobFileSaver::titleOf(const QString& cluster) const
{
    const ClusterProfile* profile = m_parts.catalogue.find(cluster);
    return profile ? profile->title : cluster;
}

void JobFileSaver::stop()
{
    if (m_writing)
        m_writing->cancelled = true;
    m_writing.reset();
    m_question.reset();
    m_draft.reset();
    m_gathered = {};
    m_notes.clear();
}

void JobFileSaver::save(const JobId& job, const QString& cluster)
{
    if (job.isEmpty() || cluster.isEmpty())
        return;
    delete m_dialog;
    stop();
    m_job = job;
    m_cluster = cluster;
    m_dialog = new JobFileDialog(&m_parts.window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->setSubject(tr("Job %1 of %2").arg(job, titleOf(cluster)));
    connect(m_dialog, &QDialog::finished, this, &JobFileSaver::stop);
    connect(m_dialog, &JobFileDialog::outputToggled, this, &JobFileSaver::draftFile);
    connect(m_dialog, &JobFileDialog::saveRequested, this, &JobFileSaver::choosePlace);
    m_dialog->show();
    askUsage();
}

void JobFileSaver::askUsage()
{
    if (m_learned)
        m_maker.setLearned(m_learned());
    ClusterSession* session = m_parts.connections.session(m_cluster);
    if (!session || !session->isOnline()) {
        askOffline(tr("Not connected: it is made from what is kept on this machine."));
        return;
    }
    m_dialog->showWork(tr("Asking %1 what the job used …").arg(titleOf(m_cluster)));
    m_question = std::make_unique<QObject>();
    // With the session go its shell and all that waits for it.
    connect(session->guard(), &QObject::destroyed, m_question.get(), [this] {
        QMetaObject::invokeMethod(
            m_question.get(), // what was asked since then has a session of its own
            [this] {
                if (m_dialog && !m_draft)
                    askOffline(tr("The connection was closed: it is made from what is kept on this machine."));
            },
            Qt::QueuedConnection);
    });
    m_maker.setRecordSource([session = QPointer(session), folder = m_parts.dataFolder](const QString& cluster,
                                const QList<JobRecord>& jobs, QObject* guard, const std::function<void()>& then) {
        if (session)
            bringEndedRecords(session->shell(), session->profile(), folder, cluster, jobs, guard, then);
        else
            then();
    });
    m_maker.make(session->client(), session->shell(), m_cluster, {m_job}, SumUp::All, m_question.get(),
        [this](const Result<JobReports>& made) {
            if (made && !made->reports.isEmpty())
                addReports(*made);
            else
                askOffline(tr("The cluster did not answer: it is made from what is kept on this machine."));
        });
}

void JobFileSaver::askOffline(const QString& why)
{
    m_dialog->showWork(tr("Reading what is kept on this machine …"));
    auto question = std::make_unique<QObject>();
    m_question.swap(question);
    m_maker.makeOffline(m_cluster, {m_job}, SumUp::All, m_question.get(), [this, why](const Result<JobReports>& made) {
        if (!made) {
            m_dialog->showError(made.error(), JobFileDialog::Again::No);
            return;
        }
        m_notes = QStringList{why};
        addReports(*made);
    });
    if (question)
        question.release()->deleteLater(); // this may be called by its answer
}

void JobFileSaver::addReports(const JobReports& made)
{
    if (made.reports.size() != 1) { // an array: each task has a file of its own
        m_dialog->showError({Fault::Invalid, tr("%1 is an array of %2 tasks.").arg(m_job).arg(made.reports.size()), {},
                                tr("Save one of its tasks.")},
            JobFileDialog::Again::No);
        return;
    }
    m_notes = made.notes + m_notes;
    m_gathered = keptParts(m_parts.dataFolder, &m_parts.log, m_parts.catalogue.find(m_cluster), m_cluster, made);
    readOutputs();
}

void JobFileSaver::readOutputs()
{
    ClusterSession* session = m_parts.connections.session(m_cluster);
    const JobRecord job = m_gathered.usage.usage.job;
    const bool isOnline = session && session->isOnline();
    if (isWaiting(job.state))
        m_dialog->setOutputs(tr("The job has not begun: there is no output."));
    else if (!isOnline && m_gathered.outputs.isEmpty())
        m_dialog->setOutputs(tr("The job's output lies on %1, which is not connected.").arg(titleOf(m_cluster)));
    if (isWaiting(job.state) || !isOnline) {
        draftFile();
        return;
    }
    m_dialog->showWork(tr("Reading the end of the job's output …"));
    readOutputEnds(session->shell(), job, m_question.get(), [this](const Result<JobOutputEnds>& ends) {
        if (ends)
            m_gathered.addOutputs(*ends);
        else
            m_notes.append(tr("The job's output could not be read: %1").arg(ends.error().oneLine()));
        if (m_gathered.outputs.isEmpty())
            m_dialog->setOutputs(ends ? tr("No output of the job was found.") : m_notes.last());
        draftFile();
    });
}

/// On another thread: the recording is copied without its secrets.
void JobFileSaver::draftFile()
{
    m_draft.reset();
    m_dialog->showWork(tr("Putting the job file together, without its secrets …"));
    JobFileParts parts = m_gathered;
    if (!m_dialog->withOutput())
        parts.outputs.clear();
    auto question = std::make_unique<QObject>();
    m_question.swap(question);
    const QFuture<MadeDraft> making = QtConcurrent::run([parts] { return makeShared(parts); });
    whenDone(making, m_question.get(), [this](const MadeDraft& made) {
        if (!made) {
            m_dialog->showError(made.error(), JobFileDialog::Again::No);
            return;
        }
        m_draft = *made;
        showDraft();
    });
    if (question)
        question.release()->deleteLater(); // this may be called by its answer
}

void JobFileSaver::showDraft()
{
    QStringList summary{tr("%1 in all.").arg(humanBytes(Bytes{m_draft->bytes()}))};
    const QString secrets = secretsText(m_draft->manifest());
    summary.append(secrets.isEmpty() ? tr("No secret was found in it.") : secrets);
    m_dialog->showContents(itemsOfDraft(*m_draft), summary.join(u' '), m_notes + m_draft->notes());
}

void JobFileSaver::choosePlace()
{
    if (!m_draft)
        return;
    auto* dialog = new QFileDialog(m_dialog, tr("Save as a job file"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Job files (*.rwjob)")});
    dialog->setDefaultSuffix(jobFileSuffix.mid(1));
    dialog->selectFile(jobFileName(m_cluster, m_draft->manifest().job.id));
    connect(dialog, &QFileDialog::fileSelected, this, &JobFileSaver::write);
    dialog->open();
}

void JobFileSaver::write(const QString& path)
{
    if (!m_draft || !m_dialog || m_writing)
        return;
    m_writing = std::make_shared<JobFileWriting>();
    m_question = std::make_unique<QObject>();
    const QString saying = tr("Writing %1 …").arg(QFileInfo(path).fileName());
    m_dialog->showWork(saying, 0.0);
    auto* clock = new QTimer(m_question.get());
    connect(clock, &QTimer::timeout, m_dialog,
        [this, saying, writing = m_writing] { m_dialog->showWork(saying, writing->permille / 1000.0); });
    clock->start(progressEveryMs);
    const QFuture<Result<void>> writes
        = QtConcurrent::run([draft = m_draft, path, writing = m_writing] { return draft->write(path, writing.get()); });
    whenDone(writes, m_question.get(), [this, path](const Result<void>& written) { handleWritten(path, written); });
}

void JobFileSaver::handleWritten(const QString& path, const Result<void>& written)
{
    m_writing.reset();
    if (!written) {
        m_question.release()->deleteLater(); // its clock stops with it
        m_dialog->showError(written.error(), JobFileDialog::Again::Yes);
        return;
    }
    const QString secrets = secretsText(m_draft->manifest());
    const QString text = tr("%1 was written: %2.").arg(QFileInfo(path).fileName(), humanBytes(Bytes{m_draft->bytes()}));
    m_parts.window.showNotice(Notice::JobFile, secrets.isEmpty() ? text : text + u' ' + secrets, tr("Show the file"),
        [folder = QFileInfo(path).absolutePath()] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); });
    m_question.release()->deleteLater();
    m_dialog->accept();
}

} // namespace rankwright
