// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/batch/scriptcluster.h"
#include "models/script/checks/designchecks.h"
#include "models/script/document/scriptlosses.h"
#include "models/script/lint/lint.h"
#include "models/script/read/scriptimport.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Which queue a script asks for at sites where partition, QoS, constraint, GPU type and account say it together.
class QueueReadingTest : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_catalogue = loadCatalogue(); }
    void queueOfAScript_data();
    void queueOfAScript();
    void partitionOfAConstraint();
    void whatWeWriteIsReadBack();
    void designsOfOneKind();
    void slurmsOwnNameInADesign();
    void siteByQosOrAccount();

private:
    const ClusterProfile& site(const QString& name) const { return *m_catalogue.find(name); }
    static QString scriptWith(const QString& directives)
    {
        QString text = u"#!/bin/bash\n"_s;
        for (const QString& one : directives.split(u' '))
            text += u"#SBATCH "_s + one + u'\n';
        return text + u"srun python train.py\n"_s;
    }

    Catalogue m_catalogue;
};

void QueueReadingTest::queueOfAScript_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("directives");
    QTest::addColumn<QString>("partition");
    QTest::addColumn<QString>("qos");
    QTest::addColumn<QString>("constraint");
    QTest::addColumn<QString>("node");
    const auto row = [](const char* name, const char* cluster, const char* directives, const char* partition,
                         const char* qos, const char* constraint, const char* node) {
        QTest::newRow(name) << QString::fromUtf8(cluster) << QString::fromUtf8(directives)
                            << QString::fromUtf8(partition) << QString::fromUtf8(qos) << QString::fromUtf8(constraint)
                            << QString::fromUtf8(node);
    };
    row("H100 by constraint and its usual QoS", "jean-zay",
        "--account=vno@h100 --constraint=h100 --qos=qos_gpu_h100-t3 --nodes=1 --gres=gpu:4", "gpu_p6",
        "qos_gpu_h100-t3", "", "jean-zay-h100");
    row("H100, long", "jean-zay", "--account=vno@h100 --constraint=h100 --qos=qos_gpu_h100-t4 --gres=gpu:4",
        "gpu_p6-long", "", "", "jean-zay-h100");
    row("H100 by QoS alone", "jean-zay", "--qos=qos_gpu_h100-dev --gres=gpu:4", "", "qos_gpu_h100-dev", "",
        "jean-zay-h100");
    row("A100 by constraint", "jean-zay", "--account=vno@a100 --constraint=a100 --gres=gpu:8", "gpu_p5", "", "",
        "jean-zay-a100");
    row("V100", "jean-zay", "--account=vno@v100 --gres=gpu:4", "", "", "", "jean-zay-v100");
    row("V100 of one size", "jean-zay", "--account=vno@v100 --constraint=v100-32g --gres=gpu:4", "v100", "", "v100-32g",
        "jean-zay-v100");
    row("QoS of acc", "marenostrum5", "--partition=acc --qos=acc_debug --gres=gpu:4", "acc_debug", "", "", "mn5-acc");
    row("acc without QoS", "marenostrum5", "--partition=acc --gres=gpu:4", "acc", "", "", "mn5-acc");
    row("acc with a group's own QoS", "marenostrum5", "--partition=acc --qos=acc_bsccs --gres=gpu:4", "acc",
        "acc_bsccs", "", "");
    row("QoS debug of batch", "frontier", "--partition=batch --qos=debug --gpus-per-node=8", "debug", "", "",
        "frontier");
    row("constraint of 80 GB", "alex", "--partition=a100 --constraint=a100_80 --gres=gpu:a100:8", "a100-80", "", "",
        "alex-a100-80");
    row("type of GPU", "mila", "--partition=long --gres=gpu:l40s:4", "long", "", "", "mila-l40s");
    row("a partition by its name", "lumi", "--partition=small-g --gpus-per-node=2", "small-g", "", "", "lumi-g");
}

void QueueReadingTest::queueOfAScript()
{
    QFETCH(QString, cluster);
    QFETCH(QString, directives);
    QFETCH(QString, partition);
    QFETCH(QString, qos);
    QFETCH(QString, constraint);
    QFETCH(QString, node);
    const ClusterProfile& profile = site(cluster);
    const BatchText batch = parseBatch(scriptWith(directives));
    const JobSpec spec = readScript(batch, profile).spec;
    QCOMPARE(spec.partition.value_or(QString()), partition);
    QCOMPARE(spec.options.qos.value_or(QString()), qos);
    QCOMPARE(spec.options.constraint.value_or(QString()), constraint);
    if (node.isEmpty())
        return;
    const ResolvedSpec resolved = resolve(spec, profile);
    QCOMPARE(resolved.node.name, node);
    for (const Finding& finding : check(resolved, profile))
        QVERIFY2(finding.slug != u"partition-unknown" || finding.severity == Severity::Hint, qPrintable(finding.text));
    // What the script asks for is what a design of it asks for; to a partition that it names nothing is added.
    const BatchText written = parseBatch(writeScript(resolved, profile).text());
    for (const QString& name : {u"qos"_s, u"constraint"_s}) {
        const BatchOption* was = batch.option(name);
        const BatchOption* now = written.option(name);
        if (was || batch.option(u"partition"_s))
            QCOMPARE(now ? now->value : QString(), was ? was->value : QString());
    }
}

/// A partition that the constraint chooses is not another request when the design names it.
void QueueReadingTest::partitionOfAConstraint()
{
    const ClusterProfile& zay = site(u"jean-zay"_s);
    const BatchText batch = parseBatch(scriptWith(
        u"--account=vno@h100 --constraint=h100 --nodes=1 --ntasks-per-node=4 --gres=gpu:4 --cpus-per-task=24 "
        "--hint=nomultithread --time=01:00:00"_s));
    const ScriptReading reading = readScript(batch, zay);
    const WrittenScript written = writtenScript(resolve(rewrittenDesignOf(reading, zay), zay), zay);
    for (const NotUnderstood& part : scriptLosses(batch, reading, written.batch))
        QVERIFY2(!part.text.contains(u"partition"_s), qPrintable(part.text + u": "_s + part.why));
}

/// The program knows the queue that it writes, at every site.
void QueueReadingTest::whatWeWriteIsReadBack()
{
    for (const ClusterProfile& profile : std::as_const(m_catalogue.clusters)) {
        for (const Partition& entry : profile.partitions) {
            JobSpec spec;
            spec.cluster = profile.name;
            spec.partition = entry.name;
            spec.command = u"train.py"_s;
            if (!entry.accountSuffix.isEmpty())
                spec.account = u"abc"_s + entry.accountSuffix;
            const BatchText batch = parseBatch(writeScript(resolve(spec, profile), profile).text());
            const JobSpec read = readScript(batch, profile).spec;
            const QString name = profile.name + u' ' + entry.name;
            const bool alone
                = !batch.option(u"partition"_s) && !batch.option(u"qos"_s) && !batch.option(u"constraint"_s);
            if (!alone)
                QCOMPARE(profile.name + u' ' + read.partition.value_or(QString()), name);
            QCOMPARE(resolve(read, profile).node.name, resolve(spec, profile).node.name);
            for (const Finding& finding : lintScript(batch, &profile).findings) {
                for (const QString& slug : {u"partition-unknown"_s, u"qos-unknown"_s, u"qos-partition"_s,
                         u"account-suffix"_s, u"node-gpus"_s, u"node-cores"_s})
                    QVERIFY2(finding.slug != slug, qPrintable(name + u": "_s + finding.text));
            }
        }
    }
}

void QueueReadingTest::designsOfOneKind()
{
    const ClusterProfile& zay = site(u"jean-zay"_s);
    JobSpec spec;
    spec.cluster = zay.name;
    spec.account = u"abc@h100"_s;
    QCOMPARE(resolve(spec, zay).node.name, u"jean-zay-h100"_s); // the account's kind
    spec.account = u"abc@a100"_s;
    QCOMPARE(resolve(spec, zay).node.name, u"jean-zay-a100"_s);
    spec.account.reset();
    QCOMPARE(resolve(spec, zay).node.name, u"jean-zay-v100"_s); // the first
    spec.options.constraint = u"h100"_s;
    QCOMPARE(resolve(spec, zay).node.name, u"jean-zay-h100"_s);
    spec.options.constraint.reset();
    spec.options.qos = u"qos_gpu_h100-t4"_s;
    spec.time = Seconds{100 * 3600};
    const ResolvedSpec resolved = resolve(spec, zay);
    QCOMPARE(resolved.partition, u"gpu_p6-long"_s);
    for (const Finding& finding : check(resolved, zay))
        QVERIFY2(finding.slug != u"partition-limit", qPrintable(finding.text));
}

void QueueReadingTest::slurmsOwnNameInADesign()
{
    const ClusterProfile& mn5 = site(u"marenostrum5"_s);
    JobSpec spec;
    spec.cluster = mn5.name;
    spec.account = u"ehpc01"_s;
    spec.partition = u"acc"_s;
    spec.options.qos = u"acc_debug"_s;
    spec.time = Seconds{3 * 3600};
    const ResolvedSpec resolved = resolve(spec, mn5);
    QCOMPARE(resolved.node.name, u"mn5-acc"_s);
    QStringList slugs;
    for (const Finding& finding : check(resolved, mn5))
        slugs.append(finding.slug);
    QVERIFY(slugs.contains(u"partition-limit"_s)); // acc_debug ends after two hours
    QVERIFY(!slugs.contains(u"partition-unknown"_s));
    const QString text = writeScript(resolved, mn5).text();
    QVERIFY(text.contains(u"#SBATCH --partition=acc\n"_s) && text.contains(u"#SBATCH --qos=acc_debug\n"_s));
    spec.options.qos.reset(); // nothing is added to what the design says
    QVERIFY(!writeScript(resolve(spec, mn5), mn5).text().contains(u"--qos"_s));
}

void QueueReadingTest::siteByQosOrAccount()
{
    const auto clusterFor = [this](const QString& directives) {
        return clusterOf(parseBatch(scriptWith(directives)), m_catalogue, u"lumi"_s).name;
    };
    QCOMPARE(clusterFor(u"--qos=qos_gpu_h100-t3 --gres=gpu:4"_s), u"jean-zay"_s);
    QCOMPARE(clusterFor(u"--account=vno@h100 --constraint=h100 --gres=gpu:4"_s), u"jean-zay"_s);
    QCOMPARE(clusterFor(u"--account=project_462000001 --gres=gpu:4"_s), u"lumi"_s);
}

RANKWRIGHT_TEST_MAIN(QueueReadingTest)
#include "tst_queuereading.moc"
