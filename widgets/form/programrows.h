// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/document/authorscript.h"
#include "widgets/form/fieldeditor.h"

#include <QElapsedTimer>
#include <QTimer>

class QGridLayout;
class QLabel;
class QLineEdit;

namespace rankwright {

/// The fields of an author's script that a design has no row for: program, its arguments one by one, launcher, tasks,
/// container, modules, variables. One row for each that the script sets. Edits go to the script's text by
/// Design::editScript(); a refused one shows why, and the field returns to its value when it loses the focus.
class ProgramRows final : public QWidget {
    Q_OBJECT
public:
    ProgramRows(Design& design, QWidget* parent);
    ~ProgramRows() override;

    void refresh(); ///< after the design changed
    bool has(const FieldPath& path) const;
    bool focusField(const FieldPath& path);
    /// Marks the label of a field; empty: none. The row, where one is marked.
    QWidget* lightField(const FieldPath& path);
    int count() const { return int(m_said.size()); }
    /// Shows only the rows whose names contain all of the words searched for; no words: all rows. Returns whether there
    /// are any.
    bool search(const QStringList& words);
    FieldPath firstFound() const; ///< of the rows that the search shows; empty: none
    int unreadableFields() const;

signals:
    void fieldFocused(const rankwright::FieldPath& path);
    void fieldHovered(const rankwright::FieldPath& path); ///< empty: no longer
    void lineRequested(int line); ///< 0 based
    void rowsChanged(); ///< others are there

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Row {
        FieldPath path;
        QLabel* label = nullptr;
        FieldEditor* editor = nullptr;
        QLabel* note = nullptr;
        bool isRefused = false;
        bool isSwitch = false;
        int gridLine = 0; ///< after it
        ScriptField shown;
    };
    /// A row that is to be.
    struct Said {
        FieldPath path;
        bool isSwitch = false;
        bool operator==(const Said&) const = default;
    };
    void removeFrom(qsizetype index);
    void buildUpTo(qsizetype count);
    void buildRow(const Said& said);
    void refreshRow(Row& row);
    void read(const FieldPath& path, const QString& text);
    void leaveField(const FieldPath& path);
    void addArguments();
    void showNote(Row& row, const QString& text, int line);
    Row* rowOf(const FieldPath& path);
    bool isFound(const FieldPath& path) const;
    void showRow(const Row& row);
    void showAdded();

    Design& m_design;
    QWidget* m_body = nullptr; ///< rows; another one when other fields are there
    QLineEdit* m_added = nullptr;
    QLabel* m_addedNote = nullptr;
    QList<Said> m_said; ///< all rows, in their order
    QList<Row> m_rows; ///< the first ones of them: the others are built when the first ones are painted
    QStringList m_words; ///< that a person looks for
    QTimer m_others;
    QString m_refusal;
    QElapsedTimer m_sinceTyping;
    int m_step = 0;
};

/// A sentence with the line that it names as a link, whose target is that line's number from 1; without one, where
/// `line` is known, the link stands after it.
QString withLineLink(const QString& sentence, int line);

} // namespace rankwright
