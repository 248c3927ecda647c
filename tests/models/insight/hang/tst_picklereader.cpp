// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/picklereader.h"
#include "tests/support/recordedfile.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Pickles of protocol 2: what plain values need is read, what would call something is refused, and nothing that a
/// hostile file says takes more than the bounds.
class PickleReaderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsPlainValues();
    void readsLongNumbers();
    void refusesWhatCalls_data();
    void refusesWhatCalls();
    void refusesBrokenOnes_data();
    void refusesBrokenOnes();
    void aListMayHoldItself();
    void aBombStaysSmall();
    void boundsHold();
    void everyCutIsRefused();
    void everyChangedByteIsReadOrRefused();

private:
    static QByteArray begun(const QByteArray& body) { return QByteArray("\x80\x02", 2) + body; }
    static std::optional<qint64> number(const QByteArray& body)
    {
        const auto tree = readPickle(begun(body));
        return tree ? tree->whole(tree->root()) : std::nullopt;
    }
};

void PickleReaderTest::readsPlainValues()
{
    // pickle.dumps({"a": [1, -2, 300, 70000, 2.5, None, True, False, (1,), ()]}, protocol=2)
    const auto tree = readPickle(
        QByteArray::fromBase64("gAJ9cQBYAQAAAGFxAV1xAihLAUr+////TSwBSnARAQBHQAQAAAAAAABOiIlLAYVxAyllcy4="));
    QVERIFY_RESULT(tree);
    const auto members = tree->children(tree->root());
    QCOMPARE(members.size(), 2);
    QCOMPARE(tree->text(members.at(0)), u"a"_s);
    const auto list = tree->children(members.at(1));
    QCOMPARE(list.size(), 10);
    QCOMPARE(tree->whole(list.at(0)), 1);
    QCOMPARE(tree->whole(list.at(1)), -2);
    QCOMPARE(tree->whole(list.at(2)), 300);
    QCOMPARE(tree->whole(list.at(3)), 70000);
    QCOMPARE(tree->real(list.at(4)), 2.5);
    QCOMPARE(tree->kind(list.at(5)), ValueTree::Kind::None);
    QCOMPARE(tree->boolean(list.at(6)), true);
    QCOMPARE(tree->boolean(list.at(7)), false);
    QCOMPARE(tree->children(list.at(8)).size(), 1);
    QCOMPARE(tree->children(list.at(9)).size(), 0);
}

void PickleReaderTest::readsLongNumbers()
{
    QCOMPARE(number("\x8a\x00."_ba), 0);
    QCOMPARE(number(QByteArray("\x8a\x01\xff.", 4)), -1);
    QCOMPARE(number(QByteArray("\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f.", 11)), std::numeric_limits<qint64>::max());
    QCOMPARE(number(QByteArray("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80.", 11)), std::numeric_limits<qint64>::min());
    QVERIFY(!number(QByteArray("\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00.", 12)));
}

void PickleReaderTest::refusesWhatCalls_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<QString>("name");
    QTest::newRow("GLOBAL") << "cposix\nsystem\n."_ba << u"GLOBAL"_s;
    QTest::newRow("STACK_GLOBAL") << "\x93."_ba << u"STACK_GLOBAL"_s;
    QTest::newRow("REDUCE") << "N)R."_ba << u"REDUCE"_s;
    QTest::newRow("BUILD") << "NNb."_ba << u"BUILD"_s;
    QTest::newRow("INST") << "(iposix\nsystem\n."_ba << u"INST"_s;
    QTest::newRow("OBJ") << "(No."_ba << u"OBJ"_s;
    QTest::newRow("NEWOBJ") << "N)\x81."_ba << u"NEWOBJ"_s;
    QTest::newRow("NEWOBJ_EX") << "N)}\x92."_ba << u"NEWOBJ_EX"_s;
    QTest::newRow("PERSID") << "Pid\n."_ba << u"PERSID"_s;
    QTest::newRow("BINPERSID") << "NQ."_ba << u"BINPERSID"_s;
    QTest::newRow("EXT1") << "\x82\x01."_ba << u"EXT1"_s;
    QTest::newRow("EXT2") << "\x83\x01\x01."_ba << u"EXT2"_s;
    QTest::newRow("EXT4") << "\x84\x01\x01\x01\x01."_ba << u"EXT4"_s;
    QTest::newRow("FRAME of protocol 4") << "\x95."_ba << u"0x95"_s;
    QTest::newRow("text number") << "I1\n."_ba << u"0x49"_s;
    QTest::newRow("POP") << "N0."_ba << u"0x30"_s;
}

void PickleReaderTest::refusesWhatCalls()
{
    QFETCH(QByteArray, body);
    QFETCH(QString, name);
    const auto tree = readPickle(begun(body));
    QVERIFY(!tree);
    QVERIFY2(tree.error().what.contains(name), qPrintable(tree.error().what));
}

void PickleReaderTest::refusesBrokenOnes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("text") << "Traceback (most recent call last):"_ba;
    QTest::newRow("protocol 4") << QByteArray("\x80\x04N.", 4);
    QTest::newRow("protocol 0") << "(dp0\n."_ba;
    QTest::newRow("second protocol") << begun("\x80\x02N."_ba);
    QTest::newRow("nothing inside") << begun("."_ba);
    QTest::newRow("two values") << begun("NN."_ba);
    QTest::newRow("open mark") << begun("(N."_ba);
    QTest::newRow("tuple of one too few") << begun("N\x86."_ba);
    QTest::newRow("tuple without mark") << begun("Nt."_ba);
    QTest::newRow("append to nothing") << begun("Na."_ba);
    QTest::newRow("append to None") << begun("NNa."_ba);
    QTest::newRow("append to a dictionary") << begun("}Na."_ba);
    QTest::newRow("items of a list") << begun("](NNu."_ba);
    QTest::newRow("key without value") << begun("}(Nu."_ba);
    QTest::newRow("appends without list") << begun("(Ne."_ba);
    QTest::newRow("appends without mark") << begun("]Ne."_ba);
    QTest::newRow("below the mark") << begun("](Na."_ba);
    QTest::newRow("put of nothing") << begun("q\x01."_ba);
    QTest::newRow("get of nothing") << begun("h\x01."_ba);
    QTest::newRow("text past the end") << begun(QByteArray("X\xff\xff\xff\x00.", 6));
    QTest::newRow("text of 4 GiB") << begun(QByteArray("X\xff\xff\xff\xff.", 6));
}

void PickleReaderTest::refusesBrokenOnes()
{
    QFETCH(QByteArray, bytes);
    const auto tree = readPickle(bytes);
    QVERIFY(!tree);
    QVERIFY(!tree.error().what.isEmpty());
}

void PickleReaderTest::aListMayHoldItself()
{
    const auto tree = readPickle(begun("]q\x01h\x01"
                                       "a."_ba));
    QVERIFY_RESULT(tree);
    const auto children = tree->children(tree->root());
    QCOMPARE(children, QList<ValueTree::Place>{tree->root()});
}

void PickleReaderTest::aBombStaysSmall()
{
    // each list holds the one before a hundred times: 100^40 values if they were copied
    QByteArray body = QByteArray("]q\0", 3);
    for (int i = 1; i <= 40; ++i)
        body += QByteArray("](") + QByteArray("h").append(char(i - 1)).repeated(100) + QByteArray("eq").append(char(i));
    const auto open = readPickle(begun(body + '.'));
    QVERIFY(!open); // 41 lists wait
    QByteArray nested = QByteArray("]q\0", 3);
    for (int i = 1; i <= 40; ++i)
        nested += QByteArray("]q").append(char(i)) + QByteArray("(") + QByteArray("h").append(char(i - 1)).repeated(100)
            + QByteArray("e\x86", 2);
    const auto tree = readPickle(begun(nested + '.'));
    QVERIFY_RESULT(tree);
    QVERIFY(tree->size() < 200);
}

void PickleReaderTest::boundsHold()
{
    PickleBounds bounds;
    bounds.values = 100;
    QVERIFY(!readPickle(begun("]("_ba + QByteArray("N").repeated(200) + "e."_ba), bounds));
    QVERIFY(readPickle(begun("]("_ba + QByteArray("N").repeated(50) + "e."_ba), bounds).hasValue());
    bounds.bytes = 20;
    QVERIFY(!readPickle(begun("]("_ba + QByteArray("N").repeated(50) + "e."_ba), bounds));
    QVERIFY(!readPickle(begun(QByteArray("](").repeated(1000))));
    bounds = {};
    bounds.textBytes = 3;
    QVERIFY(!readPickle(begun(QByteArray("X\x04\x00\x00\x00"
                                         "abcd.",
                            10)),
        bounds));
}

void PickleReaderTest::everyCutIsRefused()
{
    const QByteArray whole = test::recordedFile(u"hang/records/new.torch.pickle"_s);
    QVERIFY(readPickle(whole).hasValue());
    for (qsizetype size = 0; size < whole.size(); ++size)
        QVERIFY2(!readPickle(whole.left(size)), qPrintable(QString::number(size)));
}

void PickleReaderTest::everyChangedByteIsReadOrRefused()
{
    const QByteArray whole = test::recordedFile(u"hang/records/new.python.pickle"_s);
    QRandomGenerator random(20261128U);
    for (int i = 0; i < 20'000; ++i) {
        QByteArray changed = whole;
        for (int j = random.bounded(1, 4); j > 0; --j)
            changed[random.bounded(int(changed.size()))] = char(random.bounded(256));
        if (const auto tree = readPickle(changed))
            QVERIFY(tree->size() < 4 * whole.size());
    }
}

RANKWRIGHT_TEST_MAIN(PickleReaderTest)
#include "tst_picklereader.moc"
