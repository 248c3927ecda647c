// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/linediff.h"
#include "models/document/design.h"
#include "models/document/designjson.h"
#include "models/script/read/scriptedit.h"
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTextStream>

using namespace Qt::StringLiterals;
using namespace rankwright;
using rankwright::test::Answer;
using rankwright::test::run;

/// `check` on batch scripts: what it answers, and its exit codes.
class TestCliCheck final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY(m_folder.isValid()); }
    void findingsOfAScript();
    void exitCodes_data();
    void exitCodes();
    void textForm();
    void editedScriptOfADesign();
    void designs_data();
    void designs();
    void partsOfAGpu();

private:
    QString file(const QByteArray& bytes);

    QTemporaryDir m_folder;
    int m_files = 0;
};

namespace {

const QByteArray twoWorlds = "#!/bin/bash\n#SBATCH --account=project_462000265\n#SBATCH --partition=standard-g\n"
                             "#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\n#SBATCH --cpus-per-task=56\n"
                             "#SBATCH --gpus-per-node=8\n#SBATCH --mem=480G\n#SBATCH --time=01:00:00\n"
                             "srun torchrun --standalone --nproc_per_node=8 train.py\n";
const QByteArray fine
    = "#!/bin/bash\n#SBATCH --account=project_462000265\n#SBATCH --partition=small-g\n"
      "#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=1\n#SBATCH --cpus-per-task=7\n"
      "#SBATCH --gpus-per-node=1\n#SBATCH --mem=60G\n#SBATCH --time=01:00:00\nsrun python3 train.py\n";

} // namespace

QString TestCliCheck::file(const QByteArray& bytes)
{
    const QString path = m_folder.filePath(u"job-%1.sh"_s.arg(++m_files));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(path));
    file.write(bytes);
    return path;
}

void TestCliCheck::findingsOfAScript()
{
    const Answer answer = run({u"check"_s, u"--cluster"_s, u"lumi"_s, file(twoWorlds), u"--json"_s});
    QCOMPARE(answer.code, 1);
    const QJsonArray findings = QJsonDocument::fromJson(answer.out.toUtf8()).object().value(u"findings"_s).toArray();
    bool found = false;
    for (const QJsonValue& value : findings) {
        const QJsonObject finding = value.toObject();
        for (const QString& member : {u"severity"_s, u"rule"_s, u"slug"_s, u"line"_s, u"field"_s, u"text"_s, u"fix"_s})
            QVERIFY2(finding.contains(member), qPrintable(member));
        if (finding.value(u"rule"_s).toString() != u"L04"_s)
            continue;
        found = true;
        QCOMPARE(finding.value(u"slug"_s).toString(), u"standalone-nodes"_s);
        QCOMPARE(finding.value(u"severity"_s).toString(), u"error"_s);
        QCOMPARE(finding.value(u"line"_s).toInt(), 10);
        QVERIFY(finding.value(u"fix"_s).isString());
    }
    QVERIFY(found);
}

void TestCliCheck::exitCodes_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<int>("code");
    const QStringList lumi{u"--cluster"_s, u"lumi"_s};
    const QByteArray design = R"({"version": 1, "cluster": "lumi", "account": "project_462000265",
        "resources": {"nodes": 1, "gpusPerNode": 1}})";
    QTest::newRow("fine") << lumi << fine << 0;
    QTest::newRow("an error in it") << lumi << twoWorlds << 1;
    QTest::newRow("no cluster: rules of Slurm only") << QStringList() << twoWorlds << 1;
    QTest::newRow("a design is recognised by its content") << QStringList() << design << 0;
    QTest::newRow("a design names its cluster") << lumi << design << 2;
    QTest::newRow("unknown cluster") << QStringList{u"--cluster=nowhere"_s} << fine << 2;
    QTest::newRow("empty") << lumi << QByteArray() << 2;
    QTest::newRow("not a text") << lumi
                                << QByteArray("\x7f"
                                              "ELF\0\0",
                                       6)
                                << 2;
}

void TestCliCheck::exitCodes()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, bytes);
    QFETCH(int, code);
    const Answer answer = run(QStringList{u"check"_s} + arguments + QStringList{file(bytes), u"--json"_s});
    QVERIFY2(answer.code == code, qPrintable(answer.out + answer.err));
    QCOMPARE(answer.err.count(u'\n'), code == 2 ? 1 : 0);
    QCOMPARE(QJsonDocument::fromJson(answer.out.toUtf8()).isObject(), code != 2);
}

void TestCliCheck::textForm()
{
    const Answer bad = run({u"check"_s, u"--cluster=lumi"_s, file(twoWorlds)});
    QVERIFY2(bad.out.contains(u"error   L04  line 10: "), qPrintable(bad.out));
    QCOMPARE(run({u"check"_s, file(fine)}).code, 0);
}

/// What was deleted from a design's script counts here as it does in the window and at a launch.
void TestCliCheck::editedScriptOfADesign()
{
    const Catalogue catalogue = loadCatalogue();
    const ClusterProfile& lumi = *catalogue.find(u"lumi"_s);
    JobSpec spec;
    spec.cluster = lumi.name;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 2;
    spec.time = Seconds{3600};
    spec.command = u"train.py"_s;
    QCOMPARE(run({u"check"_s, file(writeDesign(spec)), u"--json"_s}).code, 0);
    QStringList lines = linesOfText(derive(spec, lumi).script.text());
    lines.removeFirst();
    lines.append(u"#SBATCH --exclusive"_s);
    spec = applyScriptEdit(spec, lumi, lines.join(u'\n') + u'\n').exact;
    const Answer answer = run({u"check"_s, file(writeDesign(spec)), u"--json"_s});
    QCOMPARE(answer.code, 1);
    const QStringList members{u"field"_s, u"fix"_s, u"line"_s, u"rule"_s, u"severity"_s, u"slug"_s, u"source"_s,
        u"text"_s}; // published: docs/cli.md
    QMap<QString, QJsonObject> errors;
    for (const QJsonValue& one : answer.json().value(u"findings"_s).toArray()) {
        QCOMPARE(one.toObject().keys(), members);
        if (one.toObject().value(u"severity"_s) == u"error"_s)
            errors.insert(one.toObject().value(u"slug"_s).toString(), one.toObject());
    }
    QVERIFY2(errors.contains(u"shebang"_s), qPrintable(answer.out));
    QVERIFY2(errors.contains(u"directive-after-command"_s), qPrintable(answer.out));
    QCOMPARE(errors.value(u"directive-after-command"_s).value(u"line"_s).toInt(), int(lines.size()));
    QVERIFY(errors.value(u"directive-after-command"_s).value(u"fix"_s).isString());
}

void TestCliCheck::designs_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("slug");
    QTest::addColumn<QString>("severity");
    const QByteArray head = R"({"version": 1, "cluster": "lumi", "account": "project_462000265", "command": "t.py", )";
    QTest::newRow("F8: 540 B parameters on one GCD") << head
            + R"("partition": "small-g", "resources": {"nodes": 1, "gpusPerNode": 1}, "model": {"parameters": 540e9}})"
                                                     << 1 << u"memory-does-not-fit"_s << u"error"_s;
    QTest::newRow("F7: 1 M parameters on 8 GCDs")
        << head + R"("resources": {"nodes": 1, "gpusPerNode": 8}, "model": {"parameters": 1e6}})" << 0 << u"gpus-idle"_s
        << u"warning"_s;
    QTest::newRow("8 B parameters on 32 GCDs")
        << head + R"("resources": {"nodes": 4, "gpusPerNode": 8}, "model": {"preset": "llama-3-8b"}})" << 0 << QString()
        << QString();
    QTest::newRow("T5: closed") << head + R"("partition": "fmr-g", "resources": {"nodes": 64, "gpusPerNode": 8}})" << 1
                                << u"partition-closed"_s << u"error"_s;
}

void TestCliCheck::designs()
{
    QFETCH(QByteArray, members);
    QFETCH(int, code);
    QFETCH(QString, slug);
    QFETCH(QString, severity);
    const Answer answer = run({u"check"_s, u"--json"_s, u"--data-dir"_s, m_folder.path(), file(members)});
    QVERIFY2(answer.code == code, qPrintable(answer.out + answer.err));
    QStringList slugs;
    for (const QJsonValue& value : answer.json()[u"findings"_s].toArray()) {
        const QJsonObject finding = value.toObject();
        slugs.append(finding[u"slug"_s].toString());
        if (finding[u"slug"_s].toString() == slug)
            QCOMPARE(finding[u"severity"_s].toString(), severity);
    }
    if (slug.isEmpty())
        QVERIFY2(!slugs.contains(u"gpus-idle"_s), qPrintable(slugs.join(u' ')));
    else
        QVERIFY2(slugs.contains(slug), qPrintable(slugs.join(u' ')));
}

/// F9
void TestCliCheck::partsOfAGpu()
{
    for (const QByteArray part : {"0.5", "1/8"}) {
        QByteArray script = fine;
        script.replace("--gpus-per-node=1", QByteArray("--gpus-per-node=" + part));
        const Answer answer = run({u"check"_s, u"--cluster"_s, u"lumi"_s, file(script)});
        QCOMPARE(answer.code, 1);
        QVERIFY2(answer.out.contains(u"whole GPUs"), qPrintable(answer.out));
    }
}

RANKWRIGHT_TEST_MAIN(TestCliCheck)
#include "tst_clicheck.moc"
