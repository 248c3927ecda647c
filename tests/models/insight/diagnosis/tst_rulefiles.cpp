// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/cluefinder.h"
#include "models/insight/diagnosis/diagnosisrules.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QSet>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// Texts that an expression may match, chosen by chance. Look-around is left out: the caller asks the expression.
class PatternText {
public:
    PatternText(const QString& pattern, QRandomGenerator& random) : m_pattern(pattern), m_random(random) { }
    /// One for each alternative.
    QStringList next()
    {
        m_at = 0;
        QStringList texts{sequence()};
        while (skip(u"|"))
            texts.append(sequence());
        return texts;
    }

private:
    bool isNext(char16_t letter) const { return m_at < m_pattern.size() && m_pattern.at(m_at) == letter; }
    bool skip(QStringView text)
    {
        const bool isThere = QStringView(m_pattern).sliced(m_at).startsWith(text);
        m_at += isThere ? text.size() : 0;
        return isThere;
    }
    QString alternatives()
    {
        QStringList texts{sequence()};
        while (skip(u"|"))
            texts.append(sequence());
        return texts.at(m_random.bounded(texts.size()));
    }
    QString sequence()
    {
        QString text;
        while (m_at < m_pattern.size() && !isNext(u'|') && !isNext(u')'))
            text += repeated();
        return text;
    }
    QString repeated()
    {
        static const QRegularExpression quantifier(uR"(\?|\*|\+|\{(\d+)(?:,(\d*))?\})"_s);
        const qsizetype begin = m_at;
        QString text = atom();
        const qsizetype behind = m_at;
        const auto match = quantifier.match(
            m_pattern, m_at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
        if (!match.hasMatch())
            return text;
        int least = match.captured(1).toInt(), most = least;
        switch (match.capturedView().front().unicode()) {
        case u'?': most = 1; break;
        case u'*': most = 3; break;
        case u'+':
            least = 1;
            most = 3;
            break;
        default: most = match.captured(2).isEmpty() ? least : match.captured(2).toInt(); break;
        }
        text.clear();
        for (int left = least + m_random.bounded(most - least + 1); left > 0; --left) {
            m_at = begin;
            text += atom();
        }
        m_at = behind + match.capturedLength();
        skip(u"?");
        return text;
    }
    QString atom()
    {
        const qsizetype begin = m_at;
        const QChar letter = m_pattern.at(m_at++);
        if (letter == u'(') {
            const bool isLookaround = skip(u"?=") || skip(u"?!") || skip(u"?<=") || skip(u"?<!");
            if (skip(u"?<"))
                m_at = m_pattern.indexOf(u'>', m_at) + 1;
            else
                skip(u"?:");
            const QString inner = alternatives();
            skip(u")");
            return isLookaround ? QString() : inner;
        }
        if (letter == u'^' || letter == u'$')
            return {};
        if (letter == u'[') {
            skip(u"^");
            for (bool isFirst = true; isFirst || !isNext(u']'); isFirst = false)
                m_at += isNext(u'\\') ? 2 : 1;
            ++m_at;
            return character(m_pattern.sliced(begin, m_at - begin));
        }
        if (letter == u'\\') {
            const QChar kind = m_pattern.at(m_at++);
            if (kind == u'b')
                return {};
            return kind.isLetter() ? character(u"\\"_s + kind) : QString(kind);
        }
        return letter == u'.' ? character(u"."_s) : QString(letter);
    }
    /// One that the class has.
    QString character(const QString& kind)
    {
        QString& all = m_characters[kind];
        if (all.isEmpty()) {
            const QRegularExpression expression(u"^"_s + kind + u'$');
            for (char16_t letter = 0x20; letter < 0x7f; ++letter)
                all += expression.match(QString(QChar(letter))).hasMatch() ? QString(QChar(letter)) : QString();
        }
        return all.at(m_random.bounded(all.size()));
    }

    QHash<QString, QString> m_characters; ///< of each class
    QString m_pattern;
    QRandomGenerator& m_random;
    qsizetype m_at = 0;
};

QString inRandomCase(QString text, QRandomGenerator& random)
{
    for (QChar& letter : text)
        letter = random.bounded(2) == 0 ? letter.toUpper() : letter.toLower();
    return text;
}

bool isMatch(int rule, const QString& line)
{
    const DiagnosisRule& tried = diagnosisRules().at(rule);
    const bool isRefused = !tried.unless.pattern().isEmpty() && tried.unless.match(line).hasMatch();
    return !isRefused && tried.pattern.match(line).hasMatch();
}

bool isCandidate(int rule, const QString& line) { return diagnosisClues().find(line.toUtf8()).contains(rule); }

QString tierWord(DiagnosisRule::Tier tier)
{
    static const QStringList words{
        u"machine"_s, u"cause"_s, u"communication"_s, u"echo"_s, u"ending"_s, u"unexplained"_s};
    return words.at(int(tier));
}

/// A rule with what each needs, and these members instead.
QJsonObject fileWith(const QJsonObject& changed)
{
    QJsonObject rule{{u"id"_s, u"one"_s}, {u"class"_s, u"oom_gpu"_s}, {u"tier"_s, u"cause"_s},
        {u"pattern"_s, QJsonArray{u"abcd"_s, u"e(?:f|g)hi"_s}}, {u"advice"_s, u"Do."_s}, {u"source"_s, u"None"_s},
        {u"example"_s, QJsonArray{u"abcd"_s}}, {u"notExample"_s, QJsonArray{u"abc"_s}}};
    for (auto member = changed.begin(); member != changed.end(); ++member)
        rule.insert(member.key(), member.value());
    return {{u"rules"_s, QJsonArray{rule}}};
}

} // namespace

/// The known failures of resources/diagnosis: that the files are right, and that each rule catches what it says.
class RuleFilesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void filesAreRead();
    void alternativesAreWhole();
    void examples_data();
    void examples();
    void cluesLetMatchesThrough_data();
    void cluesLetMatchesThrough();
    void countedRulesSeeWhatBeginsAnew();
    void pageListsThem();
    void wholeRule();
    void faults_data();
    void faults();
};

void RuleFilesTest::filesAreRead()
{
    const auto rules = readBuiltInRules();
    QVERIFY2(rules.hasValue(), rules ? "" : qPrintable(rules.error().oneLine()));
    QCOMPARE(rules->size(), diagnosisRules().size());
    QSet<QString> ids, kinds;
    QHash<DiagnosisRule::Role, int> roles;
    for (const DiagnosisRule& rule : *rules) {
        QVERIFY2(!ids.contains(rule.id), qPrintable(rule.id));
        ids.insert(rule.id);
        kinds.insert(rule.kind);
        ++roles[rule.role];
        QVERIFY2(rule.pattern.isValid(), qPrintable(rule.id));
        QCOMPARE(diagnosisRule(rule.id)->id, rule.id);
    }
    QVERIFY(kinds.size() >= 35);
    QCOMPARE(diagnosisRule(u"none"_s), nullptr);
    using Role = DiagnosisRule::Role;
    for (const Role role :
        {Role::Exception, Role::Exit, Role::Processor, Role::JobCancelled, Role::StepCancelled, Role::Preempted})
        QCOMPARE(roles.value(role), 1); // the search for the cause asks for the one
    QVERIFY(roles.value(Role::LostPeer) >= 1);
}

/// No alternative reaches over the border of two.
void RuleFilesTest::alternativesAreWhole()
{
    for (const QString& name : QDir(u":/diagnosis"_s).entryList()) {
        QFile file(u":/diagnosis/"_s + name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        for (const QJsonValue rule : QJsonDocument::fromJson(file.readAll())[u"rules"_s].toArray()) {
            const QJsonArray both[] = {rule[u"pattern"_s].toArray(), rule[u"unless"_s].toArray()};
            for (const QJsonArray& alternatives : both) {
                for (const QJsonValue one : alternatives)
                    QVERIFY2(QRegularExpression(one.toString()).isValid(), qPrintable(one.toString()));
            }
        }
    }
}

void RuleFilesTest::examples_data()
{
    QTest::addColumn<int>("rule");
    for (int i = 0; i < int(diagnosisRules().size()); ++i)
        QTest::newRow(qPrintable(diagnosisRules().at(i).id)) << i;
}

void RuleFilesTest::examples()
{
    QFETCH(int, rule);
    const DiagnosisRule& tried = diagnosisRules().at(rule);
    for (const QString& line : tried.examples) {
        QVERIFY2(isMatch(rule, line), qPrintable(line));
        QVERIFY2(isCandidate(rule, line), qPrintable(line));
    }
    for (const QString& line : tried.counterexamples)
        QVERIFY2(!isMatch(rule, line), qPrintable(line));
}

void RuleFilesTest::cluesLetMatchesThrough_data() { examples_data(); }

void RuleFilesTest::cluesLetMatchesThrough()
{
    QFETCH(int, rule);
    const QRegularExpression pattern = diagnosisRules().at(rule).pattern;
    QVERIFY2(!diagnosisRules().at(rule).clues.isEmpty(), "the rule is tried on every line: give it a word");
    QRandomGenerator random(quint32(rule) + 1);
    PatternText texts(pattern.pattern(), random);
    int matches = 0;
    for (int i = 0; i < 50; ++i) {
        for (const QString& text : texts.next()) {
            const QString line = inRandomCase(text, random);
            if (!pattern.match(line).hasMatch())
                continue; // a look-around or a place did not fit
            ++matches;
            QVERIFY2(isCandidate(rule, line), qPrintable(line));
        }
    }
    QVERIFY2(matches >= 10, qPrintable(QString::number(matches)));
}

/// A step that was not skipped, gradients that are numbers: lines that the pattern itself does not match.
void RuleFilesTest::countedRulesSeeWhatBeginsAnew()
{
    int counted = 0;
    QRandomGenerator random(3);
    for (int i = 0; i < int(diagnosisRules().size()); ++i) {
        const DiagnosisRule& rule = diagnosisRules().at(i);
        if (rule.repeats == 1 || rule.unless.pattern().isEmpty())
            continue;
        ++counted;
        PatternText texts(rule.unless.pattern(), random);
        for (int round = 0; round < 100; ++round) {
            for (const QString& line : texts.next())
                QVERIFY2(isCandidate(i, line), qPrintable(line));
        }
    }
    QVERIFY(counted >= 2);
}

void RuleFilesTest::pageListsThem()
{
    QFile page(test::sourcePath(u"/docs/diagnosis.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    QStringList listed;
    for (const QString& line : QString::fromUtf8(page.readAll()).split(u'\n')) {
        if (line.startsWith(u"| `"_s) && line.count(u'|') == 6)
            listed.append(line);
    }
    QStringList rules;
    for (const DiagnosisRule& rule : diagnosisRules())
        rules.append(
            u"| `%1` | `%2` | %3 | %4 | %5 |"_s.arg(rule.id, rule.kind, tierWord(rule.tier), rule.advice, rule.source));
    QCOMPARE(listed, rules);
}

void RuleFilesTest::wholeRule()
{
    const auto rules = readDiagnosisRules(fileWith({{u"role"_s, u"exit"_s}, {u"unless"_s, QJsonArray{u"x"_s, u"y"_s}},
        {u"warning"_s, true}, {u"repeats"_s, 4}, {u"health"_s, true}, {u"beforeEnding"_s, true},
        {u"survivable"_s, true}, {u"showsEnd"_s, true}, {u"fromOutside"_s, true}, {u"signal"_s, 9}}));
    QVERIFY(rules.hasValue());
    const DiagnosisRule& rule = rules->first();
    QCOMPARE(rule.pattern.pattern(), u"abcd|e(?:f|g)hi"_s);
    QCOMPARE(rule.unless.pattern(), u"x|y"_s);
    QCOMPARE(rule.role, DiagnosisRule::Role::Exit);
    QCOMPARE(rule.tier, DiagnosisRule::Cause);
    QVERIFY(rule.isWarning && rule.isHealth && rule.isBeforeEnding && rule.isSurvivable && rule.showsEnd);
    QVERIFY(rule.isFromOutside);
    QCOMPARE(rule.repeats, 4);
    QCOMPARE(rule.signal, 9);
    const auto plain = readDiagnosisRules(fileWith({}));
    QVERIFY(plain.hasValue());
    QCOMPARE(plain->first().role, DiagnosisRule::Role::None);
    QCOMPARE(plain->first().repeats, 1);
    QVERIFY(!plain->first().isWarning && !plain->first().showsEnd && plain->first().unless.pattern().isEmpty());
}

void RuleFilesTest::faults_data()
{
    QTest::addColumn<QJsonObject>("file");
    QTest::addColumn<QString>("names");
    const auto row
        = [](const char* name, const QJsonObject& file, const QString& names) { QTest::newRow(name) << file << names; };
    row("no rules", {}, u"$.rules"_s);
    row("no id", fileWith({{u"id"_s, u""_s}}), u"$.rules[0].id"_s);
    row("no class", fileWith({{u"class"_s, QJsonValue::Null}}), u"$.rules[0].class"_s);
    row("no tier", fileWith({{u"tier"_s, QJsonValue::Null}}), u"$.rules[0].tier"_s);
    row("tier not known", fileWith({{u"tier"_s, u"first"_s}}), u"$.rules[0].tier"_s);
    row("role not known", fileWith({{u"role"_s, u"king"_s}}), u"$.rules[0].role"_s);
    row("no pattern", fileWith({{u"pattern"_s, QJsonArray()}}), u"$.rules[0].pattern"_s);
    row("pattern as text", fileWith({{u"pattern"_s, u"abcd"_s}}), u"$.rules[0].pattern"_s);
    row("pattern not valid", fileWith({{u"pattern"_s, QJsonArray{u"(abc"_s}}}), u"$.rules[0].pattern"_s);
    row("unless not valid", fileWith({{u"unless"_s, QJsonArray{u"a"_s, u"b)"_s}}}), u"$.rules[0].unless"_s);
    row("empty alternative", fileWith({{u"unless"_s, QJsonArray{u""_s}}}), u"$.rules[0].unless"_s);
    row("no advice", fileWith({{u"advice"_s, u""_s}}), u"$.rules[0].advice"_s);
    row("no source", fileWith({{u"source"_s, u""_s}}), u"$.rules[0].source"_s);
    row("no example", fileWith({{u"example"_s, QJsonArray()}}), u"$.rules[0].example"_s);
    row("no counterexample", fileWith({{u"notExample"_s, QJsonValue::Null}}), u"$.rules[0].notExample"_s);
    row("repeats nothing", fileWith({{u"repeats"_s, 0}}), u"$.rules[0].repeats"_s);
    row("flag is not a flag", fileWith({{u"warning"_s, 1}}), u"$.rules[0].warning"_s);
    row("member not known", fileWith({{u"clues"_s, u"abcd"_s}}), u"$.rules[0].clues"_s);
}

void RuleFilesTest::faults()
{
    QFETCH(QJsonObject, file);
    QFETCH(QString, names);
    const auto rules = readDiagnosisRules(file);
    QVERIFY(!rules.hasValue());
    QVERIFY2(rules.error().what.startsWith(names + u':'), qPrintable(rules.error().what));
}

RANKWRIGHT_TEST_MAIN(RuleFilesTest)
#include "tst_rulefiles.moc"
