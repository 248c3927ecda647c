// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/designjson.h"
#include "models/teaching/learn/question.h"
#include "models/teaching/learn/term.h"
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;
using rankwright::test::Answer;
using rankwright::test::run;

/// `explain`: words and questions with the figures of a design, a cluster, or of nobody.
class CliExplainTest final : public test::Suite {
    Q_OBJECT
private slots:
    void lists();
    void aTerm();
    void aQuestion();
    void withADesign();
    void withoutFigures();
    void asText();
    void nothingFound();
    void wrongUse_data();
    void wrongUse();
};

void CliExplainTest::lists()
{
    const Answer answer = run({u"explain"_s, u"--json"_s});
    QCOMPARE(answer.code, 0);
    QCOMPARE(answer.json().value(u"terms").toArray().size(), terms().size());
    QCOMPARE(answer.json().value(u"questions").toArray().size(), questions().size());
    const Answer text = run({u"explain"_s, u"--cluster"_s, u"lumi"_s});
    QCOMPARE(text.code, 0);
    QVERIFY(text.out.contains(u"Are all my GCDs used?"));
}

void CliExplainTest::aTerm()
{
    const Answer answer = run({u"explain"_s, u"wrold"_s, u"size"_s, u"--cluster"_s, u"lumi"_s, u"--json"_s});
    QCOMPARE(answer.code, 0);
    const QJsonObject found = answer.json().value(u"found").toObject();
    QCOMPARE(found.value(u"kind").toString(), u"term"_s);
    QCOMPARE(found.value(u"id").toString(), u"world-size"_s);
    QVERIFY(found.value(u"numbers").toString().contains(u"a world size of 8"));
    QVERIFY(!found.value(u"related").toArray().isEmpty());
    QVERIFY(!found.value(u"picture").toString().isEmpty());
}

void CliExplainTest::aQuestion()
{
    const Answer answer = run({u"explain"_s, u"nccl-or-rccl"_s, u"--cluster"_s, u"raven"_s, u"--json"_s});
    QCOMPARE(answer.code, 0);
    const QJsonObject found = answer.json().value(u"found").toObject();
    QCOMPARE(found.value(u"kind").toString(), u"question"_s);
    QVERIFY(found.value(u"text").isNull());
    QVERIFY(found.value(u"numbers").toString().contains(u"NCCL itself"));
    QVERIFY(answer.json().value(u"others").isArray());
}

void CliExplainTest::withADesign()
{
    QTemporaryDir folder;
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.resources.nodes = 3;
    const QString path = folder.filePath(u"three.json"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(writeDesign(spec));
    file.close();
    const Answer answer = run({u"explain"_s, u"rank"_s, u"--design"_s, path, u"--json"_s});
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.json().value(u"found").toObject().value(u"numbers").toString().contains(u"24 ranks"));
}

void CliExplainTest::withoutFigures()
{
    const Answer answer = run({u"explain"_s, u"rank"_s, u"--json"_s});
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.json().value(u"found").toObject().value(u"numbers").isNull());
    QVERIFY(answer.json().value(u"found").toObject().value(u"text").toString().contains(u"one GPU."));
}

void CliExplainTest::asText()
{
    const Answer answer = run({u"explain"_s, u"--cluster"_s, u"lumi"_s, u"GCD"_s});
    QCOMPARE(answer.code, 0);
    QVERIFY(answer.out.startsWith(u"GCD\n"));
    QVERIFY(answer.out.contains(u"A node of LUMI has 8 GCDs"));
    QVERIFY(answer.out.contains(u"See also: package"));
}

void CliExplainTest::nothingFound()
{
    const Answer answer = run({u"explain"_s, u"xylophone"_s, u"--json"_s});
    QCOMPARE(answer.code, 1);
    QVERIFY(answer.json().value(u"found").isNull());
    QVERIFY(answer.err.contains(u"xylophone"));
}

void CliExplainTest::wrongUse_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("cluster") << QStringList{u"--cluster"_s, u"nowhere"_s, u"rank"_s};
    QTest::newRow("both") << QStringList{u"--cluster"_s, u"lumi"_s, u"--design"_s, u"x.json"_s, u"rank"_s};
    QTest::newRow("no file") << QStringList{u"--design"_s, u"no-such-file.json"_s, u"rank"_s};
    QTest::newRow("option") << QStringList{u"--colour"_s, u"rank"_s};
}

void CliExplainTest::wrongUse()
{
    QFETCH(QStringList, arguments);
    const Answer answer = run(QStringList{u"explain"_s} + arguments);
    QCOMPARE(answer.code, 2);
    QVERIFY(answer.out.isEmpty());
    QCOMPARE(answer.err.count(u'\n'), 1);
}

RANKWRIGHT_TEST_MAIN(CliExplainTest)
#include "tst_cliexplain.moc"
