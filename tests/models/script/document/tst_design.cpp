// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/design.h"
#include "models/script/document/scriptfindings.h"
#include "tests/support/cpuclock.h"
#include "tests/support/testbase.h"

#include <QSignalSpy>

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const Catalogue& catalogue()
{
    static const Catalogue all = loadCatalogue();
    return all;
}

Design& typeName(Design& design, const QString& name, const QString& key = u"name"_s)
{
    design.edit(
        u"Name"_s, [&](JobSpec& spec) { spec.name = name; }, key);
    return design;
}

} // namespace

class DesignTest : public test::Suite {
    Q_OBJECT
private slots:
    void startsUsable();
    void editsAndUndoes();
    void editWithoutChangeIsNothing();
    void typingMerges();
    void undoEndsMerging();
    void editClearsRedo();
    void replaceIsAnotherDocument();
    void savedMark();
    void derivedFollows();
    void unknownCluster();
    void anotherClusterClearsWhatWasForTheOldOne();
    void anotherProgramHasOptionsOfItsOwn();
    void fixIsOneStep();
    void furtherRulesCountAsAllOthers();
    void typedLinesFollowTheirField_data();
    void typedLinesFollowTheirField();
    void deriveIsFast();
};

void DesignTest::typedLinesFollowTheirField_data()
{
    QTest::addColumn<QString>("generated");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("after");
    QTest::newRow("short option, remark")
        << u"#SBATCH --nodes=2\n"_s << u"#SBATCH -N 2 # two\n"_s << u"#SBATCH -N 4 # two\n"_s;
    QTest::newRow("another spelling of a time")
        << u"#SBATCH --time=12:00:00\n"_s << u"#SBATCH -t 12:00:00\n"_s << u"#SBATCH -t 06:00:00\n"_s;
    QTest::newRow("beside a line of one's own")
        << u"#SBATCH --nodes=2\n"_s << u"#SBATCH --hint=nomultithread\n#SBATCH -N2\n"_s
        << u"#SBATCH --hint=nomultithread\n#SBATCH -N4\n"_s;
    QTest::newRow("no field") << u"set -euo pipefail\n"_s << u"set -euo pipefail # 2\n"_s
                              << u"set -euo pipefail # 2\n"_s;
}

/// What somebody typed in their own spelling is still the field: the form changes it there.
void DesignTest::typedLinesFollowTheirField()
{
    QFETCH(QString, generated);
    QFETCH(QString, typed);
    QFETCH(QString, after);
    Design design(catalogue());
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 2;
    spec.time = Seconds{12 * 3600};
    spec.command = u"train.py"_s;
    design.replace(spec);
    QString text = design.derived().script.text();
    QVERIFY2(text.contains(generated), qPrintable(text));
    text.replace(generated, typed);
    design.edit(u"Typing"_s, [&](JobSpec& edited) { edited = editedSpec(design.derived(), text); });
    QCOMPARE(design.derived().script.text(), text);
    QCOMPARE(design.spec().overrides.size(), 1);
    design.edit(u"Form"_s, [](JobSpec& edited) {
        edited.resources.nodes = 4;
        edited.time = Seconds{6 * 3600};
    });
    const QString now = design.derived().script.text();
    QVERIFY2(now.contains(after), qPrintable(now));
    QVERIFY2(!after.contains(u"-N"_s) || !now.contains(u"--nodes=2"_s), qPrintable(now));
    for (const Finding& finding : design.derived().findings())
        QVERIFY2(!finding.slug.startsWith(u"override-"_s), qPrintable(finding.text));
    QVERIFY(design.undo());
    QCOMPARE(design.derived().script.text(), text);
}

void DesignTest::startsUsable()
{
    Design design(catalogue());
    QVERIFY(design.derived().profile != nullptr);
    QCOMPARE(design.spec().cluster, u"lumi"_s);
    QVERIFY(!design.canUndo() && !design.canRedo() && !design.isModified());
    QVERIFY(!design.undo() && !design.redo());
    QCOMPARE(design.undoLabel(), QString());
    QVERIFY(!design.derived().ranks.ranks.isEmpty());
}

void DesignTest::editsAndUndoes()
{
    Design design(catalogue());
    QSignalSpy changes(&design, &Design::changed);
    const JobSpec before = design.spec();
    design.edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 4; });
    design.edit(u"Account"_s, [](JobSpec& spec) { spec.account = u"project_462000265"_s; });
    const JobSpec after = design.spec();
    QCOMPARE(changes.size(), 2);
    QCOMPARE(design.undoLabel(), u"Account"_s);
    QVERIFY(design.undo());
    QCOMPARE(design.redoLabel(), u"Account"_s);
    QCOMPARE(design.undoLabel(), u"Nodes"_s);
    QVERIFY(design.undo());
    QVERIFY(design.spec() == before && !design.canUndo());
    QVERIFY(design.redo() && design.redo());
    QVERIFY(design.spec() == after && !design.canRedo());
    QCOMPARE(design.undoLabel(), u"Account"_s);
    QVERIFY(design.undo() && design.undo());
    QVERIFY(design.spec() == before);
    QCOMPARE(changes.size(), 8);
}

void DesignTest::editWithoutChangeIsNothing()
{
    Design design(catalogue());
    QSignalSpy changes(&design, &Design::changed);
    design.edit(u"Nothing"_s, [](JobSpec&) {});
    QCOMPARE(changes.size(), 0);
    QVERIFY(!design.canUndo());
}

void DesignTest::typingMerges()
{
    Design design(catalogue());
    typeName(typeName(typeName(design, u"a"_s), u"ab"_s), u"abc"_s);
    QVERIFY(design.undo());
    QCOMPARE(design.spec().name, QString());
    QVERIFY(!design.canUndo());
    QVERIFY(design.redo());
    QCOMPARE(design.spec().name, u"abc"_s);
    typeName(design, u"x"_s, {}); // no key: never merged
    typeName(design, u"xy"_s, {});
    QVERIFY(design.undo());
    QCOMPARE(design.spec().name, u"x"_s);
}

void DesignTest::undoEndsMerging()
{
    Design design(catalogue());
    design.edit(
        u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 2; }, u"nodes"_s);
    typeName(design, u"a"_s);
    QVERIFY(design.undo());
    design.edit(
        u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 3; }, u"nodes"_s);
    QVERIFY(design.undo());
    QCOMPARE(design.spec().resources.nodes, 2); // not merged into the step before
    QVERIFY(design.redo());
    design.edit(
        u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 4; }, u"nodes"_s);
    QVERIFY(design.undo());
    QCOMPARE(design.spec().resources.nodes, 3);
}

void DesignTest::editClearsRedo()
{
    Design design(catalogue());
    typeName(design, u"a"_s);
    QVERIFY(design.undo());
    design.edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 2; });
    QVERIFY(!design.canRedo());
}

void DesignTest::replaceIsAnotherDocument()
{
    Design design(catalogue());
    typeName(design, u"a"_s);
    QSignalSpy changes(&design, &Design::changed);
    JobSpec other;
    other.cluster = u"practice"_s;
    design.replace(other);
    QCOMPARE(changes.size(), 1);
    QVERIFY(design.spec() == other && !design.canUndo() && !design.isModified());
    QCOMPARE(design.derived().profile->name, u"practice"_s);
}

void DesignTest::savedMark()
{
    Design design(catalogue());
    typeName(design, u"a"_s);
    QVERIFY(design.isModified());
    design.markSaved();
    QVERIFY(!design.isModified());
    typeName(design, u"ab"_s);
    QVERIFY(design.isModified());
    QVERIFY(design.undo()); // typing after a save is a step of its own
    QVERIFY(!design.isModified());
}

void DesignTest::derivedFollows()
{
    Design design(catalogue());
    design.edit(u"Size"_s, [](JobSpec& spec) {
        spec.resources.nodes = 2;
        spec.resources.gpusPerNode = 8;
        spec.training.globalBatch = 256;
    });
    const Derived& derived = design.derived();
    QVERIFY(derived.resolved.spec == design.spec());
    QCOMPARE(derived.ranks.ranks.size(), 16);
    QCOMPARE(derived.batch.microBatch, qint64(16));
    QCOMPARE(derived.cost.billingAccounts->first().perHour, 8.0); // 4 GPU-hours for each LUMI node
    QVERIFY(!derived.script.lines.isEmpty());
    QCOMPARE(derived.findings().first().slug, u"account-missing"_s);
}

void DesignTest::unknownCluster()
{
    Design design(catalogue());
    design.edit(u"Cluster"_s, [](JobSpec& spec) { spec.cluster = u"nowhere"_s; });
    QVERIFY(design.derived().profile != nullptr);
    QVERIFY(design.derived().profile->name.isEmpty());
    QVERIFY(!design.derived().cost.billingAccounts);
    QCOMPARE(design.derived().findings().first().slug, u"cluster-unknown"_s);
}

void DesignTest::anotherClusterClearsWhatWasForTheOldOne()
{
    Design design(catalogue());
    design.edit(u"All"_s, [](JobSpec& spec) {
        spec.cluster = u"practice"_s;
        spec.account = u"project_465000001"_s;
        spec.workdir = u"/scratch/project_465000001/ada"_s;
        spec.environment.container = u"docker://rocm/pytorch"_s; // the same everywhere
        spec.environment.venv = u"venv"_s;
        spec.options.qos = u"debug"_s;
        spec.command = u"train.py"_s;
        spec.time = Seconds{60};
    });
    QSignalSpy cleared(&design, &Design::siteOptionsCleared);
    const JobSpec before = design.spec();
    design.edit(u"Cluster"_s, [](JobSpec& spec) {
        spec.cluster = u"mahti"_s;
        spec.options.qos = u"normal"_s; // chosen for the new one
    });
    QCOMPARE(cleared.size(), 1);
    QCOMPARE(cleared.first().at(0).toString(), u"practice"_s);
    QCOMPARE(cleared.first().at(1).value<QList<FieldPath>>(), QList<FieldPath>({field::account, field::workdir}));
    JobSpec wanted = before;
    wanted.cluster = u"mahti"_s;
    wanted.account.reset();
    wanted.workdir.reset();
    wanted.options.qos = u"normal"_s;
    QCOMPARE(design.spec(), wanted);
    QVERIFY(!design.derived().script.text().contains(u"465000001"_s));
    QVERIFY(design.undo());
    QCOMPARE(design.spec(), before);
    design.edit(u"Time"_s, [](JobSpec& spec) { spec.time = Seconds{90}; });
    QCOMPARE(cleared.size(), 1); // the cluster is the same
}

void DesignTest::anotherProgramHasOptionsOfItsOwn()
{
    Design design(catalogue());
    design.edit(u"command"_s, [](JobSpec& spec) { spec.command = u"train.py --steps 90"_s; });
    design.edit(u"option"_s, [](JobSpec& spec) { spec.program.microBatch = u"--batch-size"_s; });
    design.edit(u"command"_s, [](JobSpec& spec) { spec.command = u"train.py --steps 60"_s; });
    QCOMPARE(design.spec().program.microBatch, u"--batch-size"_s);
    design.edit(u"command"_s, [](JobSpec& spec) { spec.command = u"-m other.train"_s; });
    QVERIFY(!design.spec().program.microBatch);
    design.undo();
    QCOMPARE(design.spec().program.microBatch, u"--batch-size"_s);
}

void DesignTest::fixIsOneStep()
{
    Design design(catalogue());
    design.edit(u"Precision"_s, [](JobSpec& spec) { spec.training.precision = Precision::Fp16Mixed; });
    const auto findings = design.derived().findings();
    for (const Finding& finding : findings) {
        if (finding.slug == u"fp16-mi250x"_s)
            design.edit(finding.fix->label, finding.fix->apply);
    }
    QCOMPARE(design.spec().training.precision, Precision::Bf16Mixed);
    QCOMPARE(design.undoLabel(), u"Use bf16-mixed"_s);
}

void DesignTest::deriveIsFast()
{
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_462000265"_s;
    spec.resources.nodes = 1024;
    spec.resources.gpusPerNode = 8;
    const ClusterProfile& lumi = *catalogue().find(u"lumi"_s);
    QCOMPARE(derive(spec, lumi).ranks.ranks.size(), 8192);
    // Not more than in proportion to the ranks, in processor time: a quarter of them is the reference.
    const auto costOf = [&](int nodes) -> double {
        spec.resources.nodes = nodes;
        test::CpuClock clock;
        for (int round = 0; round < 20; ++round)
            if (derive(spec, lumi).ranks.ranks.size() != nodes * 8)
                return 0;
        return double(clock.elapsedNs()) / 20;
    };
    const double whole = costOf(1024), quarter = costOf(256);
    qInfo("derive of 1024 nodes x 8: %.3f ms, of 256: %.3f ms", whole / 1e6, quarter / 1e6);
    QVERIFY2(whole > 0 && whole < 8 * quarter, qPrintable(QString::number(whole / quarter)));
}

void DesignTest::furtherRulesCountAsAllOthers()
{
    Design design(catalogue());
    const auto count = [&design](const QString& rule) {
        return std::count_if(design.derived().findings().cbegin(), design.derived().findings().cend(),
            [&rule](const Finding& finding) { return finding.rule == rule; });
    };
    QSignalSpy changed(&design, &Design::changed);
    design.setRules([](const ResolvedSpec& resolved) {
        Finding error;
        error.severity = Severity::Error;
        error.rule = u"C01"_s;
        Finding warning;
        warning.rule = u"C05"_s;
        return resolved.nodes > 2 ? QList<Finding>{warning, error} : QList<Finding>{};
    });
    QCOMPARE(changed.size(), 1);
    QVERIFY(!design.canUndo()); // no part of the document
    QCOMPARE(count(u"C01"_s), 0);
    design.edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 3; });
    QCOMPARE(count(u"C01"_s), 1);
    QCOMPARE(count(u"C05"_s), 1);
    bool errorsOver = false;
    for (const Finding& finding : design.derived().findings()) { // errors stand first
        QVERIFY(!errorsOver || finding.severity != Severity::Error);
        errorsOver = errorsOver || finding.severity != Severity::Error;
    }
    design.setRules({});
    QCOMPARE(count(u"C01"_s), 0);
}

RANKWRIGHT_TEST_MAIN(DesignTest)
#include "tst_design.moc"
