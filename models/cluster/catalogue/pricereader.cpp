// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/pricereader.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

BillingTerm readTerm(ProfileReader& term)
{
    const int of = term.oneOf(u"of"_s, {u"gpus"_s, u"cores"_s, u"memoryGib"_s, u"nvmeGib"_s, u"nodes"_s});
    const auto per = term.json().number(u"per"_s);
    if (per && *per <= 0)
        term.json().refuse(u"per"_s, u"a slice must be larger than 0"_s);
    return {static_cast<BillingTerm::Of>(of), term.json().number(u"weight"_s).value_or(1.0), per};
}

} // namespace

QList<BillingRule> readBilling(ProfileReader& document)
{
    QList<BillingRule> rules;
    document.each(u"billing"_s, [&](ProfileReader& reader) {
        BillingRule rule;
        rule.partitions = reader.texts(u"partitions"_s);
        rule.elsewhere = reader.flag(u"elsewhere"_s, false);
        rule.billingAccount = reader.text(u"purse"_s);
        rule.unit = reader.neededText(u"unit"_s);
        rule.factor = reader.json().number(u"factor"_s).value_or(1.0);
        rule.combine = reader.oneOf(u"combine"_s, {u"max"_s, u"sum"_s}) == 0 ? BillingRule::Combine::Max
                                                                             : BillingRule::Combine::Sum;
        reader.each(u"terms"_s, [&](ProfileReader& term) { rule.terms.append(readTerm(term)); });
        rule.source = reader.longText(u"source"_s);
        rule.note = reader.longText(u"note"_s);
        if (rule.elsewhere && rule.partitions.isEmpty())
            reader.json().refuse(u"elsewhere"_s, u"a rule for other partitions must name them"_s);
        rules.append(rule);
    });
    return rules;
}

QList<StoragePrice> readStorage(ProfileReader& document)
{
    QList<StoragePrice> prices;
    document.each(u"storage"_s, [&](ProfileReader& reader) {
        StoragePrice price;
        price.place = reader.neededText(u"place"_s);
        price.billingAccount = reader.text(u"purse"_s);
        price.unit = reader.neededText(u"unit"_s);
        price.sizeUnit = QStringList{u"TB"_s, u"TiB"_s}.at(reader.oneOf(u"sizeUnit"_s, {u"TB"_s, u"TiB"_s}));
        price.weight = reader.neededNumber(u"weight"_s);
        price.freeSize = reader.json().number(u"freeSize"_s).value_or(0.0);
        price.source = reader.text(u"source"_s);
        if (price.weight < 0 || price.freeSize < 0)
            reader.json().refuse(u"weight"_s, u"weight and freeSize cannot be below 0"_s);
        prices.append(price);
    });
    return prices;
}

BindingDefaults readBinding(ProfileReader& reader)
{
    BindingDefaults binding;
    binding.bySlurm = reader.flag(u"bySlurm"_s, false);
    binding.contiguousCores = reader.flag(u"contiguousCores"_s, false);
    binding.gpuOrder = reader.cores(u"gpuOrder"_s);
    binding.soleGpu = reader.maybeWhole(u"soleGpu"_s, 0);
    binding.reason = reader.longText(u"reason"_s);
    binding.source = reader.text(u"source"_s);
    QList<int> sorted = binding.gpuOrder;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.cbegin(), sorted.cend()) != sorted.cend())
        reader.json().refuse(u"gpuOrder"_s, u"each GPU can be in the order once"_s);
    return binding;
}

} // namespace rankwright::inline cluster
