// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/designfields.h"

#include "widgets/base/translate.h"

#include <QCoreApplication>

namespace rankwright {

/// Fields of one part of the form each; designFields() puts them together.
QList<DesignField> modelFields();
QList<DesignField> strategyFields();
DesignField launcherField();
QList<DesignField> slurmFields();

namespace fieldmaker {

// Makers of the common kinds of fields. What a field's text means follows from the type of its member
// in the field table; a row adds its words.

using Hint = std::function<QString(const Derived&)>;
using Kind = DesignField::Kind;
using Option = DesignField::Option;

/// A row for a field of the table, read and written as the type of its member asks for.
DesignField fieldOf(
    QLatin1StringView path, const QString& label, const QString& help, const Hint& hint = {}, Kind kind = Kind::Line);
/// The same of a whole number within [low, high].
DesignField wholeField(
    QLatin1StringView path, const QString& label, const QString& help, qint64 low, qint64 high, const Hint& hint = {});

/// Beside a figure that does not reach the program.
QString notPassed();

} // namespace fieldmaker

} // namespace rankwright
