// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/reportpicture.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/theme.h"
#include "widgets/report/reportpainter.h"

#include <QPainter>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

ReportPicture::ReportPicture(Kind kind, const QString& name, QWidget* parent) : QWidget(parent), m_kind(kind)
{
    setAccessibleName(name);
    describeAsTable(*this, [this] { return tableShown(); });
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(kind == Kind::Map);
    setSizePolicy(policy);
    connect(&themeOf(this), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void ReportPicture::setData(const HistorySummary& seen, const QString& gpuWord)
{
    m_seen = seen;
    m_gpuWord = gpuWord;
    QStringList words;
    for (const GpuSummary& gpu : seen.gpus.mid(0, 64))
        words.append(tr("%1 %2 %3: %4")
                         .arg(seen.nodes.value(gpu.address.node), gpuWord)
                         .arg(gpu.address.gpu)
                         .arg(gpu.meanUse ? percentText(*gpu.meanUse) : tr("not reported")));
    if (m_kind == Kind::Map)
        setAccessibleDescription(tr("Mean use: %1").arg(words.join(u"; "_s)));
    else
        setAccessibleDescription(
            tr("Use %1, power of one %2, over %3")
                .arg(seen.meanUse ? percentText(*seen.meanUse) : tr("not reported"),
                    seen.meanPower ? humanNumber(*seen.meanPower, 0) + u" W"_s : tr("not reported"),
                    humanDuration(Seconds{seen.job.length() / 1000})));
    updateGeometry();
    update();
}

PictureTable ReportPicture::tableShown() const
{
    if (m_kind == Kind::Speedup) {
        PictureTable table{{tr("Speed-up"), tr("Efficiency"), tr("Step")}, {}};
        for (const SpeedupPoint& point : m_table.points)
            table.rows.append({counted(point.gpus, m_table.gpuWord),
                {tr("%1 times").arg(humanNumber(point.speedup, 2)), percentText(100 * point.efficiency),
                    point.stepSeconds ? humanNumber(*point.stepSeconds, 3) + u" s"_s : QString()}});
        return table;
    }
    PictureTable table{{tr("Mean use")}, {}};
    for (const GpuSummary& gpu : m_seen.gpus)
        table.rows.append({u"%1 %2 %3"_s.arg(m_seen.nodes.value(gpu.address.node), m_gpuWord).arg(gpu.address.gpu),
            {gpu.meanUse ? percentText(*gpu.meanUse) : QString()}});
    return table;
}

void ReportPicture::setData(const SpeedupTable& table)
{
    m_table = table;
    QStringList words;
    for (const SpeedupPoint& point : table.points)
        words.append(tr("%1 %2 times").arg(counted(point.gpus, table.gpuWord), humanNumber(point.speedup, 2)));
    setAccessibleDescription(words.join(u"; "_s));
    update();
}

int ReportPicture::heightForWidth(int width) const
{
    return m_kind == Kind::Map ? int(std::ceil(mapHeight(m_seen, width, fontMetrics().height()))) : 220;
}

void ReportPicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(Theme::uiFont(12));
    const ReportColours foreground = ReportColours::of(themeOf(this).isDark());
    const double unit = painter.fontMetrics().height();
    switch (m_kind) {
    case Kind::Curve: paintCurve(painter, rect(), m_seen, foreground, unit); break;
    case Kind::Map: paintMap(painter, rect(), m_seen, foreground, unit); break;
    case Kind::Speedup: paintSpeedup(painter, rect(), m_table, foreground, unit); break;
    }
}

} // namespace rankwright
