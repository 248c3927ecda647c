// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/clilogin.h"
#include "app/transfer/filetransfer.h"

namespace rankwright {

/// The options that all transfers have in common.
QList<CliOption> transferOptions(const QList<CliOption>& own = {});

/// Transfers of a command, one after the other: says what would be done, does it, reports progress on standard error
/// and the sum as the answer. With --resume it waits for a connection that broke, and goes on.
class TransferRun final : public QObject {
    Q_OBJECT
public:
    using Maker = std::function<std::unique_ptr<FileTransfer>()>;
    explicit TransferRun(CliLogin& login);
    ~TransferRun() override;

    void add(Maker maker) { m_makers.append(std::move(maker)); }
    /// Ends in the login's finish().
    void start();
    /// Room at the target, for warnings; set before the first transfer starts.
    void setRoom(const QList<StorageRoom>& rooms, const QByteArray& folder);

private:
    void startNextTransfer();
    void handlePlan(const TransferPlan& plan);
    void printPlan(const TransferPlan& plan);
    void showProgress(const TransferProgress& progress);
    void handleEnd(const Result<TransferSummary>& outcome);
    void awaitLink(const Error& why);
    void printSum();

    CliLogin& m_login;
    QList<Maker> m_makers;
    qsizetype m_next = 0; ///< maker of the transfer that comes next
    std::unique_ptr<FileTransfer> m_transfer;
    TransferSummary m_sum;
    QJsonArray m_entries; ///< of --dry-run
    QList<StorageRoom> m_rooms;
    QByteArray m_folder;
    qint64 m_wouldFiles = 0;
    qint64 m_wouldBytes = 0;
    int m_tenth = 0;
    int m_retries = 0;
};

} // namespace rankwright
