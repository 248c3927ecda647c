// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/checks/designchecks.h"
#include "models/script/write/scriptwriter.h"
#include "tests/models/support/scriptsettings.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace rankwright;
using namespace rankwright::test;

namespace {

/// One row of the table of docs/script_cases.md: where ours is another, and why.
struct Difference {
    QString setting;
    QString published;
    QString ours;
    QString why;
    QString source;
    QStringList cases;
};

QString cell(const QStringList& cells, qsizetype index)
{
    return index < cells.size() ? cells.at(index).trimmed().remove(u'`') : QString();
}

QList<Difference> readDifferences()
{
    QFile file(rankwright::test::sourcePath(u"/docs/script_cases.md"));
    QList<Difference> differences;
    if (!file.open(QIODevice::ReadOnly))
        return differences;
    bool inTable = false;
    while (!file.atEnd()) {
        const QString line = QString::fromUtf8(file.readLine()).trimmed();
        inTable = line.startsWith(u"| setting | published"_s) || (inTable && line.startsWith(u'|'));
        const QStringList cells = line.mid(1).split(u'|');
        if (!inTable || cells.size() < 6 || line.startsWith(u"|---"_s) || line.startsWith(u"| setting"_s))
            continue;
        differences.append({cell(cells, 0), cell(cells, 1), cell(cells, 2), cell(cells, 3), cell(cells, 4),
            cell(cells, 5).split(u", "_s, Qt::SkipEmptyParts)});
    }
    return differences;
}

/// Published settings that need not be met word by word: what a published script sets for the site, ours sets, too, and
/// may set more.
bool agree(const QString& setting, const QString& published, const QString& ours)
{
    if (setting != u"site_env" || published == u"none")
        return setting == u"site_env" || published == ours;
    const QStringList have = ours.split(u' ');
    const QStringList wanted = published.split(u' ');
    return std::all_of(wanted.cbegin(), wanted.cend(), [&](const QString& name) { return have.contains(name); });
}

} // namespace

/// The settings of generated scripts against those of the published ones, for every published script.
class ScriptCasesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void settings_data();
    void settings();
    void everyDifferenceIsStillThere();
    void nothingForbidden_data() { settings_data(); }
    void nothingForbidden();
    void masksAreThePublishedOnes();
    void shellTakesThemAll();

private:
    QString textOf(const ScriptCase& one) const;
    Settings oursOf(const ScriptCase& one) const { return test::settingsOf(readScript(textOf(one))); }

    Catalogue m_catalogue;
    QList<ScriptCase> m_cases;
    QList<Difference> m_differences;
};

void ScriptCasesTest::initTestCase()
{
    m_catalogue = loadCatalogue();
    m_cases = readScriptCases();
    QCOMPARE(m_cases.size(), 95);
    for (const ScriptCase& one : std::as_const(m_cases))
        QVERIFY2(clusterOf(one, m_catalogue) != nullptr, qPrintable(one.id));
    m_differences = readDifferences();
    for (const Difference& difference : std::as_const(m_differences)) {
        QVERIFY2(!difference.why.isEmpty(), qPrintable(difference.setting));
        QVERIFY2(!difference.source.isEmpty(), qPrintable(difference.setting));
        QVERIFY2(!difference.cases.isEmpty(), qPrintable(difference.setting));
    }
}

QString ScriptCasesTest::textOf(const ScriptCase& one) const
{
    const ClusterProfile& profile = *clusterOf(one, m_catalogue);
    return writeScript(resolve(test::designOf(one, profile), profile), profile).text();
}

void ScriptCasesTest::settings_data()
{
    QTest::addColumn<int>("index");
    for (qsizetype i = 0; i < m_cases.size(); ++i)
        QTest::newRow(qPrintable(m_cases.at(i).id)) << static_cast<int>(i);
}

void ScriptCasesTest::settings()
{
    QFETCH(int, index);
    const ScriptCase& one = m_cases.at(index);
    const Settings published = test::settingsOf(one);
    const Settings ours = oursOf(one);
    QStringList unexplained;
    for (auto it = published.cbegin(); it != published.cend(); ++it) {
        const QString mine = ours.value(it.key());
        if (agree(it.key(), it.value(), mine))
            continue;
        const bool explained = std::any_of(m_differences.cbegin(), m_differences.cend(), [&](const Difference& row) {
            return row.setting == it.key() && row.published == it.value() && row.ours == mine
                && row.cases.contains(one.id);
        });
        if (!explained)
            unexplained.append(u"| %1 | %2 | %3 | | | %4"_s.arg(it.key(), it.value(), mine, one.id));
    }
    QVERIFY2(unexplained.isEmpty(), qPrintable(u'\n' + unexplained.join(u'\n') + u'\n' + textOf(one)));
}

void ScriptCasesTest::everyDifferenceIsStillThere()
{
    for (const Difference& row : std::as_const(m_differences)) {
        for (const QString& id : row.cases) {
            const auto one = std::find_if(
                m_cases.cbegin(), m_cases.cend(), [&](const ScriptCase& candidate) { return candidate.id == id; });
            QVERIFY2(one != m_cases.cend(), qPrintable(id));
            const QString published = test::settingsOf(*one).value(row.setting);
            const QString ours = oursOf(*one).value(row.setting);
            QVERIFY2(published == row.published && ours == row.ours && !agree(row.setting, published, ours),
                qPrintable(u"%1, %2: published %3, ours %4: the row is stale"_s.arg(id, row.setting, published, ours)));
        }
    }
}

void ScriptCasesTest::nothingForbidden()
{
    QFETCH(int, index);
    const ScriptCase& one = m_cases.at(index);
    const ReadScript script = readScript(textOf(one));
    const ClusterProfile& profile = *clusterOf(one, m_catalogue);
    const QList<Finding> findings = check(resolve(test::designOf(one, profile), profile), profile);
    const QJsonArray forbidden = one.row.value(u"must_not"_s).toArray();
    for (const QJsonValue& entry : forbidden) {
        const QString match = entry.toObject().value(u"match"_s).toString();
        if (match.startsWith(u"lint:"_s)) {
            const bool fires = std::any_of(findings.cbegin(), findings.cend(),
                [&](const Finding& finding) { return finding.rule == match.mid(5); });
            QVERIFY2(!fires, qPrintable(match));
        } else {
            QVERIFY2(!matches(match, script), qPrintable(match + u"\n"_s + script.text));
        }
    }
}

void ScriptCasesTest::masksAreThePublishedOnes()
{
    // Getting Started with AI on LUMI workshop, lectures 08 and 09; LUMI AI guide 05
    for (const ScriptCase& one : std::as_const(m_cases)) {
        const QString published
            = one.expected().value(u"launch"_s).toObject().value(u"cpu_bind"_s).toString().section(u'=', 1);
        if (!published.startsWith(u"0x00fe"_s))
            continue;
        const QString text = textOf(one).remove(u"\\\n"_s);
        QVERIFY2(text.contains(u"CPU_BIND_MASKS=\"%1\""_s.arg(published)), qPrintable(one.id + u'\n' + text));
    }
}

void ScriptCasesTest::shellTakesThemAll()
{
    QTemporaryDir folder;
    QStringList names;
    for (const ScriptCase& one : std::as_const(m_cases)) {
        names.append(one.id + u".sh"_s);
        QFile file(folder.filePath(names.last()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(textOf(one).toUtf8());
    }
    const auto run = [&](const QString& program, const QStringList& words) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setWorkingDirectory(folder.path());
        process.start(program, words);
        process.waitForFinished(test::longWaitMs);
        return process.exitCode() == 0 ? QByteArray() : process.readAll() + "failed";
    };
    QCOMPARE(run(u"bash"_s, {u"-c"_s, u"for f in *.sh; do bash -n \"$f\" || exit 1; done"_s}), QByteArray());
    if (QStandardPaths::findExecutable(u"shellcheck"_s).isEmpty())
        QSKIP("shellcheck is not installed");
    QCOMPARE(run(u"shellcheck"_s, QStringList{u"--shell=bash"_s} + names), QByteArray());
}

RANKWRIGHT_TEST_MAIN(ScriptCasesTest)
#include "tst_scriptcases.moc"
