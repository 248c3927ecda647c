// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/watch/jobwatch.h"
#include "app/window/pages/outputtexts.h"

#include <QPointer>
#include <QTimer>

namespace rankwright {

class JobLogView;
class Settings;

/// Brings a watched job's output to its view, and what the view asks for to the job: other parts of a file, searches,
/// a pattern for progress. Owns none of them.
class OutputController final : public QObject {
    Q_OBJECT
public:
    explicit OutputController(JobLogView& view, QObject* parent = nullptr);
    ~OutputController() override;

    /// Where patterns, and whether lines have numbers, are kept; without one they hold for this run.
    void setSettings(Settings* settings);
    void follow(JobOutput& output);
    /// What is kept of the output of a job that has ended, in place of one that is followed. Read on another thread,
    /// also what is searched and jumped to in it; dropped when something else is shown meanwhile.
    void showTexts(const QList<OutputText>& texts, const JobRecord& job);
    /// Nothing is shown any more; the view is left as it is.
    void forget();
    /// How long texts are read until the view says how far that is.
    void setSlowAfter(int ms) { m_slow.setInterval(ms); }

signals:
    /// Why the job failed, as far as its output says; empty: nothing is shown.
    void diagnosed(const QList<rankwright::Diagnosis>& diagnoses);

private:
    void showDiagnoses(const QList<Diagnosis>& diagnoses);
    void connectView();
    void askPattern();
    void showText(int file, std::optional<qint64> focus);
    void searchText(int file, const LogQuery& query);
    void cancelSearch();
    void showRead(const ShownTexts& shown);
    void sayHowFar();

    JobLogView& m_view;
    QPointer<Settings> m_settings;
    QPointer<JobOutput> m_output;
    QStringList m_patterns;
    QList<OutputText> m_texts; ///< that are shown in place of an output; empty: none are
    std::shared_ptr<TextsReading> m_reading; ///< null: none are read
    QTimer m_slow; ///< runs while they are read
    int m_jump = 0; ///< of the newest jump and search in them: answers of earlier ones are dropped
    int m_search = 0;
};

} // namespace rankwright
