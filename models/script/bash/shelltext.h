// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <QStringView>

#include <optional>
#include <vector>

namespace rankwright::inline script {

// Bash text taken apart without running it: words, commands, here-documents. Never fails: what bash would refuse is a
// ShellFault, and reading goes on where bash itself would still look. Lines and columns count from 1, offsets from 0,
// all in the text that was given to parseShell(), also for commands inside a quoted `bash -c` text.

/// What ends a command of bash, or joins it to the next.
enum class ShellSeparator {
    None, ///< nothing: the text ends, or a word such as `then` follows
    NewLine,
    Semicolon,
    And, ///< &&
    Or, ///< ||
    Pipe, ///< |
    PipeBoth, ///< |&: errors, too
    Background, ///< &
    CaseEnd, ///< ;; of an arm of `case`, also ;& and ;;&
    CloseParen ///< ) of a subshell or a substitution
};

/// As it is typed; of CaseEnd ";;". Empty for None.
constexpr QStringView wordOf(ShellSeparator separator)
{
    switch (separator) {
    case ShellSeparator::None: return {};
    case ShellSeparator::NewLine: return u"\n";
    case ShellSeparator::Semicolon: return u";";
    case ShellSeparator::And: return u"&&";
    case ShellSeparator::Or: return u"||";
    case ShellSeparator::Pipe: return u"|";
    case ShellSeparator::PipeBoth: return u"|&";
    case ShellSeparator::Background: return u"&";
    case ShellSeparator::CaseEnd: return u";;";
    case ShellSeparator::CloseParen: return u")";
    }
    return {};
}

constexpr bool isPipe(ShellSeparator separator)
{
    return separator == ShellSeparator::Pipe || separator == ShellSeparator::PipeBoth;
}

/// && or ||: what stands after it runs or not, as what stands before it did.
constexpr bool isAndOr(ShellSeparator separator)
{
    return separator == ShellSeparator::And || separator == ShellSeparator::Or;
}

/// What follows it belongs to what stands before it: | |& && ||.
constexpr bool joins(ShellSeparator separator) { return isPipe(separator) || isAndOr(separator); }

/// A `$...`, `$(...)` or `` `...` `` inside a word.
struct Expansion {
    enum class Kind { Variable, Command, Arithmetic };
    Kind kind = Kind::Variable;
    QString name; ///< of a variable: "SLURM_PROCID", "1", "@"
    QString operation; ///< what follows the name in braces: ":-8", "##*:"; empty for a plain one
    QStringList names; ///< every variable named in it, also inside arithmetic and operations
    QString text; ///< as typed
    bool inQuotes = false; ///< between double quotes: not split into words
    bool early = false; ///< inside a `bash -c "..."` text, but replaced by the shell outside, before the inner one runs
    qsizetype at = 0; ///< where its text is in ShellWord::value
    int line = 0;
    int column = 0;
};

/// Where a command names a variable, in the whole text.
struct ShellUse {
    qsizetype begin = 0;
    qsizetype end = 0; ///< one past the end
};

struct ShellWord {
    QString text; ///< as typed, with quotes
    QString value; ///< without quotes and escapes; expansions stay as typed
    QList<Expansion> expansions;
    bool quoted = false; ///< some of it is in quotes or escaped
    int line = 1;
    int column = 1;
    int lastLine = 1;
    qsizetype begin = 0;
    qsizetype end = 0; ///< one past the end
    QList<int> origins; ///< place in the script of each character of value; empty: not from the script's text
    std::optional<ShellUse> use; ///< of a word that a variable brought: where the command names the variable

    bool isStatic() const { return expansions.isEmpty(); }
    bool expands(const QString& variable) const; ///< names the variable anywhere
};

/// NAME=value, NAME+=value or NAME=(words), before a command or as argument of export, declare, local, readonly.
struct ShellAssignment {
    QString name;
    ShellWord value; ///< the whole right side
    QList<ShellWord> elements; ///< of an array
    bool isArray = false;
    bool appends = false;
    int line = 1;
};

struct ShellRedirection {
    QString op; ///< "<", ">", ">>", "<<", "<<-", "<<<", ">&", "<&", "&>", "&>>", ">|", "<>"
    ShellWord target; ///< of a here-document: its delimiter
    std::optional<int> hereDocument; ///< index into ShellText::hereDocuments; empty: it brings none
};

struct ShellCommand {
    enum class Kind {
        Simple,
        Test, ///< [[ ... ]], words with the brackets
        Arithmetic, ///< (( ... )), one word
        BlockStart, ///< if, for NAME in ..., while, until, case WORD in, select, {, (, name()
        BlockEnd ///< fi, done, esac, }, ): here are the redirections and the pipe of the block
    };
    Kind kind = Kind::Simple;
    int line = 1;
    int column = 1;
    int lastLine = 1;
    qsizetype begin = 0;
    qsizetype end = 0;
    QList<ShellAssignment> assignments; ///< in front of the words, or arguments of export and its kin
    QList<ShellWord> words;
    QList<ShellRedirection> redirections;

    ShellSeparator separator = ShellSeparator::None; ///< what ends it
    ShellSeparator before = ShellSeparator::None; ///< what joins it to the command before; None: nothing does
    bool negated = false; ///< ! in front
    bool isCondition = false; ///< between if/elif/while/until and then/do

    /// The command whose word holds it: $( ), <( ), backticks, bash -c; empty: the script's own.
    std::optional<int> parent;
    bool inSubstitution = false; ///< its output becomes text
    bool inInnerShell = false; ///< inside a quoted `bash -c` or `eval` text
    QString function; ///< name of the function it stands in
    int loopDepth = 0;
    int conditionDepth = 0; ///< if and case
    int subshellDepth = 0; ///< ( ) around it

    bool isBackground() const { return separator == ShellSeparator::Background; }
    bool isJoined() const { return before != ShellSeparator::None; } ///< to the command before
    QString name() const { return words.isEmpty() ? QString() : words.first().value; }
    /// Runs whenever the script runs, once, in its own shell.
    bool isPlain() const
    {
        return !parent && function.isEmpty() && loopDepth == 0 && conditionDepth == 0 && subshellDepth == 0;
    }
};

struct HereDocument {
    QString delimiter;
    bool quoted = false; ///< <<'EOF': nothing in it is expanded
    bool stripsTabs = false;
    int line = 1; ///< of the command
    int firstLine = 1; ///< of the body
    int lastLine = 0; ///< of the body; before firstLine: empty
    std::optional<qsizetype> begin; ///< place of the body; empty: the script does not hold it as it is
    QString body;
    QString target; ///< file that the command writes (cat > FILE << EOF, tee FILE); empty: none
    bool closed = true;
};

/// What bash would not read.
struct ShellFault {
    int line = 1;
    int column = 1;
    QString what; ///< one sentence
};

/// One way through an `if` or a `case`: what runs when its condition or pattern holds.
struct ShellArm {
    int block = 0; ///< index of the command that opens it, `if` or `case`
    int line = 1; ///< of its condition or pattern
    QString when; ///< the condition or pattern as typed; empty for `else`
    bool isRest = false; ///< `else`, or the pattern `*`
    qsizetype begin = 0; ///< after then, else, or the pattern
    std::optional<qsizetype> end; ///< where elif, else, fi, `;;` or esac stands; empty: never closed
};

struct ShellText {
    QList<ShellCommand> commands; ///< in the order in which they begin
    QList<ShellArm> arms; ///< in the order in which they begin
    QList<HereDocument> hereDocuments;
    QList<ShellFault> faults;
};

/// Linear in the length of the text.
ShellText parseShell(const QString& text);
/// A text that a shell has made and another one reads. `early`: of each character, whether the first has replaced it,
/// quotes of the second notwithstanding.
ShellText parseShell(const QString& text, const std::vector<bool>& early);

} // namespace rankwright::inline script
