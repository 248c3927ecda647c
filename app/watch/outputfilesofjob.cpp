// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/outputfilesofjob.h"

#include "models/cluster/slurm/slurmparsers.h"
#include "models/core/shellquote.h"
#include "models/script/batch/batchtext.h"

#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

const QByteArray scriptMark = "@rw-script\n";
const QByteArray namedMark = "@rw-named\n";

/// A file name with the job's number in it, as a number of its own.
bool isNamedAfter(const QString& name, const JobId& job)
{
    return name.contains(QRegularExpression(u"(?<!\\d)%1(?!\\d)"_s.arg(QRegularExpression::escape(job))));
}

/// The value of an option with what the job's environment holds put in; empty where more than that is in it.
QString valueOf(const BatchText& batch, const BatchOption& option, const JobRecord& job)
{
    QString value = option.value;
    if (option.word) {
        if (const auto certain = staticValue(batch, *option.word, option.line))
            value = *certain;
    }
    const QList<std::pair<QString, QString>> known{{u"SLURM_JOB_ID"_s, job.id}, {u"SLURM_JOBID"_s, job.id},
        {u"SLURM_JOB_NAME"_s, job.name}, {u"USER"_s, job.user}, {u"SLURM_SUBMIT_DIR"_s, job.workdir},
        {u"PWD"_s, job.workdir}};
    for (const auto& [name, text] : known) {
        if (text.isEmpty())
            continue;
        value.replace(u"${"_s + name + u'}', text);
        value.replace(QRegularExpression(u"\\$"_s + name + u"(?!\\w)"_s), text);
    }
    return value.contains(u'$') || value.contains(u'`') ? QString() : value;
}

void add(QList<OutputFile>& files, const std::optional<OutputFile>& file)
{
    const auto isSame = [&](const OutputFile& known) { return file && known.path == file->path; };
    if (file && !file->path.isEmpty() && file->path != u"/dev/null"_s
        && !std::any_of(files.cbegin(), files.cend(), isSame))
        files.append(*file);
}

void addLaunch(QList<OutputFile>& files, const BatchText& batch, const Launch& launch, const JobRecord& job)
{
    for (const LaunchLayer& layer : launch.layers) {
        if (layer.kind == LaunchLayer::Kind::Srun) {
            for (const QString& name : {u"output"_s, u"error"_s}) {
                if (const BatchOption* option = layer.option(name))
                    add(files, stepOutput(valueOf(batch, *option, job), job));
            }
        }
        const BatchOption* folder = layer.option(u"log-dir"_s);
        const bool writes
            = layer.option(u"redirects"_s) || layer.option(u"r"_s) || layer.option(u"tee"_s) || layer.option(u"t"_s);
        if (layer.kind == LaunchLayer::Kind::Agent && folder && writes) {
            const QString path = valueOf(batch, *folder, job);
            if (!path.isEmpty())
                add(files, agentOutput(path, job));
        }
    }
}

/// By what the script says, else by sbatch's own name.
QString outputPathOf(const JobRecord& job, const BatchText& batch)
{
    const BatchOption* option = batch.option(u"output"_s);
    const QString pattern = option ? option->value : job.id.contains(u'_') ? u"slurm-%A_%a.out"_s : u"slurm-%j.out"_s;
    const QString path = expandOutputPattern(pattern, job);
    if (path.startsWith(u'/'))
        return path;
    return job.workdir.isEmpty() ? QString() : job.workdir + u'/' + path;
}

/// Between its mark and the next one; empty: it was not asked for.
QByteArray scriptPart(const QByteArray& answer)
{
    const qsizetype mark = answer.indexOf(scriptMark);
    if (mark < 0)
        return {};
    const qsizetype from = mark + scriptMark.size();
    const qsizetype named = answer.lastIndexOf(QByteArray('\n' + namedMark));
    return answer.sliced(from, qMax(from, named < 0 ? answer.size() : named) - from);
}

} // namespace

RemoteCommand outputQuestion(const JobRecord& job)
{
    const QString id = shellQuote({job.id});
    const QString forgotten = job.workdir.isEmpty()
        ? QString()
        : u"echo; echo @rw-named; cd -- %1 2>/dev/null && for f in *%2*; do case $f in *.out|*.err|*.log|*.txt|*.[oe]%2) "
          "[ ! -f \"$f\" ] || printf '%s\\n' \"$f\";; esac; done | head -n 64; "_s.arg(shellQuote({job.workdir}), id);
    return RemoteCommand::shell(u"if scontrol -o show job %1 2>/dev/null; then echo; echo @rw-script; "
                                "scontrol write batch_script %1 - 2>/dev/null; else echo; echo @rw-script; "
                                "sacct -B -j %1 2>/dev/null | sed 1,2d; %2fi; true"_s.arg(id, forgotten))
        .withPurpose(u"Asks which files a job writes its output to"_s);
}

QList<OutputFile> outputFilesOf(const JobRecord& job, const QByteArray& answer)
{
    QList<OutputFile> files;
    if (!job.standardOutput.isEmpty())
        add(files, OutputFile{job.standardOutput, false, {}, {}});
    const qsizetype mark = answer.indexOf(scriptMark);
    if (mark < 0)
        return files;
    const QByteArray reported = answer.left(mark);
    for (const QByteArray& line : reported.split('\n')) {
        if (line.contains("JobId="))
            add(files, OutputFile{standardErrorOf(line, job), false, {}, {}});
    }
    const qsizetype named = answer.lastIndexOf(QByteArray('\n' + namedMark));
    const BatchText batch = parseBatch(QString::fromUtf8(scriptPart(answer)));
    if (named >= 0) {
        if (batch.option(u"output"_s))
            add(files, OutputFile{outputPathOf(job, batch), false, {}, {}});
        for (const QByteArray& name : answer.mid(named + 1 + namedMark.size()).split('\n')) {
            if (isNamedAfter(QString::fromUtf8(name), job.id))
                add(files, OutputFile{job.workdir + u'/' + QString::fromUtf8(name), false, {}, {}});
        }
    }
    for (const Launch& launch : batch.launches)
        addLaunch(files, batch, launch, job);
    return files;
}

QByteArray scriptIn(const QByteArray& answer)
{
    const QByteArray script = scriptPart(answer);
    return script.startsWith("#!") ? script : QByteArray(); // else it is why there is none
}

QString outputPathOf(const JobRecord& job, const QByteArray& script)
{
    return job.standardOutput.isEmpty() ? outputPathOf(job, parseBatch(QString::fromUtf8(script))) : job.standardOutput;
}

} // namespace rankwright
