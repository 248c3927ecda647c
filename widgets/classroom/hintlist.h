// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace rankwright {

/// Hints of an exercise, one by one in their order, and after the last the solution: confirmed once, then shown, with a
/// button that applies it to the design. Keeps no state: its owner says what was shown.
class HintList final : public QWidget {
    Q_OBJECT
public:
    explicit HintList(QWidget* parent = nullptr);

    struct Contents {
        QStringList hints;
        int shown = 0; ///< of them
        QString solution; ///< the teacher's words, with terms marked; may be empty
        bool hasSolution = false; ///< a design
        bool solved = false; ///< the solution is shown
        bool operator==(const Contents&) const = default;
    };
    void setContents(const Contents& contents);

signals:
    void hintWanted();
    void solutionWanted(); ///< and confirmed
    void applyWanted(); ///< the solution into the design
    void termRequested(const QString& term, QWidget* at);

private:
    void refresh();
    QLabel* addText(const QString& text);
    void askSolution(bool asked);

    Contents m_contents;
    QVBoxLayout* m_shown = nullptr; ///< of texts
    QList<QLabel*> m_texts;
    QPushButton* m_next = nullptr;
    QPushButton* m_solution = nullptr;
    QWidget* m_question = nullptr;
    QPushButton* m_show = nullptr;
    QPushButton* m_apply = nullptr;
    bool m_asks = false;
};

} // namespace rankwright
