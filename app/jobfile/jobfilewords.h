// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfilemanifest.h"

namespace rankwright {

/// What a member is, for people: "the batch script".
QString contentText(const JobFileMember& member);
/// "3 secrets left out."; empty: there was none.
QString secretsText(const JobFileManifest& manifest);

} // namespace rankwright
