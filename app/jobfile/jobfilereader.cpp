// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfilereader.h"

#include "models/cluster/transfer/tarstream.h"

#include <QCryptographicHash>
#include <QSet>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 pieceBytes = 1 << 16;
constexpr int mostEntries = 1024;
constexpr qint64 mostTextBytes = 256 << 20; ///< of all texts together

Unexpected<Error> damaged(const QString& why)
{
    return fail(Fault::Unreadable, u"The job file cannot be read."_s, why,
        u"It may be cut or damaged: fetch it again, or ask for a new one."_s);
}

Unexpected<Error> noJobFile(const QString& why)
{
    return fail(Fault::Unreadable, u"This is not a job file."_s, why,
        u"Job files are made with: rankwright-cli export CLUSTER JOB"_s);
}

/// One pass over the archive.
class Pass {
public:
    Pass(QIODevice& recording) : m_recording(recording) { }

    bool hasBegun() const { return m_entries > 0; }

    Result<void> begin(const FileEntry& entry)
    {
        m_hash.reset();
        m_member = nullptr;
        m_isManifest = m_entries == 0;
        if (++m_entries > mostEntries)
            return damaged(u"more than %1 entries"_s.arg(mostEntries));
        if (m_isManifest) {
            if (entry.kind != FileEntry::Kind::File || entry.path != jobManifestName.toUtf8()
                || entry.size > largestJobManifest)
                return noJobFile(u"it does not begin with %1"_s.arg(jobManifestName));
            return {};
        }
        const JobFileMember* member
            = entry.kind == FileEntry::Kind::File ? m_contents.manifest.member(QString::fromUtf8(entry.path)) : nullptr;
        if (!member || member->kind == JobFileMember::Kind::Other) {
            ++m_contents.ignored;
            if (member)
                m_seen.insert(member->name);
            return {};
        }
        if (entry.size != member->bytes)
            return damaged(u"%1 has %2 bytes, %3 were promised"_s.arg(member->name).arg(entry.size).arg(member->bytes));
        if (m_seen.contains(member->name))
            return damaged(u"%1 occurs twice"_s.arg(member->name));
        m_seen.insert(member->name);
        if (member->kind != JobFileMember::Kind::Recording) {
            m_textBytes += member->bytes;
            if (m_textBytes > mostTextBytes)
                return damaged(u"its texts have more than %1 bytes"_s.arg(mostTextBytes));
        }
        m_member = member;
        return {};
    }

    Result<void> readBytes(const QByteArray& bytes)
    {
        if (m_isManifest) {
            m_manifest += bytes;
            return {};
        }
        if (!m_member)
            return {};
        m_hash.addData(bytes);
        if (m_member->kind != JobFileMember::Kind::Recording)
            m_contents.texts[m_member->name] += bytes;
        else if (m_recording.write(bytes) != bytes.size())
            return fail(Fault::Io, u"The recording of the job file cannot be unpacked."_s, m_recording.errorString(),
                u"Make room in the folder for temporary files."_s);
        return {};
    }

    Result<void> end()
    {
        if (m_isManifest) {
            const auto manifest = manifestFrom(m_manifest);
            if (!manifest) {
                Error why = manifest.error().within(u"The job file cannot be read"_s);
                return fail(why);
            }
            m_contents.manifest = *manifest;
            m_isManifest = false;
            return {};
        }
        if (m_member && m_hash.result().toHex() != m_member->sha256)
            return damaged(u"the checksum of %1 is wrong"_s.arg(m_member->name));
        if (m_member && m_member->bytes == 0)
            m_contents.texts.insert(m_member->name, {});
        return {};
    }

    Result<JobFileContents> whole(bool isOver)
    {
        if (!isOver)
            return damaged(u"it is cut off"_s);
        for (const JobFileMember& member : m_contents.manifest.members) {
            if (!m_seen.contains(member.name))
                return damaged(u"%1 is missing"_s.arg(member.name));
        }
        if (m_entries == 0)
            return damaged(u"it is empty"_s);
        return m_contents;
    }

private:
    QIODevice& m_recording;
    JobFileContents m_contents;
    QByteArray m_manifest;
    QSet<QString> m_seen;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    const JobFileMember* m_member = nullptr; ///< whose bytes come; null: they are left alone
    qint64 m_textBytes = 0;
    int m_entries = 0;
    bool m_isManifest = false;
};

} // namespace

Result<JobFileContents> readJobFile(QIODevice& from, QIODevice& recording)
{
    Pass pass(recording);
    std::optional<Error> why; // of the pass itself: what the stream reader says is about streams of clusters
    const auto told = [&why](const Result<void>& done) {
        if (!done)
            why = done.error();
        return done;
    };
    TarReader reader({[&](const FileEntry& entry) { return told(pass.begin(entry)); },
        [&](const QByteArray& bytes) { return told(pass.readBytes(bytes)); }, [&] { return told(pass.end()); }});
    while (!reader.isOver()) {
        const QByteArray piece = from.read(pieceBytes);
        if (piece.isEmpty())
            break;
        if (const auto fed = reader.feed(piece); !fed) {
            if (!why && !pass.hasBegun())
                return noJobFile(fed.error().detail);
            return why ? fail(*why) : damaged(fed.error().detail);
        }
    }
    return pass.whole(reader.isOver());
}

} // namespace rankwright
