// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

class QVBoxLayout;

namespace rankwright {

/// What a notice is about.
enum class Notice {
    Catalogue,
    Connection,
    Controller, ///< the queue is not answered
    Document,
    Draft,
    Export,
    JobCancel,
    JobEnd,
    Learning,
    Recording,
    Recovery, ///< of a submission whose answer was lost
};

/// A later notice with the same key replaces the earlier one.
struct NoticeKey {
    NoticeKey(Notice notice, const QString& of = {}) : about(notice), job(of) { } // NOLINT(google-explicit-constructor)
    Notice about;
    QString job; ///< of those that are beside each other, one per job
    bool operator==(const NoticeKey&) const = default;
};

/// Messages under the top bar, one line each, each with at most one action and a way to dismiss it. A message with a
/// key that is there already replaces it. Hidden when empty.
class NoticeBar final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(NoticeBar)
public:
    explicit NoticeBar(QWidget* parent = nullptr);

    void showNotice(
        const NoticeKey& key, const QString& text, const QString& actionText, const std::function<void()>& action);
    void clearNotice(const NoticeKey& key);
    int count() const;
    QString textOf(const NoticeKey& key) const;

private:
    QWidget* rowOf(const NoticeKey& key) const;

    QVBoxLayout* m_rows = nullptr;
};

} // namespace rankwright
