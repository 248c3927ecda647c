// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/teaching/classroom/classfile.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QPlainTextEdit;

namespace rankwright {

class FaultField;

/// What holds for a class as a whole, for its teacher: names, cluster, project, reservation, limits. What is wrong
/// stands below its field. Members of the file that have no field stay as they are.
class ClassFieldsForm final : public QWidget {
    Q_OBJECT
public:
    explicit ClassFieldsForm(const Catalogue& catalogue, QWidget* parent = nullptr);

    void setFile(const ClassFile& file); ///< does not emit edited()
    void write(ClassFile& file) const;
    int faults() const; ///< fields with something wrong
    void focusFirst();

signals:
    void edited();

private:
    FaultField* add(
        const QString& label, const QString& placeholder, const std::function<QString(const QString&)>& check);

    QFormLayout* m_form = nullptr;
    QList<FaultField*> m_fields;
    FaultField* m_title = nullptr;
    FaultField* m_author = nullptr;
    QComboBox* m_cluster = nullptr;
    FaultField* m_account = nullptr;
    FaultField* m_partition = nullptr;
    FaultField* m_reservation = nullptr;
    FaultField* m_begin = nullptr;
    FaultField* m_end = nullptr;
    FaultField* m_container = nullptr;
    FaultField* m_expires = nullptr;
    FaultField* m_nodes = nullptr;
    FaultField* m_gpus = nullptr;
    FaultField* m_time = nullptr;
    FaultField* m_progress = nullptr;
    FaultField* m_open = nullptr;
    QPlainTextEdit* m_locked = nullptr; ///< a line each: "training.globalBatch = 32"
    QPlainTextEdit* m_links = nullptr; ///< a line each: title, address
    QPlainTextEdit* m_about = nullptr;
    QPlainTextEdit* m_acknowledgement = nullptr;
};

} // namespace rankwright
