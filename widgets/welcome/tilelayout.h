// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <QList>

namespace rankwright {

/// Tiles side by side, as many as there is room for, the rest in further rows; the tiles of a row have one height.
class TileLayout final : public QLayout {
    Q_OBJECT
public:
    struct Rule {
        int leastCharacters = 0; ///< width of a tile, in characters of the body text; 0: each has its own width
        int mostColumns = 1;
        double firstWeight = 1; ///< the factor by which the first of a row is wider, if all columns fit
    };
    TileLayout(const Rule& rule, int spacing, QWidget* parent = nullptr);
    ~TileLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return int(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), Pass::Measure); }
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& area) override;

private:
    enum class Pass { Measure, Place };
    int columnsFor(int width) const;
    int arrange(const QRect& area, Pass pass) const;
    int arrangeColumns(const QRect& area, const QList<QLayoutItem*>& shown, Pass pass) const;
    int arrangeInLines(const QRect& area, const QList<QLayoutItem*>& shown, Pass pass) const;

    Rule m_rule;
    QList<QLayoutItem*> m_items;
};

} // namespace rankwright
