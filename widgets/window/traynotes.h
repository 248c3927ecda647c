// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/desktopnotes.h"

#include <memory>

class QAction;
class QMenu;
class QSystemTrayIcon;

namespace rankwright {

/// Notes through the desktop's tray (QSystemTrayIcon). The icon is made when it is first shown.
class TrayNotes final : public DesktopNotes {
    Q_OBJECT
public:
    explicit TrayNotes(QObject* parent = nullptr);
    ~TrayNotes() override;

    QString whyNot() const override;
    void setShown(bool shown) override;
    void setJobs(const QStringList& lines) override;
    void tell(const QString& title, const QString& text, const QString& id) override;

private:
    void build();
    void fillJobs();

    std::unique_ptr<QMenu> m_menu; ///< before the icon, which shows it
    std::unique_ptr<QSystemTrayIcon> m_icon;
    QMenu* m_jobs = nullptr;
    QStringList m_lines;
    QString m_told; ///< id of the newest note: the one that a click means
};

} // namespace rankwright
