// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bash/shellheredocuments.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

/// The file that a command with a here-document writes: "cat > FILE << EOF", "tee FILE << EOF".
QString writtenFile(const ShellCommand& command)
{
    for (const ShellRedirection& redirection : command.redirections) {
        if (redirection.op.startsWith(u'>'))
            return redirection.target.value;
    }
    const bool tee = command.name() == u"tee";
    for (qsizetype i = 1; tee && i < command.words.size(); ++i) {
        if (!command.words.at(i).value.startsWith(u'-'))
            return command.words.at(i).value;
    }
    return {};
}

} // namespace

std::optional<int> ShellHereDocuments::announce(const ShellRedirection& redirection)
{
    if (redirection.op != u"<<" && redirection.op != u"<<-")
        return {};
    HereDocument document;
    document.delimiter = redirection.target.value;
    document.quoted = redirection.target.quoted;
    document.stripsTabs = redirection.op == u"<<-";
    document.line = redirection.target.line;
    document.closed = false;
    QList<HereDocument>& documents = m_in.reading().out.hereDocuments;
    m_pending.append(static_cast<int>(documents.size()));
    documents.append(document);
    return m_pending.last();
}

void ShellHereDocuments::setTargets(const ShellCommand& command)
{
    const auto announces = [](const ShellRedirection& redirection) { return redirection.hereDocument.has_value(); };
    if (std::none_of(command.redirections.cbegin(), command.redirections.cend(), announces))
        return;
    const QString file = writtenFile(command);
    for (const ShellRedirection& redirection : command.redirections) {
        if (redirection.hereDocument)
            m_in.reading().out.hereDocuments[*redirection.hereDocument].target = file;
    }
}

void ShellHereDocuments::readBodies()
{
    const QList<int> pending = std::exchange(m_pending, {});
    for (const int announced : pending) {
        HereDocument& document = m_in.reading().out.hereDocuments[announced];
        document.firstLine = m_in.lineOf(m_in.original(m_in.at));
        document.lastLine = document.firstLine - 1;
        const qsizetype begin = m_in.at;
        qsizetype bodyEnd = begin;
        while (!m_in.atEnd() && !document.closed) {
            const qsizetype newline = m_in.text.indexOf(u'\n', m_in.at);
            const qsizetype end = newline < 0 ? m_in.text.size() : newline;
            QString line = m_in.text.mid(m_in.at, end - m_in.at);
            if (line.endsWith(u'\r'))
                line.chop(1);
            while (document.stripsTabs && line.startsWith(u'\t'))
                line.remove(0, 1);
            if (line == document.delimiter) {
                document.closed = true;
            } else {
                document.body += line + u'\n';
                document.lastLine = m_in.lineOf(m_in.original(m_in.at));
                bodyEnd = newline < 0 ? end : newline + 1;
            }
            m_in.at = newline < 0 ? end : newline + 1;
        }
        // where nothing was taken from it, by <<- or a nested shell
        if (m_in.text.mid(begin, bodyEnd - begin) == document.body
            && m_in.original(bodyEnd) - m_in.original(begin) == bodyEnd - begin)
            document.begin = m_in.original(begin);
        if (!document.closed) {
            m_in.reading().addFault(document.line, 1,
                u"The here-document that begins here is never ended by a line %1."_s.arg(document.delimiter));
        }
    }
}

} // namespace rankwright::inline script
