// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/logjson.h"

#include "app/cli/clioutput.h"

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

QJsonValue orNullCount(const std::optional<qint64>& number)
{
    return number ? QJsonValue(*number) : QJsonValue(QJsonValue::Null);
}

} // namespace

QJsonObject progressJson(const TrainingProgress& progress)
{
    return {
        {u"epoch"_s, orNull(progress.epoch)},
        {u"epochs"_s, orNull(progress.epochs)},
        {u"step"_s, orNullCount(progress.step)},
        {u"steps"_s, orNullCount(progress.steps)},
        {u"loss"_s, orNull(progress.loss)},
        {u"rate"_s, orNull(progress.rate)},
        {u"rateUnit"_s, orNull(progress.rateUnit)},
        {u"etaSeconds"_s, orNull(progress.etaSeconds)},
    };
}

QJsonObject diagnosisJson(const Diagnosis& diagnosis)
{
    const auto known = [](qint64 number, qint64 least) {
        return number >= least ? QJsonValue(number) : QJsonValue(QJsonValue::Null);
    };
    return {
        {u"class"_s, diagnosis.kind},
        {u"rule"_s, diagnosis.rule},
        {u"rank"_s, orNull(diagnosis.rank)},
        {u"gpu"_s, orNull(diagnosis.gpu)},
        {u"node"_s, orNull(diagnosis.node)},
        {u"line"_s, known(diagnosis.line, 1)},
        {u"offset"_s, known(diagnosis.offset, 0)},
        {u"evidence"_s, diagnosis.evidence},
        {u"advice"_s, diagnosis.advice},
        {u"source"_s, diagnosis.source},
    };
}

} // namespace rankwright
