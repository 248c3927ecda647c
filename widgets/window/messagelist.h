// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

namespace rankwright {

class Toasts;

/// All messages of this session, newest first, in a popup: when, what, and the action of those that still hold. A
/// picture of `toasts` at the moment it opens.
class MessageList final : public QFrame {
    Q_OBJECT
public:
    explicit MessageList(Toasts& toasts, QWidget* parent);

    /// Opens below `anchor`, its right edge at the anchor's.
    void openBelow(const QWidget& anchor);
};

} // namespace rankwright
