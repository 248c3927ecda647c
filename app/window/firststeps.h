// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <memory>

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright::inline tables {
class GpuGrid;
} // namespace rankwright::inline tables

namespace rankwright {

class ClassController;
class Connections;
class DocumentActions;
class Documents;
class GuideController;
class GuidePage;
class JobActions;
class JobLog;
class LaunchController;
class LiveController;
class MainWindow;
class Settings;
class TermGuide;
class WelcomeController;
class WelcomePage;

/// What leads newcomers, made and joined with the window: the Welcome page, the guided first job, words explained in
/// place, classes for attendees and for teachers. Owns their controllers; their pages belong to the window.
class FirstSteps final : public QObject {
    Q_OBJECT
public:
    /// All outlive it. A job that is launched is watched (JobActions) before it is heard of here.
    struct Parts {
        Design& design;
        Documents& documents;
        DocumentActions& actions;
        Connections& connections;
        LaunchController& launch;
        JobActions& jobActions;
        LiveController& live;
        JobLog& log;
        Settings& settings;
        GpuGrid& grid;
        MainWindow& window;
        QString dataFolder;
    };
    explicit FirstSteps(const Parts& parts, QObject* parent = nullptr);
    ~FirstSteps() override;

    GuideController& guide() { return *m_guide; }
    ClassController& classes() { return *m_classes; }
    TermGuide& terms() { return *m_terms; }
    WelcomeController& welcome() { return *m_welcome; }

    /// A class file or a link to one, given in the place of a design.
    static bool isClass(const QString& given);
    /// Opens the class that was given with the start; nothing given: goes on with the one of the last run.
    void beginClass(const QString& given);
    void showWelcome();
    /// The user has never left the Welcome page, or unsaved work or an unfinished guided job exists.
    bool wantsWelcome() const;

signals:
    void designWanted();
    void reportWanted(const QString& job, const QString& cluster);

private:
    void buildTerms();
    void buildGuide();
    void addGuidePictures(GuidePage& page);
    void buildWelcome();
    void sayWhatIsAside();
    void buildClasses();

    Parts m_parts;
    TermGuide* m_terms = nullptr; ///< of the window
    WelcomePage* m_welcomePage = nullptr; ///< of the window
    std::unique_ptr<GuideController> m_guide;
    std::unique_ptr<WelcomeController> m_welcome;
    std::unique_ptr<ClassController> m_classes;
};

} // namespace rankwright
