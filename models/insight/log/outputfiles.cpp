// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/log/outputfiles.h"

#include "models/cluster/slurm/slurmparsers.h"

#include <QRegularExpression>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

// Places of what differs from task to task, while the rest of a pattern is expanded.
constexpr char16_t taskMark = 0xe000;
constexpr char16_t anyMark = 0xe001;
constexpr char16_t stepMark = 0xe002; ///< "JOB.STEP"

QString absolute(const QString& path, const JobRecord& job)
{
    return path.startsWith(u'/') || job.workdir.isEmpty() ? path : job.workdir + u'/' + path;
}

QString escapedForGlob(const QString& text)
{
    QString escaped;
    for (const QChar symbol : text) {
        if (u"*?[]\\"_s.contains(symbol))
            escaped += u'\\';
        escaped += symbol;
    }
    return escaped;
}

} // namespace

std::optional<OutputFile> stepOutput(const QString& pattern, const JobRecord& job, const QString& label)
{
    static const QRegularExpression number(uR"(^\d+$)"_s);
    if (pattern.isEmpty() || pattern == u"none"_s || pattern == u"all"_s || number.match(pattern).hasMatch())
        return {};
    OutputFile file;
    file.label = label;
    QString marked = pattern;
    if (!pattern.contains(u'\\')) { // a backslash switches patterns off
        static const QRegularExpression perTask(uR"((?<!%)((?:%%)*)%\d*([tnNsJ]))"_s);
        for (auto match = perTask.match(marked); match.hasMatch(); match = perTask.match(marked)) {
            const QString letter = match.captured(2);
            const char16_t mark = letter == u't' ? taskMark : letter == u'J' ? stepMark : anyMark;
            marked.replace(match.capturedStart(), match.capturedLength(), match.captured(1) + QChar(mark));
        }
    }
    QString expanded = absolute(expandOutputPattern(marked, job), job);
    // an array's task has a number of its own here, which its name does not say
    expanded.replace(QChar(stepMark), job.id.contains(u'_') ? QString(QChar(anyMark)) : job.id + u'.' + QChar(anyMark));
    file.isPattern = expanded.contains(QChar(taskMark)) || expanded.contains(QChar(anyMark));
    if (!file.isPattern) {
        file.path = expanded;
        return file;
    }
    file.path = escapedForGlob(expanded);
    file.path.replace(QChar(taskMark), u"[0-9]*"_s).replace(QChar(anyMark), u"*"_s);
    if (expanded.contains(QChar(taskMark))) {
        QString form = QRegularExpression::escape(expanded);
        const QString escapedTask = QRegularExpression::escape(QString(QChar(taskMark)));
        const QString escapedAny = QRegularExpression::escape(QString(QChar(anyMark)));
        const qsizetype first = form.indexOf(escapedTask);
        form.replace(first, escapedTask.size(), uR"((?<rank>\d+))"_s);
        form.replace(escapedTask, uR"(\d+)"_s).replace(escapedAny, u".*"_s);
        file.rankForm = u'^' + form + u'$';
    }
    return file;
}

OutputFile agentOutput(const QString& folder, const JobRecord& job)
{
    const QString path = absolute(expandOutputPattern(folder, job), job);
    return {escapedForGlob(path) + u"/*/attempt_*/*/std*.log"_s, true, {}, {}};
}

std::optional<int> rankInName(const OutputFile& pattern, const QString& path)
{
    if (pattern.rankForm.isEmpty())
        return {};
    const auto match = QRegularExpression(pattern.rankForm).match(path);
    bool fine = false;
    const int rank = match.captured(u"rank"_s).toInt(&fine);
    return match.hasMatch() && fine ? std::optional<int>(rank) : std::nullopt;
}

QString shortName(const QString& path, std::optional<int> rank)
{
    const QString name = path.section(u'/', -1);
    static const QRegularExpression worker(uR"(/(attempt_\d+)/(\d+)/(std\w+)\.log$)"_s);
    if (const auto match = worker.match(path); match.hasMatch())
        return u"local rank %1 · %2"_s.arg(match.captured(2), match.captured(3));
    return rank ? u"rank %1 · %2"_s.arg(*rank).arg(name) : name;
}

} // namespace rankwright::inline insight
