// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QGridLayout;

namespace rankwright {

class ElidingLabel;

/// The Live page's background: its grid of cards with a quiet line at the bottom; framed and tinted while the page
/// shows the past, so that it is not mistaken for the present.
class LiveFrame final : public QWidget {
    Q_OBJECT
public:
    explicit LiveFrame(QWidget* parent = nullptr);

    QGridLayout* cards() const { return m_cards; }
    void setFooter(const QString& text);
    QString footer() const;
    void setPast(bool past);
    bool isPast() const { return m_past; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QGridLayout* m_cards = nullptr;
    ElidingLabel* m_footer = nullptr;
    bool m_past = false;
};

} // namespace rankwright
