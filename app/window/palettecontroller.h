// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/palettesources.h"

#include <QObject>

namespace rankwright {

class CommandPalette;
class Settings;

/// Ctrl+K and the field in the top bar: asks its providers what there is, shows it, runs what was chosen, remembers
/// what was used. The menus are asked always; whatever else there is comes by addProvider().
class PaletteController final : public QObject {
    Q_OBJECT
public:
    using Provider = std::function<QList<PaletteCommand>()>;

    PaletteController(MainWindow& window, Settings& settings, QObject* parent = nullptr);

    /// Asked each time that the palette is opened.
    void addProvider(const Provider& provider);
    /// Opens it; closes it when it is open.
    void toggle();
    /// What is offered now, in order.
    QList<PaletteEntry> entries();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void collect();
    void run(const QString& id);

    MainWindow& m_window;
    Settings& m_settings;
    CommandPalette* m_palette = nullptr; ///< made when it is opened for the first time
    QList<Provider> m_providers;
    QList<PaletteCommand> m_commands;
};

} // namespace rankwright
