// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/scriptedit.h"

#include "models/script/read/scriptreader.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// Takes over what differs between the script as generated and as edited, both read by the same reader: so whatever the
/// reader does not see, or sees wrongly in both, stays as it is in the design.
class Changes {
public:
    Changes(JobSpec& spec, const JobSpec& before, const JobSpec& now, QList<FieldPath>& changed)
        : m_spec(spec), m_before(before), m_now(now), m_changed(changed)
    { }

    void take(bool launches)
    {
        if (m_before.name != m_now.name && !m_now.name.isEmpty()) {
            m_spec.name = m_now.name;
            m_changed.append(field::name);
        }
        takeOptional(field::account, &JobSpec::account, true);
        takeOptional(field::partition, &JobSpec::partition, false);
        takeOptional(field::reservation, &JobSpec::reservation, true);
        takeOptional(field::time, &JobSpec::time, false);
        takeOptional(field::workdir, &JobSpec::workdir, true);
        takeResources();
        takeOptions();
        takeMonitor();
        if (launches)
            takeLaunch();
        takeEnvironment();
    }

private:
    template <typename Value>
    void one(QLatin1StringView path, std::optional<Value>& out, const std::optional<Value>& before,
        const std::optional<Value>& now, bool clears)
    {
        if (before == now || (!now && !clears)) // an unreadable value while typing leaves the field alone
            return;
        out = now;
        m_changed.append(path);
    }

    template <typename Value>
    void takeOptional(QLatin1StringView path, std::optional<Value> JobSpec::*member, bool clears)
    {
        one(path, m_spec.*member, m_before.*member, m_now.*member, clears);
    }

    void takeResources()
    {
        auto& out = m_spec.resources;
        const auto &before = m_before.resources, &now = m_now.resources;
        one(field::nodes, out.nodes, before.nodes, now.nodes, false);
        one(field::gpusPerNode, out.gpusPerNode, before.gpusPerNode, now.gpusPerNode, false);
        one(field::cpusPerGpu, out.cpusPerGpu, before.cpusPerGpu, now.cpusPerGpu, false);
        one(field::memoryPerNode, out.memoryPerNode, before.memoryPerNode, now.memoryPerNode, false);
    }

    void takeOptions()
    {
        auto& out = m_spec.options;
        const auto &before = m_before.options, &now = m_now.options;
        one(field::qos, out.qos, before.qos, now.qos, true);
        one(field::constraint, out.constraint, before.constraint, now.constraint, true);
        one(field::exclude, out.exclude, before.exclude, now.exclude, true);
        one(field::exclusive, out.exclusive, before.exclusive, now.exclusive, true);
        one(field::localDisk, out.localDisk, before.localDisk, now.localDisk, true);
        one(field::signal, out.signal, before.signal, now.signal, true);
        one(field::requeue, out.requeue, before.requeue, now.requeue, true);
        one(field::array, out.array, before.array, now.array, true);
        one(field::dependency, out.dependency, before.dependency, now.dependency, true);
        one(field::output, out.output, before.output, now.output, true);
        one(field::error, out.error, before.error, now.error, true);
        one(field::mailUser, out.mailUser, before.mailUser, now.mailUser, true);
        one(field::mailType, out.mailType, before.mailType, now.mailType, true);
    }

    void takeMonitor()
    {
        const auto &before = m_before.monitor, &now = m_now.monitor;
        one(field::sampler, m_spec.monitor.sampler, before.sampler, now.sampler, true);
        if (now.sampler) // without the block the interval stays as it was, for the next time
            one(field::samplerInterval, m_spec.monitor.interval, before.interval, now.interval, false);
    }

    void takeLaunch()
    {
        one(field::launcher, m_spec.launcher, m_before.launcher, m_now.launcher, false);
        one(field::strategy, m_spec.parallel.strategy, m_before.parallel.strategy, m_now.parallel.strategy, false);
        one(field::tensor, m_spec.parallel.tensor, m_before.parallel.tensor, m_now.parallel.tensor, false);
        one(field::pipeline, m_spec.parallel.pipeline, m_before.parallel.pipeline, m_now.parallel.pipeline, false);
        one(field::command, m_spec.command, m_before.command, m_now.command, false);
        one(field::cpuBinding, m_spec.options.cpuBinding, m_before.options.cpuBinding, m_now.options.cpuBinding, false);
        one(field::numaBinding, m_spec.options.numaBinding, m_before.options.numaBinding, m_now.options.numaBinding,
            false);
    }

    void takeEnvironment()
    {
        const auto &before = m_before.environment, &now = m_now.environment;
        one(field::container, m_spec.environment.container, before.container, now.container, false);
        if (before.modules != now.modules) {
            m_spec.environment.modules = now.modules;
            m_changed.append(field::modules);
        }
        one(field::venv, m_spec.environment.venv, before.venv, now.venv, false);
        one(field::conda, m_spec.environment.conda, before.conda, now.conda, false);
        one(field::uenv, m_spec.environment.uenv, before.uenv, now.uenv, false);
        if (before.setup != now.setup) {
            m_spec.environment.setup = now.setup;
            m_changed.append(field::setup);
        }
        if (before.binds != now.binds) {
            m_spec.environment.binds = now.binds;
            m_changed.append(field::binds);
        }
        if (before.variables == now.variables)
            return;
        for (auto it = before.variables.cbegin(); it != before.variables.cend(); ++it) {
            if (!now.variables.contains(it.key()))
                m_spec.environment.variables.remove(it.key());
        }
        for (auto it = now.variables.cbegin(); it != now.variables.cend(); ++it) {
            if (!before.variables.contains(it.key()) || before.variables.value(it.key()) != *it)
                m_spec.environment.variables.insert(it.key(), *it);
        }
        m_changed.append(field::variables);
    }

    JobSpec& m_spec;
    const JobSpec& m_before;
    const JobSpec& m_now;
    QList<FieldPath>& m_changed;
};

/// Blocks that only keep lines of the script before, which other fields have changed since.
QList<OverrideBlock> withoutStale(const QList<OverrideBlock>& blocks, const ScriptDocument& before)
{
    QSet<QString> known;
    for (const ScriptLine& line : before.lines)
        known.insert(line.text);
    QList<OverrideBlock> kept;
    for (const OverrideBlock& block : blocks) {
        const bool stale = !block.lines.isEmpty() && !block.instead.isEmpty() && !block.noFinalNewline
            && std::all_of(
                block.lines.cbegin(), block.lines.cend(), [&](const QString& line) { return known.contains(line); });
        if (!stale)
            kept.append(block);
    }
    return kept;
}

} // namespace

ScriptEdit applyScriptEdit(const JobSpec& spec, const ClusterProfile& profile, const QString& text)
{
    ScriptEdit edit;
    JobSpec base = spec;
    base.overrides.clear();
    edit.exact = base;
    const ScriptDocument before = generatedScript(resolve(base, profile), profile);
    if (before.text() == text) {
        edit.followed = edit.exact;
        return edit;
    }
    if (writeScript(resolve(spec, profile), profile).text() == text) {
        edit.exact = edit.followed = spec;
        return edit;
    }
    const BatchText batch = parseBatch(text);
    // commands that are the user's as a whole are in both texts: only what was typed now is taken over
    const JobSpec was = readScript(
        parseBatch(keepsCommands(spec.overrides) ? writeScript(resolve(spec, profile), profile).text() : before.text()),
        profile)
                            .spec;
    const JobSpec now = readScript(batch, profile).spec;
    const bool launches = now.launcher.has_value() && now.command.has_value();
    Changes(edit.exact, was, now, edit.changed).take(launches);

    const ScriptDocument generated = generatedScript(resolve(edit.exact, profile), profile);
    edit.exact.overrides
        = keepsCommands(spec.overrides) ? overridesKeepingCommands(generated, text) : overridesFor(generated, text);
    edit.followed = edit.exact;
    edit.followed.overrides = withoutStale(edit.exact.overrides, before);
    edit.whole = edit.exact.overrides.size() == 1
        && (edit.exact.overrides.first().instead.size() >= generated.lines.size()
            || edit.exact.overrides.first().toEnd);
    return edit;
}

} // namespace rankwright
