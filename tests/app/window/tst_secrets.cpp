// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/connections.h"
#include "tests/app/support/windowbench.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/ssh/support/sshserver.h"

#include <QCoreApplication>
#include <QDataStream>
#include <QDebug>
#include <QDialog>
#include <QDirIterator>
#include <QLineEdit>
#include <QLoggingCategory>
#include <QTextStream>
#include <QVariant>

#include <csignal>
#include <mutex>

#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

/// Stands in each secret of this test, and nowhere else in the world.
const QByteArray marker = QByteArray("rwsecret") + "5d20f1c9";
const QByteArray passphrase = "passphrase-" + marker;
const QByteArray password = "password-" + marker;
const QByteArray code = "code-" + marker;

/// As text may be kept: as it is, as UTF-16, in hexadecimal. In base64 three alignments, without what neighbours
/// change.
QList<QByteArray> spellings()
{
    const QString text = QString::fromLatin1(marker);
    QList<QByteArray> all
        = {marker, QByteArray(reinterpret_cast<const char*>(text.utf16()), text.size() * 2), marker.toHex()};
    for (int shift = 0; shift < 3; ++shift)
        all << QByteArray(QByteArray(shift, ' ') + marker).toBase64().mid(4, 12);
    return all;
}

bool holdsMarker(const QByteArray& bytes)
{
    static const QList<QByteArray> wanted = spellings();
    return std::any_of(
        wanted.cbegin(), wanted.cend(), [&bytes](const QByteArray& each) { return bytes.contains(each); });
}

/// Files below a folder that hold the marker.
QStringList filesWithMarker(const QString& folder)
{
    QStringList found;
    QDirIterator walk(
        folder, QDir::Files | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        const QString path = walk.next();
        if (QFileInfo(path).isFile() && (holdsMarker(SshHome::read(path)) || holdsMarker(path.toUtf8())))
            found << path;
    }
    return found;
}

QList<qint64> treeOf(qint64 pid)
{
    QList<qint64> all{pid};
    const QStringList threads = QDir(u"/proc/%1/task"_s.arg(pid)).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString& thread : threads) {
        const QByteArray children = SshHome::read(u"/proc/%1/task/%2/children"_s.arg(pid).arg(thread));
        for (const QByteArray& child : children.simplified().split(' ')) {
            if (!child.isEmpty())
                all += treeOf(child.toLongLong());
        }
    }
    return all;
}

/// Processes from this one on whose command line or environment, which others may read, holds the marker.
QStringList processesWithMarker(qint64 pid)
{
    QStringList found;
    for (const qint64 each : treeOf(pid)) {
        for (const QString& name : {u"cmdline"_s, u"environ"_s, u"comm"_s}) {
            if (holdsMarker(SshHome::read(u"/proc/%1/%2"_s.arg(each).arg(name))))
                found << u"%1 of %2"_s.arg(name).arg(each);
        }
    }
    return found;
}

std::mutex messagesMutex;
QByteArray messages;
void keepMessage(QtMsgType, const QMessageLogContext&, const QString& text)
{
    const std::lock_guard lock(messagesMutex);
    messages += text.toUtf8() + '\n';
}

/// A process on a terminal of its own.
class OnTerminal {
    Q_DISABLE_COPY_MOVE(OnTerminal)
public:
    OnTerminal(const QStringList& words, const QString& folder)
    {
        std::vector<QByteArray> bytes;
        for (const QString& word : words)
            bytes.push_back(word.toLocal8Bit());
        std::vector<char*> arguments;
        for (QByteArray& each : bytes)
            arguments.push_back(each.data());
        arguments.push_back(nullptr);
        const QByteArray where = folder.toLocal8Bit();
        int terminal = -1;
        m_pid = ::forkpty(&terminal, nullptr, nullptr, nullptr);
        if (m_pid == 0) {
            const rlimit all{RLIM_INFINITY, RLIM_INFINITY};
            ::setrlimit(RLIMIT_CORE, &all); // the most careless setting of a site
            if (::chdir(where.constData()) == 0)
                ::execv(arguments.front(), arguments.data());
            ::_exit(127);
        }
        m_terminal.reset(terminal);
        setNonBlocking(terminal);
    }
    ~OnTerminal()
    {
        if (m_pid > 0 && !m_ended) {
            ::kill(m_pid, SIGKILL);
            ::waitpid(m_pid, &m_status, 0);
        }
    }
    pid_t pid() const { return m_pid; }
    const QByteArray& output() const { return m_output; }
    /// Empty while it runs.
    std::optional<int> status()
    {
        take();
        if (!m_ended)
            m_ended = ::waitpid(m_pid, &m_status, WNOHANG) == m_pid;
        return m_ended ? std::optional(m_status) : std::nullopt;
    }
    /// Something new was asked and the terminal shows no echo.
    bool asks()
    {
        take();
        termios settings{};
        return m_output.size() > m_answeredAt && ::tcgetattr(m_terminal.get(), &settings) == 0
            && !(settings.c_lflag & ECHO);
    }
    void type(const QByteArray& line)
    {
        m_answeredAt = m_output.size();
        const QByteArray bytes = line + '\n';
        (void)::write(m_terminal.get(), bytes.constData(), size_t(bytes.size()));
    }

private:
    void take()
    {
        char bytes[4096];
        for (ssize_t got = 0; (got = ::read(m_terminal.get(), bytes, sizeof bytes)) > 0;)
            m_output.append(bytes, got);
    }
    pid_t m_pid = -1;
    Descriptor m_terminal;
    QByteArray m_output;
    qsizetype m_answeredAt = 0;
    int m_status = 0;
    bool m_ended = false;
};

} // namespace

/// A passphrase, a password and a one-time code go through both programs; then everything that was written, printed or
/// shown to other users of the machine is searched for them.
class SecretsTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override { } // what the session says of a machine without Slurm does not matter here
    void initTestCase();
    void theTypeGivesNothingAway();
    void theSearchFindsWhatIsThere();
    void inTheWindow();
    void theDataFolderIsTheOwners();
    void onTheTerminal_data();
    void onTheTerminal();

private:
    SshServer::Options options();
    QString folder(const QString& name) const { return m_world.filePath(name); }

    QTemporaryDir m_world;
    std::unique_ptr<SshHome> m_home; ///< keys, which hold no passphrase
    QString m_key;
    QByteArray m_public;
};

void SecretsTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    m_key = m_home->newKey(u"id"_s, &m_public, passphrase.constData());
    SshHome::write(m_key + u".pub"_s, "ssh-ed25519 " + m_public + '\n');
    for (const char* name :
        {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"}) {
        const QString path = folder(QString::fromLatin1(name).toLower());
        QDir().mkpath(path);
        QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv(name, path.toLocal8Bit());
    }
    QDir().mkpath(folder(u"data"_s));
    QDir().mkpath(folder(u"work"_s));
}

SshServer::Options SecretsTest::options()
{
    SshServer::Options options;
    options.authorizedKeys = {m_public};
    options.keyIsNotEnough = true;
    SshServer::Round round;
    round.name = "Second factor";
    round.questions = {{"Password: ", false, password}, {"One-time code: ", false, code}};
    options.interactive = {round};
    return options;
}

template <typename T>
concept Printable = requires(QDebug debug, QTextStream stream, T value)
{
    debug << value;
}
|| requires(QTextStream stream, T value) { stream << value; };
template <typename T>
concept Storable = requires(QDataStream stream, T value)
{
    stream << value;
}
|| std::convertible_to<T, QVariant> || std::convertible_to<T, QString> || std::convertible_to<T, QByteArray>;

void SecretsTest::theTypeGivesNothingAway()
{
    QVERIFY(Printable<QString> && Storable<QString>);
    QVERIFY(!Printable<Secret>);
    QVERIFY(!Storable<Secret>);
    QVERIFY(!std::equality_comparable<Secret>);
}

/// Else the rest would prove nothing.
void SecretsTest::theSearchFindsWhatIsThere()
{
    QVERIFY(holdsMarker("x" + passphrase));
    for (const char* before : {"", "a", "ab"})
        QVERIFY(holdsMarker(QByteArray(before + code).toBase64()));
    QVERIFY(!holdsMarker("nothing"));
    const QString planted = folder(u"data/planted"_s);
    SshHome::write(planted, QByteArray(5000, 'x') + password);
    QCOMPARE(filesWithMarker(m_world.path()), QStringList{planted});
    QFile::remove(planted);
    QProcess child;
    child.start(u"sh"_s, {u"-c"_s, u"sleep 30; : "_s + QString::fromLatin1(code)});
    QVERIFY(child.waitForStarted());
    QTRY_VERIFY(!processesWithMarker(::getpid()).isEmpty());
    child.kill();
    child.waitForFinished(test::longWaitMs);
    QVERIFY(processesWithMarker(::getpid()).isEmpty());
}

void SecretsTest::inTheWindow()
{
    const SshServer server(options());
    QLoggingCategory::setFilterRules(u"rankwright.*=true"_s);
    const QtMessageHandler before = qInstallMessageHandler(keepMessage);
    {
        WindowBench bench(folder(u"data"_s));
        QVERIFY(bench.start());
        Connections& connections = bench.workbench->connections();
        const ClusterProfile* profile = connections.catalogue().find(u"mahti"_s);
        QVERIFY(profile);
        SshEndpoint endpoint = m_home->endpoint(server);
        endpoint.identities = {m_key};
        endpoint.agentSocket = u"none"_s;
        connections.begin(makeSshSession(*profile, endpoint, bench.workbench->jobLog()));
        // First a wrong one of each, which must not be kept either.
        const QList<QList<QByteArray>> answers
            = {{"wrong-" + passphrase}, {passphrase}, {"wrong-" + password, "wrong-" + code}, {password, code}};
        for (const QList<QByteArray>& round : answers) {
            QDialog* dialog = nullptr;
            QTRY_VERIFY((dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) != nullptr);
            const QList<QLineEdit*> fields = dialog->findChildren<QLineEdit*>();
            QCOMPARE(fields.size(), round.size());
            for (qsizetype i = 0; i < fields.size(); ++i)
                QTest::keyClicks(fields.at(i), QString::fromLatin1(round.at(i)));
            const QPointer<QDialog> asked(dialog);
            dialog->accept();
            QTRY_VERIFY(!asked || !asked->isVisible());
        }
        QTRY_VERIFY(connections.isOnline(u"mahti"_s));
        test::quietFor(1500); // what a session asks at its beginning
        const QStringList shown = processesWithMarker(::getpid());
        QVERIFY2(shown.isEmpty(), qPrintable(shown.join(u' ')));
        bench.window().close();
    }
    qInstallMessageHandler(before);
    const std::lock_guard lock(messagesMutex);
    QVERIFY2(!holdsMarker(messages), messages.constData());
    const QStringList found = filesWithMarker(m_world.path());
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    QVERIFY2(QDir(folder(u"data"_s)).count() > 2, "nothing was written, so nothing was proven");
}

void SecretsTest::theDataFolderIsTheOwners()
{
    const auto prepared = prepareDataFolder(folder(u"fresh"_s));
    QVERIFY_RESULT(prepared);
    const QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther
        | QFile::WriteOther | QFile::ExeOther;
    QCOMPARE(QFileInfo(*prepared).permissions() & others, QFile::Permissions());
}

void SecretsTest::onTheTerminal_data()
{
    QTest::addColumn<bool>("crashes");
    QTest::newRow("to its end") << false;
    QTest::newRow("until a crash") << true;
}

void SecretsTest::onTheTerminal()
{
    QFETCH(bool, crashes);
    const QString program = QCoreApplication::applicationDirPath() + u"/rankwright-cli"_s;
    if (!QFile::exists(program))
        QSKIP("rankwright-cli is not built");
    const SshServer server(options());
    const SshEndpoint endpoint = m_home->endpoint(server);
    qputenv("QT_LOGGING_RULES", "rankwright.*=true");
    OnTerminal cli(
        {program, u"connect"_s, u"mahti"_s, u"--host"_s, endpoint.host, u"--port"_s, QString::number(endpoint.port),
            u"--user"_s, endpoint.user, u"--identity"_s, m_key, u"--known-hosts"_s, endpoint.knownHosts, u"--jump"_s,
            u"none"_s, u"--data-dir"_s, folder(u"data"_s)},
        folder(u"work"_s));
    for (const QByteArray& answer : {passphrase, password, code}) {
        QTRY_VERIFY2(cli.asks() || cli.status(), cli.output().constData());
        QVERIFY2(!cli.status(), cli.output().constData());
        const QStringList shown = processesWithMarker(cli.pid());
        QVERIFY2(shown.isEmpty(), qPrintable(shown.join(u' ')));
        cli.type(answer);
    }
    const QByteArray limits = SshHome::read(u"/proc/%1/limits"_s.arg(cli.pid()));
    const QByteArray filter = SshHome::read(u"/proc/%1/coredump_filter"_s.arg(cli.pid()));
    if (!limits.isEmpty() && !filter.isEmpty()) {
        const qsizetype at = limits.indexOf("Max core file size");
        QCOMPARE(limits.mid(at + 18, 30).simplified().split(' ').first(), QByteArray("0"));
        QCOMPARE(filter.trimmed().toInt(nullptr, 16), 0);
    }
    if (crashes)
        ::kill(cli.pid(), SIGSEGV);
    QTRY_VERIFY(cli.status());
    if (crashes) {
        QVERIFY(WIFSIGNALED(*cli.status()));
        QVERIFY(!WCOREDUMP(*cli.status()));
    } else {
        QVERIFY2(WIFEXITED(*cli.status()), cli.output().constData());
        QCOMPARE(server.interactiveTries(), 1);
    }
    QVERIFY2(!holdsMarker(cli.output()), cli.output().constData());
    const QStringList found = filesWithMarker(m_world.path());
    QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
}

RANKWRIGHT_WIDGET_TEST_MAIN(SecretsTest)
#include "tst_secrets.moc"
