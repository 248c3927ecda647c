// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/transfer/transfercommands.h"

#include "app/cli/transfer/transferrun.h"
#include "app/transfer/uploadtransfer.h"
#include "models/cluster/transfer/filenames.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

int upload(const CliContext& context, const QStringList& paths, const QString& target)
{
    for (const QString& path : paths) { // before anybody is asked to log in
        if (!QFileInfo::exists(path))
            return report(
                context, {Fault::Io, u"%1: there is no such file or folder."_s.arg(path), {}, u"Check the path."_s});
    }
    CliLogin login(context);
    if (const auto failed = login.connectTo(context.positional.value(0)))
        return *failed;
    TransferRun run(login);
    const QByteArray folder = target.toUtf8();
    const auto ignoring = context.has(u"no-ignore"_s) ? IgnoreFiles::Skipped : IgnoreFiles::Used;
    run.add([&login, paths, folder, ignoring] {
        return std::make_unique<UploadTransfer>(login.session().shell(), paths, folder, ignoring);
    });
    askRoom(login.session().shell(), {{u"target"_s, target}}, &login,
        [&run, target](const Result<QList<StorageRoom>>& rooms) {
            if (rooms) // without them nothing is warned of
                run.setRoom(*rooms,
                    target.startsWith(u'/') || rooms->isEmpty() ? target.toUtf8()
                                                                : rooms->first().path + '/' + target.toUtf8());
            run.start();
        });
    return login.wait();
}

int runUpload(const CliContext& context)
{
    return upload(context, {context.positional.value(1)}, context.positional.value(2));
}

int runPut(const CliContext& context) { return upload(context, context.positional.mid(1), context.option(u"to"_s)); }

constexpr CliOption noIgnore{.name = "no-ignore", .text = "send also what .rankwrightignore or .gitignore leaves out"};

} // namespace

CliCommand uploadCommand()
{
    return {
        .name = "upload",
        .summary = "Copy a file or folder to a cluster, under its own name",
        .words = "CLUSTER PATH [FOLDER]",
        .run = runUpload,
        .options = transferOptions({noIgnore}),
        .minimumWords = 2,
        .maximumWords = 3,
    };
}

CliCommand putCommand()
{
    return {
        .name = "put",
        .summary = "Copy files and folders to a cluster, as upload does",
        .words = "CLUSTER PATH...",
        .run = runPut,
        .options
        = transferOptions({{.name = "to", .value = "FOLDER", .text = "where to; default: the home folder"}, noIgnore}),
        .minimumWords = 2,
    };
}

} // namespace rankwright
