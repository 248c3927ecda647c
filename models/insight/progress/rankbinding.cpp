// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/rankbinding.h"

#include "models/core/quantitytext.h"

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostCounted = 1 << 17; ///< ranks of a job that are told apart
constexpr qsizetype mostNamed = 8; ///< in a sentence

bool differs(const RankReport& report) { return report.coresDiffer() || report.deviceDiffers(); }

} // namespace

void RankBinding::restart()
{
    m_began = false;
    m_first.reset();
    m_differing.clear();
    m_differ.clear();
}

void RankBinding::forget()
{
    restart();
    m_ranks = 0;
}

void RankBinding::addReport(const RankReport& report)
{
    if (report.rank >= mostCounted)
        return;
    const bool again
        = m_began || report.worldSize != m_ranks || (report.rank == 0 && m_first) || m_differ.contains(report.rank);
    if (again) {
        restart();
        ++m_starts;
    }
    m_ranks = report.worldSize;
    if (report.rank == 0)
        m_first = report;
    if (!differs(report))
        return;
    m_differ.insert(report.rank);
    if (m_differing.size() >= mostKept)
        return;
    const auto place = std::lower_bound(m_differing.begin(), m_differing.end(), report.rank,
        [](const RankReport& one, int rank) { return one.rank < rank; });
    m_differing.insert(place, report);
}

RankBinding::State RankBinding::state() const
{
    if (m_ranks == 0)
        return State::NotReported;
    if (!m_differ.isEmpty())
        return State::Differs;
    if (!m_first)
        return State::Pending;
    if (!m_first->comparable)
        return State::OtherHardware;
    if (!m_first->coresPlanned)
        return State::Unplanned;
    return m_began || m_ranks == 1 ? State::Bound : State::Pending;
}

std::optional<int> RankBinding::bound() const
{
    const bool comparable = m_first && m_first->comparable && m_first->coresPlanned;
    if (!comparable || (!m_began && m_ranks > 1))
        return std::nullopt;
    return std::max(0, m_ranks - int(m_differ.size()));
}

RankBinding RankBinding::restored(const Saved& saved)
{
    RankBinding binding;
    for (const RankReport& report : saved.reports) {
        if (report.rank != 0 || !binding.m_first)
            binding.addReport(report);
    }
    for (int rank = 0; rank < qMin(binding.m_ranks, mostCounted) && binding.notAsPlanned() < saved.notAsPlanned; ++rank)
        binding.m_differ.insert(rank); // those that are not named
    binding.m_starts = binding.isReported() ? saved.starts : 0;
    binding.m_began = binding.isReported() && saved.began;
    return binding;
}

QString rankBindingTitle(const RankBinding& binding)
{
    const QString all = counted(binding.ranks(), u"rank"_s);
    switch (binding.state()) {
    case RankBinding::State::Bound: return u"%1 of %2 bound as planned"_s.arg(binding.ranks()).arg(all);
    case RankBinding::State::Differs: return u"%1 of %2 not as planned"_s.arg(binding.notAsPlanned()).arg(all);
    case RankBinding::State::Pending: return u"rank 0 bound as planned, others not known yet"_s;
    case RankBinding::State::Unplanned: return u"no cores planned"_s;
    case RankBinding::State::OtherHardware: return u"binding not comparable"_s;
    case RankBinding::State::NotReported: break;
    }
    return u"binding not reported"_s;
}

QString rankBindingText(const RankBinding& binding)
{
    QStringList said;
    switch (binding.state()) {
    case RankBinding::State::NotReported:
        return u"No rank reported its cores and its device. Scripts of Rankwright make each rank look before the program "
               "starts; other scripts, and ranks that an agent starts unbound, say nothing."_s;
    case RankBinding::State::Pending:
        return binding.first() ? u"Rank 0 is bound as planned. The others report only what differs; whether they have "
                                 "looked is known with the first step."_s
                               : u"Rank 0 has not reported yet."_s;
    case RankBinding::State::Bound:
        return u"Every rank compared its cores and its device with the plan before the program started: %1 bound as "
               "planned."_s.arg(binding.ranks() == 1 ? u"it is"_s : u"all %1 are"_s.arg(binding.ranks()));
    case RankBinding::State::Unplanned:
        return u"The design has no cores for its ranks: on a part of a node Slurm chooses them."_s;
    case RankBinding::State::OtherHardware:
        return u"%1 What the binding is worth cannot be compared."_s.arg(rankReportText(*binding.first()));
    case RankBinding::State::Differs: break;
    }
    for (const RankReport& report : binding.differing().mid(0, mostNamed))
        said.append(rankReportText(report));
    if (const qsizetype more = binding.notAsPlanned() - qMin(mostNamed, binding.differing().size()); more > 0)
        said.append(u"%1 more differ."_s.arg(more));
    return said.join(u' ');
}

} // namespace rankwright::inline insight
