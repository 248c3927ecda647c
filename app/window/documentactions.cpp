// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/documentactions.h"

#include "models/core/jsonreader.h"
#include "models/script/document/authoredit.h"
#include "widgets/design/designpage.h"
#include "widgets/form/designfields.h"
#include "widgets/form/designform.h"
#include "widgets/script/importdialog.h"
#include "widgets/script/rewritedialog.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QJsonObject>
#include <QMessageBox>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString filter() { return QObject::tr("Designs (*.json)"); }

QStringList filtersToOpen()
{
    return {QObject::tr("Designs and batch scripts (*.json *.sh *.sbatch *.slurm *.bash *.job)"),
        QObject::tr("All files (*)")};
}

/// Hugging Face's config.json, by the member that names the kind of model: not a design.
bool isModelConfiguration(const QString& path)
{
    QFile file(path);
    if (!path.endsWith(u".json"_s, Qt::CaseInsensitive) || file.size() > 1'000'000 || !file.open(QIODevice::ReadOnly))
        return false;
    const auto json = parseJsonObject(file.readAll(), path);
    return json && json->contains(u"model_type"_s) && !json->contains(u"cluster"_s);
}

} // namespace

DocumentActions::DocumentActions(
    MainWindow& window, Design& design, Documents& documents, const JobSpec& fresh, QObject* parent)
    : QObject(parent), m_window(window), m_design(design), m_documents(documents), m_fresh(fresh)
{
    connect(&window, &MainWindow::newRequested, this, &DocumentActions::startNew);
    connect(&window, &MainWindow::openRequested, this, &DocumentActions::askOpen);
    connect(&window, &MainWindow::saveRequested, this, &DocumentActions::save);
    connect(&window, &MainWindow::saveAsRequested, this, [this] { askSave({}); });
    connect(&window, &MainWindow::saveScriptRequested, this, &DocumentActions::askSaveScript);
    connect(&window, &MainWindow::recentRequested, this, &DocumentActions::openAfterAsking);
    window.setRecent([this] { return m_documents.recent(); });
    connect(&window, &MainWindow::fileDropped, this, &DocumentActions::openDropped);
    connect(&documents, &Documents::documentReplaced, this, &DocumentActions::offerDiscarded);
    connect(&documents, &Documents::pathChanged, this, &DocumentActions::showTitle);
    connect(&documents, &Documents::autosaveFailed, this, &DocumentActions::showError);
    connect(&design, &Design::changed, this, &DocumentActions::showTitle);
    connect(&design, &Design::siteOptionsCleared, this, &DocumentActions::sayCleared);
    connect(&design, &Design::editRefused, this, &DocumentActions::sayRefused);
    connect(&window, &MainWindow::rewriteRequested, this, &DocumentActions::askRewrite);
    if (DesignPage* page = window.pages().design) {
        connect(page, &DesignPage::rewriteRequested, this, &DocumentActions::askRewrite);
        connect(page, &DesignPage::editedInPicture, this, &DocumentActions::offerUndo);
        connect(page, &DesignPage::refusedInPicture, this,
            [this](const QString& why) { m_window.showNotice(Notice::Edit, why); });
    }
    connect(&design, &Design::changed, this, [this] {
        // Another change has come on top: it is not the one that Undo would take back.
        if (m_offered && *m_offered != m_design.spec()) {
            m_offered.reset();
            m_window.clearNotice(Notice::Edit);
        }
    });
    showTitle();
}

/// Beside the field where somebody types; said here where the edit came from a picture, a finding or a menu.
void DocumentActions::sayRefused(const FieldPath& path, const Error& why)
{
    const QWidget* focused = QApplication::focusWidget();
    for (const DesignForm* form : m_window.findChildren<DesignForm*>()) {
        if (form->isAncestorOf(focused))
            return;
    }
    QString label = path;
    for (const DesignField& field : designFields()) {
        if (field.path == path)
            label = labelOf(field, m_design.derived());
    }
    m_window.showNotice(Notice::Edit, tr("%1 was not changed: %2").arg(label, why.what));
}

/// An explicit act: what was read becomes a design, and its script takes the place of the author's.
void DocumentActions::askRewrite()
{
    const auto& author = m_design.derived().author;
    if (!author)
        return;
    const ClusterProfile& profile = *m_design.derived().profile;
    const RewrittenDesign rewritten = rewrittenDesign(m_design.spec(), *author, profile);
    const QString text = derive(rewritten.spec, profile).script.text();
    auto* dialog = new RewriteDialog(
        QFileInfo(m_documents.script()).fileName(), {author->text, text}, rewritten.losses, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, after = rewritten.spec] {
        m_design.edit(tr("Rewrite as a design"), [&after](JobSpec& spec) { spec = after; });
        m_offered = m_design.spec();
        m_window.showNotice(
            Notice::Edit, tr("The script is now written from the form."), tr("Undo"), [this] { m_design.undo(); });
    });
    dialog->open();
}

/// What else a change moved is said where all messages are, with the way back.
void DocumentActions::offerUndo(const QString& text)
{
    if (text.isEmpty())
        return;
    m_offered = m_design.spec();
    m_window.showNotice(Notice::Edit, text, tr("Undo"), [this] { m_design.undo(); });
}

void DocumentActions::sayCleared(const QString& from, const QList<FieldPath>& cleared)
{
    QStringList labels;
    for (const DesignField& field : designFields()) {
        if (cleared.contains(field.path))
            labels.append(labelOf(field, m_design.derived()));
    }
    const ClusterProfile* profile = m_design.catalogue().find(from);
    m_offered = m_design.spec();
    m_window.showNotice(Notice::Edit,
        tr("These fields were for %1 and are empty now: %2.")
            .arg(profile ? profile->title : from, labels.join(u", "_s)),
        tr("Undo"), [this, from] {
            // What was filled in for the new cluster is a step of its own.
            while (m_design.spec().cluster != from && m_design.undo()) { }
        });
}

void DocumentActions::unlessUnsaved(const QString& question, const std::function<void()>& then)
{
    m_discarded.reset();
    if (!m_design.isModified()) {
        then();
        return;
    }
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Unsaved changes"), question, QMessageBox::NoButton, &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* discard = box->addButton(tr("Discard changes"), QMessageBox::DestructiveRole);
    QPushButton* keep = box->addButton(tr("Save"), QMessageBox::AcceptRole);
    box->addButton(QMessageBox::Cancel);
    box->setDefaultButton(keep);
    connect(box, &QMessageBox::buttonClicked, this, [this, discard, keep, then](QAbstractButton* clicked) {
        if (clicked == discard) {
            m_discarded = Discarded{m_design.spec(), m_documents.title()};
            then();
        } else if (clicked == keep)
            saveThen(then);
    });
    box->open();
}

/// A click too quick is not the end of an hour's work: it can be had back until the program ends.
void DocumentActions::offerDiscarded()
{
    if (!m_discarded)
        return;
    const Discarded lost = *std::exchange(m_discarded, std::nullopt);
    const NoticeKey key{Notice::Document, u"discarded"_s};
    m_window.showNotice(key, tr("The changes of “%1” were discarded.").arg(lost.title), tr("Bring them back"),
        [this, key, spec = lost.spec] {
            unlessUnsaved(tr("“%1” has changes that are not saved.").arg(m_documents.title()), [this, key, spec] {
                m_documents.beginUnsaved(spec);
                m_window.clearNotice(key);
                m_window.showPage(MainWindow::Page::Design);
            });
        });
}

void DocumentActions::openAfterAsking(const QString& path)
{
    if (Documents::isJobFileName(path)) { // nothing of the design goes
        emit jobFileWanted(path);
        return;
    }
    unlessUnsaved(
        tr("“%1” has changes that are not saved.").arg(m_documents.title()), [this, path] { (void)open(path); });
}

void DocumentActions::beginAfterAsking(const JobSpec& spec, const std::function<void()>& then)
{
    unlessUnsaved(tr("“%1” has changes that are not saved.").arg(m_documents.title()), [this, spec, then] {
        m_documents.begin(spec);
        m_window.clearNotice(Notice::Document); // it spoke of the document before
        m_window.showPage(MainWindow::Page::Design);
        if (then)
            then();
    });
}

void DocumentActions::startNew()
{
    beginAfterAsking(m_fresh, [] {});
}

void DocumentActions::askOpen()
{
    unlessUnsaved(tr("“%1” has changes that are not saved.").arg(m_documents.title()), [this] {
        auto* dialog
            = new QFileDialog(&m_window, tr("Open a design or a batch script"), QFileInfo(m_documents.path()).path());
        dialog->setNameFilters(filtersToOpen());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, this, &DocumentActions::open);
        dialog->open();
    });
}

bool DocumentActions::open(const QString& path)
{
    if (Documents::isJobFileName(path)) {
        emit jobFileWanted(path);
        return true;
    }
    const auto opened = m_documents.open(path);
    if (!opened) {
        showError(opened.error());
        return false;
    }
    m_window.clearNotice(Notice::Document);
    if (opened->script)
        reportScript(path, *opened->script);
    else if (!opened->unknownMembers.isEmpty())
        m_window.showNotice(Notice::Document,
            tr("The file has members that this version does not know: %1.").arg(opened->unknownMembers.join(u", "_s)));
    m_window.showPage(MainWindow::Page::Design);
    return true;
}

void DocumentActions::openDropped(const QString& path)
{
    if (path.endsWith(u".rwclass"_s, Qt::CaseInsensitive)) {
        emit classFileDropped(path);
        return;
    }
    if (isModelConfiguration(path)) {
        // One step of the design that can be undone: nothing is lost, so nothing is asked.
        m_design.edit(tr("Model"), [&path](JobSpec& spec) { spec.model = QJsonObject{{u"hfConfig"_s, path}}; });
        return;
    }
    openAfterAsking(path);
}

void DocumentActions::reportScript(const QString& path, const OpenedScript& script)
{
    if (!m_documents.isScript()) {
        reportOwnScript(path, script);
        return;
    }
    const QString file = QFileInfo(path).fileName();
    const QString cluster = m_design.derived().profile->title;
    const QString text = script.why.isEmpty()
        ? tr("%1 is shown for %2; the script itself names no cluster that is known.").arg(file, cluster)
        : tr("%1 is shown for %2: %3.").arg(file, cluster, script.why);
    m_window.showNotice(Notice::Document,
        text + u' '
            + tr("It stays as its author wrote it: a field that you change is changed at its place in the text."));
}

void DocumentActions::reportOwnScript(const QString& path, const OpenedScript& script)
{
    const QString file = QFileInfo(path).fileName();
    const QString cluster = m_design.derived().profile->title;
    QString text = script.why.isEmpty()
        ? tr("%1 is now a design for %2; the script itself names no cluster that is known.").arg(file, cluster)
        : tr("%1 is now a design for %2: %3.").arg(file, cluster, script.why);
    const QList<NotUnderstood>& parts = script.notUnderstood;
    if (parts.isEmpty()) {
        m_window.showNotice(Notice::Document, text + u' ' + tr("The form says all of it."));
        return;
    }
    text += u' '
        + (parts.size() == 1 ? tr("One part has no field: it is kept as your own line.")
                             : tr("%1 parts have no field: they are kept as your own lines.").arg(parts.size()));
    m_window.showNotice(Notice::Document, text, tr("Which?"), [this, file, parts] {
        auto* report = new ImportDialog(file, parts, &m_window);
        report->setAttribute(Qt::WA_DeleteOnClose);
        report->open();
    });
}

void DocumentActions::save() { saveThen({}); }

void DocumentActions::saveThen(const std::function<void()>& then)
{
    if (m_documents.isScript()) {
        if (saveScriptOfDocument(m_documents.script()) && then)
            then();
    } else if (m_documents.path().isEmpty())
        askSave(then);
    else if (saveTo(m_documents.path()) && then)
        then();
}

void DocumentActions::askSave(const std::function<void()>& then)
{
    const QString script = QFileInfo(m_documents.script()).fileName();
    const bool isScript = m_documents.isScript();
    const QString suggestion = isScript ? script
        : m_documents.path().isEmpty()  ? m_documents.title() + u".json"_s
                                        : m_documents.path();
    const QString title = isScript ? tr("Save the script; a name that ends in .json keeps it as a design")
        : script.isEmpty()         ? tr("Save the design")
                                   : tr("Save as a design; the script %1 stays as it is").arg(script);
    QFileDialog* dialog
        = saveDialog(title, isScript ? tr("All files (*)") : filter(), isScript ? QString() : u"json"_s, suggestion);
    connect(dialog, &QFileDialog::fileSelected, this, [this, then, isScript](const QString& path) {
        if (isScript && !path.endsWith(u".json"_s, Qt::CaseInsensitive)) {
            if (saveScriptOfDocument(path) && then)
                then();
            return;
        }
        // A design in a file that is called a script would be submitted one day.
        if (Documents::isScriptName(path))
            saveScriptTo(path);
        else if (saveTo(path) && then)
            then();
    });
    dialog->open();
}

void DocumentActions::askSaveScript()
{
    QFileDialog* dialog
        = saveDialog(tr("Save the batch script"), tr("Batch scripts (*.sh)"), u"sh"_s, m_documents.title() + u".sh"_s);
    connect(dialog, &QFileDialog::fileSelected, this, &DocumentActions::saveScriptTo);
    dialog->open();
}

QFileDialog* DocumentActions::saveDialog(
    const QString& title, const QString& filter, const QString& suffix, const QString& suggestion)
{
    auto* dialog = new QFileDialog(&m_window, title,
        QFileInfo(m_documents.script().isEmpty() ? m_documents.path() : m_documents.script()).path(), filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(suggestion);
    return dialog;
}

bool DocumentActions::saveTo(const QString& path)
{
    const auto saved = m_documents.saveAs(path);
    if (!saved)
        showError(saved.error());
    else
        m_window.clearNotice(Notice::Document);
    showTitle();
    return saved.hasValue();
}

/// The document is the script: its file is written, and nothing is left unsaved.
bool DocumentActions::saveScriptOfDocument(const QString& path)
{
    const auto saved = m_documents.saveScriptAs(path);
    if (!saved)
        showError(saved.error());
    else if (m_documents.hasMoreThanItsScript())
        m_window.showNotice(Notice::Document,
            tr("%1 was saved. What the form says beyond the script, such as the model, is not in it: save it as a "
               "design (.json) to keep that, too.")
                .arg(QFileInfo(path).fileName()));
    else
        m_window.clearNotice(Notice::Document);
    showTitle();
    return saved.hasValue();
}

void DocumentActions::saveScriptTo(const QString& path)
{
    if (const auto saved = m_documents.saveScript(path); !saved)
        showError(saved.error());
    else
        m_window.showNotice(Notice::Document,
            tr("%1 was written: the batch script alone, for sbatch.").arg(QFileInfo(path).fileName()));
}

void DocumentActions::showTitle()
{
    m_window.setDocumentTitle(m_documents.title());
    m_window.setWindowModified(m_design.isModified());
    m_window.setCanRewrite(m_design.derived().author.has_value());
}

void DocumentActions::showError(const Error& why) { m_window.showNotice(Notice::Document, why.oneLine()); }

} // namespace rankwright
