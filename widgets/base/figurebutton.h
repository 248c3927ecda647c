// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

#include <optional>

namespace rankwright {

/// A figure of the verdict row: a value in semi-bold, below it what it counts. Hovering explains it, a click opens its
/// view. The value may have a quiet second part ("8 GPU-h" "/ h"), an icon stands before it.
class FigureButton final : public QAbstractButton {
    Q_OBJECT
public:
    explicit FigureButton(QWidget* parent = nullptr);

    void setFigure(const QString& value, const QString& quiet, const QString& caption, const QString& explanation);
    QString value() const { return m_value; }
    QString caption() const { return m_caption; }
    bool isWhole() const; ///< false: what it shows ends with a mark
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {56, 40}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int textWidth() const;
    int iconRoom() const;
    void paintIcon(QPainter& painter) const;

    QString m_value;
    QString m_quiet;
    QString m_caption;
    QString m_explanation;
    mutable std::optional<int> m_textWidth; ///< of all three; empty: not measured yet
};

} // namespace rankwright
