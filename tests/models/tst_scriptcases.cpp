// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/catalogue/catalogue.h"
#include "models/core/jsonreader.h"
#include "models/script/scriptwriter.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

/// A script taken apart again: directives, what is set where, and the launch line.
struct ReadScript {
    QMap<QString, QString> directives;
    QStringList batch; ///< names exported in the batch shell
    QStringList task; ///< names exported inside the task
    QString launch; ///< the srun line, joined, without the task's own shell
    QString text; ///< without comments, lines joined
    int masks = 0;
};

QStringList exportedNames(const QString& text)
{
    static const QRegularExpression exports(u"(?:^|;)\\s*export ([^;\n]+)"_s, QRegularExpression::MultilineOption);
    static const QRegularExpression name(u"(?:^|\\s)([A-Z_][A-Z0-9_]*)(?==|\\s|$)"_s);
    QStringList names;
    for (const QRegularExpressionMatch& one : exports.globalMatch(text)) {
        for (const QRegularExpressionMatch& assigned : name.globalMatch(one.captured(1)))
            names.append(assigned.captured(1));
    }
    return names;
}

ReadScript readScript(const QString& script)
{
    ReadScript read;
    static const QRegularExpression directive(
        u"^#SBATCH --([a-z-]+)(?:=(\\S+))?$"_s, QRegularExpression::MultilineOption);
    for (const QRegularExpressionMatch& one : directive.globalMatch(script))
        read.directives.insert(one.captured(1), one.captured(2));
    static const QRegularExpression comment(u"^#.*\n"_s, QRegularExpression::MultilineOption);
    read.text = QString(script).remove(comment).replace(u"\\\n"_s, u" "_s);
    static const QRegularExpression taskShell(u"bash -c '([^']*)' _"_s);
    const QRegularExpressionMatch shell = taskShell.match(read.text);
    read.task = exportedNames(shell.captured(1));
    QString outside = read.text;
    outside.remove(shell.captured(0));
    read.batch = exportedNames(outside);
    read.launch = outside.mid(outside.indexOf(u"\nsrun "_s) + 1).simplified();
    static const QRegularExpression masks(u"CPU_BIND_MASKS=\"([^\"]*)\""_s);
    if (read.launch.contains(u"--cpu-bind"_s))
        read.masks = static_cast<int>(masks.match(read.text).captured(1).split(u',', Qt::SkipEmptyParts).size());
    return read;
}

int number(const ReadScript& script, const QString& key) { return script.directives.value(key).toInt(); }

int workersPerNode(const ReadScript& script)
{
    static const QRegularExpression workers(u"--nproc_per_node=(\\d+)"_s);
    const QRegularExpressionMatch match = workers.match(script.launch);
    return match.hasMatch() ? match.captured(1).toInt() : number(script, u"ntasks-per-node"_s);
}

/// Rank and address variables of a list, sorted: the ones that the comparison is about.
QJsonArray rankVariables(const QStringList& names)
{
    static const QStringList all{u"LOCAL_RANK"_s, u"LOCAL_WORLD_SIZE"_s, u"MASTER_ADDR"_s, u"MASTER_PORT"_s, u"RANK"_s,
        u"ROCR_VISIBLE_DEVICES"_s, u"WORLD_SIZE"_s};
    QJsonArray found;
    for (const QString& name : all) {
        if (names.contains(name))
            found.append(name);
    }
    return found;
}

QJsonObject settingsOf(const ReadScript& script)
{
    static const QRegularExpression backend(u"--rdzv_backend=(\\S+)"_s);
    static const QRegularExpression container(u"(\\S+) (?:run|exec)[^\"]* \"\\$SIF\""_s);
    const QRegularExpressionMatch backendMatch = backend.match(script.launch);
    const QRegularExpressionMatch containerMatch = container.match(script.launch);
    const int nodes = number(script, u"nodes"_s);
    QString memory = script.directives.value(u"mem"_s);
    memory.chop(memory.endsWith(u'G') ? 1 : 0);
    return {
        {u"gpusTotal"_s, nodes * number(script, u"gpus-per-node"_s)},
        {u"tasksPerNode"_s, number(script, u"ntasks-per-node"_s)},
        {u"workersPerNode"_s, workersPerNode(script)},
        {u"worldSize"_s, nodes * workersPerNode(script)},
        {u"cpusPerNode"_s, number(script, u"cpus-per-task"_s) * number(script, u"ntasks-per-node"_s)},
        {u"memGib"_s, memory.toInt()},
        {u"standalone"_s, script.launch.contains(u"--standalone"_s)},
        {u"backend"_s, backendMatch.hasMatch() ? QJsonValue(backendMatch.captured(1)) : QJsonValue()},
        {u"batch"_s, rankVariables(script.batch)},
        {u"task"_s, rankVariables(script.task)},
        {u"container"_s, containerMatch.hasMatch() ? QJsonValue(containerMatch.captured(1)) : QJsonValue()},
        {u"masks"_s, script.masks},
    };
}

JobSpec specOf(const QJsonObject& design)
{
    JobSpec spec;
    spec.name = u"case"_s;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_462000265"_s;
    spec.partition = design.value(u"partition"_s).toString();
    spec.resources.nodes = design.value(u"nodes"_s).toInt();
    spec.resources.gpusPerNode = design.value(u"gpusPerNode"_s).toInt();
    spec.parallel.strategy = strategyFrom(design.value(u"strategy"_s).toString());
    spec.launcher = launcherFrom(design.value(u"launcher"_s).toString());
    spec.time = parseSlurmTime(design.value(u"time"_s).toString()).value();
    if (!design.value(u"container"_s).toBool())
        spec.environment.container = u"none"_s;
    spec.command = u"train.py"_s;
    return spec;
}

} // namespace

/// The settings of generated LUMI scripts against those of published ones (tests/data/script_cases_lumi.json).
class TestScriptCases final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void settings_data();
    void settings();
    void nothingForbidden_data() { settings_data(); }
    void nothingForbidden();
    void masksAreThePublishedOnes();

private:
    ReadScript scriptOf(const QJsonObject& design) const;

    Catalogue m_catalogue;
    QJsonArray m_cases;
};

void TestScriptCases::initTestCase()
{
    m_catalogue = loadCatalogue();
    QFile file(QStringLiteral(RANKWRIGHT_SOURCE_DIR) + u"/tests/data/script_cases_lumi.json"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Result<QJsonObject> table = parseJsonObject(file.readAll(), file.fileName());
    QVERIFY_RESULT(table);
    m_cases = table->value(u"cases"_s).toArray();
    QCOMPARE(m_cases.size(), 23);
}

ReadScript TestScriptCases::scriptOf(const QJsonObject& design) const
{
    const ClusterProfile& profile = *m_catalogue.find(u"lumi"_s);
    return readScript(writeScript(resolve(specOf(design), profile), profile).text());
}

void TestScriptCases::settings_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QJsonValue& row : std::as_const(m_cases))
        QTest::newRow(qPrintable(row.toObject().value(u"id"_s).toString())) << row.toObject();
}

void TestScriptCases::settings()
{
    QFETCH(QJsonObject, row);
    const QJsonObject expected = row.value(u"expected"_s).toObject();
    const QJsonObject differs = row.value(u"differs"_s).toObject();
    const QJsonObject ours = settingsOf(scriptOf(row.value(u"design"_s).toObject()));
    const auto shown
        = [](const QJsonValue& value) { return QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact); };
    for (auto it = expected.begin(); it != expected.end(); ++it) {
        const bool nothingAsked = it.value().isNull() && (it.key() == u"cpusPerNode" || it.key() == u"memGib");
        if (nothingAsked) // the published script leaves it to the site
            continue;
        const QJsonObject difference = differs.value(it.key()).toObject();
        const QJsonValue wanted = difference.isEmpty() ? it.value() : difference.value(u"ours"_s);
        QVERIFY2(ours.value(it.key()) == wanted,
            QByteArray(it.key().toUtf8() + ": " + shown(ours.value(it.key())) + " instead of " + shown(wanted))
                .constData());
        if (!difference.isEmpty()) {
            QVERIFY2(wanted != it.value(), qPrintable(it.key() + u": no longer differs"_s));
            QVERIFY(!difference.value(u"why"_s).toString().isEmpty());
        }
    }
}

void TestScriptCases::nothingForbidden()
{
    QFETCH(QJsonObject, row);
    const QJsonObject design = row.value(u"design"_s).toObject();
    const ReadScript script = scriptOf(design);
    const bool agent = design.value(u"launcher"_s) == u"torchrun"_s;
    // R04, R14, R21
    for (const QString& key : {u"gpus"_s, u"gres"_s, u"gpus-per-task"_s, u"ntasks"_s, u"mem-per-gpu"_s})
        QVERIFY2(!script.directives.contains(key), qPrintable(key));
    QVERIFY(!script.directives.value(u"gpus-per-node"_s).contains(u':'));
    for (const QString& value : std::as_const(script.directives)) // R34
        QVERIFY2(!value.contains(u'$'), qPrintable(value));
    for (const QString& name :
        {u"RANK"_s, u"LOCAL_RANK"_s, u"ROCR_VISIBLE_DEVICES"_s, u"CUDA_VISIBLE_DEVICES"_s}) // R15, R21
        QVERIFY2(!script.batch.contains(name), qPrintable(name));
    static const QRegularExpression startsAgents(
        u"(?<![-\\w])torchrun\\s|torch\\.distributed\\.(run|launch)\\b|accelerate launch"_s);
    QCOMPARE(startsAgents.match(script.text).hasMatch(), agent); // R01
    if (agent) {
        QCOMPARE(number(script, u"ntasks-per-node"_s), 1);
        QVERIFY(!script.launch.contains(u"mask_cpu"_s)); // R20
        QVERIFY(!script.batch.contains(u"OMP_NUM_THREADS"_s)); // R22
        QVERIFY(!script.text.contains(u"--node_rank"_s)); // R10
        QVERIFY(!(design.value(u"nodes"_s).toInt() > 1 && script.launch.contains(u"--standalone"_s))); // R09
    } else if (design.value(u"strategy"_s) != u"single"_s) {
        QVERIFY(script.text.contains(u"export WORLD_SIZE=\"$SLURM_NTASKS\""_s)); // R15
        QVERIFY(number(script, u"cpus-per-task"_s) <= 7); // R02
    }
    static const QRegularExpression masterInTask(u"bash -c '[^']*MASTER_ADDR"_s);
    QVERIFY(!masterInTask.match(script.text).hasMatch()); // R11
    // R25, L29, L30: MIOpen's folders belong to the task and have the names that MIOpen reads
    QVERIFY(!script.text.contains(u"MIOPEN_USER_DB="_s) && !script.text.contains(u"mktemp"_s));
    QCOMPARE(script.task.count(u"MIOPEN_USER_DB_PATH"_s), 1);
    QCOMPARE(script.task.count(u"MIOPEN_CUSTOM_CACHE_DIR"_s), 1);
    QVERIFY(script.text.contains(u"--kill-on-bad-exit=1"_s)); // R30
    QVERIFY(script.text.contains(u"\nset -euo pipefail\n"_s)); // R29
}

void TestScriptCases::masksAreThePublishedOnes()
{
    // Getting Started with AI on LUMI workshop, lectures 08 and 09; LUMI AI guide 05
    const QJsonObject design{{u"partition"_s, u"standard-g"_s}, {u"nodes"_s, 2}, {u"gpusPerNode"_s, 8},
        {u"strategy"_s, u"ddp"_s}, {u"launcher"_s, u"srun"_s}, {u"time"_s, u"01:00:00"_s}, {u"container"_s, true}};
    QString text = scriptOf(design).text;
    QVERIFY2(text.remove(u' ').contains(u"CPU_BIND_MASKS=\"0x00fe000000000000,0xfe00000000000000,0x0000000000fe0000,"
                                        "0x00000000fe000000,0x00000000000000fe,0x000000000000fe00,0x000000fe00000000,"
                                        "0x0000fe0000000000\""_s),
        qPrintable(text));
}

RANKWRIGHT_TEST_MAIN(TestScriptCases)
#include "tst_scriptcases.moc"
