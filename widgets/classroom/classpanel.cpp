// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/classpanel.h"

#include "models/core/harmlesstext.h"
#include "models/teaching/classroom/classrules.h"
#include "models/teaching/learn/termlinks.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/linkbutton.h"
#include "widgets/base/scrollpage.h"
#include "widgets/classroom/classchecklist.h"
#include "widgets/classroom/exercisebars.h"
#include "widgets/classroom/hintlist.h"
#include "widgets/classroom/lockedlist.h"
#include "widgets/form/designform.h"
#include "widgets/learn/termtext.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSet>
#include <QUrl>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

LinkButton* linkButton(const QString& text, const QString& name, QWidget* parent)
{
    auto* button = new LinkButton(text, parent);
    button->setObjectName(name);
    return button;
}

QSet<FieldPath> openFields(const ClassFile& file, const ClassExercise& exercise)
{
    QSet<FieldPath> open;
    for (const SpecField& row : specFields())
        if (isOpenField(file, exercise, row.path))
            open.insert(row.path);
    return open;
}

/// What the class has set, in the form's words, and then its limits.
QList<LockedList::Line> lockedLines(const ClassFile& file, const ClassExercise& exercise, const Design& design)
{
    const Derived& derived = design.derived();
    const QList<DesignField> fields = designFields();
    const QString reason = ClassPanel::tr("The class “%1” sets this, so that all have the same.").arg(file.title);
    QList<LockedList::Line> lines;
    for (const LockedField& locked : lockedFields(file, exercise)) {
        const auto field = std::find_if(fields.cbegin(), fields.cend(),
            [&locked](const DesignField& one) { return isPartOf(locked.field, one.path); });
        const QString label = field == fields.cend() ? locked.field : labelOf(*field, derived);
        const ClusterProfile* cluster
            = locked.field == field::cluster ? design.catalogue().find(file.cluster) : nullptr;
        lines.append(
            {locked.field, label.isEmpty() ? locked.field : label, cluster ? cluster->title : locked.value, reason});
    }
    const QString limit = ClassPanel::tr("A limit of the class “%1”; Slurm's own limits come on top.").arg(file.title);
    if (file.limits.maxNodes)
        lines.append({{}, ClassPanel::tr("Nodes at most"), QString::number(*file.limits.maxNodes), limit});
    if (file.limits.maxGpus)
        lines.append({{}, ClassPanel::tr("GPUs at most"), QString::number(*file.limits.maxGpus), limit});
    if (file.limits.maxTime)
        lines.append({{}, ClassPanel::tr("Time at most"), slurmTime(*file.limits.maxTime), limit});
    return lines;
}

} // namespace

ClassPanel::ClassPanel(Design& design, ClassFile file, QWidget* parent)
    : QWidget(parent), m_design(design), m_file(std::move(file))
{
    setProperty("strip", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildHead(column);
    buildBody(column);
    buildFoot(column);
    setPlace({});
}

void ClassPanel::buildHead(QVBoxLayout* column)
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(16, 12, 14, 6);
    m_count = makeLabel({}, "quiet", this);
    m_bars = new ExerciseBars(this);
    row->addWidget(m_count, 1);
    row->addWidget(m_bars);
    column->addLayout(row);
}

void ClassPanel::buildBody(QVBoxLayout* column)
{
    m_scroll = new ScrollPage(this);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(m_scroll);
    page->setProperty("strip", true);
    page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* body = new QVBoxLayout(page);
    body->setContentsMargins(16, 2, 14, 12);
    body->setSpacing(10);
    m_title = makeLabel({}, "title", page);
    m_title->setWordWrap(true);
    m_task = new QLabel(page);
    m_task->setWordWrap(true);
    connect(m_task, &QLabel::linkActivated, this, [this](const QString& link) {
        if (const QString term = linkedTerm(link); !term.isEmpty())
            emit termRequested(term, m_task);
    });
    m_checks = new ClassCheckList(page);
    m_hints = new HintList(page);
    connect(m_hints, &HintList::hintWanted, this, &ClassPanel::hintWanted);
    connect(m_hints, &HintList::solutionWanted, this, &ClassPanel::solutionWanted);
    connect(m_hints, &HintList::applyWanted, this, &ClassPanel::applyWanted);
    connect(m_hints, &HintList::termRequested, this, &ClassPanel::termRequested);
    m_openHead = makeLabel(tr("Yours to set"), "section", page);
    m_form = new DesignForm(m_design, page);
    m_form->setAccessibleName(tr("Yours to set"));
    connect(m_form, &DesignForm::fieldFocused, this, [this] {
        if (QWidget* at = focusWidget())
            m_scroll->ensureWidgetVisible(at, 0, 60);
    });
    m_lockedHead = makeLabel(tr("Set by the class"), "section", page);
    m_locked = new LockedList(page);
    for (QWidget* part :
        std::initializer_list<QWidget*>{m_title, m_task, m_checks, m_hints, m_openHead, m_form, m_lockedHead, m_locked})
        body->addWidget(part);
    body->addWidget(buildAbout(page));
    body->addStretch(1);
    m_scroll->setWidget(page);
    column->addWidget(m_scroll, 1);
}

/// What holds for the class as a whole: links, acknowledgement, progress, the way out.
QWidget* ClassPanel::buildAbout(QWidget* page)
{
    auto* about = new QWidget(page);
    about->setMinimumWidth(1); // its height is that of the column's width, not of its widest link's
    auto* column = new QVBoxLayout(about);
    column->setContentsMargins(0, 6, 0, 0);
    column->setSpacing(6);
    column->addWidget(makeLine(Qt::Horizontal, this));
    auto* name = makeLabel(tr("%1, by %2").arg(m_file.title, m_file.author), "quiet", this);
    name->setWordWrap(true);
    column->addWidget(name);
    addLinks(column);
    addAcknowledgement(column);
    m_progress = makeLabel({}, "caption", this);
    m_progress->setWordWrap(true);
    column->addWidget(m_progress);
    m_share = linkButton({}, u"shareProgress"_s, this);
    connect(m_share, &QPushButton::clicked, this, [this] { emit sharesChanged(!m_place.shares); });
    column->addWidget(m_share, 0, Qt::AlignLeft);
    auto* again = linkButton(tr("Begin this exercise again"), u"again"_s, this);
    connect(again, &QPushButton::clicked, this, &ClassPanel::againWanted);
    column->addWidget(again, 0, Qt::AlignLeft);
    auto* leave = linkButton(tr("Leave the class"), u"leave"_s, this);
    leave->setNote(tr("The design stays as it is, with all fields open; where you are in the class is kept."));
    connect(leave, &QPushButton::clicked, this, &ClassPanel::leaveWanted);
    column->addWidget(leave, 0, Qt::AlignLeft);
    return about;
}

void ClassPanel::addLinks(QVBoxLayout* column)
{
    for (const ClassLink& link : m_file.links) {
        auto* button = linkButton(
            tr("%1 (%2)").arg(link.title, QUrl(link.url).host()), u"link"_s, this); // where it leads is said
        button->setNote(tr("Opens %1 in the browser").arg(link.url));
        connect(button, &QPushButton::clicked, this, [this, url = link.url] { emit linkWanted(url); });
        column->addWidget(button, 0, Qt::AlignLeft);
    }
}

void ClassPanel::addAcknowledgement(QVBoxLayout* column)
{
    if (m_file.acknowledgement.isEmpty())
        return;
    auto* text = makeLabel(m_file.acknowledgement, "caption", this);
    text->setWordWrap(true);
    column->addWidget(text);
    auto* copy = linkButton(tr("Copy the acknowledgement"), u"copyAcknowledgement"_s, this);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(m_file.acknowledgement); });
    column->addWidget(copy, 0, Qt::AlignLeft);
}

void ClassPanel::buildFoot(QVBoxLayout* column)
{
    column->addWidget(makeLine(Qt::Horizontal, this));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 12, 8);
    m_back = linkButton({}, u"previousExercise"_s, this);
    m_back->setIcon(lineIcon(u"chevron-left"_s));
    m_next = linkButton({}, u"nextExercise"_s, this);
    m_next->setIcon(lineIcon(u"chevron-right"_s));
    m_next->setLayoutDirection(Qt::RightToLeft); // the arrow behind the words
    row->addWidget(m_back);
    row->addStretch(1);
    row->addWidget(m_next);
    column->addLayout(row);
    connect(m_back, &QPushButton::clicked, this, [this] { emit exerciseWanted(exercise() - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { emit exerciseWanted(exercise() + 1); });
}

void ClassPanel::setPlace(const ClassPlace& place)
{
    const std::optional<int> before = m_exercise;
    m_place = place;
    m_exercise = place.index(m_file);
    if (before != m_exercise)
        m_verdicts.clear();
    showExercise();
    if (before != m_exercise) {
        m_title->setText(current().title);
        setTermText(m_task, current().task);
        m_checks->setVerdicts({});
        m_scroll->ensureVisible(0, 0);
    }
}

void ClassPanel::showExercise()
{
    const ClassExercise& exercise = current();
    QList<bool> done;
    for (const ClassExercise& one : m_file.exercises)
        done.append(m_place.done.contains(one.id));
    m_bars->setExercises(done, this->exercise());
    m_count->setText(tr("Exercise %1 of %2").arg(this->exercise() + 1).arg(m_file.exercises.size()));
    m_hints->setContents({exercise.hints, m_place.hints.value(exercise.id), exercise.solutionText,
        exercise.solution.has_value(), m_place.solutions.contains(exercise.id)});
    const QSet<FieldPath> open = openFields(m_file, exercise);
    m_form->setShownFields(open);
    m_openHead->setVisible(!open.isEmpty());
    m_form->setVisible(!open.isEmpty());
    const QList<LockedList::Line> locked = lockedLines(m_file, exercise, m_design);
    m_locked->setLines(locked);
    m_lockedHead->setVisible(!locked.isEmpty());
    const bool mayShare = !m_file.progressFolder.isEmpty();
    m_progress->setVisible(mayShare);
    const QString who = m_place.name.isEmpty() ? m_place.alias : tr("%1 (%2)").arg(m_place.alias, m_place.name);
    m_progress->setText(m_place.shares
            ? tr("Your steps are noted for the teacher in %1, as %2.").arg(m_file.progressFolder, who)
            : tr("Nothing is noted for the teacher."));
    m_share->setVisible(mayShare);
    m_share->setWhole(m_place.shares ? tr("Note no more") : tr("Note my steps for the teacher …"));
    showFoot();
}

void ClassPanel::showFoot()
{
    const int count = int(m_file.exercises.size());
    const bool nextHadFocus = m_next->hasFocus();
    const bool backHadFocus = m_back->hasFocus();
    m_back->setVisible(exercise() > 0);
    m_back->setWhole(tr("Exercise %1").arg(exercise()));
    m_next->setVisible(exercise() + 1 < count);
    const int next = exercise() + 2;
    const auto checks = current().checks.size();
    const bool done = m_place.done.contains(current().id);
    m_next->setEnabled(isNextOpen());
    m_next->setWhole(done         ? tr("Next: exercise %1").arg(next)
            : m_next->isEnabled() ? tr("Exercise %1").arg(next)
                                  : tr("Exercise %1 opens at %2 of %2").arg(next).arg(checks));
    const QString why = done  ? QString()
        : m_next->isEnabled() ? tr("Not all checks of this exercise have been seen yet.")
                              : tr("It opens when all checks of this exercise were seen, or its solution was shown.");
    m_next->setNote(why);
    // A button that has gone must not take the focus with it.
    if (nextHadFocus && m_next->isHidden())
        m_back->setFocus(Qt::OtherFocusReason);
    else if (backHadFocus && m_back->isHidden())
        m_next->setFocus(Qt::OtherFocusReason);
}

bool ClassPanel::isNextOpen() const
{
    const QString& id = current().id;
    if (m_isPreview || current().checks.isEmpty() || m_place.done.contains(id) || m_place.solutions.contains(id))
        return true;
    return !m_verdicts.isEmpty() && std::none_of(m_verdicts.cbegin(), m_verdicts.cend(), [](const CheckVerdict& one) {
        return one.state == CheckState::NotYet;
    });
}

void ClassPanel::setVerdicts(const QList<CheckVerdict>& verdicts)
{
    m_verdicts = verdicts;
    m_checks->setVerdicts(verdicts);
    showFoot();
}

void ClassPanel::setPreview()
{
    m_isPreview = true;
    showFoot();
}

void ClassPanel::pointTo(const FieldPath& field)
{
    if (QWidget* line = m_locked->mark(field))
        m_scroll->ensureWidgetVisible(line, 0, 40);
}

void ClassPanel::showChecks() { m_scroll->ensureWidgetVisible(m_checks, 0, 40); }

void ClassPanel::focusFirst()
{
    for (const FieldPath& path : current().open.isEmpty() ? m_file.open : current().open) {
        m_form->focusField(path);
        if (m_form->isAncestorOf(focusWidget()))
            return;
    }
    for (QPushButton* button : {m_next, m_back}) {
        if (!button->isHidden() && button->isEnabled()) {
            button->setFocus(Qt::OtherFocusReason);
            return;
        }
    }
    m_scroll->setFocus(Qt::OtherFocusReason);
    focusNextPrevChild(true);
}

void ClassPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    setTermText(m_task, current().task); // the dots of its links need the font that it is shown in
}

} // namespace rankwright
