// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <functional>

class QWidget;

namespace rankwright {

/// Says that these jobs go on without the window, and calls `close` when a person still wants it closed.
void askBeforeClosing(QWidget& window, const QStringList& jobs, const std::function<void()>& close);
/// Says that these jobs end with the practice cluster, and calls `stop` when a person wants it stopped all the same.
void askBeforeStopping(QWidget& window, const QStringList& jobs, const std::function<void()>& stop);

} // namespace rankwright
