// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/fieldtable.h"
#include "models/script/document/authoredit.h"
#include "models/script/document/design.h"
#include "models/script/document/designjson.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QRandomGenerator>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// A design whose script is its author's: fields and text say the same, whatever is edited and taken back.
class AuthorEditTest final : public test::Suite {
    Q_OBJECT
private slots:
    void staysTheText_data();
    void staysTheText();
    void randomEditsComeBack_data() { staysTheText_data(); }
    void randomEditsComeBack();
    void textAsABlock_data();
    void textAsABlock();
    void countsTheCoresOfATask();
    void asksForMemoryInOneWay();
    void asksForOneNodeWhereNothingIsSaid();
    void nothingGoesInSilence_data();
    void nothingGoesInSilence();
    void openAgainWhatTheTextNoLongerSays();
    void figuresGoToTheirArgument();
    void comesBackFromItsFile();
    void allMemoryIsNoNumber();
    void fieldsOfItsFileReachTheText();
    void theTextJudgesItsOwnSignal();

private:
    JobSpec specOf(const QString& text) const
    {
        JobSpec fresh;
        fresh.cluster = u"lumi"_s;
        return withAuthorText(fresh, text, *m_catalogue.find(u"lumi"_s));
    }
    const Catalogue m_catalogue = loadCatalogue();
};

namespace {

const QString head = u"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n#SBATCH --ntasks-per-node=8\n"
                     "#SBATCH --cpus-per-task=7\n#SBATCH --time=01:00:00\n#SBATCH --partition=standard-g\n"_s;
const QString launch = u"srun python3 train.py --micro-batch-size 32 --lr 0.1\n"_s;

/// Another value for each field that a script could say.
JobSpec otherValues()
{
    JobSpec other;
    other.name = u"another"_s;
    other.resources = {3, 4, 5, Bytes{qint64(64) << 30}};
    other.time = Seconds{7200};
    other.account = other.partition = other.reservation = u"other"_s;
    other.launcher = Launcher::Deepspeed;
    other.command = u"train.py --lr 0.1"_s;
    other.workdir = u"/scratch/other"_s;
    other.training.microBatch = 8;
    other.environment.container = u"/scratch/other.sif"_s;
    other.environment.modules = {u"other"_s};
    other.environment.venv = u"/scratch/venv"_s;
    other.environment.variables = {{u"OTHER"_s, u"1"_s}};
    other.options.qos = other.options.constraint = u"other"_s;
    other.options.signal = u"USR1@60"_s;
    other.options.array = u"0-3"_s;
    other.options.requeue = true;
    other.monitor.sampler = true;
    return other;
}

} // namespace

void AuthorEditTest::staysTheText_data()
{
    QTest::addColumn<QString>("path");
    for (const QString& folder : {u"/tests/data/handwritten"_s, u"/tests/data/strangers"_s}) {
        const QDir dir(test::sourcePath(folder));
        for (const QString& name : dir.entryList({u"*.sh"_s}, QDir::Files))
            QTest::newRow(qPrintable(name)) << dir.filePath(name);
    }
}

void AuthorEditTest::staysTheText()
{
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    Design design(m_catalogue);
    design.replace(specOf(text));
    QVERIFY(design.derived().author);
    QCOMPARE(design.derived().script.text(), text);
    QCOMPARE(writeScript(design.derived().resolved, *design.derived().profile).text(), text);
    // Reading again what was read changes nothing.
    QCOMPARE(withAuthorText(design.spec(), text, *design.derived().profile, &*design.derived().author), design.spec());
}

/// Undo returns every byte, redo every edit; a refused edit changes nothing.
void AuthorEditTest::randomEditsComeBack()
{
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    Design design(m_catalogue);
    design.replace(specOf(text));
    QRandomGenerator random(quint32(qHash(QFileInfo(path).fileName(), 7)));
    QStringList texts{text};
    for (int step = 0; step < 6; ++step) {
        const int number = random.bounded(1, 9);
        const auto change = [&](JobSpec& spec) {
            switch (random.bounded(5)) {
            case 0: spec.resources.nodes = number; break;
            case 1: spec.time = Seconds{number * 600}; break;
            case 2: spec.name = u"job%1"_s.arg(number); break;
            case 3: spec.account = u"project_%1"_s.arg(number); break;
            default: spec.partition = u"queue%1"_s.arg(number); break;
            }
        };
        const QString before = design.derived().script.text();
        const bool taken = design.edit(u"Edit"_s, change);
        const QString now = design.derived().script.text();
        if (!taken)
            QCOMPARE(now, before);
        else if (now != before)
            texts.append(now);
    }
    const QString last = design.derived().script.text();
    while (design.undo()) { }
    QCOMPARE(design.derived().script.text(), text);
    while (design.redo()) { }
    QCOMPARE(design.derived().script.text(), last);
    QCOMPARE(texts.last(), last);
}

void AuthorEditTest::textAsABlock_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("ended") << u"a\nb\n"_s;
    QTest::newRow("not ended") << u"a\nb"_s;
    QTest::newRow("blank at the end") << u"a\n\n"_s;
    QTest::newRow("one newline") << u"\n"_s;
    QTest::newRow("CRLF") << u"a\r\nb\r\n"_s;
    QTest::newRow("empty") << QString();
}

void AuthorEditTest::textAsABlock()
{
    QFETCH(QString, text);
    QCOMPARE(authorText(authorBlocks(text)), std::optional(text));
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.overrides = authorBlocks(text);
    const ClusterProfile& lumi = *m_catalogue.find(u"lumi"_s);
    QCOMPARE(writeScript(resolve(spec, lumi), lumi).text(), text);
    QCOMPARE(documentOf(authorScriptOf(text, lumi)).text(), text);
}

/// A design counts cores by GPU, the script by task: eight tasks of seven cores are seven of a GPU.
void AuthorEditTest::countsTheCoresOfATask()
{
    Design design(m_catalogue);
    design.replace(specOf(head + launch));
    QCOMPARE(design.spec().resources.cpusPerGpu.value_or(0), 7);
    QVERIFY(design.edit(u"Cores"_s, [](JobSpec& spec) { spec.resources.cpusPerGpu = 6; }));
    QCOMPARE(design.derived().script.text(), QString(head + launch).replace(u"task=7"_s, u"task=6"_s));
}

/// sbatch refuses --mem beside --mem-per-cpu.
void AuthorEditTest::asksForMemoryInOneWay()
{
    const QString text = head + u"#SBATCH --mem-per-cpu=4G\n"_s + launch;
    Design design(m_catalogue);
    design.replace(specOf(text));
    const QSignalSpy refused(&design, &Design::editRefused);
    QVERIFY(!design.edit(u"Memory"_s, [](JobSpec& spec) { spec.resources.memoryPerNode = Bytes{qint64(64) << 30}; }));
    QCOMPARE(refused.size(), 1);
    QCOMPARE(design.derived().script.text(), text);
    QCOMPARE(fieldTie(*design.derived().author, field::memoryPerNode).line, 8);
}

/// The planner's own advice on open nodes is none of a script's: sbatch gives it one.
void AuthorEditTest::asksForOneNodeWhereNothingIsSaid()
{
    JobSpec spec = specOf(QString(head + launch).remove(u"#SBATCH --nodes=2\n"_s));
    spec.model = {{u"parameters"_s, 70e9}};
    Design design(m_catalogue);
    design.replace(spec);
    QCOMPARE(design.derived().resolved.nodes, 1);
}

void AuthorEditTest::nothingGoesInSilence_data()
{
    QTest::addColumn<QString>("path");
    const JobSpec other = otherValues(), open;
    for (const SpecField& field : specFields()) {
        const bool isTried
            = std::visit([&](const auto& member) { return member.of(other) != member.of(open); }, field.member);
        if (isTried)
            QTest::newRow(field.path.data()) << QString(field.path);
    }
}

/// A field of the form either reaches the text, is refused, or is one that no script says: never only seems to be set.
void AuthorEditTest::nothingGoesInSilence()
{
    QFETCH(QString, path);
    const SpecField* field = specField(path);
    Design design(m_catalogue);
    design.replace(specOf(head + launch));
    const JobSpec other = otherValues();
    const QString before = design.derived().script.text();
    const bool taken = design.edit(path, [&](JobSpec& spec) {
        std::visit([&](const auto& member) { member.in(spec) = member.of(other); }, field->member);
    });
    const FieldTie tie = fieldTie(*design.derived().author, path);
    const QString now = design.derived().script.text();
    if (!taken)
        QCOMPARE(now, before);
    else if (tie.kind != FieldTie::Kind::Free)
        QVERIFY2(now != before, qPrintable(path));
    if (taken && tie.kind != FieldTie::Kind::Free)
        QVERIFY(std::visit(
            [&](const auto& member) { return member.of(design.spec()) == member.of(other); }, field->member));
}

void AuthorEditTest::openAgainWhatTheTextNoLongerSays()
{
    Design design(m_catalogue);
    design.replace(specOf(head + launch));
    QCOMPARE(design.spec().training.microBatch.value_or(0), 32);
    QVERIFY(design.edit(u"Data"_s, [](JobSpec& spec) { spec.training.datasetSamples = 1000; }));
    const QString without
        = QString(head + launch).remove(u"#SBATCH --time=01:00:00\n"_s).remove(u" --micro-batch-size 32"_s);
    QVERIFY(design.edit(u"Typing"_s, [&](JobSpec& spec) { spec.overrides = authorBlocks(without); }));
    QVERIFY(!design.spec().time);
    QVERIFY(!design.spec().training.microBatch);
    QCOMPARE(design.spec().training.datasetSamples.value_or(0), 1000);
}

/// "--batch-size" is not known to be the micro-batch: the form does not set the one for the other.
void AuthorEditTest::figuresGoToTheirArgument()
{
    Design design(m_catalogue);
    design.replace(specOf(head + launch));
    QVERIFY(design.edit(u"Micro-batch"_s, [](JobSpec& spec) { spec.training.microBatch = 8; }));
    QCOMPARE(design.derived().script.text(), QString(head + launch).replace(u"size 32"_s, u"size 8"_s));
    const QString unsure = head + u"srun python3 train.py --batch-size 32\n"_s;
    design.replace(specOf(unsure));
    QVERIFY(!design.edit(u"Micro-batch"_s, [](JobSpec& spec) { spec.training.microBatch = 8; }));
    QCOMPARE(design.derived().script.text(), unsure);
    QVERIFY(design.editScript(u"--batch-size"_s, {{u"arguments.--batch-size"_s, u"8"_s, false}}));
    QCOMPARE(design.derived().script.text(), QString(unsure).replace(u"32"_s, u"8"_s));
}

void AuthorEditTest::comesBackFromItsFile()
{
    const JobSpec spec = specOf(head + launch);
    const auto read = readDesign(writeDesign(spec), u"run.json"_s);
    QVERIFY_RESULT(read);
    QCOMPARE(read->spec, spec);
    QCOMPARE(authorText(read->spec.overrides), std::optional(head + launch));
}

/// sbatch(1), --mem: 0 asks for all memory of each node.
void AuthorEditTest::allMemoryIsNoNumber()
{
    const JobSpec spec = specOf(head + u"#SBATCH --mem=0\n"_s + launch);
    QVERIFY(!spec.resources.memoryPerNode);
    const Derived derived = derive(spec, *m_catalogue.find(u"lumi"_s));
    for (const Finding& finding : derived.findings())
        QVERIFY2(finding.severity != Severity::Error, qPrintable(finding.text));
}

/// Another program changed the design, and left the text alone.
void AuthorEditTest::fieldsOfItsFileReachTheText()
{
    const ClusterProfile& lumi = *m_catalogue.find(u"lumi"_s);
    const JobSpec read = specOf(head + launch);
    QCOMPARE(*withFieldsInText(read, lumi), read);
    JobSpec changed = read;
    changed.resources.nodes = 4;
    changed.time.reset(); // open: as the text has it
    const auto written = withFieldsInText(changed, lumi);
    QVERIFY(written.hasValue());
    QCOMPARE(*authorText(written->overrides), QString(head + launch).replace(u"--nodes=2"_s, u"--nodes=4"_s));
    QCOMPARE(written->time, read.time);
    changed.environment.modules = {u"LUMI"_s};
    const auto refused = withFieldsInText(changed, lumi);
    QVERIFY(!refused.hasValue());
    QCOMPARE(refused.error().path, field::modules);
}

/// sbatch(1), --signal: with "B:" the batch shell alone gets it, which hands it on where it has a trap.
void AuthorEditTest::theTextJudgesItsOwnSignal()
{
    const auto errors = [this](const QString& trap) {
        const JobSpec spec
            = specOf(head + u"#SBATCH --signal=B:TERM\n"_s + trap + u"srun python3 train.py &\nPID=$!\nwait $PID\n"_s);
        const Derived derived = derive(spec, *m_catalogue.find(u"lumi"_s));
        return std::count_if(derived.findings().cbegin(), derived.findings().cend(),
            [](const Finding& finding) { return finding.rule == u"L26" && finding.severity == Severity::Error; });
    };
    QCOMPARE(errors(u"trap 'kill -15 $PID; wait $PID' TERM\n"_s), 0);
    QCOMPARE(errors({}), 1);
}

RANKWRIGHT_TEST_MAIN(AuthorEditTest)
#include "tst_authoredit.moc"
