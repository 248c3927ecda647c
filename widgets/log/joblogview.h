// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/log/logpiece.h"
#include "models/insight/progress/logline.h"
#include "widgets/log/offeredchange.h"

#include <QWidget>

#include <set>

namespace rankwright {

class DiagnosisStrip;
class JobLogControls;
class LogChoice;
class LogPane;
class LogSearchPanel;

/// A job's output: why it failed (when that is known), the newest lines (bounded), all files merged or one of them, one
/// rank or two side by side, errors only, searched, followed. What is not here is asked for by signals: earlier parts
/// when one scrolls up, the surroundings of a place, a search through the whole file. Its controls are a widget of
/// their own, so that a card can put them into its head.
class JobLogView final : public QWidget {
    Q_OBJECT
public:
    static constexpr int maxLines = 8000;

    explicit JobLogView(QWidget* parent = nullptr);

    void clear();
    void append(const QList<LogLine>& lines);
    /// The files there are; with more than one, each can be chosen.
    void setFiles(const QList<LogFileName>& files);
    /// Ranks that can be chosen, also those of which no line is shown (any more).
    void addRanks(const std::set<int>& ranks);
    void showPiece(const LogPiece& piece);
    void showDiagnoses(const QList<Diagnosis>& diagnoses);
    /// Beside them; empty: nothing is offered.
    void showChange(const std::optional<OfferedChange>& change);
    /// Why the job failed is elsewhere on the page: here only the way to the line that says it.
    void setCauseReportedElsewhere(bool elsewhere);
    /// Classes of the failures whose line can be shown.
    QStringList causes() const;
    /// Shows the line that says so; nothing when it is not known.
    void showCause(const QString& kind);
    /// Placeholder text while there are no lines.
    void setEmptyText(const QString& text);
    void setLineNumbers(bool on);
    /// As LogPane.
    void setLinesBefore(int file, qint64 readFrom, qint64 lines);
    void addHits(const QList<LogHit>& hits);
    void showSearch(const LogSearchState& state);
    /// Only this rank's lines (and those without a rank); empty: all.
    void setRankFilter(std::optional<int> rank);
    std::optional<int> rankFilter() const;
    void setErrorsOnly(bool on);
    /// Two panes, the second with a choice of its own.
    void setSplit(bool on);
    bool isFollowing() const;
    /// The lines shown do not reach the newest: new output is not added to them.
    bool isDetached() const { return m_detached; }
    QWidget* controls() const; ///< JobLogControls
    /// In the order of the keyboard.
    QList<QWidget*> tabStops() const;
    QString shownText() const;
    QString secondText() const;
    qsizetype lineCount() const { return m_lines.size(); }
    QStringList newestLines(int count) const;

signals:
    void beforeWanted(int file, qint64 offset);
    void behindWanted(int file, qint64 offset);
    void latestWanted(int file);
    void aroundWanted(int file, qint64 offset);
    void searchWanted(int file, const rankwright::LogQuery& query);
    void searchCancelled();
    void patternWanted();
    void changeWanted(); ///< the one that is offered is to be written into the design
    void lineNumbersToggled(bool on);

private:
    void buildPanes();
    void wireControls();
    void showSplit(bool on);
    void rebuild();
    void offerChoices();
    bool passesChoice(const LogLine& line, const LogChoice& choice) const;
    QList<LogLine> chosen(const LogChoice& choice) const;
    void storeLine(const LogLine& line);
    void trimEnd();
    void scrollToEnd();
    void scrolled(int value);
    void jumpTo(int file, qint64 offset);
    std::optional<int> onlyFile() const;

    QList<LogLine> m_lines;
    QList<LogFileName> m_files;
    std::set<int> m_ranks;
    JobLogControls* m_controls = nullptr;
    LogChoice* m_second = nullptr;
    DiagnosisStrip* m_cause = nullptr;
    LogPane* m_pane = nullptr;
    QWidget* m_secondSide = nullptr;
    LogPane* m_secondPane = nullptr;
    LogSearchPanel* m_hits = nullptr;
    bool m_moving = false; ///< we scroll, not the user
    bool m_detached = false;
    bool m_asked = false; ///< a piece is on its way
    qint64 m_end = 0; ///< of a detached piece
};

} // namespace rankwright
