// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace rankwright::inline core {

/// The nodes of one job, kept folded as Slurm wrote them ("nid[001-064]") and made into names only where names are
/// needed: a queue of large jobs would fill the memory otherwise. A value; reads like a list of names.
class NodeList {
public:
    NodeList() = default;
    NodeList(const QStringList& names); // NOLINT(google-explicit-constructor): a list of names is one
    NodeList(std::initializer_list<QString> names) : NodeList(QStringList(names)) { }
    /// Of Slurm's text; empty when it cannot be read.
    static NodeList fromSlurm(const QString& text);

    bool isEmpty() const { return m_count == 0; }
    qsizetype size() const { return m_count; }
    QStringList names() const;
    operator QStringList() const { return names(); } // NOLINT(google-explicit-constructor): it reads like one
    QString value(qsizetype index) const { return names().value(index); }
    QString join(QChar separator) const { return names().join(separator); }
    const QString& folded() const { return m_folded; }
    bool operator==(const NodeList& other) const;
    bool operator==(const QStringList& names) const { return this->names() == names; }

private:
    QString m_folded;
    int m_count = 0;
};

} // namespace rankwright::inline core
