// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

class QVBoxLayout;

namespace rankwright {

/// Messages under the top bar, one line each, each with at most one action and a way to dismiss it. A message with a
/// key that is there already replaces it. Hidden when empty.
class NoticeBar final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(NoticeBar)
public:
    explicit NoticeBar(QWidget* parent = nullptr);

    void showNotice(
        const QString& key, const QString& text, const QString& actionText, const std::function<void()>& action);
    void clearNotice(const QString& key);
    int count() const;
    QString textOf(const QString& key) const;

private:
    QWidget* rowOf(const QString& key) const;

    QVBoxLayout* m_rows = nullptr;
};

} // namespace rankwright
