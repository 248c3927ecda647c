// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/learn/learnfigures.h"

#include "models/core/quantitytext.h"
#include "models/planner/design/enumwords.h"
#include "models/planner/planning/estimatetext.h"
#include "models/script/write/launchlayout.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

QString spelled(QString text, const QString& word)
{
    return text.replace(u"{gpus}"_s, pluralOf(word)).replace(u"{gpu}"_s, word);
}

} // namespace

QString LearnFigures::words() const { return pluralOf(word()); }

QString LearnFigures::gpus(qint64 count) const { return gpusText(count, word()); }

QString LearnFigures::siteName() const
{
    if (site.nodes.isEmpty() && site.login.host.isEmpty())
        return u"this cluster"_s; // an entry that stands for any: its title is not a name
    if (site.title.endsWith(u" cluster"_s)) // a noun, as of the practice cluster
        return u"the "_s + site.title.left(1).toLower() + site.title.mid(1);
    if (!site.title.isEmpty())
        return site.title;
    return site.name.isEmpty() ? u"this cluster"_s : site.name;
}

QString LearnFigures::size() const { return gpus(resolved.worldSize()) + u" on "_s + nodesText(resolved.nodes); }

QString LearnFigures::partition() const
{
    return resolved.partition.isEmpty() ? u"an open partition"_s : resolved.partition;
}

QString LearnFigures::ranks() const { return counted(resolved.worldSize(), u"rank"_s); }

bool LearnFigures::startsRanksBySrun() const { return startsRanksBySlurm(resolved); }

QString LearnFigures::launcher() const { return titleOf(resolved.launcher); }

QString LearnFigures::visibleVariable() const
{
    return isAmd() ? u"ROCR_VISIBLE_DEVICES"_s : u"CUDA_VISIBLE_DEVICES"_s;
}

QString LearnFigures::library() const { return isAmd() ? u"RCCL"_s : u"NCCL"_s; }

QString LearnFigures::scriptValue(const QString& variable) const
{
    const QRegularExpression setting(
        u"(?:^|\\s)(?:export\\s+)?"_s + QRegularExpression::escape(variable) + u"=(\"[^\"]*\"|'[^']*'|[^\\s;]+)"_s);
    for (const ScriptLine& line : derived.script.lines) {
        if (line.text.trimmed().startsWith(u'#'))
            continue;
        const auto match = setting.match(line.text);
        if (match.hasMatch())
            return match.captured(1);
    }
    return {};
}

const DesignEstimate* LearnFigures::estimate() const { return derived.estimate ? &*derived.estimate : nullptr; }

QString LearnFigures::parameters() const
{
    const DesignEstimate* known = estimate();
    return known ? EstimateText::parameters(double(known->run.parameters.total)) : QString();
}

QString LearnFigures::noEstimate() const
{
    return derived.estimate ? QString() : asSentence(derived.estimate.error().what);
}

QString LearnFigures::price() const
{
    if (!derived.cost.billingAccounts || derived.cost.billingAccounts->isEmpty())
        return {};
    const CostQuote::BillingAccount& first = derived.cost.billingAccounts->first();
    return amountText(first.perHour, first.unit) + u" for each hour"_s;
}

bool LearnFigures::usesFullSharding() const
{
    const Strategy strategy = resolved.strategy;
    return strategy == Strategy::Fsdp || strategy == Strategy::Hsdp || strategy == Strategy::Zero3;
}

QString LearnFigures::inWords(QString text) const { return spelled(std::move(text), word()); }

QString memoryText(double bytes)
{
    return bytes > 0 && bytes < bytesPerGib / 10 ? humanBytes(Bytes{qint64(bytes)}) : gibText(bytes);
}

QString asSentence(QString text)
{
    text = text.trimmed();
    if (!text.isEmpty() && !text.endsWith(u'.'))
        text += u'.';
    return text;
}

QString withArticle(const QString& name)
{
    constexpr QStringView vowels = u"AEFHILMNORSX"; // letters whose names begin with a vowel
    return (!name.isEmpty() && vowels.contains(name.at(0)) ? u"An "_s : u"A "_s) + name;
}

QString inUsualWords(QString text) { return spelled(std::move(text), u"GPU"_s); }

} // namespace rankwright::inline teaching
