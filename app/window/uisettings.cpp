// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/uisettings.h"

#include "app/base/settings.h"
#include "widgets/base/theme.h"
#include "widgets/window/mainwindow.h"

#include <QScreen>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize firstSize(1440, 900);
constexpr QSize leastScreen(900, 480); ///< of the window; smaller screens need scrolling anyway
constexpr QSize windowFrame(4, 40); ///< what the window manager adds: not known before the window is shown

/// The window's size at the very first start: no larger than the screen's free place.
QSize firstSizeOn(const QScreen* screen)
{
    const QSize room = screen ? screen->availableSize() - windowFrame : firstSize;
    const bool holds = room.width() >= leastScreen.width() && room.height() >= leastScreen.height();
    return holds ? firstSize.boundedTo(room) : firstSize;
}

Theme::Mode modeOf(const QString& name)
{
    if (name == u"dark"_s)
        return Theme::Mode::Dark;
    return name == u"light"_s ? Theme::Mode::Light : Theme::Mode::System;
}

QString nameOf(Theme::Mode mode)
{
    return mode == Theme::Mode::Dark ? u"dark"_s : mode == Theme::Mode::Light ? u"light"_s : u"system"_s;
}

} // namespace

UiSettings::UiSettings(Settings& settings, Theme& theme, const QString& forcedTheme, QObject* parent)
    : QObject(parent), m_settings(settings), m_theme(theme)
{
    m_theme.setMode(modeOf(forcedTheme.isEmpty() ? m_settings.theme() : forcedTheme));
    m_theme.apply();
    if (forcedTheme.isEmpty())
        connect(&m_theme, &Theme::changed, this, [this] { m_settings.setTheme(nameOf(m_theme.mode())); });
}

void UiSettings::restore(MainWindow& window) const
{
    const QByteArray geometry = m_settings.windowGeometry();
    if (geometry.isEmpty() || !window.restoreGeometry(geometry))
        window.resize(firstSizeOn(window.screen()));
    window.restoreState(m_settings.windowState());
}

void UiSettings::keep(const MainWindow& window) const
{
    m_settings.setWindowGeometry(window.saveGeometry());
    m_settings.setWindowState(window.saveState());
}

} // namespace rankwright
