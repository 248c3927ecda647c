// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/read/scriptstart.h"

#include "models/script/bash/launchnames.h"
#include "models/script/read/trainingreader.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright {

using Kind = LaunchLayer::Kind;

ScriptStart::ScriptStart(const BatchText& batch, const ClusterProfile& profile)
    : m_state{batch, profile, {}, nullptr, {}, {}, {}, {}, false}
{
    findTrainingLaunch(m_state);
}

std::optional<int> ScriptStart::number(const QString& name, int otherwise) const
{
    const BatchOption* option = m_state.stepOption(name);
    if (option == nullptr)
        return otherwise;
    const BatchOption* directive = batch().option(name);
    static const QRegularExpression own(u"^\\$\\{?SLURM_(NNODES|JOB_NUM_NODES|NTASKS|NPROCS|NTASKS_PER_NODE)\\}?$"_s);
    if (option->word && own.match(option->value).hasMatch() && directive != nullptr)
        option = directive;
    bool fine = false;
    const int count = value(*option).value_or(QString()).toInt(&fine);
    return fine ? std::optional(count) : std::nullopt;
}

ScriptStart::Size ScriptStart::size() const
{
    Size size;
    const bool steps = layer(Kind::Srun) != nullptr;
    const auto nodes = number(u"nodes"_s, 0), tasks = number(u"ntasks"_s, 0);
    const auto perNode = number(u"ntasks-per-node"_s, 0);
    if (!nodes || !tasks || !perNode)
        return size;
    size.nodes = *nodes > 0 ? *nodes : *perNode > 0 && *tasks > 0 ? (*tasks + *perNode - 1) / *perNode : 1;
    if (*nodes == 0 && *tasks > 1 && *perNode == 0)
        size.nodes.reset(); // wherever there is room
    size.tasks = !steps ? 1
        : *tasks > 0    ? *tasks
        : *perNode > 0  ? *perNode * size.nodes.value_or(0)
                        : size.nodes.value_or(0);
    return size;
}

std::pair<int, QString> ScriptStart::gpus() const
{
    for (const QString& name : {u"gres"_s, u"gpus-per-node"_s, u"gpus-per-task"_s, u"gpus"_s}) {
        const BatchOption* option = m_state.stepOption(name);
        if (option == nullptr)
            continue;
        const BatchOption* directive = batch().option(name);
        QString text = value(*option).value_or(directive != nullptr ? directive->value : QString());
        for (QString part : text.split(u',')) {
            if (name == u"gres" && part != u"gpu" && !part.startsWith(u"gpu:"))
                continue;
            if (name == u"gres")
                part = part.mid(4);
            bool fine = false;
            const int count = part.section(u':', -1).toInt(&fine);
            return {fine ? count : 1, fine ? part.section(u':', 0, -2) : part};
        }
    }
    return {-1, {}};
}

QStringList ScriptStart::program() const
{
    QStringList words;
    const LaunchLayer* last = layer(Kind::Program);
    for (qsizetype i = 0; last != nullptr && i < last->words.size(); ++i)
        words.append(value(last->words.at(i)).value_or(QString()));
    while (!words.isEmpty() && (isPython(words.first()) || words.first() == u"-u") && !words.first().contains(u'/'))
        words.removeFirst();
    return words;
}

bool ScriptStart::sets(const QString& name) const
{
    for (const LaunchLayer& layer : launch()->layers) {
        if (layer.variables.contains(name))
            return true;
    }
    const BatchVariable* variable = batch().variable(name);
    return variable != nullptr && variable->exported;
}

QStringList ScriptStart::modules() const
{
    QStringList all;
    for (const ShellCommand& command : batch().shell.commands) {
        if (command.name() != u"module" && command.name() != u"ml")
            continue;
        QStringList words;
        for (const ShellWord& word : command.words.mid(1))
            words.append(value(word).value_or(word.value));
        static const QSet<QString> questions{u"list"_s, u"avail"_s, u"help"_s, u"show"_s, u"spider"_s};
        if (words.isEmpty() || questions.contains(words.first()))
            continue;
        static const QSet<QString> verbs{
            u"use"_s, u"purge"_s, u"unload"_s, u"swap"_s, u"switch"_s, u"restore"_s, u"reset"_s, u"unuse"_s};
        if (words.first() == u"load" || words.first() == u"add")
            words.removeFirst();
        if (!words.isEmpty() && verbs.contains(words.first()))
            all.append(words.join(u' '));
        else
            all += words;
    }
    return all;
}

std::pair<QString, QStringList> ScriptStart::container() const
{
    QString image;
    QStringList binds;
    const auto addBinds = [&](const BatchOption& option, QChar separator) {
        for (const QString& bind : value(option).value_or(option.value).split(separator, Qt::SkipEmptyParts)) {
            if (!bind.startsWith(u"$PWD") && !bind.startsWith(u"${PWD}"))
                binds.append(bind);
        }
    };
    if (const LaunchLayer* layer = this->layer(Kind::Container)) {
        if (!layer->words.isEmpty())
            image = value(layer->words.first()).value_or(layer->words.first().value);
        for (const BatchOption& option : layer->options) {
            if (option.name == u"B" || option.name == u"bind")
                addBinds(option, u',');
            else if (option.name == u"V" || option.name == u"volume")
                addBinds(option, u';');
            else if (option.name == u"image")
                image = value(option).value_or(option.value);
        }
    }
    for (const QString& name : {u"container-image"_s, u"image"_s, u"environment"_s}) {
        if (const BatchOption* option = m_state.stepOption(name); option != nullptr && image.isEmpty())
            image = value(*option).value_or(option->value);
    }
    if (const BatchOption* option = m_state.stepOption(u"container-mounts"_s))
        addBinds(*option, u',');
    binds.sort();
    return {image, binds};
}

} // namespace rankwright
