// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "tests/shots/planfixture.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/design/strategyview.h"

#include <QApplication>
#include <QSignalSpy>

#include <set>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

ResolvedSpec resolvedFor(Strategy strategy)
{
    static const Catalogue catalogue = loadCatalogue();
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.parallel.strategy = strategy;
    return resolve(spec, *catalogue.find(u"lumi"_s));
}

StrategyPicture fsdpOver(int ranks)
{
    DesignEstimate estimate = test::fsdpEstimate();
    estimate.run.layout.data = ranks;
    estimate.run.layout.nodes = qMax(1, ranks / 8);
    return strategyPicture(estimate, resolvedFor(Strategy::Fsdp));
}

} // namespace

class StrategyViewTest final : public test::Suite {
    Q_OBJECT
private slots:
    void reportsWhoHoldsWhat();
    void reportsWhatTravels();
    void sharesOutLayers();
    void folds_data();
    void folds();
    void keepsEverythingInside_data();
    void keepsEverythingInside();
    void drawsTheBubble();
    void selectsARank();
    void drawsAStepWithoutAModel();
    void aStepHasRoom();

private:
    Theme m_theme;
};

void StrategyViewTest::reportsWhoHoldsWhat()
{
    const auto fsdp = fsdpOver(16);
    QVERIFY(fsdp.data && !fsdp.tensor && !fsdp.pipeline);
    QCOMPARE(fsdp.data->sharded, (std::array<bool, 3>{true, true, true}));
    QVERIFY(qAbs(fsdp.data->whole[0] - 16 * fsdp.data->each[0]) < 1);
    // ZeRO stage 1 shares out the optimiser alone, stage 2 the gradients too (Rajbhandari et al. 2020, section 5).
    DesignEstimate estimate = test::fsdpEstimate();
    estimate.run.layout.sharding = Sharding::OptimizerStates;
    QCOMPARE(strategyPicture(estimate, resolvedFor(Strategy::Zero1)).data->sharded,
        (std::array<bool, 3>{false, false, true}));
    estimate.run.layout.sharding = Sharding::Gradients;
    QCOMPARE(strategyPicture(estimate, resolvedFor(Strategy::Zero2)).data->sharded,
        (std::array<bool, 3>{false, true, true}));
    estimate.run.layout.sharding = Sharding::Full;
    estimate.run.layout.shardGroup = 8;
    const auto hybrid = strategyPicture(estimate, resolvedFor(Strategy::Hsdp));
    QCOMPARE(hybrid.data->groupWord, u"node"_s);
    const auto layout = layOutStrategy(hybrid, {900, 400});
    QCOMPARE(layout.data->groups.size(), 2);
    QCOMPARE(layout.data->columns.size(), 16);
}

// Ring all-reduce: 2 (N-1)/N of the gradients (Patarasuk and Yuan 2009): 15 GiB over 16 ranks are 30.2 GB.
void StrategyViewTest::reportsWhatTravels()
{
    DesignEstimate estimate = test::fsdpEstimate();
    estimate.run.layout.sharding = Sharding::None;
    estimate.memory.parts.gradients = 15 * test::gib;
    const auto ddp = strategyPicture(estimate, resolvedFor(Strategy::Ddp));
    QVERIFY2(ddp.data->exchange.contains(u"30 GB"_s), qPrintable(ddp.data->exchange));
    // Megatron: two all-reduces forward and two backward in a layer (Shoeybi et al. 2019, section 3).
    const auto grid = strategyPicture(test::gridEstimate(), resolvedFor(Strategy::ThreeD));
    QVERIFY(grid.tensor->caption.contains(u"Four exchanges"_s));
    QVERIFY2(grid.tensor->caption.contains(u"8 of 64 heads"_s), qPrintable(grid.tensor->caption));
}

void StrategyViewTest::sharesOutLayers()
{
    const auto picture = strategyPicture(test::gridEstimate(16, 4, 6, 12), resolvedFor(Strategy::ThreeD));
    const auto& stages = picture.pipeline->stages;
    QCOMPARE(stages.size(), 6);
    QCOMPARE(stages.first().firstLayer, 1);
    QCOMPARE(stages.last().lastLayer, 80);
    for (int i = 1; i < stages.size(); ++i)
        QCOMPARE(stages.at(i).firstLayer, stages.at(i - 1).lastLayer + 1);
    QCOMPARE(stages.first().extra, u"embedding"_s);
    QCOMPARE(stages.last().extra, u"output"_s);
}

void StrategyViewTest::folds_data()
{
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("places");
    QTest::addColumn<int>("wanted");
    for (const int count : {1, 2, 7, 16, 64, 1024, 16384}) {
        for (const int places : {2, 5, 12, 40}) {
            for (const int wanted : {-1, 0, count / 2, count - 1})
                QTest::addRow("%d in %d, %d", count, places, wanted) << count << places << wanted;
        }
    }
}

void StrategyViewTest::folds()
{
    QFETCH(int, count);
    QFETCH(int, places);
    QFETCH(int, wanted);
    const QList<int> shown = foldedIndices(count, places, wanted);
    QCOMPARE(shown.first(), 0);
    QCOMPARE(shown.last(), count - 1);
    QVERIFY(shown.size() <= qMax(3, places));
    QVERIFY(std::is_sorted(shown.begin(), shown.end()));
    QCOMPARE(std::set<int>(shown.begin(), shown.end()).size(), size_t(shown.size()));
    if (wanted >= 0)
        QVERIFY(shown.contains(wanted));
}

void StrategyViewTest::keepsEverythingInside_data()
{
    QTest::addColumn<StrategyPicture>("picture");
    QTest::addColumn<QSizeF>("room");
    const QList<std::pair<const char*, StrategyPicture>> pictures{{"FSDP 16", fsdpOver(16)}, {"FSDP 2", fsdpOver(2)},
        {"FSDP 1024", fsdpOver(1024)}, {"3D", strategyPicture(test::gridEstimate(), resolvedFor(Strategy::ThreeD))},
        {"pipeline", strategyPicture(test::gridEstimate(1, 1, 8, 24), resolvedFor(Strategy::Pipeline))},
        {"deep", strategyPicture(test::gridEstimate(16, 8, 16, 256), resolvedFor(Strategy::ThreeD))}};
    for (const auto& [name, picture] : pictures) {
        for (const QSizeF room : {QSizeF(520, 280), QSizeF(900, 460), QSizeF(1500, 800)})
            QTest::addRow("%s in %g", name, room.width()) << picture << room;
    }
}

void StrategyViewTest::keepsEverythingInside()
{
    QFETCH(StrategyPicture, picture);
    QFETCH(QSizeF, room);
    for (const int selected : {-1, picture.data ? picture.data->ranks / 2 : -1}) {
        const auto layout = layOutStrategy(picture, room, selected);
        const QRectF all = QRectF(QPointF(), room).adjusted(-1, -1, 1, 1);
        if (layout.data) {
            int reported = 0;
            for (const auto& column : layout.data->columns) {
                QVERIFY(all.contains(column.box));
                for (size_t row = 0; row < 3; ++row)
                    QVERIFY(column.cells[row].adjusted(-0.1, -0.1, 0.1, 0.1).contains(column.slices[row]));
                QCOMPARE(layout.dataAt(column.cells[1].center()), std::optional<int>(column.index));
            }
            for (const auto& gap : layout.data->gaps)
                reported += gap.hidden;
            QCOMPARE(reported + layout.data->columns.size(), qsizetype(picture.data->ranks)); // all are accounted for
        }
        if (layout.tensor) {
            for (const auto& matrix : layout.tensor->matrices)
                QVERIFY(all.contains(matrix.box));
        }
        if (layout.pipeline) {
            for (const auto& bar : layout.pipeline->bars)
                QVERIFY(all.contains(bar.box));
            QVERIFY(layout.pipeline->drawn <= picture.pipeline->microBatches);
            QVERIFY(layout.pipeline->cut.isEmpty() == (layout.pipeline->drawn == picture.pipeline->microBatches));
        }
    }
}

// Narayanan et al. 2021, section 2.2: (p - 1) / (m + p - 1).
void StrategyViewTest::drawsTheBubble()
{
    const auto picture = strategyPicture(test::gridEstimate(1, 1, 8, 24), resolvedFor(Strategy::Pipeline));
    QVERIFY(qAbs(picture.pipeline->idleShare - 7.0 / 31) < 1e-9);
    QVERIFY2(picture.pipeline->caption.contains(u"23\u2009%"_s), qPrintable(picture.pipeline->caption));
    const auto layout = layOutStrategy(picture, {1500, 500});
    QCOMPARE(layout.pipeline->drawn, 24);
    QCOMPARE(layout.pipeline->bars.size(), 2 * 8 * 24);
}

void StrategyViewTest::selectsARank()
{
    StrategyView view;
    view.resize(800, 400);
    view.setData(fsdpOver(1024));
    view.show();
    QSignalSpy chosen(&view, &StrategyView::rankSelected);
    view.selectRank(700); // a rank that was folded away comes into view
    QCOMPARE(chosen.count(), 0);
    bool shown = false;
    for (const auto& column : view.layoutShown().data->columns)
        shown = shown || column.index == 700;
    QVERIFY(shown);
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(chosen.last().first().toInt(), 701);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(chosen.last().first().toInt(), 0);
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.layoutShown().data->columns.at(3).box.center().toPoint());
    QCOMPARE(chosen.last().first().toInt(), 3);
    const auto grid = strategyPicture(test::gridEstimate(), resolvedFor(Strategy::ThreeD));
    // 16 x 8 ranks, t = 8, p = 4, D = 4 in Megatron's order (tp-cp-ep-dp-pp): rank 43 = stage 1, data 1, slice 3.
    QCOMPARE(grid.shardIndex(43), 1);
    QCOMPARE(grid.tensorIndex(43), 3);
    QCOMPARE(grid.stageIndex(43), 1);
    view.setData(grid);
    QVERIFY(!view.grab().isNull());
    QVERIFY(view.accessibleDescription().contains(u"micro-batches"_s));
}

/// The three phases of a step need no model: each has its colour, in every scheme, and its sentence.
void StrategyViewTest::drawsAStepWithoutAModel()
{
    const Result<DesignEstimate> none = fail(Fault::Invalid, u"No model is named."_s);
    for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
        m_theme.setMode(mode);
        m_theme.apply();
        for (const Strategy strategy : {Strategy::Single, Strategy::Ddp, Strategy::Zero2, Strategy::Fsdp}) {
            StrategyView view;
            view.setData(strategyPicture(none, resolvedFor(strategy)));
            view.resize(400, 300);
            const QImage image = view.grab().toImage();
            std::set<QRgb> seen;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    seen.insert(image.pixel(x, y));
            }
            for (const int colour : {0, 1, 2}) // forward, backward, optimiser
                QVERIFY2(seen.contains(Theme::category(colour).rgb()), qPrintable(toText(strategy)));
            const QString said = view.accessibleDescription();
            for (const QString& word : {u"Forward"_s, u"Backward"_s, u"Optimiser step"_s, u"No model is named."_s})
                QVERIFY2(said.contains(word), qPrintable(said));
        }
    }
    m_theme.setMode(Theme::Mode::Light);
    m_theme.apply();
}

/// Its sentences have room wherever it is shown.
void StrategyViewTest::aStepHasRoom()
{
    const Result<DesignEstimate> none = fail(Fault::Invalid, u"No model is named."_s);
    StrategyView view;
    view.setData(strategyPicture(none, resolvedFor(Strategy::Fsdp)));
    int before = 0;
    for (const int width : {900, 500, 300, 260}) {
        view.resize(width, 400);
        const int least = view.minimumSizeHint().height();
        QVERIFY2(least >= before && least < 400, qPrintable(QString::number(least)));
        before = least;
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(StrategyViewTest)
#include "tst_strategyview.moc"
