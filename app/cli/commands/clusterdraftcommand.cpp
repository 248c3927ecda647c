// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/clusterdraftcommand.h"

#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/documents/clusterfile.h"
#include "models/catalogue/profilewriter.h"
#include "models/core/jsonreader.h"
#include "models/draft/clusterdraft.h"

#include <QDate>
#include <QFile>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QJsonObject draftJson(const ClusterDraft& draft, const QString& path)
{
    QJsonArray doubts;
    for (const DraftDoubt& doubt : draft.doubts)
        doubts.append(QJsonObject{{u"place"_s, doubt.place}, {u"text"_s, doubt.text}});
    return {
        {u"entry"_s, *parseJsonObject(writeClusterProfile(draft.profile), u"entry"_s)},
        {u"uncertain"_s, doubts},
        {u"savedAs"_s, orNull(path)},
    };
}

void printDraft(const CliContext& context, const ClusterDraft& draft, const QString& path)
{
    context.out << QString::fromUtf8(writeClusterProfile(draft.profile));
    context.err << u"What is uncertain:\n"_s;
    for (const DraftDoubt& doubt : draft.doubts)
        context.err << u"  "_s << doubt.place << u": "_s << doubt.text << u'\n';
    if (path.isEmpty())
        context.err << u"Nothing is saved; --save writes it into "_s << context.userCatalogue << u".\n"_s;
    else
        context.err << u"Saved as "_s << path << u"; correct it there.\n"_s;
}

/// How this connection is made, for the entry: the catalogue's own words where they are known.
LoginRule loginOf(const CliContext& context, const ClusterProfile* known, const CliLogin& login)
{
    LoginRule rule = known != nullptr ? known->login : LoginRule();
    if (const QString host = context.option(u"host"_s); !host.isEmpty() && host != rule.host) {
        rule = LoginRule();
        rule.host = host;
    }
    if (login.practice()) {
        rule.host = login.practice()->host;
        rule.port = login.practice()->port;
    }
    if (context.has(u"port"_s))
        rule.port = context.option(u"port"_s).toInt();
    if (context.has(u"jump"_s))
        rule.jump = context.option(u"jump"_s);
    if (rule.port == 22)
        rule.port.reset();
    return rule;
}

int finishDraft(CliLogin& login, const CliContext& context, const ClusterSurvey& survey, const DraftRequest& request)
{
    const ClusterDraft draft = draftCluster(survey, request, context.catalogue.clusters);
    QString path;
    if (context.has(u"save"_s)) {
        const auto saved = saveClusterFile(context.userCatalogue, draft.profile);
        if (!saved)
            return report(login.context(), saved.error(), ExitNo);
        path = *saved;
    }
    if (context.json)
        printJson(context.out, draftJson(draft, path));
    else
        printDraft(context, draft, path);
    return ExitDone;
}

} // namespace

int runClusterDraft(const CliContext& context)
{
    const QString asked = context.option(u"draft"_s);
    const QString name = context.option(u"as"_s, asked);
    if (!isClusterName(name))
        return report(context,
            {Fault::Invalid, u"“%1” cannot be the name of a cluster."_s.arg(name.left(60)), {},
                u"Use small letters, digits, '-', '_' and '.', for instance --draft my-cluster."_s});
    const ClusterProfile* known = context.catalogue.find(asked);
    if (known == nullptr && !context.has(u"host"_s))
        return report(context,
            {Fault::Invalid, u"“%1” is not in the catalogue, so its login host is not known."_s.arg(asked), {},
                u"Give --host HOST, and --user, --port, --jump where they are needed."_s});
    if (context.has(u"save"_s) && QFile::exists(clusterFilePath(context.userCatalogue, name)))
        return report(context,
            {Fault::Invalid, clusterFilePath(context.userCatalogue, name) + u" exists already and is not replaced."_s,
                {}, u"Give another name with --as NAME, or move the file away."_s});
    ClusterProfile bare;
    bare.name = name;
    bare.title = name;
    bare.login.host = context.option(u"host"_s);
    CliLogin login(context);
    if (const auto failed = login.connectTo(known != nullptr ? *known : bare))
        return *failed;
    const DraftRequest request{name, loginOf(context, known, login), QDate::currentDate().toString(Qt::ISODate)};
    const RemoteCommand command = surveyCommand();
    login.session().shell().run(
        command, &login, [&login, &context, request, command](const Result<CommandOutcome>& outcome) {
            if (!outcome) {
                login.finish(outcome.error());
                return;
            }
            const auto survey = readSurvey(outcome->output);
            if (survey)
                login.finish(finishDraft(login, context, *survey, request));
            else
                login.finish(outcome->succeeded() ? survey.error() : outcome->toError(command));
        });
    return login.wait();
}

} // namespace rankwright
