// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/recordingmodel.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"

#include <QDateTime>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace rankwright::inline tables {

namespace {

QString textOrDash(const QString& text) { return text.isEmpty() ? u"–"_s : text; }

QString momentOf(const RecordingRow& row)
{
    if (row.span.length() <= 0)
        return u"–"_s;
    return QDateTime::fromMSecsSinceEpoch(row.span.fromMs).toString(u"yyyy-MM-dd HH:mm"_s);
}

std::optional<int> gpuCountOf(const RecordingRow& row)
{
    return row.nodes && row.gpusPerNode ? std::optional(*row.nodes * *row.gpusPerNode) : std::nullopt;
}

QString gpusOf(const RecordingRow& row)
{
    const std::optional<int> all = gpuCountOf(row);
    return all ? gpusText(*all, row.gpuWord) : u"–"_s;
}

QString noteOf(const RecordingRow& row)
{
    if (!row.fault.isEmpty())
        return row.fault;
    if (row.isWritten)
        return hasEnded(row.job.state) ? u"ended; its recording is still open"_s : u"being recorded now"_s;
    return row.span.length() <= 0 ? u"without a sample"_s : QString();
}

Tone recordingTone(const RecordingRow& row)
{
    if (!row.fault.isEmpty())
        return Tone::Warn;
    if (row.isWritten && !hasEnded(row.job.state))
        return Tone::Busy;
    switch (row.job.state) {
    case JobState::Completed: return Tone::Good;
    case JobState::Cancelled: return Tone::Quiet;
    default: return hasEnded(row.job.state) ? Tone::Bad : Tone::Quiet;
    }
}

QString recordingState(const RecordingRow& row)
{
    if (!row.fault.isEmpty())
        return u"not readable"_s;
    return row.isWritten || hasEnded(row.job.state) ? toText(row.job.state) : u"end not seen"_s;
}

QList<RecordModel<RecordingRow>::Column> recordingColumns()
{
    using Column = RecordModel<RecordingRow>::Column;
    const Qt::Alignment right = Qt::AlignRight | Qt::AlignVCenter;
    const auto path = [](const RecordingRow& row) { return row.path; };
    Column job{.title = u"Job"_s, .text = [](const RecordingRow& row) { return textOrDash(row.job.id); }};
    job.sort = [](const RecordingRow& row) { return QVariant(row.job.id.section(u'_', 0, 0).toLongLong()); };
    job.toolTip = path;
    Column name{.title = u"Name"_s, .text = [](const RecordingRow& row) {
                    return row.fault.isEmpty() ? textOrDash(row.job.name) : QFileInfo(row.path).fileName();
                }};
    name.toolTip = path;
    Column cluster{.title = u"Cluster"_s, .text = [](const RecordingRow& row) { return textOrDash(row.cluster); }};
    Column state{.title = u"State"_s, .text = recordingState};
    state.tone = recordingTone;
    Column recorded{.title = u"Recorded"_s, .text = momentOf};
    recorded.sort = [](const RecordingRow& row) { return QVariant(row.span.toMs); };
    Column length{.title = u"Length"_s, .text = [](const RecordingRow& row) {
                      return row.span.length() > 0 ? humanDuration(Seconds{row.span.length() / 1000}) : u"–"_s;
                  }};
    length.sort = [](const RecordingRow& row) { return QVariant(row.span.length()); };
    length.alignment = right;
    Column gpus{.title = u"GPUs"_s, .text = gpusOf};
    gpus.sort = [](const RecordingRow& row) { return QVariant(gpuCountOf(row).value_or(0)); };
    gpus.alignment = right;
    Column size{.title = u"Size"_s, .text = [](const RecordingRow& row) { return humanBytes(Bytes{row.bytes}); }};
    size.sort = [](const RecordingRow& row) { return QVariant(row.bytes); };
    size.alignment = right;
    Column note{.title = u"Note"_s, .text = noteOf};
    note.toolTip = noteOf;
    return {job, name, cluster, state, recorded, length, gpus, size, note};
}

} // namespace

RecordingModel::RecordingModel(QObject* parent)
    : RecordModel<RecordingRow>(
        recordingColumns(), [](const RecordingRow& row) { return row.path; }, parent)
{ }

QString recordingsTotal(const QList<RecordingRow>& rows, qint64 limitBytes)
{
    qint64 bytes = 0;
    for (const RecordingRow& row : rows)
        bytes += row.bytes;
    const QString count = counted(rows.size(), u"recording"_s);
    return u"%1, %2 of at most %3"_s.arg(count, humanBytes(Bytes{bytes}), humanBytes(Bytes{limitBytes}));
}

} // namespace rankwright::inline tables
