// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/colourmap.h"

#include <QSet>

#include <cmath>

using namespace rankwright;

namespace {

double linear(double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); }

double luminance(QRgb colour)
{
    return 0.2126 * linear(qRed(colour) / 255.0) + 0.7152 * linear(qGreen(colour) / 255.0)
        + 0.0722 * linear(qBlue(colour) / 255.0);
}

/// CIE L* (CIE 15), another measure of lightness than the one the ramps are built with.
double lightness(QRgb colour)
{
    const double y = luminance(colour);
    return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389.0 / 27;
}

double contrast(double first, double second)
{
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace

class ColourMapTest final : public test::Suite {
    Q_OBJECT
private slots:
    void brighterIsMore_data();
    void brighterIsMore();
    void textIsReadableOnEveryColour_data() { brighterIsMore_data(); }
    void textIsReadableOnEveryColour();
    void outsideIsClamped();
    void temperatureHasItsOwnRamp();
};

void ColourMapTest::brighterIsMore_data()
{
    QTest::addColumn<int>("ramp");
    QTest::newRow("magnitude") << int(Ramp::Magnitude);
    QTest::newRow("heat") << int(Ramp::Heat);
}

void ColourMapTest::brighterIsMore()
{
    QFETCH(int, ramp);
    // Equal steps of value are nearly equal steps of lightness: no band that looks like an edge in the data.
    QList<double> steps;
    for (int place = 0; place < 16; ++place) {
        const double step
            = lightness(rampColour(Ramp(ramp), (place + 1) / 16.0)) - lightness(rampColour(Ramp(ramp), place / 16.0));
        QVERIFY2(step > 0, qPrintable(QString::number(place)));
        steps.append(step);
    }
    const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
    QVERIFY2(*most < 2.2 * *least, qPrintable(QStringLiteral("%1 to %2").arg(*least).arg(*most)));
    QVERIFY(lightness(rampColour(Ramp(ramp), 1)) - lightness(rampColour(Ramp(ramp), 0)) > 50);
}

void ColourMapTest::textIsReadableOnEveryColour()
{
    QFETCH(int, ramp);
    for (int place = 0; place <= 255; ++place) { // WCAG 2.1, 1.4.3: 4.5 : 1
        const QRgb background = rampColour(Ramp(ramp), place / 255.0);
        const QColor foreground = inkOnRamp(QColor::fromRgb(background));
        QVERIFY(contrast(luminance(background), luminance(foreground.rgb())) >= 4.5);
    }
}

void ColourMapTest::outsideIsClamped()
{
    QCOMPARE(rampColour(Ramp::Magnitude, -3), rampColour(Ramp::Magnitude, 0));
    QCOMPARE(rampColour(Ramp::Magnitude, 7), rampColour(Ramp::Magnitude, 1));
    QCOMPARE(rampColour(Ramp::Magnitude, std::nan("")), rampColour(Ramp::Magnitude, 0));
}

void ColourMapTest::temperatureHasItsOwnRamp()
{
    QCOMPARE(rampOf(Measure::Temperature), Ramp::Heat);
    for (const Measure measure : {Measure::Utilization, Measure::Memory, Measure::Power})
        QCOMPARE(rampOf(measure), Ramp::Magnitude);
    QVERIFY(rampColour(Ramp::Heat, 0.6) != rampColour(Ramp::Magnitude, 0.6));
}

RANKWRIGHT_TEST_MAIN(ColourMapTest)
#include "tst_colourmap.moc"
