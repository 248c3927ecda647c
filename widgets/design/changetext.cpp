// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/changetext.h"

#include "models/core/quantitytext.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString moved(const QString& from, const QString& to) { return from + u" → "_s + to; }

void note(QStringList& parts, const QString& sentence, qint64 before, qint64 after)
{
    if (before != after)
        parts.append(sentence.arg(moved(humanNumber(double(before)), humanNumber(double(after)))));
}

} // namespace

ChangeFigures ChangeFigures::of(const Derived& derived)
{
    ChangeFigures figures{derived.resolved.nodes, derived.resolved.gpusPerNode, derived.batch.globalBatch,
        derived.batch.microBatch, derived.batch.gradientAccumulation, derived.batch.stepsPerEpoch,
        derived.batch.scaleLinear, {}};
    if (derived.estimate)
        figures.memory = derived.estimate->memory.totalBytes;
    return figures;
}

QString changeText(const ChangeFigures& before, const Derived& derived)
{
    const ChangeFigures after = ChangeFigures::of(derived);
    QStringList parts;
    note(parts, tr("nodes %1"), before.nodes, after.nodes);
    note(parts, tr("%1s per node %2").arg(derived.resolved.node.gpu.word, u"%1"_s), before.gpusPerNode,
        after.gpusPerNode);
    note(parts, tr("micro-batch %1"), before.micro, after.micro);
    note(parts, tr("accumulation %1"), before.accumulation, after.accumulation);
    note(parts, tr("global batch %1"), before.global, after.global);
    if (before.stepsPerEpoch && after.stepsPerEpoch)
        note(parts, tr("%1 steps per epoch"), qRound64(*before.stepsPerEpoch), qRound64(*after.stepsPerEpoch));
    const auto factor = [](double value) -> QString { return u"×\u2009"_s + humanNumber(value, 2); };
    if (before.learningRate && after.learningRate && factor(*before.learningRate) != factor(*after.learningRate))
        parts.append(tr("learning rate %1").arg(moved(factor(*before.learningRate), factor(*after.learningRate))));
    if (before.memory && after.memory && gibFigure(*before.memory) != gibFigure(*after.memory))
        parts.append(tr("memory %1").arg(moved(gibFigure(*before.memory), gibText(*after.memory))));
    QString text = parts.join(u", "_s);
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    return text;
}

} // namespace rankwright
