// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/keeper/keepermessage.h"

#include "app/keeper/keeperframe.h"

#include <QCborArray>
#include <QCborMap>
#include <QCborValue>
#include <QtEndian>

#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr auto magic = "rankwright-keeper";
constexpr qsizetype longestText = 8 * 1024; ///< characters of one sentence or its evidence
constexpr qsizetype mostAnswers = 256;
constexpr int widestTerminal = 0xffff;

Unexpected<Error> unreadable(const char* what)
{
    return fail(Fault::Unreadable, u"The connection agent and this program do not understand each other."_s,
        QString::fromLatin1(what), u"Stop the agent and try again: rankwright-cli agent stop"_s);
}

QByteArray bytesOf(const QCborMap& map) { return map.toCborValue().toCbor(); }

std::optional<QCborMap> mapOf(const QByteArray& body)
{
    QCborParserError error;
    const QCborValue value = QCborValue::fromCbor(body, &error);
    if (error.error != QCborError::NoError || !value.isMap() || error.offset != body.size())
        return std::nullopt;
    return value.toMap();
}

QCborArray arrayOf(const QStringList& texts) { return QCborArray::fromStringList(texts); }

QStringList textsOf(const QCborValue& value)
{
    QStringList texts;
    const QCborArray array = value.toArray();
    for (qsizetype i = 0; i < array.size(); ++i)
        texts.append(array.at(i).toString());
    return texts;
}

/// A whole number within bounds; -1: it is none.
qint64 number(const QCborValue& value, qint64 most)
{
    const qint64 count = value.isInteger() ? value.toInteger() : -1;
    return count >= 0 && count <= most ? count : -1;
}

/// One of an enumeration's values, the last of which is given.
template <typename Enum>
std::optional<Enum> oneOf(const QCborValue& value, Enum last)
{
    const qint64 count = number(value, qint64(last));
    return count < 0 ? std::nullopt : std::optional(Enum(count));
}

QCborMap mapOf(const SshEndpoint& endpoint, bool withJumps = true)
{
    // As many names as members: a new one has to be sent too. A control socket is the program's own way, not the
    // agent's.
    [[maybe_unused]] const auto& [host, port, user, identities, identitiesOnly, knownHosts, otherKnownHosts,
        systemKnownHosts, revokedHostKeys, unknownHosts, hashKnownHosts, certificates, hostKeyAlias, agentSocket,
        published, jumps, controlPath, controlMasterAsks]
        = endpoint;
    QCborMap map{{u"host"_s, host}, {u"port"_s, port}, {u"user"_s, user}, {u"identities"_s, arrayOf(identities)},
        {u"identitiesOnly"_s, identitiesOnly}, {u"knownHosts"_s, knownHosts},
        {u"otherKnownHosts"_s, arrayOf(otherKnownHosts)}, {u"revokedHostKeys"_s, revokedHostKeys},
        {u"unknownHosts"_s, int(unknownHosts)}, {u"hashKnownHosts"_s, hashKnownHosts},
        {u"certificates"_s, arrayOf(certificates)}, {u"hostKeyAlias"_s, hostKeyAlias}, {u"agentSocket"_s, agentSocket},
        {u"published"_s, arrayOf(published)}};
    if (systemKnownHosts)
        map.insert(u"systemKnownHosts"_s, arrayOf(*systemKnownHosts));
    if (withJumps) {
        QCborArray hops;
        for (const SshEndpoint& jump : jumps)
            hops.append(mapOf(jump, false)); // the list is complete and flat
        map.insert(u"jumps"_s, hops);
    }
    return map;
}

std::optional<SshEndpoint> endpointOf(const QCborMap& map, bool withJumps = true)
{
    SshEndpoint endpoint;
    const qint64 port = number(map[u"port"_s], 65535);
    const auto unknownHosts = oneOf(map[u"unknownHosts"_s], UnknownHosts::AcceptNew);
    endpoint.host = map[u"host"_s].toString();
    if (port < 1 || !unknownHosts || endpoint.host.isEmpty())
        return std::nullopt;
    endpoint.port = int(port);
    endpoint.user = map[u"user"_s].toString();
    endpoint.identities = textsOf(map[u"identities"_s]);
    endpoint.identitiesOnly = map[u"identitiesOnly"_s].toBool();
    endpoint.knownHosts = map[u"knownHosts"_s].toString();
    endpoint.otherKnownHosts = textsOf(map[u"otherKnownHosts"_s]);
    if (map.contains(u"systemKnownHosts"_s))
        endpoint.systemKnownHosts = textsOf(map[u"systemKnownHosts"_s]);
    endpoint.revokedHostKeys = map[u"revokedHostKeys"_s].toString();
    endpoint.unknownHosts = *unknownHosts;
    endpoint.hashKnownHosts = map[u"hashKnownHosts"_s].toBool();
    endpoint.certificates = textsOf(map[u"certificates"_s]);
    endpoint.hostKeyAlias = map[u"hostKeyAlias"_s].toString();
    endpoint.agentSocket = map[u"agentSocket"_s].toString();
    endpoint.published = textsOf(map[u"published"_s]);
    if (!withJumps)
        return endpoint;
    const QCborArray jumps = map[u"jumps"_s].toArray();
    for (qsizetype i = 0; i < jumps.size(); ++i) {
        const auto jump = endpointOf(jumps.at(i).toMap(), false);
        if (!jump)
            return std::nullopt;
        endpoint.jumps.append(*jump);
    }
    return endpoint;
}

QCborMap mapOf(const Error& error)
{
    const auto& [fault, what, detail, remedy] = error;
    return {{u"fault"_s, int(fault)}, {u"what"_s, what.left(longestText)}, {u"detail"_s, detail.left(longestText)},
        {u"remedy"_s, remedy.left(longestText)}};
}

std::optional<Error> errorOf(const QCborMap& map)
{
    const auto fault = oneOf(map[u"fault"_s], Fault::TurnedAway);
    if (!fault)
        return std::nullopt;
    return Error{*fault, map[u"what"_s].toString(), map[u"detail"_s].toString(), map[u"remedy"_s].toString()};
}

template <typename Number>
void append(QByteArray& bytes, Number number)
{
    char order[sizeof number];
    qToBigEndian(number, order);
    bytes.append(order, sizeof order);
}

/// Takes bytes from the front of a body.
struct Cursor {
    const QByteArray& body;
    qsizetype at = 0;
    template <typename Number>
    std::optional<Number> take()
    {
        if (body.size() - at < qsizetype(sizeof(Number)))
            return std::nullopt;
        const auto value = qFromBigEndian<Number>(body.constData() + at);
        at += qsizetype(sizeof(Number));
        return value;
    }
};

} // namespace

QByteArray helloBody(const KeeperHello& hello)
{
    return bytesOf({{u"is"_s, QString::fromLatin1(magic)}, {u"version"_s, hello.version}, {u"program"_s, hello.program},
        {u"pid"_s, hello.pid}, {u"home"_s, hello.home}});
}

Result<KeeperHello> readHello(const QByteArray& body)
{
    const auto map = mapOf(body);
    if (!map || map->value(u"is"_s).toString() != QLatin1StringView(magic))
        return unreadable("no greeting");
    KeeperHello hello;
    hello.version = int(number(map->value(u"version"_s), 0xffff));
    hello.program = map->value(u"program"_s).toString();
    hello.pid = number(map->value(u"pid"_s), std::numeric_limits<qint64>::max());
    hello.home = map->value(u"home"_s).toString();
    if (hello.version < 1)
        return unreadable("a greeting without a version");
    return hello;
}

QByteArray openBody(const KeeperOpen& open)
{
    return bytesOf(
        {{u"endpoint"_s, mapOf(open.endpoint)}, {u"person"_s, open.attendance == ClusterLink::Attendance::Person}});
}

Result<KeeperOpen> readOpen(const QByteArray& body)
{
    const auto map = mapOf(body);
    const auto endpoint = map ? endpointOf(map->value(u"endpoint"_s).toMap()) : std::nullopt;
    if (!endpoint)
        return unreadable("no endpoint");
    return KeeperOpen{*endpoint,
        map->value(u"person"_s).toBool() ? ClusterLink::Attendance::Person : ClusterLink::Attendance::Nobody};
}

QByteArray endpointKey(const SshEndpoint& endpoint)
{
    SshEndpoint key = endpoint;
    key.agentSocket.clear();
    for (SshEndpoint& jump : key.jumps)
        jump.agentSocket.clear();
    return bytesOf(mapOf(key));
}

QByteArray stateBody(const KeeperState& state)
{
    QCborMap map{{u"state"_s, int(state.state)}, {u"tookPerson"_s, state.tookPerson}};
    if (state.why)
        map.insert(u"why"_s, mapOf(*state.why));
    return bytesOf(map);
}

Result<KeeperState> readState(const QByteArray& body)
{
    const auto map = mapOf(body);
    const auto state = map ? oneOf(map->value(u"state"_s), LinkState::Lost) : std::nullopt;
    if (!state)
        return unreadable("no state");
    KeeperState read{*state, {}, map->value(u"tookPerson"_s).toBool(true)};
    if (map->contains(u"why"_s)) {
        read.why = errorOf(map->value(u"why"_s).toMap());
        if (!read.why)
            return unreadable("no reason");
    }
    return read;
}

QByteArray promptBody(const LoginPrompt& prompt)
{
    const auto& [id, kind, host, isJump, notice, title, instruction, banner, questions, keyType, fingerprint, published,
        knownHostsFile]
        = prompt;
    QCborArray each;
    for (const LoginPrompt::Question& question : questions)
        each.append(QCborMap{{u"text"_s, question.text}, {u"echo"_s, question.echo}});
    return bytesOf({{u"id"_s, qint64(id)}, {u"kind"_s, int(kind)}, {u"host"_s, host}, {u"isJump"_s, isJump},
        {u"notice"_s, notice}, {u"title"_s, title}, {u"instruction"_s, instruction}, {u"banner"_s, banner},
        {u"questions"_s, each}, {u"keyType"_s, keyType}, {u"fingerprint"_s, fingerprint},
        {u"published"_s, arrayOf(published)}, {u"knownHostsFile"_s, knownHostsFile}});
}

Result<LoginPrompt> readPrompt(const QByteArray& body)
{
    const auto map = mapOf(body);
    const auto kind = map ? oneOf(map->value(u"kind"_s), LoginPrompt::Kind::Passphrase) : std::nullopt;
    const qint64 id = map ? number(map->value(u"id"_s), std::numeric_limits<qint64>::max()) : -1;
    if (!kind || id < 0)
        return unreadable("no question");
    LoginPrompt prompt;
    prompt.id = quint64(id);
    prompt.kind = *kind;
    prompt.host = map->value(u"host"_s).toString();
    prompt.isJump = map->value(u"isJump"_s).toBool();
    prompt.notice = map->value(u"notice"_s).toString();
    prompt.title = map->value(u"title"_s).toString();
    prompt.instruction = map->value(u"instruction"_s).toString();
    prompt.banner = map->value(u"banner"_s).toString();
    const QCborArray questions = map->value(u"questions"_s).toArray();
    for (qsizetype i = 0; i < questions.size(); ++i) {
        const QCborMap each = questions.at(i).toMap();
        prompt.questions.append({each[u"text"_s].toString(), each[u"echo"_s].toBool()});
    }
    prompt.keyType = map->value(u"keyType"_s).toString();
    prompt.fingerprint = map->value(u"fingerprint"_s).toString();
    prompt.published = textsOf(map->value(u"published"_s));
    prompt.knownHostsFile = map->value(u"knownHostsFile"_s).toString();
    return prompt;
}

QByteArray answerBody(const KeeperAnswer& answer)
{
    QByteArray body;
    qsizetype size = 13;
    for (const Secret& each : answer.answer.answers)
        size += 4 + qsizetype(qstrlen(each.c_str()));
    body.reserve(size); // grows no more: no copy of a secret is left behind
    append(body, answer.prompt);
    body.append(answer.answer.accepted ? '\1' : '\0');
    append(body, quint32(answer.answer.answers.size()));
    for (const Secret& each : answer.answer.answers) {
        append(body, quint32(qstrlen(each.c_str())));
        body.append(each.c_str());
    }
    return body;
}

Result<KeeperAnswer> readAnswer(const QByteArray& body)
{
    Cursor cursor{body};
    const auto prompt = cursor.take<quint64>();
    const auto accepted = cursor.take<quint8>();
    const auto count = cursor.take<quint32>();
    if (!prompt || !accepted || *accepted > 1 || !count || *count > mostAnswers)
        return unreadable("no answer");
    KeeperAnswer read{*prompt, {*accepted == 1, {}}};
    for (quint32 i = 0; i < *count; ++i) {
        const auto length = cursor.take<quint32>();
        if (!length || qsizetype(*length) > body.size() - cursor.at)
            return unreadable("an incomplete answer");
        // Not a copy: Secret makes the only one.
        read.answer.answers.append(Secret(QByteArray::fromRawData(body.constData() + cursor.at, qsizetype(*length))));
        cursor.at += qsizetype(*length);
    }
    if (cursor.at != body.size())
        return unreadable("more than one answer");
    return read;
}

QByteArray commandBody(const RemoteCommand& command)
{
    const auto& [line, input, interactive, urgent, fenced, deadlineSeconds, terminal, keepsPlace, outputLimit, purpose]
        = command;
    QCborMap map{{u"line"_s, line}, {u"input"_s, input}, {u"interactive"_s, interactive}, {u"urgent"_s, urgent},
        {u"fenced"_s, fenced}, {u"keepsPlace"_s, keepsPlace}, {u"outputLimit"_s, outputLimit}, {u"purpose"_s, purpose}};
    if (deadlineSeconds)
        map.insert(u"deadlineSeconds"_s, *deadlineSeconds);
    if (terminal) {
        map.insert(u"terminal"_s, terminal->type);
        map.insert(u"columns"_s, terminal->size.columns);
        map.insert(u"rows"_s, terminal->size.rows);
    }
    return bytesOf(map);
}

Result<RemoteCommand> readCommand(const QByteArray& body)
{
    const auto map = mapOf(body);
    if (!map || !map->value(u"line"_s).isString())
        return unreadable("no command");
    RemoteCommand command;
    command.line = map->value(u"line"_s).toString();
    command.input = map->value(u"input"_s).toByteArray();
    command.interactive = map->value(u"interactive"_s).toBool();
    command.urgent = map->value(u"urgent"_s).toBool();
    command.fenced = map->value(u"fenced"_s).toBool(true);
    command.keepsPlace = map->value(u"keepsPlace"_s).toBool();
    command.purpose = map->value(u"purpose"_s).toString();
    command.outputLimit = number(map->value(u"outputLimit"_s), std::numeric_limits<qint64>::max());
    command.deadlineSeconds.reset();
    if (map->contains(u"deadlineSeconds"_s))
        command.deadlineSeconds = int(number(map->value(u"deadlineSeconds"_s), 100'000'000));
    if (command.outputLimit < 0 || command.deadlineSeconds.value_or(0) < 0)
        return unreadable("a command without bounds");
    if (map->contains(u"terminal"_s)) {
        TerminalRequest terminal;
        terminal.type = map->value(u"terminal"_s).toByteArray();
        terminal.size = {
            int(number(map->value(u"columns"_s), widestTerminal)), int(number(map->value(u"rows"_s), widestTerminal))};
        if (terminal.size.columns < 0 || terminal.size.rows < 0)
            return unreadable("a terminal without a size");
        command.terminal = terminal;
    }
    return command;
}

QByteArray dialBody(const KeeperDial& dial) { return bytesOf({{u"host"_s, dial.host}, {u"port"_s, dial.port}}); }

Result<KeeperDial> readDial(const QByteArray& body)
{
    const auto map = mapOf(body);
    const qint64 port = map ? number(map->value(u"port"_s), 65535) : -1;
    const QString host = map ? map->value(u"host"_s).toString() : QString();
    if (port < 1 || host.isEmpty())
        return unreadable("no address");
    return KeeperDial{host, int(port)};
}

QByteArray sizeBody(const TerminalSize& size)
{
    QByteArray body;
    append(body, quint16(qBound(0, size.columns, widestTerminal)));
    append(body, quint16(qBound(0, size.rows, widestTerminal)));
    return body;
}

Result<TerminalSize> readSize(const QByteArray& body)
{
    Cursor cursor{body};
    const auto columns = cursor.take<quint16>();
    const auto rows = cursor.take<quint16>();
    if (!columns || !rows || cursor.at != body.size())
        return unreadable("not a terminal's size");
    return TerminalSize{*columns, *rows};
}

QByteArray countBody(qint64 count)
{
    QByteArray body;
    append(body, count);
    return body;
}

Result<qint64> readCount(const QByteArray& body)
{
    Cursor cursor{body};
    const auto count = cursor.take<qint64>();
    if (!count || *count < 0 || cursor.at != body.size())
        return unreadable("no count");
    return *count;
}

QByteArray outcomeBody(const Result<CommandOutcome>& outcome)
{
    if (!outcome)
        return bytesOf({{u"error"_s, mapOf(outcome.error())}});
    const auto& [output, errorOutput, exitStatus, exitSignal] = *outcome;
    QCborMap map{{u"errorOutput"_s, errorOutput}, {u"exitSignal"_s, exitSignal}, {u"output"_s, output}};
    if (exitStatus)
        map.insert(u"exitStatus"_s, *exitStatus);
    return bytesOf(map);
}

Result<CommandOutcome> readOutcome(const QByteArray& body)
{
    const auto map = mapOf(body);
    if (!map)
        return unreadable("no outcome");
    if (map->contains(u"error"_s)) {
        const auto error = errorOf(map->value(u"error"_s).toMap());
        return error ? fail(*error) : unreadable("no outcome");
    }
    CommandOutcome outcome;
    outcome.output = map->value(u"output"_s).toByteArray();
    outcome.errorOutput = map->value(u"errorOutput"_s).toByteArray();
    outcome.exitSignal = map->value(u"exitSignal"_s).toByteArray();
    if (map->contains(u"exitStatus"_s)) {
        const qint64 status = number(map->value(u"exitStatus"_s), 0x7fffffff);
        if (status < 0)
            return unreadable("not an exit status");
        outcome.exitStatus = int(status);
    }
    return outcome;
}

QByteArray errorBody(const Error& error) { return bytesOf(mapOf(error)); }

Error readError(const QByteArray& body)
{
    const auto map = mapOf(body);
    const auto error = map ? errorOf(*map) : std::nullopt;
    return error ? *error : unreadable("no reason").error;
}

QByteArray textsBody(const QString& first, const QString& second)
{
    return bytesOf({{u"first"_s, first.left(longestText)}, {u"second"_s, second.left(longestText)}});
}

Result<std::pair<QString, QString>> readTexts(const QByteArray& body)
{
    const auto map = mapOf(body);
    if (!map)
        return unreadable("no text");
    return std::pair(map->value(u"first"_s).toString(), map->value(u"second"_s).toString());
}

QByteArray statusBody(const KeeperStatus& status)
{
    QCborArray connections;
    for (const KeeperStatus::Connection& each : status.connections)
        connections.append(
            QCborMap{{u"endpoint"_s, each.endpoint}, {u"state"_s, int(each.state)}, {u"openedAt"_s, each.openedAt},
                {u"commands"_s, each.commands}, {u"running"_s, each.running}, {u"programs"_s, each.programs}});
    return bytesOf({{u"pid"_s, status.pid}, {u"program"_s, status.program}, {u"startedAt"_s, status.startedAt},
        {u"idleSeconds"_s, status.idleSeconds}, {u"connections"_s, connections}});
}

Result<KeeperStatus> readStatus(const QByteArray& body)
{
    constexpr qint64 any = std::numeric_limits<qint64>::max();
    const auto map = mapOf(body);
    if (!map)
        return unreadable("no status");
    KeeperStatus status;
    status.pid = number(map->value(u"pid"_s), any);
    status.program = map->value(u"program"_s).toString();
    status.startedAt = number(map->value(u"startedAt"_s), any);
    status.idleSeconds = number(map->value(u"idleSeconds"_s), any);
    if (status.pid < 0 || status.startedAt < 0 || status.idleSeconds < 0)
        return unreadable("no status");
    const QCborArray connections = map->value(u"connections"_s).toArray();
    for (qsizetype i = 0; i < connections.size(); ++i) {
        const QCborMap each = connections.at(i).toMap();
        const auto state = oneOf(each[u"state"_s], LinkState::Lost);
        KeeperStatus::Connection connection{each[u"endpoint"_s].toString(), state.value_or(LinkState::Offline),
            number(each[u"openedAt"_s], any), number(each[u"commands"_s], any), int(number(each[u"running"_s], 0xffff)),
            int(number(each[u"programs"_s], 0xffff))};
        if (!state || connection.openedAt < 0 || connection.commands < 0 || connection.running < 0
            || connection.programs < 0)
            return unreadable("not a connection's status");
        status.connections.append(connection);
    }
    return status;
}

} // namespace rankwright
