// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/report/advicekind.h"

#include <array>

namespace rankwright::inline insight {

namespace {

/// In the order of AdviceKind.
constexpr std::array<QStringView, std::size_t(AdviceKind::Hint) + 1> adviceKindWords{
    u"time", u"memory", u"cpus", u"gpus", u"nodes", u"microBatch", u"design", u"hint"};
static_assert(!adviceKindWords.back().isEmpty());

} // namespace

QStringView wordOf(AdviceKind kind)
{
    return std::size_t(kind) < adviceKindWords.size() ? adviceKindWords[std::size_t(kind)] : QStringView();
}

} // namespace rankwright::inline insight
