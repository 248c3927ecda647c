// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/linediff.h"
#include "models/script/document/scriptfindings.h"
#include "models/script/lint/lint.h"
#include "models/script/read/scriptedit.h"
#include "tests/support/testbase.h"

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Which findings count: those of the fields, and those of a script that somebody changed.
class ScriptFindingsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void generatedLinesAreNotLinted();
    void aDeletedLineIsLinted();
    void everyDeletionIsLinted();
    void everyInsertionIsLinted();
    void fieldsWinATie();
    void theMoreSevereSideStays_data();
    void theMoreSevereSideStays();
    void hintsStay();
    void errorsComeFirst();
    void aFixEditsTheText();
    void aScriptWithoutACluster();

private:
    static JobSpec sample();
    const ClusterProfile& profile() const { return *m_catalogue.find(u"lumi"_s); }
    QStringList lines() const { return linesOfText(derive(sample(), profile()).script.text()); }
    Derived edited(const QStringList& lines) const
    {
        return derive(applyScriptEdit(sample(), profile(), lines.join(u'\n') + u'\n').exact, profile());
    }
    static const Finding* find(const Derived& derived, const QString& slug);
    void compareErrors(const Derived& derived, const QString& what) const;

    Catalogue m_catalogue = loadCatalogue();
};

JobSpec ScriptFindingsTest::sample()
{
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 2;
    spec.time = Seconds{12 * 3600};
    spec.command = u"train.py"_s;
    return spec;
}

const Finding* ScriptFindingsTest::find(const Derived& derived, const QString& slug)
{
    const auto found = std::find_if(derived.findings().cbegin(), derived.findings().cend(),
        [&slug](const Finding& finding) { return finding.slug == slug; });
    return found == derived.findings().cend() ? nullptr : &*found;
}

/// Every error that the linter finds in the design's script is an error of the design.
void ScriptFindingsTest::compareErrors(const Derived& derived, const QString& what) const
{
    for (const Finding& lint : lintScript(parseBatch(derived.script.text()), &profile()).findings) {
        if (lint.severity != Severity::Error)
            continue;
        const Finding* finding = find(derived, lint.slug);
        QVERIFY2(finding && finding->severity == Severity::Error, qPrintable(what + u": "_s + lint.text));
    }
}

void ScriptFindingsTest::generatedLinesAreNotLinted()
{
    const Derived derived = derive(sample(), profile());
    const QList<Finding> fields = check(derived.resolved, profile());
    QCOMPARE(derived.findings().size(), fields.size());
    for (qsizetype i = 0; i < fields.size(); ++i) {
        QCOMPARE(derived.findings().at(i).text, fields.at(i).text);
        QVERIFY(!derived.findings().at(i).lines);
    }
    QVERIFY(std::none_of(
        fields.cbegin(), fields.cend(), [](const Finding& finding) { return finding.severity == Severity::Error; }));
}

void ScriptFindingsTest::aDeletedLineIsLinted()
{
    QStringList text = lines();
    QVERIFY(text.takeFirst().startsWith(u"#!/bin/bash"_s));
    const Derived derived = edited(text);
    QCOMPARE(linesOfText(derived.script.text()), text);
    const Finding* finding = find(derived, u"shebang"_s);
    QVERIFY(finding);
    QCOMPARE(finding->severity, Severity::Error);
    QCOMPARE(finding->rule, u"L16"_s);
    QVERIFY(finding->line() <= 1);
}

void ScriptFindingsTest::everyDeletionIsLinted()
{
    const QStringList generated = lines();
    QVERIFY(generated.size() > 30);
    for (qsizetype line = 0; line < generated.size(); ++line) {
        QStringList text = generated;
        const QString gone = text.takeAt(line);
        compareErrors(edited(text), u"without “%1”"_s.arg(gone));
    }
}

void ScriptFindingsTest::everyInsertionIsLinted()
{
    const QStringList generated = lines();
    for (const QString& added : {u"#SBATCH --exclusive"_s, u"#SBATCH --nodes = 2"_s, u"if true"_s, u"echo mine"_s,
             u"export RANK=$SLURM_PROCID"_s, u"srun --ntasks=1 hostname"_s, u"# SBATCH --time=1"_s}) {
        for (qsizetype line = 0; line <= generated.size(); line += 5) {
            QStringList text = generated;
            text.insert(line, added);
            compareErrors(edited(text), u"with “%1” at %2"_s.arg(added).arg(line));
        }
    }
}

void ScriptFindingsTest::fieldsWinATie()
{
    // LUMI user guide: small-g takes at most 4 nodes. Fields and text both say so; one click cures the field.
    JobSpec spec = sample();
    spec.partition = u"small-g"_s;
    spec.resources.nodes = 5;
    const QString text = derive(spec, profile()).script.text();
    const Derived derived = derive(applyScriptEdit(spec, profile(), text + u"echo mine\n"_s).exact, profile());
    const QList<Finding> lint = textFindings(derived.script.text(), &profile()).findings;
    const auto isLimit = [](const Finding& finding) { return finding.slug == u"partition-limit"; };
    QVERIFY(std::any_of(lint.cbegin(), lint.cend(), isLimit));
    QCOMPARE(std::count_if(derived.findings().cbegin(), derived.findings().cend(), isLimit),
        std::count_if(derived.findings().cbegin(), derived.findings().cend(),
            [&](const Finding& finding) { return isLimit(finding) && !finding.lines; }));
    QVERIFY(find(derived, u"partition-limit"_s));
}

void ScriptFindingsTest::theMoreSevereSideStays_data()
{
    QTest::addColumn<Severity>("field");
    QTest::addColumn<Severity>("line");
    QTest::addColumn<bool>("fieldStays");
    QTest::newRow("both errors") << Severity::Error << Severity::Error << true;
    QTest::newRow("both hints") << Severity::Hint << Severity::Hint << true;
    QTest::newRow("the field is worse") << Severity::Warning << Severity::Hint << true;
    QTest::newRow("the line is worse") << Severity::Warning << Severity::Error << false;
}

void ScriptFindingsTest::theMoreSevereSideStays()
{
    QFETCH(Severity, field);
    QFETCH(Severity, line);
    QFETCH(bool, fieldStays);
    const auto made = [](Severity severity, const QString& slug, const QString& text, int at) {
        Finding finding;
        finding.severity = severity;
        finding.slug = slug;
        finding.text = text;
        if (at > 0)
            finding.lines = LineRange{at, at};
        return finding;
    };
    const QList<Finding> fields{made(field, u"both"_s, u"field"_s, 0), made(Severity::Hint, u"own"_s, u"own"_s, 0)};
    // One slug at two lines, the milder first: a side stays or goes as a whole.
    const QList<Finding> script{made(Severity::Hint, u"both"_s, u"mild line"_s, 1), made(line, u"both"_s, u"line"_s, 2),
        made(Severity::Hint, u"text"_s, u"text"_s, 3)};
    QStringList texts;
    for (const Finding& finding : joinedFindings(fields, script))
        texts.append(finding.text);
    texts.sort();
    const QStringList wanted = fieldStays ? QStringList{u"field"_s, u"own"_s, u"text"_s}
                                          : QStringList{u"line"_s, u"mild line"_s, u"own"_s, u"text"_s};
    QCOMPARE(texts, wanted);
}

void ScriptFindingsTest::hintsStay()
{
    QList<Finding> hints;
    QStringList text = lines();
    text.append(u"python -m torch.distributed.launch --nproc_per_node=1 --master_port=29500 more.py"_s);
    const Derived derived = edited(text);
    for (const Finding& lint : lintScript(parseBatch(derived.script.text()), &profile()).findings) {
        if (lint.severity == Severity::Hint)
            hints.append(lint);
    }
    QVERIFY(!hints.isEmpty());
    for (const Finding& hint : hints)
        QVERIFY2(find(derived, hint.slug), qPrintable(hint.slug));
}

void ScriptFindingsTest::errorsComeFirst()
{
    QStringList text = lines();
    text.removeFirst();
    text.append(u"python -m torch.distributed.launch --nproc_per_node=1 --master_port=29500 more.py"_s);
    const Derived derived = edited(text);
    QVERIFY(std::is_sorted(derived.findings().cbegin(), derived.findings().cend(),
        [](const Finding& a, const Finding& b) { return a.severity < b.severity; }));
    QCOMPARE(derived.findings().first().severity, Severity::Error);
}

void ScriptFindingsTest::aFixEditsTheText()
{
    QStringList text = lines();
    text.append(u"#SBATCH --exclusive"_s);
    const Derived before = edited(text);
    const Finding* finding = find(before, u"directive-after-command"_s);
    QVERIFY(finding && finding->fix);
    QCOMPARE(finding->line(), int(text.size()));
    JobSpec spec = before.resolved.spec;
    finding->fix->apply(spec);
    const Derived after = derive(spec, profile());
    QVERIFY(after.script.text() != before.script.text());
    QVERIFY(!find(after, u"directive-after-command"_s));
}

void ScriptFindingsTest::aScriptWithoutACluster()
{
    const QList<Finding> findings = textFindings(u"srun hostname\n"_s, nullptr).findings;
    QVERIFY(std::any_of(
        findings.cbegin(), findings.cend(), [](const Finding& finding) { return finding.slug == u"shebang"; }));
    for (const Finding& finding : findings) {
        JobSpec spec;
        if (finding.fix)
            finding.fix->apply(spec); // no cluster to hold on to: harmless
    }
}

RANKWRIGHT_TEST_MAIN(ScriptFindingsTest)
#include "tst_scriptfindings.moc"
