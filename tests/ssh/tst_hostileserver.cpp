// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ssh/support/packetserver.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

#include <atomic>
#include <chrono>

using namespace rankwright;
using namespace rankwright::test;
using namespace rankwright::test::wire;
using namespace Qt::StringLiterals;

namespace {

// RFC 4253, section 12; RFC 4252, section 6; RFC 4254, section 9
constexpr quint8 msgDisconnect = 1;
constexpr quint8 msgIgnore = 2;
constexpr quint8 msgUnimplemented = 3;
constexpr quint8 msgDebug = 4;
constexpr quint8 msgServiceRequest = 5;
constexpr quint8 msgServiceAccept = 6;
constexpr quint8 msgKexInit = 20;
constexpr quint8 msgNewKeys = 21;
constexpr quint8 msgKexReply = 31;
constexpr quint8 msgAuthRequest = 50;
constexpr quint8 msgAuthFailure = 51;
constexpr quint8 msgAuthSuccess = 52;
constexpr quint8 msgAuthBanner = 53;
constexpr quint8 msgInfoRequest = 60;
constexpr quint8 msgInfoResponse = 61;
constexpr quint8 msgGlobalRequest = 80;
constexpr quint8 msgChannelOpen = 90;
constexpr quint8 msgChannelConfirm = 91;
constexpr quint8 msgOpenFailure = 92;
constexpr quint8 msgWindowAdjust = 93;
constexpr quint8 msgData = 94;
constexpr quint8 msgExtendedData = 95;
constexpr quint8 msgEof = 96;
constexpr quint8 msgClose = 97;
constexpr quint8 msgChannelRequest = 98;
constexpr quint32 huge = 0xffffffffU;
constexpr qint64 mebi = 1 << 20;

enum class Expect { Refused, Ends, Works, Anything };

struct Hostility {
    QByteArray name;
    Expect expect;
    std::function<void(PacketPeer&)> script;
    QString word = {};
};

QByteArray garbage(int count)
{
    QByteArray bytes(count, '\0');
    QRandomGenerator random(4711);
    for (char& byte : bytes)
        byte = char(random.bounded(256));
    return bytes;
}

QByteArray failure(const QByteArray& methods, bool partial = false)
{
    return message(msgAuthFailure, text(methods) + char(partial));
}

QByteArray infoRequest(quint32 count, const QByteArray& question = "Code: ")
{
    QByteArray request = message(msgInfoRequest, text("title") + text("words") + text({}) + number(count));
    for (quint32 i = 0; i < qMin<quint32>(count, 1000); ++i)
        request += text(question) + '\0';
    return request;
}

QByteArray exitStatus(quint32 channel, quint32 status)
{
    return message(msgChannelRequest, number(channel) + text("exit-status") + '\0' + number(status));
}

void finishCommand(PacketPeer& peer, quint32 channel)
{
    peer.send(message(msgData, number(channel) + text("done\n")));
    peer.send(exitStatus(channel, 0));
    peer.send(message(msgEof, number(channel)));
    peer.send(message(msgClose, number(channel)));
    peer.drain();
}

/// Bytes instead of a banner.
std::function<void(PacketPeer&)> raw(const QByteArray& bytes, bool thenWait)
{
    return [=](PacketPeer& peer) {
        peer.sendRaw(bytes);
        if (thenWait)
            peer.drain();
    };
}

/// The same bytes again and again until nobody takes them.
std::function<void(PacketPeer&)> endless(const QByteArray& bytes)
{
    return [=](PacketPeer& peer) {
        while (peer.sendRaw(bytes)) { }
    };
}

/// Packets, as they are, after the greeting.
std::function<void(PacketPeer&)> afterGreeting(const QByteArray& bytes)
{
    return [=](PacketPeer& peer) {
        peer.greet();
        peer.sendRaw(bytes);
        peer.drain();
    };
}

/// Another payload in place of one message of the key exchange.
std::function<void(PacketPeer&)> inExchange(quint8 instead, const QByteArray& payload)
{
    return [=](PacketPeer& peer) {
        peer.greet();
        const bool exchanged = peer.exchangeKeys([&](quint8 kind) {
            if (kind == instead)
                peer.send(payload);
            return kind == instead;
        });
        if (exchanged)
            peer.receive(msgServiceRequest);
        peer.drain();
    };
}

QList<Hostility> greetings()
{
    const QByteArray longLine(1 << 20, 'x');
    return {
        {"closes at once", Expect::Refused, [](PacketPeer&) {}},
        {"resets at once", Expect::Refused, [](PacketPeer& peer) { peer.reset(); }},
        {"garbage", Expect::Refused, raw(garbage(4000), true)},
        {"zeros", Expect::Refused, raw(QByteArray(100000, '\0'), true)},
        {"a line of 1 MiB", Expect::Refused, raw(longLine, true)},
        {"lines before the version, without end", Expect::Refused, endless("Welcome to this machine\r\n")},
        {"a line without end", Expect::Refused, endless(QByteArray(4096, 'y'))},
        {"SSH 1", Expect::Refused, raw("SSH-1.5-old\r\n", true)},
        {"a version without a name", Expect::Refused, raw("SSH-\r\n", true)},
        {"a version of 300 bytes", Expect::Refused, raw("SSH-2.0-" + QByteArray(300, 'v') + "\r\n", true)},
        {"control characters in the version", Expect::Refused, raw("SSH-2.0-\x1b]0;owned\x07\r\n", true)},
        {"half a version", Expect::Refused, raw("SSH-2.0-Open", true)},
        {"one letter a second", Expect::Refused,
            [](PacketPeer& peer) {
                while (peer.pause(300) && peer.sendRaw("S")) { }
            }},
    };
}

QList<Hostility> exchanges()
{
    const QByteArray names = text("curve25519-sha256") + text("ssh-ed25519");
    QByteArray noneInCommon = message(msgKexInit, QByteArray(16, 'c'));
    for (int i = 0; i < 10; ++i)
        noneInCommon += text("rot13");
    noneInCommon += '\0' + number(0);
    return {
        {"garbage packets", Expect::Refused, afterGreeting(garbage(20000))},
        {"length 2^32-1", Expect::Refused, afterGreeting(number(huge) + garbage(400))},
        {"length 0", Expect::Refused, afterGreeting(number(0) + garbage(400))},
        {"length 2^31", Expect::Refused, afterGreeting(number(0x80000000U) + garbage(400))},
        {"length of 200 MB, endless", Expect::Refused,
            [](PacketPeer& peer) {
                peer.greet();
                peer.sendRaw(number(200U << 20));
                endless(QByteArray(65536, 'z'))(peer);
            }},
        {"padding beyond the packet", Expect::Refused, afterGreeting(number(12) + char(255) + garbage(11))},
        {"no algorithm in common", Expect::Refused, inExchange(msgKexInit, noneInCommon)},
        {"name lists cut off", Expect::Refused,
            inExchange(msgKexInit, message(msgKexInit, QByteArray(16, 'c') + names))},
        {"name list of 2^32-1", Expect::Refused,
            inExchange(msgKexInit, message(msgKexInit, QByteArray(16, 'c') + number(huge) + names))},
        {"an empty message", Expect::Refused, inExchange(msgKexInit, {})},
        {"login succeeds before the keys", Expect::Refused, inExchange(msgKexInit, message(msgAuthSuccess))},
        {"NEWKEYS first", Expect::Refused, inExchange(msgKexInit, message(msgNewKeys))},
        {"reply of garbage", Expect::Refused, inExchange(msgKexReply, message(msgKexReply, garbage(600)))},
        {"reply with a key of 2^32-1", Expect::Refused,
            inExchange(msgKexReply, message(msgKexReply, number(huge) + garbage(100)))},
        {"reply with empty strings", Expect::Refused,
            inExchange(msgKexReply, message(msgKexReply, text({}) + text({}) + text({})))},
        {"reply with a zero point", Expect::Refused,
            inExchange(msgKexReply,
                message(msgKexReply,
                    text(text("ssh-ed25519") + text(QByteArray(32, '\1'))) + text(QByteArray(32, '\0'))
                        + text(text("ssh-ed25519") + text(QByteArray(64, '\2')))))},
        {"reply without a valid signature", Expect::Refused,
            inExchange(msgKexReply,
                message(msgKexReply,
                    text(text("ssh-ed25519") + text(QByteArray(32, '\1'))) + text(garbage(32))
                        + text(text("ssh-ed25519") + text(QByteArray(64, '\2')))))},
        {"NEWKEYS never comes", Expect::Refused, inExchange(msgNewKeys, message(msgIgnore, text("not yet")))},
        {"garbage in place of NEWKEYS", Expect::Refused, inExchange(msgNewKeys, garbage(300))},
        {"farewell with a huge text", Expect::Refused,
            inExchange(msgKexInit, message(msgDisconnect, number(2) + number(huge) + garbage(10)))},
        {"ignored messages without end", Expect::Refused,
            [](PacketPeer& peer) {
                peer.greet();
                while (peer.send(message(msgIgnore, text("still here"))) && peer.pause(20)) { }
            }},
        {"KEXINIT again and again", Expect::Refused,
            [noneInCommon](PacketPeer& peer) {
                peer.greet();
                while (peer.send(noneInCommon) && peer.pause(20)) { }
            }},
    };
}

/// What is sent once the keys are there, encrypted, in place of the service's acceptance.
std::function<void(PacketPeer&)> afterKeys(const QByteArray& payload)
{
    return [=](PacketPeer& peer) {
        peer.greet();
        if (peer.exchangeKeys() && !peer.receive(msgServiceRequest).isEmpty())
            peer.send(payload);
        peer.drain();
    };
}

/// In place of an answer to the first login request.
std::function<void(PacketPeer&)> atLogin(const QList<QByteArray>& payloads)
{
    return [=](PacketPeer& peer) {
        if (!peer.untilLogin())
            return;
        for (const QByteArray& payload : payloads)
            peer.send(payload);
        peer.drain();
    };
}

/// Sends one payload after every request of the client, without end.
std::function<void(PacketPeer&)> alwaysAt(quint8 request, const QByteArray& payload, const QByteArray& first)
{
    return [=](PacketPeer& peer) {
        if (!peer.untilLogin() || !peer.send(first))
            return;
        if (peer.receive(msgAuthRequest).isEmpty() || !peer.send(payload))
            return;
        while (!peer.receive(request).isEmpty() && peer.send(payload)) { }
    };
}

QList<Hostility> logins()
{
    const QByteArray interactive = failure("keyboard-interactive");
    return {
        {"garbage after the keys", Expect::Refused,
            [](PacketPeer& peer) {
                peer.greet();
                peer.exchangeKeys();
                peer.sendRaw(garbage(60000));
                peer.drain();
            }},
        {"an empty packet", Expect::Refused, afterKeys({})},
        {"message 0", Expect::Refused, afterKeys(message(0, garbage(50)))},
        {"message 255", Expect::Refused, afterKeys(message(255, garbage(50)))},
        {"acceptance cut off", Expect::Refused, afterKeys(message(msgServiceAccept, number(huge)))},
        {"farewell that moves the cursor", Expect::Refused,
            afterKeys(message(msgDisconnect, number(11) + text("\x1b[2Jowned\xe2\x80\xae") + text({})))},
        {"a payload of 200 kB", Expect::Refused, afterKeys(message(msgIgnore, text(QByteArray(200000, 'i'))))},
        {"extensions of garbage", Expect::Refused, afterKeys(message(7, number(huge) + garbage(100)))},
        {"failure cut off", Expect::Refused, atLogin({message(msgAuthFailure, number(huge))})},
        {"failure without methods", Expect::Refused, atLogin({failure({})})},
        {"methods of 30 kB", Expect::Refused, atLogin({failure(QByteArray(30000, ','))})},
        {"methods that nobody knows", Expect::Refused, atLogin({failure("telepathy,blood")})},
        {"a key is praised that was not offered", Expect::Refused,
            atLogin({message(msgInfoRequest, text("ssh-rsa") + text(garbage(40)))})},
        {"a question that was not asked for", Expect::Refused, atLogin({infoRequest(1)})},
        {"banners without end", Expect::Refused,
            [](PacketPeer& peer) {
                peer.untilLogin();
                while (peer.send(message(msgAuthBanner, text("Read this first\r\n") + text({}))) && peer.pause(10)) { }
            }},
        {"a banner of 200 kB", Expect::Refused,
            atLogin({message(msgAuthBanner, text(QByteArray(200000, 'b')) + text({})), failure("none-of-them")})},
        {"ignored messages without end", Expect::Refused,
            [](PacketPeer& peer) {
                peer.untilLogin();
                while (peer.send(message(msgIgnore, text("still here"))) && peer.pause(10)) { }
            }},
        {"questions without end", Expect::Refused, alwaysAt(msgInfoResponse, infoRequest(1), interactive)},
        {"rounds without a question, without end", Expect::Refused,
            alwaysAt(msgInfoResponse, infoRequest(0), interactive)},
        {"2^32-1 questions", Expect::Refused, alwaysAt(msgInfoResponse, infoRequest(huge), interactive)},
        {"1,000 questions", Expect::Refused, alwaysAt(msgInfoResponse, infoRequest(1000), interactive)},
        {"a question of 100 kB", Expect::Refused,
            alwaysAt(msgInfoResponse, infoRequest(1, QByteArray(100000, 'q')), interactive)},
        {"half successes without end", Expect::Refused,
            alwaysAt(msgAuthRequest, failure("password,keyboard-interactive", true), failure("password"))},
        {"refusals without end", Expect::Refused, alwaysAt(msgAuthRequest, failure("password"), failure("password"))},
        {"success twice", Expect::Anything,
            [](PacketPeer& peer) {
                peer.untilOnline();
                peer.send(message(msgAuthSuccess));
                peer.drain();
            }},
    };
}

/// After the command was taken: `play` has the client's number of the channel.
std::function<void(PacketPeer&)> atCommand(const std::function<void(PacketPeer&, quint32)>& play)
{
    return [=](PacketPeer& peer) {
        if (const auto channel = peer.untilCommand())
            play(peer, *channel);
    };
}

/// In place of an answer to the first channel that is asked for.
std::function<void(PacketPeer&)> atOpen(const QByteArray& payload)
{
    return [=](PacketPeer& peer) {
        if (!peer.untilOnline() || peer.receive(msgChannelOpen).isEmpty())
            return;
        peer.send(payload);
        peer.drain();
    };
}

QList<Hostility> channels()
{
    const auto once = [](const std::function<QByteArray(quint32)>& payload, bool works) {
        return atCommand([=](PacketPeer& peer, quint32 channel) {
            peer.send(payload(channel));
            if (works)
                finishCommand(peer, channel);
            else
                peer.drain();
        });
    };
    const auto fixed = [](const QByteArray& payload) { return [payload](quint32) { return payload; }; };
    return {
        {"as it should be", Expect::Works, atCommand(finishCommand)},
        {"opening is never answered", Expect::Ends, atOpen(message(msgIgnore, text({})))},
        {"confirmation cut off", Expect::Ends, atOpen(message(msgChannelConfirm, number(0)))},
        {"confirmation of another channel", Expect::Ends,
            atOpen(message(msgChannelConfirm, number(77777) + number(0) + number(1000) + number(1000)))},
        {"refusal with a huge text", Expect::Ends,
            atOpen(message(msgOpenFailure, number(0) + number(4) + number(huge)))},
        {"data before the channel is open", Expect::Ends, atOpen(message(msgData, number(0) + text("early")))},
        {"packets of at most 0 bytes", Expect::Anything,
            [](PacketPeer& peer) {
                if (!peer.untilOnline())
                    return;
                const QByteArray open = peer.receive(msgChannelOpen);
                peer.send(message(msgChannelConfirm, open.mid(12, 4) + number(0) + number(1 << 20) + number(0)));
                peer.drain();
            }},
        {"the command is never answered", Expect::Ends, atCommand([](PacketPeer& peer, quint32) { peer.drain(); })},
        {"data of another channel", Expect::Works, once(fixed(message(msgData, number(4242) + text("x"))), true)},
        {"data cut off", Expect::Ends,
            once([](quint32 c) { return message(msgData, number(c) + number(huge)); }, false)},
        {"data without a channel", Expect::Ends, once(fixed(message(msgData)), false)},
        {"extended data of kind 77", Expect::Anything,
            once([](quint32 c) { return message(msgExtendedData, number(c) + number(77) + text("x")); }, true)},
        {"window of 2^32-1 more, twice", Expect::Anything, atCommand([](PacketPeer& peer, quint32 channel) {
             peer.send(message(msgWindowAdjust, number(channel) + number(huge)));
             peer.send(message(msgWindowAdjust, number(channel) + number(huge)));
             finishCommand(peer, channel);
         })},
        {"a request that is not known", Expect::Works,
            once([](quint32 c) { return message(msgChannelRequest, number(c) + text("brew@coffee") + '\1'); }, true)},
        {"exit status cut off", Expect::Anything,
            once([](quint32 c) { return message(msgChannelRequest, number(c) + text("exit-status") + '\0'); }, true)},
        {"exit signal with control characters", Expect::Anything,
            once(
                [](quint32 c) {
                    return message(msgChannelRequest,
                        number(c) + text("exit-signal") + '\0' + text("\x1b[2J") + '\0' + text("x") + text({}));
                },
                true)},
        {"output after its end", Expect::Anything, once([](quint32 c) { return message(msgEof, number(c)); }, true)},
        {"closed twice", Expect::Anything, atCommand([](PacketPeer& peer, quint32 channel) {
             peer.send(message(msgClose, number(channel)));
             finishCommand(peer, channel);
         })},
        {"opens channels of its own", Expect::Works, atCommand([](PacketPeer& peer, quint32 channel) {
             for (const char* kind : {"session", "x11", "forwarded-tcpip", "auth-agent@openssh.com"})
                 peer.send(message(msgChannelOpen,
                     text(kind) + number(9) + number(1 << 20) + number(32768) + text("127.0.0.1") + number(22)
                         + text("127.0.0.1") + number(22)));
             finishCommand(peer, channel);
         })},
        {"global requests without end", Expect::Ends, atCommand([](PacketPeer& peer, quint32) {
             while (peer.send(message(msgGlobalRequest, text("hostkeys-00@openssh.com") + '\1'))) { }
         })},
        {"ignored messages without end", Expect::Ends, atCommand([](PacketPeer& peer, quint32) {
             while (peer.send(message(msgIgnore, text(QByteArray(1000, 'i'))))) { }
         })},
        {"debug and unknown messages", Expect::Works, atCommand([](PacketPeer& peer, quint32 channel) {
             peer.send(message(msgDebug, '\1' + text("\x1b[31mlook\n") + text({})));
             peer.send(message(msgUnimplemented, number(1)));
             finishCommand(peer, channel);
         })},
        {"half a packet, then silence", Expect::Ends, atCommand([](PacketPeer& peer, quint32) {
             peer.sendRaw(garbage(7));
             peer.drain();
         })},
        {"garbage", Expect::Ends, atCommand([](PacketPeer& peer, quint32) {
             peer.sendRaw(garbage(100000));
             peer.drain();
         })},
        {"login asked for again", Expect::Anything, once(fixed(infoRequest(1)), true)},
        {"keys exchanged again", Expect::Works, atCommand([](PacketPeer& peer, quint32 channel) {
             if (peer.exchangeKeys())
                 finishCommand(peer, channel);
         })},
        {"keys exchanged again with another host key", Expect::Anything,
            atCommand([](PacketPeer& peer, quint32 channel) {
                peer.changeHostKey();
                if (peer.exchangeKeys())
                    finishCommand(peer, channel);
            })},
        {"keys exchanged again, never ended", Expect::Ends, atCommand([](PacketPeer& peer, quint32) {
             peer.exchangeKeys([](quint8 kind) { return kind == msgKexReply || kind == msgNewKeys; });
             peer.drain();
         })},
        {"output without end", Expect::Ends, atCommand([](PacketPeer& peer, quint32 channel) {
             while (peer.send(message(msgData, number(channel) + text(QByteArray(32000, 'o'))))) { }
         })},
    };
}

/// One packet further each time until the connection is reset.
QList<Hostility> cuts()
{
    QList<Hostility> rows;
    for (int packets = 0; packets <= 10; ++packets) {
        rows << Hostility{"after packet " + QByteArray::number(packets), packets < 5 ? Expect::Refused : Expect::Ends,
            [packets](PacketPeer& peer) {
                peer.packetsLeft = packets;
                atCommand(finishCommand)(peer);
            }};
    }
    return rows;
}

} // namespace

/// A server that does at each step what none should: nothing crashes, hangs or grows, and what is said is clear.
class HostileServerTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_home = std::make_unique<SshHome>(); }
    void greeting_data() { addRows(m_rows = greetings()); }
    void greeting() { check(); }
    void exchange_data() { addRows(m_rows = exchanges()); }
    void exchange() { check(); }
    void login_data() { addRows(m_rows = logins()); }
    void login() { check(); }
    void channel_data() { addRows(m_rows = channels()); }
    void channel() { check(); }
    void cut_data() { addRows(m_rows = cuts()); }
    void cut() { check(); }
    void dataBeyondTheWindow();
    void windowOfTwoGigabytes();

private:
    static void addRows(const QList<Hostility>& rows);
    void check();
    static SshTuning hasty()
    {
        SshTuning tuning;
        tuning.connectMs = 3000;
        tuning.serverMs = 3000;
        tuning.promptMs = 3000;
        tuning.keepAliveMs = 600;
        tuning.silentTicks = 2;
        return tuning;
    }
    std::unique_ptr<SshHome> m_home;
    QList<Hostility> m_rows;
};

void HostileServerTest::addRows(const QList<Hostility>& rows)
{
    QTest::addColumn<int>("row");
    for (int i = 0; i < rows.size(); ++i)
        QTest::newRow(rows.at(i).name.constData()) << i;
}

/// Moves a cursor, begins a sequence of a terminal or turns the direction of writing.
static bool isHarmful(QChar letter)
{
    const char16_t code = letter.unicode();
    return letter.category() == QChar::Other_Control || (code >= 0x202a && code <= 0x202e)
        || (code >= 0x2066 && code <= 0x2069);
}

static void checkWords(const QString& words)
{
    QVERIFY(!words.isEmpty());
    for (const QChar letter : words)
        QVERIFY2(letter == u'\n' || !isHarmful(letter), qPrintable(words));
}

void HostileServerTest::check()
{
    QFETCH(int, row);
    const Hostility& hostility = m_rows.at(row);
    PacketServer server(hostility.script);
    // Where the login must succeed, no limit may end it; where it must not, one may have to.
    SshTuning tuning = hostility.expect == Expect::Works ? patientTuning() : hasty();
    if (hostility.expect == Expect::Ends)
        tuning.connectMs = tuning.serverMs = tuning.promptMs = longWaitMs;
    SshClient client(server.endpoint(), tuning);
    client.answerer = [](const LoginPrompt& prompt) -> std::optional<PromptAnswer> {
        PromptAnswer answer{true, {}};
        for (qsizetype i = 0; i < qMax<qsizetype>(1, prompt.questions.size()); ++i)
            answer.answers << Secret("x");
        return answer;
    };
    const qint64 before = residentBytes();
    const LinkState state = client.connectNow();
    const QString said = client.shell().lastError() ? client.shell().lastError()->oneLine() : QString();
    if (hostility.expect == Expect::Refused || state != LinkState::Online) {
        QVERIFY2(state == LinkState::Offline || (state == LinkState::Lost && hostility.expect == Expect::Anything),
            qPrintable(u"state %1 %2"_s.arg(static_cast<int>(state)).arg(said)));
        checkWords(said);
        QVERIFY2(said.contains(hostility.word), qPrintable(said));
        QVERIFY(hostility.expect == Expect::Refused || hostility.expect == Expect::Anything);
    } else {
        RemoteCommand command = RemoteCommand::shell(u"x"_s);
        command.fenced = false;
        if (hostility.expect == Expect::Works)
            command.deadlineSeconds.reset();
        else
            command.deadlineSeconds = 2;
        const Result<CommandOutcome> outcome = client.run(command);
        if (hostility.expect == Expect::Works)
            QVERIFY_RESULT(outcome);
        if (hostility.expect == Expect::Ends)
            QVERIFY(!outcome);
        if (!outcome)
            checkWords(outcome.error().oneLine());
        if (hostility.expect == Expect::Works)
            QCOMPARE(outcome->output, QByteArray("done\n"));
    }
    // It has come to an end: every script goes on until its client has gone.
    const qint64 grown = residentBytes() - before;
    QVERIFY2(grown < 160 * mebi, qPrintable(u"%1 MiB"_s.arg(grown / mebi)));
}

/// Nobody takes the output, and the server sends on although it was given no window for it: the connection ends, before
/// it fills the memory.
void HostileServerTest::dataBeyondTheWindow()
{
    std::atomic<bool> isLeft = false;
    PacketServer server(atCommand([&isLeft](PacketPeer& peer, quint32 channel) {
        while (peer.send(message(msgData, number(channel) + text(QByteArray(32000, 'o'))))) { }
        isLeft = true;
    }));
    SshClient client(server.endpoint(), hasty());
    QCOMPARE(client.connectNow(), LinkState::Online);
    RemoteCommand command = RemoteCommand::shell(u"x"_s);
    command.fenced = false;
    command.deadlineSeconds.reset();
    const auto process = client.shell().start(command);
    bool over = false;
    connect(process.get(), &RemoteProcess::finished, process.get(), [&over] { over = true; });
    const qint64 before = residentBytes();
    // The window's thread is busy with something else all the while.
    for (int i = 0; i < longWaitMs / 100 && !isLeft && residentBytes() - before < 256 * mebi; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const qint64 grown = residentBytes() - before;
    QVERIFY2(isLeft && grown < 64 * mebi, qPrintable(u"%1 MiB"_s.arg(grown / mebi)));
    QTRY_VERIFY(over || client.shell().state() == LinkState::Lost);
}

/// The server allows 2 GiB at once and reads nothing: what is sent waits with us once, not in the library again.
void HostileServerTest::windowOfTwoGigabytes()
{
    PacketServer server([](PacketPeer& peer) {
        if (peer.untilCommand(0x7fffffffU))
            while (peer.pause(100)) { }
    });
    SshClient client(server.endpoint(), hasty());
    QCOMPARE(client.connectNow(), LinkState::Online);
    RemoteCommand command = RemoteCommand::shell(u"x"_s, QByteArray(96 * mebi, 'u'));
    command.fenced = false;
    const qint64 before = residentBytes();
    const auto process = client.shell().start(command);
    test::quietFor(1200);
    const qint64 grown = residentBytes() - before;
    QVERIFY2(grown < 32 * mebi, qPrintable(u"%1 MiB"_s.arg(grown / mebi)));
}

RANKWRIGHT_TEST_MAIN(HostileServerTest)
#include "tst_hostileserver.moc"
