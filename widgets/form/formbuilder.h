// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/fieldeditor.h"

class QGridLayout;
class QLabel;

namespace rankwright {

class FormFold;

/// One row: label, editor, and below a sentence that is there only when the text cannot be read.
struct FormRow {
    DesignField field;
    QLabel* label = nullptr;
    FieldEditor* editor = nullptr;
    QLabel* fault = nullptr;
    QLabel* note = nullptr; ///< why an author's script does not let it be changed; hidden while it does
    QString shown; ///< what the design said when it was last shown ...
    QString typed; ///< ... and what the editor held then, perhaps in another spelling
    QString usual; ///< the text of a design that says nothing
    QStringList reported; ///< by its tool tip
    FormFold* fold = nullptr; ///< folds it away; null: always in view
    bool found = true; ///< by what is searched for
    bool isRefused = false; ///< its text could not be put into an author's script
};

/// Builds form rows from the field table, so that label, buddy, accessible name, help and tab order cannot be
/// forgotten. Owns nothing: the parent does.
class FormBuilder {
public:
    FormBuilder(QWidget* parent, QGridLayout* grid);

    QLabel* section(const QString& title);
    FormRow row(const DesignField& field, const Design& design, QLabel* sectionLabel);
    /// Anything else over both columns.
    void add(QWidget* widget);

private:
    QWidget* m_parent;
    QGridLayout* m_grid;
    int m_next = 0;
};

} // namespace rankwright
