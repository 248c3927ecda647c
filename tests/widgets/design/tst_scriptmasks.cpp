// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/scriptfindings.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/design/designpage.h"
#include "widgets/rankmap/rankmapview.h"
#include "widgets/script/scripteditor.h"

#include <QLabel>
#include <QPushButton>

#include <algorithm>

using namespace Qt::StringLiterals;
using namespace rankwright;

/// The node map shows the masks that the script really has, and leads to their line.
class ScriptMasksTest final : public test::Suite {
    Q_OBJECT
private slots:
    void areDrawn();

private:
    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
};

void ScriptMasksTest::areDrawn()
{
    Design design(m_catalogue);
    JobSpec own;
    own.cluster = u"lumi"_s;
    own.partition = u"standard-g"_s;
    own.account = u"project_465000001"_s;
    own.resources.nodes = 1;
    own.resources.gpusPerNode = 8;
    own.launcher = Launcher::Srun;
    own.command = u"train.py"_s;
    design.replace(own);
    QWidget host;
    host.resize(1400, 850);
    DesignPage page(design, &host);
    page.resize(1400, 850);
    host.show();
    auto* note = page.findChild<QLabel*>(u"bindingNote"_s);
    auto* map = page.findChild<RankMapView*>();
    QVERIFY(!note->isVisibleTo(&page));
    const QString text = design.derived().script.text();
    QString changed = text;
    changed.replace(QRegularExpression(u"--cpu-bind=\\S+"_s),
        u"--cpu-bind=mask_cpu:fe,fe00,fe0000,fe000000,fe00000000,fe0000000000,fe000000000000,fe00000000000000"_s);
    QVERIFY(changed != text);
    design.edit(u"Script"_s, [&](JobSpec& spec) { spec = editedSpec(design.derived(), changed); });
    QVERIFY(note->isVisibleTo(&page));
    const auto& findings = design.derived().findings();
    const auto wrong = std::find_if(
        findings.begin(), findings.end(), [](const Finding& finding) { return finding.slug == u"mask-order"; });
    QVERIFY(wrong != findings.end());
    QVERIFY2(note->text().contains(wrong->text), qPrintable(note->text()));
    QTRY_VERIFY2(note->height() >= note->heightForWidth(note->width()),
        qPrintable(u"%1 of %2"_s.arg(note->height()).arg(note->heightForWidth(note->width()))));
    // Cores 1 to 7 of the first rank are beside GCD 4, and beside its own GCD 0 are those of rank 6.
    const RankMapData& data = map->dataShown();
    QCOMPARE(data.plan.ranks.first().cores, (QList<int>{1, 2, 3, 4, 5, 6, 7}));
    QCOMPARE(data.coresOfOthers.value(0), (QList<int>{49, 50, 51, 52, 53, 54, 55}));
    auto* line = note->parentWidget()->findChild<QPushButton*>();
    QCOMPARE(line->text(), u"Line %1"_s.arg(data.plan.scriptLine.value_or(-1) + 1));
    line->click();
    int at = 0;
    int column = 0;
    page.findChild<ScriptEditor*>()->getCursorPosition(&at, &column);
    QCOMPARE(std::optional(at), data.plan.scriptLine);
    design.undo();
    QVERIFY(!note->isVisibleTo(&page));
    QVERIFY(map->dataShown().coresOfOthers.isEmpty());
}

RANKWRIGHT_WIDGET_TEST_MAIN(ScriptMasksTest)
#include "tst_scriptmasks.moc"
