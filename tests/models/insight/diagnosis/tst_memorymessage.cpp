// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisjson.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/diagnosis/memorymessage.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

std::optional<Bytes> gib(double number) { return Bytes::gib(number); }

const QString newWords
    = u"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 79.25 GiB of which 1.25 GiB is free. Process 4711 has 3.50 GiB memory in use. Including non-PyTorch memory, this process has 74.50 GiB memory in use. Of the allocated memory 70.00 GiB is allocated by PyTorch, and 3.50 GiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation."_s;

} // namespace

/// Figures of messages that a GPU's memory is full.
class MemoryMessageTest final : public test::Suite {
    Q_OBJECT
private slots:
    void wordings_data();
    void wordings();
    void whatWasNeeded();
    void ofALogAndBack();
};

void MemoryMessageTest::wordings_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<std::optional<MemoryMessage>>("expected");
    using Runtime = MemoryMessage::Runtime;
    QTest::newRow("PyTorch 2.1 and later, CUDA") << newWords
                                                 << std::optional(MemoryMessage{Runtime::Cuda, gib(2), gib(79.25),
                                                        gib(1.25), gib(74.5), gib(70), gib(3.5), gib(3.5)});
    QTest::newRow("PyTorch 2.0 and its spelling, HIP")
        << u"HIP out of memory. Tried to allocate 512.00 MiB. GPU 3 has a total capacty of 64.00 GiB of which 0 bytes is free. Of the allocated memory 61.50 GiB is allocated by PyTorch, and 256.00 MiB is reserved by PyTorch but unallocated."_s
        << std::optional(MemoryMessage{Runtime::Hip, gib(0.5), gib(64), Bytes{0}, {}, gib(61.5), gib(0.25), {}});
    // PyTorch knows itself by its number, which is another one in a container
    QTest::newRow("alone, in a container")
        << u"CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.25 GiB of which 1.25 GiB is free. Process 4711 has 78.00 GiB memory in use. Of the allocated memory 70.00 GiB is allocated by PyTorch, and 7.00 GiB is reserved by PyTorch but unallocated."_s
        << std::optional(MemoryMessage{Runtime::Cuda, gib(2), gib(79.25), gib(1.25), gib(78), gib(70), gib(7), {}});
    QTest::newRow("beside another one, in a container")
        << u"CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.25 GiB of which 1.25 GiB is free. Process 4711 has 3.50 GiB memory in use. Process 4712 has 74.50 GiB memory in use. Of the allocated memory 70.00 GiB is allocated by PyTorch, and 3.50 GiB is reserved by PyTorch but unallocated."_s
        << std::optional(
               MemoryMessage{Runtime::Cuda, gib(2), gib(79.25), gib(1.25), gib(74.5), gib(70), gib(3.5), gib(3.5)});
    QTest::newRow("one of two alike, in a container")
        << u"CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.25 GiB of which 1.25 GiB is free. Process 4711 has 39.00 GiB memory in use. Process 4712 has 39.00 GiB memory in use. Of the allocated memory 36.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but unallocated."_s
        << std::optional(MemoryMessage{Runtime::Cuda, gib(2), gib(79.25), gib(1.25), {}, gib(36), gib(1), {}});
    QTest::newRow("PyTorch 1")
        << u"RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 10.75 GiB total capacity; 9.50 GiB already allocated; 512.00 MiB free; 10.00 GiB reserved in total by PyTorch)"_s
        << std::optional(
               MemoryMessage{Runtime::Cuda, Bytes::mib(20), gib(10.75), gib(0.5), {}, gib(9.5), gib(0.5), {}});
    QTest::newRow("size and GPU alone")
        << u"RuntimeError: HIP out of memory. Tried to allocate 2.00 GiB (GPU 3; 63.50 GiB total capacity)"_s
        << std::optional(MemoryMessage{Runtime::Hip, gib(2), gib(63.5), {}, {}, {}, {}, {}});
    QTest::newRow("XLA") << u"RESOURCE_EXHAUSTED: Out of memory while trying to allocate 2147483648 bytes."_s
                         << std::optional(MemoryMessage{Runtime::Unknown, gib(2), {}, {}, {}, {}, {}, {}});
    QTest::newRow("no figure") << u"CUDA error: out of memory"_s << std::optional<MemoryMessage>();
    QTest::newRow("of the host")
        << u"DefaultCPUAllocator: can't allocate memory: you tried to allocate 85899345920 bytes. Error code 12"_s
        << std::optional<MemoryMessage>();
    QTest::newRow("absurd") << u"CUDA out of memory. Tried to allocate 999999999999999999 TiB"_s
                            << std::optional<MemoryMessage>();
}

void MemoryMessageTest::wordings()
{
    QFETCH(QString, line);
    QFETCH(std::optional<MemoryMessage>, expected);
    QVERIFY(readMemoryMessage(line) == expected);
    QVERIFY(readMemoryMessage(u"[rank3]: "_s + line) == expected);
}

void MemoryMessageTest::whatWasNeeded()
{
    // 70 allocated, 2 more, and 1 beside the allocator
    QCOMPARE(readMemoryMessage(newWords)->needed(), gib(73));
    QVERIFY(
        !readMemoryMessage(u"HIP out of memory. Tried to allocate 2 GiB (GPU 3; 63 GiB total capacity)"_s)->needed());
}

/// The whole line has them, also where the evidence is cut; and they are kept.
void MemoryMessageTest::ofALogAndBack()
{
    LogDiagnoser diagnoser;
    diagnoser.feed(
        QByteArray("[rank1]: ") + newWords.toUtf8() + "\nsrun: error: n1: task 1: Exited with exit code 1\n");
    const QList<Diagnosis> found = diagnoser.diagnoses();
    QVERIFY(!found.isEmpty());
    QVERIFY(found.first().memory == readMemoryMessage(newWords));
    const QJsonObject json = diagnosisJson(found.first());
    QCOMPARE(json.value(u"memory"_s).toObject().value(u"triedBytes"_s).toInteger(), gib(2)->count);
    QCOMPARE(json.value(u"memory"_s).toObject().value(u"runtime"_s).toString(), u"cuda"_s);
    const auto again = diagnosisFromJson(JsonReader(json));
    QVERIFY_RESULT(again);
    QVERIFY(*again == found.first());
    QVERIFY(!diagnosisJson(Diagnosis()).contains(u"memory"_s));
}

RANKWRIGHT_TEST_MAIN(MemoryMessageTest)
#include "tst_memorymessage.moc"
