// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/joboutputfiles.h"

#include "app/watch/outputfilesofjob.h"
#include "models/core/harmlesstext.h"
#include "models/insight/log/followscript.h"
#include "models/insight/log/outputlisting.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int longestReason = 200;

struct OutputReading {
    RemoteShell& shell;
    QObject* guard;
    Then<ReadOutputs> then;
    QList<ListedOutput> files; ///< still to be read
    ReadOutputs read;
    qint64 bytes = 0; ///< of what was read
};

/// From a whole line on.
QByteArray fromALine(const QByteArray& bytes)
{
    const qsizetype end = bytes.indexOf('\n');
    return end < 0 ? bytes : bytes.sliced(end + 1);
}

/// The last words of what the cluster says: "tail: cannot open '/run/x' for reading: Permission denied".
QString whyUnread(const CommandOutcome& outcome)
{
    const QString said = QString::fromUtf8(outcome.errorOutput).trimmed().section(u'\n', -1).section(u": "_s, -1);
    if (!said.isEmpty())
        return harmlessLine(said, longestReason);
    return outcome.exitStatus ? u"exit code %1"_s.arg(*outcome.exitStatus) : u"stopped"_s;
}

void readNextOutput(const std::shared_ptr<OutputReading>& reading)
{
    if (reading->files.isEmpty() || reading->read.outputs.size() >= mostKeptOutputs
        || reading->bytes >= mostKeptBytes) {
        reading->then(reading->read);
        return;
    }
    const ListedOutput file = reading->files.takeFirst();
    const qint64 room = mostKeptBytes - reading->bytes;
    const bool isSmall = file.size <= largestKeptOutput && file.size <= room;
    const qint64 length = isSmall ? file.size : qMin(keptOutputEnd, room);
    const qint64 from = qMax<qint64>(0, file.size - length);
    reading->shell.run(rangeCommand(file.path, from, length), reading->guard,
        [reading, file, from](const Result<CommandOutcome>& outcome) {
            if (!outcome) {
                reading->then(fail(outcome.error()));
                return;
            }
            if (outcome->succeeded()) {
                const QByteArray bytes = from > 0 ? fromALine(outcome->output) : outcome->output;
                reading->bytes += bytes.size();
                reading->read.outputs.append({file.path, file.rank, file.size, file.modified, bytes});
            } else {
                reading->read.unread.append(file.path + u": "_s + whyUnread(*outcome));
            }
            readNextOutput(reading);
        });
}

} // namespace

void readJobOutputs(RemoteShell& shell, const JobRecord& job, QObject* guard, const Then<ReadOutputs>& then)
{
    shell.run(outputQuestion(job), guard, [&shell, job, guard, then](const Result<CommandOutcome>& answer) {
        if (!answer) {
            then(fail(answer.error()));
            return;
        }
        const QList<OutputFile> files = outputFilesOf(job, answer->output);
        if (files.isEmpty()) {
            then(ReadOutputs());
            return;
        }
        shell.run(listOutputsCommand(files), guard, [&shell, files, guard, then](const Result<CommandOutcome>& listed) {
            if (!listed) {
                then(fail(listed.error()));
                return;
            }
            readNextOutput(std::make_shared<OutputReading>(
                OutputReading{shell, guard, then, listedOutputs(listed->output, files), {}}));
        });
    });
}

} // namespace rankwright
