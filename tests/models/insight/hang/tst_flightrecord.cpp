// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/flightrecord.h"
#include "models/insight/hang/hangverdict.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Dumps of PyTorch's Flight Recorder (tests/data/hang/make-records wrote them): one content, three forms.
class FlightRecordTest final : public test::Suite {
    Q_OBJECT
private slots:
    void formsAgree_data();
    void formsAgree();
    void readsEntries();
    void readsNewerFields();
    void whatIsOver();
    void whatATimeLimitEndedStillWaits();
    void groupsOfOneWaitForNobody();
    void everyKeyIsOptional();
    void membersAsListOrText();
    void otherVersionsAreRefused();
    void manyEntriesThatAreOne();

    /// Of thousands that are over the newest, those of a group that is seldom used too, and each that waits.
    void manyThatAreOver();
    /// The fields that each version has (2.0 to 2.10) are enough to tell a wrong size.
    void versions_data();
    void versions();

private:
    static FlightRecord read(const QString& name)
    {
        const auto record = readFlightRecord(test::recordedFile(u"hang/records/"_s + name));
        return record ? *record : FlightRecord();
    }
};

void FlightRecordTest::formsAgree_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name : {"waits", "behind", "new", "timedout", "coalesced", "gloo", "empty", "unicode"})
        QTest::newRow(name) << QString::fromLatin1(name);
}

void FlightRecordTest::formsAgree()
{
    QFETCH(QString, name);
    const auto python = readFlightRecord(test::recordedFile(u"hang/records/%1.python.pickle"_s.arg(name)));
    const auto torch = readFlightRecord(test::recordedFile(u"hang/records/%1.torch.pickle"_s.arg(name)));
    const auto json = readFlightRecord(test::recordedFile(u"hang/records/%1.json"_s.arg(name)));
    QVERIFY_RESULT(python);
    QVERIFY_RESULT(torch);
    QVERIFY_RESULT(json);
    QVERIFY(*python == *torch);
    // what dump_fr_trace_json() writes has no stacks
    FlightRecord withoutStacks = *python;
    for (FlightEntry& entry : withoutStacks.entries)
        entry.frames.clear();
    QVERIFY(withoutStacks == *json);
}

void FlightRecordTest::readsEntries()
{
    const FlightRecord record = read(u"waits.torch.pickle"_s);
    QCOMPARE(record.version, u"2.5"_s);
    QCOMPARE(record.groups.size(), 1);
    const FlightGroup& group = record.groups.first();
    QCOMPARE(group.name, u"0"_s);
    QCOMPARE(group.description, u"default_pg"_s);
    QCOMPARE(group.ranks, (QList<int>{0, 1, 2, 3}));
    QCOMPARE(group.enqueued, 41);
    QCOMPARE(group.completed, 40);
    QCOMPARE(record.entries.size(), 4);
    const FlightEntry& last = record.entries.last();
    QCOMPARE(last.sequence, 41);
    QCOMPARE(last.backend, u"nccl"_s);
    QCOMPARE(last.name, u"all_reduce"_s);
    QVERIFY(last.state == FlightState::Started);
    QCOMPARE(last.inputSizes, (QList<QList<qint64>>{{1048576}}));
    QCOMPARE(last.inputTypes, QStringList{u"Float"_s});
    QCOMPARE(last.timeoutMs, 600000);
    QVERIFY(last.createdNs && last.startedNs && !last.completedNs && !last.durationMs);
    QCOMPARE(last.frames.size(), 4);
    QCOMPARE(last.frames.at(0).function, u"all_reduce"_s);
    QCOMPARE(last.frames.at(2).file, u"/home/user/run/train.py"_s);
    QCOMPARE(last.frames.at(2).line, 52);
    QCOMPARE(record.entries.first().durationMs, 7.25);
    QVERIFY(record.groupOf(last) == &record.groups.first());
}

void FlightRecordTest::readsNewerFields()
{
    const FlightRecord record = read(u"new.python.pickle"_s);
    QCOMPARE(record.version, u"2.10"_s);
    QCOMPARE(record.libraryVersion, u"2.27.5"_s);
    QCOMPARE(record.entries.at(0).threadName, u"pt_main_thread"_s);
    QVERIFY(record.entries.at(1).isP2p);
    QCOMPARE(record.entries.at(1).name, u"send 1->2"_s);
    QCOMPARE(record.entries.at(2).groupName, u"5"_s);
    QCOMPARE(record.entries.at(2).groupDescription, u"fsdp"_s);
    QCOMPARE(read(u"unicode.torch.pickle"_s).entries.first().frames.first().file, u"/home/user/日本/train.py"_s);
    QVERIFY(!read(u"unicode.torch.pickle"_s).entries.first().frames.first().line);
    QCOMPARE(read(u"unicode.torch.pickle"_s).libraryVersion, u"2.21.5"_s);
    QVERIFY(!read(u"empty.torch.pickle"_s).groups.first().enqueued); // -1: none yet
}

/// The watchdog retires what has passed its time limit; only gloo's entries say nothing else of their end.
void FlightRecordTest::whatIsOver()
{
    const auto isOver = [](const QString& name) {
        QList<bool> over;
        const QList<FlightEntry> entries = read(name).entries;
        for (const FlightEntry& entry : entries)
            over.append(entry.isOver());
        return over;
    };
    QCOMPARE(isOver(u"timedout.torch.pickle"_s), (QList<bool>{true, false}));
    QCOMPARE(isOver(u"coalesced.torch.pickle"_s), (QList<bool>{false, false, true}));
    QCOMPARE(isOver(u"gloo.torch.pickle"_s), (QList<bool>{true, false}));
    QCOMPARE(read(u"timedout.json"_s).groups.first().completed, std::optional<qint64>(40));
    QVERIFY(!read(u"timedout.json"_s).entries.last().completedNs);
}

void FlightRecordTest::whatATimeLimitEndedStillWaits()
{
    HangEvidence evidence;
    for (int i = 0; i < 4; ++i) {
        RankEvidence rank;
        rank.rank = i;
        rank.record = read(i == 2 ? u"behind.torch.pickle"_s : u"timedout.torch.pickle"_s);
        evidence.ranks.append(rank);
    }
    const HangVerdict late = hangVerdict(evidence);
    QVERIFY2(late.cause == HangCause::NotEntered && late.odd == QList<int>{2}, qPrintable(late.sentence));
    // parts of a coalesced operation that is over wait for nobody
    for (RankEvidence& rank : evidence.ranks)
        rank.record = read(u"coalesced.torch.pickle"_s);
    QVERIFY2(hangVerdict(evidence).cause != HangCause::AllWait, qPrintable(hangVerdict(evidence).sentence));
}

void FlightRecordTest::groupsOfOneWaitForNobody()
{
    HangEvidence evidence;
    for (int i = 0; i < 2; ++i) {
        RankEvidence rank;
        rank.rank = i;
        const QByteArray number = QByteArray::number(i);
        const auto record = readFlightRecord("{\"version\":\"2.5\",\"pg_config\":{\"9\":{\"name\":\"9\",\"ranks\":\"["
            + number + "]\"}},\"entries\":[{\"process_group\":[\"9\",\"\"],\"collective_seq_id\":"
            + QByteArray::number(3 + i) + ",\"profiling_name\":\"nccl:all_reduce\",\"state\":\"scheduled\"}]}");
        QVERIFY_RESULT(record);
        rank.record = rank.recordBefore = *record;
        evidence.ranks.append(rank);
    }
    const HangVerdict verdict = hangVerdict(evidence);
    QVERIFY2(verdict.odd.isEmpty() && verdict.cause != HangCause::AllWait, qPrintable(verdict.sentence));
}

void FlightRecordTest::everyKeyIsOptional()
{
    QVERIFY_RESULT(readFlightRecord("{\"version\":\"2.0\"}"));
    QVERIFY_RESULT(readFlightRecord("{\"entries\":[]}"));
    const auto record = readFlightRecord(
        "{\"version\":\"2.0\",\"entries\":[{},{\"state\":7,\"frames\":3,\"input_sizes\":[[1],2,\"x\"]},5,null,[]],"
        "\"pg_config\":{\"a\":null,\"b\":[]},\"pg_status\":{\"7\":{\"last_enqueued_collective\":3}}}");
    QVERIFY_RESULT(record);
    QCOMPARE(record->entries.size(), 2);
    QVERIFY(!record->entries.at(1).state);
    QCOMPARE(record->groups.size(), 3);
    QCOMPARE(record->groups.last().enqueued, 3);
}

void FlightRecordTest::membersAsListOrText()
{
    const auto record
        = readFlightRecord("{\"version\":\"2.1\",\"pg_config\":{\"a\":{\"name\":\"a\",\"ranks\":[3,1,1,-4]},"
                           "\"b\":{\"ranks\":\"[12, 4,99999999999]\"}}}");
    QVERIFY_RESULT(record);
    QCOMPARE(record->groups.at(0).ranks, (QList<int>{1, 3}));
    QCOMPARE(record->groups.at(1).ranks, (QList<int>{4, 12}));
}

void FlightRecordTest::otherVersionsAreRefused()
{
    const auto later = readFlightRecord(test::recordedFile(u"hang/records/later.python.pickle"_s));
    QVERIFY(!later);
    QVERIFY2(later.error().what.contains(u"3.0"_s), qPrintable(later.error().what));
    QVERIFY(!readFlightRecord("{\"version\":\"20.1\"}"));
    QVERIFY(!readFlightRecord("{}"));
    QVERIFY(!readFlightRecord("[]"));
    QVERIFY(!readFlightRecord(""));
    QVERIFY(!readFlightRecord("\x80\x02N."));
}

void FlightRecordTest::manyEntriesThatAreOne()
{
    // 60,000 times the same entry, of two bytes each: read at most 16,384 times, its frames once
    const auto text = [](const QByteArray& word) -> QByteArray {
        return QByteArray(1, 'X') + char(word.size()) + QByteArray(3, '\0') + word;
    };
    const QByteArray frame = "}(" + text("name") + text("f") + "u";
    const QByteArray entry = "}(" + text("frames") + "](" + frame.repeated(64) + "eu";
    const QByteArray dump = "\x80\x02}(" + text("version") + text("2.5") + text("entries") + "](" + entry + "q\x01"
        + QByteArray("h\x01").repeated(60'000) + "eu.";
    const auto record = readFlightRecord(dump);
    QVERIFY_RESULT(record);
    QCOMPARE(record->entries.size(), 16'384);
    QCOMPARE(record->entries.last().frames.size(), 64);
}

void FlightRecordTest::manyThatAreOver()
{
    QByteArray entries;
    for (int i = 0; i < 5000; ++i) {
        const QByteArray number = QByteArray::number(i), group = i < 200 ? "dp" : "tp",
                         state = i == 7 ? "started" : "completed";
        entries += (i > 0 ? "," : "") + QByteArray("{\"record_id\":") + number + ",\"process_group\":[\"" + group
            + "\",\"\"],\"collective_seq_id\":" + number + ",\"state\":\"" + state + "\"}";
    }
    const auto record = readFlightRecord("{\"version\":\"2.5\",\"entries\":[" + entries + "]}");
    QVERIFY_RESULT(record);
    QVERIFY2(record->entries.size() < 600, qPrintable(QString::number(record->entries.size())));
    QCOMPARE(record->entries.first().sequence, std::optional<qint64>(7)); // it waits
    QCOMPARE(record->entries.last().sequence, std::optional<qint64>(4999));
    const auto isLastOfDp
        = [](const FlightEntry& entry) { return entry.groupName == u"dp"_s && entry.sequence == 199; };
    QVERIFY(std::any_of(record->entries.begin(), record->entries.end(), isLastOfDp));
}

void FlightRecordTest::versions_data()
{
    QTest::addColumn<QByteArray>("ofEntry");
    QTest::addColumn<QByteArray>("ofRecord");
    const QByteArray group
        = R"(,"process_group":["0","default_pg"],"input_dtypes":["Float"],"output_dtypes":["Float"])";
    const QByteArray later = group + R"(,"p2p_seq_id":0,"op_id":7,"is_p2p":false,"timeout_ms":600000,"retired":false)";
    const QByteArray groups = R"(,"pg_config":{"0":{"name":"0","desc":"default_pg","ranks":"[0, 1, 2, 3]"}})";
    const QByteArray status = groups
        + R"(,"pg_status":{"0":{"last_enqueued_collective":7,"last_started_collective":7,"last_completed_collective":6}})";
    QTest::newRow("2.0") << QByteArray() << QByteArray();
    QTest::newRow("2.1") << group << QByteArray();
    QTest::newRow("2.2") << group << groups;
    QTest::newRow("2.3") << group << status;
    QTest::newRow("2.4") << later << status;
    QTest::newRow("2.5") << later << status;
    QTest::newRow("2.7") << later << status + R"(,"nccl_version":"2.26.2")";
    QTest::newRow("2.10") << later + R"(,"thread_id":"139","thread_name":"pt_main_thread")"
                          << status + R"(,"comm_lib_version":"2.27.5","nccl_comm_state":{})";
}

void FlightRecordTest::versions()
{
    QFETCH(QByteArray, ofEntry);
    QFETCH(QByteArray, ofRecord);
    HangEvidence evidence;
    for (int i = 0; i < 4; ++i) {
        const QByteArray size = i == 2 ? "1000" : "1024";
        const auto record = readFlightRecord("{\"version\":\"" + QByteArray(QTest::currentDataTag()) + "\"" + ofRecord
            + ",\"entries\":[{\"record_id\":6,\"pg_id\":0,\"collective_seq_id\":7,\"profiling_name\":\"nccl:all_reduce\","
              "\"time_created_ns\":1800000000000000000,\"state\":\"started\",\"input_sizes\":[["
            + size + "]],\"output_sizes\":[[" + size
            + "]],\"frames\":[{\"name\":\"step\",\"filename\":\"/home/u/train.py\",\"line\":52}]" + ofEntry + "}]}");
        QVERIFY_RESULT(record);
        QCOMPARE(record->version, QString::fromLatin1(QTest::currentDataTag()));
        RankEvidence rank;
        rank.rank = i;
        rank.record = rank.recordBefore = *record;
        evidence.ranks.append(rank);
    }
    const HangVerdict verdict = hangVerdict(evidence);
    QVERIFY2(verdict.odd == QList<int>{2} && verdict.cause == HangCause::WrongSize, qPrintable(verdict.sentence));
    QVERIFY2(verdict.sentence.contains(u"elements at train.py:52, the others with"_s), qPrintable(verdict.sentence));
}

RANKWRIGHT_TEST_MAIN(FlightRecordTest)
#include "tst_flightrecord.moc"
