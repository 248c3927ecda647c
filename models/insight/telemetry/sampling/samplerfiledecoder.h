// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayList>
#include <QHash>
#include <QString>
#include <optional>

namespace rankwright::inline insight {

/// What is in the record that one node of a job wrote (NODE.rws), as lines of the sampling command: the record
/// holds them delta-coded (format: docs/telemetry.md). Takes the file in pieces cut anywhere, whole or from any of its
/// full readings on; a cut last line waits for its rest. A line that was damaged or lost costs everything up to the
/// next full reading (60 readings), never a wrong figure. Owns the state of the decoding and nothing else.
class SamplerFileDecoder {
public:
    /// The lines that are now complete: "@rw-gpus NODE EPOCH_MS ...", as the sampling command printed them.
    QByteArrayList feed(const QByteArray& bytes);

    const QString& node() const { return m_nodeName; } ///< of the newest head; empty: none yet
    const QString& job() const { return m_job; }
    std::optional<int> intervalMs() const { return m_intervalMs; }
    int starts() const { return m_starts; } ///< heads so far: more than one after a requeue
    int damaged() const { return m_damaged; } ///< lines that could not be read
    bool isFull() const { return m_full; } ///< the record stopped since it was as long as it may become

private:
    void readHead(const QByteArray& line);
    std::optional<QByteArray> decode(const QByteArray& line);
    std::optional<QByteArray> decodeRecords(char kind, const QByteArray& text);
    std::optional<QByteArray> decodeRecord(char kind, const QByteArray& text);
    void skipDamaged();

    QByteArray m_pending;
    QByteArray m_node;
    QString m_nodeName;
    QString m_job;
    std::optional<int> m_intervalMs;
    QHash<QByteArray, QByteArray> m_old; ///< kind and key -> record as reported last
    qint64 m_lastMs = 0;
    std::optional<int> m_next; ///< number that the next line has to have; empty: any
    int m_starts = 0;
    int m_damaged = 0;
    bool m_synced = false; ///< the time is known
    bool m_full = false;
    bool m_skipping = false; ///< inside a line that is far too long
};

} // namespace rankwright::inline insight
