// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/motion/motionview.h"

#include "widgets/base/accessiblegrid.h"
#include "widgets/base/richtooltip.h"
#include "widgets/motion/motionpainter.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

namespace rankwright {

namespace {

class MotionGrid final : public AccessibleGrid {
public:
    explicit MotionGrid(const MotionView& view) : m_view(view) { }

    int rows() const override { return int(m_view.picture().frames.size()); }
    int columns() const override { return 1; }
    QString cellText(GridCell cell, QAccessible::Text kind) const override
    {
        return kind == QAccessible::Name ? m_view.picture().frames.value(cell.row).sentence : QString();
    }
    QString rowText(int row) const override { return MotionView::tr("Frame %1 of %2").arg(row + 1).arg(rows()); }
    QString columnText(int) const override { return MotionView::tr("What happens"); }
    /// The frame that is shown fills the view; the others are nowhere.
    QRect cellBox(GridCell cell) const override
    {
        return cell.row == m_view.frame() ? m_view.viewport()->rect() : QRect();
    }
    std::optional<GridCell> cellAt(QPoint) const override { return current(); }
    std::optional<GridCell> current() const override
    {
        return rows() > 0 ? std::optional(GridCell{m_view.frame(), 0}) : std::nullopt;
    }

private:
    const MotionView& m_view;
};

QAccessibleInterface* makeMotionInterface(const QString& className, QObject* object)
{
    if (className != QLatin1String(MotionView::staticMetaObject.className()))
        return nullptr;
    auto* view = static_cast<MotionView*>(object);
    return makeGridInterface(*view, std::make_unique<MotionGrid>(*view));
}

/// Makes every MotionView a table to assistive tools: a row for each frame, with its sentence; the one that is shown is
/// selected. Registers a factory once; safe to call often.
void installMotionAccessibility()
{
    static const bool installed = [] {
        QAccessible::installFactory(&makeMotionInterface);
        return true;
    }();
    Q_UNUSED(installed)
}

} // namespace

MotionView::MotionView(QWidget* parent) : QAbstractScrollArea(parent)
{
    installMotionAccessibility();
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    setFocusPolicy(Qt::NoFocus); // the card around it has the keys
    setAccessibleName(tr("Moving picture"));
}

void MotionView::setPicture(const MotionPicture& picture)
{
    if (picture == m_picture)
        return;
    m_picture = picture;
    QAccessibleTableModelChangeEvent changed(this, QAccessibleTableModelChangeEvent::ModelReset);
    QAccessible::updateAccessibility(&changed);
    setAccessibleName(picture.title);
    showFrame(0);
}

void MotionView::showFrame(int frame, double share)
{
    frame = qBound(0, frame, qMax(0, int(m_picture.frames.size()) - 1));
    m_share = frame == 0 ? 1 : qBound(0.0, share, 1.0);
    m_frame = frame;
    if (accessibleDescription() != sentence())
        setAccessibleDescription(sentence());
    viewport()->update();
}

QString MotionView::sentence() const { return m_picture.frames.value(m_frame).sentence; }

void MotionView::paintEvent(QPaintEvent*)
{
    if (m_picture.frames.isEmpty())
        return;
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const MotionFrame& to = m_picture.frames.at(m_frame);
    const MotionFrame& from = m_picture.frames.at(qMax(0, m_frame - 1));
    paintMotion(painter, from, to, m_share, QRectF(viewport()->rect()).adjusted(1, 1, -1, -1), themeOf(this));
}

bool MotionView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), richToolTip(sentence()), this);
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void MotionView::wheelEvent(QWheelEvent* event) { event->ignore(); } // the page scrolls

void MotionView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
}

} // namespace rankwright
