// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

#include <algorithm>
#include <span>

namespace rankwright::inline planner {

/// One enumerator of the design: its word in the design file (docs/design_file.md), which never changes, and what
/// people read on screen.
template <typename Enum>
struct EnumWord {
    Enum value;
    QLatin1StringView word;
    QLatin1StringView title;
    bool inFile = true; ///< false: known from published runs, but no design may name it
};

/// All words of an enum, in the order in which the manual and messages list them. There are tables for the enums of
/// JobSpec, no others.
template <typename Enum>
std::span<const EnumWord<Enum>> enumWords();

template <>
std::span<const EnumWord<Strategy>> enumWords<Strategy>();
template <>
std::span<const EnumWord<Launcher>> enumWords<Launcher>();
template <>
std::span<const EnumWord<Framework>> enumWords<Framework>();
template <>
std::span<const EnumWord<Precision>> enumWords<Precision>();
template <>
std::span<const EnumWord<Optimizer>> enumWords<Optimizer>();
template <>
std::span<const EnumWord<ActivationCheckpointing>> enumWords<ActivationCheckpointing>();
template <>
std::span<const EnumWord<AttentionKind>> enumWords<AttentionKind>();
template <>
std::span<const EnumWord<Offload>> enumWords<Offload>();
template <>
std::span<const EnumWord<FrozenWeights>> enumWords<FrozenWeights>();
template <>
std::span<const EnumWord<LossKind>> enumWords<LossKind>();
template <>
std::span<const EnumWord<AdapterMethod>> enumWords<AdapterMethod>();
template <>
std::span<const EnumWord<Quantisation>> enumWords<Quantisation>();
template <>
std::span<const EnumWord<NumaBinding>> enumWords<NumaBinding>();
template <>
std::span<const EnumWord<Float8>> enumWords<Float8>();

/// Of an enumerator: its row. Every enumerator has one.
template <typename Enum>
const EnumWord<Enum>& enumWord(Enum value)
{
    const auto words = enumWords<Enum>();
    const auto found
        = std::find_if(words.begin(), words.end(), [value](const auto& one) { return one.value == value; });
    Q_ASSERT(found != words.end());
    return *found;
}

template <typename Enum>
QLatin1StringView wordOf(Enum value)
{
    return enumWord(value).word;
}

template <typename Enum>
QLatin1StringView titleOf(Enum value)
{
    return enumWord(value).title;
}

/// The enumerator that a design names by this word; empty: none.
template <typename Enum>
std::optional<Enum> enumeratorOf(QStringView text)
{
    for (const EnumWord<Enum>& one : enumWords<Enum>()) {
        if (one.inFile && text == one.word)
            return one.value;
    }
    return std::nullopt;
}

/// The words that a design may use, for messages.
template <typename Enum>
QStringList fileWords()
{
    QStringList words;
    for (const EnumWord<Enum>& one : enumWords<Enum>()) {
        if (one.inFile)
            words.append(one.word);
    }
    return words;
}

} // namespace rankwright::inline planner
