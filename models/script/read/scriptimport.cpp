// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/scriptimport.h"

#include "models/script/bash/scriptquoting.h"
#include "models/script/write/jobsampler.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

/// Equal for lines that differ in quotes and blanks only.
QString loose(const QString& line)
{
    static const QRegularExpression noise(u"[\"'\\s{}]"_s);
    return QString(line).remove(noise);
}

/// Puts what a reading keeps as written into the generated script, each part where it belongs.
class VerbatimParts {
public:
    VerbatimParts(const ScriptReading& reading, const ScriptDocument& generated) : m_reading(reading)
    {
        for (const ScriptLine& line : generated.lines) {
            m_lines.append(line.text);
            m_known.insert(loose(line.text));
            m_isCommand.append(line.origins == QList<FieldPath>{field::command});
        }
    }

    QString text()
    {
        putProgram(); // from the end to the beginning, so that places above stay as they are
        putStepOptions();
        insertAt(firstLine(u"# Launch"_s), fresh(m_reading.setup));
        insertAt(firstLine(u"set -euo pipefail"_s), fresh(m_reading.software));
        putDirectives();
        QStringList all = m_lines + fresh(m_reading.after);
        return all.join(u'\n') + u'\n';
    }

private:
    /// Without what the generated script does already.
    QStringList fresh(const QStringList& lines) const
    {
        const auto known
            = [&](const QString& line) { return line.trimmed().isEmpty() || m_known.contains(loose(line)); };
        return std::all_of(lines.cbegin(), lines.cend(), known) ? QStringList() : withoutKnownAlone(lines);
    }

    /// Lines of blocks and continued lines stay together; single known ones go.
    QStringList withoutKnownAlone(const QStringList& lines) const
    {
        QStringList kept;
        for (const QString& line : lines) {
            const bool single = line.size() > 3 && !line.startsWith(u' ') && !line.startsWith(u'\t')
                && !line.endsWith(u'\\') && !(kept.size() && kept.last().endsWith(u'\\'));
            if (!(single && line.contains(u'=') && m_known.contains(loose(line))))
                kept.append(line);
        }
        return kept;
    }

    qsizetype firstLine(const QString& beginning) const
    {
        for (qsizetype i = 0; i < m_lines.size(); ++i) {
            if (m_lines.at(i).startsWith(beginning))
                return i;
        }
        return m_lines.size();
    }

    void insertAt(qsizetype place, const QStringList& lines)
    {
        if (lines.isEmpty())
            return;
        m_lines = m_lines.mid(0, place) + lines + QStringList{QString()} + m_lines.mid(place);
    }

    void putProgram()
    {
        if (m_reading.program.isEmpty())
            return;
        const auto begin = m_isCommand.lastIndexOf(true);
        if (begin < 0)
            return;
        qsizetype first = begin;
        while (first > 0 && m_isCommand.at(first - 1) && !m_lines.at(first - 1).startsWith(u'#'))
            --first;
        const QString old = m_lines.at(first);
        const QString indent = old.left(old.size() - old.trimmed().size());
        const bool goesOn = m_lines.at(begin).endsWith(u'\\');
        // the interpreter that the generated line puts in front stays
        static const QRegularExpression interpreter(u"^\\s*((?:\\S*python[0-9.]*|--no_python)\\s+)+"_s);
        QString lead = interpreter.match(old).captured(0).trimmed();
        if (m_reading.program.startsWith(u"python"))
            lead.clear();
        QString line = indent + (lead.isEmpty() ? QString() : lead + u' ') + m_reading.program;
        if (goesOn)
            line += u" \\"_s;
        m_lines = m_lines.mid(0, first) + line.split(u'\n') + m_lines.mid(begin + 1);
    }

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
    QList<bool> m_isCommand;
    QSet<QString> m_known;
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

} // namespace

JobSpec designOf(const ScriptReading& reading, const BatchText& batch, const ClusterProfile& profile)
{
    JobSpec spec = reading.spec;
    dropUsualVariables(spec, profile);
    dropUsualInterval(spec, profile);
    const ScriptDocument generated = generatedScript(resolve(spec, profile), profile);
    if (reading.wholeTextOnly || !spec.command)
        spec.overrides = overridesFor(generated, batch.text);
    else
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

} // namespace rankwright
