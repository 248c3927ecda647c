// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/welcomecontroller.h"

#include "app/base/anotherwindow.h"
#include "app/base/settings.h"
#include "app/base/whendone.h"
#include "app/documents/documents.h"
#include "app/session/practicedesign.h"
#include "app/window/documentactions.h"
#include "app/window/links/connections.h"
#include "models/core/quantitytext.h"
#include "widgets/welcome/welcomepage.h"
#include "widgets/window/mainwindow.h"

#include <QFileInfo>
#include <QLocale>
#include <QtConcurrentRun>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString restoredNote() { return u"restored"_s; }
QString asideNote() { return u"aside"_s; }
QString guideNote() { return u"guide"_s; }
QString earlierNote() { return u"earlier"_s; }
QString waitingNote() { return u"waiting"_s; }

/// Clusters that the program knows by what their operators publish; forms to be filled in and the practice cluster are
/// none.
int countKnown(const Catalogue& catalogue)
{
    return int(std::count_if(catalogue.clusters.cbegin(), catalogue.clusters.cend(), [](const ClusterProfile& profile) {
        return profile.name != QString::fromUtf16(practiceName) && !profile.nodes.isEmpty();
    }));
}

} // namespace

WelcomeController::WelcomeController(WelcomePage& page, const Parts& parts, QObject* parent)
    : QObject(parent), m_page(page), m_parts(parts)
{
    wirePage();
    connect(&m_parts.connections, &Connections::linkChanged, this, &WelcomeController::timePractice);
    connect(&m_parts.window, &MainWindow::pageShown, this, [this] {
        if (m_seen && !m_page.isVisible())
            markWelcomed();
    });
    showFacts();
}

void WelcomeController::wirePage()
{
    connect(&m_page, &WelcomePage::pageShown, this, &WelcomeController::read);
    connect(&m_page, &WelcomePage::guideRequested, this, &WelcomeController::markWelcomed);
    connect(&m_page, &WelcomePage::classFileRequested, this, &WelcomeController::markWelcomed);
    connect(&m_page, &WelcomePage::chooseClusterRequested, this, [this] {
        markWelcomed();
        m_parts.window.showPage(MainWindow::Page::Clusters);
    });
    connect(&m_page, &WelcomePage::watchRequested, this, &WelcomeController::chooseJob);
    connect(&m_page, &WelcomePage::allDesignsRequested, this, [this] {
        markWelcomed();
        emit m_parts.window.openRequested();
    });
    connect(&m_page, &WelcomePage::designRequested, this, [this](const QString& path) {
        markWelcomed();
        m_parts.actions.openAfterAsking(path);
    });
    connect(&m_page, &WelcomePage::designRemoved, this, &WelcomeController::removeDesign);
    connect(&m_page, &WelcomePage::templateRequested, this, &WelcomeController::begin);
    connect(&m_page, &WelcomePage::noteActed, this, &WelcomeController::followNote);
    connect(&m_page, &WelcomePage::noteDismissed, this, [this](const QString& note) {
        if (note == guideNote())
            emit guideDismissed();
        else if (note == earlierNote())
            emit earlierDismissed();
        dropNote(note);
        noteGuide();
    });
    connect(&m_page, &WelcomePage::noteOtherActed, this, [this] {
        markWelcomed();
        emit guideRestarted();
    });
}

void WelcomeController::setGuide(int steps, int minutes)
{
    m_facts.guideSteps = steps;
    m_facts.guideMinutes = minutes;
    showFacts();
}

void WelcomeController::showFacts()
{
    m_facts.clusters = countKnown(m_parts.design.catalogue());
    m_facts.practiceSeconds = m_parts.settings.practiceSeconds();
    m_page.setFacts(m_facts);
}

bool WelcomeController::isFirstStart() const { return !m_parts.settings.welcomed(); }

void WelcomeController::markWelcomed()
{
    if (!m_parts.settings.welcomed())
        m_parts.settings.setWelcomed(true);
}

/// On another thread: files may lie on a file system that does not answer, and templates are tried on the cluster.
void WelcomeController::read()
{
    m_seen = true;
    noteGuide();
    const int asked = ++m_asked;
    const Catalogue catalogue = m_parts.design.catalogue();
    const QStringList paths = m_parts.settings.recentDesigns();
    const QString cluster = m_parts.design.spec().cluster;
    const QFuture<Contents> reading = QtConcurrent::run([catalogue, paths, cluster] {
        const ClusterProfile* profile = catalogue.find(cluster);
        return Contents{
            readRecentDesigns(paths, catalogue), profile ? designTemplates(*profile) : QList<DesignTemplate>()};
    });
    whenDone(reading, this, [this, asked, cluster](const Contents& contents) {
        if (asked != m_asked) // what was asked later is newer
            return;
        const ClusterProfile* profile = m_parts.design.catalogue().find(cluster);
        m_page.setDesigns(contents.designs);
        m_page.setTemplates(contents.templates, profile ? profile->title : QString());
    });
    showFacts();
}

void WelcomeController::removeDesign(const QString& path)
{
    const QStringList before = m_parts.settings.recentDesigns();
    if (!m_parts.settings.removeRecentDesign(path))
        return;
    read();
    m_parts.window.showNotice({Notice::Document, u"recent"_s},
        tr("%1 is not listed any more; the file stays where it is.").arg(QFileInfo(path).fileName()), tr("Undo"),
        [this, before] {
            m_parts.settings.setRecentDesigns(before);
            read();
        });
}

void WelcomeController::begin(const QString& templateId)
{
    const ClusterProfile* profile = m_parts.design.catalogue().find(m_parts.design.spec().cluster);
    if (!profile) {
        m_parts.window.showNotice(Notice::Document, tr("Choose a cluster first."), tr("Choose a cluster"),
            [this] { m_parts.window.showPage(MainWindow::Page::Clusters); });
        return;
    }
    DesignTemplate made = designTemplate(templateId, *profile);
    if (!made.isOffered()) {
        m_parts.window.showNotice(Notice::Document, made.whyNot, tr("Choose another cluster"),
            [this] { m_parts.window.showPage(MainWindow::Page::Clusters); });
        return;
    }
    markWelcomed();
    if (profile->name == QString::fromUtf16(practiceName))
        made.spec.account = workshopDesign().account; // there is but this one
    m_parts.actions.beginAfterAsking(made.spec, [this, title = made.title, cluster = profile->title] {
        m_parts.window.showNotice(Notice::Document,
            tr("“%1” is an ordinary design for %2 now: put your own program and account into it.").arg(title, cluster));
    });
}

/// Never a dead end: without a connection the way to one is offered where the jobs will be.
void WelcomeController::chooseJob()
{
    markWelcomed();
    m_parts.window.showPage(MainWindow::Page::Jobs);
    const QList<ClusterSession*> sessions = m_parts.connections.sessions();
    if (!sessions.isEmpty())
        return;
    m_parts.window.showNotice(Notice::Connection,
        tr("Jobs of a cluster are listed here once it is connected; those that were launched from here stay listed."),
        tr("Choose the cluster"), [this] { m_parts.window.showPage(MainWindow::Page::Clusters); });
}

void WelcomeController::noteStart()
{
    m_notes.clear();
    const RestoredWork& work = m_parts.documents.restoredWork();
    const QString when
        = work.keptAt.isValid() ? QLocale().toString(work.keptAt, QLocale::ShortFormat) : tr("at an unknown time");
    if (work.kind == RestoredWork::Kind::Restored)
        m_notes.append({restoredNote(),
            work.file.isEmpty()
                ? tr("Unsaved work was restored: “%1”, as it was %2. It has no file yet.").arg(work.title, when)
                : tr("Unsaved work was restored: “%1”, as it was %2. Its file is as it was saved before.")
                      .arg(work.title, when),
            tr("Go on with it"), Tone::Plain, {}, {}});
    else if (work.kind == RestoredWork::Kind::SetAside)
        m_notes.append(
            {asideNote(), work.movedTo.isEmpty() ? work.why : tr("%1 It is kept in %2.").arg(work.why, work.movedTo),
                work.readable && !work.movedTo.isEmpty() ? tr("Open it all the same") : QString(), Tone::Warn, {}, {}});
    if (const int waiting = m_parts.documents.otherDraftsWaiting(); waiting > 0)
        m_notes.append({waitingNote(),
            waiting == 1 ? tr("Another window ended without saving: its design waits.")
                         : tr("%1 other windows ended without saving: their designs wait.").arg(waiting),
            tr("Open it in a window of its own"), Tone::Plain, {}, {}});
    noteGuide();
}

/// Above the others, as it is now. Of two that were left none is lost for a third.
void WelcomeController::noteGuide()
{
    m_notes.removeIf([](const WelcomeNote& note) { return note.id == guideNote() || note.id == earlierNote(); });
    const auto left = m_guideLeft ? m_guideLeft() : std::nullopt;
    const auto earlier = m_earlierLeft ? m_earlierLeft() : std::nullopt;
    if (earlier)
        m_notes.prepend({earlierNote(),
            tr("The first job that you left for it waits at “%1”, until another one is launched.").arg(earlier->name),
            tr("Back to that one (step %1 of %2)").arg(earlier->step).arg(m_facts.guideSteps.value_or(0)), Tone::Plain,
            {}, tr("Dismiss")});
    if (left)
        m_notes.prepend({guideNote(),
            tr("Your guided first job waits where you left it, at “%1”, with all of its answers.").arg(left->name),
            tr("Go on with your first job (step %1 of %2)").arg(left->step).arg(m_facts.guideSteps.value_or(0)),
            Tone::Plain, earlier ? QString() : tr("Start over"), tr("Dismiss")});
    m_page.setNotes(m_notes);
    m_facts.guideAt = left ? left->step : 0;
    showFacts();
}

void WelcomeController::dropNote(const QString& id)
{
    m_notes.removeIf([&id](const WelcomeNote& note) { return note.id == id; });
    m_page.setNotes(m_notes);
}

void WelcomeController::followNote(const QString& note)
{
    markWelcomed();
    dropNote(note);
    if (note == guideNote())
        emit guideResumed();
    else if (note == earlierNote())
        emit earlierResumed();
    else if (note == restoredNote())
        m_parts.window.showPage(MainWindow::Page::Design);
    else if (note == asideNote())
        m_parts.actions.openAfterAsking(m_parts.documents.restoredWork().movedTo);
    else if (note == waitingNote())
        openAnotherWindow();
}

void WelcomeController::openAnotherWindow()
{
    if (const auto started = startAnotherWindow(m_parts.dataFolder); !started)
        m_parts.window.showNotice(Notice::Document, started.error().oneLine());
}

/// The figure that the page names is this machine's own.
void WelcomeController::timePractice(const LinkInfo& link)
{
    if (link.cluster != QString::fromUtf16(practiceName))
        return;
    if (link.state == LinkState::Connecting && link.activityFraction && !m_practiceStarts) {
        m_practiceStarts = true;
        m_practice.start();
    } else if (link.state == LinkState::Online && m_practiceStarts) {
        m_practiceStarts = false;
        m_parts.settings.setPracticeSeconds(std::max(1, int((m_practice.elapsed() + 500) / 1000)));
        showFacts();
    } else if (link.state == LinkState::Offline || link.state == LinkState::Lost) {
        m_practiceStarts = false;
    }
}

} // namespace rankwright
