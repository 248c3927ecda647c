// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/bind/environmentbinder.h"

#include "models/script/bash/launchnames.h"
#include "models/script/batch/launchreader.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {
namespace {

class EnvironmentBinder : public FieldBinder {
public:
    using FieldBinder::FieldBinder;

    void run()
    {
        bindContainer();
        bindModules();
        bindSetup();
        bindVariables();
        bindFolder();
    }

private:
    /// Of srun, the first that is given counts; --environment names a definition file that holds the image (Alps).
    static constexpr QLatin1StringView imageOptions[]
        = {QLatin1StringView("container-image"), QLatin1StringView("image"), QLatin1StringView("environment")};

    void bindContainer()
    {
        const QString path = u"environment.container"_s;
        for (const auto& option : {u"container-image"_s, u"image"_s, u"container"_s, u"environment"_s}) {
            if (batch().option(option) != nullptr) {
                bindDirective(path, option);
                break;
            }
        }
        QList<TextRange> ranges;
        QString value, why;
        const QList<Launch> takers = m_choice.launches + takersBehind() + makersOfContainers();
        for (const Launch& launch : takers)
            takeImage(launch, ranges, value, why);
        if (!ranges.isEmpty() && why.isEmpty())
            bound(path, value, ranges + m_out.ranges.value(path));
        else if (!why.isEmpty())
            undecided(path, why, value);
        else if (m_out.fields.find(path) == nullptr)
            noteOtherImage(path);
        QList<TextRange> binds, madeOf;
        QStringList texts;
        for (const Launch& launch : std::as_const(m_choice.launches)) {
            for (const LaunchLayer& layer : launch.layers) {
                for (const BatchOption& option : layer.options) {
                    static const QSet<QString> names{
                        u"B"_s, u"bind"_s, u"mount"_s, u"volume"_s, u"V"_s, u"container-mounts"_s};
                    const bool holds = layer.kind == Kind::Container || layer.kind == Kind::Srun;
                    if (!holds || !names.contains(option.name) || !option.word
                        || (layer.kind == Kind::Srun && option.name != u"container-mounts"))
                        continue;
                    const Text text = textOf(*option.word, launch.command);
                    madeOf += text.madeOf;
                    if (!text.range.isPlace() || binds.contains(text.range))
                        continue;
                    binds.append(text.range);
                    texts.append(text.value);
                }
            }
        }
        m_out.madeOf.insert(u"environment.binds"_s, madeOf);
        if (binds.size() == 1)
            bound(u"environment.binds"_s, texts.first(), binds);
        else if (binds.size() > 1)
            undecided(u"environment.binds"_s,
                u"Several options bind folders: change the one that is meant in the text."_s, texts.join(u','));
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

    /// The commands of a function of the script that a launch calls ("in_container python train.py"), and what a launch
    /// itself takes beside its program.
    QList<Launch> takersBehind() const
    {
        const QList<ShellCommand>& commands = batch().shell.commands;
        QSet<QString> called;
        QSet<int> own;
        for (const Launch& launch : std::as_const(m_choice.launches)) {
            called.insert(commands.at(launch.command).name());
            own.insert(launch.command);
        }
        QList<Launch> takers;
        if (std::any_of(m_choice.launches.cbegin(), m_choice.launches.cend(), takesImage))
            return takers;
        const QList<Launch> all = imageTakers(batch());
        for (const Launch& launch : all) {
            const QString& function = commands.at(launch.command).function;
            if (own.contains(launch.command) || (!function.isEmpty() && called.contains(function)))
                takers.append(launch);
        }
        return takers;
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
        return makers;
    }

    /// A step that prepares something may have an image of its own; a container's command may be the program itself.
    void noteOtherImage(const QString& path)
    {
        const QList<Launch> takers = imageTakers(batch());
        for (const Launch& launch : takers) {
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
            if (isChosen && container != nullptr && container->words.isEmpty())
                return undecided(
                    path, u"Line %1 names no image behind %2: write it there."_s.arg(launch.line).arg(container->name));
        }
        if (!takers.isEmpty())
            undecided(path,
                u"Line %1 takes an image, but not for the program that the fields show: change it in the text."_s.arg(
                    takers.first().line));
    }

    void takeImage(const Launch& launch, QList<TextRange>& ranges, QString& value, QString& why)
    {
        for (const LaunchLayer& layer : launch.layers) {
            const BatchOption* option = layer.kind == Kind::Container ? layer.option(u"image"_s) : nullptr;
            for (const QLatin1StringView name : imageOptions) {
                if (option == nullptr && layer.kind == Kind::Srun)
                    option = layer.option(QString(name));
            }
            std::optional<ShellWord> image;
            if (option != nullptr && option->word)
                image = option->word;
            else if (layer.kind == Kind::Container && !layer.words.isEmpty())
                image = layer.words.first();
            else if (layer.kind == Kind::Container && layer.name.contains(u"_wrapper"))
                image = wrapperImage(launch);
            if (!image)
                continue;
            if (const QString doubt = doubtOfImage(*image, launch); !doubt.isEmpty()) {
                why = doubt;
                continue;
            }
            Text text = textOf(*image, launch.command);
            m_out.madeOf[u"environment.container"_s] += text.madeOf;
            if (const TextRange use = useOf(*image, launch.command); !text.range.isPlace() && use.isPlace()) {
                text.range = use;
                text.value = batch().text.mid(use.begin, use.end - use.begin);
            }
            if (!text.range.isPlace())
                why = text.why;
            else if (!value.isEmpty() && value != text.value)
                why = u"The commands of this script use several images: change the one that is meant in the text."_s;
            value = text.value;
            if (text.range.isPlace())
                ranges.append(text.range);
        }
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

    /// Where "$IMAGE" is taken, set by whichever lines; no place: it brings more than this word, or is not one
    /// variable.
    TextRange useOf(const ShellWord& word, int use) const
    {
        static const QRegularExpression variable(u"^(\"?)\\$\\{?([A-Za-z_]\\w*)\\}?\\1$"_s);
        static const QRegularExpression blank(u"\\s"_s);
        if (word.useBegin < 0 || word.useEnd <= word.useBegin || !m_tracer->doubtAt(word.useBegin, use).isEmpty())
            return {};
        const TextRange range = inText(word.useBegin, word.useEnd);
        const auto match = variable.match(batch().text.mid(range.begin, range.end - range.begin));
        const QList<int> places = batch().variablesByName.value(match.captured(2));
        const bool isOneWord = std::all_of(places.cbegin(), places.cend(), [this](int place) {
            const BatchVariable& set = batch().variables.at(place);
            return !set.isArray && !set.appends && !set.value.value.contains(blank);
        });
        const qsizetype quote = match.capturedLength(1);
        return match.hasMatch() && isOneWord ? TextRange{range.begin + quote, range.end - quote} : TextRange();
    }

    /// singularity_wrapper takes the image of $SIF.
    std::optional<ShellWord> wrapperImage(const Launch& launch) const
    {
        const BatchVariable* variable = batch().variable(u"SIF"_s, launch.line);
        return variable != nullptr && variable->exported && m_tracer->doubt(*variable, launch.command).isEmpty()
            ? std::optional(variable->value)
            : std::nullopt;
    }

    void bindModules()
    {
        QList<TextRange> ranges;
        QStringList names;
        for (int i = 0; i < batch().shell.commands.size(); ++i) {
            const ShellCommand& command = batch().shell.commands.at(i);
            if (!command.isPlain() || command.words.size() < 2)
                continue;
            qsizetype from = 0;
            static const QSet<QString> verbs{u"load"_s, u"add"_s};
            if (command.name() == u"module" && verbs.contains(command.words.at(1).value))
                from = 2;
            else if (command.name() == u"ml" && verbs.contains(command.words.at(1).value))
                from = 2;
            else if (command.name() == u"ml" && !command.words.at(1).value.startsWith(u'-')
                && !QStringList{u"purge"_s, u"use"_s, u"list"_s, u"unload"_s, u"swap"_s, u"reset"_s, u"show"_s}
                        .contains(command.words.at(1).value))
                from = 1;
            if (from == 0)
                continue;
            for (const ListWord& word : listWords(command.words.mid(from), i)) {
                m_out.modules.append(word);
                names.append(word.value);
                if (word.range.isPlace())
                    ranges.append(word.range);
            }
        }
        if (!names.isEmpty())
            bound(u"environment.modules"_s, names.join(u' '), ranges);
    }

    void bindSetup()
    {
        QList<TextRange> ranges;
        QStringList lines;
        static const QSet<QString> names{u"source"_s, u"."_s, u"conda"_s, u"mamba"_s, u"uenv"_s};
        for (const ShellCommand& command : batch().shell.commands) {
            const bool activates = names.contains(command.name()) && command.isPlain() && command.words.size() > 1
                && ((command.name() != u"conda" && command.name() != u"mamba")
                    || command.words.at(1).value == u"activate");
            if (!activates || !command.redirections.isEmpty())
                continue;
            const TextRange range = inText(command.words.first().begin, command.words.last().end);
            ranges.append(range);
            lines.append(batch().text.mid(range.begin, range.end - range.begin));
        }
        if (!lines.isEmpty())
            bound(u"environment.setup"_s, lines.join(u'\n'), ranges);
    }

    void bindVariables()
    {
        const int use = m_choice.launches.isEmpty() ? static_cast<int>(batch().shell.commands.size()) - 1
                                                    : m_choice.launches.last().command;
        const int firstLaunch = m_choice.launches.isEmpty() ? static_cast<int>(batch().shell.commands.size())
                                                            : m_choice.launches.first().command;
        qsizetype behind = -1;
        for (const BatchVariable& variable : batch().variables) {
            if (!variable.exported || variable.isArray)
                continue;
            const QString path = u"environment.variables."_s + variable.name;
            const QString doubt = m_tracer->doubt(variable, use);
            if (!doubt.isEmpty()) {
                if (!m_out.ranges.contains(path))
                    undecided(path, doubt);
                continue;
            }
            const ShellCommand& command = batch().shell.commands.at(variable.command);
            if (variable.command < firstLaunch && command.isPlain() && command.separator == ShellSeparator::NewLine
                && command.name() == u"export")
                behind = variable.command;
            const TracedValue traced = m_tracer->trace(variable.value, variable.command);
            TracedValue typed;
            typed.text = variable.value.value;
            typed.origins = variable.value.origins;
            bound(path, traced.text,
                {typed.isOnePlace() ? inText(typed.origins.first(), typed.origins.last() + 1)
                                    : inText(variable.value.begin, variable.value.end)});
            m_out.madeOf.insert(path, piecesOf(traced));
        }
        if (behind >= 0)
            m_out.variableAt = lineEndBehind(batch().shell.commands.at(behind).end + m_base);
        else if (!m_choice.launches.isEmpty()) {
            const ShellCommand& command = batch().shell.commands.at(m_choice.launches.first().command);
            const qsizetype begin = m_lineStarts.at(command.line - 1);
            if (command.isPlain() && !command.isJoined()
                && batch().text.mid(begin, command.begin + m_base - begin).trimmed().isEmpty())
                m_out.variableAt = begin;
        }
    }

    qsizetype lineEndBehind(qsizetype at) const
    {
        const qsizetype newline = batch().text.indexOf(u'\n', at);
        return newline < 0 ? -1 : newline + 1;
    }

    void bindFolder()
    {
        const QString path = u"workdir"_s;
        if (batch().option(u"chdir"_s) != nullptr) {
            bindDirective(path, u"chdir"_s);
            return;
        }
        const int launch = m_choice.launches.isEmpty() ? static_cast<int>(batch().shell.commands.size())
                                                       : m_choice.launches.first().command;
        QList<int> found;
        for (int i = 0; i < launch && i < batch().shell.commands.size(); ++i) {
            const ShellCommand& command = batch().shell.commands.at(i);
            if (command.name() == u"cd" && command.parent < 0 && command.subshellDepth == 0)
                found.append(i);
        }
        if (found.isEmpty()) {
            m_out.options.insert(path, u"chdir"_s);
            absent(path, u"The job starts in the folder in which it is submitted."_s);
            return;
        }
        const ShellCommand& command = batch().shell.commands.at(found.last());
        if (found.size() > 1 || !command.isPlain() || command.words.size() != 2) {
            undecided(path, u"Several commands change the folder (the last one in line %1)."_s.arg(command.line));
            return;
        }
        bindText(path, command.words.at(1), found.last());
    }
};

} // namespace

void bindEnvironment(BindState& state) { EnvironmentBinder(state).run(); }

} // namespace rankwright::inline script
