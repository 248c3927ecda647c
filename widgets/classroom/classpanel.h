// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classplace.h"

#include <QWidget>

#include <optional>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

class ClassCheckList;
class DesignForm;
class ExerciseBars;
class HintList;
class LinkButton;
class LockedList;

/// An exercise of a class in the place of the design form: the task, what is checked, hints, the fields that are the
/// attendee's, what the class has set. Edits the design through the form alone; sends everything else. Every text of
/// the class is shown as it is, terms apart.
class ClassPanel final : public QWidget {
    Q_OBJECT
public:
    /// `design` must outlive the panel.
    ClassPanel(Design& design, ClassFile file, QWidget* parent = nullptr);

    const ClassFile& file() const { return m_file; }
    /// Which exercise, which hints were shown, what was reached.
    void setPlace(const ClassPlace& place);
    /// Which exercise is shown; the first until setPlace().
    int exercise() const { return m_exercise.value_or(0); }
    /// The next exercise opens when no check is missing, or once the solution was shown: an attendee is not held up by
    /// what cannot be known.
    void setVerdicts(const QList<CheckVerdict>& verdicts);
    /// All exercises are open: for the teacher.
    void setPreview();
    DesignForm& form() { return *m_form; }
    /// Marks the line of a field that the class has set; an open one has the focus already.
    void pointTo(const FieldPath& field);
    /// The checks in view.
    void showChecks();
    /// The focus on the first open field.
    void focusFirst();

signals:
    void exerciseWanted(int index);
    void hintWanted();
    void solutionWanted();
    void applyWanted(); ///< the solution into the design
    void againWanted(); ///< the exercise from its start
    void leaveWanted();
    void sharesChanged(bool shares); ///< agreed or no longer, by a person
    void linkWanted(const QString& url); ///< clicked; to be opened outside
    void termRequested(const QString& term, QWidget* at);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildHead(QVBoxLayout* column);
    void buildBody(QVBoxLayout* column);
    void buildFoot(QVBoxLayout* column);
    QWidget* buildAbout(QWidget* page);
    void addLinks(QVBoxLayout* column);
    void addAcknowledgement(QVBoxLayout* column);
    void showExercise();
    void showFoot();
    bool isNextOpen() const;
    const ClassExercise& current() const { return m_file.exercises.at(exercise()); }

    Design& m_design;
    const ClassFile m_file;
    ClassPlace m_place;
    std::optional<int> m_exercise; ///< that is shown; empty: none yet
    QList<CheckVerdict> m_verdicts; ///< of the present exercise; empty: not checked yet
    bool m_isPreview = false;
    QLabel* m_count = nullptr;
    ExerciseBars* m_bars = nullptr;
    QScrollArea* m_scroll = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_task = nullptr;
    ClassCheckList* m_checks = nullptr;
    HintList* m_hints = nullptr;
    QLabel* m_openHead = nullptr;
    DesignForm* m_form = nullptr;
    QLabel* m_lockedHead = nullptr;
    LockedList* m_locked = nullptr;
    QLabel* m_progress = nullptr;
    LinkButton* m_share = nullptr;
    LinkButton* m_back = nullptr;
    LinkButton* m_next = nullptr;
};

} // namespace rankwright
