// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/units.h"
#include "models/script/bind/scriptfields.h"
#include "tests/support/testbase.h"

#include <QDirIterator>
#include <QFile>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

struct NamedScript {
    QString name;
    QString text;
};

/// Our own scripts as strangers write them, those that we write, and those of the folders that RANKWRIGHT_FIELD_SCRIPTS
/// names, separated by
/// ':'.
QList<NamedScript> scripts()
{
    QStringList folders{test::sourcePath(u"/tests/data/strangers"), test::sourcePath(u"/tests/data/handwritten"),
        test::sourcePath(u"/tests/data/containers"), test::sourcePath(u"/tests/data/scripts")};
    folders += qEnvironmentVariable("RANKWRIGHT_FIELD_SCRIPTS").split(u':', Qt::SkipEmptyParts);
    QStringList paths;
    for (const QString& folder : std::as_const(folders)) {
        QDirIterator files(folder, {u"*.sh"_s}, QDir::Files);
        while (files.hasNext())
            paths.append(files.next());
    }
    paths.sort();
    QList<NamedScript> all;
    for (const QString& path : std::as_const(paths)) {
        QFile file(path);
        if (file.open(QIODevice::ReadOnly))
            all.append({path.section(u'/', -1), QString::fromUtf8(file.readAll())});
    }
    return all;
}

bool isCount(const QString& path)
{
    static const QSet<QString> paths{
        u"resources.nodes"_s, u"resources.gpusPerNode"_s, u"resources.tasksPerNode"_s, u"resources.tasks"_s};
    return paths.contains(path);
}

/// A value that the script does not say yet, and that the author's spelling of the old one can hold: a number of its
/// own, twice the time, twice the memory, another word.
QString otherValue(const QString& path, const QString& value, QRandomGenerator& random)
{
    static const QList<int> numbers{11, 13, 17, 19, 23};
    if (isCount(path) || path == u"resources.cpusPerTask")
        return QString::number(numbers.at(random.bounded(static_cast<int>(numbers.size()))));
    if (path == u"time") {
        const auto time = parseSlurmTime(value);
        return time ? slurmTime({time->count * 2}) : u"01:40:00"_s;
    }
    if (path.startsWith(u"resources.memory")) {
        const auto memory = parseSlurmMemory(value);
        return memory && memory->count > 0 ? slurmMemory({memory->count * 2}) : u"96G"_s;
    }
    bool isNumber = false;
    value.toLongLong(&isNumber); // the script may compute with it
    return isNumber ? QString::number(30 + random.bounded(60)) : u"other%1"_s.arg(random.bounded(1000));
}

/// Fields that are edited here: places of one fact, which a second edit takes back.
bool isTaken(const QString& path, const ScriptField& field)
{
    static const QSet<QString> words{u"time"_s, u"partition"_s, u"account"_s, u"name"_s, u"reservation"_s,
        u"options.qos"_s, u"options.constraint"_s, u"options.output"_s, u"options.error"_s, u"environment.container"_s,
        u"resources.cpusPerTask"_s, u"resources.memoryPerNode"_s, u"program"_s};
    if (field.state != ScriptField::State::Bound || field.value.isEmpty())
        return false;
    if (isCount(path))
        return field.value.toLongLong() > 0;
    const bool isArgument = path.startsWith(u"arguments.") && field.notes.isEmpty();
    return words.contains(path) || isArgument || path.startsWith(u"environment.variables.");
}

/// "gpu" becomes "gpu:2" and then "gpu:1". A place as a whole may be "${NAME:-value}": the new value takes the name's
/// place, too, and does not give it back.
bool givesBack(const QString& text, const ScriptField& field)
{
    // 8:00:00 becomes 16:00:00, and that 08:00:00
    static const QRegularExpression unevenHours(u"^(?:\\d|0\\d\\d+):"_s);
    return std::none_of(field.places.cbegin(), field.places.cend(), [&text](const ScriptPlace& place) {
        if (unevenHours.match(text.mid(place.begin, place.end - place.begin)).hasMatch())
            return true;
        // a value that was typed without the quotes that it needs ("<PATH" of a template) gets them
        const QString typed = text.mid(place.begin, place.end - place.begin);
        return typed.isEmpty() || typed.contains(u'$') || typed.contains(u'<') || typed.contains(u'>');
    });
}

/// Two facts in one place: the later edit wins.
bool meet(const ScriptField& one, const ScriptField& other)
{
    return std::any_of(one.places.cbegin(), one.places.cend(), [&other](const ScriptPlace& place) {
        return std::any_of(other.places.cbegin(), other.places.cend(),
            [&place](const ScriptPlace& there) { return there.begin < place.end && place.begin < there.end; });
    });
}

/// Lines of `text` in which an edit of the field may change something.
QSet<int> linesOf(const ScriptFields& fields, const QString& path, const QString& text)
{
    QSet<int> lines;
    const auto take = [&](const ScriptField& field) {
        for (const ScriptPlace& place : field.places) {
            for (int line = place.line,
                     last = line + static_cast<int>(text.mid(place.begin, place.end - place.begin).count(u'\n'));
                 line <= last; ++line)
                lines.insert(line);
        }
    };
    for (auto it = fields.fields.cbegin(); it != fields.fields.cend(); ++it) {
        // what follows from a number of nodes or GPUs is changed with it
        const bool follows = isCount(path)
            && (isCount(it.key()) || it.key().startsWith(u"launcher.") || it.key().endsWith(u"VISIBLE_DEVICES")
                || it.key() == u"environment.variables.WORLD_SIZE");
        // several commands that start one program are edited together
        const bool isOfCommand = path.startsWith(u"arguments.") && it.key() == u"command";
        if (it.key() == path || follows || isOfCommand)
            take(*it);
    }
    return lines;
}

/// Whether every line of `before` that is not in `touched` stands in `after`, in the same order.
bool keepsLines(const QString& before, const QString& after, const QSet<int>& touched)
{
    const QStringList now = after.split(u'\n');
    qsizetype at = 0;
    int number = 0;
    for (const QString& line : before.split(u'\n')) {
        if (touched.contains(++number))
            continue;
        at = now.indexOf(line, at);
        if (at < 0)
            return false;
        ++at;
    }
    return true;
}

QString lineOf(const FieldEdit& edit) { return edit.path + u'=' + edit.value; }

QString difference(const QString& before, const QString& after)
{
    const QStringList was = before.split(u'\n'), now = after.split(u'\n');
    QString out;
    for (qsizetype i = 0; i < qMax(was.size(), now.size()); ++i) {
        if (was.value(i) != now.value(i))
            out += u"\n- "_s + was.value(i) + u"\n+ "_s + now.value(i);
    }
    return out;
}

QString sequence(const NamedScript& script, const QList<FieldEdit>& edits)
{
    QStringList words;
    for (const FieldEdit& edit : edits)
        words.append(lineOf(edit));
    return script.name + u": "_s + words.join(u"  ");
}

} // namespace

/// Edits of several fields of one script, one after the other: taken back in the other order they leave every byte as
/// it was, their order does not matter, and no line that holds no edited fact changes.
class FieldSequencesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void sequences();

private:
    static QList<FieldEdit> drawn(const NamedScript& script, QRandomGenerator& random)
    {
        const ScriptFields fields = bindScript(script.text);
        QStringList paths;
        for (auto it = fields.fields.cbegin(); it != fields.fields.cend(); ++it) {
            if (isTaken(it.key(), *it))
                paths.append(it.key());
        }
        QList<FieldEdit> edits;
        for (int count = 2 + random.bounded(3); count > 0 && !paths.isEmpty(); --count) {
            const QString path = paths.takeAt(random.bounded(static_cast<int>(paths.size())));
            // numbers of tasks follow the nodes and GPUs: asked for beside them they may contradict
            if (path.startsWith(u"resources.tasks"))
                paths.removeIf(isCount);
            else if (isCount(path))
                paths.removeIf([](const QString& other) { return other.startsWith(u"resources.tasks"); });
            paths.removeIf([&](const QString& other) { return meet(*fields.find(path), *fields.find(other)); });
            edits.append({path, otherValue(path, fields.find(path)->value, random), false});
        }
        return edits;
    }

    static void checkLines(
        const NamedScript& script, const QList<FieldEdit>& edits, const QString& edited, const QString& name)
    {
        const ScriptFields fields = bindScript(script.text);
        QSet<int> touched;
        for (const FieldEdit& edit : edits)
            touched += linesOf(fields, edit.path, script.text);
        QVERIFY2(keepsLines(script.text, edited, touched), qPrintable(u"another line changed: "_s + name));
    }

    /// True: each edit is taken back by setting the field to what it was, and every byte is back.
    static bool takeBack(
        const NamedScript& script, const QList<FieldEdit>& edits, const QString& edited, const QString& name)
    {
        const ScriptFields fields = bindScript(script.text);
        QList<FieldEdit> back;
        for (const FieldEdit& edit : edits) {
            const ScriptField* field = fields.find(edit.path);
            if (!givesBack(script.text, *field))
                return false;
            back.prepend({edit.path, field->value, false});
        }
        const auto restored = setFields(edited, back);
        if (!restored) {
            QTest::qFail(qPrintable(u"cannot be taken back: "_s + name + u'\n' + restored.error().oneLine()), __FILE__,
                __LINE__);
            return false;
        }
        if (restored->text != script.text)
            QTest::qFail(
                qPrintable(u"bytes differ: "_s + name + difference(script.text, restored->text)), __FILE__, __LINE__);
        return restored->text == script.text;
    }
};

void FieldSequencesTest::sequences()
{
    const QList<NamedScript> all = scripts();
    constexpr int wantedScripts = 100;
    QVERIFY(all.size() >= wantedScripts);
    QRandomGenerator random(20261128);
    constexpr int wanted = 500;
    int tried = 0, taken = 0, refused = 0, takenBack = 0;
    QSet<QString> covered; // scripts of which a sequence was taken
    for (; tried < wanted * 4 && taken < wanted; ++tried) {
        const NamedScript& script = all.at(tried % all.size()); // each as often as any other
        QList<FieldEdit> edits = drawn(script, random);
        if (edits.isEmpty())
            continue;
        const auto edited = setFields(script.text, edits);
        QList<FieldEdit> other = edits;
        std::reverse(other.begin(), other.end());
        const auto inOtherOrder = setFields(script.text, other);
        const QString name = sequence(script, edits);
        if (!edited || !inOtherOrder) {
            const QString why = edited ? inOtherOrder.error().oneLine() : edited.error().oneLine();
            QVERIFY2(!edited && !inOtherOrder, qPrintable(u"refused in one order alone: "_s + name + u'\n' + why));
            ++refused;
            continue;
        }
        ++taken;
        covered.insert(script.name);
        QVERIFY2(edited->text == inOtherOrder->text,
            qPrintable(u"the order matters: "_s + name + u'\n' + edited->text + u"\n----\n"_s + inOtherOrder->text));
        checkLines(script, edits, edited->text, name);
        if (takeBack(script, edits, edited->text, name))
            ++takenBack;
    }
    qInfo("%d sequences over %lld of %lld scripts, %d taken back field by field; %d more were refused", taken,
        static_cast<long long>(covered.size()), static_cast<long long>(all.size()), takenBack, refused);
    QCOMPARE(taken, wanted);
    QVERIFY(covered.size() >= wantedScripts);
}

RANKWRIGHT_TEST_MAIN(FieldSequencesTest)
#include "tst_fieldsequences.moc"
