// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/connections.h"
#include "app/window/links/sentcontroller.h"
#include "tests/app/support/openstore.h"
#include "tests/app/support/slurmwords.h"
#include "tests/support/testbase.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/sentdialog.h"

#include <QTemporaryDir>
#include <QWidget>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Whatever the window sends over any of its connections is listed.
class SentControllerTest final : public Suite {
    Q_OBJECT
    struct Bench {
        Bench()
            : database(openStore(folder.path())), log(*database), settings(folder.path()),
              connections(catalogue, log, settings, &window), sent(connections.sentLog(), window)
        { }
        /// A session on a played cluster, online.
        void connectTo(const QString& cluster)
        {
            ClusterProfile profile;
            profile.name = cluster;
            profile.title = cluster;
            auto made = std::make_unique<FakeShell>();
            FakeShell* shell = made.get();
            shell->setState(LinkState::Offline);
            shell->expect(u"sinfo"_s, {}, true);
            shell->expect(u"squeue"_s, {}, true);
            connections.begin(std::make_unique<ClusterSession>(profile, std::move(made), log));
            shell->setState(LinkState::Online);
        }
        Theme theme; // before the first widget
        QTemporaryDir folder;
        std::unique_ptr<Database> database;
        JobLog log;
        Settings settings;
        Catalogue catalogue;
        QWidget window;
        Connections connections;
        SentController sent;
    };

private slots:
    void everySessionIsListed();
    void theListGoesOn();
    void writesTheFile();
};

void SentControllerTest::everySessionIsListed()
{
    Bench bench;
    bench.connectTo(u"here"_s);
    bench.connectTo(u"there"_s);
    QStringList clusters;
    QStringList purposes;
    const auto look = [&] {
        clusters.clear();
        purposes.clear();
        for (const SentCommand& command : bench.connections.sentLog().all()) {
            clusters.append(command.cluster);
            purposes.append(command.purpose);
        }
        return purposes.filter(u"queue"_s).size() >= 2;
    };
    QTRY_VERIFY(look());
    QVERIFY(clusters.contains(u"here"_s));
    QVERIFY(clusters.contains(u"there"_s));
    QCOMPARE(purposes.filter(u"Runs "_s), QStringList()); // each says what it is for
    bench.sent.open();
    const auto* table = bench.sent.dialog()->findChild<RecordTable*>();
    QCOMPARE(table->shownRows(), int(bench.connections.sentLog().all().size()));
    // What went over a connection that is closed stays.
    const qsizetype before = bench.connections.sentLog().all().size();
    bench.connections.closeAll();
    QCOMPARE(bench.connections.sentLog().all().size(), before);
}

void SentControllerTest::theListGoesOn()
{
    Bench bench;
    bench.sent.open();
    const auto* table = bench.sent.dialog()->findChild<RecordTable*>();
    QCOMPARE(table->shownRows(), 0);
    bench.connectTo(u"here"_s);
    QTRY_VERIFY(table->shownRows() > 0);
}

void SentControllerTest::writesTheFile()
{
    Bench bench;
    bench.connectTo(u"here"_s);
    QTRY_VERIFY(!bench.connections.sentLog().all().isEmpty());
    const QString path = bench.folder.filePath(u"sent.txt"_s);
    QVERIFY_RESULT(bench.sent.write(path, SentInput::LeftOut));
    QFile file(path);
    QVERIFY(!(file.permissions() & (QFileDevice::ReadGroup | QFileDevice::ReadOther)));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("cluster: here\n"));
    QVERIFY(!bench.sent.write(u"/proc/none/sent.txt"_s, SentInput::LeftOut));
}

RANKWRIGHT_WIDGET_TEST_MAIN(SentControllerTest)
#include "tst_sentcontroller.moc"
