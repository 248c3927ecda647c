// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/memorymessage.h"

#include <QList>
#include <QRegularExpression>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestMessage = 4096;
constexpr double mostBytes = double(qint64(1) << 50); ///< of any GPU
constexpr QLatin1StringView messageSize{"(\\d{1,18}(?:\\.\\d{1,9})?) ?([KMGT]i?B|bytes|B)\\b"};

std::optional<Bytes> sizeInBytes(const QString& number, const QString& unit)
{
    constexpr QLatin1StringView prefixes{"KMGT"};
    double bytes = number.toDouble();
    for (qsizetype power = prefixes.indexOf(unit.front()); power >= 0; --power)
        bytes *= 1024;
    return bytes >= 0 && bytes < mostBytes ? std::optional(Bytes{qint64(bytes)}) : std::nullopt;
}

QRegularExpression sizeExpression(const QString& pattern)
{
    return QRegularExpression(QString(pattern).replace(u"SIZE"_s, messageSize));
}

std::optional<Bytes> firstSize(const QString& text, const QRegularExpression& wanted)
{
    const QRegularExpressionMatch match = wanted.match(text);
    if (!match.hasMatch())
        return {};
    // one of two wordings matched: the other's groups are empty
    const int at = match.capturedLength(1) > 0 ? 1 : 3;
    return sizeInBytes(match.captured(at), match.captured(at + 1));
}

QList<Bytes> allSizes(const QString& text, const QRegularExpression& wanted)
{
    QList<Bytes> sizes;
    for (auto matches = wanted.globalMatch(text); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        if (const auto bytes = sizeInBytes(match.captured(1), match.captured(2)))
            sizes.append(*bytes);
    }
    return sizes;
}

/// Sets what the processes in the list hold. PyTorch finds itself in it by its number; in a container with numbers of
/// its own it does not, and calls itself "Process 4711" like the others: then it is one that holds as much as it has.
void setProcesses(MemoryMessage& message, const QList<Bytes>& listed)
{
    qint64 all = 0;
    QList<Bytes> large;
    for (const Bytes size : listed) {
        all += size.count;
        if (!message.inUse && message.allocated && size.count >= message.allocated->count)
            large.append(size);
    }
    if (large.size() > 1)
        return; // which of them it is nothing says
    if (!large.isEmpty())
        message.inUse = large.first();
    if (listed.size() > large.size())
        message.others = Bytes{all - (large.isEmpty() ? 0 : large.first().count)};
}

} // namespace

std::optional<Bytes> MemoryMessage::needed() const
{
    if (!allocated || !tried)
        return {};
    // What the process holds beside the allocator: the context, the libraries of the collectives.
    qint64 beside = 0;
    if (inUse)
        beside = qMax<qint64>(0, inUse->count - allocated->count - unused.value_or(Bytes{}).count);
    return Bytes{allocated->count + tried->count + beside};
}

std::optional<MemoryMessage> readMemoryMessage(const QString& line)
{
    static const auto tried = sizeExpression(u"[Tt]r(?:ied|ying) to allocate SIZE"_s);
    static const auto capacity = sizeExpression(u"total capaci?ty of SIZE|SIZE total capacity"_s);
    static const auto unclaimed = sizeExpression(u"of which SIZE is free|SIZE free\\b"_s);
    static const auto inUse = sizeExpression(u"this process has SIZE memory in use"_s);
    static const auto others = sizeExpression(u"\\bProcess \\d+ has SIZE memory in use"_s);
    static const auto allocated = sizeExpression(u"SIZE is allocated by PyTorch|SIZE already allocated"_s);
    static const auto unused = sizeExpression(u"SIZE is reserved by PyTorch but unallocated"_s);
    static const auto reserved = sizeExpression(u"SIZE reserved in total by PyTorch|SIZE cached\\b"_s);
    const QString text = line.left(longestMessage);
    MemoryMessage message;
    if (text.contains(u"out of memory"_s, Qt::CaseInsensitive)) // of the host's allocators says "can't allocate"
        message.tried = firstSize(text, tried);
    if (!message.tried)
        return {};
    if (text.contains(u"CUDA"))
        message.runtime = MemoryMessage::Runtime::Cuda;
    else if (text.contains(u"HIP"))
        message.runtime = MemoryMessage::Runtime::Hip;
    message.capacity = firstSize(text, capacity);
    message.free = firstSize(text, unclaimed);
    message.inUse = firstSize(text, inUse);
    message.allocated = firstSize(text, allocated);
    setProcesses(message, allSizes(text, others));
    message.unused = firstSize(text, unused);
    const auto all = firstSize(text, reserved);
    if (!message.unused && all && message.allocated)
        message.unused = Bytes{qMax<qint64>(0, all->count - message.allocated->count)};
    return message;
}

} // namespace rankwright::inline insight
