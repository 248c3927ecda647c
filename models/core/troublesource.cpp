// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/troublesource.h"

namespace rankwright::inline core {

using namespace Qt::StringLiterals;

QString toText(TroubleSource source)
{
    switch (source) {
    case TroubleSource::SamplerRecord: return u"job's record"_s;
    case TroubleSource::Output: return u"output"_s;
    case TroubleSource::Recording: return u"recording"_s;
    case TroubleSource::Scheduler: return u"scheduler"_s;
    case TroubleSource::Telemetry: return u"telemetry"_s;
    }
    return {};
}

} // namespace rankwright::inline core
