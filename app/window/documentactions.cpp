// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/documentactions.h"

#include "widgets/mainwindow.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString filter() { return QObject::tr("Designs (*.json)"); }

} // namespace

DocumentActions::DocumentActions(
    MainWindow& window, Design& design, Documents& documents, const JobSpec& fresh, QObject* parent)
    : QObject(parent), m_window(window), m_design(design), m_documents(documents), m_fresh(fresh)
{
    connect(&window, &MainWindow::newRequested, this, &DocumentActions::startNew);
    connect(&window, &MainWindow::openRequested, this, &DocumentActions::askOpen);
    connect(&window, &MainWindow::saveRequested, this, &DocumentActions::save);
    connect(&window, &MainWindow::saveAsRequested, this, &DocumentActions::askSave);
    connect(&documents, &Documents::pathChanged, this, &DocumentActions::showTitle);
    connect(&documents, &Documents::autosaveFailed, this, &DocumentActions::say);
    connect(&design, &Design::changed, this, &DocumentActions::showTitle);
    showTitle();
}

void DocumentActions::unlessUnsaved(const QString& question, const std::function<void()>& then)
{
    if (!m_design.isModified()) {
        then();
        return;
    }
    auto* box
        = new QMessageBox(QMessageBox::Question, tr("Unsaved changes"), question, QMessageBox::NoButton, &m_window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* discard = box->addButton(tr("Discard changes"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(QMessageBox::Cancel));
    connect(box, &QMessageBox::buttonClicked, this, [discard, then](QAbstractButton* clicked) {
        if (clicked == discard)
            then();
    });
    box->open();
}

void DocumentActions::startNew()
{
    unlessUnsaved(tr("“%1” has changes that are not saved.").arg(m_documents.title()), [this] {
        m_documents.begin(m_fresh);
        m_window.showPage(MainWindow::Page::Design);
    });
}

void DocumentActions::askOpen()
{
    unlessUnsaved(tr("“%1” has changes that are not saved.").arg(m_documents.title()), [this] {
        auto* dialog = new QFileDialog(&m_window, tr("Open a design"), QFileInfo(m_documents.path()).path(), filter());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, this, &DocumentActions::open);
        dialog->open();
    });
}

bool DocumentActions::open(const QString& path)
{
    const auto unknown = m_documents.open(path);
    if (!unknown) {
        say(unknown.error());
        return false;
    }
    m_window.clearNotice(u"document"_s);
    if (!unknown->isEmpty())
        m_window.showNotice(
            u"document"_s, tr("The file has members that this version does not know: %1.").arg(unknown->join(u", "_s)));
    m_window.showPage(MainWindow::Page::Design);
    return true;
}

void DocumentActions::save()
{
    if (m_documents.path().isEmpty())
        askSave();
    else
        saveTo(m_documents.path());
}

void DocumentActions::askSave()
{
    const QString suggestion = m_documents.path().isEmpty() ? m_documents.title() + u".json"_s : m_documents.path();
    auto* dialog = new QFileDialog(&m_window, tr("Save the design"), QFileInfo(m_documents.path()).path(), filter());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"json"_s);
    dialog->selectFile(suggestion);
    connect(dialog, &QFileDialog::fileSelected, this, &DocumentActions::saveTo);
    dialog->open();
}

void DocumentActions::saveTo(const QString& path)
{
    if (const auto saved = m_documents.saveAs(path); !saved)
        say(saved.error());
    else
        m_window.clearNotice(u"document"_s);
    showTitle();
}

void DocumentActions::showTitle() { m_window.setDocumentTitle(m_documents.title(), m_design.isModified()); }

void DocumentActions::say(const Error& why) { m_window.showNotice(u"document"_s, why.oneLine()); }

} // namespace rankwright
