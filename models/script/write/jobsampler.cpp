// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/jobsampler.h"

#include <QRegularExpression>

#include <array>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

int samplerSeconds(const ResolvedSpec& resolved)
{
    constexpr double bytesPerReading = 25; // measured: docs/telemetry.md
    constexpr double mostBytes = 256e6;
    constexpr double mostWrites = 200; // per second, of all nodes
    constexpr std::array steps{5, 10, 15, 30, 60};
    if (resolved.spec.monitor.interval)
        return qBound(1, *resolved.spec.monitor.interval, mostSamplerSeconds);
    const double nodes = qMax(1, resolved.nodes);
    const double bytes
        = nodes * qMax(1, resolved.gpusPerNode) * bytesPerReading * static_cast<double>(resolved.time.count);
    for (const int seconds : steps) {
        if (nodes / seconds <= mostWrites && bytes / seconds <= mostBytes)
            return seconds;
    }
    return steps.back();
}

void writeSampler(ScriptBuilder& builder, const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    if (!resolved.spec.monitor.sampler.value_or(false))
        return;
    const QList<FieldPath> origins{field::sampler, field::samplerInterval};
    const QString file = samplerFileName;
    const int seconds = samplerSeconds(resolved);
    const bool oneStep = profile.launch.monitorAllNodesInOneStep || resolved.nodes == 1;
    builder.heading(
        u"GPU record: beside the training, a small step on each node notes in .rankwright what every %1 does"_s.arg(
            resolved.node.gpu.word),
        origins);
    builder.line(u"if [[ -r %1 ]]; then"_s.arg(file), origins,
        u"Launching the job puts this file there. Without it, or where the step is refused, the job runs as ever."_s,
        u"R42"_s);
    builder.line(u"    exec 19> >(bash %1 start %2 %3 %4 <&0 &>/dev/null &)"_s.arg(file,
                     resolved.node.gpu.vendor == GpuVendor::Nvidia ? u"nvidia"_s : u"amd"_s, QString::number(seconds),
                     oneStep ? u"one-step"_s : u"node-steps"_s),
        origins,
        u"Overlaps the training (srun --overlap) and takes no core, memory or GPU from it. Nothing waits for it, and its "
        "result counts nowhere. It ends with this script, when its input ends."_s,
        u"R42"_s);
    builder.line(u"fi"_s, origins, u"End of the condition."_s, u"R42"_s);
    builder.blank();
}

std::optional<JobSpec::Monitor> readSampler(const QStringList& lines)
{
    static const QRegularExpression form(
        u"^if \\[\\[ -r (\\.rankwright/sampler-\\d+\\.sh) \\]\\]; then\\n"
        "\\s*exec \\d+> >\\(bash (\\.rankwright/sampler-\\d+\\.sh) start (?:amd|nvidia) (\\d{1,4}) "
        "(?:one-step|node-steps) <&0 &>/dev/null &\\)\\nfi$"_s);
    if (!lines.value(0).trimmed().startsWith(u"if [[ -r .rankwright/"))
        return std::nullopt;
    const auto match = form.match(lines.join(u'\n').trimmed());
    const int seconds = match.captured(3).toInt();
    if (!match.hasMatch() || match.captured(1) != match.captured(2) || seconds < 1 || seconds > mostSamplerSeconds)
        return std::nullopt;
    return JobSpec::Monitor{true, seconds};
}

void dropUsualInterval(JobSpec& spec, const ClusterProfile& profile)
{
    if (!spec.monitor.interval)
        return;
    JobSpec open = spec;
    open.monitor.interval.reset();
    if (samplerSeconds(resolve(open, profile)) == *spec.monitor.interval)
        spec = open;
}

} // namespace rankwright::inline script
