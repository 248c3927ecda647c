// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The script editor in the whole window, typed in for real: shots_script FOLDER [NAME].
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/script/differenceview.h"
#include "widgets/script/scripteditor.h"
#include "widgets/script/scriptpanel.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QDir>
#include <QKeyEvent>
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
        for (const QString& name :
            {u"reading"_s, u"typing"_s, u"completing"_s, u"values"_s, u"findings"_s, u"search"_s, u"comparing"_s}) {
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
                design.replace(spec);
                auto* page = new DesignPage(design);
                MainWindow window(design, theme, {page, nullptr, nullptr, nullptr});
                window.setDocumentTitle(spec.name, false);
                window.resize(size);
                window.show();
                window.activateWindow();
                QApplication::processEvents();
                for (auto* tab : page->findChildren<QToolButton*>()) {
                    if (tab->text() == u"Script" && tab->isVisible())
                        tab->click();
                }
                QApplication::processEvents();
                play(name, *page->findChild<ScriptPanel*>());
                for (int i = 0; i < 5; ++i)
                    QApplication::processEvents();
                window.grab().save(
                    u"%1/script_%2_%3_%4.png"_s.arg(folder, name, dark ? u"dark"_s : u"light"_s).arg(size.width()));
            }
        }
    }
    return 0;
}
