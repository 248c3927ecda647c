// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/design/designpicture.h"
#include "widgets/design/numberspot.h"
#include "widgets/motion/motioncard.h"
#include "widgets/motion/motionview.h"
#include "widgets/rankmap/rankmapview.h"
#include "widgets/script/scripteditor.h"

#include <QApplication>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QWheelEvent>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// Pictures of the Design page that are played, and edited where they stand.
class PictureEditingTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void typesANumberInThePicture();
    void leavesItByEscape();
    void stepsByArrows();
    void saysWhatCannotBe();
    void drawsGpusPerNode();
    void changesGpusByKeys();
    void leavesNumbersToTheWheel();
    void saysWhatMoved();
    void playsTheDesignsPictures();
    void putsTheScriptIntoATab();
    void wrapsTheScript();

private:
    NumberSpot* spot(const QString& name) const;

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<QWidget> m_host;
    DesignPage* m_page = nullptr;
};

void PictureEditingTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 2;
    spec.resources.gpusPerNode = 8;
    spec.parallel.strategy = Strategy::Ddp;
    spec.training.globalBatch = 512;
    spec.training.microBatch = 4;
    spec.training.datasetSamples = 51200;
    spec.command = u"train.py"_s;
    m_design->replace(spec);
    m_host = std::make_unique<QWidget>();
    m_host->resize(1400, 860);
    m_page = new DesignPage(*m_design, m_host.get());
    m_page->resize(1400, 860);
    m_host->show();
    QApplication::setActiveWindow(m_host.get());
    QVERIFY(QTest::qWaitForWindowExposed(m_host.get(), test::longWaitMs));
    QApplication::processEvents();
}

void PictureEditingTest::cleanup()
{
    m_host.reset();
    m_design.reset();
}

NumberSpot* PictureEditingTest::spot(const QString& name) const
{
    for (auto* each : m_page->findChildren<NumberSpot*>()) {
        if (each->accessibleName().startsWith(name + u':'))
            return each;
    }
    return nullptr;
}

void PictureEditingTest::typesANumberInThePicture()
{
    QSignalSpy edited(m_page, &DesignPage::editedInPicture);
    NumberSpot* steps = spot(u"Accumulation steps"_s);
    QVERIFY(steps && steps->isVisible());
    QCOMPARE(steps->value(), 8);
    QTest::mouseClick(steps, Qt::LeftButton);
    QVERIFY(steps->editor() && steps->editor()->hasFocus());
    QTest::keyClicks(steps->editor(), u"4"_s); // over the old one, which is selected
    QTest::keyClick(steps->editor(), Qt::Key_Return);
    QVERIFY(!steps->editor());
    QVERIFY(steps->hasFocus());
    QCOMPARE(m_design->derived().batch.gradientAccumulation, 4);
    QCOMPARE(m_design->derived().batch.globalBatch, 256);
    QCOMPARE(spot(u"Global batch"_s)->value(), 256);
    QCOMPARE(edited.size(), 1);
    const QString said = edited.first().first().toString();
    QVERIFY2(said.contains(u"512 → 256"_s) && said.contains(u"8 → 4"_s) && said.contains(u"100 → 200 steps"_s),
        qPrintable(said));
    QVERIFY(m_design->undo());
    QCOMPARE(steps->value(), 8);
    QVERIFY(!m_design->canUndo());
}

void PictureEditingTest::leavesItByEscape()
{
    NumberSpot* nodes = spot(u"Nodes"_s);
    nodes->setFocus();
    QTest::keyClick(nodes, Qt::Key_Return);
    QVERIFY(nodes->editor());
    QTest::keyClicks(nodes->editor(), u"31"_s);
    QTest::keyClick(nodes->editor(), Qt::Key_Escape);
    QVERIFY(!nodes->editor());
    QCOMPARE(m_design->spec().resources.nodes, std::optional(2));
    // A digit begins a new number at once; leaving takes it.
    QTest::keyClick(nodes, Qt::Key_3);
    QVERIFY(nodes->editor());
    spot(u"Micro-batch"_s)->setFocus();
    QCOMPARE(m_design->spec().resources.nodes, std::optional(3));
}

void PictureEditingTest::stepsByArrows()
{
    NumberSpot* micro = spot(u"Micro-batch"_s);
    micro->setFocus();
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(micro, Qt::Key_Up);
    QCOMPARE(m_design->derived().batch.microBatch, 8);
    QTest::keyClick(micro, Qt::Key_Down);
    QTest::keyClick(micro, Qt::Key_Up);
    QVERIFY(m_design->undo()); // one gesture
    QCOMPARE(m_design->derived().batch.microBatch, 4);
    QVERIFY(!m_design->canUndo());
}

void PictureEditingTest::saysWhatCannotBe()
{
    QSignalSpy refused(m_page, &DesignPage::refusedInPicture);
    QSignalSpy edited(m_page, &DesignPage::editedInPicture);
    const JobSpec before = m_design->spec();
    NumberSpot* gpus = spot(u"GCDs per node"_s);
    for (const QString& typed : {u"9"_s, u"0"_s, u"-2"_s}) {
        gpus->setFocus();
        QTest::keyClick(gpus, Qt::Key_F2);
        QTest::keyClicks(gpus->editor(), typed);
        QTest::keyClick(gpus->editor(), Qt::Key_Return);
    }
    QCOMPARE(refused.size(), 3);
    QVERIFY(edited.isEmpty() && m_design->spec() == before);
    QVERIFY(refused.first().first().toString().contains(u"1 to 8"_s));
    // What is not a number counts as nothing.
    QTest::keyClick(gpus, Qt::Key_F2);
    QTest::keyClicks(gpus->editor(), u"many"_s);
    QTest::keyClick(gpus->editor(), Qt::Key_Return);
    QVERIFY(m_design->spec() == before);
    QCOMPARE(gpus->text(), u"8"_s);
}

void PictureEditingTest::drawsGpusPerNode()
{
    auto* map = m_page->findChild<RankMapView*>();
    QSignalSpy edited(m_page, &DesignPage::editedInPicture);
    const QRect handle = map->gpuHandle();
    QVERIFY(!handle.isEmpty());
    QTest::mousePress(map->viewport(), Qt::LeftButton, {}, handle.center());
    // Over the sixth, the fifth, then the fourth GPU's end.
    for (const int gpu : {5, 4, 3}) {
        const QRect die = map->boxOnViewport({0, gpu});
        QMouseEvent move(QEvent::MouseMove, QPointF(die.right(), handle.center().y()),
            map->viewport()->mapToGlobal(QPointF(die.right(), handle.center().y())), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(map->viewport(), &move);
    }
    QCOMPARE(m_design->derived().resolved.gpusPerNode, 4);
    QVERIFY(edited.isEmpty()); // said when it is over
    QTest::mouseRelease(map->viewport(), Qt::LeftButton, {}, handle.center());
    QCOMPARE(edited.size(), 1);
    QVERIFY2(edited.first().first().toString().contains(u"GCDs per node 8 → 4"_s),
        qPrintable(edited.first().first().toString()));
    QVERIFY(m_design->undo());
    QCOMPARE(m_design->derived().resolved.gpusPerNode, 8);
    QVERIFY(!m_design->canUndo()); // one step for the whole gesture
}

void PictureEditingTest::changesGpusByKeys()
{
    auto* map = m_page->findChild<RankMapView*>();
    map->setFocus();
    QTest::keyClick(map, Qt::Key_Minus);
    QTest::keyClick(map, Qt::Key_Minus);
    QCOMPARE(m_design->derived().resolved.gpusPerNode, 6);
    QTest::keyClick(map, Qt::Key_Plus);
    QTest::keyClick(map, Qt::Key_Plus);
    QTest::keyClick(map, Qt::Key_Plus); // there are no more
    QCOMPARE(m_design->derived().resolved.gpusPerNode, 8);
}

void PictureEditingTest::leavesNumbersToTheWheel()
{
    const JobSpec before = m_design->spec();
    for (auto* each : m_page->findChildren<NumberSpot*>()) {
        each->setFocus();
        const QPointF at(each->rect().center());
        QWheelEvent wheel(at, each->mapToGlobal(at), {}, QPoint(0, 120), Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(each, &wheel);
    }
    QVERIFY(m_design->spec() == before);
}

void PictureEditingTest::saysWhatMoved()
{
    QSignalSpy edited(m_page, &DesignPage::editedInPicture);
    NumberSpot* nodes = spot(u"Nodes"_s);
    nodes->setFocus();
    QTest::keyClick(nodes, Qt::Key_4);
    QTest::keyClick(nodes->editor(), Qt::Key_Return);
    // Twice the ranks: half the passes, the same global batch.
    const QString said = edited.first().first().toString();
    QVERIFY2(said.startsWith(u"Nodes 2 → 4"_s) && said.contains(u"accumulation 8 → 4"_s), qPrintable(said));
    QVERIFY2(!said.contains(u"global"_s), qPrintable(said));
}

void PictureEditingTest::playsTheDesignsPictures()
{
    auto* picture = m_page->findChild<DesignPicture*>();
    QVERIFY(!picture->motion()); // made when it is first shown
    picture->showPart(DesignPicture::Part::Motion);
    QApplication::processEvents();
    MotionCard* card = picture->motion();
    QVERIFY(card && card->isVisible());
    QCOMPARE(card->kind(), MotionKind::AllReduce);
    QVERIFY(card->view().sentence().contains(u"16 ranks"_s));
    card->showFrame(2);
    m_design->edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 4; });
    QCOMPARE(card->frame(), 2);
    card->showFrame(0);
    QVERIFY2(card->view().sentence().contains(u"32 ranks"_s), qPrintable(card->view().sentence()));
    card->setPlaying(true);
    picture->showPart(DesignPicture::Part::Nodes);
    QVERIFY(!card->isPlaying());
    for (const QSize size : {QSize(960, 640), QSize(1216, 754), QSize(1856, 1034)}) {
        m_host->resize(size);
        m_page->resize(size);
        for (const auto part :
            {DesignPicture::Part::Nodes, DesignPicture::Part::Strategy, DesignPicture::Part::Motion}) {
            picture->showPart(part);
            QCoreApplication::processEvents();
            QStringList cut; // texts that wrap are given their height one after another
            (void)test::comes([&] { return (cut = test::clippedTexts(*m_host)).isEmpty(); });
            QVERIFY2(cut.isEmpty(), qPrintable(u"%1, part %2: "_s.arg(size.width()).arg(int(part)) + cut.join(u'\n')));
        }
    }
}

void PictureEditingTest::putsTheScriptIntoATab()
{
    auto* editor = m_page->findChild<ScriptEditor*>();
    auto* map = m_page->findChild<RankMapView*>();
    QVERIFY(editor->isVisible() && map->isVisible());
    const int narrow = map->width();
    QSignalSpy folded(m_page, &DesignPage::scriptFoldedChanged);
    auto* fold = m_page->findChild<QToolButton*>(u"foldScript"_s);
    QVERIFY(fold && fold->isVisible() && !fold->accessibleName().isEmpty());
    fold->click();
    QApplication::processEvents();
    QVERIFY(m_page->isScriptFolded() && !editor->isVisible());
    QVERIFY(map->width() > narrow + 200);
    QVERIFY(QApplication::focusWidget());
    // It is there in its tab, and comes back.
    m_page->goToLine(3);
    QVERIFY(editor->isVisible());
    auto* unfold = m_page->findChild<QToolButton*>(u"unfoldScript"_s);
    QVERIFY(unfold && unfold->isVisible());
    unfold->click();
    QApplication::processEvents();
    QVERIFY(editor->isVisible() && map->isVisible() && !m_page->isScriptFolded());
    QCOMPARE(folded.size(), 2);
    // In a narrow window it is a tab in any case, and there is nothing to fold.
    m_page->resize(960, 700);
    QApplication::processEvents();
    QVERIFY(!fold->isVisible() && !unfold->isVisible());
}

void PictureEditingTest::wrapsTheScript()
{
    m_design->edit(u"Command"_s,
        [](JobSpec& spec) { spec.command = u"train.py "_s + u"--quite-a-long-option some-value "_s.repeated(12); });
    auto* editor = m_page->findChild<ScriptEditor*>();
    QApplication::processEvents();
    QVERIFY(!editor->horizontalScrollBar()->isVisible() || editor->horizontalScrollBar()->maximum() == 0);
    // An edit while something far to the right was looked at: the beginning of the lines is in view afterwards.
    editor->SendScintilla(QsciScintilla::SCI_SETXOFFSET, 200ul);
    m_design->edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 4; });
    QApplication::processEvents();
    QCOMPARE(editor->SendScintilla(QsciScintilla::SCI_GETXOFFSET), 0L);
    m_page->goToLine(editor->lines() - 2);
    QCOMPARE(editor->currentLine(), editor->lines() - 2);
}

RANKWRIGHT_WIDGET_TEST_MAIN(PictureEditingTest)
#include "tst_pictureediting.moc"
