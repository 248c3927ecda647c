// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/jobfileopener.h"

#include "app/base/settings.h"
#include "app/base/whendone.h"
#include "app/jobfile/jobfilewords.h"
#include "app/window/documentactions.h"
#include "app/window/pages/livecontroller.h"
#include "app/window/pages/reportcontroller.h"
#include "models/core/harmlesstext.h"
#include "models/script/document/designjson.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/jobs/jobfileview.h"
#include "widgets/live/livepage.h"
#include "widgets/window/mainwindow.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QTimer>
#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int slowMs = 500; ///< a file that takes longer is spoken of

using OpenedJobFile = Result<std::shared_ptr<const JobFile>>;

OpenedJobFile openShared(const QString& path)
{
    auto opened = JobFile::open(path);
    if (!opened)
        return fail(opened.error());
    return std::shared_ptr<const JobFile>(std::move(*opened));
}

QList<JobFileItem> itemsOf(const JobFile& file)
{
    QList<JobFileItem> items;
    for (const JobFileMember& member : file.manifest().members) {
        JobFileItem item{member.name, contentText(member), member.bytes, {}};
        if (member.kind != JobFileMember::Kind::Recording && member.kind != JobFileMember::Kind::Other)
            item.text = file.text(member);
        items.append(item);
    }
    return items;
}

} // namespace

JobFileOpener::JobFileOpener(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts)
{
    connect(&parts.window, &MainWindow::jobFileRequested, this, &JobFileOpener::askFile);
    connect(&parts.actions, &DocumentActions::jobFileWanted, this, &JobFileOpener::open);
    const LivePage* page = parts.window.pages().live;
    connect(page, &LivePage::fileContentsRequested, this, &JobFileOpener::showContents);
    connect(page, &LivePage::fileDesignRequested, this, &JobFileOpener::openDesign);
    connect(page, &LivePage::fileCloseRequested, &parts.live, &LiveController::closeFile);
    connect(&parts.live, &LiveController::fileClosed, this, [this] {
        delete m_dialog;
        m_parts.reports.closeFile();
    });
}

JobFileOpener::~JobFileOpener() { delete m_dialog; }

void JobFileOpener::askFile()
{
    auto* dialog = new QFileDialog(&m_parts.window, tr("Open a job file"));
    dialog->setNameFilters({tr("Job files (*.rwjob)"), tr("All files (*)")});
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &JobFileOpener::open);
    dialog->open();
}

void JobFileOpener::open(const QString& path)
{
    if (path.isEmpty()) {
        askFile();
        return;
    }
    const int asked = ++m_asked;
    // A file of anybody, perhaps of gigabytes: the window does not wait for it.
    const QString whole = QFileInfo(path).absoluteFilePath();
    const QFuture<OpenedJobFile> reading = QtConcurrent::run([whole] { return openShared(whole); });
    m_isReading = true;
    QTimer::singleShot(slowMs, this, [this, asked, whole] {
        if (asked == m_asked && m_isReading)
            m_parts.window.showNotice(
                Notice::JobFile, tr("Reading %1 …").arg(harmlessLine(QFileInfo(whole).fileName(), 80)));
    });
    whenDone(reading, this, [this, asked](const OpenedJobFile& opened) {
        if (asked != m_asked) // what was asked later is newer
            return;
        m_isReading = false;
        if (opened)
            show(*opened);
        else
            refuse(opened.error());
    });
}

void JobFileOpener::show(const std::shared_ptr<const JobFile>& file)
{
    if (const auto shown = m_parts.live.openFile(file); !shown) {
        refuse(shown.error());
        return;
    }
    m_parts.settings.addRecentDesign(file->path());
    m_parts.window.clearNotice(Notice::JobFile);
    m_parts.window.showPage(MainWindow::Page::Live);
}

/// In a window of its own, beside the page.
void JobFileOpener::showContents()
{
    const auto file = m_parts.live.file();
    if (!file)
        return;
    if (!m_dialog) {
        m_dialog = new QDialog(&m_parts.window);
        m_dialog->setWindowTitle(tr("What is in %1").arg(harmlessLine(QFileInfo(file->path()).fileName(), 80)));
        m_dialog->resize(820, 600);
        fitTexts(*m_dialog, {620, 420});
        auto* column = new QVBoxLayout(m_dialog);
        auto* contents = new JobFileView(m_dialog);
        contents->setItems(itemsOf(*file));
        auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, m_dialog);
        column->addWidget(contents, 1);
        column->addWidget(buttons);
        connect(buttons, &QDialogButtonBox::rejected, m_dialog, &QDialog::reject);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

const JobFileView* JobFileOpener::contents() const { return m_dialog ? m_dialog->findChild<JobFileView*>() : nullptr; }

void JobFileOpener::openDesign()
{
    const auto file = m_parts.live.file();
    if (!file)
        return;
    const QString name = harmlessLine(QFileInfo(file->path()).fileName(), 80);
    const QByteArray bytes = file->text(JobFileMember::Kind::Design);
    if (bytes.isEmpty()) {
        m_parts.window.showNotice(
            Notice::JobFile, tr("%1 holds no design: its job was not launched from one.").arg(name));
        return;
    }
    const auto read = readDesign(bytes, tr("design in %1").arg(name));
    if (!read) {
        refuse(read.error());
        return;
    }
    m_parts.actions.beginAfterAsking(read->spec, [this, name] {
        m_parts.window.showNotice(Notice::Document,
            tr("This is the design in %1, as a new document. Look through its script before you launch it: somebody "
               "else wrote it.")
                .arg(name));
    });
}

void JobFileOpener::refuse(const Error& why)
{
    m_parts.window.showNotice(Notice::JobFile, harmlessLine(why.oneLine()));
}

} // namespace rankwright
