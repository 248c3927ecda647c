// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QDialog>

class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace rankwright {

/// Chooses files and folders of this machine to copy to a cluster, shows the progress and lets the user stop it.
/// Sends nothing itself.
class UploadDialog final : public QDialog {
    Q_OBJECT
public:
    /// `why`: what is missing, one sentence; may be empty. `target`: where it goes, for people. `from`: folder in which
    /// the file dialog opens.
    UploadDialog(const QString& why, const QString& target, const QString& from, QWidget* parent = nullptr);

    void addPath(const QString& path);
    QStringList paths() const;
    void showProgress(qint64 sent, qint64 total);
    void showComparing(int done, int total);
    /// What a person should know of the chosen paths, a sentence each; nothing can be sent before this call.
    void showNotes(const QStringList& notes);
    /// Files may be chosen again.
    void showFailure(const Error& why);

signals:
    void pathsChanged(const QStringList& paths); ///< answered by showNotes() or showFailure()
    void sendRequested(const QStringList& paths);
    void stopRequested(); ///< while it is sent

protected:
    void reject() override;

private:
    void browse(int mode, const QString& title);
    void begin();
    void listAgain();
    void refresh();

    QString m_from;
    QListWidget* m_list = nullptr;
    QLabel* m_notes = nullptr;
    QLabel* m_message = nullptr;
    QProgressBar* m_bar = nullptr;
    QPushButton* m_file = nullptr;
    QPushButton* m_folder = nullptr;
    QPushButton* m_remove = nullptr;
    QPushButton* m_send = nullptr;
    QPushButton* m_stop = nullptr;
    bool m_sending = false;
    bool m_notesAreCurrent = false; ///< the notes are of the paths that are chosen
};

} // namespace rankwright
