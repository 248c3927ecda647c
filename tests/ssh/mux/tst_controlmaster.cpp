// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/controlpath.h"
#include "ssh/mux/controlmaster.h"
#include "ssh/mux/muxsocket.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"

#include <QCryptographicHash>
#include <QStandardPaths>
#include <QSysInfo>

#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// Which control socket belongs to which host, and which of them is not used.
class ControlMasterTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void tokens_data();
    void tokens();
    void expandedAlready();
    void resolved();
    void whichIsUsed_data();
    void whichIsUsed();
    void notASocket();
    void nobodyListens();

private:
    /// A socket that listens, under a name that ends with its test.
    Descriptor listenAt(const QString& path) const;
    SshRequest request(const QByteArray& config, const QString& host) const;
    std::unique_ptr<SshHome> m_home;
};

void ControlMasterTest::initTestCase() { m_home = std::make_unique<SshHome>(); }

Descriptor ControlMasterTest::listenAt(const QString& path) const
{
    Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray name = QFile::encodeName(path);
    std::memcpy(address.sun_path, name.constData(), static_cast<size_t>(qMin<qsizetype>(name.size(), 107)));
    ::unlink(name.constData());
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
        || ::listen(socket.get(), 4) != 0)
        return {};
    return socket;
}

SshRequest ControlMasterTest::request(const QByteArray& config, const QString& host) const
{
    SshHome::write(m_home->path(u"config"_s), config);
    SshRequest request;
    request.host = host;
    request.configFile = m_home->path(u"config"_s);
    return request;
}

void ControlMasterTest::tokens_data()
{
    QTest::addColumn<QString>("printed");
    QTest::addColumn<QString>("expected");
    const QString here = QSysInfo::machineHostName();
    const QByteArray sha = QCryptographicHash::hash(
        QByteArray(here.toLocal8Bit() + "login.example.org2222ada"), QCryptographicHash::Sha1);
    QTest::newRow("none") << QString() << QString();
    QTest::newRow("plain") << u"/a b/c"_s << u"/a b/c"_s;
    QTest::newRow("home") << u"~/.ssh/%r@%h:%p"_s << QString(QDir::homePath() + u"/.ssh/ada@login.example.org:2222"_s);
    QTest::newRow("hash") << u"/s/%C"_s << QString(u"/s/"_s + QString::fromLatin1(sha.toHex()));
    QTest::newRow("percent") << u"/100%%/%%h"_s << u"/100%/%h"_s;
    QTest::newRow("typed") << u"/%n-%k-%j"_s << u"/lumi-lumi-gate"_s;
    QTest::newRow("here") << u"/%l-%L-%i-%d"_s
                          << u"/%1-%2-%3-%4"_s.arg(
                                 here, here.section(u'.', 0, 0), QString::number(::getuid()), QDir::homePath());
    QTest::newRow("variable") << u"${RANKWRIGHT_TRY}/x"_s << u"/set/x"_s;
    QTest::newRow("variable not set") << u"${RANKWRIGHT_NOT_SET}/x"_s << QString();
    QTest::newRow("unknown") << u"/%Q"_s << QString();
    QTest::newRow("at the end") << u"/x%"_s << QString();
}

void ControlMasterTest::tokens()
{
    QFETCH(QString, printed);
    QFETCH(QString, expected);
    qputenv("RANKWRIGHT_TRY", "/set");
    QCOMPARE(expandControlPath(printed,
                 {.host = u"login.example.org"_s,
                     .port = 2222,
                     .user = u"ada"_s,
                     .typed = u"lumi"_s,
                     .alias = {},
                     .jumps = u"gate"_s}),
        expected);
}

/// A newer client has done it: its "%" is one.
void ControlMasterTest::expandedAlready()
{
    const QString path = m_home->path(u"100%h"_s);
    const Descriptor socket = listenAt(path);
    QVERIFY(socket.isValid());
    QCOMPARE(expandControlPath(path, {.host = u"other"_s, .user = {}, .typed = {}, .alias = {}, .jumps = {}}), path);
}

void ControlMasterTest::resolved()
{
    if (QStandardPaths::findExecutable(u"ssh"_s).isEmpty())
        QSKIP("OpenSSH's client is not installed");
    const auto endpoint = resolveEndpoint(request("Host lumi\n HostName login.example.org\n User ada\n Port 2222\n"
                                                  " ControlPath \"/tmp/a b/%r@%h:%p-%n\"\n ControlMaster autoask\n",
        u"lumi"_s));
    QVERIFY_RESULT(endpoint);
    QCOMPARE(endpoint->controlPath, u"/tmp/a b/ada@login.example.org:2222-lumi"_s);
    QVERIFY(endpoint->controlMasterAsks);
    const auto none = resolveEndpoint(request("Host *\n ControlPath none\n", u"lumi"_s));
    QVERIFY_RESULT(none);
    QCOMPARE(none->controlPath, QString());
    QVERIFY(!none->controlMasterAsks);
}

void ControlMasterTest::whichIsUsed_data()
{
    QTest::addColumn<QByteArray>("config"); // @ is the folder of the sockets
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("socket");
    QTest::addColumn<QString>("why");
    const QString none;
    QTest::newRow("tokens") << QByteArray("Host *\n ControlPath \"@/%r-%h\"\n") << u"ada"_s << u"ada-lumi"_s << none;
    QTest::newRow("a name of its own") << QByteArray("Host lumi\n ControlPath \"@/my lumi\"\n") << none << u"my lumi"_s
                                       << none;
    QTest::newRow("no socket") << QByteArray("Host *\n ControlPath \"@/%h-nothing\"\n") << none << none << none;
    QTest::newRow("of all hosts") << QByteArray("Host *\n ControlPath \"@/my lumi\"\n") << none << none
                                  << u"every host the same ControlPath"_s;
    QTest::newRow("another account") << QByteArray("Host lumi\n User ada\n ControlPath \"@/my lumi\"\n") << u"bob"_s
                                     << none << u"another account"_s;
    QTest::newRow("the same account") << QByteArray("Host lumi\n User ada\n ControlPath \"@/my lumi\"\n") << u"ada"_s
                                      << u"my lumi"_s << none;
    QTest::newRow("asks") << QByteArray("Host lumi\n ControlPath \"@/my lumi\"\n ControlMaster ask\n") << none << none
                          << u"asked for every command"_s;
}

void ControlMasterTest::whichIsUsed()
{
    if (QStandardPaths::findExecutable(u"ssh"_s).isEmpty())
        QSKIP("OpenSSH's client is not installed");
    QFETCH(QByteArray, config);
    QFETCH(QString, user);
    QFETCH(QString, socket);
    QFETCH(QString, why);
    const Descriptor one = listenAt(m_home->path(u"my lumi"_s));
    const Descriptor other = listenAt(m_home->path(u"ada-lumi"_s));
    QVERIFY(one.isValid() && other.isValid());
    SshRequest asked = request(config.replace("@", QFile::encodeName(m_home->path(u"."_s))), u"lumi"_s);
    asked.user = user;
    const auto endpoint = resolveEndpoint(asked);
    QVERIFY_RESULT(endpoint);
    const ControlMaster found = findControlMaster(asked, *endpoint);
    QCOMPARE(found.socket.section(u'/', -1), socket);
    QVERIFY2(why.isEmpty() ? found.whyNot.isEmpty() : found.whyNot.contains(why), qPrintable(found.whyNot));
}

void ControlMasterTest::notASocket()
{
    const QString file = m_home->path(u"file"_s);
    SshHome::write(file, "x");
    const auto result = MuxSocket::connectTo(file);
    QVERIFY(!result);
    QCOMPARE(result.error().fault, Fault::Invalid);
    const auto tooLong = MuxSocket::connectTo(m_home->path(QString(200, u'x')));
    QVERIFY(!tooLong);
    QCOMPARE(tooLong.error().fault, Fault::Invalid);
    QVERIFY2(tooLong.error().detail.contains(u"at most 107"_s), qPrintable(tooLong.error().detail));
}

/// What a master leaves behind that was killed.
void ControlMasterTest::nobodyListens()
{
    const QString path = m_home->path(u"stale"_s);
    listenAt(path).reset();
    const auto stale = MuxSocket::connectTo(path);
    QVERIFY(!stale);
    QCOMPARE(stale.error().fault, Fault::Offline);
    const auto missing = MuxSocket::connectTo(m_home->path(u"missing"_s));
    QVERIFY(!missing);
    QCOMPARE(missing.error().fault, Fault::Offline);
}

RANKWRIGHT_TEST_MAIN(ControlMasterTest)
#include "tst_controlmaster.moc"
