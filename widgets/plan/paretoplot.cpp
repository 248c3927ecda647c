// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/paretoplot.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/planning/estimatetext.h"
#include "widgets/base/picturetable.h"
#include "widgets/base/plotstyle.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QResizeEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
using T = Theme::Token;
constexpr double reach = 14; // pixels around a point that still mean it
} // namespace

ParetoPlot::ParetoPlot(QWidget* parent) : QWidget(parent), m_plot(new QCustomPlot(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_plot);
    m_plot->setAccessibleName(tr("Layouts by time and cost"));
    describeAsTable(*m_plot, [this] { return table(); });
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->axisRect()->setMinimumMargins(QMargins(0, 8, 10, 0));
    m_plot->xAxis->setLabel(tr("time of a step, s"));
    m_others = m_plot->addGraph();
    m_front = m_plot->addGraph();
    m_current = m_plot->addGraph();
    m_mark = m_plot->addGraph();
    for (QCPGraph* graph : {m_others, m_current, m_mark})
        graph->setLineStyle(QCPGraph::lsNone);
    m_front->setAdaptiveSampling(false);
    m_others->setAdaptiveSampling(false);
    m_note = new QCPItemText(m_plot);
    m_note->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_note->position->setCoords(0.5, 0.45);
    m_note->setText(tr("No layout to show"));
    m_here = new QCPItemText(m_plot);
    m_here->position->setType(QCPItemPosition::ptPlotCoords);
    m_here->setText(tr("this design"));
    m_here->setPadding(QMargins(9, 0, 9, 0));
    m_here->setVisible(false);
    connect(&themeOf(this), &Theme::changed, this, [this] { applyTheme(); });
    applyTheme();
}

void ParetoPlot::setPoints(const QList<PlotPoint>& points, const QString& costLabel)
{
    m_points.clear();
    for (const PlotPoint& point : points) {
        if (std::isfinite(point.seconds) && std::isfinite(point.cost) && point.seconds > 0 && point.cost > 0)
            m_points.append(point);
    }
    m_hovered.reset();
    m_plot->yAxis->setLabel(costLabel);
    const auto onFront = std::count_if(m_points.begin(), m_points.end(), [](const PlotPoint& p) { return p.front; });
    m_plot->setAccessibleDescription(m_points.isEmpty() ? m_note->text()
                                                        : tr("%1, %2 of them with none both faster and cheaper")
                                                              .arg(counted(m_points.size(), tr("layout")))
                                                              .arg(onFront));
    draw();
}

/// By time, as the plot goes from left to right.
PictureTable ParetoPlot::table() const
{
    QList<PlotPoint> points = m_points;
    std::stable_sort(
        points.begin(), points.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.seconds < b.seconds; });
    PictureTable table{{tr("Time of a step"), m_plot->yAxis->label(), tr("Memory"), tr("Place")}, {}};
    for (const PlotPoint& point : std::as_const(points)) {
        QStringList place{
            point.front ? tr("none is both faster and cheaper") : tr("another is both faster and cheaper")};
        if (point.current)
            place.prepend(tr("this design"));
        if (!point.id.isEmpty() && point.id == m_selected)
            place.prepend(tr("selected"));
        table.rows.append({point.name,
            {EstimateText::time(point.seconds), humanNumber(point.cost, 3), EstimateText::verdict(point.verdict),
                place.join(u", "_s)}});
    }
    return table;
}

void ParetoPlot::select(const QString& id)
{
    m_selected = id;
    showMarks();
}

void ParetoPlot::draw()
{
    QVector<double> otherTimes;
    QVector<double> otherCosts;
    QVector<double> frontTimes;
    QVector<double> frontCosts;
    double fastest = INFINITY;
    double slowest = 0;
    double cheapest = INFINITY;
    double dearest = 0;
    for (const PlotPoint& point : std::as_const(m_points)) {
        (point.front ? frontTimes : otherTimes).append(point.seconds);
        (point.front ? frontCosts : otherCosts).append(point.cost);
        fastest = std::min(fastest, point.seconds);
        slowest = std::max(slowest, point.seconds);
        cheapest = std::min(cheapest, point.cost);
        dearest = std::max(dearest, point.cost);
    }
    m_others->setData(otherTimes, otherCosts);
    m_front->setData(frontTimes, frontCosts);
    m_note->setVisible(m_points.isEmpty());
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTickLabels(!m_points.isEmpty());
        axis->grid()->setVisible(!m_points.isEmpty());
    }
    if (!m_points.isEmpty()) {
        fitAxis(*m_plot->xAxis, fastest, slowest);
        fitAxis(*m_plot->yAxis, cheapest, dearest);
    }
    showMarks();
}

void ParetoPlot::showMarks()
{
    m_current->data()->clear();
    m_here->setVisible(false);
    for (const PlotPoint& point : std::as_const(m_points)) {
        if (!point.current)
            continue;
        m_current->addData(point.seconds, point.cost);
        m_here->position->setCoords(point.seconds, point.cost);
        // The word is on the side that has room.
        const QCPRange range = m_plot->xAxis->range();
        const bool rightHalf = m_plot->xAxis->scaleType() == QCPAxis::stLogarithmic
            ? point.seconds * point.seconds > range.lower * range.upper
            : 2 * point.seconds > range.lower + range.upper;
        m_here->setPositionAlignment((rightHalf ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        m_here->setVisible(true);
    }
    m_mark->data()->clear();
    for (const std::optional<int> index : {indexOf(m_selected), m_hovered}) {
        if (index && *index < m_points.size())
            m_mark->addData(m_points.at(*index).seconds, m_points.at(*index).cost);
    }
    replotIfShown(*m_plot);
}

void ParetoPlot::applyTheme()
{
    const Theme& theme = themeOf(this);
    stylePlot(*m_plot, theme);
    const QColor panel = theme.colour(T::Panel);
    const QColor accent = theme.colour(T::Accent);
    const QColor quiet = Theme::mix(theme.colour(T::Foreground3), panel, 0.55);
    m_others->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(quiet, 1.2), QBrush(panel), 6));
    m_front->setPen(QPen(Theme::mix(accent, panel, 0.6), 1.6));
    m_front->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(accent, 1), QBrush(accent), 8));
    m_current->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(panel, 1), QBrush(theme.colour(T::Foreground)), 13));
    m_mark->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.colour(T::Foreground), 2), QBrush(Qt::NoBrush), 13));
    m_note->setColor(theme.colour(T::Foreground2));
    m_note->setFont(Theme::uiFont(13));
    m_here->setColor(theme.colour(T::Foreground));
    m_here->setFont(Theme::uiFont(11, QFont::DemiBold));
    replotIfShown(*m_plot);
}

QPointF ParetoPlot::pixelOf(const PlotPoint& point) const
{
    return {m_plot->xAxis->coordToPixel(point.seconds), m_plot->yAxis->coordToPixel(point.cost)};
}

std::optional<int> ParetoPlot::pointAt(const QPoint& position) const
{
    std::optional<int> best;
    double least = reach;
    for (int i = 0; i < m_points.size(); ++i) {
        const QPointF away = pixelOf(m_points.at(i)) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < least && !m_points.at(i).id.isEmpty()) {
            least = distance;
            best = i;
        }
    }
    return best;
}

std::optional<int> ParetoPlot::indexOf(const QString& id) const
{
    for (int i = 0; i < m_points.size(); ++i) {
        if (m_points.at(i).id == id && !id.isEmpty())
            return i;
    }
    return {};
}

void ParetoPlot::handleHover(const QPoint& position, const QPoint& global)
{
    const std::optional<int> hovered = pointAt(position);
    if (hovered != m_hovered) {
        m_hovered = hovered;
        m_plot->setCursor(hovered ? Qt::PointingHandCursor : Qt::ArrowCursor);
        showMarks();
    }
    if (!hovered) {
        QToolTip::hideText();
        return;
    }
    QToolTip::showText(global, richToolTip(m_points.at(*hovered).summary), m_plot);
}

bool ParetoPlot::handleKey(int key)
{
    QList<int> line;
    for (int i = 0; i < m_points.size(); ++i) {
        if (m_points.at(i).front && !m_points.at(i).id.isEmpty())
            line.append(i);
    }
    if (line.isEmpty())
        return false;
    std::sort(
        line.begin(), line.end(), [this](int a, int b) { return m_points.at(a).seconds < m_points.at(b).seconds; });
    const int at = m_hovered ? int(line.indexOf(*m_hovered)) : -1;
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int next = at < 0 ? 0 : qBound(0, at + (key == Qt::Key_Right ? 1 : -1), int(line.size()) - 1);
        const QPoint pixel = pixelOf(m_points.at(line.at(next))).toPoint();
        handleHover(pixel, m_plot->mapToGlobal(pixel));
        m_hovered = line.at(next);
        showMarks();
        return true;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (!m_hovered)
            return false;
        m_selected = m_points.at(*m_hovered).id;
        showMarks();
        emit selected(m_selected);
        return true;
    default: return false;
    }
}

bool ParetoPlot::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_plot)
        return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::Resize: return static_cast<QResizeEvent*>(event)->size().isEmpty();
    case QEvent::MouseMove: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        handleHover(mouse->pos(), mouse->globalPosition().toPoint());
        break;
    }
    case QEvent::Leave: handleHover({-100, -100}, {}); break;
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonDblClick: {
        const std::optional<int> index = pointAt(static_cast<QMouseEvent*>(event)->pos());
        if (!index)
            break;
        m_selected = m_points.at(*index).id;
        showMarks();
        emit selected(m_selected);
        if (event->type() == QEvent::MouseButtonDblClick)
            emit chosen(m_selected);
        break;
    }
    case QEvent::KeyPress:
        if (handleKey(static_cast<QKeyEvent*>(event)->key()))
            return true;
        break;
    default: break;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace rankwright
