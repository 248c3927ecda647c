// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

#include <QHash>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

/// A line's own text without carriage returns (ssh -tt, ROCm 4.5) and colours (ROCm 6 prints them into pipes, too).
QString plain(const QByteArray& raw)
{
    QString text = QString::fromUtf8(raw);
    text.remove(u'\r');
    qsizetype at = text.indexOf(u'\x1b');
    if (at < 0)
        return text;
    QString kept = text.left(at);
    while (at < text.size()) {
        if (text.at(at) != u'\x1b') {
            kept.append(text.at(at++));
            continue;
        }
        at += at + 1 < text.size() && text.at(at + 1) == u'[' ? 2 : 1;
        while (at < text.size() && (text.at(at).isDigit() || text.at(at) == u';'))
            ++at;
        ++at; // the letter that ends it
    }
    return kept;
}

struct Label {
    QString node;
    qsizetype length = 0; ///< with the colon and one blank; 0: none
    bool isRank = false;
};

bool isProgram(const QString& word)
{
    static const QStringList programs{u"srun"_s, u"bash"_s, u"sh"_s, u"ssh"_s, u"cat"_s, u"slurmstepd"_s, u"warning"_s,
        u"error"_s, u"fatal"_s, u"info"_s, u"gpu"_s, u"note"_s, u"runtimeerror"_s, u"nvidia-smi"_s, u"rocm-smi"_s,
        u"amd-smi"_s, u"env"_s, u"python"_s, u"python3"_s, u"grep"_s, u"kex_exchange_identification"_s, u"apptainer"_s,
        u"singularity"_s, u"exec"_s, u"usage"_s};
    return programs.contains(word.toLower());
}

/// "0: ", " 11: ", "P0 3: " (srun --label), "nid001234: ".
Label labelOf(const QString& line)
{
    static constexpr qsizetype longest = 64;
    const qsizetype colon = line.left(longest + 1).indexOf(u':');
    if (colon <= 0 || (colon + 1 < line.size() && line.at(colon + 1) != u' '))
        return {};
    const QString node = line.left(colon).trimmed();
    bool isRank = false;
    node.section(u' ', -1).toUInt(&isRank);
    const qsizetype length = qMin(colon + 2, line.size());
    const bool hetJob = node.size() > 2 && node.startsWith(u'P') && node.at(1).isDigit() && node.count(u' ') == 1;
    if (isRank && (!node.contains(u' ') || hetJob))
        return {node, length, true};
    if (line.at(0).isSpace() || !node.at(0).isLetterOrNumber() || isProgram(node))
        return {};
    for (const QChar letter : node) {
        if (!letter.isLetterOrNumber() && letter != u'.' && letter != u'-' && letter != u'_')
            return {};
    }
    return {node, length, false};
}

/// Labels count when most lines have one of the same kind; host names only when each is before other text than
/// the values of a report ("GPU: 0").
enum class Labels { None, Ranks, Hosts };

Labels labelsOf(const QStringList& lines)
{
    qsizetype ranks = 0, hosts = 0, others = 0;
    for (const QString& line : lines) {
        const Label label = labelOf(line);
        if (label.length > 0)
            ++(label.isRank ? ranks : hosts);
        else if (!line.trimmed().isEmpty() && !isProgram(line.section(u':', 0, 0)))
            ++others;
    }
    if (ranks > 0 && ranks >= hosts + others)
        return Labels::Ranks;
    return hosts > 0 && hosts >= 2 * (ranks + others) ? Labels::Hosts : Labels::None;
}

} // namespace

QList<NodeLines> splitByNode(const QByteArray& output)
{
    QStringList lines;
    for (const QByteArray& raw : output.split('\n'))
        lines.append(plain(raw));
    const bool endsWithin = !lines.last().isEmpty();
    if (!endsWithin)
        lines.removeLast();
    const Labels labels = labelsOf(lines);
    QList<NodeLines> nodes;
    QHash<QString, qsizetype> places;
    for (const QString& line : std::as_const(lines)) {
        Label label = labels == Labels::None ? Label{} : labelOf(line);
        if (label.isRank != (labels == Labels::Ranks))
            label = {};
        const auto place = places.constFind(label.node);
        if (place == places.constEnd()) {
            places.insert(label.node, nodes.size());
            nodes.append(NodeLines{label.node, {}, false});
        }
        NodeLines& node = nodes[places.value(label.node)];
        node.lines.append(line.mid(label.length));
        node.endsWithin = false;
        if (endsWithin && &line == &lines.constLast())
            node.endsWithin = true;
    }
    return nodes;
}

} // namespace rankwright::inline insight::toolreading
