// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace rankwright {

/// The commonest mistakes of first logins: those that fit what was seen, and on request all of them.
class MistakeList final : public QWidget {
    Q_OBJECT
public:
    explicit MistakeList(QWidget* parent = nullptr);
    /// Ids of loginMistakes(), likeliest first.
    void showLikely(const QStringList& ids);

private:
    void rebuild();

    QStringList m_likely;
    bool m_showsAll = false;
    QLabel* m_heading = nullptr;
    QVBoxLayout* m_texts = nullptr;
    QPushButton* m_more = nullptr;
};

} // namespace rankwright
