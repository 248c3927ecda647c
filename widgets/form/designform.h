// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/scrollpage.h"
#include "widgets/form/formbuilder.h"

#include <QElapsedTimer>
#include <QMap>
#include <QSet>

#include <optional>

class QLineEdit;

namespace rankwright {

class ProgramRows;

/// The form at the left of the Design page: the fields that matter first, the rest folded by section, and a search over
/// all of them. One row per field of the design, all edits through Design::edit, each
/// field's keystrokes without a pause merged into one undo step. Shows placeholders with their reasons for what the
/// design leaves open. Text that cannot be read stays in its field with a sentence below it, and the design stays as it
/// was.
class DesignForm final : public ScrollPage {
    Q_OBJECT
public:
    explicit DesignForm(Design& design, QWidget* parent = nullptr);
    ~DesignForm() override;

    /// Unfolds the field's section and gives it the focus. False: no row of it is shown.
    bool focusField(const FieldPath& path);
    /// Goes to the first field whose text cannot be read. False: there is none.
    bool focusUnreadable();
    /// Puts the cursor into the search; a person types a name, a word of Slurm or its option, Enter goes there.
    void openSearch();
    /// Sections that are unfolded, by name ("model", "slurm"), for keeping.
    QStringList openSections() const;
    void setOpenSections(const QStringList& names);
    /// What a field without options of its own offers to choose from (accounts that the site reported).
    void suggest(const FieldPath& path, const QStringList& values);
    /// Marks the label of a field, that of the script line with the cursor; empty: none.
    void lightField(const FieldPath& path);
    /// How many fields hold text that cannot be read.
    int unreadableFields() const;
    /// Only these rows, all unfolded, without search and reason, as high as they are: whoever holds the form scrolls.
    /// Empty optional: all of them, as usual.
    void setShownFields(const std::optional<QSet<FieldPath>>& fields);

signals:
    void fieldFocused(const rankwright::FieldPath& path);
    /// The mouse is over a field of an author's script; empty: no longer.
    void fieldHovered(const rankwright::FieldPath& path);
    void lineRequested(int line); ///< 0 based: of the script, where a field is to be changed
    void unreadableChanged();
    void sectionsChanged(); ///< one was folded or unfolded by a person

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    QList<QWidget*> buildFirst(FormBuilder& builder, const QList<DesignField>& fields);
    QList<QWidget*> buildFolds(FormBuilder& builder, const QList<DesignField>& fields);
    void buildProgram(FormBuilder& builder);
    void buildSearch(FormBuilder& builder);
    void buildWhy(FormBuilder& builder);
    void search(const QString& text);
    bool isWanted(const FormRow& row) const;
    void fitRows();
    void goToFound();
    void bringIntoView(const FormRow& row);
    void refreshFolds();
    bool updateTroubles(); ///< true: they are others than before
    void refreshTroubles();
    void connectRow(int index);
    void read(int index, const QString& text);
    void leaveField(int index);
    QString stepOf(const FormRow& row);
    void refresh();
    void refreshRow(FormRow& row);
    void setFault(FormRow& row, const QString& fault);
    void showTie(FormRow& row);
    void setNote(FormRow& row, const QString& sentence, int line);
    void refreshProgram();
    QString placeholderOf(const FormRow& row) const;
    QStringList explain(const FormRow& row) const;

    Design& m_design;
    QList<FormRow> m_rows; ///< in the order of the field table
    QMap<FieldGroup, FormFold*> m_folds;
    FormFold* m_programFold = nullptr;
    ProgramRows* m_program = nullptr;
    QString m_refusal; ///< of the edit that is being made
    QLineEdit* m_search = nullptr;
    QLabel* m_nothingFound = nullptr;
    QWidget* m_why = nullptr;
    QLabel* m_summary = nullptr;
    QSet<FieldPath> m_troubled; ///< fields that a finding is about
    std::optional<QSet<FieldPath>> m_only; ///< rows that are shown at all; empty: all
    QElapsedTimer m_sinceTyping; ///< invalid: no typing under way
    int m_step = 0; ///< of undo
};

} // namespace rankwright
