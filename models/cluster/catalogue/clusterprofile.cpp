// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/clusterprofile.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

/// Does a script's constraint ("gpu&hbm80g", "a100_40|a100_80") name all features that an entry stands for?
bool namesAll(const QString& constraint, const QString& entry)
{
    static const QRegularExpression between(u"[&|,]"_s);
    const QStringList asked = constraint.split(between, Qt::SkipEmptyParts);
    const QStringList wanted = entry.split(between, Qt::SkipEmptyParts);
    return !wanted.isEmpty()
        && std::all_of(wanted.begin(), wanted.end(), [&](const QString& one) { return asked.contains(one); });
}

const NodeShape* shapeOf(const ClusterProfile& profile, const Partition& entry)
{
    const auto found = std::find_if(
        profile.nodes.cbegin(), profile.nodes.cend(), [&](const NodeShape& shape) { return shape.name == entry.node; });
    return found != profile.nodes.cend() ? &*found : nullptr;
}

/// Is this the GPU type that a request names: "h100", also of a slice "a100_1g.5gb"?
bool isType(const NodeShape* shape, const QString& type)
{
    if (shape == nullptr || type.isEmpty())
        return false;
    const QString name = shape->gpu.slurmName.isEmpty() ? shape->gpu.model.section(u' ', 0, 0) : shape->gpu.slurmName;
    return name.compare(type, Qt::CaseInsensitive) == 0;
}

constexpr int no = -1000; ///< not this entry

/// How well an entry fits the queue that a script asks for. Partition and QoS say most, then the kind of node.
class EntryFit {
public:
    EntryFit(const ClusterProfile& profile, const QueueRequest& asked) : m_profile(profile), m_asked(asked)
    {
        for (const Partition& one : profile.partitions) {
            m_accountNamesKind
                = m_accountNamesKind || (!one.accountSuffix.isEmpty() && asked.account.endsWith(one.accountSuffix));
            m_typeNamesKind = m_typeNamesKind || isType(shapeOf(profile, one), asked.gpuType);
        }
    }

    int of(const Partition& entry) const
    {
        if (!takesPartition(entry) || !allowsKinds(entry))
            return no;
        return qosFit(entry) + constraintFit(entry) + accountFit(entry) + typeFit(entry);
    }

private:
    bool isAccountOf(const Partition& entry) const
    {
        return !entry.accountSuffix.isEmpty() && m_asked.account.endsWith(entry.accountSuffix);
    }

    /// A partition that is named must agree. One that has to be named is meant without it only where something else
    /// stands for this entry: its QoS, its features, its accounts, its type of GPU.
    bool takesPartition(const Partition& entry) const
    {
        if (!m_asked.partition.isEmpty())
            return m_asked.partition.split(u',').contains(entry.slurmName());
        if (!entry.partitionWritten)
            return true;
        if (m_profile.launch.partitionRequired)
            return false;
        return (!m_asked.qos.isEmpty() && (m_asked.qos == entry.qos || m_asked.qos == entry.defaultQos))
            || namesAll(m_asked.constraint, entry.constraint) || isAccountOf(entry)
            || isType(shapeOf(m_profile, entry), m_asked.gpuType);
    }

    /// A constraint that names a kind of GPU means no node with another one.
    bool allowsKinds(const Partition& entry) const
    {
        const NodeShape* shape = shapeOf(m_profile, entry);
        return shape == nullptr || allowsShape(gpuKinds(m_asked.constraint), *shape);
    }

    // An option of the entry that the script has not got counts against it less than another value would.
    int qosFit(const Partition& entry) const
    {
        if (m_asked.qos == entry.qos || (entry.qos.isEmpty() && m_asked.qos == entry.defaultQos))
            return 16;
        if (entry.qos.isEmpty())
            return 8;
        return m_asked.qos.isEmpty() ? 4 : no;
    }

    int constraintFit(const Partition& entry) const
    {
        if (namesAll(m_asked.constraint, entry.constraint)) // of two such entries the one with more features is meant
            return 5 + int(entry.constraint.count(u'&'));
        if (entry.constraint.isEmpty())
            return m_asked.constraint.isEmpty() ? 5 : 2;
        return m_asked.constraint.isEmpty() ? 0 : no;
    }

    int accountFit(const Partition& entry) const
    {
        if (isAccountOf(entry))
            return 6;
        return m_accountNamesKind && !entry.accountSuffix.isEmpty() ? -6 : 0;
    }

    int typeFit(const Partition& entry) const
    {
        if (isType(shapeOf(m_profile, entry), m_asked.gpuType))
            return 3;
        return m_typeNamesKind ? -3 : 0;
    }

    const ClusterProfile& m_profile;
    const QueueRequest& m_asked;
    bool m_accountNamesKind = false;
    bool m_typeNamesKind = false;
};

/// The name by which evidence knows an image: behind the last "/", so of "/appl/x/torch.sif" and
/// "nvcr.io#nvidia/torch:1".
QString imageName(const QString& image) { return image.section(u'/', -1); }

/// `*` stands for any characters; a pattern compiled for each question would cost more than all other checks together.
bool matches(QStringView glob, QStringView name)
{
    const qsizetype star = glob.indexOf(u'*');
    if (star < 0)
        return glob == name;
    if (!name.startsWith(glob.first(star)))
        return false;
    glob = glob.sliced(star + 1);
    name = name.sliced(star);
    for (qsizetype next = glob.indexOf(u'*'); next >= 0; next = glob.indexOf(u'*')) {
        const qsizetype at = name.indexOf(glob.first(next));
        if (at < 0)
            return false;
        name = name.sliced(at + next);
        glob = glob.sliced(next + 1);
    }
    return name.endsWith(glob);
}

bool matchesAny(const QStringList& globs, const QString& name)
{
    return std::any_of(globs.cbegin(), globs.cend(), [&](const QString& glob) { return matches(glob, name); });
}

/// The word of a number in a fixed set; empty: it is not in the set.
template <std::size_t size>
QStringView wordAt(const QStringView (&words)[size], int number)
{
    return number >= 0 && number < int(size) ? words[number] : QStringView();
}

} // namespace

bool LineEvidence::isComplete(const QString& source) const
{
    return (!images.isEmpty() || !releases.isEmpty()) && !source.isEmpty() && !checked.isEmpty();
}

bool LineEvidence::holdsFor(const QString& image, const QStringList& software) const
{
    if ((images.isEmpty() && releases.isEmpty()) || images.contains(u"*"_s))
        return true;
    if (!image.isEmpty())
        return matchesAny(images, imageName(image));
    return releases.contains(u"*"_s) || std::any_of(software.cbegin(), software.cend(), [this](const QString& one) {
        return matchesAny(releases, one);
    });
}

QStringList gpuKinds(const QString& constraint)
{
    static const QRegularExpression kind(
        u"(?<![a-z0-9])(?:[avhlbp]\\d{2,3}s?|mi\\d{3}[axm]?|gh200|gb200|rtx\\w*|titan\\w*|t4)(?![a-z0-9])"_s,
        QRegularExpression::CaseInsensitiveOption);
    QStringList found;
    for (const auto& match : kind.globalMatch(QString(constraint).replace(u'_', u' ')))
        found.append(match.captured(0).toLower());
    return found;
}

bool allowsShape(const QStringList& kinds, const NodeShape& shape)
{
    const QString words = (shape.gpu.model + u' ' + shape.gpu.slurmName + u' ' + shape.name).toLower();
    return kinds.isEmpty()
        || std::any_of(kinds.cbegin(), kinds.cend(), [&](const QString& kind) { return words.contains(kind); });
}

QStringList NodeShape::interfaces() const
{
    QStringList names;
    for (const NodeNic& nic : nics) {
        if (!nic.interfaceName.isEmpty())
            names.append(nic.interfaceName);
    }
    return names;
}

std::optional<double> NodeShape::fastestLink(bool inPackage) const
{
    std::optional<double> best;
    for (const GpuLink& link : links) {
        if (link.inPackage == inPackage)
            best = qMax(best.value_or(0), link.gigabytesPerSecond);
    }
    return best;
}

std::optional<Seconds> Partition::maxTimeFor(int jobNodes) const
{
    for (const SizeLimit& limit : sizeLimits) {
        if (jobNodes >= limit.minNodes && jobNodes <= limit.maxNodes.value_or(jobNodes))
            return maxTime ? qMin(*maxTime, limit.maxTime) : limit.maxTime;
    }
    std::optional<Seconds> longest = maxTime;
    if (maxNodeHours && jobNodes > 0) {
        const Seconds byBudget{qint64(*maxNodeHours * 3600 / jobNodes)};
        longest = longest ? qMin(*longest, byBudget) : byBudget;
    }
    return longest;
}

bool Partition::allowsSize(int jobNodes) const
{
    if (sizeLimits.isEmpty())
        return true;
    for (const SizeLimit& limit : sizeLimits) {
        if (jobNodes >= limit.minNodes && jobNodes <= limit.maxNodes.value_or(jobNodes))
            return true;
    }
    return false;
}

QList<std::pair<QString, QString>> queueOptions(const Partition& partition)
{
    QList<std::pair<QString, QString>> options;
    if (partition.partitionWritten && !partition.slurmName().isEmpty())
        options.append({u"partition"_s, partition.slurmName()});
    if (!partition.qos.isEmpty())
        options.append({u"qos"_s, partition.qos});
    if (!partition.constraint.isEmpty())
        options.append({u"constraint"_s, partition.constraint});
    return options;
}

const Partition* ClusterProfile::partition(const QString& partitionName) const
{
    for (const Partition& candidate : partitions) {
        if (candidate.name == partitionName)
            return &candidate;
    }
    return nullptr;
}

QStringList ClusterProfile::modulesOf(const QString& partitionName) const
{
    const Partition* named = partition(partitionName);
    return named == nullptr || named->modules.isEmpty() ? launch.modules : named->modules;
}

const Partition* ClusterProfile::partitionAsked(const QueueRequest& request) const
{
    const EntryFit fit(*this, request);
    const Partition* best = nullptr;
    int bestFit = -100;
    for (const Partition& entry : partitions) {
        const int here = fit.of(entry);
        if (here > bestFit) { // on a draw the first: the file's order
            best = &entry;
            bestFit = here;
        }
    }
    return best;
}

const NodeShape* ClusterProfile::nodeShape(const QString& partitionName) const
{
    QString wanted;
    if (!partitionName.isEmpty()) {
        const Partition* found = partition(partitionName);
        if (found == nullptr)
            return nullptr;
        wanted = found->node;
    } else if (!partitions.isEmpty()) {
        wanted = partitions.first().node;
    }
    for (const NodeShape& shape : nodes) {
        if (shape.name == wanted || wanted.isEmpty())
            return &shape;
    }
    return nullptr;
}

QStringView wordOf(BillingTerm::Of of)
{
    static constexpr QStringView words[]{u"gpus", u"cores", u"memoryGib", u"nvmeGib", u"nodes"};
    return wordAt(words, int(of));
}

QStringView wordOf(BillingRule::Combine combine)
{
    static constexpr QStringView words[]{u"max", u"sum"};
    return wordAt(words, int(combine));
}

QStringView wordOf(Partition::Offer offer)
{
    static constexpr QStringView words[]{u"normal", u"last", u"named", u"never"};
    return wordAt(words, int(offer));
}

QStringView wordOf(DefaultMemory::Per per)
{
    static constexpr QStringView words[]{u"node", u"cpu", u"gpu"};
    return wordAt(words, int(per));
}

QStringView wordOf(Partition::MemoryRequest request)
{
    static constexpr QStringView words[]{u"open", u"advised", u"needed"};
    return wordAt(words, int(request));
}

QStringView wordOf(GpuRequest request)
{
    static constexpr QStringView words[]{u"gpus-per-node", u"gres", u"none"};
    return wordAt(words, int(request));
}

QStringView wordOf(GpusPerTask effect)
{
    static constexpr QStringView words[]{u"works", u"needs-sharing", u"breaks"};
    return wordAt(words, int(effect));
}

} // namespace rankwright::inline cluster
