// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobfileview.h"

#include "models/core/harmlesstext.h"
#include "models/core/units.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QTreeWidget>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int listHeight = 190;

QString shownOf(const QByteArray& bytes)
{
    if (bytes.size() <= 2 * JobFileView::mostShown)
        return harmlessText(QString::fromUtf8(bytes));
    const qsizetype between = bytes.size() - 2 * JobFileView::mostShown;
    return harmlessText(QString::fromUtf8(bytes.left(JobFileView::mostShown)))
        + JobFileView::tr("\n… %1 between are not shown …\n").arg(humanBytes(Bytes{qint64(between)}))
        + harmlessText(QString::fromUtf8(bytes.right(JobFileView::mostShown)));
}

} // namespace

JobFileView::JobFileView(QWidget* parent)
    : QWidget(parent), m_list(new QTreeWidget(this)), m_text(new QPlainTextEdit(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_list->setAccessibleName(tr("What is in the job file"));
    m_list->setHeaderLabels({tr("In the file"), tr("Size"), tr("What it is")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFixedHeight(listHeight);
    m_list->header()->setStretchLastSection(true);
    m_text->setAccessibleName(tr("Text of what is chosen"));
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setFont(Theme::codeFont(12));
    column->addWidget(m_list);
    column->addWidget(m_text, 1);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &JobFileView::showChosen);
}

void JobFileView::setItems(const QList<JobFileItem>& items)
{
    if (items == m_items)
        return;
    const int chosen = m_list->indexOfTopLevelItem(m_list->currentItem());
    const QString before = chosen >= 0 ? m_items.value(chosen).name : QString();
    m_list->clear();
    m_items = items;
    for (const JobFileItem& item : std::as_const(m_items)) {
        auto* row = new QTreeWidgetItem(
            m_list, {harmlessLine(item.name), humanBytes(Bytes{item.bytes}), harmlessLine(item.what)});
        row->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    }
    m_list->resizeColumnToContents(0);
    m_list->resizeColumnToContents(1);
    m_list->setCurrentItem(m_list->topLevelItem(0));
    choose(before);
    showChosen();
}

void JobFileView::choose(const QString& name)
{
    for (int row = 0; row < int(m_items.size()); ++row) {
        if (m_items.at(row).name == name) {
            m_list->setCurrentItem(m_list->topLevelItem(row));
            return;
        }
    }
}

void JobFileView::showChosen()
{
    const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
    const std::optional<QByteArray> text = row < 0 ? std::nullopt : m_items.at(row).text;
    m_text->setPlainText(text ? shownOf(*text) : QString());
    m_text->setPlaceholderText(row < 0 ? QString() : tr("This is not text: it is replayed on the Live page."));
}

QString JobFileView::shownText() const { return m_text->toPlainText(); }

} // namespace rankwright
