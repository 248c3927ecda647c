// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classplan.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Which jobs a class is tried with, in which order, and what of it holds on another cluster.
class ClassPlanTest final : public test::Suite {
    Q_OBJECT
private slots:
    void eachExerciseOnceAndItsCheckpointBefore();
    void whatAnExerciseIsComparedWith();
    void withoutASolutionItsStart();
    void ofTheSiteAlone();

private:
    static ClassFile shipped(const QString& name)
    {
        for (const ShippedClass& one : shippedClasses())
            if (one.name == name)
                return one.file;
        return {};
    }
    static QStringList words(const ClassFile& file, const QList<ClassTrial>& trials)
    {
        QStringList all;
        for (const ClassTrial& trial : trials)
            all.append(file.exercises.at(trial.exercise).id
                + (trial.part == ClassTrial::Part::Start ? u" start"_s : u" solution"_s)
                + (trial.isChecked ? QString() : u", unchecked"_s));
        return all;
    }
    const Catalogue m_catalogue = loadCatalogue();
};

void ClassPlanTest::eachExerciseOnceAndItsCheckpointBefore()
{
    const ClassFile file = shipped(u"lumi-ai-course-practice"_s);
    QCOMPARE(words(file, classTrials(file)),
        QStringList({u"single-gcd solution"_s, u"whole-node solution"_s, u"srun-and-binding solution"_s,
            u"two-nodes solution"_s, u"all-gpus-used solution"_s, u"resume start, unchecked"_s, u"resume solution"_s}));
    QCOMPARE(
        words(file, classTrials(file, u"resume"_s)), QStringList({u"resume start, unchecked"_s, u"resume solution"_s}));
    QVERIFY(classTrials(file, u"nothing"_s).isEmpty());
}

void ClassPlanTest::whatAnExerciseIsComparedWith()
{
    const ClassFile file = shipped(u"mpcdf-scaling-practice"_s);
    QCOMPARE(words(file, classTrials(file, u"data-loader"_s)),
        QStringList({u"one-gpu solution"_s, u"data-loader solution"_s}));
    QCOMPARE(words(file, classTrials(file, u"one-gpu"_s)), QStringList({u"one-gpu solution"_s}));
}

void ClassPlanTest::withoutASolutionItsStart()
{
    ClassFile file = shipped(u"mpcdf-scaling-practice"_s);
    file.exercises[0].solution.reset();
    const QList<ClassTrial> trials = classTrials(file, u"one-gpu"_s);
    QCOMPARE(words(file, trials), QStringList({u"one-gpu start"_s}));
    QCOMPARE(trialSpec(file, trials.first()).resources.gpusPerNode, 4);
    QCOMPARE(trialSpec(file, classTrials(file, u"four-gpus"_s).last()).parallel.strategy, Strategy::Ddp);
}

void ClassPlanTest::ofTheSiteAlone()
{
    ClassFile file = shipped(u"lumi-ai-course"_s);
    file.account = u"project_1"_s;
    file.container = u"/appl/torch.sif"_s;
    file.reservation = ClassReservation{u"AI_workshop"_s, {}, {}};
    const ClusterProfile* practice = m_catalogue.find(QString::fromUtf16(practiceName));
    QVERIFY(practice);
    const MovedClass moved = classOn(file, *practice);
    QCOMPARE(moved.left,
        QStringList(
            {u"the account project_1"_s, u"the reservation AI_workshop"_s, u"the container /appl/torch.sif"_s}));
    for (const ClassTrial& trial : classTrials(moved.file)) {
        const JobSpec spec = trialSpec(moved.file, trial);
        QCOMPARE(spec.cluster, practice->name);
        QVERIFY(!spec.account && !spec.reservation && !spec.environment.container);
        QVERIFY2(
            !spec.partition || practice->partition(*spec.partition), qPrintable(spec.partition.value_or(QString())));
    }
    const ClusterProfile* lumi = m_catalogue.find(u"lumi"_s);
    QVERIFY(lumi);
    QVERIFY(classOn(file, *lumi).left.isEmpty());
    QVERIFY(classOn(file, *lumi).file == file);
}

RANKWRIGHT_TEST_MAIN(ClassPlanTest)
#include "tst_classplan.moc"
