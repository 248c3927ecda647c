// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/motion/motions.h"

#include <QBasicTimer>
#include <QElapsedTimer>
#include <QWidget>

class QLabel;
class QToolButton;

namespace rankwright {

class MotionBar;
class MotionView;
class SegmentedControl;

/// The moving pictures of a design: which one, back, play, step, a bar of its frames and the sentence of the one that
/// is shown. Plays at most 30 times a second and only while it can be seen; with reduced motion it stands and is
/// stepped through. Keys: Space plays, Left and Right step, Home goes back to the beginning.
class MotionCard final : public QWidget {
    Q_OBJECT
public:
    explicit MotionCard(QWidget* parent = nullptr);

    /// The figures of the design as it is now. The picture and the frame that are shown stay where they can.
    void setFigures(const MotionFigures& figures);
    /// One picture alone, without a choice.
    void setOnly(MotionKind kind);
    void choose(MotionKind kind);
    void showFrame(int frame); ///< and stands there
    void setPlaying(bool playing);
    bool isPlaying() const { return m_clock.isActive(); }
    /// Beside what the theme says; for a page of its own.
    void setReducedMotion(bool reduced);
    MotionView& view() const { return *m_view; }
    MotionKind kind() const { return m_kind; }
    QString title() const;
    int frame() const;

signals:
    void titleChanged(const QString& title);

protected:
    void timerEvent(QTimerEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void buildControls();
    void offerKinds(const QList<MotionKind>& kinds);
    void refreshPicture();
    void refreshControls();
    void makeRoomForSentences();
    void step(int by);
    bool isStill() const;

    MotionFigures m_figures;
    MotionKind m_kind = MotionKind::AllReduce;
    std::optional<MotionKind> m_only;
    std::optional<MotionKind> m_wanted; ///< by a person; else the one that matters most is shown
    QList<MotionKind> m_kinds;
    QWidget* m_choiceRow = nullptr;
    SegmentedControl* m_choice = nullptr;
    MotionView* m_view = nullptr;
    MotionBar* m_bar = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_count = nullptr;
    QToolButton* m_back = nullptr;
    QToolButton* m_play = nullptr;
    QToolButton* m_next = nullptr;
    QBasicTimer m_clock;
    QElapsedTimer m_sinceFrame;
    qint64 m_waited = 0; ///< ms of the current frame that were over when the clock was started
    bool m_reducedMotion = false;
};

} // namespace rankwright
