// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/reportdialog.h"

#include "models/core/quantitytext.h"
#include "models/insight/report/reportmarkdown.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/icons.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/report/reportpicture.h"

#include <QBoxLayout>
#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;
using Grade = EfficiencyReport::Grade;

namespace {

/// The grade with a sign before it, so that colour alone says nothing.
QString gradeText(const EfficiencyReport& report)
{
    const Grade grade = report.grade;
    const QString sign = grade == Grade::Good ? u"✓ "_s
        : grade == Grade::Fair                ? u"○ "_s
        : grade == Grade::Poor                ? u"! "_s
                                              : u"? "_s;
    return sign + gradeTitle(report);
}

QString gradeTone(Grade grade)
{
    return grade == Grade::Good ? u"good"_s
        : grade == Grade::Fair  ? u"warn"_s
        : grade == Grade::Poor  ? u"bad"_s
                                : QString();
}

QProgressBar* shareBar(const ReportFigure& figure, QWidget* parent)
{
    auto* bar = new QProgressBar(parent);
    bar->setTextVisible(false);
    bar->setRange(0, 1000);
    bar->setValue(int(std::lround(qBound(0.0, *figure.share, 1.0) * 1000)));
    bar->setFixedWidth(150);
    bar->setAccessibleName(ReportDialog::tr("%1: %2 %3").arg(figure.label, figure.text, figure.of));
    return bar;
}

} // namespace

ReportDialog::ReportDialog(QWidget* parent) : QDialog(parent), m_scroll(new QScrollArea(this))
{
    setWindowTitle(tr("Efficiency report"));
    resize(980, 680);
    fitTexts(*this, {820, 360});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 14);
    column->setSpacing(8);
    m_title = makeText({}, "figure", this);
    m_subtitle = makeText({}, "quiet", this);
    column->addWidget(m_title);
    column->addWidget(m_subtitle);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setAccessibleName(tr("The report"));
    column->addWidget(m_scroll, 1);
    m_reported = makeText({}, "quiet", this);
    m_reported->hide();
    column->addWidget(m_reported);
    auto* row = new QHBoxLayout;
    const auto button = [&](const QString& text, void (ReportDialog::*asked)()) {
        auto* made = new QPushButton(text, this);
        made->setAutoDefault(false);
        connect(made, &QPushButton::clicked, this, asked);
        row->addWidget(made);
        return made;
    };
    m_files = {button(tr("Save as Markdown…"), &ReportDialog::markdownRequested),
        button(tr("Save as PDF…"), &ReportDialog::pdfRequested), button(tr("Print…"), &ReportDialog::printRequested)};
    m_jobFile = button(tr("Job file…"), &ReportDialog::jobFileRequested);
    m_jobFile->setToolTip(tr("Save as a job file: recording, end of the output, script, design and report as one file "
                             "for a colleague or a help desk, without its secrets"));
    m_files.append(m_jobFile);
    m_thanks = new QPushButton(tr("Copy acknowledgement"), this);
    m_thanks->setAutoDefault(false);
    m_thanks->hide();
    connect(m_thanks, &QPushButton::clicked, this, [this] { emit copyRequested(m_acknowledgement); });
    row->addWidget(m_thanks);
    row->addStretch(1);
    button(tr("Ask again"), &ReportDialog::refreshRequested);
    auto* close = new QPushButton(tr("Close"), this);
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    row->addWidget(close);
    column->addLayout(row);
    clear();
}

void ReportDialog::clear()
{
    m_page = new QWidget;
    m_page->setAutoFillBackground(false);
    m_column = new QVBoxLayout(m_page);
    m_column->setContentsMargins(0, 4, 8, 4);
    m_column->setSpacing(12);
    m_scroll->setWidget(m_page); // the one before goes with it
    m_scroll->viewport()->setAutoFillBackground(false);
    m_reported->hide();
    setFileButtons(false);
}

void ReportDialog::setFileButtons(bool on)
{
    for (QPushButton* button : std::as_const(m_files))
        button->setEnabled(on);
}

void ReportDialog::setCanSaveJob(bool can) { m_jobFile->setVisible(can); }

void ReportDialog::setAcknowledgement(const QString& sentence)
{
    m_acknowledgement = sentence;
    m_thanks->setToolTip(richToolTip(sentence));
    m_thanks->setVisible(!sentence.isEmpty());
}

void ReportDialog::showWaiting(const QString& job)
{
    clear();
    m_title->setText(tr("Job %1").arg(job));
    m_subtitle->setText(tr("Asking Slurm what it used …"));
}

void ReportDialog::showSumming(double share)
{
    const auto percent = int(std::lround(100 * qBound(0.0, share, 1.0)));
    m_subtitle->setText(
        tr("The recording is being evaluated: %1. Close the window to stop.").arg(percentText(percent)));
}

void ReportDialog::showError(const Error& why)
{
    clear();
    m_subtitle->setText(why.oneLine());
}

void ReportDialog::report(const QString& text)
{
    m_reported->setText(text);
    m_reported->setVisible(!text.isEmpty());
}

void ReportDialog::showReport(
    const EfficiencyReport& report, const SpeedupTable& speedup, const QStringList& notes, OpenDesign open)
{
    m_report = report;
    m_speedup = speedup;
    clear();
    m_title->setText(reportTitle(report));
    m_subtitle->setText(reportSubtitle(report));
    addVerdict();
    addAdvice(open == OpenDesign::OfItsKind);
    addPictures();
    addFigures();
    addComparisons();
    addSpeedup();
    addList(tr("What is not known"), report.unknown + notes);
    m_column->addStretch(1);
    setFileButtons(true);
}

void ReportDialog::addVerdict()
{
    auto* card = new Card(tr("How it went"), m_page);
    auto* row = new QHBoxLayout;
    row->setSpacing(14);
    QLabel* grade = makeLabel(gradeText(m_report), "figure", card);
    grade->setProperty("tone", gradeTone(m_report.grade));
    row->addWidget(grade, 0, Qt::AlignTop);
    row->addWidget(makeText(m_report.verdict, "plain", card), 1);
    card->body()->addLayout(row);
    for (const QString& finding : std::as_const(m_report.findings))
        card->body()->addWidget(makeText(u"•  "_s + finding, "quiet", card));
    m_column->addWidget(card);
}

void ReportDialog::addAdvice(bool canApply)
{
    if (m_report.advice.isEmpty())
        return;
    auto* card = new Card(tr("Next time"), m_page);
    for (const ReportAdvice& advice : std::as_const(m_report.advice)) {
        auto* row = new QHBoxLayout;
        row->setSpacing(10);
        auto* texts = new QVBoxLayout;
        texts->setSpacing(1);
        texts->addWidget(makeText(advice.text, "plain", card));
        texts->addWidget(makeText(advice.reason, "quiet", card));
        row->addLayout(texts, 1);
        if (!advice.option.isEmpty()) {
            QLabel* option = makeText(advice.option, "plain", card);
            option->setFont(Theme::codeFont(12));
            option->setWordWrap(false);
            row->addWidget(option);
            auto* copy = new QPushButton(tr("Copy"), card);
            copy->setAutoDefault(false);
            copy->setAccessibleName(tr("Copy %1").arg(advice.option));
            connect(copy, &QPushButton::clicked, this, [this, advice] { emit copyRequested(advice.option); });
            row->addWidget(copy);
        }
        if (advice.changesDesign() && canApply) {
            auto* apply = new QPushButton(tr("Apply to the design"), card);
            apply->setAutoDefault(false);
            apply->setAccessibleName(tr("Apply to the design: %1").arg(advice.text));
            connect(apply, &QPushButton::clicked, this, [this, advice] { emit applyRequested(advice); });
            row->addWidget(apply);
        }
        card->body()->addLayout(row);
    }
    m_column->addWidget(card);
}

void ReportDialog::addPictures()
{
    if (!m_report.recorded || m_report.recorded->isEmpty())
        return;
    auto* overTime = new Card(tr("Over the run time"), m_page);
    overTime->setCaption(tr("line: mean of all %1s; band: least to most; hatched: not recorded").arg(m_report.gpuWord));
    auto* curve
        = new ReportPicture(ReportPicture::Kind::Curve, tr("Use, memory and power over the run time"), overTime);
    curve->setData(*m_report.recorded, m_report.gpuWord);
    curve->setMinimumHeight(230);
    overTime->body()->addWidget(curve);
    m_column->addWidget(overTime);
    auto* all = new Card(tr("All %1s").arg(m_report.gpuWord), m_page);
    auto* map = new ReportPicture(ReportPicture::Kind::Map, tr("Mean use of each %1").arg(m_report.gpuWord), all);
    map->setData(*m_report.recorded, m_report.gpuWord);
    all->body()->addWidget(map);
    m_column->addWidget(all);
}

void ReportDialog::addFigures()
{
    if (m_report.figures.isEmpty())
        return;
    auto* card = new Card(tr("Figures"), m_page);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(5);
    int row = 0;
    for (const ReportFigure& figure : std::as_const(m_report.figures)) {
        grid->addWidget(makeText(figure.label, "quiet", card), row, 0);
        QLabel* value = makeText(figure.value ? figure.text : u"–"_s, "plain", card);
        value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        value->setWordWrap(false);
        value->setAccessibleName(u"%1: %2"_s.arg(figure.label, figure.text));
        grid->addWidget(value, row, 1);
        QLabel* of = makeText(figure.of, "quiet", card);
        of->setWordWrap(false);
        grid->addWidget(of, row, 2);
        if (figure.share)
            grid->addWidget(shareBar(figure, card), row, 3);
        QLabel* source = makeText(sourceText(figure), "caption", card);
        source->setToolTip(richToolTip(figure.note));
        grid->addWidget(source, row, 4);
        ++row;
    }
    grid->setColumnStretch(4, 1);
    grid->setColumnMinimumWidth(0, 190);
    card->body()->addLayout(grid);
    m_column->addWidget(card);
}

void ReportDialog::addComparisons()
{
    if (m_report.comparisons.isEmpty())
        return;
    auto* card = new Card(tr("Expected and measured"), m_page);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(5);
    int column = 0;
    for (const QString& head : QStringList{QString(), tr("expected"), tr("band"), tr("measured"), tr("difference")})
        grid->addWidget(makeLabel(head, "caption", card), 0, column++);
    int row = 1;
    for (const ReportComparison& line : std::as_const(m_report.comparisons)) {
        column = 0;
        for (const QString& cell :
            QStringList{line.label, line.predictedText, line.bandText, line.measuredText, differenceText(line)}) {
            QLabel* label = makeText(cell, column == 0 ? "quiet" : "plain", card);
            if (column == 4 && line.insideBand)
                label->setProperty("tone", *line.insideBand ? u"good"_s : u"warn"_s);
            grid->addWidget(label, row, column++);
        }
        ++row;
    }
    grid->setColumnStretch(4, 1);
    card->body()->addLayout(grid);
    m_column->addWidget(card);
}

void ReportDialog::addSpeedup()
{
    if (m_speedup.points.size() < 2)
        return;
    auto* card = new Card(tr("Speed-up"), m_page);
    card->setCaption(describe(m_speedup));
    auto* row = new QHBoxLayout;
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(18);
    grid->setVerticalSpacing(4);
    int column = 0;
    for (const QString& head :
        QStringList{pluralOf(m_speedup.gpuWord), tr("time"), tr("speed-up"), tr("efficiency"), tr("jobs")})
        grid->addWidget(makeLabel(head, "caption", card), 0, column++);
    int line = 1;
    for (const SpeedupPoint& point : std::as_const(m_speedup.points)) {
        column = 0;
        for (const QString& cell :
            QStringList{QString::number(point.gpus), secondsText(m_speedup, point.seconds),
                humanNumber(point.speedup, 2) + u" ×"_s, percentText(100 * point.efficiency), point.jobs.join(u", "_s)})
            grid->addWidget(makeText(cell, "plain", card), line, column++);
        ++line;
    }
    grid->setRowStretch(line, 1);
    row->addLayout(grid, 1);
    auto* plot = new ReportPicture(
        ReportPicture::Kind::Speedup, tr("Speed-up by number of %1").arg(pluralOf(m_speedup.gpuWord)), card);
    plot->setData(m_speedup);
    plot->setMinimumHeight(200);
    row->addWidget(plot, 1);
    card->body()->addLayout(row);
    for (const QString& note : std::as_const(m_speedup.notes))
        card->body()->addWidget(makeText(note, "quiet", card));
    m_column->addWidget(card);
}

void ReportDialog::addList(const QString& title, const QStringList& lines)
{
    if (lines.isEmpty())
        return;
    auto* card = new Card(title, m_page);
    for (const QString& line : lines)
        card->body()->addWidget(makeText(u"•  "_s + line, "quiet", card));
    m_column->addWidget(card);
}

} // namespace rankwright
