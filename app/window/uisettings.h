// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace rankwright {

class MainWindow;
class Settings;
class Theme;

/// Keeps theme and window geometry in the settings, and brings them back. Decides nothing else.
class UiSettings final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(UiSettings)
public:
    /// `forcedTheme` ("light", "dark", "system") wins for this run and is not kept; empty: as kept.
    UiSettings(Settings& settings, Theme& theme, const QString& forcedTheme, QObject* parent = nullptr);

    void restore(MainWindow& window) const;
    void keep(const MainWindow& window) const;

private:
    Settings& m_settings;
    Theme& m_theme;
};

} // namespace rankwright
