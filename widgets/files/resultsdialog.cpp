// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/files/resultsdialog.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
constexpr QSize resultsDialogSize(640, 460);
}

ResultsDialog::ResultsDialog(const QString& title, const QList<ResultRow>& rows, const QString& target, QWidget* parent)
    : QDialog(parent), m_list(new QTreeWidget(this)), m_target(new QLineEdit(target, this))
{
    setWindowTitle(tr("Results of a job"));
    auto* column = new QVBoxLayout(this);
    column->addWidget(makeText(title, "title", this));
    m_list->setAccessibleName(tr("Files that the job left"));
    m_list->setHeaderLabels({tr("File"), tr("Kind"), tr("Size")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    for (const ResultRow& row : rows) {
        auto* item = new QTreeWidgetItem(m_list, {row.name, row.kind, humanBytes(Bytes{row.bytes})});
        item->setCheckState(0, row.isChosen ? Qt::Checked : Qt::Unchecked);
        item->setData(0, Qt::UserRole, row.bytes);
    }
    column->addWidget(m_list, 1);
    auto* to = new QHBoxLayout;
    auto* label = makeLabel(tr("To"), "plain", this);
    label->setBuddy(m_target);
    to->addWidget(label);
    m_target->setAccessibleName(tr("Folder of this machine"));
    to->addWidget(m_target, 1);
    auto* browse = new QPushButton(tr("Choose…"), this);
    to->addWidget(browse);
    column->addLayout(to);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_fetch = buttons->button(QDialogButtonBox::Ok);
    setStyleProperty(m_fetch, "accent", true);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    connect(m_list, &QTreeWidget::itemChanged, this, &ResultsDialog::refresh);
    connect(m_target, &QLineEdit::textChanged, this, &ResultsDialog::refresh);
    connect(browse, &QPushButton::clicked, this, [this] {
        auto* dialog = new QFileDialog(this, tr("Folder for the results"), m_target->text());
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, m_target, &QLineEdit::setText);
        dialog->open();
    });
    resize(resultsDialogSize);
    refresh();
}

QList<int> ResultsDialog::chosen() const
{
    QList<int> rows;
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        if (m_list->topLevelItem(row)->checkState(0) == Qt::Checked)
            rows.append(row);
    }
    return rows;
}

QString ResultsDialog::target() const { return m_target->text().trimmed(); }

void ResultsDialog::refresh()
{
    qint64 bytes = 0;
    const QList<int> rows = chosen();
    for (const int row : rows)
        bytes += m_list->topLevelItem(row)->data(0, Qt::UserRole).toLongLong();
    m_fetch->setText(rows.isEmpty()
            ? tr("Download")
            : tr("Download %1 (%2)").arg(counted(rows.size(), u"file"_s), humanBytes(Bytes{bytes})));
    m_fetch->setEnabled(!rows.isEmpty() && !target().isEmpty());
}

} // namespace rankwright
