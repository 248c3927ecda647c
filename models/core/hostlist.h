// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QStringList>

namespace rankwright::inline core {

/// Expands Slurm's compressed node list: "nid[001-003,7],login1" -> nid001 nid002 nid003 nid7 login1; several brackets
/// per name work as in scontrol show hostnames. In: text, at most `limit` hosts. Error: unbalanced bracket, bad range,
/// more hosts than `limit`, a longer name than a host can have, or more characters in all than any cluster's names (a
/// broken or hostile reply must not fill the memory).
Result<QStringList> expandHostlist(const QString& text, int limit = 100000);
/// How many hosts that would be, under the same bounds, without making their names.
Result<int> countHostlist(const QString& text, int limit = 100000);
/// The reverse: folds names that differ in their last number into brackets; prefixes in order of first appearance,
/// numbers in the order given, so that nothing is lost: nid9 nid10 nid12 -> "nid[9-10,12]".
QString foldHostlist(const QStringList& hosts);

} // namespace rankwright::inline core
