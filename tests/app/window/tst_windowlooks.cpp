// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/classcontroller.h"
#include "app/window/firststeps.h"
#include "app/window/guidecontroller.h"
#include "models/cluster/slurm/submitstate.h"
#include "tests/app/support/windowbench.h"
#include "tests/widgets/support/readable.h"
#include "widgets/base/theme.h"
#include "widgets/classroom/classconsentdialog.h"
#include "widgets/classroom/classpanel.h"
#include "widgets/design/designpage.h"
#include "widgets/design/designpicture.h"
#include "widgets/guide/guidepage.h"
#include "widgets/motion/motioncard.h"

#include <QDir>
#include <QPushButton>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Every page and state in every look and size: nothing cut, nothing over another, nothing nameless, nothing pale, no
/// way in without a way out. With RANKWRIGHT_SHOTS=FOLDER each is written there as a picture, to be looked at.
class WindowLooksTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void isReadable_data();
    void isReadable();
    void letsTabThrough_data();
    void letsTabThrough();
    void picturesAreSaid_data();
    void picturesAreSaid();

private:
    struct State {
        QString name;
        std::function<void(WindowLooksTest&)> enter;
    };
    static QList<State> states();
    void show(MainWindow::Page page);
    void design(const std::function<void(JobSpec&)>& change);
    void part(DesignPicture::Part part);
    void frame(int frame);
    void attend(const QString& name, int exercise);
    void guideTo(GuideStep step);
    void photograph(const QString& name, const QString& look) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::WindowBench> m_bench;
};

void WindowLooksTest::init()
{
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise|grabbing)).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<test::WindowBench>(m_folder->path());
    QVERIFY(m_bench->start());
}

void WindowLooksTest::show(MainWindow::Page page) { m_bench->window().showPage(page); }

void WindowLooksTest::design(const std::function<void(JobSpec&)>& change)
{
    JobSpec spec;
    spec.name = u"llama8b"_s;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    spec.time = Seconds{12 * 3600};
    spec.command = u"train.py --config 8b.yaml"_s;
    spec.resources.nodes = 2;
    spec.training.globalBatch = 512;
    spec.training.microBatch = 4;
    change(spec);
    m_bench->design().replace(spec);
    show(MainWindow::Page::Design);
}

void WindowLooksTest::part(DesignPicture::Part part)
{
    auto* picture = m_bench->window().findChild<DesignPicture*>();
    QVERIFY(picture);
    picture->showPart(part);
}

void WindowLooksTest::frame(int frame)
{
    auto* card = m_bench->window().findChild<MotionCard*>();
    QVERIFY(card);
    card->showFrame(frame);
}

/// A class, at one of its exercises.
void WindowLooksTest::attend(const QString& name, int exercise)
{
    ClassController& classes = m_bench->workbench->classes();
    classes.openShipped(name);
    QVERIFY(classes.question());
    classes.question()->accept();
    QVERIFY(classes.isActive());
    QTRY_VERIFY(!classes.question());
    QApplication::setActiveWindow(&m_bench->window()); // as the desktop does when the question goes
    QApplication::processEvents();
    emit classes.panel()->exerciseWanted(exercise);
    QCOMPARE(classes.panel()->exercise(), exercise);
}

void WindowLooksTest::guideTo(GuideStep step)
{
    GuideController& guide = m_bench->workbench->guide();
    guide.begin();
    for (int clicks = 0; clicks < 10 && guide.step() != step; ++clicks)
        m_bench->window().findChild<GuidePage*>()->nextButton()->click();
    QCOMPARE(guide.step(), step);
}

QList<WindowLooksTest::State> WindowLooksTest::states()
{
    using Part = DesignPicture::Part;
    const auto model = [](const char* name) { return QJsonObject{{u"preset"_s, QString::fromLatin1(name)}}; };
    const auto everything
        = QStringList{u"model"_s, u"job"_s, u"strategy"_s, u"batch"_s, u"resources"_s, u"launch"_s, u"slurm"_s};
    return {{u"welcome"_s, [](auto& t) { t.m_bench->workbench->firstSteps().showWelcome(); }},
        {u"guide"_s, [](auto& t) { t.m_bench->workbench->guide().begin(); }},
        {u"guide-how-many"_s, [](auto& t) { t.guideTo(GuideStep::HowMany); }},
        {u"guide-fits"_s, [](auto& t) { t.guideTo(GuideStep::Fits); }},
        {u"guide-script"_s, [](auto& t) { t.guideTo(GuideStep::Script); }},
        {u"design-empty"_s, [](auto& t) { t.show(MainWindow::Page::Design); }},
        {u"design-nodes"_s, [model](auto& t) { t.design([&](JobSpec& s) { s.model = model("llama-3-8b"); }); }},
        {u"design-strategy-without-model"_s,
            [](auto& t) {
                t.design([](JobSpec& s) {
                    s.model = {};
                    s.parallel.strategy = Strategy::Fsdp;
                });
                t.part(Part::Strategy);
            }},
        {u"design-strategy"_s,
            [model](auto& t) {
                t.design([&](JobSpec& s) {
                    s.model = model("llama-3-8b");
                    s.parallel.strategy = Strategy::Fsdp;
                });
                t.part(Part::Strategy);
            }},
        {u"design-motion"_s,
            [model](auto& t) {
                t.design([&](JobSpec& s) {
                    s.model = model("llama-3-8b");
                    s.parallel.strategy = Strategy::ThreeD;
                    s.parallel.tensor = 4;
                    s.parallel.pipeline = 2;
                });
                t.part(Part::Motion);
            }},
        {u"design-motion-no-model"_s,
            [](auto& t) {
                t.design([](JobSpec& s) { s.parallel.strategy = Strategy::Ddp; });
                t.part(Part::Motion);
            }},
        {u"design-motion-ring"_s,
            [model](auto& t) {
                t.design([&](JobSpec& s) {
                    s.model = model("gpt2");
                    s.parallel.strategy = Strategy::Ddp;
                });
                t.part(Part::Motion);
                t.frame(4);
            }},
        {u"design-motion-bubble"_s,
            [model](auto& t) {
                t.design([&](JobSpec& s) {
                    s.model = model("llama-3-8b");
                    s.parallel.strategy = Strategy::Pipeline;
                    s.parallel.pipeline = 8;
                });
                t.part(Part::Motion);
                t.frame(6);
            }},
        {u"design-submitted"_s,
            [model](auto& t) {
                t.design([&](JobSpec& s) { s.model = model("gpt2"); });
                SubmitState state;
                state.stage = SubmitState::Stage::Sending;
                t.m_bench->workbench->designPage().showSubmitState(state);
                state.stage = SubmitState::Stage::Submitted;
                state.text = u"Submitted as job 9304946."_s;
                state.job = u"9304946"_s;
                t.m_bench->workbench->designPage().showSubmitState(state);
            }},
        {u"design-unfolded"_s,
            [model, everything](auto& t) {
                t.design([&](JobSpec& s) {
                    s.model = model("llama-3-8b");
                    s.resources.memoryPerNode = Bytes::gib(100000);
                });
                t.m_bench->workbench->designPage().setOpenSections(everything);
            }},
        {u"design-script-folded"_s,
            [model](auto& t) {
                t.design([&](JobSpec& s) { s.model = model("llama-3-8b"); });
                t.m_bench->workbench->designPage().setScriptFolded(true);
            }},
        {u"class"_s, [](auto& t) { t.attend(u"lumi-ai-course-practice"_s, 0); }},
        {u"class-binding"_s, [](auto& t) { t.attend(u"lumi-ai-course-practice"_s, 2); }},
        {u"plan"_s, [](auto& t) { t.show(MainWindow::Page::Plan); }},
        {u"jobs"_s, [](auto& t) { t.show(MainWindow::Page::Jobs); }},
        {u"live"_s, [](auto& t) { t.show(MainWindow::Page::Live); }},
        {u"clusters"_s, [](auto& t) { t.show(MainWindow::Page::Clusters); }}};
}

void WindowLooksTest::isReadable_data()
{
    QTest::addColumn<int>("state");
    QTest::addColumn<int>("mode");
    for (int state = 0; state < int(states().size()); ++state) {
        for (const auto& [name, mode] : {std::pair{"light", Theme::Mode::Light}, {"dark", Theme::Mode::Dark},
                 {"high contrast", Theme::Mode::HighContrast}})
            QTest::addRow("%s, %s", qPrintable(states().at(state).name), name) << state << int(mode);
    }
}

void WindowLooksTest::photograph(const QString& name, const QString& look) const
{
    const QString folder = qEnvironmentVariable("RANKWRIGHT_SHOTS");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    const QSize size = m_bench->window().size();
    m_bench->window().grab().save(u"%1/%2_%3_%4x%5.png"_s.arg(folder, name, look).arg(size.width()).arg(size.height()));
}

void WindowLooksTest::isReadable()
{
    QFETCH(int, state);
    QFETCH(int, mode);
    const State shown = states().at(state);
    MainWindow& window = m_bench->window();
    themeOf(&window).setMode(Theme::Mode(mode));
    shown.enter(*this);
    QStringList faults;
    // 960 x 540: twice the size of everything on a screen of 1920 x 1080.
    for (const QSize size : {QSize(1920, 1080), QSize(1280, 800), QSize(1024, 700), QSize(960, 540)}) {
        window.resize(size);
        for (int round = 0; round < 4; ++round)
            QApplication::processEvents();
        // Texts that wrap are given their height one after another.
        (void)test::comes([&window] { return test::clippedTexts(window).isEmpty(); });
        photograph(shown.name, QStringList{u"system"_s, u"light"_s, u"dark"_s, u"contrast"_s}.at(mode));
        const auto note = [&](const char* what, const QStringList& found) {
            for (const QString& each : found)
                faults.append(u"%1×%2, %3: %4"_s.arg(size.width()).arg(size.height()).arg(QLatin1String(what), each));
        };
        note("cut", test::clippedTexts(window));
        note("overlaps", test::overlappingTexts(window));
        note("nameless", test::namelessControls(window));
        // Colours do not change with the size.
        if (size.width() == 1280)
            note("pale", test::paleTexts(window, Theme::Mode(mode) == Theme::Mode::HighContrast ? 7.0 : 4.5));
    }
    faults.removeDuplicates();
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

void WindowLooksTest::letsTabThrough_data()
{
    QTest::addColumn<int>("state");
    for (int state = 0; state < int(states().size()); ++state)
        QTest::addRow("%s", qPrintable(states().at(state).name)) << state;
}

/// From any state Tab comes round to where it began.
void WindowLooksTest::letsTabThrough()
{
    QFETCH(int, state);
    states().at(state).enter(*this);
    QApplication::processEvents();
    MainWindow& window = m_bench->window();
    QWidget* const begin = test::tabStops(window).first();
    begin->setFocus(Qt::TabFocusReason);
    QSet<QWidget*> met;
    QWidget* focus = begin;
    for (int i = 0; i < 600; ++i) {
        met.insert(focus);
        QTest::keyClick(focus, Qt::Key_Tab);
        focus = QApplication::focusWidget();
        QVERIFY(focus);
        if (focus == begin)
            break;
    }
    QVERIFY2(focus == begin, qPrintable(u"Tab stays at "_s + test::nameOf(focus)));
    QStringList missed;
    for (QWidget* stop : test::tabStops(window)) {
        if (!met.contains(stop))
            missed.append(test::nameOf(stop));
    }
    QVERIFY2(missed.isEmpty(), qPrintable(missed.join(u'\n')));
}

void WindowLooksTest::picturesAreSaid_data() { letsTabThrough_data(); }

/// Whatever is painted in any state is heard as well.
void WindowLooksTest::picturesAreSaid()
{
    QFETCH(int, state);
    states().at(state).enter(*this);
    m_bench->window().resize(1920, 1080);
    for (int round = 0; round < 4; ++round)
        QApplication::processEvents();
    const QStringList mute = test::mutePictures(m_bench->window());
    QVERIFY2(mute.isEmpty(), qPrintable(mute.join(u'\n')));
}

RANKWRIGHT_WIDGET_TEST_MAIN(WindowLooksTest)
#include "tst_windowlooks.moc"
