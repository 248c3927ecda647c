// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/designform.h"

#include "models/design/strategyname.h"
#include "models/planning/advice.h"
#include "widgets/base/card.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QScrollBar>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

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
    QLabel* section = nullptr;
    for (int i = 0; i < fields.size(); ++i) {
        const DesignField& field = fields.at(i);
        if (i == 0 || field.group != fields.at(i - 1).group)
            section = builder.section(groupTitle(field.group));
        m_rows.append(builder.row(field, m_design, section));
        wire(i);
        const bool ends = i + 1 == fields.size() || fields.at(i + 1).group != field.group;
        if (field.group == FieldGroup::Strategy && ends) {
            auto* well = new QFrame(page);
            well->setProperty("well", true);
            auto* column = new QVBoxLayout(well);
            column->setContentsMargins(11, 9, 11, 9);
            m_summary = new QLabel(well);
            m_summary->setWordWrap(true);
            m_summary->setTextFormat(Qt::RichText);
            m_summary->setFont(Theme::uiFont(12));
            column->addWidget(m_summary);
            builder.add(well);
        }
    }
    grid->setRowStretch(grid->rowCount(), 1);
    setWidget(page);
    for (int i = 1; i < m_rows.size(); ++i)
        setTabOrder(m_rows.at(i - 1).editor->control(), m_rows.at(i).editor->control());
}

void DesignForm::wire(int index)
{
    FieldEditor* editor = m_rows.at(index).editor;
    connect(editor, &FieldEditor::edited, this, [this, index](const QString& text) { read(index, text); });
    connect(editor, &FieldEditor::left, this, [this, index] { leave(index); });
    QWidget* control = editor->control();
    control->installEventFilter(this);
    for (QWidget* child : control->findChildren<QWidget*>()) {
        child->installEventFilter(this);
        if (child->accessibleName().isEmpty())
            child->setAccessibleName(control->accessibleName());
    }
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
    m_design.edit(
        labelOf(row.field, m_design.derived()), [&probe](JobSpec& spec) { spec = probe; }, stepOf(row));
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

void DesignForm::leave(int index)
{
    m_sinceTyping.invalidate();
    FormRow& row = m_rows[index];
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
    const QStringList reported = explain(row);
    // Rich text so that long sentences wrap; the words are ours, escaped all the same.
    const QString rich = richToolTip(reported.join(u'\n'));
    row.editor->setToolTip(rich);
    row.label->setToolTip(rich);
    row.editor->control()->setAccessibleDescription(reported.join(u' '));

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

void DesignForm::setFault(FormRow& row, const QString& sentence)
{
    if (row.fault->text() == sentence && row.fault->isHidden() == sentence.isEmpty())
        return;
    row.fault->setText(sentence);
    row.fault->setVisible(!sentence.isEmpty());
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

void DesignForm::focusField(const FieldPath& path)
{
    for (const FormRow& row : m_rows) {
        if (row.field.path != path && !row.field.path.startsWith(path + u'.'))
            continue;
        ensureWidgetVisible(row.editor, 0, 60);
        row.editor->setFocus(Qt::OtherFocusReason);
        return;
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
    for (FormRow& row : m_rows) {
        const bool lit = !path.isEmpty() && (row.field.path == path || path.startsWith(row.field.path + u'.'));
        if (row.label->property("lit").toBool() == lit)
            continue;
        setStyleProperty(row.label, "lit", lit);
        if (lit)
            ensureWidgetVisible(row.editor, 0, 24);
    }
}

int DesignForm::unreadableFields() const
{
    int count = 0;
    for (const FormRow& row : m_rows)
        count += row.fault->isHidden() ? 0 : 1;
    return count;
}

void DesignForm::changeEvent(QEvent* event)
{
    ScrollPage::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_summary)
        refresh();
}

bool DesignForm::eventFilter(QObject* watched, QEvent* event)
{
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
