// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/draftfile.h"
#include "models/planner/templates/recentdesign.h"
#include "models/script/batch/scriptbytes.h"
#include "models/script/document/design.h"
#include "models/script/read/scriptreader.h"

#include <QDateTime>
#include <QTimer>

namespace rankwright {

class Settings;

/// What became of a batch script that was opened.
struct OpenedScript {
    QString cluster; ///< it was read for
    QString why; ///< what in the script names that cluster; empty: nothing does, the design's own was taken
    QList<NotUnderstood> notUnderstood;
};

/// What a file was: a design, or a batch script.
struct OpenedFile {
    QStringList unknownMembers; ///< of a design: members that this version does not know
    std::optional<OpenedScript> script;
};

/// What became of the work that an earlier run left unsaved.
struct RestoredWork {
    enum class Kind { Nothing, Restored, SetAside };
    Kind kind = Kind::Nothing;
    QString title; ///< of the design; empty: it could not be read
    QString file; ///< that it belongs to; empty: it was never saved
    QDateTime keptAt; ///< when it was last kept
    QString movedTo; ///< of what was set aside: where it lies now
    QString why; ///< of what was set aside: one sentence
    bool readable = true; ///< what was set aside can be opened as any design
};

/// The design's file: open, save (a crash leaves the old file or the new one, never half of it), autosave of unsaved
/// work into the data folder (a file for each window), recent files. Changes the Design only by replace(). Shows
/// nothing. Lives on the GUI thread.
class Documents final : public QObject {
    Q_OBJECT
public:
    Documents(Design& design, Settings& settings, const QString& dataFolder, QObject* parent = nullptr);
    ~Documents() override;

    /// A design, or a batch script by anybody: the contents decide. A script is shown for the cluster it was written
    /// for or the present one; it stays its author's text, and saving writes it back. One of our own writing becomes a
    /// design without a file.
    Result<OpenedFile> open(const QString& path);
    /// Starts a design without a file.
    void begin(const JobSpec& spec);
    /// The same of work that is kept nowhere: it counts as unsaved from the beginning.
    void beginUnsaved(const JobSpec& spec);
    Result<void> saveAs(const QString& path);
    /// The batch script as it is shown, for use without this program. The design's own file stays what it was.
    Result<void> saveScript(const QString& path) const;
    /// A file of this name is a script by its ending, not a design.
    static bool isScriptName(const QString& path);
    /// A file of this name is a job as one file (docs/job_file.md), which is not a document.
    static bool isJobFileName(const QString& path);
    /// Designs and scripts opened or saved last that are still there, newest first.
    QStringList recent() const;
    Result<void> save(); ///< Fault::Invalid when the design has no file yet
    /// The document is the text of a script: saving writes that file.
    bool isScript() const;
    /// Writes the text, which is the document, to a file that is the document's from then on.
    Result<void> saveScriptAs(const QString& path);
    /// The design holds figures that its script does not say (a model, data): only a design file keeps them.
    bool hasMoreThanItsScript() const;
    /// What an earlier run left unsaved; false when there is nothing. The design is modified then. Work that cannot be
    /// read, or that was restored twice by a program which then ended abruptly, is set aside: the error says where.
    Result<bool> restoreAutosave();
    /// What that call did.
    const RestoredWork& restoredWork() const { return m_restored; }
    /// Unsaved work of further windows that ended abruptly: each waits for a window of its own.
    int otherDraftsWaiting() const { return m_draft.othersWaiting(); }
    /// How long the program must live after restoring for the work to count as harmless; an edit says the same.
    void setSurvival(int milliseconds) { m_survival.setInterval(milliseconds); }
    /// Writes unsaved work now (the program is about to end).
    void flushAutosave();
    void dropAutosave();

    const QString& path() const { return m_path; }
    /// The batch script that the design was read from, while it has no file of its own.
    const QString& script() const { return m_script; }
    /// Number of this window's draft: what else belongs to a window is kept by it.
    int draft() const { return m_draft.number(); }
    /// File name without folder and ending, or the design's name.
    QString title() const;

signals:
    /// Another document came in place of the one before: begun, opened or restored.
    void documentReplaced();
    void pathChanged(const QString& path);
    void autosaveFailed(const rankwright::Error& why);

private:
    Result<OpenedFile> openDesign(const QString& path, const QByteArray& bytes);
    Result<OpenedFile> openScript(const QString& path, const QByteArray& bytes);
    /// The document that the text of a script is; `cluster`: where nothing in it names one.
    struct ReadScript {
        JobSpec spec;
        OpenedScript opened;
        std::optional<AuthorScript> author; ///< empty: a script of ours, which is a design
        const AuthorScript* known() const { return author ? &*author : nullptr; }
    };
    Result<ReadScript> readScriptText(const ScriptBytes& script, const QString& cluster) const;
    void setPath(const QString& path);
    void scheduleAutosave();
    void restore(const JobSpec& unsaved);
    enum class EarlierDraft { Readable, Damaged };
    Unexpected<Error> setAside(const QString& what, const QString& evidence, EarlierDraft draft);
    void handleSurvival();

    Design& m_design;
    Settings& m_settings;
    DraftFile m_draft;
    QString m_path;
    QString m_script;
    QTimer m_autosave;
    QTimer m_survival; ///< runs while restored work has not shown to be harmless
    JobSpec m_unsurvived; ///< as it was restored
    RestoredWork m_restored;
};

/// What one file of the list of recent designs holds now. Reads at most a megabyte; a batch script is named as one and
/// not looked into; what is missing or cannot be read says so. Pure but for the reading: may run on any thread.
RecentDesign readRecentDesign(const QString& path, const Catalogue& catalogue);
QList<RecentDesign> readRecentDesigns(const QStringList& paths, const Catalogue& catalogue);

} // namespace rankwright
