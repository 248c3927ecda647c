// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/uisettings.h"

#include "app/base/settings.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/window/mainwindow.h"

#include <QScreen>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize firstSize(1440, 900);
constexpr QSize windowFrame(4, 40); ///< what the window manager adds: not known before the window is shown

/// The window's size at the very first start: no larger than the screen's free place; on small ones pages
/// scroll.
QSize firstSizeOn(const QScreen* screen)
{
    const QSize room = screen ? screen->availableSize() - windowFrame : firstSize;
    return firstSize.boundedTo(room);
}

Theme::Mode modeOf(const QString& name)
{
    if (name == u"dark"_s)
        return Theme::Mode::Dark;
    if (name == u"contrast"_s)
        return Theme::Mode::HighContrast;
    return name == u"light"_s ? Theme::Mode::Light : Theme::Mode::System;
}

QString nameOf(Theme::Mode mode)
{
    switch (mode) {
    case Theme::Mode::System: break;
    case Theme::Mode::Light: return u"light"_s;
    case Theme::Mode::Dark: return u"dark"_s;
    case Theme::Mode::HighContrast: return u"contrast"_s;
    }
    return u"system"_s;
}

} // namespace

UiSettings::UiSettings(Settings& settings, Theme& theme, const QString& forcedTheme, QObject* parent)
    : QObject(parent), m_settings(settings), m_theme(theme)
{
    m_theme.setMode(modeOf(forcedTheme.isEmpty() ? m_settings.theme() : forcedTheme));
    m_theme.setReducedMotion(m_settings.stillPictures());
    m_theme.apply();
    connect(&m_theme, &Theme::changed, this, [this] {
        if (m_settings.stillPictures() != m_theme.reducedMotion())
            m_settings.setStillPictures(m_theme.reducedMotion());
    });
    if (forcedTheme.isEmpty())
        connect(&m_theme, &Theme::changed, this, [this] { m_settings.setTheme(nameOf(m_theme.mode())); });
}

void UiSettings::restore(MainWindow& window) const
{
    const QByteArray geometry = m_settings.windowGeometry();
    if (geometry.isEmpty() || !window.restoreGeometry(geometry))
        window.resize(firstSizeOn(window.screen()));
    window.restoreState(m_settings.windowState());
    if (DesignPage* page = window.pages().design) {
        page->setOpenSections(m_settings.openSections());
        page->setScriptFolded(m_settings.scriptFolded());
    }
}

void UiSettings::keep(const MainWindow& window) const
{
    m_settings.setWindowGeometry(window.saveGeometry());
    m_settings.setWindowState(window.saveState());
    if (const DesignPage* page = window.pages().design) {
        m_settings.setOpenSections(page->openSections());
        m_settings.setScriptFolded(page->isScriptFolded());
    }
}

} // namespace rankwright
