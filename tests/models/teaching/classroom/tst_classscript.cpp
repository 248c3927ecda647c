// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/design.h"
#include "models/teaching/classroom/classrules.h"
#include "models/teaching/classroom/classscript.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Which parts of a script an attendee need not see.
class ClassScriptTest final : public test::Suite {
    Q_OBJECT
private slots:
    void onlyWholeParagraphsOfTheClass();
    void neighboursAreOne();
    void whatIsShortStays();
    void allShippedExercises();

private:
    static ScriptLine line(const QString& text, const QList<FieldPath>& origins = {})
    {
        ScriptLine made;
        made.text = text;
        made.origins = origins;
        return made;
    }
    /// Nodes are open, all else is the class's.
    static ClassFile file()
    {
        ClassFile made;
        made.cluster = u"lumi"_s;
        made.exercises.resize(1);
        made.exercises.first().open = {QString(field::nodes)};
        return made;
    }
};

void ClassScriptTest::onlyWholeParagraphsOfTheClass()
{
    const ClassFile made = file();
    ScriptDocument script;
    script.lines = {line(u"#!/bin/bash"_s), line(u"#SBATCH --account=a"_s, {QString(field::account)}), line({}),
        line(u"# Software"_s), line(u"module load a"_s, {u"environment.modules"_s}), line(u"module load b"_s),
        line(u"export A=1"_s), line({}), line(u"# Launch"_s), line(u"srun \\"_s, {QString(field::nodes)}),
        line(u"  python a.py"_s, {QString(field::command)}), line(u"  --b"_s), line({}), line(u"# Typed"_s),
        line(u"echo 1"_s, {u"overrides"_s}), line(u"echo 2"_s), line(u"echo 3"_s)};
    QCOMPARE(classScriptSpans(made, made.exercises.first(), script), QList<ScriptSpan>({{3, 6}}));
}

void ClassScriptTest::neighboursAreOne()
{
    const ClassFile made = file();
    ScriptDocument script;
    script.lines = {line(u"#!/bin/bash"_s), line({}), line(u"a"_s), line(u"b"_s), line({}), line({}), line(u"c"_s),
        line(u"d"_s), line({}), line(u"srun"_s, {u"resources"_s})}; // a group of fields: one of them is open
    QCOMPARE(classScriptSpans(made, made.exercises.first(), script), QList<ScriptSpan>({{2, 7}}));
}

void ClassScriptTest::whatIsShortStays()
{
    const ClassFile made = file();
    ScriptDocument script;
    script.lines = {line(u"#!/bin/bash"_s), line({}), line(u"a"_s), line(u"b"_s), line(u"c"_s)};
    QCOMPARE(classScriptSpans(made, made.exercises.first(), script), QList<ScriptSpan>());
    QCOMPARE(classScriptSpans(made, made.exercises.first(), {}), QList<ScriptSpan>());
}

/// Whatever is folded, lines of open fields are in view.
void ClassScriptTest::allShippedExercises()
{
    const Catalogue catalogue = loadCatalogue();
    Design design(catalogue);
    int folded = 0;
    for (const ShippedClass& shipped : shippedClasses()) {
        for (const ClassExercise& exercise : shipped.file.exercises) {
            design.replace(startingSpec(shipped.file, exercise));
            const ScriptDocument& script = design.derived().script;
            for (const ScriptSpan& span : classScriptSpans(shipped.file, exercise, script)) {
                ++folded;
                QVERIFY(span.first > 0 && span.last < script.lines.size() && span.first < span.last);
                for (int at = span.first; at <= span.last; ++at) {
                    QVERIFY(!script.lines.at(at).text.startsWith(u"#SBATCH"_s));
                    for (const FieldPath& origin : script.lines.at(at).origins)
                        QVERIFY2(!isOpenField(shipped.file, exercise, origin), qPrintable(origin));
                }
            }
        }
    }
    QVERIFY(folded > 0);
}

RANKWRIGHT_TEST_MAIN(ClassScriptTest)
#include "tst_classscript.moc"
