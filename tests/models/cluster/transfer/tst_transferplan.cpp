// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/filenames.h"
#include "models/cluster/transfer/transferpace.h"
#include "models/cluster/transfer/transferplan.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

using Kind = FileEntry::Kind;
using Verdict = TransferVerdict;

/// What would be sent, and which names are never used.
class TransferPlanTest final : public test::Suite {
    Q_OBJECT
private slots:
    void verdicts();
    void checksumsDecide();
    void newerOnlyWhenSaid();
    void linksAndSpecialFiles_data();
    void linksAndSpecialFiles();
    void nothingThroughAForeignFolder();
    void names_data();
    void names();
    void shownHarmlessly();
    void quotas();
    void warnings();
    void pace();
};

namespace {

FileEntry file(const QByteArray& path, qint64 size = 5, qint64 modified = 100)
{
    return {path, Kind::File, size, modified, 0644, {}};
}

QHash<QByteArray, FileEntry> side(const QList<FileEntry>& entries)
{
    QHash<QByteArray, FileEntry> there;
    for (const FileEntry& entry : entries)
        there.insert(entry.path, entry);
    return there;
}

} // namespace

void TransferPlanTest::verdicts()
{
    const TransferPlan plan = planTransfer({{"d", Kind::Folder, 0, 100, 0755, {}}, file("d/new"), file("d/same"),
                                               file("d/longer", 6), file("d/newer", 6), file("d/touched", 5, 200)},
        side({file("d/same"), file("d/longer", 5, 50), file("d/newer", 5, 150), file("d/touched")}));
    QList<Verdict> verdicts;
    for (const PlannedEntry& each : plan.entries)
        verdicts.append(each.verdict);
    QCOMPARE(verdicts,
        (QList<Verdict>{
            Verdict::New, Verdict::New, Verdict::Same, Verdict::Changed, Verdict::Newer, Verdict::Compare}));
    QCOMPARE(plan.files, 3);
    QCOMPARE(plan.bytes, 5 + 6 + 5);
    QCOMPARE(plan.same, 1);
    QCOMPARE(plan.newer, 1);
}

void TransferPlanTest::checksumsDecide()
{
    const auto there = side({file("a", 5, 200), file("b", 5, 200), file("c", 5, 50)});
    const ComparedSums sums{{{"a", "1"}, {"b", "1"}, {"c", "1"}}, {{"a", "1"}, {"b", "2"}, {"c", "2"}}};
    const TransferPlan plan = planTransfer({file("a"), file("b"), file("c")}, there, sums);
    QCOMPARE(plan.entries.at(0).verdict, Verdict::Same);
    QCOMPARE(plan.entries.at(1).verdict, Verdict::Newer);
    QCOMPARE(plan.entries.at(2).verdict, Verdict::Changed);
}

void TransferPlanTest::newerOnlyWhenSaid()
{
    const auto there = side({file("a", 6, 200)});
    QCOMPARE(planTransfer({file("a")}, there).files, 0);
    QCOMPARE(planTransfer({file("a")}, there, {}, NewerFiles::Replace).files, 1);
}

void TransferPlanTest::linksAndSpecialFiles_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<bool>("refused");
    const auto row = [](const char* name, const char* path, const char* target, bool refused) {
        QTest::newRow(name) << QByteArray(path) << QByteArray(target) << refused;
    };
    row("beside it", "r/d/l", "other", false);
    row("up and down", "r/d/l", "../e/f", false);
    row("to the root", "r/d/l", "..", false);
    row("out", "r/d/l", "../..", true);
    row("out from the root", "r/l", "../x", true);
    row("absolute", "r/d/l", "/etc/passwd", true);
    row("out by another link", "r/d/l", "e/../../..", true);
    row("up behind a name", "r/d/l", "e/..", true);
    row("nowhere", "r/d/l", "", true);
}

void TransferPlanTest::linksAndSpecialFiles()
{
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, target);
    QFETCH(bool, refused);
    const TransferPlan plan = planTransfer({{path, Kind::Link, 0, 1, 0777, target}}, {});
    QCOMPARE(plan.refused, refused ? 1 : 0);
    QCOMPARE(planTransfer({{path, Kind::Other, 0, 1, 0600, {}}}, {}).refused, 1);
}

void TransferPlanTest::nothingThroughAForeignFolder()
{
    const TransferPlan plan = planTransfer({{"d", Kind::Folder, 0, 1, 0755, {}}, file("d/a"), file("d/e/b")},
        side({{"d", Kind::Link, 0, 1, 0777, "/elsewhere"}}));
    QCOMPARE(plan.refused, 3);
    QCOMPARE(plan.files, 0);
}

void TransferPlanTest::names_data()
{
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<bool>("safe");
    const auto row = [](const char* path, bool safe) { QTest::newRow(path) << QByteArray(path) << safe; };
    row("a/b", true);
    row("-rf", true);
    row("a\nb", true);
    row("..x", true);
    row("../x", false);
    row("a/../x", false);
    row("/etc/passwd", false);
    row("a//b", false);
    row("./a", false);
    row("a/", false);
    row("", false);
    QTest::newRow("NUL") << QByteArray("a\0b", 3) << false;
    QTest::newRow("long") << QByteArray(5000, 'a') << false;
}

void TransferPlanTest::names()
{
    QFETCH(QByteArray, path);
    QFETCH(bool, safe);
    QCOMPARE(isSafePath(path), safe);
    QCOMPARE(planTransfer({file(path)}, {}).refused, safe ? 0 : 1);
}

void TransferPlanTest::shownHarmlessly()
{
    QCOMPARE(shownName("a\nb\tc"), u"a\\nb\\tc"_s);
    QCOMPARE(shownName("\x1b[2J\xff"
                       "é"),
        u"\\x1b[2J\\xffé"_s);
    QCOMPARE(shownName("\xe2\x80\xae"
                       "gpj.exe"),
        u"\\xe2\\x80\\xaegpj.exe"_s); // turns the direction
    QCOMPARE(shownName(QByteArray(300, 'x')).size(), 200);
    QVERIFY(partialName("d/a", 1, 2).startsWith("d/.rankwright-part-"));
    QVERIFY(partialName("d/a", 1, 2) != partialName("d/a", 1, 3));
}

/// Lines as quota -wp (quota-tools) and lfs quota -q (Lustre manual, 24.7) print them.
void TransferPlanTest::quotas()
{
    const QByteArrayList answer{"home", "/home/me", "1000", "quota", "/dev/sda1 2048* 1024 4096 6days 12 0 100 0",
        "scratch", "/scratch/me", "", "lfs quota", "/scratch 10485760 0 20971520 - 42 0 0 -", "work", "/work/me", "77",
        "", "", ""};
    const QList<StorageRoom> rooms = parseStorageRoom(answer.join('\0'));
    QCOMPARE(rooms.size(), 3);
    QCOMPARE(rooms.at(0).usedBytes, 2048 * 1024);
    QCOMPARE(rooms.at(0).limitBytes, 1024 * 1024);
    QCOMPARE(rooms.at(0).usedFiles, 12);
    QCOMPARE(rooms.at(0).limitFiles, 100);
    QCOMPARE(rooms.at(0).freeBytes, 1000 * 1024);
    QCOMPARE(rooms.at(1).limitBytes, qint64(20971520) * 1024);
    QCOMPARE(rooms.at(1).limitFiles, std::optional<qint64>()); // 0: none
    QCOMPARE(rooms.at(1).freeBytes, std::optional<qint64>());
    QCOMPARE(rooms.at(2).usedBytes, std::optional<qint64>());
    QCOMPARE(rooms.at(2).source, QString());
    QVERIFY(parseStorageRoom("garbage").isEmpty());
}

void TransferPlanTest::warnings()
{
    StorageRoom room{u"home"_s, "/home/me", 900, 1000, 90, 100, 5000, u"quota"_s};
    QCOMPARE(roomWarnings(room, 10, 1).size(), 2); // both are left with less than a tenth
    QCOMPARE(roomWarnings(room, 200, 20).size(), 2);
    QVERIFY(roomWarnings(room, 200, 0).first().contains(u"would not fit"_s));
    QVERIFY(roomWarnings({}, 1 << 30, 1000).isEmpty()); // nothing is known
    QCOMPARE(roomWarnings({u"home"_s, "/h", {}, {}, {}, {}, 100, {}}, 200, 1).size(), 1);
}

void TransferPlanTest::pace()
{
    TransferPace pace;
    QVERIFY(!pace.bytesPerSecond());
    for (int i = 0; i <= 30; ++i)
        pace.add(i * 1000, i < 20 ? i * 100 : 2000 + (i - 20) * 300); // faster at the end: its last ten seconds count
    QVERIFY(pace.bytesPerSecond().has_value());
    QCOMPARE(qRound(*pace.bytesPerSecond()), 300);
    QCOMPARE(qRound(*pace.secondsLeft(3000)), 10);
    const QString text = progressText({512, 1024, 1, 2, 256.0, 2.0, {}});
    QVERIFY2(text.contains(u"1 of 2 files"_s) && text.contains(u"left"_s), qPrintable(text));
}

RANKWRIGHT_TEST_MAIN(TransferPlanTest)
#include "tst_transferplan.moc"
