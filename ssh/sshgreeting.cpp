// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/sshgreeting.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

bool turnsAway(const QString& line)
{
    static const QStringList words{u"exceeded maxstartups"_s, u"not allowed at this time"_s, u"too many connections"_s,
        u"too many sessions"_s, u"too many users"_s, u"temporarily"_s, u"try again later"_s};
    const QString said = line.toLower();
    for (const QString& word : words) {
        if (said.contains(word))
            return true;
    }
    return false;
}

/// Most of it is letters of a Western keyboard; greetings of other protocols are not sentences.
bool isText(const QString& line)
{
    const auto plain = std::count_if(line.cbegin(), line.cend(), [](QChar c) { return c >= u' ' && c <= u'~'; });
    return plain * 10 >= line.size() * 8;
}

QString evidence(const FailedGreeting& seen)
{
    if (!seen.firstLine.isEmpty() && !isText(seen.firstLine))
        return u"What it said is not text."_s;
    return seen.firstLine.isEmpty() ? seen.libraryText : u"It said: %1"_s.arg(seen.firstLine);
}

} // namespace

bool speaksHttp(const QString& line)
{
    const QString start = line.trimmed().left(20).toLower();
    return start.startsWith("http/"_L1) || start.startsWith("<!doctype"_L1) || start.startsWith("<html"_L1)
        || start.startsWith("<?xml"_L1);
}

Error greetingError(const FailedGreeting& seen)
{
    if (speaksHttp(seen.firstLine))
        return {Fault::Offline, u"A web page answers in place of %1."_s.arg(seen.host), evidence(seen),
            u"This network may want you to sign in first: open any page in a browser and do so, then connect again."_s};
    if (turnsAway(seen.firstLine))
        return {Fault::TurnedAway, u"%1 takes no more connections at the moment."_s.arg(seen.host), evidence(seen),
            u"Too many log in at once, or this address is blocked for a while: wait some minutes before the next try."_s};
    if (!seen.firstLine.isEmpty())
        return {Fault::Offline, u"%1 does not answer as an SSH server."_s.arg(seen.host), evidence(seen),
            u"Another service listens there: check host name and port."_s};
    // Whichever of the two notices it first: the library says so, or the server resets the connection.
    if (!seen.nothingInCommon.isEmpty() || seen.libraryText.contains("no match for method"_L1))
        return {Fault::Offline, u"%1 and this program know no common way to encrypt."_s.arg(seen.host),
            seen.nothingInCommon.isEmpty() ? seen.libraryText : seen.nothingInCommon,
            u"The server is very old or set up very strictly: show this to the site's help desk."_s};
    if (seen.hungUp && seen.bytesIn <= 0)
        return {Fault::TurnedAway, u"%1 closed the connection before it said anything."_s.arg(seen.host),
            seen.libraryText,
            u"It has too many callers or blocks this address for a while: wait some minutes before the next try. From "
            u"outside, sites may want their VPN."_s};
    if (seen.hungUp)
        return {Fault::Offline, u"%1 ended the connection while keys were exchanged."_s.arg(seen.host),
            seen.libraryText,
            u"Connect again; if it stays so, ask the site's help desk: the server may be very old or set up very strictly."_s};
    const QString waited = u"within %1 s."_s.arg(double(seen.waitedMs) / 1000.0);
    if (seen.waitedMs > 0 && seen.bytesIn <= 0)
        return {Fault::Offline, u"%1 accepts the connection and then says nothing."_s.arg(seen.host),
            u"Nothing came "_s + waited,
            u"A firewall, or a network that wants a sign-in in the browser, may stand between: check that, and whether "
            u"the site wants its VPN."_s};
    if (seen.waitedMs > 0)
        return {Fault::Offline, u"%1 fell silent while keys were exchanged."_s.arg(seen.host),
            u"They were not agreed "_s + waited, u"Check the network, then connect again."_s};
    return {Fault::Offline, u"No SSH session with %1 could be begun."_s.arg(seen.host), seen.libraryText,
        u"Check host name and port; if they are right, show this to the site's help desk."_s};
}

} // namespace rankwright
