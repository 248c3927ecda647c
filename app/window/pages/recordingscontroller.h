// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordings.h"
#include "models/tables/recordingmodel.h"

#include <QObject>
#include <QPointer>

namespace rankwright {

class RecordingsDialog;

/// Shows the recordings of this computer, removes those that a person no longer wants, opens their folder. Owns the
/// dialog and its list; which job is replayed is the window's affair.
class RecordingsController final : public QObject {
    Q_OBJECT
public:
    RecordingsController(QString folder, QWidget& window, QObject* parent = nullptr);
    ~RecordingsController() override;

    void open();
    RecordingsDialog* dialog() const; ///< null before the first open()

signals:
    void replayRequested(const QString& path);
    void jobFileRequested(const QString& job, const QString& cluster); ///< the job as one file
    void changed(); ///< there are fewer, or more again

private:
    void refresh();
    void remove(const QStringList& paths);
    void putBack();
    void reveal(const QString& path);

    QString m_folder;
    int m_asked = 0; ///< how often the list was read; an older answer is dropped
    QWidget& m_window;
    RecordingModel m_model;
    QPointer<RecordingsDialog> m_dialog;
    QList<TrashedRecording> m_trashed; ///< what the newest removal took
};

} // namespace rankwright
