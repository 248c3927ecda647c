// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/documents.h"
#include "app/session/clustersession.h"
#include "app/session/practicecluster.h"
#include "app/store/database.h"
#include "app/store/joblog.h"
#include "app/window/links/connections.h"
#include "tests/app/support/slurmwords.h"
#include "tests/app/support/windowbench.h"
#include "tests/support/fakeshell.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/toasts.h"
#include "widgets/clusters/uploaddialog.h"
#include "widgets/design/designpage.h"
#include "widgets/design/verdictbar.h"

#include <QLabel>
#include <QPushButton>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A click on Launch in the whole window, at a cluster that answers slowly.
class LaunchClickTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void aSlowLookLaunchesWhatWasClicked_data();
    void aSlowLookLaunchesWhatWasClicked();
    void aLookCanBeStopped();
    void aConnectionThatEndsFreesTheButton();
    void aMissingProgramLeadsToItsUpload();
    void theKeySaysThatOneIsUnderWay();
    void aScriptWithoutAFolderGoesToTheUsualOne_data();
    void aScriptWithoutAFolderGoesToTheUsualOne();

private:
    std::unique_ptr<FakeShell> link(int answerAfterMs, bool isThere);
    void begin(const QString& cluster, std::unique_ptr<FakeShell> link);
    void connectWith(int answerAfterMs, bool isThere = true);
    QPushButton* launch() const { return m_bench->window().findChild<QPushButton*>(u"launch"_s); }
    QStringList sent() const
    {
        QStringList names;
        for (const RemoteCommand& command : m_shell->commands()) {
            if (command.line.contains(u"--parsable"_s))
                names += QString::fromUtf8(command.input).split(u'\n').filter(u"--job-name"_s);
        }
        return names;
    }
    QString said() const
    {
        QStringList texts;
        for (const QLabel* label : m_bench->window().findChild<VerdictBar*>()->findChildren<QLabel*>()) {
            if (label->isVisible())
                texts.append(label->text());
        }
        return texts.join(u'\n');
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
    std::unique_ptr<Database> m_database;
    std::unique_ptr<JobLog> m_log;
    FakeShell* m_shell = nullptr;
};

void LaunchClickTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<WindowBench>(m_folder->path());
    QVERIFY(m_bench->start());
    auto database = Database::open(m_folder->path());
    QVERIFY_RESULT(database);
    m_database = std::move(*database);
    m_log = std::make_unique<JobLog>(*m_database);
}

void LaunchClickTest::cleanup()
{
    m_bench.reset();
    m_log.reset();
    m_database.reset();
}

void LaunchClickTest::connectWith(int answerAfterMs, bool isThere)
{
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    spec.name = u"clicked"_s;
    spec.command = u"train.py"_s;
    spec.workdir = u"/scratch/x"_s;
    spec.partition = u"small-g"_s;
    spec.resources.nodes = 1;
    spec.time = Seconds{3600};
    m_bench->design().replace(spec);
    begin(u"lumi"_s, link(answerAfterMs, isThere));
    QTRY_VERIFY(launch()->isEnabled());
}

std::unique_ptr<FakeShell> LaunchClickTest::link(int answerAfterMs, bool isThere)
{
    auto made = std::make_unique<FakeShell>();
    made->expect(u"@rw-there"_s, {isThere ? "@rw-there\n" : "@rw-missing\n", {}, 0, answerAfterMs}, true);
    made->expect(u"--test-only"_s, rehearsedWell(), true);
    made->expect(u"--parsable"_s, {"77\n", {}}, true);
    made->setState(LinkState::Offline);
    return made;
}

void LaunchClickTest::begin(const QString& cluster, std::unique_ptr<FakeShell> link)
{
    m_shell = link.get();
    m_bench->workbench->connections().begin(
        std::make_unique<ClusterSession>(*m_bench->design().catalogue().find(cluster), std::move(link), *m_log));
    m_shell->setState(LinkState::Online);
}

void LaunchClickTest::aSlowLookLaunchesWhatWasClicked_data()
{
    QTest::addColumn<int>("answerAfterMs");
    QTest::newRow("quick") << 300;
    QTest::newRow("slower than the look of a later edit") << 1500;
}

/// An edit while the program was looked for changed what was sent, or ended the launch for the rest of the session.
void LaunchClickTest::aSlowLookLaunchesWhatWasClicked()
{
    QFETCH(int, answerAfterMs);
    connectWith(answerAfterMs);
    launch()->click();
    QVERIFY(!launch()->isEnabled());
    QVERIFY2(said().contains(u"Looking for train.py"_s), qPrintable(said()));
    test::quietFor(50);
    m_bench->design().edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"after-the-click"_s; });
    m_bench->design().edit(u"Command"_s, [](JobSpec& spec) { spec.command = u"other.py"_s; });
    QTRY_COMPARE(sent(), QStringList{u"#SBATCH --job-name=clicked"_s});
    QTRY_VERIFY(launch()->isEnabled());
    launch()->click();
    QTRY_COMPARE(sent().size(), 2);
    QCOMPARE(sent().last(), u"#SBATCH --job-name=after-the-click"_s);
}

void LaunchClickTest::aLookCanBeStopped()
{
    connectWith(3000);
    launch()->click();
    QPushButton* stop = shownButton(m_bench->window(), u"Stop"_s);
    QVERIFY(stop);
    stop->click();
    QVERIFY2(said().contains(u"Stopped; nothing was sent."_s), qPrintable(said()));
    QVERIFY(launch()->isEnabled());
    test::quietFor(3500);
    QVERIFY(sent().isEmpty());
}

void LaunchClickTest::aConnectionThatEndsFreesTheButton()
{
    connectWith(60000);
    launch()->click();
    m_bench->workbench->connections().disconnectFrom(u"lumi"_s);
    QVERIFY2(said().contains(u"nothing was sent"_s), qPrintable(said()));
    connectWith(10);
    launch()->click();
    QTRY_COMPARE(sent().size(), 1);
}

/// "Upload…" beside "train.py is not in ..." did nothing.
void LaunchClickTest::aMissingProgramLeadsToItsUpload()
{
    connectWith(10, false);
    QTRY_VERIFY2(said().contains(u"train.py is not in /scratch/x"_s), qPrintable(said()));
    QPushButton* upload = shownButton(m_bench->window(), u"Upload…"_s);
    QVERIFY(upload);
    upload->click();
    auto* dialog = m_bench->window().findChild<UploadDialog*>();
    QVERIFY(dialog);
    dialog->close();
}

/// Ctrl+F5 again while one is sent: what Launch would do was said, as if it were done.
void LaunchClickTest::theKeySaysThatOneIsUnderWay()
{
    m_bench->workbench->designPage().setLaunchBlocked({});
    SubmitState busy;
    busy.stage = SubmitState::Stage::Sending;
    busy.text = u"Submitting …"_s;
    m_bench->workbench->designPage().showSubmitState(busy);
    for (const QString& name : {u"Launch"_s, u"Dry run"_s}) {
        m_bench->action(name)->trigger();
        const QString text = m_bench->window().findChild<Toasts*>()->textOf(Notice::Launch);
        QVERIFY2(text.contains(u"A submission is under way"_s), qPrintable(text));
    }
}

void LaunchClickTest::aScriptWithoutAFolderGoesToTheUsualOne_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<bool>("ready");
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<QString>("folder");
    const QString practice = QString::fromUtf16(practiceName);
    QTest::newRow("practice") << practice << true << QByteArray() << u"/scratch/project_465000001/ada"_s;
    QTest::newRow("the script names one")
        << practice << true << QByteArray("#SBATCH --chdir=/scratch/theirs\n") << u"/scratch/theirs"_s;
    QTest::newRow("its folder is not known") << practice << false << QByteArray() << QString();
    QTest::newRow("another cluster") << u"lumi"_s << true << QByteArray() << QString();
}

/// An author's script says no folder: on the practice cluster it starts where our designs do, with the text as it was.
void LaunchClickTest::aScriptWithoutAFolderGoesToTheUsualOne()
{
    QFETCH(QString, cluster);
    QFETCH(bool, ready);
    QFETCH(QByteArray, said);
    QFETCH(QString, folder);
    const QByteArray text = "#!/bin/bash\n#SBATCH --account=project_465000001\n#SBATCH --partition=small-g\n"
                            "#SBATCH --nodes=1\n#SBATCH --gpus-per-node=1\n#SBATCH --time=10\n"
        + said + "srun python3 train.py\n";
    QFile file(m_folder->filePath(u"theirs.sh"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
    file.close();
    QVERIFY_RESULT(m_bench->workbench->documents().open(file.fileName()));
    m_bench->design().edit(u"Cluster"_s, [&cluster](JobSpec& spec) { spec.cluster = cluster; });
    begin(cluster, link(10, false));
    PracticeStatus status;
    status.running = true;
    status.account = u"project_465000001"_s;
    status.workdir = u"/scratch/project_465000001/ada"_s;
    if (ready)
        emit m_bench->workbench->connections().practiceReady(status);
    QTRY_VERIFY(launch()->isEnabled());
    // The program is looked for where the job will start.
    const QString where
        = folder.isEmpty() ? u"train.py is not in your home folder"_s : u"train.py is not in "_s + folder;
    QTRY_VERIFY2(this->said().contains(where), qPrintable(this->said()));
    m_bench->action(u"Dry run"_s)->trigger();
    const auto dryRun = [this]() -> const RemoteCommand* {
        for (const RemoteCommand& command : m_shell->commands()) {
            if (command.line.contains(u"--test-only"_s))
                return &command;
        }
        return nullptr;
    };
    QTRY_VERIFY(dryRun());
    QCOMPARE(dryRun()->input, text);
    QCOMPARE(dryRun()->line.contains(u"--chdir="_s), !folder.isEmpty());
    QVERIFY(dryRun()->line.contains(u"--chdir="_s + folder) || folder.isEmpty());
}

RANKWRIGHT_WIDGET_TEST_MAIN(LaunchClickTest)
#include "tst_launchclick.moc"
