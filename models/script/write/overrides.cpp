// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/overrides.h"

#include "models/script/batch/batchtext.h"
#include "models/script/batch/scriptbytes.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

constexpr qsizetype mostCells = 4000000; // of the table of the longest common subsequence

/// Where the lines with a key of their own stand.
QHash<QString, qsizetype> uniqueKeys(const ScriptDocument& generated)
{
    QHash<QString, qsizetype> places;
    for (qsizetype i = 0; i < generated.lines.size(); ++i) {
        const QString key = scriptLineKey(generated.lines.at(i).text);
        if (!key.isEmpty())
            places.insert(key, places.contains(key) ? -1 : i);
    }
    return places;
}

/// Puts block after block into the script, from top to bottom.
class Weaver {
public:
    explicit Weaver(const ScriptDocument& generated) : m_generated(generated), m_places(uniqueKeys(generated)) { }

    OverriddenScript weave(const QList<OverrideBlock>& blocks)
    {
        for (int i = 0; i < blocks.size(); ++i)
            add(blocks.at(i), i);
        copyUntil(m_generated.lines.size());
        noteTwice(blocks);
        return m_out;
    }

private:
    void copyUntil(qsizetype end)
    {
        for (; m_next < end; ++m_next)
            m_out.document.lines.append(m_generated.lines.at(m_next));
    }

    qsizetype placeOf(const OverrideBlock& block, int index)
    {
        const qsizetype most = m_generated.lines.size();
        if (block.after.isEmpty())
            return qBound(m_next, qsizetype(block.below), most);
        const qsizetype anchor = m_places.value(block.after, -1);
        if (anchor >= 0)
            return qBound(m_next, anchor + 1 + block.below, most);
        note(OverrideNote::Kind::Displaced, index, block.lines.value(0), block.after, {});
        return m_next;
    }

    bool isSame(qsizetype place, const QString& line) const
    {
        return place < m_generated.lines.size()
            && (m_generated.lines.at(place).text == line
                || scriptLineKey(m_generated.lines.at(place).text) == scriptLineKey(line));
    }

    void add(const OverrideBlock& block, int index)
    {
        qsizetype place = placeOf(block, index);
        if (!block.instead.isEmpty() && !isSame(place, block.instead.first())) {
            for (qsizetype i = m_next; i < m_generated.lines.size(); ++i) { // it moved: the nearest of its kind
                if (!block.instead.first().trimmed().isEmpty() && isSame(i, block.instead.first())) {
                    place = i;
                    break;
                }
            }
        }
        copyUntil(place);
        QList<FieldPath> origins{field::overrides};
        QStringList replaced;
        for (const QString& line : block.instead) {
            if (!isSame(m_next, line))
                break;
            const ScriptLine& now = m_generated.lines.at(m_next);
            if (now.text != line)
                note(OverrideNote::Kind::Contradicts, index, block.lines.value(0, line), now.text, now.origins);
            for (const FieldPath& origin : now.origins) {
                if (!origins.contains(origin))
                    origins.append(origin);
            }
            replaced.append(now.text.trimmed());
            ++m_next;
        }
        if (block.toEnd)
            m_next = m_generated.lines.size();
        const QString reason = block.toEnd ? u"Yours, kept as you typed it: nothing below comes from the fields."_s
            : replaced.isEmpty()           ? u"Yours, kept as you typed it."_s
                                 : u"Yours, kept as you typed it, in place of: "_s + replaced.join(u" / "_s).left(300);
        for (const QString& line : block.lines)
            m_out.document.lines.append({line, origins, reason, {}});
        m_out.document.finalNewline = !block.noFinalNewline;
    }

    void note(OverrideNote::Kind kind, int block, const QString& own, const QString& generated,
        const QList<FieldPath>& fields)
    {
        m_out.notes.append({kind, block, static_cast<int>(m_out.document.lines.size()), own, generated, fields});
    }

    static QString directiveOf(const QString& line)
    {
        return line.startsWith(u"#SBATCH") ? scriptLineKey(line) : QString();
    }

    void noteTwice(const QList<OverrideBlock>& blocks)
    {
        QHash<QString, qsizetype> generated;
        const QList<ScriptLine>& lines = m_out.document.lines;
        const QString own = field::overrides;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const QString key = directiveOf(lines.at(i).text);
            if (!key.isEmpty() && !lines.at(i).origins.contains(own))
                generated.insert(key, i);
        }
        for (int b = 0; b < blocks.size(); ++b) {
            for (const QString& line : blocks.at(b).lines) {
                const qsizetype other = generated.value(directiveOf(line), -1);
                if (other >= 0)
                    m_out.notes.append({OverrideNote::Kind::Twice, b, static_cast<int>(other), line,
                        lines.at(other).text, lines.at(other).origins});
            }
        }
    }

    const ScriptDocument& m_generated;
    QHash<QString, qsizetype> m_places;
    OverriddenScript m_out;
    qsizetype m_next = 0; ///< generated line to be copied next
};

/// A stretch of generated lines and what is in its place.
struct Hunk {
    qsizetype from = 0;
    qsizetype to = 0; ///< one past the end
    QStringList lines;
};

/// Differences of two texts by lines, by their longest common subsequence between equal ends.
QList<Hunk> differences(const QStringList& before, const QStringList& now)
{
    qsizetype head = 0;
    while (head < before.size() && head < now.size() && before.at(head) == now.at(head))
        ++head;
    qsizetype tail = 0;
    while (tail < before.size() - head && tail < now.size() - head
        && before.at(before.size() - 1 - tail) == now.at(now.size() - 1 - tail))
        ++tail;
    const qsizetype rows = before.size() - head - tail, columns = now.size() - head - tail;
    if (rows == 0 && columns == 0)
        return {};
    if ((rows + 1) * (columns + 1) > mostCells || rows == 0 || columns == 0)
        return {{head, head + rows, now.mid(head, columns)}};
    std::vector<int> length(static_cast<std::size_t>((rows + 1) * (columns + 1)), 0);
    const auto cell = [&](qsizetype row, qsizetype column) -> int& {
        return length[static_cast<std::size_t>(row * (columns + 1) + column)];
    };
    for (qsizetype i = rows - 1; i >= 0; --i) {
        for (qsizetype j = columns - 1; j >= 0; --j)
            cell(i, j) = before.at(head + i) == now.at(head + j) ? cell(i + 1, j + 1) + 1
                                                                 : qMax(cell(i + 1, j), cell(i, j + 1));
    }
    QList<Hunk> hunks;
    qsizetype i = 0, j = 0;
    while (i < rows || j < columns) {
        if (i < rows && j < columns && before.at(head + i) == now.at(head + j)) {
            ++i, ++j;
            continue;
        }
        if (hunks.isEmpty() || hunks.last().to != head + i)
            hunks.append({head + i, head + i, {}});
        if (j < columns && (i == rows || cell(i, j + 1) >= cell(i + 1, j))) {
            hunks.last().lines.append(now.at(head + j++));
        } else {
            ++i;
            hunks.last().to = head + i;
        }
    }
    return hunks;
}

} // namespace

QString scriptLineKey(const QString& text)
{
    static const QRegularExpression directive(u"^#SBATCH\\s+(--?[\\w-]+)"_s);
    static const QRegularExpression assignment(u"^\\s*((?:export\\s+)?[A-Za-z_]\\w*=)"_s);
    static const QRegularExpression numbers(u"\\d+"_s);
    const QString line = text.trimmed();
    if (const auto match = directive.match(line); match.hasMatch())
        return u"#SBATCH "_s + match.captured(1);
    if (line.startsWith(u'#') && line.endsWith(u"Written by Rankwright."))
        return u"# Written by Rankwright."_s;
    if (const auto match = assignment.match(line); match.hasMatch())
        return match.captured(1).simplified();
    return QString(line).replace(numbers, u"0"_s);
}

OverriddenScript applyOverrides(const ScriptDocument& generated, const QList<OverrideBlock>& blocks)
{
    return Weaver(generated).weave(blocks);
}

QList<OverrideBlock> overridesFor(const ScriptDocument& generated, const QString& text)
{
    const QStringList before = generated.texts();
    QStringList now = text.isEmpty() ? QStringList() : text.split(u'\n');
    const bool finalNewline = text.isEmpty() || now.last().isEmpty();
    if (finalNewline && !now.isEmpty())
        now.removeLast();

    const QHash<QString, qsizetype> unique = uniqueKeys(generated);
    QList<OverrideBlock> blocks;
    for (const Hunk& hunk : differences(before, now)) {
        OverrideBlock block;
        block.below = static_cast<int>(hunk.from);
        for (qsizetype i = hunk.from - 1; i >= 0; --i) {
            const QString key = scriptLineKey(before.at(i));
            if (unique.value(key, -1) == i) {
                block.after = key;
                block.below = static_cast<int>(hunk.from - 1 - i);
                break;
            }
        }
        block.instead = before.mid(hunk.from, hunk.to - hunk.from);
        block.lines = hunk.lines;
        blocks.append(block);
    }
    if (!finalNewline) {
        if (blocks.isEmpty() || now.isEmpty() || blocks.last().lines.isEmpty()
            || blocks.last().lines.last() != now.last()) {
            OverrideBlock end;
            end.below = static_cast<int>(before.size());
            blocks.append(end);
        }
        blocks.last().noFinalNewline = true;
    }
    if (applyOverrides(generated, blocks).document.text() == text)
        return blocks;
    OverrideBlock whole;
    whole.instead = before;
    whole.lines = now;
    whole.noFinalNewline = !finalNewline;
    return {whole};
}

QList<OverrideBlock> authorBlocks(const QString& text, ScriptEncoding encoding)
{
    OverrideBlock whole;
    whole.isLatin1 = encoding == ScriptEncoding::Latin1;
    whole.toEnd = true;
    whole.lines = text.isEmpty() ? QStringList() : text.split(u'\n');
    whole.noFinalNewline = !text.isEmpty() && !text.endsWith(u'\n');
    if (text.endsWith(u'\n'))
        whole.lines.removeLast();
    return {whole};
}

std::optional<QString> authorText(const QList<OverrideBlock>& blocks)
{
    if (blocks.size() != 1)
        return std::nullopt;
    const OverrideBlock& one = blocks.first();
    if (!one.toEnd || !one.after.isEmpty() || one.below != 0 || !one.instead.isEmpty())
        return std::nullopt;
    const QString text = one.lines.join(u'\n');
    return one.noFinalNewline || one.lines.isEmpty() ? text : text + u'\n';
}

ScriptEncoding encodingOf(const QList<OverrideBlock>& blocks)
{
    return blocks.size() == 1 && blocks.first().isLatin1 ? ScriptEncoding::Latin1 : ScriptEncoding::Utf8;
}

Result<QByteArray> scriptFile(const QString& text, const QList<OverrideBlock>& blocks)
{
    return ScriptBytes{text, encodingOf(blocks) == ScriptEncoding::Utf8}.write(text);
}

} // namespace rankwright::inline script
