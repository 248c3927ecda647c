// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/app/support/windowbench.h"
#include "widgets/base/toasts.h"

namespace rankwright::test {

/// A suite over the whole window: a new one, in a data folder of its own, for each test.
class WindowSuite : public Suite {
protected:
    void openBench()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support).*")));
        m_bench.reset(); // before its folder
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench = std::make_unique<WindowBench>(m_folder->path());
    }
    Toasts& toasts() const { return *m_bench->window().findChild<Toasts*>(); }
    /// Sends away what a start brings.
    void clearNotices() const
    {
        for (const Message& each : QList<Message>(toasts().messages()))
            m_bench->window().clearNotice(each.key);
    }
    /// A row for each size of the window, in the column "size".
    static void addSizes(const QList<QSize>& sizes)
    {
        QTest::addColumn<QSize>("size");
        for (const QSize size : sizes)
            QTest::addRow("%dx%d", size.width(), size.height()) << size;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<WindowBench> m_bench;
};

} // namespace rankwright::test
