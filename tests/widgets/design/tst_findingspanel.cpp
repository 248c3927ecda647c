// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/showndesignpage.h"
#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/linkbutton.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/design/findingspanel.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

using namespace Qt::StringLiterals;
using namespace rankwright;
using test::buttonOf;

/// Findings beside the design: their words, their fixes, and that both are in view.
class FindingsPanelTest final : public test::Suite, private test::ShownDesignPage {
    Q_OBJECT
private slots:
    void init() override;
    void whatCanBeDoneIsInView();
    void offersEveryWayOut();
    void keepsWithinItsPanel();
    void appliesAFix();
    void staysWhereAFixWas();
};

void FindingsPanelTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    build();
}

/// In a window of 1280 × 800 the one finding had its links below its edge.
void FindingsPanelTest::whatCanBeDoneIsInView()
{
    QWidget side;
    auto* column = new QVBoxLayout(&side);
    column->setSizeConstraint(QLayout::SetNoConstraint);
    auto* panel = new FindingsPanel(&side);
    panel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    column->addStretch(1);
    column->addWidget(panel);
    side.resize(317, 700);
    Finding finding;
    finding.severity = Severity::Warning;
    finding.field = u"model"_s;
    finding.text
        = u"685 GiB are expected on each GCD, likely 515 to 912, and 63.9 can be used: the job would end in its "
          "first steps, out of memory."_s;
    panel->setFindings({finding});
    side.show();
    QApplication::processEvents();
    auto* link = panel->findChild<QPushButton*>();
    QVERIFY(link && link->isVisible());
    QCOMPARE(link->visibleRegion().boundingRect(), link->rect());
}

/// What cannot fit has several ways out: a link for each, and the click says which.
void FindingsPanelTest::offersEveryWayOut()
{
    Finding unfit;
    unfit.severity = Severity::Error;
    unfit.text = u"441 GiB are expected on each GPU."_s;
    unfit.fix = Fix{u"Use FSDP"_s, {}};
    unfit.otherFixes = {Fix{u"Use 4 nodes"_s, {}}, Fix{u"8-bit AdamW"_s, {}}};
    FindingsPanel panel;
    panel.setFindings({unfit});
    QSignalSpy asked(&panel, &FindingsPanel::fixRequested);
    for (auto* button : panel.findChildren<QPushButton*>()) {
        if (button->text() == u"8-bit AdamW" || button->text() == u"Use FSDP")
            button->click();
    }
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked.at(0), (QList<QVariant>{0, 0}));
    QCOMPARE(asked.at(1), (QList<QVariant>{0, 2}));
}

/// A long fix or a word that has no end made the list wider than its panel, which does not scroll sideways.
void FindingsPanelTest::keepsWithinItsPanel()
{
    Finding finding;
    finding.severity = Severity::Warning;
    finding.field = u"model"_s;
    finding.text = u"78.3 GiB are expected on each GCD by "_s + u"a"_s.repeated(60) + u"."_s;
    finding.fix = Fix{u"Recompute selectively, use all 8 GCDs of a node, then 4 nodes"_s, {}};
    QWidget side;
    FindingsPanel panel(&side);
    panel.setFindings({finding});
    panel.resize(300, 500);
    side.resize(300, 500);
    side.show();
    QTRY_VERIFY(test::clippedTexts(panel).isEmpty());
    const auto* fix = panel.findChild<LinkButton*>();
    QVERIFY(!fix->text().contains(u'…'));
    // Where a word may be broken is seen, but not copied.
    const auto labels = panel.findChildren<WrappedLabel*>();
    auto* text = *std::find_if(
        labels.begin(), labels.end(), [](const QLabel* label) { return label->text().contains(u"GiB"_s); });
    text->setSelection(0, 109);
    QVERIFY(text->hasSelectedText());
    QTest::keyClick(text, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QApplication::clipboard()->text().contains(u"a"_s.repeated(60)));
}

void FindingsPanelTest::appliesAFix()
{
    // 100 h on standard-g, whose limit is two days (LUMI user guide, partitions).
    build([](JobSpec& spec) {
        spec.time = Seconds{100 * 3600};
        spec.partition = u"standard-g"_s;
    });
    const auto& findings = m_design->derived().findings();
    const auto found
        = std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.fix.has_value(); });
    QVERIFY(found != findings.end());
    auto* button = buttonOf(*m_page, found->fix->label);
    QVERIFY(button);
    const JobSpec before = m_design->spec();
    const QString label = found->fix->label;
    button->click();
    QVERIFY(m_design->spec() != before);
    QCOMPARE(m_design->undoLabel(), label);
    QVERIFY(m_design->undo());
    QCOMPARE(m_design->spec(), before);
}

/// Who cures one finding after another stays at the place in the list: what moves up there has the focus, and is in
/// view.
void FindingsPanelTest::staysWhereAFixWas()
{
    QList<Finding> findings;
    for (int i = 0; i < 12; ++i) {
        Finding finding;
        finding.severity = Severity::Warning;
        finding.text
            = u"Finding %1 has a sentence of some length, as findings have, so that the list must scroll."_s.arg(i);
        finding.fix = Fix{u"Cure %1"_s.arg(i), {}};
        findings.append(finding);
    }
    QWidget side;
    FindingsPanel panel(&side);
    panel.setFindings(findings);
    panel.resize(320, 300);
    side.resize(320, 300);
    side.show();
    QVERIFY(QTest::qWaitForWindowExposed(&side, test::longWaitMs));
    QApplication::setActiveWindow(&side);
    connect(&panel, &FindingsPanel::fixRequested, &panel, [&](int index, int) {
        findings.removeAt(index);
        panel.setFindings(findings);
    });
    const auto focusedFix = [] {
        const auto* button = qobject_cast<QPushButton*>(QApplication::focusWidget());
        return button ? button->text() : QString();
    };
    const auto cure = [&](int which) {
        auto* button = buttonOf(panel, u"Cure %1"_s.arg(which));
        button->setFocus();
        button->click();
    };
    cure(6);
    QCOMPARE(focusedFix(), u"Cure 7"_s);
    QTRY_VERIFY(!QApplication::focusWidget()->visibleRegion().isEmpty());
    cure(11); // the last one: what is the last now
    QCOMPARE(focusedFix(), u"Cure 10"_s);
    // Another finding is gone: the focus stays on its own.
    findings.removeFirst();
    panel.setFindings(findings);
    QCOMPARE(focusedFix(), u"Cure 10"_s);
}

RANKWRIGHT_WIDGET_TEST_MAIN(FindingsPanelTest)
#include "tst_findingspanel.moc"
