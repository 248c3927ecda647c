// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/catalogue/clusterprofile.h"
#include "models/script/document/authorscript.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/scriptwriter.h"

namespace rankwright::inline script {

/// A field that cannot be changed, and why.
struct Refusal {
    FieldPath path;
    Error why;
};

AuthorScript authorScriptOf(const QString& text, const ClusterProfile& profile);
AuthorScript authorScriptOf(const BatchText& batch, const ClusterProfile& profile);
AuthorScript authorScriptOf(const std::shared_ptr<const BoundScript>& read, const ClusterProfile& profile);
/// Its lines; origins are the fields that stand in them.
ScriptDocument documentOf(const AuthorScript& script);

/// The design with an author's script as its text (authorBlocks) and the fields as the text says them. What the script
/// before said and this one does not is open again; what no script said stays: model, data, assumptions.
JobSpec withAuthorText(
    const JobSpec& spec, const QString& text, const ClusterProfile& profile, const AuthorScript* before = nullptr);
/// The same with a script that is read already.
JobSpec withAuthorScript(const JobSpec& spec, const AuthorScript& script, const AuthorScript* before = nullptr);

/// The edits of the text that make the fields of `before` those of `after`; fields of which the script says nothing and
/// never will (the model, the data, the layout that the estimate assumes) need none.
Expected<QList<FieldEdit>, Refusal> fieldEdits(
    const JobSpec& before, const JobSpec& after, const AuthorScript& script, const ClusterProfile& profile);

/// setFields(), with the field that it refuses; the sentence is for the form, where the field's name stands beside it.
Expected<EditedScript, Refusal> withEdits(
    const std::shared_ptr<const BoundScript>& read, const QList<FieldEdit>& edits);

/// A design of our own whose fields were edited: lines that somebody typed into its script (`shown`, of `before`) say
/// the new value where they said the old one, in their own spelling. Where that cannot be they stay, and R120 says so.
JobSpec withTypedLines(
    const JobSpec& before, const WrittenScript& shown, const JobSpec& after, const ClusterProfile& profile);

/// A design whose fields were changed beside its author's text (in its file, by another program): the text says them
/// now. Fields that are open are as the text has them. A design without an author's text is as it was.
Expected<JobSpec, Refusal> withFieldsInText(const JobSpec& spec, const ClusterProfile& profile);

/// The design whose script is written by us: fields of the script, and what was said beside it.
struct RewrittenDesign {
    JobSpec spec;
    QList<NotUnderstood> losses; ///< what of the start would not be the same
};
RewrittenDesign rewrittenDesign(const JobSpec& spec, const AuthorScript& script, const ClusterProfile& profile);

/// How a field of a design is tied to an author's script.
struct FieldTie {
    enum class Kind {
        Free, ///< no field of the script; the estimate alone goes by it
        Bound, ///< stands in the text; an edit rewrites it there
        Inserted, ///< stands nowhere; an edit inserts it
        Follows, ///< is computed by the script from other fields
        Undecided, ///< decided while the job runs, or no edit can follow how it is said
        TextOnly ///< said by commands of the script, or by none: changed in the text alone
    };
    Kind kind = Kind::Free;
    QString why; ///< one sentence; empty for Free and Bound
    int line = 0; ///< to look at, from 1; 0: none

    bool canBeSet() const { return kind == Kind::Free || kind == Kind::Bound || kind == Kind::Inserted; }
};
FieldTie fieldTie(const AuthorScript& script, const FieldPath& path);

} // namespace rankwright::inline script
