// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The report on a job with made-up samples, as dialog and as PDF: shots_report FOLDER.
#include "tests/shots/reportfixture.h"
#include "widgets/base/theme.h"
#include "widgets/report/reportdialog.h"
#include "widgets/report/reportdocument.h"

#include <QApplication>
#include <QScrollArea>
#include <QScrollBar>

using namespace Qt::StringLiterals;
using namespace rankwright;

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QString folder = application.arguments().value(1, u"."_s);
    Theme theme;
    const EfficiencyReport report = test::someReport();
    const SpeedupTable speedup = test::someSpeedup();
    const QString thanks
        = u"The authors wish to acknowledge CSC – IT Center for Science, Finland, for computational resources."_s;
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        theme.apply();
        for (const QSize size : {QSize(980, 760), QSize(1280, 1500)}) {
            ReportDialog dialog;
            dialog.setAcknowledgement(thanks);
            dialog.showReport(report, speedup, {}, ReportDialog::OpenDesign::OfItsKind);
            dialog.resize(size);
            dialog.show();
            for (int i = 0; i < 5; ++i)
                QApplication::processEvents();
            const QString name = u"%1/report_%2_%3"_s.arg(folder, dark ? u"dark"_s : u"light"_s).arg(size.width());
            dialog.grab().save(name + u".png"_s);
            auto* scroll = dialog.findChild<QScrollArea*>()->verticalScrollBar();
            scroll->setValue(scroll->maximum());
            QApplication::processEvents();
            dialog.grab().save(name + u"_end.png"_s);
        }
    }
    const ReportPaper paper{{report}, speedup, u"Rankwright, made-up data"_s, thanks};
    for (const QPageSize::PageSizeId size : {QPageSize::A4, QPageSize::Letter}) {
        const auto written = writeReportPdf(
            paper, u"%1/report_%2.pdf"_s.arg(folder, size == QPageSize::A4 ? u"a4"_s : u"letter"_s), size);
        if (!written)
            qWarning("%s", qPrintable(written.error().oneLine()));
    }
    return 0;
}
