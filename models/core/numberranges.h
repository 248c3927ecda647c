// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

namespace rankwright::inline core {

/// "0-3,8,10-12" as Slurm and Linux write lists of cores: neighbours that grow by one are folded, in the order given.
QString numberRanges(const QList<int>& numbers);
/// "0–3, 8, 10–12" for people: sorted.
QString numberRangesForPeople(QList<int> numbers);

} // namespace rankwright::inline core
