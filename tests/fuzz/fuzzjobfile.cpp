// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfilereader.h"
#include "models/cluster/remote/tarheader.h"
#include "models/core/sharedtext.h"
#include "tests/fuzz/fuzztargets.h"

#include <QBuffer>
#include <QJsonArray>
#include <QJsonObject>

namespace rankwright::fuzz {

namespace {

void readWhole(QByteArray bytes)
{
    QBuffer from(&bytes);
    QBuffer recording;
    from.open(QIODevice::ReadOnly);
    recording.open(QIODevice::WriteOnly);
    const auto read = readJobFile(from, recording);
    require(recording.data().size() <= bytes.size(), "nothing grows while it is unpacked");
    if (!read)
        return;
    qint64 kept = recording.data().size();
    for (auto text = read->texts.cbegin(); text != read->texts.cend(); ++text) {
        const JobFileMember* member = read->manifest.member(text.key());
        require(member && member->bytes == text->size(), "only what was promised is kept");
        require(member->bytes <= largestOf(member->kind), "and within its bounds");
        kept += text->size();
    }
    require(kept <= bytes.size(), "no more is kept than is there");
}

/// An archive with this for its manifest, and something for what it names.
QByteArray archiveOf(const QByteArray& manifest, const JobFileManifest& known)
{
    constexpr qint64 mostBytes = 4096;
    const auto entry = [](const QString& name, const QByteArray& bytes) {
        TarEntry head;
        head.path = name;
        head.size = bytes.size();
        return QByteArray(tarHeader(head) + bytes + QByteArray(qsizetype(tarPadding(bytes.size())), '\0'));
    };
    QByteArray all = entry(jobManifestName, manifest);
    for (const JobFileMember& member : known.members)
        all += entry(member.name, QByteArray(qsizetype(qMin(member.bytes, mostBytes)), 'x'));
    return all + tarEnd();
}

} // namespace

void jobFile(const QByteArray& bytes)
{
    readWhole(bytes);
    if (const auto manifest = manifestFrom(bytes)) {
        require(manifest->members.size() <= mostJobFileMembers, "members are bounded");
        const auto again = manifestFrom(manifestBytes(*manifest));
        require(again && again->cluster == manifest->cluster && again->job.id == manifest->job.id,
            "a manifest stays what it is");
        readWhole(archiveOf(bytes, *manifest));
    }
    SharedText shared(QStringLiteral("smithj"));
    const QByteArray text = shared.bytes(bytes);
    require(text.size() <= 12 * bytes.size() + 16, "a text does not grow without bounds");
    require(!text.contains("hf_PlantedInTheCorpus0001"), "a known token goes");
}

} // namespace rankwright::fuzz
