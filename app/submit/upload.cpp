// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/submit/upload.h"

#include "app/base/whendone.h"
#include "models/cluster/remote/remoteprogram.h"

#include <QCryptographicHash>
#include <QTimer>
#include <QtConcurrent>

#include <atomic>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 pieceSize = 256 * 1024;
constexpr qint64 hashPiece = 4 * 1024 * 1024;
constexpr int comparedEveryMs = 200;
constexpr qint64 window = 2 * 1024 * 1024; // written and not yet taken by the connection

RemoteCommand programCommand(const QString& file, const QString& purpose, const QStringList& arguments)
{
    return RemoteCommand::of(QStringList{u"/bin/sh"_s, u"-c"_s, remoteProgram(file), u"_"_s} + arguments)
        .withPurpose(purpose);
}

} // namespace

/// What the pool and the upload know of each other.
struct Upload::Comparison {
    std::atomic<int> done{0};
    std::atomic<bool> stopped{false};
    int total = 0;
};

namespace {

/// SHA-256 as the cluster writes it. Error: it cannot be read. Empty: `stopped`.
Result<QByteArray> hashOf(const QString& path, const std::atomic<bool>& stopped)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    bool isRead = file.open(QIODevice::ReadOnly);
    while (isRead && !file.atEnd()) {
        if (stopped)
            return QByteArray();
        const QByteArray piece = file.read(hashPiece);
        isRead = !piece.isEmpty();
        hash.addData(piece);
    }
    if (!isRead)
        return fail(Fault::Io, u"%1 cannot be read."_s.arg(path), file.errorString(), u"Check its permissions."_s);
    return hash.result().toHex();
}

} // namespace

Upload::Upload(RemoteShell& shell, QObject* parent) : QObject(parent), m_shell(shell) { }

Upload::~Upload()
{
    if (m_comparison)
        m_comparison->stopped = true;
}

void Upload::start(const QStringList& paths, const QString& folder)
{
    m_folder = folder;
    // A folder may hold a hundred thousand files, on a disk that is far away.
    const auto listing = QtConcurrent::run([paths] { return listUpload(paths); });
    whenDone(listing, this, [this](const Result<UploadListing>& found) {
        if (!found) {
            end(fail(found.error()));
            return;
        }
        emit filesListed(found->notes);
        m_entries = found->entries;
        askPresentFiles();
    });
}

void Upload::askPresentFiles()
{
    RemoteCommand command
        = programCommand(u"upload-ask.sh"_s, u"Checks which of the files to upload are there already"_s, {m_folder});
    for (const UploadEntry& entry : std::as_const(m_entries))
        command.input += QByteArray::number(entry.remote.size) + ' ' + entry.remote.path.toUtf8() + '\n';
    command.deadlineSeconds = 900; // sums of large files take their time
    m_shell.run(command, this, [this, command](const Result<CommandOutcome>& outcome) {
        if (!outcome)
            end(fail(outcome.error()));
        else if (!outcome->succeeded())
            end(fail(outcome->toError(command).within(u"The job's folder could not be inspected"_s)));
        else
            handleAnswer(outcome->output);
    });
}

void Upload::handleAnswer(const QByteArray& answer)
{
    for (const QByteArray& line : answer.split('\n')) {
        const QByteArrayList words = line.split(' ');
        if (words.size() >= 5)
            m_there.insert(QString::fromUtf8(words.mid(4).join(' ')), words.mid(0, 4));
    }
    QStringList same; // by size: their bytes decide
    for (const UploadEntry& entry : std::as_const(m_entries)) {
        const QByteArrayList known = m_there.value(entry.remote.path);
        if (!entry.remote.isFolder && !known.isEmpty() && known.at(3) != "-")
            same.append(entry.local);
    }
    if (same.isEmpty())
        planAndSend({});
    else
        compare(same);
}

void Upload::compare(const QStringList& paths)
{
    using Sums = QHash<QString, QByteArray>;
    m_comparison = std::make_shared<Comparison>();
    m_comparison->total = int(paths.size());
    auto* clock = new QTimer(this);
    connect(clock, &QTimer::timeout, this, [this, now = m_comparison] { emit filesCompared(now->done, now->total); });
    clock->start(comparedEveryMs);
    emit filesCompared(0, m_comparison->total);
    const auto comparing = QtConcurrent::run([paths, now = m_comparison]() -> Result<Sums> {
        Sums sums;
        for (const QString& path : paths) {
            const auto sum = hashOf(path, now->stopped);
            if (!sum)
                return fail(sum.error());
            if (now->stopped)
                break;
            sums.insert(path, *sum);
            ++now->done;
        }
        return sums;
    });
    whenDone(comparing, this, [this, clock](const Result<Sums>& sums) {
        clock->deleteLater();
        m_comparison.reset();
        if (sums)
            planAndSend(*sums);
        else
            end(fail(sums.error()));
    });
}

void Upload::planAndSend(const QHash<QString, QByteArray>& own)
{
    if (const auto taken = planFiles(own); !taken) {
        end(fail(taken.error()));
        return;
    }
    if (m_summary.files == 0 && m_total == 0)
        end(m_summary);
    else
        send();
}

/// Leaves what has to be sent in m_entries. Error: what is there must not be replaced.
Result<void> Upload::planFiles(const QHash<QString, QByteArray>& own)
{
    QList<UploadEntry> left;
    QStringList newer;
    for (const UploadEntry& entry : std::as_const(m_entries)) {
        const QByteArrayList known = m_there.value(entry.remote.path);
        if (!known.isEmpty() && (known.at(0) == "d") != entry.remote.isFolder)
            return fail(Fault::Invalid, u"%1 is a folder on one side and a file on the other."_s.arg(entry.remote.path),
                {}, u"Rename one of them."_s);
        if (!known.isEmpty() && entry.remote.isFolder)
            continue;
        if (!known.isEmpty() && known.at(3) != "-" && own.value(entry.local) == known.at(3)) {
            ++m_summary.unchanged;
            continue;
        }
        if (!known.isEmpty() && known.at(1).toLongLong() > entry.remote.modified)
            newer.append(entry.remote.path);
        left.append(entry);
        m_total += tarHeader(entry.remote).size() + entry.remote.size + tarPadding(entry.remote.size);
        m_summary.files += entry.remote.isFolder ? 0 : 1;
        m_summary.bytes += entry.remote.size;
    }
    if (!newer.isEmpty())
        return fail(Fault::Invalid,
            newer.size() == 1 ? u"%1 is newer on the cluster, and different; nothing was copied."_s.arg(newer.first())
                              : u"%1 and %2 more are newer on the cluster, and different; nothing was copied."_s.arg(
                                  newer.first(), QString::number(newer.size() - 1)),
            newer.mid(0, 20).join(u", "_s), u"Fetch what was changed there, or remove it, then submit again."_s);
    m_entries = left;
    return {};
}

void Upload::send()
{
    m_total += tarEnd().size();
    RemoteCommand command = programCommand(u"upload-take.sh"_s, u"Uploads files"_s,
        {m_folder, QString::number(m_summary.files), QString::number(m_summary.bytes)});
    command.interactive = true;
    command.deadlineSeconds = 24 * 3600; // none would make it a stream, which may be ended for others
    m_process = m_shell.start(command);
    connect(m_process.get(), &RemoteProcess::inputSent, this, [this](qint64 total) {
        m_sent = total;
        emit progressed(m_sent, m_total);
        sendPieces();
    });
    connect(m_process.get(), &RemoteProcess::finished, this, [this, command](const Result<CommandOutcome>& outcome) {
        if (m_failure)
            end(fail(*m_failure));
        else if (!outcome)
            end(fail(outcome.error()));
        else if (!outcome->succeeded())
            end(fail(outcome->toError(command).within(u"The files could not be copied"_s)));
        else
            end(m_summary);
    });
    sendPieces();
}

void Upload::sendPieces()
{
    while (!m_over && !m_closed && m_written - m_sent < window) {
        const QByteArray piece = nextPiece();
        if (m_failure) { // half a stream: the other side throws it away, then says so
            m_closed = true;
            m_process->closeInput();
            return;
        }
        m_written += piece.size();
        m_process->write(piece);
        if (m_written == m_total) {
            m_closed = true;
            m_process->closeInput();
        }
    }
}

QByteArray Upload::nextPiece()
{
    if (m_file.isOpen()) {
        const QByteArray bytes = m_file.read(qMin(pieceSize, m_left));
        m_left -= bytes.size();
        if (bytes.isEmpty() || (m_left == 0 && !m_file.atEnd())) {
            m_failure
                = Error{Fault::Io, u"%1 was changed while it was read; nothing was copied."_s.arg(m_file.fileName()),
                    {}, u"Submit again when nothing writes to it."_s};
            return {};
        }
        if (m_left > 0)
            return bytes;
        const qint64 padding = tarPadding(m_entries.at(m_next - 1).remote.size);
        m_file.close();
        return bytes + QByteArray(padding, '\0');
    }
    if (m_next >= m_entries.size())
        return tarEnd();
    const UploadEntry& entry = m_entries.at(m_next++);
    if (!entry.remote.isFolder && entry.remote.size > 0) {
        m_file.setFileName(entry.local);
        m_left = entry.remote.size;
        if (!m_file.open(QIODevice::ReadOnly)) {
            m_failure = Error{Fault::Io, u"%1 cannot be read; nothing was copied."_s.arg(entry.local),
                m_file.errorString(), u"Check its permissions."_s};
            return {};
        }
    }
    return tarHeader(entry.remote);
}

void Upload::end(const Result<UploadSummary>& outcome)
{
    if (std::exchange(m_over, true))
        return;
    m_file.close();
    if (m_process) { // it may be the sender of what led here
        m_process->disconnect(this);
        m_process.release()->deleteLater();
    }
    emit finished(outcome);
}

} // namespace rankwright
