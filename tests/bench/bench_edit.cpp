// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/document/design.h"
#include "tests/bench/benchreport.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/script/scripteditor.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>

#include <cmath>

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

/// Everything that follows from a design: script, ranks, batch, cost, findings.
void benchDerive(const Catalogue& catalogue, int nodes)
{
    const JobSpec spec = sample(nodes);
    const ClusterProfile* profile = catalogue.find(spec.cluster);
    QList<double> runs;
    for (int run = 0; run < 60; ++run) {
        QElapsedTimer timer;
        timer.start();
        const Derived derived = derive(spec, *profile);
        runs.append(double(timer.nsecsElapsed()) / 1e6);
        if (derived.script.lines.isEmpty())
            std::abort();
    }
    bench::report(qPrintable(u"derive everything, %1 nodes x 8 GCDs"_s.arg(nodes)), runs.mid(10), "ms");
}

/// From the edit to the last paint event that it caused, at 1280 x 800.
void benchEditToPainted(const Catalogue& catalogue, int nodes)
{
    Design design(catalogue);
    design.replace(sample(nodes));
    DesignPage page(design);
    page.resize(1280, 744);
    page.show();
    QApplication::processEvents();
    QList<double> runs;
    for (int run = 0; run < 45; ++run) {
        QElapsedTimer timer;
        timer.start();
        design.edit(u"bench"_s, [&](JobSpec& spec) { spec.training.globalBatch = 8192 + 64 * (run % 7); });
        QApplication::sendPostedEvents();
        QApplication::processEvents();
        runs.append(double(timer.nsecsElapsed()) / 1e6);
    }
    bench::report(qPrintable(u"edit of the batch to painted, %1 nodes"_s.arg(nodes)), runs.mid(5), "ms");
    runs.clear();
    for (int run = 0; run < 45; ++run) {
        QElapsedTimer timer;
        timer.start();
        design.edit(u"bench"_s, [&](JobSpec& spec) { spec.resources.nodes = nodes + run % 2; });
        QApplication::sendPostedEvents();
        QApplication::processEvents();
        runs.append(double(timer.nsecsElapsed()) / 1e6);
    }
    bench::report(qPrintable(u"edit of the node count to painted, %1 nodes"_s.arg(nodes)), runs.mid(5), "ms");
}

/// From a key in the script to the last paint event that it caused: the text is read back into the design, everything
/// follows from it, the text is judged, all of it painted.
void benchKeyToPainted(const Catalogue& catalogue, int nodes)
{
    Design design(catalogue);
    design.replace(sample(nodes));
    DesignPage page(design);
    page.resize(1280, 744);
    page.show();
    auto* editor = page.findChild<ScriptEditor*>();
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
        QElapsedTimer timer;
        timer.start();
        QKeyEvent key(QEvent::KeyPress, Qt::Key_X, Qt::NoModifier, u"x"_s);
        QApplication::sendEvent(editor, &key);
        QApplication::sendPostedEvents();
        QApplication::processEvents();
        runs.append(double(timer.nsecsElapsed()) / 1e6);
    }
    if (!design.derived().script.text().contains(u"xxxxx"_s))
        std::abort();
    bench::report(qPrintable(u"key in the script to painted, %1 nodes"_s.arg(nodes)), runs.mid(5), "ms");
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    Theme theme;
    theme.setMode(Theme::Mode::Light);
    theme.apply();
    const Catalogue catalogue = loadCatalogue();
    for (int nodes : {2, 64, 1024})
        benchDerive(catalogue, nodes);
    for (int nodes : {2, 64, 1023})
        benchEditToPainted(catalogue, nodes);
    for (int nodes : {2, 1023})
        benchKeyToPainted(catalogue, nodes);
    return 0;
}
