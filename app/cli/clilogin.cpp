// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clilogin.h"

#include "app/base/datafolder.h"
#include "app/cli/clidata.h"
#include "app/cli/loginwords.h"
#include "app/cli/ownruns.h"
#include "app/keeper/keeperstart.h"
#include "models/cluster/catalogue/catalogue.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"

#include <QTimer>

#include <unistd.h>

using namespace Qt::StringLiterals;

namespace rankwright {

QList<CliOption> loginOptions(const QList<CliOption>& own)
{
    return own
        + QList<CliOption>{
            {.name = "host", .value = "HOST", .text = "the host to log in to", .isOfLogin = true},
            {.name = "port", .value = "PORT", .text = "its port", .isOfLogin = true},
            {.name = "user", .value = "USER", .text = "the user name there", .isOfLogin = true},
            {.name = "identity",
                .value = "FILE",
                .text = "a private key file to offer",
                .takes = CliOption::Repeated,
                .isOfLogin = true},
            {.name = "jump", .value = "HOST", .text = "a jump host to go through", .isOfLogin = true},
            {.name = "known-hosts", .value = "FILE", .text = "the file of known host keys", .isOfLogin = true},
            {.name = "config", .value = "FILE", .text = "in place of ~/.ssh/config", .isOfLogin = true},
            {.name = "password-fd",
                .value = "N",
                .text = "read answers from this descriptor, one line per prompt",
                .isOfLogin = true},
            {.name = "no-control-master",
                .text = "log in even where ssh has an open connection that could be used",
                .isOfLogin = true},
            {.name = "no-agent",
                .text = "log in for this command alone, even if a connection agent runs",
                .isOfLogin = true},
            {.name = "show-commands",
                .text = "print each command that is sent to the cluster, to standard error",
                .isOfLogin = true},
            {.name = "data-dir",
                .value = "FOLDER",
                .text = "where the program keeps what it records",
                .isOfLogin = true},
        };
}

CliLogin::CliLogin(const CliContext& context, QObject* parent) : QObject(parent), m_context(context)
{
    connect(&m_interruption, &Interruption::signalArrived, this, &CliLogin::handleInterruption);
}

CliLogin::~CliLogin() = default;

Result<ConnectOptions> CliLogin::readOptions()
{
    int descriptor = -1;
    const auto options = readConnectOptions(m_context, &descriptor);
    m_answers = std::make_unique<TerminalPrompt>(m_context.err, descriptor);
    return options;
}

Result<SshRequest> CliLogin::requestFor(const ClusterProfile& profile, const ConnectOptions& options)
{
    if (profile.name != QString::fromUtf16(practiceName) || !options.host.isEmpty())
        return rankwright::requestFor(profile, options);
    const auto status = askPractice();
    if (!status)
        return fail(status.error());
    m_practice = *status;
    return rankwright::requestFor(*status, options);
}

const ClusterProfile* CliLogin::profileOfHost(const QString& name)
{
    if (!isConfiguredHost(name, m_context.option(u"config"_s)))
        return nullptr;
    m_ownProfile = std::make_unique<ClusterProfile>();
    m_ownProfile->name = name;
    m_ownProfile->title = name;
    m_ownProfile->login.host = name;
    return m_ownProfile.get();
}

std::optional<int> CliLogin::connectTo(const QString& cluster)
{
    const ClusterProfile* profile = m_context.catalogue.find(cluster);
    if (!profile)
        profile = profileOfHost(cluster);
    if (!profile)
        return report(m_context,
            {Fault::Invalid, u"“%1” is neither in the catalogue nor a Host of ~/.ssh/config."_s.arg(cluster), {},
                u"Choose one of "_s + m_context.catalogue.names().join(u", "_s)});
    return connectTo(*profile);
}

/// An ssh connection that the user has open already comes first: it needs no login at all.
std::unique_ptr<ClusterLink> CliLogin::linkTo(
    const SshRequest& request, const SshEndpoint& endpoint, const QString& dataFolder)
{
    if (m_check)
        return nullptr;
    auto own = sharedLink(endpoint, dataFolder);
    if (m_context.has(u"no-control-master"_s) || !Settings(dataFolder).controlMasterUsed())
        return own;
    return overControlMaster(request, endpoint, std::move(own), &m_whyNoMaster);
}

std::optional<int> CliLogin::connectTo(const ClusterProfile& profile)
{
    const auto options = readOptions();
    if (!options)
        return report(m_context, options.error());
    auto data = openData(m_context);
    if (!data)
        return report(m_context, data.error());
    m_database = std::move(data->database);
    m_log = std::make_unique<JobLog>(*m_database);
    const auto request = requestFor(profile, *options);
    if (!request)
        return report(
            m_context, request.error(), request.error().fault == Fault::Invalid ? ExitUsage : ExitUnreachable);
    // Without a window to keep alive it may block for the client's run.
    const auto endpoint = resolveEndpoint(*request);
    if (!endpoint)
        return report(
            m_context, endpoint.error(), endpoint.error().fault == Fault::Invalid ? ExitUsage : ExitUnreachable);
    if (m_check) {
        if (const auto good = m_check(*endpoint); !good)
            return report(m_context, good.error(), ExitNo);
    }
    m_session = makeSshSession(profile, *endpoint, *m_log, linkTo(*request, *endpoint, data->folder));
    if (m_context.has(u"show-commands"_s)) {
        m_sent = std::make_unique<SentPrinter>(m_context.err);
        m_session->shell().noteIn(&m_sent->log(), profile.name);
    }
    connect(m_session.get(), &ClusterSession::promptRaised, this,
        [this](const LoginPrompt& prompt) { m_session->answer(prompt.id, m_answers->answer(prompt)); });
    connect(m_session.get(), &ClusterSession::linkChanged, this, &CliLogin::handleLink);
    m_connecting = true;
    m_session->open();
    const int code = wait();
    m_connecting = false;
    if (m_wasOnline) {
        m_finished = false;
        return std::nullopt;
    }
    return code;
}

std::unique_ptr<ClusterLink> CliLogin::sharedLink(const SshEndpoint& endpoint, const QString& dataFolder)
{
    auto link = m_context.has(u"no-agent"_s) ? nullptr : keeperLinkFor(endpoint, dataFolder);
    m_sharedLink = link.get();
    return link;
}

void CliLogin::askUser(const std::function<void(const QString&)>& then)
{
    m_session->shell().run(RemoteCommand::of({u"id"_s, u"-un"_s}).withPurpose(u"Asks for your user name there"_s), this,
        [then](const Result<CommandOutcome>& outcome) {
            then(outcome && outcome->succeeded() ? QString::fromUtf8(outcome->output).trimmed() : QString());
        });
}

CalibrationTable CliLogin::measuredRuns() const { return ownRuns(m_context); }

void CliLogin::printBanners(const LinkInfo& link)
{
    if (m_bannersPrinted > link.banners.size()) // another login
        m_bannersPrinted = 0;
    for (; m_bannersPrinted < link.banners.size(); ++m_bannersPrinted) {
        const auto& [host, text] = link.banners.at(m_bannersPrinted);
        for (const QString& line : bannerLines(host, text))
            m_context.err << line << u'\n';
        m_context.err.flush();
    }
}

void CliLogin::awaitWord(const Error& why)
{
    if (!standardInputIsTerminal()) {
        finish(why);
        return;
    }
    m_context.err << u"rankwright-cli: "_s << why.oneLine()
                  << u" Type connect and Enter to log in again; Ctrl-C ends.\n"_s;
    m_context.err.flush();
    m_word = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
    connect(m_word.get(), &QSocketNotifier::activated, this, &CliLogin::readWord);
}

void CliLogin::readWord()
{
    const std::optional<QByteArray> line = lineFromTerminal();
    if (!line) {
        m_word.release()->deleteLater();
        finish(ExitUnreachable);
        return;
    }
    if (line->trimmed() != "connect") {
        m_context.err << u"rankwright-cli: type connect, or Ctrl-C to end\n"_s;
        m_context.err.flush();
        return;
    }
    m_word->setEnabled(false); // it is its own sender; prompts read the same input
    m_word.release()->deleteLater();
    m_session->open();
}

void CliLogin::handleLink(const LinkInfo& link)
{
    printBanners(link);
    if (const auto why = m_sharedLink ? m_sharedLink->whyOwn() : std::nullopt; why && !std::exchange(m_ownSaid, true)) {
        m_context.err << u"rankwright-cli: the connection agent is not used: "_s << why->oneLine() << u'\n';
        m_context.err.flush();
    }
    if (link.hint != std::exchange(m_hintSaid, link.hint) && !link.hint.isEmpty()) {
        m_context.err << u"rankwright-cli: "_s << link.hint << u'\n';
        m_context.err.flush();
    }
    const bool isSlow = link.lineBytesPerSecond && *link.lineBytesPerSecond < slowLineBytesPerSecond;
    if (isSlow && !std::exchange(m_slowLineSaid, true)) {
        m_context.err
            << u"rankwright-cli: the line carries %1 a second; samples come first, and only the end of a job's "
               u"output is read\n"_s.arg(humanBytes(Bytes{qint64(*link.lineBytesPerSecond)}));
        m_context.err.flush();
    }
    if (link.state == LinkState::Online) {
        m_wasOnline = true;
        if (m_connecting)
            finish(ExitDone);
        return;
    }
    const bool gone = link.state == LinkState::Offline || link.state == LinkState::Lost;
    if (!gone)
        m_lossSaid.clear();
    if (!gone || !link.error)
        return;
    if (!m_wasOnline || (link.activity.isEmpty() && !link.waitsForPerson)) {
        finish(*link.error); // no further attempt follows
        return;
    }
    // In the next turn: a command that ends with its connection has said so by then, and needs no second report.
    QTimer::singleShot(0, this, [this, link] {
        if (m_finished || m_word || m_session->link().state == LinkState::Online)
            return;
        if (link.waitsForPerson) {
            awaitWord(*link.error);
            return;
        }
        if (m_lossSaid == link.error->oneLine()) // the wait is counted down, a terminal has no use for that
            return;
        m_lossSaid = link.error->oneLine();
        const bool isSentence = m_lossSaid.endsWith(u'.');
        m_context.err << u"rankwright-cli: "_s << m_lossSaid << (isSentence ? u" "_s : u"; "_s)
                      << (isSentence ? capitalised(link.activity) + u'.' : link.activity) << u'\n';
        m_context.err.flush();
    });
}

void CliLogin::handleInterruption()
{
    if (m_interrupted && !m_connecting) {
        m_interrupted();
        return;
    }
    if (!m_finished)
        m_context.err << u"rankwright-cli: interrupted\n"_s;
    m_context.err.flush();
    m_wasOnline = false; // whoever connects must not go on
    finish(ExitNo);
}

int CliLogin::wait()
{
    if (!m_finished)
        m_loop.exec();
    return m_code;
}

void CliLogin::finish(int code)
{
    if (m_finished)
        return;
    m_finished = true;
    m_code = code;
    m_loop.quit();
}

void CliLogin::finish(const Error& why)
{
    if (m_finished)
        return;
    const bool away = why.fault == Fault::Offline || why.fault == Fault::TimedOut || why.fault == Fault::HostKeyRefused
        || why.fault == Fault::LoginRefused || why.fault == Fault::Cancelled || why.fault == Fault::Io
        || why.fault == Fault::TurnedAway;
    finish(report(m_context, why, away ? ExitUnreachable : ExitNo));
}

} // namespace rankwright
