// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;

namespace rankwright {

/// Says above everything else that the job shown is from a file of somebody else, and what can be done with that file.
class LiveFileStrip final : public QFrame {
    Q_OBJECT
public:
    explicit LiveFileStrip(QWidget* parent = nullptr);

    /// `fileName`: "lumi-4711.rwjob"; empty: the job is not from a file, and the strip is hidden.
    void showFile(const QString& fileName);
    bool isShown() const { return !m_name.isEmpty(); }
    QList<QWidget*> tabStops() const { return m_stops; }

signals:
    void contentsClicked();
    void designClicked();
    void closeClicked();

private:
    QString m_name;
    QLabel* m_text = nullptr;
    QList<QWidget*> m_stops;
};

} // namespace rankwright
