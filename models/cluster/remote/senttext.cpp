// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/remote/senttext.h"

#include "models/core/harmlesstext.h"
#include "models/core/sharedtext.h"
#include "models/core/units.h"

#include <QRegularExpression>

namespace rankwright::inline cluster {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype wholeWord = 120; ///< a quoted word of more, or of several lines, is a program

QString withoutSecrets(const QString& text) { return SharedText().text(text); }

/// Half a secret is not known as one: of a text that was cut the last word goes, unless there is no other.
QString withoutLastWord(const QString& text)
{
    qsizetype end = text.size();
    while (end > 0 && !text.at(end - 1).isSpace())
        --end;
    return end > 0 ? text.left(end) : text;
}

/// The end of the single-quoted word that begins at `at`, behind its last quote: 'it'\''s' is one word.
qsizetype endOfQuoted(const QString& line, qsizetype at)
{
    for (;;) {
        const qsizetype close = line.indexOf(u'\'', at + 1);
        if (close < 0)
            return line.size();
        if (!QStringView(line).mid(close + 1).startsWith(u"\\''"_s))
            return close + 1;
        at = close + 3;
    }
}

/// Where the part of the line begins that its own first line break or the line's end closes: the name of a program
/// whose text stands in the line as it is.
QString firstLineOf(const QString& line)
{
    const qsizetype end = line.indexOf(u'\n');
    return end < 0 ? line : line.left(end) + u" …"_s;
}

/// Where the command begins behind what prepares its environment: leading "export …; " and "unset …; " of plain words.
qsizetype afterPreparation(const QString& line)
{
    static const QRegularExpression form(u"\\G(?:export|unset)(?: [A-Za-z_0-9=./:-]+)+; "_s);
    qsizetype at = 0;
    for (auto match = form.match(line); match.hasMatch(); match = form.match(line, at))
        at = match.capturedEnd();
    return at;
}

QString momentText(const QDateTime& time) { return time.toUTC().toString(u"yyyy-MM-dd HH:mm:ss.zzz'Z'"_s); }

QString inputText(const SentCommand& command)
{
    const QByteArray text = command.input.left(SentCommand::mostText);
    // Bytes that are not text would say nothing.
    if (text.contains('\0'))
        return u"(no text)"_s;
    const bool isCut = command.inputBytes > text.size();
    const QString whole = QString::fromUtf8(text);
    QString shown = harmlessText(withoutSecrets(isCut ? withoutLastWord(whole) : whole));
    if (isCut)
        shown += u"\n… (%1 in all)"_s.arg(humanBytes(Bytes{command.inputBytes}));
    return shown;
}

} // namespace

QString shortSentLine(const QString& line, qsizetype limit)
{
    QString shown;
    qsizetype at = 0;
    while (at < line.size()) {
        const qsizetype quote = line.indexOf(u'\'', at);
        if (quote < 0) {
            shown += QStringView(line).mid(at);
            break;
        }
        shown += QStringView(line).mid(at, quote - at);
        const qsizetype end = endOfQuoted(line, quote);
        const QStringView word = QStringView(line).mid(quote, end - quote);
        shown += word.size() > wholeWord || word.contains(u'\n') ? u"'…'"_s : word.toString();
        at = end;
    }
    return harmlessLine(firstLineOf(withoutSecrets(shown)), limit);
}

QString columnSentLine(const QString& line)
{
    const qsizetype at = afterPreparation(line);
    return at > 0 && at < line.size() ? u"… "_s + shortSentLine(line.mid(at)) : shortSentLine(line);
}

QString sentEndText(const SentCommand& command)
{
    switch (command.end) {
    case SentCommand::End::Open: return u"goes on"_s;
    case SentCommand::End::Dropped: return u"ended from here"_s;
    case SentCommand::End::Failed: return u"failed: "_s + harmlessLine(command.why);
    case SentCommand::End::Exited: break;
    }
    if (command.exitStatus)
        return u"exit status %1"_s.arg(*command.exitStatus);
    return command.exitSignal.isEmpty() ? u"ended"_s
                                        : u"killed by "_s + harmlessLine(QString::fromLatin1(command.exitSignal));
}

QString sentTimeText(const SentCommand& command)
{
    return command.tookMs ? u"%1 s"_s.arg(double(*command.tookMs) / 1000, 0, 'f', 2) : u"–"_s;
}

QString sentInputText(const SentCommand& command)
{
    const qint64 more = command.moreInputBytes.value_or(0);
    const QString first = command.inputBytes > 0 ? humanBytes(Bytes{command.inputBytes}) : u"nothing"_s;
    if (more <= 0)
        return first;
    const QString later = humanBytes(Bytes{more});
    return command.inputBytes > 0 ? u"%1, then %2"_s.arg(first, later) : later;
}

QString sentDetails(const SentCommand& command, SentInput input)
{
    QString text = u"#%1  %2\n"_s.arg(command.number).arg(momentText(command.time));
    text += u"cluster: %1\n"_s.arg(harmlessLine(command.cluster));
    text += u"purpose: %1\n"_s.arg(harmlessLine(command.purpose));
    text += u"outcome: %1%2\n"_s.arg(
        sentEndText(command), command.tookMs ? u" after %1"_s.arg(sentTimeText(command)) : QString());
    text += u"stdin: %1\n"_s.arg(sentInputText(command));
    const bool isCut = command.line.size() >= SentCommand::mostText;
    text += u"command:\n%1\n"_s.arg(harmlessText(withoutSecrets(isCut ? withoutLastWord(command.line) : command.line)));
    if (isCut)
        text += u"… (the rest is not kept)\n"_s;
    if (input == SentInput::Included && command.inputBytes > 0)
        text += u"stdin's text:\n%1\n"_s.arg(inputText(command));
    return text;
}

QString sentFile(const QList<SentCommand>& commands, SentInput input)
{
    QString text = u"# What Rankwright sent to clusters, times in UTC. Values that look secret are left out.\n"_s;
    for (const SentCommand& command : commands)
        text += u'\n' + sentDetails(command, input);
    return text;
}

QString sentBeginLine(const SentCommand& command)
{
    QString line = u"#%1 %2: %3: %4"_s.arg(command.number)
                       .arg(harmlessLine(command.cluster), harmlessLine(command.purpose), shortSentLine(command.line));
    if (command.inputBytes > 0)
        line += u" (stdin: %1)"_s.arg(humanBytes(Bytes{command.inputBytes}));
    return line;
}

QString sentEndLine(const SentCommand& command)
{
    return u"#%1 %2%3"_s.arg(command.number)
        .arg(sentEndText(command), command.tookMs ? u" after %1"_s.arg(sentTimeText(command)) : QString());
}

} // namespace rankwright::inline cluster
