// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/classroom/solutionrun.h"

#include "models/core/harmlesstext.h"
#include "models/teaching/classroom/classwriter.h"

#include <QProcess>

#include <utility>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int closingWaitMs = 5000; // for scancel
constexpr qsizetype mostOfLine = 4096;
// Exit codes of rankwright-cli (docs/cli.md).
constexpr int codeDone = 0;
constexpr int codeNo = 1;

} // namespace

SolutionRun::SolutionRun(QString program, QString dataFolder, QObject* parent)
    : QObject(parent), m_program(std::move(program)), m_dataFolder(std::move(dataFolder))
{ }

SolutionRun::~SolutionRun()
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->terminate();
    m_process->waitForFinished(closingWaitMs);
}

Result<void> SolutionRun::start(const ClassFile& file, const QString& cluster)
{
    if (m_process)
        return fail(Fault::Invalid, u"The solutions are already running."_s, {}, u"Wait, or stop them."_s);
    if (m_program.isEmpty())
        return fail(Fault::Io, u"The solutions cannot be run: rankwright-cli, which does that, is not installed."_s, {},
            u"Install the whole package: rankwright-cli belongs beside this program."_s);
    m_isStopped = false;
    m_steps.clear();
    m_table.clear();
    m_process = std::make_unique<QProcess>();
    connect(m_process.get(), &QProcess::readyReadStandardError, this,
        [this] { readLines(m_steps, m_process->readAllStandardError()); });
    connect(m_process.get(), &QProcess::readyReadStandardOutput, this,
        [this] { readLines(m_table, m_process->readAllStandardOutput()); });
    connect(m_process.get(), &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        finish(m_isStopped                       ? SolutionRunEnd::Stopped
                : status != QProcess::NormalExit ? SolutionRunEnd::Failed
                : code == codeDone               ? SolutionRunEnd::Passed
                : code == codeNo                 ? SolutionRunEnd::NotPassed
                                                 : SolutionRunEnd::Failed);
    });
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            emit linePrinted(u"%1 could not be started: %2"_s.arg(m_program, m_process->errorString()));
            finish(SolutionRunEnd::Failed);
        }
    });
    m_process->start(
        m_program, {u"class"_s, u"run"_s, u"-"_s, u"--cluster"_s, cluster, u"--yes"_s, u"--data-dir"_s, m_dataFolder});
    m_process->write(writeClass(file));
    m_process->closeWriteChannel();
    return {};
}

void SolutionRun::stop()
{
    if (m_process && m_process->state() != QProcess::NotRunning) {
        m_isStopped = true;
        m_process->terminate(); // the second one ends it at once
    }
}

void SolutionRun::readLines(QByteArray& kept, const QByteArray& came)
{
    kept += came;
    for (;;) {
        const qsizetype end = kept.indexOf('\n');
        if (end < 0)
            break;
        emit linePrinted(harmlessLine(QString::fromUtf8(kept.left(std::min(end, mostOfLine)))));
        kept.remove(0, end + 1);
    }
    if (kept.size() > mostOfLine)
        kept.truncate(mostOfLine);
}

void SolutionRun::finish(SolutionRunEnd how)
{
    readLines(m_steps, m_process->readAllStandardError() + (m_steps.isEmpty() ? "" : "\n"));
    readLines(m_table, m_process->readAllStandardOutput() + (m_table.isEmpty() ? "" : "\n"));
    m_process.release()->deleteLater(); // within its own signal
    emit ended(how);
}

} // namespace rankwright
