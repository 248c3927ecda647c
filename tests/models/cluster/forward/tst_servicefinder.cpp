// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/forward/servicefinder.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryFile>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Services in the output of jobs, as the programs themselves write their addresses.
class ServiceFinderTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void oneLine_data();
    void oneLine();
    void jupyterSaysItTwice();
    void othersAddresses();
    void manyLinesOfTraining();
    void addresses();
    void questionInRealBash();
};

void ServiceFinderTest::oneLine_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("token");
    QTest::newRow("tensorboard") << u"TensorBoard 2.14.0 at http://localhost:6006/ (Press CTRL+C to quit)"_s
                                 << u"TensorBoard"_s << 6006 << QString() << u"/"_s << QString();
    QTest::newRow("tensorboard on its name") << u"TensorBoard 2.16.2 at http://nid005012:6007/ (Press CTRL+C to quit)"_s
                                             << u"TensorBoard"_s << 6007 << u"nid005012"_s << u"/"_s << QString();
    QTest::newRow("jupyter") << u"        http://nid005012.site.org:8888/lab?token=0123456789abcdef"_s << u"Jupyter"_s
                             << 8888 << u"nid005012"_s << u"/lab"_s << u"0123456789abcdef"_s;
    QTest::newRow("jupyter that hides it") << u"[I 2024-01-01 ServerApp] http://localhost:8888/tree?token=..."_s
                                           << QString() << 8888 << QString() << u"/tree"_s << QString();
    QTest::newRow("ray") << u"View the Ray dashboard at http://127.0.0.1:8265"_s << u"Ray"_s << 8265 << QString()
                         << u"/"_s << QString();
    QTest::newRow("dask") << u"distributed.scheduler - INFO - dask dashboard at: http://10.120.3.4:8787/status,"_s
                          << u"Dask"_s << 8787 << QString() << u"/status"_s << QString();
    QTest::newRow("gradio") << u"* Running on local URL:  http://0.0.0.0:7860"_s << QString() << 7860 << QString()
                            << u"/"_s << QString();
    QTest::newRow("uvicorn") << u"INFO:     Uvicorn running on http://[::1]:8000 (Press CTRL+C to quit)"_s
                             << u"Uvicorn"_s << 8000 << QString() << u"/"_s << QString();
}

void ServiceFinderTest::oneLine()
{
    QFETCH(QString, line);
    QFETCH(QString, name);
    QFETCH(int, port);
    QFETCH(QString, node);
    QFETCH(QString, path);
    QFETCH(QString, token);
    ServiceFinder finder;
    finder.setNodes({u"nid005011"_s, u"nid005012"_s});
    QVERIFY(finder.read(line));
    QCOMPARE(finder.services().size(), 1);
    const FoundService& service = finder.services().first();
    QCOMPARE(service.name, name);
    QCOMPARE(service.port, port);
    QCOMPARE(service.node, node);
    QCOMPARE(service.path, path);
    QCOMPARE(service.token, token);
    QVERIFY(!finder.read(line)); // nothing new
}

void ServiceFinderTest::jupyterSaysItTwice()
{
    ServiceFinder finder;
    finder.setNodes({u"n1"_s, u"n2"_s});
    for (const QString& line :
        {u"[I ServerApp] Jupyter Server 2.14 is running at:"_s, u"[I ServerApp] http://n2:8889/lab?token=abc"_s,
            u"[I ServerApp]     http://127.0.0.1:8889/lab?token=abc"_s,
            u"[I ServerApp] Use Control-C to stop this server"_s})
        finder.read(line);
    QCOMPARE(finder.services().size(), 1);
    QCOMPARE(finder.services().first().name, u"Jupyter"_s);
    QCOMPARE(finder.services().first().node, u"n2"_s);
    QCOMPARE(finder.services().first().token, u"abc"_s);
}

void ServiceFinderTest::othersAddresses()
{
    ServiceFinder finder;
    finder.setNodes({u"n1"_s});
    for (const QString& line : {u"Downloading https://huggingface.co:443/model"_s, u"see http://pytorch.org/docs"_s,
             u"wandb: View run at https://wandb.ai/x/y"_s, u"http://localhost:99999/"_s, u"http://localhost:0/"_s,
             u"http://172.40.0.1:80/"_s, u"http://"_s, u"tcp://127.0.0.1:29500"_s, QString(100000, u'h')})
        QVERIFY2(!finder.read(line), qPrintable(line.left(60)));
}

void ServiceFinderTest::manyLinesOfTraining()
{
    ServiceFinder finder;
    for (int i = 0; i < 100; ++i)
        finder.read(u"at http://localhost:%1/"_s.arg(7000 + i));
    QCOMPARE(finder.services().size(), 16); // the newest
    QCOMPARE(finder.services().last().port, 7099);
}

void ServiceFinderTest::addresses()
{
    FoundService service;
    service.port = 8888;
    service.path = u"/lab"_s;
    service.token = u"a+b/c d"_s;
    QCOMPARE(localAddress(service, 8890), u"http://127.0.0.1:8890/lab"_s);
    QCOMPARE(localAddressWithToken(service, 8890), u"http://127.0.0.1:8890/lab?token=a%2Bb%2Fc%20d"_s);
    service.isSecure = true;
    service.path.clear();
    QCOMPARE(localAddress(service, 1), u"https://127.0.0.1:1/"_s);
}

void ServiceFinderTest::questionInRealBash()
{
    QTemporaryFile output(QDir::tempPath() + u"/it's $HOME XXXXXX"_s);
    QVERIFY(output.open());
    output.write("epoch 1\nJupyter Server is running at:\nhttp://n1:8888/lab?token=t\nepoch 2\n");
    output.flush();
    QProcess process;
    process.start(u"sh"_s, {u"-c"_s, serviceQuestion(output.fileName()).line});
    QVERIFY(process.waitForFinished(test::longWaitMs));
    QCOMPARE(process.readAllStandardOutput().count("\n") >= 2, true);
    process.start(u"sh"_s, {u"-c"_s, serviceQuestion(u"/nowhere/there"_s).line});
    QVERIFY(process.waitForFinished(test::longWaitMs));
    QCOMPARE(process.readAllStandardError(), QByteArray());
}

RANKWRIGHT_TEST_MAIN(ServiceFinderTest)
#include "tst_servicefinder.moc"
