// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/memoryview.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/planner/planning/estimatetext.h"
#include "widgets/base/card.h"
#include "widgets/base/richtooltip.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostRemedies = 3;
// One colour for each part, everywhere in the window: weights blue, activations orange ...
enum PartColour {
    WeightsColour = 0,
    GradientsColour = 4,
    OptimizerColour = 2,
    ActivationsColour = 1,
    TemporaryColour = 3,
    OverheadColour = 7
};

} // namespace

StackedBarData memoryBar(const DesignEstimate& estimate)
{
    const MemoryEstimate& memory = estimate.memory;
    const MemoryParts& parts = memory.parts;
    const PlannedRun& run = estimate.run;
    StackedBarData bar;
    const auto add = [&bar](const QString& name, double bytes, int colour, const QString& summary) {
        bar.parts.append({name, bytes / bytesPerGib, colour, summary});
    };
    add(MemoryView::tr("weights"), parts.weights, WeightsColour, EstimateText::weightsReason(run));
    add(MemoryView::tr("gradients"), parts.gradients, GradientsColour, EstimateText::gradientsReason(run));
    add(MemoryView::tr("optimiser"), parts.optimizer, OptimizerColour, EstimateText::optimizerReason(run));
    add(MemoryView::tr("activations"), parts.activations, ActivationsColour, EstimateText::activationsReason(run));
    add(MemoryView::tr("temporary"), parts.temporary, TemporaryColour, EstimateText::temporaryReason(run));
    add(MemoryView::tr("overhead"), parts.overhead, OverheadColour, EstimateText::overheadReason(run));
    bar.low = memory.lowBytes / bytesPerGib;
    bar.high = memory.highBytes / bytesPerGib;
    bar.limit = memory.usableBytes / bytesPerGib;
    bar.unit = u"GiB"_s;
    bar.limitText = MemoryView::tr("%1 usable").arg(gibFigure(memory.usableBytes));
    bar.overText = MemoryView::tr("%1 more than one %2 has")
                       .arg(gibText(memory.totalBytes - memory.usableBytes),
                           run.gpu.name.isEmpty() ? MemoryView::tr("GPU") : run.gpu.name);
    bar.figure = [](double gib) { return gibFigure(gib * bytesPerGib); };
    return bar;
}

MemoryView::MemoryView(QWidget* parent) : QWidget(parent), m_bar(new StackedBar(tr("Memory of the fullest rank"), this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_bar);
    m_corrected = makeLabel({}, "quiet", this);
    m_corrected->setObjectName(u"correction"_s);
    column->addWidget(m_corrected);
    m_unknown = new QWidget(this);
    auto* row = new QHBoxLayout(m_unknown);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    m_why = makeLabel({}, "quiet", m_unknown);
    m_why->setWordWrap(true);
    m_name = new QPushButton(tr("Choose a model"), m_unknown);
    row->addWidget(m_why, 1);
    row->addWidget(m_name);
    connect(m_name, &QPushButton::clicked, this, &MemoryView::modelWanted);
    column->addWidget(m_unknown);
    m_remedyBox = new QWidget(this);
    auto* ways = new QVBoxLayout(m_remedyBox);
    ways->setContentsMargins(0, 2, 0, 0);
    ways->setSpacing(4);
    m_remedyRow = new QHBoxLayout;
    m_remedyRow->setSpacing(8);
    m_all = new QPushButton(tr("All layouts that fit"), m_remedyBox);
    m_all->setProperty("link", true);
    m_remedyRow->addStretch(1);
    m_remedyRow->addWidget(m_all);
    m_effect = makeLabel({}, "quiet", m_remedyBox);
    m_effect->setWordWrap(true);
    ways->addLayout(m_remedyRow);
    m_effectRow = new QHBoxLayout;
    m_effectRow->setSpacing(8);
    m_effectRow->addWidget(m_effect, 1);
    ways->addLayout(m_effectRow);
    // As narrow as the first button: showRemedies() shows what has room.
    m_remedyBox->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(m_all, &QPushButton::clicked, this, &MemoryView::layoutsWanted);
    column->addWidget(m_remedyBox);
}

QPushButton* MemoryView::buttonAt(int index)
{
    while (m_buttons.size() <= index) {
        const int at = int(m_buttons.size());
        auto* button = new QPushButton(m_remedyBox);
        button->installEventFilter(this);
        connect(button, &QPushButton::clicked, this, [this, at] { emit remedyChosen(at); });
        m_remedyRow->insertWidget(at, button);
        m_buttons.append(button);
    }
    return m_buttons.at(index);
}

void MemoryView::showRemedies()
{
    m_effects.clear();
    int room = width();
    if (m_remedies.isEmpty()) {
        m_remedyBox->setMinimumWidth(m_all->sizeHint().width());
    } else {
        QPushButton* first = buttonAt(0);
        first->setText(m_remedies.first().label);
        const int least = first->sizeHint().width();
        m_remedyBox->setMinimumWidth(least);
        // Beside the buttons, or under them where a long first one leaves no room.
        const int all = m_all->sizeHint().width() + 8;
        const bool isBeside = least + all <= room;
        QHBoxLayout* line = isBeside ? m_remedyRow : m_effectRow;
        if (line->indexOf(m_all) < 0)
            line->addWidget(m_all);
        room -= isBeside ? all : 0;
    }
    bool fits = true;
    for (int i = 0; i < qMax(qMin(int(m_remedies.size()), mostRemedies), int(m_buttons.size())); ++i) {
        QPushButton* button = buttonAt(i);
        if (i < m_remedies.size()) {
            const Remedy& remedy = m_remedies.at(i);
            button->setText(remedy.label);
            button->setToolTip(richToolTip(remedy.effect));
            button->setAccessibleDescription(remedy.effect);
            setStyleProperty(button, "accent", i == 0 && m_urgent);
            room -= button->sizeHint().width() + 8;
            fits = fits && (i == 0 || room >= 0);
        }
        // The first always stands; what has no room is one click away, with all other layouts.
        const bool shown = i < m_remedies.size() && i < mostRemedies && fits;
        button->setVisible(shown);
        if (shown)
            m_effects.append(m_remedies.at(i).effect.isEmpty()
                    ? QString()
                    : u"%1: %2"_s.arg(m_remedies.at(i).label, m_remedies.at(i).effect));
    }
    m_effect->setVisible(!m_effects.join(QString()).isEmpty());
    showEffect(0);
}

void MemoryView::showEffect(int index)
{
    m_effect->setText(m_effects.value(index));
    m_effect->setToolTip(richToolTip(m_effects.value(index)));
}

void MemoryView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        showRemedies();
}

bool MemoryView::eventFilter(QObject* watched, QEvent* event)
{
    const auto index = m_buttons.indexOf(static_cast<QPushButton*>(watched));
    if (index >= 0 && (event->type() == QEvent::Enter || event->type() == QEvent::FocusIn))
        showEffect(int(index));
    else if (index >= 0 && event->type() == QEvent::Leave)
        showEffect(0);
    return QWidget::eventFilter(watched, event);
}

void MemoryView::setData(const Result<DesignEstimate>& estimate, const QList<Remedy>& remedies)
{
    const bool known = estimate.hasValue();
    m_bar->setVisible(known);
    m_unknown->setVisible(!known);
    if (known)
        m_bar->setData(memoryBar(*estimate),
            QStringList{EstimateText::verdictSummary(estimate), EstimateText::nearest(*estimate)}.join(u' ').trimmed());
    else
        m_why->setText(EstimateText::verdictSummary(estimate));
    m_corrected->setText(known ? EstimateText::correction(estimate->memoryCorrection) : QString());
    m_corrected->setVisible(!m_corrected->text().isEmpty());
    const bool tight = known && estimate->memory.verdict >= FitVerdict::Borderline;
    // For an unknown model the remedies are names that resemble it.
    m_remedies = tight || !known ? remedies : QList<Remedy>();
    m_all->setVisible(known);
    m_urgent = known && estimate->memory.verdict == FitVerdict::DoesNotFit;
    showRemedies();
    m_remedyBox->setVisible(!m_remedies.isEmpty() || tight);
}

} // namespace rankwright
