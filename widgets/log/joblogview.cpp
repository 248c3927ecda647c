// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/joblogview.h"

#include "widgets/base/theme.h"
#include "widgets/log/diagnosisstrip.h"
#include "widgets/log/joblogcontrols.h"
#include "widgets/log/logchoice.h"
#include "widgets/log/logpane.h"
#include "widgets/log/logsearchpanel.h"

#include <QBoxLayout>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>

#include <algorithm>

namespace rankwright {

JobLogView::JobLogView(QWidget* parent) : QWidget(parent)
{
    buildPanes();
    m_controls = new JobLogControls(this);
    setFocusProxy(m_pane);
    setMinimumSize(220, 110);
    connect(m_pane->verticalScrollBar(), &QScrollBar::valueChanged, this, &JobLogView::scrolled);
    // The colours of lines already written belong to the old theme.
    connect(&themeOf(this), &Theme::changed, this, &JobLogView::rebuild);
    connect(m_cause, &DiagnosisStrip::evidenceClicked, this, [this](const Diagnosis& diagnosis) {
        if (diagnosis.offset)
            jumpTo(diagnosis.file, *diagnosis.offset);
    });
    connect(m_cause, &DiagnosisStrip::changeClicked, this, &JobLogView::changeWanted);
    connect(m_hits, &LogSearchPanel::hitChosen, this, [this](const LogHit& hit) { jumpTo(hit.file, hit.offset); });
    connect(m_hits, &LogSearchPanel::cancelled, this, &JobLogView::searchCancelled);
    connect(m_second, &QComboBox::currentIndexChanged, this, &JobLogView::rebuild);
    wireControls();
}

void JobLogView::buildPanes()
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_cause = new DiagnosisStrip(this);
    auto* panes = new QSplitter(Qt::Horizontal, this);
    panes->setChildrenCollapsible(false);
    m_pane = new LogPane(maxLines, panes);
    m_secondSide = new QWidget(panes);
    auto* side = new QVBoxLayout(m_secondSide);
    side->setContentsMargins(6, 0, 0, 0);
    side->setSpacing(4);
    m_second = new LogChoice(m_secondSide);
    m_second->setAccessibleName(tr("Lines of which rank or file, at the right"));
    m_secondPane = new LogPane(maxLines, m_secondSide);
    m_secondPane->setAccessibleName(tr("Output of the job, at the right"));
    side->addWidget(m_second);
    side->addWidget(m_secondPane, 1);
    m_secondSide->hide();
    m_hits = new LogSearchPanel(this);
    column->addWidget(m_cause);
    column->addWidget(panes, 3);
    column->addWidget(m_hits, 2);
}

void JobLogView::wireControls()
{
    connect(m_controls, &JobLogControls::filterChanged, this, &JobLogView::rebuild);
    connect(m_controls, &JobLogControls::splitToggled, this, &JobLogView::showSplit);
    connect(m_controls, &JobLogControls::followRequested, this, [this] {
        if (m_detached)
            emit latestWanted(onlyFile().value_or(m_lines.isEmpty() ? 0 : m_lines.last().file));
        scrollToEnd();
    });
    connect(
        m_controls, &JobLogControls::findRequested, this, [this](const QString& text, QTextDocument::FindFlags flags) {
            m_controls->showFound(m_pane->findNext(text, flags));
        });
    connect(m_controls, &JobLogControls::fileSearchRequested, this, [this](const LogQuery& query) {
        const auto only = onlyFile();
        m_hits->begin(query.text);
        emit searchWanted(only ? *only : m_files.isEmpty() ? 0 : m_files.first().file, query);
    });
    connect(m_controls, &JobLogControls::lineNumbersToggled, this, [this](bool on) {
        setLineNumbers(on);
        emit lineNumbersToggled(on);
    });
    connect(m_controls, &JobLogControls::patternWanted, this, &JobLogView::patternWanted);
    auto* find = new QShortcut(QKeySequence::Find, this);
    find->setContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QShortcut::activated, m_controls, &JobLogControls::focusFind);
}

void JobLogView::showSplit(bool on)
{
    m_secondSide->setVisible(on);
    const int first = m_controls->choice().currentIndex();
    if (on && m_second->currentIndex() == first && m_second->count() > 2)
        m_second->setCurrentIndex(first < 2 ? 2 : 1); // not the same twice
    rebuild();
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
    m_controls->setErrorsOnly(false);
    m_controls->setSplit(false);
    m_controls->choice().chooseAll();
    offerChoices();
    m_controls->setFollowing(true);
    rebuild();
}

void JobLogView::append(const QList<LogLine>& lines)
{
    if (m_detached)
        return; // another part is shown; what comes now is fetched on return
    QList<LogLine> shown, second;
    for (const LogLine& line : lines) {
        storeLine(line);
        if (passesChoice(line, m_controls->choice()))
            shown.append(line);
        if (m_controls->isSplit() && passesChoice(line, *m_second))
            second.append(line);
    }
    const int place = m_pane->verticalScrollBar()->value();
    m_moving = true;
    if (!shown.isEmpty())
        m_pane->append(shown);
    if (!second.isEmpty())
        m_secondPane->append(second);
    if (!m_controls->isFollowing())
        m_pane->verticalScrollBar()->setValue(place);
    m_moving = false;
    if (m_controls->isFollowing())
        scrollToEnd();
}

void JobLogView::storeLine(const LogLine& line)
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
        offerChoices();
}

void JobLogView::setFiles(const QList<LogFileName>& files)
{
    if (files == m_files)
        return;
    m_files = files;
    m_pane->setMarksFiles(files.size() > 1);
    m_secondPane->setMarksFiles(files.size() > 1);
    offerChoices();
}

void JobLogView::addRanks(const std::set<int>& ranks)
{
    m_ranks.insert(ranks.begin(), ranks.end());
    offerChoices();
}

void JobLogView::offerChoices()
{
    for (LogChoice* choice : {&m_controls->choice(), m_second})
        choice->offer(m_files, m_ranks);
}

QWidget* JobLogView::controls() const { return m_controls; }

std::optional<int> JobLogView::rankFilter() const { return m_controls->choice().rank(); }

void JobLogView::setRankFilter(std::optional<int> rank) { m_controls->choice().chooseRank(rank); }

void JobLogView::setErrorsOnly(bool on) { m_controls->setErrorsOnly(on); }

void JobLogView::setSplit(bool on) { m_controls->setSplit(on); }

bool JobLogView::isFollowing() const { return m_controls->isFollowing(); }

QList<QWidget*> JobLogView::tabStops() const
{
    return m_controls->tabStops() + QList<QWidget*>{m_pane, m_second, m_secondPane};
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

bool JobLogView::passesChoice(const LogLine& line, const LogChoice& choice) const
{
    return (!m_controls->isErrorsOnly() || line.isError || line.isNote) && choice.passes(line);
}

QList<LogLine> JobLogView::chosen(const LogChoice& choice) const
{
    QList<LogLine> shown;
    for (const LogLine& line : m_lines) {
        if (passesChoice(line, choice))
            shown.append(line);
    }
    return shown;
}

void JobLogView::rebuild()
{
    m_moving = true;
    m_pane->setLines(chosen(m_controls->choice()));
    m_secondPane->setLines(m_controls->isSplit() ? chosen(*m_second) : QList<LogLine>());
    m_moving = false;
    if (m_controls->isFollowing())
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
    if (const auto file = m_controls->choice().file())
        return file;
    return m_files.size() == 1 ? std::optional(m_files.first().file) : std::nullopt;
}

void JobLogView::scrolled(int value)
{
    if (m_moving)
        return;
    const bool atEnd = value >= m_pane->verticalScrollBar()->maximum();
    m_controls->setFollowing(atEnd && !m_detached);
    const auto file = onlyFile();
    if (!file || m_asked || m_lines.isEmpty())
        return;
    const auto isPlaced = [&](const LogLine& line) { return line.file == *file && line.offset && !line.isNote; };
    if (value == 0 && m_pane->verticalScrollBar()->maximum() > 0) {
        const auto first = std::find_if(m_lines.cbegin(), m_lines.cend(), isPlaced);
        if (first == m_lines.cend() || first->offset == 0)
            return;
        m_asked = true;
        emit beforeWanted(*file, *first->offset);
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
    offerChoices();
    m_controls->setFollowing(!piece.focus && piece.place == LogPiece::Place::Instead && piece.reachesEnd);
    rebuild();
    m_moving = true;
    if (piece.focus)
        m_pane->showOffset(piece.file, *piece.focus);
    else if (top && !m_controls->isFollowing())
        m_pane->scrollToPlace(top->first, top->second);
    m_moving = false;
}

/// What is far from where one reads is forgotten; it is fetched again when one comes back.
void JobLogView::trimEnd()
{
    if (m_lines.size() <= maxLines)
        return;
    m_end = m_lines.at(maxLines).offset.value_or(0);
    m_lines.resize(maxLines);
    m_detached = true;
}

void JobLogView::jumpTo(int file, qint64 offset)
{
    m_controls->setFollowing(false);
    m_controls->setErrorsOnly(false);
    if (m_files.size() > 1)
        m_controls->choice().chooseFile(file);
    else
        m_controls->choice().chooseAll();
    const auto isBefore = [&](const LogLine& line) {
        return line.file == file && !line.isNote && line.offset && *line.offset <= offset;
    };
    const bool isHere = std::any_of(m_lines.cbegin(), m_lines.cend(), isBefore) && !m_detached;
    m_moving = true;
    const bool shown = isHere && m_pane->showOffset(file, offset);
    m_moving = false;
    if (!shown)
        emit aroundWanted(file, offset);
}

void JobLogView::showDiagnoses(const QList<Diagnosis>& diagnoses) { m_cause->show(diagnoses); }

void JobLogView::showChange(const std::optional<OfferedChange>& change) { m_cause->offer(change); }

void JobLogView::setCauseReportedElsewhere(bool elsewhere) { m_cause->setBrief(elsewhere); }

QStringList JobLogView::causes() const
{
    QStringList kinds;
    for (const Diagnosis& diagnosis : m_cause->diagnoses()) {
        if (diagnosis.offset)
            kinds.append(diagnosis.kind);
    }
    return kinds;
}

void JobLogView::showCause(const QString& kind)
{
    const QList<Diagnosis> diagnoses = m_cause->diagnoses(); // jumping may bring others
    for (const Diagnosis& diagnosis : diagnoses) {
        if (diagnosis.kind == kind && diagnosis.offset) {
            jumpTo(diagnosis.file, *diagnosis.offset);
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
    m_controls->setLineNumbers(on);
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

} // namespace rankwright
