// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>

#include <functional>
#include <optional>

class QWidget;

namespace rankwright {

/// What a painted picture shows, as a table: each value with its unit, as the picture writes it. An empty text is said
/// as "unknown".
struct PictureTable {
    struct Row {
        QString name;
        QStringList values; ///< one for each column; missing ones are unknown
    };
    QStringList columns;
    QList<Row> rows;
};

/// Gives a picture this table for assistive tools; its own accessible name and description stay. `table` is asked when
/// somebody reads, so it costs nothing else and is never out of date. Call it in the picture's constructor.
void describeAsTable(QWidget& picture, const std::function<PictureTable()>& table);
/// The table as assistive tools get it, unknown values in words; empty: the widget has none.
std::optional<PictureTable> pictureTableOf(const QWidget& picture);

} // namespace rankwright
