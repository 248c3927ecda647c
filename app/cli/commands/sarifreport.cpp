// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/sarifreport.h"

#include "models/script/lint/lint.h"
#include "models/script/lint/lintreasons.h"

#include <QHash>
#include <QJsonArray>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

QString levelOf(Severity severity)
{
    return severity == Severity::Error ? u"error"_s : severity == Severity::Warning ? u"warning"_s : u"note"_s;
}

QJsonObject textObject(const QString& text) { return {{u"text"_s, text}}; }

/// Several rules share the id of one mistake; with its form after it it is unique and stays.
QString ruleIdOf(const Finding& finding) { return finding.rule + u'/' + finding.slug; }

/// The rules that spoke, in the order in which they did, with their places in the list.
class RuleList {
public:
    RuleList()
    {
        for (const Rule& rule : lintRules())
            m_known.insert(rule.id + u'/' + rule.slug, rule);
    }

    int indexOf(const Finding& finding)
    {
        const QString id = ruleIdOf(finding);
        if (const auto found = m_places.constFind(id); found != m_places.cend())
            return *found;
        m_places.insert(id, static_cast<int>(m_rules.size()));
        m_rules.append(ruleObject(id, finding));
        return m_places.value(id);
    }

    const QJsonArray& rules() const { return m_rules; }

private:
    QJsonObject ruleObject(const QString& id, const Finding& finding) const
    {
        const auto known = m_known.constFind(id);
        if (known == m_known.cend()) // of a design's fields
            return {{u"id"_s, id}, {u"name"_s, finding.slug}, {u"shortDescription"_s, textObject(finding.slug)},
                {u"defaultConfiguration"_s, QJsonObject{{u"level"_s, levelOf(finding.severity)}}}};
        const QString reason = lint::severityReason(known->slug);
        const QString help
            = u"%1. Why this severity: %2. Source: %3. To silence it on one line: # rankwright: ignore %4"_s.arg(
                known->what, reason, known->source, known->slug);
        return {{u"id"_s, id}, {u"name"_s, known->slug}, {u"shortDescription"_s, textObject(known->what)},
            {u"fullDescription"_s, textObject(known->what + u": "_s + reason)}, {u"help"_s, textObject(help)},
            {u"defaultConfiguration"_s, QJsonObject{{u"level"_s, levelOf(known->severity)}}}};
    }

    QHash<QString, Rule> m_known;
    QHash<QString, int> m_places;
    QJsonArray m_rules;
};

/// The line without its indent; a finding of the whole script is shown at its first line.
QJsonObject regionOf(const Finding& finding, const QStringList& lines)
{
    const int line = finding.lines ? finding.lines->first : 1;
    QString text = lines.value(line - 1);
    if (text.endsWith(u'\r'))
        text.chop(1);
    qsizetype indent = 0;
    while (indent < text.size() && text.at(indent).isSpace())
        ++indent;
    QJsonObject region{{u"startLine"_s, line}};
    if (finding.lines && indent < text.size()) {
        region.insert(u"startColumn"_s, static_cast<int>(indent) + 1);
        region.insert(u"endColumn"_s, static_cast<int>(text.size()) + 1);
    }
    return region;
}

QJsonObject artifactOf(const CheckedFile& file)
{
    return {{u"uri"_s, QString::fromLatin1(QUrl::toPercentEncoding(file.name, "/"))}};
}

QJsonObject region(qsizetype line, qsizetype column, qsizetype endLine, qsizetype endColumn)
{
    return {{u"startLine"_s, line}, {u"startColumn"_s, column}, {u"endLine"_s, endLine}, {u"endColumn"_s, endColumn}};
}

/// Whole lines give way to others. A region that takes a line with its end reaches to the next line, the last one has
/// none: there the end before it goes, or comes, with it.
QJsonObject replacementOf(const LineEdit& edit, const QStringList& lines)
{
    const bool endsWithNewline = lines.last().isEmpty();
    const qsizetype count = std::max<qsizetype>(1, lines.size() - (endsWithNewline ? 1 : 0));
    const qsizetype first = std::clamp<qsizetype>(edit.first, 1, count + 1);
    const qsizetype last = std::min<qsizetype>(std::max<qsizetype>(edit.last, first - 1), count);
    const auto end = [&](qsizetype line) { return lines.at(line - 1).size() + 1; };
    QString text = edit.lines.join(u'\n');
    QJsonObject deleted;
    if (last < count) { // whole lines with their ends, or a place before a line
        text += edit.lines.isEmpty() ? QString() : u"\n"_s;
        deleted = region(first, 1, last + 1, 1);
    } else if (first > count) { // after the last line
        text.prepend(u'\n');
        deleted = region(count, end(count), count, end(count));
    } else if (edit.lines.isEmpty() && first > 1) {
        deleted = region(first - 1, end(first - 1), last, end(last));
    } else {
        deleted = region(first, 1, last, end(last));
    }
    QJsonObject replacement{{u"deletedRegion"_s, deleted}};
    if (!text.isEmpty())
        replacement.insert(u"insertedContent"_s, textObject(text));
    return replacement;
}

QJsonObject fixOf(const Fix& fix, const CheckedFile& file, const QStringList& lines)
{
    QJsonArray replacements;
    for (const LineEdit& edit : fix.edits)
        replacements.append(replacementOf(edit, lines));
    return {{u"description"_s, textObject(fix.label)},
        {u"artifactChanges"_s,
            QJsonArray{QJsonObject{{u"artifactLocation"_s, artifactOf(file)}, {u"replacements"_s, replacements}}}}};
}

QJsonObject resultOf(const Finding& finding, const CheckedFile& file, const QStringList& lines, RuleList& rules)
{
    QJsonObject place{{u"artifactLocation"_s, artifactOf(file)}};
    if (!file.text.isEmpty())
        place.insert(u"region"_s, regionOf(finding, lines));
    return {{u"ruleId"_s, ruleIdOf(finding)}, {u"ruleIndex"_s, rules.indexOf(finding)},
        {u"level"_s, levelOf(finding.severity)}, {u"message"_s, textObject(finding.text)},
        {u"locations"_s, QJsonArray{QJsonObject{{u"physicalLocation"_s, place}}}}};
}

} // namespace

QJsonObject sarifOf(const QList<CheckedFile>& files)
{
    RuleList rules;
    QJsonArray results;
    for (const CheckedFile& file : files) {
        const QStringList lines = file.text.split(u'\n');
        for (const Finding& finding : file.result.findings) {
            QJsonObject result = resultOf(finding, file, lines, rules);
            if (!file.text.isEmpty() && finding.fix && !finding.fix->edits.isEmpty())
                result.insert(u"fixes"_s, QJsonArray{fixOf(*finding.fix, file, lines)});
            results.append(result);
        }
        for (const Finding& finding : file.result.silenced) {
            QJsonObject result = resultOf(finding, file, lines, rules);
            result.insert(u"suppressions"_s, QJsonArray{QJsonObject{{u"kind"_s, u"inSource"_s}}});
            results.append(result);
        }
    }
    const QJsonObject driver{{u"name"_s, u"Rankwright"_s}, {u"semanticVersion"_s, QStringLiteral(RANKWRIGHT_VERSION)},
        {u"rules"_s, rules.rules()}};
    return {{u"$schema"_s, u"https://json.schemastore.org/sarif-2.1.0.json"_s}, {u"version"_s, u"2.1.0"_s},
        {u"runs"_s,
            QJsonArray{QJsonObject{{u"tool"_s, QJsonObject{{u"driver"_s, driver}}},
                {u"columnKind"_s, u"utf16CodeUnits"_s}, {u"results"_s, results}}}}};
}

} // namespace rankwright
