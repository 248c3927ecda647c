// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/learn/tinypicture.h"

#include <QWidget>

namespace rankwright {

/// The tiny picture beside a term. Painted in the theme's colours, as large as its text needs; says in one sentence
/// what it shows to those who cannot see it.
class TermPicture final : public QWidget {
    Q_OBJECT
public:
    explicit TermPicture(QWidget* parent = nullptr);

    void setPicture(TinyPicture picture, const PictureFigures& figures);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    TinyPicture m_picture = TinyPicture::Ranks;
    PictureFigures m_figures;
};

} // namespace rankwright
