// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/guidecontroller.h"
#include "tests/app/support/windowbench.h"
#include "tests/journeys/support/keyboard.h"
#include "tests/journeys/support/practicebench.h"
#include "tests/journeys/support/tour.h"
#include "widgets/guide/gpupicture.h"
#include "widgets/guide/guidepage.h"
#include "widgets/welcome/welcomepage.h"

#include <QLabel>
#include <QPushButton>

#include <array>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int mostKeys = 12;
constexpr std::array<const char*, 5> pictures{"1-where", "2-what", "3-how-many", "4-fits", "5-script"};

} // namespace

/// The guided first job in the real window, by the keyboard alone: from the Welcome page of a first start to a job that
/// has COMPLETED on the practice cluster and the three sentences about it.
class JourneyGuideTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void init() override;
    void cleanup();
    void fromTheFirstKeyToCompleted();
    void theClusterIsStartedOnTheWay();

private:
    GuidePage* page() const { return m_bench->window().findChild<GuidePage*>(); }
    QString shown() const
    {
        QStringList texts;
        for (const QLabel* label : page()->findChildren<QLabel*>()) {
            if (label->isVisible())
                texts.append(label->text());
        }
        return texts.join(u'\n');
    }

    PracticeBench m_practice;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
};

void JourneyGuideTest::initTestCase()
{
    const QString missing = m_practice.prepare();
    if (!missing.isEmpty())
        QSKIP(qPrintable(missing));
}

void JourneyGuideTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<WindowBench>(m_folder->path());
    QVERIFY(m_bench->start({1280, 800}, {}, true));
}

void JourneyGuideTest::cleanup()
{
    m_bench.reset();
    m_practice.cancelAll();
}

void JourneyGuideTest::fromTheFirstKeyToCompleted()
{
    auto* welcome = m_bench->window().findChild<WelcomePage*>();
    QTRY_VERIFY(welcome && welcome->isVisible());
    Tour tour(*m_bench->workbench);
    tour.capture(u"0-welcome"_s);
    pressKey(Qt::Key_1); // as its first card says
    int keys = 1;
    QTRY_VERIFY(page() && page()->isVisible());
    GuideController& guide = m_bench->workbench->guide();
    // At each step the sensible answer is chosen already: Enter goes on.
    while (guide.step() != GuideStep::Launch) {
        const GuideStep before = guide.step();
        QVERIFY2(QApplication::focusWidget() && page()->isAncestorOf(QApplication::focusWidget()),
            qPrintable(guideStepName(before)));
        tour.capture(QString::fromLatin1(pictures.at(size_t(guideStepIndex(before)))));
        pressKey(Qt::Key_Return);
        ++keys;
        QTRY_VERIFY(guide.step() != before);
        QVERIFY(keys < mostKeys);
    }
    QTRY_VERIFY(page()->nextButton()->isEnabled());
    tour.capture(u"6-launch"_s);
    pressKey(Qt::Key_Return);
    ++keys;
    QTRY_VERIFY2(guide.step() == GuideStep::Watch, qPrintable(shown()));
    QVERIFY2(keys <= mostKeys, qPrintable(QString::number(keys)));
    qInfo("launched after %d keys", keys);
    const JobId job = guide.job();
    QVERIFY(!job.isEmpty());
    QVERIFY(page()->isVisible());
    if (const auto* gpus = page()->findChild<GpuPicture*>(); gpus && qEnvironmentVariableIsSet("RANKWRIGHT_PICTURES"))
        QTRY_VERIFY(gpus->hasGpus() || hasEnded(guide.record().state));
    tour.capture(u"7-watch"_s);
    QTRY_VERIFY(hasEnded(guide.record().state));
    QCOMPARE(guide.record().state, JobState::Completed);
    QTRY_VERIFY(shown().contains(u"Next:"_s));
    QTRY_VERIFY2(shown().contains(u"computing in"_s), qPrintable(shown()));
    qInfo("%s", qPrintable(shown()));
    QVERIFY(shown().contains(u"It cost nothing"_s));
    tour.capture(u"8-end"_s);
    const auto entries = m_bench->workbench->jobLog().newest(u"practice"_s, 10);
    QVERIFY_RESULT(entries);
    QCOMPARE(entries->size(), 1);
    QCOMPARE(entries->first().job, job);
}

/// Nothing runs yet: the first Enter starts the cluster, says how far it is, and goes on by itself.
void JourneyGuideTest::theClusterIsStartedOnTheWay()
{
    PracticeCluster practice;
    bool isDown = false;
    practice.down(&practice, [&](const Result<PracticeStatus>&) { isDown = true; });
    QTRY_VERIFY(isDown && !practice.isBusy());
    GuideController& guide = m_bench->workbench->guide();
    pressKey(Qt::Key_Return); // what the Welcome page has chosen already
    QTRY_VERIFY(page() && page()->isVisible());
    pressKey(Qt::Key_Return);
    QCOMPARE(guide.step(), GuideStep::Where);
    QTRY_VERIFY(shown().contains(u" of "_s) && shown().contains(u"Practice cluster: "_s));
    QTRY_VERIFY2(guide.step() == GuideStep::What, qPrintable(shown()));
    QVERIFY(QApplication::focusWidget() && page()->isAncestorOf(QApplication::focusWidget()));
}

RANKWRIGHT_WIDGET_TEST_MAIN(JourneyGuideTest)
#include "tst_journey_guide.moc"
