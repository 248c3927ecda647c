// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/tone.h"

#include <QString>

#include <optional>

namespace rankwright {

/// Figures that the Welcome page's sentences name; what is not known is left out of them.
struct WelcomeFacts {
    int clusters = 0; ///< that the catalogue knows; 0: not known
    int guideSteps = 0; ///< of the guided first job; 0: not known
    int guideMinutes = 0; ///< that it usually takes; 0: not known
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
