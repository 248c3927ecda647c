// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/kexproposal.h"
#include "models/core/harmlesstext.h"
#include "tests/fuzz/fuzztargets.h"

#include <algorithm>

namespace rankwright::fuzz {

void keyExchange(const QByteArray& bytes)
{
    const auto offered = readKexProposal(bytes);
    if (!offered)
        return;
    qsizetype total = 0;
    for (const QByteArrayList& names : offered->names) {
        for (const QByteArray& name : names)
            total += name.size();
    }
    require(total <= bytes.size(), "names come from what was read");
    KexProposal own;
    own.names.fill({"none"});
    for (const QString& said : {nothingInCommon(*offered, own), nothingInCommon(own, *offered)}) {
        require(said.size() < 4000, "a sentence is bounded");
        require(std::none_of(said.cbegin(), said.cend(), isHarmful), "a sentence is harmless");
    }
    require(nothingInCommon(own, own).isEmpty(), "equals agree");
}

} // namespace rankwright::fuzz
