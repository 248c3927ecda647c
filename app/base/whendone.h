// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>

namespace rankwright {

/// Calls `then` with the result on the thread of `guard`, never within this call; not at all once `guard` is gone.
/// (QFuture::then() with a context does neither before Qt 6.5.)
template <typename T, typename Then>
void whenDone(const QFuture<T>& future, QObject* guard, Then then)
{
    auto* watcher = new QFutureWatcher<T>(guard);
    QObject::connect(watcher, &QFutureWatcherBase::finished, guard, [watcher, then = std::move(then)] {
        const T result = watcher->result();
        watcher->deleteLater(); // `then` may destroy the guard
        then(result);
    });
    watcher->setFuture(future);
}

} // namespace rankwright
