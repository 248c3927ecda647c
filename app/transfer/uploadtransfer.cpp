// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/transfer/uploadtransfer.h"

#include "app/base/whendone.h"
#include "app/transfer/uploadstream.h"
#include "models/cluster/transfer/filenames.h"

#include <QRandomGenerator>
#include <QtConcurrent>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 window = 4 * 1024 * 1024; // written and not yet taken by the connection
constexpr int uploadDaySeconds = 24 * 3600; // no deadline would make it a stream, which may be ended for others

} // namespace

UploadTransfer::UploadTransfer(
    RemoteShell& shell, QStringList paths, QByteArray folder, IgnoreFiles ignoreFiles, QObject* parent)
    : FileTransfer(shell, parent), m_paths(std::move(paths)), m_folder(std::move(folder)), m_ignoreFiles(ignoreFiles)
{ }

UploadTransfer::~UploadTransfer() = default;

void UploadTransfer::compareSides()
{
    const auto listing = QtConcurrent::run(
        [paths = m_paths, ignoring = m_ignoreFiles, stop = stopped()] { return listLocal(paths, ignoring, stop); });
    whenDone(listing, this, [this](const Result<LocalTree>& tree) {
        if (!tree) {
            endWith(tree.error());
            return;
        }
        m_tree = *tree;
        QList<QByteArray> paths;
        for (const FileEntry& entry : m_tree.entries)
            paths.append(entry.path);
        askRemote(shell(), m_folder, paths, this, [this](const Result<FileStates>& there) {
            if (!there)
                endWith(there.error());
            else
                compare(weigh(m_tree.entries, *there));
        });
    });
}

void UploadTransfer::compare(const QList<QByteArray>& paths)
{
    // What cannot be read here is reported when it is sent.
    compareSums(
        m_folder, paths, Source::Here, [tree = m_tree](const QByteArray& path) { return tree.localPath(path); });
}

QByteArray UploadTransfer::hiddenName() const
{
    const FileEntry& first = unit().entries.first();
    return partialName(unit().isLarge ? first.path : baseOf(first.path), first.size, first.modified)
        + (unit().isLarge ? QByteArray() : "-" + QByteArray::number(unit().entries.size()));
}

void UploadTransfer::send(const Unit& unit)
{
    m_answer.clear();
    if (unit.isLarge)
        findStart(unit.entries.first());
    else
        begin(transferStep(u"take-tar"_s, m_folder, {stepPath(hiddenName())}), UploadStream::tar(unit.entries, m_tree),
            0);
}

/// What an earlier attempt has left there, and whether it is the beginning of this very file.
void UploadTransfer::findStart(const FileEntry& entry)
{
    RemoteCommand command = transferStep(u"part"_s, m_folder, {stepPath(hiddenName()), QByteArray::number(entry.size)});
    command.deadlineSeconds = uploadDaySeconds;
    shell().run(command, this, [this, command, entry](const Result<CommandOutcome>& outcome) {
        if (!outcome) {
            endWith(outcome.error());
            return;
        }
        if (!outcome->succeeded()) {
            endWith(stepError(*outcome, command, u"The folder could not be inspected"_s));
            return;
        }
        const QByteArrayList words = outcome->output.simplified().split(' ');
        checkStart(entry, words.value(0).toLongLong(), words.value(1));
    });
}

void UploadTransfer::checkStart(const FileEntry& entry, qint64 size, const QByteArray& sum)
{
    const auto sendFrom = [this, entry](qint64 offset, const std::shared_ptr<FileHash>& hash) {
        addResumed(offset);
        begin(transferStep(u"take-file"_s, m_folder,
                  {stepPath(hiddenName()), QByteArray::number(offset), QByteArray::number(entry.size)}),
            UploadStream::file(entry, m_tree, offset, hash), offset);
    };
    if (size <= 0 || size > entry.size) {
        sendFrom(0, std::make_shared<FileHash>());
        return;
    }
    const auto adding = QtConcurrent::run(
        [path = m_tree.localPath(entry.path), size, stop = stopped()] { return localSum(path, size, stop); });
    whenDone(adding, this, [this, sendFrom, size, sum](const Result<std::shared_ptr<FileHash>>& own) {
        if (!own)
            endWith(own.error());
        else if ((*own)->hex() == sum)
            sendFrom(size, *own);
        else // of another content: from the beginning
            sendFrom(0, std::make_shared<FileHash>());
    });
}

void UploadTransfer::begin(const RemoteCommand& step, std::shared_ptr<UploadStream> stream, qint64 before)
{
    RemoteCommand command = step;
    command.interactive = true;
    command.deadlineSeconds = uploadDaySeconds;
    m_stream = std::move(stream);
    m_before = before;
    m_written = 0;
    m_sent = 0;
    m_isClosed = false;
    m_isReading = false;
    m_process = shell().start(command);
    connect(
        m_process.get(), &RemoteProcess::outputArrived, this, [this](const QByteArray& bytes) { m_answer += bytes; });
    connect(m_process.get(), &RemoteProcess::inputSent, this, [this](qint64 total) {
        m_sent = total;
        unitProgress(m_before + total);
        sendNextPiece();
    });
    connect(m_process.get(), &RemoteProcess::finished, this,
        [this, command](const Result<CommandOutcome>& outcome) { handleEnd(command, outcome); });
    unitProgress(m_before);
    sendNextPiece();
}

void UploadTransfer::sendNextPiece()
{
    if (m_isReading || m_isClosed || !m_process || m_written - m_sent >= window)
        return;
    m_isReading = true;
    const auto reading = QtConcurrent::run([stream = m_stream] { return stream->next(); });
    whenDone(reading, this, [this, stream = m_stream](const Result<QByteArray>& piece) {
        if (stream != m_stream)
            return; // of a unit that has ended
        m_isReading = false;
        if (!m_process || isOver())
            return;
        if (!piece)
            m_failure = piece.error();
        if (!piece || piece->isEmpty()) { // half a stream is noticed there, and nothing put into place
            m_isClosed = true;
            m_process->closeInput();
            return;
        }
        m_written += piece->size();
        m_process->write(*piece);
        sendNextPiece();
    });
}

void UploadTransfer::handleEnd(const RemoteCommand& command, const Result<CommandOutcome>& outcome)
{
    m_process->disconnect(this);
    m_process.release()->deleteLater(); // it is the sender
    if (m_failure)
        endWith(*m_failure);
    else if (!outcome)
        endWith(outcome.error());
    else if (!outcome->succeeded())
        endWith(stepError(*outcome, command, u"The cluster did not take the files"_s));
    else
        verify();
}

/// Both sides' checksums of what was sent; then it is put into place.
void UploadTransfer::verify()
{
    FileSums theirs;
    if (unit().isLarge) {
        theirs.insert(unit().entries.first().path, m_answer.trimmed());
    } else {
        const auto sums = parseSums(m_answer);
        if (!sums) {
            endWith(sums.error());
            return;
        }
        theirs = *sums;
    }
    for (const FileEntry& entry : unit().entries) {
        if (entry.kind != FileEntry::Kind::File || theirs.value(entry.path) == m_stream->sums().value(entry.path, "-"))
            continue;
        const Error wrong{Fault::Unreadable,
            u"%1 arrived with a wrong checksum; it was thrown away."_s.arg(shownName(entry.path)),
            u"SHA-256 here %1, there %2"_s.arg(
                QString::fromLatin1(m_stream->sums().value(entry.path)), shownName(theirs.value(entry.path), 80)),
            u"Send it again. If it happens again, tell the operators: a disk or network there may be failing."_s};
        shell().run(dropCommand(), this, [this, wrong](const Result<CommandOutcome>&) { endWith(wrong); });
        return;
    }
    if (unit().isLarge) {
        const FileEntry& entry = unit().entries.first();
        putIntoPlace(transferStep(u"place-file"_s, m_folder,
            {stepPath(hiddenName()), stepPath(entry.path), QByteArray::number(entry.mode & 0777, 8),
                QByteArray::number(entry.modified)}));
    } else
        putIntoPlace(transferStep(u"place-tree"_s, m_folder, {stepPath(hiddenName())}));
}

void UploadTransfer::putIntoPlace(const RemoteCommand& command)
{
    shell().run(command, this, [this, command](const Result<CommandOutcome>& outcome) {
        if (!outcome)
            endWith(outcome.error());
        else if (!outcome->succeeded())
            endWith(stepError(*outcome, command, u"What arrived could not be put into place"_s));
        else
            unitDone();
    });
}

RemoteCommand UploadTransfer::dropCommand() const
{
    return transferStep(u"drop"_s, m_folder, {stepPath(hiddenName())});
}

} // namespace rankwright
