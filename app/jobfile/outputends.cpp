// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/outputends.h"

#include "app/watch/outputfilesofjob.h"
#include "models/insight/log/outputlisting.h"

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

void readEnds(RemoteShell& shell, const QList<ListedOutput>& files, const QByteArray& script, QObject* guard,
    const Then<JobOutputEnds>& then)
{
    QStringList paths;
    for (const ListedOutput& file : files.first(qMin<qsizetype>(files.size(), mostJobFileOutputs)))
        paths.append(file.path);
    if (paths.isEmpty()) {
        then(JobOutputEnds{{}, script});
        return;
    }
    shell.run(logEndingCommand(paths), guard, [files, paths, script, then](const Result<CommandOutcome>& outcome) {
        if (!outcome) {
            then(fail(outcome.error()));
            return;
        }
        JobOutputEnds ends{{}, script};
        const auto texts = splitLogEndings(outcome->output, paths);
        for (qsizetype i = 0; i < paths.size(); ++i) {
            if (texts.contains(paths.at(i)))
                ends.outputs.append({paths.at(i), files.at(i).size, texts.value(paths.at(i)).end});
        }
        then(ends);
    });
}

} // namespace

void readOutputEnds(RemoteShell& shell, const JobRecord& job, QObject* guard, const Then<JobOutputEnds>& then)
{
    shell.run(outputQuestion(job), guard, [&shell, job, guard, then](const Result<CommandOutcome>& answer) {
        if (!answer) {
            then(fail(answer.error()));
            return;
        }
        const QList<OutputFile> files = outputFilesOf(job, answer->output);
        const QByteArray script = scriptIn(answer->output);
        if (files.isEmpty()) {
            then(JobOutputEnds{{}, script});
            return;
        }
        shell.run(listOutputsCommand(files), guard,
            [&shell, files, script, guard, then](const Result<CommandOutcome>& listed) {
                if (listed)
                    readEnds(shell, listedOutputs(listed->output, files), script, guard, then);
                else
                    then(fail(listed.error()));
            });
    });
}

} // namespace rankwright
