// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/documents.h"
#include "app/session/practicecluster.h"
#include "app/window/connections.h"
#include "tests/app/support/windowbench.h"
#include "widgets/form/designform.h"

#include <QComboBox>
#include <QScrollBar>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The design in the whole window: what is begun, edited, kept and said of it.
class DesignWindowTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void theWheelScrollsTheForm();
    void theWheelTurnsWhatWasClicked();
    void aNewDesignIsFilledInWhileConnected();
    void aDesignMovedToThePracticeClusterIsFilledIn();

private:
    PracticeStatus practice() const
    {
        PracticeStatus status;
        status.running = true;
        status.account = u"project_465000001"_s;
        status.workdir = u"/scratch/project_465000001/ada"_s;
        return status;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::WindowBench> m_bench;
};

void DesignWindowTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<test::WindowBench>(m_folder->path());
    QVERIFY(m_bench->start());
}

/// W3: the wheel over a choice that was not clicked scrolls the form and changes nothing.
void DesignWindowTest::theWheelScrollsTheForm()
{
    auto* form = m_bench->window().findChild<DesignForm*>();
    QVERIFY(form->verticalScrollBar()->maximum() > 0);
    const JobSpec before = m_bench->design().spec();
    int controls = 0;
    for (QComboBox* box : m_bench->window().findChildren<QComboBox*>()) {
        for (const int notches : {-1, 1, -1, -1}) {
            const int index = box->currentIndex();
            test::turnWheel(*box, notches);
            QCOMPARE(box->currentIndex(), index);
        }
        box->setFocus(Qt::TabFocusReason); // by Tab it was not asked to take the wheel
        const int index = box->currentIndex();
        test::turnWheel(*box, -1);
        QCOMPARE(box->currentIndex(), index);
        ++controls;
    }
    QVERIFY(controls > 5);
    QCOMPARE(m_bench->design().spec(), before);
    form->verticalScrollBar()->setValue(0);
    test::turnWheel(*form->findChild<QComboBox*>(), -1);
    QVERIFY(form->verticalScrollBar()->value() > 0);
}

void DesignWindowTest::theWheelTurnsWhatWasClicked()
{
    auto* box = m_bench->window().findChild<QComboBox*>(field::precision);
    QVERIFY(box && box->isVisible());
    const JobSpec before = m_bench->design().spec();
    // The click opens the list; what it does to the focus is not the platform's to decide here.
    QTest::ignoreMessage(QtWarningMsg, "This plugin does not support grabbing the keyboard");
    QTest::mouseClick(box, Qt::LeftButton);
    box->hidePopup();
    box->setFocus(Qt::PopupFocusReason);
    test::turnWheel(*box, -1);
    QVERIFY(m_bench->design().spec() != before);
    const JobSpec chosen = m_bench->design().spec();
    QTest::keyClick(box, Qt::Key_Tab); // it goes on: the control is not in use any more
    box->setFocus(Qt::TabFocusReason);
    test::turnWheel(*box, -1);
    QCOMPARE(m_bench->design().spec(), chosen);
}

/// W6: what connecting fills in is filled in as well when the design comes afterwards.
void DesignWindowTest::aNewDesignIsFilledInWhileConnected()
{
    emit m_bench->workbench->connections().practiceReady(practice());
    QCOMPARE(m_bench->design().spec().workdir, std::optional(practice().workdir));
    m_bench->action(u"New design"_s)->trigger();
    QCOMPARE(m_bench->design().spec().workdir, std::optional(practice().workdir));
    QVERIFY(!m_bench->design().isModified());
}

void DesignWindowTest::aDesignMovedToThePracticeClusterIsFilledIn()
{
    Design& design = m_bench->design();
    emit m_bench->workbench->connections().practiceReady(practice());
    JobSpec other;
    other.cluster = u"lumi"_s;
    other.command = u"train.py"_s;
    m_bench->workbench->documents().begin(other);
    QVERIFY(!design.spec().workdir);
    design.edit(u"Cluster"_s, [](JobSpec& spec) { spec.cluster = u"practice"_s; });
    QCOMPARE(design.spec().workdir, std::optional(practice().workdir));
    while (design.undo())
        ;
    QCOMPARE(design.spec(), other);
    while (design.redo())
        ;
    QCOMPARE(design.spec().cluster, u"practice"_s);
    QCOMPARE(design.spec().workdir, std::optional(practice().workdir));
    // Gone: its folder is not given to the next design.
    LinkInfo link;
    link.cluster = u"practice"_s;
    emit m_bench->workbench->connections().linkChanged(link);
    m_bench->workbench->documents().begin(other);
    design.edit(u"Cluster"_s, [](JobSpec& spec) { spec.cluster = u"practice"_s; });
    QVERIFY(!design.spec().workdir);
}

RANKWRIGHT_WIDGET_TEST_MAIN(DesignWindowTest)
#include "tst_designwindow.moc"
