// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/clustercard.h"

#include "models/tables/recordmodel.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/clustertext.h"

#include <QBoxLayout>
#include <QLabel>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QString orEmpty(const std::optional<double>& value, double unit, const QString& suffix)
{
    return value ? humanNumber(*value / unit, 2) + u'\u2009' + suffix : QString();
}

/// The partitions as a table; empty cells say so.
class PartitionModel final : public RecordModel<Partition> {
public:
    PartitionModel(const QList<Partition>& partitions, QObject* parent)
        : RecordModel<Partition>(
            columns(std::any_of(
                partitions.begin(), partitions.end(), [](const Partition& one) { return !gpuLimits(one).isEmpty(); })),
            [](const Partition& one) { return one.name; }, parent)
    {
        assign(partitions);
    }

private:
    static QString reported(const QString& text) { return text.isEmpty() ? ClusterCard::tr("not published") : text; }
    static QList<Column> columns(bool anyLimit)
    {
        const auto number = [](const std::optional<int>& value) { return QVariant(value.value_or(-1)); };
        QList<Column> columns;
        columns.append({ClusterCard::tr("Partition"), [](const Partition& one) { return one.name; }});
        columns.append({ClusterCard::tr("Nodes are"), [](const Partition& one) {
                            return one.shared ? ClusterCard::tr("shared") : ClusterCard::tr("given whole");
                        }});
        if (anyLimit) {
            columns.append({ClusterCard::tr("GPUs per job"), [](const Partition& one) {
                                const QString limits = gpuLimits(one);
                                return limits.isEmpty() ? u"–"_s : limits;
                            }});
        }
        columns.append(
            {ClusterCard::tr("Nodes per job"), [](const Partition& one) { return reported(nodeLimits(one)); },
                [number](const Partition& one) { return number(one.maxNodes); }});
        columns.append({ClusterCard::tr("Max. time"), [](const Partition& one) { return reported(timeLimits(one)); },
            [](const Partition& one) { return QVariant(one.maxTime ? one.maxTime->count : qint64(-1)); }});
        columns.append({ClusterCard::tr("Jobs per user"), [](const Partition& one) {
                            if (!one.maxRunningJobs && !one.maxSubmittedJobs)
                                return reported({});
                            QStringList parts;
                            if (one.maxRunningJobs)
                                parts.append(ClusterCard::tr("%1 running").arg(*one.maxRunningJobs));
                            if (one.maxSubmittedJobs)
                                parts.append(ClusterCard::tr("%1 in all").arg(*one.maxSubmittedJobs));
                            return parts.join(u", "_s);
                        }});
        return columns;
    }
};

/// "Read 2026-11-22: CSC user guide, as of 2026-08-21".
QString readWords(const ReadSource& one)
{
    QString words = ClusterCard::tr("Read %1: %2").arg(one.readOn, one.source);
    if (!one.state.isEmpty())
        words += ClusterCard::tr(", as of %1").arg(one.state);
    else
        words += ClusterCard::tr(", of unknown age");
    return one.byOperator ? words : words + ClusterCard::tr(" (third party)");
}

} // namespace

ClusterCard::ClusterCard(const ClusterProfile& profile, QWidget* parent) : QScrollArea(parent), m_profile(profile)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("What is known of %1").arg(profile.title));
    viewport()->setAutoFillBackground(false);
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 4, 0);
    column->setSpacing(12);
    m_link = new LinkCard(profile, page);
    column->addWidget(m_link);
    auto* pair = new QHBoxLayout;
    pair->setSpacing(12);
    auto* left = new QVBoxLayout;
    auto* right = new QVBoxLayout;
    for (QVBoxLayout* half : {left, right})
        half->setSpacing(12);
    for (const NodeShape& node : profile.nodes)
        left->addWidget(buildHardware(node));
    if (profile.nodes.isEmpty()) {
        auto* hardware = new Card(tr("Hardware"), page);
        hardware->body()->addWidget(makeLabel(tr("not published"), "quiet", hardware));
        left->addWidget(hardware);
    }
    left->addWidget(buildSoftware());
    left->addStretch(1);
    right->addWidget(buildBilling());
    right->addWidget(buildQuirks());
    right->addStretch(1);
    pair->addLayout(left, 1);
    pair->addLayout(right, 1);
    column->addWidget(buildPartitions());
    column->addLayout(pair);
    column->addStretch();
    setWidget(page);
    page->setAutoFillBackground(false);
}

QString ClusterCard::gpuWord() const
{
    return m_profile.nodes.isEmpty() ? tr("GPU") : m_profile.nodes.first().gpu.word;
}

Card* ClusterCard::buildHardware(const NodeShape& node)
{
    auto* card = new Card(m_profile.nodes.size() > 1 ? tr("Hardware: %1").arg(node.name) : tr("Hardware"), this);
    auto* facts = new FactGrid(tr("not published"), 1, card);
    const GpuType& gpu = node.gpu;
    const QString word = gpu.word;
    facts->add(tr("%1s per node").arg(word), gpusOfNode(node));
    facts->add(tr("Memory of a %1").arg(word), gpu.memory.count > 0 ? humanBytes(gpu.memory, 0) : QString());
    facts->add(tr("Peak, bf16"), orEmpty(gpu.bf16Teraflops, 1, tr("TFLOP/s per %1, dense").arg(word)));
    facts->add(tr("Memory speed"), orEmpty(gpu.memoryBandwidth, 1e12, tr("TB/s")));
    facts->add(
        tr("Power limit"), orEmpty(gpu.packagePowerWatts, 1, gpu.perPackage > 1 ? tr("W per package") : tr("W")));
    if (node.count)
        facts->add(tr("Nodes"), humanNumber(*node.count, 0));
    if (!node.cpu.isEmpty())
        facts->add(tr("Processor"), node.cpu);
    facts->add(tr("Cores"), coresWords(node));
    facts->add(tr("Memory"), memoryWords(node));
    QStringList share;
    if (node.coresPerGpu)
        share.append(node.cpusAreThreads ? tr("%1 hardware threads").arg(*node.coresPerGpu)
                                         : tr("%1 cores").arg(*node.coresPerGpu));
    if (node.memoryPerGpu)
        share.append(humanBytes(*node.memoryPerGpu, 0));
    facts->add(tr("Share of a %1").arg(word), share.join(u", "_s));
    facts->add(tr("Network"), orEmpty(node.nicGigabytesPerSecond, 1, tr("GB/s per node, each way")));
    facts->add(
        tr("Core map"), node.places.isEmpty() ? QString() : tr("published: ranks can be bound to their nearest cores"));
    if (!node.interfaces().isEmpty())
        facts->addCode(tr("Interfaces"), node.interfaces().join(u", "_s));
    if (node.localDisk.size)
        facts->add(tr("Local disk"),
            tr("up to %1").arg(humanBytes(*node.localDisk.size, 0))
                + (node.localDisk.path.isEmpty() ? QString() : u", "_s + node.localDisk.path));
    card->body()->addWidget(facts);
    for (const QString& note : {gpu.note, node.note, node.nicNote}) {
        if (!note.isEmpty())
            card->body()->addWidget(makeText(note, "quiet", card));
    }
    for (const QString& source : {node.source, gpu.source}) {
        if (!source.isEmpty())
            card->body()->addWidget(makeText(source, "caption", card));
    }
    return card;
}

Card* ClusterCard::buildPartitions()
{
    auto* card = new Card(tr("Partitions"), this);
    if (m_profile.partitions.isEmpty()) {
        card->body()->addWidget(makeLabel(tr("not published"), "quiet", card));
        return card;
    }
    auto* model = new PartitionModel(m_profile.partitions, card);
    auto* table = new RecordTable(*model, card);
    table->setAccessibleName(tr("Partitions of %1").arg(m_profile.title));
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setSortingEnabled(false);
    table->sortByColumn(-1, Qt::AscendingOrder); // the operator's order
    table->setFocusPolicy(Qt::NoFocus);
    table->spreadColumns();
    card->body()->addWidget(table);
    QStringList sources;
    for (const Partition& one : m_profile.partitions) {
        const QString more = partitionWords(one);
        if (!more.isEmpty())
            card->body()->addWidget(makeText(tr("%1: %2").arg(one.name, more), "quiet", card));
        if (!one.source.isEmpty() && !sources.contains(one.source))
            sources.append(one.source);
    }
    if (!sources.isEmpty())
        card->body()->addWidget(makeText(sources.join(u'\n'), "caption", card));
    return card;
}

Card* ClusterCard::buildBilling()
{
    auto* card = new Card(tr("What a job costs"), this);
    if (m_profile.billing.isEmpty())
        card->body()->addWidget(makeLabel(tr("not published"), "quiet", card));
    for (const BillingRule& rule : m_profile.billing) {
        QStringList about;
        if (!rule.partitions.isEmpty())
            about.append(rule.partitions.join(u", "_s));
        if (!rule.billingAccount.isEmpty())
            about.append(tr("billing account: %1").arg(rule.billingAccount));
        if (!about.isEmpty())
            card->body()->addWidget(makeText(about.join(u" · "_s), "title", card));
        card->body()->addWidget(makeText(billingWords(rule, gpuWord()), "plain", card));
        if (!rule.note.isEmpty())
            card->body()->addWidget(makeText(rule.note, "quiet", card));
        if (!rule.source.isEmpty())
            card->body()->addWidget(makeText(rule.source, "caption", card));
    }
    QStringList storage;
    for (const StoragePrice& price : m_profile.storage)
        storage.append(storageWords(price));
    if (!storage.isEmpty()) {
        card->body()->addWidget(makeText(tr("Files"), "title", card));
        card->body()->addWidget(makeText(storage.join(u'\n'), "plain", card));
        card->body()->addWidget(makeText(m_profile.storage.first().source, "caption", card));
    }
    return card;
}

Card* ClusterCard::buildSoftware()
{
    auto* card = new Card(tr("Container and modules"), this);
    auto* facts = new FactGrid(tr("not published"), 1, card);
    const ContainerRule& container = m_profile.container;
    facts->addCode(tr("Image"), container.image);
    facts->addCode(tr("Started by"), container.runner);
    const QStringList modules
        = container.moduleCommands.isEmpty() ? m_profile.launch.modules : container.moduleCommands;
    facts->addCode(tr("Modules"), modules.join(u'\n'));
    facts->addCode(tr("Python"), m_profile.launch.pythonCommand);
    facts->addCode(tr("Scratch"), m_profile.scratch);
    card->body()->addWidget(facts);
    if (!container.reason.isEmpty())
        card->body()->addWidget(makeText(container.reason, "quiet", card));
    if (!m_profile.launch.torchAdvice.isEmpty())
        card->body()->addWidget(makeText(m_profile.launch.torchAdvice, "quiet", card));
    if (!container.source.isEmpty())
        card->body()->addWidget(makeText(container.source, "caption", card));
    return card;
}

Card* ClusterCard::buildQuirks()
{
    auto* card = new Card(tr("Things to know"), this);
    if (m_profile.quirks.isEmpty())
        card->body()->addWidget(makeLabel(tr("Nothing out of the ordinary is known."), "quiet", card));
    for (const Quirk& quirk : m_profile.quirks) {
        auto* pair = new QVBoxLayout;
        pair->setSpacing(1);
        pair->addWidget(makeText(quirk.text, "plain", card));
        if (!quirk.source.isEmpty())
            pair->addWidget(makeText(quirk.source, "caption", card));
        card->body()->addLayout(pair);
    }
    if (!m_profile.sources.isEmpty()) {
        card->body()->addWidget(makeLine(Qt::Horizontal, card));
        card->body()->addWidget(makeText(tr("Sources: %1").arg(m_profile.sources.join(u"; "_s)), "caption", card));
    }
    for (const ReadSource& one : m_profile.checked)
        card->body()->addWidget(makeText(readWords(one), "caption", card));
    return card;
}

} // namespace rankwright
