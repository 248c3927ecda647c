// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/transfer/remotefiles.h"
#include "models/cluster/transfer/transferpace.h"

#include <QElapsedTimer>

#include <atomic>
#include <functional>
#include <optional>

namespace rankwright {

/// What a transfer did.
struct TransferSummary {
    qint64 files = 0; ///< copied
    qint64 bytes = 0; ///< of these files
    qint64 skipped = 0; ///< there already
    qint64 newer = 0; ///< newer on the other side: left alone
    qint64 refused = 0;
    qint64 resumedBytes = 0; ///< of `bytes`: there from an attempt before
    double seconds = 0;
};

/// One transfer over an open connection: looks at both sides, says what it would do, and does it when it is let. Each
/// file is written under a hidden name, checked by SHA-256 and renamed; what breaks off inside a large file is gone on
/// with by the next transfer of the same file. Small files travel as one tar stream. Destroying it ends it. Lives on
/// the caller's thread; reads lists and checksums on the pool.
class FileTransfer : public QObject {
    Q_OBJECT
public:
    explicit FileTransfer(RemoteShell& shell, QObject* parent = nullptr);
    ~FileTransfer() override;

    /// Looks at both sides; transferPlanned() or finished() follows.
    virtual void compareSides() = 0;
    /// After transferPlanned(). `replaceNewer`: a person said so.
    void go(bool replaceNewer);
    const TransferPlan& plan() const { return m_plan; }
    const TransferProgress& progress() const { return m_progress; }

signals:
    /// Both sides' files are compared byte for byte, those of the same size and another time.
    void comparing(qint64 files);
    void transferPlanned(const rankwright::TransferPlan& plan);
    void progressed(const rankwright::TransferProgress& progress); ///< ten times a second at most
    void finished(const rankwright::Result<rankwright::TransferSummary>& outcome); ///< once, last

protected:
    /// One command after the other: many small entries, or one large file.
    struct Unit {
        QList<FileEntry> entries;
        qint64 bytes = 0;
        bool isLarge = false;
    };
    /// What both sides have; says what needs checksums.
    QList<QByteArray> weigh(const QList<FileEntry>& from, const FileStates& there);
    /// The side that a transfer copies from.
    enum class Source { Here, There };
    /// Reads the checksums of `paths` on both sides; transferPlanned() or finished() follows. `folder`: on the cluster;
    /// `localPath`: where a path lies on this machine, called on the pool. A local file that cannot be read has none.
    void compareSums(const QByteArray& folder, const QList<QByteArray>& paths, Source source,
        const std::function<QByteArray(const QByteArray& path)>& localPath);
    virtual void send(const Unit& unit) = 0;
    /// The unit is in place.
    void unitDone();
    /// Bytes of the unit that were transferred so far.
    void unitProgress(qint64 bytes);
    void addResumed(qint64 bytes) { m_summary.resumedBytes += bytes; }
    void end(const Result<TransferSummary>& outcome);
    void endWith(const Error& why) { end(fail(why)); }
    bool isOver() const { return m_isOver; }
    RemoteShell& shell() { return m_shell; }
    const Unit& unit() const { return m_units.at(*m_unit); }
    const std::shared_ptr<std::atomic<bool>>& stopped() const { return m_stopped; }

private:
    void planWith(const ComparedSums& sums);
    void nextUnit();

    RemoteShell& m_shell;
    std::shared_ptr<std::atomic<bool>> m_stopped = std::make_shared<std::atomic<bool>>(false);
    QList<FileEntry> m_from;
    FileStates m_there;
    ComparedSums m_sums;
    TransferPlan m_plan;
    QList<Unit> m_units;
    std::optional<qsizetype> m_unit; ///< that is copied; empty: before the first
    TransferProgress m_progress;
    TransferPace m_pace;
    TransferSummary m_summary;
    QElapsedTimer m_clock;
    qint64 m_doneBytes = 0; ///< of units before
    qint64 m_reportedAt = -1000;
    bool m_isOver = false;
};

/// A file of this many bytes or more is sent alone, and can be resumed inside.
inline constexpr qint64 largeFileBytes = 4 * 1024 * 1024;

} // namespace rankwright
