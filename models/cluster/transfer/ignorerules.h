// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/transfer/fileentry.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

namespace rankwright::inline cluster {

/// What is left out of a transfer, by the rules of gitignore(5): the last pattern that matches decides, "!" takes back,
/// a slash in front or between ties it to its file's folder, one at the end means folders alone, "**" spans folders.
/// What is below a folder that is left out is never asked for. `.git` is left out unless a pattern takes it back.
class IgnoreRules {
public:
    IgnoreRules();
    /// The text of an ignore file in `folder` (relative to the root; empty: the root). Folders from the root down.
    void add(const QByteArray& text, const QByteArray& folder = {});
    bool ignores(const QByteArray& path, FileEntry::Kind kind) const;
    bool isEmpty() const { return m_rules.size() <= 1; }

private:
    struct Rule {
        QByteArray pattern;
        QByteArray folder; ///< with its slash; empty: the root
        bool isNegated = false;
        bool isFolderOnly = false;
        bool isAnchored = false;
    };
    QList<Rule> m_rules;
};

/// Names of ignore files: the first that lies in the root counts, in all folders.
inline constexpr const char* ignoreFileNames[] = {".rankwrightignore", ".gitignore"};

/// A glob of gitignore against a path; takes time of the product of both lengths at most.
bool globMatches(QByteArrayView pattern, QByteArrayView path);

} // namespace rankwright::inline cluster
