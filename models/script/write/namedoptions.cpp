// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/namedoptions.h"

#include "models/planner/design/batchplan.h"
#include "models/planner/design/commandfigures.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/write/trainerconfig.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// As the option's own program spells it.
QString precisionWord(Precision precision, const QString& option)
{
    const bool bf16 = precision == Precision::Bf16Mixed || precision == Precision::Bf16;
    const bool fp16 = precision == Precision::Fp16Mixed;
    if (option.contains(u"dtype"_s) || option.contains(u"param"_s))
        return bf16 ? u"bfloat16"_s : fp16 ? u"float16"_s : u"float32"_s;
    if (option.contains(u"mixed"_s)) // accelerate and its like
        return bf16 ? u"bf16"_s : fp16 ? u"fp16"_s : u"no"_s;
    // Lightning's words, which many programs took over
    return precision == Precision::Bf16 ? u"bf16-true"_s : bf16 ? u"bf16-mixed"_s : fp16 ? u"16-mixed"_s : u"32-true"_s;
}

bool isFlag(const QString& option)
{
    static const QStringList flags{u"--bf16"_s, u"--fp16"_s, u"--fp32"_s, u"--amp"_s, u"--use-amp"_s, u"--half"_s};
    return flags.contains(QString(option).replace(u'_', u'-'));
}

QString argumentOf(const QString& option, const QString& value)
{
    if (value.isEmpty())
        return scriptWord(option);
    const bool isShort = option.startsWith(u'-') && !option.startsWith(u"--"_s);
    if (isShort && !option.endsWith(u'='))
        return scriptWord(option) + u' ' + scriptWord(value);
    return scriptWord((option.endsWith(u'=') ? option : option + u'=') + value);
}

std::optional<QString> valueOf(ProgramFigure figure, const ResolvedSpec& resolved, const QString& option)
{
    const BatchPlan batch = planBatch(resolved);
    const auto known = knownProgram(resolved.spec);
    switch (figure) {
    case ProgramFigure::MicroBatch: return QString::number(batch.microBatch);
    case ProgramFigure::Accumulation:
        return QString::number(
            batch.gradientAccumulation * (known && known->accumulationOfAll ? batch.dataParallel : 1));
    case ProgramFigure::GlobalBatch: return QString::number(batch.globalBatch);
    case ProgramFigure::Epochs:
        return resolved.spec.training.epochs ? std::optional(QString::number(*resolved.spec.training.epochs, 'g', 12))
                                             : std::nullopt;
    case ProgramFigure::Precision: return isFlag(option) ? QString() : precisionWord(resolved.precision, option);
    case ProgramFigure::Steps:
    case ProgramFigure::Sequence:
    case ProgramFigure::Model: break;
    }
    return std::nullopt;
}

FieldPath originOf(ProgramFigure figure)
{
    switch (figure) {
    case ProgramFigure::MicroBatch: return field::microBatch;
    case ProgramFigure::Epochs: return field::epochs;
    case ProgramFigure::Precision: return field::precision;
    default: return field::globalBatch;
    }
}

} // namespace

QList<ScriptLine> namedOptions(const ResolvedSpec& resolved, const QStringList& given)
{
    QList<ScriptLine> pieces;
    for (const ProgramFigure figure : {ProgramFigure::MicroBatch, ProgramFigure::Accumulation,
             ProgramFigure::GlobalBatch, ProgramFigure::Epochs, ProgramFigure::Precision}) {
        const QString option = programOption(resolved.spec.program, figure)->value_or(QString());
        if (!isOptionName(option))
            continue; // open, or the program's own configuration
        const QString name = option.endsWith(u'=') ? option.chopped(1) : option;
        const auto value = valueOf(figure, resolved, name);
        if (!value || hasOption(given, name))
            continue;
        pieces.append({argumentOf(option, *value), {originOf(figure), programOptionField(figure)},
            u"The design's %1, by the option that the design names for it."_s.arg(figureName(figure)), {}});
    }
    return pieces;
}

} // namespace rankwright::inline script
