// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/firststeps.h"
#include "app/window/guidecontroller.h"
#include "tests/app/support/windowsuite.h"
#include "tests/widgets/support/shownwidgets.h"
#include "widgets/guide/guidepage.h"
#include "widgets/welcome/designtile.h"
#include "widgets/welcome/welcomepage.h"
#include "widgets/window/connectionnote.h"

#include <QAbstractButton>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Messages over the pages of the whole window: never over what is to be clicked next, and easily sent away.
class MessagesTest final : public WindowSuite {
    Q_OBJECT
private slots:
    void init() override { openBench(); }
    void cleanup() { m_bench.reset(); }

    void theFootOfWelcomeIsSeen_data() { sizes(); }
    void theFootOfWelcomeIsSeen();
    void theGuideIsNotCovered_data() { sizes(); }
    void theGuideIsNotCovered();
    void escSendsThemAway();

private:
    static void sizes() { addSizes({{1024, 700}, {1280, 800}, {900, 600}}); }
    /// The longest message that a start brings.
    void showOffer()
    {
        m_bench->window().showNotice(Notice::Connection,
            u"Nothing is connected. The practice cluster is a real Slurm on this machine, to try everything without an account."_s,
            u"Start the practice cluster"_s, [] {});
        toasts().setSeconds(0); // until the test has looked
    }
    void pressEsc() const
    {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : &m_bench->window(), Qt::Key_Escape);
    }
    QRect inWindow(const QWidget& widget) const
    {
        QRect seen(widget.mapTo(&m_bench->window(), QPoint()), widget.size());
        for (const QWidget* at = widget.parentWidget(); at && at != &m_bench->window(); at = at->parentWidget())
            seen &= QRect(at->mapTo(&m_bench->window(), QPoint()), at->size());
        return seen;
    }
    bool covers(const QWidget& widget) const
    {
        return toasts().isVisible() && inWindow(toasts()).intersects(inWindow(widget));
    }
    /// What the message lies on although it could be clicked.
    QStringList coveredButtons(const QWidget& page) const
    {
        QStringList all;
        for (const QAbstractButton* button : page.findChildren<QAbstractButton*>()) {
            if (button->isVisible() && button->isEnabled() && covers(*button))
                all.append(button->accessibleName().isEmpty() ? button->text() : button->accessibleName());
        }
        return all;
    }
    void shot(const QString& name, QSize size) const
    {
        const QString folder = qEnvironmentVariable("RANKWRIGHT_SHOTS");
        if (folder.isEmpty())
            return;
        test::quietFor(500); // the page has been laid out
        m_bench->window().grab().save(u"%1/%2-%3.png"_s.arg(folder, name).arg(size.width()));
    }
};

void MessagesTest::theFootOfWelcomeIsSeen()
{
    QFETCH(QSize, size);
    QVERIFY(m_bench->start(size));
    m_bench->workbench->firstSteps().showWelcome();
    auto* page = m_bench->window().findChild<WelcomePage*>();
    QTRY_VERIFY(page->findChild<DesignTile*>()); // read on another thread
    showOffer();
    for (const QLabel* label : page->findChildren<QLabel*>()) {
        if (label->text() == u"find anything" || label->text().contains(u"brings this page back"_s))
            QTRY_VERIFY2(!covers(*label), qPrintable(label->text()));
    }
    QTRY_COMPARE(coveredButtons(*page), QStringList());
    shot(u"messages-welcome"_s, size);
}

void MessagesTest::theGuideIsNotCovered()
{
    QFETCH(QSize, size);
    QVERIFY(m_bench->start(size));
    GuideController& guide = m_bench->workbench->guide();
    guide.begin();
    auto* page = m_bench->window().findChild<GuidePage*>();
    QTRY_VERIFY(page->isVisible());
    showOffer();
    LinkInfo failed;
    failed.cluster = u"practice"_s;
    failed.title = u"Practice cluster"_s;
    failed.error = Error{Fault::Io, u"The practice cluster did not start."_s, u"No user namespaces here."_s,
        u"Allow them, or go on without it."_s};
    m_bench->window().showLink(failed);
    QVERIFY(!m_bench->window().findChild<ConnectionNote*>()->isVisible());
    QTRY_COMPARE(coveredButtons(*page), QStringList());
    shot(u"messages-guide"_s, size);
    // Why it is not connected is a click away.
    toasts().act({Notice::Connection, u"practice/why"_s});
    QVERIFY(m_bench->window().findChild<ConnectionNote*>()->isVisible());
}

void MessagesTest::escSendsThemAway()
{
    QVERIFY(m_bench->start());
    auto* note = m_bench->window().findChild<ConnectionNote*>();
    m_bench->window().showPage(MainWindow::Page::Jobs);
    clearNotices();
    QCOMPARE(toasts().count(), 0);
    m_bench->window().showNotice(Notice::Document, u"The design was read."_s);
    m_bench->window().showNotice(Notice::Export, u"It was written."_s);
    LinkInfo failed;
    failed.cluster = u"lumi"_s;
    failed.error = Error{Fault::LoginRefused, u"The password was refused."_s, {}, {}};
    m_bench->window().showLink(failed);
    QVERIFY(note->isVisible());
    pressEsc();
    QVERIFY(!note->isVisible());
    QCOMPARE(toasts().count(), 2);
    pressEsc();
    QCOMPARE(toasts().count(), 1);
    QVERIFY(shownText(toasts()).contains(u"The design was read."_s)); // the newest goes first
    pressEsc();
    QCOMPARE(toasts().count(), 0);
    QVERIFY(toasts().messages().size() >= 2); // kept in the list
}

RANKWRIGHT_WIDGET_TEST_MAIN(MessagesTest)
#include "tst_messages.moc"
