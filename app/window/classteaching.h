// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/classroom/solutionrun.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <memory>

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

class ClassEditorDialog;
class ClassProgressDialog;
class ClusterSession;
class Connections;
class MainWindow;

/// The teacher's side of class files: the editor, the preview, the check against the connected cluster, signing and
/// saving, who is where. Owns no class; files and ssh-keygen are waited for on another thread.
class ClassTeaching final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Design& design;
        Connections& connections;
        MainWindow& window;
        QString dataFolder;
    };
    explicit ClassTeaching(const Parts& parts, QObject* parent = nullptr);
    ~ClassTeaching() override;

    /// The editor, with a new class for the design's cluster, or the one that was in it.
    void open();
    /// The editor with a new class; what is in it and not saved stays, and the editor says so.
    void beginNew();
    /// The editor, and a question for the file.
    void openFile();
    ClassEditorDialog* editor() const; ///< null: not open
    /// Signs with the teacher's own key and writes the file.
    void save(const ClassFile& file, const QString& path);
    /// For the editor, unsigned ones too.
    void read(const QString& path);

signals:
    void classSaved(const QString& path);
    void failed(const rankwright::Error& why);
    void termRequested(const QString& term, QWidget* at);

private:
    void connectEditor();
    ClassFile fresh() const;
    bool keepsChanges();
    void askOpen();
    void askSave(const ClassFile& file);
    void preview(const ClassFile& file);
    void checkSite(const ClassFile& file, int people);
    void stopSite();
    void runSolutions(const ClassFile& file, const QString& cluster);
    void beginSolutions();
    void stopSolutions();
    void leaveSolutions();
    void endSolutions(SolutionRunEnd how);
    void showProgress(const ClassFile& file);
    void readProgress();
    ClusterSession* session(const QString& cluster) const;
    void reportFailure(const Error& why);

    Parts m_parts;
    QPointer<ClassEditorDialog> m_editor;
    QPointer<ClassProgressDialog> m_progress;
    QTimer m_reading; ///< of progress, while it is shown
    std::unique_ptr<QObject> m_site; ///< guard of the question to the cluster; null: none is under way
    std::unique_ptr<SolutionRun> m_solutions; ///< null: none was begun for this editor
    ClassFile m_tried; ///< whose solutions run, or wait for the cluster
    QString m_triedOn;
    QString m_path;
    QString m_checksOnline; ///< cluster that is to be asked once it is connected; empty: none
};

} // namespace rankwright
