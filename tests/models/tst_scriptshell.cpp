// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/catalogue/catalogue.h"
#include "models/core/shellquote.h"
#include "models/script/scriptwriter.h"
#include "models/script/shellwords.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

constexpr int hostileStrings = 24000;
constexpr int wordsPerScript = 24;
constexpr int variablesPerScript = 6;

/// Strings that try to leave their place: pieces of shell, quotes, controls, odd Unicode and plain noise.
QString hostileString(QRandomGenerator& random)
{
    static const QStringList pieces{u"'"_s, u"\""_s, u"\\"_s, u"$(touch HACKED)"_s, u"`touch HACKED`"_s,
        u"; touch HACKED;"_s, u"\n#SBATCH --nodes=99\n"_s, u"\r\n"_s, u"$HOME"_s, u"${IFS}"_s, u"$'\\n'"_s, u"!!"_s,
        u"*"_s, u"?"_s, u"[a]"_s, u"{a,b}"_s, u"~"_s, u"#"_s, u" "_s, u"\t"_s, u"&&"_s, u"||"_s, u">out"_s, u"<in"_s,
        u"\x01"_s, u"\x7f"_s, u"\x1b[31m"_s, u"--"_s, u"-rf"_s, u"="_s, u"%s"_s, u"%1"_s, u"é"_s, u"汉"_s, u"😀"_s,
        u"\u202e"_s, u"\u00a0"_s, u"EOF"_s, u"$@"_s, u"\\\n"_s, u"'\"'\"'"_s, u":"_s, u"\u2028"_s, u"\v"_s,
        u"${x:-$(touch HACKED)}"_s, u"a"_s, u"train"_s, u"/"_s};
    QString text;
    const int count = random.bounded(1, 7);
    for (int i = 0; i < count; ++i)
        text += pieces.at(random.bounded(static_cast<int>(pieces.size())));
    return text;
}

/// What sbatch reads as the value of one option of a #SBATCH line: blanks end it unless quoted, a backslash keeps the
/// next character inside and outside quotes, # starts a comment (Slurm's option reader, opt.c).
QString readDirective(const QString& script, const QString& key)
{
    const QString lead = u"#SBATCH --"_s + key + u'=';
    const QStringList lines = script.split(u'\n');
    for (const QString& line : lines) {
        if (!line.startsWith(lead))
            continue;
        QString value;
        QChar quote;
        for (qsizetype at = lead.size(); at < line.size(); ++at) {
            const QChar c = line.at(at);
            if (c == u'\\' && at + 1 < line.size())
                value += line.at(++at);
            else if (!quote.isNull() && c == quote)
                quote = QChar();
            else if (quote.isNull() && (c == u'"' || c == u'\''))
                quote = c;
            else if (quote.isNull() && (c.isSpace() || c == u'#'))
                break;
            else
                value += c;
        }
        return value;
    }
    return {};
}

QByteArray withoutNul(const QString& text) { return QString(text).remove(QChar(u'\0')).toUtf8(); }

/// A program that tells its words and then its environment, each ended by NUL.
bool writeTeller(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.write("#!/bin/sh\nprintf '%s\\0' WORDS \"$@\" VARIABLES\nenv -0\nprintf 'END\\0'\n");
    return file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

struct HostileCase {
    QStringList words;
    QMap<QString, QString> variables;
    QString workdir;
    QString account; ///< as it has to arrive
    QString script;
};

/// How srun treats its command line as far as it matters here: options first, and the command ends at a lone colon.
const char* const stubs = R"sh(
srun() {
    while [[ ${1:-} == --* ]]; do shift; done
    local words=()
    for word in "$@"; do [[ $word == : ]] && break; words+=("$word"); done
    "${words[@]}"
}
scontrol() { printf 'n1\nn2\n'; }
module() { :; }
cd() { printf '%s\0' WORKDIR "${@: -1}"; }
export SLURM_JOB_ID=40937 SLURM_NNODES=1 SLURM_CPUS_PER_TASK=7 SLURM_JOB_NODELIST=n1 SLURM_PROCID=0 SLURM_LOCALID=0
export SLURM_NTASKS=4 SLURM_GPUS_ON_NODE=4 SLURM_JOB_ACCOUNT=p
)sh";

} // namespace

class TestScriptShell final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void splitsLikeAShell_data();
    void splitsLikeAShell();
    void refusesUnbalancedQuotes();
    void splittingUndoesQuoting();
    void hostileStringsArriveAsGiven();
    void jobNamesAreHarmless();
    void expandingTextStaysOneWord();

private:
    HostileCase makeCase(QRandomGenerator& random) const;
    void compareCase(const HostileCase& one, const QByteArray& told) const;
    QByteArray runInBash(const QByteArray& program, int* code) const;

    Catalogue m_catalogue;
    QTemporaryDir m_folder;
};

void TestScriptShell::initTestCase()
{
    m_catalogue = loadCatalogue();
    QVERIFY(m_catalogue.find(u"practice"_s) != nullptr);
    QVERIFY(m_folder.isValid());
    QVERIFY(writeTeller(m_folder.filePath(u"python3"_s)));
    QVERIFY(writeTeller(m_folder.filePath(u"torchrun"_s)));
}

QByteArray TestScriptShell::runInBash(const QByteArray& program, int* code) const
{
    QProcess bash;
    QProcessEnvironment environment;
    environment.insert(u"PATH"_s, m_folder.path() + u":/usr/bin:/bin"_s);
    environment.insert(u"LC_ALL"_s, u"C.UTF-8"_s);
    environment.insert(u"USER"_s, u"ada"_s);
    bash.setProcessEnvironment(environment);
    bash.setWorkingDirectory(m_folder.path());
    bash.start(u"bash"_s, {});
    bash.write(program);
    bash.closeWriteChannel();
    if (!bash.waitForFinished(60000))
        bash.kill();
    *code = bash.exitStatus() == QProcess::NormalExit ? bash.exitCode() : -1;
    return bash.readAllStandardOutput();
}

void TestScriptShell::splitsLikeAShell_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("words");
    // POSIX, Shell Command Language, 2.2 Quoting
    QTest::newRow("empty") << u""_s << QStringList{};
    QTest::newRow("blanks") << u"  a\tb \n c  "_s << QStringList{u"a"_s, u"b"_s, u"c"_s};
    QTest::newRow("single quotes") << u"'a b' 'c\\d' '$x'"_s << QStringList{u"a b"_s, u"c\\d"_s, u"$x"_s};
    QTest::newRow("double quotes") << u"\"a \\\"b\\\" \\$c \\d\""_s << QStringList{u"a \"b\" $c \\d"_s};
    QTest::newRow("backslash") << u"a\\ b \\'c \\\\"_s << QStringList{u"a b"_s, u"'c"_s, u"\\"_s};
    QTest::newRow("joined") << u"a'b c'\"d\"e"_s << QStringList{u"ab cde"_s};
    QTest::newRow("empty words") << u"'' a \"\""_s << QStringList{u""_s, u"a"_s, u""_s};
    QTest::newRow("line joined") << u"a\\\nb \"c\\\nd\""_s << QStringList{u"ab"_s, u"cd"_s};
    QTest::newRow("operators are characters") << u"a;b|c>d #e"_s << QStringList{u"a;b|c>d"_s, u"#e"_s};
}

void TestScriptShell::splitsLikeAShell()
{
    QFETCH(QString, text);
    QFETCH(QStringList, words);
    const Result<QStringList> split = splitShellWords(text);
    QVERIFY_RESULT(split);
    QCOMPARE(*split, words);
}

void TestScriptShell::refusesUnbalancedQuotes()
{
    for (const QString& text : {u"'"_s, u"a 'b"_s, u"\"a"_s, u"a\\"_s, u"'a' \"b\\\""_s}) {
        const Result<QStringList> split = splitShellWords(text);
        QVERIFY2(!split, qPrintable(text));
        QVERIFY(!split.error().remedy.isEmpty());
    }
}

void TestScriptShell::splittingUndoesQuoting()
{
    QRandomGenerator random(20261121);
    for (int i = 0; i < 2000; ++i) {
        QStringList words;
        for (int n = 0; n < 5; ++n)
            words.append(hostileString(random));
        words.append(QString());
        const Result<QStringList> split = splitShellWords(shellQuote(words));
        QVERIFY_RESULT(split);
        QCOMPARE(*split, words);
    }
}

HostileCase TestScriptShell::makeCase(QRandomGenerator& random) const
{
    HostileCase one;
    for (int i = 0; i < wordsPerScript; ++i)
        one.words.append(hostileString(random));
    for (int i = 0; i < variablesPerScript; ++i)
        one.variables.insert(u"RW_%1"_s.arg(i), hostileString(random));
    one.workdir = hostileString(random);

    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    JobSpec spec;
    spec.name = hostileString(random);
    spec.cluster = profile.name;
    spec.partition = u"small-g"_s;
    spec.account = hostileString(random);
    spec.resources.nodes = 1;
    spec.resources.gpusPerNode = 4;
    spec.parallel.strategy = Strategy::Ddp;
    spec.environment.variables = one.variables;
    spec.workdir = one.workdir;
    ResolvedSpec resolved = resolve(spec, profile);
    resolved.launcher = random.bounded(2) == 0 ? Launcher::Srun : Launcher::Torchrun;
    if (resolved.launcher == Launcher::Torchrun)
        resolved.nodes = 1;
    resolved.command = u"-m rw "_s + shellQuote(one.words); // a module needs no file
    resolved.account = *spec.account;
    const QString tasks = QString::number(resolved.tasksPerNode());
    one.script = writeScript(resolved, profile).text();
    one.script.prepend(u"SLURM_NTASKS=%1\n"_s.arg(tasks));
    for (const QChar c : std::as_const(resolved.account)) // a directive cannot carry control characters
        one.account += c.unicode() >= 0x20 && c.unicode() != 0x7f ? QString(c) : QString();
    return one;
}

void TestScriptShell::compareCase(const HostileCase& one, const QByteArray& told) const
{
    const QList<QByteArray> parts = told.split('\0');
    const qsizetype from = parts.indexOf("WORDS");
    const qsizetype until = parts.indexOf("VARIABLES", from);
    QVERIFY2(from >= 0 && until > from, qPrintable(one.script));
    // behind the words that the launcher put in front
    const QList<QByteArray> words = parts.mid(until - one.words.size(), one.words.size());
    for (qsizetype i = 0; i < one.words.size(); ++i)
        QCOMPARE(words.at(i), withoutNul(one.words.at(i)));
    QCOMPARE(parts.mid(until - one.words.size() - 2, 2), (QList<QByteArray>{"-m", "rw"}));
    const QList<QByteArray> environment = parts.mid(until + 1);
    for (auto it = one.variables.cbegin(); it != one.variables.cend(); ++it)
        QVERIFY2(environment.contains(it.key().toUtf8() + '=' + withoutNul(it.value())), qPrintable(it.value()));
    QCOMPARE(readDirective(one.script, u"account"_s), one.account);
    if (fitsDirective(one.workdir))
        QCOMPARE(readDirective(one.script, u"chdir"_s), one.workdir);
    else
        QCOMPARE(parts.mid(0, 2), (QList<QByteArray>{"WORKDIR", withoutNul(one.workdir)}));
}

void TestScriptShell::hostileStringsArriveAsGiven()
{
    QRandomGenerator random(20261120);
    constexpr int stringsPerCase = wordsPerScript + variablesPerScript + 3;
    QList<HostileCase> cases;
    QByteArray program(stubs);
    for (int made = 0; made < hostileStrings; made += stringsPerCase) {
        cases.append(makeCase(random));
        const QString& script = cases.last().script;
        QVERIFY(!script.contains(u'\r'));
        const QStringList lines = script.split(u'\n');
        for (const QString& line : lines) // nothing but our own directives, and none after the first command
            QVERIFY2(!line.startsWith(u"#SBATCH --nodes=99"_s), qPrintable(script));
        program += "(\n" + script.toUtf8() + "\n)\nprintf 'CASE %s\\0' $?\n";
    }
    int code = -1;
    const QByteArray told = runInBash(program, &code);
    QCOMPARE(code, 0);
    qsizetype at = 0;
    for (const HostileCase& one : std::as_const(cases)) {
        const qsizetype end = told.indexOf(QByteArray("\0CASE 0", 7), at);
        QVERIFY2(end >= 0, qPrintable(one.script));
        compareCase(one, told.mid(at, end + 1 - at));
        if (QTest::currentTestFailed())
            return;
        at = end + 8;
    }
    QVERIFY(!QFile::exists(m_folder.filePath(u"HACKED"_s)));
    QVERIFY(cases.size() * stringsPerCase >= 20000);
}

void TestScriptShell::jobNamesAreHarmless()
{
    const QRegularExpression harmless(u"^[A-Za-z0-9_][A-Za-z0-9._-]{0,59}$"_s);
    QRandomGenerator random(20261122);
    for (int i = 0; i < 5000; ++i) {
        const QString name = safeJobName(hostileString(random));
        QVERIFY2(harmless.match(name).hasMatch(), qPrintable(name));
    }
    QCOMPARE(safeJobName(u"gpt-imdb"_s), u"gpt-imdb"_s);
    QCOMPARE(safeJobName(u"my run / 2"_s), u"my-run-2"_s);
    QCOMPARE(safeJobName(u"modèle"_s), u"modele"_s);
    QCOMPARE(safeJobName(u"\n\n"_s), u"rankwright"_s);
}

void TestScriptShell::expandingTextStaysOneWord()
{
    QCOMPARE(expandingWord(u"/tmp/${USER}-x-$SLURM_NODEID"_s), u"\"/tmp/${USER}-x-$SLURM_NODEID\""_s);
    QCOMPARE(expandingWord(u"$(hostname -s)"_s), u"\"$(hostname -s)\""_s);
    // What could leave the quotes is taken literally.
    for (const QString& text : {u"a\";touch HACKED;\""_s, u"a\\"_s, u"`id`"_s, u"$(id"_s, u"${x"_s, u"a\nb"_s}) {
        const QByteArray program = "printf '%s\\0' " + expandingWord(text).toUtf8() + "\n";
        int code = -1;
        const QByteArray told = runInBash(program, &code);
        QCOMPARE(code, 0);
        QCOMPARE(told, text.toUtf8() + '\0');
    }
    QVERIFY(!QFile::exists(m_folder.filePath(u"HACKED"_s)));
}

RANKWRIGHT_TEST_MAIN(TestScriptShell)
#include "tst_scriptshell.moc"
