// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sentprinter.h"

#include "tests/support/fakeshell.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

class SentPrinterTest final : public test::Suite {
    Q_OBJECT
private slots:
    void printsBeginningAndEnd();
};

void SentPrinterTest::printsBeginningAndEnd()
{
    QString text;
    QTextStream err(&text);
    SentPrinter printer(err);
    test::FakeShell shell;
    shell.noteIn(&printer.log(), u"lumi"_s);
    shell.expect(u"squeue"_s, {"", "", 3});
    shell.run(RemoteCommand::shell(u"squeue --me --token=hf_abcdefghijklmnopqrstuvwxyz012345"_s)
                  .withPurpose(u"Asks for your jobs in the queue"_s),
        this, {});
    QCOMPARE(text, u"sent #1 lumi: Asks for your jobs in the queue: squeue --me --token=(left out)\n"_s);
    text.clear();
    QTRY_VERIFY(text.startsWith(u"sent #1 exit status 3 after "_s));
    QVERIFY(text.endsWith(u" s\n"_s));
}

RANKWRIGHT_TEST_MAIN(SentPrinterTest)
#include "tst_sentprinter.moc"
