// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/classpreviewdialog.h"

#include "models/teaching/classroom/classrules.h"
#include "widgets/base/card.h"
#include "widgets/base/wheelguard.h"
#include "widgets/classroom/classpanel.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

namespace {
constexpr QSize previewSize{400, 680};
}

ClassPreviewDialog::ClassPreviewDialog(const Catalogue& catalogue, const ClassFile& file, QWidget* parent)
    : QDialog(parent), m_file(file), m_design(new Design(catalogue, this))
{
    setWindowTitle(tr("Preview of a class"));
    new WheelGuard(this);
    auto* column = new QVBoxLayout(this);
    auto* words = makeLabel(
        tr("As attendees see it. Nothing can be launched here; your own design stays as it is."), "quiet", this);
    words->setWordWrap(true);
    column->addWidget(words);
    m_place.exercise = m_file.exercises.first().id;
    m_design->replace(startingSpec(m_file, m_file.exercises.first()));
    m_panel = new ClassPanel(*m_design, m_file, this);
    m_panel->setPreview();
    column->addWidget(m_panel, 1);
    auto* close = new QPushButton(tr("Close"), this);
    close->setAutoDefault(false);
    column->addWidget(close, 0, Qt::AlignRight);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_panel, &ClassPanel::leaveWanted, this, &QDialog::accept);
    connect(m_panel, &ClassPanel::termRequested, this, &ClassPreviewDialog::termRequested);
    connect(m_panel, &ClassPanel::exerciseWanted, this, [this](int index) {
        if (index >= 0 && index < m_file.exercises.size())
            goTo(index, startingSpec(m_file, m_file.exercises.at(index)));
    });
    connect(m_panel, &ClassPanel::againWanted, this,
        [this] { goTo(m_place.index(m_file), startingSpec(m_file, exercise())); });
    connect(m_panel, &ClassPanel::applyWanted, this, [this] {
        if (const auto spec = solutionSpec(m_file, exercise()))
            goTo(m_place.index(m_file), *spec);
    });
    connect(m_panel, &ClassPanel::hintWanted, this, [this] {
        ++m_place.hints[exercise().id];
        refresh();
    });
    connect(m_panel, &ClassPanel::solutionWanted, this, [this] {
        m_place.solutions.insert(exercise().id);
        refresh();
    });
    for (QPushButton* each : findChildren<QPushButton*>())
        each->setAutoDefault(false); // Enter in a field must not press any of them
    useRules();
    connect(m_design, &Design::changed, this, &ClassPreviewDialog::refresh);
    refresh();
    resize(previewSize);
}

void ClassPreviewDialog::goTo(int index, const JobSpec& spec)
{
    m_place.exercise = m_file.exercises.at(index).id;
    m_design->replace(spec);
    useRules();
    refresh();
}

/// The limits, as an attendee meets them.
void ClassPreviewDialog::useRules()
{
    m_design->setRules([file = m_file, present = exercise()](const ResolvedSpec& resolved) {
        return classFindings(file, present, resolved, QDateTime::currentDateTimeUtc());
    });
}

void ClassPreviewDialog::refresh()
{
    CheckContext context;
    context.derived = &m_design->derived();
    context.limits = m_file.limits;
    m_panel->setPlace(m_place);
    m_panel->setVerdicts(evaluate(exercise().checks, context));
}

} // namespace rankwright
