// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/script/bash/shelltext.h"

#include <QHash>
#include <QMap>

#include <optional>

namespace rankwright::inline script {

// A batch script taken apart without running it. Directives are read as sbatch 22.05 reads them (tried): lines before
// the first command, several options on a line, abbreviations, quotes, and an unquoted '#' ends the line anywhere.

/// One option of sbatch (a directive) or of srun.
struct BatchOption {
    QString name; ///< long name without dashes, also when the short one was typed: "nodes"
    QString value; ///< without quotes
    bool hasValue = false;
    QString written; ///< as typed: "-N 2", "--nodes=2"
    QString typedName; ///< "-N", "--nodes", "--part"
    bool known = true; ///< an option of this command, plugins' included
    int line = 1;
    int column = 1;
    int endColumn = 1; ///< one past the end, on the same line for a directive
    int valueColumn = 0; ///< of a directive: where its value stands, with quotes; 0: none
    int valueEndColumn = 0; ///< one past the end
    QString trailing; ///< comment after it on the line, with '#'
    std::optional<ShellWord> word; ///< srun: the word that holds the value; directives expand nothing

    bool operator==(const BatchOption& other) const
    {
        return name == other.name && value == other.value && line == other.line && column == other.column;
    }
};

/// Something that looks like a directive and has no effect, or makes sbatch refuse the script.
struct LostDirective {
    enum class Why {
        Late, ///< after the first command: ignored in silence
        Disabled, ///< ##SBATCH
        Spaced, ///< # SBATCH
        Indented, ///< blanks before #SBATCH
        WrongCase, ///< #sbatch
        NoHash, ///< SBATCH --nodes=2: a command that does not exist
        UnknownOption, ///< sbatch stops
        Ambiguous, ///< an abbreviation of several options: sbatch stops
        NoValue, ///< an option without the value it needs: sbatch stops
        ExtraValue, ///< a value for an option that takes none: sbatch stops
        StrayText, ///< a word that is not an option, for instance after a blank in a value: sbatch stops
        OpenQuote, ///< sbatch stops
        Colon ///< a word that begins with ':' : sbatch stops
    };
    Why why = Why::Late;
    int line = 1;
    int column = 1;
    int endColumn = 1;
    QString text; ///< the line, or the word that is wrong
    QList<BatchOption> options; ///< what it would have asked for

    /// sbatch refuses the whole script, instead of ignoring the line.
    bool stops() const { return why >= Why::UnknownOption; }
};

/// A variable that is set where the script itself runs.
struct BatchVariable {
    QString name;
    ShellWord value;
    QList<ShellWord> elements; ///< of an array
    bool isArray = false;
    bool appends = false; ///< NAME+=...
    bool exported = false; ///< by export NAME=..., export NAME, declare -x, set -a
    int line = 1;
    int command = 0; ///< index of the command that sets it
    bool certain = true; ///< set once, outside of loops, conditions and functions
};

/// One shell inside another, an agent, a container ...: what is between srun and the program.
struct LaunchLayer {
    enum class Kind { Srun, Mpirun, Container, Shell, Environment, Wrapper, Agent, Python, Program };
    Kind kind = Kind::Program;
    QString name; ///< "srun", "singularity exec", "torchrun", "torch.distributed.run", "accelerate launch", "python3"
    QList<BatchOption> options; ///< names with dashes for underscores, without leading dashes
    QList<ShellWord> words; ///< of Container: the image; of Program: the program and its arguments; of Wrapper: its
                            ///< words; of Python and Agent: what was typed, where that is a path
    QMap<QString, ShellWord> variables; ///< NAME=value set by this layer (env, bash -c 'A=1 ...', singularity --env)
    int line = 1;

    const BatchOption* option(const QString& optionName) const; ///< the last one; null: not given
};

/// A command that starts the tasks of a job, or a program in the batch shell that looks like training.
struct Launch {
    int command = 0; ///< index of the command that holds it
    int line = 1;
    int lastLine = 1;
    QList<LaunchLayer> layers; ///< from outside to inside; the last one is the program, when it could be found
    QList<ShellWord> continuation; ///< arguments that the program gets when the job continues an earlier one
    QStringList sideWork; ///< what each task does before the program and no layer says
    QStringList unresolved; ///< variables whose value is not known, so that layers may be missing
    bool background = false;

    const LaunchLayer* layer(LaunchLayer::Kind kind) const; ///< the first one; null: none
    bool viaSrun() const { return layer(LaunchLayer::Kind::Srun) != nullptr; }
};

struct BatchText {
    QString text;
    QStringList lines; ///< without line ends
    QString shebang; ///< first line when it begins with #!
    int shebangLine = 0; ///< where the first line with #! stands; 0: nowhere, 1: right
    int firstCommandLine = 0; ///< the line that ends the directives for sbatch; 0: none
    QList<BatchOption> options; ///< that sbatch reads, in order
    QList<LostDirective> lost;
    ShellText shell;
    QList<BatchVariable> variables; ///< assignments of the batch shell, in order
    QHash<QString, QList<int>> variablesByName; ///< their places in `variables`
    QList<Launch> launches;

    bool hasCrlf = false; ///< some line ends in a carriage return
    bool hasBom = false;
    QList<int> tabLines; ///< directives with a tab
    QList<int> oddBlankLines; ///< lines with a no-break or other special blank
    QList<int> oddQuoteLines; ///< lines with typographic quotes or dashes
    bool endsWithNewline = true;

    /// The option that counts (the last one); null: not given.
    const BatchOption* option(const QString& name) const;
    QList<BatchOption> optionsNamed(const QString& name) const;
    /// The last assignment before a line (0: of the whole script); null: none.
    const BatchVariable* variable(const QString& name, int beforeLine = 0) const;
    bool sets(const QString& name) const { return variable(name) != nullptr; }
};

/// Takes a script apart. Linear in the length of the text; any text is read.
BatchText parseBatch(const QString& text);

/// Replaces the variables of a word whose value is certain and static before `line`; nothing when one is not.
std::optional<QString> staticValue(const BatchText& batch, const ShellWord& word, int line);

/// The value of a word if its variables are not set from outside and no condition changes them: "${SIF:-/a.sif}" is
/// "/a.sif". For showing; nothing when even so a part of it is known to the job alone.
std::optional<QString> usualValue(const BatchText& batch, const ShellWord& word, int line);

} // namespace rankwright::inline script
