// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classfile.h"
#include "models/teaching/classroom/classprogress.h"

#include <QDialog>

class QLabel;
class QLineEdit;

namespace rankwright {

class ClassProgressModel;
class RecordTable;

/// For the teacher: who is where, who is stuck on which error and since when; sorted, filtered, copied. Asks for the
/// lines by a signal.
class ClassProgressDialog final : public QDialog {
    Q_OBJECT
public:
    explicit ClassProgressDialog(const ClassFile& file, QWidget* parent = nullptr);
    ~ClassProgressDialog() override;

    const ClassFile& file() const { return m_file; }
    void setProgress(const ReadProgress& progress, const QDateTime& now);
    /// What was read before stays, with the reason why it is not newer.
    void showTrouble(const Error& why);
    ClassProgressModel& model() { return *m_model; }

signals:
    void refreshWanted();

private:
    const ClassFile m_file;
    ClassProgressModel* m_model = nullptr;
    RecordTable* m_table = nullptr;
    QLineEdit* m_filter = nullptr;
    QLabel* m_summary = nullptr;
    bool m_isFitted = false; ///< columns, to what is in them
};

} // namespace rankwright
