// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/rasreport.h"

#include "models/core/harmlesstext.h"
#include "models/core/jsonreader.h"

#include <QHash>
#include <QJsonArray>
#include <QRegularExpression>

#include <algorithm>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype mostRasBytes = 16 << 20;
constexpr qsizetype mostCommunicators = 4'096;
constexpr qsizetype mostRasRanks = 131'072; ///< of one report
constexpr qsizetype mostRasLines = 2'000; ///< of errors and of warnings
constexpr qsizetype mostCountKinds = 32;
constexpr qint64 leastHipVersion = 10'000'000; ///< 1.0, major * 10,000,000 as hipRuntimeGetVersion gives it
constexpr int largestRank = 100'000'000;

QString rasWord(const QString& text) { return harmlessLine(text, 200); }

/// "0x00ab" and "00ab" are one: "ab".
QString bareHash(const QString& text)
{
    QStringList parts;
    for (QString part : text.split(u':')) {
        if (part.startsWith("0x"_L1))
            part.remove(0, 2);
        while (part.size() > 1 && part.startsWith(u'0'))
            part.remove(0, 1);
        parts.append(rasWord(part));
    }
    return parts.join(u':');
}

std::optional<int> smallWhole(const QJsonValue& value, int least = 0)
{
    const qint64 number = value.toInteger(-1'000'000'000);
    if (number >= least && number < largestRank)
        return int(number);
    return {};
}

std::optional<qint64> pidOf(const QJsonValue& value)
{
    const qint64 pid = value.toInteger(0);
    return pid > 0 ? std::optional(pid) : std::nullopt;
}

QString hostOf(const QJsonValue& value)
{
    const QString host = rasWord(value.toString());
    return host == "unknown"_L1 ? QString() : host;
}

RasRank jsonRank(const QJsonObject& json)
{
    RasRank rank;
    rank.rank = smallWhole(json.value("rank"_L1)).value_or(0);
    rank.host = hostOf(json.value("host"_L1));
    rank.pid = pidOf(json.value("pid"_L1));
    rank.gpu = smallWhole(json.value("cuda_dev"_L1));
    const QJsonObject status = json.value("status"_L1).toObject();
    rank.initState = smallWhole(status.value("init_state"_L1));
    rank.asyncError = smallWhole(status.value("async_error"_L1));
    rank.isAborted = status.value("abort_flag"_L1).toBool();
    rank.isFinalizing = status.value("finalize_called"_L1).toBool();
    rank.isDestroyed = status.value("destroy_flag"_L1).toBool();
    const QJsonObject counts = json.value("collective_counts"_L1).toObject();
    for (auto it = counts.begin(); it != counts.end() && rank.counts.size() < mostCountKinds; ++it) {
        if (const qint64 count = it.value().toInteger(-1); count >= 0)
            rank.counts.insert(rasWord(it.key()), count);
    }
    return rank;
}

RasMissing jsonMissing(const QJsonObject& json)
{
    RasMissing missing;
    missing.rank = smallWhole(json.value("rank"_L1));
    missing.host = hostOf(json.value("host"_L1));
    missing.pid = pidOf(json.value("pid"_L1));
    missing.gpu = smallWhole(json.value("cuda_dev"_L1));
    const QJsonObject status = json.value("status"_L1).toObject();
    missing.isUnresponsive = status.value("unresponsive"_L1).toBool();
    missing.isDead = status.value("considered_dead"_L1).toBool();
    return missing;
}

RasReport reportOfJson(const QJsonObject& json)
{
    RasReport report;
    report.isJson = true;
    for (const auto& [key, library] : {std::pair{"nccl_version"_L1, u"NCCL"_s}, {"rccl_version"_L1, u"RCCL"_s}}) {
        if (json.contains(key)) {
            report.version = rasWord(json.value(key).toString());
            report.library = library;
        }
    }
    // RCCL writes the same names: HIP's version has more digits than CUDA's
    if (report.library == "NCCL"_L1 && json.value("cuda_runtime_version"_L1).toInteger() >= leastHipVersion)
        report.library = u"RCCL"_s;
    report.timeouts = smallWhole(json.value("ras"_L1).toObject().value("timeouts_count"_L1));
    qsizetype ranks = 0;
    const QJsonArray communicators = json.value("communicators"_L1).toArray();
    for (const QJsonValue& value : communicators) {
        if (report.communicators.size() >= mostCommunicators)
            break;
        const QJsonObject object = value.toObject();
        RasCommunicator communicator;
        communicator.hash = bareHash(object.value("hash"_L1).toString());
        if (const QString second = object.value("secondary_hash"_L1).toString(); !second.isEmpty())
            communicator.hash += u':' + bareHash(second);
        communicator.size = smallWhole(object.value("size"_L1));
        communicator.answered = smallWhole(object.value("ranks_count"_L1));
        const QJsonArray answering = object.value("ranks"_L1).toArray();
        for (const QJsonValue& rank : answering) {
            if (rank.isObject() && ranks++ < mostRasRanks)
                communicator.ranks.append(jsonRank(rank.toObject()));
        }
        const QJsonArray silent = object.value("missing_ranks"_L1).toArray();
        for (const QJsonValue& rank : silent) {
            if (rank.isObject() && ranks++ < mostRasRanks)
                communicator.missing.append(jsonMissing(rank.toObject()));
        }
        report.communicators.append(communicator);
    }
    return report;
}

std::optional<RasStatus> rasStatusOf(QStringView word)
{
    static const QHash<QString, RasStatus> words{{u"NOCOMM"_s, RasStatus::NoCommunicator},
        {u"UNKNOWN"_s, RasStatus::NoCommunicator}, {u"INIT"_s, RasStatus::Initializing},
        {u"RUNNING"_s, RasStatus::Running}, {u"FINALIZE"_s, RasStatus::Finalizing}, {u"ABORT"_s, RasStatus::Aborted}};
    const auto found = words.constFind(word.toString());
    return found == words.constEnd() ? std::nullopt : std::optional(*found);
}

/// The text form, line by line.
class RasTextReading {
public:
    void readLine(const QString& line)
    {
        if (line.startsWith(u'='))
            return;
        if (!line.startsWith(u' ') && readHeading(line.trimmed()))
            return;
        if (m_section == Section::Table)
            readRow(line);
        else if (m_section == Section::Errors || m_section == Section::Warnings)
            readParagraph(line);
    }
    bool isReport() const { return m_isReport; }
    const RasReport& report() const { return m_report; }

private:
    enum class Section { None, Summary, Table, Errors, Warnings };

    bool readHeading(const QString& line)
    {
        static const QRegularExpression version(uR"(^(NCCL|RCCL) version (\S{1,60}))"_s);
        if (const auto match = version.match(line); match.hasMatch()) {
            m_report.library = match.captured(1);
            m_report.version = rasWord(match.captured(2));
            m_isReport = true;
            return true;
        }
        if (line == "Job summary"_L1)
            m_section = Section::Summary;
        else if (line.startsWith("Communicators..."_L1))
            m_section = Section::Table;
        else if (line == "Errors"_L1)
            m_section = Section::Errors;
        else if (line == "Warnings"_L1)
            m_section = Section::Warnings;
        else
            return false;
        m_isReport = true;
        m_current = -1;
        return true;
    }

    void readRow(const QString& line)
    {
        static const QRegularExpression row(
            uR"(^\s*(\d{1,6})\s+(\d{1,6})\s+(\d{1,8})\s+[\d-]{1,17}\s+(\d{1,8})\s+(\d{1,8})\s+([A-Z]+)\s+([A-Z,]+)\s*$)"_s);
        const auto match = row.match(line);
        if (!match.hasMatch())
            return;
        const int group = match.capturedView(1).toInt(), count = match.capturedView(2).toInt();
        for (int i = 0; i < count && m_report.communicators.size() < mostCommunicators; ++i) {
            RasCommunicator communicator;
            communicator.hash = u"#%1-%2"_s.arg(group).arg(i);
            communicator.size = match.capturedView(4).toInt();
            communicator.status = rasStatusOf(match.capturedView(6));
            communicator.errors = match.captured(7);
            // "Ranks in group" counts GPUs, once each where several communicators of the group use them
            if (const int ranks = match.capturedView(5).toInt(); count == 1)
                communicator.answered = ranks;
            else if (!communicator.errors.contains("INCOMPLETE"_L1))
                communicator.answered = communicator.size;
            m_places.insert(communicator.hash, m_report.communicators.size());
            m_report.communicators.append(communicator);
        }
    }

    void readParagraph(const QString& line)
    {
        static const QRegularExpression heading(uR"(^(#\d{1,6}-\d{1,6}) \(([0-9a-fA-F]{1,32})\) ([A-Z]+)\s*$)"_s);
        const QString text = line.trimmed();
        if (text.isEmpty()) {
            m_current = -1;
            m_isDead = m_isIncomplete = false;
            m_collective.clear();
            return;
        }
        QStringList& lines = m_section == Section::Errors ? m_report.errors : m_report.warnings;
        if (!line.startsWith(u' ')) {
            if (lines.size() < mostRasLines)
                lines.append(rasWord(text));
            m_isDead = text == "DEAD"_L1;
            m_isIncomplete = text.endsWith("INCOMPLETE"_L1);
            m_current = -1;
            m_collective.clear();
            if (const auto match = heading.match(text); match.hasMatch())
                m_current = communicatorAt(match.captured(1), match.captured(2));
            return;
        }
        if (!lines.isEmpty() && lines.last().size() < 2'000)
            lines.last() += u"; "_s + rasWord(text);
        readDetail(text);
    }

    qsizetype communicatorAt(const QString& place, const QString& hash)
    {
        auto at = m_places.constFind(place);
        if (at == m_places.constEnd()) {
            if (m_report.communicators.size() >= mostCommunicators)
                return -1;
            m_report.communicators.append(RasCommunicator());
            at = m_places.insert(place, m_report.communicators.size() - 1);
        }
        m_report.communicators[*at].hash = bareHash(hash);
        return *at;
    }

    void readDetail(const QString& text)
    {
        static const QRegularExpression process(uR"(^Process (\d{1,10}) on node (\S+) managing GPUs? (\d{1,5}))"_s);
        static const QRegularExpression kind(
            uR"(^Communicator ranks have different (\w+)(?: operation counts| operation))"_s);
        static const QRegularExpression level(
            uR"(^(\d{1,8}) ranks have (?:launched up to operation (\d{1,18})|(not launched any operations)))"_s);
        static const QRegularExpression rank(
            uR"(^Rank (\d{1,8})(?: has (?:launched up to operation (\d{1,18})|(not launched any operations)))?)"
            uR"((?: (?:has status|reported) [^-]*)? -- (?:GPU (\d{1,5})[^m]* managed by process (\d{1,10}) on node (\S+))?)"_s);
        static const QRegularExpression lone(uR"(^The missing rank: (\d{1,8})$)"_s);
        if (const auto match = process.match(text); match.hasMatch()) {
            if ((m_isDead || m_isIncomplete) && m_report.missing.size() < mostRasRanks) {
                RasMissing missing;
                missing.pid = match.capturedView(1).toLongLong();
                missing.host = rasWord(match.captured(2));
                missing.gpu = match.capturedView(3).toInt();
                missing.isDead = m_isDead;
                missing.isUnresponsive = !m_isDead;
                m_report.missing.append(missing);
            }
        } else if (const auto found = kind.match(text); found.hasMatch()) {
            m_collective = rasWord(found.captured(1));
            m_level.reset();
        } else if (m_current >= 0) {
            RasCommunicator& communicator = m_report.communicators[m_current];
            if (const auto several = level.match(text); several.hasMatch()) {
                m_level = several.capturedView(2).toLongLong();
                if (!m_collective.isEmpty() && communicator.levels.size() < mostRasLines)
                    communicator.levels.append({m_collective, *m_level, several.capturedView(1).toInt()});
            } else if (const auto one = rank.match(text); one.hasMatch()) {
                readRank(communicator, one);
            } else if (const auto missed = lone.match(text); missed.hasMatch()) {
                RasMissing missing;
                missing.rank = missed.capturedView(1).toInt();
                missing.isUnresponsive = true;
                communicator.missing.append(missing);
            }
        }
    }

    void readRank(RasCommunicator& communicator, const QRegularExpressionMatch& match)
    {
        if (communicator.ranks.size() + communicator.missing.size() >= mostRasRanks)
            return;
        const int number = match.capturedView(1).toInt();
        const QString host = rasWord(match.captured(6));
        const qint64 process = match.capturedView(5).toLongLong();
        const std::optional<qint64> pid = process > 0 ? std::optional(process) : std::nullopt;
        const std::optional<int> gpu
            = match.hasCaptured(4) ? std::optional(match.capturedView(4).toInt()) : std::nullopt;
        if (m_isIncomplete) {
            RasMissing missing;
            missing.rank = number;
            missing.host = host;
            missing.pid = pid;
            missing.gpu = gpu;
            missing.isUnresponsive = true;
            communicator.missing.append(missing);
            return;
        }
        // A rank that differs in several kinds of operation is named in each paragraph.
        qsizetype at = communicator.ranks.size() - 1;
        const qsizetype last = qMax<qsizetype>(-1, at - 64);
        while (at > last && communicator.ranks.at(at).rank != number)
            --at;
        if (at == last) {
            RasRank rank;
            rank.rank = number;
            rank.host = host;
            rank.pid = pid;
            rank.gpu = gpu;
            communicator.ranks.append(rank);
            at = communicator.ranks.size() - 1;
        }
        if (m_collective.isEmpty())
            return;
        RasRank& rank = communicator.ranks[at];
        const bool isAlone = match.hasCaptured(2) || match.hasCaptured(3);
        if (isAlone) {
            const qint64 count = match.capturedView(2).toLongLong();
            rank.counts.insert(m_collective, count);
            if (communicator.levels.size() < mostRasLines)
                communicator.levels.append({m_collective, count, 1});
        } else if (m_level) {
            rank.counts.insert(m_collective, *m_level);
        }
    }

    RasReport m_report;
    Section m_section = Section::None;
    QHash<QString, qsizetype> m_places; ///< "#0-1" → its communicator
    qsizetype m_current = -1; ///< communicator of the present paragraph
    QString m_collective; ///< whose numbers are told
    std::optional<qint64> m_level;
    bool m_isDead = false, m_isIncomplete = false;
    bool m_isReport = false;
};

using CommunicatorPlaces = QHash<QString, const RasCommunicator*>;

/// Those of one hash each: two with the same hash cannot be told apart.
CommunicatorPlaces communicatorsByHash(const RasReport& report)
{
    CommunicatorPlaces places;
    for (const RasCommunicator& communicator : report.communicators)
        places.insert(communicator.hash, places.contains(communicator.hash) ? nullptr : &communicator);
    return places;
}

QHash<int, const RasRank*> ranksByNumber(const RasCommunicator& communicator)
{
    QHash<int, const RasRank*> ranks;
    for (const RasRank& rank : communicator.ranks)
        ranks.insert(rank.rank, ranks.contains(rank.rank) ? nullptr : &rank);
    return ranks;
}

/// Where the numbers of a collective stand in each poll: per rank, and the levels of the text form.
void addStandstills(const RasCommunicator& before, const RasCommunicator& now, QList<RasStandstill>& found)
{
    const auto earlier = ranksByNumber(before), later = ranksByNumber(now);
    QMap<QString, QList<const RasRank*>> ranksOf;
    QMap<QString, QList<RasLevel>> levelsOf;
    for (const RasRank& rank : now.ranks) {
        if (later.value(rank.rank) == nullptr)
            continue;
        for (auto it = rank.counts.begin(); it != rank.counts.end(); ++it)
            ranksOf[it.key()].append(&rank);
    }
    for (const RasLevel& level : now.levels)
        levelsOf[level.collective].append(level);
    QStringList kinds = ranksOf.keys() + levelsOf.keys();
    kinds.removeDuplicates();
    for (const QString& kind : std::as_const(kinds)) {
        RasStandstill standstill;
        standstill.hash = now.hash;
        standstill.collective = kind;
        standstill.members = now.size.value_or(int(now.ranks.size()));
        QList<qint64> numbers;
        bool stands = true;
        for (const RasRank* rank : ranksOf.value(kind)) {
            const RasRank* same = earlier.value(rank->rank);
            stands = stands && same != nullptr && same->counts.value(kind, -1) == rank->counts.value(kind);
            numbers.append(rank->counts.value(kind));
        }
        QList<RasLevel> levels = levelsOf.value(kind), former;
        for (const RasLevel& level : before.levels) {
            if (level.collective == kind)
                former.append(level);
        }
        const auto lower = [](const RasLevel& a, const RasLevel& b) { return a.count < b.count; };
        std::stable_sort(levels.begin(), levels.end(), lower);
        std::stable_sort(former.begin(), former.end(), lower);
        for (const RasLevel& level : std::as_const(levels))
            numbers.append(level.count);
        if (!stands || numbers.isEmpty() || (!levels.isEmpty() && levels != former))
            continue;
        standstill.least = *std::min_element(numbers.begin(), numbers.end());
        standstill.most = *std::max_element(numbers.begin(), numbers.end());
        if (standstill.least == standstill.most)
            continue;
        for (const RasRank* rank : ranksOf.value(kind)) {
            if (rank->counts.value(kind) == standstill.least)
                standstill.behind.append(*rank);
        }
        standstill.behindCount = int(standstill.behind.size());
        if (!levels.isEmpty()) {
            standstill.behindCount = 0;
            for (const RasLevel& level : std::as_const(levels))
                standstill.behindCount += level.count == standstill.least ? level.ranks : 0;
        }
        found.append(standstill);
    }
}

} // namespace

Result<RasReport> readRasReport(const QByteArray& answer)
{
    if (answer.size() > mostRasBytes)
        return fail(Fault::Invalid, u"The RAS answer is larger than %1 MiB."_s.arg(mostRasBytes >> 20));
    const qsizetype brace = answer.startsWith('{') ? 0 : answer.indexOf("\n{") + 1;
    if (brace > 0 || answer.startsWith('{')) {
        const qsizetype last = answer.lastIndexOf('}');
        const auto json = parseJsonObject(answer.mid(brace, last - brace + 1), u"RAS answer"_s);
        if (!json)
            return fail(json.error());
        if (!json->contains("communicators"_L1))
            return fail(Fault::Unreadable, u"The RAS answer names no communicators."_s);
        return reportOfJson(*json);
    }
    RasTextReading reading;
    QString refusal;
    for (qsizetype from = 0; from < answer.size();) {
        qsizetype end = answer.indexOf('\n', from);
        end = end < 0 ? answer.size() : end;
        const QByteArrayView bytes = QByteArrayView(answer).sliced(from, end - from);
        from = end + 1;
        if (bytes.size() > 4'000)
            continue;
        const QString line = QString::fromUtf8(bytes);
        if (line.startsWith("ERROR"_L1))
            refusal = rasWord(line);
        reading.readLine(line.endsWith(u'\r') ? line.chopped(1) : line);
    }
    if (reading.isReport())
        return reading.report();
    if (!refusal.isEmpty())
        return fail(Fault::RemoteExit, u"The RAS service refuses: %1"_s.arg(refusal));
    return fail(Fault::Unreadable, u"This is not an answer of a RAS service."_s);
}

QList<RasStandstill> rasStandstills(const RasReport& before, const RasReport& now)
{
    QList<RasStandstill> found;
    const CommunicatorPlaces earlier = communicatorsByHash(before), later = communicatorsByHash(now);
    for (const RasCommunicator& communicator : now.communicators) {
        const RasCommunicator* same = earlier.value(communicator.hash);
        if (same != nullptr && later.value(communicator.hash) != nullptr)
            addStandstills(*same, communicator, found);
    }
    return found;
}

std::optional<bool> rasMoves(const RasReport& before, const RasReport& now)
{
    const CommunicatorPlaces earlier = communicatorsByHash(before), later = communicatorsByHash(now);
    bool isCompared = false;
    for (const RasCommunicator& communicator : now.communicators) {
        const RasCommunicator* same = earlier.value(communicator.hash);
        if (same == nullptr || later.value(communicator.hash) == nullptr)
            continue;
        const auto ranks = ranksByNumber(*same), present = ranksByNumber(communicator);
        for (const RasRank& rank : communicator.ranks) {
            const RasRank* former = ranks.value(rank.rank);
            if (former == nullptr || present.value(rank.rank) == nullptr || rank.counts.isEmpty())
                continue;
            isCompared = true;
            if (former->counts != rank.counts)
                return true;
        }
        if (!communicator.levels.isEmpty() || !same->levels.isEmpty()) {
            isCompared = true;
            if (communicator.levels != same->levels)
                return true;
        }
    }
    return isCompared ? std::optional(false) : std::nullopt;
}

} // namespace rankwright::inline insight
