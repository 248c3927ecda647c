// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobfile/jobfilereport.h"
#include "app/store/recordingreader.h"
#include "app/store/usagefiles.h"
#include "models/insight/telemetry/history/historyexport.h"
#include "tests/app/support/clirun.h"
#include "tests/app/support/madejobfile.h"
#include "tests/app/support/version1.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QTemporaryDir>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

/// A job written as one file and opened again.
class JobFileTest final : public Suite {
    Q_OBJECT
private slots:
    void init() override;
    void everythingComesBack();
    void noSecretIsInIt();
    void endsAreBounded();
    void theReportIsTheSame();
    void anOldRecording();
    void withoutARecording();
    void fromTheCommandLine();
    void formsForATicket();

private:
    static QByteArray bytesOf(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static QByteArray samplesOf(const QString& recording)
    {
        const auto reader = RecordingReader::open(recording);
        QByteArray all;
        ExportRequest request;
        request.format = ExportFormat::JsonWriter;
        request.span = {0, std::numeric_limits<qint64>::max()};
        if (reader)
            (void)exportHistory(**reader, request, [&all](const QByteArray& bytes) {
                all += bytes;
                return true;
            });
        return all;
    }
    /// Writes and opens it.
    Result<std::unique_ptr<JobFile>> through(const JobFileParts& parts)
    {
        const auto draft = JobFileDraft::make(parts);
        if (!draft)
            return fail(draft.error());
        if (const auto written = (*draft)->write(m_path); !written)
            return fail(written.error());
        if ((*draft)->bytes() != QFileInfo(m_path).size())
            return fail(Fault::Invalid, u"%1 bytes were promised"_s.arg((*draft)->bytes()));
        return JobFile::open(m_path);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

void JobFileTest::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_path = m_folder->filePath(u"a.rwjob"_s);
}

void JobFileTest::everythingComesBack()
{
    const JobFileParts parts = plantedParts(m_folder->path());
    const auto opened = through(parts);
    QVERIFY_RESULT(opened);
    const JobFile& file = **opened;
    const JobFileManifest& manifest = file.manifest();
    QCOMPARE(manifest.cluster, u"lumi"_s);
    QCOMPARE(manifest.clusterTitle, u"LUMI"_s);
    QCOMPARE(manifest.job.id, u"4711"_s);
    QCOMPARE(manifest.job.state, JobState::Completed);
    QCOMPARE(manifest.program, QLatin1String(RANKWRIGHT_VERSION));
    QCOMPARE(file.ignoredEntries(), 0);
    QVERIFY(file.text(JobFileMember::Kind::Script).startsWith("#!/bin/bash\nexport HF_TOKEN=(left out)\n"));
    const JobFileMember* output = manifest.first(JobFileMember::Kind::Output);
    QVERIFY(output);
    QCOMPARE(output->name, u"output/1-slurm-4711.out"_s);
    QCOMPARE(output->wholeBytes, std::optional<qint64>(90));
    QCOMPARE(file.text(*output), QByteArray("cloning (left out)\nstep 30/30 loss 2.5\n"));
    QVERIFY(!samplesOf(parts.recording).isEmpty());
    QCOMPARE(samplesOf(file.recording()), samplesOf(parts.recording));
    const auto reader = RecordingReader::open(file.recording());
    QVERIFY_RESULT(reader);
    QCOMPARE((*reader)->info().facts.job.started, parts.usage.usage.job.started);
    QVERIFY(!(*reader)->info().isWritten);
    QCOMPARE((*reader)->events({0, recordedStart + 60'000}, u"failures"_s).size(), 1);
    const auto usage = findStoredUsage(file.dataFolder(), u"lumi"_s, u"4711"_s);
    QVERIFY_RESULT(usage);
    QVERIFY(*usage && (*usage)->accounted);
    QVERIFY(file.origin().startsWith(u"from a.rwjob, made on "_s));
    // Nothing of it lies among this machine's own jobs, and nothing is left behind.
    const QString unpacked = file.dataFolder();
    QVERIFY(unpacked != m_folder->path() && QDir(unpacked).exists());
}

void JobFileTest::noSecretIsInIt()
{
    const JobFileParts parts = plantedParts(m_folder->path());
    const QByteArray before
        = bytesOf(parts.recording) + bytesOf(parts.recording + u"-wal"_s) + parts.script + parts.outputs.first().end;
    for (const QString& secret : plantedSecrets)
        QVERIFY2(before.contains(secret.toUtf8()), qPrintable(secret)); // the search would find it
    QVERIFY_RESULT(through(parts));
    const QByteArray after = bytesOf(m_path);
    for (const QString& secret : plantedSecrets)
        QVERIFY2(!after.contains(secret.toUtf8()), qPrintable(secret));
    QVERIFY(!after.contains("owner_seen"));
    QVERIFY(after.contains("(left out)"));
    QCOMPARE(QFileInfo(m_path).permissions() & (QFileDevice::ReadGroup | QFileDevice::ReadOther),
        QFileDevice::Permissions());
    const auto opened = JobFile::open(m_path);
    QVERIFY_RESULT(opened);
    QVERIFY((*opened)->manifest().secretsLeftOut >= 4);
}

/// Of a long output the end, from a whole line on; of many files the first.
void JobFileTest::endsAreBounded()
{
    JobFileParts parts = plantedParts(m_folder->path());
    parts.outputs.clear();
    const QByteArray line = "a line of the log that is as long as many are\n";
    const QByteArray end = QByteArray("of a token that was cut\n" + line.repeated(longestOutputEnd / line.size()))
                               .left(longestOutputEnd);
    for (int i = 0; i < mostJobFileOutputs + 3; ++i)
        parts.outputs.append({u"/scratch/../x y/%1.out"_s.arg(i), 1 << 30, end});
    const auto draft = JobFileDraft::make(parts);
    QVERIFY_RESULT(draft);
    QCOMPARE((*draft)->notes().size(), 1);
    const auto opened = through(parts);
    QVERIFY_RESULT(opened);
    int outputs = 0;
    for (const JobFileMember& member : (*opened)->manifest().members) {
        if (member.kind != JobFileMember::Kind::Output)
            continue;
        ++outputs;
        QVERIFY(member.bytes <= longestOutputEnd);
        QVERIFY((*opened)->text(member).startsWith("a line"));
    }
    QCOMPARE(outputs, mostJobFileOutputs);
}

/// What the sender saw, without a connection and without the sender's folder.
void JobFileTest::theReportIsTheSame()
{
    const QTemporaryDir own;
    JobFileParts parts = plantedParts(recordingsFolder(own.path()));
    QVERIFY_RESULT(storeUsage(own.path(), parts.usage));
    const Catalogue catalogue = loadCatalogue({});
    const ReportMaker maker(catalogue, nullptr, own.path());
    const auto sent = maker.makeOfflineNow(u"lumi"_s, {u"4711"_s});
    QVERIFY_RESULT(sent);
    parts.report = *sent;
    const auto opened = through(parts);
    QVERIFY_RESULT(opened);
    QVERIFY((*opened)->text(JobFileMember::Kind::ReportText).contains("## Job 4711"));
    const auto received = reportOf(**opened, catalogue);
    QVERIFY_RESULT(received);
    QCOMPARE(received->reports.size(), 1);
    QVERIFY(received->notes.first().contains(u"from a.rwjob"_s));
    for (const QString& key : {u"gpuUse"_s, u"gpuMemory"_s, u"time"_s, u"power"_s})
        QCOMPARE(received->reports.first().figure(key)->value, sent->reports.first().figure(key)->value);
    QCOMPARE(received->reports.first().figure(u"steps"_s)->value, std::optional(30.0)); // of the output that is in it
}

void JobFileTest::anOldRecording()
{
    const QString path = m_folder->filePath(u"lumi-4711.rwr"_s);
    makeVersion1(path);
    JobFileParts parts;
    parts.cluster = u"lumi"_s;
    parts.usage.cluster = u"lumi"_s;
    const auto facts = readRecordingFacts(path);
    QVERIFY_RESULT(facts);
    parts.usage.usage.job = facts->job;
    parts.recording = path;
    const QByteArray before = bytesOf(path);
    const auto opened = through(parts);
    QVERIFY_RESULT(opened);
    QCOMPARE(bytesOf(path), before);
    QVERIFY(!samplesOf(path).isEmpty());
    QCOMPARE(samplesOf((*opened)->recording()), samplesOf(path));
    const auto made = reportOf(**opened, loadCatalogue({}));
    QVERIFY_RESULT(made);
    QCOMPARE(made->reports.first().job.id, u"4711"_s);
}

void JobFileTest::withoutARecording()
{
    JobFileParts parts = plantedParts(m_folder->path());
    parts.recording.clear();
    parts.outputs.clear();
    const auto opened = through(parts);
    QVERIFY_RESULT(opened);
    QVERIFY((*opened)->recording().isEmpty());
    QVERIFY_RESULT(reportOf(**opened, loadCatalogue({})));
}

void JobFileTest::fromTheCommandLine()
{
    const QTemporaryDir own;
    const JobFileParts parts = plantedParts(recordingsFolder(own.path()));
    QVERIFY_RESULT(storeUsage(own.path(), parts.usage));
    const Answer written = run({u"export"_s, u"lumi"_s, u"4711"_s, u"--offline"_s, u"--data-dir"_s, own.path(),
        u"--output"_s, m_path, u"--json"_s});
    QVERIFY2(written.code == 0, qPrintable(written.err));
    QCOMPARE(written.json().value(u"bytes"_s).toInteger(), QFileInfo(m_path).size());
    QVERIFY(written.json().value(u"members"_s).toArray().size() >= 4);
    const Answer text = run({u"open"_s, m_path});
    QVERIFY2(text.code == 0, qPrintable(text.err));
    QVERIFY(text.out.contains(u"recording.rwr"_s) && text.out.contains(u"Job 4711"_s));
    QVERIFY(text.err.contains(u"from a.rwjob"_s));
    const QJsonObject opened = run({u"open"_s, m_path, u"--json"_s}).json();
    QCOMPARE(opened.value(u"job"_s).toObject().value(u"jobId"_s).toString(), u"4711"_s);
    QVERIFY(opened.value(u"report"_s).isObject());
    QCOMPARE(run({u"report"_s, m_path, u"--json"_s}).json().value(u"jobs"_s),
        opened.value(u"report"_s).toObject().value(u"jobs"_s));
    QVERIFY(run({u"open"_s, m_path, u"--member"_s, u"report.md"_s}).out.startsWith(u"# Efficiency report"_s));
    QCOMPARE(run({u"open"_s, m_path, u"--member"_s, u"recording.rwr"_s}).code, int(ExitUsage));
    QCOMPARE(run({u"report"_s, u"lumi"_s}).code, int(ExitUsage));
    QCOMPARE(run({u"open"_s, own.filePath(u"none.rwjob"_s)}).code, int(ExitUsage));
    QCOMPARE(run({u"export"_s, u"lumi"_s, u"1"_s, u"--offline"_s, u"--data-dir"_s, own.path()}).code, int(ExitNo));
}

void JobFileTest::formsForATicket()
{
    QVERIFY_RESULT(through(plantedParts(m_folder->path())));
    const Answer markdown = run({u"report"_s, m_path, u"--format"_s, u"markdown"_s});
    QCOMPARE(markdown.code, 0);
    QVERIFY(markdown.out.startsWith(u"# Efficiency report\n\n## Job 4711"_s));
    const Answer html = run({u"report"_s, m_path, u"--format=html"_s});
    QCOMPARE(html.code, 0);
    QVERIFY(html.out.startsWith(u"<!DOCTYPE html>"_s) && html.out.endsWith(u"</html>\n"_s));
    for (const QString& outside : {u"://"_s, u"<script"_s, u"<img"_s, u"src="_s, u"href="_s})
        QVERIFY2(!html.out.contains(outside), qPrintable(outside));
    QCOMPARE(run({u"report"_s, m_path, u"--format"_s, u"pdf"_s}).code, int(ExitUsage));
}

RANKWRIGHT_TEST_MAIN(JobFileTest)
#include "tst_jobfile.moc"
