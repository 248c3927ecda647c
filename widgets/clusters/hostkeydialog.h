// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/loginprompt.h"

#include <QDialog>

namespace rankwright {

/// First contact: shows the host key's fingerprint, and whether it equals the published one. Accepting is never the
/// default button unless it does.
class HostKeyDialog final : public QDialog {
    Q_OBJECT
public:
    explicit HostKeyDialog(const LoginPrompt& prompt, QWidget* parent = nullptr);
};

} // namespace rankwright
