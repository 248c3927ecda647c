// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/units.h"
#include "models/planner/design/jobspec.h"
#include "models/planner/design/trainingtime.h"
#include "models/script/bash/launchnames.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/bind/absence.h"
#include "models/script/bind/authorspelling.h"
#include "models/script/bind/commandwords.h"
#include "models/script/bind/countedit.h"
#include "models/script/bind/valuetracer.h"
#include "models/script/bind/wordlistedit.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using State = ScriptField::State;

/// What the script is to say after an edit, for reading it again.
struct Expectation {
    QString path;
    QString value; ///< of the field
    QList<QStringList> commands; ///< the words of the programs; empty: as before
    std::optional<QStringList> modules;
    int newOptions = 0;
    int newCommands = 0;
};

QString withoutStop(QString text)
{
    if (text.endsWith(u'.'))
        text.chop(1);
    return text;
}

Unexpected<Error> refused(const QString& path, const QString& why)
{
    const bool saysWhatToDo = why.contains(u"in the text") || why.contains(u": write ") || why.contains(u"Set it ")
        || why.contains(u" there") || why.contains(u": set ") || why.contains(u": change ");
    return fail(Fault::Invalid, u"%1 cannot be set: %2"_s.arg(path, withoutStop(why)), {},
        saysWhatToDo ? QString() : u"change it in the text of the script"_s);
}

class FieldSetter {
public:
    explicit FieldSetter(const std::shared_ptr<const BoundScript>& script)
        : m_script(script), m_bound(*script), m_text(script->batch.text)
    { }

    Result<EditedScript> set(const FieldEdit& edit)
    {
        const ScriptField* now = m_bound.fields.find(edit.path);
        if (now != nullptr && now->state == State::Bound && now->value == edit.value && !edit.appends)
            return EditedScript{m_text, {}, m_script};
        if (edit.path.startsWith(u"arguments.") && !edit.appends && m_bound.sameCommands.isEmpty()
            && m_bound.ranges.contains(edit.path)) {
            // the value alone, where it was typed
            if (const auto edited = setText(edit, *m_bound.fields.find(edit.path)))
                return edited;
        }
        if (edit.path == field::command || edit.path == u"program" || edit.path.startsWith(u"arguments."))
            return setWords(edit);
        if (edit.appends)
            return refused(edit.path, u"Only to “command” can something be added"_s);
        if (edit.value.contains(u'\n') || edit.value.contains(u'\r') || edit.value.contains(QChar(0)))
            if (edit.path != field::setup)
                return refused(edit.path, u"A value must be on one line"_s);
        if (edit.path == field::modules)
            return setModules(edit);
        if (edit.path == field::setup)
            return setSetup(edit);
        const ScriptField* field = m_bound.fields.find(edit.path);
        if (field == nullptr && edit.path.startsWith(u"environment.variables."))
            return addVariable(edit);
        if (field == nullptr)
            return refused(edit.path, absenceOf(m_bound, edit.path));
        if (!field->canBeSet())
            return refused(edit.path, field->why);
        if (edit.path == u"environment.container" && field->state == State::Absent)
            return addImage(edit);
        if (isCountField(edit.path))
            return setCount(edit);
        return setText(edit, *field);
    }

private:
    // ---- making and proving a text ----

    /// The text with the changes; nothing where two of them meet.
    std::optional<QString> changed(QList<TextChange> changes) const
    {
        std::stable_sort(changes.begin(), changes.end(),
            [](const TextChange& a, const TextChange& b) { return a.range.begin < b.range.begin; });
        QString out;
        qsizetype at = 0;
        for (qsizetype i = 0; i < changes.size(); ++i) {
            const TextChange& change = changes.at(i);
            if (i > 0 && change.range == changes.at(i - 1).range && change.text == changes.at(i - 1).text
                && change.range.begin != change.range.end)
                continue;
            if (change.range.begin < at || change.range.end < change.range.begin || change.range.end > m_text.size())
                return std::nullopt;
            out += m_text.mid(at, change.range.begin - at) + change.text;
            at = change.range.end;
        }
        return out + m_text.mid(at);
    }

    bool touches(const QString& path, const QList<TextChange>& changes) const
    {
        return meets(m_bound.ranges.value(path), changes) || meets(m_bound.madeOf.value(path), changes);
    }

    /// Whether a value may differ after the edit: it is the one set, stands where the text was changed, or is a number
    /// that goes with it.
    bool mayChange(const QString& path, const Expectation& expected, const QList<TextChange>& changes) const
    {
        if (path == expected.path || touches(path, changes))
            return true;
        const bool isArgument = path.startsWith(u"arguments.") || path == field::command || path == u"program";
        if (isArgument)
            return !expected.commands.isEmpty() || touches(u"command"_s, changes);
        if (isCountField(expected.path))
            return isCountField(path);
        return false;
    }

    QString noPlaceForWords() const
    {
        const ScriptField* one = m_bound.fields.find(u"program"_s);
        return (one && !one->places.isEmpty() ? u"Line %1"_s.arg(one->places.first().line) : u"The script"_s)
            + u" puts its command together from several texts, and no place in them takes these words"_s;
    }

    qsizetype base() const { return m_bound.batch.hasBom ? 1 : 0; }
    /// Commands of $( ) that a new image or value takes the place of: IMAGE=$(ls *.sif), --data $(pwd)/data.
    qsizetype commandsWithin(const QString& path, const QList<TextChange>& changes) const
    {
        if (path != field::container && !path.startsWith(u"arguments."))
            return 0;
        const QList<ShellCommand>& commands = m_bound.batch.shell.commands;
        return std::count_if(commands.cbegin(), commands.cend(), [&](const ShellCommand& command) {
            return command.inSubstitution
                && std::any_of(changes.cbegin(), changes.cend(), [&](const TextChange& change) {
                       return change.range.begin < command.begin + base() && command.end + base() < change.range.end;
                   });
        });
    }

    /// Why the new text does not say what was asked for; empty: it does, and nothing else.
    QString fault(
        const BoundScript& now, const Expectation& expected, const QList<TextChange>& changes, QStringList& notes) const
    {
        const ScriptField* field = now.fields.find(expected.path);
        const QList<QStringList> commands = expected.commands.isEmpty() ? allCommands(m_bound) : expected.commands;
        const QList<QList<ListWord>> lists = allLists(now), before = allLists(m_bound);
        if (lists.size() != commands.size())
            return u"Another program would be started"_s;
        for (qsizetype i = 0; i < lists.size(); ++i) {
            if (!areWords(lists.at(i), commands.at(i), before.at(i), changes)
                || !areLiteral(lists.at(i), commands.at(i), before.at(i)))
                return noPlaceForWords();
        }
        if (expected.commands.isEmpty() && !isHarmlessWord(expected.value) && now.unknown.value(expected.path) > 0)
            return u"A shell would read a part of it as something else than it says"_s;
        if (expected.modules && valuesOf(now.modules) != *expected.modules)
            return u"The modules would not be these"_s;
        if (expected.commands.isEmpty() && !expected.modules
            && (field == nullptr || field->state != State::Bound || field->value != expected.value))
            return u"It would not arrive where the job reads it"_s;
        if (now.batch.options.size() != m_bound.batch.options.size() + expected.newOptions
            || now.batch.lost.size() != m_bound.batch.lost.size()
            || now.batch.shell.commands.size()
                != m_bound.batch.shell.commands.size() + expected.newCommands - commandsWithin(expected.path, changes)
            || now.batch.shell.faults.size() != m_bound.batch.shell.faults.size()
            || now.batch.launches.size() != m_bound.batch.launches.size())
            return u"The value would be read as something else than a value"_s;
        for (auto it = m_bound.fields.fields.cbegin(); it != m_bound.fields.fields.cend(); ++it) {
            const ScriptField* after = now.fields.find(it.key());
            const bool same = after != nullptr && after->value == it->value && after->state == it->state;
            if (same || it.key() == expected.path)
                continue;
            if (!mayChange(it.key(), expected, changes))
                return u"%1 would change with it"_s.arg(it.key());
            const bool follows = isCountField(it.key()) && isCountField(expected.path);
            const bool isCommand = it.key() == field::command || !expected.commands.isEmpty();
            if (!follows && !isCommand && after != nullptr)
                notes.append(u"%1 stands in the same place and is now %2."_s.arg(it.key(), after->value));
        }
        return {};
    }

    struct Attempt {
        QList<TextChange> changes;
        Expectation expected;
    };
    Result<EditedScript> firstThatHolds(
        const QString& path, const QList<Attempt>& attempts, QString why, const QStringList& notes = {}) const
    {
        QSet<QString> tried;
        for (const Attempt& attempt : attempts) {
            const auto text = changed(attempt.changes);
            if (!text || tried.contains(*text))
                continue;
            tried.insert(*text);
            QStringList all = notes;
            const auto now = std::make_shared<const BoundScript>(bindText(*text));
            const QString wrong = fault(*now, attempt.expected, attempt.changes, all);
            if (wrong.isEmpty())
                return EditedScript{*text, all + variableNotes(m_bound, m_text, attempt.changes), now};
            if (why.isEmpty())
                why = wrong;
        }
        return refused(path, why.isEmpty() ? u"The places in the text overlap"_s : why);
    }

    // ---- numbers ----

    Result<EditedScript> setCount(const FieldEdit& edit)
    {
        bool fine = false;
        const qint64 number = edit.value.trimmed().toLongLong(&fine);
        constexpr qint64 most = 10000000;
        if (!fine || number < 1 || number > most)
            return refused(edit.path, u"“%1” is not a whole number of at least 1"_s.arg(edit.value));
        if (m_bound.fields.fields.value(edit.path).value == QString::number(number)
            && m_bound.fields.fields.value(edit.path).state == State::Bound)
            return EditedScript{m_text, {}, m_script};
        const Result<CountEdit> made = countEdit(m_bound, edit.path, number);
        if (!made)
            return refused(edit.path, made.error().what);
        Attempt attempt{made->changes, {edit.path, QString::number(number), {}, {}, 0, 0}};
        if (made->needsDirective) {
            const auto directive = newDirective(edit.path, QString::number(number));
            if (!directive)
                return refused(edit.path, noDirectives(m_bound, edit.path));
            attempt.changes.append(*directive);
            attempt.expected.newOptions = 1;
        } else if (attempt.changes.isEmpty()) {
            // a value that is not a plain number: "2-4"
            for (const TextRange& range : m_bound.ranges.value(edit.path))
                attempt.changes.append({range, QString::number(number)});
        }
        return firstThatHolds(edit.path, {attempt}, {}, made->notes);
    }

    // ---- directives ----

    std::optional<TextChange> newDirective(const QString& path, const QString& value) const
    {
        return rankwright::newDirective(m_bound, m_text, m_bound.options.value(path), value);
    }

    /// The value as the field has it when it is read again; nothing: no such value.
    static std::optional<QString> normal(const QString& path, const QString& value)
    {
        if (path == field::time) {
            if (const auto time = parseSlurmTime(value))
                return slurmTime(*time);
            if (const auto seconds = spanSeconds(value)) // "8h", "90m", "2d 12h"
                return slurmTime({std::llround(*seconds)});
            return isNoLimit(value) ? std::optional(value) : std::nullopt;
        }
        if (path.startsWith(u"resources.memory")) {
            const auto memory = parseSlurmMemory(value);
            return memory ? std::optional(slurmMemory(*memory)) : std::nullopt;
        }
        if (path.startsWith(u"resources.cpus")) {
            bool fine = false;
            return value.toInt(&fine) > 0 && fine ? std::optional(value) : std::nullopt;
        }
        return value;
    }

    QString asWritten(const QString& path, const QString& written, const QString& value) const
    {
        QString bare = written;
        const bool quoted
            = bare.size() > 1 && (bare.front() == u'"' || bare.front() == u'\'') && bare.back() == bare.front();
        if (quoted)
            bare = bare.mid(1, bare.size() - 2);
        const QString spelt = path == field::time  ? timeAsWritten(bare, value)
            : path.startsWith(u"resources.memory") ? memoryAsWritten(bare, value)
                                                   : value;
        return directiveAsWritten(written, spelt);
    }

    bool isInDirective(const TextRange& range) const
    {
        const qsizetype start = m_text.lastIndexOf(u'\n', range.begin - 1) + 1;
        return m_text.mid(start, 7) == u"#SBATCH" || m_text.mid(start, 8) == u"\ufeff#SBATCH";
    }

    // ---- texts ----

    Result<EditedScript> setText(const FieldEdit& edit, const ScriptField& field)
    {
        // blanks around it belong to a word of the program and to a variable; around what sbatch reads they say nothing
        const bool isWord = edit.path.startsWith(u"arguments.") || edit.path.startsWith(u"environment.variables.");
        const auto value = normal(edit.path, isWord ? edit.value : edit.value.trimmed());
        if (!value)
            return refused(edit.path, u"“%1” is not a value that Slurm reads"_s.arg(edit.value));
        const bool mayBeEmpty = edit.path.startsWith(u"environment.variables.");
        if (value->isEmpty() && !mayBeEmpty)
            return refused(edit.path, u"The value is empty; remove the line in the text to take the field away"_s);
        if (field.state == State::Bound && field.value == *value)
            return EditedScript{m_text, {}, m_script};
        if (field.state == State::Absent) {
            const auto directive = newDirective(edit.path, *value);
            if (!directive || !fitsDirective(*value))
                return refused(edit.path, !m_bound.directiveAt ? noDirectives(m_bound, edit.path) : field.why);
            return firstThatHolds(edit.path, {{{*directive}, {edit.path, *value, {}, {}, 1, 0}}}, {});
        }
        QList<Attempt> attempts;
        for (const Quoting quoting : {Quoting::Inside, Quoting::Double, Quoting::Single}) {
            Attempt attempt{{}, {edit.path, *value, {}, {}, 0, 0}};
            for (const TextRange& range : m_bound.ranges.value(edit.path)) {
                if (isInDirective(range)) {
                    attempt.changes.append(
                        {range, asWritten(edit.path, m_text.mid(range.begin, range.end - range.begin), *value)});
                    continue;
                }
                ListWord word;
                word.range = range;
                word.whole = withQuotes(range);
                attempt.changes.append(wordChange(word, *value, quoting, m_text));
            }
            attempts.append(attempt);
        }
        return firstThatHolds(edit.path, attempts, {});
    }

    /// The range with the quotes right around it.
    TextRange withQuotes(const TextRange& range) const
    {
        const bool quoted = range.begin > 0 && range.end < m_text.size()
            && (m_text.at(range.begin - 1) == u'"' || m_text.at(range.begin - 1) == u'\'')
            && m_text.at(range.end) == m_text.at(range.begin - 1);
        return quoted ? TextRange{range.begin - 1, range.end + 1} : range;
    }

    Result<EditedScript> addVariable(const FieldEdit& edit)
    {
        const QString name = edit.path.section(u'.', 2);
        if (!isExportableName(name))
            return refused(edit.path, u"“%1” is not a name of a variable that a script may export"_s.arg(name));
        if (m_bound.batch.sets(name))
            return refused(edit.path, unexported(m_bound, name));
        if (!m_bound.variableAt)
            return refused(edit.path,
                u"There is no line before the program that surely runs, where it could be exported: export it in the text"_s);
        QList<Attempt> attempts;
        QString line = u"export %1=%2"_s.arg(name, typedWord(edit.value, Quoting::Single));
        const qsizetype at = *m_bound.variableAt;
        const bool ended = at == 0 || m_text.at(at - 1) == u'\n';
        line = ended ? line + lineEndAt(m_text, at) : lineEndAt(m_text, at) + line;
        attempts.append({{{{at, at}, line}}, {edit.path, edit.value, {}, {}, 0, 1}});
        return firstThatHolds(edit.path, attempts, {});
    }

    /// export NAME=IMAGE before the first use of a variable that the script does not set.
    Result<EditedScript> addImage(const FieldEdit& edit)
    {
        const QString value = edit.value.trimmed();
        if (value.isEmpty() || m_bound.imageVariable.isEmpty())
            return refused(edit.path, m_bound.fields.fields.value(edit.path).why);
        const qsizetype at = m_bound.imageVariableAt;
        const QString line
            = u"export %1=%2"_s.arg(m_bound.imageVariable, typedWord(value, Quoting::Single)) + lineEndAt(m_text, at);
        QStringList notes;
        for (const ShellCommand& command : m_bound.batch.shell.commands) {
            const bool asks = command.isCondition
                && std::any_of(command.words.cbegin(), command.words.cend(),
                    [this](const ShellWord& word) { return word.expands(m_bound.imageVariable); });
            if (asks)
                notes.append(
                    u"Line %1 asks for $%2: what the script does where it is set is done as well."_s.arg(command.line)
                        .arg(m_bound.imageVariable));
        }
        return firstThatHolds(edit.path, {{{{{at, at}, line}}, {edit.path, value, {}, {}, 0, 1}}}, {}, notes);
    }

    Result<EditedScript> setModules(const FieldEdit& edit)
    {
        if (m_bound.modules.isEmpty())
            return refused(edit.path, absenceOf(m_bound, edit.path));
        const QStringList words = edit.value.split(u' ', Qt::SkipEmptyParts);
        return setLists(edit.path, {m_bound.modules}, {words}, {edit.path, {}, {}, words, 0, 0});
    }

    Result<EditedScript> setSetup(const FieldEdit& edit)
    {
        const QList<TextRange> ranges = m_bound.ranges.value(edit.path);
        const QStringList lines = edit.value.split(u'\n', Qt::SkipEmptyParts);
        if (ranges.isEmpty())
            return refused(edit.path, absenceOf(m_bound, edit.path));
        if (lines.size() != ranges.size())
            return refused(edit.path,
                u"The script sets its environment up in %1 lines, not %2: add or take away a line in the text"_s
                    .arg(ranges.size())
                    .arg(lines.size()));
        Attempt attempt{{}, {edit.path, lines.join(u'\n'), {}, {}, 0, 0}};
        for (qsizetype i = 0; i < lines.size(); ++i)
            attempt.changes.append({ranges.at(i), lines.at(i)});
        return firstThatHolds(edit.path, {attempt}, {});
    }

    // ---- the program and its arguments ----

    static constexpr qsizetype mostBehind = 8; ///< places that are tried for a new word
    static constexpr Quoting everyQuoting[] = {Quoting::Inside, Quoting::Double, Quoting::Single};

    /// The lists with other words, in the first spelling that is read back as these words.
    Result<EditedScript> setLists(const QString& path, const QList<QList<ListWord>>& lists,
        const QList<QStringList>& words, const Expectation& expected) const
    {
        QList<Attempt> attempts;
        QString why;
        for (qsizetype behind = 0; behind < mostBehind; ++behind) {
            for (const Quoting quoting : everyQuoting) {
                Attempt attempt{{}, expected};
                bool fine = true;
                for (qsizetype i = 0; fine && i < lists.size(); ++i) {
                    const auto changes = listChanges(lists.at(i), words.at(i), quoting, behind, m_text);
                    fine = changes.hasValue();
                    if (fine)
                        attempt.changes += *changes;
                    else if (why.isEmpty())
                        why = changes.error().what;
                }
                if (fine)
                    attempts.append(attempt);
            }
        }
        if (!attempts.isEmpty())
            why.clear();
        return firstThatHolds(path, attempts, why);
    }

    Result<EditedScript> setWords(const FieldEdit& edit)
    {
        const ScriptField* command = m_bound.fields.find(u"command"_s);
        if (command == nullptr || command->state != State::Bound)
            return refused(edit.path, command != nullptr ? command->why : u"No program was found"_s);
        const ScriptField* program = m_bound.fields.find(u"program"_s);
        if (edit.path == u"program" && program != nullptr && program->state != State::Bound && !program->why.isEmpty())
            return refused(edit.path, program->why);
        const QList<QList<ListWord>> lists = allLists(m_bound);
        const QList<QStringList> now = allCommands(m_bound);
        if (edit.path.startsWith(u"arguments.") && sayDifferentValues(now, edit.path.mid(10)))
            return refused(edit.path, u"Several commands start this program, each with a value of its own"_s);
        // an argument that the field shows is changed where it stands; a new one goes to all commands
        const bool isSaid
            = edit.path.startsWith(u"arguments.") && saysArgument(valuesOf(m_bound.command), edit.path.mid(10));
        QList<QStringList> words;
        for (qsizetype i = 0; i < now.size(); ++i) {
            const QStringList& one = now.at(i);
            if (isSaid && !saysArgument(one, edit.path.mid(10))) {
                words.append(one);
                continue;
            }
            const Result<QStringList> next = wordsAfter(edit, one);
            if (!next)
                return refused(edit.path, next.error().what);
            words.append(*next);
            if (!one.isEmpty() && lists.at(i).last().behind.isEmpty() && next->size() > one.size()
                && next->first(one.size()) == one)
                words.last().move(one.size() - 1, next->size() - 1); // in front of the arguments of a text
        }
        if (words == now)
            return EditedScript{m_text, {}, m_script};
        return setLists(edit.path, lists, words, {edit.path, {}, words, {}, 0, 0});
    }

    /// The words of a program after the edit.
    Result<QStringList> wordsAfter(const FieldEdit& edit, QStringList words) const
    {
        if (edit.path == field::command) {
            const Result<QStringList> split = splitShellWords(edit.value);
            if (!split)
                return fail(split.error());
            if (!edit.appends && split->isEmpty())
                return fail(Fault::Invalid, u"A job starts a program"_s);
            if (!edit.appends && !m_bound.sameCommands.isEmpty())
                return fail(Fault::Invalid, u"Several commands start this program, each with arguments of its own"_s);
            return edit.appends ? words + *split : *split;
        }
        if (edit.path == u"program") {
            if (edit.value.trimmed().isEmpty())
                return fail(Fault::Invalid, u"A job starts a program"_s);
            words[m_bound.firstArgument - 1] = edit.value.trimmed();
            return words;
        }
        return withArgument(
            words, m_bound.firstArgument, m_bound.fields.find(edit.path), edit.path.mid(10), edit.value);
    }

    const std::shared_ptr<const BoundScript> m_script;
    const BoundScript& m_bound;
    const QString& m_text;
};

/// Tasks follow nodes and GPUs, and a number of the job that of a node: what is asked for itself comes after what it
/// would follow, so that the order of the edits says nothing.
int turnOf(const FieldEdit& edit)
{
    static const QStringList order{u"resources.nodes"_s, u"resources.gpusPerNode"_s, u"resources.tasksPerNode"_s,
        u"resources.tasks"_s, u"launcher.nodes"_s, u"launcher.processes"_s};
    const qsizetype turn = order.indexOf(edit.path);
    return static_cast<int>(turn < 0 ? order.size() : turn);
}

/// Which of several numbers is no longer as asked for; empty: none.
QString contradicted(const ScriptFields& fields, const QList<FieldEdit>& edits)
{
    QMap<QString, QString> asked;
    for (const FieldEdit& edit : edits) {
        if (isCountField(edit.path))
            asked.insert(edit.path, edit.value.trimmed());
    }
    if (asked.size() < 2)
        return {};
    for (auto it = asked.cbegin(); it != asked.cend(); ++it) {
        const ScriptField* field = fields.find(it.key());
        if (field == nullptr || field->value.toLongLong() != it->toLongLong())
            return it.key();
    }
    return {};
}

Result<EditedScript> tooLarge()
{
    return fail(Fault::Invalid, u"The text is larger than the 4 MB that sbatch takes of a script"_s, {},
        u"keep data in a file of its own"_s);
}

} // namespace

Result<EditedScript> setFields(const QString& text, const QList<FieldEdit>& edits)
{
    return text.size() > largestScript ? tooLarge() : setFields(readFields(parseBatch(text)), edits);
}

Result<EditedScript> setFields(const std::shared_ptr<const BoundScript>& read, const QList<FieldEdit>& edits)
{
    if (read->batch.text.size() > largestScript)
        return tooLarge();
    EditedScript script{read->batch.text, {}, read};
    QList<FieldEdit> ordered = edits;
    std::stable_sort(ordered.begin(), ordered.end(),
        [](const FieldEdit& one, const FieldEdit& other) { return turnOf(one) < turnOf(other); });
    for (const FieldEdit& edit : std::as_const(ordered)) {
        const Result<EditedScript> next = FieldSetter(script.read).set(edit);
        if (!next)
            return fail(next.error());
        script.text = next->text;
        script.read = next->read;
        script.notes += next->notes;
    }
    if (const QString lost = contradicted(script.read->fields, ordered); !lost.isEmpty())
        return refused(lost, u"The other numbers asked for say another"_s);
    script.notes.removeDuplicates();
    return script;
}

} // namespace rankwright::inline script
