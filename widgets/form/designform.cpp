// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/designform.h"

#include "models/planner/design/fieldwords.h"
#include "models/planner/design/strategyname.h"
#include "models/planner/planning/advice.h"
#include "models/script/document/authoredit.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/form/formfold.h"
#include "widgets/form/programrows.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>

#include <algorithm>
#include <array>
#include <utility>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Names of the sections for keeping, in the order of FieldGroup.
constexpr std::array<QLatin1StringView, 7> sectionNames{QLatin1StringView("model"), QLatin1StringView("job"),
    QLatin1StringView("strategy"), QLatin1StringView("batch"), QLatin1StringView("resources"),
    QLatin1StringView("launch"), QLatin1StringView("slurm")};
constexpr qsizetype longestShown = 28; // of a value in the head of a fold

QString sectionTitle(FieldGroup group)
{
    switch (group) {
    case FieldGroup::Model: return DesignForm::tr("Model");
    case FieldGroup::Job: return DesignForm::tr("Job");
    case FieldGroup::Strategy: return DesignForm::tr("Strategy");
    case FieldGroup::Batch: return DesignForm::tr("Batch");
    case FieldGroup::Resources: return DesignForm::tr("Resources");
    case FieldGroup::Launch: return DesignForm::tr("Launch");
    case FieldGroup::Slurm: return DesignForm::tr("More for Slurm");
    }
    return {};
}

/// Whether a word that a person typed is in what a field is called; an option of Slurm is meant as it is written.
bool isCalled(const QString& label, const FieldPath& path, const QString& word)
{
    const QString words = fieldWords(path);
    if (!word.startsWith(u'-'))
        return label.contains(word, Qt::CaseInsensitive) || words.contains(word, Qt::CaseInsensitive)
            || path.contains(word, Qt::CaseInsensitive);
    const QStringList options = words.split(u' ');
    return std::any_of(
        options.begin(), options.end(), [&word](const QString& option) { return option.startsWith(word); });
}

/// Its first line, and no more of it than can be read at a glance.
QString shortened(const QString& value)
{
    const QString line = value.section(u'\n', 0, 0).trimmed();
    const bool whole = line.size() <= longestShown && !value.contains(u'\n');
    return whole ? line : line.left(longestShown - 1) + u'…';
}

constexpr qint64 pauseMs = 1500; // typing after a pause is an undo step of its own, as in the script

/// With this model's own figures; without a model what the GPUs alone say.
QString whyThisStrategy(const Derived& derived)
{
    return derived.estimate ? strategyReason(*derived.estimate, derived.resolved) : strategySummary(derived.resolved);
}

} // namespace

DesignForm::DesignForm(Design& design, QWidget* parent) : ScrollPage(parent), m_design(design)
{
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    build();
    connect(&m_design, &Design::changed, this, &DesignForm::refresh);
    connect(&m_design, &Design::checked, this, &DesignForm::refreshTroubles);
    connect(
        &m_design, &Design::editRefused, this, [this](const FieldPath&, const Error& why) { m_refusal = why.what; });
    refresh();
}

void DesignForm::build()
{
    auto* page = new QWidget(this);
    page->setProperty("strip", true);
    // Never wider than the view: a form that scrolls sideways hides its labels.
    page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(16, 10, 14, 14);
    FormBuilder builder(page, grid);
    const QList<DesignField> fields = designFields();
    m_rows.resize(fields.size());
    buildSearch(builder);
    QList<QWidget*> stops{m_search};
    stops += buildFirst(builder, fields);
    buildProgram(builder);
    stops.append(m_programFold->head());
    stops += buildFolds(builder, fields);
    grid->setRowStretch(grid->rowCount(), 1);
    setWidget(page);
    for (int i = 1; i < stops.size(); ++i)
        setTabOrder(stops.at(i - 1), stops.at(i));
}

void DesignForm::buildSearch(FormBuilder& builder)
{
    m_search = new QLineEdit(this);
    m_search->setObjectName(u"fieldSearch"_s);
    m_search->setPlaceholderText(tr("Find a field or a Slurm option"));
    m_search->setAccessibleName(tr("Find a field"));
    m_search->setAccessibleDescription(
        tr("Type a name, a word or an option of Slurm; Enter goes to the field, Esc shows all fields again."));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(lineIcon(u"search"_s), QLineEdit::LeadingPosition);
    m_search->installEventFilter(this);
    builder.add(m_search);
    m_nothingFound = makeLabel(tr("No field has this name."), "caption", this);
    m_nothingFound->hide();
    builder.add(m_nothingFound);
    connect(m_search, &QLineEdit::textChanged, this, &DesignForm::search);
    connect(m_search, &QLineEdit::returnPressed, this, &DesignForm::goToFound);
    connect(
        &m_design, &Design::documentReplaced, m_search, &QLineEdit::clear); // another document shows all of its fields
}

/// The fields that a person has to think of; answers what Tab reaches, in its order.
QList<QWidget*> DesignForm::buildFirst(FormBuilder& builder, const QList<DesignField>& fields)
{
    QList<QWidget*> stops;
    for (const FieldPath& path : firstFields()) {
        for (int i = 0; i < fields.size(); ++i) {
            const DesignField& field = fields.at(i);
            if (field.path != path)
                continue;
            QLabel* section = field.wide ? builder.section(groupTitle(field.group)) : nullptr;
            m_rows[i] = builder.row(field, m_design, section);
            connectRow(i);
            stops.append(m_rows.at(i).editor->control());
        }
        if (path == field::strategy)
            buildWhy(builder);
    }
    return stops;
}

void DesignForm::buildWhy(FormBuilder& builder)
{
    auto* well = new QFrame(this);
    well->setProperty("well", true);
    auto* column = new QVBoxLayout(well);
    column->setContentsMargins(11, 9, 11, 9);
    m_summary = new WrappedLabel(well);
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setFont(Theme::uiFont(12));
    column->addWidget(m_summary);
    builder.add(well);
    m_why = well;
}

/// What an author's script says beyond the fields of a design; there for such a script alone.
void DesignForm::buildProgram(FormBuilder& builder)
{
    m_programFold = new FormFold(tr("Program and environment"), this);
    m_programFold->setObjectName(u"fold-program"_s);
    m_program = new ProgramRows(m_design, m_programFold->body());
    m_programFold->grid()->addWidget(m_program, 0, 0);
    m_programFold->setOpen(true);
    builder.add(m_programFold);
    connect(m_program, &ProgramRows::fieldFocused, this, [this](const FieldPath& path) {
        if (QWidget* control = focusWidget(); control && m_program->isAncestorOf(control))
            ensureWidgetVisible(control, 0, 24);
        emit fieldFocused(path);
    });
    connect(m_program, &ProgramRows::fieldHovered, this, &DesignForm::fieldHovered);
    connect(m_program, &ProgramRows::lineRequested, this, &DesignForm::lineRequested);
    connect(m_program, &ProgramRows::rowsChanged, this, [this] { search(m_search->text()); });
}

void DesignForm::refreshProgram()
{
    const bool there = m_design.derived().author && !m_only;
    m_program->refresh();
    m_programFold->setContents(m_program->count(), {}, {});
    if (!there)
        m_programFold->setForced(FormFold::Forced::Away);
    else if (m_search->text().simplified().isEmpty())
        m_programFold->setForced(FormFold::Forced::No);
}

/// The rest, a fold for each section.
QList<QWidget*> DesignForm::buildFolds(FormBuilder& builder, const QList<DesignField>& fields)
{
    QList<QWidget*> stops;
    FormFold* fold = nullptr;
    std::optional<FormBuilder> inner;
    for (int i = 0; i < fields.size(); ++i) {
        const DesignField& field = fields.at(i);
        if (m_rows.at(i).editor)
            continue;
        fold = m_folds.value(field.group);
        if (!fold) {
            fold = new FormFold(sectionTitle(field.group), this);
            fold->setObjectName(u"fold-"_s + sectionNames.at(size_t(field.group)));
            m_folds.insert(field.group, fold);
            builder.add(fold);
            inner.emplace(fold->body(), fold->grid());
            stops.append(fold->head());
            connect(fold, &FormFold::toggled, this, &DesignForm::sectionsChanged);
        }
        m_rows[i] = inner->row(field, m_design, nullptr);
        m_rows[i].fold = fold;
        connectRow(i);
        stops.append(m_rows.at(i).editor->control());
    }
    return stops;
}

/// A field that loses the focus while the form is destroyed is left, too.
DesignForm::~DesignForm()
{
    for (const FormRow& row : std::as_const(m_rows))
        row.editor->disconnect(this);
}

void DesignForm::connectRow(int index)
{
    FieldEditor* editor = m_rows.at(index).editor;
    connect(editor, &FieldEditor::edited, this, [this, index](const QString& text) { read(index, text); });
    connect(editor, &FieldEditor::left, this, [this, index] { leaveField(index); });
    QWidget* control = editor->control();
    control->installEventFilter(this);
    for (QWidget* child : control->findChildren<QWidget*>()) {
        child->installEventFilter(this);
        if (child->accessibleName().isEmpty())
            child->setAccessibleName(control->accessibleName());
    }
    editor->installEventFilter(this);
    m_rows.at(index).label->installEventFilter(this);
    connect(m_rows.at(index).note, &QLabel::linkActivated, this,
        [this](const QString& line) { emit lineRequested(line.toInt() - 1); });
}

void DesignForm::read(int index, const QString& text)
{
    FormRow& row = m_rows[index];
    JobSpec probe = m_design.spec();
    const Result<void> outcome = row.field.apply(text, probe);
    if (!outcome) {
        // While lines are being written they cannot be whole: the sentence waits until the field is left.
        if (row.field.kind != DesignField::Kind::Lines)
            setFault(row, outcome.error().what);
        return;
    }
    setFault(row, {});
    row.shown = row.field.text(probe);
    row.typed = text;
    if (probe == m_design.spec())
        return;
    m_refusal.clear();
    const bool taken = m_design.edit(
        labelOf(row.field, m_design.derived()), [&probe](JobSpec& spec) { spec = probe; }, stepOf(row));
    row.isRefused = !taken;
    if (taken)
        return;
    // What is typed stays until the field is left; a choice has no place in between.
    row.shown = row.field.text(m_design.spec());
    setFault(row, m_refusal);
    if (row.field.kind == DesignField::Kind::Choice || row.field.kind == DesignField::Kind::Segments)
        leaveField(index);
}

/// A choice is a step of its own; so is what is typed without a pause. Coming back to a field begins another.
QString DesignForm::stepOf(const FormRow& row)
{
    const bool typed = row.field.kind != DesignField::Kind::Choice && row.field.kind != DesignField::Kind::Segments;
    if (!typed || !m_sinceTyping.isValid() || m_sinceTyping.elapsed() > pauseMs)
        ++m_step;
    m_sinceTyping.start();
    return u"%1#%2"_s.arg(row.field.path).arg(m_step);
}

void DesignForm::leaveField(int index)
{
    m_sinceTyping.invalidate();
    FormRow& row = m_rows[index];
    if (row.isRefused) {
        // The field shows again what the script says; the sentence stays until something changes.
        row.isRefused = false;
        row.editor->setText(row.field.text(m_design.spec()));
        row.typed = row.editor->text();
        const QString why = m_refusal;
        setFault(row, {});
        setNote(row, why, 0);
        return;
    }
    JobSpec probe = m_design.spec();
    const Result<void> outcome = row.field.apply(row.editor->text(), probe);
    if (!outcome)
        setFault(row, outcome.error().what);
    else
        row.editor->setText(row.field.text(probe)); // as it is written: "90" becomes 01:30:00
}

void DesignForm::refresh()
{
    for (FormRow& row : m_rows)
        refreshRow(row);
    refreshProgram();
    refreshFolds();
    const Derived& derived = m_design.derived();
    const QString title = tr("Why %1?").arg(strategyName(derived.resolved.strategy));
    m_summary->setText(u"<b style=\"color:%1\">%2</b> %3"_s.arg(themeOf(this).colour(Theme::Token::Accent).name(),
        title.toHtmlEscaped(), whyThisStrategy(derived).toHtmlEscaped()));
}

void DesignForm::refreshRow(FormRow& row)
{
    const Derived& derived = m_design.derived();
    const QString label = labelOf(row.field, derived);
    if (!row.field.wide && row.label->text() != label) {
        row.label->setText(label);
        row.editor->control()->setAccessibleName(label);
    }
    if (row.field.options)
        row.editor->setOptions(row.field.options(m_design));
    row.editor->setHint(row.field.hint ? row.field.hint(derived) : QString());
    row.editor->setPlaceholder(placeholderOf(row));
    if (const QStringList reported = explain(row); reported != row.reported) {
        row.reported = reported;
        // Rich text so that long sentences wrap; the words are ours, escaped all the same.
        const QString rich = richToolTip(reported.join(u'\n'));
        row.editor->setToolTip(rich);
        row.label->setToolTip(rich);
        row.editor->control()->setAccessibleDescription(reported.join(u' '));
    }
    showTie(row);

    const QString wanted = row.field.text(m_design.spec());
    // Field and design are as they were when they last agreed: nothing to read.
    if (wanted == row.shown && row.editor->text() == row.typed)
        return;
    JobSpec probe = m_design.spec();
    const bool readable = bool(row.field.apply(row.editor->text(), probe));
    // Another spelling of the same value is left as the person typed it; unreadable text too, as long as the design's
    // own value did not change under it.
    const bool same = readable ? probe == m_design.spec() : wanted == row.shown;
    if (!same) {
        row.editor->setText(wanted);
        setFault(row, {});
    }
    row.shown = wanted;
    row.typed = row.editor->text();
}

/// Whether an author's script lets the field be changed, and why not.
void DesignForm::showTie(FormRow& row)
{
    const auto& author = m_design.derived().author;
    const FieldTie tie = author ? fieldTie(*author, row.field.path) : FieldTie();
    // One that was refused a moment ago is left to the person who types.
    row.editor->setEnabled(tie.canBeSet());
    // That a script says nothing of this and that needs no line for each.
    const bool isSaid = tie.kind != FieldTie::Kind::TextOnly || tie.line > 0;
    setNote(row, tie.canBeSet() || !isSaid ? QString() : tie.why, tie.line);
}

void DesignForm::setNote(FormRow& row, const QString& sentence, int line)
{
    const QString text = sentence.isEmpty() ? QString() : withLineLink(sentence, line);
    if (row.note->text() != text)
        row.note->setText(text);
    row.note->setVisible(!text.isEmpty() && row.found);
}

void DesignForm::setFault(FormRow& row, const QString& fault)
{
    const QString sentence = WrappedLabel::withBreaks(fault); // it repeats what was typed, however long the word is
    if (row.fault->text() == sentence)
        return;
    row.fault->setText(sentence);
    row.fault->setVisible(!sentence.isEmpty() && row.found);
    // What cannot be read is not folded away from the person who wrote it.
    if (row.fold && !sentence.isEmpty())
        row.fold->setOpen(true);
    row.editor->setInvalid(!sentence.isEmpty());
    emit unreadableChanged();
}

QString DesignForm::placeholderOf(const FormRow& row) const
{
    const Derived& derived = m_design.derived();
    if (row.field.placeholder)
        return row.field.placeholder(derived);
    const Choice* choice = choiceOf(derived, row.field.path);
    return choice ? choice->value : QString();
}

QStringList DesignForm::explain(const FormRow& row) const
{
    QStringList lines{row.field.help};
    if (const auto& author = m_design.derived().author) {
        if (const FieldTie tie = fieldTie(*author, row.field.path); !tie.why.isEmpty())
            lines.append(tie.why);
    }
    if (const Choice* choice = choiceOf(m_design.derived(), row.field.path)) {
        const QString reason = choice->reason.endsWith(u'.') ? choice->reason : choice->reason + u'.';
        lines.append(tr("Now %1: %2").arg(choice->value, reason));
    }
    for (const Quirk& quirk : m_design.derived().profile->quirks) {
        if (quirk.field == row.field.path)
            lines.append(quirk.text);
    }
    return lines;
}

bool DesignForm::focusField(const FieldPath& path)
{
    if (m_design.derived().author && !m_only && m_program->has(path)) {
        m_search->clear();
        m_programFold->setOpen(true);
        if (m_program->focusField(path))
            return true;
    }
    for (const FormRow& row : m_rows) {
        if (!isWanted(row) || !isPartOf(row.field.path, path))
            continue;
        m_search->clear();
        if (row.fold)
            row.fold->setOpen(true);
        row.editor->setFocus(Qt::OtherFocusReason);
        bringIntoView(row);
        return true;
    }
    return false;
}

bool DesignForm::focusUnreadable()
{
    const auto first
        = std::find_if(m_rows.cbegin(), m_rows.cend(), [](const FormRow& row) { return !row.fault->text().isEmpty(); });
    return first != m_rows.cend() && focusField(first->field.path);
}

void DesignForm::bringIntoView(const FormRow& row)
{
    ensureWidgetVisible(row.editor, 0, 60);
    // What was unfolded for it has its place when the layout has been made.
    QTimer::singleShot(0, row.editor, [this, editor = row.editor] { ensureWidgetVisible(editor, 0, 60); });
}

void DesignForm::openSearch()
{
    ensureWidgetVisible(m_search);
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

QStringList DesignForm::openSections() const
{
    QStringList names;
    for (auto each = m_folds.begin(); each != m_folds.end(); ++each) {
        if (each.value()->isOpen())
            names.append(sectionNames.at(size_t(each.key())));
    }
    return names;
}

void DesignForm::setOpenSections(const QStringList& names)
{
    for (auto each = m_folds.begin(); each != m_folds.end(); ++each)
        each.value()->setOpen(names.contains(sectionNames.at(size_t(each.key()))));
}

/// Shows the fields that all words are found in, whatever is folded; nothing: the form as it was.
void DesignForm::search(const QString& text)
{
    const QStringList words = text.simplified().split(u' ', Qt::SkipEmptyParts);
    QSet<FormFold*> open;
    int found = 0;
    for (FormRow& row : m_rows) {
        const QString label = labelOf(row.field, m_design.derived());
        row.found = isWanted(row) && std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return isCalled(label, row.field.path, word);
        });
        row.label->setVisible(row.found);
        row.editor->setVisible(row.found);
        row.fault->setVisible(row.found && !row.fault->text().isEmpty());
        row.note->setVisible(row.found && !row.note->text().isEmpty());
        found += row.found ? 1 : 0;
        if (row.found && row.fold)
            open.insert(row.fold);
    }
    for (FormFold* fold : std::as_const(m_folds))
        fold->setForced(words.isEmpty() && !m_only ? FormFold::Forced::No
                : open.contains(fold)              ? FormFold::Forced::Open
                                                   : FormFold::Forced::Away);
    const bool program = m_program->search(words) && m_design.derived().author && !m_only;
    m_programFold->setForced(!program ? FormFold::Forced::Away
            : words.isEmpty()         ? FormFold::Forced::No
                                      : FormFold::Forced::Open);
    found += program && !words.isEmpty() ? 1 : 0;
    m_why->setVisible(words.isEmpty() && !m_only);
    m_nothingFound->setVisible(found == 0 && !m_only);
}

bool DesignForm::isWanted(const FormRow& row) const
{
    if (!m_only) // one of an author's script stands among the rows of its program
        return !m_design.derived().author || !m_program->has(row.field.path);
    // A row may stand for several fields below it, and a field may be a part of what a row edits.
    return std::any_of(m_only->cbegin(), m_only->cend(),
        [&row](const FieldPath& path) { return fieldsOverlap(path, row.field.path); });
}

void DesignForm::setShownFields(const std::optional<QSet<FieldPath>>& fields)
{
    if (fields == m_only)
        return;
    m_only = fields;
    m_search->setVisible(!m_only);
    m_search->clear();
    search({});
    refreshFolds();
    setVerticalScrollBarPolicy(m_only ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    if (m_only) {
        fitRows();
    } else {
        setMinimumHeight(0);
        setMaximumHeight(QWIDGETSIZE_MAX);
    }
}

void DesignForm::fitRows()
{
    QLayout* rows = widget() ? widget()->layout() : nullptr;
    if (!m_only || !rows)
        return;
    const int height
        = rows->hasHeightForWidth() ? rows->totalHeightForWidth(viewport()->width()) : rows->totalSizeHint().height();
    if (height != this->height())
        setFixedHeight(height);
}

void DesignForm::resizeEvent(QResizeEvent* event)
{
    ScrollPage::resizeEvent(event);
    if (m_only && event->oldSize().width() != event->size().width())
        fitRows();
}

/// Of what was found the field whose name begins so, else the first that is shown.
void DesignForm::goToFound()
{
    const QString text = m_search->text().simplified();
    if (text.isEmpty())
        return;
    const FormRow* best = nullptr;
    for (const FormRow& row : std::as_const(m_rows)) {
        if (!row.found)
            continue;
        const bool named = labelOf(row.field, m_design.derived()).startsWith(text, Qt::CaseInsensitive);
        if (!best || (named && !labelOf(best->field, m_design.derived()).startsWith(text, Qt::CaseInsensitive)))
            best = &row;
    }
    if (best)
        focusField(best->field.path);
    else if (const FieldPath path = m_program->firstFound(); !path.isEmpty())
        focusField(path);
}

/// The fields that a finding is about; of a design that is not evaluated yet, as they were before.
bool DesignForm::updateTroubles()
{
    if (!m_design.derived().isChecked())
        return false;
    QSet<FieldPath> troubled;
    for (const Finding& finding : m_design.derived().findings()) {
        if (finding.severity != Severity::Hint)
            troubled.insert(finding.field);
    }
    return std::exchange(m_troubled, troubled) != troubled;
}

void DesignForm::refreshTroubles()
{
    if (updateTroubles())
        refreshFolds();
}

void DesignForm::refreshFolds()
{
    updateTroubles();
    for (FormFold* fold : std::as_const(m_folds)) {
        int fields = 0;
        QStringList set;
        QStringList troubles;
        for (const FormRow& row : std::as_const(m_rows)) {
            if (row.fold != fold || !isWanted(row))
                continue;
            ++fields;
            const QString label = labelOf(row.field, m_design.derived());
            if (row.shown != row.usual)
                set.append(label + u' ' + shortened(row.shown));
            const bool trouble = std::any_of(m_troubled.cbegin(), m_troubled.cend(),
                [&row](const FieldPath& at) { return isPartOf(at, row.field.path); });
            if (trouble || !row.fault->text().isEmpty())
                troubles.append(label);
        }
        fold->setContents(fields, set, troubles);
    }
}

void DesignForm::suggest(const FieldPath& path, const QStringList& values)
{
    QList<DesignField::Option> options;
    for (const QString& value : values)
        options.append({value, value, {}});
    for (const FormRow& row : m_rows) {
        if (row.field.path == path)
            row.editor->setOptions(options);
    }
}

void DesignForm::lightField(const FieldPath& path)
{
    if (QWidget* marked = m_program->lightField(path); marked && marked->isVisible())
        ensureWidgetVisible(marked, 0, 24);
    for (FormRow& row : m_rows) {
        const bool lit = !path.isEmpty() && isPartOf(path, row.field.path);
        if (row.label->property("lit").toBool() == lit)
            continue;
        setStyleProperty(row.label, "lit", lit);
        if (lit && row.editor->isVisible())
            ensureWidgetVisible(row.editor, 0, 24);
    }
}

int DesignForm::unreadableFields() const
{
    int count = 0;
    for (const FormRow& row : m_rows)
        count += row.fault->text().isEmpty() ? 0 : 1;
    return count + m_program->unreadableFields();
}

void DesignForm::changeEvent(QEvent* event)
{
    ScrollPage::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_summary)
        refresh();
}

bool DesignForm::eventFilter(QObject* watched, QEvent* event)
{
    if (m_only && watched == widget() && event->type() == QEvent::LayoutRequest)
        QTimer::singleShot(0, this, &DesignForm::fitRows); // once the layout has been made
    if (watched == m_search) {
        const bool escape
            = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
        if (escape && !m_search->text().isEmpty()) {
            m_search->clear();
            return true;
        }
        return ScrollPage::eventFilter(watched, event);
    }
    const bool enters = event->type() == QEvent::Enter;
    if ((enters || event->type() == QEvent::Leave) && m_design.derived().author) {
        for (const FormRow& row : m_rows) {
            if (watched == row.editor || watched == row.label) {
                emit fieldHovered(enters ? row.field.path : FieldPath());
                break;
            }
        }
    }
    if (event->type() == QEvent::FocusIn) {
        for (const FormRow& row : m_rows) {
            QWidget* control = row.editor->control();
            const auto* widget = qobject_cast<QWidget*>(watched);
            if (watched == control || (widget && control->isAncestorOf(widget))) {
                ensureWidgetVisible(row.editor, 0, 24);
                emit fieldFocused(row.field.path);
                break;
            }
        }
    }
    return ScrollPage::eventFilter(watched, event);
}

} // namespace rankwright
