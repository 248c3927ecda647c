// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/document/designjson.h"
#include "models/script/document/scriptlosses.h"
#include "models/script/read/scriptedit.h"
#include "models/script/read/scriptimport.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Batch scripts of others read back into designs: forms as they are in the guides of LUMI, CSC, MPCDF, NERSC, IDRIS,
/// Princeton, Mila, BigScience, PyTorch, accelerate, AWS and NeMo (tests/data/handwritten, written again), and the
/// settings of the published script cases put into scripts again.
class ScriptReaderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void handwritten_data();
    void handwritten();
    void handwrittenKeepsEveryByte_data() { handwritten_data(); }
    void handwrittenKeepsEveryByte();
    void ownLinesComeBackAsFields();
    void publishedSettings_data();
    void publishedSettings();

private:
    static QByteArray fileBytes(const QString& name);
    static QString scriptOf(const QJsonObject& expected);
    const ClusterProfile* profileOf(const QString& name) const;
    Catalogue m_catalogue;
};

QByteArray ScriptReaderTest::fileBytes(const QString& name)
{
    QFile file(rankwright::test::sourcePath(u"/tests/data/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const ClusterProfile* ScriptReaderTest::profileOf(const QString& name) const
{
    const ClusterProfile* profile = m_catalogue.find(name.toLower());
    return profile != nullptr ? profile : m_catalogue.find(u"generic"_s);
}

void ScriptReaderTest::initTestCase()
{
    m_catalogue = loadCatalogue({});
    QVERIFY(m_catalogue.find(u"generic"_s) != nullptr);
}

void ScriptReaderTest::handwritten_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QJsonObject>("expected");
    const QJsonObject all = QJsonDocument::fromJson(fileBytes(u"handwritten/expected.json"_s)).object();
    QVERIFY(all.size() >= 25);
    for (auto it = all.begin(); it != all.end(); ++it)
        QTest::newRow(qPrintable(it.key()))
            << QString::fromUtf8(fileBytes(u"handwritten/"_s + it.key() + u".sh"_s)) << it.value().toObject();
}

void ScriptReaderTest::handwritten()
{
    QFETCH(QString, text);
    QFETCH(QJsonObject, expected);
    const ClusterProfile* profile = profileOf(expected.value(u"cluster"_s).toString());
    const BatchText batch = parseBatch(text);
    const ScriptReading reading = readScript(batch, *profile);
    const JobSpec spec = rewrittenDesignOf(reading, *profile);
    const QJsonObject design = QJsonDocument::fromJson(writeDesign(spec)).object();
    static const QHash<QString, QString> paths{{u"nodes"_s, u"resources.nodes"_s},
        {u"gpusPerNode"_s, u"resources.gpusPerNode"_s}, {u"cpusPerGpu"_s, u"resources.cpusPerGpu"_s},
        {u"memory"_s, u"resources.memoryPerNode"_s}, {u"strategy"_s, u"parallel.strategy"_s},
        {u"tensor"_s, u"parallel.tensor"_s}, {u"pipeline"_s, u"parallel.pipeline"_s},
        {u"container"_s, u"environment.container"_s}, {u"modules"_s, u"environment.modules"_s},
        {u"variables"_s, u"environment.variables"_s}, {u"binds"_s, u"environment.binds"_s}};
    static const QStringList direct{u"name"_s, u"account"_s, u"partition"_s, u"reservation"_s, u"time"_s, u"launcher"_s,
        u"command"_s, u"workdir"_s};
    for (auto it = expected.begin(); it != expected.end(); ++it) {
        if (it.key() == u"cluster" || it.key() == u"kept")
            continue;
        const QString path = direct.contains(it.key()) ? it.key() : paths.value(it.key(), u"options."_s + it.key());
        QJsonValue value = design;
        for (const QString& part : path.split(u'.'))
            value = value.toObject().value(part);
        QVERIFY2(value == it.value(),
            qPrintable(u"%1: %2 instead of %3"_s.arg(path,
                QString::fromUtf8(QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact)),
                QString::fromUtf8(QJsonDocument(QJsonArray{it.value()}).toJson(QJsonDocument::Compact)))));
    }
    // What has no field is in the rewritten script, or said to be lost.
    const WrittenScript written = writtenScript(resolve(spec, *profile), *profile);
    QString all = written.text();
    for (const NotUnderstood& part : scriptLosses(batch, reading, written.batch))
        all += part.text + u" # "_s + part.why + u'\n';
    const auto folded = [](QString some) { return some.remove(u'"').remove(u'\'').simplified(); };
    for (const QJsonValue& kept : expected.value(u"kept"_s).toArray())
        QVERIFY2(folded(all).contains(folded(kept.toString())), qPrintable(kept.toString() + u"\nis not in\n"_s + all));
}

void ScriptReaderTest::handwrittenKeepsEveryByte()
{
    QFETCH(QString, text);
    QFETCH(QJsonObject, expected);
    const ClusterProfile* profile = profileOf(expected.value(u"cluster"_s).toString());
    const JobSpec read = readScript(parseBatch(text), *profile).spec;
    const JobSpec exact = applyScriptEdit(read, *profile, text).exact;
    QCOMPARE(writeScript(resolve(exact, *profile), *profile).text(), text);
    const Result<ReadDesign> again = readDesign(writeDesign(exact), u"again"_s);
    QVERIFY_RESULT(again);
    QCOMPARE(again->spec, exact);
}

/// What a script of ours says about continuing and binding is read back into its fields, not kept as foreign text.
void ScriptReaderTest::ownLinesComeBackAsFields()
{
    const ClusterProfile* lumi = m_catalogue.find(u"lumi"_s);
    const QString chain = QString::fromUtf8(fileBytes(u"scripts/lumi-chain-requeue.sh"_s));
    const BatchText batch = parseBatch(chain);
    ScriptReading reading = readScript(batch, *lumi);
    const JobSpec spec = designOf(reading, batch, *lumi);
    dropOwnLines(reading, spec, *lumi);
    QCOMPARE(spec.options.requeueAtLimit, std::optional(5));
    QCOMPARE(spec.options.resumeArguments, std::optional(u"--resume 'last one'"_s));
    QCOMPARE(spec.options.cpuBinding, std::optional(true));
    QVERIFY(spec.overrides.isEmpty());
    for (const NotUnderstood& part : std::as_const(reading.notUnderstood))
        qInfo("line %d: %s", part.line, qPrintable(part.text));
    QVERIFY(reading.notUnderstood.isEmpty());
    QCOMPARE(writeScript(resolve(spec, *lumi), *lumi).text(), chain);

    const QString unbound = QString::fromUtf8(fileBytes(u"scripts/lumi-8gcd-torchrun-unbound.sh"_s));
    QCOMPARE(readScript(parseBatch(unbound), *lumi).spec.options.cpuBinding, std::optional(false));
    const QString bound = QString::fromUtf8(fileBytes(u"scripts/lumi-8gcd-torchrun.sh"_s));
    QVERIFY(readScript(parseBatch(bound), *lumi).spec.options.cpuBinding.value_or(true));
    const QString array = QString::fromUtf8(fileBytes(u"scripts/raven-array-accelerate.sh"_s));
    QCOMPARE(readScript(parseBatch(array), *m_catalogue.find(u"raven"_s)).spec.options.resumeArguments,
        std::optional(u"--resume"_s));
}

/// The settings of a published case as a script again, in the spellings that it was published in.
QString ScriptReaderTest::scriptOf(const QJsonObject& expected)
{
    const auto text = [](const QJsonValue& value) {
        return value.isDouble() ? QString::number(value.toInteger()) : value.toString();
    };
    QStringList lines{u"#!/bin/bash"_s};
    const QJsonObject directives = expected.value(u"sbatch"_s).toObject();
    for (auto it = directives.begin(); it != directives.end(); ++it) {
        if (it.key() == u"argos")
            continue;
        const bool flag = it.value().isBool() || (it.value().isString() && it.value().toString().isEmpty());
        lines.append(u"#SBATCH --"_s + it.key()
            + (flag ? QString() : u'=' + text(it.value()).replace(u'<', u'x').replace(u'>', u'x')));
    }
    const QJsonObject variables = expected.value(u"vars"_s).toObject();
    for (auto it = variables.begin(); it != variables.end(); ++it)
        lines.append(it.key() + u"=\""_s + text(it.value()) + u'"');
    const QJsonObject launch = expected.value(u"launch"_s).toObject();
    const auto plain = [&](const QString& key) { // "$GPUS_PER_NODE (8)" -> "8"
        const QString value = text(launch.value(key));
        const qsizetype open = value.indexOf(u" ("_s);
        return open > 0 ? value.mid(open + 2).section(u')', 0, 0).section(u',', 0, 0) : value;
    };
    QString line = launch.value(u"via_srun"_s).toBool(true) ? u"srun "_s : QString();
    const QJsonObject step = launch.value(u"srun_args"_s).toObject();
    for (auto it = step.begin(); it != step.end() && !line.isEmpty(); ++it) {
        if (it.key() != u"auto-resume" && it.key() != u"nodelist" && it.key() != u"cpu-bind")
            line += it.value().isBool() ? u"--%1 "_s.arg(it.key()) : u"--%1=\"%2\" "_s.arg(it.key(), text(it.value()));
    }
    const QString entry = launch.value(u"entry"_s).toString();
    const QString program = launch.value(u"program"_s).toString(u"train.py"_s);
    const auto option = [&](const QString& name, const QString& key) {
        return launch.contains(key) ? u" --%1=%2"_s.arg(name, plain(key)) : QString();
    };
    if (entry.contains(u"torch")) {
        line += (entry == u"torchrun" ? entry : u"python -m torch.distributed.launch"_s)
            + option(u"nnodes"_s, u"nnodes"_s) + option(u"nproc_per_node"_s, u"nproc_per_node"_s)
            + (launch.value(u"standalone"_s).toBool() ? u" --standalone"_s : QString());
    } else if (entry.startsWith(u"accelerate")) {
        line += entry + option(u"num_processes"_s, u"num_processes"_s).replace(u'(', u'(')
            + option(u"num_machines"_s, u"num_machines"_s);
    } else if (entry == u"deepspeed") {
        line += entry;
    } else if (entry == u"mpirun") {
        line += u"mpirun -np 16 python"_s;
    } else if (program.section(u' ', 0, 0).endsWith(u".py")) {
        line += u"python"_s;
    }
    lines.append(line + u' ' + program);
    return lines.join(u'\n') + u'\n';
}

void ScriptReaderTest::publishedSettings_data()
{
    QTest::addColumn<QJsonObject>("row");
    for (const QByteArray& line : fileBytes(u"script_cases.jsonl"_s).split('\n')) {
        const QJsonObject row = QJsonDocument::fromJson(line).object();
        if (!row.isEmpty())
            QTest::newRow(qPrintable(row.value(u"id"_s).toString())) << row;
    }
}

void ScriptReaderTest::publishedSettings()
{
    QFETCH(QJsonObject, row);
    const QJsonObject inputs = row.value(u"inputs"_s).toObject();
    const QJsonObject expected = row.value(u"expected"_s).toObject();
    const QJsonObject derived = expected.value(u"derived"_s).toObject();
    const QJsonObject directives = expected.value(u"sbatch"_s).toObject();
    const ClusterProfile* profile = profileOf(inputs.value(u"cluster"_s).toString());
    const QString text = scriptOf(expected);
    const JobSpec spec = readScript(parseBatch(text), *profile).spec;
    const ResolvedSpec resolved = resolve(spec, *profile);
    const QByteArray shown = text.toUtf8();
    if (directives.contains(u"nodes"_s) && inputs.value(u"nodes"_s).isDouble())
        QVERIFY2(resolved.nodes == inputs.value(u"nodes"_s).toInt(), shown.constData());
    static const QStringList gpuOptions{u"gpus-per-node"_s, u"gres"_s, u"gpus-per-task"_s};
    if (inputs.value(u"nodes"_s).isDouble()
        && std::any_of(
            gpuOptions.begin(), gpuOptions.end(), [&](const QString& key) { return directives.contains(key); }))
        QVERIFY2(spec.resources.gpusPerNode == inputs.value(u"gpus_per_node"_s).toInt(), shown.constData());
    if (directives.contains(u"cpus-per-task"_s) && derived.contains(u"cpus_per_gpu"_s)
        && derived.value(u"cpus_per_gpu"_s).toDouble() == derived.value(u"cpus_per_gpu"_s).toInt()
        && spec.resources.cpusPerGpu)
        QVERIFY2(*spec.resources.cpusPerGpu == derived.value(u"cpus_per_gpu"_s).toInt(), shown.constData());
    if (derived.contains(u"time_s"_s) && directives.contains(u"time"_s))
        QVERIFY2(spec.time && spec.time->count == derived.value(u"time_s"_s).toInt(), shown.constData());
    if (derived.contains(u"mem_gib_per_node"_s) && spec.resources.memoryPerNode)
        QVERIFY2(qAbs(spec.resources.memoryPerNode->inGib() - derived.value(u"mem_gib_per_node"_s).toDouble()) < 0.5,
            shown.constData());
    if (directives.contains(u"partition"_s) && !directives.value(u"partition"_s).toString().startsWith(u'<'))
        QCOMPARE(resolved.partitionInfo.slurmName(), directives.value(u"partition"_s).toString());
    const QString launcher = inputs.value(u"launcher"_s).toString();
    QVERIFY2(spec.launcher
            && (launcher == u"mpirun" ? *spec.launcher == Launcher::Horovod : toText(*spec.launcher) == launcher),
        shown.constData());
    if (inputs.value(u"strategy"_s).toString() == u"single")
        QVERIFY2(spec.parallel.strategy == Strategy::Single, shown.constData());
    else if (resolved.worldSize() > 1 && directives.contains(u"nodes"_s))
        QVERIFY2(spec.parallel.strategy != Strategy::Single, shown.constData());
}

RANKWRIGHT_TEST_MAIN(ScriptReaderTest)
#include "tst_scriptreader.moc"
