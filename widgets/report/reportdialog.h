// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/report/efficiency.h"
#include "models/insight/report/speeduptable.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace rankwright {

/// The efficiency report of one job: verdict, advice that can be applied or copied, curve, map, figures with bars,
/// prediction against measurement, what is not known; and the speed-up over the runs beside it. Beside the window, not
/// in its way. Shows a value; asks by signals for saving, printing and edits of the design.
class ReportDialog final : public QDialog {
    Q_OBJECT
public:
    explicit ReportDialog(QWidget* parent = nullptr);

    /// While the cluster is asked.
    /// The sentence for a paper that the last button copies; empty: there is none, and no button.
    void setAcknowledgement(const QString& sentence);
    void showWaiting(const QString& job);
    /// While the recording is read: 0..1 of it.
    void showSumming(double share);
    void showError(const Error& why);
    /// `speedup` over runs of the same name, with the first report's job among them; empty: none to compare.
    /// Advice can be applied to a design that is of the job's kind.
    enum class OpenDesign { OfItsKind, Another };
    void showReport(
        const EfficiencyReport& report, const SpeedupTable& speedup, const QStringList& notes, OpenDesign open);
    /// "Saved as ...", or what went wrong.
    void report(const QString& text);
    /// Whether its job can be saved as a job file; not one that is from such a file itself.
    void setCanSaveJob(bool can);
    const EfficiencyReport& report() const { return m_report; }
    const SpeedupTable& speedup() const { return m_speedup; }

signals:
    void applyRequested(const rankwright::ReportAdvice& advice);
    void copyRequested(const QString& text);
    void markdownRequested();
    void pdfRequested();
    void printRequested();
    void jobFileRequested();
    void refreshRequested();

private:
    void clear();
    void addVerdict();
    void addAdvice(bool canApply);
    void addPictures();
    void addFigures();
    void addComparisons();
    void addSpeedup();
    void addList(const QString& title, const QStringList& lines);
    void setFileButtons(bool on);

    EfficiencyReport m_report;
    SpeedupTable m_speedup;
    QScrollArea* m_scroll = nullptr;
    QWidget* m_page = nullptr;
    QVBoxLayout* m_column = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_subtitle = nullptr;
    QLabel* m_reported = nullptr;
    QPushButton* m_thanks = nullptr;
    QPushButton* m_jobFile = nullptr;
    QString m_acknowledgement;
    QList<QPushButton*> m_files;
};

} // namespace rankwright
