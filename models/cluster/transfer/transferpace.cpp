// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/transferpace.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {
constexpr qint64 windowMs = 10000;
constexpr qint64 leastMs = 2000;
constexpr qint64 stepMs = 250;
} // namespace

void TransferPace::add(qint64 nowMs, qint64 bytes)
{
    if (m_points.size() > 1 && nowMs - m_points.at(m_points.size() - 2).first < stepMs)
        m_points.pop_back();
    m_points.emplace_back(nowMs, bytes);
    while (m_points.size() > 2 && nowMs - m_points.front().first > windowMs)
        m_points.pop_front();
}

std::optional<double> TransferPace::bytesPerSecond() const
{
    if (m_points.size() < 2 || m_points.back().first - m_points.front().first < leastMs)
        return std::nullopt;
    return double(m_points.back().second - m_points.front().second) * 1000
        / double(m_points.back().first - m_points.front().first);
}

std::optional<double> TransferPace::secondsLeft(qint64 bytesLeft) const
{
    const auto rate = bytesPerSecond();
    return rate && *rate > 0 ? std::optional(double(bytesLeft) / *rate) : std::nullopt;
}

QString progressText(const TransferProgress& progress)
{
    QString text
        = u"%1 of %2, %3 of %4"_s.arg(humanBytes(Bytes{progress.bytes}), humanBytes(Bytes{progress.totalBytes}),
            QString::number(progress.files), counted(progress.totalFiles, u"file"_s));
    if (progress.bytesPerSecond)
        text += u", %1/s"_s.arg(humanBytes(Bytes{qint64(*progress.bytesPerSecond)}));
    if (progress.secondsLeft && progress.bytes < progress.totalBytes)
        text += u", %1 left"_s.arg(humanDuration(Seconds{qint64(*progress.secondsLeft + 0.5)}));
    return text;
}

} // namespace rankwright::inline cluster
