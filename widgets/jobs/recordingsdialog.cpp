// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/recordingsdialog.h"

#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/wrappedlabel.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>

#include <algorithm>
#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Job, name, cluster, state, recorded, length, GPUs, size; the note takes the rest.
constexpr std::array recordingColumnWidths{92, 138, 84, 160, 142, 96, 106, 84};

} // namespace

bool confirmRemoval(QWidget* parent, const QList<RecordingRow>& rows)
{
    if (rows.isEmpty())
        return false;
    qint64 bytes = 0;
    for (const RecordingRow& row : rows)
        bytes += row.bytes;
    const RecordingRow& first = rows.first();
    const QString name
        = first.job.name.isEmpty() ? first.job.id : RecordingsDialog::tr("%1 (%2)").arg(first.job.name, first.job.id);
    QMessageBox box(QMessageBox::NoIcon, RecordingsDialog::tr("Remove recordings"), {}, QMessageBox::NoButton, parent);
    box.setTextFormat(Qt::PlainText);
    box.setText(rows.size() > 1 ? RecordingsDialog::tr("Remove %1 recordings?").arg(rows.size())
            : name.isEmpty()    ? RecordingsDialog::tr("Remove this recording?")
                                : RecordingsDialog::tr("Remove the recording of the job %1?").arg(name));
    box.setInformativeText(
        RecordingsDialog::tr("%1 go to the trash of this computer. What the GPUs did can then no longer be "
                             "replayed, exported or reported on, unless they are taken out of the trash "
                             "again. Jobs, their output and the job log stay.")
            .arg(humanBytes(Bytes{bytes})));
    QPushButton* remove
        = box.addButton(rows.size() > 1 ? RecordingsDialog::tr("Remove them") : RecordingsDialog::tr("Remove it"),
            QMessageBox::AcceptRole);
    QPushButton* keep = box.addButton(RecordingsDialog::tr("Keep"), QMessageBox::RejectRole);
    remove->setProperty("danger", true);
    box.setDefaultButton(keep);
    box.setEscapeButton(keep);
    box.exec();
    return box.clickedButton() == remove;
}

RecordingsDialog::RecordingsDialog(RecordingModel& model, qint64 limitBytes, QWidget* parent)
    : QDialog(parent), m_model(model), m_limitBytes(limitBytes), m_filter(new QLineEdit(this)),
      m_pages(new QStackedWidget(this)), m_table(new RecordTable(model, m_pages))
{
    setWindowTitle(tr("Recordings"));
    resize(1080, 520);
    fitTexts(*this, {660, 320});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    auto* head = new QHBoxLayout;
    QLabel* intro
        = makeText(tr("What was sampled of watched jobs is kept on this computer: it can be replayed without a "
                      "connection, also long after the job."),
            "quiet", this);
    m_filter->setPlaceholderText(tr("Filter: name, job, cluster …"));
    m_filter->setAccessibleName(tr("Filter the recordings"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(240);
    head->addWidget(intro, 1);
    head->addWidget(m_filter);
    m_table->setAccessibleName(tr("Recordings"));
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    for (std::size_t place = 0; place < recordingColumnWidths.size(); ++place)
        m_table->setColumnWidth(int(place), recordingColumnWidths.at(place));
    m_table->sortByColumn(RecordingModel::Recorded, Qt::DescendingOrder);
    QLabel* none = makeLabel({}, "quiet", m_pages);

    none->setAlignment(Qt::AlignCenter);
    m_pages->addWidget(m_table);
    m_pages->addWidget(none);
    column->addLayout(head);
    column->addWidget(m_pages, 1);
    column->addWidget(buildFooter());
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_table->setFilter(text.trimmed());
        refresh();
    });
    connect(m_table, &RecordTable::selected, this, &RecordingsDialog::refresh);
    connect(m_table, &QAbstractItemView::activated, this, &RecordingsDialog::replaySelected);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_model, signal, this, &RecordingsDialog::refresh);
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &RecordingsDialog::refresh);
    auto* remove = new QShortcut(QKeySequence::Delete, m_table);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &RecordingsDialog::removeSelected);
    m_table->setFocus();
    refresh();
}

QWidget* RecordingsDialog::buildFooter()
{
    auto* footer = new QWidget(this);
    auto* lines = new QVBoxLayout(footer);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(8);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    m_total = makeLabel({}, "quiet", footer);
    m_total->setToolTip(tr("Beyond that the oldest are removed automatically, never one that is being recorded."));
    m_remove = new QPushButton(tr("Remove …"), footer);
    m_reveal = new QPushButton(tr("Show the file"), footer);
    m_reveal->setToolTip(tr("Opens its folder"));
    m_jobFile = new QPushButton(tr("Job file …"), footer);
    m_jobFile->setAccessibleName(tr("Save as a job file"));
    m_replay = new QPushButton(tr("Replay"), footer);
    m_replay->setProperty("accent", true);
    m_replay->setDefault(true);
    auto* close = new QPushButton(tr("Close"), footer);
    lines->addWidget(m_total);
    lines->addLayout(row);
    row->addStretch(1);
    m_undo = new QPushButton(tr("Undo"), footer);
    m_undo->setToolTip(tr("Takes what was removed out of the trash again"));
    m_undo->hide();
    connect(m_undo, &QPushButton::clicked, this, &RecordingsDialog::undoRequested);
    for (QPushButton* button : {m_undo, m_remove, m_reveal, m_jobFile, close, m_replay})
        row->addWidget(button);
    connect(m_replay, &QPushButton::clicked, this, &RecordingsDialog::replaySelected);
    connect(m_remove, &QPushButton::clicked, this, &RecordingsDialog::removeSelected);
    connect(m_reveal, &QPushButton::clicked, this, [this] {
        if (!m_table->selectedId().isEmpty())
            emit revealRequested(m_table->selectedId());
    });
    connect(m_jobFile, &QPushButton::clicked, this, [this] { emit jobFileRequested(m_table->selectedId()); });
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    return footer;
}

QList<RecordingRow> RecordingsDialog::selectedRows() const
{
    QList<RecordingRow> rows;
    for (const QString& id : m_table->selectedIds()) {
        if (const int row = m_model.rowOf(id); row >= 0)
            rows.append(m_model.records().at(row));
    }
    return rows;
}

void RecordingsDialog::refresh()
{
    if (m_table->selectedId().isEmpty() && m_table->shownRows() > 0)
        m_table->selectRow(0);
    const bool any = m_model.rowCount() > 0;
    m_pages->setCurrentIndex(m_table->shownRows() > 0 ? 0 : 1);
    static_cast<QLabel*>(m_pages->widget(1))
        ->setText(any ? tr("No recording matches the filter.")
                      : tr("Nothing has been recorded yet: a job is recorded while it is watched."));
    const QList<RecordingRow> rows = selectedRows();
    const bool readable = rows.size() == 1 && rows.first().fault.isEmpty() && rows.first().span.length() > 0;
    const bool written = std::any_of(rows.begin(), rows.end(), [](const RecordingRow& row) { return row.isWritten; });
    m_replay->setEnabled(readable);
    m_replay->setToolTip(readable ? tr("What its GPUs did, on the Live page")
            : rows.size() > 1     ? tr("Select one recording.")
                                  : tr("This recording holds nothing that can be replayed."));
    m_jobFile->setEnabled(readable);
    m_jobFile->setToolTip(readable
            ? tr("Save as a job file: its job as one file for a colleague or a help desk, without its secrets")
            : m_replay->toolTip());
    m_reveal->setEnabled(rows.size() == 1);
    m_remove->setEnabled(!rows.isEmpty() && !written);
    m_remove->setToolTip(written ? tr("It is being recorded now: it can be removed when nobody watches the job.")
                                 : tr("Moves it to the trash of this computer"));
    m_total->setText(recordingsTotal(m_model.records(), m_limitBytes)); // an offered Undo stays
}

void RecordingsDialog::report(const QString& text, Undo undo)
{
    m_undo->setVisible(undo == Undo::Offered);
    m_total->setText(text.isEmpty() ? recordingsTotal(m_model.records(), m_limitBytes) : text);
}

void RecordingsDialog::replaySelected()
{
    if (m_replay->isEnabled())
        emit replayRequested(m_table->selectedId());
}

void RecordingsDialog::removeSelected()
{
    const QStringList paths = m_table->selectedIds();
    if (m_remove->isEnabled() && confirmRemoval(this, selectedRows()))
        emit removeRequested(paths);
}

} // namespace rankwright
