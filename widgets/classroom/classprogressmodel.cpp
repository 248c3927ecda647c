// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/classprogressmodel.h"

#include "models/core/quantitytext.h"
#include "models/insight/diagnosis/diagnosisrules.h"

#include <limits>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// "12 min"; empty: never. Clocks of others may be ahead.
QString since(const QDateTime& at, const QDateTime& now)
{
    return at.isValid() ? humanDuration(Seconds{qMax<qint64>(0, at.secsTo(now))}) : QString();
}

/// What to do about a failure of a job, for helpers; empty: it is none, but a finding of the design.
QString adviceOn(const QString& stuckOn)
{
    for (const DiagnosisRule& rule : diagnosisRules())
        if (stuckOn == rule.kind)
            return rule.advice;
    return {};
}

QVariant age(const QDateTime& at) { return at.isValid() ? QVariant(at.toMSecsSinceEpoch()) : QVariant(); }

} // namespace

ClassProgressModel::ClassProgressModel(const ClassFile& file, QObject* parent)
    : ClassProgressModel(file, std::make_shared<QDateTime>(QDateTime::currentDateTimeUtc()), parent)
{ }

ClassProgressModel::ClassProgressModel(const ClassFile& file, std::shared_ptr<QDateTime> now, QObject* parent)
    : RecordModel(
        columns(file, now), [](const ProgressRow& row) { return row.attendee; }, parent),
      m_now(std::move(now))
{ }

QList<ClassProgressModel::Column> ClassProgressModel::columns(
    const ClassFile& file, const std::shared_ptr<QDateTime>& now)
{
    const auto exerciseText = [file](const ProgressRow& row) {
        const int index = file.exerciseIndex(row.exercise);
        return index < 0 ? row.exercise : u"%1. %2"_s.arg(QString::number(index + 1), file.exercises.at(index).title);
    };
    const Qt::Alignment right = Qt::AlignRight | Qt::AlignVCenter;
    const int all = int(file.exercises.size());
    QList<Column> columns;
    // The alias always: two may give the same name.
    columns.append({tr("Attendee"), [](const ProgressRow& row) {
                        return row.name.isEmpty() ? row.attendee : tr("%1 (%2)").arg(row.name, row.attendee);
                    }});
    columns.append({tr("Exercise"), exerciseText,
        [file](const ProgressRow& row) { return QVariant(file.exerciseIndex(row.exercise)); }});
    columns.append(
        {tr("Checks seen"), [](const ProgressRow& row) { return tr("%1 of %2").arg(row.seen).arg(row.checks); },
            [](const ProgressRow& row) { return QVariant(row.checks > 0 ? double(row.seen) / row.checks : 0.0); },
            [](const ProgressRow& row) { return row.checks > 0 && row.seen == row.checks ? Tone::Good : Tone::Plain; },
            {}, right});
    columns.append({tr("Done"), [all](const ProgressRow& row) { return tr("%1 of %2").arg(row.done).arg(all); },
        [](const ProgressRow& row) { return QVariant(row.done); }, {}, {}, right});
    columns.append({tr("Stuck on"), [](const ProgressRow& row) { return row.stuckOn.isEmpty() ? u"–"_s : row.stuckOn; },
        [](const ProgressRow& row) { return QVariant(row.stuckOn); },
        [](const ProgressRow& row) { return row.stuckOn.isEmpty() ? Tone::Plain : Tone::Warn; },
        [](const ProgressRow& row) { return adviceOn(row.stuckOn); }});
    columns.append({tr("Stuck for"), [now](const ProgressRow& row) { return since(row.stuckSince, *now); },
        [](const ProgressRow& row) {
            // Those who are stuck longest come first, those who are not last.
            return QVariant(
                row.stuckSince.isValid() ? row.stuckSince.toMSecsSinceEpoch() : std::numeric_limits<qint64>::max());
        },
        {}, {}, right});
    columns.append({tr("Last step"),
        [now](const ProgressRow& row) {
            const QString text = since(row.last, *now);
            return text.isEmpty() ? text : tr("%1 ago").arg(text);
        },
        [](const ProgressRow& row) { return age(row.last); }, {}, {}, right});
    return columns;
}

void ClassProgressModel::setNow(const QDateTime& now)
{
    *m_now = now;
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QString progressText(const QAbstractItemModel& model)
{
    // What a spreadsheet would take for a formula, or for another cell, stays text.
    const auto cell = [](QString text) {
        text = harmlessLine(text);
        return !text.isEmpty() && u"=+-@"_s.contains(text.front()) ? u'\'' + text : text;
    };
    QString text;
    for (int row = -1; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells.append(cell(row < 0 ? model.headerData(column, Qt::Horizontal).toString()
                                      : model.index(row, column).data().toString()));
        text += cells.join(u'\t') + u'\n';
    }
    return text;
}

} // namespace rankwright
