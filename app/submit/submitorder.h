// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/submit/submitflow.h"
#include "models/script/document/design.h"

namespace rankwright {

enum class SubmitPurpose { Submission, Rehearsal };

/// Everything of a design that a submission needs, taken at the moment of the click.
SubmitOrder submitOrder(const JobSpec& spec, const Derived& derived, SubmitPurpose purpose);
/// For those who know better than an estimate: what is expected not to fit into the GPUs' memory stops the order no
/// more. Gives what did; other errors stay.
QList<Finding> letPassUnfitting(SubmitOrder& order);

} // namespace rankwright
