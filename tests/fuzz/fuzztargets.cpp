// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/fuzztargets.h"

#include "models/cluster/catalogue/catalogue.h"
#include "models/cluster/login/keyfile.h"
#include "models/cluster/slurm/jobrecordjson.h"
#include "models/cluster/slurm/jobusagejson.h"
#include "models/insight/alerts/alertjson.h"
#include "models/insight/diagnosis/diagnosisjson.h"
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/progress/progressjson.h"
#include "models/insight/progress/traininglogreader.h"
#include "models/insight/telemetry/codec/levelcodec.h"
#include "models/insight/telemetry/codec/processcodec.h"
#include "models/insight/telemetry/codec/sumscodec.h"
#include "models/insight/telemetry/sampling/rankgatherer.h"
#include "models/insight/telemetry/sampling/samplerfiledecoder.h"
#include "models/insight/telemetry/tools/toolreader.h"
#include "models/planner/estimate/layoutcheck.h"
#include "models/planner/estimate/memorymodel.h"
#include "models/planner/estimate/network/hfconfig.h"
#include "models/planner/estimate/network/modelchoice.h"
#include "models/planner/estimate/runs/runstack.h"
#include "models/planner/estimate/runs/runtable.h"
#include "models/script/batch/batchtext.h"
#include "models/script/batch/scriptcluster.h"
#include "models/script/bind/scriptfields.h"
#include "models/script/document/design.h"
#include "models/script/document/designjson.h"
#include "models/script/lint/lint.h"
#include "models/script/read/scriptedit.h"
#include "models/script/read/scriptimport.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/scriptwriter.h"
#include "models/teaching/classroom/classeffects.h"
#include "models/teaching/classroom/classkey.h"
#include "models/teaching/classroom/classplace.h"
#include "models/teaching/classroom/classprogress.h"
#include "models/teaching/classroom/classreader.h"
#include "models/teaching/classroom/classrules.h"

#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace Qt::StringLiterals;

namespace rankwright::fuzz {

namespace {

constexpr int largestWorld = 2048; // what is drawn for a larger job is the same, only slower

/// A failure must say what is wrong in one line.
void requireReported(const Error& error)
{
    require(!error.what.isEmpty(), "an error says what is wrong");
    require(!error.oneLine().contains(u'\n'), "an error fits one line");
}

void useDesign(const JobSpec& spec, const ClusterProfile& profile)
{
    const ResolvedSpec resolved = resolve(spec, profile);
    if (resolved.worldSize() > largestWorld)
        return;
    const Derived derived = derive(spec, profile);
    require(derived.ranks.ranks.size() == resolved.worldSize(), "every rank has a place");
    // a text that somebody emptied stays empty
    require(!derived.script.lines.isEmpty() || !spec.overrides.isEmpty(), "there is always a script");
    for (const Finding& finding : derived.findings())
        require(!finding.text.isEmpty() && !finding.text.contains(u'\n'), "a finding is one sentence on one line");
    if (derived.cost.cheaper && derived.cost.billingAccounts)
        require(derived.cost.cheaper->perHour < derived.cost.billingAccounts->first().perHour, "cheaper is cheaper");
    const BatchText read = parseBatch(derived.script.text());
    // A job named like a directive has a title that looks like a lost one; a user's own lines may really be lost.
    if (resolved.name.contains(u"SBATCH", Qt::CaseInsensitive) || !spec.overrides.isEmpty())
        return;
    for (const LostDirective& lost : read.lost) {
        const QByteArray what = "sbatch reads every directive that is written: " + lost.text.toUtf8();
        require(lost.why == LostDirective::Why::Disabled, what.constData());
    }
}

const Catalogue& catalogue()
{
    static const Catalogue all = loadCatalogue();
    return all;
}

} // namespace

void catalogueFile(const QByteArray& bytes)
{
    const auto profile = readClusterProfile(bytes, u"fuzz.json"_s);
    if (!profile)
        return requireReported(profile.error());
    require(!profile->name.isEmpty(), "a cluster has a name");
    JobSpec spec;
    spec.cluster = profile->name;
    useDesign(spec, *profile);
    for (const Partition& partition : profile->partitions.mid(0, 8)) {
        spec.partition = partition.name;
        spec.resources.gpusPerNode = 2;
        useDesign(spec, *profile);
    }
}

void designFile(const QByteArray& bytes)
{
    const auto read = readDesign(bytes, u"fuzz.json"_s);
    if (!read)
        return requireReported(read.error());
    const auto again = readDesign(writeDesign(read->spec), u"again.json"_s);
    require(again && again->spec == read->spec, "a design written and read again is the same");
    const ClusterProfile* profile = catalogue().find(read->spec.cluster);
    useDesign(read->spec, profile != nullptr ? *profile : catalogue().clusters.first());
}

void classFile(const QByteArray& bytes)
{
    const QDateTime now = QDateTime::fromMSecsSinceEpoch(1'790'000'000'000);
    const ReadProgress noted = readProgress(u"ada"_s, bytes, now);
    require(noted.lines.size() <= 5000, "what is noted is bounded");
    progressTable(noted.lines);
    (void)readClassAddress(QString::fromUtf8(bytes.left(3000)));
    const QString key = QString::fromUtf8(bytes.left(200));
    require(ed25519Key(key).has_value() || !classKeyFault(key).isEmpty(), "what is not a key has a fault");
    const ClassPlace place = readPlace(bytes);
    const auto read = readClass(bytes, u"fuzz.rwclass"_s);
    if (!read)
        return requireReported(read.error());
    if (const auto expired = expiryFault(*read, now))
        requireReported(*expired);
    const auto again = readClass(writeClass(*read), u"again.rwclass"_s);
    require(again && *again == *read, "a class written and read again is the same");
    classEffects(*read, catalogue());
    const ClusterProfile* profile = catalogue().find(read->cluster);
    for (const ClassExercise& exercise : read->exercises) {
        const JobSpec start = startingSpec(*read, exercise);
        require(enforce(*read, exercise, start).putBack.isEmpty(), "an exercise's own design keeps its class");
        lockedFields(*read, exercise);
        const ResolvedSpec resolved = resolve(start, profile != nullptr ? *profile : catalogue().clusters.first());
        classFindings(*read, exercise, resolved, now);
        CheckContext context;
        context.runs = place.runs.value(exercise.id);
        context.runsByExercise = place.runs;
        context.limits = read->limits;
        require(evaluate(exercise.checks, context).size() == exercise.checks.size(), "each check has a verdict");
    }
}

void batchScript(const QByteArray& bytes)
{
    const BatchText read = parseBatch(QString::fromUtf8(bytes));
    const auto standsInText = [&](int line) { return line >= 1 && line <= qMax<qsizetype>(1, read.lines.size()); };
    for (const BatchOption& option : read.options)
        require(standsInText(option.line) && !option.written.isEmpty(), "an option stands in the text");
    for (const LostDirective& lost : read.lost)
        require(standsInText(lost.line), "a lost directive stands in the text");
    for (const Launch& launch : read.launches)
        require(standsInText(launch.line) && launch.lastLine >= launch.line, "a launch stands in the text");
}

/// Every place of the field holds its value just as it is, without anything that an edit would have to quote.
bool isTypedPlainly(const QString& text, const ScriptField& field)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9][A-Za-z0-9_./-]*$"_s);
    return field.notes.isEmpty() && !field.places.isEmpty() && plain.match(field.value).hasMatch()
        && std::all_of(field.places.cbegin(), field.places.cend(),
            [&](const ScriptPlace& place) { return text.mid(place.begin, place.end - place.begin) == field.value; });
}

/// Another value, and the old one again: no byte is another, where neither edit is refused.
void thereAndBack(const QString& text, const QString& path, const QString& value)
{
    bool isNumber = false;
    const qint64 number = value.toLongLong(&isNumber);
    // a number far away: one that by chance agrees with the others' would take them with it on the way back
    const QString far = QString::number(number * 7 + 11);
    const QString other = path == u"time" ? u"03:21:09"_s : isNumber ? far : u"other"_s + value;
    const auto there = setFields(text, {{path, other, false}});
    if (!there)
        return requireReported(there.error());
    if (there->text.count(u'\n') != text.count(u'\n'))
        return; // a directive was inserted, which the way back sets, too
    const auto back = setFields(there->text, {{path, value, false}});
    if (!back)
        return requireReported(back.error());
    const QByteArray promise = "a field set to another value and back leaves every byte: " + path.toUtf8();
    require(back->text == text, promise.constData());
}

void scriptFields(const QByteArray& bytes)
{
    const QString text = QString::fromUtf8(bytes);
    const ScriptFields bound = bindScript(text);
    constexpr qsizetype longest = 20000; // an edit reads the text several times
    int edits = 0;
    for (auto it = bound.fields.cbegin(); it != bound.fields.cend(); ++it) {
        qsizetype behind = 0;
        for (const ScriptPlace& place : it->places) {
            require(place.begin >= behind && place.end >= place.begin && place.end <= text.size(),
                "places stand in the text, in order");
            require(place.line >= 1 && place.column >= 1 && place.length >= 0, "a place has a line and a column");
            behind = place.begin;
        }
        require(it->state == ScriptField::State::Bound || !it->why.isEmpty(), "what has no place says why");
        if (it->state != ScriptField::State::Bound || text.size() > longest || ++edits > 6)
            continue;
        const auto same = setFields(text, {{it.key(), it->value, false}});
        const QByteArray promise = "a field set to what it is changes nothing: " + it.key().toUtf8();
        require(same && same->text == text, promise.constData());
        if (isTypedPlainly(text, *it))
            thereAndBack(text, it.key(), it->value);
    }
    if (text.size() > longest)
        return;
    for (const FieldEdit& edit : {FieldEdit{u"resources.nodes"_s, u"3"_s, false}, FieldEdit{u"name"_s, u"a b"_s, false},
             FieldEdit{u"time"_s, u"00:17:00"_s, false}, FieldEdit{u"command"_s, u"--added 7"_s, true}}) {
        const auto edited = setFields(text, {edit});
        if (!edited) {
            requireReported(edited.error());
            continue;
        }
        const ScriptFields now = bindScript(edited->text);
        const ScriptField* field = now.find(edit.path);
        require(field != nullptr && field->state == ScriptField::State::Bound, "an edited field stands in the text");
        require(edit.appends ? field->value.endsWith(edit.value) : field->value == edit.value, "an edit arrives");
    }
}

void runTable(const QByteArray& bytes)
{
    const auto rows = readRuns(bytes);
    if (!rows)
        return requireReported(rows.error());
    for (const RunRow& row : rows->mid(0, 64)) {
        require(knownStacks().contains(row.stack), "a row has a stack");
        require(row.layout.gpus() >= 1 && row.layout.globalBatch() >= 1, "a row has GPUs and samples");
        require(!row.missing.contains(u'\n') && !row.note.contains(u'\n'), "remarks fit one line");
        if (!row.missing.isEmpty())
            continue;
        require(checkShape(row.workload.shape).hasValue(), "a complete row has a model that makes sense");
        require(row.workload.sequence >= 1, "a complete row has a sequence");
        const TrainingStack* stack = trainingStack(row.stack);
        if (stack == nullptr || !checkLayout(row.workload, row.layout))
            continue;
        const MemoryModel model(row.workload, *stack, gpuFigures(row.gpu));
        const MemoryEstimate estimate = model.estimate(row.layout, row.counter);
        require(std::isfinite(estimate.totalBytes) && estimate.totalBytes > 0, "a complete row has an estimate");
    }
}

void samplerFile(const QByteArray& bytes)
{
    SamplerFileDecoder whole;
    const QByteArrayList lines = whole.feed(bytes);
    require(lines.size() <= bytes.count('\n'), "a line of the record gives one line at most");
    for (const QByteArray& line : lines)
        require(line.startsWith("@rw") && !line.contains('\n'), "lines of the sampling command come out");
    SamplerFileDecoder halves;
    QByteArrayList again = halves.feed(bytes.left(bytes.size() / 3));
    again += halves.feed(bytes.mid(bytes.size() / 3));
    require(again == lines && halves.damaged() == whole.damaged(), "where the bytes are cut changes nothing");
    RankGatherer gatherer;
    const SamplerContent content = samplerContent(lines, gatherer);
    require(content.ticks.size() + content.processes.size() <= lines.size(), "a line reports one thing");
}

void jobLog(const QByteArray& bytes)
{
    const QList<Diagnosis> found = diagnose(bytes);
    require(found.size() <= 2, "a cause, and perhaps a bad loss beside it");
    for (const Diagnosis& one : found) {
        require(one.line >= 1 && one.line <= bytes.count('\n') + 1, "a finding stands in the log");
        require(!one.evidence.isEmpty() && one.evidence.size() <= 400, "evidence is quoted, and short");
        require(!one.evidence.contains(u'\x1b'), "evidence cannot move the cursor");
        require(one.rank.value_or(0) >= 0 && one.gpu.value_or(0) >= 0, "ranks count from 0");
    }
    LogDiagnoser halves;
    halves.feed(bytes.left(bytes.size() / 2));
    halves.feed(bytes.mid(bytes.size() / 2));
    require(halves.diagnoses() == found, "where the bytes are cut changes nothing");
    TrainingLogReader reader;
    reader.feed(bytes);
    reader.finish();
    const auto fraction = reader.progress().fraction();
    require(!fraction || (*fraction >= 0 && *fraction <= 1), "progress is a share");
    TrainingLogReader summary;
    summary.setSummaryOnly(true);
    summary.feed(bytes.left(bytes.size() / 3));
    summary.feed(bytes.mid(bytes.size() / 3));
    summary.finish();
    for (const TrainingLogReader* one : {&reader, &summary}) {
        const TrainingProgress& progress = one->progress();
        for (const auto& figure : {progress.epoch, progress.epochs, progress.reward, progress.kl, progress.evalLoss})
            require(!figure || std::isfinite(*figure), "a figure is a number");
        require(progress.step.value_or(0) >= 0 && progress.steps.value_or(0) >= 0, "steps count from 0");
        const auto kept = progressFromJson(JsonReader(progressJson(progress)));
        require(kept.hasValue(), "progress is kept and read again");
    }
}

void gpuToolOutput(const QByteArray& bytes)
{
    const ToolReading reading = readGpuTool(bytes);
    require(
        reading.faults.size() <= 100 && reading.ignored.size() <= 100, "what is kept beside the samples is bounded");
    require(reading.ticks.isEmpty() || !reading.format.isEmpty(), "samples come from a known layout");
    qsizetype devices = 0;
    for (const ToolTick& tick : reading.ticks) {
        devices += tick.devices.size();
        for (const ToolDevice& device : tick.devices) {
            require(!device.id.isEmpty(), "a device has a number");
            const double use = device.utilizationPercent.value_or(0);
            require(use >= 0 && use <= 100, "use is a share");
            require(
                device.memoryUsedBytes.value_or(0) >= 0 && device.memoryTotalBytes.value_or(1) > 0, "memory is a size");
            require(
                std::isfinite(device.powerWatts.value_or(0)) && std::isfinite(device.temperatureCelsius.value_or(0)),
                "figures are numbers");
        }
    }
    require(devices <= bytes.size() + 1, "no device without a byte");
    require(newestTicks(reading).size() <= reading.ticks.size(), "the newest are among all");
}

void recordedEntry(const QByteArray& bytes)
{
    const auto object = parseJsonObject(bytes, u"entry"_s);
    if (!object) {
        requireReported(object.error());
        return;
    }
    const auto readAgain = [&object](const auto& read, const auto& write) {
        const auto value = read(JsonReader(*object));
        if (!value) {
            requireReported(value.error());
            return;
        }
        const auto again = read(JsonReader(write(*value)));
        require(again && write(*again) == write(*value), "what was read is written and read alike");
    };
    readAgain(alertFromJson, alertJson);
    readAgain(diagnosisFromJson, diagnosisJson);
    readAgain(progressFromJson, progressJson);
    readAgain(jobRecordFromJson, jobRecordJson);
    readAgain(jobUsageFromJson, jobUsageJson);
}

void recordedChunk(const QByteArray& bytes)
{
    if (bytes.trimmed().startsWith('{')) { // no piece: an entry beside them
        recordedEntry(bytes);
        return;
    }
    if (const auto chunk = TickChunk::openPayload(bytes)) {
        const QList<NodeTick> ticks = chunk->ticks(u"n"_s);
        require(ticks.size() == chunk->size(), "every tick comes back");
        for (qsizetype i = 0; i < qMin<qsizetype>(ticks.size(), 8); ++i)
            require(chunk->tick(i, u"n"_s) == ticks.at(i), "one tick is the same as among all");
        chunk->forEachValue(0, Measure::Power, [](qint64, float) {});
        const auto again = TickChunk::open(packTicks(ticks));
        require(again && again->ticks(u"n"_s) == ticks, "ticks packed again are the same");
    } else {
        requireReported(chunk.error());
    }
    if (const auto reported = unpackProcessesPayload(bytes, u"n"_s)) {
        const auto again = unpackProcesses(packProcesses(*reported), u"n"_s);
        require(again && *again == *reported, "processes packed again are the same");
    }
    if (const auto sums = unpackSumsPayload(bytes, u"n"_s)) {
        const auto again = unpackSums(packSums(*sums), u"n"_s);
        require(again && *again == *sums, "sums packed again are the same");
    }
    if (const auto block = LevelBlock::openPayload(bytes)) {
        int buckets = 0;
        for (int gpu = -1; gpu <= block->gpus(); ++gpu)
            block->forEachBucket(gpu, Measure::Memory, [&buckets](const HistoryBucket& bucket) {
                require(bucket.samples > 0, "an empty bucket is not reported");
                ++buckets;
            });
        require(buckets <= (block->gpus() + 2) * bucketsPerBlock, "a block has so many buckets");
    }
    // What zlib and the checksum hold back in the program; a seed with a right checksum is zlib's own business.
    if (bytes.size() < 4
        || qChecksum(QByteArrayView(bytes).sliced(4)) != (quint8(bytes.at(2)) | quint8(bytes.at(3)) << 8))
        require(!TickChunk::open(bytes), "bytes of others are refused");
}

void modelConfiguration(const QByteArray& bytes)
{
    const auto shape = shapeFromHfConfig(bytes);
    if (!shape)
        requireReported(shape.error());
    else
        require(checkShape(*shape).hasValue() && countParameters(*shape).total > 0, "a model has parameters");
    const auto chosen = chooseModel(QJsonDocument::fromJson(bytes).object()); // figures share some member names
    if (!chosen)
        return requireReported(chosen.error());
    require(checkShape(*chosen).hasValue() && countParameters(*chosen).total > 0, "a model has parameters");
}

static void useCertificate(const SshCertificate& certificate)
{
    const QDateTime moments[] = {QDateTime::fromSecsSinceEpoch(0, Qt::UTC),
        QDateTime::fromSecsSinceEpoch(1767225600, Qt::UTC), QDateTime::fromSecsSinceEpoch(253402300799, Qt::UTC)};
    for (const QDateTime& now : moments) {
        const bool isValid = certificate.stateAt(now) == SshCertificate::State::Valid;
        require(isValid == !validityText(certificate, now).startsWith(QStringLiteral("expired"))
                || certificate.stateAt(now) == SshCertificate::State::NotYet,
            "an expired certificate is called so");
    }
    require(!certificate.validUntil || certificate.validUntil->isValid(), "an end is a moment");
    require(certificate.publicKey.size() > 4 && certificate.principals.size() <= 256, "a certificate has a key");
    namesHost(certificate, QStringLiteral("login1.example.org"));
}

void sshCertificate(const QByteArray& bytes)
{
    if (const auto certificate = parseCertificateLine(bytes))
        useCertificate(*certificate);
    for (const QByteArray& blob : {bytes, QByteArray::fromBase64(bytes.simplified().split(' ').value(1))}) {
        if (const auto certificate = parseCertificate(blob))
            useCertificate(*certificate);
    }
    isEncryptedKey(bytes);
    const QString type = publicKeyType(bytes);
    require(type.isEmpty() || bytes.simplified().startsWith(type.toLatin1()), "a key's kind is its first word");
}

void scriptReading(const QByteArray& bytes)
{
    const BatchText batch = parseBatch(QString::fromUtf8(bytes));
    const ClusterProfile* profile = catalogue().find(clusterOf(batch, catalogue(), u"lumi"_s).name);
    require(profile != nullptr, "a script is read for a cluster that there is");
    ScriptReading reading = readScript(batch, *profile);
    const JobSpec spec = designOf(reading, batch, *profile);
    dropOwnLines(reading, spec, *profile);
    for (const NotUnderstood& part : std::as_const(reading.notUnderstood))
        require(part.line >= 0 && part.line <= batch.lines.size() + 1 && !part.why.isEmpty(),
            "what is left open is reported");
    const auto again = readDesign(writeDesign(spec), u"again.json"_s);
    require(again && again->spec == spec, "a design that was read can be kept");
    useDesign(spec, *profile);
    if (batch.text.contains(u'\0') || batch.text.contains(u'\r') || batch.lines.size() > 400)
        return;
    const JobSpec exact = applyScriptEdit(reading.spec, *profile, batch.text).exact;
    require(writeScript(resolve(exact, *profile), *profile).text() == batch.text, "a typed text stays as it is");
}

void scriptLint(const QByteArray& bytes)
{
    const QString text = QString::fromUtf8(bytes);
    const BatchText batch = parseBatch(text);
    const ClusterProfile* profile = catalogue().find(clusterOf(batch, catalogue(), u"lumi"_s).name);
    for (const ClusterProfile* site : {static_cast<const ClusterProfile*>(nullptr), profile}) {
        const QList<Finding> findings = lintScript(batch, site).findings;
        for (const Finding& finding : findings) {
            require(!finding.text.isEmpty() && !finding.text.contains(u'\n'), "a finding is one sentence on one line");
            require(finding.line() >= 0 && finding.line() <= batch.lines.size() + 1, "a finding stands in the text");
        }
        for (const Finding& finding : findings.mid(0, 8)) {
            if (finding.fix)
                require(textAfter(text, *finding.fix) != text, "a fix changes the text");
        }
    }
}

} // namespace rankwright::fuzz
