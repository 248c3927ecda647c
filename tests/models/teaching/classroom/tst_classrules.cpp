// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classrules.h"
#include "tests/support/testbase.h"

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

ClassFile someClass()
{
    ClassFile file;
    file.cluster = u"practice"_s;
    file.account = u"project_465000001"_s;
    file.reservation = ClassReservation{u"workshop"_s, QDateTime::fromString(u"2026-12-01T08:00:00Z"_s, Qt::ISODate),
        QDateTime::fromString(u"2026-12-01T16:00:00Z"_s, Qt::ISODate)};
    file.limits = {2, 8, Seconds{900}};
    file.locked.insert(u"training.globalBatch"_s, 32);
    file.open = {u"launcher"_s, u"resources.nodes"_s, u"resources.gpusPerNode"_s, u"time"_s};
    ClassExercise exercise;
    exercise.id = u"one"_s;
    exercise.start.cluster = u"practice"_s;
    exercise.start.resources.nodes = 1;
    exercise.start.command = u"train.py"_s;
    file.exercises = {exercise};
    return file;
}

} // namespace

class ClassRulesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void startsWithTheClassesSettings();
    void lockedFieldsGoBack();
    void withoutAListAllIsOpen();
    void limitsAreFindings();
    void fixesCure();
    void reservationOutsideItsTimes();
    void listsWhatIsLocked();

private:
    const Catalogue m_catalogue = loadCatalogue();
    QStringList rules(const JobSpec& spec, const QString& now = u"2026-12-01T09:00:00Z"_s) const
    {
        const ClassFile file = someClass();
        QStringList found;
        for (const Finding& finding : classFindings(file, file.exercises.first(),
                 resolve(spec, *m_catalogue.find(u"practice"_s)), QDateTime::fromString(now, Qt::ISODate)))
            found.append(finding.rule + u' ' + finding.field);
        return found;
    }
};

void ClassRulesTest::startsWithTheClassesSettings()
{
    const ClassFile file = someClass();
    const JobSpec spec = startingSpec(file, file.exercises.first());
    QCOMPARE(spec.account, u"project_465000001"_s);
    QCOMPARE(spec.reservation, u"workshop"_s);
    QCOMPARE(spec.training.globalBatch, 32);
    QCOMPARE(spec.command, u"train.py"_s);
}

void ClassRulesTest::lockedFieldsGoBack()
{
    const ClassFile file = someClass();
    JobSpec spec = startingSpec(file, file.exercises.first());
    QVERIFY(enforce(file, file.exercises.first(), spec).putBack.isEmpty());
    spec.launcher = Launcher::Srun;
    spec.training.globalBatch = 64;
    spec.account = u"other"_s;
    spec.environment.setup = {u"id"_s};
    spec.workdir = u"/scratch/x"_s; // the class does not say where: each attendee's own
    const EnforcedDesign enforced = enforce(file, file.exercises.first(), spec);
    QCOMPARE(enforced.spec.launcher, Launcher::Srun);
    QCOMPARE(enforced.spec.workdir, u"/scratch/x"_s);
    QCOMPARE(enforced.spec.training.globalBatch, 32);
    QCOMPARE(enforced.spec.account, u"project_465000001"_s);
    QVERIFY(enforced.spec.environment.setup.isEmpty());
    QCOMPARE(enforced.putBack.size(), 3);
}

void ClassRulesTest::withoutAListAllIsOpen()
{
    ClassFile file = someClass();
    file.open.clear();
    JobSpec spec = startingSpec(file, file.exercises.first());
    spec.training.microBatch = 4;
    spec.training.globalBatch = 64;
    QCOMPARE(enforce(file, file.exercises.first(), spec).putBack, QList<FieldPath>{u"training.globalBatch"_s});
    file.exercises.first().open = {u"launcher"_s};
    QVERIFY(enforce(file, file.exercises.first(), spec).putBack.contains(u"training.microBatch"_s));
}

void ClassRulesTest::limitsAreFindings()
{
    const ClassFile file = someClass();
    JobSpec spec = startingSpec(file, file.exercises.first());
    spec.resources.gpusPerNode = 8;
    spec.time = Seconds{900};
    QCOMPARE(rules(spec), QStringList());
    spec.resources.nodes = 3;
    spec.time = Seconds{901};
    QCOMPARE(rules(spec), QStringList({u"C01 resources.nodes"_s, u"C02 resources.gpusPerNode"_s, u"C03 time"_s}));
    spec = startingSpec(file, file.exercises.first());
    spec.time = Seconds{900};
    spec.command = u"evil.py"_s;
    spec.resources.gpusPerNode = 1;
    QCOMPARE(rules(spec), QStringList({u"C04 command"_s}));
}

void ClassRulesTest::fixesCure()
{
    const ClassFile file = someClass();
    JobSpec spec = startingSpec(file, file.exercises.first());
    spec.resources.nodes = 4;
    spec.resources.gpusPerNode = 8;
    spec.time = Seconds{9000};
    spec.command = u"evil.py"_s;
    for (int round = 0; round < 5 && !rules(spec).isEmpty(); ++round) {
        const auto findings
            = classFindings(file, file.exercises.first(), resolve(spec, *m_catalogue.find(u"practice"_s)),
                QDateTime::fromString(u"2026-12-01T09:00:00Z"_s, Qt::ISODate));
        findings.first().fix->apply(spec);
    }
    QCOMPARE(rules(spec), QStringList());
}

void ClassRulesTest::reservationOutsideItsTimes()
{
    const ClassFile file = someClass();
    JobSpec spec = startingSpec(file, file.exercises.first());
    spec.resources.gpusPerNode = 1;
    spec.time = Seconds{60};
    QCOMPARE(rules(spec, u"2026-12-01T07:00:00Z"_s), QStringList({u"C05 reservation"_s}));
    QCOMPARE(rules(spec, u"2026-12-01T17:00:00Z"_s), QStringList({u"C05 reservation"_s}));
}

void ClassRulesTest::listsWhatIsLocked()
{
    const ClassFile file = someClass();
    QStringList names;
    for (const LockedField& locked : lockedFields(file, file.exercises.first()))
        names.append(locked.field + u'=' + locked.value);
    QVERIFY2(names.contains(u"training.globalBatch=32"_s), qPrintable(names.join(u' ')));
    QVERIFY(names.contains(u"reservation=workshop"_s));
    QVERIFY(names.contains(u"command=train.py"_s));
    QVERIFY(std::none_of(
        names.cbegin(), names.cend(), [](const QString& name) { return name.startsWith(u"resources"_s); }));
}

RANKWRIGHT_TEST_MAIN(ClassRulesTest)
#include "tst_classrules.moc"
