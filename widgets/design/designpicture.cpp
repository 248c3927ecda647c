// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/designpicture.h"

#include "models/core/quantitytext.h"
#include "models/planner/motion/motions.h"
#include "widgets/base/card.h"
#include "widgets/base/linkbutton.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/base/translate.h"
#include "widgets/design/batchview.h"
#include "widgets/design/costview.h"
#include "widgets/design/designtext.h"
#include "widgets/design/estimatecards.h"
#include "widgets/design/numberspot.h"
#include "widgets/design/strategyview.h"
#include "widgets/form/modeltext.h"
#include "widgets/motion/motioncard.h"
#include "widgets/rankmap/rankmapview.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QLabel>
#include <QStackedWidget>

#include <array>
#include <utility>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// A misspelt model's name, put right.
Remedy asNamed(const QString& title)
{
    Remedy remedy;
    remedy.label = title;
    remedy.apply = [title](JobSpec& spec) {
        if (const auto model = readModel(title))
            spec.model = *model;
    };
    return remedy;
}

QString moved(const QString& from, const QString& to) { return from + u" → "_s + to; }

void note(QStringList& parts, const QString& sentence, qint64 before, qint64 after)
{
    if (before != after)
        parts.append(sentence.arg(moved(humanNumber(double(before)), humanNumber(double(after)))));
}

/// "Accumulation 8 → 4, global batch 512 → 256, 49 → 98 steps per epoch, memory 41.3 → 38.0 GiB"; empty: nothing moved.
QString changeText(const ChangeFigures& before, const Derived& derived)
{
    const ChangeFigures after = ChangeFigures::of(derived);
    QStringList parts;
    note(parts, tr("nodes %1"), before.nodes, after.nodes);
    note(parts, tr("%1s per node %2").arg(derived.resolved.node.gpu.word, u"%1"_s), before.gpusPerNode,
        after.gpusPerNode);
    note(parts, tr("micro-batch %1"), before.micro, after.micro);
    note(parts, tr("accumulation %1"), before.accumulation, after.accumulation);
    note(parts, tr("global batch %1"), before.global, after.global);
    if (before.stepsPerEpoch && after.stepsPerEpoch)
        note(parts, tr("%1 steps per epoch"), qRound64(*before.stepsPerEpoch), qRound64(*after.stepsPerEpoch));
    const auto factor = [](double value) -> QString { return u"×\u2009"_s + humanNumber(value, 2); };
    if (before.learningRate && after.learningRate && factor(*before.learningRate) != factor(*after.learningRate))
        parts.append(tr("learning rate %1").arg(moved(factor(*before.learningRate), factor(*after.learningRate))));
    if (before.memory && after.memory && gibFigure(*before.memory) != gibFigure(*after.memory))
        parts.append(tr("memory %1").arg(moved(gibFigure(*before.memory), gibText(*after.memory))));
    QString text = parts.join(u", "_s);
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    return text;
}

} // namespace

DesignPicture::DesignPicture(Design& design, QWidget* parent) : ScrollPage(parent), m_design(design)
{
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(this);
    m_column = new QVBoxLayout(page);
    m_column->setContentsMargins(14, 12, 14, 12);
    m_column->setSpacing(10);
    m_column->addWidget(buildMap(), 1);
    m_lower = new QBoxLayout(QBoxLayout::TopToBottom);
    m_lower->setSpacing(10);
    m_lower->addWidget(buildBatch(), 3);
    m_lower->addWidget(buildCost(), 2);
    m_column->addLayout(m_lower);
    m_column->addWidget(buildEstimate());
    setWidget(page);
    page->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
    connect(m_map, &RankMapView::rankSelected, this, &DesignPicture::selectRank);
    connect(m_map, &RankMapView::detailChanged, this, &DesignPicture::refreshWords);
    connect(m_batch, &BatchView::rankSelected, this, &DesignPicture::selectRank);
    connect(m_strategy, &StrategyView::rankSelected, this, &DesignPicture::selectRank);
}

QWidget* DesignPicture::buildMap()
{
    m_mapCard = new Card(tr("Nodes"), this);
    m_map = new RankMapView(m_mapCard);
    m_map->setToolTips([this](GpuAddress spot) {
        const RankPlace* place = m_map->dataShown().placeAt(spot);
        return place ? DesignText::rankToolTip(m_design.derived(), place->rank)
                     : DesignText::idleGpuText(m_design.derived(), spot.node, spot.gpu);
    });
    m_rankLine = makeLabel({}, "quiet", m_mapCard);
    m_rankLine->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rankLine->setWordWrap(true);
    m_legend = makeLabel({}, "caption", m_mapCard);
    m_legend->setWordWrap(true);
    auto* nodes = new QWidget(m_mapCard);
    auto* column = new QVBoxLayout(nodes);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(5);
    column->addWidget(buildBindingRow());
    column->addWidget(m_map, 1);
    column->addWidget(m_legend);
    m_strategy = new StrategyView(m_mapCard);
    m_mapStack = new QStackedWidget(m_mapCard);
    m_mapStack->addWidget(nodes);
    m_mapStack->addWidget(m_strategy);
    m_motionPage = new QWidget(m_mapCard);
    auto* motion = new QVBoxLayout(m_motionPage);
    motion->setContentsMargins(0, 0, 0, 0);
    m_mapStack->addWidget(m_motionPage);
    m_mapTabs = new SegmentedControl({tr("Nodes"), tr("Strategy"), tr("Motion")}, m_mapCard);
    m_mapTabs->setSegmentToolTip(2, tr("What travels in a step, to play and to step through"));
    m_mapTabs->setCurrent(0);
    m_mapCard->head()->insertWidget(0, m_mapTabs);
    m_numbers = buildNumbers();
    m_mapCard->head()->insertWidget(1, m_numbers);
    connect(m_mapTabs, &SegmentedControl::chosen, this, [this](int index) { showPart(Part(index)); });
    m_mapCard->body()->addWidget(m_mapStack, 1);
    m_mapCard->body()->addWidget(m_rankLine);
    m_mapCard->body()->setSpacing(5);
    return m_mapCard;
}

QWidget* DesignPicture::buildBindingRow()
{
    m_bindingRow = new QWidget(m_mapCard);
    auto* row = new QHBoxLayout(m_bindingRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_bindingNote = makeLabel({}, "quiet", m_bindingRow);
    m_bindingNote->setObjectName(u"bindingNote"_s);
    m_bindingNote->setWordWrap(true);
    m_bindingNote->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_bindingLine = new LinkButton({}, m_bindingRow);
    row->addWidget(m_bindingNote, 1);
    row->addWidget(m_bindingLine, 0, Qt::AlignTop);
    connect(m_bindingLine, &QPushButton::clicked, this, [this] {
        if (const auto line = m_design.derived().ranks.scriptLine)
            emit lineWanted(*line);
    });
    return m_bindingRow;
}

namespace {

QHBoxLayout* tightRow(QWidget* parent)
{
    auto* row = new QHBoxLayout(parent);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    return row;
}

QString figureName(PictureFigure figure, const QString& gpuWord)
{
    switch (figure) {
    case PictureFigure::Nodes: return DesignPicture::tr("Nodes");
    case PictureFigure::GpusPerNode: return DesignPicture::tr("%1s per node").arg(gpuWord);
    case PictureFigure::MicroBatch: return DesignPicture::tr("Micro-batch");
    case PictureFigure::Accumulation: return DesignPicture::tr("Accumulation steps");
    case PictureFigure::GlobalBatch: return DesignPicture::tr("Global batch");
    }
    return {};
}

} // namespace

NumberSpot* DesignPicture::spotFor(PictureFigure figure, QWidget* parent)
{
    auto* spot = new NumberSpot(figureName(figure, m_design.derived().resolved.node.gpu.word), parent);
    m_spots.insert(figure, spot);
    const std::array<QLatin1StringView, 5> terms{QLatin1StringView("node"), QLatin1StringView("gcd"),
        QLatin1StringView("micro-batch"), QLatin1StringView("accumulation"), QLatin1StringView("global-batch")};
    spot->setProperty("term", QString(terms.at(size_t(figure))));
    connect(spot, &NumberSpot::valueWanted, this, [this, figure](qint64 value, NumberSpot::By how) {
        // Arrow keys right behind one another are one gesture.
        if (how == NumberSpot::By::Typing)
            ++m_gesture;
        applyFigure(figure, value, u"number%1#%2"_s.arg(int(figure)).arg(m_gesture));
    });
    return spot;
}

/// What one may change of the nodes, in a line: "2 nodes × 8 GCDs on each".
QWidget* DesignPicture::buildNumbers()
{
    auto* line = new QWidget(m_mapCard);
    auto* row = tightRow(line);
    row->addWidget(spotFor(PictureFigure::Nodes, line));
    m_nodesWord = makeLabel({}, "quiet", line);
    row->addWidget(m_nodesWord);
    row->addWidget(spotFor(PictureFigure::GpusPerNode, line));
    m_gpusWord = makeLabel({}, "quiet", line);
    row->addWidget(m_gpusWord);
    connect(m_map, &RankMapView::gpusWanted, this, [this](int perNode, int drag) {
        if (!m_before)
            m_before = ChangeFigures::of(m_design.derived());
        applyFigure(PictureFigure::GpusPerNode, perNode, u"drag#%1"_s.arg(drag));
    });
    connect(m_map, &RankMapView::gpusTaken, this, [this] {
        if (m_before)
            emit edited(changeText(*std::exchange(m_before, std::nullopt), m_design.derived()));
    });
    return line;
}

void DesignPicture::applyFigure(PictureFigure figure, qint64 value, const QString& gesture)
{
    const Derived& derived = m_design.derived();
    JobSpec spec = m_design.spec();
    if (const auto outcome = setFigure(spec, figure, value, derived.resolved, derived.batch); !outcome) {
        emit numberRefused(outcome.error().what);
        refreshNumbers();
        return;
    }
    if (spec == m_design.spec())
        return;
    const ChangeFigures before = ChangeFigures::of(derived);
    const QString label = figureName(figure, derived.resolved.node.gpu.word);
    m_design.edit(
        label, [&spec](JobSpec& changed) { changed = spec; }, gesture);
    if (!m_before)
        emit edited(changeText(before, m_design.derived()));
}

void DesignPicture::refreshNumbers()
{
    const Derived& derived = m_design.derived();
    const QString word = derived.resolved.node.gpu.word;
    for (auto spot = m_spots.begin(); spot != m_spots.end(); ++spot) {
        spot.value()->setName(figureName(spot.key(), word));
        spot.value()->setValue(figureOf(spot.key(), derived.resolved, derived.batch));
    }
    m_nodesWord->setText(nounFor(derived.resolved.nodes, tr("node")) + u" ×"_s);
    m_gpusWord->setText(nounFor(derived.resolved.gpusPerNode, word));
    m_ranksWord->setText(u"× "_s + counted(derived.batch.dataParallel, tr("rank")));
}

QWidget* DesignPicture::buildBatch()
{
    m_batchCard = new Card(tr("Batch"), this);
    m_batch = new BatchView(m_batchCard);
    m_batchNote = makeLabel({}, "caption", m_batchCard);
    m_batchNote->setWordWrap(true);
    auto* sum = new QWidget(m_batchCard);
    auto* row = tightRow(sum);
    row->addWidget(spotFor(PictureFigure::GlobalBatch, sum));
    row->addWidget(makeLabel(tr("per step ="), "quiet", sum));
    row->addWidget(spotFor(PictureFigure::MicroBatch, sum));
    row->addWidget(makeLabel(tr("at a time ×"), "quiet", sum));
    row->addWidget(spotFor(PictureFigure::Accumulation, sum));
    m_ranksWord = makeLabel({}, "quiet", sum);
    row->addWidget(m_ranksWord);
    m_batchCard->head()->insertWidget(0, sum);
    m_batchCard->setTitle({});
    m_batchCard->body()->addWidget(m_batch, 1);
    m_batchCard->body()->addWidget(m_batchNote);
    m_batchCard->body()->setSpacing(4);
    return m_batchCard;
}

QWidget* DesignPicture::buildCost()
{
    m_costCard = new Card(tr("Price"), this);
    m_cost = new CostView(m_costCard);
    m_costCard->body()->addWidget(m_cost);
    m_costCard->body()->addStretch(1);
    return m_costCard;
}

QWidget* DesignPicture::buildEstimate()
{
    m_estimate = new EstimateCards(this);
    connect(m_estimate, &EstimateCards::modelWanted, this, &DesignPicture::modelWanted);
    connect(m_estimate, &EstimateCards::layoutsWanted, this, &DesignPicture::layoutsWanted);
    connect(m_estimate, &EstimateCards::remedyChosen, this, [this](int index) {
        if (index < 0 || index >= m_remedies.size())
            return;
        const Remedy chosen = m_remedies.at(index); // the edit replaces the list
        m_design.edit(chosen.label, chosen.apply);
    });
    return m_estimate;
}

void DesignPicture::refresh()
{
    const Derived& derived = m_design.derived();
    m_map->setData(rankMapData(derived.resolved, derived.ranks));
    m_batch->setData(derived.batch, rankOrder(derived.resolved), DesignText::batchSentence(derived));
    m_cost->setData(derived.cost, derived.resolved.node.gpu.word, DesignText::costSummary(derived));
    m_shown = derived.estimate;
    if (!m_shown && m_design.spec().model.isEmpty())
        m_shown = fail(Fault::Invalid, tr("Choose a model to see whether it fits and how long a step takes."));
    m_strategy->setData(strategyPicture(m_shown, derived.resolved, derived.batch));
    m_remedies = derived.remedies;
    for (const QString& title : nearestTitles(m_design.spec().model))
        m_remedies.append(asNamed(title));
    m_estimate->setData(m_shown, m_remedies, derived.resolved.node.gpu.word);
    orderCards();
    if (m_rank && *m_rank >= derived.ranks.ranks.size())
        m_rank.reset();
    refreshNumbers();
    refreshMotion();
    refreshWords();
}

DesignPicture::Part DesignPicture::part() const { return Part(m_mapTabs->current()); }

void DesignPicture::refreshMotion()
{
    if (part() != Part::Motion)
        return;
    if (!m_motion) {
        m_motion = new MotionCard(m_motionPage);
        m_motionPage->layout()->addWidget(m_motion);
        connect(m_motion, &MotionCard::titleChanged, this, &DesignPicture::refreshWords);
    }
    m_motion->setFigures(motionFigures(m_design.derived().resolved, m_design.derived().batch, m_shown));
}

void DesignPicture::refreshWords()
{
    const Derived& derived = m_design.derived();
    const bool strategy = part() != Part::Nodes;
    m_mapCard->setTitle(part() == Part::Motion && m_motion ? m_motion->title()
            : part() == Part::Strategy                     ? m_strategy->pictureShown().title
                                                           : QString());
    m_numbers->setVisible(!strategy);
    m_mapCard->setCaption(strategy ? QString() : DesignText::mapTitle(derived).section(u" · "_s, 2));
    m_map->setAccessibleDescription(m_rank ? DesignText::rankToolTip(derived, *m_rank) : DesignText::mapTitle(derived));
    m_legend->setText(DesignText::mapLegend(derived, m_map->layoutShown().detail));
    const bool quiet = derived.ranks.bound || m_rank || derived.ranks.unboundReason.isEmpty()
        || derived.ranks.scriptLine; // said above the nodes
    // On a low window the nodes have the room of the invitation and, while the strategy is shown, of the batch.
    m_rankLine->setVisible(part() != Part::Motion && (!m_low || m_rank || !quiet));
    m_batchCard->setVisible(!m_low || !strategy);
    m_rankLine->setText(quiet ? DesignText::rankLine(derived, m_rank.value_or(-1)) : derived.ranks.unboundReason);
    refreshBinding();
    const QString note = DesignText::batchNote(derived);
    m_batchNote->setText(note);
    m_batchNote->setVisible(!note.isEmpty());
    refreshPrice();
}

void DesignPicture::refreshBinding()
{
    const Derived& derived = m_design.derived();
    if (!derived.isChecked()) // what is here stays until the script was checked
        return;
    const QString binding = DesignText::bindingNote(derived);
    m_bindingRow->setVisible(!binding.isEmpty());
    m_bindingNote->setText(binding);
    setStyleProperty(m_bindingNote, "tone", binding == derived.ranks.note ? u"plain"_s : u"warn"_s);
    if (derived.ranks.scriptLine)
        m_bindingLine->setWhole(tr("Line %1").arg(*derived.ranks.scriptLine + 1));
}

void DesignPicture::refreshPrice()
{
    const Derived& derived = m_design.derived();
    QString caption;
    if (derived.cost.billingAccounts && !derived.cost.billingAccounts->isEmpty()) {
        const auto& billingAccount = derived.cost.billingAccounts->first();
        caption
            = tr("%1 for %2")
                  .arg(amountText(billingAccount.amount, billingAccount.unit), humanDuration(derived.resolved.time));
        m_costCard->setTitle(tr("%1 per hour").arg(amountText(billingAccount.perHour, billingAccount.unit)));
    } else {
        m_costCard->setTitle(tr("Price not published"));
    }
    m_costCard->setCaption(caption);
}

void DesignPicture::selectRank(int rank)
{
    m_rank = rank < 0 ? std::nullopt : std::optional(rank);
    m_map->selectRank(rank);
    m_batch->selectRank(rank);
    m_strategy->selectRank(rank);
    refreshWords();
}

void DesignPicture::showStrategy(bool shown) { showPart(shown ? Part::Strategy : Part::Nodes); }

void DesignPicture::showPart(Part part)
{
    m_mapTabs->setCurrent(int(part));
    m_mapStack->setCurrentIndex(int(part));
    refreshMotion();
    refreshWords();
}

void DesignPicture::setRoom(Room room)
{
    const bool low = room.low;
    m_estimate->setSideBySide(room.across);
    m_lower->setDirection(room.across ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    // The nodes come first: on a low window the price is in the verdict row alone.
    m_costCard->setVisible(room.across || !low);
    if (low == m_low)
        return;
    m_low = low;
    m_batch->setSentenceShown(!low);
    m_column->setContentsMargins(14, low ? 6 : 12, 14, low ? 6 : 12);
    m_column->setSpacing(low ? 8 : 10);
    orderCards();
    refreshWords();
}

/// What does not fit is seen first, with its ways out; and on a low window the bar with what its colours mean.
void DesignPicture::orderCards()
{
    const bool memoryFirst = m_low || (m_shown && m_shown->memory.verdict >= FitVerdict::Borderline);
    const int wanted = memoryFirst ? 1 : 2;
    if (m_column->indexOf(m_estimate) == wanted)
        return;
    m_column->removeWidget(m_estimate);
    m_column->insertWidget(wanted, m_estimate);
}

void DesignPicture::addBelow(QWidget* part) { m_column->addWidget(part); }

ChangeFigures ChangeFigures::of(const Derived& derived)
{
    ChangeFigures figures{derived.resolved.nodes, derived.resolved.gpusPerNode, derived.batch.globalBatch,
        derived.batch.microBatch, derived.batch.gradientAccumulation, derived.batch.stepsPerEpoch,
        derived.batch.scaleLinear, {}};
    if (derived.estimate)
        figures.memory = derived.estimate->memory.totalBytes;
    return figures;
}

} // namespace rankwright
