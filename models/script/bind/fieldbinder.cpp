// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/fieldbinder.h"

#include "models/core/units.h"
#include "models/script/bash/launchnames.h"
#include "models/script/bind/authorspelling.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

ScriptPlace FieldBinder::placeOf(const TextRange& range) const
{
    const auto line = std::upper_bound(m_lineStarts.cbegin(), m_lineStarts.cend(), range.begin) - 1;
    ScriptPlace place;
    place.begin = range.begin;
    place.end = range.end;
    place.line = static_cast<int>(line - m_lineStarts.cbegin()) + 1;
    const qsizetype start = *line + (place.line == 1 ? m_base : 0);
    place.column = static_cast<int>(range.begin - start) + 1;
    const qsizetype lineEnd = batch().text.indexOf(u'\n', range.begin);
    place.length = static_cast<int>((lineEnd < 0 ? range.end : qMin(range.end, lineEnd)) - range.begin);
    return place;
}

TextRange FieldBinder::directiveRange(int line, int column, int endColumn) const
{
    const qsizetype start = m_lineStarts.at(line - 1) + (line == 1 ? m_base : 0);
    return {start + column - 1, start + endColumn - 1};
}

void FieldBinder::bound(const QString& path, const QString& value, QList<TextRange> ranges)
{
    std::sort(ranges.begin(), ranges.end());
    ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
    ScriptField& one = field(path);
    one.state = State::Bound;
    one.value = value;
    one.why.clear();
    one.places.clear();
    for (const TextRange& range : std::as_const(ranges))
        one.places.append(placeOf(range));
    m_out.ranges.insert(path, ranges);
}

void FieldBinder::absent(const QString& path, const QString& why)
{
    ScriptField& one = field(path);
    one.state = State::Absent;
    one.why = why;
}

void FieldBinder::undecided(const QString& path, const QString& why, const QString& value, State state)
{
    ScriptField& one = field(path);
    one.state = state;
    one.value = value;
    one.why = why;
}

QList<TextRange> FieldBinder::piecesOf(const TracedValue& traced) const
{
    QList<TextRange> pieces;
    for (const int origin : traced.origins) {
        if (origin < 0)
            continue;
        if (!pieces.isEmpty() && pieces.last().end == origin + m_base)
            ++pieces.last().end;
        else
            pieces.append(inText(origin, origin + 1));
    }
    return pieces;
}

FieldBinder::Text FieldBinder::textOf(const ShellWord& word, int use) const
{
    const TracedValue traced = m_tracer->trace(word, use);
    Text text;
    text.value = traced.text;
    text.madeOf = piecesOf(traced);
    text.unknown = traced.unknown;
    if (traced.isOnePlace()) {
        const QString doubt = m_tracer->doubtAt(traced.origins.first(), use);
        if (doubt.isEmpty()) {
            text.range = withName(inText(traced.origins.first(), traced.origins.last() + 1));
            return text;
        }
        text.why = doubt;
    }
    const auto placed = std::find_if(traced.origins.cbegin(), traced.origins.cend(), [](int at) { return at >= 0; });
    if (!text.why.isEmpty() || (placed != traced.origins.cend() && !m_tracer->doubtAt(*placed, use).isEmpty()))
        ++text.unknown; // what stands there is perhaps not what arrives
    if (traced.isCertain() && traced.empty) { // IMAGE="${IMAGE:-}"
        const auto isQuote = [&](qsizetype at) { return QStringView(u"\"'").contains(batch().text.at(at)); };
        const TextRange whole = inText(traced.empty->begin, traced.empty->end);
        const bool quoted = whole.end - whole.begin > 1 && isQuote(whole.begin) && isQuote(whole.end - 1);
        text.range = quoted ? TextRange{whole.begin + 1, whole.end - 1} : whole;
        return text;
    }
    // several pieces, or not known: the word itself
    TracedValue typed;
    typed.text = word.value;
    typed.origins = word.origins;
    if (typed.isOnePlace() && m_tracer->doubtAt(typed.origins.first(), use).isEmpty()) {
        text.range = inText(typed.origins.first(), typed.origins.last() + 1);
        text.why.clear();
    } else if (text.why.isEmpty()) {
        text.why = word.origins.isEmpty() ? u"It is put together in a text that this script writes."_s : traced.why;
    }
    if (!text.range && text.why.isEmpty())
        text.why = u"It is put together from several pieces of the script."_s;
    return text;
}

void FieldBinder::bindText(const QString& path, const ShellWord& word, int use)
{
    const Text text = textOf(word, use);
    if (text.range)
        bound(path, text.value, {*text.range});
    else
        undecided(path, text.why, text.value);
    m_out.madeOf.insert(path, text.madeOf);
    m_out.unknown.insert(path, text.unknown);
}

QString FieldBinder::absenceOf(const QString& option) const
{
    for (const LostDirective& lost : batch().lost) {
        const bool names = std::any_of(
            lost.options.cbegin(), lost.options.cend(), [&](const BatchOption& one) { return one.name == option; });
        if (names && !lost.stops())
            return u"Line %1 says it where sbatch does not read it; no directive does."_s.arg(lost.line);
    }
    return u"No directive says it."_s;
}

QString FieldBinder::valueFor(const QString& option, const QString& value)
{
    if (option == u"time") {
        const auto time = parseSlurmTime(value);
        return time ? slurmTime(*time) : value;
    }
    if (option == u"mem" || option.startsWith(u"mem-per")) {
        const auto memory = parseSlurmMemory(value);
        return memory ? slurmMemory(*memory) : value;
    }
    return value;
}

/// "01H" is not a time: sbatch ends with it, and no edit gives it back.
bool FieldBinder::isReadBySlurm(const QString& option, const QString& value)
{
    if (option == u"time")
        return parseSlurmTime(value).hasValue() || isNoLimit(value);
    if (option == u"mem" || option.startsWith(u"mem-per"))
        return parseSlurmMemory(value).hasValue();
    return true;
}

TextRange FieldBinder::valueRange(const BatchOption& option) const
{
    return directiveRange(option.line, option.valueColumn, option.valueEndColumn);
}

/// The option that counts is the last one; earlier ones that say the same go with it.
void FieldBinder::bindDirective(const QString& path, const QString& name)
{
    m_out.options.insert(path, name);
    const QList<BatchOption> said = batch().optionsNamed(name);
    if (said.isEmpty() || !said.last().hasValue) {
        absent(path, absenceOf(name));
        return;
    }
    const QString value = valueFor(name, said.last().value);
    QList<TextRange> ranges;
    QStringList notes;
    for (const BatchOption& option : said) {
        if (option.hasValue && option.valueColumn > 0 && valueFor(name, option.value) == value)
            ranges.append(valueRange(option));
        else
            notes.append(u"Line %1 says %2, which a later line overrides."_s.arg(option.line).arg(option.written));
    }
    if (!isReadBySlurm(name, value))
        notes.append(u"“%1” is no value that Slurm reads: it refuses the job."_s.arg(value));
    bound(path, value, ranges);
    field(path).notes = notes;
}

/// Whether the size of a step is that of the directives, or follows it.
bool FieldBinder::spansJob(const Launch& launch) const
{
    const LaunchLayer* srun = launch.layer(Kind::Srun);
    bool isSized = false;
    for (const auto& name : {u"nodes"_s, u"ntasks"_s, u"ntasks-per-node"_s}) {
        const BatchOption* option = srun != nullptr ? srun->option(name) : nullptr;
        if (option == nullptr || !option->word)
            continue;
        isSized = true;
        const BatchOption* directive = batch().option(name);
        const bool follows
            = std::any_of(option->word->expansions.cbegin(), option->word->expansions.cend(), [](const Expansion& one) {
                  return std::any_of(one.names.cbegin(), one.names.cend(),
                      [](const QString& variable) { return variable.startsWith(u"SLURM_"); });
              });
        if (follows || (directive != nullptr && directive->value == textOf(*option->word, launch.command).value))
            return true;
        if (name == u"nodes")
            return false; // of its own
    }
    return !isSized;
}

/// A step that is one of many, or runs on a part of the job, says nothing about the job.
bool FieldBinder::speaksForJob(const Launch& launch) const
{
    const ShellCommand& command = batch().shell.commands.at(launch.command);
    // steps beside each other; one after the other, each may have the whole job
    if (command.loopDepth > 0 && (launch.background || command.subshellDepth > 0 || !spansJob(launch)))
        return false;
    if (launch.background && m_choice.launches.size() > 1)
        return false;
    const LaunchLayer* srun = launch.layer(Kind::Srun);
    return srun == nullptr
        || (srun->option(u"nodelist"_s) == nullptr && srun->option(u"relative"_s) == nullptr
            && srun->option(u"het-group"_s) == nullptr && srun->option(u"exclude"_s) == nullptr);
}

/// A new line within a text of `bash -c` ends the command there, so that nothing can be added after it.
static bool endsCommand(const QString& text, qsizetype from, qsizetype to)
{
    for (qsizetype at = text.indexOf(u'\n', from); at >= 0 && at < to; at = text.indexOf(u'\n', at + 1)) {
        const qsizetype before = at > 0 && text.at(at - 1) == u'\r' ? at - 2 : at - 1;
        if (before < 0 || text.at(before) != u'\\')
            return true;
    }
    return false;
}

QList<qsizetype> FieldBinder::placesBehind(const ShellWord& word, WordPlace at, int use) const
{
    const bool standsHere = at == WordPlace::Here;
    QList<qsizetype> places;
    const QString& text = batch().text;
    const auto add = [&](qsizetype place) {
        places.append(place);
        if (place < text.size() && (text.at(place) == u'"' || text.at(place) == u'\''))
            places.append(place + 1); // "..."word" ..." within a text of bash -c
    };
    const bool inText = std::any_of(m_choice.launches.cbegin(), m_choice.launches.cend(), [&](const Launch& launch) {
        return launch.command == use
            && std::any_of(launch.layers.cbegin(), launch.layers.cend(), [](const LaunchLayer& layer) {
                   const bool isShell
                       = layer.kind == Kind::Shell || (layer.kind == Kind::Wrapper && layer.name == u"eval");
                   return isShell && !layer.words.isEmpty();
               });
    });
    // bash -c "t.py $@": the last of several arguments begins a word of its own, which is not a part of the text
    if (inText && standsHere && isArguments(word) && word.expansions.first().early && word.value.contains(u'@')
        && m_tracer->assignmentAt(word.begin) == nullptr)
        return {};
    qsizetype behind = word.end;
    const BatchVariable* variable = standsHere ? m_tracer->assignmentAt(word.begin) : nullptr;
    // PROGRAM=train.py holds one word, which may have other uses: what is added stands at the command
    const bool isOnlyWord = variable != nullptr && !variable->isArray && word.begin - variable->value.begin <= 1
        && variable->value.end - word.end <= 1;
    if (standsHere && !isOnlyWord)
        add(word.end + m_base);
    for (int depth = 0; variable != nullptr && depth < 6; ++depth) {
        if (inText && endsCommand(text, behind + m_base, variable->value.end + m_base))
            return places;
        const BatchVariable* user = nullptr;
        for (const BatchVariable& other : batch().variables) {
            const QList<ShellWord> words = other.isArray ? other.elements : QList<ShellWord>{other.value};
            for (const ShellWord& one : words) {
                for (const Expansion& expansion : one.expansions) {
                    const qsizetype last = expansion.at + expansion.text.size() - 1;
                    if (expansion.name != variable->name || last >= one.origins.size())
                        continue;
                    user = &other;
                    behind = one.origins.at(last) + 1;
                    add(behind + m_base);
                }
            }
        }
        variable = user != variable ? user : nullptr;
    }
    if (word.use && word.use->end > 0) {
        add(word.use->end + m_base);
        const qsizetype quote = word.use->end - 1 + m_base;
        if (quote < text.size() && text.at(quote) == u'"')
            places.append(quote); // bash -c "$CMD": within the text that bash reads
    }
    if (isOnlyWord)
        add(word.end + m_base);
    return places;
}

/// "${NAME:-value}" as a whole where the range is the value in it: the submitting shell may set the name, so that a
/// new value takes the place of both. Not of `: ${NAME:=value}`, where the name must stay.
TextRange FieldBinder::withName(TextRange range) const
{
    static const QRegularExpression name(u"\\$\\{(?:[A-Za-z_]\\w*|\\d+):?[-=]$"_s);
    constexpr qsizetype longestName = 80;
    const QString& text = batch().text;
    const auto at = [&text](qsizetype index) { return index >= 0 && index < text.size() ? text.at(index) : QChar(); };
    const auto nameBefore = [&text](qsizetype end) {
        const qsizetype from = qMax<qsizetype>(0, end - longestName);
        const auto match = name.match(text.mid(from, end - from));
        return match.hasMatch() ? from + match.capturedStart(0) : -1;
    };
    while (true) {
        // quotes around the value are the ranks' shell's, which takes them away
        const QChar quote = at(range.end);
        const bool isQuoted = (quote == u'\'' || quote == u'"') && at(range.begin - 1) == quote;
        const qsizetype wide = isQuoted ? 1 : 0;
        const qsizetype from = at(range.end + wide) == u'}' ? nameBefore(range.begin - wide) : -1;
        const bool isSetHere
            = from >= 0 && m_tracer->assignmentAt(range.begin - m_base) != m_tracer->assignmentAt(from - m_base);
        if (from < 0 || isSetHere)
            return range;
        range = {from, range.end + wide + 1};
    }
}

ListWord FieldBinder::listWord(const ShellWord& word, int use, qsizetype sharing) const
{
    ListWord out;
    const Text text = textOf(word, use);
    out.value = text.value;
    out.range = text.range;
    out.why = text.why;
    out.madeOf = text.madeOf;
    out.unknown = text.unknown;
    const bool isHere
        = !word.origins.isEmpty() && m_tracer->doubtAt(word.begin, use).isEmpty() && word.end > word.begin;
    const WordPlace standsHere = isHere ? WordPlace::Here : WordPlace::Elsewhere;
    if (isHere)
        out.whole = inText(word.begin, word.end);
    out.behind = placesBehind(word, standsHere, use);
    if (!out.range && sharing == 1 && word.use && word.use->end > word.use->begin) {
        out.range = out.whole = inText(word.use->begin, word.use->end);
        out.why.clear();
    }
    return out;
}

QList<ListWord> FieldBinder::listWords(const QList<ShellWord>& words, int use) const
{
    QHash<qsizetype, qsizetype> sharing;
    for (const ShellWord& word : words) {
        if (word.use)
            ++sharing[word.use->begin];
    }
    QList<ListWord> list;
    for (const ShellWord& word : words)
        list.append(listWord(word, use, word.use ? sharing.value(word.use->begin) : 0));
    return list;
}
} // namespace rankwright::inline script
