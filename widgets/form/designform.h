// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/scrollpage.h"
#include "widgets/form/formbuilder.h"

#include <QElapsedTimer>

namespace rankwright {

/// The form at the left of the Design page: one row per field of the design, all edits through Design::edit, each
/// field's keystrokes without a pause merged into one undo step. Shows placeholders with their reasons for what the
/// design leaves open. Text that cannot be read stays in its field with a sentence below it, and the design stays as it
/// was.
class DesignForm final : public ScrollPage {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DesignForm)
public:
    explicit DesignForm(Design& design, QWidget* parent = nullptr);

    void focusField(const FieldPath& path);
    /// What a field without options of its own offers to choose from (accounts that the site reported).
    void suggest(const FieldPath& path, const QStringList& values);
    /// Marks the label of a field, that of the script line with the cursor; empty: none.
    void lightField(const FieldPath& path);
    /// How many fields hold text that cannot be read.
    int unreadableFields() const;

signals:
    void fieldFocused(const rankwright::FieldPath& path);
    void unreadableChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void wire(int index);
    void read(int index, const QString& text);
    void leave(int index);
    QString stepOf(const FormRow& row);
    void refresh();
    void refreshRow(FormRow& row);
    void setFault(FormRow& row, const QString& sentence);
    QString placeholderOf(const FormRow& row) const;
    QStringList explain(const FormRow& row) const;

    Design& m_design;
    QList<FormRow> m_rows;
    QLabel* m_summary = nullptr;
    QElapsedTimer m_sinceTyping; ///< invalid: nobody is typing
    int m_step = 0; ///< of undo
};

} // namespace rankwright
