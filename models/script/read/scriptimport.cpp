// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/scriptimport.h"

#include "models/script/bash/scriptquoting.h"
#include "models/script/write/evidencelines.h"
#include "models/script/write/jobsampler.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"

#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
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

/// Without the variables, the interval and the evidence that the script gets without being asked for them.
JobSpec withoutUsual(JobSpec spec, const ClusterProfile& profile)
{
    JobSpec bare = spec;
    bare.environment.variables.clear();
    QSet<QString> usual;
    for (const ScriptLine& line : generatedScript(resolve(bare, profile), profile).lines)
        usual.insert(line.text);
    auto& variables = spec.environment.variables;
    for (auto it = variables.begin(); it != variables.end();)
        it = usual.contains(u"export %1=%2"_s.arg(it.key(), scriptWord(*it))) ? variables.erase(it) : std::next(it);
    dropUsualInterval(spec, profile);
    dropUsualEvidence(spec, profile);
    return spec;
}

} // namespace

bool isOwnScript(const BatchText& batch)
{
    const QString second = batch.lines.value(1);
    return second.startsWith(u"# ") && second.endsWith(u" Written by Rankwright.");
}

JobSpec designOf(const ScriptReading& reading, const BatchText& batch, const ClusterProfile& profile)
{
    JobSpec spec = withoutUsual(reading.spec, profile);
    spec.overrides = overridesFor(generatedScript(resolve(spec, profile), profile), batch.text);
    return spec;
}

JobSpec rewrittenDesignOf(const ScriptReading& reading, const ClusterProfile& profile)
{
    JobSpec spec = withoutUsual(reading.spec, profile);
    const ScriptDocument generated = generatedScript(resolve(spec, profile), profile);
    spec.overrides = overridesFor(generated, VerbatimParts(reading, generated).text());
    return spec;
}

void dropOwnLines(ScriptReading& reading, const JobSpec& spec, const ClusterProfile& profile)
{
    QSet<QString> own;
    for (const ScriptLine& line : generatedScript(resolve(spec, profile), profile).lines)
        own.insert(line.text.trimmed());
    reading.notUnderstood.removeIf([&own](const NotUnderstood& part) { return own.contains(part.text.trimmed()); });
}

} // namespace rankwright::inline script
