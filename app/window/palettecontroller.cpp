// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/palettecontroller.h"

#include "app/base/settings.h"
#include "widgets/window/commandpalette.h"
#include "widgets/window/mainwindow.h"
#include "widgets/window/topbar.h"

#include <QApplication>
#include <QKeyEvent>
#include <QSet>
#include <QShortcut>

#include <algorithm>

namespace rankwright {

PaletteController::PaletteController(MainWindow& window, Settings& settings, QObject* parent)
    : QObject(parent), m_window(window), m_settings(settings)
{
    auto* shortcut = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_K), &window);
    connect(shortcut, &QShortcut::activated, this, &PaletteController::toggle);
    auto* bar = window.findChild<TopBar*>();
    connect(bar, &TopBar::paletteRequested, this, &PaletteController::toggle);
    addProvider([bar] { return menuCommands(*bar->menuBar()); });
    qApp->installEventFilter(this);
}

/// In a field of text Ctrl+K would delete to the end of the line, on some desktops.
bool PaletteController::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const auto* widget = qobject_cast<QWidget*>(watched);
        if (key->key() == Qt::Key_K && key->modifiers() == Qt::ControlModifier && widget
            && widget->window() == &m_window) {
            event->ignore();
            return true;
        }
    }
    return QObject::eventFilter(watched, event);
}

void PaletteController::addProvider(const Provider& provider) { m_providers.append(provider); }

void PaletteController::collect()
{
    m_commands.clear();
    QSet<QString> known;
    for (const Provider& provider : std::as_const(m_providers)) {
        for (const PaletteCommand& command : provider()) {
            if (known.contains(command.entry.id))
                continue;
            known.insert(command.entry.id);
            m_commands.append(command);
        }
    }
}

QList<PaletteEntry> PaletteController::entries()
{
    collect();
    QList<PaletteEntry> entries;
    for (const PaletteCommand& command : std::as_const(m_commands))
        entries.append(command.entry);
    return entries;
}

void PaletteController::toggle()
{
    if (!m_palette) {
        m_palette = new CommandPalette(&m_window);
        connect(m_palette, &CommandPalette::chosen, this, &PaletteController::run);
    }
    if (m_palette->isVisible())
        m_palette->dismiss();
    else
        m_palette->open(entries(), m_settings.paletteUses());
}

void PaletteController::run(const QString& id)
{
    const auto found = std::find_if(m_commands.cbegin(), m_commands.cend(),
        [&id](const PaletteCommand& command) { return command.entry.id == id; });
    if (found == m_commands.cend())
        return;
    m_settings.addPaletteUse(id);
    const std::function<void()> what = found->run; // it may open the palette again
    what();
}

} // namespace rankwright
