// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/base/theme.h"
#include "widgets/motion/motionbar.h"
#include "widgets/motion/motioncard.h"
#include "widgets/motion/motionview.h"

#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>
#include <QWheelEvent>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

class MotionCardTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_host.reset(); }
    void stepsByKeysAndButtons();
    void playsOnlyWhileSeen();
    void standsWithReducedMotion();
    void isATableToScreenReaders();
    void keepsItsPlaceWhenTheDesignChanges();
    void choosesBetweenPictures();
    void leavesTheWheelToThePage();
    void paintsEveryFrameInEveryLook();
    void keepsItsSentenceWhole();
    void losesNoFocusAtTheEnds();
    void takesNoFocusFromElsewhere();

private:
    QToolButton* button(const QString& name) const;

    Theme m_theme;
    std::unique_ptr<QWidget> m_host;
    MotionCard* m_card = nullptr;
    MotionFigures m_figures;
};

void MotionCardTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_theme.setReducedMotion(false);
    m_theme.setMode(Theme::Mode::Light);
    m_figures = {};
    m_figures.gpuWord = u"GCD"_s;
    m_figures.data = 8;
    m_figures.gpus = 8;
    m_figures.shardGroup = 8;
    m_figures.accumulation = 4;
    m_figures.globalBatch = 32;
    m_figures.gradients = 4e9;
    m_host = std::make_unique<QWidget>();
    m_host->resize(620, 380);
    m_card = new MotionCard(m_host.get());
    m_card->setFigures(m_figures);
    m_card->setGeometry(10, 10, 600, 360);
    m_host->show();
    QApplication::setActiveWindow(m_host.get());
    QVERIFY(QTest::qWaitForWindowExposed(m_host.get(), test::longWaitMs));
    m_card->setFocus();
}

QToolButton* MotionCardTest::button(const QString& name) const
{
    for (auto* each : m_card->findChildren<QToolButton*>()) {
        if (each->accessibleName().startsWith(name))
            return each;
    }
    return nullptr;
}

void MotionCardTest::stepsByKeysAndButtons()
{
    const int frames = int(m_card->view().picture().frames.size());
    QVERIFY(frames > 3);
    QCOMPARE(m_card->frame(), 0);
    QTest::keyClick(m_card, Qt::Key_Right);
    QTest::keyClick(m_card, Qt::Key_Right);
    QCOMPARE(m_card->frame(), 2);
    QTest::keyClick(m_card, Qt::Key_Left);
    QCOMPARE(m_card->frame(), 1);
    QTest::keyClick(m_card, Qt::Key_Home);
    QCOMPARE(m_card->frame(), 0);
    QTest::keyClick(m_card, Qt::Key_Left); // before the first there is none
    QCOMPARE(m_card->frame(), 0);
    button(u"Step"_s)->click();
    QCOMPARE(m_card->frame(), 1);
    button(u"Back"_s)->click();
    QCOMPARE(m_card->frame(), 0);
    auto* bar = m_card->findChild<MotionBar*>();
    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->barOf(frames - 1).center().toPoint());
    QCOMPARE(m_card->frame(), frames - 1);
    QTest::keyClick(m_card, Qt::Key_Right); // nor behind the last
    QCOMPARE(m_card->frame(), frames - 1);
}

void MotionCardTest::playsOnlyWhileSeen()
{
    QTest::keyClick(m_card, Qt::Key_Space);
    QVERIFY(m_card->isPlaying());
    QVERIFY(button(u"Pause"_s));
    QTRY_VERIFY(m_card->frame() == 1);
    QTest::keyClick(m_card, Qt::Key_Space);
    QVERIFY(!m_card->isPlaying());
    QCOMPARE(m_card->view().share(), 1.0); // what stands is whole
    QTest::keyClick(m_card, Qt::Key_Space);
    m_card->hide();
    QVERIFY(!m_card->isPlaying());
    m_card->setPlaying(true);
    QVERIFY(!m_card->isPlaying());
    m_card->show();
    QVERIFY(!m_card->isPlaying()); // it goes on when somebody says so
}

void MotionCardTest::standsWithReducedMotion()
{
    m_card->setPlaying(true);
    m_theme.setReducedMotion(true);
    QVERIFY(!m_card->isPlaying());
    QVERIFY(!button(u"Play"_s)->isVisible());
    QTest::keyClick(m_card, Qt::Key_Space);
    QVERIFY(!m_card->isPlaying());
    QTest::keyClick(m_card, Qt::Key_Right);
    QCOMPARE(m_card->frame(), 1);
    QCOMPARE(m_card->view().share(), 1.0);
    m_theme.setReducedMotion(false);
    QVERIFY(button(u"Play"_s)->isVisible());
}

void MotionCardTest::isATableToScreenReaders()
{
    const MotionPicture& picture = m_card->view().picture();
    QAccessibleInterface* table = QAccessible::queryAccessibleInterface(&m_card->view());
    QVERIFY(table && table->tableInterface());
    QCOMPARE(table->tableInterface()->rowCount(), int(picture.frames.size()));
    QCOMPARE(table->tableInterface()->columnCount(), 1);
    for (int row = 0; row < picture.frames.size(); ++row)
        QCOMPARE(table->tableInterface()->cellAt(row, 0)->text(QAccessible::Name), picture.frames.at(row).sentence);
    m_card->showFrame(2);
    QCOMPARE(m_card->view().accessibleDescription(), picture.frames.at(2).sentence);
    QVERIFY(m_card->accessibleDescription().contains(picture.frames.at(2).sentence));
    QVERIFY(table->tableInterface()->cellAt(2, 0)->state().selected);
    QCOMPARE(m_card->view().accessibleName(), picture.title);
}

void MotionCardTest::keepsItsPlaceWhenTheDesignChanges()
{
    m_card->showFrame(3);
    m_figures.data = 16;
    m_figures.shardGroup = 16;
    m_card->setFigures(m_figures);
    QCOMPARE(m_card->frame(), 3);
    QCOMPARE(m_card->kind(), MotionKind::AllReduce);
    // DDP became FSDP: the picture that was shown is none of this design.
    QSignalSpy titled(m_card, &MotionCard::titleChanged);
    m_figures.strategy = Strategy::Fsdp;
    m_figures.sharding = Sharding::Full;
    m_card->setFigures(m_figures);
    QCOMPARE(m_card->kind(), MotionKind::Sharding);
    QCOMPARE(m_card->frame(), 0);
    QVERIFY(titled.size() >= 1);
    QVERIFY(m_card->title().contains(u"FSDP"_s));
}

void MotionCardTest::choosesBetweenPictures()
{
    auto* choice = m_card->findChild<SegmentedControl*>();
    QVERIFY(choice);
    QCOMPARE(choice->count(), 3);
    m_card->choose(MotionKind::Loading);
    QCOMPARE(choice->current(), 2);
    QCOMPARE(m_card->view().picture().kind, MotionKind::Loading);
    m_card->setOnly(MotionKind::Accumulation);
    QVERIFY(!m_card->findChild<SegmentedControl*>());
    QCOMPARE(m_card->kind(), MotionKind::Accumulation);
}

void MotionCardTest::leavesTheWheelToThePage()
{
    const QPoint at = m_card->view().viewport()->rect().center();
    QWheelEvent wheel(at, m_card->view().viewport()->mapToGlobal(at), {}, QPoint(0, -120), Qt::NoButton, {},
        Qt::NoScrollPhase, false);
    QApplication::sendEvent(m_card->view().viewport(), &wheel);
    QVERIFY(!wheel.isAccepted());
    QCOMPARE(m_card->frame(), 0);
}

void MotionCardTest::paintsEveryFrameInEveryLook()
{
    m_figures.tensor = 2;
    m_figures.pipeline = 3;
    m_card->setFigures(m_figures);
    for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark, Theme::Mode::HighContrast}) {
        m_theme.setMode(mode);
        for (const MotionKind kind : motionsFor(m_figures)) {
            m_card->choose(kind);
            QImage last;
            for (int frame = 0; frame < m_card->view().picture().frames.size(); ++frame) {
                m_card->showFrame(frame);
                const QImage picture = m_card->grab().toImage();
                QVERIFY2(picture != last, qPrintable(u"frame %1 looks like the one before"_s.arg(frame)));
                last = picture;
            }
        }
    }
}

void MotionCardTest::keepsItsSentenceWhole()
{
    for (const QSize size : {QSize(300, 320), QSize(460, 300), QSize(900, 420)}) {
        m_host->resize(size + QSize(20, 20));
        m_card->resize(size);
        QApplication::processEvents();
        const QRect before = m_card->view().geometry();
        for (int frame = 0; frame < m_card->view().picture().frames.size(); ++frame) {
            m_card->showFrame(frame);
            QApplication::processEvents();
            const QStringList cut = test::clippedTexts(*m_host);
            QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
            QCOMPARE(m_card->view().geometry(), before); // nothing jumps
        }
    }
}

void MotionCardTest::losesNoFocusAtTheEnds()
{
    auto* next = button(u"Step"_s);
    next->setFocus();
    for (int i = 0; i < 20; ++i)
        next->click();
    QVERIFY(QApplication::focusWidget() == m_card);
    QTest::keyClick(m_card, Qt::Key_Home);
    QCOMPARE(m_card->frame(), 0);
}

/// Out of sight, on another page, the design changed (Ctrl+Z): the choice had the focus last, and must not have it now.
void MotionCardTest::takesNoFocusFromElsewhere()
{
    auto* choice = m_card->findChild<SegmentedControl*>();
    choice->setFocus();
    QWidget elsewhere(m_host.get());
    elsewhere.setFocusPolicy(Qt::StrongFocus);
    elsewhere.show();
    elsewhere.setFocus();
    m_card->hide();
    m_figures.sharding = Sharding::Full;
    m_card->setFigures(m_figures);
    QVERIFY(elsewhere.hasFocus());
    m_card->show();
}

RANKWRIGHT_WIDGET_TEST_MAIN(MotionCardTest)
#include "tst_motioncard.moc"
