// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/insight/hang/hangtext.h"
#include "models/tables/hangtable.h"

#include <QDateTime>
#include <QDialog>

class QLabel;
class QListWidget;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTreeView;

namespace rankwright {

class HangLanes;

/// "Where does it hang?": the sentence, whose words lead to what they rest on; how far each rank came; the ranks, the
/// odd ones first; the stack of the chosen one; what was not reachable and what helps. Not modal: the page goes on. The
/// last answer stays, with its time, until there is a newer one. Shows values; asks by signals.
class HangDialog final : public QDialog {
    Q_OBJECT
public:
    explicit HangDialog(QWidget* parent = nullptr);

    /// Of another job than before: nothing is known yet. `title`: "llama8b · 123 on LUMI".
    void showSubject(const QString& job, const QString& cluster, const QString& title);
    /// An inspection is under way since this time; `nodes` 0: the job's nodes are being queried.
    void showInspecting(double seconds, qsizetype nodes);
    void showAnswer(const HangVerdict& verdict, const QDateTime& at);
    /// The inspection failed; the result of an earlier one stays.
    void showTrouble(const Error& why);
    void showCancelled();
    /// Why no inspection can begin now; empty: one can.
    void setWhyNot(const QString& why);
    const HangVerdict& verdict() const { return m_verdict; }
    bool isInspecting() const { return m_isInspecting; }
    QString text() const; ///< what "Copy as text" copies

signals:
    void hangInspectionRequested();
    void cancelRequested();
    void gpuPicked(const QString& node, int gpu); ///< it is to be shown in the map

private:
    QWidget* buildParts();
    QWidget* buildButtons();
    void setInspecting(bool isInspecting);
    void sayState(const QString& text);
    void follow(const QString& link);
    void fitColumns();
    void choose(qsizetype row);
    void chooseAll(const QList<qsizetype>& rows);
    void showChosen(const QModelIndex& index);
    void pickGpu(qsizetype row);

    QString m_job, m_cluster;
    HangVerdict m_verdict;
    QList<HangLink> m_links;
    QDateTime m_at; ///< of m_verdict; invalid: there is none
    QString m_whyNot;
    bool m_isInspecting = false;
    HangTable m_table;
    QLabel* m_title = nullptr;
    QLabel* m_state = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_trouble = nullptr;
    QLabel* m_sentence = nullptr;
    QLabel* m_proof = nullptr;
    HangLanes* m_lanes = nullptr;
    QWidget* m_parts = nullptr;
    QTreeView* m_ranks = nullptr;
    QLabel* m_stackTitle = nullptr;
    QListWidget* m_stack = nullptr;
    QPlainTextEdit* m_notes = nullptr;
    QPushButton* m_again = nullptr;
    QPushButton* m_cancel = nullptr;
    QPushButton* m_copy = nullptr;
};

} // namespace rankwright
