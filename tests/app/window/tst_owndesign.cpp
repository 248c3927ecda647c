// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/documents.h"
#include "app/store/joblog.h"
#include "app/store/usagefiles.h"
#include "app/window/classcontroller.h"
#include "app/window/firststeps.h"
#include "app/window/guidecontroller.h"
#include "app/window/welcomecontroller.h"
#include "models/script/document/designjson.h"
#include "tests/app/support/windowbench.h"
#include "widgets/base/recordtable.h"
#include "widgets/classroom/classconsentdialog.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/plan/planpage.h"
#include "widgets/report/reportdialog.h"
#include "widgets/welcome/welcomepage.h"

#include <QFile>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Whatever puts another design into the window: saving then never writes it over the design that was there before.
class OwnDesignTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }

    void savingNeverOverwritesIt_data();

    /// What is written into the open design is an edit: on the disk nothing is changed, and Undo takes it back.
    void editsOfPagesAreEdits_data();
    void editsOfPagesAreEdits();

    /// The report is of a job that another design was launched as: its advice is none for what is open now.
    void anAdviceForAnotherClusterChangesNothing();

    /// Killed in the middle of changes: they come back as changes of that file, which is as it was saved.
    void restoredChangesAreNoSave();
    void savingNeverOverwritesIt();

private:
    void restart()
    {
        m_bench.reset();
        m_bench = std::make_unique<WindowBench>(m_folder->path());
        QVERIFY(m_bench->start());
    }

    static JobSpec lumiDesign()
    {
        JobSpec spec;
        spec.cluster = u"lumi"_s;
        spec.partition = u"standard-g"_s;
        spec.resources.nodes = 2;
        spec.model = {{u"parameters"_s, 1.3e9}};
        spec.training.globalBatch = 512;
        return spec;
    }

    /// The best one that the design is not yet, by a double click.
    void takeARow()
    {
        m_bench->window().showPage(MainWindow::Page::Plan);
        auto* table = m_bench->window().pages().plan->findChild<RecordTable*>(u"layouts"_s);
        QVERIFY(table);
        const JobSpec before = m_bench->design().spec();
        QVERIFY(test::comes([table] { return table->model()->rowCount() > 1; }));
        for (int row = 0; row < table->model()->rowCount() && m_bench->design().spec() == before; ++row)
            emit table->doubleClicked(table->model()->index(row, 0));
    }

    /// A job that was given 24 hours and took one: what its report advises is taken.
    void takeAnAdvice()
    {
        StoredUsage kept;
        kept.cluster = u"lumi"_s;
        kept.asked = QDateTime::currentDateTimeUtc();
        kept.accounted = true;
        kept.usage.job.id = u"2"_s;
        kept.usage.job.name = u"gpt"_s;
        kept.usage.job.state = JobState::Completed;
        kept.usage.job.partition = u"small-g"_s;
        kept.usage.job.nodes = 1;
        kept.usage.job.gpus = 2;
        kept.usage.job.elapsed = Seconds{3600};
        kept.usage.job.timeLimit = Seconds{24 * 3600};
        QVERIFY_RESULT(storeUsage(m_folder->path(), kept));
        emit m_bench->workbench->firstSteps().reportWanted(u"2"_s, u"lumi"_s);
        const auto dialog = [this] { return m_bench->window().findChild<ReportDialog*>(); };
        QVERIFY(test::comes([&] { return dialog() && !dialog()->report().advice.isEmpty(); }));
        emit dialog()->applyRequested(dialog()->report().advice.first());
    }

    Documents& documents() const { return m_bench->workbench->documents(); }

    static QByteArray contents(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QString write(const QString& name, const QByteArray& bytes) const
    {
        const QString path = m_folder->filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("the file could not be written");
        return path;
    }

    void put(const QString& way)
    {
        Workbench& workbench = *m_bench->workbench;
        JobSpec other = m_bench->design().spec();
        other.name = u"another"_s;
        other.resources.nodes = 1;
        if (way == u"new") {
            m_bench->action(u"New design"_s)->trigger();
        } else if (way == u"template") {
            workbench.firstSteps().welcome().begin(u"one-gpu"_s);
        } else if (way == u"guide") {
            workbench.guide().begin();
        } else if (way == u"class") {
            workbench.classes().openShipped(u"lumi-ai-course-practice"_s);
            const auto dialog = [this] { return m_bench->window().findChild<ClassConsentDialog*>(); };
            QVERIFY(test::comes([&] { return dialog() != nullptr; }));
            dialog()->accept();
        } else if (way == u"job") {
            const auto entry = workbench.jobLog().record(
                {newSubmissionToken(), other.cluster, other.name, writeDesign(other), "#!/bin/bash\n", {}});
            QVERIFY_RESULT(entry);
            emit m_bench->window().pages().jobs->reopenDesignRequested(entry->id);
        } else if (way == u"recent") {
            emit m_bench->window().recentRequested(write(u"other.json"_s, writeDesign(other)));
        } else if (way == u"recent on Welcome") {
            emit m_bench->window().findChild<WelcomePage*>()->designRequested(
                write(u"other.json"_s, writeDesign(other)));
        } else if (way == u"a restored draft") {
            // Begun after mine, never saved, and the program was killed.
            m_bench->action(u"New design"_s)->trigger();
            m_bench->design().edit(u"Other"_s, [&other](JobSpec& spec) { spec = other; });
            documents().flushAutosave();
            restart();
            QVERIFY(m_bench->design().spec() == other);
        } else if (way == u"a draft that was set aside") {
            emit m_bench->window().fileDropped(write(u"kept-design-20261101-100000.json"_s, writeDesign(other)));
        } else if (way == u"script") {
            emit m_bench->window().fileDropped(write(u"job.sh"_s,
                "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --gpus-per-node=2\n#SBATCH --time=00:10:00\nsrun python3 train.py\n"));
        } else {
            emit m_bench->window().fileDropped(write(u"other.json"_s, writeDesign(other)));
        }
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
};

void OwnDesignTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<WindowBench>(m_folder->path());
    QVERIFY(m_bench->start());
}

void OwnDesignTest::savingNeverOverwritesIt_data()
{
    QTest::addColumn<QString>("way");
    for (const char* way : {"new", "template", "guide", "class", "job", "script", "another design", "recent",
             "recent on Welcome", "a restored draft", "a draft that was set aside"})
        QTest::newRow(way) << QString::fromLatin1(way);
}

void OwnDesignTest::editsOfPagesAreEdits_data()
{
    QTest::addColumn<QString>("way");
    for (const char* way : {"a row of the plan", "an advice of a report"})
        QTest::newRow(way) << QString::fromLatin1(way);
}

void OwnDesignTest::editsOfPagesAreEdits()
{
    QFETCH(QString, way);
    const QString mine = m_folder->filePath(u"mine.json"_s);
    Design& design = m_bench->design();
    design.edit(u"Mine"_s, [](JobSpec& spec) {
        spec = lumiDesign();
        spec.name = u"mine"_s;
    });
    QVERIFY_RESULT(documents().saveAs(mine));
    const QByteArray kept = contents(mine);
    const JobSpec before = design.spec();
    if (way == u"a row of the plan")
        takeARow();
    else
        takeAnAdvice();
    QVERIFY(design.spec() != before);
    QVERIFY(design.isModified());
    QCOMPARE(documents().path(), mine);
    QCOMPARE(contents(mine), kept);
    QVERIFY(design.undo());
    QVERIFY(design.spec() == before);
    QVERIFY(!design.isModified());
}

void OwnDesignTest::anAdviceForAnotherClusterChangesNothing()
{
    const JobSpec before = m_bench->design().spec();
    QVERIFY(before.cluster != u"lumi"_s);
    takeAnAdvice();
    QVERIFY(m_bench->design().spec() == before);
}

void OwnDesignTest::restoredChangesAreNoSave()
{
    const QString mine = m_folder->filePath(u"mine.json"_s);
    m_bench->design().edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"mine"_s; });
    QVERIFY_RESULT(documents().saveAs(mine));
    const QByteArray kept = contents(mine);
    const JobSpec before = m_bench->design().spec();
    m_bench->design().edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 3; });
    documents().flushAutosave();
    restart();
    QCOMPARE(m_bench->design().spec().resources.nodes, 3);
    QVERIFY(m_bench->design().isModified());
    QCOMPARE(documents().path(), mine);
    QCOMPARE(contents(mine), kept);
    QVERIFY(m_bench->design().undo());
    QVERIFY(m_bench->design().spec() == before);
}

void OwnDesignTest::savingNeverOverwritesIt()
{
    QFETCH(QString, way);
    const QString mine = m_folder->filePath(u"mine.json"_s);
    m_bench->design().edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"mine"_s; });
    QVERIFY_RESULT(documents().saveAs(mine));
    const QByteArray kept = contents(mine);
    const JobSpec before = m_bench->design().spec();
    put(way);
    QVERIFY(test::comes([&] { return m_bench->design().spec() != before; }));
    QVERIFY(documents().path() != mine);
    // As Ctrl+S does it: a document without a file asks for one, one with a file is written there.
    m_bench->design().edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"of-somebody-else"_s; });
    if (!documents().path().isEmpty())
        QVERIFY_RESULT(documents().save());
    QCOMPARE(contents(mine), kept);
    // And it is there to go on with.
    QVERIFY_RESULT(documents().open(mine));
    QVERIFY(m_bench->design().spec() == before);
}

RANKWRIGHT_WIDGET_TEST_MAIN(OwnDesignTest)
#include "tst_owndesign.moc"
