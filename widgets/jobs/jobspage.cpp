// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/jobs/jobspage.h"

#include "widgets/base/card.h"
#include "widgets/base/emptystate.h"
#include "widgets/base/icons.h"
#include "widgets/base/recordtable.h"
#include "widgets/jobs/jobdetails.h"
#include "widgets/jobs/jobtext.h"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSet>
#include <QShortcut>
#include <QStackedWidget>

#include <algorithm>
#include <array>
#include <utility>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Job, name, state, partition, nodes, GPUs, elapsed / limit, submitted, cluster; the note takes the rest. Up to the
// submission all is to be seen in a window of 1024 px.
constexpr std::array jobColumnWidths{92, 96, 148, 96, 56, 56, 158, 134, 96};
constexpr int cellMargins = 28;
constexpr int fittedMargins = 24; // of a column that is as wide as its texts
constexpr int stateIcon = 22; // with its distance
constexpr int leastNote = 240; // of the note, before names are given more room
// What the details repeat, in the order in which it gives way to the cluster's name in a narrow table.
constexpr std::array spareColumns{JobModel::partitionColumn, JobModel::nodesColumn};

} // namespace

JobsPage::JobsPage(JobModel& jobs, QWidget* parent) : QWidget(parent), m_jobs(jobs), m_pages(new QStackedWidget(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    auto* empty = new EmptyState(u"jobs"_s, tr("No jobs yet"),
        tr("Your jobs on the connected cluster and everything launched from this window: what "
           "waits and why, what runs, how each one ended, and the script it was submitted with."),
        this);
    connect(empty->addButton(tr("Design a job")), &QAbstractButton::clicked, this, &JobsPage::openDesignRequested);
    connect(empty->addLink(tr("Ask the cluster again")), &QAbstractButton::clicked, this, &JobsPage::refreshRequested);
    m_pages->addWidget(empty);
    m_pages->addWidget(buildContent());
    connect(&m_jobs, &QAbstractItemModel::rowsInserted, this, &JobsPage::refresh);
    connect(&m_jobs, &QAbstractItemModel::rowsRemoved, this, &JobsPage::refresh);
    connect(&m_jobs, &QAbstractItemModel::modelReset, this, &JobsPage::refresh);
    connect(&m_jobs, &QAbstractItemModel::dataChanged, this, &JobsPage::showSelected);
    refresh();
}

QWidget* JobsPage::buildContent()
{
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(12);
    m_tableCard = buildTableCard();
    m_details = new JobDetails(page);
    column->addWidget(m_tableCard, 11);
    column->addWidget(m_details, 9);
    connect(m_details, &JobDetails::watchClicked, this, &JobsPage::watchRequested);
    connect(m_details, &JobDetails::outputClicked, this, &JobsPage::outputRequested);
    connect(m_details, &JobDetails::replayClicked, this, &JobsPage::replayRequested);
    connect(m_details, &JobDetails::reopenClicked, this, &JobsPage::reopenDesignRequested);
    connect(m_details, &JobDetails::reportClicked, this, &JobsPage::reportRequested);
    connect(m_details, &JobDetails::jobFileClicked, this, &JobsPage::jobFileRequested);
    connect(m_details, &JobDetails::resultsClicked, this, &JobsPage::resultsRequested);
    connect(m_details, &JobDetails::changeClicked, this,
        [this] { emit changeRequested(m_details->jobId(), m_details->cluster()); });
    connect(m_details, &JobDetails::reachClicked, this, &JobsPage::reachRequested);
    connect(m_details, &JobDetails::cancelClicked, this, [this](const JobRecord& job) {
        if (confirmCancel(this, job))
            emit cancelRequested(job.id, m_details->cluster());
    });
    return page;
}

Card* JobsPage::buildTableCard()
{
    auto* card = new Card(tr("Jobs"), this);
    m_filter = new QLineEdit(card);
    m_filter->setPlaceholderText(tr("Filter: name, id, state, partition …"));
    m_filter->setAccessibleName(tr("Filter the jobs"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(264);
    auto* again = new QPushButton(lineIcon(u"refresh"_s), tr("Refresh"), card);
    again->setShortcut(QKeySequence::Refresh);
    auto* recordings = new QPushButton(tr("Recordings …"), card);
    recordings->setToolTip(tr("All that was recorded of jobs on this computer: replay, show the file, remove"));
    connect(recordings, &QPushButton::clicked, this, &JobsPage::recordingsRequested);
    card->head()->addWidget(m_filter);
    card->head()->addWidget(recordings);
    card->head()->addWidget(again);
    setTabOrder(m_filter, recordings);
    setTabOrder(recordings, again);
    m_tablePages = new QStackedWidget(card);
    m_table = new RecordTable(m_jobs, m_tablePages);
    m_table->setAccessibleName(tr("Jobs"));
    for (std::size_t column = 0; column < jobColumnWidths.size(); ++column)
        m_table->setColumnWidth(int(column), jobColumnWidths.at(column));
    m_table->sortByColumn(0, Qt::DescendingOrder);
    QLabel* none = makeLabel(tr("No job matches the filter."), "quiet", m_tablePages);
    none->setAlignment(Qt::AlignCenter);
    m_tablePages->addWidget(m_table);
    m_tablePages->addWidget(none);
    card->body()->addWidget(m_tablePages, 1);
    connect(again, &QPushButton::clicked, this, &JobsPage::refreshRequested);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_table->setFilter(text.trimmed());
        refresh();
    });
    connect(m_table, &RecordTable::widthChanged, this, &JobsPage::fitColumns);
    connect(m_table, &RecordTable::selected, this, [this] { showSelected(); });
    connect(m_table, &QAbstractItemView::activated, this, [this] { m_details->activate(); });
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& at) {
        auto* menu = new QMenu(m_table);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        m_details->fillMenu(*menu); // the press has chosen the row
        if (menu->isEmpty())
            menu->deleteLater();
        else
            menu->popup(m_table->viewport()->mapToGlobal(at));
    });
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_filter, [this] {
        if (m_filter->isVisible()) // without jobs there is nothing to filter
            m_filter->setFocus();
    });
    return card;
}

/// Which task of an array it is stands at the end of its number: nothing of that is cut. Names are whole where the
/// others leave room for them.
void JobsPage::fitColumns()
{
    QString longestId;
    int name = 0;
    const QFontMetrics metrics = m_table->fontMetrics();
    for (const JobRow& row : m_jobs.records()) {
        if (row.job.id.size() > longestId.size())
            longestId = row.job.id;
        name = std::max(name, metrics.horizontalAdvance(row.job.name));
    }
    const int id = qBound(jobColumnWidths.front(), metrics.horizontalAdvance(longestId) + cellMargins, 240);
    if (std::exchange(m_idWidth, id) != id) // else it is as somebody dragged it
        m_table->setColumnWidth(0, id);
    for (const int column : {JobModel::stateColumn, JobModel::partitionColumn, JobModel::timeColumn,
             JobModel::submittedColumn, JobModel::clusterColumn})
        fitColumn(column);
    showClusters();
    int room = m_table->viewport()->width() - leastNote;
    for (int column = 0; column < int(jobColumnWidths.size()); ++column) {
        if (column != JobModel::nameColumn && !m_table->isColumnHidden(column))
            room -= m_table->columnWidth(column);
    }
    const int least = jobColumnWidths.at(JobModel::nameColumn);
    const int width = std::clamp(name + cellMargins, least, std::max(least, room));
    if (std::exchange(m_nameWidth, width) != width)
        m_table->setColumnWidth(JobModel::nameColumn, width);
}

/// Whose job it is has its room before what the details say as well.
void JobsPage::showClusters()
{
    const auto isCut = [this] {
        int reached = jobColumnWidths.at(JobModel::nameColumn);
        for (int column = 0; column <= JobModel::clusterColumn; ++column)
            reached += column == JobModel::nameColumn ? 0 : m_table->columnWidth(column); // 0: hidden
        return reached > m_table->viewport()->width();
    };
    for (const int column : spareColumns)
        m_table->setColumnHidden(column, false);
    for (const int column : spareColumns)
        m_table->setColumnHidden(column, !m_table->isColumnHidden(JobModel::clusterColumn) && isCut());
}

/// As wide as its longest text; as somebody dragged it until that changes.
void JobsPage::fitColumn(int column)
{
    const auto advance
        = [this](const QVariant& text) { return m_table->fontMetrics().horizontalAdvance(text.toString()); };
    int widest = advance(m_jobs.headerData(column, Qt::Horizontal, Qt::DisplayRole));
    for (int row = 0; row < m_jobs.rowCount(); ++row)
        widest = std::max(widest, advance(m_jobs.index(row, column).data()));
    const int width = widest + (column == JobModel::stateColumn ? stateIcon : 0) + fittedMargins;
    if (std::exchange(m_widths[column], width) != width)
        m_table->setColumnWidth(column, width);
}

void JobsPage::refresh()
{
    const bool any = m_jobs.rowCount() > 0;
    m_pages->setCurrentIndex(any ? 1 : 0);
    QSet<QString> clusters;
    for (const JobRow& row : m_jobs.records())
        clusters.insert(row.cluster);
    m_table->setColumnHidden(JobModel::clusterColumn, clusters.size() < 2);
    fitColumns();
    m_tablePages->setCurrentIndex(m_table->shownRows() > 0 ? 0 : 1);
    if (any && m_table->selectedId().isEmpty() && m_table->shownRows() > 0)
        m_table->selectRow(0);
    showSelected();
}

void JobsPage::showSelected()
{
    const int row = m_jobs.rowOf(m_table->selectedId());
    const std::pair before(m_details->jobId(), m_details->cluster());
    m_details->showJob(row < 0 ? nullptr : &m_jobs.records().at(row));
    if (std::pair(m_details->jobId(), m_details->cluster()) != before && row >= 0)
        emit jobSelected(m_details->jobId(), m_details->cluster());
}

bool JobsPage::isShown(const QString& jobId, const QString& cluster) const
{
    return jobId == m_details->jobId() && (cluster.isEmpty() || cluster == m_details->cluster());
}

void JobsPage::selectJob(const QString& jobId, const QString& cluster)
{
    for (const JobRow& row : m_jobs.records()) {
        if (row.job.id != jobId || (!cluster.isEmpty() && row.cluster != cluster))
            continue;
        const QString id = m_jobs.index(m_jobs.rowOf(row.cluster + u'/' + jobId), 0).data(RecordIdRole).toString();
        if (!m_table->selectId(id)) { // hidden by the filter: what was asked for wins
            m_filter->clear();
            m_table->selectId(id);
        }
        return;
    }
}

void JobsPage::showScript(const QString& jobId, const QString& script, const QString& cluster)
{
    if (isShown(jobId, cluster))
        m_details->showScript(script);
}

void JobsPage::showDiagnoses(const QString& jobId, const QList<Diagnosis>& diagnoses, const QString& cluster)
{
    if (isShown(jobId, cluster))
        m_details->showDiagnoses(diagnoses);
}

void JobsPage::showChange(const QString& jobId, const std::optional<OfferedChange>& change, const QString& cluster)
{
    if (isShown(jobId, cluster))
        m_details->showChange(change);
}

void JobsPage::setFreshness(const QString& text) { m_tableCard->setCaption(text); }

} // namespace rankwright
