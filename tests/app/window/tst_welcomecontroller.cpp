// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/store/joblog.h"
#include "app/window/documentactions.h"
#include "app/window/links/connections.h"
#include "app/window/welcomecontroller.h"
#include "models/script/document/designjson.h"
#include "tests/app/support/openstore.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/theme.h"
#include "widgets/base/toasts.h"
#include "widgets/design/designpage.h"
#include "widgets/welcome/designtile.h"
#include "widgets/welcome/welcomepage.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

class WelcomeControllerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void readsWhenItIsLookedAt();
    void opensADesign();
    void asksBeforeUnsavedWorkGoes();
    void beginsWithATemplate();
    void aTemplateOfThePracticeClusterCanBeLaunched();
    void saysWhyATemplateIsNotOffered();
    void removesAndPutsBack();
    void remembersTheFirstStart();
    void leadsToClustersAndJobs();
    void saysWhatWasRestored();
    void saysWhatWasSetAside();
    void opensWhatACrashLoopSetAside();
    void timesThePracticeCluster();

private:
    struct Bench {
        enum class Start { WithADesign, AsTheProgram };
        explicit Bench(const QString& folder, Start start = Start::WithADesign)
            : catalogue(loadCatalogue()), design(catalogue), settings(folder), documents(design, settings, folder),
              window(design, theme, MainWindow::Pages{new DesignPage(design), nullptr, nullptr, nullptr}),
              actions(window, design, documents, JobSpec()), database(test::openStore(folder)), log(*database),
              connections(catalogue, log, settings, &window),
              controller(page, {design, documents, actions, settings, connections, window, folder})
        {
            if (start == Start::WithADesign) {
                JobSpec spec;
                spec.cluster = u"lumi"_s;
                documents.begin(spec);
            } else {
                (void)documents.restoreAutosave();
                controller.noteStart();
            }
            window.show();
        }
        void look()
        {
            page.resize(1212, 754);
            page.show();
            QTRY_VERIFY(!page.findChildren<DesignTile*>().isEmpty());
        }
        DesignTile* tile(const QString& key) const
        {
            for (DesignTile* each : page.findChildren<DesignTile*>()) {
                if (each->key() == key && each->isVisible())
                    return each;
            }
            return nullptr;
        }
        QString notice(const NoticeKey& key) const { return window.findChild<Toasts*>()->textOf(key); }
        Theme theme;
        Catalogue catalogue;
        Design design;
        Settings settings;
        Documents documents;
        MainWindow window;
        DocumentActions actions;
        std::unique_ptr<Database> database;
        JobLog log;
        Connections connections;
        WelcomePage page;
        WelcomeController controller;
    };
    QString designFile(const QString& name) const
    {
        JobSpec spec;
        spec.name = name;
        spec.cluster = u"lumi"_s;
        spec.resources.nodes = 2;
        QFile file(m_folder->filePath(name + u".json"_s));
        return file.open(QIODevice::WriteOnly) && file.write(writeDesign(spec)) > 0 ? file.fileName() : QString();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Bench> m_bench;
};

void WelcomeControllerTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<Bench>(m_folder->path());
}

void WelcomeControllerTest::readsWhenItIsLookedAt()
{
    const QString path = designFile(u"llama8b"_s);
    m_bench->settings.addRecentDesign(m_folder->filePath(u"gone.json"_s));
    m_bench->settings.addRecentDesign(path);
    QVERIFY(m_bench->page.findChildren<DesignTile*>().isEmpty());
    m_bench->look();
    QTRY_VERIFY(m_bench->tile(path));
    QVERIFY(m_bench->tile(path)->accessibleName().contains(u"LUMI · 2"_s));
    QVERIFY(m_bench->tile(m_folder->filePath(u"gone.json"_s))->accessibleName().contains(u"not there any more"_s));
    QVERIFY(m_bench->tile(u"whole-node"_s));
    const auto isSite = [](const ClusterProfile& each) { return !each.nodes.isEmpty() && each.name != u"practice"_s; };
    const auto sites = std::count_if(m_bench->catalogue.clusters.cbegin(), m_bench->catalogue.clusters.cend(), isSite);
    QVERIFY(test::shownText(m_bench->page).contains(u"%1 clusters are known"_s.arg(sites)));
}

void WelcomeControllerTest::opensADesign()
{
    const QString path = designFile(u"llama8b"_s);
    m_bench->settings.addRecentDesign(path);
    m_bench->look();
    QTRY_VERIFY(m_bench->tile(path));
    m_bench->tile(path)->click();
    QCOMPARE(m_bench->documents.path(), path);
    QCOMPARE(m_bench->window.page(), MainWindow::Page::Design);
    QVERIFY(!m_bench->controller.isFirstStart());
}

void WelcomeControllerTest::asksBeforeUnsavedWorkGoes()
{
    m_bench->look();
    m_bench->design.edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"precious"_s; });
    QString question;
    test::answerNext(u"Discard changes"_s, &question);
    m_bench->tile(u"two-nodes"_s)->click();
    QTRY_COMPARE(m_bench->design.spec().name, u"two-nodes"_s);
    QVERIFY2(question.contains(u"precious"_s), qPrintable(question));
    // A click too quick: it can be had back.
    const NoticeKey key{Notice::Document, u"discarded"_s};
    QVERIFY2(m_bench->notice(key).contains(u"precious"_s), qPrintable(m_bench->notice(key)));
    m_bench->window.findChild<Toasts*>()->act(key);
    QCOMPARE(m_bench->design.spec().name, u"precious"_s);
    QVERIFY(m_bench->design.isModified());
}

void WelcomeControllerTest::beginsWithATemplate()
{
    m_bench->look();
    m_bench->tile(u"fine-tune-8b"_s)->click();
    QCOMPARE(m_bench->design.spec().name, u"llama8b"_s);
    QCOMPARE(m_bench->design.spec().cluster, u"lumi"_s);
    QVERIFY(!m_bench->design.isModified() && m_bench->documents.path().isEmpty());
    QCOMPARE(m_bench->window.page(), MainWindow::Page::Design);
    QVERIFY(m_bench->notice(Notice::Document).contains(u"ordinary design for LUMI"_s));
}

void WelcomeControllerTest::aTemplateOfThePracticeClusterCanBeLaunched()
{
    m_bench->design.edit(u"Cluster"_s, [](JobSpec& spec) { spec.cluster = u"practice"_s; });
    m_bench->design.markSaved();
    for (const QString& id : {u"one-gpu"_s, u"whole-node"_s, u"two-nodes"_s, u"longer"_s, u"ten-rates"_s}) {
        m_bench->controller.begin(id);
        const QList<Finding>& findings = m_bench->design.derived().findings();
        for (const Finding& finding : findings)
            QVERIFY2(finding.severity != Severity::Error, qPrintable(id + u": "_s + finding.text));
        QVERIFY(m_bench->design.spec().command.value_or(QString()).startsWith(u"train_ddp.py"_s));
    }
}

void WelcomeControllerTest::saysWhyATemplateIsNotOffered()
{
    m_bench->design.edit(u"Cluster"_s, [](JobSpec& spec) { spec.cluster = u"mahti"_s; });
    const JobSpec before = m_bench->design.spec();
    m_bench->controller.begin(u"one-gpu"_s);
    QCOMPARE(m_bench->design.spec(), before);
    QVERIFY(m_bench->notice(Notice::Document).contains(u"has taken no jobs since"_s));
}

void WelcomeControllerTest::removesAndPutsBack()
{
    const QString path = designFile(u"llama8b"_s);
    m_bench->settings.addRecentDesign(path);
    m_bench->look();
    QTRY_VERIFY(m_bench->tile(path));
    emit m_bench->page.designRemoved(path);
    QTRY_VERIFY(!m_bench->tile(path));
    QVERIFY(QFile::exists(path));
    m_bench->window.findChild<Toasts*>()->act({Notice::Document, u"recent"_s});
    QTRY_VERIFY(m_bench->tile(path));
    QCOMPARE(m_bench->settings.recentDesigns(), QStringList{path});
}

void WelcomeControllerTest::remembersTheFirstStart()
{
    QVERIFY(m_bench->controller.isFirstStart());
    m_bench->look();
    QVERIFY(m_bench->controller.isFirstStart()); // looked at alone is not past
    emit m_bench->page.guideRequested();
    QVERIFY(!m_bench->controller.isFirstStart());
    m_bench.reset();
    m_bench = std::make_unique<Bench>(m_folder->path());
    QVERIFY(!m_bench->controller.isFirstStart());
}

void WelcomeControllerTest::leadsToClustersAndJobs()
{
    emit m_bench->page.chooseClusterRequested();
    QCOMPARE(m_bench->window.page(), MainWindow::Page::Clusters);
    emit m_bench->page.watchRequested();
    QCOMPARE(m_bench->window.page(), MainWindow::Page::Jobs);
    QVERIFY(!m_bench->notice(Notice::Connection).isEmpty()); // nothing is connected: how to go on
    m_bench->window.findChild<Toasts*>()->act(Notice::Connection);
    QCOMPARE(m_bench->window.page(), MainWindow::Page::Clusters);
    const QSignalSpy opened(&m_bench->window, &MainWindow::openRequested);
    disconnect(&m_bench->window, &MainWindow::openRequested, &m_bench->actions, nullptr);
    emit m_bench->page.allDesignsRequested();
    QCOMPARE(opened.count(), 1);
}

void WelcomeControllerTest::saysWhatWasRestored()
{
    m_bench->design.edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"half done"_s; });
    m_bench->documents.flushAutosave();
    m_bench.reset();
    m_bench = std::make_unique<Bench>(m_folder->path(), Bench::Start::AsTheProgram);
    QCOMPARE(m_bench->design.spec().name, u"half done"_s);
    m_bench->look();
    const QString text = test::shownText(m_bench->page);
    QVERIFY2(text.contains(u"Unsaved work was restored: “half done”"_s), qPrintable(text));
    test::shownButton(m_bench->page, u"Go on with it"_s)->click();
    QCOMPARE(m_bench->window.page(), MainWindow::Page::Design);
    QVERIFY(!test::shownText(m_bench->page).contains(u"half done"_s));
}

void WelcomeControllerTest::saysWhatWasSetAside()
{
    m_bench.reset();
    QFile draft(m_folder->filePath(u"unsaved-design.json"_s));
    QVERIFY(draft.open(QIODevice::WriteOnly) && draft.write("{\"version\": 1,") > 0);
    draft.close();
    m_bench = std::make_unique<Bench>(m_folder->path(), Bench::Start::AsTheProgram);
    m_bench->look();
    const QString text = test::shownText(m_bench->page);
    QVERIFY2(text.contains(u"could not be read. It is kept in"_s), qPrintable(text));
    QVERIFY(!test::shownButton(m_bench->page, u"Open it all the same"_s)); // which would lead nowhere
}

/// Somebody wants it all the same: the person decides, not the next start.
void WelcomeControllerTest::opensWhatACrashLoopSetAside()
{
    m_bench->design.edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"deadly"_s; });
    m_bench->documents.flushAutosave();
    m_bench.reset();
    QFile tries(m_folder->filePath(u"unsaved-design.json.tries"_s));
    QVERIFY(tries.open(QIODevice::WriteOnly) && tries.write("2") == 1);
    tries.close();
    m_bench = std::make_unique<Bench>(m_folder->path(), Bench::Start::AsTheProgram);
    QVERIFY(m_bench->design.spec().name != u"deadly"_s);
    m_bench->look();
    QVERIFY(test::shownText(m_bench->page).contains(u"was restored 2 times"_s));
    test::shownButton(m_bench->page, u"Open it all the same"_s)->click();
    QCOMPARE(m_bench->design.spec().name, u"deadly"_s);
}

void WelcomeControllerTest::timesThePracticeCluster()
{
    m_bench->look();
    LinkInfo link;
    link.cluster = u"practice"_s;
    link.state = LinkState::Connecting;
    emit m_bench->connections.linkChanged(link); // a job that already runs does not count as a start
    link.state = LinkState::Online;
    emit m_bench->connections.linkChanged(link);
    QVERIFY(!m_bench->settings.practiceSeconds());
    link.state = LinkState::Connecting;
    link.activityFraction = 0.2;
    emit m_bench->connections.linkChanged(link);
    QElapsedTimer clock;
    clock.start();
    test::quietFor(600);
    link.state = LinkState::Online;
    emit m_bench->connections.linkChanged(link);
    const int seconds = m_bench->settings.practiceSeconds().value_or(0);
    const qint64 most = 1 + clock.elapsed() / 1000; // 1, unless the machine stood still
    QVERIFY2(seconds >= 1 && seconds <= most, qPrintable(QString::number(seconds)));
    QVERIFY(test::shownText(m_bench->page).contains(u"%1\u2009s to start"_s.arg(seconds)));
}

RANKWRIGHT_WIDGET_TEST_MAIN(WelcomeControllerTest)
#include "tst_welcomecontroller.moc"
