// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/clustersketch.h"

#include "models/core/quantitytext.h"
#include "widgets/base/theme.h"

#include <QEvent>
#include <QPainter>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;
constexpr int mostNodes = 3; // more say nothing more
constexpr double pad = 8;

} // namespace

ClusterSketch::ClusterSketch(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("The path of a job"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void ClusterSketch::setData(const SketchData& shown)
{
    m_data = shown;
    setAccessibleDescription(
        tr("From this machine over the login node of %1, where Slurm keeps the queue, to its nodes, "
           "each with %2.")
            .arg(shown.title, gpusText(shown.gpusPerNode, shown.gpuWord)));
    updateGeometry();
    update();
}

void ClusterSketch::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateGeometry();
}

int ClusterSketch::columns(int) const { return qMax(1, (qMin(m_data.gpusPerNode, 16) + 1) / 2); }

int ClusterSketch::heightForWidth(int width) const
{
    const int line = QFontMetrics(font()).height();
    const int nodes = qBound(2, m_data.nodes, mostNodes);
    return qMax(3 * line + 60, nodes * (line + 44)) + int(std::ceil(captionHeight(width)));
}

double ClusterSketch::boxWidth(double width) { return qMax(60.0, width * 0.22); }

double ClusterSketch::arrowWidth(double width) { return qMax(18.0, width * 0.06); }

QString ClusterSketch::nodesCaption() const
{
    const QString gpus = gpusText(m_data.gpusPerNode, m_data.gpuWord);
    return m_data.nodes > mostNodes ? tr("%1, each with %2").arg(nodesText(m_data.nodes), gpus)
                                    : tr("nodes with %1 each; your job's are blue").arg(gpus);
}

double ClusterSketch::captionHeight(double width) const
{
    const double room = width - 2 * (boxWidth(width) + arrowWidth(width)) - 3;
    return QFontMetricsF(font())
               .boundingRect(QRectF(0, 0, qMax(20.0, room), 1000), Qt::TextWordWrap | Qt::AlignHCenter, nodesCaption())
               .height()
        + 4;
}

void ClusterSketch::paintBox(QPainter& painter, const QRectF& box, const QString& caption, BoxLook look) const
{
    const bool accent = look == BoxLook::Accent;
    const Theme& theme = themeOf(this);
    painter.setPen(QPen(theme.colour(accent ? T::Accent : T::FieldLine), accent ? 1.8 : 1.2));
    painter.setBrush(theme.colour(accent ? T::AccentBackground : T::Background));
    painter.drawRoundedRect(box, 8, 8);
    painter.setPen(theme.colour(T::Foreground));
    painter.drawText(box.adjusted(4, 4, -4, -4), Qt::AlignCenter | Qt::TextWordWrap, caption);
}

void ClusterSketch::paintArrow(QPainter& painter, QPointF from, QPointF to) const
{
    painter.setPen(QPen(themeOf(this).colour(T::Foreground3), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawLine(from, to);
    painter.drawLine(to, to + QPointF(-6, -5));
    painter.drawLine(to, to + QPointF(-6, 5));
}

void ClusterSketch::paintNodes(QPainter& painter, const QRectF& room) const
{
    const Theme& theme = themeOf(this);
    const int shown = qBound(2, m_data.nodes, mostNodes);
    const double each = room.height() / shown;
    for (int node = 0; node < shown; ++node) {
        const bool isUsed = node < m_data.nodes;
        const QRectF box(room.left(), room.top() + node * each, room.width(), each - pad);
        painter.setPen(QPen(theme.colour(isUsed ? T::Accent : T::FieldLine), isUsed ? 1.6 : 1));
        painter.setBrush(theme.colour(T::Panel));
        painter.drawRoundedRect(box, 7, 7);
        const int count = qMin(m_data.gpusPerNode, 16), rows = count > 1 ? 2 : 1;
        if (count == 0)
            continue;
        const double width = (box.width() - 2 * pad) / columns(0) - 4;
        const double height = (box.height() - 2 * pad) / rows - 4;
        for (int gpu = 0; gpu < count; ++gpu) {
            const QRectF die(box.left() + pad + (gpu / rows) * (width + 4),
                box.top() + pad + (gpu % rows) * (height + 4), width, height);
            const bool works = isUsed && gpu < m_data.used;
            painter.setPen(QPen(theme.colour(works ? T::Accent : T::FieldLine), 1));
            painter.setBrush(works ? Theme::category(0) : theme.colour(T::Background));
            painter.drawRoundedRect(die, 3, 3);
        }
    }
    painter.setPen(theme.colour(T::Foreground2));
    painter.drawText(QRectF(room.left(), room.bottom() - pad + 4, room.width(), captionHeight(width())),
        Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, nodesCaption());
}

void ClusterSketch::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double line = QFontMetricsF(font()).height();
    const double height = this->height() - captionHeight(width());
    const double box = boxWidth(width()), arrow = arrowWidth(width());
    const double middle = height / 2, tall = qMin(height, 3 * line + 16);
    const QRectF mine(1, middle - tall / 2, box, tall);
    paintBox(painter, mine, m_data.here ? tr("This window") : tr("This machine"), BoxLook::Plain);
    const QRectF login(mine.right() + arrow, middle - tall / 2, box, tall);
    paintBox(painter, login, tr("Slurm and its queue"), BoxLook::Accent);
    paintArrow(painter, {mine.right() + 3, middle}, {login.left() - 3, middle});
    const QRectF nodes(login.right() + arrow, 1, width() - login.right() - arrow - 2, height);
    paintArrow(painter, {login.right() + 3, middle}, {nodes.left() - 3, middle});
    paintNodes(painter, nodes);
}

} // namespace rankwright
