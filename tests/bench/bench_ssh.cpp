// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Our connection beside OpenSSH's client, both to the same sshd on the loopback interface, in turns. Says also what a
// gibibyte each way and 10,000 commands cost in memory. One part alone: its word
// (roundtrips, throughput, memory, commands). RANKWRIGHT_BENCH_MIB: size of one transfer, 256 unless given.
#include "tests/bench/benchreport.h"
#include "tests/bench/usage.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTest>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

constexpr int waitMs = 300000;
constexpr qint64 mebi = 1 << 20;

/// Forgets the most that was resident until now (proc(5), clear_refs).
void forgetMost() { SshHome::write(u"/proc/self/clear_refs"_s, "5"); }

/// OpenSSH's client on the same server, with nothing of the user's own.
class OpenSsh {
public:
    explicit OpenSsh(const RealSshd& sshd) : m_endpoint(sshd.endpoint()) { }
    QStringList options() const
    {
        return {u"-F"_s, u"none"_s, u"-q"_s, u"-o"_s, u"IdentitiesOnly=yes"_s, u"-o"_s, u"IdentityAgent=none"_s,
            u"-i"_s, m_endpoint.identities.first(), u"-o"_s, u"UserKnownHostsFile="_s + m_endpoint.knownHosts};
    }
    QStringList login() const { return options() << u"-p"_s << QString::number(m_endpoint.port) << target(); }
    QString target() const { return m_endpoint.user + u'@' + m_endpoint.host; }
    int port() const { return m_endpoint.port; }
    /// Seconds of one run; negative: it failed.
    static double seconds(
        const QString& program, const QStringList& words, const QString& input = {}, const QString& output = {})
    {
        QProcess client;
        client.setStandardInputFile(input.isEmpty() ? QProcess::nullDevice() : input);
        client.setStandardOutputFile(output.isEmpty() ? QProcess::nullDevice() : output);
        QElapsedTimer clock;
        clock.start();
        client.start(program, words);
        client.waitForFinished(waitMs);
        if (client.exitCode() == 0)
            return double(clock.nsecsElapsed()) / 1e9;
        std::printf("%s: %s\n", qPrintable(program), client.readAllStandardError().constData());
        return -1;
    }

private:
    SshEndpoint m_endpoint;
};

/// As the window does: QTest::qWaitFor() sleeps 10 ms between its turns.
void turnUntil(const bool& over)
{
    while (!over)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

/// Seconds until all output of the command was here; negative: not as many bytes as expected.
double download(SshShell& shell, const QString& line, qint64 expected)
{
    RemoteCommand command = RemoteCommand::shell(line);
    command.deadlineSeconds.reset();
    QElapsedTimer clock;
    clock.start();
    const auto process = shell.start(command);
    qint64 got = 0;
    bool over = false;
    QObject::connect(process.get(), &RemoteProcess::outputArrived, process.get(),
        [&got](const QByteArray& bytes) { got += bytes.size(); });
    QObject::connect(process.get(), &RemoteProcess::finished, process.get(), [&over] { over = true; });
    turnUntil(over);
    return got == expected ? double(clock.nsecsElapsed()) / 1e9 : -1;
}

/// Seconds until `line`, which says how many bytes it got, has ended; at most 4 MiB are ahead of what the connection
/// took. Negative: not all bytes arrived.
double upload(SshShell& shell, const QString& line, qint64 size)
{
    RemoteCommand command = RemoteCommand::shell(line);
    command.deadlineSeconds.reset();
    command.interactive = true;
    const QByteArray block(256 << 10, 'u');
    QElapsedTimer clock;
    clock.start();
    const auto process = shell.start(command);
    qint64 written = 0;
    QByteArray said;
    bool over = false;
    const auto feed = [&](qint64 taken) {
        while (written < size && written - taken < 4 * mebi) {
            process->write(block.left(qMin<qint64>(block.size(), size - written)));
            written += qMin<qint64>(block.size(), size - written);
            if (written == size)
                process->closeInput();
        }
    };
    QObject::connect(process.get(), &RemoteProcess::inputSent, process.get(), feed);
    QObject::connect(process.get(), &RemoteProcess::outputArrived, process.get(),
        [&said](const QByteArray& bytes) { said += bytes; });
    QObject::connect(process.get(), &RemoteProcess::finished, process.get(), [&over] { over = true; });
    feed(0);
    turnUntil(over);
    return said.trimmed().toLongLong() == size ? double(clock.nsecsElapsed()) / 1e9 : -1;
}

void throughput(SshShell& shell, const OpenSsh& client, RealSshd& sshd)
{
    bool given = false;
    const int wanted = qEnvironmentVariableIntValue("RANKWRIGHT_BENCH_MIB", &given);
    const qint64 size = (given ? wanted : 256) * mebi;
    const QString source = sshd.path(u"source"_s);
    const QString target = sshd.path(u"target"_s);
    const QString read = u"cat '%1'"_s.arg(source);
    const QString write = u"cat > '%1'; wc -c < '%1'"_s.arg(target);
    OpenSsh::seconds(u"sh"_s, {u"-c"_s, u"head -c %1 /dev/urandom > '%2'"_s.arg(size).arg(source)});
    QList<double> ours[2];
    QList<double> theirs[2];
    QList<double> scp[2];
    const auto speed = [size](double seconds) { return seconds > 0 ? double(size) / 1e6 / seconds : 0; };
    const QStringList copy = client.options() << u"-P"_s << QString::number(client.port());
    const QString remote = client.target() + u':';
    for (int i = 0; i < 5; ++i) {
        ours[0] << speed(download(shell, read, size));
        theirs[0] << speed(OpenSsh::seconds(u"ssh"_s, client.login() << read));
        scp[0] << speed(OpenSsh::seconds(u"scp"_s, copy + QStringList{remote + source, target}));
        ours[1] << speed(upload(shell, write, size));
        theirs[1] << speed(OpenSsh::seconds(u"ssh"_s, client.login() << u"cat > '%1'"_s.arg(target), source));
        scp[1] << speed(OpenSsh::seconds(u"scp"_s, copy + QStringList{source, remote + target}));
    }
    for (const int up : {0, 1}) {
        const char* what[] = {"download", "upload"};
        bench::report(qPrintable(u"%1, ours"_s.arg(QLatin1String(what[up]))), ours[up], "MB/s");
        bench::report(qPrintable(u"%1, ssh cat"_s.arg(QLatin1String(what[up]))), theirs[up], "MB/s");
        bench::report(qPrintable(u"%1, scp"_s.arg(QLatin1String(what[up]))), scp[up], "MB/s");
        // On a machine with other work the best runs are the least disturbed ones.
        for (const double share : {0.5, 1.0})
            std::printf("%s: %.2f of ssh cat, %.2f of scp (%s)\n", what[up],
                bench::quantile(ours[up], share) / bench::quantile(theirs[up], share),
                bench::quantile(ours[up], share) / bench::quantile(scp[up], share),
                share < 1 ? "medians" : "best runs");
    }
    QFile::remove(source);
    QFile::remove(target);
}

void gibibyteEachWay(SshShell& shell)
{
    const qint64 size = 1024 * mebi;
    for (const bool up : {false, true}) {
        forgetMost();
        const double before = bench::residentMib();
        const double seconds
            = up ? upload(shell, u"wc -c"_s, size) : download(shell, u"head -c %1 /dev/zero"_s.arg(size), size);
        std::printf("1 GiB %s: %.1f s, most resident %.1f MiB above %.1f MiB\n", up ? "up" : "down", seconds,
            bench::mostResidentMib() - before, before);
    }
}

Result<CommandOutcome> runNow(SshShell& shell, const QString& line)
{
    Result<CommandOutcome> result = fail(Fault::TimedOut, u"waited in vain"_s);
    bool done = false;
    QObject guard;
    shell.run(RemoteCommand::shell(line), &guard, [&](const Result<CommandOutcome>& outcome) {
        result = outcome;
        done = true;
    });
    turnUntil(done);
    return result;
}

void roundTrips(SshShell& shell, const OpenSsh& client, RealSshd& sshd)
{
    const QString socket = sshd.path(u"master"_s);
    QProcess master;
    master.start(u"ssh"_s, QStringList{u"-N"_s, u"-M"_s, u"-S"_s, socket} + client.login());
    (void)QTest::qWaitFor([&socket] { return QFile::exists(socket); }, 10000);
    QList<double> ours;
    QList<double> theirs;
    for (int i = 0; i < 200; ++i) {
        QElapsedTimer clock;
        clock.start();
        if (runNow(shell, u"true"_s))
            ours << double(clock.nsecsElapsed()) / 1e6;
        const double seconds
            = OpenSsh::seconds(u"ssh"_s, QStringList{u"-S"_s, socket} + client.login() + QStringList{u"true"_s});
        if (seconds > 0)
            theirs << seconds * 1000;
    }
    bench::report("round trip of a command, ours", ours, "ms");
    bench::report("round trip of a command, ssh by a ControlMaster", theirs, "ms");
    master.kill();
    master.waitForFinished();
}

void manyCommands(SshShell& shell)
{
    constexpr int commands = 10000;
    double early = 0;
    int wrong = 0;
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < commands; ++i) {
        const Result<CommandOutcome> outcome = runNow(shell, u"echo %1"_s.arg(i));
        wrong += outcome && outcome->output == QByteArray::number(i) + '\n' ? 0 : 1;
        if (i == commands / 10)
            early = bench::residentMib();
    }
    std::printf("%d commands one after the other: %.1f s, %d wrong; resident %.1f MiB after a tenth, %.1f MiB at the "
                "end\n",
        commands, double(clock.elapsed()) / 1000, wrong, early, bench::residentMib());
}

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication application(argc, argv);
    const SshHome home;
    RealSshd sshd("Subsystem sftp internal-sftp\n"); // for scp
    if (!sshd.problem().isEmpty()) {
        std::printf("skipped: %s\n", qPrintable(sshd.problem()));
        return 0;
    }
    SshClient client(sshd.endpoint());
    if (client.connectNow() != LinkState::Online) {
        std::printf("skipped: %s\n", qPrintable(client.shell().lastError()->oneLine()));
        return 0;
    }
    const OpenSsh openSsh(sshd);
    const QString part = application.arguments().value(1);
    if (part.isEmpty() || part == u"roundtrips")
        roundTrips(client.shell(), openSsh, sshd);
    if (part.isEmpty() || part == u"throughput")
        throughput(client.shell(), openSsh, sshd);
    if (part.isEmpty() || part == u"memory")
        gibibyteEachWay(client.shell());
    if (part.isEmpty() || part == u"commands")
        manyCommands(client.shell());
    return 0;
}
