// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/fieldtable.h"
#include "models/script/bind/scriptfields.h"
#include "models/script/read/scriptreader.h"

namespace rankwright::inline script {

/// What an author's script says of the fields of a design: the reader, and bindScript()'s value where that is certain,
/// since an edit changes it there. Figures of the training are those that the program gets by its arguments.
ScriptReading saidBy(const BatchText& batch, const ScriptFields& fields, const ClusterProfile& profile);
ScriptReading saidBy(const BatchText& batch, const ClusterProfile& profile);

/// The same of a design's own script. Here the reader's value counts: it is the inverse of the writer, which spells
/// queues and accounts as the site does and quotes the command.
JobSpec readBack(const BatchText& batch, const ClusterProfile& profile);

/// Fills the open figures of the training with those that the program gets by the command's arguments.
void readFigures(JobSpec& spec);

// One field of two designs.
bool isEqual(const SpecField& field, const JobSpec& one, const JobSpec& other);
void copyField(const SpecField& field, const JobSpec& from, JobSpec& to);
/// A field of the document itself, which no script says.
bool isOfDocument(const SpecField& field);

} // namespace rankwright::inline script
