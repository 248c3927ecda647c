// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/pages/liveexporter.h"

#include "app/base/whendone.h"
#include "app/store/recordingreader.h"
#include "app/window/pages/livecontroller.h"
#include "models/core/units.h"
#include "widgets/heatmap/heatmappicture.h"
#include "widgets/live/livepage.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QPixmap>
#include <QProgressDialog>
#include <QSaveFile>
#include <QtConcurrentRun>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int pictureScale = 2; // for print and for screens of twice the density
constexpr int progressAfterMs = 1000;

ExportFormat formatOf(LiveExport kind)
{
    switch (kind) {
    case LiveExport::ParquetCsv: return ExportFormat::TypedCsv;
    case LiveExport::Json: return ExportFormat::JsonWriter;
    default: return ExportFormat::Csv;
    }
}

Error cannotWrite(const QString& fileName, const QString& why)
{
    return {Fault::Io, LiveExporter::tr("%1 could not be written.").arg(fileName), why,
        LiveExporter::tr("Choose another folder, or make room there.")};
}

Result<void> writeWhole(const QString& fileName, const QByteArray& bytes)
{
    QSaveFile file(fileName);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(cannotWrite(fileName, file.errorString()));
    return {};
}

} // namespace

Result<qint64> exportToFile(const TelemetryHistory& history, const ExportRequest& request, const QString& fileName,
    const std::atomic<bool>& cancelled, std::atomic<qint64>& written)
{
    QSaveFile file(fileName);
    if (!file.open(QIODevice::WriteOnly))
        return fail(cannotWrite(fileName, file.errorString()));
    const Result<qint64> rows = exportHistory(history, request, [&](const QByteArray& bytes) {
        if (cancelled || file.write(bytes) != bytes.size())
            return false;
        written += bytes.size();
        return true;
    });
    if (cancelled)
        return fail(Error{Fault::Cancelled, LiveExporter::tr("The export was stopped; nothing was written."), {}, {}});
    if (!rows)
        return fail(cannotWrite(fileName, file.errorString()));
    if (!file.commit())
        return fail(cannotWrite(fileName, file.errorString()));
    if (request.format == ExportFormat::TypedCsv) {
        if (const auto schema = writeWhole(fileName + u".schema.json"_s, exportSchema()); !schema)
            return fail(schema.error());
    }
    return rows;
}

LiveExporter::LiveExporter(LivePage& page, LiveController& live, QObject* parent)
    : QObject(parent), m_page(page), m_live(live)
{
    connect(&m_page, &LivePage::exportRequested, this, &LiveExporter::ask);
}

LiveExporter::~LiveExporter() { cancel(); }

QString LiveExporter::suggestedName(LiveExport kind) const
{
    const QString job = m_page.jobId().isEmpty() ? u"job"_s : u"job-"_s + m_page.jobId();
    switch (kind) {
    case LiveExport::MapPicture: return job + u"-map.png"_s;
    case LiveExport::PagePicture: return job + u"-page.png"_s;
    case LiveExport::Csv: return job + u"-samples.csv"_s;
    case LiveExport::ParquetCsv: return job + u"-samples-typed.csv"_s;
    case LiveExport::Json: return job + u"-samples.jsonl"_s;
    }
    return job;
}

void LiveExporter::ask(LiveExport kind)
{
    if (m_writing)
        return;
    QString filter = tr("CSV (*.csv)");
    if (kind == LiveExport::MapPicture)
        filter = tr("Pictures (*.png *.svg)");
    else if (kind == LiveExport::PagePicture)
        filter = tr("Pictures (*.png)");
    else if (kind == LiveExport::Json)
        filter = tr("JSON lines (*.jsonl)");
    const QString name = QFileDialog::getSaveFileName(&m_page, tr("Export"), suggestedName(kind), filter);
    if (name.isEmpty())
        return;
    write(kind, name);
    if (m_writing)
        showProgress();
}

void LiveExporter::write(LiveExport kind, const QString& fileName)
{
    if (m_writing)
        return;
    if (kind != LiveExport::MapPicture && kind != LiveExport::PagePicture) {
        writeSamples(kind, fileName);
        return;
    }
    if (const Result<void> written = writePicture(kind, fileName); !written)
        emit failed(written.error());
    else
        emit exportDone(fileName, 0);
}

Result<void> LiveExporter::writePicture(LiveExport kind, const QString& fileName) const
{
    if (kind == LiveExport::MapPicture) {
        const qint64 ms = m_page.slider().state().momentMs;
        return saveHeatMapPicture(fileName, m_page.heatMap(), {tr("Job %1").arg(m_page.jobId()), ms, pictureScale});
    }
    QPixmap picture(m_page.size() * pictureScale);
    picture.setDevicePixelRatio(pictureScale);
    picture.fill(m_page.palette().window().color());
    m_page.render(&picture);
    if (!picture.save(fileName))
        return fail(cannotWrite(fileName, tr("the picture could not be saved")));
    return {};
}

void LiveExporter::writeSamples(LiveExport kind, const QString& fileName)
{
    ExportRequest request;
    request.format = formatOf(kind);
    request.span = m_page.chosenSpan().value_or(TimeSpan());
    request.job = m_page.jobId();
    m_cancelled = std::make_shared<std::atomic<bool>>(false);
    m_written = std::make_shared<std::atomic<qint64>>(0);
    m_writing = true;
    const QString path = m_live.recording();
    if (path.isEmpty()) { // minutes, from memory
        finish(fileName, exportToFile(m_live.replay().history(), request, fileName, *m_cancelled, *m_written));
        return;
    }
    const QFuture<Result<qint64>> writing = QtConcurrent::run(
        [path, request, fileName, cancelled = m_cancelled, written = m_written]() -> Result<qint64> {
            const auto reader = RecordingReader::open(path);
            if (!reader)
                return fail(reader.error());
            ExportRequest whole = request;
            whole.cluster = (*reader)->info().facts.cluster;
            return exportToFile(**reader, whole, fileName, *cancelled, *written);
        });
    whenDone(writing, this, [this, fileName](const Result<qint64>& rows) { finish(fileName, rows); });
}

void LiveExporter::showProgress()
{
    // Rows are not counted beforehand: what is reported is what was written.
    auto* progress = new QProgressDialog(tr("Writing the samples …"), tr("Stop"), 0, 0, &m_page);
    progress->setAttribute(Qt::WA_DeleteOnClose);
    progress->setMinimumDuration(progressAfterMs);
    progress->setValue(0);
    auto* clock = new QTimer(progress);
    clock->start(250);
    connect(clock, &QTimer::timeout, progress, [this, progress] {
        progress->setLabelText(tr("Writing the samples: %1 so far").arg(humanBytes(Bytes{*m_written})));
    });
    connect(progress, &QProgressDialog::canceled, this, &LiveExporter::cancel);
    connect(this, &LiveExporter::exportDone, progress, &QProgressDialog::close);
    connect(this, &LiveExporter::failed, progress, &QProgressDialog::close);
}

void LiveExporter::finish(const QString& fileName, const Result<qint64>& rows)
{
    m_writing = false;
    if (rows)
        emit exportDone(fileName, *rows);
    else
        emit failed(rows.error());
}

} // namespace rankwright
