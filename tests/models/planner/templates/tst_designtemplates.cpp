// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/planner/templates/designtemplates.h"
#include "models/script/document/design.h"
#include "models/script/document/designjson.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

class DesignTemplatesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void validWhereverOffered_data();
    void validWhereverOffered();
    void offeredWhereOneExpectsThem_data();
    void offeredWhereOneExpectsThem();
    void sayWhyTheyAreNotOffered_data();
    void sayWhyTheyAreNotOffered();
    void sayWhatCameOut();
    void scriptsDoWhatTheirTitlesSay();
    void everyTaskHasItsPart();
    void anOwnScriptSaysWhatToFillIn();
    void theAccountStaysOpen();
    void anUnknownOneIsNotOffered();

private:
    const ClusterProfile& site(const QString& name) const
    {
        const ClusterProfile* found = m_catalogue.find(name);
        if (!found)
            qFatal("no site %s", qPrintable(name));
        return *found;
    }
    QString scriptOf(const QString& id, const QString& cluster) const
    {
        return derive(designTemplate(id, site(cluster)).spec, site(cluster)).script.text();
    }
    Catalogue m_catalogue = loadCatalogue();
};

void DesignTemplatesTest::validWhereverOffered_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("id");
    for (const ClusterProfile& profile : m_catalogue.clusters) {
        for (const QString& id : templateIds())
            QTest::addRow("%s %s", qPrintable(profile.name), qPrintable(id)) << profile.name << id;
    }
}

/// No error but the account and an own script's program, which only the user knows; the design file keeps all of it.
void DesignTemplatesTest::validWhereverOffered()
{
    QFETCH(const QString, cluster);
    QFETCH(const QString, id);
    const DesignTemplate made = designTemplate(id, site(cluster));
    QVERIFY(!made.title.isEmpty() && !made.title.contains(u'%'));
    QCOMPARE(made.id, id);
    QCOMPARE(made.summary.isEmpty(), !made.isOffered());
    if (!made.isOffered()) {
        static const QRegularExpression sentence(u"^[A-Z].*[^.]\\.$"_s);
        QVERIFY2(sentence.match(made.whyNot).hasMatch(), qPrintable(made.whyNot));
        return;
    }
    QCOMPARE(made.spec.cluster, cluster);
    const Derived derived = derive(made.spec, site(cluster));
    for (const Finding& finding : derived.findings()) {
        const bool isOpen = finding.slug == u"account-missing"_s
            || (id == u"own-script"_s && finding.field == QString(field::command));
        if (finding.severity == Severity::Error && !isOpen)
            QFAIL(qPrintable(finding.slug + u": "_s + finding.text));
    }
    const auto read = readDesign(writeDesign(made.spec), id);
    QVERIFY_RESULT(read);
    QVERIFY(read->spec == made.spec);
    QVERIFY(read->unknownMembers.isEmpty());
}

void DesignTemplatesTest::offeredWhereOneExpectsThem_data()
{
    QTest::addColumn<QString>("cluster");
    for (const char* name : {"lumi", "practice", "leonardo", "frontier", "jupiter"})
        QTest::addRow("%s", name) << QString::fromLatin1(name);
}

/// Large machines that take jobs: all of them.
void DesignTemplatesTest::offeredWhereOneExpectsThem()
{
    QFETCH(const QString, cluster);
    for (const DesignTemplate& made : designTemplates(site(cluster)))
        QVERIFY2(made.isOffered(), qPrintable(made.id + u": "_s + made.whyNot));
}

void DesignTemplatesTest::sayWhyTheyAreNotOffered_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("words");
    QTest::newRow("retired") << u"mahti"_s << u"one-gpu"_s << u"has taken no jobs since"_s;
    QTest::newRow("nothing is known of its nodes") << u"generic"_s << u"whole-node"_s << u"how many GPUs"_s;
}

void DesignTemplatesTest::sayWhyTheyAreNotOffered()
{
    QFETCH(const QString, cluster);
    QFETCH(const QString, id);
    QFETCH(const QString, words);
    const DesignTemplate made = designTemplate(id, site(cluster));
    QVERIFY(!made.isOffered());
    QVERIFY2(made.whyNot.contains(words), qPrintable(made.whyNot));
    QVERIFY(made.whyNot.contains(site(cluster).title));
}

/// In the site's words, and of what resolve() made of it.
void DesignTemplatesTest::sayWhatCameOut()
{
    const auto on = [this](const QString& cluster, const QString& id) { return designTemplate(id, site(cluster)); };
    QCOMPARE(on(u"lumi"_s, u"one-gpu"_s).title, u"One GCD, first try"_s);
    QCOMPARE(on(u"lumi"_s, u"one-gpu"_s).summary, u"single · 1 GCD"_s);
    QCOMPARE(on(u"lumi"_s, u"whole-node"_s).summary, u"DDP · torchrun · 8 GCDs"_s);
    QCOMPARE(on(u"lumi"_s, u"bound-ranks"_s).summary, u"DDP · 8 ranks on their cores"_s);
    QCOMPARE(on(u"lumi"_s, u"two-nodes"_s).summary, u"DDP · 16 GCDs"_s);
    QCOMPARE(on(u"lumi"_s, u"pretrain-70b"_s).summary, u"3D · 16 nodes"_s);
    QCOMPARE(on(u"leonardo"_s, u"one-gpu"_s).title, u"One GPU, first try"_s);
    QCOMPARE(on(u"leonardo"_s, u"two-nodes"_s).summary, u"DDP · 8 GPUs"_s);
    QSet<QString> ids;
    for (const QString& id : templateIds())
        ids.insert(id);
    QCOMPARE(ids.size(), 13);
}

void DesignTemplatesTest::scriptsDoWhatTheirTitlesSay()
{
    const QString lumi = u"lumi"_s;
    QVERIFY(scriptOf(u"whole-node"_s, lumi).contains(u"torchrun"_s)
        || scriptOf(u"whole-node"_s, lumi).contains(u"torch.distributed.run"_s));
    QVERIFY(scriptOf(u"bound-ranks"_s, lumi).contains(u"--cpu-bind"_s));
    QVERIFY(scriptOf(u"two-nodes"_s, lumi).contains(u"#SBATCH --nodes=2"_s));
    const QString zero = scriptOf(u"zero-3"_s, lumi);
    QVERIFY2(zero.contains(u"\"stage\": 3"_s), qPrintable(zero));
    const QString longer = scriptOf(u"longer"_s, lumi);
    QVERIFY(longer.contains(u"scontrol requeue"_s) && longer.contains(u"--resume"_s));
    QVERIFY(longer.contains(u"#SBATCH --time="_s));
    const QString rates = scriptOf(u"ten-rates"_s, lumi);
    QVERIFY(rates.contains(u"#SBATCH --array=0-9"_s) && rates.contains(u"LEARNING_RATE"_s));
    const QString inference = scriptOf(u"inference-array"_s, lumi);
    QVERIFY(inference.contains(u"#SBATCH --array=0-9"_s) && inference.contains(u"infer.py"_s));
    QVERIFY(inference.contains(u"#SBATCH --gpus-per-node=1"_s));
    for (const QString& cluster : {lumi, u"leonardo"_s, u"practice"_s}) {
        const QString horovod = scriptOf(u"horovod"_s, cluster);
        const int gpus = derive(designTemplate(u"horovod"_s, site(cluster)).spec, site(cluster)).resolved.gpusPerNode;
        QVERIFY2(
            horovod.contains(u"#SBATCH --ntasks-per-node=%1\n"_s.arg(gpus)), qPrintable(horovod)); // one for each GPU
        QVERIFY(!horovod.contains(u"torchrun"_s) && !horovod.contains(u"torch.distributed.run"_s));
    }
}

/// The lines before the launch in a real bash, once for each task: together they have every input, none twice.
void DesignTemplatesTest::everyTaskHasItsPart()
{
    for (const QString& cluster : {u"lumi"_s, u"practice"_s}) {
        const JobSpec spec = designTemplate(u"inference-array"_s, site(cluster)).spec;
        QTemporaryDir folder;
        QFile all(folder.filePath(u"inputs.txt"_s));
        QVERIFY(all.open(QIODevice::WriteOnly));
        QStringList wanted;
        for (int i = 1; i <= (cluster == u"lumi"_s ? 37 : 100); ++i)
            wanted.append(QString::number(i));
        all.write(wanted.join(u'\n').toUtf8() + '\n');
        all.close();
        QStringList seen;
        for (int task = 0; task < 10; ++task) {
            QProcess bash;
            bash.setWorkingDirectory(folder.path());
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(u"SLURM_ARRAY_TASK_ID"_s, QString::number(task));
            bash.setProcessEnvironment(environment);
            bash.start(u"bash"_s,
                {u"-euo"_s, u"pipefail"_s, u"-c"_s, spec.environment.setup.join(u'\n') + u"\ncat \"$INPUTS\""_s});
            QVERIFY(bash.waitForFinished(-1));
            QCOMPARE(QString::fromUtf8(bash.readAllStandardError()), QString());
            QCOMPARE(bash.exitCode(), 0);
            const QStringList part = QString::fromUtf8(bash.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts);
            QVERIFY(!part.isEmpty());
            seen.append(part);
        }
        std::sort(seen.begin(), seen.end());
        std::sort(wanted.begin(), wanted.end());
        QCOMPARE(seen, wanted);
    }
}

/// Nothing is made up: the program stays open, the script has its placeholder and says what is to be filled in.
void DesignTemplatesTest::anOwnScriptSaysWhatToFillIn()
{
    for (const QString& cluster : {u"lumi"_s, u"practice"_s}) {
        const DesignTemplate made = designTemplate(u"own-script"_s, site(cluster));
        QVERIFY(made.isOffered() && !made.spec.command);
        const Derived derived = derive(made.spec, site(cluster));
        QVERIFY2(derived.script.text().contains(u"\n# Fill in: your program"_s), qPrintable(derived.script.text()));
        const auto open = std::find_if(derived.resolved.choices.cbegin(), derived.resolved.choices.cend(),
            [](const Choice& choice) { return choice.field == QString(field::command); });
        QVERIFY(open != derived.resolved.choices.cend() && open->reason.contains(u"placeholder"_s));
        JobSpec filled = made.spec;
        filled.command = u"mine.py --fast"_s;
        const QString script = derive(filled, site(cluster)).script.text();
        QVERIFY(script.contains(u"mine.py --fast"_s));
        QVERIFY(!script.contains(open->value));
    }
}

void DesignTemplatesTest::theAccountStaysOpen()
{
    for (const DesignTemplate& made : designTemplates(site(u"lumi"_s))) {
        QVERIFY(!made.spec.account);
        QVERIFY(!made.spec.name.isEmpty());
    }
}

void DesignTemplatesTest::anUnknownOneIsNotOffered()
{
    QVERIFY(!designTemplate(u"no such"_s, site(u"lumi"_s)).isOffered());
}

RANKWRIGHT_TEST_MAIN(DesignTemplatesTest)
#include "tst_designtemplates.moc"
