// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/practicedesign.h"
#include "tests/app/support/windowbench.h"
#include "widgets/base/figurebutton.h"
#include "widgets/design/findingspanel.h"
#include "widgets/design/verdictbar.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// What the window draws is what the script starts, or the window says that the program decides.
class DrawnRunsTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override
    {
        QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support).*"_s));
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<WindowBench>(m_folder->path());
        QVERIFY(m_bench->start({1280, 800}));
        m_bench->window().showPage(MainWindow::Page::Design);
    }
    void cleanup() { m_bench.reset(); }

    /// 32 × 1 × 8 was drawn, the program kept its default of 16, and all checks passed.
    void theFirstRunIsWhatIsDrawn()
    {
        Design& design = m_bench->design();
        design.replace(workshopDesign(60));
        QVERIFY2(script().contains(u"--micro-batch=16"_s), qPrintable(script()));
        QVERIFY(script().contains(u"--global-batch=256"_s));
        design.edit(u"Advice"_s, [](JobSpec& spec) { spec.training.microBatch = 32; });
        QVERIFY(script().contains(u"--micro-batch=32"_s));
        QVERIFY(!hasFinding(u"figures-unpassed"_s));
    }

    void whatNothingPassesIsSaid()
    {
        Design& design = m_bench->design();
        design.replace(ownDesign());
        QVERIFY(hasFinding(u"figures-unpassed"_s));
        QVERIFY(verdictTexts().contains(u"1 note"_s) || verdictTexts().contains(u"Ready, 1 note"_s));
        QCOMPARE(textsThatContain(u"Drawn, not passed: your program decides its micro-batch."_s), 1);
        QVERIFY(pictureSays(u"not passed"_s));
        // Answered once, taken back by Undo.
        QPushButton* own = findingButton(u"Its own configuration has it"_s);
        QVERIFY(own);
        own->click();
        QCOMPARE(design.spec().program.microBatch, std::optional(u"own"_s));
        QVERIFY(!hasFinding(u"figures-unpassed"_s));
        QCOMPARE(textsThatContain(u"Drawn, not passed"_s), 0);
        QVERIFY(design.undo());
        QVERIFY(hasFinding(u"figures-unpassed"_s));
    }

    void theOptionIsNamedInTheForm()
    {
        Design& design = m_bench->design();
        design.replace(ownDesign());
        QPushButton* show = findingButton(u"Show the field"_s);
        QVERIFY(show);
        show->click();
        auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(field);
        QCOMPARE(field->accessibleName(), u"Micro-batch option"_s);
        QTest::keyClicks(field, u"--batch-size"_s);
        QVERIFY2(script().contains(u"--batch-size=32"_s), qPrintable(script()));
        QVERIFY(!hasFinding(u"figures-unpassed"_s));
        QVERIFY(design.undo());
        QVERIFY(!script().contains(u"--batch-size"_s));
    }

    void aBatchOfTheCommandIsDrawn()
    {
        JobSpec spec = ownDesign();
        spec.training = {};
        spec.resources.nodes = 4;
        spec.partition = u"standard-g"_s;
        spec.command = u"mine.py --batch-size 2 --grad-accum 8"_s;
        m_bench->design().replace(spec);
        QCOMPARE(m_bench->design().derived().batch.globalBatch, 512);
        QVERIFY(!hasFinding(u"figures-unpassed"_s));
    }

private:
    static JobSpec ownDesign()
    {
        JobSpec spec;
        spec.cluster = u"lumi"_s;
        spec.account = u"project_462000265"_s;
        spec.partition = u"standard-g"_s;
        spec.resources.nodes = 1;
        spec.resources.gpusPerNode = 8;
        spec.training.globalBatch = 256;
        spec.training.microBatch = 32;
        spec.command = u"mine.py"_s;
        return spec;
    }
    QString script() const { return m_bench->design().derived().script.text(); }
    bool hasFinding(const QString& slug) const
    {
        const auto& all = m_bench->design().derived().findings();
        return std::any_of(all.begin(), all.end(), [&slug](const Finding& one) { return one.slug == slug; });
    }
    QStringList verdictTexts() const
    {
        QStringList texts;
        for (const auto* each : m_bench->window().findChild<VerdictBar*>()->findChildren<QPushButton*>())
            texts.append(each->text());
        return texts;
    }
    int textsThatContain(const QString& text) const
    {
        int count = 0;
        for (const auto* each : m_bench->window().findChildren<QLabel*>())
            count += each->isVisibleTo(&m_bench->window()) && each->text().contains(text) ? 1 : 0;
        return count;
    }
    bool pictureSays(const QString& text) const
    {
        for (const auto* each : m_bench->window().findChild<VerdictBar*>()->findChildren<FigureButton*>()) {
            if (each->accessibleName().contains(text) || each->toolTip().contains(text)
                || each->accessibleDescription().contains(text))
                return true;
        }
        return false;
    }
    QPushButton* findingButton(const QString& text) const
    {
        for (auto* each : m_bench->window().findChild<FindingsPanel*>()->findChildren<QPushButton*>()) {
            if (!each->isHidden() && each->accessibleName() == text)
                return each;
        }
        return nullptr;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
};

RANKWRIGHT_WIDGET_TEST_MAIN(DrawnRunsTest)
#include "tst_drawnruns.moc"
