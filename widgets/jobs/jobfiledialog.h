// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "widgets/jobs/jobfileview.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace rankwright {

/// A job as one file, before it is written: what is in it, to be looked through, how much was left out, with or
/// without the job's output. Shows values; asks by signals. Closing it stops what is under way.
class JobFileDialog final : public QDialog {
    Q_OBJECT
public:
    explicit JobFileDialog(QWidget* parent = nullptr);

    /// "job 4711 of LUMI"
    void setSubject(const QString& subject);
    /// What is being done, in a sentence; nothing can be saved meanwhile. `share`: 0..1; empty: not known.
    void showWork(const QString& what, std::optional<double> share = {});
    /// `summary`: size of the whole file and what was left out; `notes`: what is not in it, a sentence each.
    void showContents(const QList<JobFileItem>& items, const QString& summary, const QStringList& notes);
    /// Nothing can be saved; or what was to be saved could not be, and may be tried again.
    enum class Again { No, Yes };
    void showError(const Error& why, Again again);
    /// Where there is no output the choice is off, with the reason.
    void setOutputs(const QString& whyNone);
    bool withOutput() const;
    const JobFileView& contents() const { return *m_contents; }

signals:
    void outputToggled();
    void saveRequested();

private:
    void setBusy(const QString& what);
    void setReady();

    QLabel* m_intro = nullptr;
    QLabel* m_state = nullptr;
    QProgressBar* m_progress = nullptr;
    JobFileView* m_contents = nullptr;
    QCheckBox* m_output = nullptr;
    QPushButton* m_save = nullptr;
    QString m_whyNone;
};

} // namespace rankwright
