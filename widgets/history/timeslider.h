// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/history/timestrip.h"

#include <QFrame>

class QComboBox;
class QLabel;
class QPushButton;
class QToolButton;

namespace rankwright {

/// The strip under the Live page's header: hold and play, steps, speed, the job's whole time, which moment is shown and
/// the way back to live. Shows and asks; the caller moves the time (ReplayClock).
class TimeSlider final : public QFrame {
    Q_OBJECT
public:
    explicit TimeSlider(QWidget* parent = nullptr);

    /// What is shown now.
    struct State {
        qint64 momentMs = 0;
        bool live = true; ///< the newest of a job that goes on
        bool playing = false;
        bool growing = true; ///< the job still reports: there is a live edge
        double speed = 1;
        bool operator==(const State&) const = default;
    };
    void setState(const State& state);
    const State& state() const { return m_state; }
    void setOverview(const TimeOverview& overview);
    const TimeOverview& overview() const { return m_strip->overview(); }
    TimeStrip& strip() const { return *m_strip; }
    QList<QWidget*> tabStops() const;

signals:
    void momentPicked(qint64 ms);
    void stepped(qint64 byMs);
    void endWanted();
    void playToggled();
    void speedStepped(int by);
    void speedChosen(double speed);

private:
    void refresh();

    State m_state;
    QToolButton* m_back = nullptr;
    QToolButton* m_play = nullptr;
    QToolButton* m_forward = nullptr;
    QComboBox* m_speed = nullptr;
    TimeStrip* m_strip = nullptr;
    QLabel* m_word = nullptr;
    QLabel* m_age = nullptr;
    QPushButton* m_end = nullptr;
};

/// "1/4x", "60x"
QString speedText(double speed);

} // namespace rankwright
