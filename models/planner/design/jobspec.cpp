// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/jobspec.h"

#include "models/planner/design/enumwords.h"

namespace rankwright::inline planner {

bool isPartOf(const FieldPath& field, const FieldPath& whole)
{
    return field == whole || field.startsWith(whole + u'.');
}

bool fieldsOverlap(const FieldPath& one, const FieldPath& other)
{
    return isPartOf(one, other) || isPartOf(other, one);
}

QString toText(Strategy strategy) { return wordOf(strategy); }
QString toText(Launcher launcher) { return wordOf(launcher); }
QString toText(Framework framework) { return wordOf(framework); }
QString toText(Precision precision) { return wordOf(precision); }
QString toText(Optimizer optimizer) { return wordOf(optimizer); }
QString toText(ActivationCheckpointing checkpointing) { return wordOf(checkpointing); }
QString toText(AttentionKind attention) { return wordOf(attention); }
QString toText(Offload offload) { return wordOf(offload); }
QString toText(FrozenWeights frozen) { return wordOf(frozen); }
QString toText(LossKind loss) { return wordOf(loss); }
QString toText(AdapterMethod method) { return wordOf(method); }
QString toText(Quantisation quantisation) { return wordOf(quantisation); }
QString toText(NumaBinding binding) { return wordOf(binding); }
QString toText(Float8 float8) { return wordOf(float8); }
std::optional<Strategy> strategyFrom(const QString& text) { return enumeratorOf<Strategy>(text); }
std::optional<Launcher> launcherFrom(const QString& text) { return enumeratorOf<Launcher>(text); }

} // namespace rankwright::inline planner
