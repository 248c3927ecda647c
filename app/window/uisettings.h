// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/theme.h"

#include <QObject>

namespace rankwright {

class MainWindow;
class Settings;

/// Keeps theme and window geometry in the settings, and brings them back. Decides nothing else.
class UiSettings final : public QObject {
    Q_OBJECT
public:
    /// `forced` holds for this run and is not kept; empty: as kept.
    UiSettings(Settings& settings, Theme& theme, std::optional<Theme::Mode> forced, QObject* parent = nullptr);

    void restore(MainWindow& window) const;
    void save(const MainWindow& window) const;

private:
    Settings& m_settings;
    Theme& m_theme;
};

} // namespace rankwright
