// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/picturetable.h"

#include "widgets/base/accessiblegrid.h"
#include "widgets/base/translate.h"

#include <QAccessible>
#include <QCoreApplication>
#include <QVariant>
#include <QWidget>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr const char* tableProperty = "pictureTable";

struct Source {
    std::function<PictureTable()> table;
};

/// The picture's table; its cells have no places of their own, since the picture is read as a whole.
class PictureGrid final : public AccessibleGrid {
public:
    explicit PictureGrid(const QWidget& picture) : m_picture(picture) { }

    int rows() const override { return int(table().rows.size()); }
    int columns() const override { return int(table().columns.size()); }
    QString cellText(GridCell cell, QAccessible::Text kind) const override
    {
        const PictureTable table = this->table();
        if (cell.row < 0 || cell.row >= table.rows.size())
            return {};
        const PictureTable::Row& row = table.rows.at(cell.row);
        if (kind == QAccessible::Name || kind == QAccessible::Value)
            return row.values.value(cell.column);
        return kind == QAccessible::Description ? u"%1, %2"_s.arg(row.name, table.columns.value(cell.column))
                                                : QString();
    }
    QString rowText(int row) const override { return table().rows.value(row).name; }
    QString columnText(int column) const override { return table().columns.value(column); }
    QRect cellBox(GridCell) const override { return m_picture.rect(); }
    std::optional<GridCell> cellAt(QPoint) const override { return std::nullopt; }
    std::optional<GridCell> current() const override { return std::nullopt; }

private:
    PictureTable table() const { return pictureTableOf(m_picture).value_or(PictureTable()); }

    const QWidget& m_picture;
};

QAccessibleInterface* makePictureTable(const QString&, QObject* object)
{
    if (!object->isWidgetType() || !object->property(tableProperty).isValid())
        return nullptr;
    auto* picture = static_cast<QWidget*>(object);
    return makeGridInterface(*picture, std::make_unique<PictureGrid>(*picture));
}

} // namespace

void describeAsTable(QWidget& picture, const std::function<PictureTable()>& table)
{
    static const bool installed = [] {
        QAccessible::installFactory(&makePictureTable);
        return true;
    }();
    Q_UNUSED(installed)
    picture.setProperty(tableProperty, QVariant::fromValue(Source{table}));
    // A name that was set before has made an interface already, without the table.
    if (QAccessibleInterface* before = QAccessible::queryAccessibleInterface(&picture);
        before && !before->tableInterface())
        QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(before));
}

std::optional<PictureTable> pictureTableOf(const QWidget& picture)
{
    const QVariant kept = picture.property(tableProperty);
    if (!kept.isValid())
        return std::nullopt;
    PictureTable table = kept.value<Source>().table();
    for (PictureTable::Row& row : table.rows) {
        row.values.resize(table.columns.size());
        for (QString& value : row.values) {
            if (value.trimmed().isEmpty())
                value = tr("unknown");
        }
    }
    return table;
}

} // namespace rankwright
