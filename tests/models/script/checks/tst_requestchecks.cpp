// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/checks/designchecks.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const Catalogue& catalogue()
{
    static const Catalogue all = loadCatalogue();
    return all;
}

/// A request as the tables of the sites' limits have it; 0 and empty: left
/// open.
struct Request {
    const char16_t* cluster;
    const char16_t* partition;
    int nodes;
    int gpus;
    const char16_t* time = u"";
    int cores = 0;
    const char16_t* memory = u"";
    bool account = true;
    const char16_t* launcher = u"";
};

JobSpec specOf(const Request& request)
{
    JobSpec spec;
    spec.cluster = QString::fromUtf16(request.cluster);
    if (*request.partition != 0)
        spec.partition = QString::fromUtf16(request.partition);
    if (request.nodes > 0)
        spec.resources.nodes = request.nodes;
    if (request.gpus > 0)
        spec.resources.gpusPerNode = request.gpus;
    if (request.cores > 0)
        spec.resources.cpusPerGpu = request.cores;
    if (*request.time != 0)
        spec.time = parseSlurmTime(QString::fromUtf16(request.time)).value();
    if (*request.memory != 0)
        spec.resources.memoryPerNode = parseSlurmMemory(QString::fromUtf16(request.memory)).value();
    if (*request.launcher != 0)
        spec.launcher = launcherFrom(QString::fromUtf16(request.launcher));
    spec.command = u"train.py"_s;
    const ClusterProfile* profile = catalogue().find(spec.cluster);
    if (request.account && profile != nullptr)
        spec.account = profile->launch.accountExample.isEmpty() ? u"project"_s : profile->launch.accountExample;
    return spec;
}

QString reported(const QList<Finding>& findings)
{
    QStringList lines;
    for (const Finding& finding : findings)
        lines.append(toText(finding.severity) + u' ' + finding.slug + u": "_s + finding.text);
    return lines.join(u'\n');
}

} // namespace

/// Requests that a site takes, warns of or refuses, by its own tables; ids as
/// in the table of cases.
class RequestChecksTest : public test::Suite {
    Q_OBJECT
private slots:
    void refused_data();
    void refused();
    void warned_data();
    void warned();
    void accepted_data();
    void accepted();

private:
    static QList<Finding> alertTexts(const Request& request)
    {
        const ClusterProfile* profile = catalogue().find(QString::fromUtf16(request.cluster));
        return profile == nullptr ? QList<Finding>() : check(resolve(specOf(request), *profile), *profile);
    }
};

void RequestChecksTest::refused_data()
{
    QTest::addColumn<Request>("request");
    QTest::addColumn<QString>("fix"); // what the fix must lead to; empty: any
    const auto row = [](const char* tag, const Request& request, const char16_t* fix = u"") {
        QTest::newRow(tag) << request << QString::fromUtf16(fix);
    };
    row("V3 Mahti gpusmall, 2 nodes; CSC user guide", {u"mahti", u"gpusmall", 2, 1}, u"gpumedium");
    row("V6 Mahti slice, 5 cores; CSC user guide", {u"mahti", u"gpusmall-slice", 1, 1, u"", 5});
    row("V6 Mahti, 2 slices; CSC user guide", {u"mahti", u"gpusmall-slice", 1, 2});
    row("V9 Puhti gputest, 20 min; CSC user guide", {u"puhti", u"gputest", 1, 1, u"00:20:00"});
    row("V10 Puhti is closed; CSC user guide", {u"puhti", u"gpu", 1, 1});
    row("V10 Mahti is closed; CSC user guide", {u"mahti", u"gpumedium", 1, 4});
    row("V11 Roihu gpumedium, 8 GPUs; CSC user guide", {u"roihu", u"gpumedium", 2, 4}, u"gpularge");
    row("V12 Roihu gpularge, 1 GPU; CSC user guide", {u"roihu", u"gpularge", 1, 1}, u"gpumedium");
    row("V14 LUMI small-g, 5 nodes; LUMI user guide", {u"lumi", u"small-g", 5, 8}, u"standard-g");
    row("V15 LUMI standard-g, 49 h; LUMI user guide", {u"lumi", u"standard-g", 1, 8, u"49:00:00"});
    row("V19 LUMI, 2 nodes with 960G; course 2025", {u"lumi", u"standard-g", 2, 8, u"", 0, u"960G"});
    row("V24 LUMI, no account; LUMI user guide", {u"lumi", u"small-g", 1, 1, u"", 0, u"", false});
    row("V28 Raven, 81 nodes; MPCDF tutorial", {u"raven", u"", 81, 4});
    row("V30 Raven gpudev, 16 min; MPCDF tutorial", {u"raven", u"gpudev", 1, 1, u"00:16:00"});
    row("V32 Frontier, 100 nodes, 7 h; OLCF", {u"frontier", u"batch", 100, 8, u"07:00:00"});
    row("V34 Frontier, 9473 nodes; OLCF", {u"frontier", u"batch", 9473, 8});
    row("V35 Clariden debug, 4 nodes, 23 min; CSCS", {u"alps-clariden", u"debug", 4, 4, u"00:23:00"});
    row("V36 Leonardo boost_qos_dbg, 3 nodes; AI:AT", {u"leonardo", u"boost_qos_dbg", 3, 4, u"00:20:00"});
    row("V39 Dardel gpu, 25 h; PDC", {u"dardel", u"gpu", 1, 8, u"25:00:00"});
}

void RequestChecksTest::refused()
{
    QFETCH(Request, request);
    QFETCH(QString, fix);
    const QList<Finding> findings = alertTexts(request);
    const auto error = std::find_if(
        findings.cbegin(), findings.cend(), [](const Finding& finding) { return finding.severity == Severity::Error; });
    QVERIFY2(error != findings.cend(), qPrintable(u"nothing is refused: "_s + reported(findings)));
    const bool fixes = std::any_of(findings.cbegin(), findings.cend(), [&](const Finding& finding) {
        return finding.severity == Severity::Error && finding.fix && finding.fix->label.contains(fix);
    });
    QVERIFY2(fix.isEmpty() || fixes, qPrintable(reported(findings)));
}

void RequestChecksTest::warned_data()
{
    QTest::addColumn<Request>("request");
    QTest::addColumn<QString>("word");
    QTest::newRow("V5 Mahti, 33 cores for a GPU; CSC user guide")
        << Request{u"mahti", u"gpusmall", 1, 1, u"", 33} << u"32"_s;
    QTest::newRow("V13 Roihu with memory; CSC user guide")
        << Request{u"roihu", u"gpumedium", 1, 1, u"", 0, u"100G"} << u"memory"_s;
    QTest::newRow("V41 torchrun on Frontier; OLCF")
        << Request{u"frontier", u"batch", 2, 8, u"01:00:00", 0, u"", true, u"torchrun"} << u"torchrun"_s;
}

void RequestChecksTest::warned()
{
    QFETCH(Request, request);
    QFETCH(QString, word);
    const QList<Finding> findings = alertTexts(request);
    const bool found = std::any_of(findings.cbegin(), findings.cend(),
        [&](const Finding& finding) { return finding.severity != Severity::Error && finding.text.contains(word); });
    QVERIFY2(found, qPrintable(reported(findings)));
}

void RequestChecksTest::accepted_data()
{
    QTest::addColumn<Request>("request");
    QTest::newRow("V33 Frontier, 91 nodes, 2 h; OLCF") << Request{u"frontier", u"batch", 91, 8, u"02:00:00"};
    QTest::newRow("V33 Frontier, 92 nodes, 6 h; OLCF") << Request{u"frontier", u"batch", 92, 8, u"06:00:00"};
    QTest::newRow("V35 Clariden debug, 4 nodes, 22 min; CSCS")
        << Request{u"alps-clariden", u"debug", 4, 4, u"00:22:00"};
    QTest::newRow("LUMI, the advised request; LUMI user guide") << Request{u"lumi", u"small-g", 1, 1};
    QTest::newRow("LUMI, largest job; LUMI user guide") << Request{u"lumi", u"standard-g", 1024, 8, u"48:00:00"};
    QTest::newRow("Raven, 80 nodes; MPCDF tutorial") << Request{u"raven", u"", 80, 4, u"24:00:00"};
}

void RequestChecksTest::accepted()
{
    QFETCH(Request, request);
    const QList<Finding> findings = alertTexts(request);
    const bool refused = std::any_of(
        findings.cbegin(), findings.cend(), [](const Finding& finding) { return finding.severity == Severity::Error; });
    QVERIFY2(!refused, qPrintable(reported(findings)));
}

RANKWRIGHT_TEST_MAIN(RequestChecksTest)
#include "tst_requestchecks.moc"
