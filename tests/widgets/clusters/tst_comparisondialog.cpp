// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/comparisondialog.h"

#include <QApplication>
#include <QLabel>
#include <QTableView>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The result of “Compare…” beside a connected cluster.
class ComparisonDialogTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void showsEveryDifference();
    void nothingDiffers();

private:
    static QString shown(const QWidget& dialog)
    {
        QStringList texts;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            texts.append(label->text());
        return texts.join(u'\n');
    }
    std::unique_ptr<Theme> m_theme;
};

void ComparisonDialogTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void ComparisonDialogTest::showsEveryDifference()
{
    const EntryComparison comparison{
        {{u"$.partitions[0].maxTime"_s, u"partition gpu: longest time"_s, u"1-00:00:00"_s, u"12:00:00"_s},
            {u"$.partitions"_s, u"partition new"_s, {}, u"there, with GPUs"_s},
            {u"$.partitions"_s, u"partition newer"_s, {}, u"there, with GPUs"_s}},
        {u"Slurm reported no QoS: their limits are not compared."_s}};
    ComparisonDialog dialog(u"Site"_s, comparison);
    dialog.show();
    const auto* table = dialog.findChild<QTableView*>();
    QVERIFY(table != nullptr);
    QCOMPARE(table->model()->rowCount(), 3);
    QCOMPARE(table->model()->index(0, 2).data().toString(), u"12:00:00"_s);
    QCOMPARE(table->model()->index(1, 1).data().toString(), u"–"_s); // nothing in the entry
    QCOMPARE(table->model()->index(2, 0).data().toString(), u"partition newer"_s);
    QVERIFY(shown(dialog).contains(u"no QoS"_s));
    QVERIFY(shown(dialog).contains(u"differ in 3"_s));
}

void ComparisonDialogTest::nothingDiffers()
{
    ComparisonDialog dialog(u"Site"_s, {});
    dialog.show();
    QVERIFY(dialog.findChild<QTableView*>() == nullptr);
    QVERIFY(shown(dialog).contains(u"agrees with what its Slurm reports"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(ComparisonDialogTest)
#include "tst_comparisondialog.moc"
