// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/stackedbarlayout.h"

#include <QWidget>

#include <functional>
#include <optional>

namespace rankwright {

struct PictureTable;

/// What a stacked bar shows, as values.
struct StackedBarData {
    struct Part {
        QString name; ///< "activations"
        double value = 0;
        int category = 0; ///< of the theme
        QString summary; ///< what it is, how it is counted, what would make it smaller
    };
    QList<Part> parts;
    double low = 0; ///< the sum is expected between low and high
    double high = 0;
    double limit = 0; ///< 0: none
    double most = 0; ///< the axis reaches at least so far: bars with the same one share a scale
    bool hasAxis = true; ///< ticks and the limit's words below
    bool hasLegend = true;
    QString unit; ///< of the axis
    QString limitText; ///< at the limit: "63.9 usable"
    QString overText; ///< above what lies beyond the limit: "does not fit: 9.4 GiB too much"
    std::function<QString(double)> figure; ///< a value as the legend writes it

    double total() const;
};

/// A sum as parts of one bar. Hovering (or the arrow keys) shows what a part is. Shows; computes nothing.
class StackedBar final : public QWidget {
    Q_OBJECT
public:
    explicit StackedBar(const QString& name, QWidget* parent = nullptr);

    void setData(const StackedBarData& shown, const QString& description);
    const StackedBarData& dataShown() const { return m_data; }
    const StackedBarLayout& layoutShown() const { return m_layout; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {420, heightForWidth(420)}; }
    QSize minimumSizeHint() const override { return {220, 66}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    StackedBarLayout layOut(int width) const;
    PictureTable tableShown() const;
    QString figureText(double value) const;
    QString legendText(const StackedBarData::Part& part) const;
    QString toolTipOf(int part) const;
    void mark(std::optional<int> part);
    void paintSegments(QPainter& painter) const;
    void paintOver(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;

    StackedBarData m_data;
    StackedBarLayout m_layout;
    std::optional<int> m_marked; ///< part that is framed
};

} // namespace rankwright
