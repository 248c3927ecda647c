// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/design.h"
#include "models/teaching/guide/guidequestions.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/theme.h"
#include "widgets/guide/answerbars.h"
#include "widgets/guide/answercard.h"
#include "widgets/guide/guidepage.h"
#include "widgets/guide/guidewords.h"
#include "widgets/guide/stepbutton.h"
#include "widgets/script/scripteditor.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// The guide's page as a person at the keyboard meets it, with real questions about a real design.
class GuidePageTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void enterLeadsThroughAllSteps();
    void aHeldKeyDoesNotRunThrough();
    void nextThatGoesOffDoesNotHandTheFocusToCancel();
    void arrowsChoose();
    void whyUnfoldsInPlace();
    void enterPressesTheButtonThatHasTheFocus();
    void backAndStepsLeadBack();
    void typingIsTakenAndSeenFirst();
    void whatWasRefusedStands();
    void theFocusIsSeen();
    void namesEverything();
    void tabReachesEverything();
    void cutsNoText_data();
    void cutsNoText();
    void picturesFollowTheChoice();
    void furtherPicturesStandBelow();
    void lockedAnswersSayWhy();
    void wordsBecomeLinks();
    void theScriptIsMarked();
    void theEndIsThreeSentences();

private:
    GuideContext context() const { return {m_catalogue, m_design->spec()}; }
    GuideContent content() const;
    void show() { m_page->setContent(content()); }
    void goTo(GuideStep step);
    QList<AnswerCard*> cards() const;
    QPushButton* shown(const QString& text) const;

    Theme m_theme;
    const Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<QWidget> m_host;
    GuidePage* m_page = nullptr;
    GuideStep m_step = GuideStep::Where;
    GuideLocks m_locks;
    std::optional<GuideEntry> m_refused;
    GuideStage m_stage = GuideStage::NotLaunched;
};

void GuidePageTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_theme.setMode(Theme::Mode::Light);
    m_theme.apply();
    m_locks.clear();
    m_refused.reset();
    m_stage = GuideStage::NotLaunched;
    m_step = GuideStep::Where;
    m_design = std::make_unique<Design>(m_catalogue);
    m_design->replace(guidedDesign(u"practice"_s, m_catalogue));
    m_host = std::make_unique<QWidget>();
    auto* column = new QVBoxLayout(m_host.get());
    column->setContentsMargins(0, 0, 0, 0);
    m_page = new GuidePage(m_host.get());
    column->addWidget(m_page);
    m_host->resize(1212, 752);
    m_host->show();
    QApplication::setActiveWindow(m_host.get());
    connect(m_page, &GuidePage::nextRequested, this, [this] {
        if (m_step != GuideStep::Watch)
            goTo(GuideStep(guideStepIndex(m_step) + 1));
    });
    connect(m_page, &GuidePage::stepRequested, this, &GuidePageTest::goTo);
    connect(m_page, &GuidePage::answerChosen, this, [this](GuideStep step, const QString& id) {
        const GuideQuestion question = guideQuestion(step, context());
        QVERIFY(question.answer(id));
        m_design->edit(id, [&](JobSpec& spec) { spec = question.answer(id)->spec; });
        show();
    });
    show();
    m_page->focusStep();
}

void GuidePageTest::cleanup() { m_host.reset(); }

GuideContent GuidePageTest::content() const
{
    GuideContext asked = context();
    asked.settled.locks = m_locks;
    const Derived& derived = m_design->derived();
    GuideContent content;
    content.question = guideQuestion(m_step, asked);
    content.reached = m_step;
    content.soFar = guideSummary(derived, asked, m_step);
    content.nextText = m_step == GuideStep::Launch ? u"Launch"_s : u"Next: what comes"_s;
    content.obstacle = guideObstacle(content.question);
    content.derived = &derived;
    content.clusterTitle = asked.profile().title;
    content.isPractice = asked.isPractice();
    content.parts = guideScriptParts(derived.script, derived.resolved);
    content.checks = guideChecks(derived, asked, {});
    content.mayConnect = true;
    content.expected = guideExpectation(derived, asked, GuideSurroundings(), QDateTime::currentDateTime());
    content.stage = m_stage;
    content.job = m_stage == GuideStage::NotLaunched ? QString() : u"1234"_s;
    if (m_stage == GuideStage::Completed) {
        JobRecord record;
        record.state = JobState::Completed;
        content.closing = guideClosing(record, nullptr, u"GCD"_s, GuideBilling::Free);
    }
    if (m_refused) {
        for (GuideEntry& entry : content.question.entries) {
            if (entry.field == m_refused->field)
                entry = *m_refused;
        }
    }
    return content;
}

void GuidePageTest::goTo(GuideStep step)
{
    m_step = step;
    show();
    QApplication::processEvents();
}

QList<AnswerCard*> GuidePageTest::cards() const
{
    QList<AnswerCard*> shown;
    for (AnswerCard* card : m_page->findChildren<AnswerCard*>()) {
        if (card->isVisible())
            shown.append(card);
    }
    return shown;
}

QPushButton* GuidePageTest::shown(const QString& text) const
{
    for (QPushButton* button : m_page->findChildren<QPushButton*>()) {
        if (button->isVisible() && button->text().contains(text))
            return button;
    }
    return nullptr;
}

void GuidePageTest::enterLeadsThroughAllSteps()
{
    QSignalSpy next(m_page, &GuidePage::nextRequested);
    for (int step = 0; step < guideSteps - 1; ++step) {
        QCOMPARE(guideStepIndex(m_page->step()), step);
        QWidget* focus = QApplication::focusWidget();
        QVERIFY2(focus && m_page->isAncestorOf(focus) && focus->isVisible(), qPrintable(QString::number(step)));
        QTest::keyClick(QApplication::focusWidget(), step % 2 ? Qt::Key_Enter : Qt::Key_Return);
    }
    QCOMPARE(next.count(), guideSteps - 1);
    QCOMPARE(m_page->step(), GuideStep::Watch);
}

void GuidePageTest::aHeldKeyDoesNotRunThrough()
{
    QSignalSpy next(m_page, &GuidePage::nextRequested);
    for (int i = 0; i < 20; ++i) {
        QKeyEvent held(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier, u"\r"_s, true);
        QApplication::sendEvent(QApplication::focusWidget(), &held);
    }
    QCOMPARE(next.count(), 0);
}

void GuidePageTest::nextThatGoesOffDoesNotHandTheFocusToCancel()
{
    goTo(GuideStep::Launch);
    m_page->nextButton()->setFocus();
    QSignalSpy stop(m_page, &GuidePage::stopRequested), next(m_page, &GuidePage::nextRequested);
    GuideContent busy = content();
    busy.obstacle = u"Submitting …"_s;
    busy.waiting = {true, busy.obstacle, {}};
    m_page->setContent(busy);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(stop.count(), 0);
    QCOMPARE(next.count(), 0);
    show();
    QVERIFY(m_page->nextButton()->hasFocus());
}

void GuidePageTest::arrowsChoose()
{
    goTo(GuideStep::Fits);
    m_page->focusStep();
    QSignalSpy chosen(m_page, &GuidePage::answerChosen);
    const JobSpec before = m_design->spec();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    QCOMPARE(chosen.count(), 1);
    QVERIFY(m_design->spec() != before);
    QVERIFY(m_design->undo()); // one step
    QCOMPARE(m_design->spec(), before);
    const auto* radio = qobject_cast<QRadioButton*>(QApplication::focusWidget());
    QVERIFY(radio);
    int checked = 0;
    for (const AnswerCard* card : cards())
        checked += card->button()->isChecked() ? 1 : 0;
    QCOMPARE(checked, 1);
}

void GuidePageTest::whyUnfoldsInPlace()
{
    goTo(GuideStep::Fits);
    QSignalSpy next(m_page, &GuidePage::nextRequested);
    AnswerCard* card = cards().first();
    QVERIFY(!card->isUnfolded());
    const int low = card->height();
    card->whyButton()->setFocus();
    QTest::keyClick(card->whyButton(), Qt::Key_Return);
    QVERIFY(card->isUnfolded());
    QTRY_VERIFY(card->height() > low + 20);
    QCOMPARE(next.count(), 0);
    // Another choice leaves it open; it is the same answer.
    cards().last()->button()->click();
    QVERIFY(cards().first()->isUnfolded());
}

void GuidePageTest::enterPressesTheButtonThatHasTheFocus()
{
    goTo(GuideStep::Fits);
    QSignalSpy next(m_page, &GuidePage::nextRequested), back(m_page, &GuidePage::backRequested);
    QPushButton* button = shown(u"Back"_s);
    QVERIFY(button);
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Return);
    QCOMPARE(back.count(), 1);
    QCOMPARE(next.count(), 0);
}

void GuidePageTest::backAndStepsLeadBack()
{
    goTo(GuideStep::HowMany);
    QSignalSpy back(m_page, &GuidePage::backRequested), asked(m_page, &GuidePage::stepRequested);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Left, Qt::AltModifier);
    QCOMPARE(back.count(), 1);
    const auto steps = m_page->findChildren<StepButton*>();
    QCOMPARE(steps.size(), guideSteps);
    QCOMPARE(steps.at(0)->state(), StepButton::State::Done);
    QVERIFY(!steps.at(5)->isEnabled());
    steps.at(0)->click();
    QCOMPARE(asked.count(), 1);
    QCOMPARE(m_page->step(), GuideStep::Where);
}

void GuidePageTest::typingIsTakenAndSeenFirst()
{
    goTo(GuideStep::What);
    QSignalSpy entered(m_page, &GuidePage::entered), next(m_page, &GuidePage::nextRequested);
    auto* edit = m_page->findChild<QLineEdit*>(u"guide.model"_s);
    QVERIFY(edit && edit->isVisible());
    edit->setFocus();
    QTest::keyClicks(edit, u"7B"_s);
    show(); // something else has changed meanwhile
    QCOMPARE(edit->text(), u"7B"_s);
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(entered.count(), 1);
    QCOMPARE(entered.first().at(1).toString(), u"7B"_s);
    QCOMPARE(next.count(), 0);
    QTest::keyClick(edit, Qt::Key_Return);
    QCOMPARE(entered.count(), 1); // nothing new was typed
}

void GuidePageTest::whatWasRefusedStands()
{
    m_step = GuideStep::What;
    GuideEntry entry = content().question.entries.first();
    entry.value = u"no such model"_s;
    entry.trouble = u"No model is called so."_s;
    m_refused = entry;
    show();
    QCOMPARE(m_page->findChild<QLineEdit*>(u"guide.model"_s)->text(), entry.value);
    bool said = false;
    for (const QLabel* label : m_page->findChildren<QLabel*>())
        said = said || (label->isVisible() && label->text() == entry.trouble);
    QVERIFY(said);
}

void GuidePageTest::theFocusIsSeen()
{
    goTo(GuideStep::Fits);
    for (QWidget* one :
        {static_cast<QWidget*>(cards().first()->button()), static_cast<QWidget*>(cards().first()->whyButton()),
            static_cast<QWidget*>(m_page->nextButton()), static_cast<QWidget*>(shown(u"Back"_s)),
            static_cast<QWidget*>(m_page->findChildren<StepButton*>().first())}) {
        QWidget* other = one == m_page->nextButton() ? shown(u"Back"_s) : static_cast<QWidget*>(m_page->nextButton());
        other->setFocus();
        QWidget* seen = qobject_cast<QRadioButton*>(one) ? one->parentWidget() : one;
        const QImage without = seen->grab().toImage();
        one->setFocus();
        QVERIFY2(seen->grab().toImage() != without, qPrintable(test::nameOf(one)));
    }
}

void GuidePageTest::namesEverything()
{
    for (int step = 0; step < guideSteps; ++step) {
        m_stage = GuideStage::Completed;
        goTo(GuideStep(step));
        for (const QWidget* one : test::tabStops(*m_host)) {
            const auto* button = qobject_cast<const QAbstractButton*>(one);
            const auto* label = qobject_cast<const QLabel*>(one);
            QVERIFY2(!one->accessibleName().isEmpty() || (button && !button->text().isEmpty())
                    || (label && !label->text().isEmpty()),
                qPrintable(u"step %1: %2"_s.arg(step).arg(test::nameOf(one))));
        }
        for (const StackedBar* bar : m_page->findChildren<StackedBar*>())
            QVERIFY(!bar->isVisible() || bar->accessibleDescription().contains(u"GiB"_s));
    }
}

void GuidePageTest::tabReachesEverything()
{
    for (int step = 0; step < guideSteps; ++step) {
        goTo(GuideStep(step));
        const QList<QWidget*> stops = test::tabStops(*m_host);
        QVERIFY(!stops.isEmpty());
        QSet<QWidget*> met;
        stops.first()->setFocus();
        for (int i = 0; i < 3 * stops.size() + 20; ++i) {
            met.insert(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        for (QWidget* stop : stops)
            QVERIFY2(met.contains(stop), qPrintable(u"step %1: %2"_s.arg(step).arg(test::nameOf(stop))));
    }
}

void GuidePageTest::cutsNoText_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("pixels");
    QTest::addColumn<QString>("cluster");
    for (const QString& cluster : {u"practice"_s, u"lumi"_s}) {
        for (const QSize size : {QSize(832, 434), QSize(956, 654), QSize(1212, 752), QSize(1852, 1032)}) {
            for (const int pixels : {13, 26})
                QTest::addRow("%s, %d x %d, %d px", qPrintable(cluster), size.width(), size.height(), pixels)
                    << size << pixels << cluster;
        }
    }
}

void GuidePageTest::cutsNoText()
{
    QFETCH(QSize, size);
    QFETCH(int, pixels);
    QFETCH(QString, cluster);
    m_design->replace(guidedDesign(cluster, m_catalogue));
    if (pixels > 13)
        m_host->setStyleSheet(u"QWidget { font-size: %1px; }"_s.arg(pixels));
    m_stage = GuideStage::Completed;
    m_host->resize(size);
    for (int step = 0; step < guideSteps; ++step) {
        goTo(GuideStep(step));
        for (AnswerCard* card : cards())
            card->setUnfolded(true);
        for (int i = 0; i < 5; ++i)
            QApplication::processEvents();
        // As large as asked for, or as large as the page needs at least, which its frame in the window scrolls to.
        const QSize least = m_page->minimumSizeHint();
        m_host->resize(size.expandedTo(least));
        for (int i = 0; i < 3; ++i)
            QApplication::processEvents();
        QCOMPARE(test::clippedTexts(*m_host).join(u'\n'), QString());
    }
}

void GuidePageTest::picturesFollowTheChoice()
{
    goTo(GuideStep::Fits);
    const AnswerBars* shown = nullptr;
    for (const AnswerBars* one : m_page->findChildren<AnswerBars*>())
        shown = one->isVisible() ? one : shown;
    QVERIFY(shown);
    QCOMPARE(shown->barsShown().size(), cards().size());
    cards().last()->button()->click();
    QVERIFY(shown->barsShown().last().chosen);
    QVERIFY(!shown->barsShown().first().chosen);
    // The Design page's bars, and a GiB is as long in each of them.
    QList<const StackedBar*> bars;
    for (const StackedBar* bar : shown->findChildren<StackedBar*>()) {
        if (bar->isVisible())
            bars.append(bar);
    }
    QCOMPARE(bars.size(), cards().size());
    for (const StackedBar* bar : bars) {
        QVERIFY(bar->dataShown().limit > 50);
        QCOMPARE(bar->layoutShown().scale, bars.first()->layoutShown().scale);
        QCOMPARE(bar->layoutShown().legend.isEmpty(), bar != bars.last()); // of the chosen one
    }
    QVERIFY(bars.first()->layoutShown().ticks.isEmpty() && !bars.last()->layoutShown().ticks.isEmpty());
}

void GuidePageTest::furtherPicturesStandBelow()
{
    auto* picture = new QLabel(u"moving"_s);
    m_page->setPicture(GuideStep::Fits, picture);
    QVERIFY(!picture->isVisible());
    goTo(GuideStep::Fits);
    QVERIFY(picture->isVisible());
    goTo(GuideStep::What);
    QVERIFY(!picture->isVisible());
}

void GuidePageTest::lockedAnswersSayWhy()
{
    m_locks = {{QString(field::model), u"The class trains this one."_s}};
    goTo(GuideStep::What);
    QCOMPARE(cards().size(), 1);
    QVERIFY(!cards().first()->button()->isEnabled());
    m_page->focusStep();
    QVERIFY(QApplication::focusWidget() && m_page->isAncestorOf(QApplication::focusWidget()));
    bool said = false;
    for (const QLabel* label : m_page->findChildren<QLabel*>())
        said = said || (label->isVisible() && label->text().contains(u"The class trains this one."_s));
    QVERIFY(said);
}

void GuidePageTest::wordsBecomeLinks()
{
    const QString rich = withTermLinks(u"Layers travel from GCD to GCD; <b> stays text, a rank is one."_s);
    QCOMPARE(rich.count(u"term:gcd"_s), 1);
    QCOMPARE(rich.count(u"term:rank"_s), 1);
    QVERIFY(rich.contains(u"&lt;b&gt;"_s));
    QCOMPARE(termOfLink(u"term:gcd"_s), u"gcd"_s);
    QCOMPARE(termOfLink(u"https://example.org"_s), QString());
    goTo(GuideStep::Fits);
    QSignalSpy terms(m_page, &GuidePage::termRequested);
    AnswerCard* card = cards().first();
    card->setUnfolded(true);
    for (QLabel* label : card->findChildren<QLabel*>()) {
        if (label->text().contains(u"term:gcd"_s))
            emit label->linkActivated(u"term:gcd"_s);
    }
    QCOMPARE(terms.count(), 1);
    QCOMPARE(terms.first().first().toString(), u"gcd"_s);
}

void GuidePageTest::theScriptIsMarked()
{
    goTo(GuideStep::Script);
    auto* script = m_page->findChild<ScriptEditor*>();
    QVERIFY(script && script->isReadOnly());
    QCOMPARE(script->text(), m_design->derived().script.text());
    const auto parts = content().parts;
    QCOMPARE(script->litLines(), parts.first().lines);
    QPushButton* second = shown(parts.at(1).title);
    QVERIFY(second);
    second->setFocus();
    QTest::keyClick(second, Qt::Key_Return);
    QCOMPARE(script->litLines(), parts.at(1).lines);
    // Read, not typed in; Enter goes on from there as well, and a line leads to the step that made it.
    QSignalSpy next(m_page, &GuidePage::nextRequested), asked(m_page, &GuidePage::stepRequested);
    script->setFocus();
    QTest::keyClicks(script, u"x"_s);
    QTest::keyClick(script, Qt::Key_Delete);
    QCOMPARE(script->text(), m_design->derived().script.text());
    QTest::keyClick(script, Qt::Key_Return);
    QCOMPARE(next.count(), 1);
    goTo(GuideStep::Script);
    const QList<int> nodes = m_design->derived().script.linesOf(FieldPath(field::nodes));
    QVERIFY(!nodes.isEmpty());
    script->goToLine(nodes.first());
    QTest::keyClick(script, Qt::Key_F12);
    QCOMPARE(asked.count(), 1);
    QCOMPARE(m_page->step(), GuideStep::HowMany);
}

void GuidePageTest::theEndIsThreeSentences()
{
    m_stage = GuideStage::Completed;
    goTo(GuideStep::Watch);
    bool said = false;
    for (const QLabel* label : m_page->findChildren<QLabel*>())
        said = said || (label->isVisible() && label->text().count(u"\n\n"_s) == 2);
    QVERIFY(said);
    QSignalSpy live(m_page, &GuidePage::liveRequested);
    QPushButton* look = shown(u"Look at its GPUs"_s); // nothing is live any more
    QVERIFY(look);
    look->click();
    QCOMPARE(live.count(), 1);
}

RANKWRIGHT_WIDGET_TEST_MAIN(GuidePageTest)
#include "tst_guidepage.moc"
