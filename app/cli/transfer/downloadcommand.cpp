// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/transfer/transfercommands.h"

#include "app/cli/clioutput.h"
#include "app/cli/transfer/transferrun.h"
#include "app/transfer/downloadtransfer.h"
#include "app/transfer/jobresults.h"
#include "models/cluster/slurm/slurmcommands.h"
#include "models/cluster/transfer/filenames.h"

#include <QDir>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

using Kind = JobResultFile::Kind;

/// "results/run1" is "run1" in "results".
std::pair<QByteArray, QByteArray> parted(QByteArray path)
{
    while (path.size() > 1 && path.endsWith('/'))
        path.chop(1);
    const QByteArray folder = folderOf(path);
    return {folder.isEmpty() && path.startsWith('/') ? QByteArray("/") : folder, baseOf(path)};
}

QString kindWord(Kind kind)
{
    return kind == Kind::Output ? u"output"_s : kind == Kind::Checkpoint ? u"checkpoint"_s : u"other"_s;
}

void printResults(const CliContext& context, const QList<JobResultFile>& files)
{
    printRecords(
        context, files,
        [](const JobResultFile& file) {
            return QJsonObject{{u"path"_s, shownName(file.folder + '/' + file.path, 4096)},
                {u"kind"_s, kindWord(file.kind)}, {u"bytes"_s, file.size},
                {u"modified"_s, QDateTime::fromSecsSinceEpoch(file.modified, Qt::UTC).toString(Qt::ISODate)}};
        },
        TextTable({u"kind"_s, u"size"_s, u"path"_s}),
        [](TextTable& table, const JobResultFile& file) {
            table.add({kindWord(file.kind), humanBytes(Bytes{file.size}), shownName(file.path, 4096)});
        });
}

bool isChosen(const CliContext& context, const JobResultFile& file)
{
    const QStringList names = context.all(u"file"_s);
    if (names.isEmpty() && !context.has(u"checkpoints"_s))
        return file.kind == Kind::Output;
    return (context.has(u"checkpoints"_s) && file.kind == Kind::Checkpoint)
        || names.contains(QString::fromUtf8(file.path)) || names.contains(QString::fromUtf8(baseOf(file.path)));
}

int runResults(const CliContext& context, const QByteArray& target)
{
    const QString job = context.option(u"job"_s);
    if (const auto fault = jobIdFault(job))
        return report(context, *fault);
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    TransferRun run(login);
    RemoteShell& shell = login.session().shell();
    login.session().client().job(job, &login, [&](const Result<JobRecord>& record) {
        if (!record) {
            login.finish(record.error());
            return;
        }
        askJobResults(shell, *record, &login, [&](const Result<QList<JobResultFile>>& files) {
            if (!files) {
                login.finish(files.error());
                return;
            }
            if (context.has(u"list"_s)) {
                printResults(context, *files);
                login.finish(ExitDone);
                return;
            }
            QMap<QByteArray, QList<QByteArray>> folders;
            for (const JobResultFile& file : *files) {
                if (isChosen(context, file))
                    folders[file.folder].append(file.path);
            }
            if (folders.isEmpty()) {
                login.finish(
                    {Fault::Invalid, u"Job %1 left no such files."_s.arg(job), {}, u"--list shows what it left."_s});
                return;
            }
            for (auto folder = folders.cbegin(); folder != folders.cend(); ++folder)
                run.add([&shell, where = folder.key(), names = folder.value(), target] {
                    return std::make_unique<DownloadTransfer>(shell, where, names, target);
                });
            run.start();
        });
    });
    return login.wait();
}

int download(const CliContext& context, const QStringList& paths, const QString& to)
{
    const QByteArray target = QFile::encodeName(QDir(to.isEmpty() ? u"."_s : to).absolutePath());
    if (context.has(u"job"_s))
        return runResults(context, target);
    if (paths.isEmpty())
        return report(context, {Fault::Invalid, u"Nothing to fetch is named."_s, {}, u"Give a path, or --job ID."_s});
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    TransferRun run(login);
    for (const QString& path : paths) {
        const auto [folder, name] = parted(path.toUtf8());
        run.add([&login, folder = folder, name = name, target] {
            return std::make_unique<DownloadTransfer>(login.session().shell(), folder, QList<QByteArray>{name}, target);
        });
    }
    run.start();
    return login.wait();
}

int runDownload(const CliContext& context)
{
    const bool isJob = context.has(u"job"_s); // then the path's place is the folder's
    return download(
        context, isJob ? QStringList() : context.positional.mid(1, 1), context.positional.value(isJob ? 1 : 2));
}

int runGet(const CliContext& context) { return download(context, context.positional.mid(1), context.option(u"to"_s)); }

const QList<CliOption>& ofJobs()
{
    static const QList<CliOption> options{
        {.name = "job", .value = "JOB", .text = "what a job wrote, in place of PATH: its output files"},
        {.name = "list", .text = "with --job: only list what it wrote"},
        {.name = "checkpoints", .text = "with --job: its checkpoints"},
        {.name = "file", .value = "NAME", .text = "with --job: a file of this name", .takes = CliOption::Repeated},
    };
    return options;
}

} // namespace

CliCommand downloadCommand()
{
    return {
        .name = "download",
        .summary = "Copy a file or folder, or a job's results, from a cluster, under its own name",
        .words = "CLUSTER [PATH] [FOLDER]",
        .run = runDownload,
        .options = transferOptions(ofJobs()),
        .minimumWords = 1,
        .maximumWords = 3,
    };
}

CliCommand getCommand()
{
    return {
        .name = "get",
        .summary = "Copy files and folders from a cluster, as download does",
        .words = "CLUSTER PATH...",
        .run = runGet,
        .options = transferOptions(
            QList<CliOption>{{.name = "to", .value = "FOLDER", .text = "where to; default: this folder"}} + ofJobs()),
        .minimumWords = 1,
    };
}

} // namespace rankwright
