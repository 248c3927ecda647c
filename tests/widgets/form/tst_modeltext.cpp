// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/estimate/network/modellist.h"
#include "tests/support/testbase.h"
#include "widgets/form/designfields.h"
#include "widgets/form/modeltext.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

class ModelTextTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsSizes_data();
    void readsSizes();
    void takesNamesOfTheList();
    void readsFiguresAndPaths();
    void writesWhatItReads_data();
    void writesWhatItReads();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void explainsEveryField();
    void keepsOpenFieldsOpen();
};

void ModelTextTest::readsSizes_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("parameters");
    QTest::newRow("7B") << u"7B"_s << 7e9;
    QTest::newRow("small letters, blank") << u" 1.3 b "_s << 1.3e9;
    QTest::newRow("comma") << u"6,7B"_s << 6.7e9;
    QTest::newRow("million") << u"350 million"_s << 350e6;
    QTest::newRow("trillion") << u"1T"_s << 1e12;
    QTest::newRow("in full") << u"124439808"_s << 124439808.0;
    QTest::newRow("exponent") << u"7e9"_s << 7e9;
    QTest::newRow("with the word") << u"7e9 parameters"_s << 7e9;
}

void ModelTextTest::readsSizes()
{
    QFETCH(QString, text);
    QFETCH(double, parameters);
    const auto model = readModel(text);
    QVERIFY_RESULT(model);
    QCOMPARE(model->size(), 1);
    QCOMPARE(model->value(u"parameters"_s).toDouble(), parameters);
}

void ModelTextTest::takesNamesOfTheList()
{
    QVERIFY(listedModels().size() > 50);
    for (const ListedModel& listed : listedModels()) {
        for (const QString& text : {listed.title, listed.name}) {
            const auto model = readModel(text);
            QVERIFY_RESULT(model);
            QVERIFY2(model->value(u"preset"_s).toString() == listed.name, qPrintable(text));
        }
        // Shown by its title, which reads back as the same model.
        QCOMPARE(writeModel({{u"preset"_s, listed.name}}), listed.title);
    }
    const auto unknown = readModel(u"My own model"_s);
    QVERIFY_RESULT(unknown);
    QCOMPARE(unknown->value(u"preset"_s).toString(), u"My own model"_s);
}

void ModelTextTest::readsFiguresAndPaths()
{
    const auto figures = readModel(u"layers=32, hidden=4096 heads=32 kvheads=8 gatedMlp=yes"_s);
    QVERIFY_RESULT(figures);
    QCOMPARE(figures->value(u"kvHeads"_s).toInt(), 8);
    QCOMPARE(figures->value(u"gatedMlp"_s).toBool(), true);
    const auto path = readModel(u"/home/ada/My model/config.json"_s);
    QVERIFY_RESULT(path);
    QCOMPARE(path->value(u"hfConfig"_s).toString(), u"/home/ada/My model/config.json"_s);
    const auto none = readModel(u"  "_s);
    QVERIFY_RESULT(none);
    QVERIFY(none->isEmpty());
}

void ModelTextTest::writesWhatItReads_data()
{
    QTest::addColumn<QString>("text");
    for (const QString& text : {u"7B"_s, u"1.3B"_s, u"350M"_s, u"1.5T"_s, u"124439808"_s, u"/tmp/config.json"_s,
             u"layers=32 hidden=4096 heads=32"_s, u"layers=2 hidden=64 heads=2 tiedEmbeddings=no"_s, u"My own"_s})
        QTest::newRow(qPrintable(text)) << text;
}

void ModelTextTest::writesWhatItReads()
{
    QFETCH(QString, text);
    const auto model = readModel(text);
    QVERIFY_RESULT(model);
    QCOMPARE(writeModel(*model), text);
}

void ModelTextTest::saysWhatIsWrong_data()
{
    QTest::addColumn<QString>("text");
    for (const QString& text : {u"7"_s, u"1e20"_s, u"0B"_s, u"layers=many"_s, u"layers=-3"_s, u"depth=12"_s})
        QTest::newRow(qPrintable(text)) << text;
}

void ModelTextTest::saysWhatIsWrong()
{
    QFETCH(QString, text);
    const auto model = readModel(text);
    QVERIFY(!model);
    QVERIFY(model.error().what.endsWith(u'.'));
}

void ModelTextTest::explainsEveryField()
{
    int fields = 0;
    for (const DesignField& field : designFields()) {
        if (field.group != FieldGroup::Model)
            continue;
        ++fields;
        QVERIFY2(field.help.size() > 30 && field.help.endsWith(u'.'), qPrintable(field.path));
    }
    QCOMPARE(fields, 18);
    QVERIFY(designFields().first().group == FieldGroup::Model);
}

void ModelTextTest::keepsOpenFieldsOpen()
{
    JobSpec spec;
    for (const DesignField& field : designFields()) {
        if (field.group != FieldGroup::Model)
            continue;
        QCOMPARE(field.text(spec), QString());
        QVERIFY_RESULT(field.apply(QString(), spec));
    }
    QCOMPARE(spec, JobSpec());
}

RANKWRIGHT_TEST_MAIN(ModelTextTest)
#include "tst_modeltext.moc"
