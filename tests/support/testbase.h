// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/suiteprogram.h"
#include "tests/support/waiting.h"

#include <QCoreApplication>
#include <QObject>
#include <QRegularExpression>
#include <QString>
#include <QTest>

namespace rankwright::test {

/// Base of every suite: a Qt warning that the test did not announce fails it. Ignored is what the offscreen platform
/// prints for every window with a minimum size or that is raised.
class Suite : public QObject {
    Q_OBJECT
private slots:
    virtual void init()
    {
        QTest::failOnWarning(
            QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise)).*")));
    }
};

/// A file or folder of the source tree, by its path in it ("/tests/data/logs").
QString sourcePath(QStringView path = {});

/// QVERIFY for a Result, printing the error.
#define QVERIFY_RESULT(result)                                                                                         \
    do {                                                                                                               \
        const auto& checkedResult = (result);                                                                          \
        if (!checkedResult.hasValue())                                                                                 \
            QFAIL(qPrintable(checkedResult.error().oneLine()));                                                        \
    } while (false)

} // namespace rankwright::test

/// A suite without windows, in the program of its folder.
#define RANKWRIGHT_TEST_MAIN(SuiteClass)                                                                               \
    static const rankwright::test::SuiteEntry entryOf##SuiteClass(__FILE__, [](int argc, char** argv) {                \
        QCoreApplication application(argc, argv);                                                                      \
        SuiteClass suite;                                                                                              \
        return QTest::qExec(&suite, argc, argv);                                                                       \
    });

/// A suite with windows: offscreen unless the caller chose a platform.
#define RANKWRIGHT_WIDGET_TEST_MAIN(SuiteClass)                                                                        \
    static const rankwright::test::SuiteEntry entryOf##SuiteClass(__FILE__, [](int argc, char** argv) {                \
        if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))                                                            \
            qputenv("QT_QPA_PLATFORM", "offscreen");                                                                   \
        QApplication application(argc, argv);                                                                          \
        SuiteClass suite;                                                                                              \
        return QTest::qExec(&suite, argc, argv);                                                                       \
    });
