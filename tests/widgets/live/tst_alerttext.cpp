// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/synthetic.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/live/alertnotes.h"
#include "widgets/live/alerttext.h"

#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>

using namespace rankwright;
using namespace rankwright::shots;

namespace {

constexpr qint64 now = 1'772'460'751'000;

Alert lateRank()
{
    Alert alert;
    alert.kind = u"straggler"_s;
    alert.level = Alert::Level::Warning;
    alert.title = u"Rank 13 is late, the others wait for it"_s;
    alert.seen = u"GPU 5 draws 318 W, the others typically 136 W."_s;
    alert.sinceMs = now - 60'000;
    alert.meaning = u"All ranks meet after every step."_s;
    alert.advice = u"Submit without the node: --exclude=nid005526."_s;
    alert.field = u"options.exclude"_s;
    alert.gpus = {GpuAddress{1, 5}};
    alert.rank = 13;
    return alert;
}

Alert ofLevel(Alert::Level level, const QString& title)
{
    Alert alert;
    alert.level = level;
    alert.title = title;
    return alert;
}

QStringList titles(const QList<AlertText>& findings)
{
    QStringList all;
    for (const AlertText& one : findings)
        all.append(one.title);
    return all;
}

} // namespace

/// How a running job is spoken of on the page.
class AlertTextTest final : public test::Suite {
    Q_OBJECT
private slots:
    void putsAnAlertIntoWords();
    void failuresOfTheOutputLeadToTheirLine();
    void ordersByWeight();
    void saysThatNothingIsUnusualOnlyWhenAllReport();
    void saysNothingOfNowWithoutAnAnswer();
    void ranksThatAreGoneAreNotNothing();
    void memoryOfNoProcessIsNoRanks();
    void keepsWhatStoodAtTheEnd();
    void findsTheOption_data();
    void findsTheOption();
    void notesLeadSomewhere();

private:
    Theme m_theme;
};

void AlertTextTest::putsAnAlertIntoWords()
{
    const AlertText finding = alertText(lateRank());
    QCOMPARE(finding.tone, Tone::Warn);
    QCOMPARE(finding.word, u"Warning"_s);
    QVERIFY(finding.text.contains(u"318 W"_s) && finding.text.contains(u"Since "_s));
    QCOMPARE(finding.gpu, std::optional(GpuAddress{1, 5}));
    QVERIFY(finding.gpuAction.contains(u"rank 13"_s));
    QCOMPARE(finding.option, u"--exclude=nid005526"_s);
    QCOMPARE(finding.field, u"options.exclude"_s);
}

void AlertTextTest::failuresOfTheOutputLeadToTheirLine()
{
    Alert failure;
    failure.kind = u"oom_gpu"_s;
    failure.rule = AlertKind::OutputFailure;
    failure.level = Alert::Level::Failure;
    failure.title = u"Rank 3: GPU out of memory"_s;
    QVERIFY(alertText(failure).failure.isEmpty()); // its line is not at hand: a recording
    QCOMPARE(alertText(failure, {u"oom_gpu"_s}).failure, u"oom_gpu"_s);
    failure.rule = AlertKind::Hang;
    QVERIFY(alertText(failure, {u"oom_gpu"_s}).failure.isEmpty());
    failure.rule = AlertKind::OutputFailure;
    AlertNotes notes;
    notes.setFindings({alertText(failure, {u"oom_gpu"_s})});
    QSignalSpy clicked(&notes, &AlertNotes::lineClicked);
    for (QPushButton* link : notes.findChildren<QPushButton*>()) {
        if (link->text() == u"Show its line in the output"_s)
            link->click();
    }
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked.first().first().toString(), u"oom_gpu"_s);
}

void AlertTextTest::ordersByWeight()
{
    GpuGrid grid;
    fillRun(grid, {}, {}, now);
    const QList<Alert> alerts{ofLevel(Alert::Level::Failure, u"hang"_s), ofLevel(Alert::Level::Hint, u"memory"_s),
        ofLevel(Alert::Level::Normal, u"dies"_s)};
    const QMap<TroubleSource, Error> troubles{{TroubleSource::Output, {Fault::Io, u"no output"_s, {}, {}}}};
    const QStringList reported = titles(alertTexts({grid, runningJob({}), {}, troubles, alerts}));
    QCOMPARE(reported.mid(0, 3), (QStringList{u"hang"_s, u"no output"_s, u"memory"_s}));
    QCOMPARE(reported.last(), u"dies"_s);
}

void AlertTextTest::saysThatNothingIsUnusualOnlyWhenAllReport()
{
    const QString unusual = u"Nothing unusual"_s;
    GpuGrid grid;
    fillRun(grid, {}, {}, now);
    const Alert dies = ofLevel(Alert::Level::Normal, u"Power is reported once per package: normal"_s);
    QVERIFY(titles(alertTexts({grid, runningJob({}), {}, {}, {dies}})).contains(unusual));
    QVERIFY(!titles(alertTexts({grid, runningJob({}), {}, {}, {lateRank()}})).contains(unusual));
    GpuGrid holes;
    RunMood mood;
    mood.neverNode = 1;
    fillRun(holes, {}, mood, now);
    QVERIFY(!titles(alertTexts({holes, runningJob({}), {}, {}, {}})).contains(unusual));
    GpuGrid nothing;
    QCOMPARE(titles(alertTexts({nothing, runningJob({}), {}, {}, {}})), QStringList{u"Waiting for the first values"_s});
}

/// W13: with the link dead nobody knows whether all is well.
void AlertTextTest::saysNothingOfNowWithoutAnAnswer()
{
    GpuGrid grid;
    fillRun(grid, {}, {}, now);
    const QStringList said = titles(alertTexts({grid, runningJob({}), {}, {}, {}, {}, now}));
    QVERIFY2(said.first().startsWith(u"Not known since "_s), qPrintable(said.join(u'|')));
    QVERIFY(!said.contains(u"Nothing unusual"_s));
    GpuGrid nothing;
    const QStringList empty = titles(alertTexts({nothing, runningJob({}), {}, {}, {}, {}, now}));
    QVERIFY(!empty.contains(u"Waiting for the first values"_s));
}

void AlertTextTest::ranksThatAreGoneAreNotNothing()
{
    GpuGrid grid;
    grid.reset({u"n1"_s}, 2, 1, u"GPU"_s);
    for (const int processes : {0, 1}) {
        NodeTick tick;
        tick.node = u"n1"_s;
        for (int gpu = 0; gpu < 2; ++gpu) {
            GpuSample sample;
            sample.index = gpu;
            sample.utilizationPercent = 0;
            sample.processes = processes;
            tick.gpus.append(sample);
        }
        grid.store(tick, now);
        grid.flush(now);
        const QStringList said = titles(alertTexts({grid, runningJob({}), {}, {}, {}}));
        QCOMPARE(said.contains(u"Nothing unusual"_s), processes > 0);
        QCOMPARE(said.contains(u"No rank is on any GPU"_s), processes == 0);
    }
}

/// The driver keeps memory for itself: "no process holds memory" and "0.6 GiB on rank 0" contradict each other.
void AlertTextTest::memoryOfNoProcessIsNoRanks()
{
    GpuGrid grid;
    grid.reset({u"n1"_s}, 2, 1, u"GPU"_s);
    NodeTick tick{u"n1"_s, now, {}};
    for (int gpu = 0; gpu < 2; ++gpu) {
        GpuSample sample;
        sample.index = gpu;
        sample.utilizationPercent = 0;
        sample.memoryUsedBytes = qint64(0.6 * 1024 * 1024 * 1024);
        sample.memoryTotalBytes = qint64(64) << 30;
        sample.processes = 0;
        tick.gpus.append(sample);
    }
    grid.store(tick, now);
    grid.flush(now);
    const QList<AlertText> findings = alertTexts({grid, runningJob({}), {}, {}, {}});
    QString text;
    for (const AlertText& one : findings)
        text += one.title + u": "_s + one.text + u'\n';
    QVERIFY2(text.contains(u"No rank is on any GPU"_s), qPrintable(text));
    QVERIFY2(text.contains(u"0.6"_s), qPrintable(text)); // as the map shows it
    QVERIFY2(!text.contains(u"rank 0"_s), qPrintable(text));
    QVERIFY2(text.contains(u"no process of this job"_s), qPrintable(text));
}

void AlertTextTest::keepsWhatStoodAtTheEnd()
{
    GpuGrid grid;
    fillRun(grid, {}, {}, now);
    const QStringList reported = titles(alertTexts({grid, runningJob({}, JobState::Failed), {}, {}, {lateRank()}}));
    QVERIFY(reported.first().contains(u"has ended"_s));
    QVERIFY(reported.contains(lateRank().title));
}

void AlertTextTest::findsTheOption_data()
{
    QTest::addColumn<QString>("advice");
    QTest::addColumn<QString>("option");
    QTest::newRow("at the end") << u"Submit without it: --exclude=nid[005001-005004]."_s
                                << u"--exclude=nid[005001-005004]"_s;
    QTest::newRow("in brackets") << u"Start one for each (--ntasks-per-node=8), or fewer."_s
                                 << u"--ntasks-per-node=8"_s;
    QTest::newRow("none") << u"Use more workers (num_workers)."_s << QString();
    QTest::newRow("without a value") << u"See --cpus-per-task for them."_s << QString();
}

void AlertTextTest::findsTheOption()
{
    QFETCH(QString, advice);
    QTEST(optionIn(advice), "option");
}

void AlertTextTest::notesLeadSomewhere()
{
    AlertNotes notes;
    notes.setFindings({alertText(lateRank())});
    notes.show();
    QSignalSpy gpu(&notes, &AlertNotes::gpuClicked);
    QSignalSpy field(&notes, &AlertNotes::fieldClicked);
    for (QPushButton* link : notes.findChildren<QPushButton*>()) {
        QCOMPARE(link->isVisible(), !link->text().isEmpty());
        if (link->isVisible())
            link->click();
    }
    QCOMPARE(gpu.size(), 1);

    QCOMPARE(field.size(), 1);
    QCOMPARE(QApplication::clipboard()->text(), u"--exclude=nid005526"_s);
    QWidget* note = notes.findChildren<QPushButton*>().first()->parentWidget();
    QVERIFY(note->accessibleName().startsWith(u"Warning: "_s));
    QVERIFY(note->accessibleDescription().contains(u"--exclude"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(AlertTextTest)
#include "tst_alerttext.moc"
