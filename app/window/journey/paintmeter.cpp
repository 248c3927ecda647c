// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/journey/paintmeter.h"

#include "app/watch/jobwatch.h"
#include "widgets/heatmap/heatmapview.h"

#include <QDateTime>
#include <QEvent>
#include <QFile>
#include <QTimer>

#include <algorithm>
#include <cstdio>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

class FirstPaint final : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint && !m_seen) {
            m_seen = true;
            // The next turn of the event loop: this paint, and those of the children within it, are then on the screen.
            QTimer::singleShot(0, this, [] {
                std::printf("first paint\n");
                std::fflush(stdout);
            });
        }
        return QObject::eventFilter(watched, event);
    }

private:
    bool m_seen = false;
};

} // namespace

PaintMeter::PaintMeter(QObject* parent) : QObject(parent) { }

void PaintMeter::watch(const JobWatch& watch, const HeatMapView& view)
{
    connect(&watch, &JobWatch::tickArrived, this, [this](const NodeTick& tick, qint64 arrivedMs) {
        if (tick.takenMs > 0 && !m_taken.contains(arrivedMs))
            m_taken.insert(arrivedMs, tick.takenMs);
    });
    connect(&view, &HeatMapView::painted, this, &PaintMeter::notePainted);
}

void PaintMeter::notePainted(qint64 newestArrivalMs)
{
    const auto taken = m_taken.constFind(newestArrivalMs);
    if (taken == m_taken.cend())
        return;
    m_ages.append(double(QDateTime::currentMSecsSinceEpoch() - *taken));
    m_taken.erase(taken); // a later repaint of the same tick shows nothing new
}

QJsonObject PaintMeter::figures() const
{
    if (m_ages.isEmpty())
        return {};
    QList<double> ages = m_ages;
    std::sort(ages.begin(), ages.end());
    const auto at
        = [&ages](double share) { return ages.at(std::min(ages.size() - 1, qsizetype(share * double(ages.size())))); };
    return {{u"ticks"_s, ages.size()}, {u"medianMs"_s, at(0.5)}, {u"p95Ms"_s, at(0.95)}, {u"maxMs"_s, ages.last()}};
}

std::optional<double> residentMib()
{
    QFile status(u"/proc/self/status"_s); // Linux only
    if (!status.open(QIODevice::ReadOnly))
        return std::nullopt;
    for (const QByteArray& line : status.readAll().split('\n')) {
        if (line.startsWith("VmRSS:"))
            return line.mid(6).trimmed().split(' ').first().toDouble() / 1024.0;
    }
    return std::nullopt;
}

void traceFirstPaint(QObject& window) { window.installEventFilter(new FirstPaint(&window)); }

} // namespace rankwright
