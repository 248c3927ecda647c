// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangwords.h"

#include "models/core/harmlesstext.h"
#include "models/core/numberranges.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"

#include <QSet>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

using Places = QList<qsizetype>;

/// Builds one statement from pieces, and remembers what each rests on.
class HangTelling {
public:
    HangTelling(const HangCase& found, const HangScene& scene) : m_found(found), m_scene(scene) { }

    HangWords tell()
    {
        switch (m_found.cause) {
        case HangCause::Nothing: tellNothing(); break;
        case HangCause::Unknown: tellUnknown(); break;
        case HangCause::Slow: tellSlow(); break;
        case HangCause::AllWait: tellAllWait(); break;
        default: tellOdd(); break;
        }
        return {m_sentence, m_proofs};
    }

private:
    const RankEvidence& rankAt(qsizetype i) const { return m_scene.evidence.ranks.at(i); }
    const RankStanding& standingAt(qsizetype i) const { return m_scene.standings.at(i); }

    void say(const QString& words, const QString& source = {}, const Places& about = {})
    {
        m_sentence += words;
        const QString bare = words.trimmed();
        if (!source.isEmpty() && !bare.isEmpty())
            m_proofs.append({bare, source, about});
    }

    /// "Rank 11 (node n03, GPU 3)"; "Ranks 3, 7 (nodes n01, n02)"; "A process (node n03, pid 4711)".
    QString title(const Places& places) const
    {
        if (places.size() == 1) {
            const RankEvidence& rank = rankAt(places.first());
            QStringList where;
            if (!rank.node.isEmpty())
                where.append(u"node "_s + rank.node);
            if (rank.gpu)
                where.append(u"GPU %1"_s.arg(*rank.gpu));
            if (!rank.rank && rank.pid)
                where.append(u"pid %1"_s.arg(*rank.pid));
            const QString name = rank.rank ? u"Rank %1"_s.arg(*rank.rank) : u"A process"_s;
            return where.isEmpty() ? name : u"%1 (%2)"_s.arg(name, where.join(u", "_s));
        }
        QList<int> ranks;
        QStringList nodes;
        for (const qsizetype i : places) {
            if (rankAt(i).rank)
                ranks.append(*rankAt(i).rank);
            if (!rankAt(i).node.isEmpty() && !nodes.contains(rankAt(i).node))
                nodes.append(rankAt(i).node);
        }
        QString name = ranks.size() == places.size() ? u"Ranks "_s + numberRangesForPeople(ranks)
                                                     : counted(places.size(), u"process"_s, u"processes"_s);
        if (!nodes.isEmpty() && nodes.size() <= 4)
            name += u" (%1 %2)"_s.arg(nounFor(double(nodes.size()), u"node"_s), nodes.join(u", "_s));
        return name;
    }
    static QString has(const Places& places) { return places.size() == 1 ? u"has"_s : u"have"_s; }
    static QString is(const Places& places) { return isOrAre(places.size()); }
    static QString it(const Places& places) { return places.size() == 1 ? u"it"_s : u"they"_s; }
    static QString s(const Places& places) { return places.size() == 1 ? u"s"_s : QString(); }

    QString operation() const { return operationText(m_found.operation, m_found.sequence, m_found.group); }

    static QString placeOf(const std::optional<PythonFrame>& frame)
    {
        if (!frame || frame->file.isEmpty())
            return {};
        const QString file = bareFileName(frame->file);
        return u" at "_s + (frame->line ? file + u':' + QString::number(*frame->line) : file);
    }

    QString mainSource() const
    {
        switch (m_found.source) {
        case HangCase::Source::Recorder: {
            const auto records = std::count_if(m_scene.evidence.ranks.begin(), m_scene.evidence.ranks.end(),
                [](const RankEvidence& rank) { return rank.record.has_value(); });
            return u"Flight Recorder of %1"_s.arg(counted(records, u"rank"_s));
        }
        case HangCase::Source::Ras:
            return u"RAS, two answers: operations launched %1, of others %2"_s.arg(m_found.deviating, m_found.usual);
        case HangCase::Source::Stacks: return stacksSource();
        case HangCase::Source::Processes: break;
        }
        return u"/proc of %1"_s.arg(counted(m_scene.standings.size(), u"rank"_s));
    }

    QString stacksSource() const
    {
        qsizetype stacks = 0;
        QStringList tools;
        for (const RankEvidence& rank : m_scene.evidence.ranks) {
            if (!rank.stacks)
                continue;
            ++stacks;
            if (const QString tool = toText(rank.stacks->source); !tools.contains(tool))
                tools.append(tool);
        }
        return u"Python stacks of %1 (%2)"_s.arg(counted(stacks, u"rank"_s), tools.join(u", "_s));
    }

    QString processSource(qsizetype i) const
    {
        const RankEvidence& rank = rankAt(i);
        const RankStanding& standing = standingAt(i);
        QStringList parts;
        if (standing.state)
            parts.append(u"state "_s + toText(*standing.state));
        if (!standing.channel.isEmpty())
            parts.append(u"wait channel "_s + standing.channel);
        if (!standing.call.isEmpty())
            parts.append(u"system call "_s + standing.call);
        if (rank.before && rank.now) {
            if (rank.before->io.readChars && rank.now->io.readChars)
                parts.append(standing.reads ? u"bytes read or written between two moments"_s
                                            : u"next to no byte read or written between two moments"_s);
            if (rank.before->cpuTicks && rank.now->cpuTicks)
                parts.append(standing.computes ? u"processor used"_s : u"processor idle"_s);
        }
        const QString whose = rank.rank ? u"rank %1"_s.arg(*rank.rank) : u"the process"_s;
        return u"/proc of %1: %2"_s.arg(whose, parts.isEmpty() ? u"only that it exists"_s : parts.join(u", "_s));
    }

    QString stackSource(qsizetype i) const
    {
        const RankEvidence& rank = rankAt(i);
        const auto& stacks = rank.stacks ? rank.stacks : rank.stacksBefore;
        if (!stacks)
            return processSource(i);
        return rank.rank ? u"%1 of rank %2"_s.arg(toText(stacks->source)).arg(*rank.rank) : toText(stacks->source);
    }

    /// " it stands in read() at dataset.py:88, waiting for the file system": of the first of several.
    void sayWhere(const Places& places, const QString& before)
    {
        const qsizetype first = places.first();
        const QString place = placeText(standingAt(first)), reason = reasonText(standingAt(first));
        if (place.isEmpty() && reason.isEmpty())
            return;
        const QString who
            = places.size() == 1 || !rankAt(first).rank ? it(places) : u"rank %1"_s.arg(*rankAt(first).rank);
        const bool isOne = places.size() == 1 || rankAt(first).rank.has_value();
        say(before);
        if (place.isEmpty()) {
            say(who + (isOne ? u" is "_s : u" are "_s) + reason, processSource(first), {first});
            return;
        }
        say(who + (isOne ? u" stands in "_s : u" stand in "_s) + place, stackSource(first), {first});
        if (reason.isEmpty())
            return;
        say(u", "_s);
        const bool isOfKernel = standingAt(first).waitsForFiles || standingAt(first).isStopped
            || standingAt(first).meaning.activity == StackActivity::OwnCode
            || standingAt(first).meaning.activity == StackActivity::Unknown;
        say(reason, isOfKernel ? processSource(first) : stackSource(first), {first});
    }

    /// " It last called all_reduce 9 of group fsdp at train.py:52.": of the first whose place is not known.
    void sayLast()
    {
        for (const qsizetype i : m_found.odd) {
            const auto last = m_found.last.constFind(i);
            if (last == m_found.last.cend())
                continue;
            const bool isKnown = m_found.odd.size() > 1 && rankAt(i).rank;
            const QString who = isKnown  ? u"Rank %1"_s.arg(*rankAt(i).rank)
                : m_found.odd.size() > 1 ? u"One of them"_s
                                         : u"It"_s;
            const bool isOwn = last->knowledge == LastOperation::Knowledge::Called;
            say(u" The last that is known: "_s);
            say((isKnown ? who : who.toLower()) + u' ' + lastText(*last),
                isOwn ? u"Flight Recorder of rank %1"_s.arg(last->teller)
                      : u"Flight Recorder of rank %1, where it has ended: all members have entered it"_s.arg(
                          last->teller),
                {i});
            say(u"."_s);
            return;
        }
    }

    /// " 31 ranks wait for it."
    void sayWaiting(bool withOperation = false)
    {
        if (m_found.waiting.isEmpty())
            return;
        const qsizetype count = m_found.waiting.size();
        QString text = counted(count, u"rank"_s) + (count == 1 ? u" waits"_s : u" wait"_s);
        if (withOperation && !m_found.operation.isEmpty())
            text += u" in "_s + operation() + placeOf(m_found.call);
        else if (withOperation)
            text += placeOf(m_found.call);
        const Places& whom = m_found.odd.isEmpty() ? m_found.slow : m_found.odd;
        text += whom.size() == 1 ? u" for it."_s : u" for them."_s;
        say(u" "_s);
        const bool isRecorded = m_found.source == HangCase::Source::Recorder;
        say(text,
            isRecorded || m_found.source == HangCase::Source::Ras ? mainSource()
                : hasStacks()                                     ? stacksSource()
                                                                  : mainSource(),
            m_found.waiting);
    }
    bool hasStacks() const
    {
        return std::any_of(m_scene.evidence.ranks.begin(), m_scene.evidence.ranks.end(),
            [](const RankEvidence& rank) { return rank.stacks.has_value(); });
    }

    void tellNothing()
    {
        const qsizetype ranks = m_scene.standings.size();
        if (ranks == 1)
            say(u"Nothing hangs as far as can be seen."_s);
        else
            say(u"Nothing hangs as far as can be seen: no rank of %1 holds up the others."_s.arg(ranks));
        sayGone();
    }

    void sayGone()
    {
        Places gone;
        const qsizetype ranks = m_scene.standings.size();
        for (qsizetype i = 0; i < ranks; ++i) {
            if (standingAt(i).isGone)
                gone.append(i);
        }
        if (!gone.isEmpty() && gone.size() < ranks)
            say(u" %1 %2 no process any more."_s.arg(title(gone), has(gone)),
                u"/proc of %1"_s.arg(counted(ranks, u"rank"_s)), gone);
        if (!gone.isEmpty() && gone.size() == ranks)
            m_sentence = u"No rank runs any more."_s;
    }

    void tellUnknown()
    {
        if (m_scene.standings.isEmpty())
            say(u"No process of a rank was found, so nothing can be said."_s);
        else if (std::all_of(m_scene.standings.begin(), m_scene.standings.end(),
                     [](const RankStanding& standing) { return standing.isGone; }))
            say(u"No rank runs any more."_s);
        else
            tellWhatIsSeen();
    }

    /// No rank can be accused, and nothing shows that the job goes on: what is seen all the same.
    void tellWhatIsSeen()
    {
        Places alive, still, busy;
        QSet<QString> places;
        for (qsizetype i = 0; i < m_scene.standings.size(); ++i) {
            const RankStanding& standing = standingAt(i);
            if (standing.isGone)
                continue;
            alive.append(i);
            if (standing.computes)
                busy.append(i);
            else if (standing.moves && !*standing.moves)
                still.append(i);
            places.insert(placeText(standing));
        }
        const QString place = places.size() == 1 ? *places.begin() : QString();
        if (still.size() + busy.size() < alive.size())
            tellTooLittle();
        else if (hasStacks())
            tellOnePlace(alive, place);
        else if (busy.isEmpty())
            tellStandStill(alive, place);
        else
            tellBusy(alive, busy, still);
        sayGone();
    }

    void tellTooLittle()
    {
        if (hasStacks())
            say(u"Seen at one moment only: no rank is seen to hold up the others, and whether they go on can't be told."_s);
        else
            say(u"Too little was reachable to say where it hangs."_s);
    }

    void tellOnePlace(const Places& alive, const QString& place)
    {
        const QString who = alive.size() == 1 ? u"its only rank was"_s : u"all %1 ranks were"_s.arg(alive.size());
        const QString where = place.isEmpty() ? u"where they had been some seconds before"_s
                                              : QString(u"at both moments in "_s + place);
        say(u"Whether it hangs can't be told: "_s);
        say(u"%1 %2"_s.arg(who, where), stacksSource(), alive);
        say(place.isEmpty() ? u", and none is seen to wait for another."_s : u". A long step looks like that, too."_s);
    }

    void tellStandStill(const Places& alive, const QString& place)
    {
        const bool isOne = alive.size() == 1;
        const QString who = isOne ? u"The only rank stands still"_s : u"All %1 ranks stand still"_s.arg(alive.size());
        say(who + (place.isEmpty() ? QString() : QString(u", in "_s + place)), mainSource(), alive);
        say(isOne ? u"."_s : u": without Python stacks it can't be told which of them holds up the others."_s);
    }

    void tellBusy(const Places& alive, const Places& busy, const Places& still)
    {
        const qsizetype count = busy.size();
        say(u"Whether it hangs can't be told without Python stacks: "_s);
        say(u"%1 processor time, as ranks do that wait for their GPUs"_s.arg(
                count == 1 ? u"1 rank uses"_s : u"%1 ranks use"_s.arg(count)),
            mainSource(), busy);
        if (!still.isEmpty() && still.size() * 3 <= alive.size()) {
            QString name = title(still);
            name[0] = name.at(0).toLower();
            const QString place = placeText(standingAt(still.first()));
            say(u"; "_s);
            say(u"%1 stand%2 still"_s.arg(name, s(still)) + (place.isEmpty() ? QString() : QString(u", in "_s + place)),
                processSource(still.first()), still);
        }
        say(u"."_s);
    }

    void tellSlow()
    {
        say(u"Nothing hangs as far as can be seen: "_s);
        QString name = title(m_found.slow);
        name[0] = name.at(0).toLower();
        say(u"%1 go%2 on"_s.arg(name, m_found.slow.size() == 1 ? u"es"_s : QString()),
            processSource(m_found.slow.first()), m_found.slow);
        sayWhere(m_found.slow, u"; "_s);
        say(u"."_s);
        sayWaiting(true);
    }

    void tellAllWait()
    {
        const qsizetype count = m_found.waiting.size();
        const QString who = count <= 1 ? counted(qMax<qsizetype>(1, count), u"rank"_s) + u" waits"_s
                                       : u"All %1 ranks wait"_s.arg(count);
        QString where = m_found.operation.isEmpty() ? u"one operation"_s : operation();
        say(u"%1 in %2%3"_s.arg(who, where, placeOf(m_found.call)), mainSource(), m_found.waiting);
        if (count <= 1)
            say(u"; nothing is known about the others."_s);
        else if (m_found.source == HangCase::Source::Recorder)
            say(u", none is missing: the network or a GPU holds it up, or it only takes long."_s);
        else
            say(u", none is missing: the network or a GPU holds it up, they brought unequal sizes, or it only takes "
                "long."_s);
    }

    void tellOdd()
    {
        const Places& odd = m_found.odd;
        if (m_found.isSeenOnce)
            say(u"Seen at one moment only: "_s);
        switch (m_found.cause) {
        case HangCause::Stopped:
            say(u"%1 %2 stopped (state T: by a signal or a debugger)"_s.arg(title(odd), is(odd)),
                processSource(odd.first()), odd);
            sayPlaceOfStopped(odd);
            say(u"."_s);
            sayWaiting(true);
            sayLast();
            return;
        case HangCause::Gone:
            tellGone();
            sayLast();
            return;
        case HangCause::Alone:
            say(u"%1 wait%2 in %3%4"_s.arg(title(odd), s(odd), operation(), placeOf(m_found.call)), stacksSource(),
                odd);
            say(u", to which the other ranks do not come: "_s);
            say(u"they have ended or are at the end of their program."_s, mainSource());
            return;
        case HangCause::WrongOrder: tellOrder(); return;
        case HangCause::WrongSize:
        case HangCause::WrongType:
            if (m_found.isTie)
                say(u"%1 called %2 with different tensors: %3%4, and %5%6."_s.arg(title(odd), operation(),
                        m_found.usual, placeOf(m_found.call), m_found.deviating, placeOf(m_found.oddCall)),
                    mainSource(), odd);
            else
                say(u"%1 called %2 with %3%4, the others with %5%6."_s.arg(title(odd), operation(), m_found.deviating,
                        placeOf(m_found.oddCall), m_found.usual, placeOf(m_found.call)),
                    mainSource(), odd);
            sayWaiting();
            return;
        case HangCause::NotStarted:
            say(u"%1 %2 called %3, but %4 not begun on the GPU"_s.arg(title(odd), has(odd), operation(), u"it has"_s),
                mainSource(), odd);
            sayWhere(odd, u"; "_s);
            say(u"."_s);
            sayWaiting();
            return;
        default: break;
        }
        const QString entered = m_found.operation.isEmpty()
            ? u"%1 %2 not where the others are"_s.arg(title(odd), is(odd))
            : u"%1 %2 not entered %3"_s.arg(title(odd), has(odd), operation());
        say(entered, mainSource(), odd);
        sayFailure(odd);
        sayWhere(odd, u"; "_s);
        say(u"."_s);
        sayWaiting();
        sayLast();
    }

    void sayPlaceOfStopped(const Places& odd)
    {
        const QString place = placeText(standingAt(odd.first()));
        if (!place.isEmpty() && standingAt(odd.first()).meaning.shown)
            say(u" in "_s + place, stackSource(odd.first()), {odd.first()});
    }

    void sayFailure(const Places& odd)
    {
        for (const qsizetype i : odd) {
            if (rankAt(i).failure.isEmpty())
                continue;
            const QString failure = harmlessLine(rankAt(i).failure, 200);
            say(u" after "_s);
            say(u"“%1”"_s.arg(failure), u"output of the rank"_s, {i});
            return;
        }
    }

    void tellGone()
    {
        const Places& odd = m_found.odd;
        say(u"%1 %2 no process any more"_s.arg(title(odd), has(odd)), u"/proc of the nodes"_s, odd);
        sayFailure(odd);
        say(u"."_s);
        sayWaiting(true);
    }

    void tellOrder()
    {
        const Places& odd = m_found.odd;
        const QString usual = m_found.operation + placeOf(m_found.call);
        const QString other
            = (m_found.oddOperation.isEmpty() ? m_found.operation : m_found.oddOperation) + placeOf(m_found.oddCall);
        if (m_found.isTie) {
            say(u"%1 wait for each other: "_s.arg(title(odd)));
            say(u"some are in %1, others in %2"_s.arg(usual, other), mainSource(), odd);
        } else if (m_found.sequence) {
            say(u"%1 called %2 where the others called %3"_s.arg(
                    title(odd), other, operationText(m_found.operation, m_found.sequence, m_found.group))
                    + placeOf(m_found.call),
                mainSource(), odd);
        } else {
            say(u"%1 wait%2 in %3, the others in %4"_s.arg(title(odd), s(odd), other, usual), mainSource(), odd);
        }
        say(u"."_s);
        if (!m_found.isTie)
            sayWaiting();
    }

    const HangCase& m_found;
    const HangScene& m_scene;
    QString m_sentence;
    QList<HangProof> m_proofs;
};

} // namespace

QString operationText(const QString& operation, std::optional<qint64> sequence, const QString& group)
{
    QString text = operation.isEmpty() ? u"the next operation"_s : operation;
    if (sequence)
        text += u' ' + humanNumber(double(*sequence), 0);
    if (group == "default"_L1)
        text += u" of the default group"_s;
    else if (!group.isEmpty())
        text += u" of group "_s + group;
    return text;
}

HangWords hangWords(const HangCase& found, const HangScene& scene) { return HangTelling(found, scene).tell(); }

} // namespace rankwright::inline insight
