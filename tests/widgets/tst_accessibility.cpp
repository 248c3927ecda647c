// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/designpage.h"
#include "widgets/mainwindow.h"
#include "widgets/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QMenuBar>
#include <QSet>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// A walk over the window as a keyboard and a screen reader meet it.
class TestAccessibility final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase();
    void namesEverythingThatTakesTheFocus();
    void reachesEverythingByTab();
    void pairsLabelsWithFields();
    void explainsFields();

private:
    QList<QWidget*> stops() const;

    Theme* m_theme = nullptr;
    Catalogue m_catalogue = loadCatalogue();
    Design* m_design = nullptr;
    MainWindow* m_window = nullptr;
};

void TestAccessibility::initTestCase()
{
    m_theme = new Theme;
    m_theme->setMode(Theme::Mode::Light);
    m_design = new Design(m_catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    m_design->replace(spec);
    m_window = new MainWindow(*m_design, *m_theme, {new DesignPage(*m_design), nullptr, nullptr, nullptr});
    m_window->resize(1400, 900);
    m_window->show();
    QApplication::setActiveWindow(m_window);
}

void TestAccessibility::cleanupTestCase()
{
    delete m_window;
    delete m_design;
    delete m_theme;
}

/// Visible, enabled widgets that Tab is meant to reach and that are no stand-in for another.
QList<QWidget*> TestAccessibility::stops() const
{
    QList<QWidget*> widgets;
    for (auto* widget : m_window->findChildren<QWidget*>()) {
        if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus)
            && !widget->focusProxy())
            widgets.append(widget);
    }
    return widgets;
}

void TestAccessibility::namesEverythingThatTakesTheFocus()
{
    const auto widgets = stops();
    QVERIFY(widgets.size() > 25);
    for (auto* widget : widgets) {
        const auto* button = qobject_cast<QAbstractButton*>(widget);
        const bool named = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
        const QString where = QLatin1String(widget->metaObject()->className()) + u' ' + widget->objectName();
        QVERIFY2(named, qPrintable(where));
    }
}

void TestAccessibility::reachesEverythingByTab()
{
    QSet<QWidget*> met;
    QWidget* at = stops().first();
    at->setFocus();
    // The chain of Qt itself, as Tab follows it.
    for (int i = 0; i < 400; ++i) {
        at = at->nextInFocusChain();
        met.insert(at);
    }
    for (auto* widget : stops())
        QVERIFY2(met.contains(widget), qPrintable(widget->accessibleName()));
}

void TestAccessibility::pairsLabelsWithFields()
{
    QSet<QString> paired;
    for (auto* label : m_window->findChildren<QLabel*>()) {
        if (label->buddy())
            paired.insert(label->buddy()->objectName());
    }
    const std::initializer_list<const char16_t*> fields{field::name, field::cluster, field::account, field::partition,
        field::reservation, field::strategy, field::globalBatch, field::microBatch, field::datasetSamples,
        field::epochs, field::nodes, field::gpusPerNode, field::cpusPerGpu, field::memoryPerNode, field::time,
        field::launcher, field::container, field::modules, field::variables, field::command, field::workdir};
    for (const char16_t* path : fields)
        QVERIFY2(paired.contains(QString::fromUtf16(path)), qPrintable(QString::fromUtf16(path)));
}

void TestAccessibility::explainsFields()
{
    for (const char16_t* path : {field::nodes, field::time, field::partition, field::memoryPerNode}) {
        const auto* control = m_window->findChild<QWidget*>(QString::fromUtf16(path));
        QVERIFY(control);
        QVERIFY(control->accessibleDescription().size() > 20);
        QVERIFY(!control->accessibleDescription().contains(u'<'));
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(TestAccessibility)
#include "tst_accessibility.moc"
