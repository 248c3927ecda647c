// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/reportcolours.h"

#include "widgets/base/theme.h"

namespace rankwright {

using T = Theme::Token;

ReportColours ReportColours::of(bool dark)
{
    const auto scheme = dark ? Theme::Scheme::Dark : Theme::Scheme::Light;
    return {Theme::colour(T::Panel, scheme), Theme::colour(T::Line, scheme), Theme::colour(T::Foreground, scheme),
        Theme::colour(T::Foreground2, scheme), Theme::category(0), Theme::category(2), Theme::category(5),
        Theme::colour(T::Foreground3, scheme)};
}

} // namespace rankwright
