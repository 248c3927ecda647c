// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/document/designjson.h"
#include "models/script/lint/lint.h"
#include "models/script/read/scriptedit.h"
#include "models/script/read/scriptimport.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/jobsampler.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

const QString goldens = rankwright::test::sourcePath(u"/tests/data/scripts/");

struct Ended {
    int code = -1;
    QByteArray output;
};

Ended run(const QString& program, const QStringList& arguments, const QByteArray& input, const QString& folder = {})
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(folder);
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(test::longWaitMs))
        return {-1, "timed out"};
    return {process.exitCode(), process.readAll()};
}

} // namespace

/// The lines that start the sampler inside the job: what a design says is in the script and comes back from it, and
/// a job ends as it would without them.
class JobSamplerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_catalogue = loadCatalogue({}); }
    void everyDesignCanHaveIt_data();
    void everyDesignCanHaveIt();
    void designsWithoutItStayAsTheyAre();
    void interval_data();
    void interval();
    void editsOfTheBlock_data();
    void editsOfTheBlock();
    void jobEndsAsWithoutIt_data();
    void jobEndsAsWithoutIt();

private:
    JobSpec golden(const QString& name) const;
    const ClusterProfile& profileOf(const JobSpec& spec) const { return *m_catalogue.find(spec.cluster); }
    ScriptDocument scriptOf(const JobSpec& spec) const
    {
        return writeScript(resolve(spec, profileOf(spec)), profileOf(spec));
    }
    Catalogue m_catalogue;
};

JobSpec JobSamplerTest::golden(const QString& name) const
{
    QFile file(goldens + name + u".json"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const auto read = readDesign(file.readAll(), name);
    return read ? read->spec : JobSpec();
}

void JobSamplerTest::everyDesignCanHaveIt_data()
{
    QTest::addColumn<QString>("name");
    for (const QString& file : QDir(goldens).entryList({u"*.json"_s}))
        QTest::newRow(qPrintable(file)) << file.chopped(5);
}

void JobSamplerTest::everyDesignCanHaveIt()
{
    QFETCH(QString, name);
    JobSpec spec = golden(name);
    const ClusterProfile& profile = profileOf(spec);
    spec.monitor = {};
    const QString without = scriptOf(spec).text();
    spec.monitor.sampler = true;
    const ScriptDocument document = scriptOf(spec);
    const QString text = document.text();
    const QList<int> lines = document.linesOf(field::sampler);
    if (lines.isEmpty()) { // a design that stops at its start has no launch, either
        QVERIFY2(!text.contains(u"# Launch"_s), qPrintable(name));
        return;
    }
    QCOMPARE(lines.size(), 4);
    QStringList rest = text.split(u'\n');
    rest.remove(lines.first(), 5); // with the blank line behind it
    QCOMPARE(rest, without.split(u'\n')); // nothing else of the script depends on it

    const Ended syntax = run(u"bash"_s, {u"-n"_s}, text.toUtf8());
    QVERIFY2(syntax.code == 0, syntax.output.constData());
    QStringList before, now;
    for (const Finding& finding : lintScript(parseBatch(without), &profile).findings)
        before.append(finding.slug);
    for (const Finding& finding : lintScript(parseBatch(text), &profile).findings)
        now.append(finding.slug);
    QCOMPARE(now, before);

    const BatchText batch = parseBatch(text);
    const JobSpec back = designOf(readScript(batch, profile), batch, profile);
    QCOMPARE(back.monitor.sampler, std::optional(true));
    QCOMPARE(back.monitor.interval, std::nullopt);
    const QString block = text.split(u'\n').mid(lines.first(), 4).join(u'\n');
    QCOMPARE(scriptOf(back).text().count(block), 1);
    for (const OverrideBlock& own : back.overrides)
        QVERIFY2(!own.lines.join(u'\n').contains(u".rankwright"_s), qPrintable(own.lines.join(u'\n')));
    const auto again = readDesign(writeDesign(spec), name);
    QVERIFY_RESULT(again);
    QCOMPARE(again->spec.monitor, spec.monitor);
    QVERIFY(again->unknownMembers.isEmpty());
}

void JobSamplerTest::designsWithoutItStayAsTheyAre()
{
    JobSpec spec = golden(u"lumi-2gcd-torchrun"_s);
    QVERIFY(!spec.monitor.sampler);
    spec.monitor.interval = 7;
    QVERIFY(!scriptOf(spec).text().contains(u".rankwright"_s));
    spec.monitor.sampler = false;
    QVERIFY(!scriptOf(spec).text().contains(u".rankwright"_s));
}

void JobSamplerTest::interval_data()
{
    QTest::addColumn<int>("nodes");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<qint64>("hours");
    QTest::addColumn<std::optional<int>>("given");
    QTest::addColumn<int>("seconds");
    const std::optional<int> open;
    // nodes x GPUs x 25 bytes x seconds / interval <= 256e6, by hand
    QTest::newRow("2 nodes, 1 day") << 2 << 8 << qint64(24) << open << 5; // 6.9 MB
    QTest::newRow("16 nodes, 2 days") << 16 << 8 << qint64(48) << open << 5; // 111 MB
    QTest::newRow("64 nodes, 2 days") << 64 << 8 << qint64(48) << open << 10; // 442 MB at 5 s, 221 MB at 10 s
    QTest::newRow("1024 nodes, 1 hour") << 1024 << 8 << qint64(1) << open << 10; // 205 writes a second at 5 s
    QTest::newRow("1024 nodes, 1 day") << 1024 << 8 << qint64(24) << open << 60; // never beyond 60 s
    QTest::newRow("given") << 1024 << 8 << qint64(24) << std::optional(2) << 2;
    QTest::newRow("given, absurd") << 1 << 8 << qint64(1) << std::optional(-4) << 1;
}

void JobSamplerTest::interval()
{
    ResolvedSpec resolved;
    QFETCH(int, nodes);
    QFETCH(int, gpus);
    QFETCH(qint64, hours);
    QFETCH(std::optional<int>, given);
    resolved.nodes = nodes;
    resolved.gpusPerNode = gpus;
    resolved.time = Seconds{hours * 3600};
    resolved.spec.monitor.interval = given;
    QTEST(samplerSeconds(resolved), "seconds");
}

void JobSamplerTest::editsOfTheBlock_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<JobSpec::Monitor>("monitor");
    QTest::addColumn<bool>("own");
    const QString block = u"if \\[\\[ -r \\.rankwright[^\\n]*\\n[^\\n]*\\nfi\\n"_s;
    QTest::newRow("another interval") << u" start amd 5 "_s << u" start amd 20 "_s << JobSpec::Monitor{true, 20}
                                      << false;
    QTest::newRow("removed") << block << QString() << JobSpec::Monitor{std::nullopt, std::nullopt} << true;
    QTest::newRow("of an older program") << u"sampler-1"_s << u"sampler-0"_s << JobSpec::Monitor{true, std::nullopt}
                                         << true;
    QTest::newRow("one's own") << u" start amd 5 "_s << u" start amd --fast "_s
                               << JobSpec::Monitor{std::nullopt, std::nullopt} << true;
}

void JobSamplerTest::editsOfTheBlock()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    JobSpec spec = golden(u"lumi-4node-torchrun"_s);
    spec.monitor.sampler = true;
    const QString typed = scriptOf(spec).text().replace(QRegularExpression(from), to);
    QVERIFY(typed != scriptOf(spec).text());
    const ScriptEdit edit = applyScriptEdit(spec, profileOf(spec), typed);
    QTEST(edit.exact.monitor, "monitor");
    QCOMPARE(scriptOf(edit.exact).text(), typed);
    QTEST(!edit.exact.overrides.isEmpty(), "own");
}

void JobSamplerTest::jobEndsAsWithoutIt_data()
{
    QTest::addColumn<bool>("there");
    QTest::addColumn<QByteArray>("training");
    QTest::addColumn<int>("code");
    for (const bool there : {false, true}) {
        const auto row = [there](const char* what) -> QTestData& {
            return QTest::addRow("%s, %s", what, there ? "sampler" : "no file");
        };
        row("good") << there << QByteArray("true") << 0;
        row("fails") << there << QByteArray("exit 7") << 7;
        row("set -e") << there << QByteArray("false; echo not reached") << 1;
        row("waits for all it started") << there << QByteArray("sleep 0.2 & wait; exit 3") << 3;
        row("waits for nothing") << there << QByteArray("wait; exit 4") << 4;
        row("traps") << there << QByteArray("trap 'exit 9' USR1; kill -USR1 $$; sleep 5") << 9;
    }
}

void JobSamplerTest::jobEndsAsWithoutIt()
{
    QFETCH(bool, there);
    QFETCH(QByteArray, training);
    QFETCH(int, code);
    JobSpec spec = golden(u"practice-2node-torchrun"_s);
    spec.monitor.sampler = true;
    const ScriptDocument document = scriptOf(spec);
    QByteArray script = "#!/bin/bash\nset -euo pipefail\n";
    for (const int line : document.linesOf(field::sampler))
        script += document.lines.at(line).text.toUtf8() + '\n';
    QTemporaryDir folder;
    const QString seen = folder.filePath(u"seen"_s);
    if (there) {
        QVERIFY(QDir(folder.path()).mkpath(u".rankwright"_s));
        QFile file(folder.filePath(samplerFileName));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("echo \"$*\" >seen; read -r x; echo \"ended $?\" >>seen; exit 5\n");
    }
    const Ended ended = run(u"bash"_s, {u"-s"_s}, script + "sleep 0.3\n" + training + '\n', folder.path());
    QCOMPARE(ended.code, code);
    QCOMPARE(ended.output, QByteArray());
    if (!there)
        return;
    QFile file(seen);
    QTRY_VERIFY(file.exists() && file.size() >= 29); // it ends with the script, by itself
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("start amd 5 one-step\nended 1\n"));
}

RANKWRIGHT_TEST_MAIN(JobSamplerTest)
#include "tst_jobsampler.moc"
