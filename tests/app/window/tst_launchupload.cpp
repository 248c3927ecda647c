// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/clustersession.h"
#include "app/window/links/connections.h"
#include "models/script/document/designjson.h"
#include "ssh/localshell.h"
#include "tests/app/support/slurmwords.h"
#include "tests/app/support/windowbench.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/toasts.h"
#include "widgets/clusters/uploaddialog.h"

#include <QDir>
#include <QFile>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

/// A login node whose files are a folder of this machine, read and written by a real shell; its Slurm is scripted.
class RealFilesLink final : public ClusterLink {
public:
    explicit RealFilesLink(QString folder) : m_folder(std::move(folder))
    {
        connect(&slurm, &FakeShell::stateChanged, this, &RealFilesLink::stateChanged);
    }
    LinkState state() const override { return slurm.state(); }
    std::optional<Error> lastError() const override { return slurm.lastError(); }
    std::unique_ptr<RemoteProcess> launch(const RemoteCommand& command) override
    {
        const bool isOfFiles = command.line.contains(m_folder) && !command.line.contains(u"sbatch"_s);
        return isOfFiles ? m_files.start(command) : slurm.start(command);
    }
    void open(Attendance attendance) override { slurm.open(attendance); }
    bool loginTookPerson() const override { return false; }
    void close() override { slurm.close(); }
    void answer(quint64, const PromptAnswer&) override { }
    std::optional<LinkTraffic> traffic() const override { return {}; }

    FakeShell slurm;

private:
    QString m_folder;
    LocalShell m_files;
};

void write(const QString& path, const QByteArray& text)
{
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
}

} // namespace

/// W8: a program that is not on the cluster, from the click on Launch to the job.
class LaunchUploadTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void uploadsAndGoesOn_data();
    void uploadsAndGoesOn();
    void anotherFileThanTheProgramIsNotEnough();
    void launchesAnywayWhenToldSo();
    void cancelledIsCancelled();
    void theConnectionEndsAtTheQuestion();
    void leftAndSentLaterLaunchesNothing();

private:
    void openDesign(const QString& program);
    QPushButton* launch() const { return m_bench->window().findChild<QPushButton*>(u"launch"_s); }
    QMessageBox* question() const
    {
        for (QMessageBox* box : m_bench->window().findChildren<QMessageBox*>()) {
            if (box->isVisible())
                return box;
        }
        return nullptr;
    }
    UploadDialog* dialog() const
    {
        for (UploadDialog* one : m_bench->window().findChildren<UploadDialog*>()) {
            if (one->isVisible())
                return one;
        }
        return nullptr;
    }
    void ask()
    {
        launch()->click();
        QTRY_VERIFY(question());
    }
    void choose(const QString& button)
    {
        QPushButton* chosen = shownButton(*question(), button);
        QVERIFY(chosen);
        chosen->click();
    }
    int submitted() const
    {
        return int(std::count_if(m_link->slurm.commands().cbegin(), m_link->slurm.commands().cend(),
            [](const RemoteCommand& command) { return command.line.contains(u"--parsable"_s); }));
    }
    QString there(const QString& path) const { return m_folder->filePath(u"there/job/"_s + path); }
    QString here(const QString& path) const { return m_folder->filePath(u"here/"_s + path); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
    RealFilesLink* m_link = nullptr;
};

void LaunchUploadTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
}

/// The design is a file beside the program, as people keep them.
void LaunchUploadTest::openDesign(const QString& program)
{
    QVERIFY(QDir().mkpath(there({})));
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    spec.name = u"mine"_s;
    spec.command = program;
    spec.workdir = QDir::cleanPath(there({}));
    spec.partition = u"small-g"_s;
    spec.resources.nodes = 1;
    spec.time = Seconds{3600};
    write(here(u"design.json"_s), writeDesign(spec));
    m_bench = std::make_unique<WindowBench>(m_folder->filePath(u"data"_s));
    QVERIFY(m_bench->start({1280, 800}, here(u"design.json"_s)));
    QCOMPARE(m_bench->design().spec().name, u"mine"_s);
    auto link = std::make_unique<RealFilesLink>(m_folder->filePath(u"there"_s));
    m_link = link.get();
    m_link->slurm.expect(u"--test-only"_s, rehearsedWell(), true);
    m_link->slurm.expect(u"--parsable"_s, {"77\n", {}}, true);
    m_link->slurm.setState(LinkState::Offline);
    m_bench->workbench->connections().begin(std::make_unique<ClusterSession>(
        *m_bench->design().catalogue().find(u"lumi"_s), std::move(link), m_bench->workbench->jobLog()));
    m_link->slurm.setState(LinkState::Online);
    QTRY_VERIFY(launch()->isEnabled());
}

void LaunchUploadTest::uploadsAndGoesOn_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("proposed");
    QTest::newRow("beside the design") << u"my_train.py"_s << u"my_train.py"_s;
    QTest::newRow("in a folder") << u"src/lab/train.py"_s << u"src"_s;
}

void LaunchUploadTest::uploadsAndGoesOn()
{
    QFETCH(QString, program);
    QFETCH(QString, proposed);
    write(here(program), "print('hi')\n");
    openDesign(program);
    ask();
    QVERIFY2(question()->text().contains(program + u" is not in "_s), qPrintable(question()->text()));
    QCOMPARE(submitted(), 0);
    choose(u"Upload…"_s);
    QTRY_VERIFY(dialog());
    QCOMPARE(dialog()->paths(), QStringList{here(proposed)});
    QVERIFY2(shownText(*dialog()).contains(program + u" is not in "_s), qPrintable(shownText(*dialog())));
    QTRY_VERIFY(shownButton(*dialog(), u"Upload"_s)->isEnabled()); // what is chosen has been looked at
    shownButton(*dialog(), u"Upload"_s)->click();
    QTRY_VERIFY(QFile::exists(there(program)));
    QTRY_COMPARE(submitted(), 1);
    QVERIFY(!question() && !dialog());
    const QString told = m_bench->window().findChild<Toasts*>()->textOf(Notice::Upload);
    QVERIFY2(told.contains(u"1 file copied"_s), qPrintable(told));
    QTRY_COMPARE(m_bench->window().page(), MainWindow::Page::Live); // the job is watched, as after any launch
    test::quietFor(1200); // what looks for the program by itself launches nothing
    QCOMPARE(submitted(), 1);
}

void LaunchUploadTest::anotherFileThanTheProgramIsNotEnough()
{
    write(here(u"other.py"_s), "print('hi')\n");
    openDesign(u"my_train.py"_s); // not on this machine either: nothing to propose
    ask();
    choose(u"Upload…"_s);
    QTRY_VERIFY(dialog());
    QCOMPARE(dialog()->paths(), QStringList());
    dialog()->addPath(here(u"other.py"_s));
    QTRY_VERIFY(shownButton(*dialog(), u"Upload"_s)->isEnabled()); // what is chosen has been looked at
    shownButton(*dialog(), u"Upload"_s)->click();
    QTRY_VERIFY(QFile::exists(there(u"other.py"_s)));
    QTRY_VERIFY(question()); // once more
    QCOMPARE(submitted(), 0);
    choose(u"Cancel"_s);
    QCOMPARE(submitted(), 0);
}

void LaunchUploadTest::launchesAnywayWhenToldSo()
{
    openDesign(u"my_train.py"_s);
    ask();
    choose(u"Launch anyway"_s);
    QTRY_COMPARE(submitted(), 1);
    QVERIFY(!QFile::exists(there(u"my_train.py"_s)));
    QVERIFY(!question());
}

void LaunchUploadTest::cancelledIsCancelled()
{
    openDesign(u"my_train.py"_s);
    ask();
    QCOMPARE(question()->defaultButton()->text().remove(u'&'), u"Cancel"_s); // Return does nothing that costs
    QTest::keyClick(question(), Qt::Key_Escape);
    QTRY_VERIFY(!question());
    test::quietFor(1200);
    QCOMPARE(submitted(), 0);
    QVERIFY(launch()->isEnabled());
    ask(); // and the next click asks again
    choose(u"Cancel"_s);
}

void LaunchUploadTest::theConnectionEndsAtTheQuestion()
{
    write(here(u"my_train.py"_s), "print('hi')\n");
    openDesign(u"my_train.py"_s);
    ask();
    m_bench->workbench->connections().disconnectFrom(u"lumi"_s);
    choose(u"Upload…"_s);
    QVERIFY(!dialog());
    const QString told = m_bench->window().findChild<Toasts*>()->textOf(Notice::Connection);
    QVERIFY2(told.contains(u"nothing was sent"_s), qPrintable(told));
}

/// Who closes the dialog has given the launch up: an upload of another hour is an upload.
void LaunchUploadTest::leftAndSentLaterLaunchesNothing()
{
    write(here(u"my_train.py"_s), "print('hi')\n");
    openDesign(u"my_train.py"_s);
    ask();
    choose(u"Upload…"_s);
    QTRY_VERIFY(dialog());
    QTest::keyClick(dialog(), Qt::Key_Escape);
    QTRY_VERIFY(!dialog());
    QVERIFY(!QFile::exists(there(u"my_train.py"_s)));
    QTRY_VERIFY(m_bench->window().findChildren<UploadDialog*>().isEmpty()); // a moment after it was closed
    emit m_bench->window().uploadRequested(); // menu Job > Upload files
    QTRY_VERIFY(dialog());
    if (dialog()->paths().isEmpty())
        dialog()->addPath(here(u"my_train.py"_s));
    QTRY_VERIFY(shownButton(*dialog(), u"Upload"_s)->isEnabled());
    shownButton(*dialog(), u"Upload"_s)->click();
    QTRY_VERIFY(QFile::exists(there(u"my_train.py"_s)));
    QTRY_VERIFY(!dialog());
    test::quietFor(1200);
    QCOMPARE(submitted(), 0);
    QVERIFY(!question());
}

RANKWRIGHT_WIDGET_TEST_MAIN(LaunchUploadTest)
#include "tst_launchupload.moc"
