// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/classteaching.h"

#include "app/base/headlessprogram.h"
#include "app/base/whendone.h"
#include "app/classroom/classsharing.h"
#include "app/classroom/classsigner.h"
#include "app/classroom/solutiontries.h"
#include "app/session/clustersession.h"
#include "app/window/links/connections.h"
#include "models/core/harmlesstext.h"
#include "models/teaching/classroom/classreader.h"
#include "widgets/classroom/classeditordialog.h"
#include "widgets/classroom/classpreviewdialog.h"
#include "widgets/classroom/classprogressdialog.h"
#include "widgets/classroom/solutiontrial.h"
#include "widgets/window/mainwindow.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>
#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int readEveryMs = 30'000;

Error offline(const Catalogue& catalogue, const QString& cluster)
{
    const ClusterProfile* profile = catalogue.find(cluster);
    return {Fault::Offline,
        ClassTeaching::tr("%1 is not connected.").arg(harmlessLine(profile ? profile->title : cluster)), {},
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
    m_path.clear();
    m_editor = new ClassEditorDialog(m_parts.design.catalogue(), fresh(), &m_parts.window);
    m_editor->setAttribute(Qt::WA_DeleteOnClose);
    m_editor->setPresent(m_parts.design.spec());
    connectEditor();
    m_editor->show(); // beside the window: the design is made there
}

void ClassTeaching::beginNew()
{
    const bool wasOpen = m_editor;
    open();
    if (!wasOpen || keepsChanges())
        return;
    m_path.clear(); // saving must not put it over the other one
    m_editor->setFileName({});
    m_editor->setFile(fresh());
}

void ClassTeaching::openFile()
{
    open();
    askOpen();
}

/// Without an author: a class signed as “Name, institution” is what attendees would be asked to trust.
ClassFile ClassTeaching::fresh() const { return newClass(m_parts.design.spec().cluster, tr("Our course"), {}); }

/// The editor has what is not saved: it says so.
bool ClassTeaching::keepsChanges()
{
    if (!m_editor->isChanged())
        return false;
    reportFailure({Fault::Invalid, tr("The class in the editor has changes that are not saved."), {},
        tr("Save it, or close the editor, then open the other one.")});
    return true;
}

void ClassTeaching::connectEditor()
{
    ClassEditorDialog* editor = m_editor;
    connect(&m_parts.design, &Design::changed, editor, [this, editor] { editor->setPresent(m_parts.design.spec()); });
    connect(editor, &ClassEditorDialog::openWanted, this, &ClassTeaching::askOpen);
    connect(editor, &ClassEditorDialog::previewWanted, this, &ClassTeaching::preview);
    connect(editor, &ClassEditorDialog::saveWanted, this, &ClassTeaching::askSave);
    connect(editor, &ClassEditorDialog::siteCheckWanted, this, &ClassTeaching::checkSite);
    connect(editor, &ClassEditorDialog::siteCheckStopped, this, &ClassTeaching::stopSite);
    connect(editor, &ClassEditorDialog::solutionsWanted, this, &ClassTeaching::runSolutions);
    connect(&editor->solutions(), &SolutionTrial::stopWanted, this, &ClassTeaching::stopSolutions);
    connect(editor, &QObject::destroyed, this, [this] {
        m_site.reset();
        leaveSolutions();
    });
    connect(editor, &ClassEditorDialog::connectWanted, this, [this](const QString& cluster) {
        m_checksOnline = cluster;
        m_parts.connections.connectTo(cluster);
    });
    connect(&m_parts.connections, &Connections::linkChanged, editor, [this](const LinkInfo& link) {
        if (link.cluster == m_triedOn && session(link.cluster))
            beginSolutions();
        if (link.cluster != m_checksOnline || !session(link.cluster))
            return;
        m_checksOnline.clear();
        if (m_editor->file().cluster == link.cluster)
            checkSite(m_editor->file(), m_editor->people());
    });
    const auto giveUp = [this](const QString& cluster, const QString& why) {
        if (m_triedOn == cluster && !m_solutions) {
            m_triedOn.clear();
            m_editor->solutions().showEnd(why, Tone::Bad);
        }
    };
    connect(&m_parts.connections, &Connections::failed, editor,
        [giveUp](const QString& cluster, const Error& why) { giveUp(cluster, why.oneLine()); });
    connect(&m_parts.connections, &Connections::loginDeclined, editor,
        [giveUp](const QString& cluster) { giveUp(cluster, tr("Not connected: nothing was run.")); });
    connect(editor, &ClassEditorDialog::progressWanted, this, &ClassTeaching::showProgress);
}

ClusterSession* ClassTeaching::session(const QString& cluster) const
{
    ClusterSession* its = m_parts.connections.session(cluster);
    return its && its->isOnline() ? its : nullptr;
}

void ClassTeaching::reportFailure(const Error& why)
{
    if (m_editor)
        m_editor->showOutcome(why.oneLine(), Tone::Bad);
    emit failed(why);
}

void ClassTeaching::askOpen()
{
    if (keepsChanges())
        return;
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
            reportFailure(read.error());
        } else if (m_editor && !keepsChanges()) {
            m_path = path;
            m_editor->setFile(*read);
            m_editor->setFileName(harmlessLine(QFileInfo(path).fileName()));
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
            reportFailure(done.error());
            return;
        }
        m_path = path;
        if (m_editor) {
            m_editor->markSaved();
            m_editor->setFileName(harmlessLine(QFileInfo(path).fileName()));
            m_editor->showSaved(path, *done);
        }
        emit classSaved(path);
    });
}

void ClassTeaching::preview(const ClassFile& file)
{
    if (const auto fault = classFault(file)) {
        reportFailure(*fault);
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
        m_editor->showSiteTrouble(offline(m_parts.design.catalogue(), file.cluster));
        emit failed(offline(m_parts.design.catalogue(), file.cluster));
        return;
    }
    m_editor->setSiteBusy(true);
    m_site = std::make_unique<QObject>();
    // With the session go its shell and all that waits for it.
    connect(its->guard(), &QObject::destroyed, m_site.get(), [this, cluster = file.cluster] {
        m_site.release()->deleteLater();
        if (m_editor)
            m_editor->showSiteTrouble(offline(m_parts.design.catalogue(), cluster));
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

/// The cluster is connected first: the practice cluster has to run, and of another one the login is known then.
void ClassTeaching::runSolutions(const ClassFile& file, const QString& cluster)
{
    if (m_solutions || !m_triedOn.isEmpty())
        return;
    const ClusterProfile* profile = m_parts.design.catalogue().find(cluster);
    const QString title = harmlessLine(profile ? profile->title : cluster);
    m_tried = file;
    m_triedOn = cluster;
    if (session(cluster)) {
        beginSolutions();
        return;
    }
    m_editor->solutions().showRunning(tr("Connecting to %1 …").arg(title));
    m_parts.connections.connectTo(cluster);
}

void ClassTeaching::beginSolutions()
{
    if (m_solutions || !m_editor)
        return;
    m_solutions = std::make_unique<SolutionRun>(headlessProgram(), m_parts.dataFolder);
    connect(m_solutions.get(), &SolutionRun::linePrinted, &m_editor->solutions(), &SolutionTrial::addLine);
    connect(m_solutions.get(), &SolutionRun::ended, this, &ClassTeaching::endSolutions);
    m_editor->solutions().showRunning(tr("The solutions are run, one job after the other."));
    if (const auto begun = m_solutions->start(m_tried, m_triedOn); !begun) {
        m_solutions.reset();
        m_triedOn.clear();
        m_editor->solutions().showEnd(begun.error().oneLine(), Tone::Bad);
    }
}

void ClassTeaching::stopSolutions()
{
    if (m_solutions) {
        m_solutions->stop();
        return;
    }
    m_triedOn.clear();
    m_editor->solutions().showEnd(tr("Stopped before anything was submitted."), Tone::Good);
}

/// The dialog was closed: its job is cancelled, which may take some seconds.
void ClassTeaching::leaveSolutions()
{
    m_triedOn.clear();
    if (!m_solutions)
        return;
    SolutionRun* left = m_solutions.release();
    left->disconnect(this);
    left->setParent(this);
    connect(left, &SolutionRun::ended, left, &QObject::deleteLater);
    left->stop();
}

void ClassTeaching::endSolutions(SolutionRunEnd how)
{
    m_solutions.release()->deleteLater(); // within its own signal
    m_triedOn.clear();
    if (!m_editor)
        return;
    const auto tried = solutionsTried(m_tried, m_parts.dataFolder);
    switch (how) {
    case SolutionRunEnd::Passed:
        m_editor->solutions().showEnd(tr("Every check of every exercise was seen."), Tone::Good);
        break;
    case SolutionRunEnd::NotPassed:
        m_editor->solutions().showEnd(tried && !tried->failed.isEmpty()
                ? tr("Not every check was seen for the solution of %1: see below.").arg(tried->failed.join(u", "_s))
                : tr("Not every check was seen: see below."),
            Tone::Bad);
        break;
    case SolutionRunEnd::Stopped:
        m_editor->solutions().showEnd(tr("Stopped; its job was cancelled."), Tone::Good);
        break;
    case SolutionRunEnd::Failed:
        m_editor->solutions().showEnd(tr("Not all solutions were run: the last lines say why."), Tone::Bad);
        break;
    }
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
        m_progress->showTrouble(offline(m_parts.design.catalogue(), file.cluster));
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
