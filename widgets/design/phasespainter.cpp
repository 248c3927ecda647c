// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/phasespainter.h"

#include "models/core/quantitytext.h"
#include "widgets/base/translate.h"
#include "widgets/design/strategylayout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using T = Theme::Token;
constexpr int mostPhaseRows = 4;
constexpr double phaseRow = 26;
constexpr double phaseRowGap = 14; // room for the arrows between two ranks
constexpr double phaseGap = 6;
// A backward pass computes about twice as much as a forward one, the optimiser's step least.
constexpr std::array<double, 3> phaseParts{1, 2, 0.8};
constexpr std::array<int, 3> phaseColours{0, 1, 2}; // as forward, backward and optimiser everywhere

QFont phaseFont() { return Theme::uiFont(12); }
QFont phaseNameFont() { return Theme::uiFont(12, QFont::DemiBold); }

QString phaseSentence(const StepPhase& phase, int number)
{
    return u"%1 %2: %3 %4"_s.arg(QString::number(number), phase.name, phase.computes, phase.travels);
}

double phaseTextHeight(const QString& text, const QFont& font, double width)
{
    return QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 10000), Qt::TextWordWrap, text).height();
}

QList<int> phaseRows(const PhasesPicture& picture)
{
    return picture.ranks <= mostPhaseRows ? foldedIndices(picture.ranks, picture.ranks)
                                          : QList<int>{0, 1, picture.ranks - 1};
}

double phaseRowsHeight(const PhasesPicture& picture)
{
    const qsizetype rows = phaseRows(picture).size();
    return double(rows) * phaseRow + double(rows - 1) * phaseRowGap;
}

/// Both ways: what travels goes to all.
void paintExchange(QPainter& painter, double x, double top, double bottom)
{
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
    for (const double side : {-3.0, 3.0}) {
        painter.drawLine(QPointF(x, top), QPointF(x + side, top + 4));
        painter.drawLine(QPointF(x, bottom), QPointF(x + side, bottom - 4));
    }
}

} // namespace

double phasesHeight(const PhasesPicture& picture, double width)
{
    double height = phaseRowsHeight(picture) + phaseGap;
    for (int i = 0; i < picture.phases.size(); ++i)
        height += phaseTextHeight(phaseSentence(picture.phases.at(i), i + 1), phaseFont(), width) + phaseGap;
    return height + (picture.note.isEmpty() ? 0 : phaseTextHeight(picture.note, phaseFont(), width) + phaseGap);
}

void paintPhases(QPainter& painter, const QRectF& room, const PhasesPicture& picture, Theme::Scheme scheme)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const auto colour = [scheme](T token) { return Theme::colour(token, scheme); };
    const QList<int> rows = phaseRows(picture);
    const double names = QFontMetricsF(phaseFont()).horizontalAdvance(tr("rank %1").arg(picture.ranks - 1)) + 10;
    const double all = phaseParts[0] + phaseParts[1] + phaseParts[2];
    const auto boxOf = [&](qsizetype row, size_t phase) {
        double before = 0;
        for (size_t i = 0; i < phase; ++i)
            before += phaseParts[i];
        const double unit = (room.width() - names) / all;
        return QRectF(room.left() + names + before * unit, room.top() + double(row) * (phaseRow + phaseRowGap),
            phaseParts[phase] * unit - 3, phaseRow);
    };
    for (qsizetype row = 0; row < rows.size(); ++row) {
        painter.setFont(phaseFont());
        painter.setPen(colour(T::Foreground2));
        painter.drawText(QRectF(room.left(), boxOf(row, 0).top(), names, phaseRow), Qt::AlignLeft | Qt::AlignVCenter,
            tr("rank %1").arg(rows.at(row)));
        for (size_t i = 0; i < phaseParts.size() && qsizetype(i) < picture.phases.size(); ++i) {
            const StepPhase& phase = picture.phases.at(qsizetype(i));
            const QRectF box = boxOf(row, i);
            const QColor fill = Theme::category(phaseColours[i]);
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawRoundedRect(box, 4, 4);
            painter.setPen(Theme::foregroundOn(fill));
            painter.setFont(phaseNameFont());
            const QString both = u"%1 %2"_s.arg(QString::number(i + 1), phase.name);
            const bool fits = QFontMetricsF(phaseNameFont()).horizontalAdvance(both) + 8 < box.width();
            painter.drawText(box, Qt::AlignCenter, fits ? both : QString::number(i + 1));
            if (row == 0 || !phase.exchanges)
                continue;
            painter.setPen(QPen(colour(T::Foreground2), 1.4, Qt::SolidLine, Qt::RoundCap));
            const double from = boxOf(row - 1, i).bottom() + 1, to = box.top() - 1;
            for (const double share : {0.25, 0.5, 0.75})
                paintExchange(painter, box.left() + share * box.width(), from, to);
        }
        if (row > 0 && rows.at(row) > rows.at(row - 1) + 1) { // ranks that are left out
            painter.setFont(phaseFont());
            painter.setPen(colour(T::Foreground2));
            painter.drawText(QRectF(room.left(), boxOf(row, 0).top() - phaseRowGap - 2, names, phaseRowGap),
                Qt::AlignLeft | Qt::AlignVCenter, u"…"_s);
        }
    }
    double top = room.top() + phaseRowsHeight(picture) + phaseGap;
    const auto line = [&](const QString& text, T token) {
        const double height = phaseTextHeight(text, phaseFont(), room.width());
        painter.setFont(phaseFont());
        painter.setPen(colour(token));
        painter.drawText(QRectF(room.left(), top, room.width(), height + 1), Qt::TextWordWrap, text);
        top += height + phaseGap;
    };
    for (int i = 0; i < picture.phases.size(); ++i)
        line(phaseSentence(picture.phases.at(i), i + 1), T::Foreground);
    if (!picture.note.isEmpty())
        line(picture.note, T::Foreground2);
}

} // namespace rankwright
