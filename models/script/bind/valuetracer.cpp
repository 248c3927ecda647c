// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/valuetracer.h"

#include "models/script/bash/launchnames.h"
#include "models/script/bind/wordlistedit.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

constexpr int deepestTrace = 8; // variables made of variables; a ring of them ends here
constexpr qsizetype longestTrace = 1 << 16;

/// Repeats, or runs later than it stands: what was set last in the text need not be what holds.
bool runsOutOfOrder(const ShellCommand& command) { return command.loopDepth > 0 || !command.function.isEmpty(); }

/// The command of the script's own shell that holds a command of an inner one.
int outermost(const BatchText& batch, int command)
{
    const QList<ShellCommand>& commands = batch.shell.commands;
    while (command >= 0 && command < commands.size() && commands.at(command).parent)
        command = *commands.at(command).parent;
    return command;
}

/// What a command that is not an assignment does to a variable, %1.
QString whatItDoes(const ShellCommand& setter)
{
    const QString command = setter.name();
    if (command == u"unset")
        return u"unsets $%1"_s;
    if (command == u"for" || command == u"select")
        return u"goes through several values of $%1"_s;
    return command == u"read" || command == u"mapfile" || command == u"readarray" ? u"reads $%1"_s : u"sets $%1"_s;
}

/// Why an assignment is not what a command reads, where no other reason is known.
QString notReaching(const BatchVariable& variable, int use)
{
    return (variable.command >= use ? u"Line %1 sets $%2 only after the command that would read it."_s
                                    : u"Line %1 sets $%2, and a later line sets it again."_s)
        .arg(variable.line)
        .arg(variable.name);
}

bool isUsual(const ShellCommand& setter) { return setter.isPlain() && !isAndOr(setter.before); }

/// Who sets a variable that the script does not set: bash(1), Shell Variables; gres.conf(5) for the devices.
QString whoSets(const QString& name)
{
    static const QSet<QString> ofBash{u"HOSTNAME"_s, u"RANDOM"_s, u"SRANDOM"_s, u"PWD"_s, u"OLDPWD"_s, u"SECONDS"_s,
        u"BASHPID"_s, u"PPID"_s, u"UID"_s, u"EUID"_s, u"LINENO"_s, u"EPOCHSECONDS"_s, u"EPOCHREALTIME"_s,
        u"BASH_SOURCE"_s, u"BASH_VERSION"_s, u"OSTYPE"_s, u"HOSTTYPE"_s, u"MACHTYPE"_s, u"OPTARG"_s, u"OPTIND"_s,
        u"REPLY"_s, u"PIPESTATUS"_s};
    static const QSet<QString> ofSlurm{
        u"CUDA_VISIBLE_DEVICES"_s, u"ROCR_VISIBLE_DEVICES"_s, u"ZE_AFFINITY_MASK"_s, u"GPU_DEVICE_ORDINAL"_s};
    return ofBash.contains(name) ? u"Decided while the job runs: bash sets $%1."_s
        : ofSlurm.contains(name) || name.startsWith(u"SLURM_")
        ? u"Decided while the job runs: Slurm sets $%1."_s
        : u"Decided while the job runs: this script does not set $%1; a module, a file that it sources or the submitting shell does."_s;
}

/// The names of the options in a text: "--lr", "-n".
QSet<QString> optionsIn(const QString& text)
{
    static const QRegularExpression option(u"(?:^|\\s)(--?[A-Za-z][\\w-]*)"_s);
    QSet<QString> names;
    for (auto it = option.globalMatch(text); it.hasNext();)
        names.insert(it.next().captured(1));
    return names;
}

} // namespace

bool TracedValue::isOnePlace() const
{
    if (origins.isEmpty() || origins.size() != text.size())
        return false;
    for (qsizetype i = 0; i < origins.size(); ++i) {
        if (origins.at(i) < 0 || origins.at(i) != origins.first() + i)
            return false;
    }
    return true;
}

ValueTracer::ValueTracer(const BatchText& batch) : m_batch(batch)
{
    static const QSet<QString> setters{u"for"_s, u"read"_s, u"select"_s, u"mapfile"_s, u"readarray"_s, u"getopts"_s,
        u"let"_s, u"printf"_s, u"unset"_s};
    static const QRegularExpression name(u"^([A-Za-z_]\\w*)(?:[-+*/]?=.*)?$"_s);
    for (int i = 0; i < batch.variables.size(); ++i) {
        const ShellWord& value = batch.variables.at(i).value;
        if (value.end > value.begin)
            m_places.insert(value.begin, i);
        else if (!value.origins.isEmpty()) // a here-document, which has no place of its own
            m_documents.insert(value.origins.first(), i);
    }
    const QList<ShellCommand>& commands = batch.shell.commands;
    for (int i = 0; i < commands.size(); ++i) {
        const ShellCommand& command = commands.at(i);
        if (command.kind == ShellCommand::Kind::Arithmetic && !command.words.isEmpty()) {
            static const QRegularExpression change(u"([A-Za-z_]\\w*)\\s*(?:[-+*/%]?=(?!=)|\\+\\+|--)"_s);
            for (auto it = change.globalMatch(command.words.first().text); it.hasNext();)
                m_setters[it.next().captured(1)].append(i);
        }
        const bool assigns = command.words.isEmpty() || command.name() == u"export" || command.name() == u"declare";
        const bool elsewhere = (command.parent && !command.inSubstitution) || command.subshellDepth > 0;
        if (assigns && elsewhere) {
            for (const ShellAssignment& assignment : command.assignments)
                m_innerSetters[assignment.name].append(i);
        }
        if (command.words.isEmpty() || !setters.contains(command.name()) || command.parent)
            continue;
        for (const ShellWord& word : command.words.mid(1)) {
            if (const auto match = name.match(word.value); match.hasMatch())
                m_setters[match.captured(1)].append(i);
        }
    }
}

const BatchVariable* ValueTracer::assignmentAt(qsizetype place) const
{
    const auto later = m_places.upperBound(place);
    if (later == m_places.cbegin())
        return nullptr;
    const BatchVariable& variable = m_batch.variables.at(*std::prev(later));
    return place < variable.value.end ? &variable : nullptr;
}

/// The variable that holds a here-document with this place; null: none.
const BatchVariable* ValueTracer::documentAt(qsizetype place) const
{
    const auto later = m_documents.upperBound(place);
    if (later == m_documents.cbegin())
        return nullptr;
    const BatchVariable& variable = m_batch.variables.at(*std::prev(later));
    return place <= variable.value.origins.last() ? &variable : nullptr;
}

/// bash -c "export NAME=\"$NAME\"; ...": the inner shell's variable is the outer one's, unless that shell takes a
/// character of it for something else.
bool ValueTracer::passesOn(int setter, const QString& name) const
{
    const QList<ShellAssignment>& assignments = m_batch.shell.commands.at(setter).assignments;
    const bool passes = std::all_of(assignments.cbegin(), assignments.cend(), [&name](const ShellAssignment& one) {
        if (one.name != name)
            return true;
        const QList<Expansion>& inside = one.value.expansions;
        return !one.isArray && !one.appends && inside.size() == 1 && inside.first().early && inside.first().inQuotes
            && inside.first().name == name && inside.first().operation.isEmpty()
            && inside.first().text.size() == one.value.value.size();
    });
    return passes && !holdsSpecial(name, 0);
}

/// Whether a variable holds a character that a shell takes for something else within double quotes.
bool ValueTracer::holdsSpecial(const QString& name, int depth) const
{
    static const QRegularExpression special(u"[\"\\\\$`]"_s);
    const QList<int> places = m_batch.variablesByName.value(name);
    return std::any_of(places.cbegin(), places.cend(), [&](int place) {
        const BatchVariable& variable = m_batch.variables.at(place);
        QString typed = variable.value.value;
        const QList<Expansion>& inside = variable.value.expansions;
        for (auto one = inside.crbegin(); one != inside.crend(); ++one)
            typed.remove(one->at, one->text.size());
        return variable.isArray || typed.contains(special)
            || std::any_of(inside.cbegin(), inside.cend(), [&](const Expansion& one) {
                   return one.name != name && (depth > deepestTrace || holdsSpecial(one.name, depth + 1));
               });
    });
}

/// The assignment that reaches a command; null, with the reason where there is more than one.
const BatchVariable* ValueTracer::reaching(const QString& name, int use, QString& why) const
{
    const QList<ShellCommand>& commands = m_batch.shell.commands;
    const int own = outermost(m_batch, use);
    const bool anywhere = own < 0 || own >= commands.size() || runsOutOfOrder(commands.at(own));
    const BatchVariable* last = nullptr;
    for (const int place : m_batch.variablesByName.value(name)) {
        const BatchVariable& variable = m_batch.variables.at(place);
        if (!anywhere && variable.command >= own)
            continue;
        const ShellCommand& setter = commands.at(variable.command);
        const bool usual = isUsual(setter) && !variable.appends;
        if (usual && !anywhere) {
            last = &variable;
            why.clear();
        } else if (usual && last == nullptr && why.isEmpty()) {
            last = &variable;
        } else {
            why = usual ? u"$%1 is set several times (also in line %2)."_s.arg(name).arg(variable.line)
                : !isUsual(setter)
                ? u"Decided while the job runs: line %2 sets $%1 %3."_s.arg(name)
                      .arg(variable.line)
                      .arg(whereItRuns(setter))
                : u"It is put together from several pieces: line %2 adds to $%1."_s.arg(name).arg(variable.line);
            last = nullptr;
        }
    }
    return isSetElsewhere(name, own, last, why) ? nullptr : last;
}

/// Whether an inner shell of the command at `own`, or a command that is not an assignment (read, for), sets the name as
/// well, after `last`; `why` says so.
bool ValueTracer::isSetElsewhere(const QString& name, int own, const BatchVariable* last, QString& why) const
{
    const QList<ShellCommand>& commands = m_batch.shell.commands;
    const bool anywhere = own < 0 || own >= commands.size() || runsOutOfOrder(commands.at(own));
    for (const int setter : m_innerSetters.value(name)) {
        const bool within = own >= 0 && own < commands.size()
            && (outermost(m_batch, setter) == own
                || (commands.at(setter).subshellDepth > 0 && commands.at(own).subshellDepth > 0));
        if (within && !passesOn(setter, name)) {
            why = u"The shell within the command sets $%1 itself, in line %2."_s.arg(name).arg(
                commands.at(setter).line);
            return true;
        }
    }
    for (const int setter : m_setters.value(name)) {
        if (!anywhere && (setter >= own || (last != nullptr && setter < last->command)))
            continue;
        if (last != nullptr && setter == last->command) // read -d '' NAME <<EOF: the assignment itself
            continue;
        why = u"Decided while the job runs: line %1 %2."_s.arg(commands.at(setter).line)
                  .arg(whatItDoes(commands.at(setter)).arg(name));
        return true;
    }
    return false;
}

/// NAME+=VALUE, or a value that holds the one before: CMD="$CMD --lr 1".
static bool addsTo(const BatchVariable& variable)
{
    const QList<Expansion>& inside = variable.value.expansions;
    return variable.appends || std::any_of(inside.cbegin(), inside.cend(), [&variable](const Expansion& one) {
        return one.kind == Expansion::Kind::Variable && one.name == variable.name && one.operation.isEmpty();
    });
}

/// What is added after the value before; nothing: it is not added after it.
static std::optional<QString> addedBehind(const BatchVariable& variable)
{
    const ShellWord& value = variable.value;
    if (variable.appends)
        return value.value;
    const bool isFirst = !value.expansions.isEmpty() && value.expansions.first().at == 0
        && value.expansions.first().name == variable.name;
    return isFirst ? std::optional(value.value.mid(value.expansions.first().text.size())) : std::nullopt;
}

bool ValueTracer::isAppendedTo(const BatchVariable& variable) const
{
    const QList<int> places = m_batch.variablesByName.value(variable.name);
    return !variable.isArray && std::any_of(places.cbegin(), places.cend(), [this](int place) {
        return addsTo(m_batch.variables.at(place));
    });
}

/// Whether two commands stand in one block, so that the second runs after the first whenever it runs.
bool ValueTracer::standInOneBlock(int first, int second) const
{
    constexpr int farthest = 1000;
    const QList<ShellCommand>& commands = m_batch.shell.commands;
    if (first > second || second - first > farthest)
        return false;
    const ShellCommand& last = commands.at(second);
    return std::all_of(commands.cbegin() + first, commands.cbegin() + second,
               [&last](const ShellCommand& one) {
                   return one.parent
                       || (one.function == last.function && one.loopDepth >= last.loopDepth
                           && one.conditionDepth >= last.conditionDepth && one.subshellDepth >= last.subshellDepth);
               })
        && commands.at(first).loopDepth == last.loopDepth && commands.at(first).conditionDepth == last.conditionDepth
        && commands.at(first).subshellDepth == last.subshellDepth && !commands.at(first).parent;
}

/// RUN="srun"; RUN+=" --label": the last assignment and what is added to it whatever happens reach the command, each
/// where it stands. What a condition adds changes nothing of them, unless it says one of their options again.
QString ValueTracer::doubtOfGrown(const BatchVariable& variable, int use) const
{
    const QList<ShellCommand>& commands = m_batch.shell.commands;
    const int own = outermost(m_batch, use);
    if (own < 0 || own >= commands.size())
        return doubt(variable, use);
    const bool inBlock = runsOutOfOrder(commands.at(own)) && !isSetBeforeLoop(variable.name, own);
    const QSet<QString> options = optionsIn(variable.value.value);
    const BatchVariable* base = nullptr;
    bool reaches = false;
    QString why;
    for (const int place : m_batch.variablesByName.value(variable.name)) {
        const BatchVariable& other = m_batch.variables.at(place);
        if (other.command >= own)
            continue;
        const ShellCommand& setter = commands.at(other.command);
        const bool isOwn = &other == &variable;
        const bool usual = inBlock ? !isAndOr(setter.before) && standInOneBlock(other.command, own) : isUsual(setter);
        const std::optional<QString> added = addedBehind(other);
        if (usual && !addsTo(other)) {
            base = &other;
            reaches = isOwn;
            why.clear();
        } else if (usual) {
            reaches = reaches || isOwn;
        } else if (isOwn || !added || (!added->isEmpty() && !added->front().isSpace())
            || options.intersects(optionsIn(*added))) {
            why = u"Decided while the job runs: line %2 %4 $%1 %3."_s.arg(variable.name)
                      .arg(other.line)
                      .arg(whereItRuns(setter), added ? u"adds to"_s : u"sets"_s);
        }
    }
    if (inBlock && base == nullptr)
        return doubt(variable, use);
    if (why.isEmpty() && !isSetElsewhere(variable.name, own, base, why) && !reaches)
        why = notReaching(variable, own);
    return why;
}

/// A command of a loop, in which and after which nothing sets the name.
bool ValueTracer::isSetBeforeLoop(const QString& name, int own) const
{
    constexpr int longest = 2000; // commands of a loop
    const QList<ShellCommand>& commands = m_batch.shell.commands;
    if (!commands.at(own).function.isEmpty())
        return false;
    int begin = own;
    while (begin > 0 && own - begin < longest && commands.at(begin).loopDepth > 0)
        --begin;
    const QList<int> places = m_batch.variablesByName.value(name);
    return commands.at(begin).loopDepth == 0 && std::all_of(places.cbegin(), places.cend(), [&](int place) {
        return m_batch.variables.at(place).command <= begin;
    });
}

QString ValueTracer::doubt(const BatchVariable& variable, int use) const
{
    QString why;
    const BatchVariable* found = reaching(variable.name, use, why);
    if (found == &variable)
        return {};
    return !why.isEmpty() ? why : notReaching(variable, outermost(m_batch, use));
}

QString ValueTracer::doubtAt(qsizetype place, int use) const
{
    const BatchVariable* variable = assignmentAt(place);
    const QList<ShellCommand>& commands = m_batch.shell.commands;
    const bool isWithin = use >= 0 && use < commands.size() && commands.at(use).inSubstitution
        && commands.at(use).begin <= place && place < commands.at(use).end;
    if (isWithin && variable != nullptr && variable->command != use)
        return {}; // OUT=$(srun ... place ...)
    if (variable == nullptr)
        variable = documentAt(place);
    if (variable == nullptr || m_batch.shell.commands.at(variable->command).parent)
        return {};
    if (variable->isArray) {
        // elements are added to arrays: each list of them is read, whatever else is added under a condition
        const QList<int> places = m_batch.variablesByName.value(variable->name);
        for (const int other : places) {
            const ShellCommand& setter = m_batch.shell.commands.at(m_batch.variables.at(other).command);
            const bool adds = m_batch.variables.at(other).appends && &m_batch.variables.at(other) != variable;
            if (!adds && !isUsual(setter))
                return u"Decided while the job runs: line %2 sets $%1 %3."_s.arg(variable->name)
                    .arg(setter.line)
                    .arg(whereItRuns(setter));
        }
        return {};
    }
    return isAppendedTo(*variable) ? doubtOfGrown(*variable, use) : doubt(*variable, use);
}

TracedValue ValueTracer::trace(const ShellWord& word, int use) const
{
    TracedValue out;
    addWord(out, word, use, 0);
    if (word.expansions.size() != 1 || word.expansions.first().text.size() != word.value.size())
        out.variable.clear();
    else if (out.text.isEmpty()) {
        QString why;
        const BatchVariable* empty = reaching(word.expansions.first().name, use, why);
        if (empty != nullptr && !empty->isArray && !m_batch.shell.commands.at(empty->command).parent) {
            out.empty = TextRange{empty->value.begin, empty->value.end};
        }
    }
    return out;
}

void ValueTracer::addWord(TracedValue& out, const ShellWord& word, int use, int depth) const
{
    const bool placed = word.origins.size() == word.value.size();
    const auto add = [&](qsizetype begin, qsizetype end) {
        out.text += word.value.mid(begin, end - begin);
        for (qsizetype i = begin; i < end && i < word.value.size(); ++i)
            out.origins.append(placed ? word.origins.at(i) : -1);
    };
    qsizetype at = 0;
    for (const Expansion& expansion : word.expansions) {
        add(at, expansion.at);
        if (out.text.size() < longestTrace)
            addExpansion(out, word, expansion, use, depth);
        at = expansion.at + expansion.text.size();
    }
    add(at, word.value.size());
}

void ValueTracer::addExpansion(
    TracedValue& out, const ShellWord& word, const Expansion& expansion, int use, int depth) const
{
    const auto asTyped = [&](const QString& why) {
        const bool placed = word.origins.size() == word.value.size();
        out.text += expansion.text;
        ++out.unknown;
        for (qsizetype i = 0; i < expansion.text.size(); ++i)
            out.origins.append(placed ? word.origins.at(expansion.at + i) : -1);
        if (out.why.isEmpty())
            out.why = why;
    };
    if (expansion.kind != Expansion::Kind::Variable || depth > deepestTrace) {
        const QString computed = expansion.kind == Expansion::Kind::Arithmetic
            ? u"The shell computes %1 while the job runs: change the numbers that it is made of."_s
            : u"Decided while the job runs: the shell computes %1."_s;
        asTyped(computed.arg(expansion.text.left(60).simplified()));
        return;
    }
    const bool hasDefault = expansion.operation.startsWith(u":-") || expansion.operation.startsWith(u":=")
        || (expansion.operation.startsWith(u'-') && expansion.operation.size() > 1);
    QString why;
    const BatchVariable* variable = reaching(expansion.name, use, why);
    if (variable != nullptr && !variable->isArray && (expansion.operation.isEmpty() || hasDefault)) {
        if (!variable->value.value.isEmpty() || expansion.operation.isEmpty()) {
            const qsizetype begin = out.text.size();
            addWord(out, variable->value, variable->command, depth + 1);
            // a shell splits it or reads it again
            if (expansion.early && out.text.size() > begin && !isHarmlessWord(QStringView(out.text).mid(begin)))
                ++out.unknown;
            return;
        }
    }
    if (variable == nullptr && why.isEmpty() && hasDefault && expansion.names.size() == 1
        && !expansion.name.startsWith(u"SLURM")) {
        const qsizetype skipped = expansion.operation.startsWith(u':') ? 2 : 1;
        const qsizetype begin = expansion.text.indexOf(expansion.operation) + skipped;
        ShellWord given;
        given.value = expansion.operation.mid(skipped);
        if (word.origins.size() == word.value.size())
            given.origins = word.origins.mid(expansion.at + begin, given.value.size());
        if (!given.value.contains(u'"') && !given.value.contains(u'\'') && !given.value.contains(u'\\')) {
            addWord(out, given, use, depth + 1);
            return;
        }
    }
    static const QRegularExpression name(u"^[A-Za-z_]\\w*$"_s);
    if (why.isEmpty() && expansion.name.startsWith(u"SLURM") && expansion.operation.isEmpty()) {
        why = u"Decided while the job runs: Slurm sets $%1."_s.arg(expansion.name);
        out.variable = expansion.name;
    } else if (why.isEmpty() && variable != nullptr) {
        why = u"Decided while the job runs: the shell computes %1."_s.arg(expansion.text.left(60).simplified());
    } else if (why.isEmpty() && name.match(expansion.name).hasMatch()) {
        why = whoSets(expansion.name).arg(expansion.name);
    } else if (why.isEmpty()) {
        static const QRegularExpression given(u"^(?:\\d+|[@*#])$"_s); // bash(1): positional and special parameters
        why = (given.match(expansion.name).hasMatch()
                ? u"Decided when the job is submitted: %1 is what the script is started with."_s
                : u"Decided while the job runs: the shell computes %1."_s)
                  .arg(expansion.text.left(60).simplified());
    }
    asTyped(why);
}

QList<ValueTracer::Factor> ValueTracer::factors(const ShellWord& word, int use) const { return factors(word, use, 0); }

QList<ValueTracer::Factor> ValueTracer::factors(const ShellWord& word, int use, int depth) const
{
    if (depth > deepestTrace)
        return {};
    const TracedValue whole = trace(word, use);
    Factor one;
    bool fine = false;
    one.number = whole.text.toLongLong(&fine);
    if (whole.isCertain() && fine && *one.number > 0) {
        if (whole.isOnePlace())
            one.typed = TextRange{whole.origins.first(), whole.origins.last() + 1};
        return {one};
    }
    if (!whole.variable.isEmpty()) {
        one.number.reset();
        one.variable = whole.variable;
        return {one};
    }
    // $((A * 8)), and expr(1): $(expr A "*" 8)
    static const QRegularExpression product(u"^\\$\\(\\(\\s*\\(?([^()]*)\\)?\\s*\\)\\)$"_s);
    static const QRegularExpression called(u"^(?:\\$\\(|`)\\s*expr\\s+([^()`]*?)\\s*[)`]$"_s);
    static const QRegularExpression times(u"\\s(?:\\\\\\*|'\\*'|\"\\*\")\\s"_s);
    auto match = product.match(whole.text);
    const bool isCall = !match.hasMatch();
    if (isCall)
        match = called.match(whole.text);
    if (!match.hasMatch() || whole.origins.size() != whole.text.size())
        return {};
    // N=$((N * 2)): what the product is made of was set before it
    const BatchVariable* holder = whole.origins.first() < 0 ? nullptr : assignmentAt(whole.origins.first());
    const int before = holder != nullptr ? holder->command : use;
    QList<Factor> found;
    static const QRegularExpression piece(u"^\\s*(?:\\$?\\{?([A-Za-z_]\\w*)\\}?|(\\d+))\\s*$"_s);
    const QString content = match.captured(1);
    QList<QPair<qsizetype, qsizetype>> parts; // begin and length of each factor
    qsizetype at = 0;
    for (auto sign = isCall ? times.globalMatch(content) : QRegularExpression(u"\\*"_s).globalMatch(content);
         sign.hasNext();) {
        const auto star = sign.next();
        parts.append({at, star.capturedStart(0) - at});
        at = star.capturedEnd(0);
    }
    parts.append({at, content.size() - at});
    for (const auto& [begin, length] : std::as_const(parts)) {
        at = match.capturedStart(1) + begin;
        const QString text = content.mid(begin, length);
        const auto part = piece.match(text);
        if (!part.hasMatch())
            return {};
        Factor factor;
        if (part.capturedStart(2) >= 0) {
            factor.number = part.captured(2).toLongLong();
            const qsizetype digits = whole.origins.at(at + part.capturedStart(2));
            factor.typed = TextRange{digits, digits + part.capturedLength(2)};
        } else {
            ShellWord name;
            Expansion expansion;
            expansion.name = part.captured(1);
            expansion.names = {expansion.name};
            name.value = expansion.text = u"$"_s + expansion.name;
            name.expansions = {expansion};
            const QList<Factor> inner = factors(name, before, depth + 1);
            if (inner.size() != 1)
                return {};
            factor = inner.first();
        }
        found.append(factor);
    }
    return found;
}

bool meets(const QList<TextRange>& ranges, const QList<TextChange>& changes)
{
    return std::any_of(ranges.cbegin(), ranges.cend(), [&](const TextRange& range) {
        return std::any_of(changes.cbegin(), changes.cend(), [&](const TextChange& change) {
            return change.range.begin <= range.end && range.begin <= change.range.end;
        });
    });
}

QStringList variableNotes(const BoundScript& bound, const QString& text, const QList<TextChange>& changes)
{
    const qsizetype base = bound.batch.hasBom ? 1 : 0;
    QStringList notes;
    for (const BatchVariable& one : bound.batch.variables) {
        if (!meets({{one.value.begin + base, one.value.end + base}}, changes))
            continue;
        if (bound.batch.shell.commands.at(one.command).name() == u":")
            notes.append(u"Line %1 sets $%2 only if nothing set it before."_s.arg(one.line).arg(one.name));
        const QRegularExpression computes(u"\\$\\(\\((?:(?!\\)\\)).)*\\b%1\\b"_s.arg(one.name));
        for (const BatchVariable& other : bound.batch.variables) {
            if (text.mid(other.value.begin + base, other.value.end - other.value.begin).contains(computes))
                notes.append(u"Line %1 computes $%2 from it."_s.arg(other.line).arg(other.name));
        }
    }
    return notes;
}

} // namespace rankwright::inline script
