// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/classprogressdialog.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/tonedelegate.h"
#include "widgets/classroom/classprogressmodel.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr QSize progressSize{960, 520};
constexpr int stuckColumn = 5; // of the model: since when
} // namespace

ClassProgressDialog::ClassProgressDialog(const ClassFile& file, QWidget* parent)
    : QDialog(parent), m_file(file), m_model(new ClassProgressModel(file, this))
{
    setWindowTitle(tr("Who is where"));
    auto* column = new QVBoxLayout(this);
    auto* head = makeLabel(file.title, "title", this);
    head->setWordWrap(true);
    column->addWidget(head);
    m_filter = new QLineEdit(this);
    m_filter->setPlaceholderText(tr("Find a name, an exercise, an error"));
    m_filter->setAccessibleName(tr("Find an attendee"));
    m_filter->setClearButtonEnabled(true);
    column->addWidget(m_filter);
    m_table = new RecordTable(*m_model, this);
    m_table->setAccessibleName(tr("Attendees"));
    m_table->setItemDelegate(new ToneDelegate(m_table));
    m_table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    m_table->sortByColumn(stuckColumn, Qt::AscendingOrder);
    column->addWidget(m_table, 1);
    connect(m_filter, &QLineEdit::textChanged, m_table, &RecordTable::setFilter);
    m_summary = makeLabel(file.progressFolder.isEmpty()
            ? tr("This class names no folder for progress: give it one in “The class”, and sign it again.")
            : tr("Nothing has been read yet."),
        "quiet", this);
    m_summary->setWordWrap(true);
    column->addWidget(m_summary);
    auto* row = new QHBoxLayout;
    const auto add = [this, row](const QString& text, const QString& name) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(name);
        button->setAutoDefault(false);
        row->addWidget(button);
        return button;
    };
    auto* refresh = add(tr("Read again"), u"refresh"_s);
    refresh->setEnabled(!file.progressFolder.isEmpty());
    connect(refresh, &QPushButton::clicked, this, &ClassProgressDialog::refreshWanted);
    connect(add(tr("Copy the table"), u"copy"_s), &QPushButton::clicked, this,
        [this] { QApplication::clipboard()->setText(progressText(*m_table->model())); });
    row->addStretch(1);
    connect(add(tr("Close"), u"close"_s), &QPushButton::clicked, this, &QDialog::accept);
    column->addLayout(row);
    resize(progressSize);
}

ClassProgressDialog::~ClassProgressDialog() = default;

void ClassProgressDialog::setProgress(const ReadProgress& progress, const QDateTime& now)
{
    const QList<ProgressRow> rows = progressTable(progress.lines);
    m_model->assign(rows);
    m_model->setNow(now);
    if (!rows.isEmpty() && !m_isFitted) { // once: widths that were dragged since stay
        m_isFitted = true;
        m_table->resizeColumnsToContents();
    }
    const auto stuck
        = std::count_if(rows.cbegin(), rows.cend(), [](const ProgressRow& row) { return !row.stuckOn.isEmpty(); });
    QStringList parts{counted(rows.size(), tr("attendee")), tr("%1 stuck").arg(stuck),
        tr("read at %1").arg(now.toLocalTime().toString(u"HH:mm:ss"_s))};
    if (progress.skipped > 0)
        parts.append(tr("%1 left out, not written by the program").arg(counted(progress.skipped, tr("line"))));
    m_summary->setText(parts.join(u" · "_s));
    setStyleProperty(m_summary, "tone", QString());
}

void ClassProgressDialog::showTrouble(const Error& why)
{
    m_summary->setText(why.oneLine());
    setStyleProperty(m_summary, "tone", u"warn"_s);
}

} // namespace rankwright
