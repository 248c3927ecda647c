// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/filescontroller.h"

#include "app/session/clustersession.h"
#include "app/transfer/downloadtransfer.h"
#include "app/transfer/jobresults.h"
#include "app/transfer/uploadtransfer.h"
#include "models/cluster/transfer/filenames.h"
#include "models/cluster/transfer/remotefilemodel.h"
#include "models/core/quantitytext.h"
#include "widgets/files/filespage.h"
#include "widgets/files/plandialog.h"
#include "widgets/files/resultsdialog.h"
#include "widgets/window/mainwindow.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QStandardPaths>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostListed = 20000;
constexpr QSize startSize(860, 620);

QString namesText(const QStringList& names)
{
    return names.size() == 1 ? names.first()
                             : FilesController::tr("%1 and %2 more").arg(names.value(0)).arg(names.size() - 1);
}

QString kindWord(JobResultFile::Kind kind)
{
    return kind == JobResultFile::Kind::Output    ? FilesController::tr("output")
        : kind == JobResultFile::Kind::Checkpoint ? FilesController::tr("checkpoint")
                                                  : FilesController::tr("other");
}

QString downloadFolder() { return QStandardPaths::writableLocation(QStandardPaths::DownloadLocation); }

} // namespace

FilesController::FilesController(MainWindow& window, QObject* parent) : QObject(parent), m_window(window) { }

FilesController::~FilesController() = default;

FilesController::View& FilesController::viewOf(ClusterSession& session)
{
    const QString cluster = session.profile().name;
    View& view = m_views[cluster];
    if (view.session == &session && view.dialog)
        return view;
    if (!view.dialog) {
        view.dialog = new QDialog(&m_window);
        view.dialog->setWindowTitle(tr("Files on %1").arg(session.profile().title));
        view.page = new FilesPage(view.dialog);
        auto* column = new QVBoxLayout(view.dialog);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(view.page);
        view.dialog->resize(startSize);
        connect(&view.page->model(), &RemoteFileModel::folderWanted, this,
            [this, cluster](const QByteArray& folder) { list(cluster, folder); });
        connect(view.page, &FilesPage::uploadRequested, this,
            [this, cluster](const QStringList& paths, const QByteArray& folder, FilesPage::UploadChoice choice) {
                chooseUpload(cluster, paths, folder, choice);
            });
        connect(view.page, &FilesPage::downloadRequested, this,
            [this, cluster](
                const QByteArray& folder, const QList<QByteArray>& names) { chooseDownload(cluster, folder, names); });
        connect(&view.page->transfers(), &TransferList::cancelRequested, this,
            [this, cluster](int id) { cancel(cluster, id); });
        connect(&view.page->transfers(), &TransferList::resumeRequested, this,
            [this, cluster](int id) { beginTransfer(cluster, id); });
    }
    view.session = &session;
    view.page->setOnline(session.isOnline());
    connect(&session.shell(), &RemoteShell::stateChanged, this,
        [this, cluster](LinkState state) { followLink(cluster, state); });
    connect(session.guard(), &QObject::destroyed, this, [this, cluster] { followLink(cluster, LinkState::Offline); });
    const QString scratch = session.profile().scratch; // "/scratch/{account}": a place only when nothing is left open
    QList<std::pair<QString, QString>> places;
    if (!scratch.contains(u'{'))
        places.append({u"scratch"_s, scratch});
    askRoom(session.shell(), places, session.guard(), [this, cluster](const Result<QList<StorageRoom>>& rooms) {
        View& known = m_views[cluster];
        known.rooms = rooms ? *rooms : QList<StorageRoom>();
        if (known.dialog) {
            known.page->setRooms(known.rooms);
            known.page->showNote(rooms ? QString() : rooms.error().oneLine());
        }
    });
    return view;
}

FilesPage* FilesController::page(const QString& cluster) const
{
    const auto found = m_views.find(cluster);
    return found == m_views.end() || !found->second.dialog ? nullptr : found->second.page;
}

void FilesController::open(ClusterSession& session, const QByteArray& folder)
{
    View& view = viewOf(session);
    if (!folder.isEmpty())
        view.page->showFolder(folder);
    view.page->setOnline(session.isOnline());
    view.dialog->show();
    view.dialog->raise();
    view.dialog->activateWindow();
}

void FilesController::list(const QString& cluster, const QByteArray& folder)
{
    View& view = m_views[cluster];
    if (!view.session || !view.session->isOnline()) {
        view.page->model().setFailure(folder, {Fault::Offline, tr("The cluster is not connected."), {}, {}});
        return;
    }
    listRemote(view.session->shell(), folder, 1, mostListed, view.session->guard(),
        [page = QPointer<FilesPage>(view.page), folder](const Result<FileListing>& listing) {
            if (!page)
                return;
            if (listing)
                page->model().setListing(folder, *listing);
            else
                page->model().setFailure(folder, listing.error());
        });
}

void FilesController::chooseUpload(
    const QString& cluster, const QStringList& paths, const QByteArray& folder, FilesPage::UploadChoice choice)
{
    const bool wantsFolder = choice == FilesPage::UploadChoice::Folder;
    View& view = m_views[cluster];
    if (!view.session)
        return;
    if (!paths.isEmpty()) {
        upload(*view.session, paths, folder);
        return;
    }
    auto* dialog = new QFileDialog(view.dialog, wantsFolder ? tr("Folder to upload") : tr("Files to upload"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(wantsFolder ? QFileDialog::Directory : QFileDialog::ExistingFiles);
    dialog->setOption(QFileDialog::ShowDirsOnly, wantsFolder);
    connect(dialog, &QFileDialog::filesSelected, this, [this, cluster, folder](const QStringList& chosen) {
        if (ClusterSession* session = m_views[cluster].session)
            upload(*session, chosen, folder);
    });
    dialog->open();
}

void FilesController::upload(ClusterSession& session, const QStringList& paths, const QByteArray& folder)
{
    viewOf(session);
    QStringList names;
    for (const QString& path : paths)
        names.append(QFileInfo(path).fileName());
    add(session.profile().name,
        tr("Upload %1 to %2").arg(namesText(names), folder.isEmpty() ? tr("home") : shownName(folder)), folder,
        [paths, folder](RemoteShell& shell) { return std::make_unique<UploadTransfer>(shell, paths, folder); });
}

void FilesController::chooseDownload(const QString& cluster, const QByteArray& folder, const QList<QByteArray>& names)
{
    View& view = m_views[cluster];
    auto* dialog = new QFileDialog(view.dialog, tr("Folder to download to"), downloadFolder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, [this, cluster, folder, names](const QString& target) {
        QStringList shown;
        for (const QByteArray& name : names)
            shown.append(shownName(name));
        addDownload(cluster, tr("Download %1 to %2").arg(namesText(shown), target), folder, names, target);
    });
    dialog->open();
}

void FilesController::downloadResults(ClusterSession& session, const JobRecord& job)
{
    open(session);
    const QString cluster = session.profile().name;
    askJobResults(
        session.shell(), job, session.guard(), [this, cluster, job](const Result<QList<JobResultFile>>& files) {
            View& view = m_views[cluster];
            if (!view.dialog)
                return;
            if (!files || files->isEmpty()) {
                view.page->showNote(files ? tr("No files of job %1 are known.").arg(job.id) : files.error().oneLine());
                return;
            }
            QList<ResultRow> rows;
            for (const JobResultFile& file : *files)
                rows.append(
                    {shownName(file.path), kindWord(file.kind), file.size, file.kind == JobResultFile::Kind::Output});
            auto* dialog = new ResultsDialog(tr("Job %1 left %2").arg(job.id, counted(files->size(), u"file"_s)), rows,
                QDir(downloadFolder()).filePath(u"%1-%2"_s.arg(cluster, job.id)), view.dialog);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            connect(dialog, &QDialog::accepted, this, [this, cluster, job, dialog, all = *files] {
                QMap<QByteArray, QList<QByteArray>> folders;
                for (const int row : dialog->chosen())
                    folders[all.at(row).folder].append(all.at(row).path);
                for (auto folder = folders.cbegin(); folder != folders.cend(); ++folder)
                    addDownload(
                        cluster, tr("Results of job %1").arg(job.id), folder.key(), folder.value(), dialog->target());
            });
            dialog->open();
        });
}

FilesController::Transfer* FilesController::find(const QString& cluster, int id)
{
    View& view = m_views[cluster];
    const auto found = view.transfers.find(id);
    return found == view.transfers.end() ? nullptr : &found->second;
}

void FilesController::addDownload(const QString& cluster, const QString& title, const QByteArray& folder,
    const QList<QByteArray>& names, const QString& target)
{
    Transfer& transfer = add(cluster, title, {}, [folder, names, target](RemoteShell& shell) {
        return std::make_unique<DownloadTransfer>(shell, folder, names, QFile::encodeName(target));
    });
    for (const QByteArray& name : names)
        transfer.leaves.append(QDir(target).filePath(QFile::decodeName(name)));
}

FilesController::Transfer& FilesController::add(
    const QString& cluster, const QString& title, const QByteArray& folder, Maker maker)
{
    View& view = m_views[cluster];
    const int id = m_nextId++;
    Transfer& transfer = view.transfers[id];
    transfer.row.id = id;
    transfer.row.title = title;
    transfer.maker = std::move(maker);
    transfer.folder = folder;
    if (view.dialog)
        view.dialog->show();
    beginTransfer(cluster, id);
    return transfer;
}

void FilesController::beginTransfer(const QString& cluster, int id)
{
    View& view = m_views[cluster];
    Transfer* transfer = find(cluster, id);
    if (!transfer || transfer->work)
        return;
    if (!view.session || !view.session->isOnline()) {
        transfer->isWaiting = true;
        show(cluster, id, TransferRow::State::Waiting, tr("waits for the connection"));
        return;
    }
    transfer->isWaiting = false;
    transfer->work = transfer->maker(view.session->shell());
    FileTransfer* work = transfer->work.get();
    connect(work, &FileTransfer::comparing, this, [this, cluster, id](qint64 files) {
        show(cluster, id, TransferRow::State::Looking, tr("comparing %1").arg(counted(files, u"file"_s)));
    });
    connect(work, &FileTransfer::transferPlanned, this,
        [this, cluster, id](const TransferPlan& plan) { handlePlan(cluster, id, plan); });
    connect(work, &FileTransfer::progressed, this, [this, cluster, id](const TransferProgress& progress) {
        if (Transfer* known = find(cluster, id))
            known->row.share = double(progress.bytes) / double(qMax<qint64>(1, progress.totalBytes));
        show(cluster, id, TransferRow::State::Running, progressText(progress));
    });
    connect(work, &FileTransfer::finished, this,
        [this, cluster, id](const Result<TransferSummary>& outcome) { handleEnd(cluster, id, outcome); });
    show(cluster, id, TransferRow::State::Looking, tr("comparing both sides"));
    work->compareSides();
}

void FilesController::handlePlan(const QString& cluster, int id, const TransferPlan& plan)
{
    View& view = m_views[cluster];
    Transfer* transfer = find(cluster, id);
    if (!transfer || !transfer->work)
        return;
    if (transfer->replaceNewer) { // it goes on after a break: a person has said yes to it
        transfer->work->go(*transfer->replaceNewer);
        return;
    }
    QStringList notes;
    for (const StorageRoom& room : std::as_const(view.rooms)) {
        const bool isHere = transfer->folder == room.path || transfer->folder.startsWith(QByteArray(room.path + '/'));
        if (isHere)
            notes += roomWarnings(room, plan.bytes, plan.files);
    }
    if (const auto* upload = qobject_cast<UploadTransfer*>(transfer->work.get()); upload && upload->tree().ignored > 0)
        notes.append(tr("Left out by the ignore file, or hidden by git: %1")
                         .arg(counted(upload->tree().ignored, u"entry"_s, u"entries"_s)));
    if (const auto* download = qobject_cast<DownloadTransfer*>(transfer->work.get());
        download && !download->refusedNames().isEmpty())
        notes.append(tr("%1 of the cluster would lead out of the folder and are not used.")
                         .arg(counted(download->refusedNames().size(), u"name"_s)));
    auto* dialog = new PlanDialog(transfer->row.title, plan, notes, view.dialog);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    show(cluster, id, TransferRow::State::Looking, tr("waits for your answer"));
    connect(dialog, &QDialog::finished, this, [this, cluster, id, dialog](int answer) {
        Transfer* known = find(cluster, id);
        if (!known)
            return;
        if (answer != QDialog::Accepted || !known->work) {
            cancel(cluster, id);
            return;
        }
        known->replaceNewer = dialog->replacesNewer();
        known->work->go(*known->replaceNewer);
    });
    dialog->open();
}

void FilesController::handleEnd(const QString& cluster, int id, const Result<TransferSummary>& outcome)
{
    Transfer* transfer = find(cluster, id);
    if (!transfer)
        return;
    transfer->work.release()->deleteLater(); // it is the sender
    if (!outcome) {
        const bool isLink = outcome.error().fault == Fault::Offline;
        transfer->isWaiting = isLink;
        if (isLink && m_views[cluster].session && m_views[cluster].session->isOnline())
            beginTransfer(cluster, id);
        else
            show(cluster, id, isLink ? TransferRow::State::Waiting : TransferRow::State::Failed,
                isLink ? tr("waits for the connection") : outcome.error().oneLine());
        return;
    }
    transfer->row.share = 1;
    transfer->row.localPaths = transfer->leaves;
    QString text = tr("%1 copied (%2)").arg(counted(outcome->files, u"file"_s), humanBytes(Bytes{outcome->bytes}));
    if (outcome->skipped > 0)
        text += tr(", %1 there already").arg(outcome->skipped);
    if (outcome->newer + outcome->refused > 0)
        text += tr(", %1 left alone").arg(outcome->newer + outcome->refused);
    show(cluster, id, TransferRow::State::Done, text);
    m_window.showNotice(Notice::Upload, transfer->row.title + u": "_s + text);
    View& view = m_views[cluster];
    if (view.dialog && !transfer->folder.isEmpty() && view.page->model().root() == transfer->folder)
        view.page->model().refresh();
}

void FilesController::cancel(const QString& cluster, int id)
{
    View& view = m_views[cluster];
    Transfer* transfer = find(cluster, id);
    if (!transfer)
        return;
    if (!transfer->work && !transfer->isWaiting) { // it is over: out of the list
        view.transfers.erase(id);
        if (view.dialog)
            view.page->transfers().remove(id);
        return;
    }
    if (transfer->work) {
        transfer->work->disconnect(this);
        transfer->work.release()->deleteLater();
    }
    transfer->isWaiting = false;
    show(cluster, id, TransferRow::State::Failed, tr("cancelled; what has arrived of large files is kept"));
}

void FilesController::show(const QString& cluster, int id, TransferRow::State state, const QString& text)
{
    View& view = m_views[cluster];
    Transfer* transfer = find(cluster, id);
    if (!transfer)
        return;
    transfer->row.state = state;
    transfer->row.text = text;
    if (view.dialog)
        view.page->transfers().show(transfer->row);
}

void FilesController::followLink(const QString& cluster, LinkState state)
{
    View& view = m_views[cluster];
    const bool isOnline = state == LinkState::Online && view.session;
    if (view.dialog)
        view.page->setOnline(isOnline);
    for (auto& [id, transfer] : view.transfers) {
        if (!isOnline && transfer.work && state != LinkState::Lost) { // the session goes: nothing may outlive it
            transfer.work->disconnect(this);
            transfer.work.reset();
            transfer.isWaiting = true;
            show(cluster, id, TransferRow::State::Waiting, tr("waits for the connection"));
        } else if (isOnline && transfer.isWaiting)
            beginTransfer(cluster, id);
    }
}

} // namespace rankwright
