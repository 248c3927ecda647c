// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/outputtexts.h"

#include "models/core/units.h"
#include "models/insight/diagnosis/diagnosisrules.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/progress/traininglogreader.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace rankwright {

namespace {

constexpr qsizetype longestHit = 1000;

/// As a view of `most` lines keeps them: a bar that is drawn again takes the place of its last state.
void addNewest(QList<LogLine>& lines, const LogLine& line, qsizetype most)
{
    const bool renews = line.isProgress && !lines.isEmpty() && lines.last().isProgress && lines.last().rank == line.rank
        && lines.last().file == line.file;
    if (renews)
        lines.last() = line;
    else
        lines.append(line);
    if (lines.size() > most)
        lines.removeFirst();
}

QString said(const char* text) { return QCoreApplication::translate("OutputTexts", text); }

} // namespace

QList<LogLine> linesOf(const OutputText& text, int file)
{
    TrainingLogReader reader;
    reader.startAt(text.from(), file);
    QList<LogLine> lines;
    if (text.isCut()) {
        LogLine note;
        note.text = said("… the first %1 are not kept").arg(humanBytes(Bytes{text.from()}));
        note.isNote = true;
        note.file = file;
        lines.append(note);
    }
    lines += reader.feed(text.bytes);
    lines += reader.finish();
    if (text.rank) {
        for (LogLine& line : lines) {
            if (!line.rank && !line.isNote)
                line.rank = text.rank;
        }
    }
    return lines;
}

QList<LogFileName> namesOf(const QList<OutputText>& texts)
{
    QList<LogFileName> names;
    for (int file = 0; file < int(texts.size()); ++file) {
        const OutputText& text = texts.at(file);
        names.append({file, text.path, text.path.section(u'/', -1), text.rank});
    }
    return names;
}

QList<Diagnosis> diagnosesIn(const QList<OutputText>& texts, const JobRecord& job)
{
    LogDiagnoser diagnoser;
    diagnoser.setNodes(job.nodes);
    for (int file = 0; file < int(texts.size()); ++file) {
        diagnoser.startAt(texts.at(file).from(), file);
        diagnoser.setRank(texts.at(file).rank, file);
        diagnoser.feed(texts.at(file).bytes, file);
    }
    QList<Diagnosis> found = diagnoser.diagnoses();
    const bool isCompleted = job.state == JobState::Completed;
    if (isCompleted)
        found.removeIf([](const Diagnosis& one) { return !isHealthRule(one.rule); });
    for (Diagnosis& one : found)
        one.confirmed = one.confirmed || (hasEnded(job.state) && !isCompleted && job.state != JobState::Cancelled);
    return found;
}

ShownTexts shownTexts(const QList<OutputText>& texts, const JobRecord& job, qsizetype mostLines, TextsReading& reading)
{
    ShownTexts shown;
    for (int file = 0; file < int(texts.size()); ++file) {
        if (reading.dropped)
            return shown;
        for (const LogLine& line : linesOf(texts.at(file), file)) {
            addNewest(shown.lines, line, mostLines);
            if (line.rank)
                shown.ranks.insert(*line.rank);
        }
        ++reading.filesRead;
    }
    if (!reading.dropped)
        shown.diagnoses = diagnosesIn(texts, job);
    return shown;
}

QList<LogHit> hitsIn(const OutputText& text, int file, const LogQuery& query, LogSearchState& state)
{
    state = {};
    state.total = state.searched = text.bytes.size();
    QRegularExpression expression(query.isExpression ? query.text : QRegularExpression::escape(query.text));
    if (!query.caseSensitive)
        expression.setPatternOptions(QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) {
        state.trouble = said("This expression cannot be used: %1.").arg(expression.errorString());
        return {};
    }
    QList<LogHit> hits;
    if (query.text.isEmpty())
        return hits;
    for (const LogLine& line : linesOf(text, file)) {
        if (hits.size() >= mostTextHits) {
            state.isCutShort = true;
            break;
        }
        if (!line.isNote && line.offset && expression.match(line.text).hasMatch())
            hits.append({file, *line.offset, line.text.left(longestHit)});
    }
    state.hits = int(hits.size());
    return hits;
}

} // namespace rankwright
