// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/datafolder.h"
#include "app/workbench/workbench.h"
#include "tests/support/testbase.h"
#include "widgets/classroom/classeditordialog.h"
#include "widgets/classroom/classpanel.h"
#include "widgets/clusters/clustercard.h"
#include "widgets/clusters/clusterspage.h"
#include "widgets/design/designpage.h"
#include "widgets/guide/answerlist.h"
#include "widgets/guide/guidepage.h"
#include "widgets/jobs/jobspage.h"
#include "widgets/learn/termpopover.h"
#include "widgets/learn/wordsdialog.h"
#include "widgets/live/livepage.h"
#include "widgets/motion/motioncard.h"
#include "widgets/plan/planpage.h"
#include "widgets/welcome/waycard.h"
#include "widgets/welcome/welcomepage.h"
#include "widgets/window/mainwindow.h"
#include "widgets/window/pageframe.h"

#include <QApplication>
#include <QPushButton>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// It is in its frame, and so was measured and laid out, which is most of what a page costs.
bool isLaidOut(const QWidget* page)
{
    return static_cast<const PageFrame*>(page->parentWidget()->parentWidget())->widget() == page;
}

} // namespace

/// What the start of the program builds and lays out: what is seen, and of the rest no more than its frame.
class FirstStartTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_workbench.reset(); }
    void onlyWelcomeIsLaidOut();
    void nothingIsBuiltForLater();
    void theFirstWayHasTheFocus();
    void theDesignIsWholeWhenItIsShown();

private:
    MainWindow& window() const { return m_workbench->window(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Workbench> m_workbench;
};

void FirstStartTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    qputenv("RANKWRIGHT_PRACTICE_DIR", "/dev/null/practice"); // none is started
    m_folder = std::make_unique<QTemporaryDir>();
    WorkbenchOptions options;
    options.dataFolder = *prepareDataFolder(m_folder->path());
    options.theme = Theme::Mode::Light;
    options.welcome = true;
    auto made = Workbench::make(options);
    QVERIFY_RESULT(made);
    m_workbench = std::move(*made);
    m_workbench->start();
    QApplication::setActiveWindow(&window());
    QVERIFY(QTest::qWaitForWindowExposed(&window(), test::longWaitMs));
    QApplication::processEvents();
    QCOMPARE(window().page(), MainWindow::Page::Welcome);
}

void FirstStartTest::onlyWelcomeIsLaidOut()
{
    QVERIFY(isLaidOut(window().findChild<WelcomePage*>()));
    const MainWindow::Pages& pages = window().pages();
    for (const QWidget* page : std::initializer_list<const QWidget*>{
             pages.design, pages.plan, pages.jobs, pages.live, pages.clusters, window().findChild<GuidePage*>()})
        QVERIFY2(!isLaidOut(page), page->metaObject()->className());
}

void FirstStartTest::nothingIsBuiltForLater()
{
    QVERIFY(!window().findChild<ClusterCard*>());
    QVERIFY(!window().findChild<AnswerList*>()); // the guide's steps
    QVERIFY(!window().findChild<MotionCard*>());
    QVERIFY(!window().findChild<TermPopover*>());
    QVERIFY(!window().findChild<WordsDialog*>());
    QVERIFY(!window().findChild<ClassPanel*>());
    QVERIFY(!window().findChild<ClassEditorDialog*>());
}

void FirstStartTest::theFirstWayHasTheFocus()
{
    QCOMPARE(QApplication::focusWidget(), window().findChild<WayCard*>()->button());
}

void FirstStartTest::theDesignIsWholeWhenItIsShown()
{
    window().showPage(MainWindow::Page::Design);
    QApplication::processEvents();
    const DesignPage* design = window().pages().design;
    QVERIFY(isLaidOut(design) && design->isVisible());
    auto* launch = design->findChild<QPushButton*>(u"launch"_s);
    QVERIFY(launch->isVisible());
    QVERIFY(window().rect().contains(QRect(launch->mapTo(&window(), QPoint()), launch->size())));
}

RANKWRIGHT_WIDGET_TEST_MAIN(FirstStartTest)
#include "tst_firststart.moc"
