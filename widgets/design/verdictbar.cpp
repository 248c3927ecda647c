// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/verdictbar.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/planning/estimatetext.h"
#include "widgets/base/card.h"
#include "widgets/base/figurebutton.h"
#include "widgets/base/icons.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/design/designtext.h"

#include <QBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QResizeEvent>
#include <algorithm>
#include <chrono>

namespace rankwright {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

VerdictBar::VerdictBar(QWidget* parent) : QWidget(parent)
{
    setProperty("strip", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeLine(Qt::Horizontal, this));
    buildLine();
    buildRow();
    m_ageing.setInterval(30s);
    connect(&m_ageing, &QTimer::timeout, this, [this] {
        showStart();
        makeRoom();
    });
    showStart();
    updateLine();
    updateButtons();
}

void VerdictBar::buildLine()
{
    m_line = new QWidget(this);
    auto* row = new QHBoxLayout(m_line);
    row->setContentsMargins(16, 6, 16, 0);
    row->setSpacing(10);
    m_lineText = new WrappedLabel(m_line);
    m_lineText->setTextFormat(Qt::PlainText);
    m_lineText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_progress = new QProgressBar(m_line);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(140);
    m_progress->setAccessibleName(tr("Submission in progress"));
    m_lineAction = new QPushButton(m_line);
    m_lineAction->setProperty("link", true);
    m_stop = new QPushButton(tr("Stop"), m_line);
    row->addWidget(m_lineText, 1);
    row->addWidget(m_lineAction);
    row->addWidget(m_progress);
    row->addWidget(m_stop);
    connect(m_stop, &QPushButton::clicked, this, &VerdictBar::stopRequested);
    connect(m_lineAction, &QPushButton::clicked, this, [this] {
        if (m_state.stage == SubmitState::Stage::Submitted && !m_otherDesign)
            emit showJobRequested(m_state.job);
        else if (m_blocked.isEmpty())
            emit uploadRequested();
        else
            emit connectRequested();
    });
    layout()->addWidget(m_line);
}

FigureButton* VerdictBar::addFigure(QHBoxLayout* row, const FieldPath& leadsTo)
{
    auto* figure = new FigureButton(this);
    connect(figure, &QAbstractButton::clicked, this, [this, leadsTo] { emit fieldRequested(leadsTo); });
    row->addWidget(figure);
    return figure;
}

FigureButton* VerdictBar::addFigure(QHBoxLayout* row, View view)
{
    auto* figure = new FigureButton(this);
    connect(
        figure, &QAbstractButton::clicked, this, [this, view] { emit viewRequested(m_known ? view : View::Model); });
    row->addWidget(figure);
    return figure;
}

void VerdictBar::buildRow()
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(16, 6, 16, 7);
    row->setSpacing(10);
    m_pill = new QPushButton(this);
    m_pill->setCursor(Qt::PointingHandCursor);
    connect(m_pill, &QPushButton::clicked, this, &VerdictBar::findingsRequested);
    row->addWidget(m_pill);
    m_fit = new QPushButton(this);
    m_fit->setCursor(Qt::PointingHandCursor);
    connect(m_fit, &QPushButton::clicked, this, [this] { emit viewRequested(m_known ? View::Memory : View::Model); });
    row->addWidget(m_fit);
    m_checks = new QPushButton(this);
    m_checks->setObjectName(u"exerciseChecks"_s);
    m_checks->setCursor(Qt::PointingHandCursor);
    m_checks->setToolTip(tr("Checks of the exercise that were seen"));
    m_checks->hide();
    connect(m_checks, &QPushButton::clicked, this, &VerdictBar::checksRequested);
    row->addWidget(m_checks);
    m_memory = addFigure(row, View::Memory);
    m_step = addFigure(row, View::Step);
    m_speed = addFigure(row, View::Step);
    m_ranks = addFigure(row, field::nodes);
    m_batch = addFigure(row, field::globalBatch);
    m_cost = addFigure(row, field::time);
    m_start = new FigureButton(this);
    connect(m_start, &QAbstractButton::clicked, this, [this] {
        if (m_rehearse->isEnabled())
            emit rehearseRequested();
    });
    row->addWidget(m_start);
    m_reservation = addFigure(row, field::reservation);
    m_reservation->setObjectName(u"reservation"_s);
    m_reservation->setIcon(lineIcon(u"calendar"_s));
    m_reservation->hide();
    row->addStretch(1);
    m_rehearse = new QPushButton(tr("Dry run"), this);
    m_rehearse->setObjectName(u"rehearse"_s); // as the menu does
    m_launch = new QPushButton(tr("Launch"), this);
    m_launch->setObjectName(u"launch"_s); // the recorded journey presses it as a person does
    m_launch->setProperty("accent", true);
    m_launch->setMinimumWidth(86);
    connect(m_rehearse, &QPushButton::clicked, this, &VerdictBar::rehearseRequested);
    connect(m_launch, &QPushButton::clicked, this, &VerdictBar::launchRequested);
    row->addWidget(m_rehearse);
    row->addWidget(m_launch);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
}

void VerdictBar::setDerived(const Derived& derived, const QList<Finding>& findings, int unreadableFields)
{
    m_findings = findings;
    m_errors = int(std::count_if(
        findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::Error; }));
    m_unreadable = unreadableFields;
    showFigures(derived);
    showCost(derived);
    updatePill();
    updateLine();
    updateButtons();
    makeRoom();
}

/// “Ready” is said only of what can be launched now and has room on its GPUs.
void VerdictBar::updatePill()
{
    const bool ready = m_blocked.isEmpty() && !m_tooLarge;
    const bool warned = std::any_of(
        m_findings.begin(), m_findings.end(), [](const Finding& f) { return f.severity == Severity::Warning; });
    const bool bad = m_errors > 0 || m_unreadable > 0;
    const auto unpassed = std::find_if(
        m_findings.begin(), m_findings.end(), [](const Finding& f) { return f.slug == slug::figuresUnpassed; });
    const QString note = unpassed == m_findings.end() ? QString() : unpassed->text;
    const QString verdict = m_unreadable > 0
        ? counted(m_unreadable, tr("invalid field"))
        : DesignText::verdict(m_findings, ready ? DesignText::Launch::Possible : DesignText::Launch::Blocked);
    m_pill->setText(verdict);
    m_pill->setAccessibleName(verdict);
    setStyleProperty(m_pill, "verdict",
        bad                           ? u"bad"_s
            : warned                  ? u"warn"_s
            : ready && note.isEmpty() ? u"good"_s
                                      : u"quiet"_s);
    m_pill->setToolTip(richToolTip(bad ? tr("What blocks a launch: see the findings")
            : !m_blocked.isEmpty()     ? tr("No check blocks a launch. %1").arg(m_blocked)
            : m_tooLarge               ? tr("No check blocks a launch, but the model does not fit")
                                       : QStringList{tr("No check blocks a launch."), note}.join(u' ').trimmed()));
}

void VerdictBar::showFigures(const Derived& derived)
{
    const ResolvedSpec& resolved = derived.resolved;
    const QString word = resolved.node.gpu.word;
    m_ranks->setFigure(counted(resolved.ranks(), tr("rank")), {},
        resolved.nodes == 1 ? gpusText(resolved.gpusPerNode, word)
                            : tr("%1 × %2").arg(nodesText(resolved.nodes), gpusText(resolved.gpusPerNode, word)),
        resolved.ranks() < resolved.worldSize()
            ? tr("One process alone: it uses all %1s only if the program itself spreads its work over them.").arg(word)
            : tr("One process on each %1 of the job. %2")
                  .arg(word,
                      derived.ranks.bound ? tr("Each is bound to the cores next to it.")
                                          : derived.ranks.unboundReason));
    const QString mark = !derived.batch.exact ? tr("inexact")
        : derived.passing.batchIsUnsaid()     ? tr("not passed")
                                              : QString();
    m_batch->setFigure(humanNumber(double(derived.batch.globalBatch)), mark,
        tr("per step = %1 × %2 × %3")
            .arg(humanNumber(double(derived.batch.microBatch)), humanNumber(double(derived.batch.gradientAccumulation)),
                humanNumber(derived.batch.dataParallel)),
        DesignText::batchEquation(derived) + u"\n"_s + DesignText::batchNote(derived));
}

void VerdictBar::showCost(const Derived& derived)
{
    if (!derived.cost.billingAccounts || derived.cost.billingAccounts->isEmpty()) {
        m_cost->setFigure(tr("not published"), {}, tr("price"), DesignText::costSummary(derived));
        return;
    }
    const auto& billingAccount = derived.cost.billingAccounts->first();
    QString caption = tr("%1 for %2")
                          .arg(humanNumber(billingAccount.amount, billingAccount.amount < 100 ? 2 : 0),
                              humanDuration(derived.resolved.time));
    if (billingAccount.decidedBy)
        caption += u" · "_s
            + tr("%1 decide", "cores decide the price")
                  .arg(billedText(*billingAccount.decidedBy, derived.resolved.node.gpu.word));
    m_cost->setFigure(
        amountText(billingAccount.perHour, billingAccount.unit), tr("/ h"), caption, DesignText::costSummary(derived));
}

void VerdictBar::showStart()
{
    if (!m_askedAt.isValid()) {
        m_start->setFigure(tr("not asked"), {}, tr("expected start"),
            tr("A dry run asks the scheduler when this job would start, without queueing it."));
        return;
    }
    const qint64 minutes = m_askedAt.secsTo(QDateTime::currentDateTime()) / 60;
    const QString age = minutes < 1 ? tr("just asked") : tr("asked %1 ago").arg(humanDuration(Seconds{minutes * 60}));
    const QString caption = m_otherDesign ? tr("start before the last edit") : tr("expected start · %1").arg(age);
    QString value = tr("not reported");
    if (m_forecast.start.isValid()) {
        const QDateTime start = m_forecast.start.toLocalTime();
        const bool today = start.date() == QDate::currentDate();
        value = u"≈ "_s + start.toString(today ? u"HH:mm"_s : u"ddd d MMM, HH:mm"_s);
    }
    m_start->setFigure(value, {}, caption,
        m_forecast.text.isEmpty() ? tr("What the scheduler said at the last dry run.") : m_forecast.text);
}

void VerdictBar::showSubmitState(const SubmitState& state)
{
    m_state = state;
    const bool asked = state.forecast.answer == StartForecast::Answer::Accepted;
    if ((state.stage == SubmitState::Stage::Rehearsed && asked)
        || (state.stage == SubmitState::Stage::Submitted && state.forecast.start.isValid())) {
        m_forecast = state.forecast;
        m_askedAt = QDateTime::currentDateTime();
        m_ageing.start();
        showStart();
        makeRoom();
    }
    updateLine();
    updateButtons();
}

void VerdictBar::setLaunchBlocked(const QString& why)
{
    m_blocked = why;
    updatePill();
    updateLine();
    updateButtons();
    makeRoom();
}

void VerdictBar::setProgramMissing(const QString& text)
{
    if (text == m_missing)
        return;
    m_missing = text;
    updateLine();
}

void VerdictBar::setChecks(int seen, int of)
{
    const bool all = seen >= of;
    m_checks->setText((all ? u"✓ "_s : QString()) + tr("%1 of %2 checks").arg(seen).arg(of));
    m_checks->setAccessibleName(tr("%1 of %2 checks of the exercise seen").arg(seen).arg(of));
    setStyleProperty(m_checks, "verdict", all ? u"good"_s : u"quiet"_s);
    m_checks->setVisible(of > 0);
    makeRoom();
}

void VerdictBar::setReservation(const QString& title, const QString& state, const QString& explanation)
{
    m_reservation->setFigure(title, {}, state, explanation);
    m_hasReservation = !title.isEmpty();
    m_reservation->setVisible(m_hasReservation);
    makeRoom();
}

void VerdictBar::setOutcomeOfAnother(bool other)
{
    if (other == m_otherDesign)
        return;
    m_otherDesign = other;
    showStart();
    makeRoom();
    updateLine();
}

void VerdictBar::forgetOutcome()
{
    if (m_state.isBusy())
        return;
    m_state = {};
    m_forecast = {};
    m_askedAt = {};
    m_ageing.stop();
    showStart();
    makeRoom();
    updateLine();
    updateButtons();
}

/// What a dry run was answered, in our words: Slurm's own line speaks of a job, although none was made.
QString VerdictBar::rehearsedText() const
{
    if (m_state.forecast.answer != StartForecast::Answer::Accepted)
        return tr("%1 Nothing was queued.").arg(m_state.forecast.note);
    const QDateTime start = m_state.forecast.start.toLocalTime();
    if (!start.isValid())
        return tr(
            "Dry run: the scheduler would take this script; it gave no estimate of the start. Nothing was queued.");
    const bool today = start.date() == QDate::currentDate();
    return tr("Dry run: the scheduler accepts this script and would start it at about %1. Nothing was queued.")
        .arg(start.toString(today ? u"HH:mm"_s : u"ddd d MMM, HH:mm"_s));
}

QString VerdictBar::blockReason() const
{
    if (m_state.isBusy())
        return tr("A submission is under way: %1").arg(m_state.text);
    if (m_unreadable > 0)
        return tr("A field holds text that is not valid.");
    if (m_errors > 0)
        return m_errors == 1 ? tr("An error blocks the launch: see the findings.")
                             : tr("%1 errors block the launch: see the findings.").arg(m_errors);
    return m_blocked;
}

void VerdictBar::updateLine()
{
    using Stage = SubmitState::Stage;
    const bool busy = m_state.isBusy();
    const bool failed = m_state.stage == Stage::Refused || m_state.stage == Stage::Unknown;
    QString text = m_state.text;
    if (failed && !m_state.error.what.isEmpty())
        text = QStringList{m_state.error.what, m_state.error.remedy}.join(u' ').trimmed();
    if (m_state.stage == Stage::Rehearsed)
        text = rehearsedText();
    // How the submission of another design ended is not said of this one. What was sent and is not decided stays.
    const bool other = m_otherDesign && !busy && m_state.stage != Stage::Unknown;
    const bool reported = m_state.stage != Stage::Idle && !text.isEmpty() && !other;
    if (!reported)
        text = m_blocked.isEmpty() ? m_missing : m_blocked;
    m_line->setVisible(!text.isEmpty());
    m_lineText->setText(text);
    const bool submitted = reported && m_state.stage == Stage::Submitted;
    m_lineText->setToolTip(richToolTip(!reported ? QString() : failed ? m_state.error.detail : m_state.forecast.text));
    const bool refusedInOne
        = m_state.stage == Stage::Rehearsed && m_state.forecast.answer == StartForecast::Answer::PartlyRefused;
    const bool isBad = reported ? failed || refusedInOne || !m_state.differences.isEmpty() : m_blocked.isEmpty();
    setStyleProperty(m_lineText, "tone", isBad ? u"bad"_s : submitted ? u"good"_s : u"plain"_s);
    m_progress->setVisible(busy);
    m_stop->setVisible(busy);
    const bool leadsToJob = submitted && !m_state.job.isEmpty();
    m_lineAction->setVisible(leadsToJob || (!reported && !text.isEmpty()));
    m_lineAction->setText(leadsToJob ? tr("Show job %1").arg(m_state.job)
            : m_blocked.isEmpty()    ? tr("Upload…")
                                     : tr("Connect"));
}

void VerdictBar::updateButtons()
{
    const QString reason = blockReason();
    const QString unasked = m_state.isBusy() ? reason : m_blocked; // Slurm may be asked about a design with errors
    // A button that is switched off while it works hands the focus on, to whatever field comes next in the window.
    if (m_state.isBusy() && (m_rehearse->hasFocus() || m_launch->hasFocus())) {
        m_pressed = m_rehearse->hasFocus() ? m_rehearse : m_launch;
        m_lineText->setFocus(Qt::OtherFocusReason);
    }
    m_launch->setEnabled(reason.isEmpty());
    m_rehearse->setEnabled(unasked.isEmpty());
    if (m_pressed && m_pressed->isEnabled() && m_lineText->hasFocus())
        m_pressed->setFocus(Qt::OtherFocusReason);
    if (!m_state.isBusy())
        m_pressed = nullptr;
    m_launch->setToolTip(
        richToolTip(reason.isEmpty() ? tr("Submits the script as shown to the cluster (Ctrl+F5)") : reason));
    m_rehearse->setToolTip(richToolTip(unasked.isEmpty()
            ? tr("Asks the scheduler whether and when this job would start; nothing is queued (Shift+F5)")
            : unasked));
}

} // namespace rankwright

//
// The planner's part of the verdict row: does it fit, how fast is it.

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// A shape before the word, for those who do not see the colour.
QString shapeOf(FitVerdict verdict)
{
    switch (verdict) {
    case FitVerdict::Fits: return u"✓"_s;
    case FitVerdict::Probably: return u"≈"_s;
    case FitVerdict::Borderline: return u"!"_s;
    case FitVerdict::DoesNotFit: break;
    }
    return u"✕"_s;
}

QString styleOf(FitVerdict verdict)
{
    return verdict <= FitVerdict::Probably ? u"good"_s : verdict == FitVerdict::Borderline ? u"warn"_s : u"bad"_s;
}

} // namespace

void VerdictBar::setEstimate(const Result<DesignEstimate>& estimate, const QString& gpuWord)
{
    m_known = estimate.hasValue();
    m_tooLarge = m_known && estimate->memory.verdict == FitVerdict::DoesNotFit;
    updatePill();
    if (!m_known) {
        showUnknown(EstimateText::verdictSummary(estimate), gpuWord);
        makeRoom();
        return;
    }
    const MemoryEstimate& memory = estimate->memory;
    const QString word = EstimateText::verdict(memory.verdict);
    const QString summary = EstimateText::verdictSummary(estimate);
    m_fit->setText(u"%1 %2"_s.arg(shapeOf(memory.verdict), word));
    m_fit->setAccessibleName(word);
    m_fit->setAccessibleDescription(summary);
    m_fit->setToolTip(richToolTip(summary));
    setStyleProperty(m_fit, "verdict", styleOf(memory.verdict));
    const QString band = EstimateText::range(memory.lowBytes / bytesPerGib, memory.highBytes / bytesPerGib);
    m_memory->setFigure(gibText(memory.totalBytes), band,
        tr("per %1 of %2 usable").arg(gpuWord, gibFigure(memory.usableBytes)),
        tr("Peak memory of the fullest rank. %1").arg(summary));
    const StepEstimate& step = estimate->step;
    const double samples = double(estimate->run.layout.globalBatch());
    const double tokens = samples * double(qMax<qint64>(1, estimate->run.workload.sequence));
    const QString sampleWord = EstimateText::sampleWord(estimate->run.workload);
    const bool images = estimate->run.workload.shape.family == ModelFamily::Vision
        || estimate->run.workload.shape.family == ModelFamily::Convolution;
    const double amount = images ? samples : tokens;
    const QString size = amount >= 1e6 ? tr("%1 M").arg(humanNumber(amount / 1e6, 1)) : humanNumber(amount, 0);
    m_step->setFigure(EstimateText::time(step.seconds), EstimateText::timeBand(step),
        tr("per step of %1 %2").arg(size, sampleWord),
        tr("Time of one optimiser step, %1 in nine of ten runs. %2")
            .arg(EstimateText::timeBandWithUnit(step), estimate->limitedBy));
    m_speed->setFigure(EstimateText::rate(step.tokensPerSecondPerGpu), {},
        tr("%1/s per %2 · MFU %3").arg(sampleWord, gpuWord, shareText(step.mfu)),
        tr("How fast each %1 trains. MFU is the share of its peak that the model's own arithmetic uses. %2")
            .arg(gpuWord, EstimateText::speedLine(*estimate, gpuWord)));
    makeRoom();
}

void VerdictBar::showUnknown(const QString& why, const QString& gpuWord)
{
    m_fit->setText(tr("Fit not known"));
    m_fit->setAccessibleName(m_fit->text());
    m_fit->setAccessibleDescription(why);
    m_fit->setToolTip(richToolTip(why));
    setStyleProperty(m_fit, "verdict", u"quiet"_s);
    m_memory->setFigure(u"–"_s, {}, tr("memory per %1").arg(gpuWord), why);
    m_step->setFigure(u"–"_s, {}, tr("time of a step"), why);
    m_speed->setFigure(u"–"_s, {}, tr("speed per %1").arg(gpuWord), why);
}

void VerdictBar::makeRoom()
{
    // What other places of the page show as well gives way first; a cut figure would be worse than none.
    QList<QWidget*> order{m_ranks, m_batch, m_speed, m_start};
    if (m_hasReservation)
        order.append(m_reservation);
    // The class prescribes the price; elsewhere it stays as long as a long time of a step lets it.
    order.insert(m_checks->isHidden() ? order.size() : 4, m_cost);
    order.append(m_step);
    int wanted = m_checks->isHidden() ? 32 : 42 + m_checks->sizeHint().width();
    for (QWidget* each : std::initializer_list<QWidget*>{
             m_pill, m_fit, m_memory, m_step, m_speed, m_ranks, m_batch, m_cost, m_start, m_rehearse, m_launch})
        wanted += qMax(each->minimumWidth(), each->sizeHint().width()) + 10;
    if (m_hasReservation)
        wanted += m_reservation->sizeHint().width() + 10;
    for (QWidget* figure : order) {
        const bool gives = wanted > width();
        figure->setVisible(!gives);
        if (gives)
            wanted -= figure->sizeHint().width() + 10;
    }
}

/// Without the figures that give way, whether they are shown at the moment or not.
QSize VerdictBar::minimumSizeHint() const
{
    int width = 32;
    QList<const QWidget*> always{m_pill, m_fit, m_memory, m_rehearse, m_launch};
    if (!m_checks->isHidden())
        always.append(m_checks);
    for (const QWidget* each : std::as_const(always))
        width += qMax(each->minimumWidth(), each->sizeHint().width()) + 10;
    return {width, QWidget::minimumSizeHint().height()};
}

void VerdictBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    makeRoom();
}

} // namespace rankwright
