// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/trainingprogress.h"

#include <QWidget>

#include <set>

class QComboBox;
class QLineEdit;
class QToolButton;

namespace rankwright {

class LogPane;

/// A job's output: the newest lines (bounded), filtered by rank, searched, followed. Its controls are a widget of
/// their own, so that a card can put them into its head.
class JobLogView final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobLogView)
public:
    static constexpr int maxLines = 20'000;

    explicit JobLogView(QWidget* parent = nullptr);

    void clear();
    void append(const QList<LogLine>& lines);
    /// Only this rank's lines (and those without a rank); empty: all.
    void setRankFilter(std::optional<int> rank);
    std::optional<int> rankFilter() const;
    bool isFollowing() const;
    QWidget* controls() const { return m_controls; }
    /// In the order of the keyboard.
    QList<QWidget*> tabStops() const;
    QString shownText() const;
    qsizetype lineCount() const { return m_lines.size(); }

private:
    void buildControls();
    void rebuild();
    bool passes(const LogLine& line) const;
    void keep(const LogLine& line);
    void scrollToEnd();
    void search(bool backward);

    QList<LogLine> m_lines;
    std::set<int> m_ranks;
    QWidget* m_controls = nullptr;
    QComboBox* m_filter = nullptr;
    QLineEdit* m_find = nullptr;
    QToolButton* m_follow = nullptr;
    LogPane* m_pane = nullptr;
    bool m_moving = false; ///< we scroll, not the user
};

} // namespace rankwright
