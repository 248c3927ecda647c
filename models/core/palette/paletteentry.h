// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace rankwright::inline core {

/// One thing that can be done or found by its name.
struct PaletteEntry {
    QString id; ///< stable over starts: what was used is remembered by it
    QString title; ///< "Save the batch script"
    QString section; ///< under which it is listed: "File", "Fields", "Clusters"
    QString keywords = {}; ///< further words that people look for it by, separated by blanks
    QString shortcut = {}; ///< as people read it: "Ctrl+S"; empty: none
    bool enabled = true;
    QString reason = {}; ///< of one that is off: why, one sentence
    bool operator==(const PaletteEntry&) const = default;
};

} // namespace rankwright::inline core
