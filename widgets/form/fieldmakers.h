// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/designfields.h"
#include "widgets/form/fieldparsing.h"

#include <QCoreApplication>

namespace rankwright {

/// Fields of one part of the form each; designFields() puts them together.
QList<DesignField> modelFields();
QList<DesignField> strategyFields();
DesignField launcherField();
QList<DesignField> slurmFields();

namespace fieldmaker {

// Makers of the kinds of field that come again and again.

using Hint = std::function<QString(const Derived&)>;
using Group = DesignField::Group;
using Kind = DesignField::Kind;
using Option = DesignField::Option;

inline QString tr(const char* text) { return QCoreApplication::translate("DesignField", text); }
inline QString path(const char16_t* name) { return QString::fromUtf16(name); }

/// A field whose value is a whole number behind an accessor that gives a reference to its optional.
template <typename Accessor>
DesignField wholeField(const char16_t* name, Group group, const QString& label, const QString& help, qint64 low,
    qint64 high, Accessor accessor, const Hint& hint)
{
    using Number = typename std::remove_reference_t<decltype(accessor(std::declval<JobSpec&>()))>::value_type;
    DesignField field{path(name), group, Kind::Line, label, help};
    field.text = [accessor](const JobSpec& spec) {
        const auto& value = accessor(const_cast<JobSpec&>(spec));
        return value ? QString::number(*value) : QString();
    };
    field.apply = [accessor, low, high](const QString& text, JobSpec& spec) -> Result<void> {
        const auto number = readWhole(text, low, high);
        if (!number)
            return fail(number.error());
        accessor(spec) = number->has_value() ? std::optional<Number>(Number(**number)) : std::nullopt;
        return {};
    };
    field.hint = hint;
    return field;
}

template <typename Accessor>
DesignField textField(const char16_t* name, Group group, const QString& label, const QString& help, Accessor accessor,
    const Hint& hint = {}, Kind kind = Kind::Line)
{
    DesignField field{path(name), group, kind, label, help};
    field.text = [accessor](const JobSpec& spec) { return accessor(const_cast<JobSpec&>(spec)).value_or(QString()); };
    field.apply = [accessor](const QString& text, JobSpec& spec) -> Result<void> {
        accessor(spec) = readText(text);
        return {};
    };
    field.hint = hint;
    return field;
}

} // namespace fieldmaker

} // namespace rankwright
