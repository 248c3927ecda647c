// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/classroom/classmeter.h"
#include "app/window/classopener.h"
#include "app/window/launchfacts.h"
#include "models/teaching/classroom/classplace.h"
#include "models/teaching/classroom/classprogress.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace rankwright::inline cluster {
struct SubmitState;
} // namespace rankwright::inline cluster

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

class ClassConsentDialog;
class ClassPanel;
class ClassRuns;
class ClassSharer;
class ClusterSession;
class Connections;
class DesignPage;
class DocumentActions;
class Documents;
class JobLog;
class JobWatch;
class LaunchController;
class MainWindow;
class Settings;

/// The attendee's side of class files: has one opened (ClassOpener), and puts its exercises into the design; holds the
/// class's limits as findings, puts back what the class sets, notes which jobs belong to which exercise and what is
/// seen of them, and, for those who agreed, their progress. Keeps where they are. Lives on the GUI thread.
class ClassController final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Design& design;
        DesignPage& page;
        Documents& documents;
        DocumentActions& actions;
        Connections& connections;
        LaunchController& launch;
        JobLog& log;
        Settings& settings;
        MainWindow& window;
        QString dataFolder;
    };
    explicit ClassController(const Parts& parts, QObject* parent = nullptr);
    ~ClassController() override;

    /// Opens a class file after asking; empty: asks for the file first.
    void open(const QString& path = {});
    /// One that came with the program; unknown names do nothing.
    void openShipped(const QString& name);
    /// A link "rankwright://class?...": a file's is opened after asking, an address is only shown.
    void openLink(const QString& link);
    /// Goes on with the class that was open last: silently where its file is the one that was agreed to and the design
    /// is still its exercise's, else by a message that offers it.
    void restore();
    /// The job that is watched: what is seen of it counts for its exercise. Null: none.
    void follow(JobWatch* watch, const QString& cluster);
    void leave();

    bool isActive() const { return m_file.has_value(); }
    const ClassFile* file() const { return m_file ? &*m_file : nullptr; }
    const ClassPlace& place() const { return m_place; }
    QList<CheckVerdict> verdicts() const { return m_verdicts; }
    /// What is noted for the teacher, if that was agreed to; while a class is open.
    ProgressLine presentLine() const;
    ClassPanel* panel() const; ///< null: no class is open
    ClassConsentDialog* question() const; ///< null: nothing is asked

signals:
    void designWanted(); ///< the Design page in front
    void courseChanged(const QString& title, const QString& acknowledgement); ///< both empty: none
    void termRequested(const QString& term, QWidget* at);
    void failed(const rankwright::Error& why);
    void classBegun();

private:
    void begin(const OpenedClass& opened, const AgreedSharing& sharing);
    void goOn(const OpenedClass& opened);
    void start(const OpenedClass& opened, const ClassPlace& place);
    void sayWhere(const ClassVerdict& verdict);
    void readQueues();
    void buildPanel();
    void goTo(int index);
    void apply(int index, const QString& label, const JobSpec& spec);
    void useRules();
    JobSpec withOwn(const JobSpec& spec) const;
    void handleDesign();
    void restoreFields();
    void handleSubmitted(const QString& job, const QString& cluster);
    void handleLaunch(const SubmitState& state, const QString& cluster); ///< what Slurm refused keeps an attendee, too
    void handleRecord(const JobRecord& record);
    void addReport(const RunFacts& seen);
    void followSession(ClusterSession* made);
    void fillFromWatch();
    void updateChecks();
    void foldScript();
    void showReservation();
    void savePlace();
    void setShares(bool shares);
    void beginSharing();
    void handleNoted(const ProgressLine& line);
    const ClassExercise& exercise() const { return m_file->exercises.at(m_place.index(*m_file)); }

    Parts m_parts;
    ClassOpener* m_opener;
    ClassRuns* m_runs;
    ClassSharer* m_sharer;
    std::optional<ClassFile> m_file; ///< empty: no class is open
    QString m_path;
    ClassPlace m_place;
    QHash<QString, JobSpec> m_designs; ///< of exercises that were left, by id
    QList<CheckVerdict> m_verdicts;
    QPointer<ClassPanel> m_panel;
    int m_begun = 0; ///< classes, in this run
    JobSpec m_lastSpec;
    bool m_putsBack = false;
    QPointer<JobWatch> m_watch;
    QString m_watchedExercise;
    ClassMeter m_meter;
    struct Asked {
        LaunchFacts facts;
        QString exercise;
    };
    std::optional<Asked> m_asked; ///< the newest launch on the class's cluster since it began
    QString m_stuckOn; ///< failure of the job that was watched
    QTimer m_minute; ///< the reservation's hours go by
    QTimer m_metering;
    QMetaObject::Connection m_followsDesign;
};

} // namespace rankwright
