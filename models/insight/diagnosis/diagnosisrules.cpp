// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/diagnosis/diagnosisrules.h"

#include "models/core/jsonreader.h"
#include "models/core/logging.h"
#include "models/insight/diagnosis/patternclues.h"

#include <QFile>

#include <algorithm>

using namespace Qt::StringLiterals;

// Q_INIT_RESOURCE must be outside any namespace: the function it calls is a global one. A static library's resources
// are not linked in unless somebody calls it.
static void initDiagnosisResource() { Q_INIT_RESOURCE(diagnosis); }

namespace rankwright::inline insight {

namespace {

constexpr int mostRepeats = 1000;
constexpr int lastSignal = 64;

/// The value that belongs to a word; a word that is not among them is a fault of the file.
template <typename Value>
Value oneOf(JsonReader& reader, const QString& key, const QList<std::pair<QString, Value>>& words)
{
    const QString word = reader.text(key).value_or(words.first().first);
    for (const auto& [name, value] : words) {
        if (name == word)
            return value;
    }
    reader.refuse(key, u"no such word: “%1”"_s.arg(word.left(40)));
    return words.first().second;
}

DiagnosisRule::Tier readTier(JsonReader& reader)
{
    static const QList<std::pair<QString, DiagnosisRule::Tier>> words{{u"cause"_s, DiagnosisRule::Cause},
        {u"machine"_s, DiagnosisRule::Machine}, {u"communication"_s, DiagnosisRule::Communication},
        {u"echo"_s, DiagnosisRule::Echo}, {u"ending"_s, DiagnosisRule::Ending},
        {u"unexplained"_s, DiagnosisRule::Unexplained}};
    reader.requiredText(u"tier"_s);
    return oneOf(reader, u"tier"_s, words);
}

DiagnosisRule::Role readRole(JsonReader& reader)
{
    using Role = DiagnosisRule::Role;
    static const QList<std::pair<QString, Role>> words{{u"none"_s, Role::None}, {u"exception"_s, Role::Exception},
        {u"exit"_s, Role::Exit}, {u"processor"_s, Role::Processor}, {u"lost-peer"_s, Role::LostPeer},
        {u"job-cancelled"_s, Role::JobCancelled}, {u"step-cancelled"_s, Role::StepCancelled},
        {u"preempted"_s, Role::Preempted}};
    return oneOf(reader, u"role"_s, words);
}

/// The alternatives of an expression as one.
QRegularExpression readExpression(JsonReader& reader, const QString& key)
{
    const QStringList alternatives = reader.texts(key).value_or(QStringList());
    const QRegularExpression expression(alternatives.join(u'|'), QRegularExpression::CaseInsensitiveOption);
    if (alternatives.contains(QString()))
        reader.refuse(key, u"an empty expression matches every line"_s);
    if (!expression.isValid())
        reader.refuse(key, u"no valid expression: “%1”: %2"_s.arg(expression.pattern(), expression.errorString()));
    return expression;
}

/// What a line needs to be of interest to the rule.
QList<QByteArray> cluesFor(const DiagnosisRule& rule)
{
    const QList<QByteArray> clues = cluesOf(rule.pattern.pattern());
    if (rule.repeats == 1 || rule.unless.pattern().isEmpty() || clues.isEmpty())
        return clues;
    const QList<QByteArray> ofReset = cluesOf(rule.unless.pattern());
    return ofReset.isEmpty() ? QList<QByteArray>() : clues + ofReset;
}

QStringList readLines(JsonReader& reader, const QString& key)
{
    const QStringList lines = reader.texts(key).value_or(QStringList());
    if (lines.isEmpty())
        reader.refuse(key, u"needs a line"_s);
    return lines;
}

DiagnosisRule readRule(JsonReader& reader)
{
    DiagnosisRule rule;
    rule.id = reader.requiredText(u"id"_s);
    rule.kind = reader.requiredText(u"class"_s);
    rule.tier = readTier(reader);
    rule.role = readRole(reader);
    rule.pattern = readExpression(reader, u"pattern"_s);
    rule.unless = readExpression(reader, u"unless"_s);
    rule.advice = reader.requiredText(u"advice"_s);
    rule.source = reader.requiredText(u"source"_s);
    rule.examples = readLines(reader, u"example"_s);
    rule.counterexamples = readLines(reader, u"notExample"_s);
    const auto flag = [&reader](const QString& key) { return reader.flag(key).value_or(false); };
    rule.isWarning = flag(u"warning"_s);
    rule.repeats = reader.whole(u"repeats"_s, 1, mostRepeats).value_or(1);
    rule.isHealth = flag(u"health"_s);
    rule.isBeforeEnding = flag(u"beforeEnding"_s);
    rule.isSurvivable = flag(u"survivable"_s);
    rule.showsEnd = flag(u"showsEnd"_s);
    rule.isFromOutside = flag(u"fromOutside"_s);
    rule.signal = reader.whole(u"signal"_s, 1, lastSignal).value_or(0);
    if (rule.pattern.pattern().isEmpty())
        reader.refuse(u"pattern"_s, u"needs an expression"_s);
    rule.groups = rule.pattern.namedCaptureGroups();
    rule.clues = cluesFor(rule);
    for (const QString& unknown : reader.unknownMembers())
        reader.refuse(unknown.section(u'.', -1), u"no such member of a rule"_s);
    return rule;
}

} // namespace

Result<QList<DiagnosisRule>> readDiagnosisRules(const QJsonObject& file)
{
    JsonReader reader(file);
    QList<DiagnosisRule> rules;
    for (JsonReader& one : reader.objects(u"rules"_s)) {
        rules.append(readRule(one));
        reader.absorb(one);
    }
    if (rules.isEmpty())
        reader.refuse(u"rules"_s, u"needs a rule"_s);
    if (const auto& fault = reader.fault())
        return fail(*fault);
    return rules;
}

Result<QList<DiagnosisRule>> readBuiltInRules()
{
    initDiagnosisResource();
    QList<DiagnosisRule> all;
    for (const QString& name : {u"memory"_s, u"gpu"_s, u"network"_s, u"software"_s, u"slurm"_s}) {
        QFile file(u":/diagnosis/%1.json"_s.arg(name));
        if (!file.open(QIODevice::ReadOnly))
            return fail(Fault::Unreadable, file.fileName(), file.errorString());
        const auto object = parseJsonObject(file.readAll(), file.fileName());
        if (!object)
            return fail(object.error());
        auto rules = readDiagnosisRules(*object);
        if (!rules)
            return fail(rules.error().within(file.fileName()));
        all += *rules;
    }
    return all;
}

const QList<DiagnosisRule>& diagnosisRules()
{
    static const QList<DiagnosisRule> all = [] {
        const auto rules = readBuiltInRules();
        if (!rules)
            qCCritical(logApp) << rules.error().oneLine();
        return rules.valueOr({});
    }();
    return all;
}

const DiagnosisRule* diagnosisRule(const QString& id)
{
    const QList<DiagnosisRule>& rules = diagnosisRules();
    const auto rule
        = std::find_if(rules.cbegin(), rules.cend(), [&id](const DiagnosisRule& one) { return one.id == id; });
    return rule == rules.cend() ? nullptr : &*rule;
}

bool isHealthRule(const QString& id)
{
    const DiagnosisRule* rule = diagnosisRule(id);
    return rule != nullptr && rule->isHealth;
}

bool isLostPeerRule(const QString& id)
{
    const DiagnosisRule* rule = diagnosisRule(id);
    return rule != nullptr && rule->role == DiagnosisRule::Role::LostPeer;
}

} // namespace rankwright::inline insight
