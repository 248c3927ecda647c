// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QScrollArea>

namespace rankwright {

/// The Live page's right column: what is to be said above, the curves below. The upper part ends where the map beside
/// it ends, so that the page keeps its lines; when it has more to say it takes room from the lower part, which keeps
/// what it needs. Places its two children; owns nothing of what they show.
class LiveSideColumn final : public QWidget {
    Q_OBJECT
public:
    /// `notes`: inside of `upper`, whose content says how much there is to say; `beside`: the map's card.
    LiveSideColumn(QWidget& upper, QScrollArea& notes, QWidget& lower, QWidget& beside, QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrangeCards();
    int wantedHeight() const;

    QWidget& m_upper;
    QScrollArea& m_notes;
    QWidget& m_lower;
    QPointer<QWidget> m_beside;
};

} // namespace rankwright
