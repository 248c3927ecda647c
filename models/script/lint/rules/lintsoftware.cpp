// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/rules/lintsoftware.h"

#include "models/planner/design/torchrelease.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

bool runsInImage(const LintFacts& facts)
{
    return std::any_of(facts.starts.cbegin(), facts.starts.cend(),
        [](const Start& start) { return start.container || start.srunOption(u"container-image"_s); });
}

} // namespace

QList<ImageUse> imagesOf(const LintFacts& facts)
{
    QList<ImageUse> images;
    const auto add = [&](const QString& image, int line) {
        if (!image.isEmpty())
            images.append({image, line});
    };
    for (const Start& start : facts.starts) {
        if (start.container && !start.container->words.isEmpty())
            add(facts.valueOf(start.container->words.first()).value_or(QString()), start.line());
        if (const BatchOption* option = start.srunOption(u"container-image"_s))
            add(option->word ? facts.valueOf(*option->word).value_or(QString()).section(u'=', -1) : option->value,
                start.line());
    }
    return images;
}

QStringList modulesOf(const LintFacts& facts)
{
    QStringList names;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.name() != u"module" && command.name() != u"ml")
            continue;
        const QString verb = command.words.value(1).value;
        const bool loads = verb == u"load" || verb == u"add";
        if (command.name() == u"module" && !loads)
            continue;
        for (const ShellWord& word : command.words.mid(loads ? 2 : 1)) {
            if (const auto name = facts.valueOf(word); name && !name->startsWith(u'-'))
                names.append(*name);
        }
    }
    return names;
}

QVersionNumber torchReleaseOf(const LintFacts& facts)
{
    if (runsInImage(facts)) {
        for (const ImageUse& use : imagesOf(facts)) {
            if (const QVersionNumber release = rankwright::torchReleaseOf(use.image); !release.isNull())
                return release;
        }
        return {};
    }
    QStringList names = modulesOf(facts);
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.name() == u"pip" || command.name() == u"pip3") {
            for (const ShellWord& word : command.words) {
                if (word.value.startsWith(u"torch=="))
                    names.append(word.value);
            }
        }
    }
    for (const QString& name : std::as_const(names)) {
        if (const QVersionNumber release = rankwright::torchReleaseOf(name); !release.isNull())
            return release;
    }
    return {};
}

bool holdsHere(const LintFacts& facts, const EnvironmentRule& rule)
{
    if (!runsInImage(facts))
        return rule.evidence.holdsFor({}, modulesOf(facts));
    const QList<ImageUse> images = imagesOf(facts);
    if (images.isEmpty()) // one that only the running shell knows
        return rule.evidence.holdsFor(u"?"_s, {});
    return std::all_of(
        images.cbegin(), images.cend(), [&](const ImageUse& use) { return rule.evidence.holdsFor(use.image, {}); });
}

} // namespace rankwright::inline script::lint
