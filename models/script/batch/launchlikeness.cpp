// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/launchlikeness.h"

#include "models/script/bash/launchnames.h"

#include <QSet>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

int likenessOfLayers(const Launch& launch)
{
    static const QSet<QString> helpers{u"hostname"_s, u"nvidia-smi"_s, u"rocm-smi"_s, u"mkdir"_s, u"rm"_s, u"cp"_s,
        u"echo"_s, u"sleep"_s, u"date"_s, u"cat"_s, u"env"_s, u"dcgmi"_s, u"singularity"_s, u"apptainer"_s, u"enroot"_s,
        u"podman-hpc"_s, u"podman"_s, u"docker"_s, u"sarus"_s, u"ch-image"_s, u"uenv"_s, u"true"_s, u"chmod"_s,
        u"pwd"_s, u"test"_s, u"ibstat"_s, u"ibstatus"_s, u"ibv_devinfo"_s};
    if (launch.layer(LaunchLayer::Kind::Agent) != nullptr)
        return 5;
    const bool steps = launch.viaSrun() || launch.layer(LaunchLayer::Kind::Mpirun) != nullptr;
    const LaunchLayer* program = launch.layer(LaunchLayer::Kind::Program);
    if (program == nullptr || program->words.isEmpty())
        return 0;
    if (launch.layer(LaunchLayer::Kind::Python) != nullptr)
        return !isPythonProgram(program->words) ? 0 : steps ? 4 : 3;
    if (!steps || helpers.contains(baseName(program->words.at(workAt(program->words)).value)))
        return 0;
    return isService(program->words) ? likenessOfService : isTool(program->words) ? 0 : likenessOfStep;
}

} // namespace

bool isAllowedToFail(const BatchText& batch, int index)
{
    const QList<ShellCommand>& commands = batch.shell.commands;
    int next = index + 1;
    while (next < commands.size() && commands.at(next).parent.value_or(-1) >= index)
        ++next; // of the command itself
    return next < commands.size() && commands.at(next).before == ShellSeparator::Or
        && (commands.at(next).name() == u"true" || commands.at(next).name() == u":");
}

int trainingLikeness(const BatchText& batch, const Launch& launch)
{
    // what may fail is as unsure as any program of a step
    const int likeness = likenessOfLayers(launch);
    return isAllowedToFail(batch, launch.command) ? qMin(likeness, likenessOfStep) : likeness;
}

} // namespace rankwright::inline script
