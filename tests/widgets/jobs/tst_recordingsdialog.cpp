// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/theme.h"
#include "widgets/jobs/recordingsdialog.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 begin = 1'772'460'000'000;

RecordingRow row(const QString& job, qint64 bytes, JobState state = JobState::Completed)
{
    RecordingRow made;
    made.path = u"/data/recordings/lumi-%1.rwr"_s.arg(job);
    made.cluster = u"lumi"_s;
    made.job.id = job;
    made.job.name = u"llama8b"_s;
    made.job.state = state;
    made.span = {begin, begin + 7'200'000};
    made.nodes = 4;
    made.gpusPerNode = 8;
    made.gpuWord = u"GCD"_s;
    made.bytes = bytes;
    return made;
}

} // namespace

/// The recordings of this computer in the window: what they are, what they take, and what can be done with them.
class RecordingsDialogTest final : public test::Suite {
    Q_OBJECT
private slots:
    void reportsWhatTheyAre();
    void reportsWhatTheyTake();
    void removesOnlyWhenConfirmed();
    void keepsWhatIsBeingRecorded();
    void replaysOne();
    void emptyListSaysSo();

private:
    Theme m_theme;
};

void RecordingsDialogTest::reportsWhatTheyAre()
{
    RecordingModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    RecordingRow broken;
    broken.path = u"/data/recordings/lumi-9.rwr"_s;
    broken.bytes = 10;
    broken.fault = u"This file is not a recording."_s;
    RecordingRow open = row(u"12"_s, 100, JobState::Running);
    open.isWritten = true;
    model.assign({row(u"11"_s, 5'000'000), open, row(u"10"_s, 10, JobState::Unknown), broken});
    const auto text = [&model](int place, int column) { return model.index(place, column).data().toString(); };
    QCOMPARE(text(0, RecordingModel::Gpus), u"32 GCDs"_s);
    QCOMPARE(text(0, RecordingModel::Length), humanDuration(Seconds{7200}));
    QCOMPARE(text(1, RecordingModel::Note), u"being recorded now"_s);
    QCOMPARE(text(2, RecordingModel::State), u"end not seen"_s); // never guessed
    QCOMPARE(text(3, RecordingModel::Name), u"lumi-9.rwr"_s);
    QCOMPARE(text(3, RecordingModel::Note), broken.fault);
    QCOMPARE(text(3, RecordingModel::Length), u"–"_s); // unknown, not 0
}

void RecordingsDialogTest::reportsWhatTheyTake()
{
    QCOMPARE(recordingsTotal({row(u"1"_s, 3LL << 20), row(u"2"_s, 5LL << 20)}, 2LL << 30),
        u"2 recordings, 8\u2009MiB of at most 2\u2009GiB"_s);
    QCOMPARE(recordingsTotal({row(u"1"_s, 1LL << 20)}, 2LL << 30), u"1 recording, 1\u2009MiB of at most 2\u2009GiB"_s);
}

void RecordingsDialogTest::removesOnlyWhenConfirmed()
{
    RecordingModel model;
    model.assign({row(u"11"_s, 5LL << 20), row(u"12"_s, 7LL << 20)});
    RecordingsDialog dialog(model, 2LL << 30);
    dialog.show();
    auto* table = dialog.findChild<RecordTable*>();
    table->selectAll();
    QSignalSpy removed(&dialog, &RecordingsDialog::removeRequested);
    QString question;
    test::answerNext(u"Keep"_s, &question);
    test::shownButton(dialog, u"Remove …"_s)->click();
    QVERIFY2(question.contains(u"2 recordings"_s) && question.contains(u"12\u2009MiB"_s), qPrintable(question));
    QCOMPARE(removed.size(), 0);
    test::answerNext(u"Remove them"_s, &question);
    test::shownButton(dialog, u"Remove …"_s)->click();
    QCOMPARE(removed.size(), 1);
    QCOMPARE(removed.first().first().toStringList().size(), 2);
}

void RecordingsDialogTest::keepsWhatIsBeingRecorded()
{
    RecordingModel model;
    RecordingRow open = row(u"12"_s, 100, JobState::Running);
    open.isWritten = true;
    model.assign({open});
    RecordingsDialog dialog(model, 2LL << 30);
    dialog.show();
    QVERIFY(!test::shownButton(dialog, u"Remove …"_s)->isEnabled());
    QVERIFY(test::shownButton(dialog, u"Remove …"_s)->toolTip().contains(u"being recorded"_s));
    QVERIFY(test::shownButton(dialog, u"Replay"_s)->isEnabled()); // as far as it has come
    // a job that has ended, and that Live still shows
    open.job.state = JobState::Completed;
    model.assign({open});
    const QString note = model.index(0, RecordingModel::Note).data().toString();
    QCOMPARE(note, u"ended; its recording is still open"_s);
}

void RecordingsDialogTest::replaysOne()
{
    RecordingModel model;
    model.assign({row(u"11"_s, 5), row(u"12"_s, 7)});
    RecordingsDialog dialog(model, 2LL << 30);
    dialog.show();
    auto* table = dialog.findChild<RecordTable*>();
    QVERIFY(table->selectId(row(u"11"_s, 5).path));
    QSignalSpy replay(&dialog, &RecordingsDialog::replayRequested);
    test::shownButton(dialog, u"Replay"_s)->click();
    QCOMPARE(replay.size(), 1);
    QCOMPARE(replay.first().first().toString(), row(u"11"_s, 5).path);
    table->selectAll();
    QVERIFY(!test::shownButton(dialog, u"Replay"_s)->isEnabled());
    dialog.findChild<QLineEdit*>()->setText(u"nothing of that name"_s);
    QVERIFY(!test::shownButton(dialog, u"Remove …"_s)->isEnabled());
}

void RecordingsDialogTest::emptyListSaysSo()
{
    RecordingModel model;
    RecordingsDialog dialog(model, 2LL << 30);
    dialog.show();
    bool said = false;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        said = said || (label->isVisible() && label->text().contains(u"while it is watched"_s));
    QVERIFY(said);
    QVERIFY(!test::shownButton(dialog, u"Replay"_s)->isEnabled());
}

RANKWRIGHT_WIDGET_TEST_MAIN(RecordingsDialogTest)
#include "tst_recordingsdialog.moc"
