// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace rankwright {

/// Help, Keyboard shortcuts: all keys of the window, by where they work. Shows a table; binds nothing.
class ShortcutList final : public QDialog {
    Q_OBJECT
public:
    struct Row {
        QString keys; ///< as on the keyboard: "Ctrl+Shift+Z"
        QString what;
    };
    struct Section {
        QString title;
        QList<Row> rows;
    };
    static QList<Section> sections();

    explicit ShortcutList(QWidget* parent = nullptr);
};

} // namespace rankwright
