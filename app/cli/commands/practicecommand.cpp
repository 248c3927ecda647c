// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/commands.h"

#include "app/cli/clioutput.h"
#include "app/session/practicecluster.h"
#include "models/cluster/catalogue/profilewriter.h"

#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

void printStatus(const PracticeStatus& status, const CliContext& context)
{
    if (context.json) {
        printJson(context.out, status.json);
        return;
    }
    TextFacts facts;
    facts.add(u"running"_s, status.running ? u"yes"_s : u"no"_s);
    if (status.running) {
        facts.add(u"login"_s, u"%1@%2 port %3"_s.arg(status.user, status.host).arg(status.port));
        facts.add(u"key"_s, status.identity);
        facts.add(u"account"_s, status.account);
        facts.add(u"folder"_s, status.workdir);
        facts.add(u"training"_s, status.trainScript);
        for (const QString& difference : status.differences)
            facts.add(u"differs"_s, difference);
    }
    facts.print(context.out);
}

/// The cluster file behind --shape: a file of one's own, or the catalogue's entry of that name, written to `folder`.
Result<QString> shapeFile(const CliContext& context, const QTemporaryDir& folder)
{
    const QString shape = context.option(u"shape"_s);
    if (QFileInfo(shape).isFile())
        return QFileInfo(shape).absoluteFilePath();
    const ClusterProfile* profile = context.catalogue.find(shape);
    if (profile == nullptr)
        return fail(Fault::Invalid, u"--shape “%1” is neither a file nor a cluster of the catalogue"_s.arg(shape), {},
            u"choose one of "_s + context.catalogue.names().join(u", "_s));
    QFile file(folder.filePath(profile->name + u".json"_s));
    const QByteArray json = writeClusterProfile(*profile);
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size())
        return fail(Fault::Io, u"the shape cannot be written to a temporary file"_s, file.errorString(), {});
    return file.fileName();
}

/// What practice.py is given; the words stay valid as long as `folder`.
Result<QStringList> wordsOf(const CliContext& context, const QTemporaryDir& folder)
{
    const QString word = context.positional.value(0);
    if (word != u"up"_s && word != u"down"_s && word != u"status"_s)
        return fail(Fault::Invalid, u"practice %1 is not known."_s.arg(word), {}, u"Give up, down or status."_s);
    QStringList words{word};
    if (context.has(u"purge"_s) && word != u"down"_s)
        return fail(Fault::Invalid, u"--purge goes with down only."_s, {}, u"Leave it out."_s);
    if (context.has(u"purge"_s))
        words.append(u"--purge"_s);
    if (context.has(u"shape"_s)) {
        const auto file = shapeFile(context, folder);
        if (!file)
            return fail(file.error());
        words << u"--shape"_s << *file;
    }
    return words;
}

int runPractice(const CliContext& context)
{
    const QTemporaryDir folder;
    const auto words = wordsOf(context, folder);
    if (!words)
        return report(context, words.error());
    const QString word = words->first();
    PracticeCluster practice;
    QObject::connect(&practice, &PracticeCluster::progressed, &practice, [&context](const PracticeStep& step) {
        context.err << u"[%1/%2] "_s.arg(step.number).arg(step.of) << step.text << u'\n';
        context.err.flush();
    });
    QEventLoop loop;
    int code = ExitDone;
    practice.order(*words, &loop, [&](const Result<QByteArray>& answer) {
        if (!answer) {
            code = report(context, answer.error(), ExitNo);
        } else if (const auto status = readPracticeStatus(answer->trimmed().isEmpty() ? "{}" : *answer); !status) {
            code = report(context, status.error(), ExitNo);
        } else {
            printStatus(*status, context);
            code = word == u"status"_s && !status->running ? ExitNo : ExitDone;
        }
        loop.quit();
    });
    loop.exec();
    return code;
}

} // namespace

CliCommand practiceCommand()
{
    return {
        .name = "practice",
        .summary = "The practice cluster on this machine: up, down or status",
        .words = "up|down|status",
        .run = runPractice,
        .options = {{.name = "shape",
                        .value = "CLUSTER|FILE",
                        .text = "what it looks like: a cluster of the catalogue, or a cluster file"},
            {.name = "purge", .text = "with down: also remove what jobs wrote"}},
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
