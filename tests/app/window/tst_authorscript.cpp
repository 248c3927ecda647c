// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/window/documentactions.h"
#include "models/core/linediff.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/base/toasts.h"
#include "widgets/design/designpage.h"
#include "widgets/form/designform.h"
#include "widgets/form/programrows.h"
#include "widgets/script/rewritedialog.h"
#include "widgets/script/scripteditor.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Anybody's batch script in the window: it stays its author's text, and the form edits its places.
class AuthorScriptTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void opensAsWritten_data();
    void opensAsWritten();
    void showsNamesWhole_data() { opensAsWritten_data(); }
    void showsNamesWhole();
    void changesPlacesAlone_data() { opensAsWritten_data(); }
    void changesPlacesAlone();
    void changesAColleaguesScript();
    void findsSingleRowsOfTheProgram();
    void typingANumberIsOneEdit();
    void insertsWhatIsSaidNowhere();
    void saysWhyAFieldIsOff();
    void showsSlurmsOwnNumber_data();
    void showsSlurmsOwnNumber();
    void returnsARefusedField();
    void refusesAFixInWords();
    void addsAndRemovesArguments();
    void textMovesTheForm();
    void figuresOfArgumentsReachThem();
    void lightsPlacesAndFields();
    void savesTheAuthorsBytes_data();
    void savesTheAuthorsBytes();
    void keepsUnsavedWork();
    void rewritesWhenAsked();
    void comparesWithTheFile();
    void anotherClusterReadsTheSameText();

private:
    struct Bench {
        explicit Bench(const QString& folder)
            : catalogue(loadCatalogue()), design(catalogue), settings(folder), documents(design, settings, folder),
              page(new DesignPage(design)), window(design, theme, MainWindow::Pages{page, nullptr, nullptr, nullptr}),
              actions(window, design, documents, JobSpec())
        {
            window.resize(1280, 800);
            window.show();
            window.activateWindow();
            (void)QTest::qWaitForWindowActive(&window, test::longWaitMs);
        }
        QString notice(Notice about = Notice::Document) const { return window.findChild<Toasts*>()->textOf(about); }
        DesignForm* form() const { return page->findChild<DesignForm*>(); }
        ScriptEditor* editor() const { return page->findChild<ScriptEditor*>(); }
        Theme theme;
        Catalogue catalogue;
        Design design;
        Settings settings;
        Documents documents;
        DesignPage* page;
        MainWindow window;
        DocumentActions actions;
    };
    QString fileOf(const QString& name, const QByteArray& text) const
    {
        QFile file(m_folder->filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName() : QString();
    }
    static QByteArray bytesOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QString text() const { return m_bench->design.derived().script.text(); }
    /// A field of the form as a person reaches it: unfolded, focused.
    QLineEdit* lineOf(const QString& path) const
    {
        m_bench->form()->focusField(path);
        return shown<QLineEdit>(path);
    }
    /// Rows of a field that went are still there for a moment.
    template <typename Control>
    Control* shown(const QString& path) const
    {
        for (Control* control : m_bench->form()->findChildren<Control*>(path)) {
            if (control->isVisible())
                return control;
        }
        return nullptr;
    }
    void type(QLineEdit* field, const QString& value) const
    {
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, value);
    }
    /// Lines of the new text that differ.
    static QStringList changedLines(const QString& from, const QString& to)
    {
        QStringList changed;
        const QStringList now = linesOfText(to);
        for (const LineHunk& hunk : lineDifference(linesOfText(from), now))
            changed += now.mid(hunk.to, hunk.toEnd - hunk.to);
        return changed;
    }
    QLabel* noteWith(const QString& words) const
    {
        for (QLabel* label : m_bench->form()->findChildren<QLabel*>()) {
            if (label->isVisible() && label->text().contains(words))
                return label;
        }
        return nullptr;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Bench> m_bench;
};

namespace {

const QByteArray colleagues = "#!/bin/bash -l\n"
                              "#SBATCH -J vit-b16\n"
                              "#SBATCH -A project_465000001   # ours\n"
                              "#SBATCH -p standard-g\n"
                              "#SBATCH -N 2\n"
                              "#SBATCH --gpus-per-node=8\n"
                              "#SBATCH --ntasks-per-node=8\n"
                              "#SBATCH --cpus-per-task=7\n"
                              "#SBATCH --time=0:30:00\n"
                              "\n"
                              "# image of last spring\n"
                              "SIF=/scratch/project_465000001/pytorch-2.5.sif\n"
                              "export HF_HOME=/scratch/project_465000001/hf\n"
                              "\n"
                              "srun singularity exec $SIF \\\n"
                              "    python3 train.py --lr 3e-4 --epochs 90 \\\n"
                              "        --amp --out \"runs/$SLURM_JOB_ID\"\n";

QString scriptText(const QByteArray& bytes) { return QString::fromUtf8(bytes); }

} // namespace

void AuthorScriptTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<Bench>(m_folder->path());
}

void AuthorScriptTest::opensAsWritten_data()
{
    QTest::addColumn<QString>("path");
    for (const QString& folder : {u"/tests/data/handwritten"_s, u"/tests/data/strangers"_s}) {
        const QDir dir(test::sourcePath(folder));
        for (const QString& name : dir.entryList({u"*.sh"_s}, QDir::Files))
            QTest::newRow(qPrintable(name)) << dir.filePath(name);
    }
}

void AuthorScriptTest::opensAsWritten()
{
    QFETCH(QString, path);
    const QByteArray bytes = bytesOf(path);
    QVERIFY(m_bench->actions.open(path));
    QVERIFY(m_bench->design.derived().author);
    QCOMPARE(text().toUtf8(), bytes);
    const QString shown = m_bench->editor()->text();
    QCOMPARE(bytes.endsWith('\n') ? shown.toUtf8() : shown.chopped(1).toUtf8(), bytes);
    QVERIFY(!m_bench->window.isWindowModified());
    QVERIFY(m_bench->window.windowTitle().startsWith(QFileInfo(path).fileName()));
}

/// The long name of a variable left its row without any.
void AuthorScriptTest::showsNamesWhole()
{
    QFETCH(QString, path);
    QVERIFY(m_bench->actions.open(path));
    QCoreApplication::processEvents();
    const auto* rows = m_bench->form()->findChild<ProgramRows*>();
    for (const QLabel* label : rows->findChildren<QLabel*>()) {
        const bool isName = label->buddy() && label->isVisible();
        if (isName && label->text().size() <= 30)
            QVERIFY2(label->fontMetrics().horizontalAdvance(label->text()) <= label->contentsRect().width(),
                qPrintable(label->text()));
    }
}

/// What the form changes is at the field's places, as the setting of fields puts it there, and Undo returns every byte.
void AuthorScriptTest::changesPlacesAlone()
{
    QFETCH(QString, path);
    QVERIFY(m_bench->actions.open(path));
    const QString before = text();
    const ScriptFields fields = bindScript(before);
    const auto nodes = fields.fields.value(u"resources.nodes"_s).value.toInt();
    const QList<std::pair<QString, QString>> wanted{{u"resources.nodes"_s, QString::number(qMax(1, nodes) * 2)},
        {u"time"_s, u"07:11:00"_s}, {u"partition"_s, u"gpu-other"_s}, {u"account"_s, u"project_999"_s},
        {u"name"_s, u"renamed"_s}};
    for (const auto& [field, value] : wanted) {
        QLineEdit* edit = lineOf(field);
        QVERIFY2(edit, qPrintable(field));
        const ScriptField* bound = fields.find(field);
        QVERIFY2(bound, qPrintable(field));
        QCOMPARE(edit->isEnabled(), bound->canBeSet());
        if (!edit->isEnabled())
            continue;
        edit->setFocus();
        edit->selectAll();
        QApplication::clipboard()->setText(value);
        edit->paste();
        const Result<EditedScript> model = setFields(before, {{field, value, false}});
        const QString now = text();
        if (!model) {
            QCOMPARE(now, before);
            m_bench->form()->focusField(field::model);
            continue;
        }
        QCOMPARE(now, model->text);
        QVERIFY(now != before);
        QVERIFY2(std::abs(linesOfText(now).size() - linesOfText(before).size()) <= 1, qPrintable(field));
        while (m_bench->design.canUndo())
            m_bench->design.undo();
        QCOMPARE(text(), before);
        QVERIFY(!m_bench->window.isWindowModified());
    }
}

/// A colleague's script with other nodes, time, learning rate and image, without touching the text.
void AuthorScriptTest::changesAColleaguesScript()
{
    QVERIFY(m_bench->actions.open(fileOf(u"vit.sh"_s, colleagues)));
    type(lineOf(u"resources.nodes"_s), u"4"_s);
    type(lineOf(u"time"_s), u"02:00:00"_s);
    type(lineOf(u"arguments.--lr"_s), u"1e-3"_s);
    type(lineOf(u"environment.container"_s), u"/scratch/project_465000001/pytorch-2.7.sif"_s);
    QString wanted = scriptText(colleagues);
    wanted.replace(u"#SBATCH -N 2\n"_s, u"#SBATCH -N 4\n"_s)
        .replace(u"--time=0:30:00"_s, u"--time=2:00:00"_s)
        .replace(u"--lr 3e-4"_s, u"--lr 1e-3"_s)
        .replace(
            u"SIF=/scratch/project_465000001/pytorch-2.5.sif"_s, u"SIF=/scratch/project_465000001/pytorch-2.7.sif"_s);
    QCOMPARE(text(), wanted);
    QCOMPARE(m_bench->editor()->text(), wanted);
    QCOMPARE(m_bench->design.derived().resolved.nodes, 4); // pictures and prices follow
    QCOMPARE(m_bench->design.derived().ranks.ranks.size(), 32);
    for (int steps = 0; steps < 4; ++steps)
        QVERIFY(m_bench->design.undo());
    QVERIFY(!m_bench->design.canUndo()); // each field was one step
    QCOMPARE(text(), scriptText(colleagues));
}

/// "16" goes over "1": tasks that were consistent with 2 nodes are so with 16.
void AuthorScriptTest::findsSingleRowsOfTheProgram()
{
    QVERIFY(m_bench->actions.open(fileOf(u"vit.sh"_s, colleagues)));
    auto* search = m_bench->form()->findChild<QLineEdit*>(u"fieldSearch"_s);
    QVERIFY(search);
    const auto isShown = [this](const QString& path) { return shown<QLineEdit>(path) != nullptr; };
    m_bench->form()->openSearch();
    QTest::keyClicks(search, u"--lr"_s);
    QVERIFY(isShown(u"arguments.--lr"_s));
    QVERIFY(!isShown(u"arguments.--out"_s) && !isShown(u"environment.container"_s));
    QTest::keyClick(search, Qt::Key_Return);
    QVERIFY(shown<QLineEdit>(u"arguments.--lr"_s)->hasFocus());
    QVERIFY(search->text().isEmpty());
    QVERIFY(isShown(u"arguments.--out"_s)); // the form as it was
    m_bench->form()->openSearch();
    QTest::keyClicks(search, u"container"_s);
    QVERIFY(m_bench->actions.open(fileOf(u"other.sh"_s, colleagues)));
    QVERIFY(search->text().isEmpty()); // another document shows all of its fields
}

void AuthorScriptTest::typingANumberIsOneEdit()
{
    QByteArray script = colleagues;
    script.replace("#SBATCH --ntasks-per-node=8\n", "#SBATCH --ntasks=16\n");
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, script)));
    type(lineOf(u"resources.nodes"_s), u"16"_s);
    QString wanted = scriptText(script);
    wanted.replace(u"-N 2"_s, u"-N 16"_s).replace(u"--ntasks=16"_s, u"--ntasks=128"_s);
    QCOMPARE(text(), wanted);
    QVERIFY(m_bench->design.undo());
    QCOMPARE(text(), scriptText(script));
}

void AuthorScriptTest::insertsWhatIsSaidNowhere()
{
    QByteArray script = colleagues;
    script.replace("#SBATCH --time=0:30:00\n", "");
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, script)));
    type(lineOf(u"time"_s), u"01:00:00"_s);
    const QStringList changed = changedLines(scriptText(script), text());
    QCOMPARE(changed.size(), 1);
    QVERIFY2(changed.first().startsWith(u"#SBATCH "_s) && changed.first().contains(u"01:00:00"_s),
        qPrintable(changed.first()));
    QVERIFY(m_bench->design.undo());
    QCOMPARE(text(), scriptText(script));
}

/// The reason stands below the field, and its line is a link into the text.
void AuthorScriptTest::saysWhyAFieldIsOff()
{
    const QByteArray script = "#!/bin/bash\n#SBATCH --partition=standard-g\n#SBATCH --nodes=1\n"
                              "#SBATCH --gpus-per-node=8\nsrun python3 first.py\nsrun python3 second.py\n";
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, script)));
    QVERIFY(m_bench->form()->focusField(u"command"_s));
    const auto* command = m_bench->form()->findChild<QWidget*>(u"command"_s);
    QVERIFY(command && !command->isEnabled());
    QLabel* why = noteWith(u"Several commands start a program"_s);
    QVERIFY(why);
    QVERIFY2(why->text().contains(u"href=\"5\""_s), qPrintable(why->text()));
    emit why->linkActivated(u"5"_s);
    QCOMPARE(m_bench->editor()->currentLine(), 4);
    QVERIFY(m_bench->editor()->hasFocus());
}

void AuthorScriptTest::showsSlurmsOwnNumber_data()
{
    QTest::addColumn<QByteArray>("directive");
    QTest::addColumn<QString>("number");
    QTest::newRow("of the directive") << QByteArray("#SBATCH -N 3\n") << u"3"_s;
    QTest::newRow("no directive says it") << QByteArray() << QString();
}

/// sbatch(1), OUTPUT ENVIRONMENT VARIABLES: $SLURM_NNODES is what -N asks for. The field shows it, says what decides it
/// and follows the nodes; it was empty.
void AuthorScriptTest::showsSlurmsOwnNumber()
{
    QFETCH(QByteArray, directive);
    QFETCH(QString, number);
    const QByteArray script = "#!/bin/bash\n#SBATCH --partition=small-g\n#SBATCH --gpus-per-node=2\n" + directive
        + "srun torchrun --nnodes=$SLURM_NNODES --nproc-per-node=2 train.py\n";
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, script)));
    QVERIFY(m_bench->form()->focusField(u"launcher.nodes"_s));
    const auto* field = shown<QLineEdit>(u"launcher.nodes"_s);
    QVERIFY(field);
    QCOMPARE(field->text(), number);
    QVERIFY(!field->isEnabled());
    QVERIFY(noteWith(u"SLURM_NNODES"_s));
    if (number.isEmpty())
        return;
    type(lineOf(u"resources.nodes"_s), u"5"_s);
    m_bench->form()->focusField(u"launcher.nodes"_s);
    QCOMPARE(shown<QLineEdit>(u"launcher.nodes"_s)->text(), u"5"_s);
    QVERIFY(text().contains(u"--nnodes=$SLURM_NNODES"_s)); // it is the nodes' place that changed
}

void AuthorScriptTest::returnsARefusedField()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, colleagues)));
    QLineEdit* account = lineOf(u"account"_s);
    account->setFocus();
    account->selectAll();
    QTest::keyClick(account, Qt::Key_Delete);
    QCOMPARE(text(), scriptText(colleagues)); // a field is not taken away by emptying it
    QVERIFY(noteWith(u"remove the line in the text"_s));
    QCOMPARE(m_bench->form()->unreadableFields(), 1);
    lineOf(u"time"_s)->setFocus();
    QCOMPARE(account->text(), u"project_465000001"_s);
    QVERIFY(noteWith(u"remove the line in the text"_s));
    QCOMPARE(m_bench->form()->unreadableFields(), 0);
    QVERIFY(!m_bench->design.canUndo());
}

/// A change from elsewhere that the text cannot take is said where all messages are.
void AuthorScriptTest::refusesAFixInWords()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, colleagues)));
    m_bench->window.setFocus();
    QApplication::processEvents();
    if (QWidget* focused = QApplication::focusWidget())
        focused->clearFocus();
    QVERIFY(!m_bench->design.edit(u"Launcher"_s, [](JobSpec& spec) { spec.launcher = Launcher::Deepspeed; }));
    QCOMPARE(text(), scriptText(colleagues));
    QVERIFY2(m_bench->notice(Notice::Edit).contains(u"was not changed"_s), qPrintable(m_bench->notice(Notice::Edit)));
}

void AuthorScriptTest::addsAndRemovesArguments()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, colleagues)));
    auto* added = m_bench->form()->findChild<QLineEdit*>(u"addedArguments"_s);
    QVERIFY(added && added->isVisible());
    added->setFocus();
    QTest::keyClicks(added, u"--seed 7"_s);
    QTest::keyClick(added, Qt::Key_Return);
    const QStringList changed = changedLines(scriptText(colleagues), text());
    QCOMPARE(changed.size(), 1);
    QVERIFY2(changed.first().contains(u"--seed 7"_s), qPrintable(changed.first()));
    QLineEdit* seed = lineOf(u"arguments.--seed"_s);
    QVERIFY(seed && seed->isVisible());
    QCOMPARE(seed->text(), u"7"_s);
    auto* amp = shown<QComboBox>(u"arguments.--amp"_s);
    QVERIFY(amp);
    QCOMPARE(amp->currentData().toString(), u"true"_s);
    emit amp->activated(amp->findData(u"false"_s));
    QVERIFY(!text().contains(u"--amp"_s));
    m_bench->design.undo();
    m_bench->design.undo();
    QCOMPARE(text(), scriptText(colleagues));
}

void AuthorScriptTest::textMovesTheForm()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, colleagues)));
    ScriptEditor* editor = m_bench->editor();
    editor->goToLine(4);
    editor->setCursorPosition(4, 11); // behind "-N "
    QTest::keyClick(editor, Qt::Key_Delete);
    QTest::keyClicks(editor, u"3"_s);
    QString wanted = scriptText(colleagues);
    wanted.replace(u"-N 2\n"_s, u"-N 3\n"_s);
    QCOMPARE(text(), wanted);
    QCOMPARE(m_bench->form()->findChild<QLineEdit*>(u"resources.nodes"_s)->text(), u"3"_s);
    QCOMPARE(m_bench->design.derived().resolved.nodes, 3);
    m_bench->design.undo();
    QCOMPARE(text(), scriptText(colleagues));
    QCOMPARE(m_bench->form()->findChild<QLineEdit*>(u"resources.nodes"_s)->text(), u"2"_s);
}

/// Epochs are the program's argument: the form's field changes that, and nothing beside it.
void AuthorScriptTest::figuresOfArgumentsReachThem()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, colleagues)));
    QCOMPARE(m_bench->design.spec().training.epochs.value_or(0), 90);
    QVERIFY(m_bench->design.edit(u"Epochs"_s, [](JobSpec& spec) { spec.training.epochs = 30; }));
    QString wanted = scriptText(colleagues);
    wanted.replace(u"--epochs 90"_s, u"--epochs 30"_s);
    QCOMPARE(text(), wanted);
    // What no script says stays beside it, for the estimate.
    QVERIFY(m_bench->design.edit(u"Data"_s, [](JobSpec& spec) { spec.training.datasetSamples = 1000; }));
    QCOMPARE(text(), wanted);
    QCOMPARE(m_bench->design.spec().training.datasetSamples.value_or(0), 1000);
}

void AuthorScriptTest::lightsPlacesAndFields()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, colleagues)));
    ScriptEditor* editor = m_bench->editor();
    lineOf(u"environment.container"_s);
    QCOMPARE(editor->litLines(), QList<int>{11}); // where it is set
    emit m_bench->form()->fieldHovered(u"time"_s);
    QCOMPARE(editor->litLines(), QList<int>{8});
    emit m_bench->form()->fieldHovered(FieldPath());
    QCOMPARE(editor->litLines(), QList<int>{11});
    // The other way: the cursor in the learning rate.
    editor->goToLine(15);
    const int column = int(linesOfText(text()).at(15).indexOf(u"3e-4"_s));
    editor->setCursorPosition(15, column + 1);
    QCOMPARE(editor->fieldAtCursor(), u"arguments.--lr"_s);
    const auto isLit = [this] {
        const auto* row = shown<QLineEdit>(u"arguments.--lr"_s);
        for (const QLabel* label : m_bench->form()->findChildren<QLabel*>()) {
            if (row && label->buddy() == row)
                return label->property("lit").toBool();
        }
        return false;
    };
    QTRY_VERIFY(isLit()); // the editor reports its cursor when it paints
}

void AuthorScriptTest::savesTheAuthorsBytes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("plain") << colleagues;
    QByteArray windows = colleagues;
    QTest::newRow("CRLF") << windows.replace("\n", "\r\n");
    QTest::newRow("no last newline") << colleagues.chopped(1);
    QByteArray latin = colleagues;
    QTest::newRow("Latin-1") << latin.replace("last spring", "letztem Fr\xfchjahr");
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF") + colleagues;
    QByteArray umlaut = colleagues;
    QTest::newRow("UTF-8") << umlaut.replace("last spring", "letztem Fr\xc3\xbchjahr");
}

void AuthorScriptTest::savesTheAuthorsBytes()
{
    QFETCH(QByteArray, bytes);
    const QString path = fileOf(u"run.sh"_s, bytes);
    QVERIFY(m_bench->actions.open(path));
    emit m_bench->window.saveRequested();
    QCOMPARE(bytesOf(path), bytes);
    type(lineOf(u"resources.nodes"_s), u"4"_s);
    QVERIFY(m_bench->window.isWindowModified());
    emit m_bench->window.saveRequested();
    QByteArray wanted = bytes;
    QCOMPARE(bytesOf(path), wanted.replace("-N 2", "-N 4"));
    QVERIFY(!m_bench->window.isWindowModified());
    // Typed in the text as well.
    ScriptEditor* editor = m_bench->editor();
    editor->goToLine(9);
    QTest::keyClicks(editor, u"# x"_s);
    emit m_bench->window.saveRequested();
    const QByteArray end = bytes.contains("\r\n") ? "\r\n" : "\n";
    const QByteArray blank = QByteArray("30:00").append(end).append(end);
    const QByteArray filled = QByteArray("30:00").append(end).append("# x").append(end);
    QCOMPARE(bytesOf(path), wanted.replace(blank, filled));
}

/// A crash keeps the edits, and the file that they belong to.
void AuthorScriptTest::keepsUnsavedWork()
{
    const QString path = fileOf(u"run.sh"_s, colleagues);
    QVERIFY(m_bench->actions.open(path));
    type(lineOf(u"resources.nodes"_s), u"4"_s);
    const QString edited = text();
    m_bench->documents.flushAutosave();
    m_bench.reset();
    m_bench = std::make_unique<Bench>(m_folder->path());
    const auto restored = m_bench->documents.restoreAutosave();
    QVERIFY_RESULT(restored);
    QVERIFY(*restored);
    QCOMPARE(m_bench->documents.restoredWork().file, path);
    QCOMPARE(text(), edited);
    QVERIFY(m_bench->design.isModified());
    emit m_bench->window.saveRequested();
    QCOMPARE(bytesOf(path), edited.toUtf8());
}

void AuthorScriptTest::rewritesWhenAsked()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, colleagues)));
    m_bench->design.edit(u"Data"_s, [](JobSpec& spec) { spec.training.datasetSamples = 1000; });
    for (const bool yes : {false, true}) {
        emit m_bench->window.rewriteRequested();
        auto* dialog = m_bench->window.findChild<RewriteDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        if (yes)
            dialog->findChild<QPushButton*>(u"rewrite"_s)->click();
        else
            dialog->reject();
        QTRY_VERIFY(!m_bench->window.findChild<RewriteDialog*>());
        QCOMPARE(m_bench->design.derived().author.has_value(), !yes);
    }
    QVERIFY(text().contains(u"Written by Rankwright."_s));
    QCOMPARE(m_bench->design.spec().resources.nodes.value_or(0), 2);
    QCOMPARE(m_bench->design.spec().training.datasetSamples.value_or(0), 1000);
    QVERIFY(m_bench->design.undo());
    QCOMPARE(text(), scriptText(colleagues));
    QVERIFY(m_bench->form()->findChild<QLineEdit*>(u"arguments.--lr"_s));
}

/// The generated script is nothing to compare with; the file is, and a line of it can be had back.
void AuthorScriptTest::comparesWithTheFile()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, colleagues)));
    type(lineOf(u"resources.nodes"_s), u"4"_s);
    emit m_bench->editor()->giveBackRequested(4);
    QCOMPARE(text(), scriptText(colleagues));
}

void AuthorScriptTest::anotherClusterReadsTheSameText()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, colleagues)));
    QCOMPARE(m_bench->design.spec().cluster, u"lumi"_s);
    QVERIFY(m_bench->design.edit(u"Cluster"_s, [](JobSpec& spec) { spec.cluster = u"mahti"_s; }));
    QCOMPARE(text(), scriptText(colleagues));
    QCOMPARE(m_bench->design.spec().account.value_or(QString()), u"project_465000001"_s);
}

RANKWRIGHT_WIDGET_TEST_MAIN(AuthorScriptTest)
#include "tst_authorscript.moc"
