// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/learn/explanation.h"

#include <QWidget>

class QFrame;
class QLabel;
class QPushButton;
class QScrollArea;

namespace rankwright {

class TermPicture;

/// One term or question: picture, name, sentences, the design's own numbers, related terms as links. Shows what it is
/// given; popover and glossary share it.
class ExplanationView final : public QWidget {
    Q_OBJECT
public:
    explicit ExplanationView(QWidget* parent = nullptr);

    void setExplanation(const Explanation& explanation);
    const Explanation& shown() const { return m_shown; }
    /// All of it as plain text, for the clipboard.
    QString plainText() const;
    QLabel* relatedLabel() const { return m_related; }

signals:
    void termRequested(const QString& id);
    void copied(const QString& text); ///< the lines of Python are on the clipboard

private:
    void buildCode();

    Explanation m_shown;
    TermPicture* m_picture = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_text = nullptr;
    QFrame* m_well = nullptr;
    QLabel* m_numbers = nullptr;
    QFrame* m_codeWell = nullptr; ///< lines of Python and their button
    QScrollArea* m_codeRoll = nullptr;
    QLabel* m_code = nullptr;
    QPushButton* m_copy = nullptr;
    QLabel* m_related = nullptr;
};

} // namespace rankwright
