// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/text/rankreport.h"

#include <QList>
#include <QSet>

#include <optional>

namespace rankwright::inline insight {

/// Whether a job's ranks are where the plan has them, by the lines that they write at their start (script rule R43).
/// Rank 0 always writes one, the others only when they differ: a silent rank counts as bound only once the training
/// has begun, since by then every rank has checked. A job that is queued again, or whose agent starts the ranks again,
/// begins again. Constant memory. Value type without I/O.
class RankBinding {
public:
    enum class State {
        NotReported, ///< no line came: nothing is known, and least of all that they are bound
        Pending, ///< rank 0 is as planned; the others may still have to report
        Bound, ///< all are
        Differs, ///< some rank has other cores or another device than planned
        Unplanned, ///< the plan has no cores for them: Slurm chooses
        OtherHardware, ///< the nodes have not got the planned cores: nothing can be compared
    };
    static constexpr int mostKept = 256; ///< ranks that differ and are named

    void addReport(const RankReport& report);
    /// A step of the training was reported, or the job completed.
    void begin() { m_began = m_began || m_ranks > 0; }

    /// The job waits again: nothing is known of its next start.
    void forget();

    State state() const;
    bool isReported() const { return m_ranks > 0; }
    int ranks() const { return m_ranks; } ///< of the job; 0: not reported
    int starts() const { return m_starts; } ///< how often the ranks were started, as far as seen
    /// Ranks that are known to be as planned; empty: not known, or there is nothing to compare.
    std::optional<int> bound() const;
    int notAsPlanned() const { return int(m_differ.size()); }
    /// Those that are not as planned, by rank; of many the first that reported.
    const QList<RankReport>& differing() const { return m_differing; }
    const std::optional<RankReport>& first() const { return m_first; } ///< what rank 0 reported
    bool hasBegun() const { return m_began; }

    /// What is kept of one.
    struct Saved {
        QList<RankReport> reports; ///< of rank 0 and of those that are named
        int notAsPlanned = 0;
        int starts = 0;
        bool began = false;
    };
    static RankBinding restored(const Saved& saved);
    bool operator==(const RankBinding&) const = default;

private:
    void restart();

    int m_ranks = 0;
    int m_starts = 0;
    bool m_began = false;
    std::optional<RankReport> m_first;
    QList<RankReport> m_differing;
    QSet<int> m_differ; ///< all of them
};

/// What the ranks had reported by a moment.
struct BindingAt {
    qint64 atMs = 0;
    RankBinding binding;
};

/// "16 of 16 ranks bound as planned", "2 of 16 ranks not as planned", "binding not reported".
QString rankBindingTitle(const RankBinding& binding);
/// One or more sentences: who is elsewhere, what it has and what was planned; what is not known and why.
QString rankBindingText(const RankBinding& binding);

} // namespace rankwright::inline insight
