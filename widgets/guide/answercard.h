// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QAbstractButton;
class QGridLayout;
class QLabel;
class QPushButton;
class QRadioButton;

namespace rankwright::inline teaching {
struct GuideAnswer;
} // namespace rankwright::inline teaching

namespace rankwright {

/// One answer as a card: a round button, plain words, the field's term, verdict with shape and word, one line of
/// figures, and “Why?”, which unfolds below. A click anywhere chooses it. Shows; decides nothing.
class AnswerCard final : public QFrame {
    Q_OBJECT
public:
    explicit AnswerCard(QWidget* parent = nullptr);

    void setAnswer(const GuideAnswer& answer);
    void setChosen(bool chosen);
    /// Prescribed by a class: nothing to choose.
    void setLocked(bool locked);
    QRadioButton* button() const { return m_button; }
    QPushButton* whyButton() const { return m_why; }
    bool isUnfolded() const;
    void setUnfolded(bool unfolded);

signals:
    void chosen(); ///< by a person
    void termRequested(const QString& term, QWidget* at);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void paintVerdict();

    QRadioButton* m_button = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_shape = nullptr;
    QLabel* m_verdict = nullptr;
    QLabel* m_detail = nullptr;
    QPushButton* m_why = nullptr;
    QFrame* m_well = nullptr;
    QLabel* m_reason = nullptr;
    int m_tone = 0; ///< a Tone
};

} // namespace rankwright
