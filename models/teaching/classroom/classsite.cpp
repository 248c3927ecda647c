// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/classroom/classsite.h"

#include "models/cluster/slurm/slurmtext.h"
#include "models/core/quantitytext.h"
#include "models/teaching/classroom/classrules.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace rankwright::inline teaching {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostReservations = 2000;
constexpr double little = 1e-9; ///< that a share of a node may be off

QString reported(const QString& line, const QString& key)
{
    const QRegularExpression form(u"(?:^| )"_s + key + u"=(\\S*)"_s);
    return slurmCell(form.match(line).captured(1).toUtf8());
}

QStringList names(const QString& list) { return list.split(u',', Qt::SkipEmptyParts); }

SiteVerdict projectVerdict(const ClassFile& file, const ClusterFacts& facts)
{
    const QString subject = u"Project"_s;
    if (file.account.isEmpty())
        return {SiteState::Good, subject, u"Each attendee uses a project of their own."_s};
    if (facts.accounts.isEmpty())
        return {SiteState::Unknown, subject, u"The cluster did not report your projects."_s};
    if (facts.accounts.contains(file.account))
        return {SiteState::Good, subject,
            u"%1 is one of your projects. Only its list of members says whether every attendee is a member."_s.arg(
                file.account)};
    return {SiteState::Bad, subject,
        u"%1 is not among your projects (%2)."_s.arg(file.account, facts.accounts.mid(0, 10).join(u", "_s))};
}

std::optional<SiteVerdict> partitionVerdict(
    const ClassFile& file, const ClusterProfile& profile, const ClusterFacts& facts)
{
    if (file.partition.isEmpty())
        return {};
    const QString subject = u"Partition"_s;
    const Partition* known = profile.partition(file.partition);
    const QString slurmName = known != nullptr ? known->slurmName() : file.partition;
    if (facts.partitions.isEmpty())
        return SiteVerdict{SiteState::Unknown, subject, u"The cluster did not report its partitions."_s};
    const auto found = std::find_if(facts.partitions.cbegin(), facts.partitions.cend(),
        [&](const ClusterFacts::PartitionFact& fact) { return fact.name == slurmName; });
    if (found == facts.partitions.cend())
        return SiteVerdict{SiteState::Bad, subject, u"There is no partition %1."_s.arg(slurmName)};
    const bool up = found->state.isEmpty() || found->state.startsWith(u"up"_s);
    return SiteVerdict{up ? SiteState::Good : SiteState::Bad, subject,
        u"%1 is %2."_s.arg(slurmName, found->state.isEmpty() ? u"there"_s : found->state)};
}

SiteVerdict sizeVerdict(const ClassFile& file, const ClusterProfile& profile, const LiveReservation& live, int people)
{
    const QString subject = u"Size"_s;
    const double each = nodesOfAttendee(file, profile);
    const int needed = each > 0 ? nodesForPeople(people, each) : 0;
    const QString need = u"%1 at once need %2"_s.arg(counted(people, u"person"_s, u"people"_s), nodesText(needed));
    if (!live.nodes)
        return {SiteState::Unknown, subject, need + u"; the cluster did not report the reservation's size."_s};
    return {*live.nodes >= needed ? SiteState::Good : SiteState::Bad, subject,
        u"%1; the reservation has %2."_s.arg(need, nodesText(*live.nodes))};
}

SiteVerdict datesVerdict(const ClassReservation& wanted, const LiveReservation& live)
{
    const QString subject = u"Dates"_s;
    const auto words = [](const QDateTime& time) { return time.toUTC().toString(u"yyyy-MM-dd HH:mm"_s); };
    if (!wanted.begin.isValid() || !wanted.end.isValid())
        return {SiteState::Unknown, subject, u"The class does not say when it is."_s};
    if (!live.begin.isValid() || !live.end.isValid())
        return {SiteState::Unknown, subject, u"The cluster did not report when the reservation begins and ends."_s};
    const QString have = u"the reservation is from %1 to %2 UTC"_s.arg(words(live.begin), words(live.end));
    if (live.begin <= wanted.begin && live.end >= wanted.end)
        return {SiteState::Good, subject, u"The class is covered: "_s + have + u'.'};
    return {SiteState::Bad, subject,
        u"The class is from %1 to %2 UTC, but %3."_s.arg(words(wanted.begin), words(wanted.end), have)};
}

SiteVerdict reservationVerdict(const ClassFile& file, const LiveReservation& live, const ClusterFacts& facts)
{
    const QString subject = u"Reservation"_s;
    const bool byAccount = !file.account.isEmpty() && live.accounts.contains(file.account);
    const bool byUser = live.users.contains(facts.user);
    if (live.accounts.isEmpty() && live.users.isEmpty())
        return {
            SiteState::Unknown, subject, u"%1 is there; the cluster did not report who may use it."_s.arg(live.name)};
    if (byAccount)
        return {SiteState::Good, subject, u"%1 is there and open to %2."_s.arg(live.name, file.account)};
    if (byUser)
        return {SiteState::Unknown, subject,
            u"%1 is open to you by name; each attendee must be named, too."_s.arg(live.name)};
    return {SiteState::Bad, subject,
        u"%1 is there, but open to %2 alone."_s.arg(live.name, (live.accounts + live.users).mid(0, 10).join(u", "_s))};
}

/// Is it there, whose is it, is it large enough and does it cover the class?
QList<SiteVerdict> reservationVerdicts(
    const ClassFile& file, const ClusterProfile& profile, const SiteFacts& facts, int people)
{
    const QString subject = u"Reservation"_s;
    if (!file.reservation)
        return {{SiteState::Unknown, subject, u"The class has none: attendees wait in the ordinary queue."_s}};
    if (!facts.reservations)
        return {{SiteState::Unknown, subject, u"The cluster did not say which reservations there are."_s}};
    const auto live = std::find_if(facts.reservations->cbegin(), facts.reservations->cend(),
        [&](const LiveReservation& one) { return one.name == file.reservation->name; });
    if (live == facts.reservations->cend())
        return {
            {SiteState::Bad, subject, u"There is no reservation %1 on the cluster now."_s.arg(file.reservation->name)}};
    return {reservationVerdict(file, *live, facts.cluster), sizeVerdict(file, profile, *live, people),
        datesVerdict(*file.reservation, *live)};
}

std::optional<SiteVerdict> imagesVerdict(const QStringList& images, const SiteFacts& facts)
{
    if (images.isEmpty())
        return {};
    const QString subject = u"Container"_s;
    const QString all = images.mid(0, 3).join(u", "_s);
    if (!facts.closedImages)
        return SiteVerdict{SiteState::Unknown, subject, u"The cluster did not say whether %1 can be read."_s.arg(all)};
    if (!facts.closedImages->isEmpty())
        return SiteVerdict{SiteState::Bad, subject,
            u"%1 cannot be read there: it is missing, or closed to you."_s.arg(
                facts.closedImages->mid(0, 3).join(u", "_s))};
    return SiteVerdict{SiteState::Good, subject,
        u"%1 can be read by you. Its group and permissions say whether every attendee can."_s.arg(all)};
}

SiteVerdict solutionsVerdict(const SiteFacts& facts)
{
    const QString subject = u"Solutions"_s;
    if (!facts.tried)
        return {SiteState::Unknown, subject,
            u"Whether each exercise's solution passes its own checks was not tried with this file: use Run the "
            "solutions in the editor of classes (in a shell: rankwright-cli class run FILE --cluster practice)."_s};
    const SolutionsTried& tried = *facts.tried;
    const QString where = tried.cluster + u", "_s + tried.at.toUTC().toString(u"yyyy-MM-dd HH:mm"_s) + u" UTC"_s;
    if (tried.failed.isEmpty())
        return {SiteState::Good, subject,
            u"Those of all %1 passed their own checks (%2)."_s.arg(counted(tried.exercises, u"exercise"_s), where)};
    return {SiteState::Bad, subject,
        u"Not every check was seen for the solution of %1 (%2)."_s.arg(tried.failed.mid(0, 10).join(u", "_s), where)};
}

} // namespace

double nodesOfAttendee(const ClassFile& file, const ClusterProfile& profile)
{
    double most = 0;
    for (const ClassExercise& exercise : file.exercises)
        for (const JobSpec& spec : {startingSpec(file, exercise), solutionSpec(file, exercise).value_or(JobSpec())}) {
            if (spec.cluster.isEmpty())
                continue;
            const ResolvedSpec resolved = resolve(spec, profile);
            const double share = resolved.wholeNodes || resolved.node.gpus < 1
                ? 1
                : std::min(1.0, double(resolved.gpusPerNode) / resolved.node.gpus);
            most = std::max(most, resolved.nodes * share);
        }
    return most;
}

int nodesForPeople(int people, double each)
{
    // Whole nodes each, or as many shares as fit into one.
    const double perNode = each >= 1 ? 1 / each : std::floor(1 / each + little);
    return int(std::ceil(people / perNode - little));
}

int peopleAtOnce(int nodes, double each)
{
    return each >= 1 ? int(std::floor(nodes / each + little)) : nodes * int(std::floor(1 / each + little));
}

RemoteCommand reservationsCommand()
{
    return RemoteCommand::shell(QString(slurmAsks) + u"scontrol --oneliner show reservation"_s)
        .withPurpose(u"Asks for the reservations of the cluster"_s);
}

QList<LiveReservation> parseReservations(const QByteArray& answer)
{
    QList<LiveReservation> all;
    for (const QByteArray& row : answer.split('\n')) {
        const QString line = QString::fromUtf8(row.left(20000));
        LiveReservation live;
        live.name = reported(line, u"ReservationName"_s);
        if (live.name.isEmpty() || all.size() >= mostReservations)
            continue;
        live.nodes = slurmCount(reported(line, u"NodeCnt"_s));
        live.begin = slurmTimestamp(reported(line, u"StartTime"_s));
        live.end = slurmTimestamp(reported(line, u"EndTime"_s));
        live.accounts = names(reported(line, u"Accounts"_s));
        live.users = names(reported(line, u"Users"_s));
        live.partition = reported(line, u"PartitionName"_s);
        all.append(live);
    }
    return all;
}

QStringList classImages(const ClassFile& file)
{
    QStringList images;
    for (const ClassExercise& exercise : file.exercises)
        for (const JobSpec& spec : {startingSpec(file, exercise), solutionSpec(file, exercise).value_or(JobSpec())}) {
            const QString image = spec.environment.container.value_or(QString());
            if (!image.isEmpty() && image != u"none" && !images.contains(image))
                images.append(image);
        }
    return images;
}

QList<SiteVerdict> checkClassSite(const ClassFile& file, const Catalogue& catalogue, const SiteFacts& facts, int people)
{
    const ClusterProfile* profile = catalogue.find(file.cluster);
    if (profile == nullptr)
        return {{SiteState::Bad, u"Cluster"_s, u"This program does not know a cluster “%1”."_s.arg(file.cluster)}};
    QList<SiteVerdict> verdicts{projectVerdict(file, facts.cluster)};
    if (const auto partition = partitionVerdict(file, *profile, facts.cluster))
        verdicts.append(*partition);
    verdicts += reservationVerdicts(file, *profile, facts, std::max(1, people));
    if (const auto images = imagesVerdict(classImages(file), facts))
        verdicts.append(*images);
    verdicts.append(solutionsVerdict(facts));
    return verdicts;
}

} // namespace rankwright::inline teaching
