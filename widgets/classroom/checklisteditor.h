// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classcheck.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QVBoxLayout;

namespace rankwright {

/// The checks of an exercise, for its teacher: chosen from what the program can see, each with the parameters that its
/// kind takes.
class CheckListEditor final : public QWidget {
    Q_OBJECT
public:
    explicit CheckListEditor(QWidget* parent = nullptr);

    /// `former`: ids of exercises that may be compared with.
    void setChecks(const QList<ClassCheck>& checks, const QStringList& former); ///< does not emit edited()
    const QList<ClassCheck>& checks() const { return m_checks; }

signals:
    void edited();

private:
    void addCheck();
    void removeCheck(int index);
    void rebuild(int focus);
    QWidget* rowOf(int index);
    QComboBox* kindField(int index, QWidget* parent);
    QWidget* parameterField(int index, QWidget* parent); ///< null: the kind takes none
    QComboBox* againstField(int index, QWidget* parent);
    QLineEdit* textField(int index, QWidget* parent);
    QLineEdit* hintField(int index, QWidget* parent);
    void change(int index, const std::function<void(ClassCheck&)>& how);
    void changeAndRebuild(int index, const std::function<void(ClassCheck&)>& how); ///< other fields are shown then

    QList<ClassCheck> m_checks;
    QStringList m_former;
    QVBoxLayout* m_column = nullptr;
    QWidget* m_body = nullptr;
};

} // namespace rankwright
