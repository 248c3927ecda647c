// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/tables/recordmodel.h"
#include "models/teaching/classroom/classfile.h"
#include "models/teaching/classroom/classprogress.h"

#include <memory>

namespace rankwright {

/// The attendees of a class as a table, one row each: where they are, what was seen, what they are stuck on since when.
class ClassProgressModel final : public RecordModel<ProgressRow> {
public:
    explicit ClassProgressModel(const ClassFile& file, QObject* parent = nullptr);

    /// Times are said relative to it ("12 min").
    void setNow(const QDateTime& now);

private:
    static QList<Column> columns(const ClassFile& file, const std::shared_ptr<QDateTime>& now);
    ClassProgressModel(const ClassFile& file, std::shared_ptr<QDateTime> now, QObject* parent);

    std::shared_ptr<QDateTime> m_now;
};

/// Rows as text for a spreadsheet: a head, then a line each, with tabs between.
QString progressText(const QAbstractItemModel& model);

} // namespace rankwright
