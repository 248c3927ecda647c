// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/motion/motiondrawing.h"

#include "models/planner/motion/motions.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {
constexpr int mostColumns = 4;
constexpr double gap = 16;
constexpr double edge = 10;
constexpr double nameHeight = 40;
constexpr double pad = 10;
} // namespace

MotionColumns::MotionColumns(int all) : count(qMax(1, all))
{
    if (count <= mostColumns) {
        for (int rank = 0; rank < count; ++rank)
            ranks.append(rank);
    } else {
        ranks = {0, 1, -1, count - 1};
    }
}

QRectF MotionColumns::area(qsizetype column) const
{
    const double each = (motionSheet.width() - 2 * edge - gap * double(ranks.size() - 1)) / double(ranks.size());
    return {edge + double(column) * (each + gap), top, each, height};
}

QRectF MotionColumns::strip(qsizetype column, double share, double part) const
{
    const QRectF whole = area(column).adjusted(pad, nameHeight, -pad, -pad);
    return {whole.left(), whole.top() + whole.height() * share, whole.width(), whole.height() * part};
}

QList<MotionBox> MotionColumns::boxes(const QString& word) const
{
    QList<MotionBox> all;
    for (qsizetype column = 0; column < ranks.size(); ++column) {
        const int rank = ranks.at(column);
        all.append({u"rank%1"_s.arg(rank), MotionRole::Rank, area(column),
            rank < 0 ? u"…"_s : u"%1 %2"_s.arg(word).arg(rank), rank < 0 ? 0.0 : 1.0});
    }
    return all;
}

QList<MotionArrow> MotionColumns::ring(MotionRole role, double share, const QString& id) const
{
    QList<MotionArrow> arrows;
    const qsizetype last = ranks.size() - 1;
    for (qsizetype column = 0; column < last; ++column) {
        const QRectF from = strip(column, share, 0);
        const QRectF to = strip(column + 1, share, 0);
        arrows.append(
            {u"%1-%2"_s.arg(id).arg(column), role, {from.right() - 20, from.top()}, {to.left() + 20, to.top()}});
    }
    if (last > 0) {
        const QRectF from = strip(last, share, 0);
        const QRectF to = strip(0, share, 0);
        arrows.append(
            {id + u"-back"_s, role, {from.center().x(), from.top() + 24}, {to.center().x(), to.top() + 24}, 60});
    }
    return arrows;
}

void addFrame(
    MotionPicture& picture, const QString& sentence, const QList<MotionBox>& boxes, const QList<MotionArrow>& arrows)
{
    // About 20 characters a second are read (Trauzettel-Klosinski and Dietz 2012: 184 words a minute), and a moment to
    // look.
    const int milliseconds = qBound(3000, 1500 + 50 * int(sentence.size()), 9000);
    picture.frames.append({boxes, arrows, sentence, milliseconds});
}

QString inBrackets(const std::optional<double>& bytes)
{
    return bytes ? u" (%1)"_s.arg(motionSize(*bytes)) : QString();
}

} // namespace rankwright::inline planner
