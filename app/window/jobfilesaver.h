// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfiledraft.h"

#include <QObject>
#include <QPointer>

namespace rankwright {

class Connections;
class JobFileDialog;
class MainWindow;

/// Saves a job as one file: asks its cluster where that is connected, else takes what this machine keeps; shows what
/// would go out before anything is written; copies and writes on another thread. Closing the dialog stops all of it.
/// One job at a time.
class JobFileSaver final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Catalogue& catalogue;
        const JobLog& log;
        Connections& connections;
        MainWindow& window;
        QString dataFolder;
    };
    explicit JobFileSaver(const Parts& parts, QObject* parent = nullptr);
    ~JobFileSaver() override;

    /// What earlier runs taught, for predictions as the report shows them; asked for each time.
    void setLearned(const std::function<CalibrationTable()>& learned) { m_learned = learned; }
    void save(const JobId& job, const QString& cluster);
    JobFileDialog* dialog() const; ///< null: nothing is being saved

private:
    QString titleOf(const QString& cluster) const;
    void askUsage();
    void askOffline(const QString& why);
    void addReports(const JobReports& made);
    void readOutputs();
    void draftFile();
    void showDraft();
    void choosePlace();
    void write(const QString& path);
    void handleWritten(const QString& path, const Result<void>& written);
    void stop();

    Parts m_parts;
    std::function<CalibrationTable()> m_learned;
    ReportMaker m_maker;
    QPointer<JobFileDialog> m_dialog;
    std::unique_ptr<QObject> m_question; ///< guard of what is under way; null: nothing is
    QString m_cluster;
    JobId m_job;
    JobFileParts m_gathered;
    QStringList m_notes; ///< on what was gathered
    std::shared_ptr<const JobFileDraft> m_draft;
    std::shared_ptr<JobFileWriting> m_writing; ///< null: nothing is written
};

} // namespace rankwright
