// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/transfer/downloadtransfer.h"
#include "app/transfer/uploadtransfer.h"
#include "tests/support/testbase.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>

#include <filesystem>

namespace rankwright::test {

/// Two folders of this machine, "here" and "there", and transfers between them over any shell.
class TransferFixture {
    Q_DISABLE_COPY_MOVE(TransferFixture)
public:
    TransferFixture() = default;
    ~TransferFixture() { std::filesystem::remove_all(m_folder.path().toStdString()); } // names that are not UTF-8, too
    QString at(const QString& path) const { return m_folder.filePath(path); }
    QByteArray bytesAt(const QString& path) const { return QFile::encodeName(at(path)); }
    void write(const QString& path, const QByteArray& bytes, int ageSeconds = 100) const
    {
        QDir().mkpath(QFileInfo(at(path)).path());
        QFile file(at(path));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush()
            || !file.setFileTime(QDateTime::currentDateTime().addSecs(-ageSeconds), QFileDevice::FileModificationTime))
            qFatal("%s cannot be written", qPrintable(path));
    }
    QByteArray read(const QString& path) const
    {
        QFile file(at(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(missing)");
    }
    /// Hidden files of transfers, both sides.
    QStringList leftovers() const
    {
        QStringList found;
        QDirIterator each(m_folder.path(), {QStringLiteral(".rankwright-part-*")}, QDir::AllEntries | QDir::Hidden,
            QDirIterator::Subdirectories);
        while (each.hasNext())
            found.append(each.next());
        return found;
    }
    /// Looks, goes, waits. `whilePlanned` may spoil something before it goes.
    static Result<TransferSummary> finish(FileTransfer& transfer, bool replaceNewer = false,
        const std::function<void(const TransferPlan&)>& whenPlanned = {})
    {
        std::optional<Result<TransferSummary>> outcome;
        QObject guard;
        QObject::connect(&transfer, &FileTransfer::transferPlanned, &guard, [&](const TransferPlan& plan) {
            if (whenPlanned)
                whenPlanned(plan);
            transfer.go(replaceNewer);
        });
        QObject::connect(&transfer, &FileTransfer::finished, &guard,
            [&outcome](const Result<TransferSummary>& result) { outcome = result; });
        transfer.compareSides();
        if (!test::comes([&] { return outcome.has_value(); }))
            return fail(Fault::TimedOut, QStringLiteral("the transfer did not end"));
        return *outcome;
    }
    Result<TransferSummary> upload(RemoteShell& shell, const QString& what, bool replaceNewer = false) const
    {
        UploadTransfer transfer(shell, {at(what)}, bytesAt(QStringLiteral("there")));
        return finish(transfer, replaceNewer);
    }
    Result<TransferSummary> download(RemoteShell& shell, const QByteArray& name, bool replaceNewer = false) const
    {
        DownloadTransfer transfer(shell, bytesAt(QStringLiteral("there")), {name}, bytesAt(QStringLiteral("back")));
        return finish(transfer, replaceNewer);
    }

private:
    QTemporaryDir m_folder;
};

} // namespace rankwright::test
