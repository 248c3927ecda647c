// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobfile/jobfile.h"

#include <QObject>
#include <QPointer>

class QDialog;

namespace rankwright {

class DocumentActions;
class JobFileView;
class LiveController;
class MainWindow;
class ReportController;
class Settings;

/// Opens job files of others: reads them on another thread, says in one sentence why one is refused, shows its job on
/// the Live page and, in a window of its own, what is in it. Its design becomes a new document when that is asked for.
/// Nothing else of it comes into what is the user's own. Owns no file: the Live page's controller keeps it.
class JobFileOpener final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        LiveController& live;
        ReportController& reports;
        DocumentActions& actions;
        Settings& settings; ///< has the list of recent files
        MainWindow& window;
    };
    explicit JobFileOpener(const Parts& parts, QObject* parent = nullptr);
    ~JobFileOpener() override;

    /// Empty: asks for the file first.
    void open(const QString& path);
    /// What is in the file that is shown; null: it was not asked for.
    const JobFileView* contents() const;

private:
    void askFile();
    void show(const std::shared_ptr<const JobFile>& file);
    void showContents();
    void openDesign();
    void refuse(const Error& why);

    Parts m_parts;
    QPointer<QDialog> m_dialog;
    int m_asked = 0; ///< files that were asked for; the last one counts
    bool m_isReading = false; ///< the file asked for last
};

} // namespace rankwright
