// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/remotelease.h"

#include "models/cluster/remote/remoteprogram.h"

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

QString leasedProgram(const QString& file) { return remoteProgram(file) + remoteProgram(u"lease.sh"_s); }

} // namespace rankwright::inline cluster
