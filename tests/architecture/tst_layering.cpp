// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QTextStream>

using namespace Qt::StringLiterals;

/// Holds the house together: which folder may include which, who may name SQL, libssh, widgets and settings, how long
/// a file may be. The linker holds most of it already; one include root lets headers be seen without linking, hence
/// this.
class LayeringTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void foldersIncludeOnlyWhatTheyMay_data();
    void foldersIncludeOnlyWhatTheyMay();
    void modelsHaveNoCycles_data();
    void modelsHaveNoCycles();
    void onlyTheStoreKnowsSql();
    void onlySshKnowsLibssh();
    void onlyTheThemeHasColours();
    void filesStayReadable();
    void everyFileNamesItsLicence();

private:
    struct Include {
        QString file;
        int line;
        QString target;
    };
    static QStringList sources(const QString& folder);
    static QList<Include> includes(const QString& folder);
    static QStringList offending(const QString& folder, const QRegularExpression& pattern);
    static QString root() { return QStringLiteral(RANKWRIGHT_SOURCE_DIR); }
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

void LayeringTest::foldersIncludeOnlyWhatTheyMay_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QStringList>("allowed");
    QTest::newRow("models") << u"models"_s << QStringList{u"models/"_s};
    QTest::newRow("ssh") << u"ssh"_s << QStringList{u"ssh/"_s, u"models/core/"_s, u"models/remote/"_s};
    QTest::newRow("widgets") << u"widgets"_s << QStringList{u"widgets/"_s, u"models/"_s};
    QTest::newRow("app/store") << u"app/store"_s << QStringList{u"app/store/"_s, u"models/"_s};
    QTest::newRow("app") << u"app"_s << QStringList{u"app/"_s, u"models/"_s, u"ssh/"_s, u"widgets/"_s};
}

void LayeringTest::foldersIncludeOnlyWhatTheyMay()
{
    QFETCH(QString, folder);
    QFETCH(QStringList, allowed);
    for (const Include& include : includes(folder)) {
        const bool fine = std::any_of(
            allowed.begin(), allowed.end(), [&](const QString& prefix) { return include.target.startsWith(prefix); });
        QVERIFY2(fine, qPrintable(u"%1:%2 includes %3"_s.arg(include.file).arg(include.line).arg(include.target)));
        const bool windowOnly = include.target.startsWith(u"widgets/"_s) && folder == u"app"_s;
        if (windowOnly) {
            QVERIFY2(include.file.startsWith(u"app/window/"_s) || include.file == u"app/main.cpp"_s,
                qPrintable(u"%1 is part of the headless twin and includes %2"_s.arg(include.file, include.target)));
        }
    }
}

void LayeringTest::modelsHaveNoCycles_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QStringList>("below");
    const auto row = [](const char* folder, const QStringList& below) {
        QTest::newRow(folder) << QString::fromLatin1(folder) << (QStringList{QString::fromLatin1(folder)} + below);
    };
    row("core", {});
    row("catalogue", {u"core"_s});
    row("estimate", {u"core"_s, u"catalogue"_s});
    row("design", {u"core"_s, u"catalogue"_s, u"estimate"_s});
    row("planning", {u"core"_s, u"catalogue"_s, u"estimate"_s, u"design"_s});
    row("script", {u"core"_s, u"catalogue"_s, u"estimate"_s, u"design"_s});
    row("document", {u"core"_s, u"catalogue"_s, u"estimate"_s, u"design"_s, u"planning"_s, u"script"_s, u"slurm"_s});
    row("lint", {u"core"_s, u"catalogue"_s, u"estimate"_s, u"design"_s, u"script"_s, u"document"_s});
    row("remote", {u"core"_s});
    row("slurm", {u"core"_s, u"remote"_s});
    row("telemetry", {u"core"_s, u"catalogue"_s, u"remote"_s, u"slurm"_s});
    row("insight", {u"core"_s, u"remote"_s, u"slurm"_s, u"telemetry"_s});
    row("draft", {u"core"_s, u"catalogue"_s, u"remote"_s, u"slurm"_s});
    row("tables",
        {u"core"_s, u"catalogue"_s, u"estimate"_s, u"design"_s, u"planning"_s, u"script"_s, u"document"_s, u"slurm"_s,
            u"telemetry"_s});
}

void LayeringTest::modelsHaveNoCycles()
{
    QFETCH(QString, folder);
    QFETCH(QStringList, below);
    for (const Include& include : includes(u"models/"_s + folder)) {
        const QString target = include.target.section(u'/', 1, 1);
        QVERIFY2(below.contains(target),
            qPrintable(u"%1:%2 includes %3"_s.arg(include.file).arg(include.line).arg(include.target)));
    }
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
    // Colour literals live in theme and colormap alone, so that light and dark stay one decision.
    const QRegularExpression literal(uR"re(QColor\(\s*(0x|"#|\d)|#[0-9a-fA-F]{6}\b)re"_s);
    for (const QString& file : offending(u"widgets"_s, literal)) {
        const bool palette = file.startsWith(u"widgets/theme"_s) || file.startsWith(u"widgets/colormap"_s)
            || file.startsWith(u"widgets/stylesheet"_s);
        QVERIFY2(palette, qPrintable(file));
    }
    QCOMPARE(offending(u"models"_s, literal), QStringList());
}

void LayeringTest::filesStayReadable()
{
    // A file past 400 lines needs a reason, written here beside its name.
    const QMap<QString, QString> reasons = {};
    for (const QString& folder : {u"models"_s, u"ssh"_s, u"widgets"_s, u"app"_s}) {
        for (const QString& name : sources(folder)) {
            QFile file(root() + u'/' + name);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const auto lines = file.readAll().count('\n');
            QVERIFY2(lines <= 400 || reasons.contains(name), qPrintable(u"%1 has %2 lines"_s.arg(name).arg(lines)));
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
