// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/plancontroller.h"
#include "models/cluster/catalogue/catalogue.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/plan/planpage.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QSignalSpy>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

class PlanControllerTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void searchesWhenThePageIsShown();
    void dropsWhatComesLate();
    void stopsOnRequest();
    void leadsToTheModel();

private:
    void nameModel(double parameters);

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<PlanController> m_controller;
    std::unique_ptr<MainWindow> m_window;
    DesignPage* m_designPage = nullptr;
    PlanPage* m_page = nullptr;
};

void PlanControllerTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
    m_controller.reset();
    m_window.reset();
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.training.globalBatch = 512;
    m_design->replace(spec);
    m_designPage = new DesignPage(*m_design);
    m_page = new PlanPage(*m_design);
    m_window = std::make_unique<MainWindow>(
        *m_design, m_theme, MainWindow::Pages{m_designPage, nullptr, nullptr, nullptr, m_page});
    m_controller = std::make_unique<PlanController>(*m_design, *m_window, *m_page, *m_designPage);
    m_window->resize(1280, 800);
    m_window->show();
}

void PlanControllerTest::nameModel(double parameters)
{
    m_design->edit(
        u"Model"_s,
        [parameters](JobSpec& spec) {
            spec.model = QJsonObject{{u"parameters"_s, parameters}};
        },
        u"m"_s);
}

void PlanControllerTest::searchesWhenThePageIsShown()
{
    nameModel(1.3e9);
    QVERIFY(!m_controller->isBusy());
    m_window->showPage(MainWindow::Page::Plan);
    QTRY_VERIFY(m_page->layouts().rowCount() > 10);
    QVERIFY(!m_controller->isBusy());
    // Ranked: the recommended one goes first.
    QVERIFY(m_page->layouts().records().first().layout.recommended);
}

void PlanControllerTest::dropsWhatComesLate()
{
    m_window->showPage(MainWindow::Page::Plan);
    // Typing: only the last request is answered.
    for (const double parameters : {7e9, 13e9, 70e9, 1.3e9})
        nameModel(parameters);
    QTRY_VERIFY(m_page->layouts().rowCount() > 10 && !m_controller->isBusy());
    test::quietFor(300);
    const auto wanted = searchLayouts(m_design->derived().resolved, m_design->derived().batch,
        *m_design->derived().profile, m_page->limits(), m_design->calibrations());
    QVERIFY_RESULT(wanted);
    QCOMPARE(m_page->layouts().rowCount(), int(wanted->candidates.size()));
    QCOMPARE(idOf(m_page->layouts().records().first().layout), idOf(wanted->candidates.first()));
}

void PlanControllerTest::stopsOnRequest()
{
    nameModel(70e9);
    m_window->showPage(MainWindow::Page::Plan);
    emit m_page->cancelRequested();
    QTRY_VERIFY(!m_controller->isBusy());
    test::quietFor(400);
    QCOMPARE(m_page->layouts().rowCount(), 0);
}

void PlanControllerTest::leadsToTheModel()
{
    m_window->showPage(MainWindow::Page::Plan);
    emit m_page->modelWanted();
    QCOMPARE(m_window->page(), MainWindow::Page::Design);
    emit m_designPage->layoutsWanted();
    QCOMPARE(m_window->page(), MainWindow::Page::Plan);
}

RANKWRIGHT_WIDGET_TEST_MAIN(PlanControllerTest)
#include "tst_plancontroller.moc"
