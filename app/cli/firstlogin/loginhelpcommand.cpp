// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clilogin.h"
#include "app/cli/clioutput.h"
#include "app/cli/commands/commands.h"
#include "app/cli/firstlogin/firstloginreport.h"
#include "app/cli/loginwords.h"
#include "app/cli/sentprinter.h"
#include "app/login/keymaker.h"

#include <QEventLoop>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// The entry of the catalogue, or one of a name that only OpenSSH's configuration or --host knows.
ClusterProfile profileOf(const CliContext& context, const QString& name)
{
    if (const ClusterProfile* known = context.catalogue.find(name))
        return *known;
    ClusterProfile profile;
    profile.name = name;
    profile.title = name;
    profile.login.host = name;
    return profile;
}

Result<SshRequest> requestOf(const ClusterProfile& profile, const ConnectOptions& options)
{
    if (profile.name != QString::fromUtf16(practiceName) || !options.host.isEmpty())
        return requestFor(profile, options);
    const auto status = askPractice();
    return status ? Result<SshRequest>(requestFor(*status, options)) : fail(status.error());
}

/// Asks twice for a passphrase; empty: no answer, or `why` says what is wrong with it.
std::optional<Secret> askPassphrase(TerminalPrompt& terminal, const QString& path, QString* why)
{
    LoginPrompt prompt;
    prompt.kind = LoginPrompt::Kind::Passphrase;
    prompt.host = u"a new key"_s;
    prompt.notice = u"a new key is made. Choose a passphrase for it; you will be asked for it when you log in."_s;
    prompt.questions = {{path, false}, {u"The same passphrase again"_s, false}};
    const PromptAnswer answer = terminal.answer(prompt);
    if (!answer.accepted || answer.answers.size() != 2)
        return std::nullopt;
    *why = passphraseObjection(answer.answers.at(0).c_str(), answer.answers.at(1).c_str());
    return why->isEmpty() ? std::optional(answer.answers.at(0)) : std::nullopt;
}

/// Empty: made. Else the exit code; what went wrong has been reported.
std::optional<int> makeKey(const CliContext& context, TerminalPrompt& terminal, ConnectOptions& options)
{
    const QString path = options.identities.isEmpty() ? KeyMaker::freePath(context.positional.value(0))
                                                      : options.identities.constFirst();
    QString why;
    const auto passphrase = askPassphrase(terminal, path, &why);
    if (!passphrase)
        return report(context,
            {Fault::Cancelled, why.isEmpty() ? u"No key was made."_s : u"No key was made: %1"_s.arg(why), {}, {}},
            ExitNo);
    KeyMaker maker;
    QEventLoop loop;
    Result<KeyFile> made = fail(Fault::Cancelled, u"No key was made."_s);
    maker.make(path, *passphrase, &loop, [&](const Result<KeyFile>& key) {
        made = key;
        loop.quit();
    });
    loop.exec();
    if (!made)
        return report(context, made.error(), ExitNo);
    context.err << u"rankwright-cli: made "_s << made->path << u" and "_s << made->path << u".pub\n"_s;
    context.err.flush();
    options.identities = {path};
    return std::nullopt;
}

int exitCodeOf(const LoginSteps& steps)
{
    const LoginStep* failed = steps.firstFailed();
    if (!failed)
        return steps.outcome(LoginStepKind::Login).light == Light::Ok ? ExitDone : ExitUnreachable;
    return steps.outcome(LoginStepKind::Login).light == Light::Ok ? ExitNo : ExitUnreachable;
}

/// Lights that are decided are printed once, in order.
void printDecided(const LoginCheck& check, qsizetype& printed, QTextStream& out)
{
    const auto& all = check.steps().all();
    for (; printed < all.size() && all.at(printed).outcome.light != Light::Pending; ++printed)
        printStep(all.at(printed), out);
}

int runLoginHelp(const CliContext& context)
{
    int descriptor = -1;
    auto options = readConnectOptions(context, &descriptor);
    if (!options)
        return report(context, options.error());
    TerminalPrompt terminal(context.err, descriptor);
    if (context.has(u"make-key"_s)) {
        if (const auto failed = makeKey(context, terminal, *options))
            return *failed;
    }
    const ClusterProfile profile = profileOf(context, context.positional.value(0));
    const auto request = requestOf(profile, *options);
    if (!request)
        return report(context, request.error(), ExitUnreachable);
    SentPrinter sent(context.err);
    LoginCheck check(profile);
    check.setSentLog(context.has(u"show-commands"_s) ? &sent.log() : nullptr);
    QEventLoop loop;
    qsizetype printed = 0;
    QObject::connect(&check, &LoginCheck::promptRaised, &loop,
        [&](const LoginPrompt& prompt) { check.answer(prompt.id, terminal.answer(prompt)); });
    QObject::connect(&check, &LoginCheck::hintArrived, &loop, [&](const QString& text) {
        if (!text.isEmpty())
            context.err << u"rankwright-cli: "_s << text << u'\n';
        context.err.flush();
    });
    QObject::connect(&check, &LoginCheck::bannerArrived, &loop, [&](const QString& host, const QString& text) {
        for (const QString& line : bannerLines(host, text))
            context.err << line << u'\n';
        context.err.flush();
    });
    if (!context.json)
        QObject::connect(&check, &LoginCheck::changed, &loop, [&] { printDecided(check, printed, context.out); });
    QObject::connect(&check, &LoginCheck::finished, &loop, &QEventLoop::quit);
    check.start(*request);
    loop.exec();
    if (context.json) {
        printJson(context.out, firstLoginJson(profile, check));
    } else {
        const auto& all = check.steps().all();
        for (; printed < all.size(); ++printed)
            printStep(all.at(printed), context.out);
        printHelp(profile, check, context.out);
    }
    return exitCodeOf(check.steps());
}

} // namespace

CliCommand loginHelpCommand()
{
    return {
        .name = "login-help",
        .summary = "Test a first login step by step, and explain what stops it",
        .words = "CLUSTER",
        .run = runLoginHelp,
        .options = loginOptions(
            {{.name = "make-key", .text = "make an ed25519 key with a passphrase first (--identity FILE: there)"}}),
        .minimumWords = 1,
        .maximumWords = 1,
    };
}

} // namespace rankwright
