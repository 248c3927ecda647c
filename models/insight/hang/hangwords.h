// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/hang/hangassessment.h"
#include "models/insight/hang/hangcase.h"
#include "models/insight/hang/hangscene.h"
#include "models/insight/hang/hangverdict.h"

namespace rankwright::inline insight {

struct HangWords {
    QString sentence;
    QList<HangProof> proofs;
};

/// The statement of a case: "Rank 11 (node n03, GPU 3) has not entered all_reduce 4 812 of group fsdp; it stands in
/// read() at dataset.py:88, waiting for the file system. 31 ranks wait for it." Each proof names words of it.
HangWords hangWords(const HangCase& found, const HangScene& scene);

/// "all_reduce 4 812 of group fsdp", "barrier", "the next operation".
QString operationText(const QString& operation, std::optional<qint64> sequence, const QString& group);

} // namespace rankwright::inline insight
