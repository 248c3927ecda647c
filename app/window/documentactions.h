// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/documents.h"

#include <functional>

class QFileDialog;

namespace rankwright {

class MainWindow;

/// New, Open, Save and Save as of the window, by file dialogs that do not block, and files that are dropped on it; the
/// window's title. Unsaved work is asked about before it goes. Opens batch scripts as well and says what of them no
/// field could take.
class DocumentActions final : public QObject {
    Q_OBJECT
public:
    DocumentActions(
        MainWindow& window, Design& design, Documents& documents, const JobSpec& fresh, QObject* parent = nullptr);

    /// False: it could not be read, and the window has said why.
    bool open(const QString& path);
    /// The same once unsaved work has been asked about.
    void openAfterAsking(const QString& path);
    /// Starts a design without a file, once unsaved work has been asked about; then goes on.
    void beginAfterAsking(const JobSpec& spec, const std::function<void()>& then);

signals:
    void jobFileWanted(const QString& path); ///< a .rwjob was given: not a document
    void classFileDropped(const QString& path); ///< on the window: a .rwclass

private:
    void startNew();
    void offerUndo(const QString& text);
    void sayCleared(const QString& from, const QList<FieldPath>& cleared);
    void openDropped(const QString& path);
    void reportScript(const QString& path, const OpenedScript& script);
    void reportOwnScript(const QString& path, const OpenedScript& script);
    void askRewrite();
    void sayRefused(const FieldPath& path, const Error& why);
    void askOpen();
    void save();
    /// Goes on once the design is kept in a file.
    void saveThen(const std::function<void()>& then);
    void askSave(const std::function<void()>& then);
    void askSaveScript();
    QFileDialog* saveDialog(
        const QString& title, const QString& filter, const QString& suffix, const QString& suggestion);
    bool saveTo(const QString& path);
    bool saveScriptOfDocument(const QString& path);
    void saveScriptTo(const QString& path);
    /// Goes on at once when nothing would be lost, else after the user has decided.
    void unlessUnsaved(const QString& question, const std::function<void()>& then);
    void offerDiscarded();
    void showTitle();
    void showError(const Error& why);

    MainWindow& m_window;
    Design& m_design;
    Documents& m_documents;
    JobSpec m_fresh;
    struct Discarded {
        JobSpec spec;
        QString title;
    };
    std::optional<Discarded> m_discarded; ///< given up by an answer; offered again once another document is there
    std::optional<JobSpec> m_offered; ///< the design of which the way back is offered
};

} // namespace rankwright
