// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/guiderehearsal.h"
#include "app/window/guideshelf.h"
#include "app/window/launchfacts.h"
#include "app/window/reportwaiter.h"
#include "models/cluster/remote/linkinfo.h"
#include "models/cluster/slurm/submitstate.h"
#include "models/teaching/guide/guidedesign.h"
#include "widgets/guide/guidecontent.h"

#include <QObject>
#include <QTimer>

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

class ClusterSession;
class Connections;
class DocumentActions;
class Documents;
class GuidePage;
class JobLog;
class JobWatch;
class LaunchController;

/// Leads through the guided first job: asks the design what its answers are, writes the chosen one into it as one
/// undo step, starts the practice cluster where that is chosen, launches once by the LaunchController, follows the job
/// and closes with what its report says. The result is an ordinary design. Leaving the page and coming back keeps the
/// step, and so does another start of the program, until the end was seen. Owns none of what it is given. Lives on the
/// GUI thread.
class GuideController final : public QObject {
    Q_OBJECT
public:
    /// What it works with; all must outlive it.
    struct Parts {
        Design& design;
        Documents& documents;
        DocumentActions& actions;
        Connections& connections;
        LaunchController& launch;
        JobLog& log;
        GuidePage& page;
    };
    GuideController(const Parts& parts, const QString& dataFolder, QObject* parent = nullptr);
    ~GuideController() override;

    /// Goes on where a guided job is under way or was left; else begins with a design of its own, after unsaved work
    /// was asked about.
    void begin();
    /// Begins with a design of its own in any case. The one that was left is kept aside until this one is launched.
    void beginNew();
    /// The same with a given design.
    void beginWith(const JobSpec& start);
    /// What a class prescribes now, asked with every question: while it does, begin() leads through the design as it
    /// is.
    void setSettled(const std::function<std::optional<GuideSettled>()>& settled) { m_settled = settled; }
    /// Clusters that were connected to before, newest first: asked for when the first step is shown.
    void setKnownClusters(const std::function<QStringList()>& known) { m_knownClusters = known; }

    /// Where the guide's place is saved between runs. In a class the class file's place is saved instead.
    void setShelf(const GuideShelf& shelf) { m_shelf = shelf; }
    /// What was left, in this run or an earlier one, and what resume() goes on with.
    std::optional<GuidePlace> kept() const { return m_shelf.toGoOn(); }
    /// The same, and where the one is that is under way. Empty: nothing was answered yet, or its end was seen.
    std::optional<GuidePlace> left() const;
    /// Goes on there, once unsaved work of another design was asked about; a job that was launched is asked after.
    void resume();
    /// What is kept is not offered again.
    void dismiss();
    /// The one that was set aside by beginNew().
    std::optional<GuidePlace> earlier() const { return m_shelf.aside(isUnderWay()); }
    void resumeEarlier(); ///< and sets the present one aside in its place
    void dismissEarlier();

    GuideStep step() const { return m_step; }
    const JobId& job() const { return m_job; }
    const JobRecord& record() const { return m_record; }
    bool isReported() const { return m_report.has_value(); } ///< the closing sentences come from a report

signals:
    void asideChanged(); ///< what earlier() is
    void pageWanted(); ///< the guide's page is to be shown
    void designWanted();
    void liveWanted(const QString& job, const QString& cluster);
    void reportWanted(const QString& job, const QString& cluster);
    void jobsWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void connectPage();
    void follow(ClusterSession* made);
    void followJob();
    void beginHere(const QString& settledBy);
    std::optional<GuideSettled> settled() const { return m_settled ? m_settled() : std::nullopt; }
    void reset();
    void goBackTo(const GuidePlace& place);
    void goOnAt(const GuidePlace& place);
    GuidePlace place() const;
    void save();
    void saveNow();
    void saveForAnother();
    void goTo(GuideStep step);
    void goOn();
    void leaveWhere();
    void launch();
    void choose(GuideStep step, const QString& id);
    void enterField(const FieldPath& field, const QString& text);
    void stop();
    void handleLink(const LinkInfo& link);
    void handleSubmit(const SubmitState& state, const QString& cluster);
    void handleSubmitted(const JobId& job, const QString& cluster);
    void handleRecord(const JobRecord& record);
    void setReport(const EfficiencyReport& report);
    bool isReportPending() const { return m_waiter.isPending() && !m_report; } ///< nothing of it is there yet
    void refresh();
    GuideContext context() const;
    GuideContent content() const;
    void askSlurm();
    GuideSurroundings surroundings() const;
    void addLaunch(GuideContent& content, const GuideContext& context) const;
    void addWaiting(GuideContent& content, const GuideContext& context) const;
    void addWatch(GuideContent& content) const;
    bool isUnderWay() const { return m_isBegun && m_settledBy.isEmpty(); } ///< and not within a class
    bool isPractice() const;
    bool isOnline() const;
    bool isLaunched() const; ///< the job that was launched is of this very design

    Design& m_design;
    Documents& m_documents;
    DocumentActions& m_actions;
    Connections& m_connections;
    LaunchController& m_launch;
    JobLog& m_log;
    GuidePage& m_page;
    ReportWaiter m_waiter;
    GuideRehearsal m_rehearsal;
    std::function<QStringList()> m_knownClusters;
    GuideShelf m_shelf;
    QTimer m_keeping; ///< in the next turn: by then it is known whether the design is still the guide's
    bool m_isSeen = false; ///< how it ended, and so it is finished
    GuideStep m_step = GuideStep::Where;
    GuideStep m_reached = GuideStep::Where;
    bool m_isBegun = false;
    std::function<std::optional<GuideSettled>()> m_settled;
    QString m_settledBy; ///< the class that prescribes this guide's design; empty: none
    QHash<QString, LinkInfo> m_links; ///< by cluster, as last reported
    bool m_isWaiting = false; ///< for the cluster, before the second step
    QString m_failure; ///< why the cluster did not come; empty: it was not tried, or came
    struct Refused {
        FieldPath field;
        QString text;
        QString why;
    };
    std::optional<Refused> m_refused; ///< what was entered last and could not be taken
    SubmitState m_submit;
    std::optional<LaunchFacts> m_asked; ///< the launch from this page that is under way
    LaunchFacts m_launched; ///< of the job
    JobId m_job;
    JobRecord m_record;
    std::optional<EfficiencyReport> m_report;
    QTimer m_clock; ///< "has been running for"
    QList<QMetaObject::Connection> m_following;
};

} // namespace rankwright
