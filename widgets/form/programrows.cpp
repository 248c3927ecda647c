// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/programrows.h"

#include "models/script/document/authoredit.h"
#include "widgets/base/card.h"
#include "widgets/base/elidinglabel.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using State = ScriptField::State;

constexpr qint64 typingPauseMs = 1500; // as in the script
constexpr int nameWidth = 112;
constexpr int rowHeight = 28;
constexpr qsizetype rowsAtOnce = 30; ///< more than a screen shows

const QString argumentPrefix = u"arguments."_s;
const QString variablePrefix = u"environment.variables."_s;

struct NamedField {
    QLatin1StringView path;
    const char* label;
};
// In the order of the rows; arguments stand after the program, variables at the end.
constexpr NamedField namedFields[] = {
    {QLatin1StringView("program"), QT_TR_NOOP("Program")},
    {QLatin1StringView("arguments"), nullptr},
    {QLatin1StringView("launcher.processes"), QT_TR_NOOP("Processes")},
    {QLatin1StringView("launcher.nodes"), QT_TR_NOOP("Launcher's nodes")},
    {QLatin1StringView("launcher.rendezvous"), QT_TR_NOOP("Rendezvous")},
    {QLatin1StringView("launcher.port"), QT_TR_NOOP("Port")},
    {QLatin1StringView("resources.tasks"), QT_TR_NOOP("Tasks")},
    {QLatin1StringView("resources.tasksPerNode"), QT_TR_NOOP("Tasks per node")},
    {QLatin1StringView("resources.cpusPerTask"), QT_TR_NOOP("Cores per task")},
    {QLatin1StringView("resources.memoryPerCpu"), QT_TR_NOOP("Memory per core")},
    {QLatin1StringView("resources.memoryPerGpu"), QT_TR_NOOP("Memory per GPU")},
    {QLatin1StringView("environment.container"), QT_TR_NOOP("Container image")},
    {QLatin1StringView("environment.binds"), QT_TR_NOOP("Container binds")},
    {QLatin1StringView("environment.uenv"), QT_TR_NOOP("User environment")},
    {QLatin1StringView("environment.modules"), QT_TR_NOOP("Modules")},
    {QLatin1StringView("environment.variables"), nullptr},
};

QString nameOf(const FieldPath& path)
{
    if (path.startsWith(argumentPrefix))
        return path.mid(argumentPrefix.size());
    if (path.startsWith(variablePrefix))
        return u'$' + path.mid(variablePrefix.size());
    for (const NamedField& named : namedFields) {
        if (named.path == path && named.label != nullptr)
            return ProgramRows::tr(named.label);
    }
    return path;
}

bool isSaid(const ScriptField& field)
{
    return field.state != State::Absent && !(field.value.isEmpty() && field.why.isEmpty());
}

/// The fields below a path that the script says, as they stand in it.
QList<FieldPath> saidBelow(const QString& prefix, const QMap<QString, ScriptField>& fields)
{
    QList<FieldPath> found;
    for (auto it = fields.lowerBound(prefix); it != fields.cend() && it.key().startsWith(prefix); ++it) {
        if (isSaid(*it))
            found.append(it.key());
    }
    const auto place = [&fields](const FieldPath& path) {
        const QList<ScriptPlace>& places = fields.find(path)->places;
        return places.isEmpty() ? qsizetype(-1) : places.last().begin;
    };
    std::stable_sort(
        found.begin(), found.end(), [&place](const FieldPath& a, const FieldPath& b) { return place(a) < place(b); });
    return found;
}

QList<FieldPath> saidFields(const QMap<QString, ScriptField>& fields)
{
    QList<FieldPath> paths;
    for (const NamedField& named : namedFields) {
        const QString path = named.path;
        const auto found = fields.constFind(path);
        if (named.label == nullptr)
            paths += saidBelow(path + u'.', fields);
        else if (found != fields.cend() && isSaid(*found))
            paths.append(path);
    }
    return paths;
}

} // namespace

QString withLineLink(const QString& sentence, int line)
{
    static const QRegularExpression named(u"\\b([Ll]ines?) (\\d+)"_s);
    const QString escaped = sentence.toHtmlEscaped();
    if (named.match(escaped).hasMatch())
        return QString(escaped).replace(named, u"<a href=\"\\2\">\\1 \\2</a>"_s);
    return line > 0 ? escaped + u" <a href=\"%1\">"_s.arg(line) + ProgramRows::tr("Line %1").arg(line) + u"</a>"_s
                    : escaped;
}

ProgramRows::ProgramRows(Design& design, QWidget* parent) : QWidget(parent), m_design(design)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_added = new QLineEdit(this);
    m_added->setObjectName(u"addedArguments"_s);
    m_added->setPlaceholderText(tr("Add arguments: --name value"));
    m_added->setAccessibleName(tr("Arguments to add to the program"));
    m_added->setFont(Theme::codeFont());
    column->addWidget(m_added);
    m_addedNote = makeLabel({}, "fault", this);
    m_addedNote->setWordWrap(true);
    m_addedNote->hide();
    column->addWidget(m_addedNote);
    connect(m_added, &QLineEdit::returnPressed, this, &ProgramRows::addArguments);
    m_others.setSingleShot(true);
    m_others.setInterval(0);
    connect(&m_others, &QTimer::timeout, this, [this] { buildUpTo(m_rows.size() + rowsAtOnce); });
    connect(
        &m_design, &Design::editRefused, this, [this](const FieldPath&, const Error& why) { m_refusal = why.what; });
}

/// A field that loses the focus while the form is destroyed is left, too.
ProgramRows::~ProgramRows()
{
    for (const Row& row : std::as_const(m_rows))
        row.editor->disconnect(this);
}

void ProgramRows::refresh()
{
    const auto& author = m_design.derived().author;
    QList<Said> said;
    for (const FieldPath& path : author ? saidFields(author->fields.fields) : QList<FieldPath>())
        said.append({path, author->fields.find(path)->isSwitch});
    const bool same = said == m_said;
    for (Row& row : m_rows) {
        if (same)
            refreshRow(row);
    }
    if (!same) {
        const auto focused = std::find_if(
            m_rows.cbegin(), m_rows.cend(), [](const Row& row) { return row.editor->control()->hasFocus(); });
        const FieldPath kept = focused != m_rows.cend() ? focused->path : FieldPath();
        const auto differs = std::mismatch(said.cbegin(), said.cend(), m_said.cbegin(), m_said.cend()).first;
        const qsizetype alike = qMin(differs - said.cbegin(), m_rows.size());
        removeFrom(alike);
        m_said = said;
        for (Row& row : m_rows)
            refreshRow(row);
        buildUpTo(alike + rowsAtOnce);
        const Row* again = rowOf(kept);
        if (!kept.isEmpty() && (again == nullptr || !again->editor->control()->hasFocus()))
            focusField(kept);
    }
    showAdded();
    if (!same)
        emit rowsChanged();
}

/// The rows from there on are of another script.
void ProgramRows::removeFrom(qsizetype index)
{
    for (qsizetype i = index; i < m_rows.size(); ++i) {
        const Row& row = m_rows.at(i);
        row.editor->disconnect(this);
        for (QWidget* widget :
            {static_cast<QWidget*>(row.label), static_cast<QWidget*>(row.editor), static_cast<QWidget*>(row.note)}) {
            m_body->layout()->removeWidget(widget);
            widget->hide();
            widget->deleteLater(); // one of the fields may be the one that is typed into
        }
    }
    m_rows.resize(index);
}

void ProgramRows::buildUpTo(qsizetype count)
{
    if (!m_body) {
        m_body = new QWidget(this);
        auto* grid = new QGridLayout(m_body);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setHorizontalSpacing(8);
        grid->setVerticalSpacing(6);
        grid->setColumnMinimumWidth(0, nameWidth);
        grid->setColumnStretch(1, 1);
        static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_body);
    }
    while (m_rows.size() < qMin(count, m_said.size())) {
        buildRow(m_said.at(m_rows.size()));
        refreshRow(m_rows.last());
    }
    if (!m_rows.isEmpty())
        setTabOrder(m_rows.last().editor->control(), m_added);
    m_body->setVisible(!m_rows.isEmpty());
    if (m_rows.size() < m_said.size())
        m_others.start();
}

void ProgramRows::buildRow(const Said& said)
{
    auto* grid = static_cast<QGridLayout*>(m_body->layout());
    int line = m_rows.isEmpty() ? 0 : m_rows.last().gridLine;
    QWidget* before = m_rows.isEmpty() ? nullptr : m_rows.last().editor->control();
    const FieldPath path = said.path;
    Row row;
    row.path = path;
    const QString name = nameOf(path);
    // A name that is wider than the column stands above its field.
    const bool above = m_body->fontMetrics().horizontalAdvance(name) > nameWidth;
    row.label = above ? new ElidingLabel(m_body) : makeLabel(name, "quiet", m_body);
    row.label->setText(name);
    setStyleProperty(row.label, "quiet", true);
    row.label->setMinimumHeight(above ? 0 : rowHeight);
    row.isSwitch = said.isSwitch;
    row.editor = FieldEditor::create(row.isSwitch ? DesignField::Kind::Choice : DesignField::Kind::Code, m_body);
    if (row.isSwitch)
        row.editor->setOptions({{u"true"_s, tr("passed"), {}, true}, {u"false"_s, tr("not passed"), {}, true}});
    row.note = makeLabel({}, "caption", m_body);
    row.note->setWordWrap(true);
    row.note->setTextFormat(Qt::RichText);
    row.note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row.note->hide();
    if (above)
        grid->addWidget(row.label, line++, 0, 1, 2);
    else
        grid->addWidget(row.label, line, 0, Qt::AlignTop);
    grid->addWidget(row.editor, line++, 1);
    grid->addWidget(row.note, line++, 1);
    row.gridLine = line;
    QWidget* control = row.editor->control();
    row.label->setBuddy(control);
    control->setAccessibleName(name);
    control->setObjectName(path);
    control->installEventFilter(this);
    row.editor->installEventFilter(this);
    row.label->installEventFilter(this);
    connect(row.editor, &FieldEditor::edited, this, [this, path](const QString& text) { read(path, text); });
    connect(row.editor, &FieldEditor::left, this, [this, path] { leaveField(path); });
    connect(row.note, &QLabel::linkActivated, this,
        [this](const QString& target) { emit lineRequested(target.toInt() - 1); });
    if (before)
        setTabOrder(before, control);
    m_rows.append(row);
    showRow(row); // among rows that are there already a layout would show it a turn later
}

void ProgramRows::refreshRow(Row& row)
{
    const AuthorScript& author = *m_design.derived().author;
    const ScriptField* field = author.fields.find(row.path);
    if (field == nullptr)
        return;
    // Of a field that is as it was nothing needs to be shown again; a value that somebody spelt otherwise is.
    const auto line = [](const ScriptField& one) { return one.places.isEmpty() ? 0 : one.places.first().line; };
    const ScriptField& shown = row.shown;
    if (!row.isRefused && field->state == shown.state && field->value == shown.value && field->why == shown.why
        && field->notes == shown.notes && (field->canBeSet() || line(*field) == line(shown))
        && row.editor->text() == field->value && !row.editor->toolTip().isEmpty()
        && (!field->canBeSet() || row.note->text().isEmpty()))
        return;
    row.shown = *field;
    row.editor->setEnabled(field->canBeSet());
    const bool typing = row.editor->control()->hasFocus() && row.isRefused;
    if (!typing) {
        row.editor->setText(field->value);
        const FieldTie tie = fieldTie(author, row.path);
        showNote(row, field->canBeSet() ? QString() : tie.why, tie.line);
    }
    QStringList reported{row.label->text()};
    if (!field->why.isEmpty())
        reported.append(field->why);
    reported += field->notes;
    const QString rich = richToolTip(reported.join(u'\n'));
    row.editor->setToolTip(rich);
    row.label->setToolTip(rich);
    row.editor->control()->setAccessibleDescription(reported.mid(1).join(u' '));
}

void ProgramRows::showNote(Row& row, const QString& text, int line)
{
    row.note->setText(text.isEmpty() ? QString() : withLineLink(text, line));
    row.note->setVisible(!text.isEmpty() && isFound(row.path));
}

void ProgramRows::read(const FieldPath& path, const QString& text)
{
    if (!m_sinceTyping.isValid() || m_sinceTyping.elapsed() > typingPauseMs)
        ++m_step;
    m_sinceTyping.start();
    m_refusal.clear();
    const bool taken = m_design.editScript(nameOf(path), {{path, text, false}}, u"%1#p%2"_s.arg(path).arg(m_step));
    Row* row = rowOf(path);
    if (row == nullptr)
        return;
    row->isRefused = !taken;
    row->editor->setInvalid(!taken);
    showNote(*row, taken ? QString() : m_refusal, 0);
}

void ProgramRows::leaveField(const FieldPath& path)
{
    m_sinceTyping.invalidate();
    Row* row = rowOf(path);
    const auto& author = m_design.derived().author;
    const ScriptField* field = author ? author->fields.find(path) : nullptr;
    if (row == nullptr || field == nullptr)
        return;
    row->editor->setText(field->value); // the sentence stays until something changes
    row->editor->setInvalid(false);
    row->isRefused = false;
}

void ProgramRows::addArguments()
{
    const QString text = m_added->text().trimmed();
    if (text.isEmpty())
        return;
    m_refusal.clear();
    const bool taken = m_design.editScript(tr("Added arguments"), {{u"command"_s, text, true}});
    if (taken)
        m_added->clear();
    m_addedNote->setText(m_refusal);
    m_addedNote->setVisible(!taken);
}

ProgramRows::Row* ProgramRows::rowOf(const FieldPath& path)
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [&path](const Row& row) { return row.path == path; });
    return found != m_rows.end() ? &*found : nullptr;
}

bool ProgramRows::has(const FieldPath& path) const
{
    return std::any_of(m_said.cbegin(), m_said.cend(), [&path](const Said& said) { return isPartOf(said.path, path); });
}

bool ProgramRows::focusField(const FieldPath& path)
{
    buildUpTo(m_said.size());
    for (const Row& row : std::as_const(m_rows)) {
        if (!isPartOf(row.path, path))
            continue;
        if (row.editor->isEnabled())
            row.editor->setFocus(Qt::OtherFocusReason);
        return true;
    }
    return false;
}

QWidget* ProgramRows::lightField(const FieldPath& path)
{
    QWidget* marked = nullptr;
    if (!path.isEmpty() && has(path) && rowOf(path) == nullptr)
        buildUpTo(m_said.size());
    for (const Row& row : std::as_const(m_rows)) {
        const bool lit = !path.isEmpty() && row.path == path;
        if (row.label->property("lit").toBool() != lit)
            setStyleProperty(row.label, "lit", lit);
        if (lit)
            marked = row.editor;
    }
    return marked;
}

bool ProgramRows::isFound(const FieldPath& path) const
{
    const QString name = nameOf(path);
    return std::all_of(m_words.cbegin(), m_words.cend(), [&path, &name](const QString& word) {
        return path.contains(word, Qt::CaseInsensitive) || name.contains(word, Qt::CaseInsensitive);
    });
}

void ProgramRows::showRow(const Row& row)
{
    const bool found = isFound(row.path);
    row.label->setVisible(found);
    row.editor->setVisible(found);
    row.note->setVisible(found && !row.note->text().isEmpty());
}

void ProgramRows::showAdded()
{
    const auto& author = m_design.derived().author;
    const ScriptField* command = author ? author->fields.find(u"command"_s) : nullptr;
    m_added->setVisible(m_words.isEmpty() && command != nullptr && command->canBeSet());
}

bool ProgramRows::search(const QStringList& words)
{
    if (m_words != words) {
        m_words = words;
        for (const Row& row : std::as_const(m_rows))
            showRow(row);
        showAdded();
    }
    return m_words.isEmpty()
        || std::any_of(m_said.cbegin(), m_said.cend(), [this](const Said& said) { return isFound(said.path); });
}

FieldPath ProgramRows::firstFound() const
{
    const auto first
        = std::find_if(m_said.cbegin(), m_said.cend(), [this](const Said& said) { return isFound(said.path); });
    return first != m_said.cend() ? first->path : FieldPath();
}

int ProgramRows::unreadableFields() const
{
    return int(std::count_if(m_rows.cbegin(), m_rows.cend(), [](const Row& row) { return row.isRefused; }));
}

bool ProgramRows::eventFilter(QObject* watched, QEvent* event)
{
    const auto type = event->type();
    if (type == QEvent::FocusIn || type == QEvent::Enter || type == QEvent::Leave) {
        for (const Row& row : std::as_const(m_rows)) {
            if (watched != row.label && watched != row.editor && watched != row.editor->control())
                continue;
            if (type == QEvent::FocusIn)
                emit fieldFocused(row.path);
            else if (watched != row.editor->control())
                emit fieldHovered(type == QEvent::Enter ? row.path : FieldPath());
            break;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace rankwright
