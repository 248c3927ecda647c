// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/core/shellquote.h"
#include "models/script/bash/scriptquoting.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

constexpr int hostileStrings = 102000;
constexpr int wordsPerScript = 96;
constexpr int variablesPerScript = 24;
constexpr int resumeWords = 8;

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

/// A program that prints its words and then its environment, each ended by NUL.
bool writeReporter(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.write("#!/bin/sh\nprintf '%s\\0' WORDS \"$@\" VARIABLES\nenv -0\nprintf 'END\\0'\n");
    return file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

/// A container runtime that prints its folders and image, then runs the program.
bool writeContainer(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.write(
        "#!/bin/sh\nshift 2\nprintf 'CONTAINER\\0'\nwhile [ \"$1\" = --bind ]; do printf '%s\\0' \"$2\"; shift 2; "
        "done\nprintf '%s\\0' \"$1\"\nshift\nexec \"$@\"\n");
    return file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

struct HostileCase {
    JobSpec spec;
    QStringList words; ///< of the command
    QStringList resume; ///< arguments of a continuation
    QMap<QString, QString> directives; ///< as they have to arrive
    QString script;
    int strings = 0; ///< hostile ones in it
};

QString withoutControls(const QString& text)
{
    QString kept; // a directive cannot carry them
    for (const QChar c : text)
        kept += c.unicode() >= 0x20 && c.unicode() != 0x7f ? QString(c) : QString();
    return kept;
}

/// How srun treats its command line as far as it matters here: options first, and the command ends at a lone colon.
const char* const stubs = R"sh(
srun() {
    while [[ ${1:-} == --* ]]; do printf '%s\0' "OPTION $1"; shift; done
    local words=()
    for word in "$@"; do [[ $word == : ]] && break; words+=("$word"); done
    "${words[@]}"
}
scontrol() { printf 'n1\nn2\n'; }
module() { :; }
cd() { printf '%s\0' WORKDIR "${@: -1}"; }
export SLURM_JOB_ID=40937 SLURM_NNODES=1 SLURM_CPUS_PER_TASK=7 SLURM_JOB_NODELIST=n1 SLURM_PROCID=0 SLURM_LOCALID=0
export SLURM_NTASKS=4 SLURM_GPUS_ON_NODE=4 SLURM_JOB_ACCOUNT=p SLURM_NODEID=0 SLURM_RESTART_COUNT=1
mkdir() { :; }
cat() { command cat > /dev/null; }
)sh";

} // namespace

class ScriptShellTest final : public test::Suite {
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
    void compareCase(const HostileCase& one, const QByteArray& reported) const;
    QByteArray runInBash(const QByteArray& program, int* code) const;

    Catalogue m_catalogue;
    QTemporaryDir m_folder;
};

void ScriptShellTest::initTestCase()
{
    m_catalogue = loadCatalogue();
    QVERIFY(m_catalogue.find(u"practice"_s) != nullptr);
    QVERIFY(m_folder.isValid());
    QVERIFY(writeReporter(m_folder.filePath(u"python3"_s)));
    for (const QString& program : {u"torchrun"_s, u"accelerate"_s, u"deepspeed"_s})
        QVERIFY(writeReporter(m_folder.filePath(program)));
    QVERIFY(writeContainer(m_folder.filePath(u"apptainer"_s)));
}

QByteArray ScriptShellTest::runInBash(const QByteArray& program, int* code) const
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
    if (!bash.waitForFinished(test::longWaitMs)) {
        bash.kill();
        bash.waitForFinished(test::longWaitMs);
    }
    *code = bash.exitStatus() == QProcess::NormalExit ? bash.exitCode() : -1;
    return bash.readAllStandardOutput();
}

void ScriptShellTest::splitsLikeAShell_data()
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

void ScriptShellTest::splitsLikeAShell()
{
    QFETCH(QString, text);
    QFETCH(QStringList, words);
    const Result<QStringList> split = splitShellWords(text);
    QVERIFY_RESULT(split);
    QCOMPARE(*split, words);
}

void ScriptShellTest::refusesUnbalancedQuotes()
{
    for (const QString& text : {u"'"_s, u"a 'b"_s, u"\"a"_s, u"a\\"_s, u"'a' \"b\\\""_s}) {
        const Result<QStringList> split = splitShellWords(text);
        QVERIFY2(!split, qPrintable(text));
        QVERIFY(!split.error().remedy.isEmpty());
    }
}

void ScriptShellTest::splittingUndoesQuoting()
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

HostileCase ScriptShellTest::makeCase(QRandomGenerator& random) const
{
    HostileCase one;
    const auto hostile = [&] {
        ++one.strings;
        return hostileString(random);
    };
    const ClusterProfile& profile = *m_catalogue.find(u"practice"_s);
    JobSpec& spec = one.spec;
    for (int i = 0; i < wordsPerScript; ++i)
        one.words.append(hostile());
    for (int i = 0; i < resumeWords; ++i)
        one.resume.append(hostile());
    for (int i = 0; i < variablesPerScript; ++i)
        spec.environment.variables.insert(u"RW_%1"_s.arg(i), hostile());
    spec.name = hostile();
    spec.cluster = profile.name;
    spec.resources.gpusPerNode = 4;
    spec.parallel.strategy = Strategy::Ddp;
    spec.workdir = hostile();
    spec.command = u"-m rw "_s + shellQuote(one.words); // a module needs no file
    spec.environment.container = u"docker://"_s + hostile(); // an address, not a file that could be looked for
    spec.environment.binds = {hostile(), hostile()};
    spec.environment.modules = {hostile()};
    spec.options.config = u"/"_s + hostile(); // may exist in the image only
    spec.options.mpi = hostile();
    spec.options.requeue = true;
    spec.options.resumeArguments = shellQuote(one.resume);
    const auto directive = [&](const QString& key, std::optional<QString>& place) {
        place = hostile();
        one.directives.insert(key, withoutControls(*place));
    };
    directive(u"partition"_s, spec.partition);
    directive(u"account"_s, spec.account);
    directive(u"reservation"_s, spec.reservation);
    directive(u"qos"_s, spec.options.qos);
    directive(u"constraint"_s, spec.options.constraint);
    directive(u"exclude"_s, spec.options.exclude);
    directive(u"output"_s, spec.options.output);
    directive(u"error"_s, spec.options.error);
    directive(u"mail-user"_s, spec.options.mailUser);
    directive(u"mail-type"_s, spec.options.mailType);
    directive(u"array"_s, spec.options.array);
    directive(u"dependency"_s, spec.options.dependency);
    directive(u"signal"_s, spec.options.signal);
    static const QList<std::pair<Launcher, int>> starts{{Launcher::Srun, 1}, {Launcher::Torchrun, 1},
        {Launcher::Torchrun, 2}, {Launcher::Accelerate, 1}, {Launcher::Accelerate, 2}, {Launcher::Deepspeed, 1},
        {Launcher::Lightning, 1}};
    const auto& [launcher, nodes] = starts.at(random.bounded(static_cast<int>(starts.size())));
    spec.launcher = launcher;
    spec.resources.nodes = nodes;
    ResolvedSpec resolved = resolve(spec, profile);
    resolved.command = *spec.command; // resolve() trims, hostile words may end in blanks
    resolved.account = *spec.account;
    resolved.signal = *spec.options.signal;
    one.script = writeScript(resolved, profile).text();
    one.script.prepend(u"SLURM_NTASKS=%1\n"_s.arg(resolved.tasksPerNode() * resolved.nodes));
    return one;
}

void ScriptShellTest::compareCase(const HostileCase& one, const QByteArray& reported) const
{
    const QList<QByteArray> parts = reported.split('\0');
    const qsizetype container = parts.indexOf("CONTAINER");
    const qsizetype from = parts.indexOf("WORDS", container);
    const qsizetype until = parts.indexOf("VARIABLES", from);
    QVERIFY2(container >= 0 && from >= 0 && until > from, qPrintable(one.script));
    QList<QByteArray> expected;
    for (const QString& word : one.words)
        expected.append(withoutNul(word));
    if (one.spec.launcher == Launcher::Deepspeed)
        expected += {"--deepspeed", "--deepspeed_config=" + withoutNul(*one.spec.options.config)};
    for (const QString& word : one.resume)
        expected.append(withoutNul(word));
    const qsizetype first = until - expected.size(); // behind the words that the launcher put in front
    QCOMPARE(parts.mid(first, expected.size()), expected);
    const QByteArray module = one.spec.launcher == Launcher::Deepspeed ? "--module" : "-m";
    QCOMPARE(parts.mid(first - 2, 2), (QList<QByteArray>{module, "rw"}));
    if (one.spec.launcher == Launcher::Accelerate)
        QVERIFY2(parts.mid(from, until - from).contains("--config_file=" + withoutNul(*one.spec.options.config)),
            qPrintable(*one.spec.options.config));
    QCOMPARE(parts.mid(container + 1, 3),
        (QList<QByteArray>{withoutNul(one.spec.environment.binds.at(0)), withoutNul(one.spec.environment.binds.at(1)),
            withoutNul(*one.spec.environment.container)}));
    QVERIFY2(parts.contains("OPTION --mpi=" + withoutNul(*one.spec.options.mpi)), qPrintable(*one.spec.options.mpi));
    const QList<QByteArray> environment = parts.mid(until + 1);
    const auto& variables = one.spec.environment.variables;
    for (auto it = variables.cbegin(); it != variables.cend(); ++it)
        QVERIFY2(environment.contains(it.key().toUtf8() + '=' + withoutNul(it.value())), qPrintable(it.value()));
    for (auto it = one.directives.cbegin(); it != one.directives.cend(); ++it)
        QCOMPARE(readDirective(one.script, it.key()), it.value());
    if (fitsDirective(*one.spec.workdir))
        QCOMPARE(readDirective(one.script, u"chdir"_s), *one.spec.workdir);
    else
        QVERIFY(parts.indexOf("WORKDIR") >= 0
            && parts.value(parts.indexOf("WORKDIR") + 1) == withoutNul(*one.spec.workdir));
}

void ScriptShellTest::hostileStringsArriveAsGiven()
{
    QRandomGenerator random(20261120);
    QList<HostileCase> cases;
    QByteArray program(stubs);
    int made = 0;
    while (made < hostileStrings) {
        cases.append(makeCase(random));
        made += cases.last().strings;
        const QString& script = cases.last().script;
        QVERIFY(!script.contains(u'\r'));
        const QStringList lines = script.split(u'\n');
        bool inCommands = false;
        for (const QString& line : lines.mid(1)) { // nothing but our own directives, and none after the first command
            QVERIFY2(!line.startsWith(u"#SBATCH --nodes=99"_s), qPrintable(script));
            QVERIFY2(!line.startsWith(u"#SBATCH"_s) || !inCommands, qPrintable(script));
            inCommands = inCommands || (!line.isEmpty() && !line.startsWith(u'#'));
        }
        program += "(\n" + script.toUtf8() + "\n)\nprintf 'CASE %s\\0' $?\n";
    }
    int code = -1;
    const QByteArray reported = runInBash(program, &code);
    QCOMPARE(code, 0);
    qsizetype at = 0;
    for (const HostileCase& one : std::as_const(cases)) {
        const qsizetype end = reported.indexOf(QByteArray("\0CASE 0", 7), at);
        QVERIFY2(end >= 0, qPrintable(one.script));
        compareCase(one, reported.mid(at, end + 1 - at));
        if (QTest::currentTestFailed()) {
            qInfo("%s", qPrintable(one.script));
            return;
        }
        at = end + 8;
    }
    QVERIFY(!QFile::exists(m_folder.filePath(u"HACKED"_s)));
    QVERIFY(made >= 100000);
}

void ScriptShellTest::jobNamesAreHarmless()
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

void ScriptShellTest::expandingTextStaysOneWord()
{
    QCOMPARE(expandingWord(u"/tmp/${USER}-x-$SLURM_NODEID"_s), u"\"/tmp/${USER}-x-$SLURM_NODEID\""_s);
    QCOMPARE(expandingWord(u"$(hostname -s)"_s), u"\"$(hostname -s)\""_s);
    // What could leave the quotes is taken literally.
    for (const QString& text : {u"a\";touch HACKED;\""_s, u"a\\"_s, u"`id`"_s, u"$(id"_s, u"${x"_s, u"a\nb"_s}) {
        const QByteArray program = "printf '%s\\0' " + expandingWord(text).toUtf8() + "\n";
        int code = -1;
        const QByteArray reported = runInBash(program, &code);
        QCOMPARE(code, 0);
        QCOMPARE(reported, text.toUtf8() + '\0');
    }
    QVERIFY(!QFile::exists(m_folder.filePath(u"HACKED"_s)));
}

RANKWRIGHT_TEST_MAIN(ScriptShellTest)
#include "tst_scriptshell.moc"
