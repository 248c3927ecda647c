// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/clusternames.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

// As sinfo, sacctmgr, scontrol (their manual pages) and Lmod's and Tcl's `module -t avail` print.
const QByteArray answer = "\x1d"
                          "features\na100,nvme\na100\n(null)\n"
                          "\x1d"
                          "qos\nnormal,gpu_long\nnormal\n"
                          "\x1d"
                          "reservations\n"
                          "ReservationName=course-g StartTime=2026-05-03T06:00:00 EndTime=2026-05-03T16:00:00 "
                          "Duration=10:00:00 Nodes=nid[005000-005009] NodeCnt=10 Users=(null) "
                          "Accounts=project_900001 Licenses=(null) State=ACTIVE\n"
                          "No reservations in the system\n"
                          "\x1d"
                          "modules\n/appl/modules/Core:\nLUMI/24.03\nLUMI/25.03(default)\npytorch/\n"
                          "rocm/6.2.2 \ngcc/13@\nThe following have been reloaded: x\n";

} // namespace

class ClusterNamesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void reads();
    void takesAnyAnswer();
    void asksInOneCommand();
};

void ClusterNamesTest::reads()
{
    const ClusterNames names = parseNames(answer);
    QCOMPARE(names.features, (QStringList{u"a100"_s, u"nvme"_s}));
    QCOMPARE(names.qos, (QStringList{u"normal"_s, u"gpu_long"_s}));
    QCOMPARE(names.reservations.size(), 1);
    QCOMPARE(names.reservations.first().name, u"course-g"_s);
    QCOMPARE(names.reservations.first().note, u"active, accounts project_900001, until 2026-05-03T16:00:00"_s);
    QCOMPARE(names.modules, (QStringList{u"LUMI/24.03"_s, u"LUMI/25.03"_s, u"rocm/6.2.2"_s, u"gcc/13"_s}));
}

void ClusterNamesTest::takesAnyAnswer()
{
    QCOMPARE(parseNames({}), ClusterNames());
    for (qsizetype cut = 0; cut < answer.size(); ++cut) {
        QByteArray changed = answer.left(cut);
        const ClusterNames names = parseNames(changed);
        QVERIFY(names.modules.size() <= 5 && names.reservations.size() <= 1);
        if (cut > 0)
            changed[cut - 1] = char(cut * 37);
        (void)parseNames(changed);
    }
}

void ClusterNamesTest::asksInOneCommand()
{
    const RemoteCommand command = namesCommand();
    QVERIFY(command.line.contains(u"sinfo"_s) && command.line.contains(u"scontrol"_s));
    QVERIFY(command.line.contains(u"timeout 15"_s));
}

RANKWRIGHT_TEST_MAIN(ClusterNamesTest)
#include "tst_clusternames.moc"
