// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/colourmap.h"

#include "widgets/base/theme.h"

#include <QtMath>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankwright {

namespace {

/// A colour in OKLCh: lightness 0..1, chroma, hue in degrees.
struct Lch {
    double lightness;
    double chroma;
    double hue;
};

// Five anchors per ramp with equal steps of lightness; hue alone would not order values for every eye.
constexpr std::array<Lch, 5> magnitudeAnchors{
    {{0.315, 0.050, 268}, {0.445, 0.095, 250}, {0.575, 0.095, 212}, {0.705, 0.115, 160}, {0.835, 0.135, 100}}};
constexpr std::array<Lch, 5> heatAnchors{
    {{0.315, 0.075, 290}, {0.445, 0.135, 335}, {0.575, 0.160, 372}, {0.705, 0.145, 408}, {0.835, 0.130, 445}}};

double toGamma(double linear)
{
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

std::array<double, 3> linearRgb(const Lch& colour)
{
    // Matrices: B. Ottosson, "A perceptual color space for image processing", 2020.
    const double a = colour.chroma * std::cos(qDegreesToRadians(colour.hue));
    const double b = colour.chroma * std::sin(qDegreesToRadians(colour.hue));
    const double l = std::pow(colour.lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(colour.lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(colour.lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

QRgb toRgb(Lch colour)
{
    // Outside of what a screen can show, less chroma keeps lightness and hue: the order of values stays.
    for (std::array<double, 3> rgb = linearRgb(colour);; rgb = linearRgb(colour)) {
        const bool inside
            = std::all_of(rgb.begin(), rgb.end(), [](double part) { return part >= -0.0005 && part <= 1.0005; });
        if (inside || colour.chroma <= 0.001) {
            const auto byte = [](double part) { return int(std::lround(255 * toGamma(std::clamp(part, 0.0, 1.0)))); };
            return qRgb(byte(rgb[0]), byte(rgb[1]), byte(rgb[2]));
        }
        colour.chroma *= 0.97;
    }
}

using Table = std::array<QRgb, 256>;

Table buildTable(const std::array<Lch, 5>& anchors)
{
    Table table{};
    for (std::size_t step = 0; step < table.size(); ++step) {
        const double place = double(step) / double(table.size() - 1) * double(anchors.size() - 1);
        const std::size_t from = std::min(std::size_t(place), anchors.size() - 2);
        const double share = place - double(from);
        const auto mix = [share](double low, double high) { return low + (high - low) * share; };
        const Lch& low = anchors[from];
        const Lch& high = anchors[from + 1];
        table[step] = toRgb({mix(low.lightness, high.lightness), mix(low.chroma, high.chroma), mix(low.hue, high.hue)});
    }
    return table;
}

} // namespace

QRgb rampColour(Ramp ramp, double position)
{
    static const Table magnitude = buildTable(magnitudeAnchors);
    static const Table heat = buildTable(heatAnchors);
    const double inside = std::isnan(position) ? 0 : std::clamp(position, 0.0, 1.0);
    return (ramp == Ramp::Heat ? heat : magnitude)[std::size_t(std::lround(inside * 255))];
}

Ramp rampOf(Measure measure) { return measure == Measure::Temperature ? Ramp::Heat : Ramp::Magnitude; }

QColor inkOnRamp(const QColor& background)
{
    // Between the two, the square root of 21 (4.58 : 1) is the worst case.
    return Theme::contrast(Qt::black, background) >= Theme::contrast(Qt::white, background) ? QColor(Qt::black)
                                                                                            : QColor(Qt::white);
}

} // namespace rankwright
