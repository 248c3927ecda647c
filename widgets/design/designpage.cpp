// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/designpage.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/segmentedcontrol.h"
#include "widgets/design/designpicture.h"
#include "widgets/design/estimatecards.h"
#include "widgets/design/findingspanel.h"
#include "widgets/design/verdictbar.h"
#include "widgets/form/designform.h"
#include "widgets/script/scriptcontroller.h"
#include "widgets/script/scripteditor.h"
#include "widgets/script/scriptpanel.h"

#include <QApplication>
#include <QBoxLayout>
#include <QResizeEvent>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// A window of 1280 px less the navigation: below, the script folds into a tab.
constexpr int unfoldedFrom = 1200;
constexpr int formWidth = 328;
// From here on batch and price are side by side.
constexpr int sideBySideFrom = 1000;
// Below, the window is low.
constexpr int lowBelow = 880;
enum Tab { PictureTab, ScriptTab };

} // namespace

DesignPage::DesignPage(Design& design, QWidget* parent) : QWidget(parent), m_design(design)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_left = new QStackedWidget(m_splitter);
    m_left->setMinimumWidth(formWidth); // narrower, the segments of a choice lie over one another
    m_form = new DesignForm(design, m_left);
    m_left->addWidget(m_form);
    m_splitter->addWidget(m_left);
    m_splitter->addWidget(buildCentre());
    buildSide();
    m_splitter->addWidget(m_side);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setStretchFactor(2, 0);
    m_splitter->setSizes({formWidth, 560, 350});
    column->addWidget(m_splitter, 1);
    m_verdict = new VerdictBar(this);
    column->addWidget(m_verdict);
    connectParts();
    refresh();
}

QWidget* DesignPage::buildCentre()
{
    auto* centre = new QWidget(m_splitter);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_tabs = new SegmentedControl({tr("Picture"), tr("Script")}, centre);
    m_tabs->setCurrent(PictureTab);
    m_tabStrip = new QWidget(centre);
    auto* strip = new QHBoxLayout(m_tabStrip);
    strip->setContentsMargins(14, 10, 14, 0);
    strip->addWidget(m_tabs);
    strip->addStretch(1);
    m_unfold = iconButton(u"script"_s, tr("Show the script beside the picture again"), m_tabStrip);
    m_unfold->setObjectName(u"unfoldScript"_s);
    strip->addWidget(m_unfold);
    connect(m_unfold, &QToolButton::clicked, this, [this] {
        setScriptFolded(false);
        emit scriptFoldedChanged(false);
    });
    column->addWidget(m_tabStrip);
    m_tabStrip->hide();
    m_stack = new QStackedWidget(centre);
    m_picture = new DesignPicture(m_design, m_stack);
    m_stack->addWidget(m_picture);
    column->addWidget(m_stack, 1);
    connect(m_tabs, &SegmentedControl::chosen, m_stack, &QStackedWidget::setCurrentIndex);
    return centre;
}

void DesignPage::buildSide()
{
    m_side = new QWidget(m_splitter);
    m_side->setMinimumWidth(300);
    m_sideColumn = new QVBoxLayout(m_side);
    m_sideColumn->setContentsMargins(0, 0, 0, 0);
    m_sideColumn->setSpacing(0);
    m_script = new ScriptPanel(m_side);
    m_scriptController = new ScriptController(m_design, *m_script, this);
    m_findingsLine = makeLine(Qt::Horizontal, m_side);
    m_findings = new FindingsPanel(m_side);
    m_findings->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_sideColumn->addWidget(m_script, 1);
    m_sideColumn->addWidget(m_findingsLine);
    m_sideColumn->addWidget(m_findings);
}

void DesignPage::connectParts()
{
    connect(&m_design, &Design::changed, this, &DesignPage::refresh);
    connect(&m_design, &Design::documentReplaced, this, [this] {
        if (m_findingsAreOld)
            m_script->editor().setRemarks({}); // those of another text
    });
    connect(&m_design, &Design::checked, this, [this] {
        if (!m_findingsAreOld)
            return;
        m_scriptController->showRemarks();
        m_picture->refreshBinding();
        refreshFindings();
    });
    followForm(m_form);
    connect(m_findings, &FindingsPanel::tallWanted, this, [this](bool tall) {
        m_findingsTall = tall;
        limitFindings();
    });
    auto* compare = new QShortcut(Qt::Key_F9, this);
    compare->setContext(Qt::WidgetWithChildrenShortcut);
    connect(compare, &QShortcut::activated, this, &DesignPage::compareScripts);
    connect(m_picture, &DesignPicture::modelWanted, this, [this] { focusField(field::model); });
    auto* find = new QShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_F, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, this, &DesignPage::openFieldSearch);
    connect(m_script, &ScriptPanel::rewriteRequested, this, &DesignPage::rewriteRequested);
    connect(m_script, &ScriptPanel::foldRequested, this, [this] {
        setScriptFolded(true);
        emit scriptFoldedChanged(true);
    });
    connect(m_picture, &DesignPicture::edited, this, &DesignPage::editedInPicture);
    connect(m_picture, &DesignPicture::numberRefused, this, &DesignPage::refusedInPicture);
    connect(m_picture, &DesignPicture::layoutsWanted, this, &DesignPage::layoutsWanted);
    connect(m_picture, &DesignPicture::lineWanted, this, &DesignPage::goToLine);
    connect(&m_script->editor(), &ScriptEditor::fieldRequested, this, &DesignPage::focusField);
    connect(m_findings, &FindingsPanel::fieldRequested, this, &DesignPage::focusField);
    connect(&m_script->editor(), &QsciScintillaBase::SCN_FOCUSIN, this, &DesignPage::namesWanted);
    connect(m_findings, &FindingsPanel::fixRequested, m_scriptController, &ScriptController::applyFix);
    connect(m_findings, &FindingsPanel::lineRequested, this, &DesignPage::goToLine);
    connect(&m_script->editor(), &ScriptEditor::lineEntered, this, [this] {
        // The other way round: the field of the line with the cursor is lit in the form.
        if (m_script->editor().hasFocus())
            shownForm()->lightField(m_script->editor().fieldAtCursor());
    });
    wireVerdict();
}

void DesignPage::wireVerdict()
{
    connect(m_verdict, &VerdictBar::viewRequested, this, [this](VerdictBar::View view) {
        if (view == VerdictBar::View::Model) {
            focusField(field::model);
        } else {
            bringToFront(PictureTab);
            m_picture->estimateCards().show(
                view == VerdictBar::View::Memory ? EstimateCards::Which::Memory : EstimateCards::Which::Step);
        }
    });
    connect(m_verdict, &VerdictBar::fieldRequested, this, &DesignPage::focusField);
    connect(m_verdict, &VerdictBar::findingsRequested, this, &DesignPage::showFindings);
    connect(m_verdict, &VerdictBar::rehearseRequested, this, &DesignPage::rehearseRequested);
    connect(m_verdict, &VerdictBar::launchRequested, this, &DesignPage::launchRequested);
    connect(m_verdict, &VerdictBar::stopRequested, this, &DesignPage::stopRequested);
    connect(m_verdict, &VerdictBar::checksRequested, this, &DesignPage::checksRequested);
    connect(m_verdict, &VerdictBar::connectRequested, this, &DesignPage::connectRequested);
    connect(m_verdict, &VerdictBar::uploadRequested, this, &DesignPage::uploadRequested);
    connect(m_verdict, &VerdictBar::showJobRequested, this, &DesignPage::showJobRequested);
}

void DesignPage::refresh()
{
    const Derived& derived = m_design.derived();
    m_picture->refresh();
    m_verdict->setEstimate(m_picture->estimate(), derived.resolved.node.gpu.word);
    m_scriptController->refresh();
    m_findingsAreOld = !derived.isChecked();
    if (m_findingsAreOld)
        m_verdict->setDerived(derived, m_shownFindings, shownForm()->unreadableFields());
    else
        refreshFindings();
    m_verdict->setOutcomeOfAnother(m_design.spec() != m_askedSpec);
}

void DesignPage::refreshFindings()
{
    const Derived& derived = m_design.derived();
    m_findingsAreOld = false;
    m_shownFindings = derived.findings();
    m_findings->setFindings(m_shownFindings, derived.silenced());
    m_verdict->setDerived(derived, m_shownFindings, shownForm()->unreadableFields());
}

void DesignPage::setSidePanel(QWidget* panel)
{
    if (panel == m_sidePanel)
        return;
    if (m_sidePanel) {
        m_left->removeWidget(m_sidePanel);
        m_sidePanel->hide();
        m_sidePanel->setParent(nullptr);
        m_sidePanel->deleteLater();
    }
    m_sidePanel = panel;
    if (panel)
        m_left->addWidget(panel);
    m_left->setCurrentWidget(panel ? panel : m_form);
    if (shownForm() != m_form) {
        followForm(shownForm());
        shownForm()->suggest(field::account, m_accounts);
    }
    refresh();
}

DesignForm* DesignPage::shownForm() const
{
    auto* own = m_sidePanel ? m_sidePanel->findChild<DesignForm*>() : nullptr;
    return own ? own : m_form;
}

void DesignPage::followForm(DesignForm* form)
{
    auto* toLine = new QShortcut(Qt::Key_F12, form);
    toLine->setContext(Qt::WidgetWithChildrenShortcut);
    connect(toLine, &QShortcut::activated, this, &DesignPage::goToFieldsLine);
    connect(form, &DesignForm::fieldFocused, this, [this, form](const FieldPath& path) {
        m_focused = path;
        form->lightField({});
        m_script->editor().lightField(path);
    });
    connect(form, &DesignForm::fieldHovered, this, [this, form](const FieldPath& path) {
        const bool inForm = form->isAncestorOf(QApplication::focusWidget());
        m_script->editor().lightField(!path.isEmpty() ? path : inForm ? m_focused : FieldPath());
    });
    connect(form, &DesignForm::lineRequested, this, &DesignPage::goToLine);
    connect(form, &DesignForm::unreadableChanged, this,
        [this] { m_verdict->setDerived(m_design.derived(), m_shownFindings, shownForm()->unreadableFields()); });
}

void DesignPage::selectRank(int rank) { m_picture->selectRank(rank); }

std::optional<int> DesignPage::selectedRank() const { return m_picture->selectedRank(); }

void DesignPage::showStrategy(bool shown) { m_picture->showStrategy(shown); }

void DesignPage::setScriptFolded(bool folded)
{
    if (folded == m_foldWanted)
        return;
    m_foldWanted = folded;
    setFolded(folded || width() < unfoldedFrom);
    shareOut(width());
    // The button that was pressed has gone: the one for the way back takes the focus.
    if (folded && m_unfold->isVisible())
        m_unfold->setFocus(Qt::OtherFocusReason);
    else if (!folded && !m_folded)
        m_script->focusFold();
}

QStringList DesignPage::openSections() const { return m_form->openSections(); }

void DesignPage::setOpenSections(const QStringList& names) { m_form->setOpenSections(names); }

void DesignPage::openFieldSearch() { m_form->openSearch(); }

void DesignPage::setFolded(bool folded)
{
    m_script->setCanFold(!folded);
    m_unfold->setVisible(m_foldWanted && width() >= unfoldedFrom);
    if (folded == m_folded)
        return;
    m_folded = folded;
    m_tabStrip->setVisible(folded);
    if (folded) {
        m_stack->addWidget(m_side);
        m_picture->addBelow(m_findings);
        setStyleProperty(m_findings, "card", true);
        m_stack->setCurrentIndex(m_tabs->current());
    } else {
        m_stack->removeWidget(m_side);
        m_splitter->addWidget(m_side);
        m_sideColumn->addWidget(m_findings);
        setStyleProperty(m_findings, "card", QVariant());
        m_side->show();
        m_stack->setCurrentIndex(PictureTab);
    }
    m_findingsLine->setVisible(!folded);
    limitFindings();
}

/// The script comes first: the findings take a part of its height that grows on request.
void DesignPage::limitFindings()
{
    const int share = m_findingsTall ? 58 : 27;
    const int room = height() - m_verdict->sizeHint().height();
    m_findings->setMaximumHeight(m_folded ? (m_findingsTall ? 340 : 170) : qMax(120, room * share / 100));
}

void DesignPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int room = event->size().width();
    setFolded(m_foldWanted || room < unfoldedFrom);
    if (event->oldSize().width() <= 0 || event->oldSize().width() != room)
        shareOut(room);
    limitFindings();
    m_picture->setRoom(
        {.across = m_splitter->sizes().at(1) >= sideBySideFrom, .low = event->size().height() < lowBelow});
}

void DesignPage::shareOut(int room)
{
    const int side = m_folded ? 0 : qBound(316, room * 26 / 100, 620);
    const int form = qBound(formWidth, room / 6, 360);
    m_splitter->setSizes(m_folded ? QList<int>{form, room - form} : QList<int>{form, room - form - side, side});
    m_picture->setRoom({.across = m_splitter->sizes().at(1) >= sideBySideFrom, .low = height() < lowBelow});
}

/// Of picture and script the one that is meant; unfolded both are there.
void DesignPage::bringToFront(int tab)
{
    if (!m_folded)
        return;
    m_tabs->setCurrent(tab);
    m_stack->setCurrentIndex(tab);
}

void DesignPage::showFindings()
{
    // What cannot be read blocks the launch before any finding.
    if (shownForm()->focusUnreadable())
        return;
    bringToFront(PictureTab);
    m_findings->focusFirst();
    if (!m_folded)
        return;
    // Folded, the findings are at the foot of the pictures, below what is seen.
    const auto bring = [this] { m_picture->ensureWidgetVisible(m_findings, 0, 8); };
    bring();
    QTimer::singleShot(0, this, bring);
}

void DesignPage::goToLine(int line)
{
    bringToFront(ScriptTab);
    m_script->setComparing(false);
    m_script->editor().goToLine(line);
}

void DesignPage::compareScripts()
{
    bringToFront(ScriptTab);
    m_script->setComparing(!m_script->isComparing());
}

void DesignPage::goToFieldsLine()
{
    const QList<int> lines = m_design.derived().script.linesOf(m_focused);
    if (!lines.isEmpty())
        goToLine(lines.first());
}

void DesignPage::showSubmitState(const SubmitState& state)
{
    // What is looked for again was asked before.
    if (state.isBusy() && !m_wasBusy && state.stage != SubmitState::Stage::Recovering)
        m_askedSpec = m_design.spec();
    m_wasBusy = state.isBusy();
    m_verdict->setOutcomeOfAnother(m_design.spec() != m_askedSpec);
    m_verdict->showSubmitState(state);
}

void DesignPage::forgetOutcome() { m_verdict->forgetOutcome(); }

void DesignPage::setLaunchBlocked(const QString& why) { m_verdict->setLaunchBlocked(why); }

void DesignPage::setProgramMissing(const QString& text) { m_verdict->setProgramMissing(text); }

void DesignPage::setFacts(const std::optional<ClusterFacts>& facts, const std::optional<ClusterNames>& names)
{
    m_accounts = facts ? facts->accounts : QStringList();
    m_form->suggest(field::account, m_accounts);
    if (shownForm() != m_form)
        shownForm()->suggest(field::account, m_accounts);
    m_scriptController->setFacts(facts, names);
}

void DesignPage::setChecks(int seen, int of) { m_verdict->setChecks(seen, of); }

void DesignPage::setScriptFolds(const std::optional<QList<ScriptFold>>& folds) { m_scriptController->setFolds(folds); }

void DesignPage::setLastSubmitted(const ComparedScript& last) { m_scriptController->setLastSubmitted(last); }

void DesignPage::focusField(const FieldPath& field)
{
    if (shownForm()->focusField(field) || !m_sidePanel)
        return;
    emit fieldWanted(field);
    emit refusedInPicture(tr("An exercise replaces the form: it has the fields that are open, the others are set by "
                             "the class."));
}

} // namespace rankwright
