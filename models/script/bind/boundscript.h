// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/batch/batchtext.h"
#include "models/script/bind/scriptfields.h"

#include <optional>

namespace rankwright::inline script {

/// A half-open range of the script's text.
struct TextRange {
    qsizetype begin = 0;
    qsizetype end = 0; ///< one past the end

    bool operator==(const TextRange&) const = default;
    bool operator<(const TextRange& other) const { return begin < other.begin; }
};

/// A number of the script that goes with its nodes or GPUs.
struct CountPlace {
    enum class Of {
        Nodes,
        Gpus, ///< GPUs of a node
        GpusOfJob,
        GpusOfTask,
        Tasks, ///< tasks of a node
        TasksOfJob,
        Processes, ///< processes that an agent starts on a node
        ProcessesOfJob,
        World ///< the ranks of the job, in a variable
    };
    Of of = Of::Nodes;
    qint64 number = 0;
    TextRange range; ///< of the digits; where only a type is written ("gpu"): empty, after it
    QString written; ///< "--nodes=2", "NNODES=2"
    int line = 1;
    bool isFactor = false; ///< of a product whose other factor is Slurm's number of nodes: a number of a node
    bool isDirective = false;

    bool isOfJob() const
    {
        return !isFactor
            && (of == Of::GpusOfJob || of == Of::TasksOfJob || of == Of::ProcessesOfJob || of == Of::World);
    }
};

/// A word of a list (the program with its arguments, modules).
struct ListWord {
    QString value; ///< as the job gets it; with variables that only the job knows as they are typed
    std::optional<TextRange> range; ///< what a new word replaces; empty: it cannot be replaced
    std::optional<TextRange> whole; ///< the word with its quotes, where it stands by itself
    QList<qsizetype> behind; ///< where a word after it may be inserted: here, or after a variable that brings it
    QString why; ///< why it cannot be replaced
    QList<TextRange> madeOf; ///< all pieces of the text that its value comes from
    int unknown = 0; ///< expansions in it that are not known (TracedValue)
};

/// A script, its fields, and what an edit needs to know beside them. Places count in the whole text.
struct BoundScript {
    BatchText parsed; ///< the text as parseBatch() takes it apart
    BatchText batch; ///< the same; of a script for another interpreter without commands, which are not bash's
    ScriptFields fields;
    QMap<QString, QList<TextRange>> ranges; ///< of the fields that are Bound and replaced as a text
    QMap<QString, int> unknown; ///< of a field of a command: expansions in it that are not known (TracedValue)
    QMap<QString, QString> options; ///< field -> long name of the sbatch option that says it, or would
    QList<CountPlace> counts;
    std::optional<qint64> nodes;
    std::optional<qint64> gpus; ///< of a node
    bool agentStartsRanks = false; ///< a number of tasks does not follow the GPUs
    QString firstNodeOnly; ///< a note: nothing starts the launcher on the other nodes; empty: something does
    QString oneNodeOnly; ///< why the launcher cannot go over nodes; empty: it can
    QMap<QString, QList<TextRange>> madeOf; ///< of all fields of a command: the pieces that their value comes from
    QList<ListWord> command; ///< the program and its arguments
    QList<QList<ListWord>> sameCommands; ///< of further commands that start the same program
    qsizetype firstArgument = 0; ///< index into command
    QList<ListWord> modules;
    std::optional<qsizetype> directiveAt; ///< where a new directive is inserted; empty: the script has none
    QString imageVariable; ///< that would name the image if it were exported; empty: none
    qsizetype imageVariableAt = 0; ///< where its export would be inserted
    std::optional<qsizetype> variableAt; ///< where a new `export` is inserted; empty: nowhere
};

BoundScript bindText(const QString& text);
BoundScript bindText(const BatchText& batch);

} // namespace rankwright::inline script
