// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/forward/terminalchoice.h"
#include "tests/support/testbase.h"

#include <QProcess>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Which terminal program is opened, and how it is given the command.
class TerminalChoiceTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void choice_data();
    void choice();
    void nothingThere();
    void chosenButMissing();
    void keptOpenOnFailure();
};

void TerminalChoiceTest::choice_data()
{
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("environment");
    QTest::addColumn<QString>("desktop");
    QTest::addColumn<QStringList>("installed");
    QTest::addColumn<QStringList>("expected");
    const QString none;
    QTest::newRow("debian") << none << none << none << QStringList{u"x-terminal-emulator"_s, u"xterm"_s}
                            << QStringList{u"x-terminal-emulator"_s, u"-e"_s, u"a"_s, u"b c"_s};
    QTest::newRow("kde") << none << none << u"KDE"_s << QStringList{u"xterm"_s, u"konsole"_s, u"x-terminal-emulator"_s}
                         << QStringList{u"konsole"_s, u"-e"_s, u"a"_s, u"b c"_s};
    QTest::newRow("gnome") << none << none << u"ubuntu:GNOME"_s << QStringList{u"gnome-terminal"_s, u"xterm"_s}
                           << QStringList{u"gnome-terminal"_s, u"--"_s, u"a"_s, u"b c"_s};
    QTest::newRow("foot takes the words bare")
        << none << none << none << QStringList{u"foot"_s} << QStringList{u"foot"_s, u"a"_s, u"b c"_s};
    QTest::newRow("$TERMINAL") << none << u"kitty"_s << u"KDE"_s << QStringList{u"kitty"_s, u"konsole"_s}
                               << QStringList{u"kitty"_s, u"--"_s, u"a"_s, u"b c"_s};
    QTest::newRow("$TERMINAL that is gone") << none << u"oldterm"_s << none << QStringList{u"xterm"_s}
                                            << QStringList{u"xterm"_s, u"-e"_s, u"a"_s, u"b c"_s};
    QTest::newRow("setting wins") << u"alacritty"_s << u"kitty"_s << u"KDE"_s
                                  << QStringList{u"alacritty"_s, u"kitty"_s, u"konsole"_s}
                                  << QStringList{u"alacritty"_s, u"-e"_s, u"a"_s, u"b c"_s};
    QTest::newRow("setting with options") << u"konsole --hold"_s << none << none << QStringList{u"konsole"_s}
                                          << QStringList{u"konsole"_s, u"--hold"_s, u"-e"_s, u"a"_s, u"b c"_s};
    QTest::newRow("setting with a place") << u"tmux new-window {command} ;"_s << none << none << QStringList{u"tmux"_s}
                                          << QStringList{u"tmux"_s, u"new-window"_s, u"a"_s, u"b c"_s, u";"_s};
    QTest::newRow("a path") << u"/opt/my/xterm"_s << none << none << QStringList{u"/opt/my/xterm"_s}
                            << QStringList{u"/opt/my/xterm"_s, u"-e"_s, u"a"_s, u"b c"_s};
    QTest::newRow("nobody knows it") << u"newterm"_s << none << none << QStringList{u"newterm"_s}
                                     << QStringList{u"newterm"_s, u"-e"_s, u"a"_s, u"b c"_s};
}

void TerminalChoiceTest::choice()
{
    QFETCH(QString, setting);
    QFETCH(QString, environment);
    QFETCH(QString, desktop);
    QFETCH(QStringList, installed);
    QFETCH(QStringList, expected);
    const auto words = terminalWords({setting, environment, desktop}, {u"a"_s, u"b c"_s},
        [&installed](const QString& program) { return installed.contains(program); });
    QVERIFY_RESULT(words);
    QCOMPARE(*words, expected);
}

void TerminalChoiceTest::nothingThere()
{
    const auto words = terminalWords({}, {u"a"_s}, [](const QString&) { return false; });
    QVERIFY(!words);
    QVERIFY(!words.error().remedy.isEmpty());
}

void TerminalChoiceTest::chosenButMissing()
{
    const auto words
        = terminalWords({u"konsole"_s, {}, {}}, {u"a"_s}, [](const QString& program) { return program == u"xterm"_s; });
    QVERIFY(!words);
    QVERIFY(words.error().what.contains(u"konsole"_s));
}

void TerminalChoiceTest::keptOpenOnFailure()
{
    const auto run = [](const QStringList& command) {
        QProcess process;
        const QStringList words = keptOpen(command);
        process.start(words.first(), words.mid(1));
        process.closeWriteChannel();
        process.waitForFinished(test::longWaitMs);
        return std::pair(process.exitCode(), process.readAllStandardOutput());
    };
    QCOMPARE(run({u"printf"_s, u"%s|"_s, u"it's $HOME"_s, u"b c"_s}), std::pair(0, QByteArray("it's $HOME|b c|")));
    const auto failed = run({u"sh"_s, u"-c"_s, u"exit 3"_s});
    QCOMPARE(failed.first, 3);
    QVERIFY(failed.second.contains("status 3"));
}

RANKWRIGHT_TEST_MAIN(TerminalChoiceTest)
#include "tst_terminalchoice.moc"
