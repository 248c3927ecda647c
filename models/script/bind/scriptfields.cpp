// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/scriptfields.h"

namespace rankwright::inline script {

const ScriptField* ScriptFields::find(const QString& path) const
{
    const auto found = fields.constFind(path);
    return found != fields.cend() ? &*found : nullptr;
}

} // namespace rankwright::inline script
