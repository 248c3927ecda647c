// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clilogin.h"
#include "app/cli/cliparser.h"
#include "app/cli/commands/commands.h"
#include "tests/support/testbase.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

/// Words, flags, values, repeated values and lists: one command that takes them all.
CliCommand sample()
{
    return {
        .name = "send",
        .summary = "Send something",
        .words = "DESIGN [MORE]",
        .options = loginOptions({
            {.name = "upload", .value = "PATH", .takes = CliOption::List},
            {.name = "wait"},
            {.name = "past", .value = "DAYS"},
            {.name = "cluster", .value = "CLUSTER", .isNeeded = true},
        }),
        .minimumWords = 1,
        .maximumWords = 2,
    };
}

} // namespace

class CliParserTest final : public test::Suite {
    Q_OBJECT
private slots:
    void lines_data();
    void lines();
    void mistakes_data();
    void mistakes();
    void helpGoesBeforeMissingWords();
    void usageHoldsAllOptions();
    void everyCommandIsComplete();
    void everyOptionThatIsReadIsDeclared();
};

void CliParserTest::lines_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("options");
    const auto row = [](const char* name, const QString& line, const QStringList& words, const QString& options) {
        QTest::newRow(name) << line << words << options;
    };
    row("a word", u"d.json"_s, {u"d.json"_s}, {});
    row("behind it", u"d.json --wait --past 3"_s, {u"d.json"_s}, u"past=3 wait="_s);
    row("before it", u"--past=3 --wait d.json"_s, {u"d.json"_s}, u"past=3 wait="_s);
    row("json", u"--json d.json"_s, {u"d.json"_s}, u"json"_s);
    row("standard input", u"-"_s, {u"-"_s}, {});
    row("the end of options", u"--wait -- --past x"_s, {u"--past"_s, u"x"_s}, u"wait="_s);
    row("a value like an option", u"d.json --past --wait"_s, {u"d.json"_s}, u"past=--wait"_s);
    row("a value with =", u"d.json --past=a=b"_s, {u"d.json"_s}, u"past=a=b"_s);
    row("an empty value", u"d.json --past="_s, {u"d.json"_s}, u"past="_s);
    row("repeated", u"d.json --identity b --identity=a"_s, {u"d.json"_s}, u"identity=b identity=a"_s);
    row("a list behind", u"d.json --upload a b"_s, {u"d.json"_s}, u"upload=a upload=b"_s);
    row("a list in front", u"--upload a b d.json"_s, {u"d.json"_s}, u"upload=a upload=b"_s);
    row("a list up to an option", u"--upload a b c --wait d.json"_s, {u"d.json"_s},
        u"upload=a upload=b upload=c wait="_s);
    row("a negative number", u"d.json --past -3"_s, {u"d.json"_s}, u"past=-3"_s);
    row("an empty value does not take the next word", u"--past= d.json"_s, {u"d.json"_s}, u"past="_s);
    row("two lists", u"d.json --upload=a b --upload c"_s, {u"d.json"_s}, u"upload=a upload=b upload=c"_s);
}

void CliParserTest::lines()
{
    QFETCH(QString, line);
    QFETCH(QStringList, words);
    QFETCH(QString, options);
    const ParsedCommand parsed = parseCommand(sample(), line.split(u' '));
    QCOMPARE(parsed.mistake, QString());
    QCOMPARE(parsed.words, words);
    QStringList read;
    for (auto it = parsed.options.cbegin(); it != parsed.options.cend(); ++it) {
        for (const QString& value : it.value())
            read.append(it.key() + u'=' + value);
    }
    if (parsed.json)
        read.append(u"json"_s);
    QCOMPARE(read.join(u' '), options);
    QVERIFY(!parsed.help);
}

void CliParserTest::mistakes_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("mistake");
    QTest::newRow("unknown") << u"d.json --hots x"_s << u"unknown option --hots"_s;
    QTest::newRow("unknown with a value") << u"d.json --hots=x"_s << u"unknown option --hots"_s;
    QTest::newRow("unknown, short") << u"d.json -x"_s << u"unknown option -x"_s;
    QTest::newRow("no value") << u"d.json --past"_s << u"--past needs a value"_s;
    QTest::newRow("a flag's value") << u"d.json --wait=1"_s << u"--wait takes no value"_s;
    QTest::newRow("twice") << u"d.json --past 1 --past 2"_s << u"--past is given twice"_s;
    QTest::newRow("too few") << u"--wait"_s << u"too few arguments"_s;
    QTest::newRow("too many") << u"a b c"_s << u"unexpected argument “c”"_s;
}

void CliParserTest::mistakes()
{
    QFETCH(QString, line);
    QFETCH(QString, mistake);
    QCOMPARE(parseCommand(sample(), line.split(u' ')).mistake, mistake);
}

void CliParserTest::helpGoesBeforeMissingWords()
{
    for (const QString& word : {u"--help"_s, u"-h"_s}) {
        const ParsedCommand parsed = parseCommand(sample(), {word});
        QVERIFY(parsed.help);
        QCOMPARE(parsed.mistake, QString());
    }
    QCOMPARE(parseCommand(sample(), {u"--help"_s, u"--hots"_s}).mistake, u"unknown option --hots"_s);
}

void CliParserTest::usageHoldsAllOptions()
{
    QCOMPARE(usageOf(sample()),
        u"rankwright-cli send DESIGN [MORE] [--upload PATH...] [--wait] [--past DAYS] --cluster CLUSTER [connection options]"_s);
    for (const CliCommand& command : allCommands()) {
        const QString help = helpOf(command);
        for (const CliOption& option : command.options)
            QVERIFY2(help.contains(u"--"_s + QString::fromUtf8(option.name)), option.name);
    }
}

void CliParserTest::everyCommandIsComplete()
{
    QStringList names;
    for (const CliCommand& command : allCommands()) {
        names.append(QString::fromUtf8(command.name));
        QVERIFY2(command.run != nullptr, command.name);
        QVERIFY2(*command.summary != '\0', command.name);
        QVERIFY2(command.minimumWords <= command.maximumWords, command.name);
        QStringList options;
        for (const CliOption& option : command.options) {
            QVERIFY2(*option.text != '\0', option.name);
            options.append(QString::fromUtf8(option.name));
        }
        QCOMPARE(options.removeDuplicates(), qsizetype(0));
    }
    QCOMPARE(names.removeDuplicates(), qsizetype(0));
}

/// A misspelt option in a command's code would compile, and never be given.
void CliParserTest::everyOptionThatIsReadIsDeclared()
{
    QSet<QString> declared;
    for (const CliCommand& command : allCommands()) {
        for (const CliOption& option : command.options)
            declared.insert(QString::fromUtf8(option.name));
    }
    static const QRegularExpression read(uR"re(\bcontext(?:\(\))?\.(?:option|has|all)\(u"([^"]+)"_s)re"_s);
    int seen = 0;
    QDirIterator walk(test::sourcePath() + u"/app/cli"_s, {u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext()) {
        QFile file(walk.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (auto match = read.globalMatch(QString::fromUtf8(file.readAll())); match.hasNext(); ++seen) {
            const QString name = match.next().captured(1);
            QVERIFY2(declared.contains(name), qPrintable(file.fileName() + u": --"_s + name));
        }
    }
    QVERIFY(seen > 60);
}

RANKWRIGHT_TEST_MAIN(CliParserTest)
#include "tst_cliparser.moc"
