// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Only here so that the precompiled header of suites with windows has a target that builds it.
#include "tests/support/testbase.h"
