// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/error.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class ErrorTest final : public test::Suite {
    Q_OBJECT
private slots:
    void oneLineReadsAsSentences_data();
    void oneLineReadsAsSentences();
};

void ErrorTest::oneLineReadsAsSentences_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("detail");
    QTest::addColumn<QString>("remedy");
    QTest::addColumn<QString>("line");
    QTest::newRow("two sentences") << u"Job 7 is gone."_s << QString() << u"Look again."_s
                                   << u"Job 7 is gone. Look again."_s;
    QTest::newRow("evidence") << u"Job 7 is gone."_s << u"exit status 1"_s << u"Look again."_s
                              << u"Job 7 is gone. (exit status 1) Look again."_s;
    QTest::newRow("an argument") << u"estimate needs a design"_s << QString() << u"give a design file"_s
                                 << u"estimate needs a design; give a design file"_s;
    QTest::newRow("a file") << u"x: cannot be read"_s << u"No such file"_s << u"check the path"_s
                            << u"x: cannot be read (No such file); check the path"_s;
    QTest::newRow("a place in a file") << u"x.json: $.version: a version is needed"_s << QString()
                                       << u"Put \"version\": 1 first."_s
                                       << u"x.json: $.version: a version is needed. Put \"version\": 1 first."_s;
    QTest::newRow("no remedy") << u"x: is empty"_s << QString() << QString() << u"x: is empty"_s;
}

void ErrorTest::oneLineReadsAsSentences()
{
    QFETCH(QString, what);
    QFETCH(QString, detail);
    QFETCH(QString, remedy);
    const Error error{Fault::Invalid, what, detail, remedy};
    QTEST(error.oneLine(), "line");
}

RANKWRIGHT_TEST_MAIN(ErrorTest)
#include "tst_error.moc"
