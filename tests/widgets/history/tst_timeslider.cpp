// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/history/timeslider.h"

#include <QAccessible>
#include <QAccessibleInterface>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const qint64 begin = QDateTime(QDate(2026, 3, 2), QTime(12, 0)).toMSecsSinceEpoch();
constexpr qint64 hour = 3'600'000;

TimeOverview overviewOf(qint64 length)
{
    TimeOverview overview;
    overview.span = {begin, begin + length};
    for (int place = 0; place < 100; ++place) {
        const TimeSpan span{begin + length * place / 100, begin + length * (place + 1) / 100};
        overview.curve.append({span, place == 50 ? 0 : 8, 70, 80, 90});
    }
    overview.marks = {{TimelineMark::Kind::Alert, Alert::Level::Warning, begin + length / 4, begin + length / 2,
        u"Rank 5 is late"_s}};
    overview.gaps = {{begin + length / 2, begin + length / 2 + length / 100}};
    return overview;
}

QString shownText(const QWidget& widget)
{
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        texts.append(label->text());
    return texts.join(u'|');
}

} // namespace

/// The strip of a job's time: geometry, words, mouse, keys, screen reader.
class TimeSliderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void placesAndMomentsAreInverse();
    void ticksAreRound_data();
    void ticksAreRound();
    void clickPicksTheMoment();
    void keys_data();
    void keys();
    void pastIsSaid();
    void endedJobHasNoLiveEdge();
    void emptyJobHasNothingToMove();
    void speedIsChosen();
    void screenReaderHearsASlider();
    void reportsWhatStoodThen();

private:
    std::unique_ptr<Theme> m_theme;
};

void TimeSliderTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void TimeSliderTest::placesAndMomentsAreInverse()
{
    const TimeScale scale{{begin, begin + hour}, 40, 700};
    QCOMPARE(scale.x(begin), 40.0);
    QCOMPARE(scale.x(begin + hour / 2), 390.0);
    QCOMPARE(scale.ms(390), begin + hour / 2);
    QCOMPARE(scale.ms(-5), begin);
    QCOMPARE(scale.ms(99'999), begin + hour);
    QCOMPARE((TimeScale{{begin, begin}, 0, 100}.x(begin + 5)), 0.0);
}

void TimeSliderTest::ticksAreRound_data()
{
    QTest::addColumn<qint64>("length");
    QTest::addColumn<qint64>("step");
    QTest::addColumn<QString>("first");
    QTest::newRow("half a minute") << qint64(30'000) << qint64(5000) << u"12:00:00"_s;
    QTest::newRow("an hour") << hour << qint64(600'000) << u"12:00"_s;
    QTest::newRow("a day") << 24 * hour << 6 * hour << u"12:00"_s;
    QTest::newRow("ten days") << 240 * hour << 48 * hour << QString();
}

void TimeSliderTest::ticksAreRound()
{
    QFETCH(qint64, length);
    QFETCH(qint64, step);
    QFETCH(QString, first);
    const QList<TimeTick> ticks = timeTicks({{begin, begin + length}, 0, 600}, 90);
    QVERIFY(ticks.size() >= 3);
    QVERIFY(ticks.size() <= 7);
    QCOMPARE(ticks.at(1).ms - ticks.at(0).ms, step);
    if (!first.isEmpty())
        QCOMPARE(ticks.first().label, first);
    QVERIFY(timeTicks({{begin, begin}, 0, 600}, 90).isEmpty());
}

void TimeSliderTest::clickPicksTheMoment()
{
    TimeSlider slider;
    slider.resize(1200, 70);
    slider.setOverview(overviewOf(hour));
    slider.show();
    QSignalSpy picked(&slider, &TimeSlider::momentPicked);
    TimeStrip& strip = slider.strip();
    const int x = int(strip.scale().x(begin + hour / 3));
    QTest::mouseClick(&strip, Qt::LeftButton, {}, QPoint(x, 20));
    QCOMPARE(picked.size(), 1);
    QVERIFY(qAbs(picked.first().first().toLongLong() - (begin + hour / 3)) < hour / strip.width() + 1000);
    QTest::mousePress(&strip, Qt::LeftButton, {}, QPoint(x, 20));
    QTest::mouseMove(&strip, QPoint(x + 100, 20));
    QTest::mouseRelease(&strip, Qt::LeftButton, {}, QPoint(x + 100, 20));
    QVERIFY(picked.size() >= 2);
}

void TimeSliderTest::keys_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<QByteArray>("signal");
    QTest::addColumn<QVariant>("value");
    const auto none = int(Qt::NoModifier);
    const auto shift = int(Qt::ShiftModifier);
    QTest::newRow("left") << int(Qt::Key_Left) << none << QByteArray("stepped") << QVariant(qint64(-1000));
    QTest::newRow("right") << int(Qt::Key_Right) << none << QByteArray("stepped") << QVariant(qint64(1000));
    QTest::newRow("shift right") << int(Qt::Key_Right) << shift << QByteArray("stepped") << QVariant(qint64(60'000));
    QTest::newRow("home") << int(Qt::Key_Home) << none << QByteArray("momentPicked") << QVariant(begin);
    QTest::newRow("end") << int(Qt::Key_End) << none << QByteArray("endWanted") << QVariant();
    QTest::newRow("space") << int(Qt::Key_Space) << none << QByteArray("playToggled") << QVariant();
    QTest::newRow("plus") << int(Qt::Key_Plus) << none << QByteArray("speedStepped") << QVariant(1);
    QTest::newRow("minus") << int(Qt::Key_Minus) << none << QByteArray("speedStepped") << QVariant(-1);
}

void TimeSliderTest::keys()
{
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(QByteArray, signal);
    QFETCH(QVariant, value);
    TimeSlider slider;
    slider.setOverview(overviewOf(hour));
    slider.show();
    const QByteArray found = [&]() -> QByteArray {
        const QMetaObject* meta = slider.metaObject();
        for (int place = 0; place < meta->methodCount(); ++place) {
            if (meta->method(place).name() == signal)
                return QByteArray("2") + meta->method(place).methodSignature();
        }
        return QByteArray();
    }();
    QSignalSpy spy(&slider, found.constData());
    QTest::keyClick(&slider.strip(), Qt::Key(key), Qt::KeyboardModifiers(modifiers));
    QCOMPARE(spy.size(), 1);
    if (value.isValid())
        QCOMPARE(spy.first().first().toLongLong(), value.toLongLong());
}

void TimeSliderTest::pastIsSaid()
{
    TimeSlider slider;
    slider.setOverview(overviewOf(hour));
    slider.setState({begin + hour, true, false, true, 1});
    QVERIFY(shownText(slider).contains(u"Live"_s));
    slider.setState({begin + hour - 725'000, false, false, true, 1});
    const QString text = shownText(slider);
    QVERIFY2(text.contains(u"12:47:55"_s), qPrintable(text));
    QVERIFY2(text.contains(u"the past, 12\u2009min 5\u2009s ago"_s), qPrintable(text));
    auto* live = slider.findChild<QPushButton*>();
    QVERIFY(live->isEnabled());
    QSignalSpy end(&slider, &TimeSlider::endWanted);
    live->click();
    QCOMPARE(end.size(), 1);
}

void TimeSliderTest::endedJobHasNoLiveEdge()
{
    TimeSlider slider;
    slider.setOverview(overviewOf(hour));
    slider.setState({begin + hour / 2, false, false, false, 1});
    QVERIFY(!shownText(slider).contains(u"ago"_s));
    QVERIFY(shownText(slider).contains(u"30\u2009min of 1\u2009h"_s));
    QCOMPARE(slider.findChild<QPushButton*>()->text(), u"To the end"_s);
}

void TimeSliderTest::emptyJobHasNothingToMove()
{
    TimeSlider slider;
    slider.resize(900, 70);
    slider.show();
    QVERIFY(!slider.grab().isNull());
    for (const QToolButton* button : slider.findChildren<QToolButton*>())
        QVERIFY(!button->isEnabled());
    QSignalSpy picked(&slider, &TimeSlider::momentPicked);
    QTest::mouseClick(&slider.strip(), Qt::LeftButton);
    QCOMPARE(picked.size(), 0);
}

void TimeSliderTest::speedIsChosen()
{
    TimeSlider slider;
    slider.setOverview(overviewOf(hour));
    auto* speed = slider.findChild<QComboBox*>();
    QCOMPARE(speed->itemText(0), u"1/4×"_s);
    QVERIFY(speed->itemText(speed->count() - 1).endsWith(u"000×"_s));
    QSignalSpy chosen(&slider, &TimeSlider::speedChosen);
    emit speed->activated(0);
    QCOMPARE(chosen.first().first().toDouble(), 0.25);
    slider.setState({begin, false, true, true, 60});
    QCOMPARE(speed->currentText(), u"60×"_s);
}

void TimeSliderTest::screenReaderHearsASlider()
{
    TimeSlider slider;
    slider.setOverview(overviewOf(hour));
    slider.setState({begin + hour / 3, false, false, true, 1});
    QAccessibleInterface* strip = QAccessible::queryAccessibleInterface(&slider.strip());
    QVERIFY(strip);
    QCOMPARE(strip->role(), QAccessible::Slider);
    QVERIFY(strip->valueInterface());
    QCOMPARE(strip->valueInterface()->currentValue().toDouble(), 1200.0);
    QCOMPARE(strip->valueInterface()->maximumValue().toDouble(), 3600.0);
    QVERIFY(strip->text(QAccessible::Value).contains(u"12:20:00"_s));
    QSignalSpy picked(&slider, &TimeSlider::momentPicked);
    strip->valueInterface()->setCurrentValue(60.0);
    QCOMPARE(picked.first().first().toLongLong(), begin + 60'000);
}

void TimeSliderTest::reportsWhatStoodThen()
{
    TimeSlider slider;
    slider.resize(1200, 70);
    slider.setOverview(overviewOf(hour));
    slider.show();
    const QString then = slider.strip().describe(begin + hour / 3);
    QVERIFY2(then.contains(u"12:20:00"_s) && then.contains(u"mean 80"_s) && then.contains(u"Rank 5 is late"_s),
        qPrintable(then));
    QVERIFY(slider.strip().describe(begin + hour * 505 / 1000).contains(u"nothing was recorded"_s));
    QVERIFY(!slider.strip().describe(begin + hour * 9 / 10).contains(u"Rank 5"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(TimeSliderTest)
#include "tst_timeslider.moc"
