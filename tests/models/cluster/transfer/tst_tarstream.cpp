// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/tarheader.h"
#include "models/cluster/transfer/tarstream.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <filesystem>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Streams between our reader and writer and a real tar.
class TarStreamTest final : public test::Suite {
    Q_OBJECT
private slots:
    void tarReadsOurs();
    void weReadTars();
    void anyPieces();
    void refusesGarbage();

private:
    struct Read {
        QList<FileEntry> entries;
        QByteArrayList bodies;
        Result<void> outcome;
        bool isOver = false;
    };
    static Read read(const QByteArray& stream, qsizetype piece)
    {
        Read read;
        TarReader reader({[&](const FileEntry& entry) -> Result<void> {
                              read.entries.append(entry);
                              read.bodies.append(QByteArray());
                              return {};
                          },
            [&](const QByteArray& bytes) -> Result<void> {
                read.bodies.last() += bytes;
                return {};
            },
            []() -> Result<void> { return {}; }});
        for (qsizetype at = 0; at < stream.size() && read.outcome; at += piece)
            read.outcome = reader.feed(stream.mid(at, piece));
        read.isOver = reader.isOver();
        return read;
    }
    static QByteArray ours()
    {
        const QByteArray body(700, 'x');
        const FileEntry file{
            QByteArray("folder/").repeated(20) + "a\xff\nb", FileEntry::Kind::File, body.size(), 1700000000, 0755, {}};
        QByteArray stream = tarHeaderOf({"folder", FileEntry::Kind::Folder, 0, 1700000000, 0750, {}});
        stream += tarHeaderOf(file) + body + QByteArray(int(tarPadding(body.size())), '\0');
        stream += tarHeaderOf({"empty", FileEntry::Kind::File, 0, 1, 0600, {}});
        stream += tarHeaderOf({"link", FileEntry::Kind::Link, 0, 1, 0777, QByteArray("long/").repeated(30)});
        return stream + tarEnd();
    }
};

void TarStreamTest::tarReadsOurs()
{
    const QTemporaryDir folder;
    QProcess tar;
    tar.start(u"tar"_s, {u"-xpf"_s, u"-"_s, u"-C"_s, folder.path()});
    tar.write(ours());
    tar.closeWriteChannel();
    QVERIFY(tar.waitForFinished(test::longWaitMs));
    const QByteArray said = tar.readAllStandardError();
    QVERIFY2(tar.exitCode() == 0 && said.isEmpty(), said.constData());
    QCOMPARE(QFileInfo(folder.filePath(u"folder"_s)).permissions() & QFile::ReadOther, QFile::Permissions());
    QVERIFY(QFileInfo(folder.filePath(u"link"_s)).isSymLink());
    QVERIFY(QFileInfo::exists(folder.filePath(u"empty"_s)));
    std::filesystem::remove_all(folder.filePath(u"folder"_s).toStdString()); // Qt cannot: a name is not UTF-8
}

void TarStreamTest::weReadTars()
{
    const QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(u"src/"_s + u"deep/"_s.repeated(40)));
    QFile file(folder.filePath(u"src/"_s + u"deep/"_s.repeated(40) + u"name.txt"_s));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("hello") == 5);
    file.close();
    QVERIFY(QFile::link(u"deep"_s, folder.filePath(u"src/l"_s)));
    QProcess tar;
    tar.setWorkingDirectory(folder.path());
    tar.start(u"tar"_s, {u"--format=gnu"_s, u"-cf"_s, u"-"_s, u"--sort=name"_s, u"src"_s});
    QVERIFY(tar.waitForFinished(test::longWaitMs));
    const Read read = TarStreamTest::read(tar.readAllStandardOutput(), 1000);
    QVERIFY_RESULT(read.outcome);
    QVERIFY(read.isOver);
    QCOMPARE(read.entries.first().path, "src");
    QCOMPARE(read.entries.first().kind, FileEntry::Kind::Folder);
    QCOMPARE(read.bodies.count("hello"), 1);
    const FileEntry& named = read.entries.at(read.bodies.indexOf("hello"));
    QCOMPARE(named.path, "src/" + QByteArray("deep/").repeated(40) + "name.txt");
    QVERIFY(std::any_of(read.entries.begin(), read.entries.end(),
        [](const FileEntry& each) { return each.kind == FileEntry::Kind::Link && each.target == "deep"; }));
}

void TarStreamTest::anyPieces()
{
    const Read whole = read(ours(), 1 << 20);
    QVERIFY_RESULT(whole.outcome);
    QCOMPARE(whole.entries.size(), 4);
    QCOMPARE(whole.bodies.at(1), QByteArray(700, 'x'));
    for (const qsizetype piece : {1, 7, 511, 512, 513}) {
        const Read read = TarStreamTest::read(ours(), piece);
        QVERIFY_RESULT(read.outcome);
        QCOMPARE(read.entries, whole.entries);
        QCOMPARE(read.bodies, whole.bodies);
        QVERIFY(read.isOver);
    }
}

void TarStreamTest::refusesGarbage()
{
    QVERIFY(!read(QByteArray(2048, 'x'), 100).outcome);
    QByteArray damaged = ours();
    damaged[200] = 'Z';
    QVERIFY(!read(damaged, 512).outcome);
    QVERIFY(!read(ours().left(900), 512).isOver);
}

RANKWRIGHT_TEST_MAIN(TarStreamTest)
#include "tst_tarstream.moc"
