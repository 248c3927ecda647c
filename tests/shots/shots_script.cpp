// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The script editor in the whole window, typed in for real: shots_script FOLDER [NAME].
#include "models/script/document/authoredit.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/form/designform.h"
#include "widgets/script/differenceview.h"
#include "widgets/script/rewritedialog.h"
#include "widgets/script/scripteditor.h"
#include "widgets/script/scriptpanel.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

void press(QWidget* widget, int key, const QString& text = {}, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QKeyEvent event(QEvent::KeyPress, key, modifiers, text);
    QApplication::sendEvent(widget, &event);
}

void type(ScriptEditor& editor, const QString& text)
{
    for (const QChar c : text)
        press(
            &editor, c == u'\n' ? int(Qt::Key_Return) : int(c.toUpper().unicode()), c == u'\n' ? u"\r"_s : QString(c));
}

int lineWith(const ScriptEditor& editor, const QString& part)
{
    for (int line = 0; line < editor.lines(); ++line) {
        if (editor.text(line).contains(part))
            return line;
    }
    return 0;
}

void typeBelow(ScriptEditor& editor, const QString& part, const QString& text)
{
    const int line = lineWith(editor, part);
    editor.setCursorPosition(line, int(editor.text(line).size()) - 1);
    press(&editor, Qt::Key_Return, u"\r"_s);
    type(editor, text);
}

void play(const QString& name, ScriptPanel& panel)
{
    ScriptEditor& editor = panel.editor();
    editor.setFocus();
    if (name == u"reading") {
        editor.setCursorPosition(lineWith(editor, u"--ntasks-per-node"_s), 12);
    } else if (name == u"typing") {
        typeBelow(editor, u"#SBATCH --time"_s, u"#SBATCH --mail-type=END"_s);
        press(&editor, Qt::Key_Escape);
        typeBelow(editor, u"export TOKENIZERS"_s, u"export NCCL_DEBUG=INFO\nsource ~/venv/bin/activate"_s);
    } else if (name == u"completing") {
        typeBelow(editor, u"#SBATCH --time"_s, u"#SBATCH --"_s);
    } else if (name == u"values") {
        const int line = lineWith(editor, u"#SBATCH --partition"_s);
        editor.setCursorPosition(line, int(u"#SBATCH --partition="_s.size()));
        press(&editor, Qt::Key_Space, u" "_s, Qt::ControlModifier);
    } else if (name == u"findings") {
        typeBelow(editor, u"export TOKENIZERS"_s, u"#SBATCH --exclusive"_s);
        press(&editor, Qt::Key_Escape);
        typeBelow(editor, u"#SBATCH --time"_s, u"#SBATCH --gpus-per-task=1"_s);
        press(&editor, Qt::Key_Escape);
        typeBelow(editor, u"#SBATCH --nodes"_s, u"#SBATCH --comment=a b"_s);
    } else if (name == u"search") {
        panel.openSearch(true);
        for (auto* field : panel.findChildren<QWidget*>()) {
            if (field->accessibleName() == u"Search in the script")
                for (const QChar c : u"slurm"_s)
                    press(field, int(c.toUpper().unicode()), QString(c));
        }
    } else if (name == u"comparing") {
        typeBelow(editor, u"#SBATCH --time"_s, u"#SBATCH --mail-type=END"_s);
        press(&editor, Qt::Key_Escape);
        const int line = lineWith(editor, u"export PYTHONUNBUFFERED"_s);
        editor.setCursorPosition(line, int(editor.text(line).size()) - 1);
        type(editor, u"0\nexport NCCL_DEBUG=INFO"_s);
        panel.setComparing(true);
    }
}

// ---- scripts of others ----

constexpr char colleaguesScript[] = R"(#!/bin/bash -l
#SBATCH -J vit-b16
#SBATCH -A project_465000001   # ours
#SBATCH -p standard-g
#SBATCH -N 2
#SBATCH --gpus-per-node=8
#SBATCH --ntasks-per-node=8
#SBATCH --cpus-per-task=7
#SBATCH --time=0:30:00

# image of last spring
SIF=/scratch/project_465000001/pytorch-2.5.sif
export HF_HOME=/scratch/project_465000001/hf

srun singularity exec $SIF \
    python3 train.py --lr 3e-4 --epochs 90 \
        --amp --out "runs/$SLURM_JOB_ID"
)";

void typeInto(DesignForm& form, const QString& path, const QString& text)
{
    form.focusField(path);
    auto* field = form.findChild<QLineEdit*>(path);
    if (!field)
        return;
    field->selectAll();
    for (const QChar c : text)
        press(field, int(c.toUpper().unicode()), QString(c));
}

/// What a person does with a colleague's script; the dialog, where the picture is of one.
QWidget* playAuthor(const QString& name, Design& design, DesignPage& page)
{
    DesignForm& form = *page.findChild<DesignForm*>();
    if (name == u"author" || name == u"rewriting") {
        typeInto(form, u"resources.nodes"_s, u"4"_s);
        typeInto(form, u"time"_s, u"02:00:00"_s);
        typeInto(form, u"environment.container"_s, u"/scratch/project_465000001/pytorch-2.7.sif"_s);
        typeInto(form, u"arguments.--lr"_s, u"1e-3"_s);
    } else if (name == u"author-off") {
        form.focusField(u"command"_s);
    }
    if (name != u"rewriting")
        return nullptr;
    const AuthorScript& author = *design.derived().author;
    const RewrittenDesign rewritten = rewrittenDesign(design.spec(), author, *design.derived().profile);
    return new RewriteDialog(
        u"vit.sh"_s, {author.text, derive(rewritten.spec, *design.derived().profile).script.text()}, rewritten.losses);
}

JobSpec authorSpec(const QString& name, const Catalogue& catalogue)
{
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    QString text = QString::fromUtf8(colleaguesScript);
    if (name == u"author-off") {
        QFile file(test::sourcePath(u"/tests/data/strangers/several-steps.sh"));
        if (file.open(QIODevice::ReadOnly))
            text = QString::fromUtf8(file.readAll());
    }
    return withAuthorText(spec, text, *catalogue.find(spec.cluster));
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QString folder = application.arguments().value(1, u"."_s);
    const QString only = application.arguments().value(2);
    QDir().mkpath(folder);
    Theme theme;
    const Catalogue catalogue = loadCatalogue();
    const QList<QSize> sizes{{1280, 800}, {1920, 1080}, {1024, 700}};
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        for (const QString& name : {u"reading"_s, u"typing"_s, u"completing"_s, u"values"_s, u"findings"_s, u"search"_s,
                 u"comparing"_s, u"author"_s, u"author-off"_s, u"rewriting"_s}) {
            if (!only.isEmpty() && name != only)
                continue;
            for (const QSize& size : sizes) {
                Design design(catalogue);
                JobSpec spec;
                spec.name = u"llama8b"_s;
                spec.cluster = u"lumi"_s;
                spec.partition = u"standard-g"_s;
                spec.account = u"project_465000001"_s;
                spec.time = Seconds{12 * 3600};
                spec.command = u"train.py --config 8b.yaml"_s;
                spec.resources.nodes = 2;
                const bool isAuthors = name.startsWith(u"author"_s) || name == u"rewriting";
                design.replace(isAuthors ? authorSpec(name, catalogue) : spec);
                auto* page = new DesignPage(design);
                MainWindow window(design, theme, {page, nullptr, nullptr, nullptr});
                window.setDocumentTitle(spec.name);
                window.resize(size);
                window.show();
                window.activateWindow();
                QApplication::processEvents();
                for (auto* tab : page->findChildren<QToolButton*>()) {
                    if (tab->text() == u"Script" && tab->isVisible())
                        tab->click();
                }
                QApplication::processEvents();
                const QPointer<QWidget> dialog = isAuthors ? playAuthor(name, design, *page) : nullptr;
                if (dialog)
                    dialog->show();
                else if (!isAuthors)
                    play(name, *page->findChild<ScriptPanel*>());
                for (int i = 0; i < 5; ++i)
                    QApplication::processEvents();
                (dialog ? *dialog : static_cast<QWidget&>(window))
                    .grab()
                    .save(
                        u"%1/script_%2_%3_%4.png"_s.arg(folder, name, dark ? u"dark"_s : u"light"_s).arg(size.width()));
                delete dialog;
            }
        }
    }
    return 0;
}
