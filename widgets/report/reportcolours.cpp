// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/reportcolours.h"

#include "widgets/base/theme.h"

namespace rankwright {

using T = Theme::Token;

ReportColours ReportColours::of(bool dark)
{
    return {Theme::colour(T::Panel, dark), Theme::colour(T::Line, dark), Theme::colour(T::Foreground, dark),
        Theme::colour(T::Foreground2, dark), Theme::category(0), Theme::category(2), Theme::category(5),
        Theme::colour(T::Foreground3, dark)};
}

} // namespace rankwright
