// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/waiting.h"
#include "tests/widgets/support/emptybands.h"
#include "tests/widgets/support/readable.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QRadioButton>
#include <QStyleOptionComboBox>
#include <QTabBar>
#include <QTest>

/// One look at a window or dialog as a person sees it: everything that is wrong there, in words.
namespace rankwright::test {

inline QString sizeText(const QWidget& window)
{
    return QStringLiteral("%1×%2").arg(window.width()).arg(window.height());
}

/// Texts that wrap are given their height one after another.
inline void settle(QWidget& window)
{
    for (int round = 0; round < 24; ++round) // a turn for each widget from the innermost to the window, and back
        QApplication::processEvents();
    // What stays cut is a fault that the look reports: nobody waits for it.
    for (int round = 0; round < 100 && !clippedTexts(window).isEmpty(); ++round)
        QApplication::processEvents();
}

/// Controls in view that cut their own text: ticks, choices, tabs, heads of tables.
inline QStringList cutControls(const QWidget& window)
{
    QStringList found;
    const auto add = [&found](const QWidget* widget, const QString& text) {
        found.append(nameOf(widget) + QStringLiteral(": ") + text);
    };
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisibleTo(&window) || widget->window() != &window || widget->visibleRegion().isEmpty())
            continue;
        const bool isTick = qobject_cast<const QCheckBox*>(widget) || qobject_cast<const QRadioButton*>(widget);
        if (isTick && widget->sizeHint().width() > widget->width() + 1)
            add(widget, QStringLiteral("wants %1").arg(widget->sizeHint().width()));
        if (const auto* combo = qobject_cast<const QComboBox*>(widget); combo && !combo->isEditable()) {
            QStyleOptionComboBox option;
            option.initFrom(combo);
            option.editable = false;
            const int room = combo->style()
                                 ->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, combo)
                                 .width();
            // One that elides has the whole in its tool tip.
            if (combo->fontMetrics().horizontalAdvance(combo->currentText()) > room && combo->toolTip().isEmpty())
                add(widget, combo->currentText());
        }
        if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
            for (int tab = 0; tab < tabs->count(); ++tab) {
                if (tabs->isTabVisible(tab)
                    && tabs->fontMetrics().horizontalAdvance(tabs->tabText(tab)) > tabs->tabRect(tab).width() - 4)
                    add(widget, tabs->tabText(tab));
            }
        }
        if (const auto* head = qobject_cast<const QHeaderView*>(widget);
            head && head->orientation() == Qt::Horizontal) {
            for (int section = 0; head->model() && section < head->count(); ++section) {
                const QString text = head->model()->headerData(section, Qt::Horizontal).toString();
                if (!head->isSectionHidden(section)
                    && head->fontMetrics().horizontalAdvance(text) > head->sectionSize(section) - 4)
                    add(widget, text);
            }
        }
    }
    return found;
}

/// Tab comes round from anywhere to where it began and meets everything that can be used.
inline QStringList tabFaults(QWidget& window)
{
    const QList<QWidget*> stops = tabStops(window);
    if (stops.isEmpty())
        return {};
    QWidget* const begin = stops.first();
    begin->setFocus(Qt::TabFocusReason);
    QSet<QWidget*> met;
    QWidget* focus = begin;
    for (int i = 0; i < 600; ++i) {
        met.insert(focus);
        QTest::keyClick(focus, Qt::Key_Tab);
        focus = QApplication::focusWidget();
        if (!focus)
            return {QStringLiteral("Tab leads out of the window")};
        if (focus == begin && (met.size() > 1 || stops.size() == 1)) // links of one label are stops, too
            break;
    }
    if (focus != begin) {
        QStringList way;
        for (const QWidget* each : std::as_const(met))
            way.append(nameOf(each));
        return {QStringLiteral("Tab does not come back to %1, but goes round by %2")
                    .arg(nameOf(begin), way.join(QStringLiteral(", ")))};
    }
    QStringList missed;
    for (QWidget* stop : tabStops(window)) {
        if (!met.contains(stop))
            missed.append(QStringLiteral("Tab misses ") + nameOf(stop));
    }
    return missed;
}

/// Labels and buttons that another layout of the same window would move: what has been hidden or shown left them where
/// they were.
inline QStringList unsettled(const QWidget& window)
{
    const QList<const QWidget*> texts = textsInView(window);
    QHash<const QWidget*, QPoint> places;
    for (const QWidget* text : texts)
        places.insert(text, text->mapTo(&window, QPoint()));
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (QLayout* layout = widget->isVisibleTo(&window) ? widget->layout() : nullptr) {
            layout->invalidate();
            layout->activate();
        }
    }
    QStringList found;
    for (const QWidget* text : texts) {
        const QPoint moved = text->mapTo(&window, QPoint()) - places.value(text);
        if (moved.manhattanLength() > 2)
            found.append(QStringLiteral("%1 by %2, %3").arg(nameOf(text)).arg(moved.x()).arg(moved.y()));
    }
    return found;
}

/// With RANKWRIGHT_SHOTS=FOLDER the window is kept there as a picture, to be looked at.
inline void photograph(QWidget& window, const QString& name, Theme::Mode mode)
{
    const QString folder = qEnvironmentVariable("RANKWRIGHT_SHOTS");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    static const QStringList looks{
        QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("contrast")};
    window.grab().save(QStringLiteral("%1/%2_%3_%4x%5.png")
                           .arg(folder, name, looks.at(int(mode)))
                           .arg(window.width())
                           .arg(window.height()));
}

inline bool takesPictures() { return !qEnvironmentVariable("RANKWRIGHT_SHOTS").isEmpty(); }

/// What is wrong with how things lie in the window as large as it is.
inline QStringList misplaced(const QWidget& window)
{
    QStringList faults;
    const auto note = [&](const char* what, const QStringList& found) {
        for (const QString& each : found)
            faults.append(QStringLiteral("%1, %2: %3").arg(sizeText(window), QLatin1String(what), each));
    };
    note("cut", clippedTexts(window));
    note("cut", cutControls(window));
    note("marked", markedTexts(window));
    note("overlaps", overlappingTexts(window));
    note("nameless", namelessControls(window));
    return faults;
}

/// Texts below the bound of the look: 4.5:1, in high contrast 7:1 (WCAG 2.1, 1.4.3 and 1.4.6).
inline QStringList paleIn(QWidget& window, Theme::Mode mode)
{
    QStringList faults;
    for (const QString& each : paleTexts(window, mode == Theme::Mode::HighContrast ? 7.0 : 4.5))
        faults.append(QStringLiteral("pale in look %1: %2").arg(int(mode)).arg(each));
    return faults;
}

/// All of them, each in a line: the message of a failed check is cut.
inline QStringList printed(QStringList faults, const QString& name)
{
    faults.removeDuplicates();
    for (const QString& each : std::as_const(faults))
        qInfo("%s: %s", qPrintable(name), qPrintable(each));
    return faults;
}

/// A whole window in every size, look and by keyboard. 960 x 540 is a screen of 1920 x 1080 on which everything is
/// twice as large. The walk of every day looks at sizes in one look and at colours in one size, since neither depends
/// on the other; pictures are taken of all. `contents` None: the window has nothing to show yet, its cards say so.
enum class Contents { None, Some };
inline QStringList windowFaults(QWidget& window, Theme& theme, const QString& name, Contents contents = Contents::Some)
{
    QStringList faults;
    constexpr QSize colourSize(1280, 720);
    constexpr QSize disturbed(1024, 700); // by a look that sets right what it finds: only late, and at one size
    for (const auto mode : {Theme::Mode::Dark, Theme::Mode::HighContrast, Theme::Mode::Light}) {
        theme.setMode(mode);
        for (const QSize size : {QSize(1920, 1080), QSize(1280, 800), colourSize, QSize(1024, 700), QSize(960, 540)}) {
            const bool isPlaced = mode == Theme::Mode::Light;
            if (!isPlaced && size != colourSize && !takesPictures())
                continue;
            window.resize(size);
            settle(window);
            photograph(window, name, mode);
            if (size == disturbed) {
                for (const QString& each : unsettled(window))
                    faults.append(QStringLiteral("%1, a layout moves: %2").arg(sizeText(window), each));
            }
            if (isPlaced) {
                faults += misplaced(window);
                for (const QString& each : contents == Contents::Some ? emptyBands(window) : QStringList())
                    faults.append(QStringLiteral("%1, empty: %2").arg(sizeText(window), each));
            }
            if (size == colourSize)
                faults += paleIn(window, mode);
        }
    }
    window.resize(1920, 1080);
    settle(window);
    for (const QString& each : mutePictures(window))
        faults.append(QStringLiteral("mute: ") + each);
    window.resize(colourSize);
    faults += tabFaults(window);
    return printed(faults, name);
}

/// A dialog as it opens, on the smallest screen, as small as it goes, in every look and by keyboard.
inline QStringList dialogFaults(QWidget& dialog, Theme& theme, const QString& name)
{
    // Of a screen of 1920 x 1080 on which everything is twice as large, and of a usual one, without the title bar.
    constexpr QSize smallestScreen(960, 510);
    constexpr QSize usualScreen(1280, 690);
    QStringList faults;
    const QSize opened = dialog.size();
    const auto use = [&dialog](QSize size) {
        dialog.resize(size);
        settle(dialog);
    };
    for (const auto mode : {Theme::Mode::Dark, Theme::Mode::HighContrast, Theme::Mode::Light}) {
        theme.setMode(mode);
        use(opened);
        photograph(dialog, QStringLiteral("dialog-") + name, mode);
        faults += paleIn(dialog, mode);
    }
    faults += misplaced(dialog);
    if (opened != opened.boundedTo(usualScreen))
        faults += QStringLiteral("opens larger than a screen of 1280×720: ") + sizeText(dialog);
    for (const QString& each : mutePictures(dialog))
        faults.append(QStringLiteral("mute: ") + each);
    faults += tabFaults(dialog);
    use(opened.boundedTo(smallestScreen));
    photograph(dialog, QStringLiteral("dialog-%1-200").arg(name), Theme::Mode::Light);
    faults += misplaced(dialog);
    if (dialog.size() != dialog.size().boundedTo(smallestScreen))
        faults += QStringLiteral("is larger than a screen of 960×540: ") + sizeText(dialog);
    use({1, 1});
    photograph(dialog, QStringLiteral("dialog-%1-least").arg(name), Theme::Mode::Light);
    faults += misplaced(dialog);
    return printed(faults, name);
}

} // namespace rankwright::test
