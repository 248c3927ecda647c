// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/theme.h"

#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QPixmap>
#include <QWidget>

#include <functional>

namespace rankwright::shots {

/// Takes pictures of pages and dialogs in one theme and window size. Owns no widget.
struct Camera {
    QDir folder;
    QString wanted; ///< part of the names of those to be taken; empty: all
    bool dark = false;
    QSize size; ///< of the window

    bool wants(const QString& name) const { return wanted.isEmpty() || name.contains(wanted); }

    /// A page as large as navigation and top bar leave it; `above` is drawn over it at `at`.
    void capture(const QString& name, QWidget& page, QWidget* above = nullptr, QPoint at = {}) const
    {
        page.resize(size - QSize(64, 46));
        QPixmap picture = grab(page);
        if (above)
            QPainter(&picture).drawPixmap(at, above->grab());
        picture.save(folder.filePath(QStringLiteral("%1_%2_%3.png").arg(name, look()).arg(size.width())));
    }

    /// A dialog in its own size.
    void takeDialog(const QString& name, QWidget& dialog) const
    {
        grab(dialog).save(folder.filePath(QStringLiteral("%1_%2.png").arg(name, look())));
    }

private:
    QString look() const { return dark ? QStringLiteral("dark") : QStringLiteral("light"); }
    static QPixmap grab(QWidget& widget)
    {
        widget.setAttribute(Qt::WA_StyledBackground);
        widget.show();
        for (int round = 0; round < 6; ++round)
            QApplication::processEvents();
        return widget.grab();
    }
};

/// main() of a program of pictures: FOLDER [PART OF A NAME]; calls `shoot` for both themes and both window sizes.
inline int takePictures(int argc, char** argv, const std::function<void(const Camera&)>& shoot)
{
    QApplication application(argc, argv);
    const QStringList words = QApplication::arguments();
    const QString folder = words.value(1, QStringLiteral("shots"));
    QDir().mkpath(folder);
    Theme theme;
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
            shoot(Camera{.folder = QDir(folder), .wanted = words.value(2), .dark = dark, .size = size});
    }
    return 0;
}

} // namespace rankwright::shots
