// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/palettesources.h"

#include "app/window/links/connections.h"
#include "models/cluster/slurm/jobstate.h"
#include "models/planner/estimate/network/modellist.h"
#include "models/planner/templates/designtemplates.h"
#include "models/script/document/design.h"
#include "models/tables/jobmodel.h"
#include "models/teaching/learn/learnfigures.h"
#include "models/teaching/learn/question.h"
#include "models/teaching/learn/term.h"
#include "widgets/base/translate.h"
#include "widgets/clusters/clusterspage.h"
#include "widgets/design/designpage.h"
#include "widgets/form/designfields.h"
#include "widgets/window/mainwindow.h"

#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostJobs = 40;
constexpr qsizetype mostNodes = 8; ///< of the job shown; the map reaches the others

/// As it is read: without the mark of its key; two of them are one "&".
QString readable(const QString& text)
{
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text.at(i) == u'&' && i + 1 < text.size())
            ++i;
        plain += text.at(i);
    }
    return plain;
}

QString reasonOf(const QAction& action)
{
    if (action.isEnabled())
        return {};
    const QString said = action.property("whyOff").toString();
    if (!said.isEmpty())
        return said;
    const QString tip = action.toolTip();
    return tip.isEmpty() || tip == readable(action.text()) ? tr("There is nothing that it could act on.") : tip;
}

void addMenu(QMenu& menu, const QString& section, bool isTop, QList<PaletteCommand>& commands)
{
    if (!isTop)
        emit menu.aboutToShow(); // menus that are filled when they are opened
    for (QAction* action : menu.actions()) {
        const QString title = readable(action->text());
        if (action->isSeparator() || !action->isVisible() || title.isEmpty())
            continue;
        if (QMenu* within = action->menu()) {
            addMenu(*within, u"%1 › %2"_s.arg(section, title), false, commands);
            continue;
        }
        if (!isTop && !action->isEnabled())
            continue; // "nothing here yet", said in place of entries
        PaletteCommand command;
        command.entry = {.id = u"menu/%1/%2"_s.arg(section, title),
            .title = title,
            .section = section,
            .shortcut = action->shortcut().toString(QKeySequence::NativeText),
            .enabled = action->isEnabled(),
            .reason = reasonOf(*action)};
        command.run = [action = QPointer<QAction>(action)] {
            if (action)
                action->trigger();
        };
        commands.append(command);
    }
}

void trainModel(MainWindow& window, Design& design, const QString& name, const QString& title)
{
    const JobSpec before = design.spec();
    design.edit(tr("Model"), [&name](JobSpec& spec) { spec.model = QJsonObject{{u"preset"_s, name}}; });
    window.showPage(MainWindow::Page::Design);
    if (design.spec() == before) {
        window.showNotice(Notice::Document, tr("This design trains %1 already.").arg(title));
        return;
    }
    window.showNotice(
        Notice::Document, tr("This design trains %1 now.").arg(title), tr("Undo"), [&design, after = design.spec()] {
            if (design.spec() == after) // else it is another step that would be undone
                design.undo();
        });
}

} // namespace

QList<PaletteCommand> menuCommands(const QMenuBar& bar)
{
    QList<PaletteCommand> commands;
    for (QAction* action : bar.actions()) {
        if (action->menu() && action->isVisible())
            addMenu(*action->menu(), readable(action->text()), true, commands);
    }
    return commands;
}

QList<PaletteCommand> fieldCommands(MainWindow& window)
{
    QList<PaletteCommand> commands;
    for (const DesignField& field : designFields()) {
        if (field.label.isEmpty())
            continue;
        const PaletteEntry entry{.id = u"field/"_s + field.path,
            .title = field.label,
            .section = tr("Fields of the design"),
            .keywords = QString(field.path).replace(u'.', u' ') + u' ' + groupTitle(field.group)};
        commands.append({entry, [&window, path = field.path] {
                             window.showPage(MainWindow::Page::Design);
                             window.pages().design->focusField(path);
                         }});
    }
    return commands;
}

QList<PaletteCommand> clusterCommands(
    MainWindow& window, Connections& connections, const std::function<void(const QString& cluster)>& use)
{
    QList<PaletteCommand> commands;
    for (const ClusterProfile& profile : connections.catalogue().clusters) {
        const QString section = tr("Clusters");
        const QString keywords = profile.name + u' ' + profile.operatorName;
        const QString why = profile.acceptsJobs ? QString() : tr("%1 takes no jobs any more.").arg(profile.title);
        const auto add
            = [&](const QString& what, const QString& title, bool enabled, const std::function<void()>& run) {
                  commands.append({{.id = u"cluster/%1/%2"_s.arg(what, profile.name),
                                       .title = title.arg(profile.title),
                                       .section = section,
                                       .keywords = keywords,
                                       .enabled = enabled,
                                       .reason = enabled ? QString() : why},
                      run});
              };
        const QString name = profile.name;
        add(u"use"_s, tr("Use %1 for this design"), profile.acceptsJobs, [use, name] { use(name); });
        if (connections.isOnline(name))
            add(u"disconnect"_s, tr("Disconnect from %1"), true,
                [&connections, name] { connections.disconnectFrom(name); });
        else
            add(u"connect"_s, tr("Connect to %1"), profile.acceptsJobs,
                [&connections, name] { connections.connectTo(name); });
        add(u"show"_s, tr("Look at %1"), true, [&window, name] {
            window.showPage(MainWindow::Page::Clusters);
            window.pages().clusters->selectCluster(name);
        });
    }
    return commands;
}

QList<PaletteCommand> jobCommands(const JobModel& jobs, const std::function<void(const JobRow& row)>& watch,
    const std::function<void(const JobRow& row)>& report, const std::function<void(const JobRow& row)>& jobFile)
{
    QList<JobRow> rows = jobs.records();
    std::stable_partition(rows.begin(), rows.end(), [](const JobRow& row) { return !hasEnded(row.job.state); });
    QList<PaletteCommand> commands;
    for (const JobRow& row : rows.mid(0, mostJobs)) {
        if (row.job.id.isEmpty())
            continue;
        const QString name = row.job.name.isEmpty() ? row.job.id : u"%1 (%2)"_s.arg(row.job.id, row.job.name.left(60));
        const auto add = [&](const QString& what, const QString& title, const std::function<void()>& run) {
            commands.append({{.id = u"job/%1/%2/%3"_s.arg(what, row.cluster, row.job.id),
                                 .title = title.arg(name),
                                 .section = tr("Jobs"),
                                 .keywords = row.cluster},
                run});
        };
        add(u"watch"_s, tr("Watch job %1"), [watch, row] { watch(row); });
        add(u"report"_s, tr("Report of job %1"), [report, row] { report(row); });
        add(u"jobFile"_s, tr("Save job %1 as a job file"), [jobFile, row] { jobFile(row); });
    }
    return commands;
}

QList<PaletteCommand> shownJobCommands(const ShownJob& shown, const ShownJobActions& actions)
{
    const JobRecord& job = shown.job;
    if (job.id.isEmpty())
        return {};
    QList<PaletteCommand> commands;
    const auto add
        = [&](const QString& what, const QString& title, const QString& whyNot, const std::function<void()>& run) {
              commands.append({{.id = u"shown/%1"_s.arg(what),
                                   .title = title,
                                   .section = tr("Job shown"),
                                   .keywords = shown.cluster + u' ' + job.name.left(60) + u' ' + job.id,
                                   .enabled = whyNot.isEmpty(),
                                   .reason = whyNot},
                  run});
          };
    const QString offline = shown.isOnline ? QString() : tr("%1 is not connected.").arg(shown.title);
    const QString idle = job.state == JobState::Running ? offline : tr("Job %1 is not running.").arg(job.id);
    add(u"where"_s, tr("Where does job %1 hang?").arg(job.id), idle, actions.where);
    add(u"ports"_s, tr("Ports and shells of job %1").arg(job.id), idle, actions.ports);
    for (const QString& node : job.nodeList.names().mid(0, mostNodes))
        add(u"shell/"_s + node, tr("Open a shell on %1 inside job %2").arg(node, job.id), idle,
            [shell = actions.shell, node] { shell(node); });
    add(u"results"_s, tr("Results of job %1").arg(job.id),
        isWaiting(job.state) ? tr("Job %1 has not begun.").arg(job.id) : QString(), actions.results);
    add(u"folder"_s, tr("Files in the folder of job %1").arg(job.id),
        job.workdir.isEmpty() ? tr("The folder of job %1 is not known.").arg(job.id) : QString(), actions.folder);
    return commands;
}

QList<PaletteCommand> modelCommands(MainWindow& window, Design& design)
{
    QList<PaletteCommand> commands;
    for (const ListedModel& model : listedModels()) {
        const PaletteEntry entry{.id = u"model/"_s + model.name,
            .title = tr("Train %1").arg(model.title),
            .section = tr("Models"),
            .keywords = model.name + u' ' + model.family + u' ' + model.aliases.join(u' ')};
        commands.append({entry,
            [&window, &design, name = model.name, title = model.title] { trainModel(window, design, name, title); }});
    }
    return commands;
}

QList<PaletteCommand> templateCommands(const Design& design, const std::function<void(const QString& id)>& begin)
{
    QList<PaletteCommand> commands;
    const ClusterProfile* profile = design.derived().profile;
    for (const DesignTemplate& each : designTemplates(*profile)) {
        const PaletteEntry entry{.id = u"template/"_s + each.id,
            .title = tr("Begin with “%1”").arg(each.title),
            .section = tr("Templates"),
            .keywords = tr("template new example ") + each.summary,
            .enabled = each.isOffered(),
            .reason = each.whyNot};
        commands.append({entry, [begin, id = each.id] { begin(id); }});
    }
    return commands;
}

QList<PaletteCommand> wordCommands(const Design& design, const std::function<void(const QString& id)>& open)
{
    const LearnFigures figures(design.derived()); // "GCD" or "GPU", as the site says
    QList<PaletteCommand> commands;
    for (const Term& term : terms()) {
        commands.append({{.id = u"term/"_s + term.id,
                             .title = tr("What is %1?").arg(figures.inWords(term.name)),
                             .section = tr("Words"),
                             .keywords = term.alsoCalled.join(u' ')},
            [open, id = term.id] { open(id); }});
    }
    for (const Question& question : questions()) {
        commands.append({{.id = u"question/"_s + question.id,
                             .title = figures.inWords(question.text),
                             .section = tr("Questions"),
                             .keywords = question.words.join(u' ')},
            [open, id = question.id] { open(id); }});
    }
    return commands;
}

} // namespace rankwright
