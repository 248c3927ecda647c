// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/history/historyexport.h"
#include "widgets/live/liveexport.h"

#include <QObject>

#include <atomic>
#include <functional>
#include <memory>

namespace rankwright {

class LiveController;
class LivePage;

/// Takes away what the Live page shows: pictures of map and page, and the samples of the stretch that its curves show
/// (the whole job unless one was chosen). Asks for the file; a recording is written out on another thread with a
/// reader of its own, with what was written so far and a way to stop. A file is there whole or not at all.
class LiveExporter final : public QObject {
    Q_OBJECT
public:
    LiveExporter(LivePage& page, LiveController& live, QObject* parent = nullptr);
    ~LiveExporter() override;

    /// Asks for a file name, then writes.
    void ask(LiveExport kind);
    /// Writes; the answer comes by exportDone() or failed(), for pictures at once.
    void write(LiveExport kind, const QString& fileName);
    /// A file name to begin with: "gpt-77-map.png".
    QString suggestedName(LiveExport kind) const;
    /// Stops what is being written; nothing of it stays.
    void cancel() { *m_cancelled = true; }

signals:
    /// `rows` of samples; 0 for pictures.
    void exportDone(const QString& fileName, qint64 rows);
    void failed(const rankwright::Error& why);

private:
    Result<void> writePicture(LiveExport kind, const QString& fileName) const;
    void writeSamples(LiveExport kind, const QString& fileName);
    void showProgress();
    void finish(const QString& fileName, const Result<qint64>& rows);

    LivePage& m_page;
    LiveController& m_live;
    std::shared_ptr<std::atomic<bool>> m_cancelled = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<std::atomic<qint64>> m_written = std::make_shared<std::atomic<qint64>>(0);
    bool m_writing = false;
};

/// Writes a history to a file, whole or not at all. Stops, with Fault::Cancelled, once `cancelled` is true; `written`
/// counts bytes.
Result<qint64> exportToFile(const TelemetryHistory& history, const ExportRequest& request, const QString& fileName,
    const std::atomic<bool>& cancelled, std::atomic<qint64>& written);

} // namespace rankwright
