// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/script/bind/scriptfields.h"

#include <QStringList>

namespace rankwright::inline script {

/// Arguments of a program among the words of its command: `--lr 1`, `--lr=1`, `model.layers=2`.

bool saysArgument(const QStringList& words, const QString& name);

/// Whether several commands give an argument different values.
bool sayDifferentValues(const QList<QStringList>& commands, const QString& name);

/// The words with another value of an argument; one that is not there is added at the end.
/// `first`: where the arguments begin; `field`: the argument as the form shows it, null where it shows none.
Result<QStringList> withArgument(
    QStringList words, qsizetype first, const ScriptField* field, const QString& name, const QString& value);

} // namespace rankwright::inline script
