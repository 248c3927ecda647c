// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Design page in the whole window, with real designs over the built-in catalogue: shots_design FOLDER [NAME].
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QDir>
#include <QTextStream>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

JobSpec baseSpec()
{
    JobSpec spec;
    spec.name = u"llama8b"_s;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    spec.time = Seconds{12 * 3600};
    spec.command = u"train.py --config 8b.yaml"_s;
    spec.training.globalBatch = 512;
    spec.training.microBatch = 4;
    return spec;
}

struct Scene {
    QString name;
    std::function<void(JobSpec&)> change;
    FieldPath field;
    int rank = -1;
};

QList<Scene> scenes()
{
    return {{u"two_nodes"_s, [](JobSpec& s) { s.resources.nodes = 2; }, u"training.globalBatch"_s, -1},
        {u"srun_rank"_s,
            [](JobSpec& s) {
                s.resources.nodes = 2;
                s.launcher = Launcher::Srun;
                s.training.datasetSamples = 25000;
            },
            u"resources.nodes"_s, 5},
        {u"small_g"_s,
            [](JobSpec& s) {
                s.resources.nodes = 1;
                s.resources.gpusPerNode = 2;
                s.partition = u"small-g"_s;
                s.training.globalBatch = 128;
            },
            u"partition"_s, 1},
        {u"sixteen"_s,
            [](JobSpec& s) {
                s.resources.nodes = 16;
                s.training.globalBatch = 4096;
            },
            u"resources.nodes"_s, 37},
        {u"thousand"_s,
            [](JobSpec& s) {
                s.resources.nodes = 1024;
                s.training.globalBatch = 32768;
                s.time = Seconds{3600};
            },
            {}, 4000},
        {u"a100"_s,
            [](JobSpec& s) {
                s.cluster = u"practice"_s;
                s.partition = u"gpumedium"_s;
                s.resources.nodes = 2;
                s.account.reset();
            },
            u"account"_s, 2},
        {u"record"_s, [](JobSpec& s) { s.monitor.sampler = true; }, u"monitor.interval"_s, -1},
        {u"raven"_s,
            [](JobSpec& s) {
                s.cluster = u"raven"_s;
                s.resources.nodes = 3;
                s.account.reset();
                s.time = Seconds{90000};
            },
            u"time"_s, 2}};
}

void dressUp(MainWindow& window, const Scene& scene)
{
    LinkInfo link;
    link.cluster = scene.name == u"a100" ? u"practice"_s : scene.name == u"raven" ? u"raven"_s : u"lumi"_s;
    link.title = scene.name == u"a100" ? u"Practice cluster"_s : scene.name == u"raven" ? u"Raven"_s : u"LUMI"_s;
    link.state = scene.name == u"raven" ? LinkState::Offline : LinkState::Online;
    link.user = u"ada"_s;
    link.latencyMs = 38;
    link.openChannels = 2;
    link.bytesPerSecond = 7100;
    link.commandsPerMinute = 4;
    window.showLink(link);
    if (scene.name == u"sixteen")
        window.showNotice(Notice::Document, u"A design that was not saved has been restored."_s, u"Discard"_s);
}

void dressPage(DesignPage& page, const Scene& scene)
{
    ClusterFacts facts;
    facts.accounts = QStringList{u"project_465000001"_s, u"project_462000265"_s};
    page.setFacts(facts);
    SubmitState state;
    if (scene.name == u"two_nodes") {
        state.stage = SubmitState::Stage::Rehearsing;
        page.showSubmitState(state);
        state.stage = SubmitState::Stage::Rehearsed;
        state.text = u"The scheduler would take this job."_s;
        state.forecast.start = QDateTime::currentDateTime().addSecs(5400);
    } else if (scene.name == u"small_g") {
        state.stage = SubmitState::Stage::Sending;
        state.text = u"Sending the script to LUMI"_s;
    } else if (scene.name == u"srun_rank") {
        state.stage = SubmitState::Stage::Submitted;
        state.text = u"Submitted as job 9304946."_s;
        state.job = u"9304946"_s;
    }
    page.showSubmitState(state);
    if (scene.name == u"raven")
        page.setLaunchBlocked(u"Not connected to Raven: a design can be made, not launched."_s);
    if (scene.rank >= 0)
        page.selectRank(scene.rank);
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QString folder = application.arguments().value(1, u"."_s);
    const QString only = application.arguments().value(2);
    QDir().mkpath(folder);
    Theme theme;
    const Catalogue catalogue = loadCatalogue();
    for (const Error& fault : catalogue.faults)
        QTextStream(stderr) << fault.oneLine() << '\n';
    const QList<QSize> sizes{{1280, 800}, {1920, 1080}, {1024, 700}, {1440, 900}};
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        for (const Scene& scene : scenes()) {
            if (!only.isEmpty() && !scene.name.contains(only))
                continue;
            Design design(catalogue);
            JobSpec spec = baseSpec();
            scene.change(spec);
            design.replace(spec);
            // Built under the other theme, so that whatever keeps a colour is seen.
            theme.setMode(dark ? Theme::Mode::Light : Theme::Mode::Dark);
            auto* page = new DesignPage(design);
            MainWindow window(design, theme, {page, nullptr, nullptr, nullptr});
            window.setDocumentTitle(spec.name);
            dressUp(window, scene);
            dressPage(*page, scene);
            theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
            for (const QSize& size : sizes) {
                window.resize(size);
                window.show();
                window.activateWindow();
                if (!scene.field.isEmpty())
                    page->focusField(scene.field);
                for (int i = 0; i < 5; ++i)
                    QApplication::processEvents();
                window.grab().save(
                    u"%1/%2_%3_%4.png"_s.arg(folder, scene.name, dark ? u"dark"_s : u"light"_s).arg(size.width()));
            }
        }
    }
    return 0;
}
