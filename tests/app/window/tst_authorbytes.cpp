// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/documents.h"
#include "app/session/clustersession.h"
#include "app/session/practicecluster.h"
#include "app/window/links/connections.h"
#include "tests/app/support/slurmwords.h"
#include "tests/app/support/windowbench.h"
#include "tests/support/fakeshell.h"
#include "tests/support/recordedfile.h"
#include "widgets/design/designpage.h"
#include "widgets/script/scripteditor.h"

#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Everything but editing, with an author's script open in the whole window: the script keeps its bytes.
class AuthorBytesTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void lookingAtPages_data() { scripts(); }
    void lookingAtPages();
    void connecting_data() { scripts(); }
    void connecting();
    void thePracticeCluster_data() { scripts(); }
    void thePracticeCluster();
    void walkingThroughTheForm_data() { scripts(); }
    void walkingThroughTheForm();
    void saving_data() { scripts(); }
    void saving();
    void aDryRunSendsThem_data() { scripts(Rows::Own); }
    void aDryRunSendsThem();
    void aRestart_data() { scripts(); }
    void aRestart();

private:
    /// Whose scripts the rows are: spellings of ours, or some strangers' with them.
    enum class Rows { Own, WithStrangers };
    void scripts(Rows rows = Rows::WithStrangers) const;
    void open();
    bool isUntouched() const;
    void connectNow();
    static QByteArray bytesOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
    FakeShell* m_shell = nullptr;
    QString m_path; ///< of the open script
    QByteArray m_bytes; ///< as its author left them
    QString m_text;
};

#define VERIFY_UNTOUCHED(after) QVERIFY2(isUntouched(), after)

void AuthorBytesTest::init()
{
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise|grabbing)).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<WindowBench>(m_folder->filePath(u"data"_s));
    QVERIFY(m_bench->start());
}

void AuthorBytesTest::cleanup()
{
    m_bench.reset();
    m_shell = nullptr;
}

/// Each encoding and end of line, directives in each spelling, and a few strangers' scripts.
void AuthorBytesTest::scripts(Rows rows) const
{
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray plain = "#!/bin/bash -l\n"
                             "#SBATCH -J vit-b16\n"
                             "#SBATCH -A project_465000001   # ours\n"
                             "#SBATCH -p small-g\n"
                             "#SBATCH -N 2\n"
                             "#SBATCH --gpus-per-node=8\n"
                             "#SBATCH --ntasks-per-node=8\n"
                             "#SBATCH -t 30\n"
                             "\n"
                             "# image of last spring \n"
                             "SIF=/scratch/project_465000001/pytorch-2.5.sif\n"
                             "srun singularity exec $SIF \\\n"
                             "    python3 train.py --lr 3e-4\n";
    QTest::newRow("plain") << plain;
    QByteArray changed = plain;
    QTest::newRow("CRLF") << changed.replace("\n", "\r\n");
    QTest::newRow("no last newline") << plain.chopped(1);
    changed = plain;
    QTest::newRow("Latin-1") << changed.replace("last spring", "letztem Fr\xfchjahr");
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF") + plain;
    QTest::newRow("says nothing") << QByteArray("#!/bin/bash\nsrun python3 train.py\n");
    if (rows == Rows::Own)
        return;
    for (const QString& folder : {u"handwritten"_s, u"strangers"_s}) {
        const QDir dir(sourcePath(QString(u"/tests/data/"_s + folder)));
        const QStringList names = dir.entryList({u"*.sh"_s}, QDir::Files, QDir::Name);
        for (qsizetype i = 0; i < names.size(); i += 30)
            QTest::newRow(qPrintable(names.at(i))) << bytesOf(dir.filePath(names.at(i)));
    }
}

void AuthorBytesTest::open()
{
    QFETCH(QByteArray, bytes);
    m_bytes = bytes;
    m_path = m_folder->filePath(u"theirs.sh"_s);
    QFile file(m_path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
    file.close();
    QVERIFY_RESULT(m_bench->workbench->documents().open(m_path));
    QVERIFY(m_bench->design().derived().author);
    m_text = m_bench->design().derived().script.text();
    QApplication::processEvents();
    VERIFY_UNTOUCHED("opening");
}

/// Text, editor, file and undo are as after opening.
bool AuthorBytesTest::isUntouched() const
{
    const Design& design = m_bench->design();
    const QString shown = m_bench->window().findChild<ScriptEditor*>()->text();
    const bool textIs = design.derived().script.text() == m_text && design.derived().author;
    const QString seen = m_text.startsWith(QChar::ByteOrderMark) ? m_text.mid(1) : m_text; // a mark has no glyph
    const bool editorIs = shown == seen || shown == seen + u'\n';
    const bool fileIs = bytesOf(m_path) == m_bytes;
    const bool asOpened = !design.isModified() && !design.canUndo() && !design.canRedo();
    if (!textIs || !editorIs || !fileIs || !asOpened)
        qInfo("text %d, editor %d, file %d, nothing to undo or save %d:\n%s", textIs, editorIs, fileIs, asOpened,
            qPrintable(design.derived().script.text()));
    return textIs && editorIs && fileIs && asOpened;
}

/// To the cluster of the design, which reports other accounts, partitions and limits than the script names.
void AuthorBytesTest::connectNow()
{
    auto link = std::make_unique<FakeShell>();
    m_shell = link.get();
    m_shell->expect(u"scontrol -o show reservation"_s,
        {"\x1d"
         "features\nnvme\n\x1d"
         "qos\nlong\n\x1d"
         "reservations\nReservationName=course-g State=ACTIVE\n"
         "\x1d"
         "modules\npytorch/2.7\n"},
        true);
    m_shell->expect(u"sacctmgr"_s, {recordedSlurm(u"discover.txt"_s)}, true);
    m_shell->expect(u"@rw-there"_s, {"@rw-there\n"}, true);
    m_shell->expect(u"--test-only"_s, rehearsedWell(), true);
    m_shell->expect(u"squeue"_s, {}, true);
    m_shell->setState(LinkState::Offline);
    m_bench->workbench->connections().begin(
        std::make_unique<ClusterSession>(*m_bench->design().catalogue().find(m_bench->design().spec().cluster),
            std::move(link), m_bench->workbench->jobLog()));
}

void AuthorBytesTest::lookingAtPages()
{
    open();
    for (const auto page :
        {MainWindow::Page::Plan, MainWindow::Page::Jobs, MainWindow::Page::Live, MainWindow::Page::Clusters,
            MainWindow::Page::Welcome, MainWindow::Page::Guide, MainWindow::Page::Design}) {
        m_bench->window().showPage(page);
        QApplication::processEvents();
    }
    VERIFY_UNTOUCHED("pages");
    for (const QString& theme : {u"Dark"_s, u"High contrast"_s, u"Light"_s}) {
        QVERIFY(m_bench->action(theme));
        m_bench->action(theme)->trigger();
        QApplication::processEvents();
    }
    VERIFY_UNTOUCHED("themes");
    for (const QSize size : {QSize(1024, 700), QSize(1920, 1080)}) {
        m_bench->window().resize(size);
        QApplication::processEvents();
    }
    VERIFY_UNTOUCHED("sizes");
    auto& page = m_bench->workbench->designPage();
    page.setOpenSections({u"model"_s, u"launch"_s});
    page.setScriptFolded(true);
    page.setScriptFolded(false);
    auto* editor = m_bench->window().findChild<ScriptEditor*>();
    editor->setFocus();
    for (const bool comparing : {true, false}) {
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F9);
        QApplication::processEvents();
        VERIFY_UNTOUCHED(comparing ? "comparing" : "comparing no more");
    }
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    VERIFY_UNTOUCHED("undo of nothing");
}

void AuthorBytesTest::connecting()
{
    open();
    connectNow();
    Connections& connections = m_bench->workbench->connections();
    ClusterSession* session = connections.session(m_bench->design().spec().cluster);
    QVERIFY(session);
    m_shell->setState(LinkState::Online);
    QTRY_VERIFY(session->facts());
    session->learnNames();
    QTRY_VERIFY(session->names());
    VERIFY_UNTOUCHED("facts of the site");
    m_shell->setState(LinkState::Lost, linkLost());
    QApplication::processEvents();
    VERIFY_UNTOUCHED("lost");
    m_shell->setState(LinkState::Online);
    QApplication::processEvents();
    VERIFY_UNTOUCHED("back");
    connections.disconnectFrom(m_bench->design().spec().cluster);
    QApplication::processEvents();
    VERIFY_UNTOUCHED("disconnected");
}

/// Its account and folder belong to our designs alone. Choosing a cluster is an edit of the design, not of the text.
void AuthorBytesTest::thePracticeCluster()
{
    open();
    PracticeStatus status;
    status.running = true;
    status.account = u"project_465000002"_s;
    status.workdir = u"/scratch/project_465000002/ada"_s;
    emit m_bench->workbench->connections().practiceReady(status);
    VERIFY_UNTOUCHED("it is ready");
    Design& design = m_bench->design();
    for (const QString& name : design.catalogue().names()) {
        design.edit(u"Cluster"_s, [&name](JobSpec& spec) { spec.cluster = name; });
        emit m_bench->workbench->connections().practiceReady(status);
        QCOMPARE(design.derived().script.text(), m_text);
    }
    emit m_bench->window().saveRequested();
    QCOMPARE(bytesOf(m_path), m_bytes);
    while (design.undo())
        QCOMPARE(design.derived().script.text(), m_text);
    QCOMPARE(bytesOf(m_path), m_bytes);
}

/// Focus, hover and the list of choices, field by field, without a change.
void AuthorBytesTest::walkingThroughTheForm()
{
    open();
    m_bench->workbench->designPage().setOpenSections({u"model"_s, u"launch"_s});
    QApplication::processEvents();
    QList<QPointer<QWidget>> fields;
    for (QWidget* field : m_bench->workbench->designPage().findChildren<QWidget*>()) {
        if (field->isVisible() && field->isEnabled()
            && (qobject_cast<QLineEdit*>(field) || qobject_cast<QComboBox*>(field)))
            fields.append(field);
    }
    QVERIFY(fields.size() > 3);
    for (const QPointer<QWidget>& field : std::as_const(fields)) {
        if (!field)
            continue;
        field->setFocus(Qt::TabFocusReason);
        if (auto* edit = qobject_cast<QLineEdit*>(field)) {
            edit->selectAll();
            QTest::keyClick(edit, Qt::Key_End);
        } else if (auto* box = qobject_cast<QComboBox*>(field)) {
            box->showPopup();
            box->hidePopup();
        }
        if (field)
            turnWheel(*field, -1);
        if (!isUntouched())
            QFAIL(qPrintable(field ? field->objectName() : u"a field that went"_s));
    }
    if (QWidget* focused = QApplication::focusWidget())
        focused->clearFocus();
    VERIFY_UNTOUCHED("the last field was left");
}

void AuthorBytesTest::saving()
{
    open();
    emit m_bench->window().saveRequested();
    VERIFY_UNTOUCHED("saved");
    const QString other = m_folder->filePath(u"other.sh"_s);
    QVERIFY_RESULT(m_bench->workbench->documents().saveScript(other));
    QCOMPARE(bytesOf(other), m_bytes);
    VERIFY_UNTOUCHED("saved elsewhere");
}

void AuthorBytesTest::aDryRunSendsThem()
{
    open();
    connectNow();
    m_shell->setState(LinkState::Online);
    QTRY_VERIFY(m_bench->workbench->connections().session(m_bench->design().spec().cluster)->facts());
    m_bench->action(u"Dry run"_s)->trigger();
    QApplication::processEvents();
    const auto hasErrors = [this] {
        const QList<Finding>& findings = m_bench->design().derived().findings();
        return std::any_of(findings.cbegin(), findings.cend(),
            [](const Finding& finding) { return finding.severity == Severity::Error; });
    };
    const auto sent = [this]() -> std::optional<QByteArray> {
        for (const RemoteCommand& command : m_shell->commands()) {
            if (command.line.contains(u"--test-only"_s))
                return command.input;
        }
        return std::nullopt;
    };
    if (!hasErrors()) // else the window refuses
        QTRY_VERIFY(sent());
    if (sent())
        QCOMPARE(*sent(), m_bytes);
    VERIFY_UNTOUCHED("dry run");
}

void AuthorBytesTest::aRestart()
{
    open();
    m_bench->workbench->documents().flushAutosave();
    const QString folder = m_bench->dataFolder;
    m_bench->window().close();
    m_bench.reset();
    QCOMPARE(bytesOf(m_path), m_bytes);
    m_bench = std::make_unique<WindowBench>(folder);
    QVERIFY(m_bench->start({1280, 800}, m_path));
    QVERIFY(m_bench->design().derived().author);
    VERIFY_UNTOUCHED("opened again");
}

RANKWRIGHT_WIDGET_TEST_MAIN(AuthorBytesTest)
#include "tst_authorbytes.moc"
