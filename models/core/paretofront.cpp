// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/paretofront.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace rankwright::inline core {

std::vector<std::size_t> paretoFront(const std::vector<TimeAndMoney>& choices, double sameShare)
{
    struct Point {
        double seconds = 0, money = 0;
        std::size_t index = 0;
    };
    const auto faster = [](const Point& a, const Point& b) {
        return std::tie(a.seconds, a.money, a.index) < std::tie(b.seconds, b.money, b.index);
    };
    Point fastest, cheapestOfAll;
    for (std::size_t index = 0; index < choices.size(); ++index) {
        const Point point{choices[index].seconds, choices[index].money, index};
        if (index == 0 || faster(point, fastest))
            fastest = point;
        if (index == 0 || std::tie(point.money, point.seconds) < std::tie(cheapestOfAll.money, cheapestOfAll.seconds))
            cheapestOfAll = point;
    }
    // Behind the fastest come only cheaper ones, and none behind the cheapest.
    std::vector<Point> points;
    for (std::size_t index = 0; index < choices.size(); ++index) {
        const Point point{choices[index].seconds, choices[index].money, index};
        if (index == fastest.index || (point.money < fastest.money && point.seconds <= cheapestOfAll.seconds))
            points.push_back(point);
    }
    std::sort(points.begin(), points.end(), faster);
    std::vector<std::size_t> front;
    double cheapest = std::numeric_limits<double>::infinity();
    for (const Point& point : points) {
        if (point.money < cheapest * (1 - sameShare)) {
            front.push_back(point.index);
            cheapest = point.money;
        }
    }
    return front;
}

} // namespace rankwright::inline core
