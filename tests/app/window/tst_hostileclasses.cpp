// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/store/joblog.h"
#include "app/window/classopener.h"
#include "app/window/links/connections.h"
#include "models/core/harmlesstext.h"
#include "models/script/document/design.h"
#include "models/teaching/classroom/classreader.h"
#include "tests/app/support/openstore.h"
#include "tests/support/jsonput.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/base/toasts.h"
#include "widgets/classroom/classconsentdialog.h"
#include "widgets/design/designpage.h"
#include "widgets/window/mainwindow.h"

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <sys/stat.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// What may become of a hostile file.
enum class Fate {
    Refused, ///< in one sentence, before any question
    NoWayOn, ///< shown, in words that say what is wrong, without a button that goes on
    Asked, ///< nothing is wrong in the file itself: what it will do is shown, and asked about
    Any ///< one of these
};

QJsonObject wholeClass()
{
    QFile file(test::sourcePath(u"/tests/data/classroom/whole.rwclass"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

QByteArray textOf(const QJsonObject& object) { return QJsonDocument(object).toJson(QJsonDocument::Indented); }

QByteArray changed(const QString& path, const QJsonValue& value)
{
    return textOf(test::putAt(wholeClass(), path.split(u'.'), value).toObject());
}

} // namespace

/// Class files of strangers, opened as an attendee opens them: each is refused in one sentence or does no harm. Nothing
/// connects, no program but ssh-keygen is started, nothing is written beside the program's own data.
class HostileClassesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void init() override;
    void cleanupTestCase();
    void opens_data();
    void opens();
    void thereAreManyOfThem() { QVERIFY2(m_rows >= 200, qPrintable(QString::number(m_rows))); }

private:
    struct Bench {
        explicit Bench(const QString& folder)
            : catalogue(loadCatalogue()), design(catalogue), settings(folder), page(new DesignPage(design)),
              window(design, theme, MainWindow::Pages{page, nullptr, nullptr, nullptr}),
              database(test::openStore(folder)), log(*database), connections(catalogue, log, settings, &window),
              opener({catalogue, settings, window, folder})
        {
            window.show();
        }
        Theme theme;
        Catalogue catalogue;
        Design design;
        Settings settings;
        DesignPage* page;
        MainWindow window;
        std::unique_ptr<Database> database;
        JobLog log;
        Connections connections;
        ClassOpener opener;
    };
    void row(const QString& name, const QByteArray& bytes, Fate fate = Fate::Refused);
    void addFlips();
    void addSignatures();
    void addSizes();
    void addPathsAndWords();
    void addTexts();
    void addMembers();
    void addOddFiles();
    QString at(const QString& name) const { return m_root.filePath(name); }
    QString keyOf(const QString& who);
    QByteArray signedBy(const QString& who, const QByteArray& bytes, const QString& space = u"rankwright-class"_s);
    QStringList files() const;

    const QTemporaryDir m_root;
    std::unique_ptr<Bench> m_bench;
    QStringList m_filesBefore;
    int m_rows = 0;
};

void HostileClassesTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
}

void HostileClassesTest::initTestCase()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not here");
    for (const char* folder : {"data", "files", "home", "bin", "keys"})
        QVERIFY(QDir(m_root.path()).mkdir(QString::fromLatin1(folder)));
    // What a file could start is found here first, and leaves a trace.
    for (const QString& name :
        {u"sh"_s, u"bash"_s, u"ssh"_s, u"curl"_s, u"python3"_s, u"sbatch"_s, u"touch"_s, u"xdg-open"_s}) {
        QFile program(at(u"bin/"_s + name));
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/sh\necho \"$0 $*\" >> " + at(u"started"_s).toUtf8() + '\n');
        program.close();
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    qputenv("PATH", at(u"bin"_s).toUtf8() + ':' + qgetenv("PATH"));
    qputenv("HOME", at(u"home"_s).toUtf8());
    m_bench = std::make_unique<Bench>(at(u"data"_s));
    // The key of “A course” is known already.
    const auto known = readClass(signedBy(u"ada"_s, textOf(wholeClass())), u"x"_s);
    QVERIFY_RESULT(known);
    const auto verdict = verifyClass(*known, at(u"data"_s));
    QVERIFY_RESULT(verdict);
    QCOMPARE(verdict->trust, ClassTrust::NewKey);
    QVERIFY_RESULT(rememberClassKey(*known, verdict->fingerprint, at(u"data"_s)));
}

QString HostileClassesTest::keyOf(const QString& who)
{
    const QString path = at(u"keys/"_s + who);
    if (!QFile::exists(path))
        QProcess::execute(u"ssh-keygen"_s,
            {u"-q"_s, u"-t"_s, who == u"rsa" ? u"rsa"_s : u"ed25519"_s, u"-N"_s, QString(), u"-f"_s, path});
    return path;
}

/// As somebody signs who is not asked by signClass() whether the file is in order.
QByteArray HostileClassesTest::signedBy(const QString& who, const QByteArray& bytes, const QString& space)
{
    QJsonObject object = QJsonDocument::fromJson(bytes).object();
    QFile content(at(u"keys/content"_s));
    QFile::remove(content.fileName() + u".sig"_s);
    if (content.open(QIODevice::WriteOnly))
        content.write(QJsonDocument(object).toJson(QJsonDocument::Compact));
    content.close();
    QProcess::execute(
        u"ssh-keygen"_s, {u"-q"_s, u"-Y"_s, u"sign"_s, u"-f"_s, keyOf(who), u"-n"_s, space, content.fileName()});
    QFile signature(content.fileName() + u".sig"_s), key(keyOf(who) + u".pub"_s);
    if (!signature.open(QIODevice::ReadOnly) || !key.open(QIODevice::ReadOnly))
        return {};
    object.insert(u"signature"_s,
        QJsonObject{{u"key"_s, QString::fromLatin1(key.readAll()).section(u' ', 0, 1)},
            {u"value"_s, QString::fromLatin1(signature.readAll())}});
    return textOf(object);
}

QStringList HostileClassesTest::files() const
{
    QStringList all;
    QDirIterator each(m_root.path(), QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot,
        QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QString path = QDir(m_root.path()).relativeFilePath(each.next());
        if (!path.startsWith(u"data/"_s) || path.contains(u"classkeys"_s)) // settings and the log of jobs are its own
            all.append(path);
    }
    all.sort();
    return all;
}

void HostileClassesTest::row(const QString& name, const QByteArray& bytes, Fate fate)
{
    const QString path = at(u"files/%1.rwclass"_s.arg(m_rows));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("a file of the table cannot be written");
    ++m_rows;
    QTest::newRow(qPrintable(u"%1 %2"_s.arg(m_rows).arg(name))) << path << int(fate);
}

/// One bit of the signed file: it is no longer JSON, is not a class, or is not what was signed.
void HostileClassesTest::addFlips()
{
    const QByteArray good = signedBy(u"ada"_s, textOf(wholeClass()));
    const qsizetype last = good.indexOf("\"signature\"");
    for (int i = 0; i < 60; ++i) {
        QByteArray bytes = good;
        const qsizetype where = (qsizetype(i) * 7919 + 13) % last;
        bytes[where] = char(quint8(bytes.at(where)) ^ (1U << (i % 8)));
        row(u"bit %1 of byte %2"_s.arg(i % 8).arg(where), bytes, Fate::Any);
    }
}

void HostileClassesTest::addSignatures()
{
    const QByteArray good = signedBy(u"ada"_s, textOf(wholeClass()));
    const QJsonObject whole = QJsonDocument::fromJson(good).object();
    const QJsonObject signature = whole.value(u"signature"_s).toObject();
    const QByteArray other = signedBy(u"ada"_s, changed(u"title"_s, u"Another course"_s));
    const QJsonObject others = QJsonDocument::fromJson(other).object().value(u"signature"_s).toObject();
    const auto with = [&whole](const QString& path, const QJsonValue& value) {
        return textOf(test::putAt(whole, path.split(u'.'), value).toObject());
    };
    row(u"unsigned"_s, textOf(wholeClass()), Fate::NoWayOn);
    row(u"signature of another class"_s, with(u"signature"_s, others), Fate::NoWayOn);
    for (const auto& [path, value] :
        {std::pair(u"title"_s, QJsonValue(u"A coursE"_s)), std::pair(u"account"_s, QJsonValue(u"project_465000002"_s)),
            std::pair(u"cluster"_s, QJsonValue(u"practice"_s)), std::pair(u"limits.maxNodes"_s, QJsonValue(64)),
            std::pair(u"exercises.0.design.command"_s, QJsonValue(u"evil.py"_s)),
            std::pair(u"exercises.0.hints.0"_s, QJsonValue(u"Look!"_s)),
            std::pair(u"links.0.url"_s, QJsonValue(u"https://evil.example/"_s)),
            std::pair(u"progressFolder"_s, QJsonValue(u"/scratch/evil"_s)),
            std::pair(u"expires"_s, QJsonValue(u"2999-01-01"_s))})
        row(u"changed after signing: "_s + path, with(path, value), Fate::NoWayOn);
    const QByteArray another = signedBy(u"eve"_s, textOf(wholeClass()));
    row(u"replaced key, signed again"_s, another, Fate::NoWayOn); // the known one is another
    const QJsonObject eves = QJsonDocument::fromJson(another).object().value(u"signature"_s).toObject();
    row(u"replaced key, old signature"_s, with(u"signature.key"_s, eves.value(u"key"_s)), Fate::NoWayOn);
    row(u"old key, another's signature"_s, with(u"signature.value"_s, eves.value(u"value"_s)), Fate::NoWayOn);
    row(u"another purpose"_s, signedBy(u"ada"_s, textOf(wholeClass()), u"file"_s), Fate::NoWayOn);
    row(u"RSA"_s, signedBy(u"rsa"_s, textOf(wholeClass())));
    const QString key = signature.value(u"key"_s).toString(), value = signature.value(u"value"_s).toString();
    for (const QString& no :
        QStringList{QString(), key + u" cert-authority"_s, u"cert-authority "_s + key, key + u"\n"_s + key,
            u"ssh-ed25519 "_s, u"ssh-ed25519 ../../../etc/passwd"_s, u"ssh-dss AAAA"_s, key.toUpper()})
        row(u"key that is none"_s, with(u"signature.key"_s, no));
    for (const QString& no :
        QStringList{QString(), u"x"_s, value.left(100), u"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END-----"_s,
            value + u"\nmore"_s, QString(value).replace(u"SSH SIGNATURE"_s, u"PGP SIGNATURE"_s)})
        row(u"signature that is none"_s, with(u"signature.value"_s, no));
    row(u"half a signature"_s, with(u"signature.value"_s, QString(value).remove(40, 70)), Fate::Any);
    row(u"signature of zeros"_s,
        with(u"signature.value"_s, QString(value).replace(value.mid(40, 60), QString(60, u'A'))), Fate::Any);
    // Anybody can sign with these (tst_classsigner): y = 1, p - 1, 0, p, p + 1 and the points of order 8.
    for (const char* hex : {"0100000000000000000000000000000000000000000000000000000000000000",
             "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
             "0000000000000000000000000000000000000000000000000000000000000000",
             "0000000000000000000000000000000000000000000000000000000000000080",
             "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
             "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
             "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
             "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"}) {
        const QByteArray blob = QByteArray::fromHex("0000000b") + "ssh-ed25519" + QByteArray::fromHex("00000020")
            + QByteArray::fromHex(hex);
        row(u"weak key "_s + QString::fromLatin1(hex).left(4),
            with(u"signature.key"_s, QString(u"ssh-ed25519 "_s + QString::fromLatin1(blob.toBase64()))), Fate::NoWayOn);
    }
    for (const QString& day :
        {u"2020-01-01"_s, u"2026-01-01"_s, u"2025-12-31T23:59:59Z"_s, u"2025-06-01T00:00:00+14:00"_s}) {
        QJsonObject old = wholeClass();
        old.remove(u"reservation"_s);
        old.insert(u"expires"_s, day);
        row(u"expired "_s + day, signedBy(u"ada"_s, textOf(old)));
    }
    row(u"as it was signed"_s, good, Fate::Asked); // the known key: asked all the same
    row(u"a stranger's, in order"_s, signedBy(u"eve"_s, changed(u"author"_s, u"Eve"_s)), Fate::Asked);
}

void HostileClassesTest::addSizes()
{
    row(u"more than 1 MiB"_s, textOf(wholeClass()) + QByteArray(classbounds::bytes, ' '));
    row(u"10 MiB"_s, QByteArray(10 << 20, '['));
    row(u"nothing"_s, {});
    for (const int depth : {25, 1000, 400'000})
        for (const QByteArray& open : {QByteArray("["), QByteArray("{\"a\":")})
            row(u"%1 deep"_s.arg(depth),
                QByteArray("{\"format\":\"rankwright-class\",\"version\":1,\"a\":")
                    + open.repeated(depth / int(open.size())));
    QJsonArray exercises;
    for (int i = 0; i < 41; ++i)
        exercises.append(test::putAt(wholeClass().value(u"exercises"_s).toArray().first(), {u"id"_s}, u"e%1"_s.arg(i)));
    row(u"41 exercises"_s, changed(u"exercises"_s, exercises));
    for (const QString& path :
        {u"title"_s, u"author"_s, u"exercises.0.title"_s, u"exercises.0.checks.0.text"_s, u"links.0.title"_s})
        row(u"201 characters: "_s + path, changed(path, QString(201, u'x')));
    for (const QString& path : {u"about"_s, u"acknowledgement"_s, u"exercises.0.task"_s, u"exercises.0.solutionText"_s,
             u"exercises.0.checks.0.hint"_s})
        row(u"4001 characters: "_s + path, changed(path, QString(4001, u'x')));
    for (const double number : {0.0, -1.0, 0.5, 1e300})
        for (const QString& path : {u"limits.maxNodes"_s, u"exercises.0.checks.0.count"_s})
            row(u"%1 = %2"_s.arg(path).arg(number), changed(path, number));
    row(u"not a number"_s, textOf(wholeClass()).replace("\"value\": 1.5", "\"value\": 1e999"));
}

void HostileClassesTest::addPathsAndWords()
{
    const QStringList paths{u"container"_s, u"progressFolder"_s, u"exercises.0.design.workdir"_s,
        u"exercises.0.design.environment.container"_s};
    for (const QString& path : paths)
        for (const QString& value : {u"/a/../../etc"_s, u"../x"_s, u"~bob/x"_s, u"//host/share"_s, u"\\\\host\\share"_s,
                 u"file:///etc/passwd"_s, u"/a b"_s})
            row(path + u' ' + value, changed(path, value));
    const QStringList names{u"account"_s, u"partition"_s, u"reservation.name"_s, u"cluster"_s,
        u"exercises.0.design.name"_s, u"exercises.0.design.command"_s, u"exercises.0.design.options.qos"_s,
        u"exercises.0.design.environment.modules.0"_s};
    for (const QString& path : names)
        for (const QString& value : {u"x.py;touch started"_s, u"x.py $(touch started)"_s, u"x.py `touch started`"_s,
                 u"x.py | sh"_s, u"--wrap=sh"_s, u"x.py\n#SBATCH --wrap=sh"_s})
            row(path + u' ' + harmlessLine(value), changed(path, value));
    for (const QString& variable :
        {u"LD_PRELOAD"_s, u"PATH"_s, u"PYTHONSTARTUP"_s, u"BASH_ENV"_s, u"SLURM_CONF"_s, u"A=B;id"_s})
        row(u"variable "_s + variable,
            changed(u"exercises.0.design.environment.variables"_s, QJsonObject{{variable, u"/tmp/x"_s}}));
    for (const QString& url : {u"javascript:alert(1)"_s, u"http://docs.example/"_s, u"file:///etc/passwd"_s,
             u"data:text/html,x"_s, u"ssh://host"_s, u"https://docs.example@evil.example/"_s,
             u"https://docs.example/\nx"_s, u"https://docs.example/ x"_s, u"https://d\u043ecs.example/"_s,
             u"https://"_s, u"//evil.example"_s, u"https://a/\u202egpj"_s})
        row(u"link "_s + harmlessLine(url), changed(u"links.0.url"_s, url));
}

/// Control, invisible and direction-turning characters wherever a name or a text is shown.
void HostileClassesTest::addTexts()
{
    for (const QString& path : {u"title"_s, u"author"_s, u"exercises.0.title"_s, u"exercises.0.task"_s,
             u"exercises.0.hints.0"_s, u"exercises.0.checks.0.hint"_s, u"links.0.title"_s})
        for (const char16_t sign :
            {u'\u0000', u'\u0007', u'\u001b', u'\u0085', u'\u2028', u'\u200b', u'\u202e', u'\u2066', u'\ufeff'})
            row(u"%1 U+%2"_s.arg(path).arg(int(sign), 4, 16, QChar(u'0')),
                changed(path, QString(u"A "_s + QChar(sign) + u"course"_s)));
    row(u"rich text"_s, signedBy(u"eve"_s, changed(u"title"_s, u"<img src='file:///etc/passwd'><b>x</b>"_s)),
        Fate::Asked);
}

void HostileClassesTest::addMembers()
{
    for (const QString& path : {u"host"_s, u"login"_s, u"run"_s, u"command"_s, u"exercises.0.host"_s,
             u"exercises.0.run"_s, u"exercises.0.design.host"_s, u"limits.host"_s, u"reservation.host"_s,
             u"links.0.run"_s, u"exercises.0.checks.0.run"_s})
        row(u"member "_s + path, changed(path, u"evil.example"_s));
    const QByteArray whole = textOf(wholeClass());
    row(u"title twice"_s,
        QByteArray(whole).replace("\"title\": \"A course\"", "\"title\": \"A course\", \"title\": \"Another\""));
    row(u"command twice"_s, QByteArray(whole).replace("\"command\":", "\"command\": \"evil.py\", \"command\":"));
    row(u"newer"_s, changed(u"version"_s, 2));
    row(u"another format"_s, changed(u"format"_s, u"x"_s));
    row(u"a list"_s, "[]");
    row(u"a program"_s, "#!/bin/sh\ntouch started\n");
    row(u"an ELF file"_s,
        QByteArray("\x7f"
                   "ELF\0\0\0\0",
            8));
    row(u"UTF-16"_s, QByteArray("\xff\xfe{\0}\0", 6));
    row(
        u"a cluster that nobody knows"_s,
        [] {
            QJsonObject object = wholeClass();
            object.insert(u"cluster"_s, u"nowhere"_s);
            return textOf(object);
        }(),
        Fate::NoWayOn);
}

/// Not files at all: none may be waited for.
void HostileClassesTest::addOddFiles()
{
    const auto odd = [this](const QString& name, const QString& path) {
        ++m_rows;
        QTest::newRow(qPrintable(u"%1 %2"_s.arg(m_rows).arg(name))) << path << int(Fate::Refused);
    };
    const QString pipe = at(u"files/pipe.rwclass"_s);
    if (!QFile::exists(pipe)) {
        ::mkfifo(qPrintable(pipe), 0600);
        QFile::link(u"/dev/zero"_s, at(u"files/zero.rwclass"_s));
        QFile::link(at(u"nowhere"_s), at(u"files/dangling.rwclass"_s));
    }
    odd(u"a pipe"_s, pipe);
    odd(u"a device by a link"_s, at(u"files/zero.rwclass"_s));
    odd(u"a link to nothing"_s, at(u"files/dangling.rwclass"_s));
    odd(u"a folder"_s, at(u"files"_s));
    odd(u"a private file"_s, u"/etc/shadow"_s);
    odd(u"memory"_s, u"/proc/self/mem"_s);
}

void HostileClassesTest::opens_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("fate");
    m_rows = 0;
    addFlips();
    addSignatures();
    addSizes();
    addPathsAndWords();
    addTexts();
    addMembers();
    addOddFiles();
    m_filesBefore = files();
}

void HostileClassesTest::opens()
{
    QFETCH(const QString, path);
    QFETCH(const int, fate);
    ClassOpener& opener = m_bench->opener;
    QSignalSpy failures(&opener, &ClassOpener::failed), agreed(&opener, &ClassOpener::classAccepted);
    const JobSpec design = m_bench->design.spec();
    opener.open(path);
    QVERIFY(test::comes([&] { return !failures.isEmpty() || opener.question(); }));
    if (!failures.isEmpty()) {
        const QString why = failures.first().first().value<Error>().oneLine();
        QVERIFY2(Fate(fate) == Fate::Refused || Fate(fate) == Fate::Any, qPrintable(why));
        QVERIFY(!opener.question());
        QVERIFY2(!why.isEmpty() && why.size() < 700 && !why.contains(u'\n'), qPrintable(why));
        QVERIFY2(std::none_of(why.cbegin(), why.cend(), isHarmful), qPrintable(why));
        QVERIFY(!m_bench->window.findChild<Toasts*>()->textOf(Notice::Class).isEmpty());
    } else {
        QVERIFY2(Fate(fate) != Fate::Refused, "a question about a file that should be refused");
        ClassConsentDialog* question = opener.question();
        auto* accept = question->findChild<QPushButton*>(u"accept"_s);
        if (Fate(fate) != Fate::Any)
            QCOMPARE(accept != nullptr, Fate(fate) == Fate::Asked);
        QStringList said;
        for (const QLabel* label : question->findChildren<QLabel*>()) {
            QCOMPARE(label->textFormat(), Qt::PlainText);
            said.append(label->text());
        }
        QVERIFY2(said.join(u' ').contains(u"nothing on this computer"_s), qPrintable(said.join(u'\n'))); // its effects
        question->close();
        QTRY_VERIFY(!opener.question());
    }
    QVERIFY(agreed.isEmpty());
    QVERIFY(m_bench->design.spec() == design);
    QVERIFY(m_bench->connections.sessions().isEmpty()); // nothing was connected to
    QVERIFY(!QFile::exists(at(u"started"_s)));
    QCOMPARE(files(), m_filesBefore);
}

void HostileClassesTest::cleanupTestCase() { m_bench.reset(); }

RANKWRIGHT_WIDGET_TEST_MAIN(HostileClassesTest)
#include "tst_hostileclasses.moc"
