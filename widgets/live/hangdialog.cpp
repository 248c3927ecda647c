// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/hangdialog.h"

#include "models/core/harmlesstext.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "models/insight/hang/hangtext.h"
#include "widgets/base/card.h"
#include "widgets/base/tonedelegate.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/live/hanglanes.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTreeView>

#include <algorithm>
#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int usualMs = 15'000; ///< that an inspection mostly takes at most
/// At most, of all columns but the last, which has what is left: a wait channel of the kernel
/// ("nfs_wait_bit_killable").
constexpr std::array rankColumnWidths{150, 110, 52, 120, 230, 160, 150};
constexpr int cellMargin = 12;
constexpr int sideMargins = 60; ///< of the dialog, with frame and scroll bar of the table
constexpr int leastCutWidth = 90;

QString secondsText(double seconds) { return HangDialog::tr("%1\u2009s").arg(humanNumber(seconds, 1)); }

/// The sentence with its links, each by its number.
QString linked(const QString& sentence, const QList<HangLink>& links)
{
    const QString safe = harmlessText(sentence);
    QString html;
    qsizetype done = 0;
    for (qsizetype i = 0; i < links.size(); ++i) {
        const HangLink& link = links.at(i);
        html += safe.mid(done, link.from - done).toHtmlEscaped();
        html += u"<a href=\"%1\">%2</a>"_s.arg(QString::number(i), safe.mid(link.from, link.length).toHtmlEscaped());
        done = link.from + link.length;
    }
    return html + safe.mid(done).toHtmlEscaped();
}

} // namespace

HangDialog::HangDialog(QWidget* parent)
    : QDialog(parent), m_title(makeLabel({}, "figure", this)), m_state(makeLabel({}, "quiet", this)),
      m_progress(new QProgressBar(this)), m_trouble(makeLabel({}, "fault", this)), m_sentence(new WrappedLabel(this)),
      m_proof(makeLabel({}, "quiet", this)), m_lanes(new HangLanes(this))
{
    setWindowTitle(tr("Where does it hang?"));
    resize(980, 640);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(10);
    for (QLabel* label : {m_title, m_state, m_trouble, m_proof})
        label->setWordWrap(true);
    m_trouble->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_trouble->hide();
    m_proof->hide();
    m_progress->setRange(0, usualMs);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the inspection"));
    m_progress->hide();
    m_sentence->setTextFormat(Qt::RichText);
    m_sentence->setTextInteractionFlags(
        Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard | Qt::TextSelectableByMouse);
    m_sentence->setProperty("title", true);
    for (QWidget* part :
        std::initializer_list<QWidget*>{m_title, m_state, m_progress, m_trouble, m_sentence, m_proof, m_lanes})
        column->addWidget(part);
    m_parts = buildParts();
    column->addWidget(m_parts, 1);
    column->addStretch(0);
    column->addWidget(buildButtons());
    fitTexts(*this, {620, 300});
    connect(m_sentence, &QLabel::linkActivated, this, &HangDialog::follow);
    connect(m_lanes, &HangLanes::rowPicked, this, &HangDialog::choose);
    connect(m_ranks->selectionModel(), &QItemSelectionModel::currentChanged, this, &HangDialog::showChosen);
    connect(m_ranks, &QTreeView::activated, this, [this](const QModelIndex& index) {
        if (const QList<qsizetype> ranks = m_table.ranksAt(index); ranks.size() == 1)
            pickGpu(ranks.first());
    });
    showSubject({}, {}, {});
}

QWidget* HangDialog::buildParts()
{
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setChildrenCollapsible(false);
    m_ranks = new QTreeView(parts);
    m_ranks->setAccessibleName(tr("Ranks, the odd ones first"));
    m_ranks->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_ranks->setUniformRowHeights(true);
    m_ranks->setAllColumnsShowFocus(true);
    m_ranks->setTabKeyNavigation(false);
    m_ranks->setItemDelegateForColumn(HangTable::Rank, new ToneDelegate(m_ranks));
    m_ranks->setModel(&m_table);
    m_ranks->header()->setStretchLastSection(true);
    auto* below = new QSplitter(Qt::Horizontal, parts);
    below->setChildrenCollapsible(false);
    const auto addBelow = [below](QLabel* title, QWidget* content) {
        auto* box = new QWidget(below);
        auto* column = new QVBoxLayout(box);
        column->setContentsMargins(0, 4, 0, 0);
        column->setSpacing(4);
        title->setParent(box);
        content->setParent(box);
        column->addWidget(title);
        column->addWidget(content, 1);
    };
    m_stackTitle = makeElidedLabel("section", below);
    m_stack = new QListWidget(below);
    m_stack->setMinimumHeight(70);
    m_notes = new QPlainTextEdit(below);
    m_notes->setReadOnly(true);
    m_notes->setTabChangesFocus(true);
    m_notes->setMinimumHeight(70);
    m_notes->setAccessibleName(tr("What was not reachable, and what helps"));
    QLabel* notesTitle = makeElidedLabel("section", below);
    notesTitle->setText(tr("Not reachable, and what helps"));
    addBelow(m_stackTitle, m_stack);
    addBelow(notesTitle, m_notes);
    parts->addWidget(m_ranks);
    parts->addWidget(below);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    return parts;
}

QWidget* HangDialog::buildButtons()
{
    auto* row = new QWidget(this);
    auto* buttons = new QHBoxLayout(row);
    buttons->setContentsMargins(0, 0, 0, 0);
    m_again = new QPushButton(tr("Look again"), row);
    m_cancel = new QPushButton(tr("Cancel the inspection"), row);
    m_copy = new QPushButton(tr("Copy as text"), row);
    auto* close = new QPushButton(tr("Close"), row);
    for (QPushButton* button : {m_again, m_cancel, m_copy, close})
        button->setAutoDefault(false);
    buttons->addWidget(m_again);
    buttons->addWidget(m_cancel);
    buttons->addStretch(1);
    buttons->addWidget(m_copy);
    buttons->addWidget(close);
    connect(m_again, &QPushButton::clicked, this, &HangDialog::hangInspectionRequested);
    connect(m_cancel, &QPushButton::clicked, this, &HangDialog::cancelRequested);
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    return row;
}

void HangDialog::showSubject(const QString& job, const QString& cluster, const QString& title)
{
    m_title->setText(title);
    if (job == m_job && cluster == m_cluster && !job.isEmpty())
        return;
    m_job = job;
    m_cluster = cluster;
    m_at = {};
    m_verdict = {};
    m_links.clear();
    m_table.setRows({});
    m_lanes->setVerdict({});
    m_sentence->clear();
    m_sentence->hide();
    m_proof->hide();
    m_parts->hide();
    m_trouble->hide();
    sayState(tr("Its ranks are inspected twice, a few seconds apart, without disturbing the job."));
    setInspecting(false);
}

/// Of the inspection, and of the answer shown below.
void HangDialog::sayState(const QString& text)
{
    const bool isOlder = m_isInspecting && m_at.isValid();
    m_state->setText(
        isOlder ? text + u' ' + tr("Below: what was seen at %1.").arg(m_at.time().toString(u"HH:mm:ss"_s)) : text);
}

void HangDialog::setInspecting(bool isInspecting)
{
    const bool hadFocus = m_again->hasFocus() || m_cancel->hasFocus();
    m_isInspecting = isInspecting;
    m_progress->setVisible(isInspecting);
    m_again->setVisible(!isInspecting);
    m_cancel->setVisible(isInspecting);
    m_copy->setEnabled(m_at.isValid());
    if (hadFocus)
        (isInspecting ? m_cancel : m_again)->setFocus();
    setWhyNot(m_whyNot);
}

void HangDialog::showInspecting(double seconds, qsizetype nodes)
{
    if (!m_isInspecting) {
        m_trouble->hide();
        setInspecting(true);
    }
    m_progress->setValue(qMin(usualMs * 19 / 20, int(seconds * 1000)));
    const QString what = nodes > 0 ? tr("Inspecting the ranks on %1, twice").arg(nodesText(nodes))
                                   : tr("Asking Slurm for the job's nodes");
    sayState(tr("%1 … %2.").arg(what, tr("%1\u2009s").arg(int(seconds))));
}

void HangDialog::showAnswer(const HangVerdict& verdict, const QDateTime& at)
{
    const bool isFirst = !m_at.isValid();
    m_verdict = verdict;
    m_at = at;
    m_links = hangLinks(verdict);
    setInspecting(false);
    m_trouble->hide();
    m_proof->hide();
    sayState(tr("Inspected at %1; it took %2.").arg(at.time().toString(u"HH:mm:ss"_s), secondsText(verdict.seconds)));
    m_sentence->setText(linked(verdict.sentence, m_links));
    m_sentence->setAccessibleName(harmlessText(verdict.sentence));
    m_sentence->show();
    m_lanes->setVerdict(verdict);
    m_table.setRows(verdict.rows);
    if (isFirst)
        fitColumns();
    m_parts->setVisible(!verdict.rows.isEmpty() || !verdict.notes.isEmpty());
    const QStringList helpful = verdict.notes + hangAdvice(verdict);
    m_notes->setPlainText(
        helpful.isEmpty() ? tr("Everything that was asked for has arrived.") : harmlessText(helpful.join(u"\n"_s)));
    showChosen({});
    if (!verdict.rows.isEmpty())
        choose(0);
}

/// To what they hold; once for each job, so that widths that somebody chose stay. Where that is too much, the longest
/// texts are cut, and not the kernel's word at the end.
void HangDialog::fitColumns()
{
    const QAbstractItemView* view = m_ranks; // where sizeHintForColumn() is public
    const auto needed = [this, view](int column) {
        return qMax(view->sizeHintForColumn(column) + cellMargin, m_ranks->header()->sectionSizeHint(column));
    };
    std::array<int, rankColumnWidths.size()> widths{};
    int left = width() - sideMargins - needed(HangTable::Wait);
    for (size_t at = 0; at < widths.size(); ++at) {
        widths.at(at) = qMin(needed(int(at)), rankColumnWidths.at(at));
        left -= widths.at(at);
    }
    for (const int column : {int(HangTable::Collective), int(HangTable::Function), int(HangTable::Place)}) {
        int& width = widths.at(size_t(column));
        const int cut = qBound(0, -left, qMax(0, width - leastCutWidth));
        width -= cut;
        left += cut;
    }
    for (size_t at = 0; at < widths.size(); ++at)
        m_ranks->setColumnWidth(int(at), widths.at(at));
}

void HangDialog::showTrouble(const Error& why)
{
    setInspecting(false);
    QStringList parts{why.what};
    for (const QString& more : {why.detail, why.remedy}) {
        if (!more.isEmpty())
            parts.append(more);
    }
    m_trouble->setText(harmlessText(parts.join(u'\n')));
    m_trouble->show();
    sayState(m_at.isValid() ? tr("The inspection brought no result. Below: what was seen at %1.")
                                  .arg(m_at.time().toString(u"HH:mm:ss"_s))
                            : tr("The inspection brought no result."));
}

void HangDialog::showCancelled()
{
    setInspecting(false);
    sayState(m_at.isValid() ? tr("Cancelled. Below: what was seen at %1.").arg(m_at.time().toString(u"HH:mm:ss"_s))
                            : tr("Cancelled."));
}

void HangDialog::setWhyNot(const QString& why)
{
    m_whyNot = why;
    m_again->setEnabled(why.isEmpty() && !m_isInspecting);
    m_again->setToolTip(plainToolTip(why));
    m_again->setAccessibleDescription(why);
}

QString HangDialog::text() const
{
    return u"%1, %2\n%3"_s.arg(m_title->text(), m_at.toString(Qt::ISODate), hangText(m_verdict));
}

/// What the words rest on is said, and what they name is shown.
void HangDialog::follow(const QString& text)
{
    const qsizetype number = text.toLongLong();
    if (number < 0 || number >= m_links.size())
        return;
    const HangLink link = m_links.at(number);
    m_proof->setText(tr("Based on: %1.").arg(harmlessText(link.source)));
    m_proof->show();
    if (link.rows.isEmpty() || link.rows.first() >= m_verdict.rows.size())
        return;
    if (link.rows.size() > 1)
        chooseAll(link.rows);
    else
        choose(link.rows.first());
    if (link.to == HangLink::To::Gpu)
        pickGpu(link.rows.first());
    if (link.to == HangLink::To::Line)
        m_stack->setFocus();
    else
        m_ranks->scrollTo(m_ranks->currentIndex());
}

void HangDialog::choose(qsizetype row)
{
    const QModelIndex index = m_table.indexOf(row);
    m_ranks->setCurrentIndex(index);
    m_ranks->scrollTo(index);
}

/// The lines of the first level that stand for them: a fold stays closed.
void HangDialog::chooseAll(const QList<qsizetype>& rows)
{
    QList<int> lines;
    for (const qsizetype row : rows) {
        const QModelIndex index = m_table.indexOf(row);
        lines.append(index.parent().isValid() ? index.parent().row() : index.row());
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    QItemSelection chosen;
    for (const int line : std::as_const(lines))
        chosen.select(m_table.index(line, 0), m_table.index(line, HangTable::ColumnCount - 1));
    m_ranks->setCurrentIndex(m_table.index(lines.first(), 0));
    m_ranks->selectionModel()->select(chosen, QItemSelectionModel::ClearAndSelect);
}

void HangDialog::showChosen(const QModelIndex& index)
{
    const QList<qsizetype> ranks = m_table.ranksAt(index);
    m_stack->clear();
    m_lanes->setCurrent(ranks.size() == 1 ? std::optional(ranks.first()) : std::nullopt);
    if (ranks.isEmpty() || ranks.first() >= m_verdict.rows.size()) {
        m_stackTitle->setText(tr("Stack"));
        m_stack->setAccessibleName(tr("Stack"));
        return;
    }
    const HangRow& row = m_verdict.rows.at(ranks.first());
    const QString name = row.rank ? tr("rank %1").arg(*row.rank)
        : row.pid                 ? tr("process %1").arg(*row.pid)
                                  : tr("a process");
    const QString title
        = ranks.size() > 1 ? tr("Stack of %1, one of %2").arg(name).arg(ranks.size()) : tr("Stack of %1").arg(name);
    m_stackTitle->setText(title);
    m_stack->setAccessibleName(title);
    if (row.stack.isEmpty()) {
        m_stack->addItem(tr("Its Python stack was not reachable."));
        if (!row.last.isEmpty())
            m_stack->addItem(tr("The last that is known: it %1.").arg(harmlessLine(row.last)));
        return;
    }
    const QString place = row.line ? u"%1:%2)"_s.arg(row.file, QString::number(*row.line)) : QString();
    for (const QString& frame : row.stack) {
        m_stack->addItem(harmlessLine(frame));
        if (!place.isEmpty() && frame.endsWith(place) && m_stack->currentRow() < 0)
            m_stack->setCurrentRow(m_stack->count() - 1);
    }
}

void HangDialog::pickGpu(qsizetype row)
{
    const HangRow& picked = m_verdict.rows.at(row);
    if (!picked.node.isEmpty() && picked.gpu)
        emit gpuPicked(picked.node, *picked.gpu);
}

} // namespace rankwright
