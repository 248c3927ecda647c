// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/forward/relayframe.h"
#include "models/cluster/forward/servicefinder.h"
#include "tests/fuzz/fuzztargets.h"

#include <QUrl>

namespace rankwright::fuzz {

void relayedPort(const QByteArray& bytes)
{
    // The same in one piece and in small ones.
    RelayReader whole;
    const auto all = whole.feed(bytes);
    RelayReader cut;
    QList<RelayFrame> frames;
    bool isBroken = false;
    for (qsizetype at = 0; at < bytes.size() && !isBroken; at += 3) {
        const auto some = cut.feed(bytes.mid(at, 3));
        isBroken = !some;
        if (some)
            frames += *some;
    }
    require(whole.greeting() != RelayReader::Greeting::Relay || !all || frames == *all,
        "frames do not depend on how they are cut");
    for (const RelayFrame& frame : std::as_const(frames)) {
        require(frame.body.size() <= 65536, "a frame is bounded");
        require(grantedBytes(frame) == 0 || frame.kind == RelayFrame::Grant, "only grants grant");
    }
    ServiceFinder finder;
    finder.setNodes({QStringLiteral("nid001"), QStringLiteral("nid002")});
    for (const QByteArray& line : bytes.split('\n'))
        finder.read(QString::fromUtf8(line));
    require(finder.services().size() <= 16, "services are bounded");
    for (const FoundService& service : finder.services()) {
        require(service.port > 0 && service.port < 65536, "a service has a port");
        const QUrl address(localAddressWithToken(service, 1234), QUrl::StrictMode);
        require(address.isValid() && address.host() == QLatin1StringView("127.0.0.1") && address.port() == 1234,
            "what a browser is given is on this computer");
        require(!localAddress(service, 1234).contains(QLatin1StringView("token=")) || service.token.isEmpty()
                || service.path.contains(QLatin1StringView("token=")),
            "a token is only where it is asked for");
    }
}

} // namespace rankwright::fuzz
