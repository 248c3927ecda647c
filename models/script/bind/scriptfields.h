// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"
#include "models/planner/design/jobspec.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <memory>

namespace rankwright::inline script {

struct BatchText;
struct BoundScript;

// The fields of a batch script that somebody wrote, and where in its text each of them stands. An edit of a field
// rewrites its places and nothing else.

/// A part of one line of the script; line and column count from 1, in UTF-16 units as QString does.
struct ScriptPlace {
    qsizetype begin = 0; ///< in the whole text
    qsizetype end = 0; ///< one past the end; equal to begin where a text would be inserted
    int line = 1;
    int column = 1;
    int length = 0; ///< a place over several lines: its part on the first

    bool operator==(const ScriptPlace& other) const { return begin == other.begin && end == other.end; }
};

/// One fact of the script.
struct ScriptField {
    enum class State {
        Bound, ///< stands at `places`
        Absent, ///< stands nowhere; an edit inserts it
        Follows, ///< is computed from other fields by the script itself
        Undecided ///< decided while the job runs, or said in a way that no edit can follow
    };
    State state = State::Bound;
    QString value; ///< as a design names it: a number, HH:MM:SS, a path; empty: nothing is known
    QList<ScriptPlace> places; ///< all that say the fact, in the order of the text; empty unless Bound
    QString why; ///< a sentence unless Bound
    QStringList notes; ///< what else an edit would change, or what says another value
    bool isSwitch = false; ///< an argument without a value: "true" where it is passed

    bool canBeSet() const { return state == State::Bound || state == State::Absent; }
};

/// Field paths as in a design file where it has the field; beside these: "resources.tasks", "resources.tasksPerNode",
/// "resources.cpusPerTask", "resources.memoryPerCpu", "resources.memoryPerGpu", "launcher.processes", "launcher.nodes",
/// "launcher.rendezvous", "launcher.port", "program", "arguments.NAME" for each argument of the program,
/// "environment.variables.NAME".
struct ScriptFields {
    QMap<QString, ScriptField> fields;

    const ScriptField* find(const QString& path) const;
};

/// Bytes that sbatch takes of a script: slurm.conf(5), SchedulerParameters, max_script_size where a site sets nothing
/// else. A larger text is not read.
inline constexpr qsizetype largestScript = 4 * 1024 * 1024;

/// Finds the places of the fields in a batch script. Any text is read; uncertain places are left out. Directives are
/// read as sbatch(1) reads them, commands as bash(1), without running anything. No fields: larger than largestScript.
ScriptFields bindScript(const QString& text);
/// The same of a text that is taken apart already.
ScriptFields bindScript(const BatchText& batch);
/// The same with what edits of the script need to know: read once, it serves all of them.
std::shared_ptr<const BoundScript> readFields(const BatchText& batch);

/// A new value for a field. "command" with `appends`: arguments that are added to the program's.
struct FieldEdit {
    QString path;
    QString value;
    bool appends = false;
};

struct EditedScript {
    QString text;
    QStringList notes; ///< sentences: what the author may want to change as well
    std::shared_ptr<const BoundScript> read; ///< the text, read
};

/// The script with the edits made in the author's own spelling: numbers of nodes and GPUs before what follows from
/// them, else one after the other. What follows from a field (tasks of a number of nodes, processes of a number of
/// GPUs) is changed with it where the script had both consistent. All else stays byte for byte. The result is read
/// again: an edit that would not arrive, or would change another field, is refused. Error: which field, and why it
/// cannot be set.
Result<EditedScript> setFields(const QString& text, const QList<FieldEdit>& edits);
Result<EditedScript> setFields(const std::shared_ptr<const BoundScript>& read, const QList<FieldEdit>& edits);

/// Where the fields of an author's script stand in its text, by field and by position.
class FieldPlaces {
public:
    FieldPlaces() = default;
    /// Of the fields that have places.
    explicit FieldPlaces(const ScriptFields& fields);

    bool isEmpty() const { return m_places.isEmpty(); }
    /// Of a field and those below it.
    QList<ScriptPlace> of(const FieldPath& field) const;
    /// The field at a position (both from 0): of several the one whose place is the shortest; empty: none.
    FieldPath at(int line, int column) const;

private:
    QMap<FieldPath, QList<ScriptPlace>> m_places;
};

} // namespace rankwright::inline script
