// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/findingmodel.h"

namespace rankwright {

FindingModel::FindingModel(QObject* parent) : QAbstractListModel(parent) { }

int FindingModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(m_findings.size()); }

QVariant FindingModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.model() != this || index.row() >= m_findings.size() || index.column() != 0)
        return {};
    const Finding& finding = m_findings.at(index.row());
    switch (role) {
    case Qt::DisplayRole: return finding.text;
    case SeverityRole: return int(finding.severity);
    case RuleRole: return finding.rule;
    case FieldRole: return finding.field;
    case FixLabelRole: return finding.fix ? QVariant(finding.fix->label) : QVariant();
    case SourceRole: return finding.source;
    default: return {};
    }
}

void FindingModel::assign(const QList<Finding>& findings)
{
    beginResetModel();
    m_findings = findings;
    std::stable_sort(m_findings.begin(), m_findings.end(), [](const Finding& one, const Finding& other) {
        return one.severity < other.severity; // Error, Warning, Hint; within each as the rules found them
    });
    endResetModel();
}

int FindingModel::count(Severity severity) const
{
    return int(std::count_if(m_findings.begin(), m_findings.end(),
        [severity](const Finding& finding) { return finding.severity == severity; }));
}

} // namespace rankwright
