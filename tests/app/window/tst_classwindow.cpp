// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/documents.h"
#include "app/window/classcontroller.h"
#include "app/window/classruns.h"
#include "app/window/guidecontroller.h"
#include "models/teaching/classroom/classrules.h"
#include "tests/app/support/windowbench.h"
#include "widgets/classroom/classconsentdialog.h"
#include "widgets/classroom/classpanel.h"
#include "widgets/design/designpage.h"
#include "widgets/form/designform.h"
#include "widgets/guide/answercard.h"
#include "widgets/guide/guidepage.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A class as an attendee meets it in the whole window.
class ClassWindowTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<WindowBench>(m_folder->path());
        QVERIFY(m_bench->start());
    }
    void cleanup() { m_bench.reset(); }

    void theTaskTakesTheFormsPlace();
    void savingDoesNotOverwriteMyDesign();
    void limitsStandAmongTheFindings();
    void theVerdictRowCountsChecks();
    void jobsAreTold();
    void theGuideLeadsThroughTheExercise();
    void aFileOnTheCommandLine();

private:
    bool openShipped(const QString& name)
    {
        m_bench->workbench->classes().openShipped(name);
        const auto dialog = [this] { return m_bench->window().findChild<ClassConsentDialog*>(); };
        if (!test::comes([&] { return dialog() != nullptr; }))
            return false;
        dialog()->accept();
        return test::comes([this] { return m_bench->workbench->classes().isActive(); });
    }
    ClassPanel* panel() const { return m_bench->window().findChild<ClassPanel*>(); }
    DesignForm* form() const { return m_bench->window().findChild<DesignForm*>(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
};

void ClassWindowTest::theTaskTakesTheFormsPlace()
{
    m_bench->window().showPage(MainWindow::Page::Jobs);
    QVERIFY(openShipped(u"lumi-ai-course-practice"_s));
    QCOMPARE(m_bench->window().page(), MainWindow::Page::Design);
    QVERIFY(panel()->isVisible());
    QVERIFY(!form()->isVisible());
    const QRect place(panel()->mapTo(&m_bench->window(), QPoint()), panel()->size());
    QVERIFY2(place.width() >= 280 && place.width() < 420, qPrintable(QString::number(place.width())));
    // A way to a field that is not there says why.
    const QSignalSpy said(m_bench->window().pages().design, &DesignPage::refusedInPicture);
    m_bench->window().pages().design->focusField(field::model);
    QCOMPARE(said.count(), 1);
    m_bench->workbench->classes().leave();
    QVERIFY(!panel()); // it goes with the class
    QVERIFY(form()->isVisible());
    m_bench->window().pages().design->focusField(field::model);
    QCOMPARE(said.count(), 1);
}

void ClassWindowTest::savingDoesNotOverwriteMyDesign()
{
    const QString mine = m_folder->filePath(u"mine.json"_s);
    QVERIFY_RESULT(m_bench->workbench->documents().saveAs(mine));
    const JobSpec before = m_bench->design().spec();
    QVERIFY(openShipped(u"lumi-ai-course-practice"_s));
    QVERIFY(m_bench->design().spec() != before);
    QCOMPARE(m_bench->workbench->documents().path(), QString());
    QVERIFY_RESULT(m_bench->workbench->documents().open(mine));
    QVERIFY(m_bench->design().spec() == before);
}

void ClassWindowTest::limitsStandAmongTheFindings()
{
    QVERIFY(openShipped(u"lumi-ai-course-practice"_s));
    const auto broken = [this] {
        const QList<Finding>& all = m_bench->design().derived().findings();
        return std::any_of(all.cbegin(), all.cend(), [](const Finding& one) {
            return one.severity == Severity::Error && one.rule.startsWith(u'C') && one.rule.size() == 3;
        });
    };
    QVERIFY(!broken());
    m_bench->design().edit(u"Too many"_s, [](JobSpec& spec) { spec.resources.nodes = 500; });
    QVERIFY(broken());
    m_bench->design().undo();
    QVERIFY(!broken());
    m_bench->design().edit(u"Too many"_s, [](JobSpec& spec) { spec.resources.nodes = 500; });
    m_bench->workbench->classes().leave();
    QVERIFY(!broken());
}

void ClassWindowTest::theVerdictRowCountsChecks()
{
    const auto* count = m_bench->window().findChild<QPushButton*>(u"exerciseChecks"_s);
    QVERIFY(count && !count->isVisible());
    QVERIFY(openShipped(u"lumi-ai-course-practice"_s));
    QVERIFY(count->isVisible());
    const QList<CheckVerdict> verdicts = m_bench->workbench->classes().verdicts();
    const auto seen = std::count_if(
        verdicts.cbegin(), verdicts.cend(), [](const CheckVerdict& one) { return one.state == CheckState::Seen; });
    QVERIFY2(count->text().contains(u"%1 of %2 checks"_s.arg(seen).arg(verdicts.size())), qPrintable(count->text()));
    m_bench->window().resize(1024, 700);
    QApplication::processEvents();
    QVERIFY(count->isVisible());
    QVERIFY(m_bench->window().width() <= 1024);
    m_bench->workbench->classes().leave();
    QVERIFY(!count->isVisible());
}

void ClassWindowTest::jobsAreTold()
{
    JobRecord record;
    record.id = u"4711"_s;
    record.state = JobState::Completed;
    record.nodes = 2;
    record.gpus = 16;
    record.elapsed = Seconds{90};
    RunFacts known = runFacts(record, nullptr);
    QCOMPARE(known.nodes, 2);
    QCOMPARE(known.elapsedSeconds, 90.);
    QVERIFY(!known.leastBusyPercent && !known.ranks && !known.resumed && !known.stepSeconds);

    EfficiencyReport report;
    report.gpuWord = u"GCD"_s;
    report.recorded.emplace();
    report.recorded->nodes = QStringList{u"n1"_s, u"n2"_s};
    GpuSummary busy;
    busy.address = {0, 3};
    busy.meanUse = 97;
    GpuSummary idle;
    idle.address = {1, 4};
    idle.meanUse = 3;
    GpuSummary unseen;
    unseen.address = {1, 5};
    report.recorded->gpus = {busy, idle, unseen};
    known = runFacts(record, &report);
    QCOMPARE(known.leastBusyPercent, 3.);
    QCOMPARE(known.leastBusyGpu, u"n2, GCD 4"_s);
    QVERIFY(!known.ranks); // nobody reported
}

/// Help > My first job within a class: through its exercise, not away from it. What the class sets is shown with its
/// lock, what it would put back or refuse is not offered, and whatever is chosen is left as it was chosen.
void ClassWindowTest::theGuideLeadsThroughTheExercise()
{
    QVERIFY(openShipped(u"lumi-ai-course-practice"_s));
    const ClassController& classes = m_bench->workbench->classes();
    const JobSpec start = m_bench->design().spec();
    GuideController& guide = m_bench->workbench->guide();
    emit m_bench->window().guideRequested();
    auto* page = m_bench->window().findChild<GuidePage*>();
    QTRY_VERIFY(page && page->isVisible());
    QCOMPARE(m_bench->design().spec(), start); // the exercise's design, no other
    const auto cards = [page] {
        QList<AnswerCard*> shown;
        for (AnswerCard* card : page->findChildren<AnswerCard*>()) {
            if (card->isVisible())
                shown.append(card);
        }
        return shown;
    };
    const auto says = [page](const QString& text) {
        const auto labels = page->findChildren<QLabel*>();
        return std::any_of(labels.cbegin(), labels.cend(),
            [&text](const QLabel* label) { return label->isVisible() && label->text().contains(text); });
    };
    const auto next = [&] {
        const GuideStep before = guide.step();
        QTRY_VERIFY2(page->nextButton()->isEnabled(), qPrintable(guideStepName(before)));
        page->nextButton()->click();
        if (before == GuideStep::Where && guide.step() == before) // no practice cluster here: it is gone on without
            page->nextButton()->click();
        QTRY_VERIFY(guide.step() != before);
    };
    for (const GuideStep step : {GuideStep::Where, GuideStep::What}) {
        QCOMPARE(guide.step(), step);
        QCOMPARE(cards().size(), 1);
        QVERIFY(!cards().first()->button()->isEnabled());
        QVERIFY(says(u"The class sets this to"_s));
        const auto edits = page->findChildren<QLineEdit*>();
        QVERIFY(std::none_of(edits.cbegin(), edits.cend(), [](const QLineEdit* edit) { return edit->isVisible(); }));
        next();
    }
    for (const GuideStep step : {GuideStep::HowMany, GuideStep::Fits}) {
        QCOMPARE(guide.step(), step);
        for (int i = 0; i < cards().size(); ++i) {
            QVERIFY(!says(u"Two nodes"_s)); // the class has one
            cards().at(i)->button()->click();
            test::quietFor(20);
            const JobSpec chosen = m_bench->design().spec();
            QVERIFY(enforce(*classes.file(), classes.file()->exercises.first(), chosen).putBack.isEmpty());
        }
        cards().first()->button()->click(); // one GCD, as the exercise wants it
        next();
    }
    QCOMPARE(m_bench->design().derived().resolved.worldSize(), 1);
    next();
    QCOMPARE(guide.step(), GuideStep::Launch);
    QVERIFY(classes.isActive());
    QCOMPARE(classes.place().exercise, u"single-gcd"_s);
    QVERIFY(!guide.left()); // the class keeps where one is
    // Another exercise is another guide, and behind the class there is one without locks.
    emit panel()->exerciseWanted(1);
    emit m_bench->window().guideRequested();
    QCOMPARE(guide.step(), GuideStep::Where);
    m_bench->workbench->classes().leave();
    m_bench->design().markSaved();
    emit m_bench->window().guideRequested();
    QTRY_VERIFY(cards().size() > 1);
    QVERIFY(!says(u"The class sets this"_s));
}

void ClassWindowTest::aFileOnTheCommandLine()
{
    m_bench.reset();
    m_bench = std::make_unique<WindowBench>(m_folder->path());
    const QString path = sourcePath(u"/tests/data/classroom/whole.rwclass");
    QVERIFY(m_bench->start({1280, 800}, path));
    // It is not signed by anybody who is known: said, and nothing is done.
    QVERIFY(test::comes([this] { return m_bench->window().findChild<ClassConsentDialog*>() != nullptr; }));
    QVERIFY(!m_bench->workbench->classes().isActive());
}

RANKWRIGHT_WIDGET_TEST_MAIN(ClassWindowTest)
#include "tst_classwindow.moc"
