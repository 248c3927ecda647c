// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/torchrelease.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

namespace {

/// What the job's image, or without one its modules or uenv, says of PyTorch; null: nothing.
QVersionNumber releaseOfJob(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    if (!resolved.container.isEmpty())
        return torchReleaseOf(resolved.container);
    const auto& environment = resolved.spec.environment;
    QStringList names = environment.modules.isEmpty() ? profile.modulesOf(resolved.partition) : environment.modules;
    if (environment.uenv)
        names.append(*environment.uenv);
    for (const QString& name : std::as_const(names)) {
        if (const QVersionNumber release = torchReleaseOf(name); !release.isNull())
            return release;
    }
    return {};
}

} // namespace

QVersionNumber torchReleaseOf(const QString& name)
{
    static const QRegularExpression lumi(u"lumi-multitorch-\\S*?t(\\d)(\\d{1,2})-\\d{6}"_s);
    if (const auto match = lumi.match(name); match.hasMatch())
        return {match.captured(1).toInt(), match.captured(2).toInt()};
    static const QRegularExpression usual(
        u"torch(?:[-_/:=]|release|gpu|py\\d(?!\\.)|v)*(\\d+(?:\\.\\d+)+)"_s, QRegularExpression::CaseInsensitiveOption);
    for (const auto& match : usual.globalMatch(name)) {
        const QVersionNumber release = QVersionNumber::fromString(match.captured(1));
        if (release.majorVersion() >= 1 && release.majorVersion() <= 3)
            return release;
    }
    return {};
}

QVersionNumber numaBindingSince() { return {2, 9}; }

QString numaBindingObstacle(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    if (resolved.launcher != Launcher::Torchrun)
        return u"Only torchrun has --numa-binding; %1 starts the ranks here."_s.arg(toText(resolved.launcher));
    const QVersionNumber release = releaseOfJob(resolved, profile);
    if (!release.isNull() && release < numaBindingSince())
        return u"torchrun of PyTorch %1 does not know --numa-binding: it came with %2."_s.arg(
            release.toString(), numaBindingSince().toString());
    return {};
}

bool hasNumaBinding(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    const QVersionNumber release = releaseOfJob(resolved, profile);
    return numaBindingObstacle(resolved, profile).isEmpty() && !release.isNull() && profile.container.numactl
        && resolved.container == profile.container.image && !resolved.container.isEmpty();
}

} // namespace rankwright::inline planner
