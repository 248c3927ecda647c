// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/routineparts.h"
#include "tests/support/testbase.h"

#include <QDir>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Paragraphs that are much the same in every generated script.
class RoutinePartsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void namesWhatIsRoutine();
    void leavesTheJobInEveryScript();

private:
    static ScriptDocument read(const QString& path)
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return {};
        ScriptDocument script;
        for (const QString& text : QString::fromUtf8(file.readAll()).split(u'\n')) {
            ScriptLine line;
            line.text = text;
            script.lines.append(line);
        }
        return script;
    }
};

void RoutinePartsTest::namesWhatIsRoutine()
{
    const ScriptDocument script = read(test::sourcePath(u"/tests/data/scripts/lumi-4node-torchrun.sh"_s));
    QStringList titles;
    for (const RoutinePart& part : routineParts(script)) {
        titles.append(part.title);
        QVERIFY(script.lines.at(part.first).text.startsWith(u"# "_s));
        QVERIFY(!script.lines.at(part.last).text.isEmpty() && script.lines.at(part.last + 1).text.isEmpty());
    }
    QCOMPARE(titles,
        QStringList({u"guards before the start"_s, u"environment of the tasks"_s, u"evidence, should the job hang"_s,
            u"address of the rendezvous"_s, u"check of cores and devices"_s}));
}

/// Directives, modules, the user's folder and the launch stay in sight.
void RoutinePartsTest::leavesTheJobInEveryScript()
{
    const QDir folder(test::sourcePath(u"/tests/data/scripts"_s));
    for (const QString& name : folder.entryList({u"*.sh"_s})) {
        const ScriptDocument script = read(folder.filePath(name));
        int end = 0;
        for (const RoutinePart& part : routineParts(script)) {
            QVERIFY(part.first > end && part.last > part.first);
            end = part.last;
            for (int line = part.first; line <= part.last; ++line) {
                const QString& text = script.lines.at(line).text;
                QVERIFY2(
                    !text.startsWith(u"#SBATCH"_s) && !text.startsWith(u"module "_s) && !text.startsWith(u"srun "_s),
                    qPrintable(name + u": "_s + text));
            }
        }
        QVERIFY2(end > 0 || name.contains(u"no-account"_s), qPrintable(name));
    }
}

RANKWRIGHT_TEST_MAIN(RoutinePartsTest)
#include "tst_routineparts.moc"
