// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/uisettings.h"

#include "app/base/settings.h"
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

} // namespace

UiSettings::UiSettings(Settings& settings, Theme& theme, std::optional<Theme::Mode> forced, QObject* parent)
    : QObject(parent), m_settings(settings), m_theme(theme)
{
    const Theme::Mode kept = Theme::modeNamed(m_settings.theme()).value_or(Theme::Mode::System);
    m_theme.setMode(forced.value_or(kept));
    m_theme.setReducedMotion(m_settings.stillPictures());
    m_theme.apply();
    connect(&m_theme, &Theme::changed, this, [this] {
        if (m_settings.stillPictures() != m_theme.reducedMotion())
            m_settings.setStillPictures(m_theme.reducedMotion());
    });
    if (!forced)
        connect(&m_theme, &Theme::changed, this, [this] { m_settings.setTheme(Theme::nameOf(m_theme.mode())); });
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

void UiSettings::save(const MainWindow& window) const
{
    m_settings.setWindowGeometry(window.saveGeometry());
    m_settings.setWindowState(window.saveState());
    if (const DesignPage* page = window.pages().design) {
        m_settings.setOpenSections(page->openSections());
        m_settings.setScriptFolded(page->isScriptFolded());
    }
}

} // namespace rankwright
