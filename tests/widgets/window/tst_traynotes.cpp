// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/window/traynotes.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QSystemTrayIcon>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Offscreen there is no tray: what is left is that nothing depends on one, and the icon's menu.
class TrayNotesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void saysWhyThereIsNone();
    void nothingShownNothingTold();
    void theMenuHasTheJobs();
};

void TrayNotesTest::init()
{
    // What Qt says of an icon on a platform without a tray.
    QTest::failOnWarning(QRegularExpression(u"^(?!QObject::connect: No such signal QPlatformNativeInterface).*"_s));
}

void TrayNotesTest::saysWhyThereIsNone()
{
    const TrayNotes notes;
    QCOMPARE(notes.whyNot().isEmpty(), QSystemTrayIcon::isSystemTrayAvailable() && QSystemTrayIcon::supportsMessages());
    if (!notes.whyNot().isEmpty())
        QVERIFY(notes.whyNot().endsWith(u"stay off."_s));
}

void TrayNotesTest::nothingShownNothingTold()
{
    TrayNotes notes;
    notes.setShown(false);
    notes.setJobs({u"11 llama on LUMI: running"_s});
    notes.tell(u"title"_s, u"text"_s, u"id"_s);
    QCOMPARE(QApplication::topLevelWidgets().size(), 0); // no icon, no menu was made
}

void TrayNotesTest::theMenuHasTheJobs()
{
    Theme theme;
    TrayNotes notes;
    notes.setJobs({u"11 a & b on LUMI: running"_s});
    notes.setShown(true);
    QMenu* menu = nullptr;
    for (QWidget* each : QApplication::topLevelWidgets()) {
        auto* one = qobject_cast<QMenu*>(each);
        menu = one && !one->parentWidget() ? one : menu;
    }
    QVERIFY(menu != nullptr);
    const QList<QAction*> entries = menu->actions();
    QMenu* jobs = entries.at(1)->menu();
    QCOMPARE(jobs->actions().size(), 1);
    QCOMPARE(jobs->actions().first()->text(), u"11 a && b on LUMI: running"_s);
    QSignalSpy wantsJobs(&notes, &DesktopNotes::jobsWanted);
    QSignalSpy wantsWindow(&notes, &DesktopNotes::windowWanted);
    QSignalSpy wantsQuit(&notes, &DesktopNotes::quitWanted);
    jobs->actions().first()->trigger();
    entries.first()->trigger();
    entries.last()->trigger();
    QCOMPARE(wantsJobs.size(), 1);
    QCOMPARE(wantsWindow.size(), 1);
    QCOMPARE(wantsQuit.size(), 1);
    QStringList many;
    for (int i = 0; i < 30; ++i)
        many.append(QString::number(i));
    notes.setJobs(many);
    QCOMPARE(jobs->actions().size(), 13);
    QCOMPARE(jobs->actions().last()->text(), u"… and 18 more"_s);
    notes.setJobs({});
    QCOMPARE(jobs->actions().size(), 1);
    QVERIFY(!jobs->actions().first()->isEnabled());
    notes.setShown(false);
}

RANKWRIGHT_WIDGET_TEST_MAIN(TrayNotesTest)
#include "tst_traynotes.moc"
