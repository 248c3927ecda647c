// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <QToolButton>

// Q_INIT_RESOURCE declares a function and must be outside of any namespace.
static void initWorkbenchResource() { Q_INIT_RESOURCE(workbench); }

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QByteArray svgOf(const QString& name, const QColor& colour)
{
    QFile file(u":/icons/%1.svg"_s.arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll().replace("currentColor", colour.name().toLatin1());
}

class LineIconEngine final : public QIconEngine {
public:
    explicit LineIconEngine(QString name) : m_name(std::move(name)) { }

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        const qreal ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
        painter->drawPixmap(
            rect, iconPixmap(m_name, foreground(mode, state), qMin(rect.width(), rect.height()), ratio));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return iconPixmap(m_name, foreground(mode, state), qMin(size.width(), size.height()), 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override
    {
        QPixmap picture
            = iconPixmap(m_name, foreground(mode, state), qRound(qMin(size.width(), size.height()) / scale), scale);
        return picture;
    }

    QIconEngine* clone() const override { return new LineIconEngine(m_name); }

private:
    static QColor foreground(QIcon::Mode mode, QIcon::State state)
    {
        const Theme& theme = themeOf(qApp);
        if (mode == QIcon::Disabled)
            return theme.colour(Theme::Token::Foreground3);
        return theme.colour(
            state == QIcon::On || mode == QIcon::Selected ? Theme::Token::Accent : Theme::Token::Foreground2);
    }

    QString m_name;
};

} // namespace

void loadIconResources() { initWorkbenchResource(); }

QIcon lineIcon(const QString& name) { return QIcon(new LineIconEngine(name)); }

QPixmap iconPixmap(const QString& name, const QColor& colour, int size, qreal ratio)
{
    const QString key = u"rw/%1/%2/%3/%4"_s.arg(name, colour.name()).arg(size).arg(ratio);
    QPixmap picture;
    if (QPixmapCache::find(key, &picture))
        return picture;
    const int pixels = qMax(1, qRound(size * ratio));
    picture = QPixmap(pixels, pixels);
    picture.fill(Qt::transparent);
    const QByteArray svg = svgOf(name, colour);
    if (!svg.isEmpty()) {
        QSvgRenderer renderer(svg);
        QPainter painter(&picture);
        renderer.render(&painter, QRectF(0, 0, pixels, pixels));
    }
    picture.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, picture);
    return picture;
}

QIcon brandIcon()
{
    loadIconResources();
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        icon.addPixmap(iconPixmap(u"rankwright"_s, Qt::black, size, 1.0));
    return icon;
}

QToolButton* iconButton(const QString& icon, const QString& name, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    if (!icon.isEmpty())
        button->setIcon(lineIcon(icon));
    button->setIconSize(QSize(16, 16));
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace rankwright
