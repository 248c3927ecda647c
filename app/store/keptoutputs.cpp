// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/keptoutputs.h"

#include "models/core/jsonreader.h"
#include "models/core/jsonvalue.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QSaveFile>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// One line of JSON, then the bytes of all files one after another.
constexpr int keptFormat = 1;
constexpr qint64 longestHead = 1 << 20;

Unexpected<Error> keptUnreadable(const QString& path, const QString& why)
{
    return fail(Fault::Unreadable, u"The outputs that were kept with a recording cannot be read."_s,
        path + u": "_s + why, u"Delete the file; the cluster is asked again then."_s);
}

} // namespace

QString keptOutputsPath(const QString& recording) { return recording + u".out"_s; }

Result<void> saveOutputs(const QString& recording, const QList<KeptOutput>& outputs)
{
    QSaveFile file(keptOutputsPath(recording));
    const auto failed = [&file] {
        return fail(Fault::Io, u"The job's output could not be kept."_s, file.errorString(),
            u"Check the data folder's permissions and its free space."_s);
    };
    QJsonArray files;
    qint64 all = 0;
    for (const KeptOutput& output : outputs.first(qMin<qsizetype>(outputs.size(), mostKeptOutputs))) {
        if (output.bytes.size() > largestKeptOutput || all + output.bytes.size() > mostKeptBytes)
            break;
        all += output.bytes.size();
        files.append(QJsonObject{{u"path"_s, output.path}, {u"rank"_s, orNull(output.rank)},
            {u"wholeBytes"_s, double(output.wholeBytes)}, {u"modified"_s, timeJson(output.modified)},
            {u"bytes"_s, double(output.bytes.size())}});
    }
    if (!file.open(QIODevice::WriteOnly))
        return failed();
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.write(
        QJsonDocument(QJsonObject{{u"version"_s, keptFormat}, {u"files"_s, files}}).toJson(QJsonDocument::Compact));
    file.write("\n");
    for (const KeptOutput& output : outputs.first(files.size()))
        file.write(output.bytes);
    return file.commit() ? Result<void>() : Result<void>(failed());
}

Result<QList<KeptOutput>> readKeptOutputs(const QString& recording)
{
    QFile file(keptOutputsPath(recording));
    if (!file.exists())
        return QList<KeptOutput>();
    if (!file.open(QIODevice::ReadOnly))
        return keptUnreadable(file.fileName(), file.errorString());
    return keptOutputsFrom(file, file.fileName());
}

Result<QList<KeptOutput>> keptOutputsFrom(QIODevice& file, const QString& name)
{
    const QByteArray head = file.readLine(longestHead);
    const auto object = parseJsonObject(head, name);
    if (!object)
        return keptUnreadable(name, object.error().oneLine());
    JsonReader json(*object);
    if (json.whole(u"version"_s, 1, keptFormat).value_or(0) == 0)
        return keptUnreadable(name, u"it was written by a newer program"_s);
    QList<KeptOutput> outputs;
    qint64 all = 0;
    for (const QJsonValue& value : object->value(u"files"_s).toArray()) {
        JsonReader each(value.toObject());
        KeptOutput output;
        output.path = each.requiredText(u"path"_s);
        output.rank = each.whole(u"rank"_s, 0, 1 << 24);
        output.wholeBytes = each.integer(u"wholeBytes"_s, 0, Q_INT64_C(1) << 53).value_or(0);
        output.modified = each.time(u"modified"_s).value_or(QDateTime());
        const qint64 size = each.integer(u"bytes"_s, 0, largestKeptOutput).value_or(-1);
        if (each.fault() || size < 0)
            return keptUnreadable(name, each.fault() ? each.fault()->oneLine() : u"a size is missing"_s);
        all += size;
        if (outputs.size() >= mostKeptOutputs || all > mostKeptBytes)
            return keptUnreadable(name, u"more than is ever kept"_s);
        output.bytes = file.read(size);
        if (output.bytes.size() != size)
            return keptUnreadable(name, u"it is cut off"_s);
        outputs.append(output);
    }
    return outputs;
}

} // namespace rankwright
