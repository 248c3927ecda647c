// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/classteaching.h"

#include "app/base/whendone.h"
#include "app/classroom/classsharing.h"
#include "app/classroom/classsigner.h"
#include "app/classroom/solutiontries.h"
#include "app/session/clustersession.h"
#include "app/window/links/connections.h"
#include "models/classroom/classreader.h"
#include "models/core/harmlesstext.h"
#include "widgets/classroom/classeditordialog.h"
#include "widgets/classroom/classpreviewdialog.h"
#include "widgets/classroom/classprogressdialog.h"
#include "widgets/window/mainwindow.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>
#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int readEveryMs = 30'000;

Error offline(const QString& cluster)
{
    return {Fault::Offline, ClassTeaching::tr("%1 is not connected.").arg(harmlessLine(cluster)), {},
        ClassTeaching::tr("Connect to it, then try again.")};
}

Result<ClassFile> readForEditing(const QString& path)
{
    const QFileInfo info(path);
    QFile file(path);
    if (!info.isFile() || info.size() > classbounds::bytes || !file.open(QIODevice::ReadOnly))
        return fail(Fault::Unreadable, ClassTeaching::tr("“%1” cannot be read.").arg(harmlessLine(path)),
            file.errorString(), ClassTeaching::tr("Choose a class file, of at most 1 MiB."));
    return readClass(file.read(classbounds::bytes + 1), harmlessLine(info.fileName()));
}

/// Answers the fingerprint of the key.
Result<QString> signAndWrite(const ClassFile& file, const QString& path, const QString& dataFolder)
{
    const auto key = teacherKey(dataFolder);
    if (!key)
        return fail(key.error());
    const auto written = signClass(file, *key);
    if (!written)
        return fail(written.error());
    QSaveFile target(path);
    if (!target.open(QIODevice::WriteOnly) || target.write(writeClass(*written)) < 0 || !target.commit())
        return fail(Fault::Io, ClassTeaching::tr("“%1” cannot be written.").arg(harmlessLine(path)),
            target.errorString(), ClassTeaching::tr("Choose another folder."));
    const auto verdict = verifyClass(*written, dataFolder);
    return verdict ? verdict->fingerprint : QString();
}

} // namespace

ClassTeaching::ClassTeaching(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts)
{
    m_reading.setInterval(readEveryMs);
    connect(&m_reading, &QTimer::timeout, this, &ClassTeaching::readProgress);
}

ClassTeaching::~ClassTeaching() = default;

ClassEditorDialog* ClassTeaching::editor() const { return m_editor; }

void ClassTeaching::open()
{
    if (m_editor) {
        m_editor->raise();
        m_editor->activateWindow();
        return;
    }
    const QString cluster = m_parts.design.spec().cluster;
    ClassFile fresh = newClass(cluster, tr("Our course"), tr("Name, institution"));
    m_editor = new ClassEditorDialog(m_parts.design.catalogue(), fresh, &m_parts.window);
    m_editor->setAttribute(Qt::WA_DeleteOnClose);
    m_editor->setPresent(m_parts.design.spec());
    wire();
    m_editor->show(); // beside the window: the design is made there
}

void ClassTeaching::wire()
{
    ClassEditorDialog* editor = m_editor;
    connect(&m_parts.design, &Design::changed, editor, [this, editor] { editor->setPresent(m_parts.design.spec()); });
    connect(editor, &ClassEditorDialog::openWanted, this, &ClassTeaching::askOpen);
    connect(editor, &ClassEditorDialog::previewWanted, this, &ClassTeaching::preview);
    connect(editor, &ClassEditorDialog::saveWanted, this, &ClassTeaching::askSave);
    connect(editor, &ClassEditorDialog::siteCheckWanted, this, &ClassTeaching::checkSite);
    connect(editor, &ClassEditorDialog::siteCheckStopped, this, &ClassTeaching::stopSite);
    connect(editor, &QObject::destroyed, this, [this] { m_site.reset(); });
    connect(editor, &ClassEditorDialog::progressWanted, this, &ClassTeaching::showProgress);
}

ClusterSession* ClassTeaching::session(const QString& cluster) const
{
    ClusterSession* its = m_parts.connections.session(cluster);
    return its && its->isOnline() ? its : nullptr;
}

void ClassTeaching::report(const Error& why)
{
    if (m_editor)
        m_editor->showOutcome(why.oneLine(), true);
    emit failed(why);
}

void ClassTeaching::askOpen()
{
    auto* dialog = new QFileDialog(m_editor, tr("Open a class file"), QFileInfo(m_path).path());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters({tr("Class files (*.rwclass)"), tr("All files (*)")});
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &ClassTeaching::read);
    dialog->open();
}

void ClassTeaching::read(const QString& path)
{
    const auto reading = QtConcurrent::run([path] { return readForEditing(path); });
    whenDone(reading, this, [this, path](const Result<ClassFile>& read) {
        if (!read) {
            report(read.error());
        } else if (m_editor && m_editor->isChanged()) {
            report({Fault::Invalid, tr("The class in the editor has changes that are not saved."), {},
                tr("Save it, or close the editor, then open the other one.")});
        } else if (m_editor) {
            m_path = path;
            m_editor->setFile(*read);
        }
    });
}

void ClassTeaching::askSave(const ClassFile& file)
{
    auto* dialog = new QFileDialog(m_editor, tr("Sign and save the class"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Class files (*.rwclass)")});
    dialog->setDefaultSuffix(u"rwclass"_s);
    dialog->selectFile(m_path.isEmpty() ? u"course.rwclass"_s : m_path);
    connect(dialog, &QFileDialog::fileSelected, this, [this, file](const QString& path) { save(file, path); });
    dialog->open();
}

void ClassTeaching::save(const ClassFile& file, const QString& path)
{
    const auto writing = QtConcurrent::run(
        [file, path, folder = m_parts.dataFolder] { return signAndWrite(unsignedClass(file), path, folder); });
    whenDone(writing, this, [this, path](const Result<QString>& done) {
        if (!done) {
            report(done.error());
            return;
        }
        m_path = path;
        if (m_editor) {
            m_editor->markSaved();
            m_editor->showOutcome(
                tr("Signed and saved as %1. Show attendees the fingerprint of your key: %2").arg(path, *done), false);
        }
        emit saved(path);
    });
}

void ClassTeaching::preview(const ClassFile& file)
{
    if (const auto fault = classFault(file)) {
        report(*fault);
        return;
    }
    auto* dialog = new ClassPreviewDialog(m_parts.design.catalogue(), file, m_editor);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ClassPreviewDialog::termRequested, this, &ClassTeaching::termRequested);
    dialog->open();
}

void ClassTeaching::checkSite(const ClassFile& file, int people)
{
    ClusterSession* its = session(file.cluster);
    if (!m_editor)
        return;
    if (!its) {
        m_editor->showSiteTrouble(offline(file.cluster));
        emit failed(offline(file.cluster));
        return;
    }
    m_editor->setSiteBusy(true);
    m_site = std::make_unique<QObject>();
    // With the session go its shell and all that waits for it.
    connect(its->guard(), &QObject::destroyed, m_site.get(), [this, cluster = file.cluster] {
        m_site.release()->deleteLater();
        if (m_editor)
            m_editor->showSiteTrouble(offline(cluster));
    });
    askSite(its->shell(), classImages(file), m_site.get(), [this, file, people](const Result<SiteFacts>& asked) {
        m_site.release()->deleteLater(); // not within its own answer
        if (!m_editor)
            return;
        if (!asked) {
            m_editor->showSiteTrouble(asked.error());
            return;
        }
        SiteFacts facts = *asked;
        facts.tried = solutionsTried(file, m_parts.dataFolder);
        m_editor->showSite(checkClassSite(file, m_parts.design.catalogue(), facts, people),
            reservationFit(file, m_parts.design.catalogue(), facts, people));
    });
}

void ClassTeaching::stopSite()
{
    m_site.reset();
    if (m_editor)
        m_editor->setSiteBusy(false);
}

void ClassTeaching::showProgress(const ClassFile& file)
{
    if (m_progress)
        m_progress->close();
    m_progress = new ClassProgressDialog(file, m_editor);
    m_progress->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_progress, &ClassProgressDialog::refreshWanted, this, &ClassTeaching::readProgress);
    connect(m_progress, &QObject::destroyed, this, [this] {
        if (!m_progress) // else another one is open by now
            m_reading.stop();
    });
    m_progress->show();
    m_reading.start();
    readProgress();
}

void ClassTeaching::readProgress()
{
    if (!m_progress || m_progress->file().progressFolder.isEmpty())
        return;
    const ClassFile& file = m_progress->file();
    ClusterSession* its = session(file.cluster);
    if (!its) {
        m_progress->showTrouble(offline(file.cluster));
        return;
    }
    QPointer<ClassProgressDialog> dialog = m_progress;
    collectProgress(its->shell(), file.progressFolder, its->guard(), [dialog](const Result<ReadProgress>& read) {
        if (!dialog)
            return;
        if (read)
            dialog->setProgress(*read, QDateTime::currentDateTimeUtc());
        else
            dialog->showTrouble(read.error());
    });
}

} // namespace rankwright
