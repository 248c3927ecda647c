// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/rankmap/rankmappainter.h"

#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/theme.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using Detail = RankMapLayout::Detail;
using T = Theme::Token;

/// "4 × MI250X", "56 cores", "480 GiB", "network 100 GB/s": what a node holds, the most important first.
QStringList nodeParts(const NodeShape& node)
{
    const int packages = node.gpu.perPackage > 0 ? node.gpus / node.gpu.perPackage : node.gpus;
    QStringList parts;
    const QString name = node.gpu.perPackage > 1 ? node.gpu.packageName : node.gpu.model;
    parts.append(name.isEmpty() ? gpusText(node.gpus, node.gpu.word) : u"%1 × %2"_s.arg(packages).arg(name));
    if (node.usableCores > 0)
        parts.append(tr("%1 cores").arg(node.usableCores));
    if (node.memory.count > 0)
        parts.append(humanBytes(node.memory, 0));
    if (node.nicGigabytesPerSecond)
        parts.append(tr("network %1 GB/s").arg(humanNumber(*node.nicGigabytesPerSecond)));
    return parts;
}

/// As many of the parts, from the first, as fit into the width whole.
QString joinedWithin(QStringList parts, const QFont& font, double width)
{
    const QFontMetricsF metrics(font);
    const QString separator = u" · "_s;
    while (parts.size() > 1 && metrics.horizontalAdvance(parts.join(separator)) > width)
        parts.removeLast();
    return parts.join(separator);
}

/// One painting of the map: carries what every step needs.
class MapPainter {
public:
    MapPainter(QPainter& painter, const RankMapLayout& layout, const RankMapData& data, const RankMapMarks& marks,
        Theme::Scheme scheme)
        : m_painter(painter), m_layout(layout), m_data(data), m_marks(marks), m_scheme(scheme)
    { }

    void paintNode(int node)
    {
        m_node = node;
        m_origin = m_layout.nodeOrigin(node);
        m_painter.save();
        m_painter.translate(m_origin);
        switch (m_layout.detail) {
        case Detail::Full: paintFull(); break;
        case Detail::Compact: paintCompact(); break;
        case Detail::Dense: paintDense(); break;
        }
        m_painter.restore();
    }

    void paintMark(GpuAddress spot, bool strong)
    {
        const QRectF box = m_layout.dieBox(spot);
        if (box.isEmpty())
            return;
        const double grow = m_layout.detail == Detail::Dense ? 1.5 : 2.5;
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(colour(strong ? T::Foreground : T::Accent), strong ? 2 : 1.5));
        const double radius = m_layout.detail == Detail::Dense ? 2 : dieRadius() + 2;
        m_painter.drawRoundedRect(box.adjusted(-grow, -grow, grow, grow), radius, radius);
    }

private:
    QColor colour(T token) const { return Theme::colour(token, m_scheme); }
    double dieRadius() const { return m_layout.detail == Detail::Full ? 5 * m_layout.scale : 4; }

    QColor groupColour(const RankPlace& place) const
    {
        return Theme::category(m_data.order.splitsModel() ? m_data.order.dataIndex(place.rank) : 0);
    }

    bool isMarked(int gpu) const
    {
        const GpuAddress here{m_node, gpu};
        return m_marks.selected == here || m_marks.hovered == here;
    }

    void text(const QRectF& box, int flags, const QString& words, const QFont& font, const QColor& foreground)
    {
        m_painter.setFont(font);
        m_painter.setPen(foreground);
        const QFontMetricsF metrics(font);
        // Text that cannot fit is cut at its end with a mark, and dropped when even that says nothing.
        const QString shown = metrics.horizontalAdvance(words) <= box.width() + 0.5
            ? words
            : metrics.elidedText(words, Qt::ElideRight, box.width());
        if (shown.size() > 1 || shown == words)
            m_painter.drawText(box, flags, shown);
    }

    void paintFull()
    {
        paintHead();
        paintArcs();
        for (const auto& package : m_layout.packages)
            paintPackage(package);
        for (const auto& link : m_layout.links) {
            if (link.inPackage)
                paintBar(link);
        }
        for (const auto& die : m_layout.dies) {
            paintDie(die, true);
            paintCores(die);
        }
        if (!m_layout.coreNote.isEmpty()) {
            const QString note = m_data.shape.cores > 0
                ? tr("%1 cores · core map not published").arg(m_data.shape.cores)
                : tr("Core map not published");
            text(m_layout.coreNote, Qt::AlignLeft | Qt::AlignVCenter, note, Theme::uiFont(11), colour(T::Foreground3));
        }
    }

    void paintHead()
    {
        const QFont bold = Theme::uiFont(12, QFont::DemiBold);
        const QString name = tr("Node %1").arg(m_node + 1);
        text(m_layout.head, Qt::AlignLeft | Qt::AlignVCenter, name, bold, colour(T::Foreground));
        const double offset = QFontMetricsF(bold).horizontalAdvance(name) + 14;
        const QRectF rest = m_layout.head.adjusted(offset, 0, 0, 0);
        const QFont font = Theme::uiFont(12);
        text(rest, Qt::AlignLeft | Qt::AlignVCenter, joinedWithin(nodeParts(m_data.shape), font, rest.width()), font,
            colour(T::Foreground2));
    }

    void paintArcs()
    {
        const QColor quiet = Theme::mix(colour(T::Foreground3), colour(T::Panel), 0.42);
        m_slowest = 1e9;
        m_arcLabels.clear();
        for (const auto& link : m_layout.links)
            m_slowest = link.inPackage ? m_slowest : qMin(m_slowest, link.gigabytesPerSecond);
        for (const bool marked : {false, true}) {
            for (const auto& link : m_layout.links) {
                if (link.inPackage || (isMarked(link.from) || isMarked(link.to)) != marked)
                    continue;
                paintArc(link, marked ? colour(T::Accent) : quiet, marked);
            }
        }
    }

    void paintArc(const RankMapLayout::Link& link, const QColor& foreground, bool marked)
    {
        const double top = link.start.y() - link.rise;
        const double bend = qMin(10.0, link.rise);
        QPainterPath path(link.start);
        path.lineTo(link.start.x(), top + bend);
        path.quadTo(link.start.x(), top, link.start.x() + bend, top);
        path.lineTo(link.end.x() - bend, top);
        path.quadTo(link.end.x(), top, link.end.x(), top + bend);
        path.lineTo(link.end);
        m_painter.setBrush(Qt::NoBrush);
        m_painter.setPen(QPen(foreground, link.gigabytesPerSecond > m_slowest ? 2.2 : 1.0));
        m_painter.drawPath(path);
        if (!marked)
            return;
        const QFont font = Theme::uiFont(10, QFont::DemiBold);
        const QString words = tr("%1 GB/s").arg(humanNumber(link.gigabytesPerSecond));
        const double width = QFontMetricsF(font).horizontalAdvance(words) + 6;
        const QRectF box((link.start.x() + link.end.x() - width) / 2, top - 6, width, 12);
        // Where arcs lie close, one figure that can be read is worth more than two that cannot.
        const bool taken = std::any_of(
            m_arcLabels.begin(), m_arcLabels.end(), [&box](const QRectF& other) { return other.intersects(box); });
        if (taken || box.width() > link.end.x() - link.start.x())
            return;
        m_arcLabels.append(box);
        m_painter.fillRect(box, colour(T::Panel));
        text(box, Qt::AlignCenter, words, font, foreground);
    }

    void paintPackage(const RankMapLayout::Package& package)
    {
        const QColor background = package.numa ? Theme::numaBackground(*package.numa, m_scheme) : colour(T::Background);
        m_painter.setBrush(background);
        m_painter.setPen(QPen(Theme::mix(colour(T::Foreground3), background, 0.22), 1));
        const double radius = m_layout.detail == Detail::Full ? 7 : 5;
        m_painter.drawRoundedRect(package.box.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
        if (m_layout.detail != Detail::Full)
            return;
        const QFont font = Theme::uiFont(10);
        const QString left = package.numa ? tr("NUMA %1").arg(*package.numa) : m_data.shape.gpu.packageName;
        text(package.caption, Qt::AlignLeft | Qt::AlignVCenter, left, font, colour(T::Foreground2));
        QStringList buses;
        for (const GpuPlace& place : m_data.shape.places) {
            if (package.gpus.contains(place.gpu) && !place.pciBus.isEmpty())
                buses.append(place.pciBus);
        }
        if (!buses.isEmpty()) {
            const double offset = QFontMetricsF(font).horizontalAdvance(left) + 8;
            text(package.caption.adjusted(offset, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
                tr("PCI %1").arg(buses.join(u" · "_s)), font, colour(T::Foreground2));
        }
    }

    void paintBar(const RankMapLayout::Link& link)
    {
        const bool marked = isMarked(link.from) || isMarked(link.to);
        m_painter.fillRect(link.bar, Theme::mix(Theme::category(0), colour(T::Panel), marked ? 0.75 : 0.38));
        const QFont font = Theme::uiFont(9, QFont::DemiBold);
        const QString words = humanNumber(link.gigabytesPerSecond);
        // The figure is in the bar as soon as the gap between the dies is wide enough for it.
        if (QFontMetricsF(font).horizontalAdvance(words) + 2 <= link.bar.width() && link.bar.height() >= 10)
            text(link.bar, Qt::AlignCenter, words, font, colour(T::Foreground));
    }

    void paintDie(const RankMapLayout::Die& die, bool caption)
    {
        const RankPlace* place = m_data.placeAt({m_node, die.gpu});
        const QString name = u"%1 %2"_s.arg(m_data.shape.gpu.word).arg(die.gpu);
        if (!place) {
            m_painter.setBrush(Qt::NoBrush);
            m_painter.setPen(QPen(colour(T::Foreground3), 1, Qt::DashLine));
            m_painter.drawRoundedRect(die.box.adjusted(0.5, 0.5, -0.5, -0.5), dieRadius(), dieRadius());
            if (!caption)
                return;
            const double line = 15 * m_layout.scale;
            const QRectF middle(die.box.left(), die.box.center().y() - line, die.box.width(), 2 * line);
            text(middle.adjusted(0, 0, 0, -line), Qt::AlignCenter, name, Theme::uiFont(fontSize(10.5)),
                colour(T::Foreground2));
            text(middle.adjusted(0, line, 0, 0), Qt::AlignCenter, tr("unused"), Theme::uiFont(fontSize(10)),
                colour(T::Foreground2));
            return;
        }
        const QColor fill = groupColour(*place);
        const QColor foreground = Theme::foregroundOn(fill);
        m_painter.setBrush(fill);
        m_painter.setPen(Qt::NoPen);
        m_painter.drawRoundedRect(die.box, dieRadius(), dieRadius());
        if (!caption) {
            text(
                die.box, Qt::AlignCenter, QString::number(place->rank), Theme::uiFont(12, QFont::DemiBold), foreground);
            return;
        }
        const double split = die.box.top() + die.box.height() * 0.60;
        text(QRectF(die.box.left(), die.box.top() + 2, die.box.width(), split - die.box.top() - 2), Qt::AlignCenter,
            QString::number(place->rank), Theme::uiFont(fontSize(17), QFont::Bold), foreground);
        text(QRectF(die.box.left(), split, die.box.width(), die.box.bottom() - split - 4), Qt::AlignCenter, name,
            Theme::uiFont(fontSize(10)), foreground);
    }

    int fontSize(double base) const { return qRound(base * (1 + (m_layout.scale - 1) * 0.6)); }

    /// A core in use by a rank of another GPU is filled in the colour of a warning.
    void paintCores(const RankMapLayout::Die& die)
    {
        if (die.coreArea.isEmpty())
            return;
        const RankPlace* place = m_data.placeAt({m_node, die.gpu});
        const QColor line = place && m_data.plan.bound ? groupColour(*place) : colour(T::Foreground3);
        const QColor strong = m_scheme != Theme::Scheme::Light ? Theme::mix(Qt::white, line, 0.35) : line;
        const QList<int> strange = m_data.coresOfOthers.value(die.gpu);
        for (const auto& core : die.cores) {
            const bool mine = place && place->cores.contains(core.number);
            const QRectF box = core.box.adjusted(0.5, 0.5, -0.5, -0.5);
            if (strange.contains(core.number)) {
                m_painter.setPen(QPen(colour(T::Warn), 1.3));
                m_painter.setBrush(Theme::mix(colour(T::Warn), colour(T::Panel), 0.45));
            } else if (core.reserved) {
                m_painter.setPen(QPen(Theme::mix(colour(T::Foreground3), colour(T::Panel), 0.5), 1));
                m_painter.setBrush(Theme::mix(colour(T::Foreground3), colour(T::Panel), 0.38));
            } else {
                m_painter.setPen(
                    QPen(mine ? strong : Theme::mix(colour(T::Foreground3), colour(T::Panel), 0.55), mine ? 1.3 : 1));
                m_painter.setBrush(mine ? Theme::mix(line, colour(T::Panel), 0.16) : colour(T::Panel));
            }
            m_painter.drawRoundedRect(box, 2.5, 2.5);
        }
        if (die.cores.isEmpty()) {
            m_painter.setPen(QPen(strong, 1.2));
            m_painter.setBrush(colour(T::Panel));
            m_painter.drawRoundedRect(die.coreArea.adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5);
        }
        const bool astray = place && !isBesideGpu(*place, m_data.shape);
        text(die.coreLabel, Qt::AlignCenter, (astray ? u"▲ "_s : QString()) + coreLabel(die.gpu, place),
            Theme::uiFont(11, astray ? QFont::DemiBold : QFont::Normal), colour(astray ? T::Warn : T::Foreground2));
    }

    QString coreLabel(int gpu, const RankPlace* place) const
    {
        if (place && !place->cores.isEmpty())
            return numberRangesForPeople(place->cores);
        for (const GpuPlace& known : m_data.shape.places) {
            if (known.gpu == gpu)
                return numberRangesForPeople(known.cores);
        }
        return {};
    }

    void paintCompact()
    {
        const QRectF head = m_layout.head;
        if (head.height() < 29) {
            text(head, Qt::AlignLeft | Qt::AlignVCenter, tr("Node %1").arg(m_node + 1),
                Theme::uiFont(11, QFont::DemiBold), colour(T::Foreground));
            paintCompactBoxes();
            return;
        }
        const double half = head.height() / 2;
        text(QRectF(head.left(), head.top() + 1, head.width(), half), Qt::AlignLeft | Qt::AlignVCenter,
            tr("Node %1").arg(m_node + 1), Theme::uiFont(11, QFont::DemiBold), colour(T::Foreground));
        text(QRectF(head.left(), head.top() + half - 1, head.width(), half), Qt::AlignLeft | Qt::AlignVCenter,
            rankSpan(), Theme::uiFont(10), colour(T::Foreground3));
        paintCompactBoxes();
    }

    void paintCompactBoxes()
    {
        for (const auto& package : m_layout.packages)
            paintPackage(package);
        for (const auto& link : m_layout.links)
            m_painter.fillRect(link.bar.adjusted(0, 1, 0, -1), Theme::mix(Theme::category(0), colour(T::Panel), 0.5));
        for (const auto& die : m_layout.dies)
            paintDie(die, false);
    }

    QString rankSpan() const
    {
        int first = -1;
        int last = -1;
        for (const auto& die : m_layout.dies) {
            if (const RankPlace* place = m_data.placeAt({m_node, die.gpu})) {
                first = first < 0 ? place->rank : qMin(first, place->rank);
                last = qMax(last, place->rank);
            }
        }
        if (first < 0)
            return {};
        return first == last ? QString::number(first) : u"%1–%2"_s.arg(first).arg(last);
    }

    void paintDense()
    {
        for (const auto& die : m_layout.dies) {
            const RankPlace* place = m_data.placeAt({m_node, die.gpu});
            if (place) {
                m_painter.fillRect(die.box, groupColour(*place));
            } else {
                m_painter.setPen(QPen(colour(T::Foreground3), 1));
                m_painter.setBrush(Qt::NoBrush);
                m_painter.drawRect(die.box.adjusted(0.5, 0.5, -0.5, -0.5));
            }
        }
        if (m_node % m_layout.columns != 0)
            return;
        const double step = m_layout.nodeSize.height() + m_layout.gapY;
        const int every = qMax(1, int(std::ceil(13 / step)));
        if ((m_node / m_layout.columns) % every == 0)
            text(QRectF(-m_layout.left, m_layout.nodeSize.height() / 2 - 7, m_layout.left - 6, 14),
                Qt::AlignLeft | Qt::AlignVCenter, tr("Node %1").arg(m_node + 1), Theme::uiFont(10),
                colour(T::Foreground2));
    }

    QPainter& m_painter;
    const RankMapLayout& m_layout;
    const RankMapData& m_data;
    const RankMapMarks& m_marks;
    Theme::Scheme m_scheme;
    int m_node = 0;
    double m_slowest = 0; ///< of the links between packages: what is faster is drawn thicker
    QList<QRectF> m_arcLabels; ///< of the node being painted
    QPointF m_origin;
};

/// The cores of a rank that are beside another GPU than its own.
void addStrangeCores(const RankPlace& rank, RankMapData& data)
{
    for (const GpuPlace& known : data.shape.places) {
        for (const int thread : rank.cores) {
            const int core = thread % qMax(1, data.shape.cores);
            const bool exists = thread < data.shape.cores * qMax(1, data.shape.threadsPerCore);
            if (exists && (known.reservedCores.contains(core) || (known.gpu != rank.gpu && known.cores.contains(core))))
                data.coresOfOthers[known.gpu].append(core);
        }
    }
}

} // namespace

const RankPlace* RankMapData::placeAt(GpuAddress spot) const
{
    const qsizetype index = qsizetype(spot.node) * qMax(1, shape.gpus) + spot.gpu;
    if (index < 0 || index >= rankAt.size() || rankAt.at(index) < 0)
        return nullptr;
    return &plan.ranks.at(rankAt.at(index));
}

std::optional<GpuAddress> RankMapData::spotOf(int rank) const
{
    // Ranks are in order in the plan (planRanks), so the place is at hand without a search.
    if (rank < 0 || rank >= plan.ranks.size())
        return std::nullopt;
    return GpuAddress{plan.ranks.at(rank).node, plan.ranks.at(rank).gpu};
}

RankMapData rankMapData(const ResolvedSpec& resolved, const RankPlaces& plan)
{
    RankMapData data;
    data.shape = resolved.node;
    data.nodes = resolved.nodes;
    data.order = rankOrder(resolved);
    data.plan = plan;
    const int gpus = qMax(1, data.shape.gpus);
    data.rankAt.fill(-1, qsizetype(data.nodes) * gpus);
    for (int i = 0; i < plan.ranks.size(); ++i) {
        const RankPlace& place = plan.ranks.at(i);
        const qsizetype index = qsizetype(place.node) * gpus + place.gpu;
        if (place.gpu < gpus && index < data.rankAt.size())
            data.rankAt[index] = i;
        if (place.node == 0 && plan.scriptLine)
            addStrangeCores(place, data);
    }
    return data;
}

void paintRankMap(QPainter& painter, const RankMapLayout& layout, const RankMapData& data, const RankMapMarks& marks,
    const QRectF& visible, Theme::Scheme scheme)
{
    painter.setRenderHint(QPainter::Antialiasing, layout.detail != Detail::Dense);
    MapPainter map(painter, layout, data, marks, scheme);
    const auto range = layout.visibleNodes(visible.top(), visible.bottom());
    for (int node = range.first; node < range.end; ++node)
        map.paintNode(node);
    painter.setRenderHint(QPainter::Antialiasing);
    if (marks.hovered && marks.hovered != marks.selected)
        map.paintMark(*marks.hovered, false);
    if (marks.selected)
        map.paintMark(*marks.selected, true);
    Q_UNUSED(marks.focused)
}

} // namespace rankwright
