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

/// The 256 commonest colours, all others as the nearest of them: thin lines on plain grounds lose nothing that is seen,
/// and a file has a third of the bytes.
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
    table.resize(qMin<qsizetype>(table.size(), 256));
    const auto distance = [](QRgb a, QRgb b) {
        const int red = qRed(a) - qRed(b), green = qGreen(a) - qGreen(b), blue = qBlue(a) - qBlue(b);
        return red * red + green * green + blue * blue;
    };
    QHash<QRgb, int> nearest;
    for (auto each = counts.cbegin(); each != counts.cend(); ++each) {
        const QRgb colour = each.key();
        const auto found = std::min_element(
            table.cbegin(), table.cend(), [&](QRgb a, QRgb b) { return distance(a, colour) < distance(b, colour); });
        nearest.insert(colour, int(found - table.cbegin()));
    }
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

void Tour::take(const QString& name)
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
            const QString look = dark ? u"dark"_s : u"light"_s;
            if (size == whole)
                save(picture, QDir(m_folder).filePath(u"%1-%2.png"_s.arg(name, look)));
            else if (qEnvironmentVariableIsSet("RANKWRIGHT_PICTURES_ALL"))
                save(picture, QDir(m_folder).filePath(u"%1-%2-%3.png"_s.arg(name, look).arg(size.width())));
            if (size != whole)
                m_sheets[u"%1-%2"_s.arg(size.width()).arg(look)].append(
                    picture.scaledToWidth(640, Qt::SmoothTransformation));
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
