// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/linkinfo.h"
#include "models/planner/templates/designtemplates.h"
#include "models/planner/templates/recentdesign.h"
#include "widgets/welcome/welcomevalues.h"

#include <QElapsedTimer>
#include <QObject>

#include <functional>
#include <optional>

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

class Connections;
class DocumentActions;
class Documents;
class MainWindow;
class Settings;
class WelcomePage;

/// Fills the Welcome page and does what is chosen there: recent designs and templates are read on another thread when
/// the page is shown, so that the start does not wait for them. Says what became of unsaved work. Remembers that a
/// person has been past the page.
class WelcomeController final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Design& design;
        Documents& documents;
        DocumentActions& actions;
        Settings& settings;
        Connections& connections;
        MainWindow& window;
        QString dataFolder;
    };
    WelcomeController(WelcomePage& page, const Parts& parts, QObject* parent = nullptr);

    /// What the guided first job is: its steps, and minutes that it usually takes.
    void setGuide(int steps, int minutes);
    /// A guided job that was left: its step, counted from 1, and that step's name.
    struct GuideLeft {
        int step = 0;
        QString name;
    };
    using AskGuide = std::function<std::optional<GuideLeft>()>;
    /// Asked by noteStart(), once it is known whose draft this window's is, and whenever the page is shown; empty:
    /// none. `earlier` is one that was left for that one.
    void setGuideLeft(const AskGuide& left, const AskGuide& earlier)
    {
        m_guideLeft = left;
        m_earlierLeft = earlier;
    }
    /// The user has never left the page.
    bool isFirstStart() const;
    /// Takes up what Documents::restoreAutosave() did, and unsaved work that waits for a window of its own.
    void noteStart();
    /// Begins with a template, for the design's cluster. Unsaved work is asked about.
    void begin(const QString& templateId);
    /// Starts one more window on the same data.
    void openAnotherWindow();

signals:
    void guideResumed(); ///< on with the one that was left
    void guideRestarted(); ///< and that one is kept
    void guideDismissed(); ///< it is not to be offered again
    void earlierResumed();
    void earlierDismissed();

private:
    struct Contents {
        QList<RecentDesign> designs;
        QList<DesignTemplate> templates;
    };
    void wirePage();
    void read();
    void removeDesign(const QString& path);
    void followNote(const QString& note);
    void dropNote(const QString& id);
    void noteGuide();
    void chooseJob();
    void markWelcomed();
    void showFacts();
    void timePractice(const LinkInfo& link);

    WelcomePage& m_page;
    Parts m_parts;
    WelcomeFacts m_facts;
    AskGuide m_guideLeft;
    AskGuide m_earlierLeft;
    QList<WelcomeNote> m_notes;
    QElapsedTimer m_practice; ///< since it began to start
    bool m_practiceStarts = false;
    bool m_seen = false; ///< the page was shown in this run
    int m_asked = 0; ///< what was read last
};

} // namespace rankwright
