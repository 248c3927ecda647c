// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/coreprivacy.h"
#include "app/base/datafolder.h"
#include "app/base/programidentity.h"
#include "app/window/journey/journeydriver.h"
#include "app/window/journey/paintmeter.h"
#include "app/workbench/workbench.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QMessageBox>
#include <QUrl>

#include <cstdio>
#include <cstring>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

struct Asked {
    WorkbenchOptions options;
    QString dataDir;
    QString journey;
    bool tracePaint = false;
};

Result<Asked> readCommandLine(const QCoreApplication& application)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(u"Design, launch and watch distributed GPU training jobs on Slurm clusters."_s);
    parser.addHelpOption();
    parser.addVersionOption();
    const QCommandLineOption dataDir(
        u"data-dir"_s, u"Keep job log, settings and unsaved work in <folder>."_s, u"folder"_s);
    const QCommandLineOption theme(u"theme"_s, u"Theme for this run: light, dark, contrast or system."_s, u"name"_s);
    const QCommandLineOption design(u"design"_s, u"Open this design."_s, u"file"_s);
    const QCommandLineOption practice(u"practice"_s, u"Start the practice cluster and connect to it."_s);
    const QCommandLineOption journey(u"journey"_s,
        u"Make a whole journey on the practice cluster unattended, and write pictures and figures into <folder>."_s,
        u"folder"_s);
    const QCommandLineOption tracePaint(
        u"trace-paint"_s, u"Print a line when the window is painted for the first time."_s);
    parser.addOptions({dataDir, theme, design, practice, journey, tracePaint});
    parser.addPositionalArgument(
        u"design"_s, u"Design, batch script, job file, class file or rankwright:// link to open."_s, u"[design]"_s);
    parser.process(application);
    Asked asked;
    asked.dataDir = parser.value(dataDir);
    asked.journey = parser.value(journey);
    asked.tracePaint = parser.isSet(tracePaint);
    if (parser.isSet(theme)) {
        asked.options.theme = Theme::modeNamed(parser.value(theme));
        if (!asked.options.theme)
            return fail(Fault::Invalid, u"--theme %1 is not known"_s.arg(parser.value(theme)), {},
                u"give light, dark, contrast or system"_s);
    }
    asked.options.design = parser.isSet(design) ? parser.value(design) : parser.positionalArguments().value(0);
    if (asked.options.design.startsWith(u"file:"_s)) // as desktops hand files over
        asked.options.design = QUrl(asked.options.design).toLocalFile();
    // A journey looks light and dark by itself; what the user chose stays as it was.
    if (!asked.journey.isEmpty() && !asked.options.theme)
        asked.options.theme = Theme::Mode::Light;
    asked.options.practice = parser.isSet(practice) && asked.journey.isEmpty();
    asked.options.welcome = asked.journey.isEmpty();
    asked.options.userCatalogue = userCatalogueFolder();
    return asked;
}

/// The program cannot start: said on the terminal and, where somebody may be looking, in a window.
int refuse(const Error& why, bool withWindow)
{
    std::fprintf(stderr, "rankwright: %s\n", qPrintable(why.oneLine()));
    if (withWindow)
        QMessageBox::critical(nullptr, u"Rankwright cannot start"_s, why.oneLine());
    return 2;
}

/// Only words are wanted, which need no display.
bool asksForWords(int argc, char** argv)
{
    for (int i = 1; i < argc && std::strcmp(argv[i], "--") != 0; ++i) {
        for (const char* word : {"-h", "--help", "--help-all", "-v", "--version"}) {
            if (std::strcmp(argv[i], word) == 0)
                return true;
        }
    }
    return false;
}

} // namespace

int main(int argc, char** argv)
{
    excludeMemoryFromCores();
    setProgramIdentity();
    if (asksForWords(argc, argv)) {
        const QCoreApplication words(argc, argv);
        (void)readCommandLine(words); // prints and ends
        return 0;
    }
    QApplication application(argc, argv);
    QApplication::setApplicationDisplayName(u"Rankwright"_s);
    QApplication::setDesktopFileName(u"rankwright"_s);
    Result<Asked> asked = readCommandLine(application);
    if (!asked)
        return refuse(asked.error(), false);
    const bool headless = !asked->journey.isEmpty();
    const auto folder = prepareDataFolder(asked->dataDir);
    if (!folder)
        return refuse(folder.error(), !headless);
    asked->options.dataFolder = *folder;
    const auto workbench = Workbench::make(asked->options);
    if (!workbench)
        return refuse(workbench.error(), !headless);
    if (asked->tracePaint)
        traceFirstPaint((*workbench)->window());
    (*workbench)->start();
    std::unique_ptr<JourneyDriver> journey;
    if (headless) {
        journey = std::make_unique<JourneyDriver>(**workbench, asked->journey);
        QObject::connect(
            journey.get(), &JourneyDriver::finished, &application, [](int code) { QApplication::exit(code); },
            Qt::QueuedConnection);
        QTimer::singleShot(0, journey.get(), &JourneyDriver::start);
    }
    return QApplication::exec();
}
