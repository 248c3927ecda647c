// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobdetails.h"

#include "models/core/quantitytext.h"
#include "models/insight/diagnosis/explain.h"
#include "widgets/base/card.h"
#include "widgets/base/elidinglabel.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/icons.h"
#include "widgets/base/theme.h"
#include "widgets/jobs/jobtext.h"
#include "widgets/log/diagnosisstrip.h"

#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>

#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Below this share of the limit a shorter one is worth saying: schedulers fill gaps with short jobs (backfill).
constexpr double wastefulShare = 0.5;

QString outcomeOf(const JobRow& row)
{
    const QString words = isWaiting(row.job.state) && !row.job.reason.isEmpty() ? explainPendingReason(row.job.reason)
        : hasEnded(row.job.state)                                               ? explainOutcome(row.job)
                                                                                : QString();
    const QString note = capitalised(row.note);
    if (words.isEmpty() || note.isEmpty() || words.contains(note))
        return words.isEmpty() ? note : words;
    return words + u'\n' + note;
}

} // namespace

QString limitUseText(const JobRecord& job)
{
    if (!job.elapsed || !job.timeLimit || job.timeLimit->count <= 0 || isWaiting(job.state))
        return {};
    const double share = double(job.elapsed->count) / double(job.timeLimit->count);
    const QString text
        = JobDetails::tr("%1 of %2 (%3)")
              .arg(humanDuration(*job.elapsed), humanDuration(*job.timeLimit), percentText(100 * share, 0));
    if (job.state == JobState::Timeout)
        return text + JobDetails::tr(": cut off by its limit");
    if (job.state == JobState::Completed && share < wastefulShare)
        return text + JobDetails::tr(": a shorter limit may start sooner");
    return text;
}

JobDetails::JobDetails(QWidget* parent) : QFrame(parent), m_tabs(new QTabWidget(this))
{
    setProperty("card", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(15, 11, 15, 13);
    column->setSpacing(6);
    column->addWidget(buildHead());
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("About the selected job"));
    m_tabs->tabBar()->setAccessibleName(tr("About the selected job"));
    m_tabs->addTab(buildFacts(), tr("Details"));
    m_tabs->addTab(buildScript(), tr("Script as submitted"));
    column->addWidget(m_tabs, 1);
    showJob(nullptr);
}

QWidget* JobDetails::buildHead()
{
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_name = new ElidingLabel(head);
    m_name->setProperty("figure", true);
    m_name->setTextFormat(Qt::PlainText);
    m_state = makeLabel({}, "quiet", head);
    m_watch = new QPushButton(tr("Watch live"), head);
    m_watch->setProperty("accent", true);
    m_output = new QPushButton(lineIcon(u"script"_s), tr("Output"), head);
    m_output->setToolTip(tr("What it wrote, read from the cluster; connects first where it is not connected"));
    m_replay = new QPushButton(lineIcon(u"play"_s), tr("Replay"), head);
    m_reopen = new QPushButton(tr("Open its design"), head);
    m_reopen->setToolTip(tr("The design it was submitted with, as a new document"));
    m_report = new QPushButton(tr("Report"), head);
    m_report->setToolTip(tr("What it used, how well, and what to ask for next time"));
    m_jobFile = new QPushButton(tr("Job file …"), head);
    m_jobFile->setToolTip(tr("Save as a job file: recording, end of the output, script, design and report as one file "
                             "for a colleague or a help desk, without its secrets"));
    m_reach = new QPushButton(tr("Ports and shell …"), head);
    m_reach->setToolTip(tr("TensorBoard, Jupyter or any port of its nodes on this computer; a shell inside the job"));
    m_results = new QPushButton(tr("Results …"), head);
    m_results->setToolTip(tr("Its output, checkpoints and other files, to be copied to this computer"));
    m_cancel = new QPushButton(tr("Cancel…"), head);
    row->addWidget(m_name);
    row->addWidget(m_state);
    row->addStretch(1);
    m_buttons = {m_watch, m_output, m_replay, m_reach, m_results, m_report, m_jobFile, m_reopen, m_cancel};
    for (QPushButton* button : std::as_const(m_buttons)) {
        row->addWidget(button);
        if (button != m_buttons.first())
            setTabOrder(m_buttons.at(m_buttons.indexOf(button) - 1), button);
    }
    connect(m_watch, &QPushButton::clicked, this, [this] { emit watchClicked(m_row.job.id, m_row.cluster); });
    connect(m_output, &QPushButton::clicked, this, [this] { emit outputClicked(m_row.job.id, m_row.cluster); });
    connect(m_replay, &QPushButton::clicked, this, [this] { emit replayClicked(m_row.recording); });
    connect(m_reopen, &QPushButton::clicked, this, [this] { emit reopenClicked(m_row.entryId); });
    connect(m_report, &QPushButton::clicked, this, [this] { emit reportClicked(m_row.job.id, m_row.cluster); });
    connect(m_jobFile, &QPushButton::clicked, this, [this] { emit jobFileClicked(m_row.job.id, m_row.cluster); });
    connect(m_reach, &QPushButton::clicked, this, [this] { emit reachClicked(m_row.job.id, m_row.cluster); });
    connect(m_results, &QPushButton::clicked, this, [this] { emit resultsClicked(m_row.job, m_row.cluster); });
    connect(m_cancel, &QPushButton::clicked, this, [this] { emit cancelClicked(m_row.job); });
    return head;
}

QWidget* JobDetails::buildFacts()
{
    auto* scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Details of the job"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->viewport()->setAutoFillBackground(false);
    auto* page = new QWidget(scroll);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 10, 0, 0);
    column->setSpacing(12);
    m_outcome = makeText({}, "plain", page);
    m_outcome->setAccessibleName(tr("Outcome"));
    column->addWidget(m_outcome);
    m_cause = new DiagnosisStrip(page);
    m_cause->setCanJump(false);
    column->addWidget(m_cause);
    connect(m_cause, &DiagnosisStrip::changeClicked, this, &JobDetails::changeClicked);
    auto* limit = new QHBoxLayout;
    limit->setSpacing(12);
    m_limitBar = new QProgressBar(page);
    m_limitBar->setTextVisible(false);
    m_limitBar->setRange(0, 1000);
    m_limitBar->setFixedWidth(220);
    m_limitBar->setAccessibleName(tr("Share of the time limit used"));
    m_limitText = makeLabel({}, "quiet", page);
    limit->addWidget(m_limitBar);
    limit->addWidget(m_limitText);
    limit->addStretch();
    column->addLayout(limit);
    m_facts = new FactGrid(tr("not reported"), 2, page);
    column->addWidget(m_facts);
    column->addStretch();
    scroll->setWidget(page);
    page->setAutoFillBackground(false);
    return scroll;
}

QWidget* JobDetails::buildScript()
{
    m_script = new QPlainTextEdit(this);
    m_script->setReadOnly(true);
    m_script->setFont(Theme::codeFont(12));
    m_script->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_script->setTabChangesFocus(true);
    m_script->setAccessibleName(tr("Script as submitted"));
    return m_script;
}

void JobDetails::showJob(const JobRow* row)
{
    if (row && m_any && *row == m_row)
        return;
    const bool another
        = !row || row->job.id != m_row.job.id || row->cluster != m_row.cluster || row->entryId != m_row.entryId;
    m_any = row != nullptr;
    m_row = row ? *row : JobRow();
    if (another) {
        m_script->setPlainText({});
        m_cause->show({});
        m_script->setPlaceholderText(
            m_row.launchedHere ? QString() : tr("Not launched from this window: its script is not kept here."));
    }
    const JobRecord& job = m_row.job;
    const QString id = job.id.isEmpty() ? tr("no id") : job.id;
    m_name->setText(!m_any ? tr("Select a job") : job.name.isEmpty() ? id : u"%1 · %2"_s.arg(job.name, id));
    m_state->setVisible(m_any);
    m_tabs->setVisible(m_any);
    showState(m_state, job.state, job.elapsed);
    m_watch->setVisible(m_any && isActive(job.state));
    m_output->setVisible(m_any && hasEnded(job.state) && job.id != m_row.entryId);
    // what never got an id was never run
    m_report->setVisible(m_any && (isActive(job.state) || hasEnded(job.state)) && job.id != m_row.entryId);
    m_jobFile->setVisible(!m_report->isHidden());
    m_reach->setVisible(m_any && job.state == JobState::Running);
    m_results->setVisible(m_any && hasEnded(job.state) && job.id != m_row.entryId);
    m_cancel->setVisible(m_any && (isActive(job.state) || isWaiting(job.state)));
    m_replay->setVisible(m_any && !m_row.recording.isEmpty() && !isActive(job.state));
    m_reopen->setVisible(m_any && !m_row.entryId.isEmpty());
    if (m_any) {
        fillFacts();
        fillLimit();
    }
}

void JobDetails::fillFacts()
{
    const JobRecord& job = m_row.job;
    const QString outcome = outcomeOf(m_row);
    m_outcome->setText(outcome);
    m_outcome->setVisible(!outcome.isEmpty());
    // squeue reports no exit code; COMPLETED means zero (squeue(1), JOB STATE CODES).
    const auto code = job.state == JobState::Completed ? job.exitCode.value_or(0) : job.exitCode;
    QString exit = code ? QString::number(*code) : QString();
    if (job.exitSignal.value_or(0) != 0)
        exit += tr(" (signal %1)").arg(*job.exitSignal);
    const QString gpuWord = m_row.gpuWord.isEmpty() ? tr("GPU") : m_row.gpuWord;
    m_replay->setToolTip(tr("What its %1s did, from the recording on this computer; needs no connection").arg(gpuWord));
    m_facts->setFacts({
        {tr("Cluster"), m_row.clusterText()},
        {tr("Submitted"), job.submitted.isValid() ? momentText(job.submitted) : QString()},
        {tr("Resources"), allocationText(job, gpuWord)},
        {isWaiting(job.state) ? tr("Expected start") : tr("Started"),
            job.started.isValid() ? momentText(job.started) : QString()},
        {tr("Account"), job.account},
        {tr("Ended"),
            job.ended.isValid() && hasEnded(job.state) ? momentText(job.ended)
                : hasEnded(job.state)                  ? QString()
                                                       : tr("not yet")},
        {tr("Nodes"), job.nodeList.folded(), true},
        {tr("Exit code"), hasEnded(job.state) ? exit : tr("not yet")},
        {tr("Folder"), job.workdir, true},
        {tr("Output"), job.standardOutput, true},
    });
}

void JobDetails::fillLimit()
{
    const QString text = limitUseText(m_row.job);
    m_limitBar->setVisible(!text.isEmpty());
    m_limitText->setVisible(!text.isEmpty());
    if (text.isEmpty())
        return;
    const double share = double(m_row.job.elapsed->count) / double(m_row.job.timeLimit->count);
    m_limitBar->setValue(int(std::lround(std::min(1.0, share) * 1000)));
    m_limitText->setText(tr("Time limit: %1").arg(text));
}

void JobDetails::showScript(const QString& script)
{
    if (m_script->toPlainText() != script)
        m_script->setPlainText(script);
}

void JobDetails::showChange(const std::optional<OfferedChange>& change) { m_cause->offer(change); }

void JobDetails::showDiagnoses(const QList<Diagnosis>& diagnoses) { m_cause->show(diagnoses); }

void JobDetails::activate()
{
    if (m_any && isActive(m_row.job.state))
        emit watchClicked(m_row.job.id, m_row.cluster);
}

void JobDetails::fillMenu(QMenu& menu)
{
    for (QPushButton* button : std::as_const(m_buttons)) {
        if (button->isHidden())
            continue;
        const bool isJobFile = button == m_jobFile;
        QAction* action = menu.addAction(
            button->icon(), isJobFile ? tr("Save as a job file …") : button->text(), button, &QPushButton::click);
        action->setEnabled(button->isEnabled());
    }
}

} // namespace rankwright
