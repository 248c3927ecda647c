// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/transfer/transferfixture.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/usage.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>

#include <sys/resource.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

// Files both ways beside scp, over the same sshd and in turns: a large file (300 MiB of random bytes), and 10,000 small
// ones. Ours checks each file by SHA-256, scp does not. With the word "large" or "small" only these.

namespace {

constexpr int rounds = 3;
constexpr int smallFiles = 10000;
constexpr qint64 largeBytes = qint64(300) * 1024 * 1024;

/// Processor time of the programs that were started and have ended.
double childSeconds()
{
    rusage used{};
    ::getrusage(RUSAGE_CHILDREN, &used);
    return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec)
        + double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

void makeFiles(const test::TransferFixture& files)
{
    for (int i = 0; i < smallFiles; ++i)
        files.write(u"here/many/%1/%2.txt"_s.arg(i / 100).arg(i), QByteArray::number(i).repeated(100));
    QFile random(u"/dev/urandom"_s);
    QFile large(files.at(u"here/large.bin"_s));
    if (!random.open(QIODevice::ReadOnly) || !large.open(QIODevice::WriteOnly))
        qFatal("no files to copy");
    for (qint64 left = largeBytes; left > 0; left -= 1024 * 1024)
        large.write(random.read(1024 * 1024));
}

double scpSeconds(const SshEndpoint& endpoint, const QString& from, const QString& to, bool up)
{
    const QString host = u"%1@%2:"_s.arg(endpoint.user, endpoint.host);
    QElapsedTimer clock;
    clock.start();
    const int code = QProcess::execute(u"scp"_s,
        {u"-q"_s, u"-p"_s, u"-r"_s, u"-P"_s, QString::number(endpoint.port), u"-i"_s, endpoint.identities.value(0),
            u"-o"_s, u"UserKnownHostsFile="_s + endpoint.knownHosts, u"-o"_s, u"StrictHostKeyChecking=yes"_s, u"-o"_s,
            u"BatchMode=yes"_s, u"-F"_s, u"none"_s, up ? from : host + from, up ? host + to : to});
    return code == 0 ? double(clock.elapsed()) / 1000 : -1;
}

/// As the programs do: QTest::qWaitFor() sleeps 10 ms between its turns, in which a connection's buffer is full.
Result<TransferSummary> turnUntilDone(FileTransfer& transfer)
{
    std::optional<Result<TransferSummary>> outcome;
    QObject guard;
    QObject::connect(
        &transfer, &FileTransfer::transferPlanned, &guard, [&transfer](const TransferPlan&) { transfer.go(false); });
    QObject::connect(&transfer, &FileTransfer::finished, &guard,
        [&outcome](const Result<TransferSummary>& result) { outcome = result; });
    transfer.compareSides();
    while (!outcome)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return *outcome;
}

double ourSeconds(FileTransfer& transfer)
{
    QElapsedTimer clock;
    clock.start();
    const auto done = turnUntilDone(transfer);
    if (!done)
        std::printf("%s\n", qPrintable(done.error().oneLine()));
    return done ? double(clock.elapsed()) / 1000 : -1;
}

void compare(const char* what, const test::TransferFixture& files, test::SshClient& client, const SshEndpoint& endpoint,
    const QString& name, bool up)
{
    QList<double> ours;
    QList<double> scp;
    QList<double> shares;
    QList<double> ourCpu;
    QList<double> scpCpu;
    for (int round = 0; round < rounds; ++round) {
        const QString to = u"%1-%2-%3"_s.arg(up ? u"up"_s : u"down"_s, name).arg(round);
        QDir().mkpath(files.at(to + u"-scp"_s));
        const double cpuBefore = childSeconds();
        scp.append(scpSeconds(endpoint, files.at(u"here/"_s + name), files.at(to + u"-scp"_s), up));
        scpCpu.append(childSeconds() - cpuBefore);
        const double ownBefore = bench::cpuSeconds();
        if (up) {
            UploadTransfer transfer(client.shell(), {files.at(u"here/"_s + name)}, files.bytesAt(to));
            ours.append(ourSeconds(transfer));
        } else {
            DownloadTransfer transfer(
                client.shell(), files.bytesAt(u"here"_s), {QFile::encodeName(name)}, files.bytesAt(to));
            ours.append(ourSeconds(transfer));
        }
        ourCpu.append(bench::cpuSeconds() - ownBefore);
        shares.append(scp.last() / ours.last());
        QDir(files.at(to)).removeRecursively();
        QDir(files.at(to + u"-scp"_s)).removeRecursively();
    }
    bench::report(qPrintable(u"%1, scp"_s.arg(QLatin1String(what))), scp, "s");
    bench::report(qPrintable(u"%1, ours"_s.arg(QLatin1String(what))), ours, "s");
    bench::report(qPrintable(u"%1, scp's own processor time"_s.arg(QLatin1String(what))), scpCpu, "s");
    bench::report(qPrintable(u"%1, our own processor time"_s.arg(QLatin1String(what))), ourCpu, "s");
    bench::report(qPrintable(u"%1, ours as a multiple of scp's speed"_s.arg(QLatin1String(what))), shares, "x");
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const test::SshHome home;
    const test::RealSshd sshd("Subsystem sftp internal-sftp\n");
    if (!sshd.problem().isEmpty()) {
        std::printf("skipped: %s\n", qPrintable(sshd.problem()));
        return 0;
    }
    const test::TransferFixture files;
    makeFiles(files);
    const SshEndpoint endpoint = sshd.endpoint();
    test::SshClient client(endpoint);
    if (client.connectNow() != LinkState::Online) {
        std::printf("skipped: no login\n");
        return 0;
    }
    const QString only = application.arguments().value(1); // "large", "small"
    if (only != u"small"_s) {
        compare("300 MiB up", files, client, endpoint, u"large.bin"_s, true);
        compare("300 MiB down", files, client, endpoint, u"large.bin"_s, false);
    }
    if (only == u"large"_s)
        return 0;
    compare("10,000 small files up", files, client, endpoint, u"many"_s, true);
    compare("10,000 small files down", files, client, endpoint, u"many"_s, false);
    return 0;
}
