// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/remoteshell.h"
#include "models/teaching/classroom/classprogress.h"
#include "models/teaching/classroom/classsite.h"

namespace rankwright {

/// Appends one line to the attendee's own file in the class's folder, ALIAS.progress by the line's attendee; asked for
/// by the attendee alone (opt-in). The folder is not made, no link is followed, the file is the attendee's (mode 0644).
/// `guard` as in RemoteShell::run.
void shareProgress(
    RemoteShell& shell, const QString& folder, const ProgressLine& line, QObject* guard, Then<void> then);
/// All attendees' lines: files ALIAS.progress of the folder, at most 500 and 60 of one owner, 64 KiB of each from its
/// end.
void collectProgress(RemoteShell& shell, const QString& folder, QObject* guard, Then<ReadProgress> then);
/// What checkClassSite needs, asked of a cluster: SlurmClient::discover, the reservations, and which of the `images`
/// (classImages) can be read there.
void askSite(RemoteShell& shell, const QStringList& images, QObject* guard, Then<SiteFacts> then);

} // namespace rankwright
