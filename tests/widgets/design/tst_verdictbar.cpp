// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/showndesignpage.h"
#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/figurebutton.h"
#include "widgets/base/quantityedit.h"
#include "widgets/design/verdictbar.h"

#include <QApplication>
#include <QLabel>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace rankwright;
using test::buttonOf;
using test::fieldOf;
using test::retype;

/// The bar of the verdict: figures, launch, dry run and what became of them.
class VerdictBarTest final : public test::Suite, private test::ShownDesignPage {
    Q_OBJECT
private slots:
    void init() override;
    void blocksTheLaunch();
    void showsTheSubmission();
    void saysHowADryRunEnded_data();
    void saysHowADryRunEnded();
    void forgetsAForecastAfterAnEdit();
    void figuresGiveWayWhole();
};

void VerdictBarTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    build();
}

void VerdictBarTest::blocksTheLaunch()
{
    QSignalSpy connectAsked(m_page, &DesignPage::connectRequested);
    QSignalSpy launched(m_page, &DesignPage::launchRequested);
    auto* launch = buttonOf(*m_page, u"Launch"_s);
    QVERIFY(launch->isEnabled());
    m_page->setLaunchBlocked(u"Not connected to LUMI."_s);
    QVERIFY(!launch->isEnabled());
    QVERIFY(!buttonOf(*m_page, u"Dry run"_s)->isEnabled());
    buttonOf(*m_page, u"Connect"_s)->click();
    QCOMPARE(connectAsked.count(), 1);
    m_page->setLaunchBlocked({});
    launch->click();
    QCOMPARE(launched.count(), 1);
}

void VerdictBarTest::showsTheSubmission()
{
    QSignalSpy stopped(m_page, &DesignPage::stopRequested);
    QSignalSpy shown(m_page, &DesignPage::showJobRequested);
    SubmitState state;
    state.stage = SubmitState::Stage::Sending;
    state.text = u"Sending"_s;
    m_page->showSubmitState(state);
    QVERIFY(!buttonOf(*m_page, u"Launch"_s)->isEnabled());
    buttonOf(*m_page, u"Stop"_s)->click();
    QCOMPARE(stopped.count(), 1);
    state.stage = SubmitState::Stage::Submitted;
    state.job = u"9304946"_s;
    m_page->showSubmitState(state);
    QVERIFY(!buttonOf(*m_page, u"Stop"_s)->isVisible());
    buttonOf(*m_page, u"Show job 9304946"_s)->click();
    QCOMPARE(shown.first().first().toString(), u"9304946"_s);
    state.stage = SubmitState::Stage::Refused;
    state.error = {Fault::RemoteExit, u"Invalid account."_s, u"sbatch: error"_s, u"Choose another."_s};
    m_page->showSubmitState(state);
    bool reported = false;
    for (auto* label : m_page->findChildren<QLabel*>())
        reported = reported || label->text() == u"Invalid account. Choose another.";
    QVERIFY(reported);
}

void VerdictBarTest::saysHowADryRunEnded_data()
{
    using Answer = StartForecast::Answer;
    QTest::addColumn<int>("answer");
    QTest::addColumn<QString>("note");
    QTest::addColumn<QString>("line");
    QTest::newRow("taken, no estimate") << int(Answer::Accepted) << QString()
                                        << u"Dry run: the scheduler would take this script; it gave no estimate of the "
                                           "start. Nothing was queued."_s;
    QTest::newRow("not asked") << int(Answer::NotAsked) << u"No dry run was made."_s
                               << u"No dry run was made. Nothing was queued."_s;
    QTest::newRow("refused in one of a list")
        << int(Answer::PartlyRefused) << u"In debug Slurm would refuse it: too long."_s
        << u"In debug Slurm would refuse it: too long. Nothing was queued."_s;
}

void VerdictBarTest::saysHowADryRunEnded()
{
    QFETCH(int, answer);
    QFETCH(QString, note);
    QFETCH(QString, line);
    SubmitState state;
    state.stage = SubmitState::Stage::Rehearsing;
    m_page->showSubmitState(state);
    state.stage = SubmitState::Stage::Rehearsed;
    state.text = u"x"_s;
    state.forecast.answer = StartForecast::Answer(answer);
    state.forecast.note = note;
    m_page->showSubmitState(state);
    bool isSaid = false;
    for (auto* label : m_page->findChildren<QLabel*>())
        isSaid = isSaid || label->text() == line;
    QVERIFY(isSaid);
}

void VerdictBarTest::forgetsAForecastAfterAnEdit()
{
    SubmitState state;
    state.stage = SubmitState::Stage::Rehearsing;
    m_page->showSubmitState(state);
    state.stage = SubmitState::Stage::Rehearsed;
    state.forecast.start = QDateTime::currentDateTime().addSecs(3600);
    m_page->showSubmitState(state);
    FigureButton* start = nullptr;
    for (auto* figure : m_page->findChildren<FigureButton*>()) {
        if (figure->caption().startsWith(u"expected start"_s))
            start = figure;
    }
    QVERIFY(start);
    QVERIFY(start->value().startsWith(u"≈"_s));
    retype(fieldOf<QuantityEdit>(*m_page, field::nodes), u"9"_s);
    QCOMPARE(start->caption(), u"start before the last edit"_s);
}

/// A bar too narrow for a long time of a step pressed its figures together: each ended with a mark.
void VerdictBarTest::figuresGiveWayWhole()
{
    QWidget window;
    VerdictBar bar(&window);
    // 70B on two nodes, in large steps: "469 GiB", "7 min 40 s 5 min 49 s–10 min 7 s".
    m_design->edit(u"Model"_s, [](JobSpec& spec) {
        spec.model = QJsonObject{{u"preset"_s, u"llama-3-70b"_s}};
        spec.training.globalBatch = 65536;
        spec.training.microBatch = 1;
    });
    QVERIFY(m_design->derived().estimate.hasValue());
    bar.setDerived(m_design->derived(), {}, 0);
    bar.setEstimate(m_design->derived().estimate, u"GCD"_s);
    window.show();
    Finding error;
    error.severity = Severity::Error;
    const QList<Finding> many(12, error);
    QVERIFY(bar.minimumSizeHint().width() < 940); // what a window of 1024 leaves
    for (int width = 940; width < 1600; width += 7) {
        bar.setDerived(m_design->derived(), {}, 0);
        window.resize(width, bar.sizeHint().height());
        bar.resize(window.size());
        QApplication::processEvents();
        bar.setDerived(m_design->derived(), many, 0);
        QApplication::processEvents();
        const QStringList marked = test::markedFigures(bar);
        QVERIFY2(marked.isEmpty(), qPrintable(u"%1: %2"_s.arg(width).arg(marked.join(u'\n'))));
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(VerdictBarTest)
#include "tst_verdictbar.moc"
