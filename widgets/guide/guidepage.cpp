// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/guidepage.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/scrollpage.h"
#include "widgets/base/theme.h"
#include "widgets/design/designtext.h"
#include "widgets/guide/answerbars.h"
#include "widgets/guide/answercard.h"
#include "widgets/guide/answerlist.h"
#include "widgets/guide/checklist.h"
#include "widgets/guide/clustersketch.h"
#include "widgets/guide/gpupicture.h"
#include "widgets/guide/guidebar.h"
#include "widgets/guide/guideentries.h"
#include "widgets/guide/guidewords.h"
#include "widgets/guide/jobstages.h"
#include "widgets/guide/scriptpartlist.h"
#include "widgets/guide/stepline.h"
#include "widgets/rankmap/rankmapview.h"
#include "widgets/script/scripteditor.h"

#include <QApplication>
#include <QBoxLayout>
#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QShortcut>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int sideBySideFrom = 52; // heights of a line of text; below, the picture stands under the answers
constexpr int titlePixels = 22;

size_t indexOf(GuideStep step) { return size_t(guideStepIndex(step)); }

} // namespace

GuidePage::GuidePage(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildHead());
    m_scroll = new ScrollPage(this);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* inside = new QWidget(m_scroll);
    m_columns = new QBoxLayout(QBoxLayout::LeftToRight, inside);
    m_columns->setContentsMargins(30, 12, 24, 16);
    m_columns->setSpacing(28);
    m_left = new QVBoxLayout;
    m_left->setSpacing(10);
    m_title = new QLabel(inside);
    m_title->setWordWrap(true);
    m_title->setFont(Theme::uiFont(titlePixels, QFont::DemiBold));
    m_text = new QLabel(inside);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_text->setTextInteractionFlags(Qt::LinksAccessibleByMouse);
    connect(m_text, &QLabel::linkActivated, this, [this](const QString& link) {
        if (const QString term = termOfLink(link); !term.isEmpty())
            emit termRequested(term, m_text);
    });
    m_left->addWidget(m_title);
    m_left->addWidget(m_text);
    m_left->addSpacing(4);
    m_right = new QVBoxLayout;
    m_right->setSpacing(12);
    m_columns->addLayout(m_left, 5);
    m_columns->addLayout(m_right, 8);
    m_scroll->setWidget(inside);
    inside->setAutoFillBackground(false);
    m_scroll->viewport()->setAutoFillBackground(false);
    column->addWidget(m_scroll, 1);
    column->addWidget(makeLine(Qt::Horizontal, this));
    m_bar = new GuideBar(this);
    m_bar->setObjectName(u"bottomBar"_s); // no message lies over it
    column->addWidget(m_bar);
    // Not as a key press: a round button would take the arrow for its own.
    auto* back = new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Left), this);
    back->setContext(Qt::WidgetWithChildrenShortcut);
    connect(back, &QShortcut::activated, this, &GuidePage::backRequested);
    connect(m_bar, &GuideBar::nextClicked, this, &GuidePage::nextRequested);
    connect(m_bar, &GuideBar::backClicked, this, &GuidePage::backRequested);
    connect(m_bar, &GuideBar::stopClicked, this, &GuidePage::stopRequested);
    connect(m_bar, &GuideBar::stepClicked, this, &GuidePage::stepRequested);
}

GuidePage::~GuidePage() = default;

QPushButton* GuidePage::nextButton() const { return m_bar->nextButton(); }

int GuidePage::barHeight() const { return m_bar->height(); }

/// Folded as far as it can be: what it is folded to, it finds out when it is made so small.
QSize GuidePage::minimumSizeHint() const
{
    const int steps = m_line->minimumSizeHint().width();
    const int ends = m_head->itemAtPosition(0, 0)->sizeHint().width() + m_head->itemAtPosition(0, 2)->sizeHint().width()
        + 2 * m_head->horizontalSpacing();
    const QMargins around = m_head->contentsMargins();
    const int head = qMax(steps, ends) + around.left() + around.right();
    constexpr int leastBody = 140;
    return {
        qMax(head, m_bar->leastWidth()), m_head->sizeHint().height() + m_bar->minimumSizeHint().height() + leastBody};
}

QWidget* GuidePage::buildHead()
{
    auto* head = new QWidget(this);
    m_head = new QGridLayout(head);
    m_head->setContentsMargins(30, 12, 24, 8);
    m_head->setHorizontalSpacing(20);
    m_head->setVerticalSpacing(4);
    m_head->setColumnStretch(1, 1);
    m_line = new StepLine(head);
    auto* design = new QPushButton(tr("Go on in Design"), head);
    design->setProperty("link", true);
    design->setToolTip(tr("Your job so far as an ordinary design, with all its fields"));
    m_head->addWidget(makeLabel(tr("My first job"), "figure", head), 0, 0);
    m_head->addWidget(m_line, 0, 1);
    m_head->addWidget(design, 0, 2);
    connect(m_line, &StepLine::stepClicked, this, &GuidePage::stepRequested);
    connect(design, &QPushButton::clicked, this, &GuidePage::designRequested);
    return head;
}

GuidePage::Panel& GuidePage::panel(GuideStep step)
{
    Panel& panel = m_panels.at(indexOf(step));
    if (panel.right)
        return panel;
    QWidget* inside = m_scroll->widget();
    panel.left = buildLeft(step);
    panel.right = new QWidget(inside);
    panel.pictures = new QVBoxLayout(panel.right);
    panel.pictures->setContentsMargins(0, 0, 0, 0);
    panel.pictures->setSpacing(12);
    const bool fills = step == GuideStep::HowMany || step == GuideStep::Script;
    panel.pictures->addWidget(buildPicture(step), fills ? 1 : 0);
    panel.pictures->addStretch(fills ? 0 : 1);
    panel.left->hide();
    panel.right->hide();
    m_left->addWidget(panel.left);
    m_right->addWidget(panel.right);
    return panel;
}

QWidget* GuidePage::buildLeft(GuideStep step)
{
    auto* left = new QWidget(m_scroll->widget());
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    if (step == GuideStep::Script) {
        m_parts = new ScriptPartList(left);
        connect(m_parts, &ScriptPartList::termRequested, this, &GuidePage::termRequested);
        connect(m_parts, &ScriptPartList::currentChanged, this, [this](int part) {
            if (m_script)
                m_script->lightLines(part < m_shownParts.size() ? m_shownParts.at(part).lines : QList<int>());
        });
        column->addWidget(m_parts);
    } else if (step == GuideStep::Watch) {
        m_stages = new JobStages(left);
        connect(m_stages, &JobStages::liveClicked, this, &GuidePage::liveRequested);
        connect(m_stages, &JobStages::reportClicked, this, &GuidePage::reportRequested);
        connect(m_stages, &JobStages::jobsClicked, this, &GuidePage::jobsRequested);
        column->addWidget(m_stages);
    } else {
        auto* answers = m_answers.at(indexOf(step)) = new AnswerList(left);
        connect(
            answers, &AnswerList::answerChosen, this, [this, step](const QString& id) { emit answerChosen(step, id); });
        connect(answers, &AnswerList::termRequested, this, &GuidePage::termRequested);
        auto* entries = m_entries.at(indexOf(step)) = new GuideEntries(left);
        connect(entries, &GuideEntries::entered, this, &GuidePage::entered);
        column->addWidget(answers);
        column->addWidget(entries);
        if (step == GuideStep::Launch) {
            m_checks = new CheckList(left);
            connect(m_checks, &CheckList::stepClicked, this, &GuidePage::stepRequested);
            connect(m_checks, &CheckList::connectClicked, this, &GuidePage::connectRequested);
            column->addWidget(m_checks);
        }
    }
    column->addStretch(1);
    return left;
}

QWidget* GuidePage::buildPicture(GuideStep step)
{
    QWidget* inside = m_scroll->widget();
    const auto words = [](Card* card) {
        auto* label = new QLabel(card);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        card->body()->addWidget(label);
        return label;
    };
    auto* card = new Card({}, inside);
    switch (step) {
    case GuideStep::Where:
        card->setTitle(tr("The path of a job"));
        m_sketch = new ClusterSketch(card);
        card->body()->addWidget(m_sketch);
        break;
    case GuideStep::What:
        card->setTitle(tr("One copy of the model"));
        card->setCaption(tr("follows your choice"));
        m_models = new AnswerBars(tr("Memory of one copy"), card);
        card->body()->addWidget(m_models);
        break;
    case GuideStep::HowMany:
        card->setTitle(tr("Your nodes"));
        card->setCaption(tr("follows your choice"));
        m_mapTitle = makeLabel({}, "quiet", card);
        m_mapTitle->setWordWrap(true);
        m_map = new RankMapView(card);
        m_map->setAccessibleName(tr("Your nodes"));
        m_map->setMinimumHeight(260);
        m_mapLegend = makeLabel({}, "caption", card);
        m_mapLegend->setWordWrap(true);
        card->body()->addWidget(m_mapTitle);
        card->body()->addWidget(m_mapLegend);
        card->body()->addWidget(m_map, 1);
        break;
    case GuideStep::Fits:
        card->setCaption(tr("dashed: the likely range"));
        m_fit = new AnswerBars(tr("Memory that is needed"), card);
        card->body()->addWidget(m_fit);
        break;
    case GuideStep::Script:
        card->setTitle(tr("The script"));
        card->setCaption(tr("point at a line: what it does"));
        m_script = new ScriptEditor(card);
        m_script->setReadOnly(true);
        m_script->setMinimumHeight(260);
        m_script->setAccessibleDescription(tr("Read-only here; change it on the Design page."));
        connect(m_script, &ScriptEditor::fieldRequested, this,
            [this](const FieldPath& field) { emit stepRequested(guideStepOf(field)); });
        card->body()->addWidget(m_script, 1);
        break;
    case GuideStep::Launch:
        card->setTitle(tr("What it costs, and when it starts"));
        m_cost = words(card);
        m_start = words(card);
        m_outcome = words(card);
        break;
    case GuideStep::Watch:
        card->setTitle(tr("What happened"));
        m_closing = words(card);
        break;
    }
    return card;
}

void GuidePage::setPicture(GuideStep step, QWidget* picture)
{
    Panel& at = panel(step);
    picture->setParent(at.right);
    at.pictures->insertWidget(at.pictures->count() - 1, picture);
    picture->show();
}

void GuidePage::setContent(const GuideContent& content)
{
    const GuideStep step = content.question.step;
    const bool isNew = step != m_step || !m_isFilled;
    m_isFilled = true;
    m_step = step;
    m_line->setStep(step, content.reached);
    m_title->setText(content.question.title);
    m_text->setText(unbroken(withTermLinks(content.question.text)));
    panel(step);
    fillLeft(content);
    fillPicture(content);
    m_returnsFocus = m_returnsFocus && !isNew;
    showBar(content);
    if (!isNew)
        return;
    const bool hadFocus = focusWidget() && isAncestorOf(focusWidget()) && focusWidget()->hasFocus();
    for (int i = 0; i < guideSteps; ++i) {
        const Panel& one = m_panels.at(size_t(i));
        if (!one.right)
            continue;
        one.left->setVisible(GuideStep(i) == step);
        one.right->setVisible(GuideStep(i) == step);
    }
    arrangeColumns();
    m_scroll->verticalScrollBar()->setValue(0);
    if (hadFocus)
        focusStep();
}

/// A button that goes off gives its focus to its neighbour, and that is Cancel: a second press of Enter must not meet
/// it.
void GuidePage::showBar(const GuideContent& content)
{
    const bool isOff = !content.obstacle.isEmpty() || content.nextText.isEmpty();
    QWidget* neutral = m_line->presentButton();
    if (isOff && m_bar->nextButton()->hasFocus() && neutral) {
        neutral->setFocus(Qt::OtherFocusReason);
        m_returnsFocus = true;
    }
    m_bar->setContent(content);
    if (isOff || !m_returnsFocus)
        return;
    m_returnsFocus = false;
    if (neutral && neutral->hasFocus())
        m_bar->nextButton()->setFocus(Qt::OtherFocusReason);
}

void GuidePage::fillLeft(const GuideContent& content)
{
    const size_t at = indexOf(m_step);
    if (AnswerList* answers = m_answers.at(at)) {
        answers->setQuestion(content.question);
        answers->setVisible(!content.question.answers.isEmpty());
    }
    if (GuideEntries* entries = m_entries.at(at))
        entries->setEntries(content.question.entries);
    if (m_step == GuideStep::Launch)
        m_checks->setContent(content);
    if (m_step == GuideStep::Watch)
        m_stages->setContent(content);
}

void GuidePage::fillPicture(const GuideContent& content)
{
    const QString word = content.derived ? content.derived->resolved.node.gpu.word : tr("GPU");
    switch (m_step) {
    case GuideStep::Where:
        if (content.derived) {
            const ResolvedSpec& resolved = content.derived->resolved;
            m_sketch->setData({content.clusterTitle, content.isPractice, resolved.nodes, resolved.node.gpus,
                resolved.gpusPerNode, word});
        }
        break;
    case GuideStep::What: m_models->setBars(copyBars(content.question, word)); break;
    case GuideStep::HowMany:
        if (content.derived) {
            m_map->setData(rankMapData(content.derived->resolved, content.derived->ranks));
            m_mapTitle->setText(DesignText::mapTitle(*content.derived));
            const RankMapLayout::Detail detail = m_map->layoutShown().detail;
            const QString legend = DesignText::mapLegend(*content.derived, detail);
            m_mapLegend->setText(detail == RankMapLayout::Detail::Full
                    ? tr("large number = rank · small squares = its cores · %1").arg(legend)
                    : legend);
        }
        break;
    case GuideStep::Fits:
        m_fit->setBars(rankBars(content.question, word));
        if (auto* card = qobject_cast<Card*>(m_fit->parentWidget()))
            card->setTitle(tr("Memory of one %1").arg(word));
        break;
    case GuideStep::Script:
        m_shownParts = content.parts;
        if (content.derived)
            m_script->setDocumentShown(content.derived->script);
        m_parts->setParts(content.parts); // marks its part in the script
        break;
    case GuideStep::Launch: fillExpectation(content); break;
    case GuideStep::Watch:
        fillClosing(content);
        if (auto* gpus = findChild<GpuPicture*>())
            gpus->setOver(content.stage == GuideStage::Completed || content.stage == GuideStage::Ended);
        break;
    }
}

void GuidePage::fillExpectation(const GuideContent& content)
{
    m_cost->setText(tr("Cost: %1").arg(content.expected.cost));
    m_start->setText(tr("Start: %1").arg(content.expected.start));
    QStringList texts;
    if (content.submit.stage == SubmitState::Stage::Refused || content.submit.stage == SubmitState::Stage::Unknown) {
        for (const QString& text : {content.submit.text, content.submit.error.what, content.submit.error.detail,
                 content.submit.error.remedy}) {
            if (!text.isEmpty() && !texts.contains(text))
                texts.append(text);
        }
    } else if (!content.submit.text.isEmpty()) {
        texts.append(content.submit.text);
    }
    m_outcome->setText(texts.join(u' '));
    const bool isBad
        = content.submit.stage == SubmitState::Stage::Refused || content.submit.stage == SubmitState::Stage::Unknown;
    setStyleProperty(m_outcome, "tone", isBad ? u"bad"_s : QString());
    m_outcome->setVisible(!texts.isEmpty());
}

void GuidePage::fillClosing(const GuideContent& content)
{
    if (content.closing)
        m_closing->setText(
            QStringList{content.closing->use, content.closing->cost, content.closing->next}.join(u"\n\n"_s));
    else if (content.isReportPending)
        m_closing->setText(tr("The job has ended. Asking what it used; this takes a few seconds."));
    else
        m_closing->setText(tr("Three sentences appear here when the job has ended: how busy its %1 were, what it "
                              "cost, and what to do next.")
                               .arg(content.derived ? pluralOf(content.derived->resolved.node.gpu.word) : tr("GPUs")));
}

void GuidePage::focusStep()
{
    QWidget* target = nullptr;
    if (const AnswerList* answers = m_answers.at(indexOf(m_step)))
        target = answers->focusTarget();
    if (m_step == GuideStep::Watch)
        target = m_stages->focusTarget();
    if (!target)
        target = m_bar->nextButton()->isEnabled() && m_bar->nextButton()->isVisibleTo(this)
            ? m_bar->nextButton()
            : static_cast<QWidget*>(m_bar->backButton());
    target->setFocus(Qt::OtherFocusReason);
}

void GuidePage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
        QWidget::keyPressEvent(event);
        return;
    }
    event->accept();
    if (event->isAutoRepeat())
        return; // a key that is held must not run through to the launch
    QWidget* at = QApplication::focusWidget();
    if (qobject_cast<QLineEdit*>(at) || qobject_cast<QComboBox*>(at))
        return; // what was typed is taken, and seen, before anything goes on
    auto* button = qobject_cast<QAbstractButton*>(at);
    const bool isRound = button && (button->inherits("QRadioButton"));
    if (button && !isRound)
        button->click();
    else if (m_bar->nextButton()->isVisibleTo(this) && m_bar->nextButton()->isEnabled())
        emit nextRequested();
}

/// Where there is no room beside title and link, the steps have a line of their own.
void GuidePage::foldHead()
{
    const int ends
        = m_head->itemAtPosition(0, 0)->sizeHint().width() + m_head->itemAtPosition(0, 2)->sizeHint().width();
    const QMargins around = m_head->contentsMargins();
    const bool low
        = ends + m_line->minimumSizeHint().width() + 2 * m_head->horizontalSpacing() + around.left() + around.right()
        > width();
    if (low == (m_head->itemAtPosition(1, 0) != nullptr))
        return;
    m_head->removeWidget(m_line);
    if (low)
        m_head->addWidget(m_line, 1, 0, 1, 3);
    else
        m_head->addWidget(m_line, 0, 1);
}

void GuidePage::arrangeColumns()
{
    foldHead();
    const int line = fontMetrics().height();
    const bool wide = width() >= sideBySideFrom * line;
    m_columns->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_columns->setStretch(0, wide ? 5 : 0);
    m_columns->setStretch(1, wide ? 8 : 1);
}

void GuidePage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrangeColumns();
}

void GuidePage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_columns)
        arrangeColumns();
}

} // namespace rankwright
