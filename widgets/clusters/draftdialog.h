// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/draft/clusterdraft.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace rankwright {

/// A drafted cluster file as a person sees it before it is kept: the entry, what is uncertain in it and why, its name
/// and where it will be saved. Saves nothing itself.
class DraftDialog final : public QDialog {
    Q_OBJECT
public:
    /// `folder` is where the user's cluster files lie; `taken` are names that the catalogue has already.
    DraftDialog(const ClusterDraft& draft, const QString& folder, const QStringList& taken, QWidget* parent = nullptr);

    void showSaved(const QString& path);
    void showError(const Error& why);

signals:
    /// The entry under the name that was typed.
    void saveRequested(const rankwright::ClusterProfile& profile);

private:
    void rename();
    QWidget* buildDoubts(QWidget* parent);

    ClusterDraft m_draft;
    QString m_folder;
    QStringList m_taken;
    QLineEdit* m_name = nullptr;
    QPlainTextEdit* m_text = nullptr;
    QLabel* m_where = nullptr;
    QLabel* m_reported = nullptr;
    QPushButton* m_save = nullptr;
};

} // namespace rankwright
