// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace rankwright {

struct GuideContent;

/// The stages of the launched job, queued, running, completed, with what Slurm reports of the present one and the ways
/// to see more.
class JobStages final : public QWidget {
    Q_OBJECT
public:
    explicit JobStages(QWidget* parent = nullptr);

    void setContent(const GuideContent& content);
    QWidget* focusTarget() const;

signals:
    void liveClicked();
    void reportClicked();
    void jobsClicked();

private:
    struct Row {
        QLabel* shape = nullptr;
        QLabel* title = nullptr;
        QLabel* text = nullptr;
    };
    void paint(const Row& row, int state, const QString& title, const QString& text);

    QList<Row> m_rows;
    QPushButton* m_live = nullptr;
    QPushButton* m_report = nullptr;
    QPushButton* m_jobs = nullptr;
};

} // namespace rankwright
