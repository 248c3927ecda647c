// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

namespace rankwright::inline teaching {

// What text, names and designs of a class file may hold. A file comes from strangers.

/// Does an object of the text name a member twice? `parsed` is what was read of it. Readers differ in which of the two
/// they take, so that a text could mean two things under one signature.
bool repeatsMembers(const QByteArray& bytes, const QJsonObject& parsed);
/// Depth of brackets outside strings: what Qt's reader would go into.
int nestingOf(const QByteArray& bytes);
/// The first text (members' names included) that is too long or holds control, invisible or direction-turning
/// characters: its JSON path and why. Empty: none is wrong.
std::optional<std::pair<QString, QString>> textFault(const QJsonValue& value, const QString& path);
/// What a design in a class file may not hold: field and reason; both empty: nothing is wrong.
std::pair<QString, QString> designFault(const JobSpec& spec);

/// Is it a name that may stand behind an option of sbatch: letters, digits and _ . @ : + -, not first a hyphen, at most
/// 64?
bool isSlurmName(const QString& text);
/// "/...", "~" or "~/..." of harmless characters, without "..": a folder or file on the cluster.
bool isPlainPath(const QString& text);
/// An https link of harmless characters without a user part.
bool isHttpsLink(const QString& text);

} // namespace rankwright::inline teaching
