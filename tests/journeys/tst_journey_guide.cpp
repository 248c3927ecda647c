// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/guidecontroller.h"
#include "tests/app/support/windowbench.h"
#include "tests/journeys/support/practicebench.h"
#include "widgets/guide/guidepage.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int mostKeys = 12;
constexpr int mostMs = 3 * 60 * 1000; // to the launch

/// A key to whatever has the focus, as a keyboard sends it.
void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QWidget* at = QApplication::activePopupWidget();
    if (!at)
        at = QApplication::focusWidget();
    if (!at)
        at = QApplication::activeWindow();
    QTest::keyClick(at, Qt::Key(key), modifiers);
}

} // namespace

/// The guided first job in the real window, by the keyboard alone: from the start to a job that has COMPLETED on the
/// practice cluster and the three sentences about it.
class JourneyGuideTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        const QString missing = m_practice.prepare();
        if (!missing.isEmpty())
            QSKIP(qPrintable(missing));
    }
    void init() override
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<WindowBench>(m_folder->path());
        QVERIFY(m_bench->start());
    }
    void cleanup()
    {
        m_bench.reset();
        m_practice.cancelAll();
    }
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

void JourneyGuideTest::fromTheFirstKeyToCompleted()
{
    QElapsedTimer clock;
    clock.start();
    int keys = 0;
    m_bench->workbench->guide().begin(); // what the welcome page's first button does
    QTRY_VERIFY(page() && page()->isVisible());
    GuideController& guide = m_bench->workbench->guide();
    // At each step the sensible answer is chosen already: Enter goes on.
    while (guide.step() != GuideStep::Launch) {
        const GuideStep before = guide.step();
        QVERIFY2(QApplication::focusWidget() && page()->isAncestorOf(QApplication::focusWidget()),
            qPrintable(guideStepName(before)));
        press(Qt::Key_Return);
        ++keys;
        QTRY_VERIFY_WITH_TIMEOUT(guide.step() != before, 60000);
        QVERIFY(keys < mostKeys);
    }
    QTRY_VERIFY_WITH_TIMEOUT(page()->nextButton()->isEnabled(), 60000);
    press(Qt::Key_Return);
    ++keys;
    QTRY_VERIFY2_WITH_TIMEOUT(guide.step() == GuideStep::Watch, qPrintable(shown()), 60000);
    QVERIFY2(keys <= mostKeys, qPrintable(QString::number(keys)));
    QVERIFY2(clock.elapsed() < mostMs, qPrintable(QString::number(clock.elapsed())));
    qInfo("launched after %d keys and %lld ms", keys, clock.elapsed());
    const JobId job = guide.job();
    QVERIFY(!job.isEmpty());
    QVERIFY(page()->isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(guide.record().state), 240000);
    QCOMPARE(guide.record().state, JobState::Completed);
    QTRY_VERIFY_WITH_TIMEOUT(shown().contains(u"Next:"_s), 60000);
    QTRY_VERIFY2_WITH_TIMEOUT(shown().contains(u"computing in"_s), qPrintable(shown()), 60000);
    qInfo("%s", qPrintable(shown()));
    QVERIFY(shown().contains(u"It cost nothing"_s));
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
    QTRY_VERIFY_WITH_TIMEOUT(isDown && !practice.isBusy(), 60000);
    GuideController& guide = m_bench->workbench->guide();
    guide.begin();
    QTRY_VERIFY(page() && page()->isVisible());
    press(Qt::Key_Return);
    QCOMPARE(guide.step(), GuideStep::Where);
    QTRY_VERIFY_WITH_TIMEOUT(shown().contains(u" of "_s) && shown().contains(u"Practice cluster: "_s), 30000);
    QTRY_VERIFY2_WITH_TIMEOUT(guide.step() == GuideStep::What, qPrintable(shown()), 90000);
    QVERIFY(QApplication::focusWidget() && page()->isAncestorOf(QApplication::focusWidget()));
}

RANKWRIGHT_WIDGET_TEST_MAIN(JourneyGuideTest)
#include "tst_journey_guide.moc"
