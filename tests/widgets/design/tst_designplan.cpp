// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "tests/support/testbase.h"
#include "widgets/base/figurebutton.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/design/memoryview.h"
#include "widgets/design/stepview.h"
#include "widgets/design/strategyview.h"

#include <QApplication>
#include <QCompleter>
#include <QPushButton>
#include <QToolButton>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// The planner on the Design page, with the real models behind it.
class DesignPlanTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void saysWhatItNeedsFirst();
    void followsTyping();
    void completesModels();
    void appliesARemedyAsOneStep();
    void leadsFromFiguresToViews();
    void showsTheStrategy();
    void keepsAllInSight_data();
    void keepsAllInSight();

private:
    FigureButton* figure(const QString& caption);
    QuantityEdit* model() { return m_page->findChild<QuantityEdit*>(field::model); }

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<QWidget> m_host;
    DesignPage* m_page = nullptr;
};

void DesignPlanTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_host.reset();
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.resources.nodes = 2;
    spec.training.globalBatch = 512;
    spec.training.sequence = 4096;
    spec.parallel.strategy = Strategy::Fsdp;
    m_design->replace(spec);
    m_host = std::make_unique<QWidget>();
    m_host->resize(1212, 752);
    m_page = new DesignPage(*m_design, m_host.get());
    m_page->resize(1212, 752);
    m_host->show();
    QApplication::setActiveWindow(m_host.get());
}

FigureButton* DesignPlanTest::figure(const QString& caption)
{
    for (auto* each : m_page->findChildren<FigureButton*>()) {
        if (each->caption().contains(caption))
            return each;
    }
    return nullptr;
}

void DesignPlanTest::saysWhatItNeedsFirst()
{
    const auto* memory = figure(u"memory per GCD"_s);
    QVERIFY(memory);
    QCOMPARE(memory->value(), u"–"_s); // unknown is never 0
    QVERIFY(memory->accessibleDescription().contains(u"Choose a model"_s));
    QVERIFY(!m_page->findChild<MemoryView*>()->bar().isVisible());
}

void DesignPlanTest::followsTyping()
{
    model()->setFocus();
    QTest::keyClicks(model(), u"1.3B"_s);
    // No event loop has run since the key: everything follows in the same call.
    QVERIFY(m_design->derived().estimate);
    QVERIFY(m_page->findChild<MemoryView*>()->bar().isVisible());
    QVERIFY(figure(u"usable"_s)->value().contains(u"GiB"_s));
    QVERIFY(figure(u"tokens/s per GCD"_s));
    QCOMPARE(m_design->undoLabel(), u"Model"_s);
    QVERIFY(m_design->undo());
    QCOMPARE(model()->text(), QString());
    QVERIFY(!m_page->findChild<MemoryView*>()->bar().isVisible());
}

void DesignPlanTest::completesModels()
{
    QVERIFY(model()->completer());
    emit model()->optionChosen(u"llama-3-8b"_s);
    QCOMPARE(m_design->spec().model.value(u"preset"_s).toString(), u"llama-3-8b"_s);
    QVERIFY(model()->hint().startsWith(u"8.03"_s)); // Meta: 8 030 261 248 parameters
}

void DesignPlanTest::appliesARemedyAsOneStep()
{
    m_design->edit(u"Model"_s, [](JobSpec& spec) {
        spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
        spec.training.microBatch = 16;
    });
    QVERIFY(!m_design->derived().remedies.isEmpty());
    const JobSpec before = m_design->spec();
    const QString label = m_design->derived().remedies.first().label;
    QPushButton* button = nullptr;
    for (auto* each : m_page->findChild<MemoryView*>()->findChildren<QPushButton*>()) {
        if (each->text() == label && each->isVisible())
            button = each;
    }
    QVERIFY(button);
    QVERIFY(!button->accessibleDescription().isEmpty());
    button->click();
    QVERIFY(m_design->spec() != before);
    QCOMPARE(m_design->undoLabel(), label);
    QVERIFY(m_design->derived().estimate->memory.verdict <= FitVerdict::Probably);
    QVERIFY(m_design->undo());
    QCOMPARE(m_design->spec(), before);
}

void DesignPlanTest::leadsFromFiguresToViews()
{
    figure(u"memory per GCD"_s)->click();
    QCOMPARE(QApplication::focusWidget(), model()); // the one thing to do first
    m_design->edit(u"Model"_s, [](JobSpec& spec) { spec.model = QJsonObject{{u"parameters"_s, 1.3e9}}; });
    figure(u"usable"_s)->click();
    QCOMPARE(QApplication::focusWidget(), &m_page->findChild<MemoryView*>()->bar());
    figure(u"per step of"_s)->click();
    QCOMPARE(QApplication::focusWidget(), &m_page->findChild<StepView*>()->bar());
    QVERIFY(m_page->findChild<StepView*>()->isVisible());
}

void DesignPlanTest::showsTheStrategy()
{
    m_design->edit(u"Model"_s, [](JobSpec& spec) { spec.model = QJsonObject{{u"parameters"_s, 1.3e9}}; });
    auto* view = m_page->findChild<StrategyView*>();
    QVERIFY(!view->isVisible());
    for (auto* segment : m_page->findChildren<QToolButton*>()) {
        if (segment->text() == u"Strategy")
            segment->click();
    }
    QVERIFY(view->isVisible());
    QCOMPARE(view->pictureShown().data->ranks, 16);
    m_page->selectRank(3);
    QTest::keyClick(view, Qt::Key_Right);
    QCOMPARE(m_page->selectedRank(), 4);
}

void DesignPlanTest::keepsAllInSight_data()
{
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1212, 752), QSize(1372, 852), QSize(1852, 1032)})
        QTest::addRow("%dx%d", size.width() + 68, size.height() + 48) << size;
}

/// Windows of 1280 x 800 and more: the bar is on the page, not below its edge.
void DesignPlanTest::keepsAllInSight()
{
    QFETCH(QSize, size);
    m_design->edit(u"Model"_s, [](JobSpec& spec) { spec.model = QJsonObject{{u"parameters"_s, 1.3e9}}; });
    m_host->resize(size);
    m_page->resize(size);
    for (int i = 0; i < 4; ++i)
        QApplication::processEvents();
    const StackedBar& bar = m_page->findChild<MemoryView*>()->bar();
    QVERIFY(bar.isVisible());
    const QRect seen(QPoint(0, 0), size);
    QVERIFY(seen.contains(QRect(bar.mapTo(m_page, QPoint(0, 0)), bar.size())));
    QCOMPARE(bar.visibleRegion().boundingRect().size(), bar.size());
}

RANKWRIGHT_WIDGET_TEST_MAIN(DesignPlanTest)
#include "tst_designplan.moc"
