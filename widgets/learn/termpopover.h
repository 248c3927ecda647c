// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/learn/explanation.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QPushButton;
class QScrollArea;

namespace rankwright {

class ExplanationView;

/// The explanation of one term, over the page and below what it belongs to, which it never covers: above or beside
/// if it does not fit below. Scrolls inside when the window is too small for it. Owned by its guide; decides
/// nothing about when it opens or closes.
class TermPopover final : public QFrame {
    Q_OBJECT
public:
    explicit TermPopover(QWidget* parent);

    enum class Focus { Stays, Taken };
    /// Opens for `anchor`, at `part` of it (in its coordinates; empty: all of it). With Focus::Taken the focus goes in,
    /// and back when it closes.
    void open(const Explanation& explanation, QWidget* anchor, const QRect& part, Focus focus);
    /// Another term in the same place.
    void showInstead(const Explanation& explanation);
    void shut();
    bool isOpen() const { return !isHidden(); }
    QWidget* anchor() const { return m_anchor; }
    const Explanation& shown() const;
    /// Whether "Show on my nodes" is offered for terms that the node picture shows.
    void setOffersNodes(bool offers) { m_offersNodes = offers; }

    /// Where a popover of a size goes beside an anchor, all in the coordinates of `room`. Never over the anchor unless
    /// no side of it has any room.
    static QRect placeFor(QSize wanted, const QRect& anchor, const QRect& room);

signals:
    void termRequested(const QString& id);
    void nodesRequested(const QString& id);
    void allWordsRequested(const QString& id);
    void entered();
    void left();
    void shutDown();

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showContent(const Explanation& explanation);
    void placePopover();
    QRect anchorRect() const;

    ExplanationView* m_view = nullptr;
    QScrollArea* m_scroll = nullptr;
    QPushButton* m_nodes = nullptr;
    QPushButton* m_words = nullptr;
    QPointer<QWidget> m_anchor;
    QRect m_part;
    QPointer<QWidget> m_before; ///< had the focus
    bool m_offersNodes = false;
};

} // namespace rankwright
