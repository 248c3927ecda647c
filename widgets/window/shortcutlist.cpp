// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/shortcutlist.h"

#include "widgets/base/card.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>

namespace rankwright {

using namespace Qt::StringLiterals;

QList<ShortcutList::Section> ShortcutList::sections()
{
    return {
        {tr("Everywhere"),
            {{u"Ctrl+N, Ctrl+O, Ctrl+S"_s, tr("New, open, save a design")},
                {u"Ctrl+Z"_s, tr("Undo, form and script alike")}, {u"Ctrl+Shift+Z"_s, tr("Redo")},
                {u"Ctrl+1 … Ctrl+5"_s, tr("Design, Plan, Jobs, Live, Clusters")},
                {u"Ctrl+K"_s, tr("Find any action, page, field, job, cluster, model or word")},
                {u"Shift+F5, Ctrl+F5"_s, tr("Dry run, Launch")},
                {u"F1, Shift+F1"_s, tr("What is this? All words and questions")}, {u"Ctrl+?"_s, tr("This list")},
                {u"Ctrl+Q"_s, tr("Quit")}}},
        {tr("Welcome"),
            {{u"Enter"_s, tr("Begin the first job; on a button: choose it")},
                {u"2, 3, 4"_s, tr("A cluster, a job that runs, a class file")},
                {u"Delete"_s, tr("Take a recent design out of the list")}}},
        {tr("Form"),
            {{u"Ctrl+Shift+F"_s, tr("Find a field by name or Slurm option")},
                {u"F12"_s, tr("To the script line of this field")},
                {u"F9"_s, tr("Compare with the generated or the last submitted script")},
                {u"Alt+Down"_s, tr("Values to choose from")}, {u"Tab"_s, tr("Next field")}}},
        {tr("Script"),
            {{u"Ctrl+Space"_s, tr("What fits here: options, partitions, accounts, modules …")},
                {u"Ctrl+Shift+Space"_s, tr("What this option and this line are for")},
                {u"F12, Ctrl+click"_s, tr("To the field of this line")},
                {u"F8, Shift+F8"_s, tr("Next, previous finding")},
                {u"Alt+Return, Ctrl+."_s, tr("What can be done with this line: fixes, field, generated text")},
                {u"Ctrl+Shift+Backspace"_s, tr("Use the generated line again; in a comparison, the other text")},
                {u"Ctrl+F, Ctrl+H"_s, tr("Search, replace")}, {u"F3, Shift+F3"_s, tr("Next, previous hit")},
                {u"F9"_s, tr("Compare with the generated or the last submitted script")},
                {u"F7, Shift+F7"_s, tr("Next, previous difference")}, {u"Ctrl+/"_s, tr("Comment out, and back")},
                {u"Ctrl+], Ctrl+["_s, tr("Indent more, less")}, {u"Tab"_s, tr("Leave the script")}}},
        {tr("Design: the pictures"),
            {{u"Enter, Up, Down"_s, tr("On a number: type another, one more, one less")},
                {u"+, -"_s, tr("On the nodes: one GPU per node more, less")},
                {u"Space, Left, Right, Home"_s, tr("Motion: play or pause, step, back to the beginning")}}},
        {tr("Live: the map"),
            {{u"Arrows, Home, End"_s, tr("From GPU to GPU; with Ctrl to the first and last")},
                {u"1 … 6"_s, tr("Utilisation, memory, power, temperature, clock, processes")},
                {u"Enter, Esc"_s, tr("Open a group of nodes, and back")},
                {u"G, O, V"_s, tr("Groups or every node; by place or outliers first; next overlay")},
                {u"P, Shift+P"_s, tr("Pin the GPU, its node, to compare")},
                {u"+, -, 0"_s, tr("Larger, smaller, whatever fits")}}},
        {tr("Live: the time"),
            {{u"Left, Right"_s, tr("A second back, forward; with Shift a sixtieth of the job")},
                {u"Page Up, Page Down"_s, tr("A tenth of the job")}, {u"Home, End"_s, tr("The first moment; now")},
                {u"Space"_s, tr("Hold, play on")}, {u"+, -"_s, tr("Faster, slower")}}},
        {tr("Live: the job"),
            {{u"Ctrl+Shift+R"_s, tr("Report")}, {u"Ctrl+F"_s, tr("Find in the output")},
                {u"Ctrl+Return"_s, tr("Find in the whole file on the cluster")}}},
    };
}

ShortcutList::ShortcutList(QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Keyboard shortcuts"));
    auto* column = new QVBoxLayout(this);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setAccessibleName(tr("Keyboard shortcuts"));
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(scroll);
    auto* grid = new QGridLayout(page);
    grid->setHorizontalSpacing(20);
    grid->setVerticalSpacing(5);
    int row = 0;
    for (const Section& section : sections()) {
        auto* title = makeLabel(section.title, "title", page);
        title->setContentsMargins(0, row == 0 ? 0 : 10, 0, 2);
        grid->addWidget(title, row++, 0, 1, 2);
        for (const Row& each : section.rows) {
            grid->addWidget(makeLabel(each.keys, "quiet", page), row, 0, Qt::AlignTop);
            auto* what = new QLabel(each.what, page);
            what->setWordWrap(true);
            grid->addWidget(what, row++, 1);
        }
    }
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(row, 1);
    scroll->setWidget(page);
    column->addWidget(scroll, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(560, 620);
    setMinimumSize(420, 260);
}

} // namespace rankwright
