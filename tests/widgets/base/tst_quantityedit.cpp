// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/theme.h"

#include <QApplication>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What stands in an empty field, and the hint beside it.
class QuantityEditTest final : public test::Suite {
    Q_OBJECT
private slots:
    void theHintGivesWay();

private:
    Theme m_theme;
};

/// “small-g” was shown as “sm…-g” so that “shared nodes” had its room.
void QuantityEditTest::theHintGivesWay()
{
    QuantityEdit edit;
    edit.setPlaceholder(u"small-g"_s);
    edit.setHint(u"shared nodes"_s);
    edit.setOptions({u"small-g"_s, u"standard-g"_s});
    edit.show();
    const int needed = QFontMetrics(Theme::uiFont()).horizontalAdvance(edit.placeholder());
    for (int width = 300; width >= needed + 60; --width) {
        edit.resize(width, 30);
        QVERIFY2(edit.shownPlaceholder() == edit.placeholder(), qPrintable(QString::number(width)));
    }
    edit.setPlaceholder(u"the longest name of a partition that any site has"_s);
    edit.resize(160, 30);
    QVERIFY(edit.shownPlaceholder().contains(u'…'));
    QVERIFY(edit.shownPlaceholder() != edit.placeholder());
    edit.setText(u"2"_s);
    QVERIFY(edit.shownPlaceholder().isEmpty());
    edit.grab();
}

RANKWRIGHT_WIDGET_TEST_MAIN(QuantityEditTest)
#include "tst_quantityedit.moc"
