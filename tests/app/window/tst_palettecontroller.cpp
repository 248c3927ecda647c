// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/store/joblog.h"
#include "app/window/documentactions.h"
#include "app/window/links/connections.h"
#include "app/window/palettecontroller.h"
#include "app/window/palettesources.h"
#include "models/tables/jobmodel.h"
#include "tests/app/support/openstore.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/base/toasts.h"
#include "widgets/design/designpage.h"
#include "widgets/form/designform.h"
#include "widgets/window/commandpalette.h"
#include "widgets/window/mainwindow.h"
#include "widgets/window/searchbutton.h"

#include <QApplication>
#include <QFile>
#include <QLineEdit>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

class PaletteControllerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void hasEveryActionOfTheMenus();
    void opensByKeyEvenInAField();
    void opensByTheFieldInTheTopBar();
    void goesToAField();
    void runsAnAction();
    void whatIsOffSaysWhy();
    void listsRecentFiles();
    void usesAndConnects();
    void listsJobs();
    void namesAModelWithUndo();
    void beginsWithTemplates();
    void remembersWhatWasUsed();
    void idsAreUnique();
    void wordsAreTheSitesOwn();

private:
    struct Bench {
        explicit Bench(const QString& folder)
            : catalogue(loadCatalogue()), design(catalogue), settings(folder), documents(design, settings, folder),
              window(design, theme, MainWindow::Pages{new DesignPage(design), nullptr, nullptr, nullptr}),
              actions(window, design, documents, JobSpec()), database(test::openStore(folder)), log(*database),
              connections(catalogue, log, settings, &window), palette(window, settings)
        {
            JobSpec spec;
            spec.cluster = u"lumi"_s;
            documents.begin(spec);
            palette.addProvider([this] { return fieldCommands(window); });
            palette.addProvider([this] {
                return clusterCommands(window, connections, [this](const QString& name) { used.append(name); });
            });
            palette.addProvider([this] {
                return jobCommands(
                    jobs, [this](const JobRow& row) { watched.append(row.job.id); },
                    [this](const JobRow& row) { reported.append(row.job.id); }, [](const JobRow&) {});
            });
            palette.addProvider([this] { return modelCommands(window, design); });
            palette.addProvider(
                [this] { return templateCommands(design, [this](const QString& id) { begun.append(id); }); });
            window.resize(1280, 800);
            window.show();
            QApplication::setActiveWindow(&window);
            QApplication::processEvents();
        }
        std::optional<PaletteEntry> entry(const QString& id)
        {
            for (const PaletteEntry& each : palette.entries()) {
                if (each.id == id)
                    return each;
            }
            return std::nullopt;
        }
        CommandPalette* shown() const
        {
            auto* found = window.findChild<CommandPalette*>();
            return found && found->isVisible() ? found : nullptr;
        }
        /// By the keyboard alone.
        void run(const QString& query)
        {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_K, Qt::ControlModifier);
            QVERIFY(shown());
            QTest::keyClicks(QApplication::focusWidget(), query);
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        }
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
        JobModel jobs;
        QStringList used;
        QStringList watched;
        QStringList reported;
        QStringList begun;
        PaletteController palette;
    };
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Bench> m_bench;
};

void PaletteControllerTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<Bench>(m_folder->path());
}

/// Whatever is added to a menu is found.
void PaletteControllerTest::hasEveryActionOfTheMenus()
{
    const QList<PaletteEntry> entries = m_bench->palette.entries();
    for (const char* id : {"menu/File/New design", "menu/File/Save as …", "menu/Edit/Undo", "menu/Job/Launch",
             "menu/View/Plan", "menu/View › Theme/Light", "menu/Help/Keyboard shortcuts"})
        QVERIFY2(m_bench->entry(QString::fromUtf8(id)), id);
    QCOMPARE(m_bench->entry(u"menu/File/Save"_s)->shortcut, u"Ctrl+S"_s);
    QCOMPARE(m_bench->entry(u"menu/View › Theme/Light"_s)->section, u"View › Theme"_s);
    for (const PaletteEntry& entry : entries)
        QVERIFY2(!entry.title.isEmpty() && !entry.title.contains(u'&') && !entry.section.isEmpty()
                && entry.enabled == entry.reason.isEmpty(),
            qPrintable(entry.id));
}

void PaletteControllerTest::opensByKeyEvenInAField()
{
    m_bench->window.pages().design->focusField(QString(field::command));
    QPointer<QWidget> field = QApplication::focusWidget();
    QVERIFY(field);
    QTest::keyClick(field, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(m_bench->shown());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!m_bench->shown());
    QCOMPARE(QApplication::focusWidget(), field.data());
    QTest::keyClick(field, Qt::Key_K, Qt::ControlModifier);
    QVERIFY(m_bench->shown());
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_K, Qt::ControlModifier); // and closes it
    QVERIFY(!m_bench->shown());
}

void PaletteControllerTest::opensByTheFieldInTheTopBar()
{
    m_bench->window.findChild<SearchButton*>()->click();
    QVERIFY(m_bench->shown());
}

void PaletteControllerTest::goesToAField()
{
    m_bench->window.showPage(MainWindow::Page::Plan);
    m_bench->run(u"global batch"_s);
    QCOMPARE(m_bench->window.page(), MainWindow::Page::Design);
    const auto* form = m_bench->window.findChild<DesignForm*>();
    QVERIFY(form->isAncestorOf(QApplication::focusWidget()));
    QVERIFY2(QApplication::focusWidget()->accessibleName().contains(u"Global batch"_s),
        qPrintable(QApplication::focusWidget()->accessibleName()));
}

void PaletteControllerTest::runsAnAction()
{
    const QSignalSpy asked(&m_bench->window, &MainWindow::saveAsRequested);
    disconnect(&m_bench->window, &MainWindow::saveAsRequested, &m_bench->actions, nullptr);
    m_bench->run(u"save as"_s);
    QCOMPARE(asked.count(), 1);
    QVERIFY(!m_bench->shown());
}

void PaletteControllerTest::whatIsOffSaysWhy()
{
    const auto undo = m_bench->entry(u"menu/Edit/Undo"_s);
    QVERIFY(undo && !undo->enabled && !undo->reason.isEmpty());
    const auto retired = m_bench->entry(u"cluster/use/mahti"_s);
    QVERIFY(retired && !retired->enabled && retired->reason.contains(u"Mahti"_s));
}

void PaletteControllerTest::listsRecentFiles()
{
    const QString path = m_folder->filePath(u"llama8b.json"_s);
    QVERIFY_RESULT(m_bench->documents.saveAs(path));
    const auto recent = m_bench->entry(u"menu/File › Open recent/llama8b.json"_s);
    QVERIFY(recent);
    const QSignalSpy asked(&m_bench->window, &MainWindow::recentRequested);
    m_bench->run(u"llama8b.json"_s);
    QCOMPARE(asked.value(0).value(0).toString(), path);
}

void PaletteControllerTest::usesAndConnects()
{
    m_bench->run(u"use leonardo"_s);
    QCOMPARE(m_bench->used, QStringList{u"leonardo"_s});
    QVERIFY(m_bench->entry(u"cluster/connect/lumi"_s)->enabled);
}

void PaletteControllerTest::listsJobs()
{
    JobRow ended;
    ended.job.id = u"7"_s;
    ended.job.state = JobState::Completed;
    ended.cluster = u"lumi"_s;
    JobRow runs = ended;
    runs.job.id = u"8"_s;
    runs.job.name = u"llama"_s;
    runs.job.state = JobState::Running;
    m_bench->jobs.assign({ended, runs});
    m_bench->run(u"watch llama"_s);
    QCOMPARE(m_bench->watched, QStringList{u"8"_s});
    m_bench->run(u"report job 7"_s);
    QCOMPARE(m_bench->reported, QStringList{u"7"_s});
}

void PaletteControllerTest::namesAModelWithUndo()
{
    m_bench->run(u"train llama 3 8b"_s);
    QCOMPARE(m_bench->design.spec().model.value(u"preset"_s).toString(), u"llama-3-8b"_s);
    auto* toasts = m_bench->window.findChild<Toasts*>();
    QVERIFY(toasts->textOf(Notice::Document).contains(u"Llama 3"_s));
    toasts->act(Notice::Document);
    QVERIFY(m_bench->design.spec().model.isEmpty());
}

void PaletteControllerTest::beginsWithTemplates()
{
    m_bench->run(u"begin two nodes"_s);
    QCOMPARE(m_bench->begun, QStringList{u"two-nodes"_s});
}

void PaletteControllerTest::remembersWhatWasUsed()
{
    m_bench->run(u"use leonardo"_s);
    QCOMPARE(m_bench->settings.paletteUses().value(0), u"cluster/use/leonardo"_s);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_K, Qt::ControlModifier);
    QCOMPARE(m_bench->shown()->selectedId(), u"cluster/use/leonardo"_s);
}

void PaletteControllerTest::idsAreUnique()
{
    QSet<QString> ids;
    const QList<PaletteEntry> entries = m_bench->palette.entries();
    for (const PaletteEntry& entry : entries)
        ids.insert(entry.id);
    QCOMPARE(ids.size(), entries.size());
    QVERIFY(entries.size() > 150);
}

void PaletteControllerTest::wordsAreTheSitesOwn()
{
    const QList<PaletteCommand> commands = wordCommands(m_bench->design, [](const QString&) {});
    QVERIFY(commands.size() > 50);
    for (const PaletteCommand& command : commands)
        QVERIFY2(!command.entry.title.contains(u'{'), qPrintable(command.entry.title));
}

RANKWRIGHT_WIDGET_TEST_MAIN(PaletteControllerTest)
#include "tst_palettecontroller.moc"
