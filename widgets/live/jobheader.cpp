// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/jobheader.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/elidinglabel.h"
#include "widgets/base/icons.h"
#include "widgets/base/richtooltip.h"
#include "widgets/jobs/jobtext.h"

#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int leastName = 210;

QVBoxLayout* makeColumn(std::initializer_list<QWidget*> widgets)
{
    auto* column = new QVBoxLayout;
    column->setSpacing(2);
    column->addStretch();
    for (QWidget* widget : widgets)
        column->addWidget(widget);
    column->addStretch();
    return column;
}

/// A job that has ended has no time left; for one that waits again it is unknown.
QString stepText(const TrainingProgress& progress, JobState state, bool isOld)
{
    QStringList parts;
    if (progress.step && progress.steps)
        parts.append(JobHeader::tr("step %1 of %2")
                         .arg(humanNumber(double(*progress.step), 0), humanNumber(double(*progress.steps), 0)));
    else if (progress.step)
        parts.append(JobHeader::tr("step %1").arg(humanNumber(double(*progress.step), 0)));
    else if (progress.epoch && progress.epochs)
        parts.append(
            JobHeader::tr("epoch %1 of %2").arg(humanNumber(*progress.epoch, 1), humanNumber(*progress.epochs, 1)));
    if (isWaiting(state) && !parts.isEmpty())
        parts.append(JobHeader::tr("before it was requeued"));
    else if (const std::optional<double> left = progress.runSecondsLeft(); hasEnded(state) || isOld)
        return parts.join(u" · "_s);
    else if (left && *left > 0)
        parts.append(JobHeader::tr("%1 left").arg(humanDuration({qint64(std::llround(*left))})));
    else if (!left && progress.etaSeconds && *progress.etaSeconds > 0)
        parts.append(
            JobHeader::tr("%1 left of this epoch").arg(humanDuration({qint64(std::llround(*progress.etaSeconds))})));
    return parts.join(u" · "_s);
}

/// Which of the two times left is shown.
QString leftTip(const TrainingProgress& progress, JobState state, bool isOld)
{
    if (!isActive(state) || isOld || !progress.runSecondsLeft())
        return {};
    if (!progress.isLeftBySteps())
        return JobHeader::tr("Time left as the log itself reports it: the time of a step is not known yet.");
    QString tip = JobHeader::tr("Time left: %1 of %2, the usual time of a step. Pauses for checkpoints and "
                                "evaluations come on top.")
                      .arg(counted(qint64(*progress.runStepsLeft()), JobHeader::tr("step")),
                          stepTimeText(*progress.stepSeconds));
    if (progress.etaSeconds && *progress.etaSeconds > 0)
        tip += u' '
            + (progress.stepWithinEpoch ? JobHeader::tr("The log's own figure, of this epoch, is %1.")
                                        : JobHeader::tr("The log's own figure is %1."))
                  .arg(humanDuration({qint64(std::llround(*progress.etaSeconds))}));
    return tip;
}

} // namespace

JobHeader::JobHeader(QWidget* parent)
    : QFrame(parent), m_name(new ElidingLabel(this)), m_allocation(new ElidingLabel(this, Qt::ElideRight)),
      m_state(makeLabel({}, "quiet", this)), m_limit(makeLabel({}, "caption", this)), m_bar(new QProgressBar(this)),
      m_export(iconButton(u"export"_s, tr("Export"), this)), m_report(new QPushButton(tr("Report"), this)),
      m_results(new QPushButton(tr("Results …"), this)), m_cancel(new QPushButton(tr("Cancel…"), this))
{
    setProperty("card", true);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_name->setProperty("figure", true);
    m_name->setTextFormat(Qt::PlainText);
    m_allocation->setProperty("caption", true);
    m_allocation->setTextFormat(Qt::PlainText);
    m_state->setAlignment(Qt::AlignCenter);
    m_limit->setAlignment(Qt::AlignCenter);
    m_bar->setTextVisible(false);
    m_bar->setRange(0, 1000);
    m_bar->setMinimumWidth(24);
    m_bar->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_bar->setStyleSheet(
        u"QProgressBar { min-height: 8px; max-height: 8px; border-radius: 4px; } QProgressBar::chunk { border-radius: 4px; }"_s);
    m_bar->setAccessibleName(tr("Progress of the training"));
    m_progress = makeFigure(tr("Progress"));
    m_step = makeFigure(tr("Time of a step"));
    m_loss = makeFigure(tr("Loss"));
    m_used = makeFigure(tr("Used so far"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 10, 16, 10);
    row->setSpacing(12);
    row->addLayout(makeColumn({m_name, m_allocation}));
    row->addLayout(makeColumn({m_state, m_limit}));
    row->addWidget(m_bar, 1);
    for (const Figure& figure : {m_progress, m_step, m_loss, m_used})
        row->addWidget(figure.box);
    row->addWidget(m_export);
    row->addWidget(m_report);
    row->addWidget(m_results);
    row->addWidget(m_cancel);
    buildExport();
    buildReport();
    connect(m_cancel, &QPushButton::clicked, this, &JobHeader::cancelClicked);
}

void JobHeader::buildExport()
{
    auto* menu = new QMenu(m_export);
    const auto add = [this, menu](const QString& text, LiveExport kind) {
        menu->addAction(text, this, [this, kind] { emit exportClicked(kind); });
    };
    add(tr("Picture of the map …"), LiveExport::MapPicture);
    add(tr("Picture of the page …"), LiveExport::PagePicture);
    menu->addSeparator();
    add(tr("Samples as CSV …"), LiveExport::Csv);
    add(tr("Samples as CSV for Parquet, with schema …"), LiveExport::ParquetCsv);
    add(tr("Samples as JSON lines …"), LiveExport::Json);
    menu->addSeparator();
    m_jobFile = menu->addAction(tr("Save as a job file …"), this, &JobHeader::jobFileClicked);
    m_export->setMenu(menu);
    m_export->setPopupMode(QToolButton::InstantPopup);
    m_export->setToolTip(tr("Export pictures, or the samples of the stretch that the history shows"));
}

void JobHeader::buildReport()
{
    m_report->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
    connect(m_report, &QPushButton::clicked, this, &JobHeader::reportClicked);
    m_results->setToolTip(tr("Its output, checkpoints and other files, to be copied to this computer"));
    m_results->hide();
    connect(m_results, &QPushButton::clicked, this, &JobHeader::resultsClicked);
}

void JobHeader::setPast(bool past)
{
    m_past = past;
    m_cancel->setVisible(m_cancellable && !past);
}

void JobHeader::setOrigin(Origin origin) { m_jobFile->setVisible(origin == Origin::Cluster); }

void JobHeader::setHasResults(bool has)
{
    m_results->setVisible(has);
    makeRoom();
}

JobHeader::Figure JobHeader::makeFigure(const QString& name)
{
    Figure figure;
    figure.box = new QWidget(this);
    figure.value = makeLabel({}, "figure", figure.box);
    figure.caption = makeElidedLabel("caption", figure.box);
    figure.value->setAccessibleName(name);
    figure.caption->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); // the bar gives way to it
    figure.caption->setMinimumWidth(1);
    auto* column = new QVBoxLayout(figure.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addStretch();
    column->addWidget(figure.value);
    column->addWidget(figure.caption);
    column->addStretch();
    return figure;
}

/// The same whatever makeRoom() hides: a height or least width that followed it would bring the page's scroll bar,
/// whose width would hide or show it again.
QSize JobHeader::minimumSizeHint() const
{
    Shown least;
    least.secondRow = false;
    for (const Figure* figure : {&m_progress, &m_step}) {
        if (!figure->value->text().isEmpty())
            least.figures.append(figure);
    }
    const int name = m_name->sizeHint().width() - m_name->minimumSizeHint().width();
    return {widthOf(least).sum - std::max(0, name) + m_bar->minimumWidth(), sizeHint().height()};
}

QSize JobHeader::sizeHint() const
{
    const auto tall = [](const QLabel* label) {
        const QSize hint = label->sizeHint();
        return std::max(hint.height(), label->hasHeightForWidth() ? label->heightForWidth(hint.width()) : 0);
    };
    const QMargins margins = layout()->contentsMargins();
    const int rows
        = std::max({tall(m_name) + tall(m_allocation), tall(m_state) + tall(m_limit), m_report->sizeHint().height()});
    const QSize hint = QFrame::sizeHint();
    return {hint.width(), std::max(hint.height(), rows + 2 + margins.top() + margins.bottom())};
}

/// The bar is the widest of all. For it what stands elsewhere as well gives way (the loss has a card of its own, the
/// cost is in the report), then the second row as a whole: a cut figure would be worse than none.
void JobHeader::makeRoom()
{
    if (m_makesRoom)
        return;
    m_makesRoom = true; // what is hidden and shown lays the page out at once
    m_name->setMaximumWidth(std::max(leastName, width() / 6));
    m_allocation->setMaximumWidth(m_name->maximumWidth());
    Shown shown;
    for (const Figure* figure : {&m_progress, &m_step, &m_loss, &m_used}) {
        if (!figure->value->text().isEmpty())
            shown.figures.append(figure);
    }
    for (const bool second : {true, false}) {
        shown.secondRow = second;
        Shown fewer = shown;
        for (const Figure* figure : {&m_used, &m_loss}) {
            if (!isRoomy(fewer))
                fewer.figures.removeOne(figure);
        }
        if (isRoomy(fewer) || !second) {
            shown = fewer;
            break;
        }
    }
    apply(shown);
    m_makesRoom = false;
}

JobHeader::Widths JobHeader::widthOf(const Shown& shown) const
{
    Widths widths;
    widths.sum = layout()->contentsMargins().left() + layout()->contentsMargins().right();
    const auto add = [&](const QLabel* above, const QLabel* below, int most) {
        const int second = shown.secondRow && !below->text().isEmpty() ? below->sizeHint().width() : 0;
        const int wanted = std::min(most, std::max(above->sizeHint().width(), second));
        widths.sum += wanted + layout()->spacing();
        widths.widest = std::max(widths.widest, wanted);
    };
    add(m_name, m_allocation, std::max(leastName, width() / 6));
    add(m_state, m_limit, QWIDGETSIZE_MAX);
    for (const Figure* figure : shown.figures)
        add(figure->value, figure->caption, QWIDGETSIZE_MAX);
    for (const QAbstractButton* button :
        std::initializer_list<const QAbstractButton*>{m_export, m_report, m_results, m_cancel}) {
        if (!button->isHidden())
            widths.sum += button->sizeHint().width() + layout()->spacing();
    }
    return widths;
}

/// Whether all of this has its width, and the bar more than any of it.
bool JobHeader::isRoomy(const Shown& shown) const
{
    const Widths widths = widthOf(shown);
    return m_bar->isHidden() ? widths.sum <= width() : width() - widths.sum >= widths.widest;
}

/// What is left out of the second row is in the tool tips.
void JobHeader::apply(const Shown& shown)
{
    for (const Figure* figure : {&m_progress, &m_step, &m_loss, &m_used}) {
        figure->caption->setVisible(shown.secondRow);
        figure->box->setVisible(shown.figures.contains(figure));
    }
    m_allocation->setVisible(shown.secondRow);
    m_limit->setVisible(shown.secondRow && !m_limit->text().isEmpty());
    QStringList texts;
    if (!shown.secondRow) {
        texts = {m_allocation->text(), m_limit->text()};
        for (const Figure* figure : shown.figures)
            texts.append(figure->caption->text());
        texts.removeAll(QString());
    }
    const QString tip = texts.isEmpty() ? QString() : richToolTip(texts.join(u'\n'));
    m_name->setToolTip(tip);
    m_bar->setToolTip(tip);
}

void JobHeader::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        makeRoom();
}

void JobHeader::fill(const Figure& figure, const QString& value, const QString& caption)
{
    figure.value->setText(value);
    figure.caption->setText(caption);
    figure.box->setVisible(!value.isEmpty());
}

void JobHeader::showJob(const JobRecord& job, const QString& gpuWord, const QString& strategy)
{
    m_name->setText(job.name.isEmpty() ? job.id : u"%1 · %2"_s.arg(job.name, job.id));
    QString allocation = allocationText(job, gpuWord);
    if (!strategy.isEmpty())
        allocation += u" · "_s + strategy;
    m_allocated = allocation;
    m_allocation->setText(allocation);
    m_timeLimit = job.timeLimit;
    m_expected = job.started;
    m_cancellable = !hasEnded(job.state) && job.state != JobState::Unknown;
    m_cancel->setVisible(m_cancellable && !m_past);
    m_cancel->setAccessibleName(tr("Cancel the job %1").arg(job.id));
    m_results->setAccessibleName(tr("Results of the job %1").arg(job.id));
    const bool ran = !isWaiting(job.state);
    m_report->setEnabled(ran);
    m_report->setToolTip(!ran ? tr("There is a report when the job has begun to run.")
            : hasEnded(job.state)
            ? tr("What it used, how well, and what to ask for next time (Ctrl+Shift+R)")
            : tr("What it has used so far, and how well; advice comes when it has ended (Ctrl+Shift+R)"));
    m_report->setAccessibleName(tr("Report of the job %1").arg(job.id));
    m_report->setAccessibleDescription(m_report->toolTip());
}

void JobHeader::showElapsed(JobState state, std::optional<Seconds> elapsed, const std::optional<JobPrice>& price,
    std::optional<int> gpus, const QString& gpuWord)
{
    showState(m_state, state, elapsed, m_asOfMs);
    m_state->setToolTip(m_asOfMs ? tr("Nothing newer is known: the cluster does not answer.") : QString());
    QStringList times;
    if (m_timeLimit)
        times.append(tr("limit %1").arg(humanDuration(*m_timeLimit)));
    if (m_startUp && !isWaiting(state))
        times.append(tr("start-up %1").arg(humanDuration(*m_startUp)));
    m_limit->setText(times.join(u" · "_s));
    const auto amount = [&](double perHour, const QString& unit) {
        const double used = perHour * elapsed->inHours();
        return amountText(used < 10 ? used : std::round(used * 10) / 10, unit);
    };
    if (!elapsed || isWaiting(state) || (!price && !gpus)) {
        fill(m_used, {}, {});
    } else if (price) {
        const QString used = amount(price->perHour, price->unit);
        showUsed(state, price->isAtLeast ? tr("\u2265\u2009%1").arg(used) : used, price->perHour);
        const QString tip = tr("What the site charges: %1").arg(price->source);
        m_used.box->setToolTip(richToolTip(price->isAtLeast ? tip + u'\n'
                    + tr("At least: its cores or memory may be charged besides, and Slurm's queue does not name them.")
                                                            : tip));
    } else {
        showUsed(state, amount(*gpus, gpuWord + u"-hours"_s), *gpus);
        m_used.box->setToolTip(
            richToolTip(tr("%1s of the job times the hours it ran. What the site charges for them is not known here.")
                            .arg(gpuWord)));
    }
    makeRoom();
}

void JobHeader::showUsed(JobState state, const QString& amount, double perHour)
{
    fill(m_used, amount,
        hasEnded(state) ? tr("used in all")
            : m_asOfMs  ? tr("when last heard of")
                        : tr("%1 per hour").arg(humanNumber(perHour, 2)));
}

void JobHeader::showBinding(const std::optional<RankBinding>& binding, JobState state)
{
    if (!binding || isWaiting(state)) {
        m_allocation->setText(m_allocated);
        m_allocation->setToolTip({});
        return;
    }
    m_allocation->setText(m_allocated + u" · "_s + rankBindingTitle(*binding));
    m_allocation->setToolTip(richToolTip(m_allocation->text() + u'\n' + rankBindingText(*binding)));
}

void JobHeader::showProgress(const TrainingProgress& progress, JobState state, const QString& starting)
{
    const bool isTimed = progress.stepSeconds && !isWaiting(state);
    fill(m_step, isTimed ? stepTimeText(*progress.stepSeconds) : QString(), tr("per step"));
    m_step.box->setToolTip(tr("The usual time of one optimiser step: the median of what the log itself reports, else "
                              "measured by the steps that arrive. Warming up and pauses do not count. The report and "
                              "the learning use the same figure."));
    m_progress.box->setToolTip(leftTip(progress, state, m_asOfMs.has_value()));
    const std::optional<double> fraction = progress.fraction();
    m_bar->setVisible(fraction.has_value());
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->setStretchFactor(m_progress.box, fraction ? 0 : 1);
    if (fraction) {
        m_bar->setValue(int(std::lround(*fraction * 1000)));
        // Rounded down: "100 %" is said when it is done, not before.
        fill(m_progress, percentText(std::floor(*fraction * 100 + 1e-9), 0),
            stepText(progress, state, m_asOfMs.has_value()));
        makeRoom();
        return;
    }
    const QString steps = stepText(progress, state, m_asOfMs.has_value());
    if (!steps.isEmpty())
        fill(m_progress, steps, tr("total not in the log"));
    else if (isWaiting(state))
        fill(m_progress, m_expected.isValid() ? tr("starts about %1").arg(momentText(m_expected)) : u"–"_s,
            m_expected.isValid() ? tr("Slurm's estimate") : tr("not started"));
    else if (!starting.isEmpty() && isActive(state) && !m_asOfMs)
        fill(m_progress, tr("Starting"), starting);
    else
        fill(m_progress, u"–"_s, hasEnded(state) ? tr("no progress in the log") : tr("no progress in the log yet"));
    makeRoom();
}

void JobHeader::showLoss(std::optional<double> loss, std::optional<LossTrend> trend)
{
    if (!loss) {
        fill(m_loss, {}, {});
        makeRoom();
        return;
    }
    QString caption = tr("loss");
    if (trend) {
        const QString arrow = trend->change < 0 ? u"▼"_s : trend->change > 0 ? u"▲"_s : u"="_s;
        caption = tr("%1 %2 in %3")
                      .arg(arrow, humanNumber(std::abs(trend->change), 3), counted(qRound64(trend->steps), tr("step")));
    }
    fill(m_loss, std::isfinite(*loss) ? tr("loss %1").arg(humanNumber(*loss, 3)) : tr("loss is not a number"), caption);
    makeRoom();
}

} // namespace rankwright
