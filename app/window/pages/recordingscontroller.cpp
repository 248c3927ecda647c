// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/recordingscontroller.h"

#include "app/base/whendone.h"
#include "app/recording/recordedpast.h"
#include "widgets/jobs/recordingsdialog.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>
#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

RecordingRow rowOf(const RecordingInfo& info)
{
    RecordingRow row;
    row.path = info.path;
    row.cluster = info.facts.cluster;
    row.job = info.isWritten ? info.facts.job : recordedJob(info);
    row.span = info.span;
    if (info.nodes > 0)
        row.nodes = info.nodes;
    if (info.gpusPerNode > 0)
        row.gpusPerNode = info.gpusPerNode;
    row.gpuWord = info.facts.gpuWord;
    row.bytes = info.bytes;
    row.isWritten = info.isWritten;
    row.fault = info.fault ? info.fault->what : QString();
    return row;
}

} // namespace

RecordingsController::RecordingsController(QString folder, QWidget& window, QObject* parent)
    : QObject(parent), m_folder(std::move(folder)), m_window(window)
{ }

RecordingsController::~RecordingsController() { delete m_dialog; }

RecordingsDialog* RecordingsController::dialog() const { return m_dialog; }

void RecordingsController::open()
{
    refresh();
    if (!m_dialog) {
        m_dialog = new RecordingsDialog(m_model, recordingsLimitBytes, &m_window);
        connect(m_dialog, &RecordingsDialog::removeRequested, this, &RecordingsController::remove);
        connect(m_dialog, &RecordingsDialog::undoRequested, this, &RecordingsController::putBack);
        connect(m_dialog, &RecordingsDialog::revealRequested, this, &RecordingsController::reveal);
        connect(m_dialog, &RecordingsDialog::jobFileRequested, this, [this](const QString& path) {
            if (const int row = m_model.rowOf(path); row >= 0)
                emit jobFileRequested(m_model.records().at(row).job.id, m_model.records().at(row).cluster);
        });
        connect(m_dialog, &RecordingsDialog::replayRequested, this, [this](const QString& path) {
            m_dialog->close();
            emit replayRequested(path);
        });
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void RecordingsController::refresh()
{
    const int asked = ++m_asked;
    // Files of anybody may lie there: the window does not wait for them.
    const QFuture<QList<RecordingRow>> listing = QtConcurrent::run([folder = m_folder] {
        QList<RecordingRow> rows;
        for (const RecordingInfo& info : listRecordings(folder))
            rows.append(rowOf(info));
        return rows;
    });
    whenDone(listing, this, [this, asked](const QList<RecordingRow>& rows) {
        if (asked == m_asked) // what was asked later is newer
            m_model.assign(rows);
    });
}

void RecordingsController::remove(const QStringList& paths)
{
    QString reported;
    m_trashed.clear();
    for (const QString& path : paths) {
        const auto trashed = trashRecording(path);
        if (trashed)
            m_trashed.append(*trashed);
        else
            reported = trashed.error().oneLine();
    }
    refresh();
    if (reported.isEmpty())
        reported = m_trashed.size() == 1 ? tr("The recording is in the trash.")
                                         : tr("%1 recordings are in the trash.").arg(m_trashed.size());
    m_dialog->report(reported, m_trashed.isEmpty() ? RecordingsDialog::Undo::None : RecordingsDialog::Undo::Offered);
    emit changed();
}

void RecordingsController::putBack()
{
    QString trouble;
    const QList<TrashedRecording> trashed = std::exchange(m_trashed, {});
    for (const TrashedRecording& one : trashed) {
        if (const auto done = restoreRecording(one); !done)
            trouble = done.error().oneLine();
    }
    refresh();
    m_dialog->report(trouble);
    emit changed();
}

void RecordingsController::reveal(const QString& path)
{
    const QString folder = QFileInfo(path).absolutePath();
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(folder)))
        m_dialog->report(tr("It lies in %1.").arg(folder));
}

} // namespace rankwright
