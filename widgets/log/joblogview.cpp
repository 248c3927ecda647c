// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/joblogview.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/theme.h"
#include "widgets/log/diagnosisstrip.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logsearchpanel.h"

#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int fileRole = Qt::UserRole + 1; // an item of the choice is a rank (UserRole) or a file

} // namespace

JobLogView::JobLogView(QWidget* parent) : QWidget(parent)
{
    buildPanes();
    buildControls();
    fillChoices();
    setFocusProxy(m_pane);
    setMinimumSize(220, 110);
    connect(m_pane->verticalScrollBar(), &QScrollBar::valueChanged, this, &JobLogView::scrolled);
    // The colours of lines already written belong to the old theme.
    connect(&themeOf(this), &Theme::changed, this, [this] { rebuild(); });
    connect(m_cause, &DiagnosisStrip::evidenceClicked, this,
        [this](const Diagnosis& diagnosis) { jumpTo(diagnosis.file, diagnosis.offset); });
    connect(m_hits, &LogSearchPanel::hitChosen, this, [this](const LogHit& hit) { jumpTo(hit.file, hit.offset); });
    connect(m_hits, &LogSearchPanel::cancelled, this, &JobLogView::searchCancelled);
}

void JobLogView::clear()
{
    m_lines.clear();
    m_ranks.clear();
    m_files.clear();
    m_detached = m_asked = false;
    m_cause->show({});
    m_cause->setBrief(false);
    m_pane->forgetNumbers();
    m_secondPane->forgetNumbers();
    setEmptyText(tr("No output yet."));
    m_hits->hide();
    m_errors->setChecked(false);
    m_split->setChecked(false);
    m_filter->setCurrentIndex(0);
    fillChoices();
    m_follow->setChecked(true);
    rebuild();
}

void JobLogView::append(const QList<LogLine>& lines)
{
    if (m_detached)
        return; // another part is looked at; what comes now is fetched when one returns
    QList<LogLine> shown, second;
    for (const LogLine& line : lines) {
        keep(line);
        if (passes(line, m_filter))
            shown.append(line);
        if (m_split->isChecked() && passes(line, m_second))
            second.append(line);
    }
    const int place = m_pane->verticalScrollBar()->value();
    m_moving = true;
    if (!shown.isEmpty())
        m_pane->append(shown);
    if (!second.isEmpty())
        m_secondPane->append(second);
    if (!m_follow->isChecked())
        m_pane->verticalScrollBar()->setValue(place);
    m_moving = false;
    if (m_follow->isChecked())
        scrollToEnd();
}

void JobLogView::keep(const LogLine& line)
{
    const bool renews = line.isProgress && !m_lines.isEmpty() && m_lines.last().isProgress
        && m_lines.last().rank == line.rank && m_lines.last().file == line.file;
    if (renews)
        m_lines.last() = line;
    else
        m_lines.append(line);
    if (m_lines.size() > maxLines)
        m_lines.remove(0, m_lines.size() - maxLines);
    if (line.rank && m_ranks.insert(*line.rank).second)
        fillChoices();
}

void JobLogView::setFiles(const QList<LogFileName>& files)
{
    if (files == m_files)
        return;
    m_files = files;
    m_pane->setMarksFiles(files.size() > 1);
    m_secondPane->setMarksFiles(files.size() > 1);
    fillChoices();
}

void JobLogView::fillChoices()
{
    for (QComboBox* choice : {m_filter, m_second}) {
        const QSignalBlocker blocker(choice);
        const QVariant rank = choice->currentData();
        const QVariant file = choice->currentData(fileRole);
        choice->clear();
        choice->addItem(m_files.size() > 1 ? tr("all files") : tr("all ranks"));
        for (const LogFileName& name : std::as_const(m_files)) {
            if (m_files.size() < 2)
                break;
            choice->addItem(name.name);
            choice->setItemData(choice->count() - 1, name.file, fileRole);
            choice->setItemData(choice->count() - 1, name.path, Qt::ToolTipRole);
        }
        for (const int number : m_ranks)
            choice->addItem(tr("rank %1").arg(number), number);
        const int place = rank.isValid() ? choice->findData(rank)
            : file.isValid()             ? choice->findData(file, fileRole)
                                         : 0;
        choice->setCurrentIndex(qMax(0, place));
    }
}

std::optional<int> JobLogView::rankFilter() const
{
    const QVariant rank = m_filter->currentData();
    return rank.isValid() ? std::optional(rank.toInt()) : std::nullopt;
}

void JobLogView::setRankFilter(std::optional<int> rank)
{
    m_filter->setCurrentIndex(rank ? qMax(0, m_filter->findData(*rank)) : 0);
}

void JobLogView::setErrorsOnly(bool on) { m_errors->setChecked(on); }

void JobLogView::setSplit(bool on) { m_split->setChecked(on); }

bool JobLogView::isFollowing() const { return m_follow->isChecked(); }

QList<QWidget*> JobLogView::tabStops() const
{
    return {m_find, m_filter, m_errors, m_split, m_more, m_follow, m_pane, m_second, m_secondPane};
}

QString JobLogView::shownText() const { return m_pane->toPlainText(); }

QString JobLogView::secondText() const { return m_secondPane->toPlainText(); }

QStringList JobLogView::newestLines(int count) const
{
    QStringList lines;
    for (const LogLine& line : m_lines.mid(qMax<qsizetype>(0, m_lines.size() - count)))
        lines.append(line.text);
    return lines;
}

bool JobLogView::passes(const LogLine& line, const QComboBox* choice) const
{
    if (m_errors->isChecked() && !line.isError && !line.isNote)
        return false;
    const QVariant file = choice->currentData(fileRole);
    if (file.isValid())
        return line.file == file.toInt();
    const QVariant rank = choice->currentData();
    return !rank.isValid() || !line.rank || line.rank == rank.toInt();
}

QList<LogLine> JobLogView::chosen(const QComboBox* choice) const
{
    QList<LogLine> shown;
    for (const LogLine& line : m_lines) {
        if (passes(line, choice))
            shown.append(line);
    }
    return shown;
}

void JobLogView::rebuild()
{
    m_moving = true;
    m_pane->setLines(chosen(m_filter));
    m_secondPane->setLines(m_split->isChecked() ? chosen(m_second) : QList<LogLine>());
    m_moving = false;
    if (m_follow->isChecked())
        scrollToEnd();
}

void JobLogView::scrollToEnd()
{
    m_moving = true;
    for (LogPane* pane : {m_pane, m_secondPane})
        pane->verticalScrollBar()->setValue(pane->verticalScrollBar()->maximum());
    m_moving = false;
}

/// The file that is shown alone; with several of them merged there is no "before".
std::optional<int> JobLogView::onlyFile() const
{
    const QVariant file = m_filter->currentData(fileRole);
    if (file.isValid())
        return file.toInt();
    return m_files.size() == 1 ? std::optional(m_files.first().file) : std::nullopt;
}

void JobLogView::scrolled(int value)
{
    if (m_moving)
        return;
    const bool atEnd = value >= m_pane->verticalScrollBar()->maximum();
    m_follow->setChecked(atEnd && !m_detached);
    const auto file = onlyFile();
    if (!file || m_asked || m_lines.isEmpty())
        return;
    const auto isPlaced = [&](const LogLine& line) { return line.file == *file && line.offset >= 0 && !line.isNote; };
    if (value == 0 && m_pane->verticalScrollBar()->maximum() > 0) {
        const auto first = std::find_if(m_lines.cbegin(), m_lines.cend(), isPlaced);
        if (first == m_lines.cend() || first->offset == 0)
            return;
        m_asked = true;
        emit beforeWanted(*file, first->offset);
    } else if (atEnd && m_detached) {
        m_asked = true;
        emit behindWanted(*file, m_end);
    }
}

void JobLogView::showPiece(const LogPiece& piece)
{
    m_asked = false;
    const auto top = m_pane->topPlace();
    const auto isOther = [&](const LogLine& line) { return line.file != piece.file || line.isNote; };
    if (piece.place == LogPiece::Place::Instead) {
        m_lines = piece.lines;
    } else {
        // only this file has a before and a behind
        m_lines.removeIf(isOther);
        m_lines = piece.place == LogPiece::Place::Before ? piece.lines + m_lines : m_lines + piece.lines;
    }
    if (piece.place != LogPiece::Place::Before) {
        m_end = piece.end;
        m_detached = !piece.reachesEnd;
        if (m_lines.size() > maxLines)
            m_lines.remove(0, m_lines.size() - maxLines);
    } else {
        trimEnd();
    }
    for (const LogLine& line : piece.lines) {
        if (line.rank)
            m_ranks.insert(*line.rank);
    }
    fillChoices();
    m_follow->setChecked(piece.focus < 0 && piece.place == LogPiece::Place::Instead && piece.reachesEnd);
    rebuild();
    m_moving = true;
    if (piece.focus >= 0)
        m_pane->showOffset(piece.file, piece.focus);
    else if (top && !m_follow->isChecked())
        m_pane->scrollToPlace(top->first, top->second);
    m_moving = false;
}

/// What is far from where one reads is forgotten; it is fetched again when one comes back.
void JobLogView::trimEnd()
{
    if (m_lines.size() <= maxLines)
        return;
    m_end = m_lines.at(maxLines).offset;
    m_lines.resize(maxLines);
    m_detached = true;
}

void JobLogView::jumpTo(int file, qint64 offset)
{
    if (offset < 0)
        return;
    m_follow->setChecked(false);
    m_errors->setChecked(false);
    if (m_files.size() > 1) {
        const int place = m_filter->findData(file, fileRole);
        if (place > 0)
            m_filter->setCurrentIndex(place);
    } else {
        m_filter->setCurrentIndex(0);
    }
    const auto isBefore = [&](const LogLine& line) {
        return line.file == file && !line.isNote && line.offset >= 0 && line.offset <= offset;
    };
    const bool isHere = std::any_of(m_lines.cbegin(), m_lines.cend(), isBefore) && !m_detached;
    m_moving = true;
    const bool shown = isHere && m_pane->showOffset(file, offset);
    m_moving = false;
    if (!shown)
        emit aroundWanted(file, offset);
}

void JobLogView::showDiagnoses(const QList<Diagnosis>& diagnoses) { m_cause->show(diagnoses); }

void JobLogView::setCauseReportedElsewhere(bool elsewhere) { m_cause->setBrief(elsewhere); }

QStringList JobLogView::causes() const
{
    QStringList kinds;
    for (const Diagnosis& diagnosis : m_cause->diagnoses()) {
        if (diagnosis.offset >= 0)
            kinds.append(diagnosis.kind);
    }
    return kinds;
}

void JobLogView::showCause(const QString& kind)
{
    const QList<Diagnosis> diagnoses = m_cause->diagnoses(); // jumping may bring others
    for (const Diagnosis& diagnosis : diagnoses) {
        if (diagnosis.kind == kind && diagnosis.offset >= 0) {
            jumpTo(diagnosis.file, diagnosis.offset);
            return;
        }
    }
}

void JobLogView::setEmptyText(const QString& text)
{
    m_pane->setPlaceholderText(text);
    m_secondPane->setPlaceholderText(text);
}

void JobLogView::setLineNumbers(bool on)
{
    m_numbers->setChecked(on);
    m_pane->setLineNumbers(on);
    m_secondPane->setLineNumbers(on);
}

void JobLogView::setLinesBefore(int file, qint64 readFrom, qint64 lines)
{
    m_pane->setLinesBefore(file, readFrom, lines);
    m_secondPane->setLinesBefore(file, readFrom, lines);
}

void JobLogView::addHits(const QList<LogHit>& hits) { m_hits->add(hits); }

void JobLogView::showSearch(const LogSearchState& state) { m_hits->show(state); }

void JobLogView::search(bool backward)
{
    const bool found = m_pane->findNext(m_find->text(), backward);
    setStyleProperty(m_find, "invalid", !found);
    m_find->setToolTip(found ? tr("Enter: next place, Shift+Enter: the one before, Ctrl+Enter: the whole file")
                             : tr("Not in the lines shown; Ctrl+Enter searches the whole file on the cluster"));
}

void JobLogView::searchAll()
{
    const QString text = m_find->text();
    if (text.isEmpty()) {
        m_find->setFocus();
        return;
    }
    const auto only = onlyFile();
    const int file = only ? *only : m_files.isEmpty() ? 0 : m_files.first().file;
    m_hits->begin(text);
    emit searchWanted(file, {text, m_isExpression, m_caseSensitive});
}

} // namespace rankwright
