// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/document/rules.h"

#include <QAbstractListModel>

#include <algorithm>

namespace rankwright {

/// Findings as a list: errors first. Roles carry severity, field, rule and whether a fix exists.
class FindingModel final : public QAbstractListModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FindingModel)
public:
    enum Role { SeverityRole = Qt::UserRole + 1, RuleRole, FieldRole, FixLabelRole, SourceRole };

    explicit FindingModel(QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    void assign(const QList<Finding>& findings);
    const QList<Finding>& findings() const { return m_findings; }
    int count(Severity severity) const;

private:
    QList<Finding> m_findings;
};

} // namespace rankwright
