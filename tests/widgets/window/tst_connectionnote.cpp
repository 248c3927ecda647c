// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/window/connectionnote.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What stands at the chip when a connection is gone, and its one button.
class ConnectionNoteTest final : public test::Suite {
    Q_OBJECT

    struct Bench {
        Bench()
        {
            room.resize(1024, 700);
            anchor.setGeometry(20, 4, 120, 28);
            room.show();
        }
        QPushButton* action() const
        {
            for (auto* button : note.findChildren<QPushButton*>()) {
                if (button->property("accent").toBool())
                    return button;
            }
            return nullptr;
        }
        Theme theme;
        QWidget room;
        QToolButton anchor{&room};
        ConnectionNote note{anchor, &room};
    };
    static LinkInfo lost()
    {
        LinkInfo link;
        link.cluster = u"lumi"_s;
        link.title = u"LUMI"_s;
        link.state = LinkState::Lost;
        link.error = Error{Fault::LoginRefused, u"The connection was lost, and logging in again needs you."_s,
            u"lumi.csc.fi does not answer any more."_s, u"Connect again when you are at hand."_s};
        return link;
    }

private slots:
    void oneButtonWhereAPersonIsNeeded();
    void largerTextFits();
    void whatWasMistypedIsTriedAgain();
    void whatComesBackByItselfNeedsNoNote();
};

void ConnectionNoteTest::oneButtonWhereAPersonIsNeeded()
{
    Bench bench;
    LinkInfo link = lost();
    link.waitsForPerson = true;
    bench.note.showLink(link);
    QVERIFY(bench.note.isVisible());
    QVERIFY(bench.action());
    QCOMPARE(bench.action()->text(), u"Connect"_s);
    QVERIFY(bench.action()->toolTip().contains(u"code"_s));
    QSignalSpy clicked(&bench.note, &ConnectionNote::retryClicked);
    bench.action()->click();
    QCOMPARE(clicked.size(), 1);
    QCOMPARE(clicked.first().first().toString(), u"lumi"_s);
    QVERIFY(!bench.note.isVisible());
}

void ConnectionNoteTest::largerTextFits()
{
    Bench bench;
    LinkInfo link = lost();
    link.waitsForPerson = true;
    bench.note.showLink(link);
    const int before = bench.note.height();
    QFont large = bench.room.font();
    large.setPixelSize(28);
    bench.note.setFont(large);
    for (auto* label : bench.note.findChildren<QLabel*>())
        label->setFont(large);
    QTRY_VERIFY(bench.note.height() > before);
    QVERIFY(bench.action()->geometry().bottom() < bench.note.height());
}

void ConnectionNoteTest::whatWasMistypedIsTriedAgain()
{
    Bench bench;
    LinkInfo link = lost();
    link.state = LinkState::Offline;
    bench.note.showLink(link);
    QCOMPARE(bench.action()->text(), u"Try again…"_s);
}

void ConnectionNoteTest::whatComesBackByItselfNeedsNoNote()
{
    Bench bench;
    LinkInfo link = lost();
    link.activity = u"connecting again in 4 s"_s;
    bench.note.showLink(link);
    QVERIFY(!bench.note.isVisible());
}

RANKWRIGHT_WIDGET_TEST_MAIN(ConnectionNoteTest)
#include "tst_connectionnote.moc"
