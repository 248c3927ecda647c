// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/clioutput.h"
#include "app/cli/terminalprompt.h"
#include "tests/app/support/clirun.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <fcntl.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace rankwright;
using rankwright::test::Answer;

namespace {

/// Title, clipboard, clearing, NUL, C1, both kinds of bidirectional controls, line and paragraph separators.
const QString evil = u"a\x1b]0;evil\x07\x1b]52;c;ZXZpbA==\x07\x1b[2J"_s + QChar(0) + QChar(0x7f) + QChar(0x85)
    + QChar(0x9b) + QChar(0x202e) + QChar(0x2066) + QChar(0x2028) + QChar(0x200f) + u"\rz"_s;

bool isClean(const QString& text)
{
    static const QRegularExpression harmful(
        u"[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\x{061c}\\x{200e}\\x{200f}\\x{2028}-\\x{202e}\\x{2066}-\\x{2069}]"_s);
    return !text.contains(harmful);
}

int printText(const CliContext& context)
{
    TextTable table({u"job"_s, u"name"_s});
    table.add({u"1"_s, evil});
    table.print(context.out);
    TextFacts facts;
    facts.add(u"folder"_s, evil);
    facts.print(context.out);
    context.err << evil << u'\n';
    return report(context, {Fault::Io, evil, evil, evil});
}

int printAsJson(const CliContext& context)
{
    JsonArrayPrinter all(context.out);
    for (int i = 0; i < 3; ++i)
        all.add({{u"name"_s, evil}, {u"number"_s, i}, {u"nested"_s, QJsonObject{{u"list"_s, QJsonArray{evil}}}}});
    return ExitDone;
}

CliCommand command(const char* name, int (*run)(const CliContext&))
{
    return {.name = name, .summary = "", .run = run};
}

Answer run(const QList<CliCommand>& commands, const QStringList& words)
{
    Answer answer;
    QTextStream out(&answer.out);
    QTextStream err(&answer.err);
    answer.code = runCommandLine(commands, words, out, err, {});
    out.flush();
    err.flush();
    return answer;
}

/// A descriptor that yields these lines.
class Lines {
    Q_DISABLE_COPY_MOVE(Lines)
public:
    explicit Lines(const QByteArray& text)
    {
        int ends[2];
        if (::pipe(ends) != 0 || ::write(ends[1], text.constData(), size_t(text.size())) != text.size())
            qFatal("no pipe");
        ::close(ends[1]);
        m_descriptor = ends[0];
    }
    ~Lines() { ::close(m_descriptor); }
    int descriptor() const { return m_descriptor; }
    QByteArray left() const
    {
        QByteArray bytes(4096, 0);
        const ssize_t got = ::read(m_descriptor, bytes.data(), size_t(bytes.size()));
        return bytes.left(qMax<qsizetype>(0, got));
    }

private:
    int m_descriptor = -1;
};

LoginPrompt question(const QString& text, bool echo = false)
{
    LoginPrompt prompt;
    prompt.kind = LoginPrompt::Kind::KeyboardInteractive;
    prompt.host = u"ada@far"_s;
    prompt.questions = {{text, echo}};
    return prompt;
}

QString wordsOf(const PromptAnswer& answer)
{
    QStringList words;
    for (const Secret& secret : answer.answers)
        words.append(QString::fromUtf8(secret.c_str()));
    return answer.accepted ? words.join(u',') : u"(refused)"_s;
}

} // namespace

/// What clusters, folders and logs of others may not do to a terminal, a reader of JSON, or a person who types.
class HostileNeighboursTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void everyPrinterIsFiltered();
    void jsonKeepsWhatWasThere();

    /// Real commands over a file of somebody else's.
    void namesInFiles();
    void serverTextNeverBeginsALine_data();
    void serverTextNeverBeginsALine();
    void aDescriptorAnswersTheClusterAlone();
    void aDescriptorAnswersOnce();
};

void HostileNeighboursTest::initTestCase()
{
    // Nobody is at the keyboard.
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::close(nothing);
}

void HostileNeighboursTest::everyPrinterIsFiltered()
{
    const QList<CliCommand> commands{command("text", printText), command("all", printAsJson)};
    const Answer text = run(commands, {u"text"_s});
    QVERIFY2(isClean(text.out) && isClean(text.err), qPrintable(text.out));
    QVERIFY(text.out.contains(u"evil"_s) && text.out.contains(QChar::ReplacementCharacter));
    QCOMPARE(text.out.count(u'\n'), 4);
}

void HostileNeighboursTest::jsonKeepsWhatWasThere()
{
    const Answer json = run({command("all", printAsJson)}, {u"all"_s, u"--json"_s});
    QVERIFY2(isClean(json.out), qPrintable(json.out));
    const QJsonArray all = json.jsonArray();
    QCOMPARE(all.size(), 3);
    QCOMPARE(all.at(2).toObject().value(u"name"_s).toString(), evil);
    QCOMPARE(all.at(2).toObject().value(u"nested"_s).toObject().value(u"list"_s).toArray().at(0).toString(), evil);
    // As QJsonDocument would write it, but for the characters.
    QString out;
    QTextStream stream(&out);
    {
        JsonArrayPrinter plain(stream);
        plain.add({{u"a"_s, 1}});
        plain.add({{u"b"_s, QJsonArray{u"x\ny"_s}}});
    }
    QJsonArray same{QJsonObject{{u"a"_s, 1}}, QJsonObject{{u"b"_s, QJsonArray{u"x\ny"_s}}}};
    stream.flush();
    QCOMPARE(out, QString::fromUtf8(QJsonDocument(same).toJson()));
    out.clear();
    {
        const JsonArrayPrinter none(stream);
    }
    stream.flush();
    QVERIFY(QJsonDocument::fromJson(out.toUtf8()).isArray());
}

void HostileNeighboursTest::namesInFiles()
{
    const QTemporaryDir folder;
    QFile design(folder.filePath(u"design.json"_s));
    QVERIFY(design.open(QIODevice::WriteOnly));
    QJsonObject content{{u"version"_s, 1}, {u"cluster"_s, u"lumi"_s}, {u"name"_s, evil},
        {u"command"_s, QString(u"train.py "_s + evil)}};
    design.write(QJsonDocument(content).toJson());
    design.close();
    for (const QString& name : {u"check"_s, u"script"_s, u"cost"_s, u"estimate"_s, u"bind"_s}) {
        for (const QStringList& more : {QStringList(), QStringList{u"--json"_s}}) {
            const Answer answer = test::run(QStringList{name, design.fileName()} + more);
            QVERIFY2(isClean(answer.out) && isClean(answer.err), qPrintable(name + answer.out + answer.err));
        }
    }
    QVERIFY(design.open(QIODevice::WriteOnly));
    content = {{u"version"_s, 1}, {u"cluster"_s, u"lumi"_s}, {u"account"_s, u"project_465000001"_s},
        {u"command"_s, QString(u"train.py --to "_s + QChar(0x202e) + u"moc.elpmaxe"_s)}};
    design.write(QJsonDocument(content).toJson());
    design.close();
    const Answer checked = test::run({u"check"_s, design.fileName()});
    QVERIFY2(checked.out.contains(u"reverses the direction of text"_s), qPrintable(checked.out + checked.err));
    QCOMPARE(checked.code, int(ExitNo));
}

void HostileNeighboursTest::serverTextNeverBeginsALine_data()
{
    QTest::addColumn<QString>("text");
    const QString ours = u"Passphrase (stays on this machine): "_s;
    QTest::newRow("plain") << ours;
    QTest::newRow("behind a line break") << QString(u"Code\n"_s + ours);
    QTest::newRow("behind blanks to the screen's edge") << QString(u"Code"_s + QString(200, u' ') + ours);
    QTest::newRow("behind dots") << QString(QString(300, u'.') + ours);
    QTest::newRow("wide characters") << QString(QString(300, QChar(0x4e2d)) + ours);
    QTest::newRow("escape sequences") << QString(u"\x1b[2J\x1b[H\r"_s + ours);
    QTest::newRow("other line ends") << QString(u"Code\u2028"_s + ours + QChar(0x85) + ours);
}

void HostileNeighboursTest::serverTextNeverBeginsALine()
{
    QFETCH(QString, text);
    LoginPrompt prompt = question(text);
    prompt.title = text;
    prompt.instruction = text;
    for (const int columns : {80, 40, 200}) {
        const QStringList lines = promptLines(prompt, columns);
        for (qsizetype i = 1; i < lines.size(); ++i) { // the first is ours
            QVERIFY2(lines.at(i).startsWith(serverMark), qPrintable(lines.at(i)));
            QVERIFY2(lines.at(i).size() <= columns, qPrintable(lines.at(i)));
            QVERIFY(isClean(lines.at(i)) && !lines.at(i).contains(u'\n'));
        }
    }
    QVERIFY(promptCue(prompt).startsWith(u"Answer to ada@far"_s));
    for (const QString& line : bannerLines(u"far"_s, text))
        QVERIFY(line.startsWith(u"The server says: "_s) || line == u"From far:"_s);
    LoginPrompt own;
    own.kind = LoginPrompt::Kind::Passphrase;
    own.questions = {{u"/home/ada/.ssh/id"_s, false}};
    QCOMPARE(promptCue(own), u"Passphrase (stays on this machine): "_s);
    QVERIFY(promptLines(own).first().contains(u"not sent to any server"_s));
}

void HostileNeighboursTest::aDescriptorAnswersTheClusterAlone()
{
    QString shown;
    QTextStream err(&shown);
    const Lines lines("secret\nmore\n");
    TerminalPrompt answerer(err, lines.descriptor());
    LoginPrompt jump = question(u"Password: "_s);
    jump.host = u"ada@gate"_s;
    jump.isJump = true;
    QCOMPARE(wordsOf(answerer.answer(jump)), u"(refused)"_s);
    jump.kind = LoginPrompt::Kind::Password;
    QCOMPARE(wordsOf(answerer.answer(jump)), u"(refused)"_s);
    QVERIFY2(shown.contains(u"never a host on the way"_s), qPrintable(shown));
    QCOMPARE(wordsOf(answerer.answer(question(u"Shown: "_s, true))), u"(refused)"_s);
    QCOMPARE(wordsOf(answerer.answer(question(u"Password: "_s))), u"secret"_s); // nothing was used up
}

void HostileNeighboursTest::aDescriptorAnswersOnce()
{
    QString shown;
    QTextStream err(&shown);
    const Lines lines("secret\n123456\nthird\n");
    TerminalPrompt answerer(err, lines.descriptor());
    QCOMPARE(wordsOf(answerer.answer(question(u"Password: "_s))), u"secret"_s);
    QCOMPARE(wordsOf(answerer.answer(question(u"Code: "_s))), u"123456"_s);
    QCOMPARE(wordsOf(answerer.answer(question(u"Password: "_s))), u"(refused)"_s); // it was wrong, or a trap
    QVERIFY2(shown.contains(u" refused the password that --password-fd gave"_s), qPrintable(shown));
    QCOMPARE(wordsOf(answerer.answer(question(u"Code: "_s))), u"(refused)"_s);
    QVERIFY2(shown.contains(u" refused the answer to “Code:” that --password-fd gave"_s), qPrintable(shown));
    QVERIFY(!shown.contains(u"secret"_s));
    QCOMPARE(lines.left(), QByteArray("third\n"));
}

RANKWRIGHT_TEST_MAIN(HostileNeighboursTest)
#include "tst_hostileneighbours.moc"
