// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/forward/terminalwindow.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A terminal program is started for real: a stand-in that runs what it is given and keeps what it prints.
class TerminalWindowTest final : public Suite {
    Q_OBJECT
private slots:
    void wordsArriveAsGiven();
    void missing();
};

void TerminalWindowTest::wordsArriveAsGiven()
{
    QTemporaryDir folder;
    const QString terminal = folder.filePath(u"my term"_s);
    const QString kept = folder.filePath(u"kept"_s);
    {
        QFile program(terminal);
        QVERIFY(program.open(QIODevice::WriteOnly));
        program.write("#!/bin/bash\nshift\n\"$@\" >'" + kept.toUtf8() + ".part'; mv '" + kept.toUtf8() + ".part' '"
            + kept.toUtf8() + "'\n");
        program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    const auto opened = openTerminal(
        u'"' + terminal + u'"', {u"printf"_s, u"%s|"_s, u"it's; $HOME"_s, u"--node"_s, u"n 2"_s, u"`id`"_s});
    QVERIFY_RESULT(opened);
    QTRY_VERIFY(QFile::exists(kept));
    QFile file(kept);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("it's; $HOME|--node|n 2|`id`|"));
}

void TerminalWindowTest::missing()
{
    const auto opened = openTerminal(u"no-such-terminal-program"_s, {u"true"_s});
    QVERIFY(!opened);
    QVERIFY(opened.error().what.contains(u"no-such-terminal-program"_s));
}

RANKWRIGHT_TEST_MAIN(TerminalWindowTest)
#include "tst_terminalwindow.moc"
