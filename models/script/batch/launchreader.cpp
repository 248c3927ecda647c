// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/batch/launchreader.h"

#include "models/script/bash/launchnames.h"
#include "models/script/batch/agentoptions.h"
#include "models/script/batch/innershell.h"
#include "models/script/batch/innerwork.h"
#include "models/script/batch/optionwords.h"
#include "models/script/batch/wordexpander.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

using Kind = LaunchLayer::Kind;

constexpr int deepestLayers = 24;
constexpr qsizetype readAgainLimit = 2000000; // characters of inner texts: no script makes this explode

/// A command of a text that an inner shell reads.
struct InnerCommand {
    ShellCommand command;
    std::optional<int> place; ///< its index, where it was typed in the command that starts the shell
    int earlyLine = 0; ///< up to where the outer shell has set what it replaces in it
};

/// Takes one command apart, layer by layer.
class LaunchReader {
public:
    LaunchReader(const BatchText& batch, WordExpander& expander) : m_batch(batch), m_expander(expander)
    {
        const QList<HereDocument>& documents = batch.shell.hereDocuments;
        for (int i = 0; i < documents.size(); ++i) {
            if (!documents.at(i).target.isEmpty())
                m_files.insert(baseName(documents.at(i).target), i);
        }
    }

    /// False when the command starts no tasks and no training.
    bool read(int index, Launch& launch)
    {
        const ShellCommand& command = m_batch.shell.commands.at(index);
        m_expander.clear();
        m_launch = {};
        m_doubt.clear();
        m_launch.command = index;
        m_launch.line = command.line;
        m_launch.lastLine = command.lastLine;
        m_launch.background = command.isBackground();
        readWords(m_expander.expand(command.words, command.line + 1, command.line + 1), index);
        m_launch.unresolved = m_expander.unresolved();
        m_launch.unresolved.removeDuplicates();
        launch = m_launch;
        return isLaunch();
    }

    /// Why the last layer of what was read last need not be the program; empty: it is.
    QString doubt() const { return m_doubt; }

private:
    bool isLaunch() const
    {
        if (m_launch.layers.isEmpty())
            return false;
        for (const LaunchLayer& layer : m_launch.layers) {
            if (layer.kind == Kind::Srun || layer.kind == Kind::Mpirun || layer.kind == Kind::Agent)
                return true;
        }
        // in the batch shell: only a program that Python runs
        if (m_launch.layer(Kind::Python) == nullptr || m_launch.layers.last().kind != Kind::Program)
            return false;
        return isPythonProgram(m_launch.layers.last().words);
    }

    LaunchLayer& add(Kind kind, const QString& name, const ShellWord& word)
    {
        LaunchLayer layer;
        layer.kind = kind;
        layer.name = name;
        layer.line = word.line;
        if ((kind == Kind::Python || kind == Kind::Agent) && word.value.contains(u'/'))
            layer.words = {word}; // which one it is
        m_launch.layers.append(layer);
        return m_launch.layers.last();
    }

    void readWords(QList<ShellWord> words, int owner)
    {
        qsizetype at = 0;
        if (!words.isEmpty() && baseName(words.first().value) == u"parallel") { // GNU parallel: then come its inputs
            const auto inputs = std::find_if(
                words.cbegin(), words.cend(), [](const ShellWord& word) { return word.value.startsWith(u":::"); });
            words.erase(inputs, words.cend());
        }
        while (at < words.size() && m_launch.layers.size() < deepestLayers) {
            const qsizetype before = at;
            if (!readLayer(words, at, owner))
                return;
            if (at == before)
                break;
        }
        if (at < words.size())
            addProgram(words.mid(at));
    }

    void addProgram(const QList<ShellWord>& words)
    {
        if (!words.isEmpty())
            add(Kind::Program, words.first().value, words.first()).words = words;
    }

    /// One layer at `at`, which is moved after it; false when what follows has been read as well.
    bool readLayer(const QList<ShellWord>& words, qsizetype& at, int owner)
    {
        const ShellWord& word = words.at(at);
        const QString name = baseName(word.value);
        if (name == u"srun")
            return readSrun(words, at);
        if (name == u"mpirun" || name == u"mpiexec" || name == u"orterun")
            return readMpirun(words, at, name);
        if (name == u"env" && word.isStatic())
            return readEnvironment(words, at);
        if (isShell(word.value))
            return readShell(words, at, owner);
        if (isPython(word.value))
            return readPython(words, at);
        if (name == u"torchrun" || name == u"torchrun_jsc" || name == u"horovodrun" || name == u"deepspeed")
            return readAgent(words, at, name, name == u"torchrun_jsc" ? u"torchrun"_s : name, 1);
        if (name == u"accelerate" && at + 1 < words.size() && words.at(at + 1).value == u"launch")
            return readAgent(words, at, u"accelerate launch"_s, u"accelerate launch"_s, 2);
        if (name == u"uenv" && at + 1 < words.size() && words.at(at + 1).value == u"run")
            return readUenv(words, at);
        if (isStarter(word.value) && name != u"accelerate" && name != u"uenv")
            return readContainer(words, at, name == u"nvidia-docker" ? u"docker"_s : name);
        return readWrapper(words, at, owner);
    }

    bool readSrun(const QList<ShellWord>& words, qsizetype& at)
    {
        QList<OptionWord> optionWords;
        for (const ShellWord& word : words)
            optionWords.append(optionWord(word));
        const ReadOptions read = readOptionWords(optionWords, at + 1, SlurmOption::Of::Srun);
        LaunchLayer& layer = add(Kind::Srun, u"srun"_s, words.at(at));
        layer.options = read.options;
        at = read.next;
        return true;
    }

    bool readMpirun(const QList<ShellWord>& words, qsizetype& at, const QString& name)
    {
        LaunchLayer& layer = add(Kind::Mpirun, name, words.at(at++));
        layer.options = readStarterOptions(words, at, starterGrammar(u"mpirun"_s));
        return true;
    }

    bool readEnvironment(const QList<ShellWord>& words, qsizetype& at)
    {
        LaunchLayer& layer = add(Kind::Environment, u"env"_s, words.at(at++));
        layer.options = readStarterOptions(words, at, starterGrammar(u"env"_s));
        static const QRegularExpression assigned(u"^([A-Za-z_]\\w*)="_s);
        for (; at < words.size(); ++at) {
            const auto match = assigned.match(words.at(at).value);
            if (!match.hasMatch())
                break;
            layer.variables.insert(match.captured(1), wordBehind(words.at(at), match.capturedEnd(0)));
        }
        return true;
    }

    bool readContainer(const QList<ShellWord>& words, qsizetype& at, const QString& runtime)
    {
        static const QSet<QString> ownGrammar{
            u"podman-hpc"_s, u"podman"_s, u"docker"_s, u"sarus"_s, u"ch-run"_s, u"enroot"_s};
        const StarterGrammar grammar = starterGrammar(ownGrammar.contains(runtime) ? runtime : u"container"_s);
        const bool verbs = runtime != u"shifter" && runtime != u"ch-run";
        static const QSet<QString> known{u"exec"_s, u"run"_s, u"shell"_s, u"start"_s};
        static const QRegularExpression otherVerb(u"^[a-z]+$"_s); // import, pull, build: starts nothing
        qsizetype verb = at + 1;
        readStarterOptions(words, verb, grammar);
        if (verbs && verb < words.size() && words.at(verb).isStatic() && !known.contains(words.at(verb).value)
            && otherVerb.match(words.at(verb).value).hasMatch()) {
            addProgram(words.mid(at));
            at = words.size();
            return false;
        }
        LaunchLayer& layer = add(Kind::Container, runtime, words.at(at++));
        layer.options = readStarterOptions(words, at, grammar);
        if (verbs && at < words.size() && known.contains(words.at(at).value)) {
            layer.name += u' ' + words.at(at).value;
            ++at;
            layer.options += readStarterOptions(words, at, grammar);
        }
        const bool hasImage = runtime == u"singularity" || runtime == u"apptainer" || ownGrammar.contains(runtime);
        if (hasImage && at < words.size()) {
            while (at + 1 < words.size() && bringsOptions(words.at(at), words.at(at + 1)))
                ++at; // exec $BIND $SIF
            layer.words.append(words.at(at++));
        }
        if (runtime == u"ch-run")
            layer.options += readStarterOptions(words, at, grammar); // ch-run IMAGE -- COMMAND
        for (const BatchOption& option : std::as_const(layer.options)) {
            const qsizetype equals = option.value.indexOf(u'=');
            if (option.name == u"env" && equals > 0 && option.word)
                layer.variables.insert(option.value.left(equals), wordBehind(*option.word, equals + 1));
        }
        return true;
    }

    /// uenv run [--view=VIEW] IMAGE -- COMMAND: the files of an image beside those of the system, no container.
    bool readUenv(const QList<ShellWord>& words, qsizetype& at)
    {
        qsizetype next = uenvImage(words, at) + 1;
        const QList<BatchOption> behind = readStarterOptions(words, next, starterGrammar(u"uenv"_s));
        next = qMin(next, words.size());
        LaunchLayer& layer = add(Kind::Wrapper, u"uenv"_s, words.at(at));
        layer.words = words.mid(at, next - at);
        at = next;
        return true;
    }

    bool readPython(const QList<ShellWord>& words, qsizetype& at)
    {
        static const QHash<QString, QString> modules{{u"torch.distributed.run"_s, u"torchrun"_s},
            {u"torch.distributed.launch"_s, u"torchrun"_s}, {u"torchrun_jsc"_s, u"torchrun"_s},
            {u"accelerate.commands.launch"_s, u"accelerate launch"_s},
            {u"deepspeed.launcher.runner"_s, u"deepspeed"_s}};
        LaunchLayer& layer = add(Kind::Python, baseName(words.at(at).value), words.at(at));
        ++at;
        qsizetype end = at; // -m and -c end the interpreter's options and begin the program
        while (end < words.size() && words.at(end).value.startsWith(u'-') && words.at(end).value != u"-m"
            && words.at(end).value != u"-c")
            end += words.at(end).value == u"-W" || words.at(end).value == u"-X" ? 2 : 1;
        const QList<ShellWord> options = words.mid(at, end - at);
        qsizetype taken = 0;
        layer.options = readStarterOptions(options, taken, starterGrammar(u"python"_s));
        at = qMin(end, words.size());
        if (at >= words.size())
            return true;
        if (words.at(at).value == u"-m" && at + 1 < words.size()) {
            const QString module = words.at(at + 1).value;
            if (modules.contains(module))
                return readAgent(words, at, module, modules.value(module), 2);
            if (module == u"accelerate.commands.accelerate_cli" && at + 2 < words.size()
                && words.at(at + 2).value == u"launch")
                return readAgent(words, at, module, u"accelerate launch"_s, 3);
        }
        const QString next = baseName(words.at(at).value);
        if (next == u"torchrun" || next == u"deepspeed" || next == u"accelerate" || next == u"horovodrun")
            return true; // python $(which torchrun)
        addProgram(words.mid(at));
        at = words.size();
        return false;
    }

    bool readAgent(
        const QList<ShellWord>& words, qsizetype& at, const QString& name, const QString& grammar, qsizetype skipped)
    {
        LaunchLayer& layer = add(Kind::Agent, name, words.at(at));
        at += skipped;
        layer.options = readStarterOptions(words, at, starterGrammar(grammar));
        // the agent's own -m belongs to the program
        const bool module = layer.option(u"m"_s) != nullptr || layer.option(u"module"_s) != nullptr;
        if (layer.option(u"no-python"_s) != nullptr || grammar == u"horovodrun")
            return true; // any command, as behind mpirun
        QList<ShellWord> program = words.mid(at);
        if (module && !program.isEmpty()) {
            ShellWord flag = program.first();
            flag.value = flag.text = u"-m"_s;
            flag.expansions.clear();
            program.prepend(flag);
        }
        addProgram(program);
        at = words.size();
        return false;
    }

    bool readShell(const QList<ShellWord>& words, qsizetype& at, int owner)
    {
        LaunchLayer& layer = add(Kind::Shell, baseName(words.at(at).value), words.at(at));
        qsizetype next = at + 1;
        bool isText = false;
        while (next < words.size() && words.at(next).value.startsWith(u'-') && words.at(next).value.size() > 1) {
            isText = isText || (!words.at(next).value.startsWith(u"--") && words.at(next).value.contains(u'c'));
            ++next;
        }
        if (next >= words.size()) {
            at = words.size();
            return false;
        }
        if (!isText) { // bash run.sh args: the file may be a wrapper of what follows
            at = next;
            return readWrapper(words, at, owner);
        }
        if (isRankCheck(words.at(next))) { // looks at the rank, then runs what follows
            at = qMin(words.size(), next + 2);
            return true;
        }
        layer.words.append(words.at(next));
        readInnerText(words.at(next), words.mid(qMin(words.size(), next + 2)), owner);
        at = words.size();
        return false;
    }

    /// The commands of a bash -c text: where it was typed in this command they are known, with their places.
    void readInnerText(const ShellWord& text, const QList<ShellWord>& arguments, int owner)
    {
        const QList<ShellCommand>& all = m_batch.shell.commands;
        QList<InnerCommand> inner;
        const int earlyLine = earlyLineOf(text);
        for (int i = owner + 1; owner >= 0 && i < all.size() && all.at(i).parent >= owner; ++i) {
            const ShellCommand& command = all.at(i);
            if (command.parent == owner && command.inInnerShell && command.begin >= text.begin
                && command.end <= text.end) {
                inner.append({command, i, earlyLine});
            }
        }
        if (inner.isEmpty())
            inner = readAgain(text, earlyLine);
        readInner(withTexts(inner, 0), arguments, text);
    }

    /// bash -c "export A=1; $TEXT": a variable that holds several commands as these commands, since the inner shell
    /// reads what the outer one puts there.
    QList<InnerCommand> withTexts(const QList<InnerCommand>& inner, int depth)
    {
        constexpr int deepestTexts = 6;
        QList<InnerCommand> out;
        for (const InnerCommand& one : inner) {
            const QList<InnerCommand> held = depth < deepestTexts ? commandsHeldBy(one) : QList<InnerCommand>();
            if (held.isEmpty())
                out.append(one);
            else
                out += withTexts(held, depth + 1);
        }
        return out;
    }

    /// Empty: not several commands in one variable.
    QList<InnerCommand> commandsHeldBy(const InnerCommand& inner)
    {
        const QList<ShellWord>& words = inner.command.words;
        if (inner.command.kind != ShellCommand::Kind::Simple || words.isEmpty() || !inner.command.assignments.isEmpty()
            || words.first().expansions.size() != 1 || isRankStart(inner.command))
            return {};
        const Expansion& only = words.first().expansions.first();
        if (!only.early || only.inQuotes || only.text.size() != words.first().value.size())
            return {};
        const std::optional<ShellWord> text = m_expander.textOf(only, inner.earlyLine);
        if (!text)
            return {};
        QList<InnerCommand> held = readAgain(*text, text->line);
        const bool goesOn = std::any_of(held.cbegin(), held.cend(), // the author meant one command on several lines
            [](const InnerCommand& one) { return one.command.name().startsWith(u'-'); });
        held.removeIf([](const InnerCommand& one) { return one.command.parent.has_value(); });
        const bool isOwn = words.size() > 1 && endsCommand(text->value); // T="mkdir a && ", then $T python train.py
        if (goesOn || held.size() < (isOwn ? 1 : 2)
            || (words.size() > 1 && !isOwn && held.last().command.kind != ShellCommand::Kind::Simple))
            return {};
        if (isOwn) {
            held.append(inner);
            held.last().command.words.removeFirst();
            held.last().command.before = ShellSeparator::And;
        } else {
            held.last().command.words += words.mid(1);
        }
        held.first().command.before = inner.command.before;
        return held;
    }

    /// The variables that a small shell sets for its task, and the command that it ends in.
    void readInner(const QList<InnerCommand>& commands, const QList<ShellWord>& arguments, const ShellWord& text)
    {
        QList<ShellCommand> inner;
        for (const InnerCommand& one : commands)
            inner.append(one.command);
        QList<InnerChoice> choices;
        for (qsizetype i = 0; i < inner.size(); ++i) {
            const ShellCommand& command = inner.at(i);
            if (command.inSubstitution && !commands.at(i).place)
                continue;
            const bool sets = command.words.isEmpty() || command.name() == u"export" || command.name() == u"declare";
            for (const ShellAssignment& assignment : command.assignments) {
                if (sets && !assignment.isArray)
                    m_launch.layers.last().variables.insert(assignment.name, assignment.value);
            }
            if (!prepares(command) && !isRankStart(command) && !readsOutput(command))
                choices.append(InnerChoice{i});
            if (runsInContinuations(inner, i) && m_launch.continuation.isEmpty())
                m_launch.continuation = addedArguments(command);
        }
        if (choices.size() > 1)
            judge(commands, text, choices);
        const std::optional<qsizetype> chosen = chooseInner(inner, choices, text.line, m_doubt);
        if (!chosen)
            return;
        const qsizetype main = *chosen;
        m_launch.sideWork += workBeside(inner, main);
        const ShellCommand& command = inner.at(main);
        for (const ShellAssignment& assignment : command.assignments)
            m_launch.layers.last().variables.insert(assignment.name, assignment.value);
        QList<ShellWord> words;
        const QList<ShellWord> expanded
            = m_expander.expand(command.words, text.line + 100000, commands.at(main).earlyLine);
        for (const ShellWord& word : expanded) {
            if (isArguments(word) && !word.expansions.first().early) // else they are the batch script's own
                words += arguments;
            else
                words.append(word);
        }
        readWords(words, commands.at(main).place.value_or(-1));
    }

    void judge(const QList<InnerCommand>& commands, const ShellWord& text, QList<InnerChoice>& choices)
    {
        const QStringList unresolved = m_expander.unresolved();
        for (InnerChoice& choice : choices) {
            const InnerCommand& inner = commands.at(choice.command);
            const QList<ShellWord> words = m_expander.expand(inner.command.words, text.line + 100000, inner.earlyLine);
            const bool isWritten = !words.isEmpty() && m_files.contains(baseName(words.first().value));
            choice.work = isWritten ? InnerWork::Python : innerWork(words);
        }
        m_expander.setUnresolved(unresolved);
    }

    /// An inner text that is read for the launch only.
    QList<InnerCommand> readAgain(const ShellWord& text, int earlyLine)
    {
        m_readAgain += text.value.size();
        QList<InnerCommand> inner;
        const QList<ShellCommand> read = m_readAgain > readAgainLimit ? QList<ShellCommand>() : innerCommands(text);
        for (const ShellCommand& command : read)
            inner.append({command, {}, earlyLine});
        return inner;
    }

    bool readWrapper(const QList<ShellWord>& words, qsizetype& at, int owner)
    {
        const ShellWord& word = words.at(at);
        // a script that the batch script itself writes: what it sets, and whether it ends in running its arguments
        if (const int file = m_files.value(baseName(word.value), -1); file >= 0) {
            const HereDocument& document = m_batch.shell.hereDocuments.at(file);
            LaunchLayer& layer = add(Kind::Wrapper, word.value, word);
            layer.words.append(word);
            const ShellWord written = documentWord(document);
            readInner(readAgain(written, earlyLineOf(written)), words.mid(at + 1), written);
            at = words.size();
            return false;
        }
        if (word.value == u"eval" && at + 2 == words.size() && words.at(at + 1).quoted) { // eval "python t.py"
            LaunchLayer& layer = add(Kind::Wrapper, word.value, word);
            layer.words = {words.at(at + 1)};
            readInnerText(words.at(at + 1), {}, owner);
            at = words.size();
            return false;
        }
        if (word.value == u"exec" || word.value == u"eval" || word.value == u"command") {
            ++at;
            return true;
        }
        static const QSet<QString> starting{u"sbatch"_s, u"ssh"_s, u"xargs"_s, u"find"_s};
        if (isTool(words.mid(at)) && !starting.contains(baseName(word.value))) { // pip install deepspeed, grep torchrun
            addProgram(words.mid(at));
            at = words.size();
            return false;
        }
        // an unknown wrapper in front of something known
        const bool prefix = isPrefix(word.value);
        qsizetype next = at + 1;
        for (; next < words.size(); ++next) {
            const QString& value = words.at(next).value;
            const bool starts = isStarter(value)
                && (!startsWithVerb(value)
                    || (next + 1 < words.size()
                        && (words.at(next + 1).value == u"run" || words.at(next + 1).value == u"exec")));
            const bool known = starts || (isShell(value) && next + 1 < words.size());
            const QString& before = words.at(next - 1).value; // "--launcher torchrun" of a program is not a start
            const bool isValue = !prefix && before.size() > 2 && before.startsWith(u"--") && !before.contains(u'=');
            if (known && words.at(next).isStatic() && !isValue)
                break;
        }
        if (next >= words.size() && !prefix) {
            addProgram(words.mid(at));
            at = words.size();
            return false;
        }
        if (next >= words.size()) // exec ./program
            next = behindPrefix(words, at);
        LaunchLayer& layer = add(Kind::Wrapper, baseName(word.value), word);
        layer.words = words.mid(at, next - at);
        at = next;
        return true;
    }

    const BatchText& m_batch;
    WordExpander& m_expander;
    Launch m_launch;
    QString m_doubt;
    QHash<QString, int> m_files; ///< written by here-documents, by their name without folders
    qsizetype m_readAgain = 0;
};

/// Commands of the batch shell, those within $( ) included, that are read as one that `takes`.
template <typename Predicate>
QList<Launch> launchesThat(const BatchText& batch, const Predicate& takes)
{
    WordExpander expander(batch);
    LaunchReader reader(batch, expander);
    const QList<ShellCommand>& commands = batch.shell.commands;
    QList<Launch> found;
    for (int i = 0; i < commands.size(); ++i) {
        const ShellCommand& command = commands.at(i);
        if ((command.parent && !command.inSubstitution) || command.inInnerShell
            || command.kind != ShellCommand::Kind::Simple || command.words.isEmpty() || prepares(command))
            continue;
        Launch launch;
        const bool starts = reader.read(i, launch);
        if (takes(launch, starts))
            found.append(launch);
    }
    return found;
}

} // namespace

qsizetype uenvImage(const QList<ShellWord>& words, qsizetype at)
{
    qsizetype image = at + 2;
    readStarterOptions(words, image, starterGrammar(u"uenv"_s));
    return qMin(image, words.size());
}

QList<Launch> imageTakers(const BatchText& batch)
{
    return launchesThat(batch, [](const Launch& launch, bool) {
        return std::any_of(launch.layers.cbegin(), launch.layers.cend(), [](const LaunchLayer& layer) {
            const bool isEnvironment = layer.kind == Kind::Wrapper && layer.name == u"uenv";
            return layer.kind == Kind::Container || isEnvironment
                || (layer.kind == Kind::Srun
                    && (layer.option(u"container-image"_s) != nullptr || layer.option(u"image"_s) != nullptr
                        || layer.option(u"environment"_s) != nullptr || layer.option(u"uenv"_s) != nullptr));
        });
    });
}

Launch readLaunch(const BatchText& batch, int command)
{
    WordExpander expander(batch);
    LaunchReader reader(batch, expander);
    Launch launch;
    reader.read(command, launch);
    return launch;
}

QString doubtOfProgram(const BatchText& batch, int command)
{
    WordExpander expander(batch);
    LaunchReader reader(batch, expander);
    Launch launch;
    reader.read(command, launch);
    return reader.doubt();
}

QList<Launch> launchesInSubstitutions(const BatchText& batch)
{
    return launchesThat(batch, [&batch](const Launch& launch, bool starts) {
        return starts && batch.shell.commands.at(launch.command).inSubstitution;
    });
}

void readLaunches(BatchText& batch)
{
    WordExpander expander(batch);
    LaunchReader reader(batch, expander);
    const QList<ShellCommand>& commands = batch.shell.commands;
    QList<Launch> launches;
    for (int i = 0; i < commands.size(); ++i) {
        const ShellCommand& command = commands.at(i);
        if (command.parent || command.kind != ShellCommand::Kind::Simple || command.words.isEmpty())
            continue;
        const ShellWord& first = command.words.first();
        if (first.isStatic() && prepares(command))
            continue;
        Launch launch;
        if (reader.read(i, launch))
            launches.append(launch);
    }
    batch.launches = launches;
}

} // namespace rankwright::inline script
