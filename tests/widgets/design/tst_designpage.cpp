// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/showndesignpage.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/design/batchview.h"
#include "widgets/design/estimatecards.h"
#include "widgets/form/designform.h"
#include "widgets/form/formfold.h"
#include "widgets/rankmap/rankmapview.h"
#include "widgets/script/scripteditor.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace rankwright;
using test::buttonOf;
using test::fieldOf;
using test::retype;

namespace {

QStringList visibleFaults(QWidget& page)
{
    QStringList texts;
    for (auto* label : page.findChildren<QLabel*>()) {
        if (label->property("fault").toBool() && label->isVisibleTo(&page))
            texts.append(label->text());
    }
    return texts;
}

} // namespace

/// Fields, pictures and figures of the Design page answer an edit together.
class DesignPageTest final : public test::Suite, private test::ShownDesignPage {
    Q_OBJECT
private slots:
    void init() override;
    void answersAnEditAtOnce();
    void mergesKeystrokesOfOneField();
    void keepsTextThatCannotBeRead();
    void leavesTheSpellingWhileTyping();
    void writesTheSpellingWhenLeft();
    void showsWhatWasChosen();
    void offersPartitionsAndAccounts();
    void choosesTheStrategy();
    void changesTheCluster();
    void selectsARankEverywhere();
    void showsWhatDoesNotFitFirst();
    void segmentsHaveRoomAtTheNarrowest();
};

void DesignPageTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    build();
}

void DesignPageTest::answersAnEditAtOnce()
{
    auto* nodes = fieldOf<QuantityEdit>(*m_page, field::nodes);
    QVERIFY(nodes);
    retype(nodes, u"4"_s);
    // No event loop has run since the key: everything follows in the same call.
    QCOMPARE(m_design->spec().resources.nodes, std::optional<int>(4));
    QCOMPARE(m_page->findChild<RankMapView*>()->dataShown().plan.ranks.size(), 32);
    QVERIFY(m_page->findChild<ScriptEditor*>()->text().contains(u"#SBATCH --nodes=4"_s));
}

void DesignPageTest::mergesKeystrokesOfOneField()
{
    retype(fieldOf<QuantityEdit>(*m_page, field::globalBatch), u"1024"_s);
    QCOMPARE(m_design->spec().training.globalBatch, std::optional<qint64>(1024));
    QCOMPARE(m_design->undoLabel(), u"Global batch"_s);
    QVERIFY(m_design->undo());
    QCOMPARE(m_design->spec().training.globalBatch, std::optional<qint64>(512));
    QVERIFY(!m_design->canUndo());
    QCOMPARE(fieldOf<QuantityEdit>(*m_page, field::globalBatch)->text(), u"512"_s);
}

void DesignPageTest::keepsTextThatCannotBeRead()
{
    auto* time = fieldOf<QuantityEdit>(*m_page, field::time);
    retype(time, u"abc"_s);
    QCOMPARE(time->text(), u"abc"_s);
    QCOMPARE(m_design->spec().time, std::optional<Seconds>(Seconds{12 * 3600}));
    QCOMPARE(visibleFaults(*m_page).size(), 1);
    QVERIFY(!visibleFaults(*m_page).first().isEmpty());
    QVERIFY(time->property("invalid").toBool());
    QVERIFY(!buttonOf(*m_page, u"Launch"_s)->isEnabled());
    // An edit elsewhere must not take the text away.
    retype(fieldOf<QuantityEdit>(*m_page, field::nodes), u"3"_s);
    QCOMPARE(time->text(), u"abc"_s);
    QCOMPARE(visibleFaults(*m_page).size(), 1);
    retype(time, u"2:00:00"_s);
    QCOMPARE(visibleFaults(*m_page).size(), 0);
    QCOMPARE(m_design->spec().time, std::optional<Seconds>(Seconds{7200}));
}

void DesignPageTest::leavesTheSpellingWhileTyping()
{
    auto* time = fieldOf<QuantityEdit>(*m_page, field::time);
    retype(time, u"90"_s);
    QCOMPARE(time->text(), u"90"_s);
    QCOMPARE(m_design->spec().time, std::optional<Seconds>(Seconds{5400}));
    QVERIFY2(time->hint().startsWith(humanDuration(Seconds{5400})), qPrintable(time->hint()));
}

void DesignPageTest::writesTheSpellingWhenLeft()
{
    auto* time = fieldOf<QuantityEdit>(*m_page, field::time);
    retype(time, u"90"_s);
    QTest::keyClick(time, Qt::Key_Return);
    QCOMPARE(time->text(), u"01:30:00"_s);
}

void DesignPageTest::showsWhatWasChosen()
{
    auto* gpus = fieldOf<QuantityEdit>(*m_page, field::gpusPerNode);
    QCOMPARE(gpus->text(), QString());
    QCOMPARE(gpus->placeholder(), u"8"_s);
    QVERIFY(!gpus->accessibleDescription().isEmpty());
    QCOMPARE(gpus->accessibleName(), u"GCDs per node"_s);
    auto* partition = fieldOf<QuantityEdit>(*m_page, field::partition);
    QCOMPARE(partition->placeholder(), u"standard-g"_s);
    QCOMPARE(partition->hint(), u"whole nodes"_s);
    QCOMPARE(fieldOf<QuantityEdit>(*m_page, field::nodes)->hint(), u"max %1"_s.arg(humanNumber(1024)));
}

void DesignPageTest::offersPartitionsAndAccounts()
{
    auto* partition = fieldOf<QuantityEdit>(*m_page, field::partition);
    QCOMPARE(partition->options().mid(0, 3), (QStringList{u"small-g"_s, u"standard-g"_s, u"dev-g"_s}));
    QCOMPARE(partition->options().size(), m_design->derived().profile->partitions.size());
    emit partition->optionChosen(u"dev-g"_s);
    QCOMPARE(m_design->spec().partition, std::optional<QString>(u"dev-g"_s));
    ClusterFacts facts;
    facts.accounts = QStringList{u"project_462000265"_s};
    m_page->setFacts(facts);
    auto* account = fieldOf<QuantityEdit>(*m_page, field::account);
    QCOMPARE(account->options(), QStringList{u"project_462000265"_s});
    emit account->optionChosen(u"project_462000265"_s);
    QCOMPARE(m_design->spec().account, std::optional<QString>(u"project_462000265"_s));
}

void DesignPageTest::choosesTheStrategy()
{
    QToolButton* single = nullptr;
    QToolButton* deep = nullptr;
    for (auto* button : m_page->findChildren<QToolButton*>()) {
        if (button->text() == u"Single")
            single = button;
        if (button->text() == u"3D")
            deep = button;
    }
    QVERIFY(single && deep);
    QVERIFY(deep->isEnabled());
    single->click();
    QCOMPARE(m_design->spec().parallel.strategy, std::optional<Strategy>(Strategy::Single));
    QVERIFY(m_design->undo());
    QVERIFY(!single->isChecked());
}

void DesignPageTest::changesTheCluster()
{
    auto* cluster = fieldOf<QComboBox>(*m_page, field::cluster);
    QVERIFY(cluster);
    const int index = cluster->findData(u"raven"_s);
    QVERIFY(index >= 0);
    cluster->setCurrentIndex(index);
    emit cluster->activated(index);
    QCOMPARE(m_design->spec().cluster, u"raven"_s);
    QCOMPARE(fieldOf<QuantityEdit>(*m_page, field::gpusPerNode)->accessibleName(), u"GPUs per node"_s);
    QVERIFY(m_design->undo());
    QCOMPARE(cluster->currentData().toString(), u"lumi"_s);
}

void DesignPageTest::selectsARankEverywhere()
{
    build([](JobSpec& spec) { spec.launcher = Launcher::Srun; });
    auto* map = m_page->findChild<RankMapView*>();
    map->setFocus();
    for (int i = 0; i < 6; ++i) // the first arrow takes rank 0
        QTest::keyClick(map, Qt::Key_Right);
    QCOMPARE(map->selectedRank(), 5);
    QCOMPARE(m_page->selectedRank(), 5);
    bool reported = false;
    for (auto* label : m_page->findChildren<QLabel*>())
        reported = reported || label->text().startsWith(u"Rank 5 ·"_s);
    QVERIFY(reported);
    QVERIFY(map->accessibleDescription().contains(u"GCD 5"_s));
    QTest::keyClick(map, Qt::Key_Down);
    QCOMPARE(m_page->selectedRank(), 13);
    auto* batch = m_page->findChild<BatchView*>();
    QTest::keyClick(batch, Qt::Key_Home);
    QCOMPARE(map->selectedRank(), 0);
    retype(fieldOf<QuantityEdit>(*m_page, field::nodes), u"1"_s);
    m_page->selectRank(15); // not there any more
    QCOMPARE(map->selectedRank(), -1);
}

/// At 1280 × 800 what does not fit had its remedy below the edge.
void DesignPageTest::showsWhatDoesNotFitFirst()
{
    build([](JobSpec& spec) { spec.model = QJsonObject{{u"preset"_s, u"llama-3-70b"_s}}; });
    m_page->resize(1211, 754);
    QApplication::processEvents();
    QVERIFY(m_design->derived().estimate.hasValue());
    QVERIFY(!m_design->derived().remedies.isEmpty());
    QPushButton* way = buttonOf(*m_page->findChild<EstimateCards*>(), m_design->derived().remedies.first().label);
    QVERIFY(way);
    QCOMPARE(way->visibleRegion().boundingRect(), way->rect());
}

/// With the splitter pulled to the left, one segment of a choice lay over the next.
void DesignPageTest::segmentsHaveRoomAtTheNarrowest()
{
    m_page->resize(1024, 700);
    auto* form = m_page->findChild<DesignForm*>();
    for (FormFold* fold : form->findChildren<FormFold*>())
        fold->setOpen(true);
    m_page->findChild<QSplitter*>()->setSizes({1, 2000, 300});
    QApplication::processEvents();
    int seen = 0;
    for (const SegmentedControl* control : form->findChildren<SegmentedControl*>()) {
        if (!control->isVisible())
            continue;
        ++seen;
        QVERIFY2(control->width() >= control->minimumSizeHint().width(), qPrintable(control->parent()->objectName()));
    }
    QVERIFY(seen > 1);
}

RANKWRIGHT_WIDGET_TEST_MAIN(DesignPageTest)
#include "tst_designpage.moc"
