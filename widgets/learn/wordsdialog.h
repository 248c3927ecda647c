// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/document/design.h"
#include "models/teaching/learn/explanation.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QScrollArea;

namespace rankwright {

class ExplanationView;

/// Help, Words and questions: the questions that learners ask and every term, searchable, with the design's own numbers
/// at the right. Typing searches wherever the focus is, arrows move in the list, Enter goes to the explanation.
class WordsDialog final : public QDialog {
    Q_OBJECT
public:
    /// `design` must outlive the dialog.
    explicit WordsDialog(const Design& design, QWidget* parent = nullptr);

    /// Shows it, at a term or question of this id, else with the text in its search; empty: as it is.
    void showAt(const QString& text);
    /// For the sentence to acknowledge; see acknowledgement().
    void setCourse(const QString& name, const QString& given);
    const Explanation& shown() const;
    QString acknowledgementText() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildList();
    QWidget* buildDetail();
    void fill(const QString& search);
    void addHead(const QString& title);
    void addRow(LearnHit::Kind kind, const QString& id);
    void selectFirst();
    bool select(const QString& id);
    void designChanged();
    void showCurrent();
    void copy(const QString& text, const QString& what);

    const Design& m_design;
    QLineEdit* m_search = nullptr;
    QListWidget* m_list = nullptr;
    QLabel* m_count = nullptr;
    QLabel* m_done = nullptr;
    QScrollArea* m_scroll = nullptr;
    ExplanationView* m_view = nullptr;
    QString m_word; ///< of the site, as the list was written with it
    QString m_course;
    QString m_given;
};

} // namespace rankwright
