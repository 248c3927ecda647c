// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/figurepassing.h"

#include "models/script/write/commandplan.h"
#include "models/script/write/overrides.h"
#include "models/script/write/trainerconfig.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using F = ProgramFigure;
using Figures = QList<ProgramFigure>;

void addFigures(Figures& out, const QString& words, const JobSpec::Program& named)
{
    for (const CommandFigure& one : commandFigures(words, named)) {
        if (!out.contains(one.figure))
            out.append(one.figure);
    }
}

/// "key": value, key: value and key = value of a file that the job writes; "auto" leaves it to the program.
void addFileFigures(Figures& out, const ConfigFile& file)
{
    static const QRegularExpression member(u"^\\s*\"?([\\w.-]+)\"?\\s*[:=]\\s*(\\S.*)$"_s);
    for (const ScriptLine& line : file.lines) {
        const auto match = member.match(line.text);
        if (match.hasMatch() && !match.captured(2).contains(u"auto"_s))
            addFigures(out, match.captured(1) + u"=0"_s, {});
    }
}

/// What the script writes from the design.
Figures writtenFigures(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    Figures written;
    if (authorText(resolved.spec.overrides)) // nothing of it is written
        return written;
    const TrainerPlan plan = planTrainer(resolved, planCommand(resolved, profile));
    for (const ScriptLine& piece : plan.programPieces)
        addFigures(written, piece.text, resolved.spec.program);
    for (const ScriptLine& piece : plan.launcherPieces)
        addFigures(written, piece.text, {});
    if (plan.file)
        addFileFigures(written, *plan.file);
    return written;
}

Figures typedFigures(const JobSpec& spec)
{
    Figures typed;
    addFigures(typed, spec.command.value_or(QString()), spec.program);
    const auto& environment = spec.environment;
    for (auto each = environment.variables.cbegin(); each != environment.variables.cend(); ++each)
        addFigures(typed, each.key() + u'=' + each.value(), {});
    for (const QString& line : environment.setup)
        addFigures(typed, line, {});
    for (const OverrideBlock& block : spec.overrides) {
        for (const QString& line : block.lines)
            addFigures(typed, line, spec.program);
    }
    return typed;
}

/// A configuration that the user brings to a stack which takes batch and precision from it.
bool bringsConfig(const ResolvedSpec& resolved)
{
    const QString config = resolved.spec.options.config.value_or(QString());
    static const QRegularExpression named(u"--(?:deepspeed[_-]config|job\\.config_file)\\b|--deepspeed[= ]\\S"_s);
    return (!config.isEmpty() && config != u"none") || named.match(resolved.command).hasMatch();
}

Figures ownFigures(const ResolvedSpec& resolved)
{
    Figures own;
    const bool config = bringsConfig(resolved);
    for (const F figure : {F::MicroBatch, F::Accumulation, F::GlobalBatch, F::Epochs, F::Precision}) {
        const bool named = *programOption(resolved.spec.program, figure) == ownConfiguration;
        if (named || (config && figure != F::Epochs))
            own.append(figure);
    }
    return own;
}

} // namespace

bool FigurePassing::batchIsUnsaid() const { return isUnsaid(F::MicroBatch) || isUnsaid(F::Accumulation); }

FigurePassing figurePassing(const ResolvedSpec& resolved, const BatchPlan& batch, const ClusterProfile& profile)
{
    FigurePassing passing{writtenFigures(resolved, profile), typedFigures(resolved.spec), ownFigures(resolved), {}};
    if (resolved.spec.command.value_or(QString()).trimmed().isEmpty())
        return passing;
    const auto said = [&passing](F figure) {
        return passing.follows.contains(figure) || passing.typed.contains(figure) || passing.own.contains(figure);
    };
    const auto& asked = resolved.spec.training;
    if (asked.globalBatch || asked.microBatch) {
        // Two of the three say the third. A global batch alone leaves the program its own micro-batch.
        const bool micro = said(F::MicroBatch), steps = said(F::Accumulation), global = said(F::GlobalBatch);
        if (!micro && !(global && steps))
            passing.unsaid.append(F::MicroBatch);
        if (batch.gradientAccumulation > 1 && !steps && !global) // one step needs no accumulation
            passing.unsaid.append(F::Accumulation);
    }
    if (asked.epochs && !said(F::Epochs) && !said(F::Steps))
        passing.unsaid.append(F::Epochs);
    if (asked.precision && !said(F::Precision))
        passing.unsaid.append(F::Precision);
    return passing;
}

bool canPassMicroBatch(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    if (commandBatch(resolved.spec).micro)
        return true;
    const Figures written = writtenFigures(resolved, profile);
    return written.contains(F::MicroBatch);
}

void setMicroBatch(JobSpec& spec, qint64 microBatch)
{
    const auto typed = commandBatch(spec).micro;
    spec.training.microBatch = microBatch;
    if (typed && spec.command)
        spec.command = withFigure(*spec.command, *typed, QString::number(microBatch));
}

} // namespace rankwright::inline script
