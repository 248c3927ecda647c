// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/waiting.h"

#include <QSemaphore>
#include <QThreadPool>

#include <memory>

namespace rankwright::test {

/// Occupies all threads of a pool until it is gone or release() was called: what is to be done there waits, so a test
/// sees what was not done on its own thread. (Not of the global pool where windows are painted: Qt waits for its
/// threads.)
class HeldThreads {
    Q_DISABLE_COPY_MOVE(HeldThreads)
public:
    explicit HeldThreads(QThreadPool& pool)
    {
        const auto gate = m_gate;
        m_held = pool.maxThreadCount();
        for (int i = 0; i < m_held; ++i)
            pool.start([gate] {
                gate->held.release();
                gate->released.acquire();
            });
        m_areHeld = gate->held.tryAcquire(m_held, longWaitMs);
    }
    ~HeldThreads() { release(); }
    bool areHeld() const { return m_areHeld; }
    void release() { m_gate->released.release(std::exchange(m_held, 0)); }

private:
    struct Gate {
        QSemaphore held, released;
    };
    std::shared_ptr<Gate> m_gate = std::make_shared<Gate>();
    int m_held = 0;
    bool m_areHeld = false;
};

} // namespace rankwright::test
