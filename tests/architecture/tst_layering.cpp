// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QSet>
#include <QTextStream>

using namespace Qt::StringLiterals;

/// Holds the house together: which folder may include which (folders.txt), where a class and its members stand, who may
/// name SQL and libssh, how long a file may be. The linker holds the archives already; one include root lets headers be
/// seen without linking, hence this.
class LayeringTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void foldersIncludeOnlyWhatTheyMay_data();
    void foldersIncludeOnlyWhatTheyMay();
    void theFolderGraphHasNoCycle();
    void everyFolderIsDescribed();
    void everySourceIsBuilt();
    void everyStemIsAnAddress();
    void membersStandInTheFileOfTheirClass();
    void archivesHaveTheirNamespace();
    void jsonIsReadInOnePlace();
    void onlyTheStoreKnowsSql();
    void onlySshKnowsLibssh();
    void onlyTheThemeHasColours();
    void toolTipsReadNoMarkup();
    void filesStayReadable();
    void everyFileNamesItsLicence();

private:
    struct Include {
        QString file;
        int line;
        QString target;
    };
    /// folders.txt: each folder with the folders that it may include.
    static QMap<QString, QStringList> folders();
    static QStringList sources(const QString& folder);
    static QString text(const QString& name);
    static QString folderOf(const QString& file) { return file.section(u'/', 0, -2); }
    static QString stemOf(const QString& file) { return file.section(u'/', -1).section(u'.', 0, 0); }
    static QList<Include> includes(const QString& folder);
    static QStringList offending(const QString& folder, const QRegularExpression& pattern);
    static QString root() { return rankwright::test::sourcePath(); }
};

QStringList LayeringTest::sources(const QString& folder)
{
    QStringList files;
    QDirIterator walk(root() + u'/' + folder, {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (walk.hasNext())
        files.append(QDir(root()).relativeFilePath(walk.next()));
    files.sort();
    return files;
}

QList<LayeringTest::Include> LayeringTest::includes(const QString& folder)
{
    static const QRegularExpression own(uR"re(^\s*#\s*include\s+"([^"]+)")re"_s);
    QList<Include> found;
    for (const QString& name : sources(folder)) {
        QFile file(root() + u'/' + name);
        if (!file.open(QIODevice::ReadOnly | QIODevice::Text))
            continue;
        int number = 0;
        for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n')) {
            ++number;
            const auto match = own.match(line);
            if (match.hasMatch() && !match.captured(1).endsWith(u".moc"_s))
                found.append({name, number, match.captured(1)});
        }
    }
    return found;
}

QStringList LayeringTest::offending(const QString& folder, const QRegularExpression& pattern)
{
    QStringList found;
    for (const QString& name : sources(folder)) {
        QFile file(root() + u'/' + name);
        if (file.open(QIODevice::ReadOnly) && pattern.match(QString::fromUtf8(file.readAll())).hasMatch())
            found.append(name);
    }
    return found;
}

QMap<QString, QStringList> LayeringTest::folders()
{
    QMap<QString, QStringList> graph;
    for (const QString& line : text(u"tests/architecture/folders.txt"_s).split(u'\n', Qt::SkipEmptyParts)) {
        if (!line.startsWith(u'#'))
            graph.insert(line.section(u':', 0, 0), line.section(u':', 1).split(u' ', Qt::SkipEmptyParts));
    }
    return graph;
}

QString LayeringTest::text(const QString& name)
{
    QFile file(root() + u'/' + name);
    return file.open(QIODevice::ReadOnly | QIODevice::Text) ? QString::fromUtf8(file.readAll()) : QString();
}

void LayeringTest::foldersIncludeOnlyWhatTheyMay_data()
{
    QTest::addColumn<QString>("top");
    for (const char* top : {"models", "ssh", "widgets", "app"})
        QTest::newRow(top) << QString::fromLatin1(top);
}

void LayeringTest::foldersIncludeOnlyWhatTheyMay()
{
    QFETCH(QString, top);
    const QMap<QString, QStringList> graph = folders();
    QStringList offences;
    for (const Include& include : includes(top)) {
        const QString from = folderOf(include.file), to = folderOf(include.target);
        if (!graph.contains(from))
            offences.append(u"%1 is not in folders.txt"_s.arg(from));
        else if (from != to && !graph.value(from).contains(to))
            offences.append(u"%1:%2 includes %3"_s.arg(include.file).arg(include.line).arg(include.target));
    }
    offences.removeDuplicates();
    QCOMPARE(offences.join(u"\n"_s), QString());
}

void LayeringTest::theFolderGraphHasNoCycle()
{
    // Taking away, again and again, the folders that include none of the rest leaves nothing unless there is a cycle.
    QMap<QString, QStringList> rest = folders();
    for (bool found = true; found && !rest.isEmpty();) {
        found = false;
        for (const QString& folder : rest.keys()) {
            const QStringList below = rest.value(folder);
            if (std::none_of(below.begin(), below.end(), [&](const QString& name) { return rest.contains(name); })) {
                rest.remove(folder);
                found = true;
            }
        }
    }
    QCOMPARE(rest.keys(), QStringList());
}

void LayeringTest::everyFolderIsDescribed()
{
    const QString described = text(u"docs/architecture.md"_s);
    for (const QString& folder : folders().keys()) {
        QVERIFY2(described.contains(u'`' + folder + u'`'), qPrintable(folder));
        QVERIFY2(!sources(folder).isEmpty(), qPrintable(folder + u" has no sources"_s));
    }
}

void LayeringTest::everySourceIsBuilt()
{
    // Sources are named in the CMakeLists.txt of their folder: one that nobody names is dead.
    for (const QString& top : {u"models"_s, u"ssh"_s, u"widgets"_s, u"app"_s}) {
        for (const QString& file : sources(top)) {
            const QString name = file.section(u'/', -1);
            const QRegularExpression named(
                u"(^|[\\s(])%1($|[\\s)])"_s.arg(QRegularExpression::escape(name)), QRegularExpression::MultilineOption);
            QVERIFY2(text(folderOf(file) + u"/CMakeLists.txt"_s).contains(named), qPrintable(file));
        }
    }
}

void LayeringTest::everyStemIsAnAddress()
{
    QHash<QString, QString> folderOfStem;
    QHash<QString, QSet<QString>> modules;
    for (const QString& top : {u"models"_s, u"ssh"_s, u"widgets"_s, u"app"_s}) {
        for (const QString& file : sources(top)) {
            const QString stem = stemOf(file), folder = folderOf(file);
            QVERIFY2(folderOfStem.value(stem, folder) == folder,
                qPrintable(u"%1 stands in %2 and in %3"_s.arg(stem, folderOfStem.value(stem), folder)));
            folderOfStem.insert(stem, folder);
            modules[folder].insert(stem);
        }
    }
    for (auto it = modules.cbegin(); it != modules.cend(); ++it)
        QVERIFY2(it->size() <= 30, qPrintable(u"%1 holds %2 modules"_s.arg(it.key()).arg(it->size())));
}

void LayeringTest::membersStandInTheFileOfTheirClass()
{
    // A member function is beside the header that declares its class, and a class (keyword class) that has several
    // of them in the file of its name.
    static const QRegularExpression declaration(
        uR"(^(class|struct)\s+(\w+)[^;{]*\{)"_s, QRegularExpression::MultilineOption);
    static const QRegularExpression member(
        uR"(^(?![ \t#/]|return|using)(?:[\w:<>&*,\[\] ]+?[ &*])?(\w+)::(?:~?\w+|operator\S+)\()"_s,
        QRegularExpression::MultilineOption);
    // Several small classes of one kind that are only used together: writer, reader and cursor of one column, and the
    // two ends of one block of sums, each holding one format of bytes.
    const QSet<QString> together{
        u"ColumnWriter"_s, u"ColumnReader"_s, u"ColumnCursor"_s, u"LevelBlock"_s, u"LevelSums"_s};
    QHash<QString, QStringList> stems;
    QSet<QString> classes;
    const QStringList tops{u"models"_s, u"ssh"_s, u"widgets"_s, u"app"_s};
    for (const QString& top : tops) {
        for (const QString& file : sources(top)) {
            if (!file.endsWith(u".h"_s))
                continue;
            for (auto it = declaration.globalMatch(text(file)); it.hasNext();) {
                const auto match = it.next();
                stems[match.captured(2)].append(stemOf(file));
                if (match.captured(1) == u"class"_s)
                    classes.insert(match.captured(2));
            }
        }
    }
    QStringList offences;
    for (const QString& top : tops) {
        for (const QString& file : sources(top)) {
            if (!file.endsWith(u".cpp"_s))
                continue;
            QHash<QString, int> members;
            for (auto it = member.globalMatch(text(file)); it.hasNext();)
                ++members[it.next().captured(1)];
            for (auto it = members.cbegin(); it != members.cend(); ++it) {
                if (!stems.contains(it.key()))
                    continue; // of this file alone
                if (!stems.value(it.key()).contains(stemOf(file)))
                    offences.append(u"%1: members of %2"_s.arg(file, it.key()));
                else if (*it > 3 && classes.contains(it.key()) && it.key().toLower() != stemOf(file)
                    && !together.contains(it.key()))
                    offences.append(u"%1: the class %2 should stand in %3"_s.arg(file, it.key(), it.key().toLower()));
            }
        }
    }
    offences.sort();
    QCOMPARE(offences.join(u"\n"_s), QString());
}

/// models/ARCHIVE/... is namespace rankwright::inline ARCHIVE: its names are rankwright's too, and where two archives
/// have the same one, the namespace says which is meant.
void LayeringTest::archivesHaveTheirNamespace()
{
    static const QRegularExpression opened(uR"(^namespace rankwright\b[\w: ]*)"_s, QRegularExpression::MultilineOption);
    QStringList offences;
    for (const QString& file : sources(u"models"_s)) {
        const QString expected = u"namespace rankwright::inline "_s + file.section(u'/', 1, 1);
        const QString source = text(file);
        bool own = false;
        for (auto match = opened.globalMatch(source); match.hasNext();) {
            const QString name = match.next().captured(0).trimmed();
            own = own || name == expected || name.startsWith(expected + u"::"_s);
            if (!name.startsWith(u"namespace rankwright::inline "_s))
                offences.append(file + u": "_s + name);
        }
        if (!own)
            offences.append(file + u": not in "_s + expected);
    }
    QCOMPARE(offences.join(u'\n'), QString());
}

/// What is ours or a person's goes through JsonReader, which names the place of a fault. A tool's output and a line of
/// a log are read where they are met: what is not JSON there is not an error.
void LayeringTest::jsonIsReadInOnePlace()
{
    static const QRegularExpression parse(u"QJsonDocument::fromJson"_s);
    QStringList readers;
    for (const QString& folder : {u"models"_s, u"ssh"_s, u"widgets"_s, u"app"_s})
        readers += offending(folder, parse);
    QCOMPARE(readers.join(u' '),
        u"models/core/jsonreader.cpp models/insight/progress/frameworkline.cpp models/insight/telemetry/tools/tooljson.cpp"_s);
}

void LayeringTest::onlyTheStoreKnowsSql()
{
    const QRegularExpression sql(uR"(#include <QSql|\bSELECT\b.*\bFROM\b)"_s);
    for (const QString& folder : {u"models"_s, u"ssh"_s, u"widgets"_s})
        QCOMPARE(offending(folder, sql), QStringList());
    for (const QString& file : offending(u"app"_s, sql))
        QVERIFY2(file.startsWith(u"app/store/"_s), qPrintable(file));
}

void LayeringTest::onlySshKnowsLibssh()
{
    const QRegularExpression libssh(uR"(#include <libssh/)"_s);
    for (const QString& folder : {u"models"_s, u"app"_s, u"widgets"_s})
        QCOMPARE(offending(folder, libssh), QStringList());
}

void LayeringTest::onlyTheThemeHasColours()
{
    // Colour literals live in theme and colourmap alone, so that light and dark stay one decision.
    const QRegularExpression literal(uR"re(QColor\(\s*(0x|"#|\d)|#[0-9a-fA-F]{6}\b)re"_s);
    for (const QString& file : offending(u"widgets"_s, literal)) {
        const bool palette = file.startsWith(u"widgets/base/theme"_s) || file.startsWith(u"widgets/base/colourmap"_s)
            || file.startsWith(u"widgets/base/stylesheet"_s);
        QVERIFY2(palette, qPrintable(file));
    }
    QCOMPARE(offending(u"models"_s, literal), QStringList());
}

void LayeringTest::toolTipsReadNoMarkup()
{
    // What a cluster, a log or a design wrote is shown as it is: every tool tip goes through the helper that escapes
    // it.
    static const QRegularExpression shown(u"QToolTip::showText\\(([^;]*);"_s);
    QStringList offences;
    int seen = 0;
    for (const QString& file : sources(u"widgets"_s)) {
        const QString source = text(file);
        for (auto match = shown.globalMatch(source); match.hasNext();) {
            ++seen;
            const QString call = match.next().captured(1);
            if (!call.contains(u"richToolTip("_s) && !call.contains(u"unfoldedToolTip("_s))
                offences.append(file + u": "_s + call.simplified());
        }
    }
    QVERIFY(seen > 8);
    QCOMPARE(offences.join(u'\n'), QString());
}

void LayeringTest::filesStayReadable()
{
    // A file past 600 lines needs a reason, written here beside its name; a class is never cut for its size alone.
    const QMap<QString, QString> reasons = {
        {u"models/planner/design/resolve.cpp"_s,
            u"one class: every field of a design, in the order in which they follow"_s},
        {u"widgets/form/designform.cpp"_s,
            u"one class: rows, folds and search of a form, and what an author's script allows"_s},
        {u"widgets/script/scripteditor.cpp"_s, u"one class: keys, marks and places of the text that people type in"_s},
    };
    for (const QString& folder : {u"models"_s, u"ssh"_s, u"widgets"_s, u"app"_s}) {
        for (const QString& name : sources(folder)) {
            const auto lines = text(name).count(u'\n');
            QVERIFY2(lines <= 600 || reasons.contains(name), qPrintable(u"%1 has %2 lines"_s.arg(name).arg(lines)));
        }
    }
}

void LayeringTest::everyFileNamesItsLicence()
{
    for (const QString& folder : {u"models"_s, u"ssh"_s, u"widgets"_s, u"app"_s, u"tests"_s}) {
        for (const QString& name : sources(folder)) {
            QFile file(root() + u'/' + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(file.read(400).contains("SPDX-License-Identifier: GPL-3.0-or-later"), qPrintable(name));
        }
    }
}

RANKWRIGHT_TEST_MAIN(LayeringTest)
#include "tst_layering.moc"
