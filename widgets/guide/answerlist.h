// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/guide/guidestep.h"

#include <QWidget>

class QButtonGroup;
class QLabel;
class QVBoxLayout;

namespace rankwright {

class AnswerCard;

/// The answers of a question, one of them chosen: a column of cards that arrows move through, as through round buttons.
/// What is unfolded stays so while the same answers are shown.
class AnswerList final : public QWidget {
    Q_OBJECT
public:
    explicit AnswerList(QWidget* parent = nullptr);

    void setQuestion(const GuideQuestion& question);
    const QList<AnswerCard*>& cards() const { return m_cards; }
    /// The chosen one's button, for the focus; null: nothing can be chosen.
    QWidget* focusTarget() const;

signals:
    void answerChosen(const QString& id);
    void termRequested(const QString& term, QWidget* at);

private:
    void rebuild(const GuideQuestion& question);

    QVBoxLayout* m_column = nullptr;
    QLabel* m_locked = nullptr;
    QButtonGroup* m_group = nullptr;
    QList<AnswerCard*> m_cards;
    QStringList m_ids;
};

} // namespace rankwright
