// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/remoteprogram.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QSet>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

/// Holds what runs on other people's clusters: each program a file of resources/remote, compiled in, explained, and
/// read by the tools that know its language. Nothing of the kind is in a string.
class RemoteProgramsTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void programs_data();
    void everyProgramIsCompiledIn_data() { programs_data(); }
    void everyProgramIsCompiledIn();
    void everyProgramSaysWhatItIs_data() { programs_data(); }
    void everyProgramSaysWhatItIs();
    void everyProgramIsRead_data() { programs_data(); }
    void everyProgramIsRead();
    void tagsOfLinesAreThoseOfTheTable();
    void shellcheckAgrees();
    void noProgramStandsInAString();

private:
    static QString folder() { return rankwright::test::sourcePath(u"/resources/remote/"); }
    static QStringList names()
    {
        return QDir(folder()).entryList({u"*.sh"_s, u"*.awk"_s, u"*.py"_s}, QDir::Files, QDir::Name);
    }
    static QString text(const QString& path);
    /// The comment in front of the program.
    static QString head(const QString& program);
};

QString RemoteProgramsTest::text(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString RemoteProgramsTest::head(const QString& program)
{
    return program.left(qMax<qsizetype>(0, program.indexOf(u"\n\n"_s)));
}

void RemoteProgramsTest::programs_data()
{
    QTest::addColumn<QString>("name");
    QVERIFY(!names().isEmpty());
    for (const QString& name : names())
        QTest::newRow(qPrintable(name)) << name;
}

void RemoteProgramsTest::everyProgramIsCompiledIn()
{
    QFETCH(QString, name);
    rankwright::remoteProgram(u"lease.sh"_s); // makes the resource known
    QCOMPARE(text(u":/remote/"_s + name), text(folder() + name));
}

void RemoteProgramsTest::everyProgramSaysWhatItIs()
{
    QFETCH(QString, name);
    const QString program = text(folder() + name);
    const QString said = head(program);
    QVERIFY(said.startsWith(u"# SPDX-FileCopyrightText"_s) && said.contains(u"GPL-3.0-or-later"_s));
    for (const QString& line : said.split(u'\n'))
        QVERIFY2(line.startsWith(u'#') && line.size() <= 125, qPrintable(line));
    QVERIFY2(said.contains(u"shell, "_s) || said.contains(u"\n# bash "_s) || said.contains(u" bash "_s)
            || said.contains(u"Any awk"_s) || said.contains(u"Python 3."_s),
        "what it relies on");
    // What is substituted is named in front, and nothing else is.
    static const QRegularExpression place(u"@[A-Z][A-Z0-9_]*@"_s);
    const QString sent = rankwright::withoutComments(program);
    bool substitutes = false;
    for (auto it = place.globalMatch(sent); it.hasNext(); substitutes = true) {
        const QString one = it.next().captured();
        QVERIFY2(said.contains(one), qPrintable(one));
    }
    QCOMPARE(said.contains(u"Nothing is substituted."_s), !substitutes);
}

void RemoteProgramsTest::everyProgramIsRead()
{
    QFETCH(QString, name);
    const QString path = folder() + name;
    if (name.endsWith(u".sh"_s)) {
        static const QRegularExpression kind(
            u"^# shellcheck shell=(sh|bash)\\b"_s, QRegularExpression::MultilineOption);
        const QString shell = kind.match(text(path)).captured(1);
        QVERIFY2(!shell.isEmpty(), "# shellcheck shell=...");
        QCOMPARE(QProcess::execute(shell, {u"-n"_s, path}), 0);
        return;
    }
    if (name.endsWith(u".py"_s)) {
        QCOMPARE(
            QProcess::execute(u"python3"_s,
                {u"-c"_s, u"import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 5))"_s, path}),
            0);
        return;
    }
    int readers = 0;
    for (const QString& awk : {u"mawk"_s, u"gawk"_s, u"busybox"_s}) {
        const QString found = QStandardPaths::findExecutable(awk);
        if (found.isEmpty())
            continue;
        QProcess process;
        process.setStandardInputFile(QProcess::nullDevice());
        process.start(
            found, (awk == u"busybox"_s ? QStringList{u"awk"_s} : QStringList{}) + QStringList{u"-f"_s, path});
        QVERIFY(process.waitForFinished(rankwright::test::longWaitMs));
        QVERIFY2(process.exitCode() == 0 && process.readAllStandardError().isEmpty(), qPrintable(awk));
        ++readers;
    }
    if (readers == 0)
        QSKIP("neither mawk nor gawk nor busybox is installed");
}

void RemoteProgramsTest::tagsOfLinesAreThoseOfTheTable()
{
    // A word that a program prints and no reader knows, or the other way round, is an answer that is lost.
    static const QRegularExpression tag(u"@rw[a-z0-9-]+"_s);
    const auto tagsIn = [](const QString& source) {
        QSet<QString> tags;
        for (auto it = tag.globalMatch(source); it.hasNext();)
            tags.insert(it.next().captured());
        return tags;
    };
    const QSet<QString> known = tagsIn(text(rankwright::test::sourcePath(u"/models/cluster/remote/linetags.h"_s)));
    QVERIFY(!known.isEmpty());
    QSet<QString> printed;
    for (const QString& name : names())
        printed += tagsIn(rankwright::withoutComments(text(folder() + name)));
    QCOMPARE(QStringList((printed - known).values()), QStringList());
    QCOMPARE(QStringList((known - printed).values()), QStringList());
    for (const QString& one : std::as_const(printed))
        QVERIFY2(one.startsWith(u"@rw-"_s) || one == u"@rws"_s || one == u"@rwe"_s, qPrintable(one)); // earlier records
}

void RemoteProgramsTest::shellcheckAgrees()
{
    const QString shellcheck = QStandardPaths::findExecutable(u"shellcheck"_s);
    if (shellcheck.isEmpty())
        QSKIP("shellcheck is not installed");
    QProcess process;
    process.setWorkingDirectory(folder());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(shellcheck, QStringList{u"--format=gcc"_s} + names().filter(u".sh"_s));
    QVERIFY(process.waitForFinished(rankwright::test::longWaitMs));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardOutput().constData());
}

void RemoteProgramsTest::noProgramStandsInAString()
{
    // Three lines of shell beside the words that they take are easier read there.
    static const QRegularExpression raw(
        uR"re(R"(\w*)\((.*?)\)\1")re"_s, QRegularExpression::DotMatchesEverythingOption);
    for (const QString& top : {u"models"_s, u"ssh"_s, u"app"_s}) {
        QDirIterator walk(rankwright::test::sourcePath() + u'/' + top, {u"*.cpp"_s, u"*.h"_s}, QDir::Files,
            QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            const QString path = walk.next();
            const QString source = text(path);
            for (auto it = raw.globalMatch(source); it.hasNext();) {
                const auto match = it.next();
                QVERIFY2(match.captured(2).count(u'\n') <= 3, qPrintable(path + u": "_s + match.captured().left(60)));
            }
        }
    }
}

RANKWRIGHT_TEST_MAIN(RemoteProgramsTest)
#include "tst_remoteprograms.moc"
