// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/uploadcontroller.h"

#include "app/base/whendone.h"
#include "app/session/clustersession.h"
#include "models/core/quantitytext.h"
#include "widgets/clusters/uploaddialog.h"
#include "widgets/window/mainwindow.h"

#include <QtConcurrent>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// "Hidden, copied as well: .env, .git and 3 more"
QString named(const QString& what, const QStringList& names)
{
    constexpr qsizetype most = 6;
    const QString first = names.mid(0, most).join(u", "_s);
    return names.size() <= most ? u"%1: %2"_s.arg(what, first)
                                : UploadController::tr("%1: %2 and %3 more").arg(what, first).arg(names.size() - most);
}

QStringList wordsOf(const UploadNotes& notes)
{
    QStringList words;
    if (!notes.skipped.isEmpty())
        words.append(named(UploadController::tr("Not copied, links that lead out of the folder"), notes.skipped));
    if (!notes.folderLinks.isEmpty())
        words.append(named(UploadController::tr("Not copied, links to folders"), notes.folderLinks));
    if (!notes.hidden.isEmpty())
        words.append(named(UploadController::tr("Hidden, copied as well"), notes.hidden));
    return words;
}

} // namespace

UploadController::UploadController(MainWindow& window, QObject* parent) : QObject(parent), m_window(window) { }

UploadController::~UploadController() = default;

void UploadController::open(
    ClusterSession& session, const QString& folder, const QString& why, const QString& from, const QString& proposed)
{
    if (m_dialog) {
        m_dialog->raise();
        m_dialog->activateWindow();
        return;
    }
    m_session = &session;
    m_folder = folder;
    const QString title = session.profile().title;
    m_dialog = new UploadDialog(why,
        folder.isEmpty() ? tr("your home folder on %1").arg(title) : tr("%1 on %2").arg(folder, title), from,
        &m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_dialog, &UploadDialog::pathsChanged, this, &UploadController::listPaths);
    connect(m_dialog, &UploadDialog::sendRequested, this, &UploadController::send);
    connect(m_dialog, &UploadDialog::stopRequested, this, [this] {
        m_upload.reset(); // ends it; what is there stays as it was
        m_dialog->showFailure({Fault::Cancelled, tr("Stopped; nothing was changed on the cluster."), {}, {}});
    });
    connect(m_dialog, &QObject::destroyed, this, [this] { m_upload.reset(); });
    connect(m_dialog, &QDialog::rejected, this, &UploadController::uploadAbandoned);
    m_dialog->addPath(proposed);
    m_dialog->open();
}

/// What is left out, and what goes though one may not see it, before anything is sent.
void UploadController::listPaths(const QStringList& paths)
{
    const auto listing = QtConcurrent::run([paths] { return listUpload(paths); });
    whenDone(listing, this, [this, round = ++m_listingRound](const Result<UploadListing>& found) {
        if (round != m_listingRound || !m_dialog)
            return;
        if (found)
            m_dialog->showNotes(wordsOf(found->notes));
        else
            m_dialog->showFailure(found.error());
    });
}

void UploadController::send(const QStringList& paths)
{
    if (!m_session || !m_session->isOnline()) {
        m_dialog->showFailure({Fault::Offline, tr("The cluster is not connected any more."), {}, tr("Connect again.")});
        return;
    }
    m_upload = std::make_unique<Upload>(m_session->shell());
    connect(m_upload.get(), &Upload::filesCompared, m_dialog, &UploadDialog::showComparing);
    connect(m_upload.get(), &Upload::progressed, m_dialog, &UploadDialog::showProgress);
    connect(m_upload.get(), &Upload::finished, this, &UploadController::finish);
    connect(m_session->guard(), &QObject::destroyed, m_upload.get(), [this] {
        m_upload.reset();
        if (m_dialog)
            m_dialog->showFailure({Fault::Offline, tr("The connection was closed."), {}, tr("Connect again.")});
    });
    m_upload->start(paths, m_folder);
}

void UploadController::finish(const Result<UploadSummary>& outcome)
{
    m_upload.release()->deleteLater(); // we are inside its signal
    if (!outcome) {
        if (m_dialog)
            m_dialog->showFailure(outcome.error());
        return;
    }
    const QString copied = counted(outcome->files, u"file"_s);
    const QString size = humanBytes(Bytes{outcome->bytes});
    m_window.showNotice(Notice::Upload,
        outcome->unchanged == 0
            ? tr("%1 copied (%2).").arg(copied, size)
            : tr("%1 copied (%2), %3 already there.").arg(copied, size, QString::number(outcome->unchanged)));
    if (m_dialog)
        m_dialog->accept();
    if (m_session)
        emit filesUploaded(m_session->profile().name);
}

} // namespace rankwright
