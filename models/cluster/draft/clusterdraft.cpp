// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/draft/clusterdraft.h"

#include "models/cluster/draft/draftnodes.h"
#include "models/cluster/draft/draftpartitions.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

/// The first module whose name is one of `names`, without its version where there is a default.
QString moduleNamed(const QStringList& modules, const QStringList& names)
{
    for (const QString& name : names) {
        for (const QString& module : modules) {
            if (module == name || module.startsWith(name + u'/'))
                return name;
        }
    }
    return {};
}

void draftLaunch(ClusterDraft& draft, const ClusterSurvey& survey)
{
    LaunchDefaults& launch = draft.profile.launch;
    QStringList types;
    for (const NodeShape& node : draft.profile.nodes) {
        if (!types.contains(node.gpu.slurmName))
            types.append(node.gpu.slurmName);
    }
    const bool countsGpus = survey.config.value(u"SelectType"_s).contains(u"cons_tres"_s);
    if (types.isEmpty())
        launch.gpuRequest = GpuRequest::None;
    else if (types.size() > 1 || !countsGpus)
        launch.gpuRequest = GpuRequest::Gres;
    if (types.size() > 1)
        draft.doubts.append({u"$.launch.gpuRequest"_s,
            u"There are several GPU types, so they are asked for by --gres with the type."_s});
    launch.partitionRequired = std::none_of(survey.partitions.begin(), survey.partitions.end(),
        [](const SlurmCells& cells) { return cells.value(u"Default"_s) == u"YES"; });
    launch.accountExample = survey.accounts.value(0);
    launch.accountRequired = false;
    draft.doubts.append({u"$.launch.accountRequired"_s,
        survey.accounts.isEmpty()
            ? u"Slurm reported no account of yours; set true if the site refuses jobs without one."_s
            : u"Your accounts are %1; set true if the site refuses jobs without one."_s.arg(
                survey.accounts.join(u", "_s))});
    if (!survey.spentAccounts.isEmpty())
        draft.doubts.append({u"$.launch.accountExample"_s,
            u"Used up, so that their jobs do not start: %1."_s.arg(survey.spentAccounts.join(u", "_s))});
    for (const SlurmCells& reservation : survey.reservations)
        draft.doubts.append({u"$.partitions"_s,
            u"The reservation “%1” keeps %2 until %3; jobs get there by --reservation alone."_s.arg(
                reservation.value(u"ReservationName"_s), reservation.value(u"Nodes"_s, u"some nodes"_s),
                reservation.value(u"EndTime"_s, u"an unknown time"_s))});
    if (!survey.config.value(u"JobSubmitPlugins"_s).isEmpty())
        draft.doubts.append({u"$.launch"_s,
            u"A submit filter (%1) may change or refuse what scripts ask for: see the site's own pages."_s.arg(
                survey.config.value(u"JobSubmitPlugins"_s))});
}

void draftSoftware(ClusterDraft& draft, const ClusterSurvey& survey)
{
    const QString torch = moduleNamed(survey.modules, {u"pytorch"_s, u"python-pytorch"_s, u"PyTorch"_s});
    if (!torch.isEmpty())
        draft.profile.launch.modules = {torch};
    if (survey.modules.isEmpty()) {
        draft.doubts.append({u"$.launch.modules"_s, u"No module system was seen: name modules or a container."_s});
    } else {
        QStringList seen;
        for (const QString& name :
            {u"cuda"_s, u"rocm"_s, u"nccl"_s, u"apptainer"_s, u"singularity"_s, u"cray-python"_s}) {
            if (!moduleNamed(survey.modules, {name}).isEmpty())
                seen.append(name);
        }
        draft.doubts.append({u"$.launch.modules"_s,
            (torch.isEmpty() ? u"Of %1 modules none is called pytorch"_s
                             : u"Of %1 modules “%2” is loaded"_s.arg(u"%1"_s, torch))
                    .arg(survey.modules.size())
                + (seen.isEmpty() ? QString() : u"; there are also "_s + seen.join(u", "_s))
                + u". Containers cannot be seen from here."_s});
    }
    if (survey.hasScratch)
        draft.profile.scratch = u"$SCRATCH"_s;
    else
        draft.doubts.append({u"$.scratch"_s, u"$SCRATCH is not set: enter where large files belong."_s});
}

} // namespace

bool isClusterName(const QString& name)
{
    static const QRegularExpression form(u"^[a-z0-9][a-z0-9._-]{0,62}\\z"_s);
    return form.match(name).hasMatch();
}

ClusterDraft draftCluster(const ClusterSurvey& survey, const DraftRequest& request, const QList<ClusterProfile>& known)
{
    ClusterDraft draft;
    ClusterProfile& profile = draft.profile;
    profile.name = request.name;
    profile.title = request.name;
    profile.status = u"in service"_s;
    profile.login = request.login;
    const QString version = survey.version.isEmpty() ? QString() : u" "_s + survey.version;
    const QString source = u"Slurm%1 on %2, asked on %3"_s.arg(
        version, survey.host.isEmpty() ? request.login.host : survey.host, request.day);
    profile.summary = u"Drafted from what the cluster's own Slurm says%1; not checked by a person yet."_s.arg(
        survey.clusterName.isEmpty() ? QString() : u" (ClusterName “%1”)"_s.arg(survey.clusterName));
    profile.sources = {source};
    if (profile.login.source.isEmpty())
        profile.login.source = u"the connection it was drafted from"_s;
    draftNodes(draft, survey, known, source);
    draftPartitions(draft, survey, source);
    draftLaunch(draft, survey);
    profile.launch.source = source;
    draftSoftware(draft, survey);
    draft.doubts.append(
        {u"$.billing"_s, u"Slurm does not report prices: costs are not shown until they are entered."_s});
    draft.doubts.append({u"$.environment"_s,
        u"No network variables are set: look up which interfaces NCCL or RCCL should use here."_s});
    return draft;
}

} // namespace rankwright::inline cluster
