// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/directivereader.h"

#include "models/script/batch/optionwords.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Why = LostDirective::Why;

/// What is written after #SBATCH, in words as sbatch cuts them (src/sbatch/opt.c, and tried): quotes keep together, a
/// backslash keeps the next character, an unquoted '#' ends the line wherever it stands.
struct DirectiveWords {
    QList<OptionWord> words;
    QString trailing;
    bool openQuote = false;
};

DirectiveWords cutWords(const QString& line, qsizetype from, int number)
{
    DirectiveWords out;
    OptionWord word;
    qsizetype begin = -1;
    QChar quote;
    const auto finish = [&](qsizetype at) {
        if (begin >= 0) {
            word.text = line.mid(begin, at - begin);
            word.line = number;
            word.column = static_cast<int>(begin) + 1;
            word.endColumn = static_cast<int>(at) + 1;
            out.words.append(word);
        }
        word = {};
        begin = -1;
    };
    for (qsizetype at = from; at < line.size(); ++at) {
        const QChar c = line.at(at);
        if (quote.isNull() && c == u'#') {
            finish(at);
            out.trailing = line.mid(at);
            return out;
        }
        if (quote.isNull() && (c == u' ' || (c >= u'\t' && c <= u'\r'))) {
            finish(at);
            continue;
        }
        if (begin < 0)
            begin = at;
        if (c == u'\\' && at + 1 < line.size())
            word.value += line.at(++at);
        else if (quote.isNull() && (c == u'"' || c == u'\''))
            quote = c;
        else if (!quote.isNull() && c == quote)
            quote = QChar();
        else if (c != u'\\')
            word.value += c;
    }
    out.openQuote = !quote.isNull();
    finish(line.size());
    out.words.removeIf([](const OptionWord& cut) { return cut.text == u"\\"; }); // a backslash at the line's end
    return out;
}

class DirectiveReader {
public:
    explicit DirectiveReader(BatchText& batch) : m_batch(batch) { }

    void run()
    {
        readShebang();
        findInsides();
        bool active = true;
        for (int number = 1; number <= m_batch.lines.size(); ++number) {
            const QString& line = m_batch.lines.at(number - 1);
            if (active && endsDirectives(line, number)) {
                active = false;
                m_batch.firstCommandLine = number;
            }
            if (line.startsWith(u"#SBATCH"))
                readLine(line, number, active);
            else
                readLookalike(line, number);
        }
    }

private:
    void readShebang()
    {
        for (int i = 0; i < m_batch.lines.size(); ++i) {
            const QString line = m_batch.lines.at(i);
            if (line.startsWith(u"#!")) {
                m_batch.shebangLine = i + 1;
                if (i == 0)
                    m_batch.shebang = line;
                return;
            }
            if (!line.trimmed().isEmpty() && !line.startsWith(u'#'))
                return;
        }
    }

    /// Lines in here-documents and inside of words over several lines: another script's, not ours.
    void findInsides()
    {
        m_inside.fill(false, m_batch.lines.size() + 2);
        const auto mark = [&](int first, int last) {
            for (int line = qMax(1, first); line <= qMin(last, static_cast<int>(m_batch.lines.size())); ++line)
                m_inside[line] = true;
        };
        for (const HereDocument& document : m_batch.shell.hereDocuments)
            mark(document.firstLine, document.lastLine);
        for (const ShellCommand& command : m_batch.shell.commands) {
            if (command.parent)
                continue;
            for (const ShellWord& word : command.words) {
                if (word.quoted)
                    mark(word.line + 1, word.lastLine);
            }
        }
    }

    bool endsDirectives(const QString& line, int number) const
    {
        const QString trimmed = line.trimmed();
        return !trimmed.isEmpty() && !trimmed.startsWith(u'#') && number > 1;
    }

    static void giveTrailing(QList<BatchOption>& options, const QString& trailing)
    {
        if (!options.isEmpty())
            options.last().trailing = trailing;
    }

    /// Options of one line, over words that are none.
    static QList<BatchOption> optionsOf(const DirectiveWords& cut, QList<LostDirective>* faults)
    {
        QList<BatchOption> options;
        qsizetype at = 0;
        while (at < cut.words.size()) {
            const ReadOptions read = readOptionWords(cut.words, at, SlurmOption::Of::Sbatch);
            options += read.options;
            if (faults != nullptr)
                *faults += read.faults;
            at = read.next;
            if (at >= cut.words.size())
                break;
            const OptionWord& stray = cut.words.at(at++);
            if (faults != nullptr) {
                const Why why = stray.text.startsWith(u':') ? Why::Colon : Why::StrayText;
                faults->append({why, stray.line, stray.column, stray.endColumn, stray.text, {}});
            }
        }
        giveTrailing(options, cut.trailing);
        return options;
    }

    void readLine(const QString& line, int number, bool active)
    {
        if (!active) {
            if (!m_inside.at(number))
                lose(Why::Late, line, number, optionsOf(cutWords(line, 7, number), nullptr));
            return;
        }
        const DirectiveWords cut = cutWords(line, 7, number);
        QList<LostDirective> faults;
        m_batch.options += optionsOf(cut, &faults);
        if (cut.openQuote)
            faults.append({Why::OpenQuote, number, 1, static_cast<int>(line.size()) + 1, line, {}});
        m_batch.lost += faults;
    }

    void lose(Why why, const QString& line, int number, const QList<BatchOption>& options)
    {
        m_batch.lost.append({why, number, 1, static_cast<int>(line.size()) + 1, line, options});
    }

    void readLookalike(const QString& line, int number)
    {
        static const QRegularExpression form(
            u"^(\\s*)(#*)(\\s*)(SBATCH)(?:\\s+(?=[-–—])|(?=[-–—]{2}|-[A-Za-z](?:[\\s=0-9]|$)))"_s,
            QRegularExpression::CaseInsensitiveOption);
        if (!line.contains(u"sbatch", Qt::CaseInsensitive) || m_inside.at(number))
            return;
        const auto match = form.match(line);
        if (!match.hasMatch())
            return;
        const qsizetype hashes = match.captured(2).size();
        const bool upper = match.captured(4) == u"SBATCH";
        if (hashes == 0 && !upper)
            return; // the command sbatch itself
        const Why why = hashes == 0        ? Why::NoHash
            : hashes > 1                   ? Why::Disabled
            : !match.captured(3).isEmpty() ? Why::Spaced
            : !upper                       ? Why::WrongCase
                                           : Why::Indented;
        lose(why, line, number, optionsOf(cutWords(line, match.capturedEnd(0), number), nullptr));
    }

    BatchText& m_batch;
    QList<bool> m_inside;
};

} // namespace

void readDirectives(BatchText& batch) { DirectiveReader(batch).run(); }

} // namespace rankwright::inline script
