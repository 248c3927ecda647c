// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/database.h"

#include <QDebug>

namespace rankwright::test {

/// The database of a test's folder; ends the test program when it cannot be opened, since nothing can be tested then.
inline std::unique_ptr<Database> openStore(const QString& folder)
{
    auto opened = Database::open(folder);
    if (!opened)
        qFatal("%s", qPrintable(opened.error().oneLine()));
    return std::move(*opened);
}

} // namespace rankwright::test
