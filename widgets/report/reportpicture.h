// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"
#include "models/insight/report/speeduptable.h"

#include <QWidget>

namespace rankwright {

struct PictureTable;

/// One of the pictures as a widget. Shows; computes nothing. What a picture says is its accessible description.
class ReportPicture final : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Curve, Map, Speedup };
    ReportPicture(Kind kind, const QString& name, QWidget* parent = nullptr);
    void setData(const HistorySummary& seen, const QString& gpuWord);
    void setData(const SpeedupTable& table);
    bool hasHeightForWidth() const override { return m_kind == Kind::Map; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {480, m_kind == Kind::Map ? heightForWidth(480) : 220}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    PictureTable tableShown() const;

    Kind m_kind;
    QString m_gpuWord;
    HistorySummary m_seen;
    SpeedupTable m_table;
};

} // namespace rankwright
