// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/tone.h"

#include <QStyledItemDelegate>

namespace rankwright {

/// Draws a cell's tone as a shape before its text (tick, cross, mark, dot, ring) and in colour: never colour alone.
class ToneDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// Draws the shape of a tone into `rect`; nothing for Plain.
void paintTone(QPainter& painter, const QRectF& rect, Tone tone, const QObject* themed);
/// A pill label's style ("good", "bad", "busy", "warn", "quiet") for a tone.
const char* pillOf(Tone tone);

} // namespace rankwright
