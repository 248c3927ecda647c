// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/reportcontroller.h"

#include "app/jobfile/jobfilereport.h"
#include "app/recording/endedrecord.h"
#include "app/session/clustersession.h"
#include "app/window/pages/adviceapply.h"
#include "models/core/logging.h"
#include "models/insight/report/reportmarkdown.h"
#include "models/tables/jobmodel.h"
#include "models/teaching/learn/acknowledgement.h"
#include "widgets/report/reportdialog.h"
#include "widgets/report/reportdocument.h"

#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLocale>
#include <QPrintDialog>
#include <QPrinter>
#include <QSaveFile>
#include <QTimer>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int accountingLagMs = 20000;

/// The paper that people have where the desktop's language is spoken.
QPageSize::PageSizeId usualPaper()
{
    return QLocale().measurementSystem() == QLocale::ImperialUSSystem ? QPageSize::Letter : QPageSize::A4;
}

ReportPaper paperOf(const JobReports& made)
{
    ReportPaper paper;
    paper.reports = made.reports.mid(0, 1);
    paper.speedup = made.speedup;
    paper.acknowledgement = made.acknowledgement;
    paper.made = u"Rankwright "_s + QLatin1String(RANKWRIGHT_VERSION) + u", "_s
        + QDateTime::currentDateTimeUtc().toString(u"yyyy-MM-dd"_s);
    return paper;
}

} // namespace

QList<JobId> comparableJobs(const QList<JobRow>& rows, const QString& cluster, const JobId& job, int most)
{
    QList<JobId> jobs{job};
    const auto own = std::find_if(
        rows.begin(), rows.end(), [&](const JobRow& row) { return row.cluster == cluster && row.job.id == job; });
    if (own == rows.end() || own->job.name.isEmpty())
        return jobs;
    QList<JobRecord> others;
    for (const JobRow& row : rows) {
        if (row.cluster == cluster && row.job.id != job && row.job.id != row.entryId && row.job.name == own->job.name
            && row.job.state == JobState::Completed)
            others.append(row.job);
    }
    std::stable_sort(
        others.begin(), others.end(), [](const JobRecord& a, const JobRecord& b) { return a.submitted > b.submitted; });
    for (const JobRecord& other : others.mid(0, most - 1))
        jobs.append(other.id);
    return jobs;
}

ReportController::ReportController(const Catalogue& catalogue, Design& design, const JobLog& log,
    const QString& dataFolder, QWidget& window, QObject* parent)
    : QObject(parent), m_catalogue(catalogue), m_design(design), m_maker(catalogue, &log, dataFolder),
      m_dataFolder(dataFolder), m_window(window)
{ }

ReportController::~ReportController() { delete m_dialog; }

void ReportController::setCourse(const QString& name, const QString& given)
{
    m_course = name;
    m_given = given;
}

ReportDialog* ReportController::dialog() const { return m_dialog; }

void ReportController::open(
    const QString& cluster, const JobId& job, const QList<JobRow>& rows, ClusterSession* session)
{
    if (job.isEmpty())
        return;
    leaveFile();
    m_cluster = cluster;
    m_jobs = comparableJobs(rows, cluster, job);
    m_session = session;
    show();
}

void ReportController::openFile(const std::shared_ptr<const JobFile>& file)
{
    leaveFile();
    m_file = file;
    m_fileMaker = reportMakerOf(*file, m_catalogue);
    connect(
        m_fileMaker.get(), &ReportMaker::sumProgressed, this, [this](double share) { m_dialog->showSumming(share); });
    m_cluster = file->manifest().cluster;
    m_jobs = {file->manifest().job.id};
    m_session.clear();
    show();
}

/// The question first: its reading of the file's folder ends with it.
void ReportController::leaveFile()
{
    if (!m_file)
        return;
    m_question.reset();
    m_fileMaker.reset();
    m_file.reset();
}

void ReportController::closeFile()
{
    if (m_file && m_dialog)
        m_dialog->close();
    leaveFile();
}

/// The dialog of the job that is reported on.
void ReportController::show()
{
    if (!m_dialog) {
        m_dialog = new ReportDialog(&m_window);
        connect(m_dialog, &ReportDialog::applyRequested, this, &ReportController::apply);
        connect(m_dialog, &ReportDialog::copyRequested, this, [this](const QString& text) {
            QGuiApplication::clipboard()->setText(text);
            m_dialog->report(tr("Copied: %1").arg(text));
        });
        connect(m_dialog, &ReportDialog::markdownRequested, this, &ReportController::saveMarkdown);
        connect(m_dialog, &ReportDialog::pdfRequested, this, &ReportController::savePdf);
        connect(m_dialog, &ReportDialog::printRequested, this, &ReportController::print);
        connect(m_dialog, &ReportDialog::jobFileRequested, this,
            [this] { emit jobFileRequested(m_jobs.value(0), m_cluster); });
        connect(m_dialog, &ReportDialog::refreshRequested, this, &ReportController::askReport);
        connect(m_dialog, &QDialog::finished, this, [this] {
            m_question.reset();
            leaveFile();
        });
        connect(&m_maker, &ReportMaker::sumProgressed, m_dialog, &ReportDialog::showSumming);
    }
    const ClusterProfile* profile = m_catalogue.find(m_cluster);
    m_dialog->setAcknowledgement(profile && !m_file ? acknowledgement(*profile, m_course, m_given).text : QString());
    m_dialog->setCanSaveJob(!m_file);
    m_dialog->showWaiting(m_jobs.value(0));
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    askReport();
}

void ReportController::askFile()
{
    m_question = std::make_unique<QObject>();
    m_fileMaker->makeOffline(m_cluster, m_jobs, SumUp::First, m_question.get(), [this](const Result<JobReports>& made) {
        if (!made) {
            m_dialog->showError(made.error());
            return;
        }
        JobReports shown = *made;
        shown.notes.prepend(reportSourceText(*m_file));
        show(shown);
    });
}

void ReportController::makeLater(const JobId& job, ClusterSession& session)
{
    // The accounting lags some seconds behind the queue.
    QTimer::singleShot(accountingLagMs, session.guard(), [this, job, pointer = QPointer(&session)] {
        if (pointer && pointer->isOnline())
            m_maker.make(pointer->client(), pointer->shell(), pointer->profile().name, {job}, SumUp::None,
                pointer->guard(), [this, job, cluster = pointer->profile().name](const Result<JobReports>& made) {
                    if (!made)
                        qCInfo(logApp) << "usage of job" << job << made.error().oneLine();
                    else if (!made->reports.isEmpty() && !made->reports.first().diagnoses.isEmpty())
                        emit causesFound(job, cluster, made->reports.first().diagnoses);
                });
    });
}

void ReportController::askReport()
{
    if (m_file) {
        askFile();
        return;
    }
    m_maker.setLearned(m_design.calibrations());
    m_question = std::make_unique<QObject>();
    const auto offline = [this](const QString& why) {
        // where the others are not kept, at least its own
        const QList<JobId> jobs = m_maker.canOffline(m_cluster, m_jobs) ? m_jobs : m_jobs.mid(0, 1);
        m_maker.makeOffline(
            m_cluster, jobs, SumUp::First, m_question.get(), [this, why](const Result<JobReports>& kept) {
                if (!kept) {
                    m_dialog->showError(kept.error());
                    return;
                }
                JobReports made = *kept;
                made.notes.append(why);
                show(made);
            });
    };
    if (!m_session || !m_session->isOnline()) {
        offline(tr("Not connected: the report uses what was kept on this machine."));
        return;
    }
    // With the session go its shell and all that waits for it.
    connect(m_session->guard(), &QObject::destroyed, m_question.get(), [this] {
        m_session.clear();
        m_question.reset();
        QMetaObject::invokeMethod(this, &ReportController::askReport, Qt::QueuedConnection); // from what is kept
    });
    m_maker.setRecordSource([session = QPointer(m_session), folder = m_dataFolder](const QString& cluster,
                                const QList<JobRecord>& jobs, QObject* guard, const std::function<void()>& then) {
        if (session)
            bringEndedRecords(session->shell(), session->profile(), folder, cluster, jobs, guard, then);
        else
            then();
    });
    m_maker.make(m_session->client(), m_session->shell(), m_cluster, m_jobs, SumUp::First, m_question.get(),
        [this, offline](const Result<JobReports>& made) {
            if (!m_dialog)
                return;
            if (made && !made->reports.isEmpty())
                show(*made);
            else
                offline(tr("The cluster did not answer: the report uses what was kept on this machine."));
        });
}

void ReportController::show(const JobReports& made)
{
    m_made = made;
    const ClusterProfile* profile = m_catalogue.find(m_cluster);
    const Acknowledgement thanks
        = profile && !m_file ? acknowledgement(*profile, m_course, m_given) : Acknowledgement();
    m_made.acknowledgement = thanks.known ? thanks.text : QString(); // our own plain one is not part of a report
    // advice for one cluster is not applied to a design for another
    const bool canApply = whyNotApply(m_design, m_cluster).isEmpty() && !m_file;
    m_dialog->showReport(made.reports.first(), made.speedup, made.notes,
        canApply ? ReportDialog::OpenDesign::OfItsKind : ReportDialog::OpenDesign::Another);
}

void ReportController::save(
    const QString& title, const QString& suffix, const std::function<Result<void>(const QString&)>& write)
{
    auto* dialog = new QFileDialog(m_dialog, title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(u"report-%1-%2.%3"_s.arg(m_cluster, m_jobs.value(0), suffix));
    connect(dialog, &QFileDialog::fileSelected, this, [this, write](const QString& path) {
        const auto written = write(path);
        m_dialog->report(written ? tr("Saved as %1").arg(path) : written.error().oneLine());
    });
    dialog->open();
}

void ReportController::saveMarkdown()
{
    save(tr("Save the report as Markdown"), u"md"_s, [this](const QString& path) -> Result<void> {
        QSaveFile file(path);
        const QByteArray text = toMarkdown(m_made.reports.mid(0, 1), m_made.speedup, m_made.acknowledgement).toUtf8();
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
            return fail(Fault::Io, tr("%1 cannot be written.").arg(path), file.errorString(),
                tr("Choose another folder, or make room on the disk."));
        return {};
    });
}

void ReportController::savePdf()
{
    save(tr("Save the report as PDF"), u"pdf"_s,
        [this](const QString& path) { return writeReportPdf(paperOf(m_made), path, usualPaper()); });
}

void ReportController::print()
{
    auto printer = std::make_shared<QPrinter>(QPrinter::HighResolution);
    auto* dialog = new QPrintDialog(printer.get(), m_dialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, qOverload<QPrinter*>(&QPrintDialog::accepted), this, [this, printer](QPrinter* chosen) {
        paintReport(paperOf(m_made), *chosen);
        m_dialog->report(tr("Sent to the printer."));
    });
    dialog->open();
}

void ReportController::apply(const ReportAdvice& advice)
{
    m_dialog->report(applyToDesign(m_design, advice, m_cluster, m_jobs.value(0)));
}

} // namespace rankwright
