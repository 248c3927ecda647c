// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/core/linediff.h"
#include "models/script/document/design.h"
#include "models/script/document/designjson.h"
#include "models/script/lint/lint.h"
#include "models/script/read/scriptedit.h"
#include "tests/app/support/clirun.h"
#include "tests/support/cpuclock.h"
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
class CliCheckTest final : public test::Suite {
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
    void sizeByModel();
    void partsOfAGpu();
    void severalFiles();
    void silenced();
    void silencedInADesign();
    void sarif();
    void sarifFixes_data();
    void sarifFixes();
    void thousandScripts();

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

QString CliCheckTest::file(const QByteArray& bytes)
{
    const QString path = m_folder.filePath(u"job-%1.sh"_s.arg(++m_files));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(path));
    file.write(bytes);
    return path;
}

void CliCheckTest::findingsOfAScript()
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

void CliCheckTest::exitCodes_data()
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

void CliCheckTest::exitCodes()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, bytes);
    QFETCH(int, code);
    const Answer answer = run(QStringList{u"check"_s} + arguments + QStringList{file(bytes), u"--json"_s});
    QVERIFY2(answer.code == code, qPrintable(answer.out + answer.err));
    QCOMPARE(answer.err.count(u'\n'), code == 2 ? 1 : 0);
    QCOMPARE(QJsonDocument::fromJson(answer.out.toUtf8()).isObject(), code != 2);
}

void CliCheckTest::textForm()
{
    const Answer bad = run({u"check"_s, u"--cluster=lumi"_s, file(twoWorlds)});
    QVERIFY2(bad.out.contains(u"error   L04  line 10: "), qPrintable(bad.out));
    QCOMPARE(run({u"check"_s, file(fine)}).code, 0);
}

/// What was deleted from a design's script counts here as it does in the window and at a launch.
void CliCheckTest::editedScriptOfADesign()
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
    const QStringList members{u"field"_s, u"fix"_s, u"fixes"_s, u"line"_s, u"rule"_s, u"severity"_s, u"slug"_s,
        u"source"_s, u"text"_s}; // published: docs/cli.md
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

/// A design that names only a model: one sentence says what the model made of the size, in `check` and beside the
/// script; one that cannot fit is an error with several ways out by name.
void CliCheckTest::sizeByModel()
{
    const QByteArray head = R"({"version": 1, "cluster": "lumi", "account": "project_462000265", "command": "t.py", )";
    const QString open = file(head + R"("model": {"preset": "llama-3-70b"}})");
    const QString sentence = u"FSDP on 5 nodes with 8 GCDs each is taken"_s;
    const Answer checked = run({u"check"_s, open});
    QCOMPARE(checked.code, 0);
    QVERIFY2(checked.out.contains(sentence), qPrintable(checked.out));
    const Answer script = run({u"script"_s, open});
    QCOMPARE(script.code, 0);
    QVERIFY(script.out.contains(u"#SBATCH --nodes=5\n"_s));
    QVERIFY2(script.err.contains(sentence) && script.err.count(u'\n') == 1, qPrintable(script.err));
    const QString unfit = file(
        head + R"("resources": {"nodes": 1}, "parallel": {"strategy": "ddp"}, "model": {"preset": "llama-3-8b"}})");
    const Answer refused = run({u"check"_s, unfit});
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.out.count(u"             fix: "_s) >= 2, qPrintable(refused.out));
    const Answer written = run({u"script"_s, unfit});
    QCOMPARE(written.code, 1);
    QVERIFY2(written.err.contains(u", or: "_s), qPrintable(written.err));
}

void CliCheckTest::designs_data()
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
    QTest::newRow("25 M parameters alone on 8 GCDs: the length of a sample decides")
        << head + R"("resources": {"nodes": 1, "gpusPerNode": 8}, "model": {"parameters": 25e6}})" << 0
        << u"gpus-may-idle"_s << u"hint"_s;
    QTest::newRow("25 M parameters, long samples")
        << head + R"("resources": {"nodes": 1, "gpusPerNode": 8}, "training": {"sequence": 4096}, )"
            + R"("model": {"parameters": 25e6}})"
        << 0 << QString() << QString();
    QTest::newRow("25 M parameters alone on one GCD") << head
            + R"("partition": "small-g", "resources": {"nodes": 1, "gpusPerNode": 1}, "model": {"parameters": 25e6}})"
                                                      << 0 << QString() << QString();
    QTest::newRow("1 B parameters alone on 8 GCDs")
        << head + R"("resources": {"nodes": 1, "gpusPerNode": 8}, "model": {"parameters": 1e9}})" << 0 << QString()
        << QString();
    QTest::newRow("8 B parameters on 32 GCDs")
        << head + R"("resources": {"nodes": 4, "gpusPerNode": 8}, "model": {"preset": "llama-3-8b"}})" << 0 << QString()
        << QString();
    QTest::newRow("T5: closed") << head + R"("partition": "fmr-g", "resources": {"nodes": 64, "gpusPerNode": 8}})" << 1
                                << u"partition-closed"_s << u"error"_s;
}

void CliCheckTest::designs()
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
        QVERIFY2(!slugs.contains(u"gpus-idle"_s) && !slugs.contains(u"gpus-may-idle"_s), qPrintable(slugs.join(u' ')));
    else
        QVERIFY2(slugs.contains(slug), qPrintable(slugs.join(u' ')));
}

/// F9
void CliCheckTest::partsOfAGpu()
{
    for (const QByteArray part : {"0.5", "1/8"}) {
        QByteArray script = fine;
        script.replace("--gpus-per-node=1", QByteArray("--gpus-per-node=" + part));
        const Answer answer = run({u"check"_s, u"--cluster"_s, u"lumi"_s, file(script)});
        QCOMPARE(answer.code, 1);
        QVERIFY2(answer.out.contains(u"whole GPUs"), qPrintable(answer.out));
    }
}

/// One that cannot be read does not hide what is said of the others.
void CliCheckTest::severalFiles()
{
    const QString bad = file(twoWorlds), good = file(fine);
    const Answer both = run({u"check"_s, u"--cluster=lumi"_s, bad, good, u"--json"_s});
    QCOMPARE(both.code, 1);
    const QJsonArray files = both.json().value(u"files"_s).toArray();
    QCOMPARE(files.size(), 2);
    QCOMPARE(files.at(0).toObject().value(u"file"_s).toString(), bad);
    QVERIFY(!files.at(0).toObject().value(u"findings"_s).toArray().isEmpty());
    const Answer text = run({u"check"_s, u"--cluster=lumi"_s, bad, good});
    QVERIFY2(text.out.contains(bad + u":\n"_s) && text.out.contains(good + u":\n"_s), qPrintable(text.out));
    const Answer missing = run({u"check"_s, u"/no/such/script.sh"_s, bad});
    QCOMPARE(missing.code, 2);
    QVERIFY2(missing.out.contains(u"L04"_s) && missing.err.contains(u"/no/such/script.sh"_s), qPrintable(missing.out));
    QCOMPARE(run({u"check"_s, u"--format=xml"_s, bad}).code, 2);
}

void CliCheckTest::silenced()
{
    QByteArray text = twoWorlds;
    text.replace("srun torchrun", "# rankwright: ignore L04\nsrun torchrun");
    const QString path = file(text);
    const Answer answer = run({u"check"_s, path, u"--json"_s});
    QCOMPARE(answer.code, 0);
    const QJsonArray silenced = answer.json().value(u"silenced"_s).toArray();
    QCOMPARE(silenced.size(), 1);
    QCOMPARE(silenced.at(0).toObject().value(u"slug"_s).toString(), u"standalone-nodes"_s);
    QCOMPARE(silenced.at(0).toObject().value(u"line"_s).toInt(), 11);
    const Answer shown = run({u"check"_s, path});
    QVERIFY2(shown.out.contains(u"silenced 1: L04 in line 11\n"_s), qPrintable(shown.out));
}

/// A design with lines of its own: what a comment among them silences is shown as of a script.
void CliCheckTest::silencedInADesign()
{
    const QByteArray bytes = R"({"version": 1, "cluster": "lumi", "account": "project_462000265", "command": "train.py",
        "resources": {"nodes": 1, "gpusPerNode": 1}, "overrides": [{"after": "export PYTHONUNBUFFERED=",
        "lines": ["# rankwright: ignore L16", "#SBATCH --exclusive"]}]})";
    const QString path = file(bytes);
    const Answer answer = run({u"check"_s, path, u"--json"_s});
    const QJsonArray silenced = answer.json().value(u"silenced"_s).toArray();
    QVERIFY2(silenced.size() == 1, qPrintable(answer.out + answer.err));
    QCOMPARE(silenced.at(0).toObject().value(u"rule"_s).toString(), u"L16"_s);
    QVERIFY(run({u"check"_s, path}).out.contains(u"silenced 1: L16 in line "_s));
    const QJsonArray results = run({u"check"_s, path, u"--format=sarif"_s})
                                   .json()
                                   .value(u"runs"_s)
                                   .toArray()
                                   .at(0)
                                   .toObject()
                                   .value(u"results"_s)
                                   .toArray();
    QVERIFY(std::any_of(results.cbegin(), results.cend(), [](const QJsonValue& one) {
        return one.toObject().value(u"suppressions"_s).toArray().at(0).toObject().value(u"kind"_s) == u"inSource"_s;
    }));
}

/// SARIF 2.1.0: every result names a rule of the list, by id and by place, with a level and a line of the file.
void CliCheckTest::sarif()
{
    QByteArray text = twoWorlds;
    text.replace("srun torchrun", "  srun torchrun");
    text.append("srun python $* # rankwright: ignore L23\n");
    const Answer answer = run({u"check"_s, u"--cluster=lumi"_s, u"--format=sarif"_s, file(text), file(fine)});
    QCOMPARE(answer.code, 1);
    const QJsonObject log = answer.json();
    QCOMPARE(log.value(u"version"_s).toString(), u"2.1.0"_s);
    const QJsonArray runs = log.value(u"runs"_s).toArray();
    QCOMPARE(runs.size(), 1);
    const QJsonObject driver = runs.at(0).toObject().value(u"tool"_s).toObject().value(u"driver"_s).toObject();
    QCOMPARE(driver.value(u"name"_s).toString(), u"Rankwright"_s);
    const QJsonArray rules = driver.value(u"rules"_s).toArray();
    QSet<QString> ids;
    for (const QJsonValue& value : rules) {
        const QJsonObject rule = value.toObject();
        ids.insert(rule.value(u"id"_s).toString());
        QVERIFY(rule.value(u"help"_s).toObject().value(u"text"_s).toString().contains(u"Why this severity: "_s));
        QVERIFY(rule.value(u"defaultConfiguration"_s).toObject().contains(u"level"_s));
    }
    QCOMPARE(ids.size(), rules.size());
    bool found = false, suppressed = false;
    for (const QJsonValue& value : runs.at(0).toObject().value(u"results"_s).toArray()) {
        const QJsonObject result = value.toObject();
        const QString id = result.value(u"ruleId"_s).toString();
        QCOMPARE(rules.at(result.value(u"ruleIndex"_s).toInt()).toObject().value(u"id"_s).toString(), id);
        const QStringList levels{u"error"_s, u"warning"_s, u"note"_s};
        QVERIFY(levels.contains(result.value(u"level"_s).toString()));
        const QJsonObject place
            = result.value(u"locations"_s).toArray().at(0).toObject().value(u"physicalLocation"_s).toObject();
        const QJsonObject region = place.value(u"region"_s).toObject();
        QVERIFY(region.value(u"startLine"_s).toInt() >= 1);
        QVERIFY(!place.value(u"artifactLocation"_s).toObject().value(u"uri"_s).toString().isEmpty());
        if (id == u"L04/standalone-nodes"_s) {
            found = true;
            QCOMPARE(region.value(u"startLine"_s).toInt(), 10);
            QCOMPARE(region.value(u"startColumn"_s).toInt(), 3);
        }
        suppressed = suppressed || (id == u"L23/unquoted-arguments"_s && result.contains(u"suppressions"_s));
    }
    QVERIFY(found && suppressed);
}

void CliCheckTest::sarifFixes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a line replaced") << twoWorlds;
    QTest::newRow("lines removed") << QByteArray(twoWorlds).replace(
        "#SBATCH --nodes=2\n", "#SBATCH --nodes=2\n#SBATCH --nodes=2\n");
    QTest::newRow("no newline at the end") << twoWorlds.chopped(1);
    QTest::newRow("the last line removed, without newline") << QByteArray(fine) + "#SBATCH --exclusive";
    QTest::newRow("line ends of Windows") << QByteArray(twoWorlds).replace("\n", "\r\n");
    QTest::newRow("no first line") << fine.mid(12);
}

/// What a SARIF viewer does with a fix is what textAfter() does: regions are those of the text, in UTF-16.
void CliCheckTest::sarifFixes()
{
    QFETCH(QByteArray, text);
    const QString script = QString::fromUtf8(text);
    QStringList wanted;
    const Catalogue catalogue = loadCatalogue();
    for (const Finding& finding : lintScript(parseBatch(script), catalogue.find(u"lumi"_s)).findings) {
        if (finding.fix)
            wanted.append(finding.slug + u'\n' + finding.fix->label + u'\n' + textAfter(script, *finding.fix));
    }
    const Answer answer = run({u"check"_s, u"--cluster=lumi"_s, u"--format=sarif"_s, file(text)});
    const QJsonArray results = answer.json().value(u"runs"_s).toArray().at(0).toObject().value(u"results"_s).toArray();
    QStringList found;
    for (const QJsonValue& value : results) {
        const QJsonArray fixes = value.toObject().value(u"fixes"_s).toArray();
        if (fixes.isEmpty())
            continue;
        const QJsonObject fix = fixes.at(0).toObject();
        const QJsonObject change = fix.value(u"artifactChanges"_s).toArray().at(0).toObject();
        QVERIFY(!change.value(u"artifactLocation"_s).toObject().value(u"uri"_s).toString().isEmpty());
        QString after = script;
        const QStringList lines = script.split(u'\n');
        const auto offset = [&](int line, int column) {
            return lines.mid(0, line - 1).join(u'\n').size() + (line > 1 ? 1 : 0) + column - 1;
        };
        const QJsonArray replacements = change.value(u"replacements"_s).toArray();
        for (qsizetype i = replacements.size() - 1; i >= 0; --i) { // from the end: earlier places stay
            const QJsonObject one = replacements.at(i).toObject();
            const QJsonObject region = one.value(u"deletedRegion"_s).toObject();
            for (const QString& member : {u"startLine"_s, u"startColumn"_s, u"endLine"_s, u"endColumn"_s})
                QVERIFY(region.value(member).toInt() >= 1);
            const qsizetype from = offset(region.value(u"startLine"_s).toInt(), region.value(u"startColumn"_s).toInt());
            const qsizetype to = offset(region.value(u"endLine"_s).toInt(), region.value(u"endColumn"_s).toInt());
            QVERIFY(from <= to && to <= after.size());
            after.replace(from, to - from, one.value(u"insertedContent"_s).toObject().value(u"text"_s).toString());
        }
        found.append(value.toObject().value(u"ruleId"_s).toString().section(u'/', 1) + u'\n'
            + fix.value(u"description"_s).toObject().value(u"text"_s).toString() + u'\n' + after);
    }
    QVERIFY(!wanted.isEmpty());
    QCOMPARE(found, wanted);
}

/// A whole repository's scripts in one call: linear, and far below what a commit hook may take.
void CliCheckTest::thousandScripts()
{
    QStringList arguments{u"check"_s, u"--cluster=lumi"_s, u"--json"_s};
    for (int i = 0; i < 1000; ++i)
        arguments.append(file(i % 2 ? twoWorlds : fine));
    const rankwright::test::CpuClock clock;
    const Answer answer = run(arguments);
    QCOMPARE(answer.code, 1);
    QCOMPARE(answer.json().value(u"files"_s).toArray().size(), 1000);
    QVERIFY2(clock.elapsedMs() < 20000, qPrintable(QString::number(clock.elapsedMs())));
    qInfo("1 000 scripts: %lld ms", clock.elapsedMs());
}

RANKWRIGHT_TEST_MAIN(CliCheckTest)
#include "tst_clicheck.moc"
