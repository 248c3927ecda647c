// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/trainingreader.h"

#include "models/core/shellquote.h"
#include "models/planner/design/fieldtable.h"
#include "models/script/bash/launchnames.h"
#include "models/script/batch/launchlikeness.h"
#include "models/script/read/launchedswitches.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Kind = LaunchLayer::Kind;

/// The value of an argument of the program: "--name value", "--name=value", dashes and underscores alike.
std::optional<QString> argument(const ReadState& state, const QStringList& names)
{
    const LaunchLayer* program = state.layer(Kind::Program);
    for (qsizetype i = 0; program != nullptr && i < program->words.size(); ++i) {
        const ShellWord& word = program->words.at(i);
        const QString name = word.value.section(u'=', 0, 0).replace(u'_', u'-');
        if (!names.contains(name))
            continue;
        if (word.value.contains(u'=')) {
            const auto value = staticValue(state.batch, word, word.line + 1);
            return value ? std::optional(value->section(u'=', 1)) : std::nullopt;
        }
        return i + 1 < program->words.size()
            ? staticValue(state.batch, program->words.at(i + 1), program->words.at(i + 1).line + 1)
            : std::optional(QString());
    }
    return std::nullopt;
}

std::optional<int> degree(const ReadState& state, const QStringList& names)
{
    bool fine = false;
    const int value = argument(state, names).value_or(QString()).toInt(&fine);
    return fine && value > 0 ? std::optional(value) : std::nullopt;
}

class TrainingReader {
public:
    explicit TrainingReader(ReadState& state) : m_state(state), m_spec(state.reading.spec) { }

    void run()
    {
        readLauncher();
        readCommand();
        readDegrees();
        readStrategy();
        readSwitches();
        readConfig();
    }

private:
    QString allWords() const
    {
        QStringList words;
        for (const LaunchLayer& layer : m_state.launch->layers) {
            for (const ShellWord& word : layer.words)
                words.append(word.value);
            for (const BatchOption& option : layer.options)
                words.append(option.written);
        }
        return words.join(u' ').toLower();
    }

    void readLauncher()
    {
        const LaunchLayer* agent = m_state.layer(Kind::Agent);
        int line = m_state.launch->line;
        if (agent != nullptr) {
            line = agent->line;
            const bool torch = agent->name.contains(u"torch");
            m_spec.launcher = torch             ? Launcher::Torchrun
                : agent->name.contains(u"acc")  ? Launcher::Accelerate
                : agent->name.contains(u"deep") ? Launcher::Deepspeed
                                                : Launcher::Horovod;
        } else {
            m_state.startsRanks = true;
            m_spec.launcher = m_state.layer(Kind::Mpirun) != nullptr ? Launcher::Horovod : Launcher::Srun;
        }
        m_state.understand(field::launcher, line);
    }

    /// Where the program's words were typed inside a text that every task reads for itself.
    bool isInTask() const
    {
        const Launch& launch = *m_state.launch;
        return std::any_of(launch.layers.cbegin(), launch.layers.cend(), [](const LaunchLayer& layer) {
            return (layer.kind == Kind::Shell || layer.kind == Kind::Wrapper) && !layer.words.isEmpty();
        });
    }

    /// The program's words; inside a function "$@" are those that the script calls it with, the last time.
    QList<ShellWord> wordsOf(const LaunchLayer& program) const
    {
        const QList<ShellCommand>& commands = m_state.batch.shell.commands;
        const QString function = commands.at(m_state.launch->command).function;
        if (function.isEmpty())
            return program.words;
        QList<ShellWord> given;
        for (const ShellCommand& command : commands) {
            if (command.name() == function && command.function.isEmpty())
                given = command.words.mid(1);
        }
        QList<ShellWord> words;
        for (const ShellWord& word : program.words) {
            if (isArguments(word))
                words += given;
            else
                words.append(word);
        }
        return words;
    }

    void readCommand()
    {
        const LaunchLayer* program = m_state.layer(Kind::Program);
        if (program == nullptr)
            return;
        QStringList plain; // words as the design keeps them
        QStringList typed; // words as the shell is given them
        bool expands = false, late = false;
        const bool inTask = isInTask();
        for (const ShellWord& word : wordsOf(*program)) {
            const auto value = staticValue(m_state.batch, word, word.line + 1);
            if (value) {
                plain.append(shellQuote(*value));
                typed.append(plain.last());
                continue;
            }
            if (word.value.contains(u"JOB_FILES")) { // the job's own configuration file
                if (!plain.isEmpty() && plain.last() == u"--deepspeed") {
                    plain.removeLast();
                    typed.removeLast();
                }
                continue;
            }
            expands = true;
            late = late
                || (inTask
                    && std::any_of(word.expansions.cbegin(), word.expansions.cend(),
                        [](const Expansion& expansion) { return !expansion.early; }));
            if (!isArguments(word))
                plain.append(word.value.contains(u' ') ? shellQuote(word.value) : word.value);
            typed.append(word.text);
        }
        const LaunchLayer* python = m_state.layer(Kind::Python);
        const bool module = !plain.isEmpty() && plain.first() == u"-m";
        const bool script = !plain.isEmpty() && plain.first().endsWith(u".py");
        if (plain.isEmpty()) { // "$@" of sbatch: unknown before it runs
            m_state.miss(program->line, typed.join(u' '), u"The program is named when the job is submitted."_s);
            return;
        }
        const auto own = python != nullptr && !python->words.isEmpty()
            ? staticValue(m_state.batch, python->words.first(), python->line + 1)
            : std::nullopt;
        const QString interpreter = own               ? shellQuote(*own) + u' '
            : python != nullptr && !module && !script ? u"python3 "_s
                                                      : QString();
        m_spec.command = interpreter + plain.join(u' ');
        m_state.understand(field::command, program->line);
        if (late) {
            m_spec.command = u"bash -c "_s
                + shellQuote(
                    (python != nullptr || m_state.layer(Kind::Agent) != nullptr ? u"exec python3 "_s : u"exec "_s)
                    + typed.join(u' '));
            m_state.miss(program->line, typed.join(u' '),
                u"Arguments that every task reads for itself: kept as the text of a small shell."_s);
        } else if (expands) {
            m_state.reading.program = typed.join(u' ');
            m_state.miss(program->line, m_state.reading.program,
                u"A design's command is never expanded: this line is kept as it is written."_s);
        }
    }

    void readDegrees()
    {
        const auto tensor = degree(m_state,
            {u"--tensor-model-parallel-size"_s, u"--tensor-parallel-size"_s, u"--tp"_s, u"--tp-size"_s,
                u"--parallelism.tensor-parallel-degree"_s, u"--training.tensor-parallel-degree"_s});
        const auto pipeline = degree(m_state,
            {u"--pipeline-model-parallel-size"_s, u"--pipeline-parallel-size"_s, u"--pp"_s, u"--pp-size"_s,
                u"--parallelism.pipeline-parallel-degree"_s, u"--experimental.pipeline-parallel-degree"_s});
        if (tensor) {
            m_spec.parallel.tensor = tensor;
            m_state.understand(field::tensor, m_state.layer(Kind::Program)->line);
        }
        if (pipeline) {
            m_spec.parallel.pipeline = pipeline;
            m_state.understand(field::pipeline, m_state.layer(Kind::Program)->line);
        }
    }

    /// What an estimate relies on, as arguments or the trainer's file say it. What is as when nothing is said stays
    /// open.
    void readSwitches()
    {
        const LaunchLayer* program = m_state.layer(Kind::Program);
        if (program == nullptr)
            return;
        QStringList files;
        for (const HereDocument& document : m_state.batch.shell.hereDocuments)
            files.append(document.body);
        const LaunchedSwitches launched = switchesOf(m_spec.command.value_or(QString()), files);
        const bool split = launched.spec.parallel.tensor.value_or(1) > 1;
        for (auto said = launched.said.cbegin(); said != launched.said.cend(); ++said) {
            const SpecField* field = specField(said.key());
            const bool isOpen = field == nullptr || !tells(said.key(), launched.spec)
                || (said.key() == field::sequenceParallel && !split);
            if (isOpen)
                continue;
            std::visit([&](const auto& member) { member.in(m_spec) = member.of(launched.spec); }, field->member);
            m_state.understand(field->path, program->line);
        }
    }

    /// Fields whose value in a script means something of its own, beside those that others read.
    static bool tells(const FieldPath& path, const JobSpec& spec)
    {
        if (path == field::context)
            return spec.parallel.context.value_or(1) > 1;
        if (path == field::expert)
            return spec.parallel.expert.value_or(1) > 1;
        if (path == field::virtualStages)
            return spec.parallel.virtualStages.value_or(1) > 1;
        if (path == field::float8)
            return spec.training.float8.value_or(Float8::None) != Float8::None;
        if (path == field::offload)
            return spec.training.offload.value_or(Offload::None) != Offload::None;
        if (path == field::compile)
            return spec.training.compile.value_or(false);
        if (path == field::reshard)
            return !spec.parallel.reshard.value_or(true);
        return path == field::sequenceParallel || path == field::shardOptimizer
            || path == field::activationCheckpointing;
    }

    void setStrategy(Strategy strategy, int line)
    {
        m_spec.parallel.strategy = strategy;
        m_state.understand(field::strategy, line);
    }

    /// What a script that Rankwright wrote says of itself in its second line.
    std::optional<Strategy> ownTitle() const
    {
        static const QRegularExpression form(u"^# .*: (\\w+|one process) on .* Written by Rankwright\\.$"_s);
        const auto match = form.match(m_state.batch.lines.value(1));
        if (!match.hasMatch())
            return std::nullopt;
        const QString title = match.captured(1);
        return title == u"one process" ? std::optional(Strategy::Single) : strategyFrom(title.toLower());
    }

    int processes() const
    {
        const int nodes = m_spec.resources.nodes.value_or(1);
        const auto perNode = m_state.number(u"ntasks-per-node"_s);
        return perNode ? *perNode * nodes : m_state.number(u"ntasks"_s).value_or(nodes);
    }

    void readStrategy()
    {
        const int line = m_state.launch->line;
        if (const auto own = ownTitle())
            return setStrategy(*own, 2);
        const int tensor = m_spec.parallel.tensor.value_or(1);
        const int pipeline = m_spec.parallel.pipeline.value_or(1);
        if (tensor > 1 || pipeline > 1)
            return setStrategy(tensor > 1 && pipeline > 1 ? Strategy::ThreeD
                    : tensor > 1                          ? Strategy::Tensor
                                                          : Strategy::Pipeline,
                line);
        const QString words = allWords();
        if (m_spec.launcher == Launcher::Horovod || words.contains(u"horovod"))
            return setStrategy(Strategy::Horovod, line);
        if (m_state.startsRanks && processes() == 1)
            return setStrategy(Strategy::Single, line);
        if (readDeepspeed(words, line))
            return;
        const QString name = m_spec.name.toLower();
        if (words.contains(u"hybrid_shard") || words.contains(u"hsdp"))
            return setStrategy(Strategy::Hsdp, line);
        if (words.contains(u"fsdp") || words.contains(u"torchtitan") || name.contains(u"fsdp"))
            return setStrategy(Strategy::Fsdp, line);
        if (m_spec.resources.gpusPerNode.value_or(1) * m_spec.resources.nodes.value_or(1) > 1)
            setStrategy(Strategy::Ddp, line);
    }

    bool readDeepspeed(const QString& words, int line)
    {
        const bool named = m_spec.launcher == Launcher::Deepspeed || words.contains(u"deepspeed")
            || words.contains(u"zero_stage") || words.contains(u"zero-stage");
        if (!named)
            return false;
        static const QRegularExpression stages(u"zero[-_]?(?:stage)?[-_= ]?([123])\\b|\"stage\"\\s*:\\s*([123])"_s,
            QRegularExpression::CaseInsensitiveOption);
        auto match = stages.match(words);
        for (const HereDocument& document : m_state.batch.shell.hereDocuments) {
            if (!match.hasMatch())
                match = stages.match(document.body);
        }
        static const std::array order{Strategy::Zero1, Strategy::Zero2, Strategy::Zero3};
        if (match.hasMatch()) {
            const QString stage = match.captured(1) + match.captured(2);
            setStrategy(order.at(static_cast<std::size_t>(stage.toInt() - 1)), line);
        } else {
            setStrategy(Strategy::Zero2, line);
            m_state.miss(line, u"deepspeed"_s,
                u"The stage of ZeRO is in a file that is not part of the script: stage 2 is assumed."_s);
        }
        return true;
    }

    /// The script brings its own configuration: the generated one must not be beside it.
    void readConfig()
    {
        const LaunchLayer* agent = m_state.layer(Kind::Agent);
        const bool accelerate = m_spec.launcher == Launcher::Accelerate;
        const BatchOption* file = accelerate && agent != nullptr ? agent->option(u"config-file"_s) : nullptr;
        const auto path = file != nullptr ? m_state.valueOf(*file) : std::nullopt;
        if (path && !path->contains(u"JOB_FILES")) {
            m_spec.options.config = path;
            m_state.understand(field::config, file->line);
        } else if (file != nullptr && file->value.contains(u"JOB_FILES")) {
            return;
        } else if (file != nullptr) {
            m_spec.options.config = u"none"_s;
            m_state.miss(file->line, file->written, u"The path is only known when the job runs."_s);
        } else if (accelerate || (isZero() && !hasOwnConfig())) {
            m_spec.options.config = u"none"_s;
        }
    }

    bool isZero() const
    {
        const auto strategy = m_spec.parallel.strategy;
        return strategy == Strategy::Zero1 || strategy == Strategy::Zero2 || strategy == Strategy::Zero3;
    }

    bool hasOwnConfig() const { return allWords().contains(u"job_files"); }

    ReadState& m_state;
    JobSpec& m_spec;
};

} // namespace

/// Nothing starts tasks or Python: the last program that the batch shell runs itself.
static void readBatchProgram(ReadState& state)
{
    const QList<ShellCommand>& commands = state.batch.shell.commands;
    for (auto i = static_cast<int>(commands.size()) - 1; i >= 0; --i) {
        const ShellCommand& command = commands.at(i);
        if (!command.isPlain() || command.isCondition || prepares(command) || isService(command.words))
            continue;
        LaunchLayer program;
        program.kind = Kind::Program;
        program.name = command.name();
        program.words = command.words;
        program.line = command.line;
        state.ownLaunch.command = i;
        state.ownLaunch.line = command.line;
        state.ownLaunch.lastLine = command.lastLine;
        state.ownLaunch.layers = {program};
        state.launch = &state.ownLaunch;
        return;
    }
}

void findTrainingLaunch(ReadState& state)
{
    int best = 0;
    for (const Launch& launch : state.batch.launches) {
        const int score = trainingLikeness(state.batch, launch);
        if (score > 0 && score >= best) {
            best = score;
            state.launch = &launch;
        }
    }
    if (state.launch == nullptr || best == likenessOfService)
        readBatchProgram(state);
}

void readTraining(ReadState& state)
{
    if (state.launch == nullptr) {
        state.miss(state.batch.firstCommandLine, QString(), u"No command that starts a training was found."_s);
        return;
    }
    TrainingReader(state).run();
}

} // namespace rankwright::inline script
