// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/guide/guidestep.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace rankwright {

/// Fields that a step lets one type or choose. What is being typed is never replaced. Sends what was entered; reads
/// nothing.
class GuideEntries final : public QWidget {
    Q_OBJECT
public:
    explicit GuideEntries(QWidget* parent = nullptr);

    void setEntries(const QList<GuideEntry>& entries);
    QWidget* editorOf(const FieldPath& field) const;

signals:
    void entered(const rankwright::FieldPath& field, const QString& text);

private:
    struct Row {
        GuideEntry entry;
        QLineEdit* edit = nullptr; ///< one of the two
        QComboBox* choice = nullptr;
        QLabel* trouble = nullptr;
    };
    void rebuild(const QList<GuideEntry>& entries);
    void fill(Row& row, const GuideEntry& entry);

    QGridLayout* m_grid = nullptr;
    QWidget* m_body = nullptr;
    QList<Row> m_rows;
};

} // namespace rankwright
