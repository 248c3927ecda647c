// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/documents.h"
#include "app/window/firststeps.h"
#include "app/window/guidecontroller.h"
#include "tests/app/support/windowbench.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/toasts.h"
#include "widgets/design/designpage.h"
#include "widgets/guide/guidepage.h"
#include "widgets/learn/termguide.h"
#include "widgets/learn/termpopover.h"
#include "widgets/script/scripteditor.h"
#include "widgets/welcome/welcomepage.h"

#include <QPushButton>
#include <QSettings>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// The whole window as a newcomer meets it, over more than one start of the program.
class FirstMinutesTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void welcomeOffersToGoOn();
    void enterGoesOn_data();
    void enterGoesOn();
    void beginningAnewLosesNothing();
    void whatIsDismissedIsNotOfferedAgain();
    void brokenContentsOfferNothing();
    void f1ExplainsWhatTheCursorStandsOn();
    void theGuidesMovingPictureNamesTheGpus();

private:
    void begin()
    {
        m_bench.reset();
        m_bench = std::make_unique<WindowBench>(m_folder->path());
        QVERIFY(m_bench->start());
    }
    GuideController& guide() const { return m_bench->workbench->guide(); }
    QWidget& welcome() const { return *m_bench->window().findChild<WelcomePage*>(); }
    void toThirdStep()
    {
        guide().begin();
        auto* page = m_bench->window().findChild<GuidePage*>();
        while (guide().step() != GuideStep::HowMany)
            page->nextButton()->click();
        test::quietFor(20);
    }
    QPushButton* offer() const { return shownButton(welcome(), u"Go on with your first job (step 3 of 7)"_s); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
};

void FirstMinutesTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    begin();
}

void FirstMinutesTest::welcomeOffersToGoOn()
{
    toThirdStep();
    const JobSpec answers = m_bench->design().spec();
    begin();
    QVERIFY(m_bench->workbench->firstSteps().wantsWelcome());
    m_bench->workbench->firstSteps().showWelcome();
    QTRY_VERIFY(offer());
    offer()->click();
    QCOMPARE(m_bench->window().page(), MainWindow::Page::Guide);
    QCOMPARE(guide().step(), GuideStep::HowMany);
    QVERIFY(m_bench->design().spec() == answers);
    QVERIFY(m_bench->workbench->documents().path().isEmpty());
}

void FirstMinutesTest::enterGoesOn_data()
{
    QTest::addColumn<QString>("way");
    for (const char* way : {"Enter", "Enter without a focus", "1", "the card", "the menu"})
        QTest::newRow(way) << QString::fromLatin1(way);
}

/// The answers of a guide that was left were overwritten once a new one came to its second step.
void FirstMinutesTest::enterGoesOn()
{
    QFETCH(QString, way);
    toThirdStep();
    const JobSpec answers = m_bench->design().spec();
    begin();
    m_bench->workbench->firstSteps().showWelcome();
    QTRY_VERIFY(offer());
    auto* card = shownButton(welcome(), u"Go on with my first job"_s);
    QVERIFY(card);
    QVERIFY(shownText(welcome()).contains(u"step 3 of 7"_s));
    if (way == u"Enter") {
        QCOMPARE(QApplication::focusWidget(), card);
        QTest::keyClick(card, Qt::Key_Return);
    } else if (way == u"Enter without a focus") {
        card->clearFocus();
        QTest::keyClick(&welcome(), Qt::Key_Return);
    } else if (way == u"1") {
        QTest::keyClick(card, Qt::Key_1);
    } else if (way == u"the card") {
        card->click();
    } else {
        m_bench->action(u"My first job"_s)->trigger();
    }
    QTRY_COMPARE(m_bench->window().page(), MainWindow::Page::Guide);
    QCOMPARE(guide().step(), GuideStep::HowMany);
    QVERIFY(m_bench->design().spec() == answers);
}

/// Two guides side by side, over restarts, and a click from one to the other, until one is launched.
void FirstMinutesTest::beginningAnewLosesNothing()
{
    toThirdStep();
    m_bench->design().edit(u"answer"_s, [](JobSpec& spec) { spec.resources.gpusPerNode = 3; });
    const JobSpec first = m_bench->design().spec();
    begin();
    m_bench->workbench->firstSteps().showWelcome();
    QTRY_VERIFY(shownButton(welcome(), u"Start over"_s));
    shownButton(welcome(), u"Start over"_s)->click();
    QTRY_COMPARE(m_bench->window().page(), MainWindow::Page::Guide);
    QCOMPARE(guide().step(), GuideStep::Where);
    auto* toasts = m_bench->window().findChild<Toasts*>();
    const NoticeKey key{Notice::Document, u"guide"_s};
    QVERIFY(toasts->textOf(key).contains(u"“How many GPUs”"_s));
    // The new one comes to its second step and further: the first one is there all the same.
    auto* page = m_bench->window().findChild<GuidePage*>();
    while (guide().step() != GuideStep::What)
        page->nextButton()->click();
    m_bench->design().edit(u"answer"_s, [](JobSpec& spec) { spec.resources.gpusPerNode = 5; });
    const JobSpec second = m_bench->design().spec();
    begin();
    m_bench->workbench->firstSteps().showWelcome();
    QTRY_VERIFY(shownButton(welcome(), u"Go on with your first job (step 2 of 7)"_s));
    QVERIFY(!shownButton(welcome(), u"Start over"_s)); // of two none is lost for a third
    const QString folder = qEnvironmentVariable("RANKWRIGHT_SHOTS");
    if (!folder.isEmpty())
        m_bench->window().grab().save(folder + u"/welcome-two-guides.png"_s);
    auto* back = shownButton(welcome(), u"Back to that one (step 3 of 7)"_s);
    QVERIFY(back);
    back->click();
    QTRY_COMPARE(guide().step(), GuideStep::HowMany);
    QVERIFY(m_bench->design().spec() == first);
    // And back again, in one click.
    toasts = m_bench->window().findChild<Toasts*>();
    QVERIFY(toasts->textOf(key).contains(u"“What”"_s));
    toasts->act(key);
    QTRY_COMPARE(guide().step(), GuideStep::What);
    QVERIFY(m_bench->design().spec() == second);
}

void FirstMinutesTest::whatIsDismissedIsNotOfferedAgain()
{
    toThirdStep();
    begin();
    m_bench->workbench->firstSteps().showWelcome();
    QTRY_VERIFY(offer());
    const QString folder = qEnvironmentVariable("RANKWRIGHT_SHOTS");
    if (!folder.isEmpty())
        m_bench->window().grab().save(folder + u"/welcome-go-on.png"_s);
    shownButton(welcome(), u"Dismiss"_s)->click();
    QVERIFY(!offer());
    begin();
    m_bench->workbench->firstSteps().showWelcome();
    QApplication::processEvents();
    QVERIFY(!offer());
}

void FirstMinutesTest::brokenContentsOfferNothing()
{
    toThirdStep();
    m_bench.reset();
    QSettings(m_folder->filePath(u"settings.ini"_s), QSettings::IniFormat)
        .setValue(u"guide/place"_s, QByteArray("{\"step\":3,\0\xff", 12));
    begin();
    m_bench->workbench->firstSteps().showWelcome();
    QApplication::processEvents();
    QVERIFY(!shownText(welcome()).contains(u"guided first job waits"_s));
}

void FirstMinutesTest::f1ExplainsWhatTheCursorStandsOn()
{
    m_bench->window().showPage(MainWindow::Page::Design);
    auto* editor = m_bench->window().findChild<ScriptEditor*>();
    auto* terms = m_bench->window().findChild<TermGuide*>();
    QVERIFY(editor && terms);
    editor->setFocus();
    const QStringList lines = editor->text().split(u'\n');
    int tried = 0;
    for (const auto& [word, id] : {std::pair(u"--gpus-per-node"_s, u"gpu"_s), std::pair(u"--nodes"_s, u"node"_s),
             std::pair(u"--time"_s, u"time-limit"_s), std::pair(u"#SBATCH"_s, u"sbatch"_s)}) {
        for (int line = 0; line < lines.size(); ++line) {
            const auto at = lines.at(line).indexOf(word);
            if (at < 0 || !lines.at(line).startsWith(u"#SBATCH"_s))
                continue;
            editor->setCursorPosition(line, int(at) + 3);
            QTest::keyClick(editor, Qt::Key_F1);
            QVERIFY2(terms->isOpen(), qPrintable(lines.at(line)));
            QCOMPARE(terms->popover()->shown().id, id);
            // It does not cover the line it explains.
            const QRect cursor = static_cast<QWidget*>(editor)->inputMethodQuery(Qt::ImCursorRectangle).toRect();
            const QRect popover(
                editor->mapFromGlobal(terms->popover()->mapToGlobal(QPoint())), terms->popover()->size());
            QVERIFY(!popover.intersects(cursor));
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            QVERIFY(!terms->isOpen());
            ++tried;
            break;
        }
    }
    QVERIFY(tried >= 3);
}

/// It is made when the guide is first shown, of the design as it is by then.
void FirstMinutesTest::theGuidesMovingPictureNamesTheGpus()
{
    toThirdStep();
    auto* page = m_bench->window().findChild<GuidePage*>();
    page->nextButton()->click();
    QCOMPARE(guide().step(), GuideStep::Fits);
    QApplication::processEvents();
    const QString text = shownText(*page);
    QVERIFY2(text.contains(u"Each of the 8 ranks holds the whole model"_s), qPrintable(text));
}

RANKWRIGHT_WIDGET_TEST_MAIN(FirstMinutesTest)
#include "tst_firstminutes.moc"
