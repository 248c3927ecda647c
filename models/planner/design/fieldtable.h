// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

#include <span>
#include <variant>

namespace rankwright::inline planner {

// A new field of the design:
//   1. its member in JobSpec and its path in namespace field (models/planner/design/jobspec.h); a new enum also gets
//   its words
//      (models/planner/design/enumwords.h);
//   2. its row in fieldtable.cpp, at its place in the form: the design file and the order of findings follow;
//   3. its form row (widgets/form/*fields.cpp) or inForm = false, and its line in docs/design_file.md.

/// The part of the form that a field belongs to, in the form's order.
enum class FieldGroup { Model, Job, Strategy, Batch, Resources, Launch, Slurm };

/// Where a field is in a JobSpec.
template <typename Value>
struct FieldMember {
    const Value& (*of)(const JobSpec&);
    Value& (*in)(JobSpec&);
};

template <typename... Values>
using AnyMember = std::variant<FieldMember<Values>...>;

/// By its type a member says how it is read and written, in the file as in the form.
using SpecMember = AnyMember<QString, std::optional<QString>, std::optional<bool>, std::optional<int>,
    std::optional<qint64>, std::optional<double>, std::optional<Seconds>, std::optional<Bytes>, std::optional<Strategy>,
    std::optional<Launcher>, std::optional<Framework>, std::optional<Precision>, std::optional<Optimizer>,
    std::optional<ActivationCheckpointing>, std::optional<AttentionKind>, std::optional<Offload>,
    std::optional<FrozenWeights>, std::optional<LossKind>, std::optional<AdapterMethod>, std::optional<Quantisation>,
    std::optional<NumaBinding>, std::optional<Float8>, QStringList, QMap<QString, QString>, QJsonObject,
    QList<OverrideBlock>>;

struct SpecField {
    QLatin1StringView path;
    SpecMember member;
    FieldGroup group;
    bool inForm = true; ///< false: in the file and in findings only
};

/// Every field of a design, in the order of the form.
std::span<const SpecField> specFields();
/// Null when no field has this path.
const SpecField* specField(QAnyStringView path);
/// Where a field is in the form, counted from 0; unknown paths come after all fields.
int formOrder(QAnyStringView path);

} // namespace rankwright::inline planner
