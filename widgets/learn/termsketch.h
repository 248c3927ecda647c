// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/learn/tinypicture.h"
#include "widgets/base/theme.h"

#include <QPainter>
#include <QSizeF>

namespace rankwright {

/// Paints tiny pictures on a ground of their own, in units of a field of size() that is scaled to where it is painted.
/// For one painting; owns nothing.
class TermSketch {
public:
    TermSketch(QPainter& painter, const QRectF& field, const PictureFigures& figures, const Theme& theme);

    void paint(TinyPicture picture);
    static QSizeF size() { return {116, 84}; }

private:
    enum class Tint { Blue, Orange, Green, Pink, Sky, Grey };
    QColor tint(Tint name) const;
    QColor token(Theme::Token name) const { return m_theme.colour(name); }

    // Parts.
    void box(QRectF place, const QColor& fill, double radius = 2);
    void frame(QRectF place, double radius = 3, Qt::PenStyle style = Qt::SolidLine);
    void line(QPointF from, QPointF to, Qt::PenStyle style = Qt::SolidLine);
    void arrow(QPointF from, QPointF to);
    void label(QRectF place, const QString& text, const QColor& ink);
    void caption(const QString& text);
    enum class DieUse { Used, Idle };
    void die(QRectF place, DieUse use, const QString& text = {});

    // Pictures.
    void package();
    void node();
    void nodes();
    void cores();
    void network();
    void project();
    void bill();
    void queue();
    void gap();
    void script();
    void tree();
    void meeting();
    void ranks();
    void ring();
    void pieces(bool gathered);
    void copies(bool whole);
    void split();
    void stages();
    void bubble();
    void experts();
    void sequence();
    void batch();
    void accumulate();
    void bits();
    void memory();
    void adapter();
    void recompute();
    void loader();
    void curve();
    void clock();
    void loop();
    void stack();
    void container();
    void gauge();
    void power();
    void straggler();
    void step();

    QPainter& m_painter;
    const PictureFigures& m_figures;
    const Theme& m_theme;
};

} // namespace rankwright
