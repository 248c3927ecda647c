// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batchtext.h"

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

constexpr int deepest = 8; // variables made of variables; a ring of them ends here
constexpr qsizetype longest = 1 << 16;

std::optional<QString> valueOf(const BatchText& batch, const Expansion& expansion, int line, int depth);

std::optional<QString> filledIn(const BatchText& batch, const ShellWord& word, int line, int depth)
{
    QString out;
    qsizetype at = 0;
    for (const Expansion& expansion : word.expansions) {
        const auto value = valueOf(batch, expansion, line, depth);
        if (!value || out.size() + value->size() > longest)
            return std::nullopt;
        out += word.value.mid(at, expansion.at - at) + *value;
        at = expansion.at + expansion.text.size();
    }
    return out + word.value.mid(at);
}

std::optional<QString> valueOf(const BatchText& batch, const Expansion& expansion, int line, int depth)
{
    if (expansion.kind != Expansion::Kind::Variable || depth > deepest)
        return std::nullopt;
    const BatchVariable* variable = batch.variable(expansion.name, line);
    if (variable == nullptr) {
        // never set in the script: a plain default is what it will be, unless the job's environment has the name
        const bool standIn = expansion.operation.startsWith(u":-") && expansion.names.size() == 1
            && !batch.sets(expansion.name) && !expansion.name.startsWith(u"SLURM");
        return standIn ? std::optional(expansion.operation.mid(2)) : std::nullopt;
    }
    if (!variable->certain || variable->isArray
        || !(expansion.operation.isEmpty() || expansion.operation.startsWith(u":-")))
        return std::nullopt;
    return filledIn(batch, variable->value, variable->line, depth + 1);
}

} // namespace

std::optional<QString> staticValue(const BatchText& batch, const ShellWord& word, int line)
{
    return filledIn(batch, word, line, 0);
}

} // namespace rankwright
