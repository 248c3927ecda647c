// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/strategyname.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline planner {

QString strategyName(Strategy strategy)
{
    switch (strategy) {
    case Strategy::Single: return u"Single"_s;
    case Strategy::Ddp: return u"DDP"_s;
    case Strategy::Zero1: return u"ZeRO-1"_s;
    case Strategy::Zero2: return u"ZeRO-2"_s;
    case Strategy::Zero3: return u"ZeRO-3"_s;
    case Strategy::Fsdp: return u"FSDP"_s;
    case Strategy::Hsdp: return u"HSDP"_s;
    case Strategy::Pipeline: return u"Pipeline"_s;
    case Strategy::Tensor: return u"Tensor"_s;
    case Strategy::ThreeD: return u"3D"_s;
    case Strategy::Horovod: return u"Horovod"_s;
    }
    return {};
}

} // namespace rankwright::inline planner
