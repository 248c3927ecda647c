// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/theme.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QHash>
#include <QImage>
#include <QLayout>
#include <QPainter>
#include <QSet>

/// What must be readable in any window, whatever it shows.
namespace rankwright::test {

/// What of a widget is in view, in the window's coordinates.
inline QRect seenOf(const QWidget& widget, const QWidget& window)
{
    QRect seen = QRect(widget.mapTo(&window, QPoint()), widget.size());
    for (const QWidget* at = widget.parentWidget(); at && at != window.parentWidget(); at = at->parentWidget()) {
        seen &= QRect(at->mapTo(&window, QPoint()), at->size());
        if (at == &window)
            break;
    }
    return seen;
}

/// Labels and buttons with a text, in view and not behind others.
inline QList<const QWidget*> textsInView(const QWidget& window)
{
    QList<const QWidget*> texts;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisibleTo(&window) || widget->window() != &window || seenOf(*widget, window).isEmpty())
            continue;
        const auto* label = qobject_cast<const QLabel*>(widget);
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        const auto* caption = qobject_cast<const ElidingLabel*>(widget);
        if (caption && caption->shownText().isEmpty())
            continue; // gave way as a whole
        if ((label && !label->text().isEmpty()) || (button && !button->text().isEmpty()))
            texts.append(widget);
    }
    return texts;
}

/// Whether a layout has given the child its place, directly or in a layout within.
inline bool isPlaced(QLayout* layout, const QWidget* child)
{
    for (int i = 0; layout && i < layout->count(); ++i) {
        QLayoutItem* item = layout->itemAt(i);
        if (item->widget() == child || (item->layout() && isPlaced(item->layout(), child)))
            return true;
    }
    return false;
}

/// In a part that lies over the others by design, as messages do: it can be moved out of the way.
inline bool floats(const QWidget* widget, const QWidget& window)
{
    for (const QWidget* at = widget; at != &window && at->parentWidget(); at = at->parentWidget()) {
        QLayout* layout = at->parentWidget()->layout();
        if (layout && !isPlaced(layout, at))
            return true;
    }
    return false;
}

/// Whether a part that floats lies over the text.
inline bool isCovered(const QWidget& widget, const QWidget& window)
{
    const QRect area = seenOf(widget, window);
    for (const QPoint at : {area.center(), area.topLeft() + QPoint(2, 2), area.bottomRight() - QPoint(2, 2)}) {
        const QWidget* there = window.childAt(at);
        if (there && there != &widget && !widget.isAncestorOf(there) && floats(there, window))
            return true;
    }
    return false;
}

/// Pairs of texts that lie over each other.
inline QStringList overlappingTexts(const QWidget& window)
{
    QStringList found;
    QList<const QWidget*> texts;
    for (const QWidget* text : textsInView(window)) {
        if (!floats(text, window))
            texts.append(text);
    }
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const QRect one = seenOf(*texts.at(i), window).adjusted(2, 2, -2, -2);
        for (qsizetype j = i + 1; j < texts.size(); ++j) {
            const QRect other = seenOf(*texts.at(j), window).adjusted(2, 2, -2, -2);
            if (!one.intersects(other) || texts.at(i)->isAncestorOf(texts.at(j))
                || texts.at(j)->isAncestorOf(texts.at(i)))
                continue;
            found.append(nameOf(texts.at(i)) + QStringLiteral(" over ") + nameOf(texts.at(j)));
        }
    }
    return found;
}

/// The window painted at three times its size: even thin strokes reach their full colour.
inline QImage enlarged(QWidget& window)
{
    constexpr int times = 3;
    QImage image(window.size() * times, QImage::Format_RGB32);
    image.setDevicePixelRatio(times);
    image.fill(Qt::white);
    window.render(&image);
    return image;
}

/// The contrast of what is written in an area: of the colour that there is most of, and that which differs most.
inline double contrastIn(const QImage& image, const QRect& area)
{
    const int times = int(image.devicePixelRatio());
    const QRect pixels = QRect(area.topLeft() * times, area.size() * times) & image.rect();
    QHash<QRgb, int> counts;
    for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        // Most of a line is one colour: runs are counted, not single points.
        for (int x = pixels.left(), from = x; x <= pixels.right(); ++x) {
            if (x == pixels.right() || line[x + 1] != line[x]) {
                counts[line[x] | 0xff000000] += x + 1 - from;
                from = x + 1;
            }
        }
    }
    QRgb background = 0;
    int most = 0;
    for (auto each = counts.begin(); each != counts.end(); ++each) {
        if (each.value() > most) {
            most = each.value();
            background = each.key();
        }
    }
    double best = 1;
    for (auto each = counts.begin(); each != counts.end(); ++each)
        best = qMax(best, Theme::contrast(QColor::fromRgb(each.key()), QColor::fromRgb(background)));
    return best;
}

/// Texts in view whose contrast is below the bound; what cannot be used for now is exempt (WCAG 2.1, 1.4.3).
inline QStringList paleTexts(QWidget& window, double bound)
{
    QStringList found;
    const QImage image = enlarged(window);
    for (const QWidget* widget : textsInView(window)) {
        const QRect area = seenOf(*widget, window);
        // What is scrolled out in part is whole further down.
        if (!widget->isEnabled() || area.size() != widget->size() || isCovered(*widget, window) || area.height() < 8
            || area.width() < 8)
            continue;
        const double contrast = contrastIn(image, area);
        if (contrast < bound)
            found.append(QStringLiteral("%1 has %2:1").arg(nameOf(widget)).arg(contrast, 0, 'f', 2));
    }
    return found;
}

/// Whatever takes the focus has a name.
inline QStringList namelessControls(const QWidget& window)
{
    QStringList found;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisibleTo(&window) || widget->window() != &window || !(widget->focusPolicy() & Qt::TabFocus)
            || widget->focusProxy())
            continue;
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (widget->accessibleName().isEmpty() && !(button && !button->text().isEmpty()))
            found.append(nameOf(widget) + QStringLiteral(" in ") + nameOf(widget->parentWidget()));
    }
    return found;
}

/// Whether a widget of ours paints a picture: more than two colours with its children left out. Controls of Qt have
/// their own interfaces, and frames around other widgets are not pictures.
inline bool isPicture(QWidget& widget)
{
    const QString name = QString::fromLatin1(widget.metaObject()->className());
    if (!name.startsWith(QStringLiteral("rankwright::")) && name != QStringLiteral("QCustomPlot"))
        return false;
    for (const char* control : {"QLabel", "QAbstractButton", "QAbstractSpinBox", "QComboBox", "QLineEdit",
             "QAbstractItemView", "QPlainTextEdit", "QTextEdit", "QsciScintillaBase", "QScrollArea", "QTabWidget",
             "QTabBar", "QMainWindow", "QDialog", "QSplitter", "QProgressBar", "QHeaderView"}) {
        if (widget.inherits(control))
            return false;
    }
    if (widget.width() < 16 || widget.height() < 8)
        return false;
    auto* area = qobject_cast<QAbstractScrollArea*>(&widget);
    QWidget& surface = area ? *area->viewport() : widget;
    if (!area && !widget.findChildren<QWidget*>(Qt::FindDirectChildrenOnly).isEmpty()
        && !widget.inherits("QCustomPlot"))
        return false;
    QImage image(surface.size(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    surface.render(&image, {}, {}, QWidget::RenderFlags());
    QSet<QRgb> colours;
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            if (qAlpha(line[x]) > 0 && (x == 0 || line[x] != line[x - 1]))
                colours.insert(line[x]);
        }
        if (colours.size() > 2)
            return true;
    }
    return false;
}

/// Painted pictures in view of which a screen reader hears neither a table nor, beside a name, a text or a value.
inline QStringList mutePictures(const QWidget& window)
{
    QStringList found;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisibleTo(&window) || widget->window() != &window || seenOf(*widget, window).isEmpty()
            || !isPicture(*widget))
            continue;
        QAccessibleInterface* reader = QAccessible::queryAccessibleInterface(widget);
        const auto* table = reader ? reader->tableInterface() : nullptr;
        const QString name = reader ? reader->text(QAccessible::Name).trimmed() : QString();
        const bool says = reader
            && ((table && table->rowCount() > 0) || !reader->text(QAccessible::Description).trimmed().isEmpty()
                || !reader->text(QAccessible::Value).trimmed().isEmpty());
        // As low as a line of text it shows one thing, a key or a place in a row, which its name says.
        const bool isOneThing = widget->height() < 2 * widget->fontMetrics().height();
        if (name.isEmpty() || (!says && !isOneThing))
            found.append(QString::fromLatin1(widget->metaObject()->className()) + QStringLiteral(" \"") + name
                + QStringLiteral("\": ")
                + (name.isEmpty() ? QStringLiteral("no name") : QStringLiteral("nothing said")));
    }
    return found;
}

} // namespace rankwright::test
