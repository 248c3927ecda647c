// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heatmap/heatmappicture.h"

#include "models/core/quantitytext.h"
#include "widgets/base/colourmap.h"
#include "widgets/base/theme.h"
#include "widgets/base/translate.h"
#include "widgets/heatmap/heatmapmarks.h"
#include "widgets/heatmap/heatmapview.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDateTime>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int pictureMargin = 16;
constexpr int headHeight = 46;
constexpr int footHeight = 40;
constexpr int leastPictureWidth = 560;
constexpr int pictureBarWidth = 200;
constexpr int pictureBarHeight = 10;

QString secondLine(const HeatMapView& view, qint64 atMs)
{
    const GpuGrid& grid = view.grid();
    QStringList parts{toText(view.measure()),
        nodesText(grid.nodeCount()) + (grid.nodeCount() == 1 ? u", "_s : u" × "_s)
            + gpusText(grid.gpusPerNode(), grid.gpuWord())};
    if (!view.openGroup().isEmpty())
        parts << tr("shown: %1").arg(view.openGroup());
    if (view.order() == HeatMapView::Order::OutlierScore)
        parts << tr("outliers first");
    if (atMs > 0)
        parts << QDateTime::fromMSecsSinceEpoch(atMs).toString(u"yyyy-MM-dd HH:mm:ss t"_s);
    return parts.join(u" · "_s);
}

void paintFooter(QPainter& painter, const HeatMapView& view, int top, int width)
{
    const Theme& theme = themeOf(&view);
    const QFont font = Theme::uiFont(11);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    painter.setPen(theme.colour(Theme::Token::Foreground2));
    const QString low = figureOf(view.measure(), view.scale().low);
    const QString high = figureWithUnit(view.measure(), view.scale().high);
    const int start = pictureMargin + metrics.horizontalAdvance(low) + 8;
    painter.drawText(QRect(pictureMargin, top, 60, 16), Qt::AlignLeft | Qt::AlignVCenter, low);
    constexpr int steps = 50;
    for (int step = 0; step < steps; ++step) {
        painter.fillRect(
            QRect(start + step * pictureBarWidth / steps, top + 3, pictureBarWidth / steps, pictureBarHeight),
            QColor::fromRgb(rampColour(rampOf(view.measure()), double(step) / (steps - 1))));
    }
    painter.setPen(theme.colour(Theme::Token::Foreground2));
    painter.drawText(QRect(start + pictureBarWidth + 8, top, 140, 16), Qt::AlignLeft | Qt::AlignVCenter, high);
    QStringList words{tr("hatched: no fresh value"), tr("empty frame: not reported")};
    if (view.measure() == Measure::Power && view.grid().gpusPerPackage() > 1)
        words.prepend(tr("one value per package"));
    if (view.overlay() != HeatMapOverlay::None)
        words.prepend(toText(view.overlay()).toLower());
    painter.drawText(QRect(pictureMargin, top + 18, width - 2 * pictureMargin, 16), Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(words.join(u" · "_s), Qt::ElideRight, width - 2 * pictureMargin));
}

void paintMap(QPainter& painter, const HeatMapView& view, HeatMapFile file)
{
    HeatMapScene scene = view.scene();
    scene.vector = file == HeatMapFile::Shapes;
    if (view.isFolded()) {
        const HeatMapTilePainter renderer(scene, view.tiles(), view.groups());
        for (int tile = 0; tile < view.tiles().count(); ++tile)
            renderer.paintTile(painter, tile, QRegion(QRect(QPoint(0, 0), view.contentSize())));
        return;
    }
    const HeatMapPainter renderer(scene);
    for (int slot = 0; slot < view.shownRows().size(); ++slot)
        renderer.paintNode(painter, slot);
}

} // namespace

QSize heatMapPictureSize(const HeatMapView& view)
{
    const QSize map = view.contentSize();
    return {std::max(leastPictureWidth, map.width() + 2 * pictureMargin),
        map.height() + headHeight + footHeight + 2 * pictureMargin};
}

void paintHeatMapPicture(QPainter& painter, const HeatMapView& view, const HeatMapCaption& caption, HeatMapFile file)
{
    const Theme& theme = themeOf(&view);
    const QSize size = heatMapPictureSize(view);
    painter.fillRect(QRect(QPoint(0, 0), size), theme.colour(Theme::Token::Panel));
    painter.setRenderHint(QPainter::Antialiasing);
    const int width = size.width() - 2 * pictureMargin;
    painter.setFont(Theme::uiFont(16, QFont::DemiBold));
    painter.setPen(theme.colour(Theme::Token::Foreground));
    painter.drawText(QRect(pictureMargin, pictureMargin - 4, width, 22), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(caption.title, Qt::ElideRight, width));
    painter.setFont(Theme::uiFont(12));
    painter.setPen(theme.colour(Theme::Token::Foreground2));
    painter.drawText(QRect(pictureMargin, pictureMargin + 18, width, 18), Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(secondLine(view, caption.atMs), Qt::ElideRight, width));
    painter.save();
    painter.translate(pictureMargin, pictureMargin + headHeight);
    paintMap(painter, view, file);
    painter.restore();
    paintFooter(painter, view, size.height() - pictureMargin - footHeight + 8, size.width());
}

Result<void> saveHeatMapPicture(const QString& fileName, const HeatMapView& view, const HeatMapCaption& caption)
{
    const bool shapes = fileName.endsWith(u".svg"_s, Qt::CaseInsensitive);
    if (!shapes && !fileName.endsWith(u".png"_s, Qt::CaseInsensitive))
        return Unexpected(Error{Fault::Invalid, tr("Pictures of the map are written as PNG or SVG."), fileName,
            tr("Choose a name that ends with .png or .svg.")});
    const QSize size = heatMapPictureSize(view);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (shapes) {
        QSvgGenerator file;
        file.setOutputDevice(&buffer);
        file.setSize(size);
        file.setViewBox(QRect(QPoint(0, 0), size));
        file.setTitle(caption.title);
        QPainter painter(&file);
        paintHeatMapPicture(painter, view, caption, HeatMapFile::Shapes);
    } else {
        QImage image(size * caption.pixelRatio, QImage::Format_RGB32);
        if (image.isNull())
            return Unexpected(Error{Fault::Invalid, tr("The picture is too large for the memory."),
                tr("%1 × %2 pixels").arg(size.width()).arg(size.height()),
                tr("Fold the nodes into groups or make the map smaller.")});
        image.setDevicePixelRatio(caption.pixelRatio);
        QPainter painter(&image);
        paintHeatMapPicture(painter, view, caption, HeatMapFile::Pixels);
        painter.end();
        image.save(&buffer, "PNG");
    }
    QSaveFile file(fileName);
    if (!file.open(QIODevice::WriteOnly) || file.write(buffer.data()) != buffer.size() || !file.commit())
        return Unexpected(Error{Fault::Io, tr("The picture could not be written to %1.").arg(fileName),
            file.errorString(), tr("Choose another folder, or free some room.")});
    return {};
}

} // namespace rankwright
