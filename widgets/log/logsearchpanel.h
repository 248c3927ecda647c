// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/log/logpiece.h"

#include <QWidget>

class QLabel;
class QListWidget;
class QProgressBar;
class QToolButton;

namespace rankwright {

/// What a search through the whole file found: how far it is, and the lines, in the file's order; choosing one asks
/// for its surroundings.
class LogSearchPanel final : public QWidget {
    Q_OBJECT
public:
    explicit LogSearchPanel(QWidget* parent = nullptr);

    void begin(const QString& text);
    void add(const QList<LogHit>& hits);
    void show(const LogSearchState& state);
    int hitCount() const { return int(m_hits.size()); }
    QString summary() const;

signals:
    void hitChosen(const rankwright::LogHit& hit);
    void cancelled();

private:
    QList<LogHit> m_hits; ///< as in the list
    QString m_text;
    QLabel* m_summary = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton* m_stop = nullptr;
    QListWidget* m_list = nullptr;
};

} // namespace rankwright
