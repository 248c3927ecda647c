// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/boundscript.h"
#include "models/script/document/authoredit.h"
#include "models/script/document/design.h"
#include "models/script/lint/lint.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/longscript.h"
#include "tests/bench/usage.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/script/scripteditor.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>

#include <functional>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

JobSpec sample(int nodes)
{
    JobSpec spec;
    spec.name = u"bench"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = nodes;
    spec.resources.gpusPerNode = 8;
    spec.training.globalBatch = 8192;
    spec.launcher = Launcher::Srun;
    return spec;
}

/// In milliseconds. A function of its own, so that a profiler can count it alone.
[[gnu::noinline]] double measuredWork(const std::function<void()>& work)
{
    QElapsedTimer timer;
    timer.start();
    work();
    return double(timer.nsecsElapsed()) / 1e6;
}

void paint()
{
    QApplication::sendPostedEvents();
    QApplication::processEvents();
}

/// Everything that follows from a design: script, ranks, batch, cost, findings.
void benchDerive(const Catalogue& catalogue, int nodes)
{
    const JobSpec spec = sample(nodes);
    const ClusterProfile* profile = catalogue.find(spec.cluster);
    QList<double> runs;
    for (int run = 0; run < 60; ++run) {
        Derived derived;
        runs.append(measuredWork([&] { derived = derive(spec, *profile); }));
        if (derived.script.lines.isEmpty())
            std::abort();
    }
    bench::report(qPrintable(u"derive everything, %1 nodes x 8 GCDs"_s.arg(nodes)), runs.mid(10), "ms");
}

/// The page at 1280 x 800.
struct ShownPage {
    ShownPage(const Catalogue& catalogue, int nodes) : design(catalogue), page(putIn(nodes))
    {
        page.resize(1280, 744);
        page.show();
        QApplication::processEvents();
    }
    Design& putIn(int nodes)
    {
        design.replace(sample(nodes));
        return design;
    }
    Design design;
    DesignPage page;
};

/// From the edit to the last paint event that it caused.
void benchBatchToPainted(const Catalogue& catalogue, int nodes)
{
    ShownPage shown(catalogue, nodes);
    Design& design = shown.design;
    QList<double> runs;
    for (int run = 0; run < 45; ++run) {
        runs.append(measuredWork([&] {
            design.edit(u"bench"_s, [&](JobSpec& spec) { spec.training.globalBatch = 8192 + 64 * (run % 7); });
            paint();
        }));
    }
    bench::report(qPrintable(u"edit of the batch to painted, %1 nodes"_s.arg(nodes)), runs.mid(5), "ms");
}

/// The same where the page is laid out again.
void benchNodesToPainted(const Catalogue& catalogue, int nodes)
{
    ShownPage shown(catalogue, nodes);
    Design& design = shown.design;
    QList<double> runs;
    for (int run = 0; run < 45; ++run) {
        runs.append(measuredWork([&] {
            design.edit(u"bench"_s, [&](JobSpec& spec) { spec.resources.nodes = nodes + run % 2; });
            paint();
        }));
    }
    bench::report(qPrintable(u"edit of the node count to painted, %1 nodes"_s.arg(nodes)), runs.mid(5), "ms");
}

/// From a key in the script to the last paint event that it caused: the text is read back into the design, everything
/// follows from it, the text is evaluated, all of it painted.
void benchKeyToPainted(const Catalogue& catalogue, int nodes)
{
    ShownPage shown(catalogue, nodes);
    const Design& design = shown.design;
    auto* editor = shown.page.findChild<ScriptEditor*>();
    if (editor->isReadOnly())
        return;
    editor->setFocus();
    int line = 0;
    while (line < editor->lines() && !editor->text(line).startsWith(u"# Environment"_s))
        ++line;
    editor->setCursorPosition(line, 3);
    QApplication::processEvents();
    QList<double> runs;
    for (int run = 0; run < 65; ++run) {
        runs.append(measuredWork([&] {
            QKeyEvent key(QEvent::KeyPress, Qt::Key_X, Qt::NoModifier, u"x"_s);
            QApplication::sendEvent(editor, &key);
            paint();
        }));
    }
    if (!design.derived().script.text().contains(u"xxxxx"_s))
        std::abort();
    bench::report(qPrintable(u"key in the script to painted, %1 nodes"_s.arg(nodes)), runs.mid(5), "ms");
}

/// Processor time of the thread in milliseconds: other programs of the machine do not count.
[[gnu::noinline]] double threadWork(const std::function<void()>& work)
{
    const double before = bench::threadSeconds();
    work();
    return (bench::threadSeconds() - before) * 1e3;
}

/// What an opened script costs, part by part: taken apart, its fields found, the design's fields said by them,
/// evaluated.
void benchAuthorParts(const Catalogue& catalogue, int lines)
{
    const QString text = bench::longScript(lines);
    const ClusterProfile& profile = *catalogue.find(u"generic"_s);
    QList<double> apart, bound, said, linted, derived;
    for (int run = 0; run < 15; ++run) {
        BatchText batch;
        apart.append(threadWork([&] { batch = parseBatch(text); }));
        std::shared_ptr<const BoundScript> read;
        bound.append(threadWork([&] { read = readFields(batch); }));
        AuthorScript script;
        said.append(threadWork([&] { script = authorScriptOf(read, profile); }));
        linted.append(threadWork([&] { lintScript(batch, &profile); }));
        JobSpec fresh;
        fresh.cluster = profile.name;
        const JobSpec spec = withAuthorScript(fresh, script);
        derived.append(threadWork([&] { derive(spec, profile, {}, &script); }));
    }
    const auto report = [lines](const QString& what, const QList<double>& runs) {
        bench::report(qPrintable(u"script of %1 lines: %2"_s.arg(lines).arg(what)), runs, "ms");
    };
    report(u"taken apart"_s, apart);
    report(u"its fields found"_s, bound);
    report(u"the design's fields"_s, said);
    report(u"linted"_s, linted);
    report(u"all that follows, with findings"_s, derived);
}

/// What comes behind the paint: findings, rows of the form that no screen shows, line breaks further down.
void settle(const Design& design)
{
    design.derived().check();
    for (int turn = 0; turn < 50; ++turn)
        QApplication::processEvents();
}

/// A script that somebody wrote: opened, its fields changed by the form in its text, and keys in that text; each to the
/// last paint event that it caused.
void benchAuthorToPainted(const Catalogue& catalogue, int lines)
{
    ShownPage shown(catalogue, 2);
    Design& design = shown.design;
    design.setCheckTiming(Design::CheckTiming::WhenPainted); // as the window has it
    const ClusterProfile& profile = *catalogue.find(u"generic"_s);
    const JobSpec other = sample(2);
    const QString text = bench::longScript(lines);
    QList<double> opened, numbers, times, keys, findings;
    const auto painted = [&design](QList<double>& runs, const std::function<void()>& change) {
        runs.append(threadWork([&change] {
            change();
            QApplication::sendPostedEvents(); // layout and paint are among them
        }));
        settle(design);
    };
    for (int run = 0; run < 12; ++run) {
        design.replace(other);
        settle(design);
        painted(opened, [&] { // as Documents opens a script
            const AuthorScript script = authorScriptOf(text, profile);
            JobSpec fresh;
            fresh.cluster = profile.name;
            design.replace(withAuthorScript(fresh, script), Design::Kept::InItsFile, &script);
        });
    }
    for (int run = 0; run < 25; ++run) {
        painted(numbers, [&] { design.edit(u"bench"_s, [&](JobSpec& spec) { spec.resources.nodes = 2 + run % 2; }); });
        painted(
            times, [&] { design.edit(u"bench"_s, [&](JobSpec& spec) { spec.time = Seconds{3600 * (2 + run % 2)}; }); });
    }
    auto* editor = shown.page.findChild<ScriptEditor*>();
    editor->setFocus();
    editor->setCursorPosition(9, 0);
    QApplication::processEvents();
    for (int run = 0; run < 25; ++run) {
        painted(keys, [&] {
            QKeyEvent key(QEvent::KeyPress, Qt::Key_X, Qt::NoModifier, u"x"_s);
            QApplication::sendEvent(editor, &key);
        });
    }
    if (!design.derived().script.text().contains(u"xxxxx"_s))
        std::abort();
    for (int run = 0; run < 12; ++run) {
        design.edit(u"bench"_s, [&](JobSpec& spec) { spec.resources.nodes = 4 + run % 2; });
        findings.append(threadWork([&] { design.derived().check(); }));
    }
    const auto report = [lines](const QString& what, const QList<double>& runs) {
        bench::report(qPrintable(u"script of %1 lines: %2"_s.arg(lines).arg(what)), runs.mid(2), "ms");
    };
    report(u"opened to painted"_s, opened);
    report(u"another number of nodes to painted"_s, numbers);
    report(u"another time to painted"_s, times);
    report(u"a key to painted"_s, keys);
    report(u"its findings, behind the paint"_s, findings);
}

} // namespace

/// Without words all of it; "derive", "batch", "nodes" or "key", one of them with two nodes alone; "parts" or "author",
/// scripts of 250 to 8,000 lines, with a number behind it of as many lines. For a profiler: valgrind --tool=callgrind
/// --toggle-collect='*measuredWork*' bench_edit batch
int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme theme;
    theme.setMode(Theme::Mode::Light);
    theme.apply();
    const Catalogue catalogue = loadCatalogue();
    const QString only = application.arguments().value(1);
    const auto run = [&](const QString& name, const QList<int>& nodes, void (*bench)(const Catalogue&, int)) {
        if (!only.isEmpty() && only != name)
            return;
        for (int count : only.isEmpty() ? nodes : QList<int>{2})
            bench(catalogue, count);
    };
    run(u"derive"_s, {2, 64, 1024}, benchDerive);
    run(u"batch"_s, {2, 64, 1023}, benchBatchToPainted);
    run(u"nodes"_s, {2, 64, 1023}, benchNodesToPainted);
    run(u"key"_s, {2, 1023}, benchKeyToPainted);
    const auto runLines = [&](const QString& name, void (*bench)(const Catalogue&, int)) {
        if (!only.isEmpty() && only != name)
            return;
        const int chosen = application.arguments().value(2).toInt();
        for (const int lines : chosen > 0 ? QList<int>{chosen} : QList<int>{250, 500, 1000, 2000, 4000, 8000})
            bench(catalogue, lines);
    };
    runLines(u"parts"_s, benchAuthorParts);
    runLines(u"author"_s, benchAuthorToPainted);
    return 0;
}
