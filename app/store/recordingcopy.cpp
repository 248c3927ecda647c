// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/recordingcopy.h"

#include "app/store/recordingfile.h"

#include <QFile>
#include <QSqlQuery>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// One text with the key of its row.
struct Row {
    QVariant key;
    QByteArray json;
};

/// Texts of one table; the statements take the text and the key.
Result<void> cleanRows(
    RecordingFile& file, const QString& select, const QString& update, const QString& remove, const CleanJson& clean)
{
    QList<Row> changed;
    QVariantList gone;
    const auto read = file.run(select, {}, [&](const QSqlQuery& row) {
        const QByteArray before = row.value(1).toByteArray();
        const QByteArray after = clean(before);
        if (after.isEmpty())
            gone.append(row.value(0));
        else if (after != before)
            changed.append({row.value(0), after});
    });
    if (!read)
        return fail(read.error());
    for (const QVariant& key : std::as_const(gone)) {
        if (const auto done = file.run(remove, {key}); !done)
            return fail(done.error());
    }
    for (const Row& row : std::as_const(changed)) {
        if (const auto done = file.run(update, {QString::fromUtf8(row.json), row.key}); !done)
            return fail(done.error());
    }
    return {};
}

Result<void> cleanAll(RecordingFile& file, const CleanJson& clean)
{
    if (const auto done = file.run(u"DELETE FROM meta WHERE key IN ('owner', 'owner_seen', 'entry')"_s); !done)
        return fail(done.error());
    const auto meta = cleanRows(file, u"SELECT key, value FROM meta WHERE key IN ('job', 'design')"_s,
        u"UPDATE meta SET value = ? WHERE key = ?"_s, u"DELETE FROM meta WHERE key = ?"_s, clean);
    if (!meta)
        return meta;
    const auto progress = cleanRows(file, u"SELECT time_ms, json FROM progress"_s,
        u"UPDATE progress SET json = ? WHERE time_ms = ?"_s, u"DELETE FROM progress WHERE time_ms = ?"_s, clean);
    if (!progress)
        return progress;
    return cleanRows(file, u"SELECT id, json FROM events"_s, u"UPDATE OR REPLACE events SET json = ? WHERE id = ?"_s,
        u"DELETE FROM events WHERE id = ?"_s, clean);
}

Result<void> copyInto(const QString& path, RecordingFile& file)
{
    const auto done = file.run(u"VACUUM INTO ?"_s, {path});
    if (!done)
        return fail(done.error());
    QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
    return {};
}

} // namespace

Result<void> copyRecording(const QString& from, const QString& to, const CleanJson& clean)
{
    // Twice: what an update replaces stays in a file's free pages.
    const QString raw = to + u".raw"_s;
    const auto removeRaw = [&raw] {
        for (const QString& part : {u""_s, u"-wal"_s, u"-shm"_s})
            QFile::remove(raw + part);
    };
    const auto copied = [&]() -> Result<void> {
        const auto source = RecordingFile::open(from, RecordingFile::Mode::Read);
        if (!source)
            return fail(source.error());
        if (const auto done = copyInto(raw, **source); !done)
            return done;
        const auto copy = RecordingFile::open(raw, RecordingFile::Mode::Write);
        if (!copy)
            return fail(copy.error());
        const auto cleaned = (*copy)->transact([&] { return cleanAll(**copy, clean); });
        return cleaned ? copyInto(to, **copy) : cleaned;
    }();
    removeRaw();
    if (!copied)
        QFile::remove(to);
    return copied;
}

} // namespace rankwright
