// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QTimer>
#include <QWidget>

#include <functional>

class QVBoxLayout;

namespace rankwright {

/// What a notice is about.
enum class Notice {
    Catalogue,
    Class, ///< that is attended or taught
    Connection,
    Controller, ///< the queue is not answered
    Document,
    Draft,
    Edit, ///< of the design, in a picture
    Export,
    JobCancel,
    JobEnd,
    JobFile, ///< a job as one file, saved or opened
    Launch, ///< why it cannot be
    Learning,
    Notifications, ///< of the desktop
    Recording,
    Recovery, ///< of a submission whose answer was lost
    RunningJob, ///< launched earlier, not seen to end
    Upload,
};

/// A later notice with the same key replaces the earlier one.
struct NoticeKey {
    // Nearly every message is the only one of its kind: its notice is its key.
    NoticeKey(Notice notice, const QString& of = {}) : about(notice), job(of) { } // NOLINT(google-explicit-constructor)
    Notice about;
    QString job; ///< of those that are beside each other, one per job
    bool operator==(const NoticeKey&) const = default;
};

/// One message, shown or gone.
struct Message {
    NoticeKey key;
    QString text;
    QString actionText; ///< empty: there is nothing to do
    std::function<void()> action;
    QDateTime at;
    bool over = false; ///< no longer so: its action is not offered any more
};

/// Messages at the lower right, over the page: nothing moves. Each has one line, at most one action, and goes after
/// some seconds, not while it is hovered or has the focus. A message that asks for a decision stays until it is
/// answered or dismissed; only the newest of them is shown. All of them are kept, newest first, with their actions, for
/// the list of messages. Lies over its parent and follows its size.
class Toasts final : public QWidget {
    Q_OBJECT
public:
    explicit Toasts(QWidget* parent);

    void showNotice(
        const NoticeKey& key, const QString& text, const QString& actionText, const std::function<void()>& action);
    /// Changes the text of the message with this key in place, without making it new; adds one where there is none.
    void updateNotice(
        const NoticeKey& key, const QString& text, const QString& actionText, const std::function<void()>& action);
    /// Adds it to the list without showing it: something else on screen says it.
    void addNotice(const NoticeKey& key, const QString& text);
    /// The message with this key no longer holds.
    void clearNotice(const NoticeKey& key);
    int count() const; ///< shown now
    QString textOf(const NoticeKey& key) const; ///< of those that are not over, shown or not
    const QList<Message>& messages() const { return m_messages; }
    void act(const NoticeKey& key); ///< does what the newest message of this key offers
    int unread() const { return m_unread; }
    void markRead();
    /// How long one stays; 0: until it is dismissed.
    void setSeconds(int seconds);
    int seconds() const { return m_seconds; }
    /// Height at the bottom of the parent that must stay free.
    void setClearance(int height);

signals:
    void changed(); ///< of the list

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* rowOf(const NoticeKey& key) const;
    void addRow(const Message& message);
    bool makeRoomForDecision();
    void removeRow(QWidget* row);
    void addMessage(const Message& message);
    void countDown();
    void placeToasts();

    QVBoxLayout* m_rows = nullptr;
    QList<Message> m_messages;
    QTimer m_clock;
    int m_seconds = 6;
    int m_unread = 0;
    int m_clearance = 0;
};

} // namespace rankwright
