// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Welcome page with and without recent designs, and the command palette over the window: shots_welcome FOLDER
// [NAME].
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/document/design.h"
#include "tests/shots/camera.h"
#include "widgets/design/designpage.h"
#include "widgets/welcome/welcomepage.h"
#include "widgets/window/commandpalette.h"
#include "widgets/window/mainwindow.h"

#include <QJsonObject>
#include <QLineEdit>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

RecentDesign recent(const QString& name, int nodes, Strategy strategy, const QString& model, const Catalogue& catalogue)
{
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.resources.nodes = nodes;
    spec.parallel.strategy = strategy;
    if (strategy == Strategy::ThreeD) {
        spec.parallel.tensor = 8;
        spec.parallel.pipeline = 4;
    }
    if (!model.isEmpty())
        spec.model = QJsonObject{{u"preset"_s, model}};
    RecentDesign made{u"/home/ada/designs/%1.json"_s.arg(name), summarise(spec, catalogue), {}};
    made.summary.title = name;
    return made;
}

void fill(WelcomePage& page, const Catalogue& catalogue, bool full)
{
    page.setFacts({21, 7, 5, 8});
    page.setTemplates(designTemplates(*catalogue.find(u"lumi"_s)), u"LUMI"_s);
    if (!full)
        return;
    RecentDesign gone{u"/home/ada/designs/old.json"_s, {}, u"The file is not there any more."_s};
    gone.summary.title = u"old"_s;
    page.setDesigns({recent(u"llama8b"_s, 2, Strategy::Fsdp, u"llama-3-8b"_s, catalogue),
        recent(u"llama70b"_s, 16, Strategy::ThreeD, u"llama-3-70b"_s, catalogue),
        recent(u"llama8b-ddp"_s, 1, Strategy::Ddp, u"llama-3-8b"_s, catalogue), gone,
        recent(u"a-name-that-is-much-too-long-for-its-card"_s, 1, Strategy::Ddp, {}, catalogue)});
    page.setNotes(
        {{u"restored"_s, u"Unsaved work was restored: “llama8b”, as it was 23/11/2026 03:44. It has no file yet."_s,
            u"Go on with it"_s}});
}

void shoot(const shots::Camera& camera)
{
    const Catalogue catalogue = loadCatalogue();
    for (const QSize size : {QSize(1280, 800), QSize(1024, 700), QSize(480, 700), QSize(1920, 1080)}) {
        shots::Camera with = camera;
        with.size = size;
        for (const bool full : {true, false}) {
            const QString name = full ? u"welcome"_s : u"welcome-first"_s;
            if (!camera.wants(name))
                continue;
            WelcomePage page;
            fill(page, catalogue, full);
            page.setAutoFillBackground(true);
            page.show();
            page.focusFirst();
            with.capture(name, page);
        }
    }
    if (!camera.wants(u"palette"_s))
        return;
    Design design(catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    design.replace(spec);
    Theme& theme = themeOf(&design);
    for (const int width : {1280, 1024, 900}) {
        MainWindow window(design, theme, MainWindow::Pages{new DesignPage(design), nullptr, nullptr, nullptr});
        window.resize(width, 720);
        window.show();
        CommandPalette palette(&window);
        QList<PaletteEntry> entries{
            {.id = u"a"_s, .title = u"New design"_s, .section = u"File"_s, .shortcut = u"Ctrl+N"_s},
            {.id = u"b"_s, .title = u"Save the batch script …"_s, .section = u"File"_s},
            {.id = u"d"_s, .title = u"Nodes"_s, .section = u"Fields of the design"_s},
            {.id = u"e"_s, .title = u"Connect to LUMI"_s, .section = u"Clusters"_s}};
        entries.append({.id = u"c"_s,
            .title = u"Undo"_s,
            .section = u"Edit"_s,
            .shortcut = u"Ctrl+Z"_s,
            .enabled = false,
            .reason = u"There is nothing that it could act on."_s});
        palette.open(entries, {u"e"_s});
        for (int i = 0; i < 6; ++i)
            QApplication::processEvents();
        window.grab().save(
            camera.folder.filePath(u"palette_%1_%2.png"_s.arg(camera.dark ? u"dark"_s : u"light"_s).arg(width)));
        palette.findChild<QLineEdit*>()->setText(u"n"_s);
        QApplication::processEvents();
        window.grab().save(
            camera.folder.filePath(u"palette-typed_%1_%2.png"_s.arg(camera.dark ? u"dark"_s : u"light"_s).arg(width)));
    }
}

} // namespace

int main(int argc, char** argv) { return shots::takePictures(argc, argv, shoot); }
