// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

namespace rankwright::test {

/// The most that a test waits for what comes anyhow, in milliseconds: longer than any busy machine takes. A test that
/// passes never waits that long, and what does not come still fails.
constexpr int longWaitMs = 300000;

/// Handles events until the condition holds; false when it never does. Steps are counted, not the time on the wall: of
/// that a machine that stood still meanwhile would have used up all.
template <typename Condition>
bool comes(Condition&& condition, int stepMs = 10)
{
    bool has = condition();
    for (int waited = 0; !has && waited < longWaitMs; waited += stepMs) {
        QTest::qWait(waited == 0 ? 0 : stepMs); // what is only queued comes at once
        has = condition();
    }
    return has;
}

/// For what must not happen and is followed by nothing that one could wait for: handles events for a while. A slow
/// machine lets such a test see less; nothing may depend on what has happened by then.
inline void quietFor(int ms) { QTest::qWait(ms); }

} // namespace rankwright::test

/// Qt's own macros give up after 5 s.
#undef QTRY_VERIFY
#define QTRY_VERIFY(condition)                                                                                         \
    do {                                                                                                               \
        (void)::rankwright::test::comes([&] { return static_cast<bool>(condition); }, 50);                             \
        QVERIFY(condition);                                                                                            \
    } while (false)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(condition, description)                                                                           \
    do {                                                                                                               \
        (void)::rankwright::test::comes([&] { return static_cast<bool>(condition); }, 50);                             \
        QVERIFY2(condition, description);                                                                              \
    } while (false)
#undef QTRY_COMPARE
#define QTRY_COMPARE(actual, expected)                                                                                 \
    do {                                                                                                               \
        (void)::rankwright::test::comes([&] { return static_cast<bool>((actual) == (expected)); }, 50);                \
        QCOMPARE(actual, expected);                                                                                    \
    } while (false)
