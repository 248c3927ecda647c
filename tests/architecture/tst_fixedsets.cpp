// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>

using namespace Qt::StringLiterals;

/// What is one of a fixed set is an enum, what is unknown an empty optional, and a parameter says at the call what it
/// is. Older places that do otherwise are counted: their number may only shrink.
class FixedSetsTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void noMoreThanThereWere_data();
    void noMoreThanThereWere();
    void theRulesFindWhatTheyAreFor_data();
    void theRulesFindWhatTheyAreFor();

private:
    struct Rule {
        QString suffixes; ///< of the files that it is for, by spaces
        QRegularExpression pattern;
        int ceiling; ///< how many there are; lower it when there are fewer
        QString except; ///< the file in which they may stand
    };
    static QMap<QString, Rule> rules();
    static QString withoutComments(QString text);
    static QString withoutValues(QString text);
    static QString seenBy(const QString& rule, const QString& text);
    static QStringList sources(const Rule& rule);
};

namespace {

const QString sentinelMembers = u"unknown is an empty optional, not a member of -1"_s;
const QString unknownComments = u"unknown is an empty optional, not a number that a comment explains"_s;
const QString boolParameters
    = u"a bool beside other parameters cannot be read at the call: an enum, or two functions"_s;
const QString alertIds = u"the id of an alert is an AlertKind"_s;
const QString comparedKinds = u"a kind is compared with an enumerator, not with a text"_s;

} // namespace

QMap<QString, FixedSetsTest::Rule> FixedSetsTest::rules()
{
    const auto pattern = [](const char* text) {
        return QRegularExpression(QString::fromLatin1(text), QRegularExpression::MultilineOption);
    };
    const QString headers = u"h"_s, both = u"cpp h"_s;
    return {
        // What is left is POSIX's own value for no descriptor, as poll(2) takes it.
        {sentinelMembers, {headers, pattern(R"(^ +[A-Za-z_][\w:<>, ]* \w+ = -1;)"), 1, {}}},
        {unknownComments, {headers, pattern(R"(//.*(\b0|-1):? (is |means )?(not known|unknown)\b)"), 0, {}}},
        {boolParameters, {headers, pattern(R"(,\s*bool \w+(?= = |[,)])|\(\s*bool \w+( = \w+)?(?=,))"), 0, {}}},
        {alertIds, {both, pattern(R"("A\d\d\b)"), 0, u"models/insight/alerts/alertkind.cpp"_s}},
        {comparedKinds, {both, pattern(R"re((\.|->)(kind|rule) [!=]= u?")re"), 0, {}}},
    };
}

/// Of a rule that is not for comments.
QString FixedSetsTest::withoutComments(QString text)
{
    static const QRegularExpression comment(uR"((^|[ \t])//.*$)"_s, QRegularExpression::MultilineOption);
    return text.remove(comment);
}

/// A bool that is itself the value: what setX(..., bool on) sets, and flag("key", bool value) writes or reads.
QString FixedSetsTest::withoutValues(QString text)
{
    static const QRegularExpression set(
        uR"((\bset[A-Z]\w*\([^(){};]*),\s*bool (?:on|enabled|visible|checked)(?=\)))"_s);
    static const QRegularExpression flag(
        uR"((\bflag\(const QString& \w+)(?:,\s*bool (?:value|fallback|whenMissing))+(?=\)))"_s);
    return text.replace(set, u"\\1"_s).replace(flag, u"\\1"_s);
}

QString FixedSetsTest::seenBy(const QString& rule, const QString& text)
{
    if (rule == unknownComments)
        return text;
    return rule == boolParameters ? withoutValues(withoutComments(text)) : withoutComments(text);
}

QStringList FixedSetsTest::sources(const Rule& rule)
{
    QStringList names;
    const QString root = rankwright::test::sourcePath(u"/");
    for (const QString& top : {u"models"_s, u"ssh"_s, u"widgets"_s, u"app"_s}) {
        QDirIterator walk(root + top, QDir::Files, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            const QString name = walk.next().mid(root.size());
            if (rule.suffixes.split(u' ').contains(name.section(u'.', -1)) && name != rule.except)
                names.append(name);
        }
    }
    names.sort();
    return names;
}

void FixedSetsTest::noMoreThanThereWere_data()
{
    QTest::addColumn<QString>("rule");
    for (const QString& rule : rules().keys())
        QTest::newRow(qPrintable(rule)) << rule;
}

void FixedSetsTest::noMoreThanThereWere()
{
    QFETCH(QString, rule);
    const Rule given = rules().value(rule);
    QStringList places;
    for (const QString& name : sources(given)) {
        QFile file(rankwright::test::sourcePath(u"/") + name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = seenBy(rule, QString::fromUtf8(file.readAll()));
        for (auto match = given.pattern.globalMatch(text); match.hasNext();) {
            const auto found = match.next();
            places.append(u"%1:%2: %3"_s.arg(name)
                              .arg(text.left(found.capturedStart()).count(u'\n') + 1)
                              .arg(found.captured(0).simplified()));
        }
    }
    QVERIFY2(places.size() <= given.ceiling,
        qPrintable(u"%1: %2 places, %3 are allowed\n%4"_s.arg(rule)
                       .arg(places.size())
                       .arg(given.ceiling)
                       .arg(places.join(u'\n'))));
    QVERIFY2(places.size() == given.ceiling,
        qPrintable(u"%1: only %2 places are left; make this the ceiling"_s.arg(rule).arg(places.size())));
}

void FixedSetsTest::theRulesFindWhatTheyAreFor_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("found");
    const auto bad = [](const QString& rule, const char* text) {
        QTest::newRow(text) << rule << QString::fromLatin1(text) << true;
    };
    const auto good = [](const QString& rule, const char* text) {
        QTest::newRow(text) << rule << QString::fromLatin1(text) << false;
    };
    bad(sentinelMembers, "    int stage = -1; ///< -1: none");
    bad(sentinelMembers, "    mutable qint64 m_version = -1;");
    good(sentinelMembers, "    std::optional<int> stage;");
    good(sentinelMembers, "    int end = at - 1;");
    bad(unknownComments, "    int nodes = 0; ///< 0: not known");
    bad(unknownComments, "    int nodes = 0; ///< asked for; 0 not known");
    bad(unknownComments, "    int row; // -1 is unknown");
    good(unknownComments, "    std::optional<int> nodes; ///< empty: not known");
    good(unknownComments, "    int nodes = 0; ///< 10: not known");
    bad(boolParameters, "void write(const QString& text, bool onOneLine);");
    bad(boolParameters, "void write(const QString& text,\n    bool onOneLine = false);");
    bad(boolParameters, "void write(bool onOneLine, const QString& text);");
    bad(boolParameters, "void setText(const QString& text, bool onOneLine);");
    bad(boolParameters, "void setRow(int row, bool visible, bool bold);");
    bad(boolParameters, "void write(const QString& text, bool on);");
    bad(boolParameters, "bool flagged(const QString& key, bool fallback);");
    bad(boolParameters, "bool flag(const QString& key, bool inQuotes);");
    good(boolParameters, "void setOnOneLine(bool on);");
    good(boolParameters, "void setRowVisible(int row, bool visible);");
    good(boolParameters, "void setOpen(const QString& path,\n    bool on);");
    good(boolParameters, "bool flag(const QString& key, bool fallback) const;");
    good(boolParameters, "Writer& flag(const QString& key, bool value, bool whenMissing);");
    good(boolParameters, "void write(const QString& text, Layout layout = Layout::OneLine);");
    good(boolParameters, "void write(const QString& text); // , bool onOneLine)");
    bad(alertIds, "    return alert.rule == u\"A01\"_s;");
    bad(alertIds, "    const char* silences = \"A02 A03\";");
    good(alertIds, "    FixedWord<AlertKind> rule; ///< as its id (\"A12\")");
    good(alertIds, "    const auto gpu = u\"A100\"_s;");
    bad(comparedKinds, "    if (one.kind == u\"hang\")");
    bad(comparedKinds, "    if (one->rule != u\"gpu-memory\"_s)");
    good(comparedKinds, "    if (one.isOf(AlertKind::Hang))");
}

void FixedSetsTest::theRulesFindWhatTheyAreFor()
{
    QFETCH(QString, rule);
    QFETCH(QString, text);
    QFETCH(bool, found);
    const QMap<QString, Rule> all = rules();
    QVERIFY(all.contains(rule));
    QCOMPARE(all.value(rule).pattern.match(seenBy(rule, text)).hasMatch(), found);
}

RANKWRIGHT_TEST_MAIN(FixedSetsTest)
#include "tst_fixedsets.moc"
