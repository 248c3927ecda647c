// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/tone.h"

#include <QString>

#include <optional>

namespace rankwright {

/// Figures that the Welcome page's sentences name; what is not known is left out of them.
struct WelcomeFacts {
    std::optional<int> clusters; ///< that the catalogue knows; empty: not known
    std::optional<int> guideSteps; ///< of the guided first job; empty: not known
    std::optional<int> guideMinutes; ///< that it usually takes; empty: not known
    int guideAt = 0; ///< step of one that is under way or was left, counted from 1; 0: there is none
    std::optional<int> practiceSeconds; ///< that the practice cluster took to start here
    bool operator==(const WelcomeFacts&) const = default;
};

/// Something that this start has to say, with an action or none.
struct WelcomeNote {
    QString id;
    QString text;
    QString action; ///< of its button; empty: none
    Tone tone = Tone::Plain;
    QString other; ///< of a further button; empty: none
    QString dismissal; ///< of the last button, with which nothing is said of it any more; empty: none
    bool operator==(const WelcomeNote&) const = default;
};

} // namespace rankwright
