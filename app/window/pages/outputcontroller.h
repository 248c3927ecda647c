// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/jobwatch.h"

#include <QPointer>

namespace rankwright {

class JobLogView;
class Settings;

/// Brings a watched job's output to its view, and what the view asks for to the job: other parts of a file, searches,
/// a pattern for progress. Owns none of them.
class OutputController final : public QObject {
    Q_OBJECT
public:
    explicit OutputController(JobLogView& view, QObject* parent = nullptr);

    /// Where patterns, and whether lines have numbers, are kept; without one they hold for this run.
    void setSettings(Settings* settings);
    void follow(JobOutput& output);

private:
    void connectView();
    void askPattern();

    JobLogView& m_view;
    QPointer<Settings> m_settings;
    QPointer<JobOutput> m_output;
    QStringList m_patterns;
};

} // namespace rankwright
