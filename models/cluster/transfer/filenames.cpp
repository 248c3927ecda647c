// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/filenames.h"

#include "models/core/harmlesstext.h"

#include <QCryptographicHash>
#include <QStringDecoder>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

QString hexByte(uchar byte) { return u"\\x%1"_s.arg(uint(byte), 2, 16, QLatin1Char('0')); }

/// How many bytes the well-formed UTF-8 character at `at` has; 0: there is none.
int characterLength(const QByteArray& bytes, qsizetype at)
{
    const auto first = uchar(bytes.at(at));
    const int length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (length == 0 || at + length > bytes.size())
        return 0;
    QStringDecoder decoder(QStringDecoder::Utf8);
    const QString text = decoder(bytes.mid(at, length));
    return decoder.hasError() || text.contains(QChar::ReplacementCharacter) ? 0 : length;
}

} // namespace

QString shownName(const QByteArray& name, qsizetype limit)
{
    QString shown;
    for (qsizetype at = 0; at < name.size();) {
        const int length = characterLength(name, at);
        const QString text = length > 0 ? QString::fromUtf8(name.mid(at, length)) : QString();
        if (text == u"\n")
            shown += u"\\n"_s;
        else if (text == u"\t")
            shown += u"\\t"_s;
        else if (length == 0 || (text.size() == 1 && isHarmful(text.at(0)))) {
            for (int each = 0; each < qMax(1, length); ++each)
                shown += hexByte(uchar(name.at(at + each)));
        } else
            shown += text;
        at += qMax(1, length);
    }
    if (shown.size() > limit)
        shown = shown.left(limit / 2) + u'…' + shown.right(limit - limit / 2 - 1);
    return shown;
}

bool isSafePath(const QByteArray& path)
{
    if (path.isEmpty() || path.size() > 4096 || path.contains('\0'))
        return false;
    for (const QByteArray& part : path.split('/')) {
        if (part.isEmpty() || part == "." || part == "..")
            return false;
    }
    return true;
}

bool linkStaysInside(const QByteArray& path, const QByteArray& target)
{
    if (target.isEmpty() || target.startsWith('/') || target.contains('\0'))
        return false;
    qsizetype above = path.count('/');
    bool isGoingUp = true; // ".." behind a name could follow another link first
    for (const QByteArray& part : target.split('/')) {
        if (part == "..") {
            if (!isGoingUp || --above < 0)
                return false;
        } else if (part != "." && !part.isEmpty())
            isGoingUp = false;
    }
    return true;
}

QByteArray partialName(const QByteArray& path, qint64 size, qint64 modified)
{
    const QByteArray what = path + '\0' + QByteArray::number(size) + '\0' + QByteArray::number(modified);
    const QByteArray folder = folderOf(path);
    return (folder.isEmpty() ? QByteArray() : folder + '/') + ".rankwright-part-"
        + QCryptographicHash::hash(what, QCryptographicHash::Sha256).toHex().left(20);
}

QByteArray folderOf(const QByteArray& path) { return path.left(qMax<qsizetype>(0, path.lastIndexOf('/'))); }

QByteArray baseOf(const QByteArray& path) { return path.mid(path.lastIndexOf('/') + 1); }

} // namespace rankwright::inline cluster
