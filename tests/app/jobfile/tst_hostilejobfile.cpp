// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfile.h"
#include "models/cluster/remote/tarheader.h"
#include "models/cluster/transfer/tarstream.h"
#include "tests/app/support/clirun.h"
#include "tests/app/support/madejobfile.h"
#include "tests/support/testbase.h"

#include <QBuffer>
#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

QByteArray entry(const QByteArray& name, const QByteArray& bytes, FileEntry::Kind kind = FileEntry::Kind::File)
{
    FileEntry head;
    head.path = name;
    head.kind = kind;
    head.size = bytes.size();
    head.target = kind == FileEntry::Kind::Link ? "/etc/passwd" : "";
    return tarHeaderOf(head) + bytes + QByteArray(qsizetype(tarPadding(bytes.size())), '\0');
}

QJsonObject member(const QString& name, const QString& kind, const QByteArray& bytes)
{
    return {{u"name"_s, name}, {u"kind"_s, kind}, {u"bytes"_s, double(bytes.size())},
        {u"sha256"_s, QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex())}};
}

QJsonObject manifest(const QJsonArray& members)
{
    return {{u"format"_s, u"rankwright-job"_s}, {u"version"_s, 1}, {u"cluster"_s, u"lumi"_s},
        {u"job"_s, QJsonObject{{u"jobId"_s, u"4711"_s}, {u"state"_s, u"COMPLETED"_s}}}, {u"members"_s, members}};
}

QByteArray archive(const QJsonObject& manifest, const QByteArray& entries)
{
    return entry("manifest.json", QJsonDocument(manifest).toJson()) + entries + tarEnd();
}

Result<JobFileContents> read(QByteArray bytes)
{
    QBuffer from(&bytes);
    QBuffer recording;
    from.open(QIODevice::ReadOnly);
    recording.open(QIODevice::WriteOnly);
    return readJobFile(from, recording);
}

} // namespace

/// Job files that somebody made to do harm, or that were damaged on the way.
class HostileJobFileTest final : public Suite {
    Q_OBJECT
private slots:
    void refused_data();
    void refused();
    void ofANewerMinorVersion();
    void ofANewerVersion();
    void namesAreNoPaths();
    void cutAndChanged();
    void recordingsOfOthers_data();
    void recordingsOfOthers();
    void partsOfAnotherJob();
    void nothingMovesTheCursor();
};

void HostileJobFileTest::refused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("why");
    const auto row
        = [](const char* name, const QByteArray& bytes, const QString& why) { QTest::newRow(name) << bytes << why; };
    const QByteArray text = "#!/bin/bash\n";
    const QJsonObject script = member(u"script.sh"_s, u"script"_s, text);
    const auto changed = [](QJsonObject object, const QString& name, const QJsonValue& value) {
        object.insert(name, value);
        return object;
    };
    row("nothing", {}, u"is cut off"_s);
    row("only zeros", QByteArray(4096, '\0'), u"empty"_s);
    row("text", QByteArray("{}").repeated(600), u"checksum of a header"_s);
    row("another archive", entry("a.txt", "x") + tarEnd(), u"not a job file"_s);
    row("manifest is a link", entry("manifest.json", {}, FileEntry::Kind::Link) + tarEnd(), u"not a job file"_s);
    row("manifest is not JSON", entry("manifest.json", "{") + tarEnd(), u"not JSON"_s);
    row("manifest is deep", entry("manifest.json", QByteArray(500'000, '[')) + tarEnd(), u"not JSON"_s);
    row("manifest is huge", entry("manifest.json", QByteArray(largestJobManifest + 1, ' ')) + tarEnd(),
        u"not a job file"_s);
    row("another format", archive(changed(manifest({}), u"format"_s, u"other"_s), {}), u"not a job file"_s);
    row("no job", archive(changed(manifest({}), u"job"_s, QJsonValue()), {}), u"$.job"_s);
    row("job is a path", archive(changed(manifest({}), u"job"_s, QJsonObject{{u"jobId"_s, u"../../x"_s}}), {}),
        u"job id"_s);
    row("a member is missing", archive(manifest({script}), {}), u"script.sh is missing"_s);
    row("another size", archive(manifest({script}), entry("script.sh", text + "x")), u"were promised"_s);
    row("another checksum", archive(manifest({script}), entry("script.sh", "#!/bin/bas.\n")),
        u"checksum of script.sh"_s);
    row("twice in the archive", archive(manifest({script}), entry("script.sh", text) + entry("script.sh", text)),
        u"occurs twice"_s);
    row("twice in the manifest", archive(manifest({script, script}), entry("script.sh", text)), u"occurs twice"_s);
    row("two scripts", archive(manifest({script, member(u"b"_s, u"script"_s, text)}), entry("script.sh", text)),
        u"more than one script"_s);
    row("too large for its kind", archive(manifest({changed(script, u"bytes"_s, 1e9)}), {}), u"at most"_s);
    row("negative size", archive(manifest({changed(script, u"bytes"_s, -1)}), {}), u"bytes"_s);
    row("no checksum", archive(manifest({changed(script, u"sha256"_s, u"abc"_s)}), {}), u"SHA-256"_s);
    row("names the manifest", archive(manifest({changed(script, u"name"_s, u"manifest.json"_s)}), {}), u"not a name"_s);
    row("a link in its place", archive(manifest({script}), entry("script.sh", {}, FileEntry::Kind::Link)),
        u"script.sh is missing"_s);
    row("no end", archive(manifest({script}), entry("script.sh", text)).chopped(1024), u"is cut off"_s);
    row("endless entries", archive(manifest({}), entry("x", {}).repeated(5000)), u"entries"_s);
    QJsonArray many;
    for (int i = 0; i <= mostJobFileMembers; ++i)
        many.append(member(QString::number(i), u"later"_s, {}));
    row("too many members", archive(manifest(many), {}), u"members"_s);
}

void HostileJobFileTest::refused()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, why);
    const auto opened = read(bytes);
    QVERIFY(!opened);
    QVERIFY2(opened.error().oneLine().contains(why), qPrintable(opened.error().oneLine()));
}

/// What it does not know is left alone.
void HostileJobFileTest::ofANewerMinorVersion()
{
    const QByteArray text = "#!/bin/bash\n";
    QJsonObject later = manifest({member(u"script.sh"_s, u"script"_s, text), member(u"n.bin"_s, u"hologram"_s, "abc")});
    later.insert(u"minorVersion"_s, 7);
    later.insert(u"mood"_s, u"good"_s);
    const auto opened = read(archive(later, entry("n.bin", "abc") + entry("script.sh", text) + entry("more/x", "y")));
    QVERIFY_RESULT(opened);
    QCOMPARE(opened->ignored, 2);
    QCOMPARE(opened->texts.keys(), QStringList{u"script.sh"_s});
    QCOMPARE(opened->texts.value(u"script.sh"_s), text);
}

void HostileJobFileTest::ofANewerVersion()
{
    QJsonObject later = manifest({});
    later.insert(u"version"_s, 2);
    const auto opened = read(archive(later, {}));
    QVERIFY(!opened);
    QVERIFY2(
        opened.error().oneLine().contains(u"written by a newer Rankwright"_s), qPrintable(opened.error().oneLine()));
}

/// Whatever members and job are called, only the folder for it is written to.
void HostileJobFileTest::namesAreNoPaths()
{
    const QTemporaryDir folder;
    const QString target = folder.filePath(u"target"_s);
    const QByteArray text = "gone";
    QJsonArray members;
    QByteArray entries;
    int number = 0;
    for (const QString& name : {target, u"../../target"_s, u"recordings/../../x"_s, u"/tmp/x"_s}) {
        members.append(member(name, u"output"_s, text + QByteArray::number(++number)));
        entries += entry(name.toUtf8(), text + QByteArray::number(number));
    }
    QJsonObject hostile = manifest(members);
    hostile.insert(u"cluster"_s, QString(u"../../"_s + target));
    const QString path = folder.filePath(u"a.rwjob"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(archive(hostile, entries));
    file.close();
    const auto opened = JobFile::open(path);
    QVERIFY_RESULT(opened);
    QVERIFY(!QFile::exists(target));
    QStringList files;
    for (QDirIterator each((*opened)->dataFolder(), QDir::Files, QDirIterator::Subdirectories); each.hasNext();)
        files.append(each.next().mid((*opened)->dataFolder().size()));
    QCOMPARE(files, QStringList{u"/unpacked"_s});
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{u"a.rwjob"_s});
}

void HostileJobFileTest::cutAndChanged()
{
    const QTemporaryDir folder;
    JobFileParts parts = plantedParts(folder.path());
    parts.recording.clear();
    const auto draft = JobFileDraft::make(parts);
    QVERIFY_RESULT(draft);
    const QString path = folder.filePath(u"a.rwjob"_s);
    QVERIFY_RESULT((*draft)->write(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray good = file.readAll();
    QVERIFY_RESULT(read(good));
    for (qsizetype length = 0; length < good.size() - 512; length += 101)
        QVERIFY2(!read(good.left(length)), qPrintable(QString::number(length)));
    QRandomGenerator random{7};
    int refusals = 0;
    constexpr int tries = 300;
    for (int i = 0; i < tries; ++i) {
        QByteArray bytes = good;
        const int at = random.bounded(int(bytes.size()));
        bytes[at] = char(bytes.at(at) ^ (1 << random.bounded(8)));
        refusals += read(bytes) ? 0 : 1;
    }
    QVERIFY(refusals > tries / 3); // a bit of a padding or of a time changes nothing
}

void HostileJobFileTest::recordingsOfOthers_data()
{
    QTest::addColumn<QByteArray>("recording");
    QTest::newRow("text") << QByteArray("SELECT 1");
    QTest::newRow("half a database") << QByteArray("SQLite format 3\0", 16) + QByteArray(4000, 'x');
    QTest::newRow("nothing") << QByteArray();
}

void HostileJobFileTest::recordingsOfOthers()
{
    QFETCH(const QByteArray, recording);
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"a.rwjob"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(
        archive(manifest({member(u"recording.rwr"_s, u"recording"_s, recording)}), entry("recording.rwr", recording)));
    file.close();
    const auto opened = JobFile::open(path);
    QVERIFY(!opened);
    QVERIFY2(opened.error().what.contains(u"The recording in the job file"_s), qPrintable(opened.error().oneLine()));
}

/// A manifest of one job over the recording of another.
void HostileJobFileTest::partsOfAnotherJob()
{
    const QTemporaryDir folder;
    JobFileParts parts = plantedParts(folder.path());
    parts.cluster = u"roihu"_s; // the recording stays lumi's
    parts.usage.cluster = u"roihu"_s;
    const auto draft = JobFileDraft::make(parts);
    QVERIFY_RESULT(draft);
    const QString path = folder.filePath(u"a.rwjob"_s);
    QVERIFY_RESULT((*draft)->write(path));
    const auto opened = JobFile::open(path);
    QVERIFY(!opened);
    QVERIFY2(opened.error().oneLine().contains(u"belongs to another job"_s), qPrintable(opened.error().oneLine()));
}

void HostileJobFileTest::nothingMovesTheCursor()
{
    const QByteArray output = "\033[2J\033]0;title\007 gone \xe2\x80\xae reversed\n";
    QJsonObject hostile = manifest({member(u"output/\033[1m"_s, u"output"_s, output)});
    hostile.insert(u"clusterTitle"_s, u"\033[31mred"_s);
    hostile.insert(u"program"_s, u"\033]0;x\007"_s);
    const QTemporaryDir folder;
    const QString path = folder.filePath(u"a.rwjob"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(archive(hostile, entry("output/\033[1m", output)));
    file.close();
    for (const QStringList& words : {QStringList{u"open"_s, path}, {u"open"_s, path, u"--json"_s},
             {u"open"_s, path, u"--member"_s, u"output/\033[1m"_s}, {u"report"_s, path}}) {
        const Answer answer = run(words);
        QVERIFY(!answer.out.contains(QChar(27)) && !answer.err.contains(QChar(27)));
        QVERIFY(!answer.out.contains(QChar(0x202e)));
    }
}

RANKWRIGHT_TEST_MAIN(HostileJobFileTest)
#include "tst_hostilejobfile.moc"
