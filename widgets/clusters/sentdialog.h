// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/senttext.h"
#include "models/tables/sentmodel.h"

#include <QDialog>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace rankwright {

class RecordTable;

/// "What is sent": each command that this window sent to clusters, the newest first, with a filter, all that is known
/// of the selected one, and ways to take it along. Programs' texts on stdin are shown when they are asked for. Reads
/// and writes nothing itself. `model` must outlive it.
class SentDialog final : public QDialog {
    Q_OBJECT
public:
    explicit SentDialog(SentModel& model, QWidget* parent = nullptr);

    SentInput input() const;
    void report(const QString& text); ///< in place of the count, until another command is chosen or the filter changes

signals:
    void saveRequested(rankwright::SentInput input);

private:
    QWidget* buildTable();
    QWidget* buildButtons();
    void refresh();
    void showSelected();
    void sayTotal();
    void forgetReport(const QString& selected);
    QString details() const; ///< of the selected one; empty: none is

    SentModel& m_model;
    QLineEdit* m_filter = nullptr;
    RecordTable* m_table = nullptr;
    QCheckBox* m_input = nullptr;
    QPlainTextEdit* m_details = nullptr;
    QLabel* m_total = nullptr;
    QString m_reported; ///< stands in place of the count; empty: nothing does
    QString m_reportedOf; ///< command that was selected then
    QPushButton* m_copy = nullptr;
    QPushButton* m_save = nullptr;
};

} // namespace rankwright
