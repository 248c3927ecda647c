// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/design/jobspec.h"

#include <QHash>
#include <QList>
#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;

namespace rankwright {

/// What the class has set, a line each: what it is called, its value, a lock. Nothing of it can be edited; the reason
/// is in the tool tip and in the accessible description. The first few lines are in view, the rest unfolds.
class LockedList final : public QWidget {
    Q_OBJECT
public:
    explicit LockedList(QWidget* parent = nullptr);

    struct Line {
        FieldPath field; ///< empty: no field, a limit
        QString label;
        QString value;
        QString reason;
        bool operator==(const Line&) const = default;
    };
    void setLines(const QList<Line>& lines);
    /// Marks one, unfolding it; null: it is not among them.
    QWidget* mark(const FieldPath& field);

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();

    QList<Line> m_lines;
    QWidget* m_body = nullptr;
    QPushButton* m_more = nullptr;
    QHash<FieldPath, QLabel*> m_labels;
    FieldPath m_marked;
    bool m_all = false;
};

} // namespace rankwright
