// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/learn/termsketch.h"

#include "models/core/quantitytext.h"

#include <QPainterPath>

#include <array>
#include <cmath>
#include <numbers>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
using T = Theme::Token;
constexpr int mostShown = 8; // of anything that is counted: more would be dust
} // namespace

TermSketch::TermSketch(QPainter& painter, const QRectF& field, const PictureFigures& figures, const Theme& theme)
    : m_painter(painter), m_figures(figures), m_theme(theme)
{
    const double scale = qMin(field.width() / size().width(), field.height() / size().height());
    m_painter.translate(field.center());
    m_painter.scale(scale, scale);
    m_painter.translate(-size().width() / 2, -size().height() / 2);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(token(T::Background));
    m_painter.drawRoundedRect(QRectF(QPointF(), size()), 6, 6);
}

QColor TermSketch::tint(Tint name) const
{
    static constexpr std::array<int, 6> categories{0, 1, 2, 3, 4, 7};
    return Theme::category(categories.at(std::size_t(name)));
}

void TermSketch::box(QRectF place, const QColor& fill, double radius)
{
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(fill);
    m_painter.drawRoundedRect(place, radius, radius);
}

void TermSketch::frame(QRectF place, double radius, Qt::PenStyle style)
{
    m_painter.setPen(QPen(token(T::Foreground3), 1, style));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRoundedRect(place, radius, radius);
}

void TermSketch::line(QPointF from, QPointF to, Qt::PenStyle style)
{
    m_painter.setPen(QPen(token(T::Foreground3), 1.2, style));
    m_painter.drawLine(from, to);
}

void TermSketch::arrow(QPointF from, QPointF to)
{
    m_painter.setPen(QPen(token(T::Foreground2), 1.4));
    m_painter.drawLine(from, to);
    const QPointF back = from - to;
    const double length = std::hypot(back.x(), back.y());
    if (length < 1)
        return;
    const QPointF along = back / length * 5;
    const QPointF across(-along.y() * 0.6, along.x() * 0.6);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(token(T::Foreground2));
    m_painter.drawPolygon(QPolygonF{to, to + along + across, to + along - across});
}

void TermSketch::label(QRectF place, const QString& text, const QColor& ink)
{
    m_painter.setFont(Theme::uiFont(9));
    m_painter.setPen(ink);
    m_painter.drawText(place, Qt::AlignCenter, text);
}

void TermSketch::caption(const QString& text) { label({2, 66, 112, 15}, text, token(T::Foreground2)); }

/// A GPU; used ones are filled, others only drawn: shape, not colour alone.
void TermSketch::die(QRectF place, DieUse use, const QString& text)
{
    const bool used = use == DieUse::Used;
    if (used)
        box(place, tint(Tint::Blue));
    else
        frame(place, 2);
    if (!text.isEmpty())
        label(place, text, used ? Theme::foregroundOn(tint(Tint::Blue)) : token(T::Foreground2));
}

void TermSketch::package()
{
    const int each = qBound(1, m_figures.perPackage, 2);
    frame({14, 14, 88, 44}, 5);
    if (each == 1) {
        die({36, 22, 44, 28}, DieUse::Used, m_figures.word);
    } else {
        box({54, 32, 8, 8}, token(T::FieldLine), 0);
        die({20, 22, 36, 28}, DieUse::Used, m_figures.word);
        die({60, 22, 36, 28}, DieUse::Idle, m_figures.word);
    }
    caption(u"one package"_s);
}

void TermSketch::node()
{
    const int all = qBound(1, m_figures.gpusOfNode.value_or(4), mostShown);
    const int used = m_figures.gpusOfNode ? qMin(m_figures.gpusUsed, all) : 1;
    const int columns = all > 4 ? (all + 1) / 2 : all;
    const int rows = (all + columns - 1) / columns;
    frame({10, 8, 96, 54}, 4);
    const double width = qMin(30.0, 88.0 / columns - 4);
    const double height = rows == 1 ? 26 : 19;
    for (int i = 0; i < all; ++i) {
        const double x = 58 - columns * (width + 4) / 2 + (i % columns) * (width + 4) + 2;
        const double y = 35 - rows * (height + 4) / 2 + double(i / columns) * (height + 4) + 2;
        die({x, y, width, height}, i < used ? DieUse::Used : DieUse::Idle, QString::number(i));
    }
    caption(m_figures.gpusOfNode ? u"one node: "_s + gpusText(*m_figures.gpusOfNode, m_figures.word) : u"one node"_s);
}

void TermSketch::nodes()
{
    const int used = qBound(1, m_figures.nodes, 5);
    for (int i = 0; i < 5; ++i)
        die({6 + i * 21.0, 20, 18, 32}, i < used ? DieUse::Used : DieUse::Idle);
    caption(m_figures.nodes > 5 ? nodesText(m_figures.nodes) : u"nodes"_s);
}

void TermSketch::cores()
{
    static constexpr std::array tints{Tint::Blue, Tint::Orange, Tint::Green, Tint::Pink};
    for (std::size_t i = 0; i < tints.size(); ++i) {
        const double x = 8 + double(i) * 26;
        for (int core = 0; core < 6; ++core)
            box({x + (core % 3) * 7.0, 10 + double(core / 3) * 7, 5.5, 5.5}, tint(tints.at(i)), 1);
        line({x + 10, 25}, {x + 10, 36});
        box({x, 37, 20, 20}, tint(tints.at(i)));
        label({x, 37, 20, 20}, QString::number(i), Theme::foregroundOn(tint(tints.at(i))));
    }
    caption(u"cores and "_s + m_figures.word);
}

void TermSketch::network()
{
    const QPointF hub(58, 32);
    for (const double x : {12.0, 46.0, 80.0}) {
        frame({x, 44, 24, 18});
        line({x + 12, 44}, hub);
    }
    box({38, 12, 40, 20}, token(T::AccentBackground), 4);
    label({38, 12, 40, 20}, u"network"_s, token(T::Foreground));
    caption(u"nodes"_s);
}

void TermSketch::project()
{
    box({32, 26, 52, 32}, tint(Tint::Orange), 6);
    box({32, 20, 40, 10}, tint(Tint::Orange), 4);
    box({66, 36, 18, 11}, token(T::Panel), 3);
    arrow({90, 42}, {108, 42});
    caption(u"project pays"_s);
}

void TermSketch::bill()
{
    const std::array<std::pair<double, QString>, 3> bars{{{20, m_figures.word}, {42, u"cores"_s}, {26, u"memory"_s}}};
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const double x = 10 + double(i) * 34;
        const bool largest = i == 1;
        const QRectF bar(x + 5, 56 - bars.at(i).first, 20, bars.at(i).first);
        box(bar, tint(largest ? Tint::Orange : Tint::Sky));
        label({x - 3, 57, 36, 11}, bars.at(i).second, token(T::Foreground2));
    }
    line({8, 14}, {108, 14}, Qt::DashLine);
    label({2, 68, 112, 14}, u"the largest counts"_s, token(T::Foreground2));
}

void TermSketch::queue()
{
    die({8, 24, 26, 26}, DieUse::Used, u"runs"_s);
    for (int i = 0; i < 3; ++i)
        frame({44 + i * 23.0, 28, 18, 18}, 3, Qt::DashLine);
    arrow({44, 56}, {12, 56});
    caption(u"others wait"_s);
}

void TermSketch::gap()
{
    box({6, 12, 40, 18}, tint(Tint::Sky));
    box({6, 34, 24, 18}, tint(Tint::Sky));
    box({78, 12, 32, 40}, tint(Tint::Grey));
    box({34, 34, 40, 18}, tint(Tint::Orange));
    label({34, 34, 40, 18}, u"yours"_s, Theme::foregroundOn(tint(Tint::Orange)));
    arrow({6, 59}, {110, 59});
    caption(u"time"_s);
}

void TermSketch::script()
{
    frame({24, 6, 68, 58});
    static constexpr std::array<double, 6> lengths{40, 50, 34, 54, 28, 46};
    for (std::size_t i = 0; i < lengths.size(); ++i)
        box({31, 13 + double(i) * 8, lengths.at(i), 3.5}, i < 3 ? tint(Tint::Green) : token(T::Foreground3), 1);
    caption(u"#SBATCH, commands"_s);
}

void TermSketch::tree()
{
    box({40, 6, 36, 18}, token(T::AccentBackground), 4);
    label({40, 6, 36, 18}, u"start"_s, token(T::Foreground));
    for (int i = 0; i < 4; ++i) {
        const double x = 8 + i * 26.0;
        line({58, 24}, {x + 11, 40});
        die({x, 40, 22, 20}, DieUse::Used, QString::number(i));
    }
    caption(u"ranks"_s);
}

void TermSketch::meeting()
{
    const QPointF middle(58, 34);
    for (int i = 0; i < 6; ++i) {
        const double angle = i * std::numbers::pi / 3 + 0.5;
        const QPointF at = middle + QPointF(44 * std::cos(angle), 24 * std::sin(angle));
        arrow(at, middle + (at - middle) * 0.32);
        box({at.x() - 5, at.y() - 5, 10, 10}, tint(Tint::Blue));
    }
    box({50, 27, 16, 14}, tint(Tint::Orange), 7);
    caption(u"one meeting point"_s);
}

void TermSketch::ranks()
{
    const int all = qBound(2, m_figures.ranks, mostShown);
    const double step = 108.0 / all;
    for (int i = 0; i < all; ++i) {
        const bool more = m_figures.ranks > mostShown;
        const int number = more && i == all - 1 ? m_figures.ranks - 1 : i;
        const QString text = more && i == all - 2 ? u"…"_s : number < 1000 ? QString::number(number) : u"…"_s;
        die({4 + i * step, 24, step - 2, 24}, i == 0 ? DieUse::Used : DieUse::Idle, text);
    }
    caption(counted(m_figures.ranks, u"rank"_s));
}

void TermSketch::ring()
{
    const QPointF middle(58, 35);
    const auto at = [middle](double i) {
        const double angle = i * std::numbers::pi / 3 - std::numbers::pi / 2;
        return middle + QPointF(40 * std::cos(angle), 23 * std::sin(angle));
    };
    for (int i = 0; i < 6; ++i)
        arrow(at(i + 0.25), at(i + 0.75));
    for (int i = 0; i < 6; ++i)
        box({at(i).x() - 6, at(i).y() - 6, 12, 12}, tint(Tint::Blue));
    caption(u"sum to everyone"_s);
}

/// Above what each rank has before, below afterwards.
void TermSketch::pieces(bool gathered)
{
    static constexpr std::array tints{Tint::Blue, Tint::Orange, Tint::Green, Tint::Pink};
    for (int rank = 0; rank < 4; ++rank) {
        const double x = 8 + rank * 26.0;
        for (int piece = 0; piece < 4; ++piece) {
            const QRectF before(x + piece * 5.5, 10, 4.5, 16);
            const QRectF after(x + piece * 5.5, 46, 4.5, 16);
            if (!gathered || piece == rank)
                box(before, tint(tints.at(std::size_t(piece))), 1);
            else
                frame(before, 1);
            if (gathered || piece == rank)
                box(after, tint(tints.at(std::size_t(piece))), 1);
            else
                frame(after, 1);
        }
        arrow({x + 11, 29}, {x + 11, 43});
    }
    caption(gathered ? u"everyone has all"_s : u"each keeps a sum"_s);
}

void TermSketch::copies(bool whole)
{
    for (int rank = 0; rank < 4; ++rank) {
        const double x = 6 + rank * 27.0;
        frame({x, 6, 23, 56});
        for (int layer = 0; layer < 5; ++layer) {
            const double y = 10 + layer * 10.0;
            if (whole) {
                box({x + 3, y, 17, 7}, tint(Tint::Blue), 1);
                continue;
            }
            frame({x + 3, y, 17, 7}, 1, Qt::DashLine);
            box({x + 3 + rank * 4.25, y, 4.25, 7}, tint(Tint::Blue), 1);
        }
    }
    caption(whole ? u"a copy each"_s : u"a piece each"_s);
}

void TermSketch::split()
{
    static constexpr std::array tints{Tint::Blue, Tint::Orange, Tint::Green, Tint::Pink};
    const int parts = qBound(2, m_figures.tensor > 1 ? m_figures.tensor : 4, 4);
    const double width = 80.0 / parts;
    for (int i = 0; i < parts; ++i) {
        box({18 + i * width, 14, width - 2, 42}, tint(tints.at(std::size_t(i))), 2);
        label({18 + i * width, 14, width - 2, 42}, QString::number(i),
            Theme::foregroundOn(tint(tints.at(std::size_t(i)))));
    }
    caption(u"one layer"_s);
}

void TermSketch::stages()
{
    for (int i = 0; i < 4; ++i) {
        const double x = 4 + i * 28.0;
        for (int layer = 0; layer < 3; ++layer)
            box({x, 20 + layer * 11.0, 18, 8}, tint(Tint::Blue), 1);
        if (i < 3)
            arrow({x + 19, 35}, {x + 27, 35});
    }
    caption(m_figures.stages > 1 ? counted(m_figures.stages, u"stage"_s) : u"stages"_s);
}

void TermSketch::bubble()
{
    for (int stage = 0; stage < 4; ++stage) {
        for (int slot = 0; slot < 10; ++slot) {
            const int pass = slot - stage;
            const QRectF place(6 + slot * 10.5, 8 + stage * 14.0, 9, 11);
            if (pass >= 0 && pass < 7)
                box(place, tint(Tint::Blue), 1);
            else
                frame(place, 1, Qt::DashLine);
        }
    }
    caption(u"dashed: idle"_s);
}

void TermSketch::experts()
{
    box({46, 6, 24, 14}, tint(Tint::Grey), 3);
    for (int i = 0; i < 6; ++i) {
        const bool chosen = i == 1 || i == 4;
        const double x = 5 + i * 18.0;
        if (chosen)
            arrow({58, 20}, {x + 8, 40});
        die({x, 41, 16, 20}, chosen ? DieUse::Used : DieUse::Idle);
    }
    caption(u"a few of many"_s);
}

void TermSketch::sequence()
{
    static constexpr std::array tints{Tint::Blue, Tint::Orange, Tint::Green, Tint::Pink};
    for (std::size_t piece = 0; piece < tints.size(); ++piece) {
        for (int token = 0; token < 4; ++token)
            box({6 + double(piece) * 27 + token * 6.0, 28, 5, 16}, tint(tints.at(piece)), 1);
    }
    caption(u"one long sample"_s);
}

void TermSketch::batch()
{
    static constexpr std::array tints{Tint::Blue, Tint::Orange, Tint::Green, Tint::Pink};
    for (std::size_t rank = 0; rank < tints.size(); ++rank) {
        label({2, 7 + double(rank) * 14, 14, 12}, QString::number(rank), token(T::Foreground2));
        for (int sample = 0; sample < 8; ++sample)
            box({18 + sample * 11.5, 7 + double(rank) * 14, 10, 11}, tint(tints.at(rank)), 2);
    }
    caption(u"samples of ranks"_s);
}

void TermSketch::accumulate()
{
    const int passes = qBound(2, m_figures.accumulation, 3);
    for (int i = 0; i < passes; ++i) {
        box({6 + i * 21.0, 22, 12, 26}, tint(Tint::Sky), 2);
        if (i + 1 < passes)
            label({18 + i * 21.0, 22, 9, 26}, u"+"_s, token(T::Foreground));
    }
    arrow({2 + passes * 21.0, 35}, {84, 35});
    box({87, 20, 22, 30}, tint(Tint::Orange), 3);
    label({87, 20, 22, 30}, u"step"_s, Theme::foregroundOn(tint(Tint::Orange)));
    caption(m_figures.accumulation > 1 ? u"%1 passes"_s.arg(m_figures.accumulation) : u"passes, one step"_s);
}

void TermSketch::bits()
{
    for (int bit = 0; bit < 16; ++bit)
        box({4 + bit * 6.8, 26, 5.6, 18}, tint(bit == 0 ? Tint::Grey : bit < 9 ? Tint::Orange : Tint::Blue), 1);
    label({8, 46, 60, 14}, u"range 8"_s, token(T::Foreground2));
    label({66, 46, 46, 14}, u"digits 7"_s, token(T::Foreground2));
    caption(u"bf16"_s);
}

void TermSketch::memory()
{
    frame({8, 22, 100, 26}, 2);
    box({9, 23, 20, 24}, tint(Tint::Blue), 1);
    box({29, 23, 14, 24}, tint(Tint::Sky), 1);
    box({43, 23, 26, 24}, tint(Tint::Green), 1);
    box({69, 23, 20, 24}, tint(Tint::Orange), 1);
    line({108, 14}, {108, 56});
    caption(u"parts up to full"_s);
}

void TermSketch::adapter()
{
    box({14, 10, 52, 50}, tint(Tint::Grey), 3);
    label({14, 10, 52, 50}, u"frozen"_s, Theme::foregroundOn(tint(Tint::Grey)));
    box({76, 10, 8, 50}, tint(Tint::Orange), 2);
    box({88, 28, 20, 8}, tint(Tint::Orange), 2);
    caption(u"small, trained"_s);
}

void TermSketch::recompute()
{
    for (int i = 0; i < 6; ++i)
        die({6 + i * 18.0, 22, 14, 28}, i % 2 == 0 ? DieUse::Used : DieUse::Idle);
    caption(u"kept, computed again"_s);
}

void TermSketch::loader()
{
    for (int i = 0; i < 3; ++i) {
        box({8, 8 + i * 19.0, 20, 14}, tint(Tint::Green), 3);
        arrow({30, 15 + i * 19.0}, {70, 34});
    }
    die({74, 20, 32, 28}, DieUse::Used, m_figures.word);
    caption(u"workers bring samples"_s);
}

void TermSketch::curve()
{
    arrow({12, 60}, {108, 60});
    arrow({12, 60}, {12, 8});
    QPainterPath path(QPointF(14, 58));
    path.cubicTo({40, 20}, {60, 16}, {104, 14});
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(tint(Tint::Blue), 2));
    m_painter.drawPath(path);
    caption(u"rises, then less"_s);
}

void TermSketch::clock()
{
    box({8, 26, 62, 18}, tint(Tint::Blue));
    frame({70, 26, 24, 18}, 2, Qt::DashLine);
    m_painter.setPen(QPen(token(T::Bad), 2));
    m_painter.drawLine(QPointF(96, 14), QPointF(96, 56));
    caption(u"ends at the line"_s);
}

void TermSketch::loop()
{
    box({10, 22, 30, 24}, tint(Tint::Blue));
    box({74, 22, 30, 24}, tint(Tint::Green));
    arrow({42, 30}, {72, 30});
    QPainterPath back(QPointF(88, 48));
    back.cubicTo({80, 66}, {36, 66}, {26, 50});
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(token(T::Foreground2), 1.4));
    m_painter.drawPath(back);
    arrow({27, 53}, {25, 47});
    caption(u"and on from there"_s);
}

void TermSketch::stack()
{
    for (int i = 3; i >= 0; --i) {
        const QRectF sheet(24 + i * 10.0, 26 - i * 6.0, 40, 32);
        box(sheet, token(T::Panel), 3);
        frame(sheet);
        if (i == 0)
            label(sheet, u"1"_s, token(T::Foreground));
    }
    caption(u"one script, many jobs"_s);
}

void TermSketch::container()
{
    frame({18, 8, 80, 54}, 5);
    box({28, 16, 60, 18}, tint(Tint::Blue), 3);
    label({28, 16, 60, 18}, u"program"_s, Theme::foregroundOn(tint(Tint::Blue)));
    for (int i = 0; i < 3; ++i)
        box({28 + i * 21.0, 40, 18, 14}, tint(Tint::Grey), 2);
    caption(u"with its libraries"_s);
}

void TermSketch::gauge()
{
    const QRectF circle(24, 16, 68, 68);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(token(T::FieldLine), 9, Qt::SolidLine, Qt::FlatCap));
    m_painter.drawArc(circle, 0, 180 * 16);
    m_painter.setPen(QPen(tint(Tint::Blue), 9, Qt::SolidLine, Qt::FlatCap));
    m_painter.drawArc(circle, 108 * 16, 72 * 16);
    arrow({58, 50}, {47, 22});
    caption(u"of what is possible"_s);
}

void TermSketch::power()
{
    line({8, 14}, {108, 14}, Qt::DashLine);
    for (int i = 0; i < 4; ++i) {
        const double x = 12 + i * 25.0;
        frame({x, 14, 18, 46}, 2);
        const double height = i == 2 ? 14 : 40;
        box({x, 60 - height, 18, height}, tint(i == 2 ? Tint::Grey : Tint::Orange), 2);
    }
    caption(m_figures.perPackage > 1 ? u"W of each package"_s : u"W of each "_s + m_figures.word);
}

void TermSketch::straggler()
{
    for (int i = 0; i < 4; ++i) {
        const bool slow = i == 2;
        box({8, 8 + i * 14.0, slow ? 92.0 : 58.0, 10}, tint(slow ? Tint::Orange : Tint::Blue));
        if (!slow)
            frame({67, 8 + i * 14.0, 33, 10}, 2, Qt::DashLine);
    }
    caption(u"all wait for one"_s);
}

void TermSketch::step()
{
    static constexpr std::array tints{Tint::Blue, Tint::Orange, Tint::Green};
    for (int rank = 0; rank < 2; ++rank) {
        for (int phase = 0; phase < 3; ++phase) {
            const QRectF place(10 + phase * 33.0, 10 + rank * 32.0, 30, 18);
            const QColor fill = tint(tints.at(std::size_t(phase)));
            box(place, fill, 2);
            label(place, QString::number(phase + 1), Theme::foregroundOn(fill));
        }
    }
    arrow({54, 30}, {54, 40});
    arrow({62, 40}, {62, 30});
    caption(u"forward, backward, step"_s);
}

void TermSketch::paint(TinyPicture picture)
{
    switch (picture) {
    case TinyPicture::Package: return package();
    case TinyPicture::Node: return node();
    case TinyPicture::Nodes: return nodes();
    case TinyPicture::Cores: return cores();
    case TinyPicture::Network: return network();
    case TinyPicture::Project: return project();
    case TinyPicture::Bill: return bill();
    case TinyPicture::Queue: return queue();
    case TinyPicture::Gap: return gap();
    case TinyPicture::Script: return script();
    case TinyPicture::Tree: return tree();
    case TinyPicture::Meeting: return meeting();
    case TinyPicture::Ranks: return ranks();
    case TinyPicture::Ring: return ring();
    case TinyPicture::Gather: return pieces(true);
    case TinyPicture::Scatter: return pieces(false);
    case TinyPicture::Replicas: return copies(true);
    case TinyPicture::Shards: return copies(false);
    case TinyPicture::Split: return split();
    case TinyPicture::Stages: return stages();
    case TinyPicture::Bubble: return bubble();
    case TinyPicture::Experts: return experts();
    case TinyPicture::Sequence: return sequence();
    case TinyPicture::Batch: return batch();
    case TinyPicture::Accumulate: return accumulate();
    case TinyPicture::Bits: return bits();
    case TinyPicture::Memory: return memory();
    case TinyPicture::Adapter: return adapter();
    case TinyPicture::Recompute: return recompute();
    case TinyPicture::Loader: return loader();
    case TinyPicture::Curve: return curve();
    case TinyPicture::Clock: return clock();
    case TinyPicture::Loop: return loop();
    case TinyPicture::Stack: return stack();
    case TinyPicture::Box: return container();
    case TinyPicture::Gauge: return gauge();
    case TinyPicture::Power: return power();
    case TinyPicture::Straggler: return straggler();
    case TinyPicture::Step: return step();
    }
}

} // namespace rankwright
