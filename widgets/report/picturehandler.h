// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QList>
#include <QObject>
#include <QTextFormat>
#include <QTextObjectInterface>

#include <functional>

namespace rankwright {

/// A picture in the text: how high it is, and who paints it.
struct TextPicture {
    double height = 0;
    std::function<void(QPainter&, const QRectF&)> paint;
};

/// Puts pictures into the text as vectors: an image would be grainy on paper.
class PictureHandler final : public QObject, public QTextObjectInterface {
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)
public:
    /// Which of the pictures stands at a character: its number in the list.
    static constexpr int indexProperty = QTextFormat::UserProperty + 7;

    PictureHandler(const QList<TextPicture>& pictures, double width, const QFont& font)
        : m_pictures(pictures), m_width(width), m_font(font)
    { }
    QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& area, QTextDocument*, int, const QTextFormat& format) override;

private:
    QList<TextPicture> m_pictures;
    double m_width;
    QFont m_font;
};

} // namespace rankwright
