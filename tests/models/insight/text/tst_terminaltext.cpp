// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/text/terminaltext.h"
#include "tests/support/testbase.h"

#include <QRandomGenerator>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// "text|start+length:ink/ground/flags|..."
QString reported(const TerminalLine& line)
{
    const auto colour = [](const TerminalColour& one) {
        if (one.kind == TerminalColour::Kind::Default)
            return u"-"_s;
        return one.kind == TerminalColour::Kind::Palette
            ? QString::number(one.value)
            : u'#' + QString::number(one.value, 16).rightJustified(6, u'0');
    };
    QString text = line.text;
    for (const TextSpan& span : line.spans) {
        const TextStyle& style = span.style;
        text += u"|%1+%2:%3/%4/"_s.arg(span.start)
                    .arg(span.length)
                    .arg(colour(style.foreground), colour(style.background));
        for (const auto& [flag, name] :
            {std::pair(style.bold, 'b'), std::pair(style.faint, 'f'), std::pair(style.italic, 'i'),
                std::pair(style.underline, 'u'), std::pair(style.inverse, 'v'), std::pair(style.struck, 's')}) {
            if (flag)
                text += QLatin1Char(name);
        }
    }
    return text;
}

} // namespace

/// What a program sends to a terminal, made safe. Sequences as ECMA-48 and xterm's list of control sequences have them.
class TerminalTextTest final : public test::Suite {
    Q_OBJECT
private slots:
    void lines_data();
    void lines();
    void noise();
};

void TerminalTextTest::lines_data()
{
    QTest::addColumn<QByteArray>("raw");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QByteArray& raw, const char* expected) {
        QTest::newRow(name) << raw << QString::fromUtf8(expected);
    };
    row("plain", "step 1\tloss 2", "step 1    loss 2");
    row("red", "a\x1b[31mb\x1b[0mc", "abc|1+1:1/-/");
    row("bright on blue, bold", "\x1b[1;92;44mok\x1b[m.", "ok.|0+2:10/4/b");
    row("256 colours", "\x1b[38;5;208mx\x1b[38;5;9my\x1b[48;5;244mz", "xyz|0+1:#ff8700/-/|1+1:9/-/|2+1:9/#808080/");
    row("true colour, colons", "\x1b[38;2;1;2;3mx\x1b[0;48:5:21my", "xy|0+1:#010203/-/|1+1:-/#0000ff/");
    row("flags on and off", "\x1b[3;4mx\x1b[23;9my\x1b[24;29;7mz\x1b[27mw", "xyzw|0+1:-/-/iu|1+1:-/-/us|2+1:-/-/v");
    row("default ink again", "\x1b[32;1mx\x1b[39my\x1b[22mz", "xyz|0+1:2/-/b|1+1:-/-/b");
    row("cursor and clearing", "\x1b[2J\x1b[1;1Hx\x1b[Ky\x1b[?25l\x1b[10Az", "xyz");
    row("title", "\x1b]0;new title\x07x\x1b]2;other\x1b\\y", "xy");
    row("link: its text stays", "see \x1b]8;;https://evil.example/\x1b\\here\x1b]8;;\x1b\\!", "see here!");
    row("device control string", "a\x1bPq#0;2;0;0;0\x1b\\b\x1b^private\x1b\\c\x1b_app\x1b\\d", "abcd");
    row("never ending title", "a\x1b]0;abc", "a");
    row("charset",
        "\x1b(Bx\x1b)0y\x1b=z\x1b"
        "7w",
        "xyzw");
    row("cut sequence", "x\x1b[", "x");
    row("bell, backspace, delete",
        "a\x07"
        "b\x7f"
        "c",
        "abc");
    row("C1 in UTF-8",
        "a\xc2\x9b"
        "31mb\xc2\x85"
        "c",
        "abc|1+2:1/-/");
    row("direction turned",
        "a\xe2\x80\xae"
        "b\xe2\x81\xa6"
        "c",
        "abc");
    row("no UTF-8",
        "a\xff\xfe"
        "b",
        "a\xef\xbf\xbd\xef\xbf\xbd"
        "b");
    row("span counts characters", "\xc3\xa4\xe2\x94\x81\x1b[31m\xf0\x9f\x98\x80x", "ä━😀x|2+3:1/-/");
    row("foreign m", "\x1b[>4;2mx", "x");
    row("overlong numbers", "\x1b[99999999999999;31mx", "x|0+1:1/-/");
}

void TerminalTextTest::lines()
{
    QFETCH(QByteArray, raw);
    QFETCH(QString, expected);
    QCOMPARE(reported(terminalLine(raw)), expected);
    QCOMPARE(QString::fromUtf8(withoutControls(raw)), terminalLine(raw).text);
}

void TerminalTextTest::noise()
{
    QRandomGenerator random(7);
    const QByteArray pieces = "\x1b[]0;38;5;m\x07\\PX^_(B\xc2\x9b\xe2\x80\xae abc\xf0\x9f";
    for (int round = 0; round < 5000; ++round) {
        QByteArray raw;
        for (int i = 0; i < 40; ++i)
            raw += pieces.at(random.bounded(pieces.size()));
        const TerminalLine line = terminalLine(raw);
        qsizetype end = 0;
        for (const TextSpan& span : line.spans) {
            QVERIFY(span.start >= end && span.length > 0);
            end = span.start + span.length;
        }
        QVERIFY(end <= line.text.size());
        for (const QChar symbol : line.text)
            QVERIFY(symbol.unicode() >= 0x20 && symbol.unicode() != 0x7f && symbol.unicode() != 0x202e);
    }
}

RANKWRIGHT_TEST_MAIN(TerminalTextTest)
#include "tst_terminaltext.moc"
