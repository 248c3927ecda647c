// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/design.h"

#include "models/core/programname.h"
#include "models/planner/design/siteoptions.h"
#include "models/script/bind/boundscript.h"
#include "models/script/document/authoredit.h"
#include "models/script/document/scriptfindings.h"
#include "models/script/read/scriptbinding.h"
#include "models/script/write/overrides.h"
#include "models/script/write/scriptwriter.h"

#include <algorithm>
#include <utility>

namespace rankwright::inline script {

namespace {

const ClusterProfile& unknownCluster()
{
    static const ClusterProfile none;
    return none;
}

/// Both may report the same field (recomputation): it is listed once.
void addNew(const QList<Choice>& more, QList<Choice>& choices)
{
    for (const Choice& choice : more) {
        const auto isSame = [&choice](const Choice& known) { return known.field == choice.field; };
        if (std::none_of(choices.cbegin(), choices.cend(), isSame))
            choices.append(choice);
    }
}

constexpr int pauseMs = 60; // longer than a key that is held down takes to come again

/// All but the findings.
Derived derivedUnchecked(
    const JobSpec& spec, const ClusterProfile& profile, const CalibrationTable& calibrations, const AuthorScript* known)
{
    Derived derived;
    derived.profile = &profile;
    derived.resolved = resolve(spec, profile);
    derived.batch = planBatch(derived.resolved);
    derived.cost = quoteCost(derived.resolved, profile);
    if (const auto text = authorText(spec.overrides)) {
        derived.author = known != nullptr && known->text == *text ? *known : authorScriptOf(*text, profile);
        static_cast<ScriptDocument&>(derived.script) = documentOf(*derived.author);
        derived.script.batch = derived.author->batch;
    } else {
        derived.script = writtenScript(derived.resolved, profile);
    }
    derived.ranks = placesInScript(derived.resolved, profile, derived.script.batch);
    derived.passing = figurePassing(derived.resolved, derived.batch, profile);
    derived.estimate = estimateDesign(derived.resolved, derived.batch, profile, calibrations);
    derived.choices = derived.resolved.choices;
    if (derived.estimate)
        addNew(derived.estimate->run.choices, derived.choices);
    else if (const auto run = planRun(derived.resolved, derived.batch, profile)) // it has choices; its layout cannot be
        addNew(run->choices, derived.choices);
    derived.remedies = remedies(derived.resolved, profile, derived.estimate, calibrations);
    return derived;
}

} // namespace

Derived derive(const JobSpec& spec, const ClusterProfile& profile, const CalibrationTable& calibrations)
{
    return derive(spec, profile, calibrations, nullptr);
}

Derived derive(
    const JobSpec& spec, const ClusterProfile& profile, const CalibrationTable& calibrations, const AuthorScript* known)
{
    const Derived derived = derivedUnchecked(spec, profile, calibrations, known);
    derived.check();
    return derived;
}

void Derived::check() const
{
    if (m_result)
        return;
    m_result = allFindings(*this);
    const QList<Finding> more = further ? further(resolved) : QList<Finding>();
    // Errors come first, as check() has them.
    const auto isError = [](const Finding& finding) { return finding.severity == Severity::Error; };
    qsizetype at = std::count_if(m_result->findings.cbegin(), m_result->findings.cend(), isError);
    for (const Finding& finding : more)
        m_result->findings.insert(isError(finding) ? at++ : m_result->findings.size(), finding);
}

void Derived::addFindings(const QList<Finding>& more)
{
    check();
    m_result->findings += more;
}

const QList<Finding>& Derived::findings() const
{
    check();
    return m_result->findings;
}

const QList<Finding>& Derived::silenced() const
{
    check();
    return m_result->silenced;
}

Design::Design(const Catalogue& catalogue, QObject* parent) : QObject(parent), m_catalogue(catalogue)
{
    if (!catalogue.clusters.isEmpty())
        m_spec.cluster = catalogue.clusters.first().name;
    m_saved = m_spec;
    m_idle.setSingleShot(true);
    connect(&m_idle, &QTimer::timeout, this, [this] { m_former.reset(); });
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, [this] {
        m_derived.check();
        emit checked();
    });
    rederive();
}

bool Design::edit(const QString& label, const std::function<void(JobSpec&)>& change, const QString& mergeKey)
{
    JobSpec after = m_spec;
    change(after);
    if (after == m_spec)
        return true;
    const std::optional<QString> text = authorText(after.overrides);
    if (!text) {
        const bool typed = after.overrides != m_spec.overrides || after.overrides.isEmpty();
        return apply(
            label, typed ? after : withTypedLines(m_spec, m_derived.script, after, profileOf(after)), {}, mergeKey);
    }
    const ClusterProfile& profile = profileOf(after);
    const AuthorScript* author = m_derived.author ? &*m_derived.author : nullptr;
    if (author == nullptr || *text != author->text)
        return applyScript(label, after, authorScriptOf(*text, profile), {}, mergeKey);
    const auto edits = fieldEdits(m_spec, after, *author, profile);
    if (!edits) {
        emit editRefused(edits.error().path, edits.error().why);
        return false;
    }
    if (edits->isEmpty()) // another cluster reads the same text in its own way
        return after.cluster == m_spec.cluster
            ? apply(label, after, {}, mergeKey, author)
            : applyScript(label, after, authorScriptOf(author->read, profile), {}, mergeKey);
    return applyEdits(label, after, *edits, mergeKey);
}

bool Design::editScript(const QString& label, const QList<FieldEdit>& edits, const QString& mergeKey)
{
    return m_derived.author && applyEdits(label, m_spec, edits, mergeKey);
}

/// The text is read once: its fields are the design's, and what follows from the design is shown of it.
bool Design::applyScript(const QString& label, const JobSpec& after, const AuthorScript& script,
    const QList<FieldEdit>& edits, const QString& mergeKey)
{
    const AuthorScript* before = m_derived.author ? &*m_derived.author : nullptr;
    return apply(label, withAuthorScript(after, script, before), edits, mergeKey, &script);
}

/// What is typed into a field step by step ("1", "16") is one edit of the text before it: a count that was 1 for a
/// moment has moved nothing else.
bool Design::applyEdits(const QString& label, const JobSpec& after, QList<FieldEdit> edits, const QString& mergeKey)
{
    std::shared_ptr<const BoundScript> base = m_derived.author->read;
    if (m_history.merges(mergeKey) && !m_history.lastUndo()->edits.isEmpty()) {
        const QString before = authorText(m_history.lastUndo()->before.overrides).value_or(QString());
        base = m_base && m_base->batch.text == before ? m_base : readFields(parseBatch(before));
        QList<FieldEdit> all = m_history.lastUndo()->edits;
        for (const FieldEdit& edit : std::as_const(edits)) {
            all.removeIf([&edit](const FieldEdit& one) { return one.path == edit.path && !edit.appends; });
            all.append(edit);
        }
        edits = all;
    }
    const auto edited = withEdits(base, edits);
    if (!edited) {
        emit editRefused(edited.error().path, edited.error().why);
        return false;
    }
    m_base = base;
    return applyScript(label, after, authorScriptOf(edited->read, profileOf(after)), edits, mergeKey);
}

const ClusterProfile& Design::profileOf(const JobSpec& spec) const
{
    const ClusterProfile* profile = m_catalogue.find(spec.cluster);
    return profile != nullptr ? *profile : unknownCluster();
}

bool Design::apply(const QString& label, JobSpec after, const QList<FieldEdit>& edits, const QString& mergeKey,
    const AuthorScript* known)
{
    if (after == m_spec)
        return true;
    // Options of one program mean nothing to another, which would stop at a word that it does not know.
    const QString program = programOf(m_spec.command.value_or(QString())).name;
    if (after.command != m_spec.command && after.program == m_spec.program && !program.isEmpty()
        && programOf(after.command.value_or(QString())).name != program)
        after.program = {};
    const QString from = m_spec.cluster;
    QList<FieldPath> cleared;
    // An author's script says what it says, whatever cluster it is evaluated for.
    if (after.cluster != from && m_catalogue.find(from) && !authorText(after.overrides))
        cleared = clearSiteOptions(m_spec, after);
    m_history.add(label, mergeKey, m_spec, edits);
    m_spec = after;
    rederive(known);
    announceChange();
    if (!cleared.isEmpty())
        emit siteOptionsCleared(from, cleared);
    return true;
}

void Design::replace(const JobSpec& spec, Kept kept, const AuthorScript* known)
{
    m_history.clear();
    m_spec = spec;
    m_saved = kept == Kept::InItsFile ? spec : JobSpec();
    rederive(known);
    announceChange();
    if (m_pause.isActive())
        m_pause.start(0); // no typing under way: findings come with the next turn
    emit documentReplaced();
}

void Design::catalogueChanged()
{
    rederive();
    announceChange();
}

bool Design::undo() { return show(m_history.undo(m_spec)); }

bool Design::redo() { return show(m_history.redo(m_spec)); }

/// The design of a step; false: there is none.
bool Design::show(const std::optional<JobSpec>& step)
{
    if (!step)
        return false;
    m_spec = *step;
    rederive();
    announceChange();
    return true;
}

QString Design::undoLabel() const { return m_history.lastUndo() ? m_history.lastUndo()->label : QString(); }
QString Design::redoLabel() const { return m_history.lastRedo() ? m_history.lastRedo()->label : QString(); }

void Design::markSaved()
{
    m_history.closeStep(); // typing on after a save is a step of its own: undo then stops at what was saved
    m_saved = m_spec;
    announceChange();
}

void Design::rederive(const AuthorScript* known)
{
    Derived now = derivedUnchecked(m_spec, profileOf(m_spec), m_calibrations, known);
    m_former = std::exchange(m_derived.author, std::nullopt);
    if (m_former)
        m_idle.start(0);
    m_derived = std::move(now);
    m_derived.further = m_rules;
    if (m_checkTiming == CheckTiming::WithTheChange || !m_derived.author)
        m_derived.check();
}

void Design::announceChange()
{
    m_pause.stop();
    emit changed();
    if (m_derived.isChecked())
        emit checked();
    else
        m_pause.start(pauseMs);
}

void Design::setRules(Rules rules)
{
    m_rules = std::move(rules);
    rederive();
    announceChange();
}

void Design::setCalibrations(const CalibrationTable& calibrations)
{
    if (calibrations == m_calibrations)
        return;
    m_calibrations = calibrations;
    rederive();
    announceChange();
}

} // namespace rankwright::inline script
