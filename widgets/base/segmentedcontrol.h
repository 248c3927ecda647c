// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QButtonGroup;

namespace rankwright {

/// A few choices side by side, exactly one (or, before a choice, none) taken. Tab reaches the taken one, arrows move.
class SegmentedControl final : public QWidget {
    Q_OBJECT
public:
    explicit SegmentedControl(const QStringList& labels, QWidget* parent = nullptr);

    int current() const;
    void setCurrent(int index); ///< does not emit chosen()
    int count() const;
    void setSegmentToolTip(int index, const QString& text);
    void setSegmentEnabled(int index, bool enabled);

signals:
    void chosen(int index); ///< by the user

private:
    QButtonGroup* m_group = nullptr;
    bool m_setting = false; ///< the program's change
};

} // namespace rankwright
