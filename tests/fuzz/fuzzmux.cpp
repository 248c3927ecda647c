// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/mux/muxmessages.h"
#include "tests/fuzz/fuzztargets.h"

namespace rankwright::fuzz {

void muxPackets(const QByteArray& bytes)
{
    if (const auto request = readMuxRequest(bytes)) {
        const QByteArray packet = muxPacket(*request);
        const auto again = readMuxRequest(packet.mid(4));
        require(again && *again == *request, "a request is read as it was written");
        require(packet.size() <= bytes.size() + 4, "what is read holds no more than there was");
    }
    if (const auto reply = readMuxReply(bytes)) {
        const auto again = readMuxReply(muxPacket(*reply).mid(4));
        require(again && *again == *reply, "a reply is read as it was written");
    }
}

} // namespace rankwright::fuzz
