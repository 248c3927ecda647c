// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/templates/designtemplates.h"
#include "models/planner/templates/recentdesign.h"

#include <QAbstractButton>

class QPainter;
class QToolButton;

namespace rankwright {

/// A design, or a template for one, as a button: its GPUs as a picture, name, place, verdict by shape and word. What
/// does not fit is cut with a mark and stands whole in the tool tip.
class DesignTile final : public QAbstractButton {
    Q_OBJECT
public:
    DesignTile(const RecentDesign& design, QWidget* parent);
    DesignTile(const DesignTemplate& shown, QWidget* parent);

    /// Path of the design, or id of the template.
    const QString& key() const { return m_key; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void removeRequested(); ///< from the list; by its button, Delete or the context menu

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void describe();
    void paintVerdict(QPainter& painter, const QRect& line) const;
    int lines() const { return m_isDesign ? 3 : 2; }

    QString m_key;
    QString m_title;
    QString m_line;
    QString m_verdict;
    QString m_memory;
    Tone m_tone = Tone::Quiet;
    DesignSummary m_summary;
    bool m_isDesign = false;
    QToolButton* m_remove = nullptr; ///< of a file that is of no use any more
};

} // namespace rankwright
