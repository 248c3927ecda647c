// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/palettesources.h"

#include <QObject>

#include <functional>
#include <memory>

namespace rankwright::inline cluster {
struct Catalogue;
} // namespace rankwright::inline cluster

namespace rankwright::inline script {
class Design;
} // namespace rankwright::inline script

namespace rankwright {

class ClusterSession;
class Connections;
class FilesController;
class ForwardController;
class HangController;
class LiveController;
class LoginHelperController;
class MainWindow;
class SentController;
class Settings;
class UnseenPause;

/// What concerns a cluster itself rather than a job's figures, made and joined with the window: the first-login helper,
/// ports and shells of a job's nodes, looks at its ranks, files both ways, what was sent, slower polling while the
/// window is not visible. Owns their controllers.
class ClusterAccess final : public QObject {
    Q_OBJECT
public:
    /// All outlive it.
    struct Parts {
        const Catalogue& catalogue;
        const Design& design; ///< its cluster's files are meant
        Connections& connections;
        LiveController& live;
        Settings& settings;
        MainWindow& window;
        QString dataFolder;
        std::function<bool()> hasTray; ///< the tray shows queues while the window is hidden
    };
    explicit ClusterAccess(const Parts& parts, QObject* parent = nullptr);
    ~ClusterAccess() override;

    ForwardController& reach() { return *m_reach; }
    LoginHelperController& loginHelper() { return *m_loginHelper; }
    HangController& hang() { return *m_hang; }
    FilesController& files() { return *m_files; }
    SentController& sent() { return *m_sent; }
    const UnseenPause& unseen() const { return *m_unseen; }
    /// What the command palette offers for the job that the Live page shows.
    QList<PaletteCommand> shownJobCommands();

private:
    void wireFiles();
    using Step = std::function<void(ClusterSession& session)>;
    /// At once where the cluster is connected; else a message offers to connect, and then goes on.
    void whenConnected(const QString& cluster, const Step& then);
    void fetchResults(const JobRecord& job, const QString& cluster);

    Parts m_parts;
    std::unique_ptr<UnseenPause> m_unseen;
    std::unique_ptr<LoginHelperController> m_loginHelper;
    std::unique_ptr<ForwardController> m_reach;
    std::unique_ptr<HangController> m_hang;
    std::unique_ptr<FilesController> m_files;
    std::unique_ptr<SentController> m_sent;
    QString m_awaited; ///< the cluster that is being connected for m_next
    Step m_next;
};

} // namespace rankwright
