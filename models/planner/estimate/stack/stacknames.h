// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// Names of training stacks as resources/planner/stacks-*.json, the tables of published runs and the design file spell
/// them. The list of stacks is open: a table may hold others.
namespace rankwright::inline planner::stackname {

// Those that a design may name, too (Framework).
inline constexpr QLatin1StringView pytorch{"pytorch"};
inline constexpr QLatin1StringView fsdp2{"fsdp2"};
inline constexpr QLatin1StringView fsdp1{"fsdp1"};
inline constexpr QLatin1StringView deepspeed{"deepspeed"};
inline constexpr QLatin1StringView megatronCore{"megatron-core"};
inline constexpr QLatin1StringView megatronDeepspeed{"megatron-deepspeed"};
inline constexpr QLatin1StringView nemo{"nemo"};
inline constexpr QLatin1StringView hfTrainer{"hf-trainer"};
inline constexpr QLatin1StringView lightning{"lightning"};
inline constexpr QLatin1StringView torchtune{"torchtune"};
inline constexpr QLatin1StringView trl{"trl"};
inline constexpr QLatin1StringView peft{"peft"};
inline constexpr QLatin1StringView axolotl{"axolotl"};
inline constexpr QLatin1StringView llamaFactory{"llama-factory"};
inline constexpr QLatin1StringView litgpt{"litgpt"};
inline constexpr QLatin1StringView unsloth{"unsloth"};
inline constexpr QLatin1StringView msSwift{"ms-swift"};
inline constexpr QLatin1StringView generic{"generic"};

// Further ones of published runs; a year behind a name is a state of that stack.
inline constexpr QLatin1StringView fsdp2Of2024{"fsdp2-2024"};
inline constexpr QLatin1StringView simpleFsdp{"simple-fsdp"};
inline constexpr QLatin1StringView torchtitanGraph{"torchtitan-graph"};
inline constexpr QLatin1StringView llmFoundry{"llm-foundry"};
inline constexpr QLatin1StringView megatronOf2021{"megatron-2021"};
inline constexpr QLatin1StringView megatronVtrain{"megatron-vtrain"};
inline constexpr QLatin1StringView megatronDeepspeedOf2022{"megatron-deepspeed-2022"};
inline constexpr QLatin1StringView colossalai{"colossalai"};
inline constexpr QLatin1StringView oneflow{"oneflow"};
inline constexpr QLatin1StringView horovod{"horovod"};
inline constexpr QLatin1StringView dle{"dle"};
inline constexpr QLatin1StringView timm{"timm"};

} // namespace rankwright::inline planner::stackname
