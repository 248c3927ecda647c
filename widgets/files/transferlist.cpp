// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/files/transferlist.h"

#include "widgets/base/factgrid.h"
#include "widgets/files/transfertable.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace rankwright {

namespace {

constexpr int idRole = Qt::UserRole;
constexpr int stateRole = Qt::UserRole + 1;
constexpr int barSteps = 1000;
constexpr int visibleRows = 4;

} // namespace

TransferList::TransferList(QWidget* parent)
    : QWidget(parent), m_list(new TransferTable(this)), m_cancel(new QPushButton(tr("Cancel transfer"), this)),
      m_resume(new QPushButton(tr("Resume"), this)), m_whole(makeText({}, "caption", this))
{
    m_list->setAccessibleName(tr("Transfers"));
    m_list->setHeaderLabels({tr("Transfer"), tr("Done"), tr("State")});
    m_list->setRootIsDecorated(false);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(2, QHeaderView::Stretch);
    m_list->setMinimumHeight(m_list->fontMetrics().height() * 2 * (visibleRows + 1));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_list);
    column->addWidget(m_whole);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_resume);
    buttons->addWidget(m_cancel);
    column->addLayout(buttons);
    m_list->setToolTip(tr("Files of the cluster that are dropped here are downloaded; what has been downloaded can be "
                          "dragged from here into a file manager"));
    connect(m_list, &TransferTable::remoteFilesDropped, this, &TransferList::remoteFilesDropped);
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this] { refresh(); });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        if (const QTreeWidgetItem* item = m_list->currentItem())
            emit cancelRequested(item->data(0, idRole).toInt());
    });
    connect(m_resume, &QPushButton::clicked, this, [this] {
        if (const QTreeWidgetItem* item = m_list->currentItem())
            emit resumeRequested(item->data(0, idRole).toInt());
    });
    refresh();
}

QTreeWidgetItem* TransferList::itemOf(int id) const
{
    for (int row = 0; row < m_list->topLevelItemCount(); ++row) {
        if (m_list->topLevelItem(row)->data(0, idRole).toInt() == id)
            return m_list->topLevelItem(row);
    }
    return nullptr;
}

void TransferList::show(const TransferRow& row)
{
    QTreeWidgetItem* item = itemOf(row.id);
    if (!item) {
        item = new QTreeWidgetItem(m_list);
        item->setData(0, idRole, row.id);
        auto* cell = new QWidget(m_list); // a thin bar in the middle of its row
        auto* middle = new QVBoxLayout(cell);
        middle->setContentsMargins(0, 0, 0, 0);
        auto* bar = new QProgressBar(cell);
        middle->addWidget(bar, 0, Qt::AlignVCenter);
        bar->setTextVisible(false);
        bar->setRange(0, barSteps);
        bar->setAccessibleName(tr("Progress of %1").arg(row.title));
        m_list->setItemWidget(item, 1, cell);
        m_list->setCurrentItem(item);
    }
    item->setText(0, row.title);
    item->setToolTip(0, row.title.toHtmlEscaped());
    item->setText(2, row.text);
    item->setToolTip(2, row.text.toHtmlEscaped());
    item->setData(0, stateRole, int(row.state));
    item->setData(0, TransferTable::pathsRole, row.localPaths);
    if (auto* bar = m_list->itemWidget(item, 1)->findChild<QProgressBar*>())
        bar->setValue(int(row.share * barSteps));
    refresh();
}

void TransferList::setSource(const QByteArray& dragId) { m_list->setSource(dragId); }

void TransferList::remove(int id)
{
    delete itemOf(id);
    refresh();
}

void TransferList::refresh()
{
    const QTreeWidgetItem* item = m_list->currentItem();
    const auto state = item ? TransferRow::State(item->data(0, stateRole).toInt()) : TransferRow::State::Done;
    const bool isOver = state == TransferRow::State::Done || state == TransferRow::State::Failed;
    m_whole->setText(item ? item->text(2) : QString());
    m_whole->setVisible(item && state != TransferRow::State::Done);
    m_cancel->setEnabled(item != nullptr);
    m_cancel->setText(isOver ? tr("Remove from the list") : tr("Cancel transfer"));
    m_resume->setEnabled(item && state == TransferRow::State::Failed);
}

} // namespace rankwright
