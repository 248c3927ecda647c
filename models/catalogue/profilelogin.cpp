// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/catalogue/profilereader.h"

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

QStringList readFingerprints(ProfileReader& reader, const QString& key)
{
    const QStringList prints = reader.texts(key);
    for (const QString& print : prints) {
        if (!print.startsWith(u"SHA256:"_s))
            reader.json().refuse(key, u"a fingerprint starts with SHA256:, found “"_s + print.left(60) + u"”"_s);
    }
    return prints;
}

} // namespace

void readLogin(ProfileReader& reader, LoginRule& login)
{
    login.host = reader.text(u"host"_s);
    if (const auto port = reader.json().integer(u"port"_s, 1, 65535))
        login.port = static_cast<int>(*port);
    login.jump = reader.text(u"jump"_s);
    login.method = reader.longText(u"method"_s);
    login.secondFactor = reader.text(u"secondFactor"_s);
    reader.each(u"others"_s, [&](ProfileReader& other) {
        login.others.append({other.neededText(u"host"_s), other.text(u"purpose"_s)});
    });
    login.fingerprints = readFingerprints(reader, u"fingerprints"_s);
    login.jumpFingerprints = readFingerprints(reader, u"jumpFingerprints"_s);
    login.nodeLogin = reader.json().flag(u"nodeLogin"_s);
    login.note = reader.longText(u"note"_s);
    login.source = reader.longText(u"source"_s);
    if (login.jump.isEmpty() && !login.jumpFingerprints.isEmpty())
        reader.json().refuse(u"jumpFingerprints"_s, u"there is no “jump” that they could belong to"_s);
}

} // namespace rankwright
