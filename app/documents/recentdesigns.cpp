// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/recentdesigns.h"

#include "app/documents/documents.h"
#include "models/script/document/designjson.h"

#include <QFile>
#include <QFileInfo>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// A card does not justify reading more; designs have a few kilobytes.
constexpr qint64 largestRead = 1024 * 1024;

QString troubleOf(const QFileInfo& file)
{
    if (!file.exists())
        return u"The file is not there any more."_s;
    if (!file.isFile())
        return u"This is not a file."_s;
    if (Documents::isJobFileName(file.fileName()))
        return {};
    return file.size() > largestRead ? u"The file is too large for a design."_s : QString();
}

} // namespace

RecentDesign readRecentDesign(const QString& path, const Catalogue& catalogue)
{
    RecentDesign design;
    design.path = path;
    const QFileInfo info(path);
    const QString title = info.completeBaseName();
    design.summary.title = title;
    design.trouble = troubleOf(info);
    if (!design.trouble.isEmpty())
        return design;
    if (Documents::isJobFileName(path)) {
        design.summary.verdict = u"Job file"_s;
        return design;
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        design.trouble = u"The file cannot be read."_s;
        return design;
    }
    const QByteArray bytes = file.read(largestRead);
    if (Documents::isScriptName(path) || !bytes.trimmed().startsWith('{')) {
        design.summary.verdict = u"Batch script"_s;
        return design;
    }
    const auto read = readDesign(bytes, info.fileName());
    if (!read) {
        design.trouble = u"This is not a design that can be read."_s;
        return design;
    }
    design.summary = summarise(read->spec, catalogue);
    design.summary.title = title;
    return design;
}

QList<RecentDesign> readRecentDesigns(const QStringList& paths, const Catalogue& catalogue)
{
    QList<RecentDesign> designs;
    for (const QString& path : paths)
        designs.append(readRecentDesign(path, catalogue));
    return designs;
}

} // namespace rankwright
