// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classfile.h"

#include <QWidget>

class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace rankwright {

class CheckListEditor;
class FaultField;

/// One exercise of a class, for its teacher: names, task, the design that it begins with and its solution (both taken
/// from the present design), open fields, checks, hints.
class ExerciseEditor final : public QWidget {
    Q_OBJECT
public:
    explicit ExerciseEditor(QWidget* parent = nullptr);

    /// `former`: ids of the exercises before it; `others`: of all others.
    void setExercise(const ClassExercise& exercise, const QStringList& former, const QStringList& others);
    const ClassExercise& exercise() const { return m_exercise; }
    /// What "take the present design" takes.
    void setPresent(const JobSpec& spec) { m_present = spec; }
    int faults() const;

signals:
    void edited();

private:
    QPlainTextEdit* addText(QFormLayout* form, const QString& name, const QString& placeholder, int height);
    void addDesigns(QFormLayout* form);
    void readFields();
    void showDesigns();

    ClassExercise m_exercise;
    JobSpec m_present;
    QStringList m_others;
    FaultField* m_id = nullptr;
    FaultField* m_title = nullptr;
    QPlainTextEdit* m_task = nullptr;
    FaultField* m_open = nullptr;
    QLabel* m_start = nullptr;
    QLabel* m_solution = nullptr;
    QPushButton* m_noSolution = nullptr;
    CheckListEditor* m_checks = nullptr;
    QPlainTextEdit* m_hints = nullptr;
    QPlainTextEdit* m_solutionText = nullptr;
    bool m_fills = false;
};

} // namespace rankwright
