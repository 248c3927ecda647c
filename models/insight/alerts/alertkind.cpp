// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/alerts/alertkind.h"

#include <array>

namespace rankwright::inline insight {

namespace {

struct AlertKindWords {
    AlertKind kind;
    QStringView id;
    QStringView name;
};

constexpr std::array<AlertKindWords, std::size_t(alertKindCount)> alertKindWords{{
    {AlertKind::OutputFailure, u"A01", u"output_failure"},
    {AlertKind::Hang, u"A02", u"hang"},
    {AlertKind::DeadNode, u"A03", u"dead_node"},
    {AlertKind::LostRank, u"A04", u"lost_rank"},
    {AlertKind::MissingRank, u"A05", u"missing_rank"},
    {AlertKind::SilentNode, u"A06", u"silent_node"},
    {AlertKind::Straggler, u"A07", u"straggler"},
    {AlertKind::UnevenWork, u"A08", u"uneven_work"},
    {AlertKind::WaitingCollective, u"A09", u"waiting_collective"},
    {AlertKind::IdleGpus, u"A10", u"idle_gpus"},
    {AlertKind::CrowdedGpu, u"A11", u"crowded_gpu"},
    {AlertKind::WrongBinding, u"A12", u"wrong_binding"},
    {AlertKind::SharedCores, u"A13", u"shared_cores"},
    {AlertKind::DataLoading, u"A14", u"data_loading"},
    {AlertKind::MemoryGrowing, u"A15", u"memory_growing"},
    {AlertKind::LossNan, u"A16", u"loss_nan"},
    {AlertKind::SmallWork, u"A17", u"small_work"},
    {AlertKind::UnevenStages, u"A18", u"uneven_stages"},
    {AlertKind::Throttled, u"A19", u"throttled"},
    {AlertKind::HostMemory, u"A20", u"host_memory"},
    {AlertKind::TimeLimit, u"A21", u"time_limit"},
    {AlertKind::Stalled, u"A22", u"stalled"},
    {AlertKind::MemoryUnused, u"A23", u"memory_unused"},
    {AlertKind::UnusedShare, u"A24", u"unused_share"},
    {AlertKind::SecondaryDiePower, u"A25", u"secondary_die_power"},
    {AlertKind::OutputSuspicion, u"A26", u"output_suspicion"},
    {AlertKind::MemoryErrors, u"A27", u"memory_errors"},
    {AlertKind::FileWait, u"A28", u"file_wait"},
    {AlertKind::ForeignMemory, u"A29", u"foreign_memory"},
    {AlertKind::SmallKernels, u"A30", u"small_kernels"},
}};

constexpr bool isInOrder()
{
    for (std::size_t place = 0; place < alertKindWords.size(); ++place) {
        if (alertKindWords[place].kind != AlertKind(place))
            return false;
    }
    return true;
}
static_assert(isInOrder());

} // namespace

QStringView wordOf(AlertKind kind)
{
    return std::size_t(kind) < alertKindWords.size() ? alertKindWords[std::size_t(kind)].id : QStringView();
}

QStringView nameOf(AlertKind kind) { return alertKindWords.at(std::size_t(kind)).name; }

} // namespace rankwright::inline insight
