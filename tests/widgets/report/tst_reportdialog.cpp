// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shots/reportfixture.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/report/reportdialog.h"
#include "widgets/report/reportdocument.h"
#include "widgets/report/reportpicture.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QProgressBar>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The report as a dialog and on paper.
class ReportDialogTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void showsEverything();
    void aFailedJobHasNoGrade();
    void adviceIsAppliedAndCopied();
    void theAcknowledgementIsCopied();
    void anotherClustersDesignIsNotOffered();
    void waitsAndFails();
    void everythingHasAName();
    void picturesSurviveAnything();
    void pdfHasFontsAndPages_data();
    void pdfHasFontsAndPages();
    void pdfSaysWhenItCannotBeWritten();

private:
    static QString shown(const QWidget& dialog)
    {
        QStringList texts;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            texts.append(label->text());
        return texts.join(u'\n');
    }
    static QAbstractButton* button(const QWidget& dialog, const QString& text)
    {
        for (QAbstractButton* each : dialog.findChildren<QAbstractButton*>()) {
            if (each->text() == text)
                return each;
        }
        return nullptr;
    }
    std::unique_ptr<Theme> m_theme;
    EfficiencyReport m_report;
    SpeedupTable m_speedup;
};

void ReportDialogTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
    m_report = test::someReport();
    m_speedup = test::someSpeedup();
}

void ReportDialogTest::showsEverything()
{
    ReportDialog dialog;
    dialog.showReport(m_report, m_speedup, {u"A note."_s}, ReportDialog::OpenDesign::OfItsKind);
    dialog.show();
    const QString text = shown(dialog);
    for (const QString& part : {u"Job 7100412 (gpt-imdb) on LUMI"_s, u"2 of 16 GCDs never did any work"_s,
             u"--time=01:30:00"_s, u"Energy of the GCDs"_s, u"17\u2009% more than expected, inside the band"_s,
             u"10.76 ×"_s, u"A note."_s, u"Never at work: nid005002 GCD 6"_s})
        QVERIFY2(text.contains(part), qPrintable(part + u"\n---\n"_s + text));
    QVERIFY(!dialog.findChildren<QProgressBar*>().isEmpty());
    QCOMPARE(dialog.findChildren<ReportPicture*>().size(), 3);
    dialog.grab();
}

void ReportDialogTest::aFailedJobHasNoGrade()
{
    EfficiencyReport failed = m_report;
    failed.job.state = JobState::Failed;
    failed.grade = EfficiencyReport::Grade::Unknown;
    ReportDialog dialog;
    dialog.showReport(failed, {}, {}, ReportDialog::OpenDesign::OfItsKind);
    QVERIFY2(shown(dialog).contains(u"? Not graded: it failed"_s), qPrintable(shown(dialog)));
}

void ReportDialogTest::adviceIsAppliedAndCopied()
{
    ReportDialog dialog;
    dialog.showReport(m_report, {}, {}, ReportDialog::OpenDesign::OfItsKind);
    QSignalSpy applied(&dialog, &ReportDialog::applyRequested), copied(&dialog, &ReportDialog::copyRequested);
    button(dialog, u"Apply to the design"_s)->click();
    button(dialog, u"Copy"_s)->click();
    QCOMPARE(applied.count(), 1);
    QCOMPARE(applied.first().first().value<ReportAdvice>().field, u"time"_s);
    QCOMPARE(copied.first().first().toString(), u"--time=01:30:00"_s);
}

void ReportDialogTest::theAcknowledgementIsCopied()
{
    ReportDialog dialog;
    QAbstractButton* copy = button(dialog, u"Copy acknowledgement"_s);
    QVERIFY(copy != nullptr && copy->isHidden());
    dialog.setAcknowledgement(u"We thank the site."_s);
    dialog.showReport(m_report, m_speedup, {}, ReportDialog::OpenDesign::OfItsKind);
    QVERIFY(!copy->isHidden());
    QSignalSpy asked(&dialog, &ReportDialog::copyRequested);
    copy->click();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().first().toString(), u"We thank the site."_s);
}

void ReportDialogTest::anotherClustersDesignIsNotOffered()
{
    ReportDialog dialog;
    dialog.showReport(m_report, {}, {}, ReportDialog::OpenDesign::Another);
    QVERIFY(!button(dialog, u"Apply to the design"_s));
    QVERIFY(button(dialog, u"Copy"_s));
}

void ReportDialogTest::waitsAndFails()
{
    ReportDialog dialog;
    dialog.showWaiting(u"12"_s);
    QVERIFY(!button(dialog, u"Save as PDF…"_s)->isEnabled());
    dialog.showSumming(0.426);
    QVERIFY2(shown(dialog).contains(u"43\u2009%"_s), qPrintable(shown(dialog)));
    dialog.showReport(m_report, m_speedup, {}, ReportDialog::OpenDesign::OfItsKind);
    QVERIFY(button(dialog, u"Save as PDF…"_s)->isEnabled());
    dialog.showError({Fault::Offline, u"No link."_s, {}, u"Connect."_s});
    QVERIFY(shown(dialog).contains(u"No link."_s));
    QVERIFY(!button(dialog, u"Save as PDF…"_s)->isEnabled());
    QSignalSpy again(&dialog, &ReportDialog::refreshRequested);
    button(dialog, u"Ask again"_s)->click();
    QCOMPARE(again.count(), 1);
}

void ReportDialogTest::everythingHasAName()
{
    ReportDialog dialog;
    dialog.showReport(m_report, m_speedup, {}, ReportDialog::OpenDesign::OfItsKind);
    for (const QProgressBar* bar : dialog.findChildren<QProgressBar*>())
        QVERIFY(!bar->accessibleName().isEmpty());
    for (const ReportPicture* picture : dialog.findChildren<ReportPicture*>()) {
        QVERIFY(!picture->accessibleName().isEmpty());
        QVERIFY(picture->accessibleDescription().size() > 20);
    }
    for (const QAbstractButton* each : dialog.findChildren<QAbstractButton*>())
        QVERIFY(!each->text().isEmpty() || !each->accessibleName().isEmpty());
}

void ReportDialogTest::picturesSurviveAnything()
{
    HistorySummary bare;
    bare.nodes = {u"n1"_s};
    bare.gpusPerNode = 1;
    bare.gpus.append(GpuSummary());
    for (const HistorySummary& seen : {HistorySummary(), bare}) {
        for (const auto kind : {ReportPicture::Kind::Curve, ReportPicture::Kind::Map}) {
            ReportPicture picture(kind, u"picture"_s);
            picture.setData(seen, u"GPU"_s);
            for (const QSize size : {QSize(1, 1), QSize(200, 120), QSize(1920, 400)}) {
                picture.resize(size);
                picture.grab();
            }
        }
    }
    ReportPicture plot(ReportPicture::Kind::Speedup, u"plot"_s);
    plot.setData(SpeedupTable());
    plot.resize(300, 200);
    plot.grab();
    HistorySummary large = bare; // 1,024 nodes
    large.nodes.clear();
    large.gpus.clear();
    large.gpusPerNode = 8;
    for (int node = 0; node < 1024; ++node) {
        large.nodes.append(u"nid%1"_s.arg(node));
        for (int gpu = 0; gpu < 8; ++gpu) {
            GpuSummary one;
            one.address = {node, gpu};
            one.meanUse = gpu * 12;
            large.gpus.append(one);
        }
    }
    ReportPicture map(ReportPicture::Kind::Map, u"map"_s);
    map.setData(large, u"GPU"_s);
    map.resize(1280, map.heightForWidth(1280));
    map.grab();
}

void ReportDialogTest::pdfHasFontsAndPages_data()
{
    QTest::addColumn<int>("size");
    QTest::addColumn<QString>("box"); // of the page, in points
    QTest::newRow("A4") << int(QPageSize::A4) << u"595.*842"_s;
    QTest::newRow("Letter") << int(QPageSize::Letter) << u"612.*792"_s;
}

void ReportDialogTest::pdfHasFontsAndPages()
{
    QFETCH(int, size);
    QFETCH(QString, box);
    QTemporaryDir folder;
    const QString path = folder.filePath(u"report.pdf"_s);
    const ReportPaper paper{{m_report}, m_speedup, u"Rankwright"_s};
    QVERIFY_RESULT(writeReportPdf(paper, path, QPageSize::PageSizeId(size)));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    QVERIFY(bytes.startsWith("%PDF-"));
    QVERIFY(bytes.contains("/FontFile2")); // embedded
    const auto boxes = QRegularExpression(uR"(/MediaBox \[[^\]]*)"_s + box).match(QString::fromLatin1(bytes));
    QVERIFY(boxes.hasMatch());
    const int pages = int(bytes.count("/Type /Page\n"));
    QVERIFY2(pages >= 2 && pages <= 4, qPrintable(QString::number(pages)));
    QVERIFY(bytes.size() < 400000); // vectors, no pictures of text
}

void ReportDialogTest::pdfSaysWhenItCannotBeWritten()
{
    const auto written = writeReportPdf({{m_report}, {}, {}}, u"/no/such/folder/report.pdf"_s);
    QVERIFY(!written);
    QCOMPARE(written.error().fault, Fault::Io);
}

RANKWRIGHT_WIDGET_TEST_MAIN(ReportDialogTest)
#include "tst_reportdialog.moc"
