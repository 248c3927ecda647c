// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/jobmodel.h"

#include "models/core/quantitytext.h"

#include <utility>

using namespace Qt::StringLiterals;

namespace rankwright::inline tables {

namespace {

QString orDash(const QString& text) { return text.isEmpty() ? u"–"_s : text; }

template <typename Number>
QString orDash(const std::optional<Number>& number)
{
    return number ? QString::number(*number) : u"–"_s;
}

template <typename Number>
QVariant sortable(const std::optional<Number>& number)
{
    return number ? QVariant(*number) : QVariant(-1);
}

Tone toneOf(const JobRow& row)
{
    switch (row.job.state) {
    case JobState::Completed: return Tone::Good;
    case JobState::Running:
    case JobState::Completing: return Tone::Busy;
    case JobState::Unknown: return Tone::Warn;
    case JobState::Pending:
    case JobState::Configuring:
    case JobState::Cancelled: return Tone::Quiet;
    default: return hasEnded(row.job.state) ? Tone::Bad : Tone::Warn;
    }
}

QString elapsedText(const JobRow& row)
{
    const QString elapsed = row.job.elapsed ? slurmTime(*row.job.elapsed) : u"–"_s;
    return row.job.timeLimit ? elapsed + u" / "_s + slurmTime(*row.job.timeLimit) : elapsed;
}

QString submittedText(const JobRow& row)
{
    return row.job.submitted.isValid() ? row.job.submitted.toLocalTime().toString(u"yyyy-MM-dd HH:mm"_s) : u"–"_s;
}

QList<RecordModel<JobRow>::Column> columns()
{
    using Column = RecordModel<JobRow>::Column;
    const Qt::Alignment right = Qt::AlignRight | Qt::AlignVCenter;
    Column id{.title = u"Job"_s, .text = [](const JobRow& row) { return orDash(row.job.id); }};
    id.sort = [](const JobRow& row) { return QVariant(row.job.id.section(u'_', 0, 0).toLongLong()); };
    Column name{.title = u"Name"_s, .text = [](const JobRow& row) { return orDash(row.job.name); }};
    Column state{.title = u"State"_s, .text = [](const JobRow& row) { return toText(row.job.state); }};
    state.tone = toneOf;
    state.toolTip = [](const JobRow& row) { return capitalised(row.note); };
    Column partition{.title = u"Partition"_s, .text = [](const JobRow& row) { return orDash(row.job.partition); }};
    Column nodes{.title = u"Nodes"_s, .text = [](const JobRow& row) { return orDash(row.job.nodes); }};
    nodes.sort = [](const JobRow& row) { return sortable(row.job.nodes); };
    nodes.alignment = right;
    Column gpus{.title = u"GPUs"_s, .text = [](const JobRow& row) { return orDash(row.job.gpus); }};
    gpus.sort = [](const JobRow& row) { return sortable(row.job.gpus); };
    gpus.alignment = right;
    Column elapsed{.title = u"Elapsed / limit"_s, .text = elapsedText};
    elapsed.sort = [](const JobRow& row) { return QVariant(row.job.elapsed ? row.job.elapsed->count : qint64(-1)); };
    elapsed.alignment = right;
    Column submitted{.title = u"Submitted"_s, .text = submittedText};
    submitted.sort = [](const JobRow& row) { return QVariant(row.job.submitted); };
    Column cluster{.title = u"Cluster"_s, .text = [](const JobRow& row) { return orDash(row.clusterText()); }};
    Column note{.title = u"Note"_s, .text = [](const JobRow& row) { return capitalised(row.note); }};
    note.toolTip = note.text;
    return {id, name, state, partition, nodes, gpus, elapsed, submitted, cluster, note};
}

} // namespace

JobModel::JobModel(QObject* parent)
    : RecordModel<JobRow>(
        columns(),
        [](const JobRow& row) { return row.job.id.isEmpty() ? row.entryId : row.cluster + u'/' + row.job.id; }, parent),
      m_gpuWord(u"GPU"_s)
{
    connect(this, &QAbstractItemModel::rowsInserted, this, &JobModel::renameGpus);
    connect(this, &QAbstractItemModel::rowsRemoved, this, &JobModel::renameGpus);
    connect(this, &QAbstractItemModel::dataChanged, this, &JobModel::renameGpus);
}

QVariant JobModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section == gpuColumn && orientation == Qt::Horizontal && role == Qt::DisplayRole)
        return QString(m_gpuWord + u's');
    return RecordModel<JobRow>::headerData(section, orientation, role);
}

void JobModel::renameGpus()
{
    QString word;
    for (const JobRow& row : records()) {
        const QString its = row.gpuWord.isEmpty() ? u"GPU"_s : row.gpuWord;
        if (!row.job.gpus || its == word)
            continue;
        word = word.isEmpty() ? its : u"GPU"_s;
        if (word != its)
            break;
    }
    if (word.isEmpty())
        word = u"GPU"_s;
    if (std::exchange(m_gpuWord, word) != word)
        emit headerDataChanged(Qt::Horizontal, gpuColumn, gpuColumn);
}

} // namespace rankwright::inline tables
