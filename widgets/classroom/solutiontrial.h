// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/tone.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace rankwright {

/// "Run the solutions": the place, the button that starts and stops it, and its messages. Runs nothing itself.
class SolutionTrial final : public QWidget {
    Q_OBJECT
public:
    explicit SolutionTrial(QWidget* parent = nullptr);

    struct Place {
        QString cluster, title;
        bool operator==(const Place&) const = default;
    };
    /// The clusters to choose from; the current choice is kept.
    void setPlaces(const QList<Place>& places);
    /// Empty: they can be run; else why not.
    void setFault(const QString& why);
    /// `how`: "Solutions run on …"; the lines of an earlier run go.
    void showRunning(const QString& how);
    void addLine(const QString& line);
    /// It is over: one sentence.
    void showEnd(const QString& text, Tone tone);
    bool isRunning() const { return m_isRunning; }

signals:
    void runWanted(const QString& cluster);
    void stopWanted();

private:
    void updateButton();

    QComboBox* m_place = nullptr;
    QPushButton* m_run = nullptr;
    QProgressBar* m_busy = nullptr;
    QLabel* m_said = nullptr;
    QPlainTextEdit* m_lines = nullptr;
    QString m_fault;
    bool m_isRunning = false;
};

} // namespace rankwright
