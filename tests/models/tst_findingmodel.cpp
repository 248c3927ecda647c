// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/findingmodel.h"
#include "tests/support/testbase.h"

#include <QAbstractItemModelTester>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

Finding finding(Severity severity, const QString& text)
{
    Finding made;
    made.severity = severity;
    made.text = text;
    made.rule = u"L35"_s;
    made.field = u"resources.nodes"_s;
    made.source = u"LUMI user guide"_s;
    return made;
}

} // namespace

class FindingModelTest final : public test::Suite {
    Q_OBJECT
private slots:
    void errorsFirst();
    void roles();
    void outOfRange();
};

void FindingModelTest::errorsFirst()
{
    FindingModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.assign({finding(Severity::Hint, u"h"_s), finding(Severity::Error, u"e1"_s),
        finding(Severity::Warning, u"w"_s), finding(Severity::Error, u"e2"_s)});
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts.append(model.data(model.index(row), Qt::DisplayRole).toString());
    QCOMPARE(texts, QStringList({u"e1"_s, u"e2"_s, u"w"_s, u"h"_s}));
    QCOMPARE(model.count(Severity::Error), 2);
    model.assign({});
    QCOMPARE(model.rowCount(), 0);
}

void FindingModelTest::roles()
{
    FindingModel model;
    Finding curable = finding(Severity::Error, u"too many"_s);
    curable.fix = Fix{u"Use 4 nodes"_s, [](JobSpec&) {}};
    model.assign({curable, finding(Severity::Hint, u"fine"_s)});
    QCOMPARE(model.data(model.index(0), FindingModel::SeverityRole).toInt(), int(Severity::Error));
    QCOMPARE(model.data(model.index(0), FindingModel::RuleRole).toString(), u"L35"_s);
    QCOMPARE(model.data(model.index(0), FindingModel::FieldRole).toString(), u"resources.nodes"_s);
    QCOMPARE(model.data(model.index(0), FindingModel::SourceRole).toString(), u"LUMI user guide"_s);
    QCOMPARE(model.data(model.index(0), FindingModel::FixLabelRole).toString(), u"Use 4 nodes"_s);
    QVERIFY(!model.data(model.index(1), FindingModel::FixLabelRole).isValid());
}

void FindingModelTest::outOfRange()
{
    FindingModel model, other;
    model.assign({finding(Severity::Error, u"e"_s)});
    other.assign({finding(Severity::Error, u"a"_s), finding(Severity::Error, u"b"_s)});
    QVERIFY(!model.data({}, Qt::DisplayRole).isValid());
    QVERIFY(!model.data(other.index(1), Qt::DisplayRole).isValid());
    QVERIFY(!model.index(1).isValid() && !model.index(-1).isValid());
    QCOMPARE(model.rowCount(model.index(0)), 0);
    QVERIFY(!model.data(model.index(0), Qt::UserRole + 99).isValid());
}

RANKWRIGHT_TEST_MAIN(FindingModelTest)
#include "tst_findingmodel.moc"
