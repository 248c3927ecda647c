// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/transfer/transferfixture.h"
#include "tests/journeys/support/relay.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"

#include <QDir>
#include <QRandomGenerator>

#include <fcntl.h>
#include <unistd.h>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

/// What attempts that were cut have left in a folder, in hidden files.
qint64 partBytes(const QString& folder)
{
    qint64 bytes = 0;
    for (const QFileInfo& file : QDir(folder).entryInfoList({u".*"_s}, QDir::Files | QDir::Hidden))
        bytes += file.size();
    return bytes;
}

} // namespace

/// Transfers over OpenSSH's own server: much, many, and a line that is cut.
class TransferSshTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void manySmallFiles();
    void aLargeFileInBoundedMemory();
    void cutsAreGoneOnWith();

private:
    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<RealSshd> m_sshd;
};

void TransferSshTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    m_sshd = std::make_unique<RealSshd>();
    if (!m_sshd->problem().isEmpty())
        QSKIP(qPrintable(m_sshd->problem()));
    SshClient probe(m_sshd->endpoint());
    const LinkState state = probe.connectNow();
    if (const QString locked = m_sshd->lockedOut(); !locked.isEmpty())
        QSKIP(qPrintable(locked));
    QVERIFY2(state == LinkState::Online, qPrintable(probe.whyNot() + u'\n' + QString::fromLocal8Bit(m_sshd->log())));
}

void TransferSshTest::manySmallFiles()
{
    constexpr int count = 10000;
    const TransferFixture files;
    for (int i = 0; i < count; ++i)
        files.write(u"here/many/%1/%2.txt"_s.arg(i / 100).arg(i), QByteArray::number(i).repeated(20));
    SshClient client(m_sshd->endpoint());
    QCOMPARE(client.connectNow(), LinkState::Online);
    const auto sent = files.upload(client.shell(), u"here/many"_s);
    QVERIFY_RESULT(sent);
    QCOMPARE(sent->files, count);
    const auto again = files.upload(client.shell(), u"here/many"_s);
    QVERIFY_RESULT(again);
    QCOMPARE(again->skipped, count);
    const auto fetched = files.download(client.shell(), "many");
    QVERIFY_RESULT(fetched);
    QCOMPARE(fetched->files, count);
    for (const int i : {0, 4711, count - 1})
        QCOMPARE(files.read(u"back/many/%1/%2.txt"_s.arg(i / 100).arg(i)), QByteArray::number(i).repeated(20));
    QCOMPARE(files.leftovers(), QStringList());
}

void TransferSshTest::aLargeFileInBoundedMemory()
{
    constexpr qint64 size = qint64(300) * 1024 * 1024;
    const TransferFixture files;
    files.write(u"here/large.bin"_s, "begin");
    const int file = ::open(files.bytesAt(u"here/large.bin"_s).constData(), O_WRONLY);
    QVERIFY(file >= 0 && ::ftruncate(file, size) == 0 && ::pwrite(file, "end", 3, size - 3) == 3);
    ::close(file);
    SshClient client(m_sshd->endpoint());
    QCOMPARE(client.connectNow(), LinkState::Online);
    const qint64 before = residentBytes();
    qint64 most = 0;
    QTimer meter;
    connect(&meter, &QTimer::timeout, &meter, [&most] { most = qMax(most, residentBytes()); });
    meter.start(50);
    QVERIFY_RESULT(files.upload(client.shell(), u"here/large.bin"_s));
    QVERIFY_RESULT(files.download(client.shell(), "large.bin"));
    QVERIFY2(most - before < 64 * 1024 * 1024, QByteArray::number(most - before).constData());
    QFile back(files.at(u"back/large.bin"_s));
    QVERIFY(back.open(QIODevice::ReadOnly));
    QCOMPARE(back.size(), size);
    QCOMPARE(back.read(5), "begin");
    QVERIFY(back.seek(size - 3));
    QCOMPARE(back.read(3), "end");
}

/// The line is cut at random moments, both ways; each attempt goes on where the last one ended.
void TransferSshTest::cutsAreGoneOnWith()
{
    constexpr qint64 size = qint64(24) * 1024 * 1024;
    const TransferFixture files;
    QByteArray bytes(size, Qt::Uninitialized);
    for (qint64 i = 0; i < size; ++i)
        bytes[i] = char(i * 31 + i / 257);
    files.write(u"here/large.bin"_s, bytes);
    const SshEndpoint direct = m_sshd->endpoint();
    Relay relay(direct.host, quint16(direct.port));
    SshEndpoint endpoint = direct;
    endpoint.port = relay.port();
    endpoint.unknownHosts = UnknownHosts::Ask; // another port: asked, and answered below
    QRandomGenerator random(4711);
    for (const bool isUpload : {true, false}) {
        qint64 resumed = 0;
        qint64 kept = 0; ///< of the attempts before, when the last one began
        int cuts = 0;
        bool isDone = false;
        for (int attempt = 0; attempt < 12 && !isDone; ++attempt) {
            SshClient client(endpoint);
            client.answerer = [](const LoginPrompt&) { return SshClient::yes(); };
            QCOMPARE(client.connectNow(), LinkState::Online);
            std::unique_ptr<FileTransfer> transfer;
            if (isUpload)
                transfer = std::make_unique<UploadTransfer>(
                    client.shell(), QStringList{files.at(u"here/large.bin"_s)}, files.bytesAt(u"there"_s));
            else
                transfer = std::make_unique<DownloadTransfer>(client.shell(), files.bytesAt(u"there"_s),
                    QList<QByteArray>{"large.bin"}, files.bytesAt(u"back"_s));
            const qint64 cutAt = attempt < 5 ? qint64(random.bounded(int(size * 3 / 4))) : size * 2;
            connect(transfer.get(), &FileTransfer::progressed, &relay, [&](const TransferProgress& progress) {
                if (progress.bytes >= cutAt && relay.connections() > 0) {
                    ++cuts;
                    relay.cut();
                }
            });
            kept = partBytes(files.at(isUpload ? u"there"_s : u"back"_s));
            const auto outcome = TransferFixture::finish(*transfer);
            isDone = outcome.hasValue();
            if (isDone)
                resumed = outcome->resumedBytes;
            else
                QVERIFY2(outcome.error().fault == Fault::Offline || outcome.error().fault == Fault::TimedOut,
                    qPrintable(outcome.error().oneLine()));
            QVERIFY(!isUpload || isDone || !QFileInfo::exists(files.at(u"there/large.bin"_s)));
        }
        QVERIFY(isDone);
        // A cut may come before anything arrived: what was kept is gone on with.
        QVERIFY2(kept == 0 || resumed > 0, qPrintable(u"%1 bytes kept after %2 cuts"_s.arg(kept).arg(cuts)));
    }
    QCOMPARE(files.read(u"there/large.bin"_s), bytes);
    QCOMPARE(files.read(u"back/large.bin"_s), bytes);
    QCOMPARE(files.leftovers(), QStringList());
}

RANKWRIGHT_TEST_MAIN(TransferSshTest)
#include "tst_transferssh.moc"
