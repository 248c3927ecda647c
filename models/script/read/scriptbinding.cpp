// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/scriptbinding.h"

#include "models/script/read/readstate.h"
#include "models/script/read/trainingreader.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

namespace {

using Kind = LaunchLayer::Kind;

/// One script, and what it starts: its launch and size as they are without a design.
class ScriptStart {
public:
    ScriptStart(const BatchText& batch, const ClusterProfile& profile);

    const BatchText& batch() const { return m_state.batch; }
    const Launch* launch() const { return m_state.launch; }
    const LaunchLayer* layer(LaunchLayer::Kind kind) const { return m_state.layer(kind); }
    int line() const { return launch()->line; }

    std::optional<QString> value(const BatchOption& option) const { return m_state.valueOf(option); }

    /// The step's number of something, else the directives'; nothing: said, but not known before the job runs.
    std::optional<int> number(const QString& name, int otherwise) const;

    struct Size {
        std::optional<int> nodes;
        std::optional<int> tasks;
    };
    /// As srun counts (srun(1)): --ntasks, else tasks of a node times nodes, else one on each node.
    Size size() const;

private:
    Q_DISABLE_COPY(ScriptStart) // the launch may lie within
    ReadState m_state;
};

ScriptStart::ScriptStart(const BatchText& batch, const ClusterProfile& profile)
    : m_state{batch, profile, {}, nullptr, {}, {}, {}, {}, false}
{
    findTrainingLaunch(m_state);
}

std::optional<int> ScriptStart::number(const QString& name, int otherwise) const
{
    const BatchOption* option = m_state.stepOption(name);
    if (option == nullptr)
        return otherwise;
    const BatchOption* directive = batch().option(name);
    static const QRegularExpression own(u"^\\$\\{?SLURM_(NNODES|JOB_NUM_NODES|NTASKS|NPROCS|NTASKS_PER_NODE)\\}?$"_s);
    if (option->word && own.match(option->value).hasMatch() && directive != nullptr)
        option = directive;
    bool fine = false;
    const int count = value(*option).value_or(QString()).toInt(&fine);
    return fine ? std::optional(count) : std::nullopt;
}

ScriptStart::Size ScriptStart::size() const
{
    Size size;
    const bool steps = layer(Kind::Srun) != nullptr;
    const auto nodes = number(u"nodes"_s, 0), tasks = number(u"ntasks"_s, 0);
    const auto perNode = number(u"ntasks-per-node"_s, 0);
    if (!nodes || !tasks || !perNode)
        return size;
    size.nodes = *nodes > 0 ? *nodes : *perNode > 0 && *tasks > 0 ? (*tasks + *perNode - 1) / *perNode : 1;
    if (*nodes == 0 && *tasks > 1 && *perNode == 0)
        size.nodes.reset(); // wherever there is room
    size.tasks = !steps ? 1
        : *tasks > 0    ? *tasks
        : *perNode > 0  ? *perNode * size.nodes.value_or(0)
                        : size.nodes.value_or(0);
    return size;
}

RankPlaces unbound(RankPlaces places, const QString& why, int line)
{
    for (RankPlace& place : places.ranks) {
        place.cores.clear();
        place.mask.clear();
    }
    places.bound = false;
    places.boundBy = BoundBy::Nobody;
    places.unboundReason = why;
    places.note.clear();
    places.scriptLine = line;
    return places;
}

/// Slurm takes the first mask again when a node has more tasks than masks (srun(1)).
RankPlaces masked(RankPlaces places, const QList<QList<int>>& masks, bool agent, int line)
{
    for (RankPlace& place : places.ranks) {
        place.cores = masks.at(agent ? 0 : place.localRank % masks.size());
        place.mask = coreMask(place.cores);
    }
    places.bound = true;
    places.boundBy = BoundBy::Masks;
    places.unboundReason.clear();
    places.note = agent ? u"The --cpu-bind of the script gives all ranks of a node the cores of its first mask."_s
                        : u"The --cpu-bind of the script binds each rank to these cores."_s;
    places.scriptLine = line;
    return places;
}

bool sameCores(const RankPlaces& one, const RankPlaces& other)
{
    return std::equal(one.ranks.cbegin(), one.ranks.cend(), other.ranks.cbegin(), other.ranks.cend(),
        [](const RankPlace& a, const RankPlace& b) { return a.cores == b.cores; });
}

RankPlaces stepPlaces(
    const BatchText& batch, const RankPlaces& planned, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const ScriptStart start(batch, profile);
    const LaunchLayer* srun = start.launch() != nullptr ? start.layer(Kind::Srun) : nullptr;
    if (srun == nullptr || planned.ranks.isEmpty())
        return planned;
    const BatchOption* option = srun->option(u"cpu-bind"_s);
    const std::optional<QString> value = option != nullptr ? start.value(*option) : QString();
    const int line = (option != nullptr ? option->line : start.line()) - 1;
    static const QRegularExpression quietly(u"^(?:q|quiet|v|verbose|,)*$"_s);
    const bool agent = start.layer(Kind::Agent) != nullptr;
    if (option == nullptr || (value && quietly.match(*value).hasMatch())) {
        if (planned.boundBy != BoundBy::Masks || agent)
            return planned;
        return unbound(
            planned, u"The script's srun has no masks: Slurm or the system chooses cores for each rank."_s, line);
    }
    const QString written = u"The script binds by %1 (line %2)"_s.arg(option->written.simplified()).arg(line + 1);
    if (!value)
        return unbound(planned, written + u": which cores that gives is only known when the job runs."_s, line);
    const QList<QList<int>> masks = coresOfBinding(*value);
    if (masks.isEmpty())
        return planned.boundBy == BoundBy::Masks || !planned.bound
            ? unbound(planned, written + u": which cores a rank gets is Slurm's choice."_s, line)
            : planned;
    // Masks count the cores of a whole node; on a part of one Slurm refuses them or moves them.
    if (!resolved.wholeNodes)
        return planned;
    static const QRegularExpression binder(u"\\b(?:taskset|numactl|hwloc-bind)\\s|sched_setaffinity|--numa-binding"_s);
    const auto size = start.size();
    const bool oneEach = size.tasks && size.nodes && *size.tasks == *size.nodes * resolved.gpusPerNode;
    if (agent || !oneEach) {
        if (planned.boundBy == BoundBy::Program && batch.text.contains(binder))
            return planned; // the ranks bind themselves, wherever their agent is
        if (!agent || !size.tasks || size.tasks != size.nodes)
            return unbound(planned, written + u" for another number of tasks than the design's ranks."_s, line);
    }
    const RankPlaces places = masked(planned, masks, agent, line);
    return planned.bound && sameCores(places, planned) ? planned : places;
}

} // namespace

RankPlaces placesInScript(const ResolvedSpec& resolved, const ClusterProfile& profile, const BatchText& script)
{
    const RankPlaces planned = planRanks(resolved, profile);
    // Unchanged text needs no reading.
    return resolved.spec.overrides.isEmpty() ? planned : stepPlaces(script, planned, resolved, profile);
}

} // namespace rankwright::inline script
