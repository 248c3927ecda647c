// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/scriptimport.h"

#include "models/script/bash/scriptquoting.h"
#include "models/script/read/samestart.h"
#include "models/script/write/jobsampler.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"

#include <QSet>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// Puts what a reading keeps as written into the generated script, each part where it belongs.
class VerbatimParts {
public:
    VerbatimParts(const ScriptReading& reading, const ScriptDocument& generated) : m_reading(reading)
    {
        for (const ScriptLine& line : generated.lines)
            m_lines.append(line.text);
    }

    QString text()
    {
        putStepOptions(); // from the end to the beginning, so that places above stay as they are
        putDirectives();
        return m_lines.join(u'\n') + u'\n';
    }

private:
    void putStepOptions()
    {
        if (m_reading.srunOptions.isEmpty())
            return;
        for (qsizetype i = m_lines.size() - 1; i >= 0; --i) {
            const QString trimmed = m_lines.at(i).trimmed();
            if (!trimmed.startsWith(u"srun ") || !trimmed.endsWith(u'\\'))
                continue;
            m_lines.insert(i + 1, QString(5, u' ') + m_reading.srunOptions.join(u' ') + u" \\"_s);
            return;
        }
    }

    void putDirectives()
    {
        qsizetype last = -1;
        for (qsizetype i = 0; i < m_lines.size(); ++i) {
            if (m_lines.at(i).startsWith(u"#SBATCH"))
                last = i;
        }
        for (const QString& directive : m_reading.directives) {
            const QString key = scriptLineKey(directive);
            const auto same = std::find_if(m_lines.begin(), m_lines.end(),
                [&](const QString& line) { return line.startsWith(u"#SBATCH") && scriptLineKey(line) == key; });
            if (same != m_lines.end())
                *same = directive;
            else
                m_lines.insert(++last, directive);
        }
    }

    const ScriptReading& m_reading;
    QStringList m_lines;
};

/// Variables that the script gets without being asked for them.
void dropUsualVariables(JobSpec& spec, const ClusterProfile& profile)
{
    JobSpec bare = spec;
    bare.environment.variables.clear();
    QSet<QString> usual;
    for (const ScriptLine& line : generatedScript(resolve(bare, profile), profile).lines)
        usual.insert(line.text);
    auto& variables = spec.environment.variables;
    for (auto it = variables.begin(); it != variables.end();)
        it = usual.contains(u"export %1=%2"_s.arg(it.key(), scriptWord(*it))) ? variables.erase(it) : std::next(it);
}

/// The text with its directives spelled as the design spells them, where both ask for the same: these follow the fields
/// from then on. The order is the design's, unless comments between them say what they are about.
class SpelledAlike {
public:
    SpelledAlike(const BatchText& batch, const ScriptDocument& generated)
        : m_batch(batch), m_own(parseBatch(generated.text())), m_lines(batch.lines)
    { }

    QString text()
    {
        QList<int> places, ranks; // lines of the text, and where the design has them
        QStringList texts;
        bool together = true;
        for (const BatchOption& option : m_batch.options) {
            const auto same = sameOf(option);
            const bool follows = places.isEmpty() || option.line - 1 <= m_last + 1;
            together = together && follows;
            m_last = option.line - 1;
            if (!same)
                continue;
            places.append(option.line - 1);
            ranks.append(same->line);
            texts.append(m_own.lines.at(same->line - 1));
        }
        if (together) {
            QList<int> order(ranks.size());
            std::iota(order.begin(), order.end(), 0);
            std::sort(order.begin(), order.end(), [&](int a, int b) { return ranks.at(a) < ranks.at(b); });
            QStringList sorted;
            for (const int at : std::as_const(order))
                sorted.append(texts.at(at));
            texts = sorted;
        }
        for (qsizetype i = 0; i < places.size(); ++i)
            m_lines[places.at(i)] = texts.at(i);
        QString text = m_lines.join(u'\n');
        return m_batch.text.endsWith(u'\n') && !text.endsWith(u'\n') ? text + u'\n' : text;
    }

private:
    /// The design's directive of the same meaning; null where the line says more, or something else.
    const BatchOption* sameOf(const BatchOption& option) const
    {
        const auto onLine = [&](const BatchOption& other) { return other.line == option.line; };
        if (m_batch.hasCrlf || !option.trailing.isEmpty() || m_batch.optionsNamed(option.name).size() != 1
            || std::count_if(m_batch.options.cbegin(), m_batch.options.cend(), onLine) != 1)
            return nullptr;
        const BatchOption* own = m_own.option(option.name);
        return own != nullptr && own->hasValue == option.hasValue
                && isSameRequest(option.name, own->value, option.value)
            ? own
            : nullptr;
    }

    const BatchText& m_batch;
    const BatchText m_own;
    QStringList m_lines;
    int m_last = -1;
};

} // namespace

bool isOwnScript(const BatchText& batch)
{
    const QString second = batch.lines.value(1);
    return second.startsWith(u"# ") && second.endsWith(u" Written by Rankwright.");
}

ImportedScript rewrittenScript(const ScriptReading& reading, const BatchText& batch, const ClusterProfile& profile)
{
    ImportedScript result{reading.spec, {}};
    dropUsualVariables(result.spec, profile);
    dropUsualInterval(result.spec, profile);
    const ScriptDocument generated = generatedScript(resolve(result.spec, profile), profile);
    const QString written = VerbatimParts(reading, generated).text();
    result.spec.overrides = overridesFor(generated, written);
    result.kept = startDifferences(batch, reading, parseBatch(written), profile);
    return result;
}

JobSpec designOf(const ScriptReading& reading, const BatchText& batch, const ClusterProfile& profile)
{
    return importScript(reading, batch, profile).spec;
}

ImportedScript importScript(const ScriptReading& reading, const BatchText& batch, const ClusterProfile& profile)
{
    ImportedScript result{reading.spec, {}};
    JobSpec& spec = result.spec;
    dropUsualVariables(spec, profile);
    dropUsualInterval(spec, profile);
    const ScriptDocument generated = generatedScript(resolve(spec, profile), profile);
    if (isOwnScript(batch)) {
        spec.overrides = overridesFor(generated, batch.text);
        return result;
    }
    const QString written = VerbatimParts(reading, generated).text();
    result.kept = startDifferences(batch, reading, parseBatch(written), profile);
    if (result.kept.isEmpty() && !spec.command)
        result.kept.append({batch.firstCommandLine, {}, u"What the script starts is not known before it runs."_s});
    spec.overrides = result.kept.isEmpty() ? overridesFor(generated, written)
                                           : overridesKeepingCommands(generated, SpelledAlike(batch, generated).text());
    return result;
}

void reportKept(ScriptReading& reading, const ImportedScript& imported)
{
    for (const NotUnderstood& part : imported.kept)
        reading.notUnderstood.append(
            {part.line, part.text, part.why + u" All commands are kept as they are written."_s});
    std::stable_sort(reading.notUnderstood.begin(), reading.notUnderstood.end(),
        [](const NotUnderstood& a, const NotUnderstood& b) { return a.line < b.line; });
}

void dropOwnLines(ScriptReading& reading, const JobSpec& spec, const ClusterProfile& profile)
{
    QSet<QString> own;
    for (const ScriptLine& line : generatedScript(resolve(spec, profile), profile).lines)
        own.insert(line.text.trimmed());
    reading.notUnderstood.removeIf([&own](const NotUnderstood& part) { return own.contains(part.text.trimmed()); });
}

} // namespace rankwright
