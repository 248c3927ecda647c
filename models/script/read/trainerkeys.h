// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankwright::inline script {

/// Keys of a trainer and their values, whatever form they come in: arguments ("--micro-batch-size", dashes for
/// underscores; Hydra's "model.sequence_parallel=true" as typed), TOML, YAML and JSON
/// ("parallelism.tensor_parallel_degree"). Flat files as trainers use them; lists and what a shell would expand are
/// kept as text.
class TrainerKeys {
public:
    static TrainerKeys ofWords(const QStringList& words);
    static TrainerKeys ofToml(const QString& text);
    static TrainerKeys ofYaml(const QString& text); ///< two levels
    static TrainerKeys ofJson(const QString& text); ///< empty: not readable

    /// These keys, and instead of them what arguments of the same name say ("--parallelism.tensor_parallel_degree 4").
    TrainerKeys overlaidBy(const TrainerKeys& words) const;

    bool isEmpty() const { return m_values.isEmpty(); }
    bool has(const QString& key) const { return m_values.contains(key); }
    std::optional<QString> text(const QString& key) const;
    std::optional<qint64> number(const QString& key) const;
    bool isTrue(const QString& key) const; ///< "true", or an argument without a value
    bool isFalse(const QString& key) const;

private:
    QHash<QString, QString> m_values;
};

} // namespace rankwright::inline script
