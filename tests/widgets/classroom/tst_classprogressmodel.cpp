// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/classroom/classprogressmodel.h"

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>

using namespace Qt::StringLiterals;
using namespace rankwright;

class ClassProgressModelTest final : public test::Suite {
    Q_OBJECT
private slots:
    void showsWhoIsWhere();
};

void ClassProgressModelTest::showsWhoIsWhere()
{
    enum Column { Attendee, Exercise, Checks, Done, StuckOn };
    ClassFile file;
    file.exercises.resize(12);
    ClassProgressModel model(file);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    ProgressRow ada{u"ada"_s, u"ex-1"_s, 2, 3, 10, {}, {}, {}};
    ProgressRow bob{u"bob"_s, u"ex-2"_s, 0, 3, 9, u"oom\u202e\tgpu"_s, {}, {}};
    bob.stuckSince = QDateTime::fromSecsSinceEpoch(1'700'000'000);
    ada.stuckOn = u"oom_gpu"_s;
    model.assign({bob, ada});
    QVERIFY(model.index(1, StuckOn).data(Qt::ToolTipRole).toString().contains(u"micro-batch"_s)); // what helps
    ada.stuckOn.clear();
    model.assign({bob, ada});
    QCOMPARE(model.rowCount(), 2);
    QCOMPARE(model.index(1, Checks).data().toString(), u"2 of 3"_s);
    QCOMPARE(model.index(1, StuckOn).data().toString(), u"–"_s);
    QVERIFY(!model.index(0, StuckOn).data().toString().contains(QChar(0x202e)));
    QCOMPARE(progressText(model).count(u'\n'), 3);
    QCOMPARE(progressText(model).count(u'\t'), 3 * (model.columnCount() - 1));
    QSortFilterProxyModel sorted;
    sorted.setSourceModel(&model);
    sorted.setSortRole(SortRole);
    sorted.sort(Done, Qt::DescendingOrder); // 10 before 9: by number
    QCOMPARE(sorted.index(0, Attendee).data().toString(), u"ada"_s);
    model.assign({});
    QCOMPARE(model.rowCount(), 0);
}

RANKWRIGHT_WIDGET_TEST_MAIN(ClassProgressModelTest)
#include "tst_classprogressmodel.moc"
