// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/datafolder.h"
#include "app/workbench/workbench.h"
#include "models/script/document/design.h"
#include "tests/support/testbase.h"
#include "widgets/window/mainwindow.h"

#include <QAction>
#include <QApplication>
#include <QTemporaryDir>
#include <QWheelEvent>

/// The whole window of the program in a data folder of its own, as a person meets it.
namespace rankwright::test {

struct WindowBench {
    explicit WindowBench(const QString& folder) : dataFolder(folder) { }

    /// False: it cannot start; the error is printed.
    bool start(QSize size = {1280, 800}, const QString& design = {}, bool welcome = false)
    {
        // Whatever is clicked, no practice cluster is started for a test that brought none: its folder cannot be made.
        if (!qEnvironmentVariableIsSet("RANKWRIGHT_PRACTICE_DIR"))
            qputenv("RANKWRIGHT_PRACTICE_DIR", "/dev/null/practice");
        WorkbenchOptions options;
        options.dataFolder = *prepareDataFolder(dataFolder);
        options.theme = Theme::Mode::Light;
        options.design = design;
        options.welcome = welcome;
        options.notes = notes;
        auto made = Workbench::make(options);
        if (!made) {
            qWarning("%s", qPrintable(made.error().oneLine()));
            return false;
        }
        workbench = std::move(*made);
        workbench->start();
        window().resize(size);
        QApplication::setActiveWindow(&window());
        QApplication::processEvents();
        return true;
    }
    MainWindow& window() const { return workbench->window(); }
    Design& design() const { return workbench->design(); }
    QAction* action(const QString& text) const
    {
        for (QAction* each : window().findChildren<QAction*>()) {
            if (each->text().remove(u'&') == text)
                return each;
        }
        return nullptr;
    }

    QString dataFolder;
    std::function<std::unique_ptr<DesktopNotes>()> notes = {}; ///< before start(); empty: the desktop's tray
    std::unique_ptr<Workbench> workbench;
};

/// One notch of the wheel over the middle of a widget; negative: towards the hand.
inline void turnWheel(QWidget& widget, int notches, QPoint at = {})
{
    const QPointF place(at.isNull() ? widget.rect().center() : at);
    QWheelEvent event(place, widget.mapToGlobal(place), {}, QPoint(0, 120 * notches), Qt::NoButton, Qt::NoModifier,
        Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

} // namespace rankwright::test
