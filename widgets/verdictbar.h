// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/document/design.h"
#include "models/document/submitstate.h"

#include <QTimer>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace rankwright {

class FigureButton;

/// The row at the foot of the Design page: verdict, figures, Dry run and Launch; above it one line with what goes on,
/// how it ended or why Launch is off. Shows; does not submit.
class VerdictBar final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(VerdictBar)
public:
    explicit VerdictBar(QWidget* parent = nullptr);

    /// `findings`: the design's, and those of lines that a person wrote into the script.
    void setDerived(const Derived& derived, const QList<Finding>& findings, int unreadableFields);
    void showSubmitState(const SubmitState& state);
    void setLaunchBlocked(const QString& why);
    /// The design is another one than the scheduler was asked about.
    void setForecastOutdated();

signals:
    void rehearseRequested();
    void launchRequested();
    void stopRequested();
    void connectRequested();
    void showJobRequested(const QString& jobId);
    void findingsRequested();
    void fieldRequested(const rankwright::FieldPath& field);

private:
    void buildLine();
    void buildRow();
    FigureButton* addFigure(QHBoxLayout* row, const FieldPath& leadsTo);
    void showFigures(const Derived& derived);
    void showCost(const Derived& derived);
    void showStart();
    void updateLine();
    void updateButtons();
    QString blockReason() const;

    QWidget* m_line = nullptr;
    QLabel* m_lineText = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_lineAction = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_pill = nullptr;
    FigureButton* m_ranks = nullptr;
    FigureButton* m_batch = nullptr;
    FigureButton* m_cost = nullptr;
    FigureButton* m_start = nullptr;
    QPushButton* m_rehearse = nullptr;
    QPushButton* m_launch = nullptr;
    QTimer m_ageing; ///< "asked 2 min ago" grows old by itself

    SubmitState m_state;
    StartForecast m_forecast;
    QDateTime m_askedAt;
    bool m_outdated = false;
    QString m_blocked;
    int m_errors = 0;
    int m_unreadable = 0;
};

} // namespace rankwright
