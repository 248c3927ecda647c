// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/pythonstack.h"
#include "models/insight/hang/stackmeaning.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What py-spy and faulthandler print, and what is understood of it.
class PythonStackTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsFaulthandler();
    void ofSeveralDumpsTheLastCounts();
    void readsNamesOfNewerPythons();
    void readsPySpysJson();
    void readsPySpysText();
    void theMainThreadWithoutNames();
    void localsAreNoFrames();
    void nothingIsNoStack();
    void boundsHold();
    void meanings_data();
    void meanings();

private:
    const QByteArray twoThreads = "Thread 0x00007fa0dffff6c0 (most recent call first):\n"
                                  "  File \"/home/user/run/train.py\", line 7 in hold\n"
                                  "  File \"/usr/lib/python3.11/threading.py\", line 975 in run\n"
                                  "\n"
                                  "Current thread 0x00007fa0e513b040 (most recent call first):\n"
                                  "  File \"/home/user/run/train.py\", line 9 in wait_lock\n"
                                  "  File \"/home/user/run/train.py\", line 13 in <module>\n";
};

void PythonStackTest::readsFaulthandler()
{
    const auto stacks = readPythonStacks(twoThreads);
    QVERIFY_RESULT(stacks);
    QVERIFY(stacks->source == StackSource::FaultHandler);
    QCOMPARE(stacks->threads.size(), 2);
    QCOMPARE(stacks->mainThread()->frames.size(), 2);
    QCOMPARE(stacks->mainThread()->frames.first().function, u"wait_lock"_s);
    QCOMPARE(stacks->mainThread()->frames.first().file, u"/home/user/run/train.py"_s);
    QCOMPARE(stacks->mainThread()->frames.first().line, 9);
    QVERIFY(stacks->mainThread()->isCurrent);
}

void PythonStackTest::ofSeveralDumpsTheLastCounts()
{
    QByteArray later = twoThreads;
    later.replace("line 9", "line 19");
    const auto stacks = readPythonStacks("step 3 loss 2.1\n" + twoThreads + later + "step 4 loss 2.0\n");
    QVERIFY_RESULT(stacks);
    QCOMPARE(stacks->threads.size(), 2);
    QCOMPARE(stacks->mainThread()->frames.first().line, 19);
    // a thread that was not there before, in front of all others
    const auto grown = readPythonStacks(
        twoThreads + "Thread 0x00007f0000000001 (most recent call first):\n  File \"a.py\", line 1 in f\n\n" + later);
    QVERIFY_RESULT(grown);
    QCOMPARE(grown->threads.size(), 3);
}

void PythonStackTest::readsNamesOfNewerPythons()
{
    const auto stacks = readPythonStacks("Current thread 0x00007f0000000001 [python3] (most recent call first):\n"
                                         "  File \"a b.py\", line ??? in <module>\r\n");
    QVERIFY_RESULT(stacks);
    QCOMPARE(stacks->threads.first().name, u"python3"_s);
    QCOMPARE(stacks->threads.first().frames.first().file, u"a b.py"_s);
    QVERIFY(!stacks->threads.first().frames.first().line);
    QVERIFY(readPythonStacks("Stack (most recent call first):\n  File \"a.py\", line 3 in f\n").hasValue());
}

void PythonStackTest::readsPySpysJson()
{
    const auto stacks = readPythonStacks(R"([
  { "pid": 4711, "thread_id": 140, "thread_name": "QueueManagerThread", "os_thread_id": 4712, "active": false, "owns_gil": false,
    "frames": [ { "name": "wait", "filename": "/usr/lib/python3.11/threading.py", "module": null, "short_filename": "threading.py",
                  "line": 320, "locals": null, "is_entry": true } ], "process_info": null },
  { "pid": 4711, "thread_id": 139, "thread_name": "MainThread", "os_thread_id": 4711, "active": true, "owns_gil": true,
    "frames": [ { "name": "read", "filename": "/home/user/run/dataset.py", "line": 88, "locals": null },
                { "name": "<module>", "filename": "/home/user/run/train.py", "line": 0, "locals": null } ], "process_info": null } ]
)");
    QVERIFY_RESULT(stacks);
    QVERIFY(stacks->source == StackSource::PySpyJson);
    QCOMPARE(stacks->threads.size(), 2);
    QCOMPARE(stacks->mainThread()->name, u"MainThread"_s);
    QCOMPARE(stacks->mainThread()->active, true);
    QCOMPARE(stacks->mainThread()->ownsGil, true);
    QCOMPARE(stacks->mainThread()->frames.first().line, 88);
    QVERIFY(!stacks->mainThread()->frames.last().line);
}

void PythonStackTest::readsPySpysText()
{
    const auto stacks
        = readPythonStacks("Process 4711: python train.py --data (x)\nPython v3.12.3 (/opt/venv/bin/python3.12)\n\n"
                           "Thread 4711 (active+gil): \"MainThread\"\n"
                           "    read (libpthread-2.31.so)\n"
                           "    __getitem__ (run/my data (1)/dataset.py:88)\n"
                           "    <module> (train.py:80)\n"
                           "Thread 0x7F12 (idle)\n"
                           "    wait (threading.py:320)\n");
    QVERIFY_RESULT(stacks);
    QVERIFY(stacks->source == StackSource::PySpyText);
    QCOMPARE(stacks->threads.size(), 2);
    const auto& frames = stacks->mainThread()->frames;
    QCOMPARE(frames.size(), 3);
    QCOMPARE(frames.at(0).file, u"libpthread-2.31.so"_s);
    QVERIFY(!frames.at(0).line);
    QCOMPARE(frames.at(1).function, u"__getitem__"_s);
    QCOMPARE(frames.at(1).line, 88);
    QCOMPARE(stacks->threads.at(0).ownsGil, true);
    QCOMPARE(stacks->threads.at(1).active, false);
    QCOMPARE(stacks->threads.at(1).ownsGil, false);
}

/// py-spy gives the newest thread first as JSON, and last as text; the number of the main one is the process's.
void PythonStackTest::theMainThreadWithoutNames()
{
    const auto threadOf = [](const QByteArray& number, const QByteArray& function) -> QByteArray {
        return "{\"pid\":7,\"os_thread_id\":" + number + ",\"thread_name\":null,\"frames\":[{\"name\":\"" + function
            + "\",\"filename\":\"a.py\",\"line\":1}]}";
    };
    const auto numbered = readPythonStacks(
        '[' + threadOf("9", "pin") + ',' + threadOf("7", "step") + ',' + threadOf("8", "watch") + ']');
    QVERIFY_RESULT(numbered);
    QCOMPARE(numbered->mainThread()->frames.first().function, u"step"_s);
    const auto json = readPythonStacks('[' + threadOf("null", "pin") + ',' + threadOf("null", "step") + ']');
    QVERIFY_RESULT(json);
    QCOMPARE(json->mainThread()->frames.first().function, u"step"_s);
    const auto text = readPythonStacks("Process 7: python train.py\nPython v3.12.3 (/usr/bin/python3.12)\n\n"
                                       "Thread 9 (idle)\n    pin (a.py:1)\nThread 7 (active+gil)\n    step (a.py:2)\n");
    QVERIFY_RESULT(text);
    QCOMPARE(text->mainThread()->frames.first().function, u"step"_s);
}

void PythonStackTest::localsAreNoFrames()
{
    const auto stacks
        = readPythonStacks("Process 7: python train.py\nPython v3.12.3 (/usr/bin/python3.12)\n\n"
                           "Thread 7 (active): \"MainThread\"\n    step (train.py:52)\n        Arguments:\n"
                           "            self: <Net at 0x7f> (bf16)\n        Locals:\n"
                           "            shape: torch.Size (8:2)\n    main (train.py:80)\n");
    QVERIFY_RESULT(stacks);
    QCOMPARE(stacks->mainThread()->frames.size(), 2);
    QCOMPARE(stacks->mainThread()->frames.last().function, u"main"_s);
}

void PythonStackTest::nothingIsNoStack()
{
    for (const QByteArray& text :
        {QByteArray(), "[]"_ba, "[1,2]"_ba, "{}"_ba, "Error: Permission denied (os error 13)"_ba,
            "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n"_ba})
        QVERIFY(!readPythonStacks(text));
    QVERIFY(!readPythonStacks(QByteArray(9 << 20, ' ')));
}

void PythonStackTest::boundsHold()
{
    QByteArray text;
    for (int i = 0; i < 1000; ++i)
        text += "Thread 0x" + QByteArray::number(i + 1, 16)
            + " (most recent call first):\n  File \"a.py\", line 1 in f\n\n";
    const auto threads = readPythonStacks(text);
    QVERIFY_RESULT(threads);
    QCOMPARE(threads->threads.size(), 256);
    const auto deep = readPythonStacks(
        "Current thread 0x1 (most recent call first):\n" + QByteArray("  File \"a.py\", line 1 in f\n").repeated(3000));
    QVERIFY_RESULT(deep);
    QCOMPARE(deep->threads.first().frames.size(), 512);
}

void PythonStackTest::meanings_data()
{
    QTest::addColumn<QStringList>("frames"); // "function file:line", innermost first
    QTest::addColumn<int>("activity");
    QTest::addColumn<QString>("collective");
    QTest::addColumn<QString>("shown");
    const QString site = u"/opt/venv/lib/python3.12/site-packages/"_s, std = u"/usr/lib/python3.12/"_s;
    const auto row = [](const char* name, const QStringList& frames, StackActivity activity, const QString& shown,
                         const QString& collective = {}) {
        QTest::newRow(name) << frames << int(activity) << collective << shown;
    };
    row("new torch",
        {u"all_reduce "_s + site + u"torch/distributed/distributed_c10d.py:2806"_s,
            u"wrapper "_s + site + u"torch/distributed/c10d_logger.py:81"_s, u"step /home/u/train.py:52"_s},
        StackActivity::Collective, u"step /home/u/train.py:52"_s, u"all_reduce"_s);
    row("objects",
        {u"all_gather "_s + site + u"torch/distributed/distributed_c10d.py:3346"_s,
            u"all_gather_object "_s + site + u"torch/distributed/distributed_c10d.py:2700"_s, u"f train.py:52"_s},
        StackActivity::Collective, u"f train.py:52"_s, u"all_gather_object"_s);
    row("py-spy's short names",
        {u"barrier torch/distributed/distributed_c10d.py:4159"_s, u"wrapper torch/distributed/c10d_logger.py:81"_s,
            u"main train.py:9"_s},
        StackActivity::Collective, u"main train.py:9"_s, u"barrier"_s);
    row("torchrun's record() outside",
        {u"work /home/u/train.py:9"_s,
            u"wrapper "_s + site + u"torch/distributed/elastic/multiprocessing/errors/__init__.py:355"_s},
        StackActivity::OwnCode, u"work /home/u/train.py:9"_s);
    row("FSDP around the user's model",
        {u"forward /home/u/model.py:40"_s, u"_call_impl "_s + site + u"torch/nn/modules/module.py:1750"_s,
            u"forward "_s + site + u"torch/distributed/fsdp/fully_sharded_data_parallel.py:850"_s,
            u"main train.py:3"_s},
        StackActivity::OwnCode, u"forward /home/u/model.py:40"_s);
    row("backward",
        {u"_engine_run_backward "_s + site + u"torch/autograd/graph.py:824"_s,
            u"backward "_s + site + u"torch/_tensor.py:648"_s, u"main train.py:3"_s},
        StackActivity::Backward, u"main train.py:3"_s);
    row("workers",
        {u"wait "_s + std + u"threading.py:359"_s, u"get "_s + std + u"queue.py:180"_s,
            u"_try_get_data "_s + site + u"torch/utils/data/dataloader.py:1275"_s, u"main train.py:3"_s},
        StackActivity::DataWait, u"main train.py:3"_s);
    row("lock", {u"acquire "_s + site + u"filelock/_api.py:344"_s, u"main train.py:3"_s}, StackActivity::LockWait,
        u"main train.py:3"_s);
    row("debugger", {u"interaction "_s + std + u"pdb.py:400"_s, u"main train.py:3"_s}, StackActivity::Debugger,
        u"main train.py:3"_s);
    row("end", {u"_shutdown "_s + std + u"threading.py:1590"_s}, StackActivity::Ending,
        u"_shutdown "_s + std + u"threading.py:1590"_s);
    row("GPU", {u"synchronize "_s + site + u"torch/cuda/__init__.py:985"_s, u"main train.py:3"_s},
        StackActivity::DeviceWait, u"main train.py:3"_s);
    row("queries are not waits",
        {u"get_rank "_s + site + u"torch/distributed/distributed_c10d.py:2000"_s, u"main train.py:3"_s},
        StackActivity::OwnCode, u"main train.py:3"_s);
    row("user's own folder torch", {u"load /home/u/torch/data.py:3"_s}, StackActivity::OwnCode,
        u"load /home/u/torch/data.py:3"_s);
}

void PythonStackTest::meanings()
{
    QFETCH(QStringList, frames);
    QFETCH(int, activity);
    QFETCH(QString, collective);
    QFETCH(QString, shown);
    PythonStacks stacks;
    stacks.threads.append(PythonThread());
    for (const QString& frame : frames)
        stacks.threads.last().frames.append(
            {frame.section(u' ', 0, 0), frame.section(u' ', 1).section(u':', 0, -2), frame.section(u':', -1).toInt()});
    const StackMeaning meaning = stackMeaning(stacks);
    QCOMPARE(int(meaning.activity), activity);
    QCOMPARE(meaning.collective, collective);
    QVERIFY(meaning.shown.has_value());
    QCOMPARE(u"%1 %2:%3"_s.arg(meaning.shown->function, meaning.shown->file).arg(*meaning.shown->line), shown);
}

RANKWRIGHT_TEST_MAIN(PythonStackTest)
#include "tst_pythonstack.moc"
