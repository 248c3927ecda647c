// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/lint/lint.h"
#include "tests/models/support/lintcases.h"
#include "tests/support/testbase.h"

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Every rule on texts that trip it and on near misses (tests/data/lint), and every fix applied.
class LintCasesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void rule_data();
    void rule();
    void everyRuleHasCases();
    void fixesApplied_data() { rule_data(); }
    void fixesApplied();

private:
    QList<Finding> lint(const test::LintCase& one, const QString& text) const;
    static QStringList shown(const QList<Finding>& findings);

    Catalogue m_catalogue;
    QList<test::LintCase> m_cases;
};

void LintCasesTest::initTestCase()
{
    m_catalogue = loadCatalogue();
    m_cases = test::allLintCases();
    QVERIFY(m_cases.size() > 400);
}

QList<Finding> LintCasesTest::lint(const test::LintCase& one, const QString& text) const
{
    return lintScript(parseBatch(text), one.cluster.isEmpty() ? nullptr : m_catalogue.find(one.cluster)).findings;
}

QStringList LintCasesTest::shown(const QList<Finding>& findings)
{
    QStringList lines;
    for (const Finding& finding : findings)
        lines.append(u"%1 %2 line %3: %4"_s.arg(finding.rule, finding.slug).arg(finding.line()).arg(finding.text));
    return lines;
}

void LintCasesTest::rule_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < m_cases.size(); ++i)
        QTest::newRow(qPrintable(m_cases.at(i).name)) << i;
}

void LintCasesTest::rule()
{
    QFETCH(int, index);
    const test::LintCase& one = m_cases.at(index);
    QVERIFY2(one.cluster.isEmpty() || m_catalogue.find(one.cluster), qPrintable(one.cluster));
    const QList<Finding> findings = lint(one, one.text);
    const bool spoke = std::any_of(
        findings.cbegin(), findings.cend(), [&](const Finding& finding) { return finding.slug == one.slug; });
    QVERIFY2(spoke == one.trips, qPrintable(u"\n"_s + one.text + u"---\n"_s + shown(findings).join(u'\n')));
    if (!one.severity.isEmpty()) {
        Severity worst = Severity::Hint;
        for (const Finding& finding : findings)
            worst = finding.slug == one.slug ? std::min(worst, finding.severity) : worst;
        QVERIFY2(toText(worst) == one.severity, qPrintable(u"\n"_s + one.text + u"---\n"_s + toText(worst)));
    }
    for (const Finding& finding : findings) {
        QVERIFY2(finding.text.size() > 20 && !finding.text.contains(u'\n'), qPrintable(finding.text));
        QVERIFY2(finding.line() >= 0 && finding.line() <= one.text.count(u'\n') + 1, qPrintable(finding.text));
        QVERIFY2(!finding.text.contains(QRegularExpression(u"%\\d"_s)), qPrintable(finding.text));
    }
}

void LintCasesTest::everyRuleHasCases()
{
    QMap<QString, std::pair<int, int>> counts;
    for (const test::LintCase& one : std::as_const(m_cases))
        ++(one.trips ? counts[one.slug].first : counts[one.slug].second);
    QStringList poor;
    QSet<QString> slugs;
    for (const Rule& rule : lintRules()) {
        slugs.insert(rule.slug);
        const auto [trips, misses] = counts.value(rule.slug);
        if (trips < 2 || misses < 2)
            poor.append(rule.slug);
    }
    QCOMPARE(poor, QStringList());
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        QVERIFY2(slugs.contains(it.key()), qPrintable(it.key() + u": no such rule"_s));
}

void LintCasesTest::fixesApplied()
{
    QFETCH(int, index);
    const test::LintCase& one = m_cases.at(index);
    for (const Finding& finding : lint(one, one.text)) {
        if (!finding.fix)
            continue;
        QVERIFY(!finding.fix->label.isEmpty() && !finding.fix->edits.isEmpty());
        const QString after = textAfter(one.text, *finding.fix);
        const QList<Finding> left = lint(one, after);
        const auto same = [&](const Finding& other) {
            return other.rule == finding.rule && other.slug == finding.slug && other.text == finding.text;
        };
        const auto before = lint(one, one.text);
        QVERIFY2(std::count_if(left.cbegin(), left.cend(), same) < std::count_if(before.cbegin(), before.cend(), same),
            qPrintable(
                finding.slug + u": "_s + finding.text + u"\n--- "_s + finding.fix->label + u" gives\n"_s + after));
    }
}

RANKWRIGHT_TEST_MAIN(LintCasesTest)
#include "tst_lintcases.moc"
