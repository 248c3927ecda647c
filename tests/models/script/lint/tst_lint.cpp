// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/checks/designchecks.h"
#include "models/script/document/designjson.h"
#include "models/script/lint/lint.h"
#include "models/script/lint/lintreasons.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/cpuclock.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

QString sourceFile(const QString& path) { return rankwright::test::sourcePath() + u'/' + path; }

QString textOf(const QString& path)
{
    QFile file(sourceFile(path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Findings beyond hints, one line each; those of the rules in `expected` left out.
QStringList complaints(const QString& script, const ClusterProfile* profile, const QStringList& expected = {})
{
    QStringList lines;
    for (const Finding& finding : lintScript(parseBatch(script), profile).findings) {
        if (finding.severity != Severity::Hint && !expected.contains(finding.rule))
            lines.append(u"%1 %2 line %3: %4"_s.arg(finding.rule, finding.slug).arg(finding.line()).arg(finding.text));
    }
    return lines;
}

} // namespace

/// The linter as a whole: silent on good scripts and on our own, steady on broken ones, quick, and as documented.
class LintTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_catalogue = loadCatalogue(); }
    void goodScripts_data();
    void goodScripts();
    void publishedSettings_data();
    void publishedSettings();
    void goldens_data();
    void goldens();
    void ownScriptsOfAllClusters_data();
    void ownScriptsOfAllClusters();
    void cutAnywhere();
    void changedBytes();
    void timeIsLinear();
    void rulesAreWellFormed();
    void documented();
    void orderAndFixes();
    void saidOnce_data();
    void saidOnce();

private:
    QStringList seeds() const;

    Catalogue m_catalogue;
};

void LintTest::goodScripts_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QStringList>("expected");
    QTest::addColumn<QString>("script");
    const QStringList blocks = textOf(u"tests/data/lint/good.txt"_s).split(u"\n=== "_s).mid(1);
    QVERIFY(blocks.size() >= 25);
    for (const QString& block : blocks) {
        const QStringList title = block.section(u'\n', 0, 0).split(u' ');
        QTest::newRow(qPrintable(title.at(0))) << title.at(1) << title.mid(2) << block.section(u'\n', 1);
    }
}

void LintTest::goodScripts()
{
    QFETCH(QString, cluster);
    QFETCH(QStringList, expected);
    QFETCH(QString, script);
    const ClusterProfile* profile = cluster == u"-" ? nullptr : m_catalogue.find(cluster);
    QVERIFY(profile || cluster == u"-");
    const QStringList found = complaints(script, profile, expected);
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
}

void LintTest::publishedSettings_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QStringList>("flaws");
    QTest::addColumn<QString>("script");
    const QStringList blocks = textOf(u"tests/data/lint/published.txt"_s).split(u"\n=== "_s).mid(1);
    QVERIFY(blocks.size() >= 80);
    for (const QString& block : blocks) {
        const QStringList title = block.section(u'\n', 0, 0).split(u' ');
        QTest::newRow(qPrintable(title.at(0))) << title.at(1) << title.mid(2) << block.section(u'\n', 1);
    }
}

/// Scripts rebuilt from the settings of published ones: the flaws found in those are found again, and nothing else
/// beyond hints.
void LintTest::publishedSettings()
{
    QFETCH(QString, cluster);
    QFETCH(QStringList, flaws);
    QFETCH(QString, script);
    const ClusterProfile* profile = cluster == u"-" ? nullptr : m_catalogue.find(cluster);
    QVERIFY2(profile || cluster == u"-", qPrintable(cluster));
    QSet<QString> found;
    for (const Finding& finding : lintScript(parseBatch(script), profile).findings)
        found.insert(finding.rule);
    for (const QString& flaw : std::as_const(flaws))
        QVERIFY2(found.contains(flaw), qPrintable(flaw + u" is not found in\n"_s + script));
    const QStringList more = complaints(script, profile, flaws + QStringList{u"R109"_s});
    QVERIFY2(more.isEmpty(), qPrintable(more.join(u'\n') + u'\n' + script));
}

void LintTest::goldens_data()
{
    QTest::addColumn<QString>("name");
    const QStringList names = QDir(sourceFile(u"tests/data/scripts"_s)).entryList({u"*.sh"_s});
    for (const QString& name : names)
        QTest::newRow(qPrintable(name)) << name.chopped(3);
}

void LintTest::goldens()
{
    QFETCH(QString, name);
    const Result<ReadDesign> design = readDesign(textOf(u"tests/data/scripts/%1.json"_s.arg(name)).toUtf8(), name);
    QVERIFY_RESULT(design);
    QCOMPARE(complaints(
                 textOf(u"tests/data/scripts/%1.sh"_s.arg(name)), m_catalogue.find(design->spec.cluster), {u"R109"_s}),
        QStringList());
}

void LintTest::ownScriptsOfAllClusters_data()
{
    QTest::addColumn<QString>("cluster");
    for (const QString& name : m_catalogue.names())
        QTest::newRow(qPrintable(name)) << name;
}

/// Random designs that fit their partition: what our writer makes of them is without fault.
void LintTest::ownScriptsOfAllClusters()
{
    QFETCH(QString, cluster);
    const ClusterProfile& profile = *m_catalogue.find(cluster);
    QRandomGenerator random(20261121);
    static const QList<Strategy> strategies{Strategy::Single, Strategy::Ddp, Strategy::Fsdp, Strategy::Zero2,
        Strategy::Zero3, Strategy::Pipeline, Strategy::Tensor};
    static const QList<Launcher> launchers{
        Launcher::Torchrun, Launcher::Srun, Launcher::Accelerate, Launcher::Deepspeed, Launcher::Lightning};
    for (int i = 0; i < 60; ++i) {
        JobSpec spec;
        spec.name = u"random"_s;
        spec.cluster = cluster;
        spec.account = profile.launch.accountExample.isEmpty() ? u"project_462000265"_s : profile.launch.accountExample;
        const NodeShape* node = profile.nodeShape({});
        const int gpus = node && node->gpus > 0 ? node->gpus : 4;
        spec.resources.nodes = 1 + int(random.bounded(2));
        spec.resources.gpusPerNode = *spec.resources.nodes > 1 ? gpus : 1 + int(random.bounded(gpus));
        spec.time = Seconds{600};
        spec.parallel.strategy = strategies.at(random.bounded(strategies.size()));
        spec.launcher = launchers.at(random.bounded(launchers.size()));
        spec.command = u"train.py --epochs 3"_s;
        const ResolvedSpec resolved = resolve(spec, profile);
        const QList<Finding> design = check(resolved, profile);
        const bool wrong = std::any_of(design.cbegin(), design.cend(),
            [](const Finding& finding) { return finding.severity != Severity::Hint && finding.rule != u"R109"; });
        if (wrong)
            continue; // no fault of the writer
        const QString script = writeScript(resolved, profile).text();
        // the design chose its launcher, and the machine: neither is the writer's
        const QStringList found = complaints(script, &profile, {u"R109"_s, u"R235"_s});
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n') + u'\n' + script));
    }
}

QStringList LintTest::seeds() const
{
    QStringList texts = textOf(u"tests/data/lint/good.txt"_s).split(u"\n=== "_s).mid(1);
    for (const QString& name : {u"cases_shell.txt"_s, u"cases_launch.txt"_s, u"cases_request.txt"_s})
        texts.append(textOf(u"tests/data/lint/"_s + name).split(u"\n=== base"_s).last().left(6000));
    return texts;
}

void LintTest::cutAnywhere()
{
    const ClusterProfile* lumi = m_catalogue.find(u"lumi"_s);
    const QStringList texts = seeds().mid(1, 5);
    for (const QString& text : texts) {
        const QString script = text.section(u'\n', 1).left(500);
        for (qsizetype length = 0; length <= script.size(); ++length) {
            const QString part = script.left(length);
            for (const Finding& finding : lintScript(parseBatch(part), lumi).findings) {
                QVERIFY(finding.line() >= 0 && finding.line() <= part.count(u'\n') + 1);
                if (finding.fix)
                    QVERIFY2(textAfter(part, *finding.fix) != part, qPrintable(finding.slug + u'\n' + part));
            }
        }
    }
}

void LintTest::changedBytes()
{
    QRandomGenerator random(7);
    const QStringList texts = seeds();
    const QString bits = u"\"'`$(){}[]<>|&;\\#\n\r\t =-:,%~*@!\u00a0\u2013\u201c0aZ"_s;
    const ClusterProfile* lumi = m_catalogue.find(u"lumi"_s);
    for (int round = 0; round < 300; ++round) {
        QString script = texts.at(random.bounded(texts.size())).section(u'\n', 1).left(3000);
        for (int i = 0; i < 1 + int(random.bounded(12)) && !script.isEmpty(); ++i)
            script[random.bounded(script.size())] = bits.at(random.bounded(bits.size()));
        const QList<Finding> findings = lintScript(parseBatch(script), round % 2 ? lumi : nullptr).findings;
        for (const Finding& finding : findings) {
            QVERIFY(finding.line() <= script.count(u'\n') + 1);
            if (finding.fix)
                textAfter(script, *finding.fix);
        }
    }
}

void LintTest::timeIsLinear()
{
    // thousands of lines of everything that a script may hold; twice as many may take about twice as long
    const QString part
        = u"export NCCL_DEBUG=INFO A_$B=1\n# a remark\nsrun --ntasks=4 python train.py --epochs 5 $@ | tee log\n"
          "if [ -d x ]; then echo \"$SLURM_JOB_ID\"; fi\ncat > f.sh <<EOF\n#!/bin/bash\nexec $*\nEOF\n"
          "#SBATCH --nodes=2\nmkdir -p /tmp/x\n"_s;
    const QString head = u"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --gres=gpu:4\n"_s;
    const ClusterProfile* lumi = m_catalogue.find(u"lumi"_s);
    const auto timed = [&](int times) {
        const QString script = head + part.repeated(times);
        const rankwright::test::CpuClock clock;
        const qsizetype found = lintScript(parseBatch(script), lumi).findings.size();
        Q_UNUSED(found)
        return clock.elapsedMs();
    };
    timed(100);
    const qint64 small = timed(500);
    const qint64 large = timed(1000);
    qInfo("10 000 lines: %lld ms", large);
    QVERIFY2(large < 3 * small + 400, qPrintable(u"%1 ms, twice as long: %2 ms"_s.arg(small).arg(large)));
}

void LintTest::rulesAreWellFormed()
{
    static const QRegularExpression id(u"^[LR]\\d{2,3}$"_s);
    static const QRegularExpression slug(u"^[a-z]+(?:-[a-z]+)*$"_s);
    const QList<Rule> rules = lintRules();
    QVERIFY(rules.size() >= 70);
    QSet<QString> slugs;
    QSet<QString> ids;
    for (const Rule& rule : rules) {
        QVERIFY2(rule.id.contains(id) && rule.slug.contains(slug), qPrintable(rule.id + u' ' + rule.slug));
        QVERIFY2(!rule.what.isEmpty() && !rule.source.isEmpty(), qPrintable(rule.slug));
        QVERIFY2(
            lint::severityReason(rule.slug).size() >= 15, qPrintable(rule.slug + u": why has it this severity?"_s));
        QVERIFY2(!slugs.contains(rule.slug), qPrintable(rule.slug));
        slugs.insert(rule.slug);
        ids.insert(rule.id);
    }
    for (int number = 1; number <= 58; ++number) { // the catalogue of mistakes has no L56
        const QString wanted = u"L%1"_s.arg(number, 2, 10, QChar(u'0'));
        QVERIFY2(number == 56 || ids.contains(wanted), qPrintable(wanted));
    }
    for (const QString& wanted :
        {u"gpus-per-task"_s, u"cpu-share"_s, u"partition-limit"_s, u"directive-after-command"_s})
        QVERIFY2(slugs.contains(wanted), qPrintable(wanted));
}

void LintTest::documented()
{
    QStringList rows;
    for (const Rule& rule : lintRules()) {
        rows.append(u"| %1 | `%2` | %3%4 | %5 | %6 | %7 |"_s.arg(rule.id, rule.slug, toText(rule.severity),
            rule.needsSite ? u", site"_s : QString(), QString(rule.what).replace(u'|', u"\\|"_s),
            lint::severityReason(rule.slug).replace(u'|', u"\\|"_s), rule.source));
    }
    const QString page = textOf(u"docs/lint.md"_s);
    if (qEnvironmentVariableIsSet("UPDATE_GOLDENS")) {
        const qsizetype begin = page.indexOf(u"| --- |"_s);
        const QString head = page.left(page.indexOf(u'\n', begin) + 1);
        const QString tail = page.mid(page.indexOf(u"\n\n"_s, begin));
        QFile file(sourceFile(u"docs/lint.md"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write((head + rows.join(u'\n') + tail).toUtf8());
        return;
    }
    QStringList written;
    for (const QString& line : page.split(u'\n')) {
        if (line.startsWith(u"| L") || line.startsWith(u"| R"))
            written.append(line);
    }
    QCOMPARE(written, rows);
}

void LintTest::orderAndFixes()
{
    const QString script
        = u"#!/bin/bash\n#SBATCH --nodes=1 --time=48\n#SBATCH --gres=gpu:4\nOUT = x\npython train.py \\ \n  --a\n"_s;
    const QList<Finding> findings = lintScript(parseBatch(script)).findings;
    for (qsizetype i = 1; i < findings.size(); ++i)
        QVERIFY(findings.at(i - 1).line() <= findings.at(i).line());
    const auto time = std::find_if(
        findings.cbegin(), findings.cend(), [](const Finding& one) { return one.slug == u"time-meaning"; });
    QVERIFY(time != findings.cend() && time->fix);
    QCOMPARE(time->line(), 2);
    QCOMPARE(textAfter(script, *time->fix).section(u'\n', 1, 1), u"#SBATCH --nodes=1 --time=48:00:00"_s);
    // edits apply in order, insertions included, and leave the other lines and their ends alone
    const Fix fix{u"x"_s, {}, {{1, 0, {u"new"_s}}, {2, 2, {}}, {4, 3, {u"end"_s}}}};
    QCOMPARE(textAfter(u"a\r\nb\nc\n"_s, fix), u"new\na\r\nc\nend\n"_s);
    QCOMPARE(lintScript(parseBatch(QString())).findings.size(), 0);
}

void LintTest::saidOnce_data()
{
    QTest::addColumn<QString>("slug");
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("words"); // of the one finding
    QTest::addColumn<QString>("fixed"); // the body after its fix; empty: none is offered
    QTest::newRow("a placeholder with blanks in two directives")
        << u"directive-stray-text"_s
        << u"#SBATCH --account=<your project name>\n#SBATCH --output=/scratch/<your project name>/a.out\ntrue\n"_s
        << u"“<your project name>” is a placeholder that was not filled in: sbatch stops at its blank. The same in line 3."_s
        << QString();
    QTest::newRow("a folder of both logs")
        << u"output-folder"_s << u"#SBATCH --output=logs/%j.out\n#SBATCH --error=./logs/%j.err\ntrue\n"_s
        << u"before 23.02 does not make the folder “logs”"_s
        << u"#SBATCH --output=%j.out\n#SBATCH --error=%j.err\ntrue\n"_s;
    QTest::newRow("lines that lost their backslashes")
        << u"backslash-missing"_s << u"python train.py\n  --epochs 3\n  --lr 0.1\n"_s
        << u"bash runs “--epochs” as a command of its own"_s << u"python train.py \\\n  --epochs 3 \\\n  --lr 0.1\n"_s;
    QTest::newRow("the first of two options in a line")
        << u"time-meaning"_s << u"#SBATCH --time=48 --nodes=1\ntrue\n"_s << u"--time=48 means 48 minutes"_s
        << u"#SBATCH --time=48:00:00 --nodes=1\ntrue\n"_s;
    QTest::newRow("an old launcher") << u"old-name"_s
                                     << u"python -m torch.distributed.launch --nproc_per_node=4 train.py\n"_s
                                     << u"torch.distributed.launch is the old launcher"_s
                                     << u"python -m torch.distributed.run --nproc_per_node=4 train.py\n"_s;
    QTest::newRow("a mistyped option") << u"unknown-option"_s << u"#SBATCH --nods=2\ntrue\n"_s
                                       << u"The nearest one is --nodes."_s << u"#SBATCH --nodes=2\ntrue\n"_s;
    QTest::newRow("a mistyped variable of Slurm") << u"slurm-variable"_s << u"echo $SLURM_PROCI\n"_s
                                                  << u"Did you mean SLURM_PROCID?"_s << u"echo $SLURM_PROCID\n"_s;
    QTest::newRow("a test that is false") << u"test-redirects"_s << u"if [ ! $A > 0 ]; then true; fi\n"_s
                                          << u"what is left of the test is “[ ! $A ]”. Write -gt."_s << QString();
}

void LintTest::saidOnce()
{
    QFETCH(QString, slug);
    QFETCH(QString, body);
    QFETCH(QString, words);
    QFETCH(QString, fixed);
    const QString head = u"#!/bin/bash\n"_s;
    QList<Finding> findings = lintScript(parseBatch(head + body)).findings;
    findings.removeIf([&](const Finding& one) { return one.slug != slug; });
    QCOMPARE(findings.size(), 1);
    QVERIFY2(findings.first().text.contains(words), qPrintable(findings.first().text));
    QCOMPARE(findings.first().fix.has_value(), !fixed.isEmpty());
    if (!fixed.isEmpty())
        QCOMPARE(textAfter(head + body, *findings.first().fix), head + fixed);
}

RANKWRIGHT_TEST_MAIN(LintTest)
#include "tst_lint.moc"
