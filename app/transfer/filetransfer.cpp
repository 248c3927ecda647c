// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/transfer/filetransfer.h"

#include "app/base/whendone.h"
#include "app/transfer/localfiles.h"
#include "models/cluster/transfer/filenames.h"

#include <QtConcurrent>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 unitBytes = 64 * 1024 * 1024;
constexpr qsizetype unitEntries = 5000;
constexpr qint64 reportMs = 100;

} // namespace

FileTransfer::FileTransfer(RemoteShell& shell, QObject* parent) : QObject(parent), m_shell(shell) { }

FileTransfer::~FileTransfer() { *m_stopped = true; }

QList<QByteArray> FileTransfer::weigh(const QList<FileEntry>& from, const FileStates& there)
{
    m_from = from;
    m_there = there;
    QList<QByteArray> paths;
    for (const FileEntry& entry : planTransfer(from, there).of(TransferVerdict::Compare))
        paths.append(entry.path);
    if (!paths.isEmpty())
        emit comparing(paths.size());
    return paths;
}

void FileTransfer::compareSums(const QByteArray& folder, const QList<QByteArray>& paths, Source source,
    const std::function<QByteArray(const QByteArray& path)>& localPath)
{
    if (paths.isEmpty()) {
        planWith({});
        return;
    }
    sumRemote(m_shell, folder, paths, this, [this, paths, source, localPath](const Result<FileSums>& there) {
        if (!there) {
            endWith(there.error());
            return;
        }
        const auto adding = QtConcurrent::run([paths, localPath, stop = m_stopped] {
            FileSums sums;
            for (const QByteArray& path : paths) {
                if (const auto sum = localSum(localPath(path), -1, stop))
                    sums.insert(path, (*sum)->hex());
            }
            return sums;
        });
        whenDone(adding, this, [this, source, there](const FileSums& here) {
            planWith(source == Source::Here ? ComparedSums{here, *there} : ComparedSums{*there, here});
        });
    });
}

void FileTransfer::planWith(const ComparedSums& sums)
{
    m_sums = sums;
    m_plan = planTransfer(m_from, m_there, m_sums);
    emit transferPlanned(m_plan);
}

void FileTransfer::go(bool replaceNewer)
{
    m_clock.start();
    m_plan = planTransfer(m_from, m_there, m_sums, replaceNewer ? NewerFiles::Replace : NewerFiles::Keep);
    Unit small;
    QList<Unit> large;
    for (const PlannedEntry& planned : std::as_const(m_plan.entries)) {
        if (planned.verdict != TransferVerdict::New && planned.verdict != TransferVerdict::Changed
            && planned.verdict != TransferVerdict::Compare)
            continue;
        if (planned.entry.size >= largeFileBytes) {
            large.append({{planned.entry}, planned.entry.size, true});
            continue;
        }
        small.entries.append(planned.entry);
        small.bytes += planned.entry.size;
        if (small.bytes >= unitBytes || small.entries.size() >= unitEntries)
            m_units.append(std::exchange(small, {}));
    }
    if (!small.entries.isEmpty())
        m_units.append(small);
    m_units += large; // behind the folders that they lie in
    m_summary.skipped = m_plan.same;
    m_summary.newer = m_plan.newer;
    m_summary.refused = m_plan.refused;
    m_progress = {0, m_plan.bytes, 0, m_plan.files, {}, {}, {}};
    m_unit.reset();
    nextUnit();
}

void FileTransfer::nextUnit()
{
    m_unit = m_unit ? *m_unit + 1 : 0;
    if (*m_unit >= m_units.size()) {
        m_summary.seconds = double(m_clock.elapsed()) / 1000;
        emit progressed(m_progress);
        end(m_summary);
        return;
    }
    m_progress.current = unit().isLarge ? shownName(unit().entries.first().path) : QString();
    unitProgress(0);
    send(unit());
}

void FileTransfer::unitDone()
{
    m_doneBytes += unit().bytes;
    m_summary.bytes += unit().bytes;
    for (const FileEntry& entry : unit().entries)
        m_summary.files += entry.kind == FileEntry::Kind::Folder ? 0 : 1;
    m_progress.files = m_summary.files;
    unitProgress(0);
    nextUnit();
}

void FileTransfer::unitProgress(qint64 bytes)
{
    const qint64 now = m_clock.elapsed();
    m_progress.bytes = m_doneBytes + (m_unit && *m_unit < m_units.size() ? qMin(bytes, unit().bytes) : 0);
    m_pace.add(now, m_progress.bytes);
    if (now - m_reportedAt < reportMs)
        return;
    m_reportedAt = now;
    m_progress.bytesPerSecond = m_pace.bytesPerSecond();
    m_progress.secondsLeft = m_pace.secondsLeft(m_progress.totalBytes - m_progress.bytes);
    emit progressed(m_progress);
}

void FileTransfer::end(const Result<TransferSummary>& outcome)
{
    if (!std::exchange(m_isOver, true))
        emit finished(outcome);
}

} // namespace rankwright
