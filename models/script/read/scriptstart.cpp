// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/scriptstart.h"

#include "models/script/read/trainingreader.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

using Kind = LaunchLayer::Kind;

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

} // namespace rankwright::inline script
