// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/cost.h"

#include <QWidget>

namespace rankwright {

/// What decides the price: one bar per share of the site's formula, in the billing account's unit, the deciding one in
/// strong colour. Shows a quote; computes none.
class CostView final : public QWidget {
    Q_OBJECT
public:
    explicit CostView(QWidget* parent = nullptr);

    void setData(const CostQuote& quote, const QString& gpuWord, const QString& summary);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Bar {
        QString label;
        double value = 0;
        QString unit;
        bool decides = false;
        bool operator==(const Bar&) const = default;
    };
    QList<Bar> m_bars;
    QString m_advice;
    QString m_summary;
};

} // namespace rankwright
