// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/journeys/support/tour.h"

#include "widgets/base/theme.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace rankwright::test {

using namespace Qt::StringLiterals;

namespace {

constexpr QSize whole{1280, 800};
constexpr int sheetColumns = 3;
constexpr int sheetWidth = 640;
constexpr int commonest = 160; // of the 256 colours; the others are those that would be missed most

/// 256 colours, all others as the nearest of them: thin lines on plain grounds lose nothing that is seen, and a file
/// has a third of the bytes.
QImage withFewColours(const QImage& picture)
{
    QHash<QRgb, int> counts;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x)
            ++counts[picture.pixel(x, y)];
    }
    QList<QRgb> table = counts.keys();
    std::sort(table.begin(), table.end(), [&counts](QRgb a, QRgb b) {
        return counts.value(a) != counts.value(b) ? counts.value(a) > counts.value(b) : a < b;
    });
    const QList<QRgb> all = table;
    table.resize(qMin<qsizetype>(table.size(), commonest));
    const auto distance = [](QRgb a, QRgb b) {
        const int red = qRed(a) - qRed(b), green = qGreen(a) - qGreen(b), blue = qBlue(a) - qBlue(b);
        return red * red + green * green + blue * blue;
    };
    const auto nearestIn = [&](QRgb colour) {
        const auto found = std::min_element(
            table.cbegin(), table.cend(), [&](QRgb a, QRgb b) { return distance(a, colour) < distance(b, colour); });
        return int(found - table.cbegin());
    };
    QHash<QRgb, int> missed; // how far each colour is from the table
    for (const QRgb colour : all)
        missed.insert(colour, distance(table.at(nearestIn(colour)), colour));
    while (table.size() < qMin<qsizetype>(all.size(), 256)) {
        const QRgb most = *std::max_element(
            all.cbegin(), all.cend(), [&missed](QRgb a, QRgb b) { return missed.value(a) < missed.value(b); });
        table.append(most);
        for (const QRgb colour : all)
            missed[colour] = qMin(missed.value(colour), distance(most, colour));
    }
    QHash<QRgb, int> nearest;
    for (const QRgb colour : all)
        nearest.insert(colour, nearestIn(colour));
    QImage few(picture.size(), QImage::Format_Indexed8);
    few.setColorTable(table);
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x)
            few.setPixel(x, y, uint(nearest.value(picture.pixel(x, y))));
    }
    return few;
}

void save(const QImage& picture, const QString& path)
{
    if (!withFewColours(picture).save(path, "PNG", 0))
        qWarning("%s could not be written", qPrintable(path));
}

} // namespace

Tour::Tour(Workbench& workbench) : m_workbench(workbench), m_folder(qEnvironmentVariable("RANKWRIGHT_PICTURES"))
{
    if (!m_folder.isEmpty())
        QDir().mkpath(m_folder);
}

void Tour::capture(const QString& name)
{
    if (m_folder.isEmpty())
        return;
    MainWindow& window = m_workbench.window();
    const QSize before = window.size();
    for (const bool dark : {false, true}) {
        m_workbench.theme().setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        for (const QSize size : {QSize(1024, 700), whole, QSize(1920, 1080)}) {
            window.resize(size);
            for (int round = 0; round < 8; ++round)
                QApplication::processEvents();
            const QImage picture = window.grab().toImage().convertToFormat(QImage::Format_RGB32);
            const QString look = u"%1-%2"_s.arg(QString::number(size.width()), dark ? u"dark"_s : u"light"_s);
            if (size == whole && !dark) {
                save(picture, QDir(m_folder).filePath(name + u".png"_s));
                continue;
            }
            m_sheets[look].append(picture.scaledToWidth(sheetWidth, Qt::SmoothTransformation));
            if (qEnvironmentVariableIsSet("RANKWRIGHT_PICTURES_ALL"))
                save(picture, QDir(m_folder).filePath(u"%1-%2.png"_s.arg(name, look)));
        }
    }
    m_workbench.theme().setMode(Theme::Mode::Light);
    window.resize(before);
    QApplication::processEvents();
}

Tour::~Tour()
{
    for (auto sheet = m_sheets.cbegin(); sheet != m_sheets.cend(); ++sheet) {
        const QSize part = sheet.value().first().size() + QSize(8, 8);
        const int rows = int((sheet.value().size() + sheetColumns - 1) / sheetColumns);
        QImage all(part.width() * sheetColumns, part.height() * rows, QImage::Format_RGB32);
        all.fill(Qt::gray);
        QPainter painter(&all);
        for (int i = 0; i < sheet.value().size(); ++i)
            painter.drawImage(QPoint(4 + (i % sheetColumns) * part.width(), 4 + (i / sheetColumns) * part.height()),
                sheet.value().at(i));
        painter.end();
        save(all, QDir(m_folder).filePath(u"all-%1.png"_s.arg(sheet.key())));
    }
}

} // namespace rankwright::test
