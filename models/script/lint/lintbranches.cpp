// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/lint/lintbranches.h"

#include "models/script/lint/lintfixes.h"
#include "models/script/lint/lintnumbers.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script::lint {

namespace {

constexpr qsizetype mostChoices = 8;
constexpr qsizetype mostWays = 16;
constexpr qsizetype mostCharacters = 1 << 20; ///< of all ways together
constexpr int deepest = 8; ///< variables within variables

/// An `if` or `case` of the script's own shell.
struct Block {
    const ShellCommand* command = nullptr;
    QList<ShellArm> arms;
    qsizetype begin = 0;
    qsizetype end = 0; ///< after fi or esac
    int lastLine = 0;
    QSet<QString> names; ///< that its arms set
    bool isPlain = true;

    bool contains(qsizetype place) const { return begin <= place && place < end; }
};

bool isIn(const ShellArm& arm, qsizetype place) { return arm.begin <= place && arm.end && place < *arm.end; }

QList<Block> blocksOf(const BatchText& batch)
{
    QList<Block> blocks;
    const QList<ShellCommand>& commands = batch.shell.commands;
    const qsizetype shift = batch.hasBom ? 1 : 0;
    for (const ShellArm& arm : batch.shell.arms) {
        const ShellCommand* opener = &commands.at(arm.block);
        if (shift > 0 || !opener->isPlain() || opener->isJoined() || opener->negated)
            continue;
        if (blocks.isEmpty() || blocks.last().command != opener)
            blocks.append({opener, {}, opener->begin, -1, 0, {}, true});
        blocks.last().arms.append(arm);
    }
    for (Block& block : blocks) {
        const ShellArm& last = block.arms.last();
        if (!last.end)
            continue;
        const auto end = std::find_if(commands.cbegin(), commands.cend(), [&](const ShellCommand& command) {
            return command.kind == ShellCommand::Kind::BlockEnd && command.begin >= *last.end && command.isPlain();
        });
        // the output of the whole block goes somewhere: it is more than a choice
        if (end == commands.cend() || !end->redirections.isEmpty() || joins(end->separator) || end->isBackground())
            continue;
        block.end = end->begin + end->name().size();
        block.lastLine = end->line;
    }
    blocks.removeIf([](const Block& block) { return block.end < 0; });
    return blocks;
}

/// Arms that end the script, or leave it to another program.
bool leaves(const BatchText& batch, const ShellArm& arm)
{
    static const QSet<QString> words{u"exit"_s, u"return"_s, u"exec"_s, u"die"_s, u"usage"_s, u"sbatch"_s};
    return std::any_of(batch.shell.commands.cbegin(), batch.shell.commands.cend(), [&](const ShellCommand& command) {
        return isIn(arm, command.begin) && !command.parent && command.function.isEmpty() && command.conditionDepth == 1
            && command.loopDepth == 0 && words.contains(command.name()) && !command.isJoined();
    });
}

/// A net below a value that the script itself has set before: if [ "$N" -lt 1 ]; then N=8; fi
bool isSafetyNet(const LintFacts& facts, const Block& block, qsizetype head, const ShellArm& arm)
{
    const QList<ShellCommand>& commands = facts.batch.shell.commands;
    return std::any_of(facts.uses.cbegin(), facts.uses.cend(), [&](const VariableUse& use) {
        if (!use.command || !block.names.contains(use.name))
            return false;
        const qsizetype place = commands.at(*use.command).begin;
        return place >= head && place < arm.begin && facts.batch.variable(use.name, block.command->line) != nullptr;
    });
}

/// No word from outside has a part in it: what the script sets plainly, and what its request fixes.
bool isFirm(const LintFacts& facts, const ShellWord& word, int depth = 0)
{
    return depth < deepest && std::all_of(word.expansions.cbegin(), word.expansions.cend(), [&](const Expansion& one) {
        if (one.kind != Expansion::Kind::Variable || !one.operation.isEmpty())
            return false;
        const BatchVariable* variable = facts.batch.variable(one.name, word.line);
        return variable ? variable->certain && !variable->isArray && isFirm(facts, variable->value, depth + 1)
                        : slurmNumber(facts.request, one.name).has_value();
    });
}

std::optional<bool> compared(const LintFacts& facts, const ShellWord& left, const QString& sign, const ShellWord& right)
{
    if (!isFirm(facts, left) || !isFirm(facts, right))
        return std::nullopt;
    if (sign.startsWith(u'-')) {
        const std::optional<int> a = facts.numberOf(left);
        const std::optional<int> b = facts.numberOf(right);
        if (!a || !b)
            return std::nullopt;
        if (sign == u"-eq" || sign == u"-ne")
            return (*a == *b) == (sign == u"-eq");
        if (sign == u"-lt" || sign == u"-ge")
            return (*a < *b) == (sign == u"-lt");
        if (sign == u"-gt" || sign == u"-le")
            return (*a > *b) == (sign == u"-gt");
        return std::nullopt;
    }
    if (sign != u"=" && sign != u"==" && sign != u"!=")
        return std::nullopt;
    static const QRegularExpression pattern(u"[*?\\[]"_s);
    const std::optional<QString> a = facts.valueOf(left);
    const std::optional<QString> b = facts.valueOf(right);
    if (!a || !b || b->contains(pattern))
        return std::nullopt;
    return (*a == *b) == (sign != u"!=");
}

/// Whether a condition holds, when that is known: a single comparison of firm values.
std::optional<bool> holds(const LintFacts& facts, qsizetype begin, qsizetype end)
{
    const ShellCommand* only = nullptr;
    for (const ShellCommand& command : facts.batch.shell.commands) {
        if (command.begin < begin || command.begin >= end || !command.isCondition || command.parent)
            continue;
        if (only != nullptr)
            return std::nullopt;
        only = &command;
    }
    if (only == nullptr || only->negated)
        return std::nullopt;
    const bool inBrackets = (only->name() == u"[" || only->name() == u"[[") && only->words.size() == 5;
    if (!inBrackets && !(only->name() == u"test" && only->words.size() == 4))
        return std::nullopt;
    return compared(facts, only->words.at(1), only->words.at(2).value, only->words.at(3));
}

void blank(QString& text, qsizetype from, qsizetype to)
{
    for (qsizetype i = from; i < std::min(to, text.size()); ++i) {
        if (text.at(i) != u'\n')
            text[i] = u' ';
    }
}

/// The text that is left when one arm is taken; null: none is.
QString textOfWay(const BatchText& batch, const Block& block, const ShellArm* arm)
{
    QString text = batch.text;
    qsizetype end = block.end;
    if (end < text.size() && text.at(end) == u';')
        ++end;
    blank(text, block.begin, arm ? arm->begin : end);
    if (arm)
        blank(text, arm->end.value_or(end), end);
    return text;
}

QSet<QString> withDependents(const LintFacts& facts, QSet<QString> names)
{
    for (int round = 0; round < 2; ++round) {
        for (const Setting& setting : facts.settings) {
            const bool hangs = std::any_of(
                setting.value->expansions.cbegin(), setting.value->expansions.cend(), [&](const Expansion& one) {
                    return names.contains(one.name)
                        || std::any_of(one.names.cbegin(), one.names.cend(),
                            [&](const QString& name) { return names.contains(name); });
                });
            if (hangs)
                names.insert(setting.name);
        }
    }
    return names;
}

/// Names that the arms set and that something outside of the block reads.
void findNames(const LintFacts& facts, Block& block)
{
    for (const BatchVariable& variable : facts.batch.variables) {
        if (!block.contains(facts.batch.shell.commands.at(variable.command).begin))
            continue;
        const QList<int> uses = facts.usesByName.value(variable.name);
        const bool isRead = std::any_of(uses.cbegin(), uses.cend(), [&](int place) {
            const VariableUse& use = facts.uses.at(place);
            return use.command && !use.isPrinted && !block.contains(facts.batch.shell.commands.at(*use.command).begin);
        });
        if (!isRead)
            continue;
        block.names.insert(variable.name);
        block.isPlain = block.isPlain && variable.value.isStatic() && !variable.appends;
    }
}

QString whenTaken(const Block& block, const ShellArm* arm)
{
    const bool isCase = block.command->name() == u"case";
    if (arm == nullptr)
        return u"when no branch of line %1 is taken"_s.arg(block.command->line);
    const QString what = arm->when.isEmpty() ? u"else"_s : arm->when + (isCase ? u")"_s : QString());
    return u"when the branch of line %1 (%2) is taken"_s.arg(QString::number(arm->line), quoted(what.simplified()));
}

/// Does anything give one of the names a value when only one of the arms is run?
bool setsAny(const LintFacts& facts, const Block& block, const ShellArm* arm)
{
    return std::any_of(facts.batch.variables.cbegin(), facts.batch.variables.cend(), [&](const BatchVariable& one) {
        const qsizetype place = facts.batch.shell.commands.at(one.command).begin;
        return block.names.contains(one.name) && (!block.contains(place) || (arm && isIn(*arm, place)));
    });
}

Choice choiceOf(const LintFacts& facts, const Block& block)
{
    Choice choice{{}, block.isPlain, block.command->line, block.lastLine};
    const QSet<QString> names = withDependents(facts, block.names);
    const bool isCase = block.command->name() == u"case";
    const auto add = [&](const ShellArm* arm) {
        choice.ways.append(
            {whenTaken(block, arm), textOfWay(facts.batch, block, arm), names, !setsAny(facts, block, arm)});
    };
    qsizetype head = block.begin;
    for (const ShellArm& arm : block.arms) {
        const std::optional<bool> known = isCase || arm.isRest ? std::nullopt : holds(facts, head, arm.begin);
        const bool isNet = !isCase && isSafetyNet(facts, block, head, arm);
        head = arm.end.value_or(arm.begin);
        if (known == false)
            continue;
        if (!isNet && !leaves(facts.batch, arm))
            add(&arm);
        if (known == true || arm.isRest)
            return choice;
    }
    add(nullptr);
    return choice;
}

} // namespace

QList<Choice> choicesOf(const LintFacts& facts)
{
    QList<Choice> choices;
    qsizetype ways = 0;
    for (Block& block : blocksOf(facts.batch)) {
        findNames(facts, block);
        if (block.names.isEmpty())
            continue;
        const Choice choice = choiceOf(facts, block);
        ways += choice.ways.size();
        if (ways > mostWays || ways * facts.batch.text.size() > mostCharacters || choices.size() == mostChoices)
            break;
        if (!choice.ways.isEmpty())
            choices.append(choice);
    }
    return choices;
}

QSet<QString> namesReadAt(const LintFacts& facts, int firstLine, int lastLine)
{
    QSet<QString> names;
    const QList<ShellCommand>& commands = facts.batch.shell.commands;
    for (const VariableUse& use : facts.uses) {
        std::optional<int> root = use.command;
        while (root && commands.at(*root).parent)
            root = commands.at(*root).parent;
        if (root && commands.at(*root).line <= lastLine && commands.at(*root).lastLine >= firstLine)
            names.insert(use.name);
    }
    return names;
}

void mergeBranches(BatchText& batch)
{
    const bool hasFunctions = std::any_of(batch.shell.commands.cbegin(), batch.shell.commands.cend(),
        [](const ShellCommand& command) { return !command.function.isEmpty(); });
    if (hasFunctions)
        return;
    for (const QList<int>& places : std::as_const(batch.variablesByName)) {
        const bool straight = std::all_of(places.cbegin(), places.cend(), [&](int place) {
            const BatchVariable& variable = batch.variables.at(place);
            return !variable.appends && batch.shell.commands.at(variable.command).isPlain()
                && !batch.shell.commands.at(variable.command).isJoined();
        });
        for (const int place : places)
            batch.variables[place].certain = batch.variables.at(place).certain || straight;
    }
}

} // namespace rankwright::inline script::lint
