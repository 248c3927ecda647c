// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/linecommands.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;
using Base = QsciScintillaBase;

namespace {

constexpr int step = 4; // blanks of one indentation

bool hasReturnWithin(const QStringList& lines)
{
    return std::any_of(lines.cbegin(), lines.cend(), [](const QString& line) {
        const qsizetype at = line.indexOf(u'\r');
        return at >= 0 && at + 1 < line.size();
    });
}

} // namespace

QList<LineHunk> hunksToReplace(const QStringList& from, const QStringList& to)
{
    if (from != to && (hasReturnWithin(from) || hasReturnWithin(to)))
        return {{0, from.size(), 0, to.size()}};
    return lineDifference(from, to);
}

void LineCommands::start()
{
    int line = 0;
    int column = 0;
    m_editor.getCursorPosition(&line, &column);
    const QString here = m_editor.text(line).left(column);
    QString begin;
    while (begin.size() < here.size() && (here.at(begin.size()) == u' ' || here.at(begin.size()) == u'\t'))
        begin += here.at(begin.size());
    const QByteArray added = (m_editor.eolMode() == QsciScintilla::EolWindows ? "\r\n" : "\n") + begin.toUtf8();
    m_editor.SendScintilla(Base::SCI_REPLACESEL, 0ul, added.constData());
    m_editor.ensureCursorVisible();
}

void LineCommands::change(const std::function<QString(const QString& line)>& changed)
{
    int line = 0;
    int from = 0;
    m_editor.getCursorPosition(&line, &from);
    int first = line;
    int last = line;
    int to = 0;
    if (m_editor.hasSelectedText()) {
        m_editor.getSelection(&first, &from, &last, &to);
        if (to == 0 && last > first)
            --last;
    }
    for (line = first; line <= last; ++line) {
        QString before = m_editor.text(line);
        if (before.endsWith(u'\n'))
            before.chop(1);
        const QByteArray after = changed(before).toUtf8();
        const long start = m_editor.SendScintilla(Base::SCI_POSITIONFROMLINE, static_cast<unsigned long>(line));
        m_editor.SendScintilla(
            Base::SCI_SETTARGETRANGE, static_cast<unsigned long>(start), start + long(before.toUtf8().size()));
        m_editor.SendScintilla(Base::SCI_REPLACETARGET, static_cast<unsigned long>(after.size()), after.constData());
    }
}

void LineCommands::shift(bool inwards)
{
    change([inwards](const QString& line) -> QString {
        if (inwards)
            return line.isEmpty() ? line : QString(step, u' ') + line;
        int blanks = 0;
        while (blanks < step && blanks < line.size() && line.at(blanks) == u' ')
            ++blanks;
        return line.mid(blanks);
    });
}

void LineCommands::toggleComment()
{
    change([](const QString& line) -> QString {
        static const QRegularExpression commented(uR"(^(\s*)# ?(?!!|SBATCH\b))"_s);
        if (line.startsWith(u"##SBATCH"_s))
            return line.mid(1);
        if (line.startsWith(u"#SBATCH"_s))
            return u'#' + line;
        if (line.trimmed().isEmpty() || line.startsWith(u"#!"_s))
            return line;
        const auto match = commented.match(line);
        return match.hasMatch() ? match.captured(1) + line.mid(match.capturedLength()) : u"# "_s + line;
    });
}

} // namespace rankwright
