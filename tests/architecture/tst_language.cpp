// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>

using namespace Qt::StringLiterals;

/// Headers are plain technical English: a function is called by the verb of what it does, and comments have no words
/// that only this house uses. The same holds for the comments of all sources.
class LanguageTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void noMoreThanThereWere_data();
    void noMoreThanThereWere();
    void theRulesFindWhatTheyAreFor_data();
    void theRulesFindWhatTheyAreFor();

private:
    enum class Part { Code, Comments };
    enum class Files { Headers, Product, ProductAndTests };
    struct Rule {
        Files files;
        Part part;
        QRegularExpression pattern;
        int ceiling; ///< how many there are; lower it when there are fewer
    };
    static QMap<QString, Rule> rules();
    /// The code without its comments, or the comments without the code, line for line.
    static QString partOf(const QString& text, Part part);
    /// Headers of the product, all its sources, or those of the tests as well.
    static QStringList namesOf(Files files);
};

namespace {

const QString takes
    = u"take() removes and returns, as Qt's takeFirst(): else addTick(), handleFrame(), readWord() ..."_s;
const QString privateVerbs = u"check(), finish(), assess(), save(): not look(), settle(), judge(), keep()"_s;
const QString privateWords
    = u"again, this many, no one, prescribes, drops: not anew, so many, nobody, settles, lets go"_s;
const QString negatedNouns = u"\"is not a number\", \"is not a refusal\": not \"is no number\""_s;

} // namespace

QMap<QString, LanguageTest::Rule> LanguageTest::rules()
{
    const auto pattern = [](const char* text) {
        return QRegularExpression(QString::fromLatin1(text), QRegularExpression::MultilineOption);
    };
    return {
        {takes, {Files::Headers, Part::Code, pattern(R"(\b(?:void|bool) take(?:[A-Z]\w*)?\()"), 0}},
        {privateVerbs,
            {Files::Headers, Part::Code,
                pattern(R"((?<!return)[ &*](?:look|settle|judge|keep|letGo|handOn)(?:[A-Z]\w*)?\()"), 0}},
        {privateWords,
            {Files::Product, Part::Comments,
                pattern(R"((?i)\b(?:anew|so many|so much|so long|of now|of then|no matter|parted by|lets? go|nobody|)"
                        R"(settle[ds]?)\b)"),
                0}},
        {negatedNouns,
            {Files::ProductAndTests, Part::Comments,
                pattern(R"((?<![Tt]here )\b(?:is|are|was|were) no (?!longer\b)[a-z]+)"), 0}},
    };
}

QString LanguageTest::partOf(const QString& text, Part part)
{
    static const QRegularExpression comment(uR"((^|[ \t])//.*$)"_s);
    QStringList lines = text.split(u'\n');
    for (QString& line : lines) {
        const QString said = comment.match(line).captured(0);
        line = part == Part::Comments ? said : line.chopped(said.size());
    }
    return lines.join(u'\n');
}

QStringList LanguageTest::namesOf(Files files)
{
    const QStringList kinds = files == Files::Headers ? QStringList{u"*.h"_s} : QStringList{u"*.h"_s, u"*.cpp"_s};
    QStringList tops{u"models"_s, u"ssh"_s, u"widgets"_s, u"app"_s};
    if (files == Files::ProductAndTests)
        tops.append(u"tests"_s);
    QStringList names;
    const QString root = rankwright::test::sourcePath(u"/");
    for (const QString& top : std::as_const(tops)) {
        QDirIterator walk(root + top, kinds, QDir::Files, QDirIterator::Subdirectories);
        while (walk.hasNext())
            names.append(walk.next().mid(root.size()));
    }
    names.sort();
    return names;
}

void LanguageTest::noMoreThanThereWere_data()
{
    QTest::addColumn<QString>("rule");
    for (const QString& rule : rules().keys())
        QTest::newRow(qPrintable(rule)) << rule;
}

void LanguageTest::noMoreThanThereWere()
{
    QFETCH(QString, rule);
    const Rule given = rules().value(rule);
    QStringList places;
    for (const QString& name : namesOf(given.files)) {
        QFile file(rankwright::test::sourcePath(u"/") + name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = partOf(QString::fromUtf8(file.readAll()), given.part);
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

void LanguageTest::theRulesFindWhatTheyAreFor_data()
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
    bad(takes, "    void take(const NodeTick& tick);");
    bad(takes, "    virtual bool takeLine(const QString& line) = 0;");
    good(takes, "    Contents take();");
    good(takes, "    QByteArray takeOutput() { return std::exchange(m_output, {}); }");
    good(takes, "    void retake();");
    good(takes, "    void read(); // void take(int)");
    bad(privateVerbs, "    void look();");
    bad(privateVerbs, "    HistoryLook look() const;");
    bad(privateVerbs, "    virtual void lookAgain() = 0;");
    bad(privateVerbs, "QWidget* judge(int row);");
    bad(privateVerbs, "    void settle(qint64 nowMs);");
    bad(privateVerbs, "    void keepPlace();");
    good(privateVerbs, "    static qint64 lookbackMs(int gpus);");
    good(privateVerbs, "    QPushButton* hangLookButton() const { return m_look; }");
    good(privateVerbs, "    void evaluate(); ///< look() before");
    good(privateVerbs, "    JudgedBy judgedBy;");
    bad(privateWords, "/// So it begins anew.");
    bad(privateWords, "    int count = 0; ///< so many are asked");
    bad(privateWords, "    void end(); // nobody needs it");
    bad(privateWords, "/// Which settles the question.");
    good(privateWords, "    int settle = 0;");
    good(privateWords, "/// Starts again; no process needs it.");
    good(privateWords, "const auto nobody = u\"nobody\"_s;");
    bad(negatedNouns, "/// Empty: it is no number.");
    good(negatedNouns, "/// Empty: it is not a number.");
    good(negatedNouns, "/// Where there is no room for it.");
    bad(negatedNouns, "/// Two of them are no list.");
    good(negatedNouns, "/// What is no longer asked for.");
    good(negatedNouns, "/// There are no figures of it.");
    good(negatedNouns, "const auto text = u\"it is no number\"_s;");
}

void LanguageTest::theRulesFindWhatTheyAreFor()
{
    QFETCH(QString, rule);
    QFETCH(QString, text);
    QFETCH(bool, found);
    const QMap<QString, Rule> all = rules();
    QVERIFY(all.contains(rule));
    const Rule given = all.value(rule);
    QCOMPARE(given.pattern.match(partOf(text, given.part)).hasMatch(), found);
}

RANKWRIGHT_TEST_MAIN(LanguageTest)
#include "tst_language.moc"
