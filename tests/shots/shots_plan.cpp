// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The planner's views: cards and strategies with made-up estimates, the Plan page with a made-up search, the whole
// window with real ones: shots_plan FOLDER [NAME].
#include "tests/shots/planfixture.h"
#include "widgets/base/card.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/design/estimatecards.h"
#include "widgets/design/memoryview.h"
#include "widgets/design/strategyview.h"
#include "widgets/design/verdictbar.h"
#include "widgets/plan/planpage.h"
#include "widgets/plan/plantext.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QBoxLayout>
#include <QDir>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

struct Camera {
    QString folder;
    QString only;
    bool dark = false;
    bool wants(const QString& name) const { return only.isEmpty() || name.contains(only); }
    void capture(const QString& name, QWidget& widget) const
    {
        widget.show();
        for (int i = 0; i < 5; ++i)
            QApplication::processEvents();
        widget.grab().save(u"%1/%2_%3_%4.png"_s.arg(folder, name, dark ? u"dark"_s : u"light"_s).arg(widget.width()));
    }
};

QList<Remedy> someRemedies()
{
    return {test::remedy(u"Recompute everything"_s, u"57 GiB of 63.9, step 34.1 s instead of 28.9 s"_s),
        test::remedy(u"Use 4 nodes"_s, u"49 GiB of 63.9, step 15.2 s instead of 28.9 s"_s),
        test::remedy(u"Micro-batch 2"_s, u"52 GiB of 63.9, step 30.4 s instead of 28.9 s"_s)};
}

void shootCards(const Camera& camera)
{
    if (!camera.wants(u"cards"_s))
        return;
    for (const int width : {530, 1150}) {
        QWidget page;
        page.resize(width, 560);
        auto* column = new QVBoxLayout(&page);
        const QList<std::pair<DesignEstimate, bool>> cases{
            {test::fsdpEstimate(), true}, {test::fsdpEstimate(2.1), true}, {test::fsdpEstimate(1.62), false}};
        for (const auto& [estimate, wide] : cases) {
            auto* cards = new EstimateCards(&page);
            cards->setSideBySide(width > 800 && wide);
            cards->setData(estimate, someRemedies(), u"GCD"_s);
            column->addWidget(cards);
        }
        auto* bar = new VerdictBar(&page);
        bar->setEstimate(test::fsdpEstimate(), u"GCD"_s);
        column->addWidget(bar);
        column->addStretch(1);
        camera.capture(u"cards"_s, page);
    }
}

void shootStrategies(const Camera& camera, const Catalogue& catalogue)
{
    const auto shoot = [&](const QString& name, DesignEstimate estimate, Strategy strategy, QSize size, int rank) {
        if (!camera.wants(u"strategy_"_s + name))
            return;
        JobSpec spec;
        spec.cluster = u"lumi"_s;
        spec.parallel.strategy = strategy;
        ResolvedSpec resolved = resolve(spec, *catalogue.find(u"lumi"_s));
        StrategyView view;
        QPalette palette = view.palette();
        palette.setColor(QPalette::Window, themeOf(&view).colour(Theme::Token::Panel));
        view.setPalette(palette);
        view.setAutoFillBackground(true);
        view.resize(size);
        view.setData(strategyPicture(estimate, resolved));
        view.selectRank(rank);
        camera.capture(u"strategy_"_s + name, view);
    };
    DesignEstimate ddp = test::fsdpEstimate();
    ddp.run.layout.sharding = Sharding::None;
    ddp.memory.parts.weights = 15 * test::gib;
    ddp.memory.parts.gradients = 15 * test::gib;
    ddp.memory.parts.optimizer = 60 * test::gib;
    DesignEstimate hsdp = test::fsdpEstimate();
    hsdp.run.layout.shardGroup = 8;
    DesignEstimate zero1 = test::fsdpEstimate();
    zero1.run.layout.sharding = Sharding::OptimizerStates;
    zero1.memory.parts.weights = 15 * test::gib;
    zero1.memory.parts.gradients = 15 * test::gib;
    DesignEstimate many = test::fsdpEstimate();
    many.run.layout.data = 1024;
    many.run.layout.nodes = 128;
    DesignEstimate tensor = test::gridEstimate(2, 8, 1);
    for (const QSize size : {QSize(530, 300), QSize(1100, 480)}) {
        shoot(u"ddp"_s, ddp, Strategy::Ddp, size, -1);
        shoot(u"fsdp"_s, test::fsdpEstimate(), Strategy::Fsdp, size, 5);
        shoot(u"hsdp"_s, hsdp, Strategy::Hsdp, size, 9);
        shoot(u"zero1"_s, zero1, Strategy::Zero1, size, -1);
        shoot(u"many"_s, many, Strategy::Fsdp, size, 700);
        shoot(u"tensor"_s, tensor, Strategy::Tensor, size, 3);
        shoot(u"pipe"_s, test::gridEstimate(1, 1, 8, 24), Strategy::Pipeline, size, 2);
        shoot(u"grid"_s, test::gridEstimate(), Strategy::ThreeD, size, 40);
        shoot(u"grid_long"_s, test::gridEstimate(16, 8, 16, 256), Strategy::ThreeD, size, 300);
    }
}

JobSpec realSpec(const QString& model)
{
    JobSpec spec;
    spec.name = u"llama8b"_s;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    spec.time = Seconds{12 * 3600};
    spec.command = u"train.py --config 8b.yaml"_s;
    spec.resources.nodes = 2;
    spec.training.globalBatch = 512;
    spec.training.microBatch = 4;
    spec.training.sequence = 4096;
    if (!model.isEmpty())
        spec.model = QJsonObject{{u"preset"_s, model}};
    return spec;
}

/// What app/window/pages/plancontroller does on a thread of its own.
void showSearch(PlanPage& page, const Design& design)
{
    const Derived& derived = design.derived();
    page.showResult(searchLayouts(derived.resolved, derived.batch, *derived.profile, page.limits()));
    const TrainingStack* stack = derived.estimate ? trainingStack(toText(derived.estimate->run.stack)) : nullptr;
    if (!stack)
        return;
    const PlannedRun& run = derived.estimate->run;
    const ScalingCurve curve
        = scalingCurve(TimeModel(run.workload, *stack, run.gpu), run.layout, Scaling::Strong, 8192);
    page.showSpeedup(speedupFigures(curve, derived), curve.sentence);
}

void shootPage(const Camera& camera)
{
    if (!camera.wants(u"page_made_up"_s))
        return;
    const Catalogue catalogue = loadCatalogue();
    Design design(catalogue);
    PlanPage page(design);
    page.showResult(test::searchResult());
    page.showSpeedup(test::speedup(), u"Beyond 128 GCDs more will not help."_s);
    page.resize(1212, 752);
    camera.capture(u"page_made_up"_s, page);
}

void shootWindow(const Camera& camera, const Catalogue& catalogue, Theme& theme)
{
    struct Scene {
        QString name;
        std::function<void(JobSpec&)> change;
        MainWindow::Page page = MainWindow::Page::Design;
        bool strategy = false;
        bool model = true;
    };
    const QList<Scene> scenes{{u"window_none"_s, {}, MainWindow::Page::Design, false, false},
        {u"window_fsdp"_s, [](JobSpec& s) { s.parallel.strategy = Strategy::Fsdp; }},
        {u"window_fits"_s,
            [](JobSpec& s) {
                s.parallel.strategy = Strategy::Fsdp;
                s.training.microBatch = 1;
            }},
        {u"window_strategy"_s, [](JobSpec& s) { s.parallel.strategy = Strategy::Fsdp; }, MainWindow::Page::Design,
            true},
        {u"window_ddp"_s, [](JobSpec& s) { s.parallel.strategy = Strategy::Ddp; }},
        {u"window_3d"_s,
            [](JobSpec& s) {
                s.model = QJsonObject{{u"preset"_s, u"llama-3-70b"_s}};
                s.parallel.strategy = Strategy::ThreeD;
                s.parallel.tensor = 8;
                s.parallel.pipeline = 4;
                s.resources.nodes = 16;
                s.training.microBatch = 1;
            },
            MainWindow::Page::Design, true},
        {u"window_plan"_s,
            [](JobSpec& s) {
                s.parallel.strategy = Strategy::Fsdp;
                s.training.microBatch = 1;
            },
            MainWindow::Page::Plan},
        {u"window_plan_none"_s, {}, MainWindow::Page::Plan, false, false}};
    for (const Scene& scene : scenes) {
        if (!camera.wants(scene.name))
            continue;
        Design design(catalogue);
        JobSpec spec = realSpec(scene.model ? u"llama-3-8b"_s : QString());
        if (scene.change)
            scene.change(spec);
        design.replace(spec);
        auto* page = new DesignPage(design);
        auto* plan = new PlanPage(design);
        MainWindow window(design, theme, {page, nullptr, nullptr, nullptr, plan});
        window.setDocumentTitle(spec.name);
        page->showStrategy(scene.strategy);
        if (scene.strategy)
            page->selectRank(5);
        if (scene.model)
            showSearch(*plan, design);
        window.showPage(scene.page);
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080), QSize(1024, 700)}) {
            window.resize(size);
            camera.capture(scene.name, window);
        }
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QString folder = application.arguments().value(1, u"."_s);
    QDir().mkpath(folder);
    Theme theme;
    const Catalogue catalogue = loadCatalogue();
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        const Camera camera{folder, application.arguments().value(2), dark};
        shootCards(camera);
        shootStrategies(camera, catalogue);
        shootPage(camera);
        shootWindow(camera, catalogue, theme);
    }
    return 0;
}
