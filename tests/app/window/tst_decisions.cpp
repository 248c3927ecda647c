// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/support/windowsuite.h"
#include "widgets/design/findingspanel.h"
#include "widgets/design/verdictbar.h"
#include "widgets/window/messagelist.h"

#include <QLabel>
#include <QPushButton>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// What needs a decision stays until it is answered, and what is counted leads to what was counted.
class DecisionsTest final : public WindowSuite {
    Q_OBJECT
private slots:
    void init() override { openBench(); }
    void cleanup() { m_bench.reset(); }

    /// "Nothing is connected", with the practice cluster's button, lay over the nodes and the script of a design for
    /// another cluster. The bottom row says that it is not connected, and leads there.
    void aStartAsksNothing_data() { sizes(); }
    void aStartAsksNothing();

    /// *Start the practice cluster* was gone after six seconds.
    void aDecisionStays();
    void oneAtATimeAndTheOthersAreKept();
    void aPillLeadsToItsFinding_data() { sizes(); }
    void aPillLeadsToItsFinding();

    /// A field that holds nonsense, far down in a fold.
    void anInvalidFieldIsFound();
    void noMessageLiesOverFindings_data() { sizes(); }
    void noMessageLiesOverFindings();

private:
    static void sizes() { addSizes({{1920, 1080}, {1280, 800}, {1024, 700}, {960, 540}}); }
    QPushButton* button(const QString& text) const
    {
        for (auto* each : toasts().findChildren<QPushButton*>()) {
            if (each->text() == text)
                return each;
        }
        return nullptr;
    }
    /// One error, behind a model whose cards fill the page.
    void wrong() const
    {
        m_bench->window().showPage(MainWindow::Page::Design);
        m_bench->design().edit(u"Wrong"_s, [](JobSpec& spec) {
            spec = {};
            spec.cluster = u"lumi"_s;
            spec.partition = u"standard-g"_s;
            spec.account = u"project_462000265"_s;
            spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
            spec.resources.nodes = 2;
            spec.training.globalBatch = 0;
            spec.command = u"train.py"_s;
        });
    }
    QPushButton* pillOf(const QString& text) const
    {
        for (auto* each : m_bench->window().findChild<VerdictBar*>()->findChildren<QPushButton*>()) {
            if (each->text() == text)
                return each;
        }
        return nullptr;
    }
    static const QLabel* findingText(const FindingsPanel& panel)
    {
        for (const auto* label : panel.findChildren<QLabel*>()) {
            if (label->text().contains(u"<b>Error"_s))
                return label;
        }
        return nullptr;
    }
    /// On the screen, of what all its parents show.
    static QRect seenPart(const QWidget& widget)
    {
        if (!widget.isVisible())
            return {};
        const QRect seen = widget.visibleRegion().boundingRect();
        return {widget.mapToGlobal(seen.topLeft()), seen.size()};
    }
    static bool isSeen(const QWidget& widget) { return seenPart(widget).height() >= qMin(widget.height(), 30); }
};

void DecisionsTest::aStartAsksNothing()
{
    QFETCH(QSize, size);
    QVERIFY(m_bench->start(size));
    m_bench->window().showPage(MainWindow::Page::Design);
    QCOMPARE(toasts().count(), 0);
    const auto buttons = m_bench->window().findChildren<QPushButton*>();
    QVERIFY(std::any_of(buttons.begin(), buttons.end(),
        [](const QPushButton* one) { return one->text() == u"Connect"_s && isSeen(*one); }));
}

void DecisionsTest::aDecisionStays()
{
    QVERIFY(m_bench->start());
    m_bench->window().showPage(MainWindow::Page::Jobs);
    clearNotices();
    int answered = 0;
    m_bench->window().showNotice(
        {Notice::RunningJob, u"lumi/7"_s}, u"Job 7 of LUMI runs."_s, u"Watch"_s, [&answered] { ++answered; });
    m_bench->window().showNotice(Notice::Export, u"It was written."_s);
    QCOMPARE(toasts().count(), 2);
    toasts().setSeconds(1);
    QTRY_COMPARE(toasts().count(), 1); // the news has gone
    QPushButton* watch = button(u"Watch"_s);
    QVERIFY(watch && watch->isVisible());
    watch->click();
    QCOMPARE(answered, 1);
    QCOMPARE(toasts().count(), 0);
}

void DecisionsTest::oneAtATimeAndTheOthersAreKept()
{
    QVERIFY(m_bench->start());
    m_bench->window().showPage(MainWindow::Page::Jobs);
    clearNotices();
    QStringList answered;
    for (const QString& job : {u"7"_s, u"8"_s})
        m_bench->window().showNotice({Notice::RunningJob, u"lumi/"_s + job}, u"Job %1 of LUMI runs."_s.arg(job),
            u"Watch"_s, [&answered, job] { answered.append(job); });
    QCOMPARE(toasts().count(), 1);
    MessageList list(toasts(), &m_bench->window());
    list.setAttribute(Qt::WA_DeleteOnClose, false);
    list.openBelow(m_bench->window());
    const auto all = list.findChildren<QPushButton*>();
    QCOMPARE(std::count_if(all.begin(), all.end(), [](const auto* one) { return one->text() == u"Watch"; }), 2);
    list.close();
    toasts().act({Notice::RunningJob, u"lumi/7"_s});
    QCOMPARE(answered, QStringList{u"7"_s});
}

void DecisionsTest::aPillLeadsToItsFinding()
{
    QFETCH(QSize, size);
    QVERIFY(m_bench->start(size));
    clearNotices();
    wrong();
    QPushButton* pill = pillOf(u"1 error"_s);
    QVERIFY(pill);
    pill->setFocus();
    QTest::keyClick(pill, Qt::Key_Space);
    auto* panel = m_bench->window().findChild<FindingsPanel*>();
    QTRY_VERIFY(panel->isAncestorOf(QApplication::focusWidget()));
    const QLabel* text = findingText(*panel);
    QVERIFY(text);
    QTRY_VERIFY2(isSeen(*text), qPrintable(text->text()));
    QTRY_VERIFY(isSeen(*QApplication::focusWidget()));
}

void DecisionsTest::anInvalidFieldIsFound()
{
    QVERIFY(m_bench->start({960, 540}));
    m_bench->workbench->window().showPage(MainWindow::Page::Design);
    QLineEdit* field = nullptr;
    for (auto* each : m_bench->window().findChildren<QLineEdit*>()) {
        if (each->accessibleName() == u"Nodes")
            field = each;
    }
    QVERIFY(field);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, u"many"_s);
    QPushButton* pill = pillOf(u"1 invalid field"_s);
    QVERIFY(pill);
    pill->setFocus();
    QTest::keyClick(pill, Qt::Key_Space);
    QTRY_VERIFY(field->hasFocus());
    QTRY_VERIFY(isSeen(*field));
}

void DecisionsTest::noMessageLiesOverFindings()
{
    QFETCH(QSize, size);
    QVERIFY(m_bench->start(size));
    clearNotices();
    wrong();
    pillOf(u"1 error"_s)->click();
    m_bench->window().showNotice(
        Notice::Document, u"Three lines of the script are kept as they are."_s, u"Which?"_s, [] {});
    const auto* panel = m_bench->window().findChild<FindingsPanel*>();
    QTRY_VERIFY(!seenPart(*panel).isEmpty());
    QTRY_VERIFY(!seenPart(*panel).intersects(QRect(toasts().mapToGlobal(QPoint()), toasts().size())));
}

RANKWRIGHT_WIDGET_TEST_MAIN(DecisionsTest)
#include "tst_decisions.moc"
