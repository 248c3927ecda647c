// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classeffects.h"
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/classrules.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"

#include <QDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The classes that come with the program, on the catalogue that comes with it.
class ShippedClassesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void allAreRead();
    void exercises_data();
    void exercises();
    void startFailsWhatTheExerciseIsAbout();

private:
    const Catalogue m_catalogue = loadCatalogue();
    /// As an attendee has it: with an account of their own where the class leaves it open.
    Derived derivedOf(JobSpec spec) const
    {
        const ClusterProfile* profile = m_catalogue.find(spec.cluster);
        if (!spec.account && profile->launch.accountRequired)
            spec.account = profile->launch.accountExample;
        return derive(spec, *profile);
    }
    QStringList missing(const ClassFile& file, const ClassExercise& exercise, const JobSpec& spec) const
    {
        const Derived derived = derivedOf(spec);
        QStringList kinds;
        for (const ClassCheck& check : exercise.checks)
            if (looksAtDesign(check.kind) && evaluate(check, {&derived, {}, {}, file.limits}).state != CheckState::Seen)
                kinds.append(toText(check.kind));
        return kinds;
    }
};

void ShippedClassesTest::allAreRead()
{
    const QDir folder(test::sourcePath(u"/resources/classes"));
    const QStringList files = folder.entryList({u"*.rwclass"_s});
    QCOMPARE(files.size(), 4);
    QCOMPARE(shippedClasses().size(), files.size());
    for (const ShippedClass& one : shippedClasses()) {
        QVERIFY(m_catalogue.find(one.file.cluster) != nullptr);
        QVERIFY(!one.file.acknowledgement.isEmpty());
        QVERIFY(!one.file.links.isEmpty());
        QVERIFY(!classEffects(one.file, m_catalogue).join(u' ').contains(u"does not know"_s));
    }
}

void ShippedClassesTest::exercises_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("id");
    for (const ShippedClass& one : shippedClasses())
        for (const ClassExercise& exercise : one.file.exercises)
            QTest::newRow(qPrintable(one.name + u' ' + exercise.id)) << one.name << exercise.id;
}

void ShippedClassesTest::exercises()
{
    QFETCH(QString, name);
    QFETCH(QString, id);
    for (const ShippedClass& one : shippedClasses()) {
        if (one.name != name)
            continue;
        const ClassExercise& exercise = one.file.exercises.at(one.file.exerciseIndex(id));
        const JobSpec start = startingSpec(one.file, exercise);
        const auto solution = solutionSpec(one.file, exercise);
        QVERIFY(solution);
        QVERIFY(!exercise.hints.isEmpty() && !exercise.task.isEmpty() && !exercise.solutionText.isEmpty());
        for (const ClassCheck& check : exercise.checks)
            QVERIFY2(!check.hint.isEmpty(), qPrintable(toText(check.kind)));
        QCOMPARE(missing(one.file, exercise, *solution), QStringList());
        // an attendee can get there by what is left open
        QCOMPARE(enforce(one.file, exercise, *solution).putBack, QList<FieldPath>());
        for (const JobSpec& spec : {start, *solution}) {
            const Derived derived = derivedOf(spec);
            QList<Finding> findings = derived.findings();
            findings += classFindings(one.file, exercise, derived.resolved, QDateTime::currentDateTimeUtc());
            for (const Finding& finding : findings)
                QVERIFY2(finding.severity != Severity::Error || finding.field == field::account,
                    qPrintable(finding.rule + u' ' + finding.text));
        }
    }
}

void ShippedClassesTest::startFailsWhatTheExerciseIsAbout()
{
    const QHash<QString, QStringList> about{{u"single-gcd"_s, {u"gpus"_s}},
        {u"whole-node"_s, {u"gpus"_s, u"launcher"_s, u"strategy"_s}},
        {u"srun-and-binding"_s, {u"launcher"_s, u"bound-in-design"_s}}, {u"two-nodes"_s, {u"nodes"_s, u"gpus"_s}},
        {u"one-gpu"_s, {u"gpus"_s}}, {u"four-gpus"_s, {u"gpus"_s, u"strategy"_s}}};
    for (const ShippedClass& one : shippedClasses())
        for (const ClassExercise& exercise : one.file.exercises)
            if (about.contains(exercise.id))
                QCOMPARE(missing(one.file, exercise, startingSpec(one.file, exercise)), about.value(exercise.id));
}

RANKWRIGHT_TEST_MAIN(ShippedClassesTest)
#include "tst_shippedclasses.moc"
