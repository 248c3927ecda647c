// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/noderesources.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr double thousandths = 1000;
constexpr qint64 mostAmount = qint64(1) << 60; ///< two of them can be added
constexpr qsizetype longestFunction = 60;

std::optional<qint64> thousandthsOf(const std::optional<double>& share)
{
    return share ? std::optional<qint64>(qint64(std::lround(*share * thousandths))) : std::nullopt;
}

std::optional<double> shareOf(const std::optional<qint64>& number)
{
    return number && *number >= 0 && *number <= qint64(thousandths) ? std::optional(double(*number) / thousandths)
                                                                    : std::nullopt;
}

template <typename Value>
std::optional<qint64> wholeOf(const std::optional<Value>& value)
{
    return value ? std::optional<qint64>(qint64(*value)) : std::nullopt;
}

/// Only what one of the kinds up to `last` has as its number.
template <typename Fixed>
std::optional<Fixed> fixedOf(const std::optional<qint64>& number, Fixed last)
{
    return number && *number >= 0 && *number <= qint64(last) ? std::optional(Fixed(*number)) : std::nullopt;
}

std::optional<int> countOf(const std::optional<qint64>& number)
{
    return number && *number >= 0 && *number <= std::numeric_limits<int>::max() ? std::optional(int(*number))
                                                                                : std::nullopt;
}

std::optional<qint64> amountOf(const std::optional<qint64>& number)
{
    return number && *number >= 0 && *number < mostAmount ? number : std::nullopt;
}

QString nameOf(NetworkKind kind)
{
    switch (kind) {
    case NetworkKind::InfiniBand: return u"InfiniBand"_s;
    case NetworkKind::Slingshot:
    case NetworkKind::SlingshotInterfaces: return u"Slingshot"_s;
    case NetworkKind::Ethernet: return u"Ethernet"_s;
    }
    return {};
}

} // namespace

std::optional<qint64> NodeResources::droppable() const
{
    return cached && shared ? std::optional(std::max<qint64>(0, *cached - *shared)) : std::nullopt;
}

std::optional<qint64> NodeResources::held() const
{
    return anonymous && shared ? std::optional(*anonymous + *shared) : std::nullopt;
}

std::optional<double> NodeResources::linkShare() const
{
    if (!network || *network == NetworkKind::SlingshotInterfaces || !received || !sent || capacity.value_or(0) <= 0)
        return std::nullopt;
    return std::min(1.0, double(std::max(*received, *sent)) / double(*capacity));
}

std::array<std::optional<qint64>, NodeResources::numberCount> NodeResources::numbers() const
{
    return {wholeOf(network), wholeOf(links), capacity, received, sent, wholeOf(processes), wholeOf(waiting),
        wholeOf(pressureOf), thousandthsOf(someWait), thousandthsOf(allWait), wholeOf(memoryOf), memoryLimit, anonymous,
        shared, cached, onGpus};
}

NodeResources NodeResources::ofNumbers(const std::array<std::optional<qint64>, numberCount>& numbers)
{
    NodeResources read;
    read.network = fixedOf(numbers[0], NetworkKind::Ethernet);
    read.links = countOf(numbers[1]);
    read.capacity = amountOf(numbers[2]);
    read.received = amountOf(numbers[3]);
    read.sent = amountOf(numbers[4]);
    read.processes = countOf(numbers[5]);
    read.waiting = countOf(numbers[6]);
    read.pressureOf = fixedOf(numbers[7], ResourceScope::Job);
    read.someWait = shareOf(numbers[8]);
    read.allWait = shareOf(numbers[9]);
    read.memoryOf = fixedOf(numbers[10], ResourceScope::Job);
    read.memoryLimit = amountOf(numbers[11]);
    read.anonymous = amountOf(numbers[12]);
    read.shared = amountOf(numbers[13]);
    read.cached = amountOf(numbers[14]);
    read.onGpus = amountOf(numbers[15]);
    return read;
}

QString kernelFunction(QByteArrayView name)
{
    const auto isPlain = [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9')
            || letter == '_' || letter == '.';
    };
    return name.size() <= longestFunction && std::all_of(name.begin(), name.end(), isPlain) ? QString::fromLatin1(name)
                                                                                            : QString();
}

QString rateText(double bytesPerSecond)
{
    const bool large = bytesPerSecond >= 1e9;
    const double figure = bytesPerSecond / (large ? 1e9 : 1e6);
    return humanNumber(figure, figure < 10 ? 1 : 0) + (large ? u"\u2009GB/s"_s : u"\u2009MB/s"_s);
}

QString networkText(const NodeResources& resources)
{
    if (!resources.network || !resources.received || !resources.sent)
        return {};
    QString text
        = u"%1, %2: %3 in, %4 out"_s.arg(nameOf(*resources.network), counted(resources.links.value_or(1), u"link"_s),
            rateText(double(*resources.received)), rateText(double(*resources.sent)));
    if (const auto share = resources.linkShare())
        text += u", %1 of what %2"_s.arg(shareText(*share), resources.links == 1 ? u"it carries"_s : u"they carry"_s);
    if (*resources.network == NetworkKind::SlingshotInterfaces)
        text += u" (without what passes the kernel by)"_s;
    return text;
}

QString fileWaitText(const NodeResources& resources)
{
    QStringList parts;
    if (resources.waiting && resources.processes) {
        const QString processes = counted(*resources.processes, u"process"_s, u"processes"_s);
        parts.append(*resources.waiting == 0 ? u"none of %1 waits for files"_s.arg(processes)
                                             : u"%1 of %2 %3 for files"_s.arg(*resources.waiting)
                                                   .arg(processes, *resources.waiting == 1 ? u"waits"_s : u"wait"_s));
        if (*resources.waiting > 0 && !resources.waitsIn.isEmpty())
            parts.last() += u" (%1)"_s.arg(resources.waitsIn);
    }
    if (resources.someWait)
        parts.append(u"some%1 waited %2 of the time for input or output"_s.arg(
            resources.pressureOf == ResourceScope::Node ? u" on the node"_s : QString(),
            shareText(*resources.someWait)));
    return parts.join(u"; "_s);
}

QString hostMemoryText(const NodeResources& resources)
{
    const auto held = resources.held();
    const auto droppable = resources.droppable();
    if (!held || !droppable)
        return {};
    QString text = resources.memoryOf == ResourceScope::Job ? u"the job holds %1"_s : u"all processes hold %1"_s;
    text = text.arg(gibText(double(*held)));
    if (resources.memoryLimit)
        text += u" of %1"_s.arg(gibText(double(*resources.memoryLimit)));
    return text + u", page cache %1"_s.arg(gibText(double(*droppable)));
}

QString wordOf(NetworkKind kind)
{
    switch (kind) {
    case NetworkKind::InfiniBand: return u"infiniband"_s;
    case NetworkKind::Slingshot: return u"slingshot"_s;
    case NetworkKind::SlingshotInterfaces: return u"slingshot-interfaces"_s;
    case NetworkKind::Ethernet: return u"ethernet"_s;
    }
    return {};
}

QString wordOf(ResourceScope scope) { return scope == ResourceScope::Job ? u"job"_s : u"node"_s; }

} // namespace rankwright::inline insight
