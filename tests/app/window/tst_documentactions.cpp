// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/window/documentactions.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/base/toasts.h"
#include "widgets/design/designpage.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Files that are opened in, or dropped on, the window: designs and batch scripts.
class DocumentActionsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void opensAScript();
    void keepsAStrangersText();
    void asksBeforeUnsavedWorkGoes();
    void savesBeforeItGoes();
    void writesTheScriptAlone();
    void opensWhatWasOpened();
    void dropsOfOneFileOnly();
    void handsClassFilesOn();
    void bringsDiscardedWorkBack();
    void takesAModelsConfiguration();
    void anOpenedScriptIsNotChanged();
    void otherClustersAreNotGuessed();

private:
    struct Bench {
        explicit Bench(const QString& folder)
            : catalogue(loadCatalogue()), design(catalogue), settings(folder), documents(design, settings, folder),
              window(design, theme, MainWindow::Pages{new DesignPage(design), nullptr, nullptr, nullptr}),
              actions(window, design, documents, JobSpec())
        {
            JobSpec spec;
            spec.cluster = u"practice"_s;
            documents.begin(spec);
            window.show();
        }
        QString notice() const { return window.findChild<Toasts*>()->textOf(Notice::Document); }
        Theme theme;
        Catalogue catalogue;
        Design design;
        Settings settings;
        Documents documents;
        MainWindow window;
        DocumentActions actions;
    };
    QString fileOf(const QString& name, const QByteArray& text) const
    {
        QFile file(m_folder->filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(text) == text.size() ? file.fileName() : QString();
    }
    bool drop(const QList<QUrl>& urls)
    {
        QMimeData data;
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(&m_bench->window, &enter);
        if (!enter.isAccepted())
            return false;
        QDropEvent event(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&m_bench->window, &event);
        return true;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Bench> m_bench;
};

namespace {
const QByteArray lumiScript = "#!/bin/bash\n#SBATCH --job-name=llama\n#SBATCH --partition=standard-g\n"
                              "#SBATCH --nodes=4\n#SBATCH --gpus-per-node=8\n#SBATCH --hint=nomultithread\n"
                              "srun torchrun --nnodes=4 --nproc_per_node=8 train.py\n";
} // namespace

void DocumentActionsTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<Bench>(m_folder->path());
}

void DocumentActionsTest::opensAScript()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sbatch"_s, lumiScript)));
    QCOMPARE(m_bench->design.spec().cluster, u"lumi"_s);
    QCOMPARE(m_bench->design.spec().resources.nodes.value_or(0), 4);
    QVERIFY2(m_bench->notice().contains(u"run.sbatch is shown for LUMI: it has the partition"_s),
        qPrintable(m_bench->notice()));
    QVERIFY(!m_bench->window.isWindowModified());
    QVERIFY2(m_bench->window.windowTitle().startsWith(u"run.sbatch"_s), qPrintable(m_bench->window.windowTitle()));
}

/// W2: a stranger's script is what its author wrote, with nothing of a design in it.
void DocumentActionsTest::keepsAStrangersText()
{
    const QByteArray strange
        = "#!/bin/bash\n#SBATCH --account=project_2001234\n#SBATCH --partition=gpumedium\n#SBATCH --nodes=1\n"
          "#SBATCH --ntasks-per-node=1\n#SBATCH --cpus-per-task=288\n#SBATCH --time=01:00:00\n"
          "#SBATCH --gres=gpu:gh200:4\nmodule load python-pytorch\nexport HF_HOME=/scratch/x/hf TORCH_HOME=/scratch/x/torch\n"
          "srun torchrun --standalone --nnodes=1 --nproc_per_node=4 train.py\n";
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, strange)));
    QCOMPARE(m_bench->design.derived().script.text().toUtf8(), strange);
    QVERIFY2(m_bench->notice().contains(u"It stays as its author wrote it"_s), qPrintable(m_bench->notice()));
}

void DocumentActionsTest::asksBeforeUnsavedWorkGoes()
{
    m_bench->design.edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"mine"_s; });
    const QList<QUrl> urls{QUrl::fromLocalFile(fileOf(u"run.sh"_s, lumiScript))};
    for (const bool discard : {false, true}) {
        QVERIFY(drop(urls));
        QCOMPARE(m_bench->design.spec().name, u"mine"_s); // nothing happens before the answer
        auto* box = m_bench->window.findChild<QMessageBox*>();
        QVERIFY(box);
        for (QAbstractButton* button : box->buttons()) {
            if (box->buttonRole(button) == (discard ? QMessageBox::DestructiveRole : QMessageBox::RejectRole))
                button->click();
        }
        QTRY_VERIFY(!m_bench->window.findChild<QMessageBox*>());
        QCOMPARE(m_bench->design.spec().name, discard ? u"llama"_s : u"mine"_s);
    }
}

/// W20: "Unsaved changes" offered everything but to save.
void DocumentActionsTest::savesBeforeItGoes()
{
    const QString path = m_folder->filePath(u"mine.json"_s);
    QVERIFY_RESULT(m_bench->documents.saveAs(path));
    m_bench->design.edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"mine"_s; });
    QVERIFY(drop({QUrl::fromLocalFile(fileOf(u"run.sh"_s, lumiScript))}));
    auto* box = m_bench->window.findChild<QMessageBox*>();
    QVERIFY(box);
    for (QAbstractButton* button : box->buttons()) {
        if (button->text() == u"Save"_s)
            button->click();
    }
    QTRY_COMPARE(m_bench->design.spec().name, u"llama"_s);
    QVERIFY_RESULT(m_bench->documents.open(path));
    QCOMPARE(m_bench->design.spec().name, u"mine"_s);
}

/// W20: a design could not be kept as the script that it is; a .sh name made a file of JSON.
void DocumentActionsTest::writesTheScriptAlone()
{
    const QString script = m_bench->design.derived().script.text();
    for (const QString& entry : {u"Save the batch script …"_s, u"Save as …"_s}) {
        for (QAction* action : m_bench->window.findChildren<QAction*>()) {
            if (action->text().remove(u'&') == entry)
                action->trigger();
        }
        auto* dialog = m_bench->window.findChild<QFileDialog*>();
        QVERIFY(dialog);
        const QString path = m_folder->filePath(u"out%1.sh"_s.arg(entry.size()));
        emit dialog->fileSelected(path);
        delete dialog;
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(file.readAll()), script);
        QVERIFY(m_bench->documents.path().isEmpty()); // the design itself is kept nowhere by that
    }
}

void DocumentActionsTest::opensWhatWasOpened()
{
    const QString path = m_folder->filePath(u"mine.json"_s);
    m_bench->design.edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"mine"_s; });
    QVERIFY_RESULT(m_bench->documents.saveAs(path));
    m_bench->documents.begin(JobSpec());
    QMenu* recent = nullptr;
    for (QMenu* menu : m_bench->window.findChildren<QMenu*>())
        recent = menu->title() == u"Open &recent"_s ? menu : recent;
    QVERIFY(recent);
    emit recent->aboutToShow();
    QCOMPARE(recent->actions().first()->text(), u"mine.json"_s);
    recent->actions().first()->trigger();
    QCOMPARE(m_bench->design.spec().name, u"mine"_s);
    QVERIFY(QFile::remove(path));
    emit recent->aboutToShow();
    QVERIFY(!recent->actions().first()->isEnabled()); // it is gone
}

void DocumentActionsTest::dropsOfOneFileOnly()
{
    const QUrl script = QUrl::fromLocalFile(fileOf(u"run.sh"_s, lumiScript));
    QVERIFY(!drop({script, script}));
    QVERIFY(!drop({QUrl(u"https://example.org/run.sh"_s)}));
    QVERIFY(drop({script}));
    QCOMPARE(m_bench->design.spec().name, u"llama"_s);
}

// A class is not a design: whoever opens it asks first what it may do.
void DocumentActionsTest::handsClassFilesOn()
{
    const QSignalSpy handed(&m_bench->actions, &DocumentActions::classFileDropped);
    const JobSpec before = m_bench->design.spec();
    const QString path = fileOf(u"course.RWCLASS"_s, "{}");
    QVERIFY(drop({QUrl::fromLocalFile(path)}));
    QCOMPARE(handed.value(0).value(0).toString(), path);
    QCOMPARE(m_bench->design.spec(), before);
}

void DocumentActionsTest::bringsDiscardedWorkBack()
{
    m_bench->design.edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"an hour's work"_s; });
    const JobSpec work = m_bench->design.spec();
    emit m_bench->window.newRequested();
    auto* box = m_bench->window.findChild<QMessageBox*>();
    QVERIFY(box);
    for (QAbstractButton* button : box->buttons()) {
        if (button->text() == u"Discard changes"_s)
            button->click();
    }
    QVERIFY(m_bench->design.spec() != work);
    auto* toasts = m_bench->window.findChild<Toasts*>();
    const NoticeKey key{Notice::Document, u"discarded"_s};
    QVERIFY(toasts->textOf(key).contains(u"an hour's work"_s));
    toasts->act(key);
    QCOMPARE(m_bench->design.spec(), work);
    QVERIFY(m_bench->design.isModified()); // it is kept nowhere else
}

// A Hugging Face configuration is a model, not a design: one step that can be undone, nothing is asked.
void DocumentActionsTest::takesAModelsConfiguration()
{
    m_bench->design.edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"mine"_s; });
    const QString path = fileOf(u"config.json"_s, R"({"model_type": "llama", "hidden_size": 4096})");
    QVERIFY(drop({QUrl::fromLocalFile(path)}));
    QVERIFY(!m_bench->window.findChild<QMessageBox*>());
    QCOMPARE(m_bench->design.spec().name, u"mine"_s);
    QCOMPARE(m_bench->design.spec().model.value(u"hfConfig"_s).toString(), path);
    QCOMPARE(m_bench->design.undoLabel(), u"Model"_s);
}

/// Opening a script marked the design as changed, and Save wrote a design without a word.
void DocumentActionsTest::anOpenedScriptIsNotChanged()
{
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, lumiScript)));
    QVERIFY(!m_bench->window.isWindowModified());
    emit m_bench->window.saveRequested();
    QVERIFY(!m_bench->window.findChild<QFileDialog*>()); // it is the script's own file that is saved
    QFile file(m_folder->filePath(u"run.sh"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), lumiScript);
    emit m_bench->window.saveAsRequested();
    auto* dialog = m_bench->window.findChild<QFileDialog*>();
    QVERIFY(dialog);
    QCOMPARE(dialog->windowTitle(), u"Save the script; a name that ends in .json keeps it as a design"_s);
    dialog->reject();
}

void DocumentActionsTest::otherClustersAreNotGuessed()
{
    const QByteArray anywhere = "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --gres=gpu:4\nsrun python3 train.py\n";
    QVERIFY(m_bench->actions.open(fileOf(u"run.sh"_s, anywhere)));
    QCOMPARE(m_bench->design.spec().cluster, u"practice"_s);
    QVERIFY2(m_bench->notice().contains(u"names no cluster"_s), qPrintable(m_bench->notice()));
}

RANKWRIGHT_WIDGET_TEST_MAIN(DocumentActionsTest)
#include "tst_documentactions.moc"
