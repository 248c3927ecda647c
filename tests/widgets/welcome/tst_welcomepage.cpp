// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/shownwidgets.h"
#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/theme.h"
#include "widgets/welcome/designtile.h"
#include "widgets/welcome/waycard.h"
#include "widgets/welcome/welcomepage.h"

#include <QApplication>
#include <QDropEvent>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>
#include <QUrl>

#include <algorithm>
#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

class WelcomePageTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void enterBeginsTheFirstWay();
    void digitsReachTheWays_data();
    void digitsReachTheWays();
    void tabGoesAsItIsRead();
    void enterChoosesWhatHasTheFocus();
    void everythingHasAName();
    void onlyOneWayHasTheAccent();
    void factsAreInTheSentences();
    void withoutDesignsTemplatesMoveUp();
    void missingFilesAreSaidAndRemoved();
    void removingKeepsTheFocusAmongThem();
    void saysWhyATemplateIsNotOffered();
    void notesSayWhatWasRestored();
    void takesClassFilesAndLeavesOthers();
    void cutsNothing_data();
    void cutsNothing();
    void namesOfFilesStayPlain();
    void clicksOnACardCount();
    void isBuiltWhenItIsShown();

private:
    static RecentDesign design(const QString& name, const QString& trouble = {})
    {
        RecentDesign made;
        made.path = u"/d/%1.json"_s.arg(name);
        made.summary = {.title = name,
            .cluster = u"LUMI"_s,
            .strategy = u"FSDP"_s,
            .gpuWord = u"GCD"_s,
            .nodes = 2,
            .gpusPerNode = 8,
            .gpusPerPackage = 2,
            .stages = 1,
            .verdict = u"Fits"_s,
            .memory = u"40.4 of 63.9 GiB"_s,
            .tone = Tone::Good};
        made.trouble = trouble;
        return made;
    }
    DesignTile* tile(const QString& key) const
    {
        for (DesignTile* each : m_page->findChildren<DesignTile*>()) {
            if (each->key() == key && each->isVisible())
                return each;
        }
        return nullptr;
    }
    bool drop(const QString& path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(m_page.get(), &enter);
        if (!enter.isAccepted())
            return false;
        QDropEvent event(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_page.get(), &event);
        return event.isAccepted();
    }
    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<WelcomePage> m_page;
};

void WelcomePageTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_theme.apply();
    m_page = std::make_unique<WelcomePage>();
    m_page->setFacts({21, 7, 5, 0, 8});
    m_page->setDesigns({design(u"llama8b"_s), design(u"gone"_s, u"The file is not there any more."_s)});
    m_page->setTemplates(designTemplates(*m_catalogue.find(u"lumi"_s)), u"LUMI"_s);
    m_page->resize(1212, 754);
    m_page->show();
    QApplication::setActiveWindow(m_page.get());
    m_page->focusFirst();
    QApplication::processEvents();
}

void WelcomePageTest::enterBeginsTheFirstWay()
{
    const QSignalSpy asked(m_page.get(), &WelcomePage::guideRequested);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(asked.count(), 1);
    m_page->setFocus();
    QTest::keyClick(m_page.get(), Qt::Key_Enter);
    QCOMPARE(asked.count(), 2);
}

void WelcomePageTest::digitsReachTheWays_data()
{
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("which");
    QTest::newRow("1") << int(Qt::Key_1) << 0;
    QTest::newRow("2") << int(Qt::Key_2) << 1;
    QTest::newRow("3") << int(Qt::Key_3) << 2;
    QTest::newRow("4") << int(Qt::Key_4) << 3;
}

void WelcomePageTest::digitsReachTheWays()
{
    QFETCH(const int, key);
    QFETCH(const int, which);
    const QSignalSpy guide(m_page.get(), &WelcomePage::guideRequested);
    const QSignalSpy cluster(m_page.get(), &WelcomePage::chooseClusterRequested);
    const QSignalSpy watch(m_page.get(), &WelcomePage::watchRequested);
    const QSignalSpy file(m_page.get(), &WelcomePage::classFileRequested);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key(key));
    const QList<int> counts{int(guide.count()), int(cluster.count()), int(watch.count()), int(file.count())};
    for (int i = 0; i < 4; ++i)
        QCOMPARE(counts.at(i), i == which ? 1 : 0);
    if (which == 3)
        QCOMPARE(file.first().first().toString(), QString()); // it is asked for
}

void WelcomePageTest::tabGoesAsItIsRead()
{
    QStringList seen;
    for (int i = 0; i < 18; ++i) {
        const QWidget* now = QApplication::focusWidget();
        QVERIFY(now);
        const auto* button = qobject_cast<const QAbstractButton*>(now);
        seen.append(button && !button->text().isEmpty() ? button->text() : now->accessibleName());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QCOMPARE(seen.mid(0, 5),
        (QStringList{u"Start my first job"_s, u"Choose a cluster"_s, u"Choose a job"_s, u"Open a class file …"_s,
            u"All designs"_s}));
    QVERIFY2(seen.at(5).startsWith(u"llama8b, LUMI"_s), qPrintable(seen.join(u'\n')));
    QVERIFY2(seen.filter(u"One GCD"_s).size() == 1, qPrintable(seen.join(u'\n')));
    QVERIFY(seen.indexOf(seen.filter(u"One GCD"_s).value(0)) < seen.indexOf(seen.filter(u"Ten learning"_s).value(0)));
}

void WelcomePageTest::enterChoosesWhatHasTheFocus()
{
    const QSignalSpy guide(m_page.get(), &WelcomePage::guideRequested);
    const QSignalSpy opened(m_page.get(), &WelcomePage::designRequested);
    const QSignalSpy begun(m_page.get(), &WelcomePage::templateRequested);
    tile(u"/d/llama8b.json"_s)->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    QCOMPARE(opened.value(0).value(0).toString(), u"/d/llama8b.json"_s);
    tile(u"two-nodes"_s)->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QCOMPARE(begun.value(0).value(0).toString(), u"two-nodes"_s);
    QCOMPARE(guide.count(), 0);
}

void WelcomePageTest::everythingHasAName()
{
    for (const QWidget* stop : test::tabStops(*m_page)) {
        const auto* button = qobject_cast<const QAbstractButton*>(stop);
        QVERIFY2(
            !stop->accessibleName().isEmpty() || (button && !button->text().isEmpty()), qPrintable(test::nameOf(stop)));
    }
    QVERIFY(tile(u"/d/llama8b.json"_s)->accessibleName().contains(u"Fits 40.4 of 63.9 GiB"_s));
}

void WelcomePageTest::onlyOneWayHasTheAccent()
{
    int accents = 0;
    for (const QPushButton* button : m_page->findChildren<QPushButton*>())
        accents += button->property("accent").toBool() ? 1 : 0;
    QCOMPARE(accents, 1);
}

void WelcomePageTest::factsAreInTheSentences()
{
    QString text = test::shownText(*m_page);
    QVERIFY(text.contains(u"21 clusters are known"_s));
    QVERIFY2(text.contains(u"7 short steps"_s), qPrintable(text));
    QVERIFY(text.contains(u"8\u2009s to start"_s));
    m_page->setFacts({});
    text = test::shownText(*m_page);
    QVERIFY2(!text.contains(u" 0"_s) && !text.contains(u"0\u2009"_s), qPrintable(text)); // unknown is left out
}

void WelcomePageTest::withoutDesignsTemplatesMoveUp()
{
    const int before = tile(u"one-gpu"_s)->mapTo(m_page.get(), QPoint()).y();
    m_page->setDesigns({});
    QApplication::processEvents();
    QVERIFY(tile(u"one-gpu"_s)->mapTo(m_page.get(), QPoint()).y() < before - 60);
    QVERIFY(!test::shownText(*m_page).contains(u"Recent designs"_s));
    QVERIFY(!test::shownButton(*m_page, u"All designs"_s));
}

void WelcomePageTest::missingFilesAreSaidAndRemoved()
{
    DesignTile* gone = tile(u"/d/gone.json"_s);
    QVERIFY(gone && gone->accessibleName().contains(u"not there any more"_s));
    const QSignalSpy removed(m_page.get(), &WelcomePage::designRemoved);
    auto* button = gone->findChild<QToolButton*>();
    QVERIFY(button && button->isVisible());
    button->click();
    QCOMPARE(removed.count(), 1);
    tile(u"/d/llama8b.json"_s)->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Delete);
    QCOMPARE(removed.value(1).value(0).toString(), u"/d/llama8b.json"_s);
}

void WelcomePageTest::removingKeepsTheFocusAmongThem()
{
    tile(u"/d/gone.json"_s)->setFocus();
    m_page->setDesigns({design(u"llama8b"_s)});
    QCOMPARE(QApplication::focusWidget(), tile(u"/d/llama8b.json"_s));
    m_page->setDesigns({});
    QVERIFY(QApplication::focusWidget() && m_page->isAncestorOf(QApplication::focusWidget()));
    QVERIFY(QApplication::focusWidget()->isVisible());
}

void WelcomePageTest::saysWhyATemplateIsNotOffered()
{
    m_page->setTemplates(designTemplates(*m_catalogue.find(u"mahti"_s)), u"Mahti"_s);
    QApplication::processEvents();
    QVERIFY2(
        test::shownText(*m_page).contains(u"Mahti has taken no jobs since"_s), qPrintable(test::shownText(*m_page)));
    const QSignalSpy asked(m_page.get(), &WelcomePage::chooseClusterRequested);
    QPushButton* other = test::shownButton(*m_page, u"Choose another cluster"_s);
    QVERIFY(other);
    other->click();
    QCOMPARE(asked.count(), 1);
}

void WelcomePageTest::notesSayWhatWasRestored()
{
    m_page->setNotes({{u"restored"_s, u"Unsaved work was restored."_s, u"Go on with it"_s, Tone::Plain, {}, {}}});
    QApplication::processEvents();
    QVERIFY(test::shownText(*m_page).contains(u"Unsaved work was restored."_s));
    const QSignalSpy acted(m_page.get(), &WelcomePage::noteActed);
    test::shownButton(*m_page, u"Go on with it"_s)->click();
    QCOMPARE(acted.value(0).value(0).toString(), u"restored"_s);
    m_page->setNotes({});
    QVERIFY(!test::shownButton(*m_page, u"Go on with it"_s));
}

void WelcomePageTest::takesClassFilesAndLeavesOthers()
{
    const QSignalSpy taken(m_page.get(), &WelcomePage::classFileRequested);
    QVERIFY(drop(u"/d/lumi.rwclass"_s));
    QCOMPARE(taken.value(0).value(0).toString(), u"/d/lumi.rwclass"_s);
    QVERIFY(!drop(u"/d/design.json"_s));
    QCOMPARE(taken.count(), 1);
}

void WelcomePageTest::cutsNothing_data()
{
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280 x 800") << QSize(1212, 754);
    QTest::newRow("1024 x 700") << QSize(956, 654);
    QTest::newRow("900 x 480") << QSize(832, 434);
    QTest::newRow("half a screen") << QSize(480, 700);
    QTest::newRow("4K") << QSize(3772, 2114);
}

void WelcomePageTest::cutsNothing()
{
    QFETCH(const QSize, size);
    m_page->resize(size);
    for (int i = 0; i < 4; ++i)
        QApplication::processEvents();
    QCOMPARE(test::clippedTexts(*m_page).join(u'\n'), QString());
    for (const WayCard* card : m_page->findChildren<WayCard*>()) {
        for (const DesignTile* each : m_page->findChildren<DesignTile*>())
            QVERIFY(!each->isVisible()
                || !QRect(each->mapTo(m_page.get(), QPoint()), each->size())
                        .intersects(QRect(card->mapTo(m_page.get(), QPoint()), card->size())));
    }
    // Whatever lies below the window is reached by Tab.
    DesignTile* last = tile(u"ten-rates"_s);
    for (int i = 0; i < 30 && QApplication::focusWidget() != last; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), last);
    QVERIFY(m_page->rect().intersects(QRect(last->mapTo(m_page.get(), QPoint()), last->size())));
}

/// A file may be called anything.
void WelcomePageTest::namesOfFilesStayPlain()
{
    m_page->setDesigns({design(u"<b>a</b>\nb\u202ec%1&d"_s)});
    const QList<DesignTile*> tiles = m_page->findChildren<DesignTile*>();
    const auto named = std::find_if(tiles.cbegin(), tiles.cend(),
        [](const DesignTile* each) { return each->isVisible() && each->key().startsWith(u"/d/<b>"_s); });
    QVERIFY(named != tiles.cend());
    QVERIFY2((*named)->accessibleName().startsWith(u"<b>a</b> bc%1&d, LUMI"_s), qPrintable((*named)->accessibleName()));
    QVERIFY(!(*named)->toolTip().contains(u"<b>a"_s) && !(*named)->toolTip().contains(QChar(0x202e)));
    (*named)->grab();
}

void WelcomePageTest::clicksOnACardCount()
{
    const QSignalSpy asked(m_page.get(), &WelcomePage::chooseClusterRequested);
    QTest::mouseClick(m_page->findChildren<WayCard*>().at(1), Qt::LeftButton, {}, QPoint(40, 40));
    QCOMPARE(asked.count(), 1);
}

void WelcomePageTest::isBuiltWhenItIsShown()
{
    WelcomePage page;
    page.setFacts({21, 7, 5, 0, 8});
    page.setDesigns({design(u"x"_s)});
    QVERIFY(page.findChildren<QWidget*>().isEmpty());
    page.show();
    QVERIFY(!page.findChildren<WayCard*>().isEmpty());
    QVERIFY(test::shownText(page).contains(u"21 clusters"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(WelcomePageTest)
#include "tst_welcomepage.moc"
