// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace rankwright::inline teaching {
enum class GuideStep;
} // namespace rankwright::inline teaching

namespace rankwright {

struct GuideContent;

/// The foot of the guide: the job so far, whose parts lead to their steps, what is waited for, Back and Next.
class GuideBar final : public QFrame {
    Q_OBJECT
public:
    explicit GuideBar(QWidget* parent = nullptr);

    void setContent(const GuideContent& content);
    int leastWidth() const; ///< with the words above the buttons
    QPushButton* nextButton() const { return m_next; }
    QPushButton* backButton() const { return m_back; }

signals:
    void nextClicked();
    void backClicked();
    void stopClicked();
    void stepClicked(rankwright::GuideStep step);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void updateDirection();

    QBoxLayout* m_row = nullptr;
    QLabel* m_soFar = nullptr;
    QLabel* m_obstacle = nullptr;
    QWidget* m_buttons = nullptr;
    QLabel* m_activity = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_back = nullptr;
    QPushButton* m_next = nullptr;
    QLabel* m_key = nullptr;
};

} // namespace rankwright
