// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/linkbutton.h"
#include "widgets/base/theme.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class LinkButtonTest final : public test::Suite {
    Q_OBJECT
private slots:
    void endsWithAMark();
    void wordsOfOthersAreText();
    void saysMoreThanItShows();
    void goesOnInFurtherLines();

private:
    Theme m_theme;
};

void LinkButtonTest::endsWithAMark()
{
    const QString whole = u"Course material: Getting started with a workshop (example.org)"_s;
    QWidget host;
    LinkButton button(whole, &host);
    host.show();
    button.resize(button.sizeHint());
    QCOMPARE(button.text(), whole);
    const QSize wanted = button.sizeHint();
    button.resize(wanted.width() / 2, wanted.height());
    QVERIFY(button.text().endsWith(u'…'));
    QVERIFY(button.fontMetrics().horizontalAdvance(button.text()) < button.width());
    QCOMPARE(button.sizeHint(), wanted); // it asks for the room of the whole
    QCOMPARE(button.accessibleName(), whole);
    QCOMPARE(button.toolTip(), whole);
    button.resize(wanted);
    QCOMPARE(button.text(), whole);
    QCOMPARE(button.toolTip(), QString());
    button.setWhole(u"Short"_s);
    QCOMPARE(button.text(), u"Short"_s);
    QCOMPARE(button.accessibleName(), u"Short"_s);
}

void LinkButtonTest::wordsOfOthersAreText()
{
    QWidget host;
    LinkButton button(u"Slides & <b>more</b>"_s, &host);
    host.show();
    button.resize(button.sizeHint());
    QCOMPARE(button.text(), u"Slides && <b>more</b>"_s); // no mnemonic
    QCOMPARE(button.accessibleName(), u"Slides & <b>more</b>"_s);
    button.resize(70, button.height());
    QVERIFY(!button.toolTip().contains(u"<b>"_s));
}

void LinkButtonTest::saysMoreThanItShows()
{
    QWidget host;
    LinkButton button(u"Leave the class"_s, &host);
    host.show();
    button.setNote(u"The design stays."_s);
    button.resize(button.sizeHint());
    QCOMPARE(button.toolTip(), u"The design stays."_s);
    QCOMPARE(button.accessibleDescription(), u"The design stays."_s);
    button.resize(65, button.height());
    QCOMPARE(button.toolTip(), u"Leave the class\nThe design stays."_s);
}

void LinkButtonTest::goesOnInFurtherLines()
{
    QWidget host;
    LinkButton button(u"Recompute selectively, use all 8 GCDs of a node"_s, &host);
    button.setWraps();
    host.show();
    const QSize whole = button.sizeHint();
    QCOMPARE(button.heightForWidth(whole.width()), whole.height());
    const int width = whole.width() * 2 / 3;
    QVERIFY(button.heightForWidth(width) > whole.height());
    button.resize(width, button.heightForWidth(width));
    QCOMPARE(QString(button.text()).replace(u'\n', u' '), button.whole());
    QCOMPARE(button.sizeHint(), whole);
    QCOMPARE(button.toolTip(), QString());
    button.resize(70, button.heightForWidth(70));
    QVERIFY(button.text().contains(u'…')); // a word that is longer than the line
    QVERIFY(!button.toolTip().isEmpty());
}

RANKWRIGHT_WIDGET_TEST_MAIN(LinkButtonTest)
#include "tst_linkbutton.moc"
