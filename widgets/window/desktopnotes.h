// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace rankwright {

/// Notes on the desktop with an icon in its tray: the port of classes that have news. Hidden until setShown(); notes
/// are dropped while it is hidden. Lives on the GUI thread.
class DesktopNotes : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// Why this desktop cannot show notes, one sentence; empty: it can, as far as is known.
    virtual QString whyNot() const = 0;
    /// The icon in the tray comes or goes.
    virtual void setShown(bool shown) = 0;
    /// Lines of the icon's menu on jobs that wait or run; none: it says so.
    virtual void setJobs(const QStringList& lines) = 0;
    /// A note, in plain text. `id` comes back when somebody clicks on it.
    virtual void tell(const QString& title, const QString& text, const QString& id) = 0;

signals:
    void clicked(const QString& id);
    void windowWanted(); ///< from the icon or its menu, as below
    void jobsWanted();
    void quitWanted();
};

} // namespace rankwright
