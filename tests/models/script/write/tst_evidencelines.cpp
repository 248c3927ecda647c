// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/catalogue/catalogue.h"
#include "models/script/document/designjson.h"
#include "models/script/lint/lint.h"
#include "models/script/read/scriptedit.h"
#include "models/script/read/scriptimport.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/evidencelines.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

const QString evidenceGoldens = rankwright::test::sourcePath(u"/tests/data/scripts/");

struct Answered {
    int code = -1;
    QString output;
};

/// With the lines of a script of ours, its exports and what they made of a Python program.
Answered runParagraph(const QString& script, const QString& folder)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(folder);
    process.start(u"bash"_s, {u"-s"_s});
    process.write(QString(u"set -euo pipefail\nSLURM_JOB_ID=8009\n" + script).toUtf8());
    process.closeWriteChannel();
    if (!process.waitForFinished(test::longWaitMs))
        return {-1, u"timed out"_s};
    return {process.exitCode(), QString::fromUtf8(process.readAll())};
}

} // namespace

/// The paragraph by which a script prepares for the question where its ranks hang.
class EvidenceLinesTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase() { m_catalogue = loadCatalogue({}); }
    void whichScripts_data();
    void whichScripts();
    void everyDesignCanLeaveItOut_data();
    void everyDesignCanLeaveItOut();
    void whatIsSetIsLeftAlone_data();
    void whatIsSetIsLeftAlone();
    void worldsBesideEachOtherHaveNoPipe();
    void sharedNodesGetAPortOfTheirOwn();
    void editsOfTheParagraph_data();
    void editsOfTheParagraph();
    void runsInBash_data();
    void runsInBash();
    void harmsNothing();
    void pathOfTheContainer();
    void pythonAnswers_data();
    void pythonAnswers();
    void nextOneIsFoundOnce();
    void aColonInTheFoldersName();

private:
    JobSpec golden(const QString& name) const;
    const ClusterProfile& profileOf(const JobSpec& spec) const { return *m_catalogue.find(spec.cluster); }
    ScriptDocument scriptOf(const JobSpec& spec) const
    {
        return writeScript(resolve(spec, profileOf(spec)), profileOf(spec));
    }
    /// The paragraph alone: what runs before the launch.
    QString paragraph(const JobSpec& spec) const;
    Catalogue m_catalogue;
};

JobSpec EvidenceLinesTest::golden(const QString& name) const
{
    QFile file(evidenceGoldens + name + u".json"_s);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const auto read = readDesign(file.readAll(), name);
    return read ? read->spec : JobSpec();
}

QString EvidenceLinesTest::paragraph(const JobSpec& spec) const
{
    QString text = scriptOf(spec).text();
    text.remove(0, text.indexOf(u"# Evidence for "_s));
    return text.left(text.indexOf(u"\n\n"_s) + 1);
}

void EvidenceLinesTest::whichScripts_data()
{
    QTest::addColumn<QString>("design");
    QTest::addColumn<QString>("command");
    QTest::addColumn<bool>("has");
    QTest::newRow("torchrun") << u"practice-2node-torchrun"_s << QString() << true;
    QTest::newRow("srun") << u"practice-2node-srun"_s << QString() << true;
    QTest::newRow("accelerate") << u"lumi-2node-accelerate-zero3"_s << QString() << true;
    QTest::newRow("lightning") << u"raven-2node-lightning"_s << QString() << true;
    QTest::newRow("megatron") << u"lumi-4node-megatron"_s << QString() << true;
    QTest::newRow("one process") << u"lumi-1gcd-single"_s << QString() << false;
    QTest::newRow("horovod") << u"mahti-2node-horovod"_s << QString() << false;
    QTest::newRow("JAX") << u"practice-2node-srun"_s << u"-m maxtext.train base.yml"_s << false;
    QTest::newRow("TensorFlow") << u"practice-2node-srun"_s << u"train_tensorflow.py"_s << false;
    QTest::newRow("a word within a word") << u"practice-2node-srun"_s << u"ajaxian.py"_s << true;
}

void EvidenceLinesTest::whichScripts()
{
    QFETCH(QString, design);
    QFETCH(QString, command);
    QFETCH(bool, has);
    JobSpec spec = golden(design);
    if (!command.isEmpty())
        spec.command = command;
    const QString text = scriptOf(spec).text();
    QCOMPARE(text.contains(u"# Evidence for "_s), has);
    for (const QString& word : {u"TORCH_FR_"_s, u"NCCL_RAS"_s, u"RANKWRIGHT_STACKS"_s, u"HANG_EVIDENCE"_s})
        QVERIFY(has || !text.contains(word));
}

void EvidenceLinesTest::everyDesignCanLeaveItOut_data()
{
    QTest::addColumn<QString>("name");
    for (const QString& file : QDir(evidenceGoldens).entryList({u"*.json"_s}))
        QTest::newRow(qPrintable(file)) << file.chopped(5);
}

void EvidenceLinesTest::everyDesignCanLeaveItOut()
{
    QFETCH(QString, name);
    JobSpec spec = golden(name);
    const ClusterProfile& profile = profileOf(spec);
    QVERIFY(!spec.environment.hangEvidence);
    const ScriptDocument with = scriptOf(spec);
    spec.environment.hangEvidence = false;
    const ScriptDocument without = scriptOf(spec);
    QVERIFY(without.linesOf(field::hangEvidence).isEmpty());
    QStringList rest; // nothing else of the script depends on it
    bool inParagraph = false;
    for (const ScriptLine& line : with.lines) {
        const bool own = line.origins.contains(QString(field::hangEvidence));
        inParagraph = own ? line.text.startsWith(u"# Evidence"_s) || inParagraph : inParagraph && line.text.isEmpty();
        if (!own && !(inParagraph && line.text.isEmpty()) && !line.text.startsWith(u"# shellcheck"_s))
            rest.append(line.text);
        inParagraph = inParagraph && own;
    }
    QStringList wanted = without.texts();
    wanted.removeIf([](const QString& line) { return line.startsWith(u"# shellcheck"_s); });
    QCOMPARE(rest, wanted);

    for (const bool has : {true, false}) {
        const QString text = (has ? with : without).text();
        const BatchText batch = parseBatch(text);
        ScriptReading reading = readScript(batch, profile);
        const JobSpec back = designOf(reading, batch, profile);
        dropOwnLines(reading, back, profile);
        const bool makesNoDifference = with.text() == without.text();
        QCOMPARE(back.environment.hangEvidence, has || makesNoDifference ? std::nullopt : std::optional(false));
        for (const NotUnderstood& part : std::as_const(reading.notUnderstood))
            QVERIFY2(!part.text.contains(u"JOB_FILES"_s) && !part.text.contains(u"EVIDENCE"_s), qPrintable(part.text));
        for (const QString& variable : back.environment.variables.keys())
            QVERIFY2(
                !variable.startsWith(u"TORCH_FR"_s) && !variable.startsWith(u"RANKWRIGHT"_s), qPrintable(variable));
        QVERIFY(back.environment.setup == spec.environment.setup);
        QCOMPARE(scriptOf(back).text(), text);
    }
    QStringList before, now;
    for (const Finding& finding : lintScript(parseBatch(without.text()), &profile).findings)
        before.append(finding.slug);
    for (const Finding& finding : lintScript(parseBatch(with.text()), &profile).findings)
        now.append(finding.slug);
    QCOMPARE(now, before);
    const auto again = readDesign(writeDesign(spec), name);
    QVERIFY_RESULT(again);
    QCOMPARE(again->spec.environment, spec.environment);
    QVERIFY(again->unknownMembers.isEmpty());
}

void EvidenceLinesTest::whatIsSetIsLeftAlone_data()
{
    QTest::addColumn<QString>("variable");
    QTest::addColumn<QString>("setup");
    QTest::addColumn<QStringList>("absent");
    const QString none;
    const QStringList buffer{u"TORCH_FR_BUFFER_SIZE=2000"_s, u"TORCH_NCCL_TRACE_BUFFER_SIZE=2000"_s};
    QTest::newRow("new name") << u"TORCH_FR_BUFFER_SIZE"_s << none << buffer;
    QTest::newRow("old name") << u"TORCH_NCCL_TRACE_BUFFER_SIZE"_s << none << buffer;
    QTest::newRow("set-up line") << none << u"export TORCH_NCCL_TRACE_BUFFER_SIZE=9"_s << buffer;
    QTest::newRow("file") << u"TORCH_NCCL_DEBUG_INFO_TEMP_FILE"_s << none << QStringList{u"$JOB_FILES/record_"_s};
    QTest::newRow("pipe") << u"TORCH_NCCL_DEBUG_INFO_PIPE_FILE"_s << none << QStringList{u"$JOB_FILES/ask_"_s};
    QTest::newRow("port") << u"NCCL_RAS_ADDR"_s << none << QStringList{u"SLURM_JOB_ID % 8000"_s};
    QTest::newRow("no RAS") << u"NCCL_RAS_ENABLE"_s << none << QStringList{u"NCCL_RAS_ADDR"_s};
    QTest::newRow("signal") << u"RANKWRIGHT_STACKS"_s << none
                            << QStringList{u"RANKWRIGHT_STACKS=57"_s, u"PYTHONPATH"_s, u"> \"$JOB_FILES/python"_s};
}

void EvidenceLinesTest::whatIsSetIsLeftAlone()
{
    QFETCH(QString, variable);
    QFETCH(QString, setup);
    QFETCH(QStringList, absent);
    for (const QString& name : {u"practice-2node-torchrun"_s, u"lumi-2gcd-torchrun"_s}) { // without, with a container
        JobSpec spec = golden(name);
        spec.resources.gpusPerNode = 2; // of shared nodes
        spec.partition = u"small-g"_s;
        for (const QString& text : std::as_const(absent))
            QVERIFY2(scriptOf(spec).text().contains(text), qPrintable(name + u' ' + text));
        if (!variable.isEmpty())
            spec.environment.variables.insert(variable, u"12"_s);
        if (!setup.isEmpty())
            spec.environment.setup.append(setup);
        const QString text = scriptOf(spec).text();
        for (const QString& one : std::as_const(absent))
            QVERIFY2(!text.contains(one), qPrintable(name + u' ' + one));
        QVERIFY(text.contains(u"# Evidence for "_s));
    }
}

/// Ranks of the same number would make the same pipe; the one that comes second in the same moment ends.
void EvidenceLinesTest::worldsBesideEachOtherHaveNoPipe()
{
    for (const QString& name : {u"practice-2node-torchrun"_s, u"lumi-2gcd-torchrun"_s}) {
        JobSpec spec = golden(name);
        for (const QString& command :
            {u"-m verl.trainer.main_ppo x=1"_s, u"train_grpo.py"_s, u"serve.py --engine vllm"_s}) {
            spec.command = command;
            const QString text = scriptOf(spec).text();
            QVERIFY2(text.contains(u"TORCH_FR_BUFFER_SIZE"_s) && !text.contains(u"PIPE_FILE"_s), qPrintable(text));
            const BatchText batch = parseBatch(text);
            const JobSpec back = designOf(readScript(batch, profileOf(spec)), batch, profileOf(spec));
            QCOMPARE(scriptOf(back).text(), text);
        }
    }
}

void EvidenceLinesTest::sharedNodesGetAPortOfTheirOwn()
{
    JobSpec spec = golden(u"practice-2node-torchrun"_s);
    QVERIFY(resolve(spec, profileOf(spec)).wholeNodes);
    QVERIFY(!paragraph(spec).contains(u"NCCL_RAS_ADDR"_s));
    spec.partition = u"small-g"_s;
    spec.resources.gpusPerNode = 2;
    QVERIFY(!resolve(spec, profileOf(spec)).wholeNodes);
    QTemporaryDir folder;
    const Answered answered = runParagraph(paragraph(spec) + u"echo $NCCL_RAS_ADDR"_s, folder.path());
    QCOMPARE(answered.output, u"localhost:20009\n"_s); // job 8009, and never 28028
}

void EvidenceLinesTest::editsOfTheParagraph_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<std::optional<bool>>("evidence");
    QTest::addColumn<bool>("own");
    const std::optional<bool> open;
    QTest::newRow("removed") << u"# Evidence for (?:[^\\n]+\\n)+\\n"_s << QString() << std::optional(false) << false;
    QTest::newRow("a line less") << u"export TORCH_FR_DUMP_ON_TIMEOUT[^\\n]*\\n"_s << QString() << open << true;
    QTest::newRow("a line more") << u"(?=export TORCH_FR_DUMP_ON)"_s << u"export TORCH_FR_CPP_STACK=1\n"_s << open
                                 << false;
    QTest::newRow("another number") << u"SIZE=2000"_s << u"SIZE=500"_s << open << true;
    QTest::newRow("another program") << u"all_threads=True"_s << u"all_threads=False"_s << open << true;
}

void EvidenceLinesTest::editsOfTheParagraph()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    JobSpec spec = golden(u"practice-2node-torchrun"_s);
    const QString typed = scriptOf(spec).text().replace(QRegularExpression(from), to);
    QVERIFY(typed != scriptOf(spec).text());
    const ScriptEdit edit = applyScriptEdit(spec, profileOf(spec), typed);
    QTEST(edit.exact.environment.hangEvidence, "evidence");
    QCOMPARE(scriptOf(edit.exact).text(), typed);
    QFETCH(bool, own);
    QVERIFY(!own || !edit.exact.overrides.isEmpty());
}

void EvidenceLinesTest::runsInBash_data()
{
    QTest::addColumn<QString>("design");
    QTest::addColumn<QString>("inside");
    QTest::newRow("no container") << u"practice-2node-torchrun"_s << QString();
    QTest::newRow("behind a file of the trainer") << u"lumi-2node-deepspeed"_s << u"eval \"${HANG_EVIDENCE:-}\"; "_s;
    QTest::newRow("container") << u"lumi-4node-torchrun"_s << u"eval \"${HANG_EVIDENCE:-}\"; "_s;
}

void EvidenceLinesTest::runsInBash()
{
    QFETCH(QString, design);
    QFETCH(QString, inside);
    const JobSpec spec = golden(design);
    QTemporaryDir folder;
    QString lines = paragraph(spec);
    if (!lines.contains(u"export JOB_FILES="_s)) // the trainer's paragraph has it
        lines.prepend(u"export JOB_FILES=\"$PWD/rankwright-$SLURM_JOB_ID\"\n"_s);
    lines += u"export PYTHONPATH=\"${PYTHONPATH:-/image}\"; sh -c '"_s + inside
        + u"exec \"$@\"' _ bash -c 'cd /; env | grep -E \"^(TORCH|NCCL|RANKWRIGHT|PYTHONPATH)\"'\n"_s;
    for (const char* time : {"at first", "queued again"}) {
        const Answered answered = runParagraph(lines, folder.path());
        QVERIFY2(answered.code == 0, qPrintable(answered.output));
        QStringList got = answered.output.trimmed().split(u'\n');
        got.sort();
        const QString files = QDir(folder.path()).canonicalPath() + u"/rankwright-8009/"_s;
        QStringList wanted{u"RANKWRIGHT_STACKS=57"_s, u"TORCH_FR_BUFFER_SIZE=2000"_s, u"TORCH_FR_DUMP_ON_TIMEOUT=1"_s,
            u"TORCH_NCCL_DUMP_ON_TIMEOUT=1"_s, u"TORCH_NCCL_TRACE_BUFFER_SIZE=2000"_s,
            u"TORCH_FR_DUMP_TEMP_FILE="_s + files + u"record_"_s,
            u"TORCH_NCCL_DEBUG_INFO_TEMP_FILE="_s + files + u"record_"_s,
            u"TORCH_FR_DEBUG_INFO_PIPE_FILE="_s + files + u"ask_"_s,
            u"TORCH_NCCL_DEBUG_INFO_PIPE_FILE="_s + files + u"ask_"_s,
            u"PYTHONPATH="_s + files + u"python"_s + (inside.isEmpty() ? QString() : u":/image"_s)};
        wanted.sort();
        QVERIFY2(got == wanted, qPrintable(QString::fromLatin1(time) + u'\n' + got.join(u'\n')));
    }
}

/// It would cut PYTHONPATH: the stacks are left out, and the script says why. The rest is as usual.
void EvidenceLinesTest::aColonInTheFoldersName()
{
    for (const QString& name : {u"practice-2node-torchrun"_s, u"lumi-4node-torchrun"_s}) {
        JobSpec spec = golden(name);
        spec.workdir = u"/scratch/runs/12:30"_s;
        const QString lines = paragraph(spec);
        QVERIFY2(!lines.contains(u"export PYTHONPATH"_s), qPrintable(lines));
        QVERIFY(!lines.contains(u"RANKWRIGHT_STACKS"_s) && !lines.contains(u"sitecustomize"_s));
        QVERIFY2(
            lines.contains(u"# No stacks of Python: the colon in the working folder's name would cut PYTHONPATH"_s),
            qPrintable(lines));
        QVERIFY(lines.contains(u"TORCH_FR_DUMP_TEMP_FILE"_s));
    }
}

/// A folder in which nothing can be made: no pipe is named there, and the script goes on.
void EvidenceLinesTest::harmsNothing()
{
    const QString ask
        = u"sh -c 'eval \"${HANG_EVIDENCE:-}\"; echo \"pipe: ${TORCH_NCCL_DEBUG_INFO_PIPE_FILE:-none}\"'\n"_s;
    for (const QString& name : {u"practice-2node-torchrun"_s, u"lumi-4node-torchrun"_s}) {
        const Answered answered = runParagraph(paragraph(golden(name)) + ask, u"/proc"_s);
        QVERIFY2(answered.code == 0, qPrintable(answered.output));
        QCOMPARE(answered.output, u"pipe: none\n"_s); // and not what bash or cat says of it
    }
    // no room: half a program would hide what Python runs without it
    QTemporaryDir folder;
    const Answered full = runParagraph(u"mkdir -p rankwright-8009/python\n"
                                       "ln -s /dev/full rankwright-8009/python/sitecustomize.py\n"_s
            + paragraph(golden(u"practice-2node-torchrun"_s)) + u"ls rankwright-8009/python\n"_s,
        folder.path());
    QCOMPARE(full.code, 0);
    QCOMPARE(full.output, QString());
    // a container that lacks the variables, or the folder
    const Answered bare = runParagraph(u"export HANG_EVIDENCE JOB_FILES=/nowhere\n"_s + ask, u"/"_s);
    QCOMPARE(bare.output, u"pipe: none\n"_s);
}

/// What the container's own environment says of Python's path stays, and the launch enters by the shell.
void EvidenceLinesTest::pathOfTheContainer()
{
    JobSpec spec = golden(u"lumi-4node-torchrun"_s);
    const QString shell = u"     sh -c 'eval \"${HANG_EVIDENCE:-}\"; exec \"$@\"' _ \\\n     torchrun "_s;
    QVERIFY(scriptOf(spec).text().contains(u" \"$SIF\" \\\n"_s + shell));
    QVERIFY(!scriptOf(spec).text().contains(u"\nexport PYTHONPATH"_s));
    QCOMPARE(parseBatch(scriptOf(spec).text()).launches.size(), 1);
    QVERIFY(parseBatch(scriptOf(spec).text()).launches.first().sideWork.join(u' ').count(u"HANG"_s) == 0);
    spec.environment.container = u"none"_s;
    QVERIFY(!scriptOf(spec).text().contains(u"HANG_EVIDENCE"_s));
    QVERIFY(scriptOf(spec).text().contains(u"\nexport PYTHONPATH"_s));
    // srun starts it: the task's shell is in the container
    JobSpec other = golden(u"practice-2node-srun"_s);
    other.environment.container = u"image.sqsh"_s;
    ClusterProfile site = profileOf(other);
    site.container.runner = u"pyxis"_s;
    const QString text = writeScript(resolve(other, site), site).text();
    QVERIFY(text.contains(u"\n              eval \"${HANG_EVIDENCE:-}\"\n"_s));
    QVERIFY(!text.contains(u"; exec \"$@\"' _"_s));
}

void EvidenceLinesTest::pythonAnswers_data()
{
    QTest::addColumn<QString>("before"); // lines behind the paragraph
    QTest::addColumn<QString>("says");
    QTest::newRow("alone") << QString() << u"files: 1, next: None"_s;
    QTest::newRow("another sitecustomize") << u"export PYTHONPATH=$PYTHONPATH:$PWD/next"_s << u"files: 1, next: yes"_s;
    QTest::newRow("one that fails") << u"export PYTHONPATH=$PYTHONPATH:$PWD/fails"_s << u"files: 1, next: None"_s;
    QTest::newRow("not asked for") << u"unset RANKWRIGHT_STACKS; export PYTHONPATH=$PYTHONPATH:$PWD/next"_s
                                   << u"files: 0, next: yes"_s;
    QTest::newRow("no number") << u"export RANKWRIGHT_STACKS=x PYTHONPATH=$PYTHONPATH:$PWD/next"_s
                               << u"files: 0, next: yes"_s;
    QTest::newRow("no folder") << u"rm -r \"$JOB_FILES\"; export PYTHONPATH=$PYTHONPATH:$PWD/next"_s
                               << u"files: 0, next: yes"_s;
}

void EvidenceLinesTest::pythonAnswers()
{
    QFETCH(QString, before);
    QFETCH(QString, says);
    QTemporaryDir folder;
    const QString program = test::sourcePath(u"/tests/data/hang/answers-signal.py"_s);
    const QString made
        = u"mkdir next fails; echo 'import os; os.environ[\"NEXT_RAN\"] = \"yes\"' > next/sitecustomize.py; "
          "echo 'raise ValueError' > fails/sitecustomize.py\n"_s;
    const Answered answered = runParagraph(
        paragraph(golden(u"practice-2node-torchrun"_s)) + made + before + u"\npython3 "_s + program, folder.path());
    QVERIFY2(answered.code == 0, qPrintable(answered.output));
    QVERIFY2(answered.output.contains(says), qPrintable(answered.output));
    QCOMPARE(answered.output.contains(u"in stand_here"_s), says.startsWith(u"files: 1"_s));
}

/// A job within a job: both have such a folder, and each runs the next one behind it.
void EvidenceLinesTest::nextOneIsFoundOnce()
{
    QTemporaryDir folder;
    const QString lines = paragraph(golden(u"practice-2node-torchrun"_s));
    const QString last
        = u"mkdir next; echo 'print(\"next ran\")' > next/sitecustomize.py; ln -s \"$JOB_FILES/python\" same\n"
          "PYTHONPATH=$PWD/same:$PYTHONPATH:$PWD/next python3 -c 'print(\"program\")'\n"_s;
    const Answered answered = runParagraph(lines + u"SLURM_JOB_ID=8010\n"_s + lines + last, folder.path());
    QCOMPARE(answered.output, u"next ran\nprogram\n"_s);
}

RANKWRIGHT_TEST_MAIN(EvidenceLinesTest)
#include "tst_evidencelines.moc"
