// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/enumwords.h"

#include "models/planner/estimate/stack/stacknames.h"

namespace rankwright::inline planner {

using namespace Qt::StringLiterals;

namespace {

constexpr EnumWord<Strategy> strategies[]{
    {Strategy::Single, "single"_L1, "Single"_L1},
    {Strategy::Ddp, "ddp"_L1, "DDP"_L1},
    {Strategy::Zero1, "zero1"_L1, "ZeRO 1"_L1},
    {Strategy::Zero2, "zero2"_L1, "ZeRO 2"_L1},
    {Strategy::Zero3, "zero3"_L1, "ZeRO 3"_L1},
    {Strategy::Fsdp, "fsdp"_L1, "FSDP"_L1},
    {Strategy::Hsdp, "hsdp"_L1, "HSDP"_L1},
    {Strategy::Pipeline, "pipeline"_L1, "Pipeline"_L1},
    {Strategy::Tensor, "tensor"_L1, "Tensor"_L1},
    {Strategy::ThreeD, "3d"_L1, "3D"_L1},
    {Strategy::Horovod, "horovod"_L1, "Horovod"_L1},
};

constexpr EnumWord<Launcher> launchers[]{
    {Launcher::Torchrun, "torchrun"_L1, "torchrun"_L1},
    {Launcher::Srun, "srun"_L1, "srun"_L1},
    {Launcher::Accelerate, "accelerate"_L1, "accelerate"_L1},
    {Launcher::Deepspeed, "deepspeed"_L1, "deepspeed"_L1},
    {Launcher::Lightning, "lightning"_L1, "lightning"_L1},
    {Launcher::Horovod, "horovod"_L1, "horovod"_L1},
};

constexpr EnumWord<Framework> frameworks[]{
    {Framework::Pytorch, stackname::pytorch, "PyTorch"_L1},
    {Framework::Fsdp2, stackname::fsdp2, "PyTorch FSDP 2"_L1},
    {Framework::Fsdp1, stackname::fsdp1, "PyTorch FSDP 1"_L1},
    {Framework::Deepspeed, stackname::deepspeed, "DeepSpeed"_L1},
    {Framework::MegatronCore, stackname::megatronCore, "Megatron-LM"_L1},
    {Framework::MegatronDeepspeed, stackname::megatronDeepspeed, "Megatron-DeepSpeed"_L1},
    {Framework::Nemo, stackname::nemo, "NeMo"_L1},
    {Framework::HfTrainer, stackname::hfTrainer, "HF Trainer"_L1},
    {Framework::Lightning, stackname::lightning, "Lightning"_L1},
    {Framework::Torchtune, stackname::torchtune, "torchtune"_L1},
    {Framework::Trl, stackname::trl, "TRL"_L1},
    {Framework::Peft, stackname::peft, "PEFT"_L1},
    {Framework::Axolotl, stackname::axolotl, "axolotl"_L1},
    {Framework::LlamaFactory, stackname::llamaFactory, "LLaMA-Factory"_L1},
    {Framework::Litgpt, stackname::litgpt, "LitGPT"_L1},
    {Framework::Unsloth, stackname::unsloth, "unsloth"_L1},
    {Framework::MsSwift, stackname::msSwift, "ms-swift"_L1},
    {Framework::Generic, stackname::generic, "another"_L1},
};

constexpr EnumWord<Precision> precisions[]{
    {Precision::Fp32, "fp32"_L1, "fp32"_L1},
    {Precision::Tf32, "tf32"_L1, "tf32"_L1},
    {Precision::Fp16Mixed, "fp16-mixed"_L1, "fp16 mixed"_L1},
    {Precision::Bf16Mixed, "bf16-mixed"_L1, "bf16 mixed"_L1},
    {Precision::Bf16, "bf16"_L1, "bf16 only"_L1},
};

constexpr EnumWord<Optimizer> optimizers[]{
    {Optimizer::AdamW, "adamw"_L1, "AdamW"_L1},
    {Optimizer::AdamW8bit, "adamw8bit"_L1, "AdamW, 8 bit"_L1},
    {Optimizer::Adafactor, "adafactor"_L1, "Adafactor"_L1},
    {Optimizer::Sgd, "sgd"_L1, "SGD"_L1},
    {Optimizer::SgdMomentum, "sgd-momentum"_L1, "SGD with momentum"_L1},
    {Optimizer::AdamWPaged, "adamw-paged"_L1, "AdamW, paged"_L1},
    {Optimizer::AdamW8bitPaged, "adamw8bit-paged"_L1, "AdamW, 8 bit, paged"_L1},
    {Optimizer::Lamb, "lamb"_L1, "LAMB"_L1, false},
};

constexpr EnumWord<ActivationCheckpointing> checkpointings[]{
    {ActivationCheckpointing::None, "none"_L1, "none"_L1},
    {ActivationCheckpointing::Selective, "selective"_L1, "selective"_L1},
    {ActivationCheckpointing::Full, "full"_L1, "full"_L1},
};

constexpr EnumWord<AttentionKind> attentions[]{
    {AttentionKind::Flash, "flash"_L1, "flash"_L1},
    {AttentionKind::Standard, "standard"_L1, "standard"_L1},
};

constexpr EnumWord<Offload> offloads[]{
    {Offload::None, "none"_L1, "nothing"_L1},
    {Offload::OptimizerStates, "optimizer"_L1, "optimiser"_L1},
    {Offload::OptimizerAndParameters, "all"_L1, "optimiser, weights"_L1},
    {Offload::Activations, "activations"_L1, "activations"_L1},
};

constexpr EnumWord<FrozenWeights> frozenWeights[]{
    {FrozenWeights::Bf16, "bf16"_L1, "bf16"_L1},
    {FrozenWeights::Int8, "int8"_L1, "int8"_L1},
    {FrozenWeights::Nf4, "nf4"_L1, "nf4"_L1},
};

constexpr EnumWord<LossKind> losses[]{
    {LossKind::Full, "full"_L1, "full"_L1},
    {LossKind::Chunked, "chunked"_L1, "chunked"_L1},
    {LossKind::Fused, "fused"_L1, "fused"_L1},
    {LossKind::InPlace, "in-place"_L1, "in place"_L1, false},
};

constexpr EnumWord<AdapterMethod> adapterMethods[]{
    {AdapterMethod::None, "none"_L1, "none"_L1},
    {AdapterMethod::Lora, "lora"_L1, "LoRA"_L1},
    {AdapterMethod::Dora, "dora"_L1, "DoRA"_L1},
    {AdapterMethod::Counted, "counted"_L1, "by its parameters"_L1, false},
};

constexpr EnumWord<Quantisation> quantisations[]{
    {Quantisation::None, "none"_L1, "16 bit"_L1},
    {Quantisation::Int8, "int8"_L1, "int8"_L1},
    {Quantisation::Nf4, "nf4"_L1, "nf4"_L1},
    {Quantisation::Nf4Double, "nf4-dq"_L1, "nf4, double"_L1},
    {Quantisation::Gptq, "gptq"_L1, "GPTQ, 4 bit"_L1, false},
};

constexpr EnumWord<NumaBinding> numaBindings[]{
    {NumaBinding::Node, "node"_L1, "NUMA node"_L1},
    {NumaBinding::Socket, "socket"_L1, "socket"_L1},
    {NumaBinding::Exclusive, "exclusive"_L1, "exclusive"_L1},
    {NumaBinding::CoreComplex, "core-complex"_L1, "core complex"_L1},
};

constexpr EnumWord<Float8> float8Kinds[]{
    {Float8::None, "none"_L1, "none"_L1},
    {Float8::Tensorwise, "tensorwise"_L1, "a scale per tensor"_L1},
    {Float8::Rowwise, "rowwise"_L1, "a scale per row"_L1},
};

} // namespace

template <>
std::span<const EnumWord<Strategy>> enumWords<Strategy>()
{
    return strategies;
}

template <>
std::span<const EnumWord<Launcher>> enumWords<Launcher>()
{
    return launchers;
}

template <>
std::span<const EnumWord<Framework>> enumWords<Framework>()
{
    return frameworks;
}

template <>
std::span<const EnumWord<Precision>> enumWords<Precision>()
{
    return precisions;
}

template <>
std::span<const EnumWord<Optimizer>> enumWords<Optimizer>()
{
    return optimizers;
}

template <>
std::span<const EnumWord<ActivationCheckpointing>> enumWords<ActivationCheckpointing>()
{
    return checkpointings;
}

template <>
std::span<const EnumWord<AttentionKind>> enumWords<AttentionKind>()
{
    return attentions;
}

template <>
std::span<const EnumWord<Offload>> enumWords<Offload>()
{
    return offloads;
}

template <>
std::span<const EnumWord<FrozenWeights>> enumWords<FrozenWeights>()
{
    return frozenWeights;
}

template <>
std::span<const EnumWord<LossKind>> enumWords<LossKind>()
{
    return losses;
}

template <>
std::span<const EnumWord<AdapterMethod>> enumWords<AdapterMethod>()
{
    return adapterMethods;
}

template <>
std::span<const EnumWord<Quantisation>> enumWords<Quantisation>()
{
    return quantisations;
}

template <>
std::span<const EnumWord<NumaBinding>> enumWords<NumaBinding>()
{
    return numaBindings;
}

template <>
std::span<const EnumWord<Float8>> enumWords<Float8>()
{
    return float8Kinds;
}

} // namespace rankwright::inline planner
