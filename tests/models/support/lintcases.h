// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"

#pragma once

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QStringList>

namespace rankwright::test {

// Texts for the linter, in tests/data/lint/cases_*.txt:
//
//   === base NAME [CLUSTER]      directives that cases start from
//   === SLUG trip|miss BASE      one case: the rule with that slug must, or must not, speak
//   === SLUG error|warning|hint BASE     it must speak with this severity, and nowhere with a graver one
//
// In a case a `#SBATCH --name...` line before the first command takes the place of the base's line of that option,
// `%drop NAME` takes it out, `%add LINE` adds a line as it stands; `raw` is the base of nothing, not even a first line.
// `%crlf` and
// `%bom` write the file as an editor on Windows does.

struct LintCase {
    QString slug;
    bool trips = false;
    QString severity; ///< empty: any
    QString cluster; ///< empty: none given
    QString text;
    QString name; ///< for the test's row
};

struct LintBase {
    QString cluster;
    QStringList directives;
};

inline QString optionOf(const QString& line)
{
    static const QRegularExpression name(QStringLiteral("^#SBATCH\\s+--([a-z-]+)"));
    return name.match(line).captured(1);
}

inline QString caseText(const LintBase& base, const QStringList& lines, bool raw)
{
    QStringList head = base.directives;
    QStringList body;
    bool crlf = false;
    bool bom = false;
    for (const QString& line : lines) {
        const auto sameOption = [&](const QString& name) {
            head.removeIf([&](const QString& one) { return !name.isEmpty() && optionOf(one) == name; });
        };
        if (line == QLatin1String("%crlf")) {
            crlf = true;
        } else if (line == QLatin1String("%bom")) {
            bom = true;
        } else if (line.startsWith(QLatin1String("%drop "))) {
            sameOption(line.mid(6));
        } else if (line.startsWith(QLatin1String("%add "))) {
            head.append(line.mid(5));
        } else if (!raw && body.isEmpty() && line.startsWith(QLatin1String("#SBATCH"))) {
            sameOption(optionOf(line));
            head.append(line);
        } else {
            body.append(line);
        }
    }
    QStringList all = raw ? body : QStringList{QStringLiteral("#!/bin/bash")} + head + body;
    return (bom ? QString(QChar(0xfeff)) : QString()) + all.join(crlf ? QStringLiteral("\r\n") : QStringLiteral("\n"))
        + (crlf ? QStringLiteral("\r\n") : QStringLiteral("\n"));
}

/// All cases of one file; empty when it cannot be read.
inline QList<LintCase> readLintCases(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QHash<QString, LintBase> bases;
    QList<LintCase> cases;
    QStringList title;
    QStringList lines;
    const auto finish = [&] {
        while (!lines.isEmpty() && lines.last().isEmpty())
            lines.removeLast();
        if (title.value(0) == QLatin1String("base"))
            bases.insert(title.value(1), {title.value(2), lines});
        else if (title.size() == 3)
            cases.append({title.at(0), title.at(1) != QLatin1String("miss"),
                title.at(1) == QLatin1String("trip") || title.at(1) == QLatin1String("miss") ? QString() : title.at(1),
                bases.value(title.at(2)).cluster,
                caseText(bases.value(title.at(2)), lines, title.at(2) == QLatin1String("raw")),
                QStringLiteral("%1 %2 %3").arg(title.at(0), title.at(1)).arg(cases.size())});
        lines.clear();
    };
    for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
        if (line.startsWith(QLatin1String("=== "))) {
            finish();
            title = line.mid(4).split(QLatin1Char(' '));
        } else if (!title.isEmpty()) {
            lines.append(line);
        }
    }
    finish();
    return cases;
}

inline QList<LintCase> allLintCases()
{
    const QDir folder(rankwright::test::sourcePath(u"/tests/data/lint"));
    QList<LintCase> cases;
    for (const QString& name : folder.entryList({QStringLiteral("cases_*.txt")}))
        cases += readLintCases(folder.filePath(name));
    return cases;
}

} // namespace rankwright::test
