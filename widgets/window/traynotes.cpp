// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/traynotes.h"

#include "models/core/harmlesstext.h"
#include "widgets/base/icons.h"

#include <QMenu>
#include <QSystemTrayIcon>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int shownMs = 15'000; ///< as a hint: most desktops have a time of their own
constexpr qsizetype mostLines = 12;

/// In a menu "&" underlines what is behind it.
QString menuText(const QString& line) { return harmlessLine(line, 80).replace(u'&', u"&&"_s); }

} // namespace

TrayNotes::TrayNotes(QObject* parent) : DesktopNotes(parent) { }

TrayNotes::~TrayNotes() = default;

QString TrayNotes::whyNot() const
{
    if (!QSystemTrayIcon::isSystemTrayAvailable())
        return tr("This desktop has no tray, so notifications stay off.");
    if (!QSystemTrayIcon::supportsMessages())
        return tr("The tray of this desktop shows no messages, so notifications stay off.");
    return {};
}

void TrayNotes::build()
{
    m_menu = std::make_unique<QMenu>();
    connect(m_menu->addAction(tr("&Show the window")), &QAction::triggered, this, &DesktopNotes::windowWanted);
    m_jobs = m_menu->addMenu(tr("&Jobs"));
    m_menu->addSeparator();
    connect(m_menu->addAction(tr("&Quit")), &QAction::triggered, this, &DesktopNotes::quitWanted);
    m_icon = std::make_unique<QSystemTrayIcon>(brandIcon());
    m_icon->setToolTip(tr("Rankwright"));
    m_icon->setContextMenu(m_menu.get());
    connect(m_icon.get(), &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason == QSystemTrayIcon::Trigger || reason == QSystemTrayIcon::DoubleClick)
            emit windowWanted();
    });
    connect(m_icon.get(), &QSystemTrayIcon::messageClicked, this, [this] { emit clicked(m_told); });
    fillJobs();
}

void TrayNotes::setShown(bool shown)
{
    if (shown && !m_icon)
        build();
    if (m_icon)
        m_icon->setVisible(shown);
}

void TrayNotes::fillJobs()
{
    if (!m_jobs)
        return;
    m_jobs->clear();
    for (const QString& line : m_lines.first(std::min(m_lines.size(), mostLines)))
        connect(m_jobs->addAction(menuText(line)), &QAction::triggered, this, &DesktopNotes::jobsWanted);
    if (m_lines.isEmpty())
        m_jobs->addAction(tr("No job waits or runs"))->setEnabled(false);
    else if (m_lines.size() > mostLines)
        connect(m_jobs->addAction(tr("… and %1 more").arg(m_lines.size() - mostLines)), &QAction::triggered, this,
            &DesktopNotes::jobsWanted);
}

void TrayNotes::setJobs(const QStringList& lines)
{
    if (lines == m_lines)
        return;
    m_lines = lines;
    fillJobs();
}

void TrayNotes::tell(const QString& title, const QString& text, const QString& id)
{
    if (!m_icon || !m_icon->isVisible())
        return;
    m_told = id;
    m_icon->showMessage(title, text, brandIcon(), shownMs);
}

} // namespace rankwright
