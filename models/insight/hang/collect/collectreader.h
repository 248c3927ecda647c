// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/rankevidence.h"

#include <QByteArray>
#include <QHash>
#include <QSet>

namespace rankwright::inline insight {

/// Reads the lines that resources/remote/node-hang.sh prints (docs/where.md), of many nodes and in any mixture, into
/// what was seen of each rank. Lines that are none of its own, cut or damaged are passed over; what they said is then
/// missing and a note says so. At most 20,000 nodes, 131,072 processes, 96 MiB of packed texts, 8 MiB of one text
/// unpacked and 1 GiB of all.
class CollectReader {
public:
    void feed(const QByteArray& bytes);
    enum class Asked { AllNodes, SomeNodes };
    /// What was read so far. `nodes`: all that were asked; `asked`: whether these are all of the job.
    HangEvidence evidence(const QStringList& nodes, Asked asked) const;
    /// Nodes whose lines are all there.
    qsizetype nodesDone() const { return m_done.size(); }
    bool isEmpty() const { return m_processes.isEmpty() && m_done.isEmpty(); }

private:
    struct Key {
        QByteArray node;
        qint64 pid = 0;
        bool operator==(const Key&) const = default;
        friend size_t qHash(const Key& key, size_t seed = 0) { return qHashMulti(seed, key.node, key.pid); }
    };
    struct Process {
        RankEvidence seen;
        bool isListed = false; ///< its own line has come
        std::optional<int> worldSize;
        qint64 beforeMs = 0, nowMs = 0; ///< when it was read, by its node's clock
        qsizetype order = 0;
    };
    struct Text {
        QByteArray packed;
        int pieces = 0;
        bool isBroken = false; ///< a piece is missing
    };
    class Line;

    void readLine(QByteArrayView line);
    void readRank(const QByteArray& node, Line& line);
    void readSnapshot(Process& process, Line& line, qint64 takenMs);
    void readPiece(const Key& key, Line& line);
    void endText(const Key& key, Line& line);
    void repeatText(const Key& key, Line& line);
    void readText(const Key& key, const QByteArray& name, const QByteArray& text);
    void addNote(const Key& key, const QString& text);
    Process* processOf(const Key& key);

    QByteArray m_rest; ///< of a line that is not whole yet
    QHash<Key, Process> m_processes;
    QHash<QByteArray, QHash<qint64, QHash<QByteArray, Text>>> m_texts; ///< open ones, by node, process and name
    QHash<QByteArray, NodeRas> m_ras;
    QHash<QByteArray, int> m_ranksOf; ///< how many ranks a node said it has
    QSet<QByteArray> m_done;
    QStringList m_notes;
    qint64 m_packedBytes = 0;
    qint64 m_textBytes = 0;
    qsizetype m_order = 0;
};

/// Puts a second look at some nodes over the first: their ranks are replaced.
void replaceRanks(HangEvidence& evidence, const HangEvidence& newer);

} // namespace rankwright::inline insight
