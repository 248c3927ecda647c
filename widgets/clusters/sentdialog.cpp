// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/sentdialog.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/theme.h"
#include "widgets/base/wrappedlabel.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCheckBox>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Time, cluster, purpose, command, input, outcome; how long it took has the rest.
constexpr std::array sentColumnWidths{84, 90, 250, 270, 76, 130};

} // namespace

SentDialog::SentDialog(SentModel& model, QWidget* parent)
    : QDialog(parent), m_model(model), m_filter(new QLineEdit(this)), m_total(makeLabel({}, "quiet", this))
{
    setWindowTitle(tr("What is sent"));
    resize(1080, 640);
    fitTexts(*this, {660, 380});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    auto* head = new QHBoxLayout;
    head->addWidget(
        makeText(tr("Every command that this window sent to a cluster since it was opened, the newest %1 of them. "
                    "Passwords are not commands and are never shown here; values that look secret are left out.")
                     .arg(SentLog::mostCommands),
            "quiet", this),
        1);
    m_filter->setPlaceholderText(tr("Filter: cluster, purpose, command …"));
    m_filter->setAccessibleName(tr("Filter the commands"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(240);
    head->addWidget(m_filter);
    column->addLayout(head);
    column->addWidget(buildTable(), 1);
    column->addWidget(buildButtons());
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_table->setFilter(text.trimmed());
        m_reported.clear();
        refresh();
    });
    connect(m_table, &RecordTable::selected, this, &SentDialog::forgetReport);
    connect(m_input, &QCheckBox::toggled, this, &SentDialog::showSelected);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_model, signal, this, &SentDialog::refresh);
    connect(&m_model, &QAbstractItemModel::dataChanged, this, &SentDialog::showSelected);
    m_table->setFocus();
    refresh();
}

QWidget* SentDialog::buildTable()
{
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setChildrenCollapsible(false);
    m_table = new RecordTable(m_model, parts);
    m_table->setAccessibleName(tr("Commands"));
    for (std::size_t place = 0; place < sentColumnWidths.size(); ++place)
        m_table->setColumnWidth(int(place), sentColumnWidths.at(place));
    m_table->sortByColumn(SentModel::Time, Qt::DescendingOrder);
    m_details = new QPlainTextEdit(parts);
    m_details->setReadOnly(true);
    m_details->setTabChangesFocus(true);
    m_details->setFont(Theme::codeFont());
    m_details->setMinimumHeight(90);
    m_details->setAccessibleName(tr("All of the selected command"));
    parts->addWidget(m_table);
    parts->addWidget(m_details);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    return parts;
}

QWidget* SentDialog::buildButtons()
{
    auto* footer = new QWidget(this);
    auto* row = new QHBoxLayout(footer);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_input = new QCheckBox(tr("With the &texts on stdin"), footer);
    m_input->setToolTip(tr("Scripts and programs that commands were given to read, in the details and in the file"));
    m_copy = new QPushButton(tr("Copy"), footer);
    m_copy->setToolTip(tr("All of the selected command, as text"));
    m_save = new QPushButton(tr("Save as text …"), footer);
    m_save->setToolTip(tr("All commands of the list, also those that the filter hides"));
    auto* close = new QPushButton(tr("Close"), footer);
    close->setDefault(true);
    row->addWidget(m_input);
    row->addWidget(m_total, 1);
    for (QPushButton* button : {m_copy, m_save, close})
        row->addWidget(button);
    connect(m_copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(details()); });
    connect(m_save, &QPushButton::clicked, this, [this] { emit saveRequested(input()); });
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    return footer;
}

SentInput SentDialog::input() const { return m_input->isChecked() ? SentInput::Included : SentInput::LeftOut; }

QString SentDialog::details() const
{
    const int row = m_model.rowOf(m_table->selectedId());
    return row < 0 ? QString() : sentDetails(m_model.records().at(row), input());
}

void SentDialog::showSelected()
{
    const QString text = details();
    if (m_details->toPlainText() != text)
        m_details->setPlainText(text);
    m_copy->setEnabled(!text.isEmpty());
    m_save->setEnabled(m_model.rowCount() > 0);
}

void SentDialog::refresh()
{
    if (m_table->selectedId().isEmpty() && m_table->shownRows() > 0)
        m_table->selectRow(0);
    sayTotal();
    showSelected();
}

void SentDialog::sayTotal()
{
    const qint64 all = m_model.rowCount();
    m_total->setText(!m_reported.isEmpty() ? m_reported
            : all == 0                     ? tr("Nothing was sent yet.")
            : m_table->shownRows() == all  ? counted(all, tr("command"))
                                           : tr("%1 of %2").arg(m_table->shownRows()).arg(counted(all, tr("command"))));
}

void SentDialog::report(const QString& text)
{
    m_reported = text;
    m_reportedOf = m_table->selectedId();
    sayTotal();
}

/// The selection may change while rows come and go: it is not touched in here, and none chosen is not a choice.
void SentDialog::forgetReport(const QString& selected)
{
    if (!selected.isEmpty() && selected != m_reportedOf)
        m_reported.clear();
    sayTotal();
    showSelected();
}

} // namespace rankwright
