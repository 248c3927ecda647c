// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/planfixture.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/design/memoryview.h"
#include "widgets/design/stepview.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include <cmath>
#include <limits>

using namespace Qt::StringLiterals;
using namespace rankwright;

class StackedBarTest final : public test::Suite {
    Q_OBJECT
private slots:
    void putsPartsInARow();
    void showsWhatLiesBeyondTheLimit();
    void drawsTheBand();
    void keepsTheLimitReadable_data();
    void keepsTheLimitReadable();
    void sharesAScale();
    void wrapsTheLegend();
    void survivesOddFigures();
    void reportsMemoryPartByPart();
    void saysWhyNothingIsKnown();
    void offersRemedies();
    void walksByKeys();
    void reportsTheStep();

private:
    Theme m_theme;
};

void StackedBarTest::putsPartsInARow()
{
    const auto layout = layOutStackedBar({{10, 0, 30}, 0, 0, 50, {60, 60, 60}}, 508);
    QCOMPARE(layout.scale, 10.0); // 500 pixels for 50
    QCOMPARE(layout.segments.size(), 2); // the empty part is not drawn
    QCOMPARE(layout.segments.at(0).box.width(), 100.0);
    QCOMPARE(layout.segments.at(1).part, 2);
    QCOMPARE(layout.segments.at(1).box.left(), layout.segments.at(0).box.right());
    QVERIFY(layout.over.isEmpty());
    QCOMPARE(*layout.limitX, layout.track.right());
    QCOMPARE(layout.partAt(layout.segments.at(1).box.center()), std::optional<int>(2));
    QVERIFY(!layout.partAt(QPointF(layout.track.right() - 2, layout.track.center().y())));
}

void StackedBarTest::showsWhatLiesBeyondTheLimit()
{
    const auto layout = layOutStackedBar({{40, 40}, 0, 0, 60, {}}, 488);
    QCOMPARE(layout.scale, 6.0); // 480 pixels for the 80 that are needed
    QCOMPARE(layout.over.width(), 120.0);
    QCOMPARE(layout.over.left(), layout.track.right());
    QCOMPARE(layout.segments.at(1).box.width(), 120.0);
    QCOMPARE(layout.segments.at(1).over, layout.over);
    QVERIFY(!layout.overLabel.isEmpty());
    QVERIFY(layout.overLabel.bottom() <= layout.track.top());
}

void StackedBarTest::drawsTheBand()
{
    const auto layout = layOutStackedBar({{40}, 35, 45, 100, {}}, 408);
    QCOMPARE(layout.band.left(), layout.xOf(35));
    QCOMPARE(layout.band.right(), layout.xOf(45));
    QVERIFY(layout.band.height() > layout.track.height());
    QVERIFY(layOutStackedBar({{40}, 40, 40, 100, {}}, 408).band.isEmpty());
    // The dashed edge went through the number of the segment below it.
    const QRectF room = layout.labelRoom(layout.segments.first());
    QCOMPARE(room.left(), layout.segments.first().box.left());
    QCOMPARE(room.right(), layout.band.left());
    const auto apart = layOutStackedBar({{40, 20}, 45, 55, 100, {}}, 408);
    QCOMPARE(apart.labelRoom(apart.segments.first()), apart.segments.first().box);
    QCOMPARE(apart.labelRoom(apart.segments.last()).left(), apart.band.left());
    QCOMPARE(apart.labelRoom(apart.segments.last()).right(), apart.band.right());
    // A band that reaches beyond the limit is within the picture.
    const auto wide = layOutStackedBar({{90}, 80, 130, 100, {}}, 408);
    QVERIFY(wide.band.right() <= 404.001);
}

void StackedBarTest::keepsTheLimitReadable_data()
{
    QTest::addColumn<double>("limit");
    QTest::addColumn<double>("width");
    for (const double limit : {0.5, 14.7, 31.7, 39.4, 63.9, 79.1, 140.0}) {
        for (const double width : {220.0, 500.0, 1400.0})
            QTest::addRow("%g GiB in %g px", limit, width) << limit << width;
    }
}

void StackedBarTest::keepsTheLimitReadable()
{
    QFETCH(double, limit);
    QFETCH(double, width);
    const auto layout = layOutStackedBar({{limit / 2}, 0, 0, limit, {}}, width);
    QVERIFY(!layout.ticks.isEmpty());
    for (int i = 1; i < layout.ticks.size(); ++i) {
        QVERIFY(layout.ticks.at(i).x - layout.ticks.at(i - 1).x > 50);
        QVERIFY(std::abs(layout.ticks.at(i).x - *layout.limitX) > 50);
    }
}

/// Bars of several answers: as long an axis for all, and one of them alone has it. No tick is within the limit's words.
void StackedBarTest::sharesAScale()
{
    const auto small = layOutStackedBar({{10}, 0, 0, 50, {}, 100, false}, 508);
    const auto large = layOutStackedBar({{60, 40}, 0, 0, 50, {}, 100, true, 150}, 508);
    QCOMPARE(small.scale, 5.0); // 500 pixels for 100
    QCOMPARE(large.scale, small.scale);
    QVERIFY(small.ticks.isEmpty());
    QVERIFY(small.height < large.height);
    QVERIFY(!large.ticks.isEmpty());
    for (const double limit : {20.0, 50.0, 93.0, 99.0}) {
        for (const double words : {60.0, 150.0, 300.0}) {
            const auto layout = layOutStackedBar({{100}, 0, 0, limit, {}, 0, true, words}, 508);
            QVERIFY(layout.limitLabel.left() >= 0 && layout.limitLabel.right() <= 508);
            for (const auto& tick : layout.ticks)
                QVERIFY2(tick.value == 0 || tick.x < layout.limitLabel.left() || tick.x > layout.limitLabel.right(),
                    qPrintable(QString::number(tick.value)));
        }
    }
}

void StackedBarTest::wrapsTheLegend()
{
    const auto wide = layOutStackedBar({{1, 1, 1, 1}, 0, 0, 0, {90, 90, 90, 90}}, 500);
    const auto narrow = layOutStackedBar({{1, 1, 1, 1}, 0, 0, 0, {90, 90, 90, 90}}, 220);
    QVERIFY(narrow.height > wide.height);
    QCOMPARE(narrow.legend.size(), 4);
    for (const auto& item : narrow.legend)
        QVERIFY(item.box.right() <= 220);
}

void StackedBarTest::survivesOddFigures()
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double odd : {nan, -5.0, std::numeric_limits<double>::infinity(), 0.0}) {
        const auto layout = layOutStackedBar({{odd, odd}, odd, odd, odd, {0, 0}}, 300);
        QVERIFY(layout.segments.isEmpty());
        QVERIFY(std::isfinite(layout.height));
    }
    QVERIFY(layOutStackedBar({}, 0).height > 0);
}

void StackedBarTest::reportsMemoryPartByPart()
{
    const DesignEstimate estimate = test::fsdpEstimate();
    const StackedBarData bar = memoryBar(estimate);
    QCOMPARE(bar.parts.size(), 6);
    QVERIFY(std::abs(bar.total() * test::gib - estimate.memory.totalBytes) < 1);
    QCOMPARE(bar.limit, 63.9);
    for (const auto& part : bar.parts)
        QVERIFY2(part.summary.size() > 40, qPrintable(part.name));
    QVERIFY(bar.parts.at(0).summary.contains(u"8.03 billion"_s));
    QVERIFY(bar.parts.at(0).summary.contains(u"16 ranks"_s));
}

void StackedBarTest::saysWhyNothingIsKnown()
{
    MemoryView view;
    view.setData(fail(Fault::Invalid, u"No model is named."_s, {}, u"Choose a model to see whether it fits."_s),
        QList<Remedy>());
    view.show();
    QVERIFY(!view.bar().isVisible());
    bool reported = false;
    for (auto* label : view.findChildren<QLabel*>())
        reported = reported || (label->isVisible() && label->text().contains(u"Choose a model"_s));
    QVERIFY(reported);
    QSignalSpy wanted(&view, &MemoryView::modelWanted);
    for (auto* button : view.findChildren<QPushButton*>()) {
        if (button->isVisible())
            button->click();
    }
    QCOMPARE(wanted.count(), 1);
}

void StackedBarTest::offersRemedies()
{
    MemoryView view;
    const QList<Remedy> remedies{test::remedy(u"Use full recomputation"_s, u"48 GiB of 63.9"_s),
        test::remedy(u"Use 4 nodes"_s, u"44 GiB of 63.9"_s), test::remedy(u"Micro-batch 2"_s, {}),
        test::remedy(u"Another"_s, {})};
    view.resize(720, 200);
    view.setData(test::fsdpEstimate(2), remedies);
    view.show();
    const auto visible = [&view] {
        QStringList texts;
        for (auto* button : view.findChildren<QPushButton*>()) {
            if (button->isVisible())
                texts.append(button->text());
        }
        return texts;
    };
    QVERIFY(visible().contains(u"Use full recomputation"_s));
    QVERIFY(visible().contains(u"Use 4 nodes"_s));
    QVERIFY(!visible().contains(u"Another"_s)); // three at most: the page is not a list
    QSignalSpy chosen(&view, &MemoryView::remedyChosen);
    for (auto* button : view.findChildren<QPushButton*>()) {
        if (button->text() == u"Use 4 nodes")
            button->click();
    }
    QCOMPARE(chosen.value(0).value(0).toInt(), 1);
    view.setData(test::fsdpEstimate(), remedies); // fits again
    QVERIFY(!visible().contains(u"Use 4 nodes"_s));
    QVERIFY(!view.bar().layoutShown().segments.isEmpty());
}

void StackedBarTest::walksByKeys()
{
    StackedBar bar(u"Memory"_s);
    bar.setData(memoryBar(test::fsdpEstimate()), u"It fits."_s);
    bar.resize(600, bar.heightForWidth(600));
    bar.show();
    bar.setFocus();
    QCOMPARE(bar.accessibleName(), u"Memory"_s);
    QCOMPARE(bar.accessibleDescription(), u"It fits."_s);
    const QImage before = bar.grab().toImage();
    QTest::ignoreMessage(QtWarningMsg, "This plugin does not support raise()"); // of the tool tip
    QTest::keyClick(&bar, Qt::Key_Right);
    QVERIFY(bar.grab().toImage() != before); // the part is marked
}

void StackedBarTest::reportsTheStep()
{
    const StackedBarData bar = stepBar(test::fsdpEstimate());
    QCOMPARE(bar.unit, u"s"_s);
    QVERIFY(std::abs(bar.total() - 28.9) < 1e-9);
    DesignEstimate fast = test::fsdpEstimate();
    fast.step.parts = {0.3, 0.1, 0, 0.01};
    fast.step.seconds = 0.41;
    QCOMPARE(stepBar(fast).unit, u"ms"_s);
    QVERIFY(std::abs(stepBar(fast).total() - 410) < 1e-6);
}

RANKWRIGHT_WIDGET_TEST_MAIN(StackedBarTest)
#include "tst_stackedbar.moc"
