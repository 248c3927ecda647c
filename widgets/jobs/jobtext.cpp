// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobtext.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/tonedelegate.h"
#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString shortClock(qint64 ms) { return QDateTime::fromMSecsSinceEpoch(ms).toString(u"HH:mm"_s); }

} // namespace

Tone toneOf(JobState state)
{
    switch (state) {
    case JobState::Completed: return Tone::Good;
    case JobState::Running:
    case JobState::Completing:
    case JobState::StageOut: return Tone::Busy;
    case JobState::Failed:
    case JobState::Timeout:
    case JobState::OutOfMemory:
    case JobState::NodeFail:
    case JobState::BootFail:
    case JobState::Deadline: return Tone::Bad;
    case JobState::Preempted:
    case JobState::Suspended:
    case JobState::Stopped:
    case JobState::SpecialExit:
    case JobState::Signaling:
    case JobState::Revoked: return Tone::Warn;
    case JobState::Unknown: return Tone::Plain;
    default: return Tone::Quiet;
    }
}

void showState(QLabel* chip, JobState state, std::optional<Seconds> elapsed, std::optional<qint64> asOfMs)
{
    const QString word = state == JobState::Unknown ? tr("state not known") : toText(state);
    const QString text = elapsed && !isWaiting(state) ? word + u' ' + humanDuration(*elapsed) : word;
    if (asOfMs && !hasEnded(state)) {
        chip->setText(tr("%1 as of %2").arg(text, shortClock(*asOfMs)));
        setStyleProperty(chip, "pill", u"quiet"_s);
        return;
    }
    chip->setText(text);
    // A running job is well: green, as long as nothing says otherwise.
    setStyleProperty(chip, "pill", QString::fromLatin1(state == JobState::Running ? "good" : pillOf(toneOf(state))));
}

QString allocationText(const JobRecord& job, const QString& gpuWord)
{
    QStringList parts;
    if (!job.partition.isEmpty())
        parts.append(job.partition);
    if (job.nodes)
        parts.append(nodesText(*job.nodes));
    if (job.gpus)
        parts.append(gpusText(*job.gpus, gpuWord));
    return parts.join(u" · "_s);
}

QString momentText(const QDateTime& moment)
{
    return moment.isValid() ? moment.toLocalTime().toString(u"yyyy-MM-dd HH:mm"_s) : u"–"_s;
}

bool confirmCancel(QWidget* parent, const JobRecord& job)
{
    QMessageBox box(QMessageBox::NoIcon, tr("Cancel job"), {}, QMessageBox::NoButton, parent);
    box.setTextFormat(Qt::PlainText);
    const QString name = job.name.isEmpty() ? job.id : tr("%1 (%2)").arg(job.name, job.id);
    box.setText(tr("Cancel the job %1?").arg(name));
    box.setInformativeText(isWaiting(job.state)
            ? tr("It leaves the queue and loses its place.")
            : tr("Its processes end now. What it did since its last checkpoint is lost."));
    QPushButton* cancel = box.addButton(tr("Cancel the job"), QMessageBox::AcceptRole);
    QPushButton* keep = box.addButton(tr("Keep it"), QMessageBox::RejectRole);
    cancel->setProperty("danger", true);
    box.setDefaultButton(keep);
    box.setEscapeButton(keep);
    box.exec();
    return box.clickedButton() == cancel;
}

} // namespace rankwright
