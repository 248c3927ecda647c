// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/network/modelshape.h"

#include <QJsonObject>
#include <QStringList>

#include <optional>

namespace rankwright::inline planner::hf {

/// Counts are cut to it, so that they and their products fit; checkShape() refuses what makes no sense.
inline constexpr qint64 largestCount = 1'000'000'000;

/// Members of a configuration under the names that different authors gave them; remembers what was missing.
class HfKeys {
public:
    explicit HfKeys(QJsonObject json) : m_json(std::move(json)) { }

    /// The first of these keys that exists; a value that is not a whole number from 0 is an error,
    /// a list of numbers (one for each block) is their mean.
    qint64 size(const QStringList& names, qint64 fallback);
    int count(const QStringList& names, qint64 fallback); ///< the same, at most largestCount
    qint64 needed(const QStringList& names);
    bool flag(const QString& name, bool fallback) const;
    QString text(const QString& name) const;
    bool has(const QString& name) const { return !m_json.value(name).isNull() && m_json.contains(name); }
    HfKeys object(const QString& name) const { return HfKeys(m_json.value(name).toObject()); }
    const QJsonObject& json() const { return m_json; }
    const QString& fault() const { return m_fault; } ///< the first; empty: none
    void refuse(const QString& fault);

private:
    QJsonObject m_json;
    QString m_fault;
};

/// Layers, hidden size, heads, widths and vocabulary under their usual names.
void readUsual(HfKeys& members, ModelShape& shape);
/// The same for RMSNorm and a gated MLP: embeddings apart and no biases unless the configuration says so.
void readNormed(HfKeys& members, ModelShape& shape);
/// Notes that a module for multi-token prediction is not counted, where the configuration has one.
void noteFurtherTokens(HfKeys& members, ModelShape& shape);

} // namespace rankwright::inline planner::hf
