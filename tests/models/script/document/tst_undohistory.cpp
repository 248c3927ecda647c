// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/undohistory.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class UndoHistoryTest final : public test::Suite {
    Q_OBJECT
private slots:
    void goesBackAndForward();
    void joinsStepsOfOneKey();
    void aNewStepForgetsWhatWasUndone();
    void keepsAThousandSteps();

private:
    static JobSpec named(const QString& name)
    {
        JobSpec spec;
        spec.name = name;
        return spec;
    }
};

void UndoHistoryTest::goesBackAndForward()
{
    UndoHistory history;
    QVERIFY(!history.undo(named(u"a"_s)) && !history.redo(named(u"a"_s)));
    history.add(u"first"_s, {}, named(u"a"_s), {});
    history.add(u"second"_s, {}, named(u"b"_s), {});
    QCOMPARE(history.lastUndo()->label, u"second"_s);
    QCOMPARE(*history.undo(named(u"c"_s)), named(u"b"_s));
    QCOMPARE(history.lastRedo()->label, u"second"_s);
    QCOMPARE(*history.undo(named(u"b"_s)), named(u"a"_s));
    QVERIFY(!history.lastUndo());
    QCOMPARE(*history.redo(named(u"a"_s)), named(u"b"_s));
    QCOMPARE(*history.redo(named(u"b"_s)), named(u"c"_s));
    QVERIFY(!history.lastRedo());
    history.clear();
    QVERIFY(!history.lastUndo() && !history.lastRedo());
}

void UndoHistoryTest::joinsStepsOfOneKey()
{
    UndoHistory history;
    history.add(u"nodes"_s, u"nodes"_s, named(u"a"_s), {{u"nodes"_s, u"1"_s}});
    QVERIFY(history.merges(u"nodes"_s) && !history.merges(u"time"_s) && !history.merges({}));
    history.add(u"nodes"_s, u"nodes"_s, named(u"b"_s), {{u"nodes"_s, u"16"_s}});
    QCOMPARE(history.lastUndo()->before, named(u"a"_s));
    QCOMPARE(history.lastUndo()->edits.first().value, u"16"_s);
    history.closeStep();
    QVERIFY(!history.merges(u"nodes"_s));
    history.add(u"nodes"_s, u"nodes"_s, named(u"c"_s), {});
    QCOMPARE(*history.undo(named(u"d"_s)), named(u"c"_s));
    QVERIFY(!history.merges(u"nodes"_s)); // what is typed after an undo is a step of its own
}

void UndoHistoryTest::aNewStepForgetsWhatWasUndone()
{
    UndoHistory history;
    history.add(u"first"_s, {}, named(u"a"_s), {});
    history.undo(named(u"b"_s));
    QVERIFY(history.lastRedo());
    history.add(u"other"_s, {}, named(u"a"_s), {});
    QVERIFY(!history.lastRedo());
}

void UndoHistoryTest::keepsAThousandSteps()
{
    UndoHistory history;
    for (int step = 0; step < 1003; ++step)
        history.add(u"step"_s, {}, named(QString::number(step)), {});
    int undone = 0;
    std::optional<JobSpec> last;
    while (auto before = history.undo({})) {
        last = before;
        ++undone;
    }
    QCOMPARE(undone, 1000);
    QCOMPARE(*last, named(u"3"_s));
}

RANKWRIGHT_TEST_MAIN(UndoHistoryTest)
#include "tst_undohistory.moc"
