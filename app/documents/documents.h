// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/draftfile.h"
#include "models/document/design.h"
#include "models/script/read/scriptreader.h"

#include <QTimer>

namespace rankwright {

class Settings;

/// What became of a batch script that was opened.
struct OpenedScript {
    QString cluster; ///< it was read for
    QString why; ///< what in the script names that cluster; empty: nothing does, the design's own was taken
    QList<NotUnderstood> notUnderstood;
};

/// What a file was: a design, or a batch script that was read back into one.
struct OpenedFile {
    QStringList unknownMembers; ///< of a design: members that this version does not know
    std::optional<OpenedScript> script;
};

/// The design's file: open, save (a crash leaves the old file or the new one, never half of it), autosave of unsaved
/// work into the data folder (a file for each window), recent files. Changes the Design only by replace(). Shows
/// nothing. Lives on the GUI thread.
class Documents final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Documents)
public:
    Documents(Design& design, Settings& settings, const QString& dataFolder, QObject* parent = nullptr);

    /// A design, or a batch script by anybody: the contents decide. A script becomes a design without a file, for the
    /// cluster it was written for or the present one; it counts as unsaved.
    Result<OpenedFile> open(const QString& path);
    /// Starts a design without a file.
    void begin(const JobSpec& spec);
    Result<void> saveAs(const QString& path);
    /// The batch script as it is shown, for use without this program. The design's own file stays what it was.
    Result<void> saveScript(const QString& path) const;
    /// A file of this name is a script by its ending, not a design.
    static bool isScriptName(const QString& path);
    /// Designs and scripts opened or saved last that are still there, newest first.
    QStringList recent() const;
    Result<void> save(); ///< Fault::Invalid when the design has no file yet
    /// What an earlier run left unsaved; false when there is nothing. The design is modified then.
    Result<bool> restoreAutosave();
    /// Writes unsaved work now (the program is about to end).
    void flushAutosave();
    void dropAutosave();

    const QString& path() const { return m_path; }
    /// File name without folder and ending, or the design's name.
    QString title() const;

signals:
    /// Another document came in place of the one before: begun, opened or restored.
    void replaced();
    void pathChanged(const QString& path);
    void autosaveFailed(const rankwright::Error& why);

private:
    Result<OpenedFile> openDesign(const QString& path, const QByteArray& bytes);
    Result<OpenedFile> openScript(const QString& path, const QByteArray& bytes);
    void setPath(const QString& path);
    void scheduleAutosave();

    Design& m_design;
    Settings& m_settings;
    DraftFile m_draft;
    QString m_path;
    QTimer m_autosave;
};

} // namespace rankwright
