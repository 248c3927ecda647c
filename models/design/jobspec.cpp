// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/design/jobspec.h"

#include <array>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

// In the order of the enumerators; these words are the JSON form (docs/design_file.md) and never change.
const std::array strategyNames{u"single"_s, u"ddp"_s, u"zero1"_s, u"zero2"_s, u"zero3"_s, u"fsdp"_s, u"hsdp"_s,
    u"pipeline"_s, u"tensor"_s, u"3d"_s, u"horovod"_s};
const std::array launcherNames{u"torchrun"_s, u"srun"_s, u"accelerate"_s, u"deepspeed"_s, u"lightning"_s, u"horovod"_s};
const std::array precisionNames{u"fp32"_s, u"tf32"_s, u"fp16-mixed"_s, u"bf16-mixed"_s, u"bf16"_s};

template <typename Enum, std::size_t size>
std::optional<Enum> lookUp(const std::array<QString, size>& names, const QString& text)
{
    for (std::size_t i = 0; i < size; ++i) {
        if (names[i] == text)
            return static_cast<Enum>(i);
    }
    return std::nullopt;
}

} // namespace

QString toText(Strategy strategy) { return strategyNames.at(static_cast<std::size_t>(strategy)); }
QString toText(Launcher launcher) { return launcherNames.at(static_cast<std::size_t>(launcher)); }
QString toText(Precision precision) { return precisionNames.at(static_cast<std::size_t>(precision)); }
std::optional<Strategy> strategyFrom(const QString& text) { return lookUp<Strategy>(strategyNames, text); }
std::optional<Launcher> launcherFrom(const QString& text) { return lookUp<Launcher>(launcherNames, text); }
std::optional<Precision> precisionFrom(const QString& text) { return lookUp<Precision>(precisionNames, text); }

} // namespace rankwright
