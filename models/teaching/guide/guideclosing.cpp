// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guideclosing.h"

#include "models/core/quantitytext.h"
#include "models/insight/diagnosis/explain.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching {

namespace {

QString gpusOf(const JobRecord& record, const QString& word)
{
    return record.gpus ? gpusText(*record.gpus, word) : u"The "_s + pluralOf(word);
}

QString useSentence(const JobRecord& record, const EfficiencyReport* report, const QString& word)
{
    const QString time = record.elapsed ? u" for "_s + humanDuration(*record.elapsed) : QString();
    const QString outcome = record.state == JobState::Completed ? QString() : explainOutcome(record) + u' ';
    const ReportFigure* use = report ? report->figure(u"gpuUse"_s) : nullptr;
    if (!use || !use->value)
        return outcome
            + u"%1 were yours%2; how busy they were is not known%3."_s.arg(gpusOf(record, word), time,
                use && !use->note.isEmpty() ? u" ("_s + use->note.chopped(use->note.endsWith(u'.') ? 1 : 0) + u')'
                                            : QString());
    const ReportFigure* idle = report->figure(u"gpuIdle"_s);
    const QString waited = idle && idle->value && *idle->value >= 1 ? u" and idle in %1"_s.arg(idle->text) : QString();
    return outcome
        + u"%1 worked%2, computing in %3 of the time%4."_s.arg(gpusOf(record, word), time, use->text, waited);
}

QString costSentence(const JobRecord& record, const EfficiencyReport* report, const QString& word, GuideBilling billing)
{
    const ReportFigure* cost = report ? report->figure(u"cost"_s) : nullptr;
    const bool known = cost && cost->value;
    QString hours;
    if (record.gpus && record.elapsed)
        hours = u"%1 × %2"_s.arg(gpusText(*record.gpus, word), humanDuration(*record.elapsed));
    if (billing == GuideBilling::Free)
        return known ? u"It cost nothing here; a real cluster of this kind bills %1%2."_s.arg(
                   cost->text, hours.isEmpty() ? QString() : u" for "_s + hours)
                     : u"It cost nothing: the practice cluster bills nobody."_s;
    if (!known)
        return u"What it cost is not known%1%2."_s.arg(
            cost && !cost->note.isEmpty() ? u": "_s + cost->note.chopped(cost->note.endsWith(u'.') ? 1 : 0) : QString(),
            hours.isEmpty() ? QString() : u" (%1)"_s.arg(hours));
    return u"It cost %1%2%3."_s.arg(cost->text, hours.isEmpty() ? QString() : u" for "_s + hours,
        cost->of.isEmpty() ? QString() : u", "_s + cost->of);
}

QString asSentence(QString text)
{
    text = text.trimmed();
    return text.isEmpty() || text.endsWith(u'.') || text.endsWith(u'?') ? text : text + u'.';
}

/// "Ask for 5 min" as it goes on behind a colon; what begins with an abbreviation stays.
QString withinSentence(const QString& text)
{
    const bool isWord = text.size() > 1 && text.at(0).isUpper() && text.at(1).isLower();
    return isWord ? text.left(1).toLower() + text.mid(1) : text;
}

QString nextSentence(const JobRecord& record, const EfficiencyReport* report)
{
    if (record.state != JobState::Completed)
        return u"Next: read the end of its output on the Live page, where known failures are explained."_s;
    if (report && !report->advice.isEmpty())
        return u"Next: "_s + asSentence(withinSentence(report->advice.first().text));
    return u"Next: change one thing in Design and launch again; jobs of one name are compared in the report."_s;
}

} // namespace

GuideStage guideStage(const JobRecord& record, GuideLaunch launch)
{
    if (record.state == JobState::Completed)
        return GuideStage::Completed;
    if (hasEnded(record.state))
        return GuideStage::Ended;
    if (isActive(record.state))
        return GuideStage::Running;
    return launch == GuideLaunch::Done ? GuideStage::Queued : GuideStage::NotLaunched;
}

QString guideWatchText(GuideStage stage)
{
    if (stage == GuideStage::Completed || stage == GuideStage::Ended)
        return u"The job has ended, and its GPUs are free for others again. Its output, its GPUs over time and a report of what "
               "it used are kept."_s;
    return u"The job is Slurm's now: it goes on, whatever happens to this window. You may leave this page and come back."_s;
}

QString guideStageText(const JobRecord& record, const QDateTime& now)
{
    if (hasEnded(record.state))
        return explainOutcome(record);
    if (isActive(record.state)) {
        constexpr int mostNamed = 3;
        const QStringList names = record.nodeList.size() > mostNamed ? QStringList() : record.nodeList.names();
        const QString nodes = record.nodeList.isEmpty() ? QString()
            : names.isEmpty()                           ? u" on "_s + nodesText(record.nodeList.size())
                                                        : u" on "_s + names.join(u", "_s);
        if (!record.started.isValid())
            return u"It runs%1."_s.arg(nodes);
        return u"It has been running for %1%2."_s.arg(
            humanDuration(Seconds{qMax<qint64>(0, record.started.secsTo(now))}), nodes);
    }
    if (record.state == JobState::Unknown)
        return u"Slurm has not reported on it yet."_s;
    if (!record.reason.isEmpty() && record.reason != u"None")
        return explainPendingReason(record.reason);
    return u"It waits for its turn."_s;
}

GuideClosing guideClosing(
    const JobRecord& record, const EfficiencyReport* report, const QString& gpuWord, GuideBilling billing)
{
    return {useSentence(record, report, gpuWord), costSentence(record, report, gpuWord, billing),
        nextSentence(record, report)};
}

} // namespace rankwright::inline teaching
