// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/exerciseeditor.h"

#include "models/planner/design/enumwords.h"
#include "models/planner/design/fieldtable.h"
#include "models/teaching/classroom/classreader.h"
#include "widgets/base/card.h"
#include "widgets/classroom/checklisteditor.h"
#include "widgets/classroom/faultfield.h"
#include "widgets/classroom/openfieldschooser.h"
#include "widgets/form/designfields.h"

#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

QStringList split(const QString& text) { return text.split(QRegularExpression(u"[,\\s]+"_s), Qt::SkipEmptyParts); }

QString exerciseFault(const QString& text)
{
    for (const QString& path : split(text))
        if (specField(path) == nullptr)
            return ExerciseEditor::tr("“%1” is not a field of a design.").arg(path.left(60));
    return {};
}

/// "1 × 8 GPUs, torchrun, DDP, train.py"
QString described(const JobSpec& spec)
{
    const auto count = [](const std::optional<int>& number) { return number ? QString::number(*number) : u"?"_s; };
    QStringList parts{
        ExerciseEditor::tr("%1 × %2 GPUs").arg(count(spec.resources.nodes), count(spec.resources.gpusPerNode))};
    if (spec.launcher)
        parts.append(toText(*spec.launcher));
    if (spec.parallel.strategy)
        parts.append(QString(titleOf(*spec.parallel.strategy)));
    parts.append(spec.command.value_or(u"train.py"_s));
    return parts.join(u", "_s);
}

/// What the solution changes, by the labels of the form: what should be open.
QString changes(const JobSpec& start, const JobSpec& solution)
{
    QStringList labels;
    for (const DesignField& field : designFields())
        if (!field.label.isEmpty() && field.text && field.text(start) != field.text(solution))
            labels.append(field.label);
    return labels.isEmpty() ? ExerciseEditor::tr("changes nothing")
                            : ExerciseEditor::tr("changes: %1").arg(labels.join(u", "_s));
}

} // namespace

ExerciseEditor::ExerciseEditor(QWidget* parent) : QWidget(parent)
{
    auto* form = new QFormLayout(this);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_id = new FaultField(
        form, tr("Id"), u"two-nodes"_s,
        [this](const QString& text) {
            static const QRegularExpression plain(u"^[A-Za-z0-9][A-Za-z0-9-]{0,39}$"_s);
            if (!plain.match(text).hasMatch())
                return tr("Letters, digits and hyphens.");
            return m_others.contains(text) ? tr("Another exercise has this name.") : QString();
        },
        this);
    m_title = new FaultField(
        form, tr("Title"), {},
        [](const QString& text) {
            return text.isEmpty() || text.size() > classbounds::lineLength ? tr("One line of text.") : QString();
        },
        this);
    m_title->line()->setAccessibleName(tr("Title of the exercise")); // the class has one, too
    m_task = addText(
        form, tr("Task"), tr("A few sentences; [gcd] or [gcd|die] marks a word that the program explains."), 96);
    m_open = new FaultField(form, tr("Open fields"), tr("as the class says"), exerciseFault, this);
    m_open->line()->setToolTip(tr("Fields that attendees may edit, with blanks between: resources.nodes launcher"));
    new OpenFieldsChooser(*m_open);
    addDesigns(form);
    m_checks = new CheckListEditor(this);
    form->addRow(makeLabel(tr("Checks"), "quiet", this), m_checks);
    m_hints = addText(form, tr("Hints"), tr("Shown one by one; an empty line between two."), 72);
    m_solutionText = addText(form, tr("Solution in words"), {}, 60);
    for (FaultField* field : {m_id, m_title, m_open})
        connect(field, &FaultField::edited, this, &ExerciseEditor::readFields);
    connect(m_checks, &CheckListEditor::edited, this, &ExerciseEditor::readFields);
}

QPlainTextEdit* ExerciseEditor::addText(QFormLayout* form, const QString& name, const QString& placeholder, int height)
{
    auto* text = new QPlainTextEdit(this);
    text->setAccessibleName(name);
    text->setPlaceholderText(placeholder);
    text->setTabChangesFocus(true);
    text->setFixedHeight(height);
    auto* label = makeLabel(name, "quiet", this);
    label->setBuddy(text);
    form->addRow(label, text);
    connect(text, &QPlainTextEdit::textChanged, this, &ExerciseEditor::readFields);
    return text;
}

void ExerciseEditor::addDesigns(QFormLayout* form)
{
    const auto row = [this, form](const QString& name, const QString& button, const QString& objectName) {
        auto* whole = new QWidget(this);
        auto* line = new QHBoxLayout(whole);
        line->setContentsMargins(0, 0, 0, 0);
        auto* what = makeLabel({}, "plain", whole);
        what->setWordWrap(true);
        auto* takes = new QPushButton(button, whole);
        takes->setObjectName(objectName);
        line->addWidget(what, 1);
        line->addWidget(takes);
        form->addRow(makeLabel(name, "quiet", this), whole);
        return std::pair(what, takes);
    };
    const auto [start, takesStart] = row(tr("Begins with"), tr("Take the present design"), u"takeStart"_s);
    const auto [solution, takesSolution] = row(tr("Solution"), tr("Take the present design"), u"takeSolution"_s);
    takesStart->setAccessibleName(tr("Begin with the present design"));
    takesSolution->setAccessibleName(tr("The present design is the solution"));
    for (QPushButton* takes : {takesStart, takesSolution})
        takes->setToolTip(tr("What the Design page of the window shows now: make it there, then take it here"));
    m_start = start;
    m_solution = solution;
    m_noSolution = new QPushButton(tr("No solution"), this);
    m_noSolution->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    form->addRow(QString(), m_noSolution);
    connect(takesStart, &QPushButton::clicked, this, [this] {
        m_exercise.start = m_present;
        showDesigns();
        emit edited();
    });
    connect(takesSolution, &QPushButton::clicked, this, [this] {
        m_exercise.solution = m_present;
        showDesigns();
        emit edited();
    });
    connect(m_noSolution, &QPushButton::clicked, this, [this] {
        m_exercise.solution.reset();
        showDesigns();
        emit edited();
    });
}

void ExerciseEditor::setExercise(const ClassExercise& exercise, const QStringList& former, const QStringList& others)
{
    m_others = others;
    m_id->check();
    m_checks->setChecks(exercise.checks, former);
    if (exercise == m_exercise)
        return;
    m_fills = true;
    m_exercise = exercise;
    m_id->setText(exercise.id);
    m_title->setText(exercise.title);
    m_task->setPlainText(exercise.task);
    m_open->setText(exercise.open.join(u' '));
    m_hints->setPlainText(exercise.hints.join(u"\n\n"_s));
    m_solutionText->setPlainText(exercise.solutionText);
    m_fills = false;
    showDesigns();
}

void ExerciseEditor::readFields()
{
    if (m_fills)
        return;
    m_exercise.id = m_id->text();
    m_exercise.title = m_title->text();
    m_exercise.task = m_task->toPlainText().trimmed();
    m_exercise.open = split(m_open->text());
    m_exercise.checks = m_checks->checks();
    m_exercise.hints.clear();
    for (const QString& hint : m_hints->toPlainText().split(QRegularExpression(u"\\n\\s*\\n"_s)))
        if (!hint.trimmed().isEmpty())
            m_exercise.hints.append(hint.trimmed());
    m_exercise.solutionText = m_solutionText->toPlainText().trimmed();
    emit edited();
}

void ExerciseEditor::showDesigns()
{
    m_start->setText(described(m_exercise.start));
    m_solution->setText(m_exercise.solution
            ? described(*m_exercise.solution) + u'\n' + changes(m_exercise.start, *m_exercise.solution)
            : tr("none"));
    m_noSolution->setVisible(m_exercise.solution.has_value());
}

int ExerciseEditor::faults() const
{
    int count = 0;
    for (const FaultField* field : {m_id, m_title, m_open})
        count += field->fault().isEmpty() ? 0 : 1;
    return count;
}

} // namespace rankwright
