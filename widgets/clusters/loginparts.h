// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDialog;
class QPushButton;
class QString;
class QVBoxLayout;

namespace rankwright {

// What the dialogs of a login have in common.

inline constexpr int loginDialogWidth = 460;

/// The dialog's column under its heading.
QVBoxLayout* makeDialogColumn(QDialog* dialog, const QString& heading);

/// The accepting and the refusing button; whichever is the default takes Enter, Escape always refuses.
struct DialogButtons {
    QPushButton* accept = nullptr;
    QPushButton* refuse = nullptr;
};
enum class DefaultButton { Accept, Refuse };
DialogButtons addButtons(QDialog* dialog, QVBoxLayout* column, const QString& accept, DefaultButton usual);

} // namespace rankwright
