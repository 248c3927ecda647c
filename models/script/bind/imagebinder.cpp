// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/imagebinder.h"

#include "models/script/bash/launchnames.h"
#include "models/script/batch/launchreader.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

bool isUserEnvironment(const LaunchLayer& layer)
{
    return layer.kind == LaunchLayer::Kind::Wrapper && layer.name == u"uenv";
}

/// "docker exec NAME": a container that another command has made of its image.
bool entersContainer(const LaunchLayer& layer)
{
    static const QSet<QString> names{u"docker exec"_s, u"podman exec"_s, u"podman-hpc exec"_s};
    return layer.kind == LaunchLayer::Kind::Container && names.contains(layer.name);
}

/// "singularity exec", "--container-image" in the text of a word or among the words of a command; empty: none. Images
/// that are only fetched or built are not containers that run.
QString containerNamed(const QString& text)
{
    static const QRegularExpression named(
        u"(?:^|[\\s\"'=(/])((?:singularity|apptainer|podman-hpc|podman|docker|sarus|enroot)\\s+(?:-\\S+\\s+)*(?:exec|run|start)\\b"
        "|ch-run\\s+\\S|shifter\\s+-\\S+|--container-image\\b)"_s);
    return named.match(text).captured(1).simplified();
}

class ImageBinder : public FieldBinder {
public:
    using FieldBinder::FieldBinder;

    void run()
    {
        bindContainer();
        bindFolders();
        bindUserEnvironment();
    }

private:
    /// Of srun, the first that is given counts; --environment names a definition file that holds the image (Alps),
    /// --container a bundle.
    static constexpr QLatin1StringView imageOptions[] = {QLatin1StringView("container-image"),
        QLatin1StringView("image"), QLatin1StringView("environment"), QLatin1StringView("container")};

    /// The places of an image, gathered from all commands that take it.
    struct Found {
        QList<TextRange> ranges;
        QString value;
        QString why;
        QStringList notes;
    };

    void bindContainer()
    {
        const QString path = u"environment.container"_s;
        for (const auto& option : {u"container-image"_s, u"image"_s, u"container"_s, u"environment"_s}) {
            if (batch().option(option) != nullptr) {
                bindDirective(path, option);
                break;
            }
        }
        Found found;
        const QList<Launch> takers = m_choice.launches + takersBehind(takesImage) + makersOfContainers();
        for (const Launch& launch : takers)
            bindImage(launch, found);
        if (const QString doubt = doubtOfOthers(); !found.ranges.isEmpty() && !doubt.isEmpty())
            found.why = doubt;
        const bool isFound = enter(path, found);
        if (const ScriptField* field = m_out.fields.find(path); field == nullptr || !field->canBeSet())
            offerVariable(path, takers);
        if (isFound || m_out.fields.find(path) != nullptr)
            return;
        noteOtherImage(path);
        if (m_out.fields.find(path) != nullptr)
            return;
        if (const QString why = unfollowed(); !why.isEmpty())
            undecided(path, why);
    }

    /// An image that a variable names which the script does not set: it can be exported before its first use. That of
    /// singularity_wrapper a module sets ($SIF): it is exported right before the command.
    void offerVariable(const QString& path, const QList<Launch>& takers)
    {
        QSet<QString> names;
        std::optional<int> first;
        for (const Launch& launch : takers) {
            for (const LaunchLayer& layer : launch.layers) {
                const bool isWrapper = layer.kind == Kind::Container && layer.name.contains(u"_wrapper")
                    && layer.option(u"image"_s) == nullptr;
                const ShellWord* word = imageOf(layer);
                if (word == nullptr && !isWrapper)
                    continue;
                const QString name = isWrapper ? u"SIF"_s : unsetVariable(*word);
                if (name.isEmpty() || batch().sets(name) || (!isWrapper && !dependsOn(*word, name)))
                    return;
                names.insert(name);
                const int use = isWrapper ? launch.command : firstUseOf(name);
                first = first ? qMin(*first, use) : use;
            }
        }
        if (names.size() != 1 || !first)
            return;
        const std::optional<qsizetype> at = lineOfBlock(*first);
        if (!at)
            return;
        const QString why = m_out.fields.find(path) != nullptr ? field(path).why : QString();
        m_out.imageVariable = *names.cbegin();
        m_out.imageVariableAt = *at;
        absent(
            path, why.isEmpty() ? u"$%1, which this script does not set, names it."_s.arg(m_out.imageVariable) : why);
    }

    static const ShellWord* imageOf(const LaunchLayer& layer)
    {
        const BatchOption* option = layer.kind == Kind::Container ? layer.option(u"image"_s) : nullptr;
        for (const QLatin1StringView name : imageOptions) {
            if (option == nullptr && layer.kind == Kind::Srun)
                option = layer.option(QString(name));
        }
        if (option != nullptr)
            return option->word ? &*option->word : nullptr;
        const bool holds = layer.kind == Kind::Container && !layer.words.isEmpty() && !entersContainer(layer)
            && !mayBringOptions(layer.words.first()); // which need not be the image
        return holds ? &layer.words.first() : nullptr;
    }

    /// Whether nothing but the variable decides whether the assignment that holds the word is made: if [ -n "$IMAGE" ];
    /// then OPTIONS=(--container-image "$IMAGE").
    bool dependsOn(const ShellWord& word, const QString& name) const
    {
        const QList<ShellCommand>& commands = batch().shell.commands;
        const BatchVariable* holder = word.origins.isEmpty() ? nullptr : m_tracer->assignmentAt(word.origins.first());
        if (holder == nullptr)
            return false;
        const ShellCommand& setter = commands.at(holder->command);
        if (setter.isPlain() && !isAndOr(setter.before))
            return true;
        if (!setter.function.isEmpty() || setter.loopDepth > 0 || setter.conditionDepth != 1 || isAndOr(setter.before))
            return false;
        const auto isOutside = [&](int at) { return commands.at(at).isPlain() && !commands.at(at).isCondition; };
        const auto isOther = [&](const ShellCommand& command) { // the variable decides more than the image
            return command.isCondition ? std::none_of(command.words.cbegin(), command.words.cend(),
                       [&name](const ShellWord& one) { return one.expands(name); })
                                       : command.name() != u"echo";
        };
        for (int i = holder->command - 1; i >= 0 && !isOutside(i); --i) {
            if (!commands.at(i).parent && isOther(commands.at(i)))
                return false;
        }
        for (int i = holder->command + 1; i < commands.size() && !isOutside(i); ++i) {
            if (!commands.at(i).parent && isOther(commands.at(i)))
                return false;
        }
        return true;
    }

    /// The variable that the word is; empty: it is more than that, or Slurm's.
    static QString unsetVariable(const ShellWord& word)
    {
        static const QRegularExpression name(u"^[A-Za-z_]\\w*$"_s);
        if (word.expansions.size() != 1 || word.expansions.first().text.size() != word.value.size())
            return {};
        const Expansion& only = word.expansions.first();
        const bool plain = only.kind == Expansion::Kind::Variable && only.operation.isEmpty()
            && name.match(only.name).hasMatch() && !only.name.startsWith(u"SLURM");
        return plain ? only.name : QString();
    }

    /// The first command that names a variable.
    int firstUseOf(const QString& name) const
    {
        const QList<ShellCommand>& commands = batch().shell.commands;
        for (int i = 0; i < commands.size(); ++i) {
            const auto expands = [&name](const ShellWord& word) { return word.expands(name); };
            const ShellCommand& command = commands.at(i);
            const bool uses = std::any_of(command.words.cbegin(), command.words.cend(), expands)
                || std::any_of(
                    command.assignments.cbegin(), command.assignments.cend(), [&](const ShellAssignment& one) {
                        return expands(one.value) || std::any_of(one.elements.cbegin(), one.elements.cend(), expands);
                    });
            if (uses)
                return i;
        }
        return static_cast<int>(commands.size()) - 1;
    }

    /// Where the line begins that a command, or the block around it, begins; nothing: something stands before it, or it
    /// runs when another command says so.
    std::optional<qsizetype> lineOfBlock(int index) const
    {
        const QList<ShellCommand>& commands = batch().shell.commands;
        while (index > 0 && (!commands.at(index).isPlain() || commands.at(index).isCondition))
            --index;
        if (index < 0 || index >= commands.size())
            return {};
        const ShellCommand& command = commands.at(index);
        const qsizetype begin = m_lineStarts.at(command.line - 1) + (command.line == 1 ? m_base : 0);
        const bool isFirst = batch().text.mid(begin, command.begin + m_base - begin).trimmed().isEmpty();
        return command.isPlain() && !command.isJoined() && isFirst && command.kind != ShellCommand::Kind::BlockEnd
            ? std::optional(begin)
            : std::nullopt;
    }

    /// False: nothing was found.
    bool enter(const QString& path, const Found& found)
    {
        if (!found.ranges.isEmpty() && found.why.isEmpty()) {
            bound(path, found.value, found.ranges + m_out.ranges.value(path));
            field(path).notes += found.notes;
            return true;
        }
        if (!found.why.isEmpty())
            undecided(path, found.why, found.value);
        return !found.why.isEmpty();
    }

    static bool takesImage(const Launch& launch)
    {
        return std::any_of(launch.layers.cbegin(), launch.layers.cend(), [](const LaunchLayer& layer) {
            return layer.kind == Kind::Container
                || (layer.kind == Kind::Srun
                    && std::any_of(std::begin(imageOptions), std::end(imageOptions),
                        [&layer](QLatin1StringView name) { return layer.option(QString(name)) != nullptr; }));
        });
    }

    /// A word of nothing but one expansion outside of quotes, "$OPTIONS" or "$(options)": it may bring options.
    static bool isSplit(const ShellWord& word)
    {
        return word.expansions.size() == 1 && !word.expansions.first().inQuotes
            && word.expansions.first().text.size() == word.value.size();
    }

    /// Of several commands one may take another image than those that were found: "srun $OPTIONS ...". Empty: none.
    QString doubtOfOthers() const
    {
        if (m_choice.launches.size() < 2)
            return {};
        for (const Launch& launch : std::as_const(m_choice.launches)) {
            const qsizetype last = launch.layers.size() - 1;
            for (qsizetype i = 0; i < last && !takesImage(launch); ++i) {
                const QList<ShellWord>& behind = launch.layers.at(i + 1).words;
                if (launch.layers.at(i).kind == Kind::Srun && !behind.isEmpty() && isSplit(behind.first()))
                    return u"Several commands start a program, and what %1 in line %2 brings may name another image: change the images in the text."_s
                        .arg(behind.first().text)
                        .arg(launch.line);
            }
        }
        return {};
    }

    static bool takesUserEnvironment(const Launch& launch)
    {
        return std::any_of(launch.layers.cbegin(), launch.layers.cend(), [](const LaunchLayer& layer) {
            return isUserEnvironment(layer) || (layer.kind == Kind::Srun && layer.option(u"uenv"_s) != nullptr);
        });
    }

    /// The commands of a function of the script that a launch calls ("in_container python train.py"), and what a launch
    /// itself takes beside its program.
    QList<Launch> takersBehind(bool (*takes)(const Launch&)) const
    {
        const QList<ShellCommand>& commands = batch().shell.commands;
        QSet<QString> called;
        QSet<int> own;
        for (const Launch& launch : std::as_const(m_choice.launches)) {
            called.insert(commands.at(launch.command).name());
            own.insert(launch.command);
        }
        QList<Launch> takers;
        if (std::any_of(m_choice.launches.cbegin(), m_choice.launches.cend(), takes))
            return takers;
        const QList<Launch> all = takersOfImages();
        for (const Launch& launch : all) {
            const QString& function = commands.at(launch.command).function;
            if (takes(launch) && (own.contains(launch.command) || (!function.isEmpty() && called.contains(function))))
                takers.append(launch);
        }
        return takers;
    }

    /// imageTakers(), which reads all commands of the script: read once.
    QList<Launch> takersOfImages() const
    {
        if (!m_takers)
            m_takers = imageTakers(batch());
        return *m_takers;
    }

    /// Steps that make the container of the program from its image: pyxis finds it again by its name.
    QList<Launch> makersOfContainers() const
    {
        const QString nameOption = u"container-name"_s, imageOption = u"container-image"_s;
        QSet<QString> names;
        for (const Launch& launch : m_choice.launches) {
            const LaunchLayer* srun = launch.layer(Kind::Srun);
            const BatchOption* name = srun != nullptr ? srun->option(nameOption) : nullptr;
            if (name != nullptr && srun->option(imageOption) == nullptr)
                names.insert(name->value);
        }
        QList<Launch> makers;
        for (const Launch& launch : batch().launches) {
            const LaunchLayer* srun = launch.layer(Kind::Srun);
            const BatchOption* name = srun != nullptr ? srun->option(nameOption) : nullptr;
            if (name != nullptr && srun->option(imageOption) != nullptr && names.contains(name->value))
                makers.append(launch);
        }
        return makers + makersOfEntered();
    }

    /// "docker run --name work IMAGE" before "docker exec work ...".
    QList<Launch> makersOfEntered() const
    {
        QSet<QString> names;
        for (const Launch& launch : m_choice.launches) {
            const LaunchLayer* container = launch.layer(Kind::Container);
            if (container != nullptr && entersContainer(*container) && !container->words.isEmpty())
                names.insert(m_tracer->trace(container->words.first(), launch.command).text);
        }
        QList<Launch> makers;
        const QList<Launch> all = names.isEmpty() ? QList<Launch>() : takersOfImages();
        for (const Launch& launch : all) {
            const LaunchLayer* container = launch.layer(Kind::Container);
            const BatchOption* name = container != nullptr ? container->option(u"name"_s) : nullptr;
            if (name != nullptr && name->word && !entersContainer(*container)
                && names.contains(m_tracer->trace(*name->word, launch.command).text))
                makers.append(launch);
        }
        return makers;
    }

    /// singularity --version
    static bool onlyAsks(const Launch& launch)
    {
        const LaunchLayer* container = launch.layer(Kind::Container);
        static const QSet<QString> verbless{u"singularity"_s, u"apptainer"_s, u"docker"_s, u"podman"_s};
        return launch.layers.size() == 1 && container != nullptr && verbless.contains(container->name)
            && container->words.isEmpty();
    }

    /// A step that prepares something may have an image of its own; a container's command may be the program itself.
    void noteOtherImage(const QString& path)
    {
        QList<Launch> takers = takersOfImages();
        takers.removeIf([](const Launch& launch) { return !takesImage(launch) || onlyAsks(launch); });
        for (const Launch& launch : std::as_const(takers)) {
            const bool isChosen = std::any_of(m_choice.launches.cbegin(), m_choice.launches.cend(),
                [&launch](const Launch& chosen) { return chosen.command == launch.command; });
            const LaunchLayer* container = launch.layer(Kind::Container);
            if (container != nullptr && container->name.contains(u"_wrapper"))
                return undecided(path,
                    u"Line %1 takes the image of $SIF, which a module sets: write “export SIF=IMAGE” before this line."_s
                        .arg(launch.line));
            if (container != nullptr && container->name == u"shifter")
                return undecided(path,
                    u"Line %1 starts shifter without an image, and no directive names one: write --image=IMAGE there."_s
                        .arg(launch.line));
            if (isChosen && container != nullptr && entersContainer(*container))
                return undecided(path,
                    u"Line %1 enters a container that runs already, and no command of this script makes it: change the image where it is started."_s
                        .arg(launch.line));
            if (isChosen && container != nullptr && container->words.isEmpty())
                return undecided(
                    path, u"Line %1 names no image after %2: write it there."_s.arg(launch.line).arg(container->name));
        }
        if (!takers.isEmpty())
            undecided(path,
                u"Line %1 takes an image, but not for the program that the fields show: change it in the text."_s.arg(
                    takers.first().line));
    }

    /// A container that some text of the script names, and no command that is read takes.
    QString unfollowed() const
    {
        const QString why
            = u"Line %1 names a container (%2) in a way that is not followed here: change it in the text."_s;
        for (const ShellCommand& command : batch().shell.commands) {
            static const QSet<QString> shows{u"echo"_s, u"printf"_s, u"which"_s, u"command"_s, u"type"_s};
            if (shows.contains(command.name()))
                continue;
            QString words;
            for (const ShellWord& word : command.words)
                words += word.value + u' ';
            QString named = containerNamed(words);
            for (const ShellAssignment& assignment : command.assignments) {
                QString text = assignment.value.value;
                for (const ShellWord& word : assignment.elements)
                    text += u' ' + word.value;
                if (named.isEmpty())
                    named = containerNamed(text);
            }
            if (!named.isEmpty())
                return why.arg(command.line).arg(named);
        }
        for (const HereDocument& document : batch().shell.hereDocuments) {
            const QStringList lines = document.body.split(u'\n');
            for (qsizetype i = 0; i < lines.size(); ++i) {
                const QString named = lines.at(i).trimmed().startsWith(u'#') ? QString() : containerNamed(lines.at(i));
                if (!named.isEmpty())
                    return why.arg(document.firstLine + i).arg(named);
            }
        }
        return {};
    }

    void bindImage(const Launch& launch, Found& found)
    {
        for (const LaunchLayer& layer : launch.layers) {
            const BatchOption* option = layer.kind == Kind::Container ? layer.option(u"image"_s) : nullptr;
            for (const QLatin1StringView name : imageOptions) {
                if (option == nullptr && layer.kind == Kind::Srun)
                    option = layer.option(QString(name));
            }
            if (option != nullptr && option->word)
                bindWord(u"environment.container"_s, *option->word, launch, found);
            else if (layer.kind == Kind::Container && !layer.words.isEmpty() && !entersContainer(layer))
                bindWord(u"environment.container"_s, layer.words.first(), launch, found);
            else if (layer.kind == Kind::Container && layer.name.contains(u"_wrapper"))
                bindWrapperImage(launch, found);
        }
    }

    void bindWord(const QString& path, const ShellWord& image, const Launch& launch, Found& found)
    {
        if (const QString doubt = doubtOfImage(image, launch); !doubt.isEmpty()) {
            found.why = doubt;
            return;
        }
        Text text = textOf(image, launch.command);
        m_out.madeOf[path] += text.madeOf;
        m_out.unknown[path] += text.unknown;
        if (const std::optional<TextRange> use = useOf(image, launch.command); !text.range && use) {
            text.range = use;
            text.value = batch().text.mid(use->begin, use->end - use->begin);
        }
        if (!text.range)
            found.why = text.why;
        else if (!found.value.isEmpty() && found.value != text.value)
            found.why = u"The commands of this script use several images: change the one that is meant in the text."_s;
        found.value = text.value;
        if (text.range)
            found.ranges.append(*text.range);
        if (const QString name = defaultAround(image); !name.isEmpty())
            found.notes = {u"The submitting shell may set $%1 to another command, which stays as it is."_s.arg(name)};
    }

    /// "${RUN:-singularity exec a.sif}" brings the word: the name, which the submitting shell may set.
    QString defaultAround(const ShellWord& word) const
    {
        static const QRegularExpression named(u"^\"?\\$\\{([A-Za-z_]\\w*):?[-=][^}]*\\s"_s);
        if (!word.use || word.use->end <= word.use->begin)
            return {};
        const TextRange use = inText(word.use->begin, word.use->end);
        return named.match(batch().text.mid(use.begin, use.end - use.begin)).captured(1);
    }

    /// "singularity exec $BIND $X": $BIND, which the script does not set, may hold options or the image.
    QString doubtOfImage(const ShellWord& image, const Launch& launch) const
    {
        const auto container = std::find_if(launch.layers.cbegin(), launch.layers.cend(),
            [](const LaunchLayer& layer) { return layer.kind == Kind::Container; });
        const auto next = container == launch.layers.cend() ? container : std::next(container);
        if (!mayBringOptions(image) || next == launch.layers.cend() || next->words.isEmpty()
            || !mayBringOptions(next->words.first()) || batch().variablesByName.contains(image.expansions.first().name))
            return {};
        return u"Line %1 takes $%2, which this script does not set: it may hold the image or options in front of it. Set it before line %1, or write the image there."_s
            .arg(launch.line)
            .arg(image.expansions.first().name);
    }

    /// Where "$IMAGE" is taken, set by whichever lines; empty: it brings more than this word, or is not one
    /// variable.
    std::optional<TextRange> useOf(const ShellWord& word, int use) const
    {
        static const QRegularExpression variable(u"^(\"?)\\$\\{?([A-Za-z_]\\w*)\\}?\\1$"_s);
        static const QRegularExpression blank(u"\\s"_s);
        if (!word.use || word.use->end <= word.use->begin || !m_tracer->doubtAt(word.use->begin, use).isEmpty())
            return {};
        const TextRange range = inText(word.use->begin, word.use->end);
        const auto match = variable.match(batch().text.mid(range.begin, range.end - range.begin));
        const QList<int> places = batch().variablesByName.value(match.captured(2));
        const bool isOneWord = std::all_of(places.cbegin(), places.cend(), [this](int place) {
            const BatchVariable& set = batch().variables.at(place);
            return !set.isArray && !set.appends && !set.value.value.contains(blank);
        });
        const qsizetype quote = match.capturedLength(1);
        if (!match.hasMatch() || !isOneWord)
            return {};
        return TextRange{range.begin + quote, range.end - quote};
    }

    /// singularity_wrapper takes the image of $SIF.
    void bindWrapperImage(const Launch& launch, Found& found)
    {
        const BatchVariable* variable = batch().variable(u"SIF"_s, launch.line);
        if (variable != nullptr && variable->exported && m_tracer->doubt(*variable, launch.command).isEmpty())
            bindWord(u"environment.container"_s, variable->value, launch, found);
    }

    /// Options that bind folders of the system into the container; each runtime reads some letters in its own way.
    static bool bindsFolders(const LaunchLayer& layer, const BatchOption& option)
    {
        if (layer.kind == Kind::Srun)
            return option.name == u"container-mounts";
        const QString runtime = layer.name.section(u' ', 0, 0);
        static const QSet<QString> ofDocker{u"docker"_s, u"podman"_s, u"podman-hpc"_s};
        static const QSet<QString> names{u"B"_s, u"bind"_s, u"mount"_s, u"volume"_s, u"V"_s, u"container-mounts"_s};
        if (runtime == u"ch-run")
            return option.name == u"b" || option.name == u"bind";
        return names.contains(option.name) || (option.name == u"v" && ofDocker.contains(runtime))
            || (option.name == u"m" && runtime == u"enroot");
    }

    void bindFolders()
    {
        const QString path = u"environment.binds"_s;
        QList<TextRange> binds, madeOf;
        QStringList texts;
        QString why;
        for (const Launch& launch : std::as_const(m_choice.launches)) {
            for (const LaunchLayer& layer : launch.layers) {
                for (const BatchOption& option : layer.options) {
                    const bool holds = layer.kind == Kind::Container || layer.kind == Kind::Srun;
                    if (!holds || !option.word || !bindsFolders(layer, option))
                        continue;
                    const Text text = textOf(*option.word, launch.command);
                    madeOf += text.madeOf;
                    if (!text.range)
                        why = text.why;
                    if (!text.range || binds.contains(*text.range))
                        continue;
                    binds.append(*text.range);
                    texts.append(text.value);
                }
            }
        }
        m_out.madeOf.insert(path, madeOf);
        if (binds.size() == 1)
            bound(path, texts.first(), binds);
        else if (binds.size() > 1)
            undecided(
                path, u"Several options bind folders: change the one that is meant in the text."_s, texts.join(u','));
        else if (!why.isEmpty())
            undecided(path, why);
    }

    /// The image of a user environment (Alps): --uenv of sbatch or srun, `uenv run`. A design has it with its view.
    void bindUserEnvironment()
    {
        const QString path = u"environment.uenv"_s;
        const BatchOption* image = batch().option(u"uenv"_s);
        const BatchOption* view = batch().option(u"view"_s);
        if (image != nullptr && view != nullptr && view->value != u"default")
            undecided(path,
                u"Line %1 names the environment and line %2 its view: change them in the text."_s.arg(image->line)
                    .arg(view->line),
                image->value + u' ' + view->value);
        else if (image != nullptr)
            bindDirective(path, u"uenv"_s);
        Found found;
        const QList<Launch> takers = m_choice.launches + takersBehind(takesUserEnvironment);
        for (const Launch& launch : takers) {
            for (const LaunchLayer& layer : launch.layers) {
                const BatchOption* option = layer.kind == Kind::Srun ? layer.option(u"uenv"_s) : nullptr;
                if (option != nullptr && option->word)
                    bindWord(path, *option->word, launch, found);
                const qsizetype at = isUserEnvironment(layer) ? uenvImage(layer.words, 0) : layer.words.size();
                if (at < layer.words.size())
                    bindWord(path, layer.words.at(at), launch, found);
            }
        }
        enter(path, found);
    }

    mutable std::optional<QList<Launch>> m_takers;
};

} // namespace

void bindImages(BindState& state) { ImageBinder(state).run(); }

} // namespace rankwright::inline script
