// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/firststeps.h"

#include "app/base/settings.h"
#include "app/documents/documents.h"
#include "app/window/classcontroller.h"
#include "app/window/classteaching.h"
#include "app/window/documentactions.h"
#include "app/window/guidecontroller.h"
#include "app/window/jobactions.h"
#include "app/window/launchcontroller.h"
#include "app/window/links/connections.h"
#include "app/window/pages/livecontroller.h"
#include "app/window/welcomecontroller.h"
#include "models/planner/design/fieldtable.h"
#include "models/script/document/design.h"
#include "models/tables/grid/gpugrid.h"
#include "models/teaching/classroom/classplace.h"
#include "models/teaching/classroom/classrules.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "widgets/base/card.h"
#include "widgets/design/designpage.h"
#include "widgets/guide/gpupicture.h"
#include "widgets/guide/guidepage.h"
#include "widgets/learn/termguide.h"
#include "widgets/motion/motioncard.h"
#include "widgets/welcome/welcomepage.h"
#include "widgets/window/mainwindow.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// What the guided first job usually takes, most of it waiting for the practice cluster and the job.
constexpr int guideMinutes = 5;

/// A class's present exercise, for the guide: what it sets, and what it allows of the rest.
std::optional<GuideSettled> settledBy(const ClassController& classes, const Catalogue& catalogue)
{
    if (!classes.file())
        return {};
    const ClassFile& file = *classes.file();
    const ClassExercise& exercise = file.exercises.at(classes.place().index(file));
    GuideSettled settled;
    settled.id = u"%1 %2"_s.arg(classDigest(file), exercise.id);
    for (const SpecField& row : specFields()) {
        if (!isOpenField(file, exercise, row.path))
            settled.locks.insert(row.path, FirstSteps::tr("The class sets this."));
    }
    for (const LockedField& locked : lockedFields(file, exercise))
        settled.locks.insert(locked.field, FirstSteps::tr("The class sets this to %1.").arg(locked.value));
    settled.kept = [file, exercise](const JobSpec& spec) { return enforce(file, exercise, spec).spec; };
    settled.refusal = [file, exercise, &catalogue](const JobSpec& spec) {
        const ClusterProfile* profile = catalogue.find(spec.cluster);
        if (!profile)
            return QString();
        const auto findings = classFindings(file, exercise, resolve(spec, *profile), QDateTime::currentDateTimeUtc());
        const auto refused = std::find_if(findings.cbegin(), findings.cend(),
            [](const Finding& finding) { return finding.severity == Severity::Error; });
        return refused == findings.cend() ? QString() : refused->text;
    };
    return settled;
}

/// How the desktop hands a link to a class over.
constexpr QLatin1StringView classLink("rankwright:");

} // namespace

FirstSteps::FirstSteps(const Parts& parts, QObject* parent) : QObject(parent), m_parts(parts)
{
    buildTerms();
    buildGuide();
    buildWelcome();
    buildClasses();
}

FirstSteps::~FirstSteps()
{
    m_guide->setSettled({});
    m_classes.reset();
    m_welcome.reset();
    m_guide.reset();
}

bool FirstSteps::isClass(const QString& given)
{
    return given.startsWith(classLink) || given.endsWith(u".rwclass"_s, Qt::CaseInsensitive);
}

void FirstSteps::beginClass(const QString& given)
{
    if (given.startsWith(classLink))
        m_classes->openLink(given);
    else if (isClass(given))
        m_classes->open(given);
    else if (given.isEmpty())
        m_classes->restore();
}

void FirstSteps::showWelcome()
{
    m_parts.window.showPage(MainWindow::Page::Welcome);
    m_parts.window.clearNotice(Notice::Connection); // the page says how to connect
    m_welcomePage->focusFirst();
}

bool FirstSteps::wantsWelcome() const
{
    return m_welcome->isFirstStart() || m_guide->kept()
        || m_parts.documents.restoredWork().kind != RestoredWork::Kind::Nothing;
}

void FirstSteps::buildGuide()
{
    auto* page = new GuidePage;
    m_parts.window.setPage(MainWindow::Page::Guide, page);
    m_guide
        = std::make_unique<GuideController>(GuideController::Parts{m_parts.design, m_parts.documents, m_parts.actions,
                                                m_parts.connections, m_parts.launch, m_parts.log, *page},
            m_parts.dataFolder);
    m_guide->setShelf({[this] { return m_parts.settings.guidePlace(m_parts.documents.draft()); },
        [this](const QByteArray& place) { m_parts.settings.setGuidePlace(place, m_parts.documents.draft()); }});
    connect(m_guide.get(), &GuideController::asideChanged, this, &FirstSteps::sayWhatIsAside);
    m_guide->setKnownClusters([this] { return m_parts.settings.recentClusters(); });
    connect(&m_parts.window, &MainWindow::guideRequested, m_guide.get(), &GuideController::begin);
    connect(m_guide.get(), &GuideController::pageWanted, this, [this] {
        m_parts.window.showPage(MainWindow::Page::Guide);
        m_parts.window.clearNotice(Notice::Connection); // its first step connects
    });
    connect(m_guide.get(), &GuideController::designWanted, this, &FirstSteps::designWanted);
    connect(m_guide.get(), &GuideController::liveWanted, &m_parts.jobActions, &JobActions::watch);
    connect(m_guide.get(), &GuideController::reportWanted, this, &FirstSteps::reportWanted);
    connect(
        m_guide.get(), &GuideController::jobsWanted, this, [this] { m_parts.window.showPage(MainWindow::Page::Jobs); });
    connect(page, &GuidePage::termRequested, m_terms, &TermGuide::show);
    connect(&m_parts.window, &MainWindow::pageShown, page, [this, page](MainWindow::Page shown) {
        if (shown == MainWindow::Page::Guide && !page->findChild<GpuPicture*>())
            addGuidePictures(*page);
    });
}

/// When the page is first shown: not needed at the start.
void FirstSteps::addGuidePictures(GuidePage& page)
{
    auto* motion = new MotionCard;
    const auto follow = [this, motion] {
        if (m_parts.window.page() == MainWindow::Page::Guide)
            motion->setFigures(motionFigures(
                m_parts.design.derived().resolved, m_parts.design.derived().batch, m_parts.design.derived().estimate));
    };
    connect(&m_parts.design, &Design::changed, motion, follow);
    connect(&m_parts.window, &MainWindow::pageShown, motion, follow);
    follow(); // the page is shown already
    auto* card = new Card(motion->title());
    card->body()->addWidget(motion);
    connect(motion, &MotionCard::titleChanged, card, &Card::setTitle);
    page.setPicture(GuideStep::Fits, card);
    page.setPicture(GuideStep::Watch, new GpuPicture(m_parts.grid));
}

void FirstSteps::buildWelcome()
{
    m_welcomePage = new WelcomePage;
    m_parts.window.setPage(MainWindow::Page::Welcome, m_welcomePage);
    m_welcome = std::make_unique<WelcomeController>(*m_welcomePage,
        WelcomeController::Parts{m_parts.design, m_parts.documents, m_parts.actions, m_parts.settings,
            m_parts.connections, m_parts.window, m_parts.dataFolder});
    m_welcome->setGuide(guideSteps, guideMinutes);
    using Left = std::optional<WelcomeController::GuideLeft>;
    const auto words = [](const std::optional<GuidePlace>& place) {
        return place ? Left({guideStepIndex(place->step) + 1, guideStepName(place->step)}) : Left();
    };
    m_welcome->setGuideLeft(
        [this, words] { return words(m_guide->left()); }, [this, words] { return words(m_guide->earlier()); });
    connect(m_welcome.get(), &WelcomeController::guideResumed, m_guide.get(), &GuideController::begin);
    connect(m_welcome.get(), &WelcomeController::guideRestarted, m_guide.get(), &GuideController::beginNew);
    connect(m_welcome.get(), &WelcomeController::guideDismissed, m_guide.get(), &GuideController::dismiss);
    connect(m_welcome.get(), &WelcomeController::earlierResumed, m_guide.get(), &GuideController::resumeEarlier);
    connect(m_welcome.get(), &WelcomeController::earlierDismissed, m_guide.get(), &GuideController::dismissEarlier);
    connect(m_welcomePage, &WelcomePage::guideRequested, m_guide.get(), &GuideController::begin);
    connect(&m_parts.window, &MainWindow::welcomeRequested, this, &FirstSteps::showWelcome);
    connect(&m_parts.window, &MainWindow::newWindowRequested, m_welcome.get(), &WelcomeController::openAnotherWindow);
}

/// One click back, as long as there is something to go back to.
void FirstSteps::sayWhatIsAside()
{
    const NoticeKey key{Notice::Document, u"guide"_s};
    if (const auto aside = m_guide->earlier())
        m_parts.window.showNotice(key,
            tr("The first job that you left at “%1” is kept until another one is launched.")
                .arg(guideStepName(aside->step)),
            tr("Back to it"), [this] { m_guide->resumeEarlier(); });
    else
        m_parts.window.clearNotice(key);
}

void FirstSteps::buildTerms()
{
    m_terms = new TermGuide(&m_parts.window, m_parts.design);
    connect(&m_parts.window, &MainWindow::wordsRequested, m_terms, [this] { m_terms->showWords(); });
    connect(m_terms, &TermGuide::nodesRequested, this, &FirstSteps::designWanted);
}

void FirstSteps::buildClasses()
{
    m_classes = std::make_unique<ClassController>(
        ClassController::Parts{m_parts.design, *m_parts.window.pages().design, m_parts.documents, m_parts.actions,
            m_parts.connections, m_parts.launch, m_parts.log, m_parts.settings, m_parts.window, m_parts.dataFolder});
    ClassController* classes = m_classes.get();
    m_guide->setSettled([this, classes] { return settledBy(*classes, m_parts.design.catalogue()); });
    connect(m_welcomePage, &WelcomePage::classFileRequested, classes, &ClassController::open);
    connect(&m_parts.actions, &DocumentActions::classFileDropped, classes, &ClassController::open);
    connect(&m_parts.window, &MainWindow::classFileRequested, classes, [classes] { classes->open(); });
    connect(&m_parts.window, &MainWindow::shippedClassRequested, classes, &ClassController::openShipped);
    m_parts.window.setShippedClasses(shippedClassTitles);
    connect(classes, &ClassController::designWanted, this, &FirstSteps::designWanted);
    connect(classes, &ClassController::termRequested, m_terms, &TermGuide::show);
    connect(classes, &ClassController::courseChanged, m_terms, &TermGuide::setCourse);
    connect(&m_parts.jobActions, &JobActions::watchRequested, classes,
        [this](const JobId&, const QString& cluster) { m_classes->follow(m_parts.live.watch(), cluster); });
    auto* teaching
        = new ClassTeaching({m_parts.design, m_parts.connections, m_parts.window, m_parts.dataFolder}, classes);
    connect(&m_parts.window, &MainWindow::teachingRequested, teaching, &ClassTeaching::open);
    connect(&m_parts.window, &MainWindow::newClassRequested, teaching, &ClassTeaching::beginNew);
    connect(&m_parts.window, &MainWindow::classEditRequested, teaching, &ClassTeaching::openFile);
    connect(teaching, &ClassTeaching::termRequested, m_terms, &TermGuide::show);
}

} // namespace rankwright
