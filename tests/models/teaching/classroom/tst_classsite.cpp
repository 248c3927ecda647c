// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/slurmtext.h"
#include "models/teaching/classroom/classsite.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

// As Slurm 23.11 prints it, on one line each.
const QByteArray answer
    = "ReservationName=workshop StartTime=2026-12-01T07:00:00 EndTime=2026-12-01T17:00:00 Duration=10:00:00 "
      "Nodes=nid[005001-005004] NodeCnt=4 CoreCnt=224 Features=(null) PartitionName=standard-g Flags=SPEC_NODES "
      "TRES=cpu=448 Users=(null) Groups=(null) Accounts=project_465000001,project_2 Licenses=(null) State=INACTIVE\n"
      "ReservationName=other StartTime=x EndTime= NodeCnt=-3 Users=bob Accounts=(null)\ngarbage\n\xff\xfe\n";

ClassFile someClass(int nodes)
{
    ClassFile file;
    file.cluster = u"practice"_s;
    file.account = u"project_465000001"_s;
    file.partition = u"standard-g"_s;
    file.reservation = ClassReservation{u"workshop"_s, QDateTime::fromString(u"2026-12-01T08:00:00Z"_s, Qt::ISODate),
        QDateTime::fromString(u"2026-12-01T16:00:00Z"_s, Qt::ISODate)};
    ClassExercise exercise;
    exercise.start.cluster = u"practice"_s;
    exercise.start.resources.nodes = nodes;
    exercise.start.resources.gpusPerNode = 8;
    file.exercises = {exercise};
    return file;
}

SiteFacts facts()
{
    SiteFacts made;
    made.cluster.user = u"ada"_s;
    made.cluster.accounts = {u"project_465000001"_s};
    ClusterFacts::PartitionFact partition;
    partition.name = u"standard-g"_s;
    partition.state = u"up"_s;
    made.cluster.partitions = {partition};
    made.reservations = parseReservations(answer);
    return made;
}

} // namespace

class ClassSiteTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsReservations();
    void goodClass();
    void tooSmall();
    void wrongProjectAndDates();
    void unknownStaysUnknown();
    void containers();
    void solutions();

private:
    const Catalogue m_catalogue = loadCatalogue();
    QStringList states(const ClassFile& file, const SiteFacts& site, int people) const
    {
        QStringList all;
        for (const SiteVerdict& verdict : checkClassSite(file, m_catalogue, site, people))
            all.append(verdict.subject
                + (verdict.state == SiteState::Good       ? u"+"_s
                        : verdict.state == SiteState::Bad ? u"-"_s
                                                          : u"?"_s));
        return all;
    }
};

void ClassSiteTest::readsReservations()
{
    const auto all = parseReservations(answer);
    QCOMPARE(all.size(), 2);
    QCOMPARE(all.first().nodes, 4);
    QCOMPARE(all.first().accounts, QStringList({u"project_465000001"_s, u"project_2"_s}));
    QCOMPARE(all.first().begin, QDateTime::fromString(u"2026-12-01T07:00:00Z"_s, Qt::ISODate));
    QVERIFY(!all.last().begin.isValid());
    QCOMPARE(all.last().users, QStringList({u"bob"_s}));
}

void ClassSiteTest::goodClass()
{
    QCOMPARE(states(someClass(1), facts(), 4),
        QStringList({u"Project+"_s, u"Partition+"_s, u"Reservation+"_s, u"Size+"_s, u"Dates+"_s, u"Solutions?"_s}));
}

void ClassSiteTest::tooSmall()
{
    QVERIFY(states(someClass(1), facts(), 5).contains(u"Size-"_s));
    QVERIFY(states(someClass(2), facts(), 3).contains(u"Size-"_s));
    ClassFile shared = someClass(1); // parts of nodes: eight people share one
    shared.partition = u"small-g"_s;
    shared.exercises.first().start.resources.gpusPerNode = 1;
    QVERIFY(states(shared, facts(), 32).contains(u"Size+"_s));
    QVERIFY(states(shared, facts(), 33).contains(u"Size-"_s));
}

void ClassSiteTest::wrongProjectAndDates()
{
    ClassFile file = someClass(1);
    file.account = u"project_9"_s;
    file.reservation->end = file.reservation->end.addDays(1);
    file.partition = u"gone"_s;
    QCOMPARE(states(file, facts(), 1),
        QStringList({u"Project-"_s, u"Partition-"_s, u"Reservation-"_s, u"Size+"_s, u"Dates-"_s, u"Solutions?"_s}));
    file.reservation->name = u"nowhere"_s;
    QVERIFY(states(file, facts(), 1).contains(u"Reservation-"_s));
    file.cluster = u"nowhere"_s;
    QCOMPARE(states(file, facts(), 1), QStringList({u"Cluster-"_s}));
}

void ClassSiteTest::unknownStaysUnknown()
{
    SiteFacts site;
    const auto all = states(someClass(1), site, 4);
    QCOMPARE(all, QStringList({u"Project?"_s, u"Partition?"_s, u"Reservation?"_s, u"Solutions?"_s}));
}

void ClassSiteTest::containers()
{
    ClassFile file = someClass(1);
    ClassExercise second = file.exercises.first();
    second.start.environment.container = u"~/own.sif"_s;
    second.solution = second.start;
    file.exercises.append(second);
    QCOMPARE(classImages(file), QStringList{u"~/own.sif"_s});
    SiteFacts site = facts();
    QVERIFY(states(file, site, 1).contains(u"Container?"_s)); // the cluster did not say
    site.closedImages = QStringList();
    QVERIFY(states(file, site, 1).contains(u"Container+"_s));
    site.closedImages = QStringList{u"~/own.sif"_s};
    QVERIFY(states(file, site, 1).contains(u"Container-"_s));
    file.container = u"/appl/torch.sif"_s; // of the class: over those of its designs
    QCOMPARE(classImages(file), QStringList{u"/appl/torch.sif"_s});
}

void ClassSiteTest::solutions()
{
    SiteFacts site = facts();
    const QDateTime at = QDateTime::fromString(u"2026-11-30T18:00:00Z"_s, Qt::ISODate);
    site.tried = SolutionsTried{u"practice"_s, at, 6, {}};
    QVERIFY(states(someClass(1), site, 1).contains(u"Solutions+"_s));
    site.tried->failed = {u"two-nodes"_s};
    const SiteVerdict said = checkClassSite(someClass(1), m_catalogue, site, 1).last();
    QCOMPARE(said.state, SiteState::Bad);
    QCOMPARE(said.text, u"Not every check was seen for the solution of two-nodes (practice, 2026-11-30 18:00 UTC)."_s);
}

RANKWRIGHT_TEST_MAIN(ClassSiteTest)
#include "tst_classsite.moc"
