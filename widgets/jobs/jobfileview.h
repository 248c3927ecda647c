// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QWidget>

#include <optional>

class QPlainTextEdit;
class QTreeWidget;

namespace rankwright {

/// One thing in a job file, as a list shows it.
struct JobFileItem {
    QString name; ///< in the file
    QString what; ///< for people: "the batch script"
    qint64 bytes = 0;
    std::optional<QByteArray> text; ///< UTF-8; empty: it is not text
    bool operator==(const JobFileItem&) const = default;
};

/// What is in a job file: a list with sizes and, of the chosen one, its text to be looked through. Whatever the text
/// holds is shown as plain characters; of a long one the beginning and the end. Runs and opens nothing.
class JobFileView final : public QWidget {
    Q_OBJECT
public:
    /// Of a longer text this much of its beginning, and of its end, is shown.
    static constexpr qsizetype mostShown = 64 << 10;

    explicit JobFileView(QWidget* parent = nullptr);

    void setItems(const QList<JobFileItem>& items);
    const QList<JobFileItem>& items() const { return m_items; }
    /// Chooses the first of this name; nothing where there is none.
    void choose(const QString& name);
    QString shownText() const;

private:
    void showChosen();

    QList<JobFileItem> m_items;
    QTreeWidget* m_list = nullptr;
    QPlainTextEdit* m_text = nullptr;
};

} // namespace rankwright
