// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/tables/recordingmodel.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPushButton;
class QStackedWidget;

namespace rankwright {

class RecordTable;

/// All recordings on this computer with what they take: to be replayed, shown in their folder, removed (after a
/// question, which only this dialog asks). Shows a RecordingModel; asks by signals.
class RecordingsDialog final : public QDialog {
    Q_OBJECT
public:
    /// `limitBytes`: what all of them may take together.
    RecordingsDialog(RecordingModel& model, qint64 limitBytes, QWidget* parent = nullptr);

    enum class Undo { None, Offered };
    /// One sentence under the list: what came of a request, and whether it can be taken back. Empty: the totals again.
    void report(const QString& text, Undo undo = Undo::None);

signals:
    void replayRequested(const QString& path);
    void jobFileRequested(const QString& path); ///< its job as one file
    void revealRequested(const QString& path);
    void removeRequested(const QStringList& paths); ///< already confirmed by the user
    void undoRequested();

private:
    QWidget* buildFooter();
    void refresh();
    void replaySelected();
    void removeSelected();
    QList<RecordingRow> selectedRows() const;

    RecordingModel& m_model;
    qint64 m_limitBytes;
    QLineEdit* m_filter = nullptr;
    QStackedWidget* m_pages = nullptr;
    RecordTable* m_table = nullptr;
    QLabel* m_total = nullptr;
    QPushButton* m_replay = nullptr;
    QPushButton* m_jobFile = nullptr;
    QPushButton* m_reveal = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_undo = nullptr;
};

/// Asks whether these may go; says what goes and what stays. True: yes.
bool confirmRemoval(QWidget* parent, const QList<RecordingRow>& rows);

} // namespace rankwright
