// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>

#include <memory>
#include <optional>
#include <utility>

class QSettings;

namespace rankwright {

/// How a user reached a cluster last, without any secret: offered again in the connect dialog.
struct SavedLogin {
    QString host;
    int port = 22;
    QString user;
    QString identity; ///< path of a key file, never its passphrase
    QString jump;
    bool operator==(const SavedLogin&) const = default;
};

/// Typed settings in one file of the data folder; the only user of QSettings. Holds no secret, and nothing that must
/// survive a crash (that is the database's). Lives on the GUI thread.
class Settings final : public QObject {
    Q_OBJECT
public:
    explicit Settings(const QString& dataFolder, QObject* parent = nullptr);
    ~Settings() override;

    QString theme() const; ///< a name of Theme::Mode; empty: none is kept
    void setTheme(const QString& theme);
    QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray& geometry);
    QByteArray windowState() const;
    void setWindowState(const QByteArray& state);
    /// Sections of the design form that are unfolded, and whether the script is put into a tab.
    QStringList openSections() const;
    void setOpenSections(const QStringList& names);
    bool stillPictures() const; ///< reduced motion: nothing moves by itself
    void setStillPictures(bool still);
    /// Whether the desktop is notified of news of jobs; off at first.
    bool notificationsWanted() const;
    void setNotificationsWanted(bool wanted);
    bool scriptFolded() const;
    void setScriptFolded(bool folded);
    QStringList recentDesigns() const; ///< paths, newest first
    void addRecentDesign(const QString& path);
    /// False: it was not listed.
    bool removeRecentDesign(const QString& path);
    void setRecentDesigns(const QStringList& paths); ///< newest first, the first ten are kept
    QStringList recentClusters() const; ///< that were connected to, newest first
    void addRecentCluster(const QString& cluster);
    std::optional<SavedLogin> login(const QString& cluster) const;
    void setLogin(const QString& cluster, const SavedLogin& login);
    /// Regular expressions that read progress from programs not known here (UserPattern).
    QStringList userPatterns() const;
    void setProgressPatterns(const QStringList& expressions);
    /// Whether a job's output is shown with the numbers of its lines; at first it is.
    bool lineNumbers() const;
    void setLineNumbers(bool on);
    /// Whether estimates are corrected by the user's own measured runs; at first they are.
    bool ownRunsUsed() const;
    void setOwnRunsUsed(bool on);
    /// Whether this person has been past the Welcome page once; at first not.
    bool welcomed() const;
    void setWelcomed(bool past);
    /// How long the practice cluster took to start here, last time; empty: it was not started yet.
    std::optional<int> practiceSeconds() const;
    void setPracticeSeconds(int seconds);
    /// What was run from the command palette, by its ids, the latest first.
    QStringList paletteUses() const;
    void addPaletteUse(const QString& id);
    /// Where this person is in a class (writePlace), by the class's key; empty: never begun.
    QByteArray classPlace(const QString& key) const;
    void setClassPlace(const QString& key, const QByteArray& place);
    /// The class file that was open last in the window of this draft, to go on with, and the digest of what a person
    /// agreed to (classDigest); empty: none, or it was left.
    QString openClass(int draft = 1) const;
    QString agreedClass(int draft = 1) const;
    void setOpenClass(const QString& path, const QString& digest, int draft = 1);
    /// Where this person is in the guided first job in the window of this draft (writeGuidePlace); empty: nowhere, or
    /// it is finished.
    QByteArray guidePlace(int draft = 1) const;
    void setGuidePlace(const QByteArray& place, int draft = 1);
    /// File that an autosaved design belongs to, by the number of its draft; empty: never saved.
    QString autosavedPath(int draft = 1) const;
    void setAutosavedPath(const QString& path, int draft = 1);

    /// Whether rankwright-cli uses an ssh connection that the user has open already ("connection/useControlMaster",
    /// auto or never); at first it does.
    bool controlMasterUsed() const;
    void setControlMasterUsed(bool on);

    /// The terminal program that shells are opened in, as its user wrote it; empty: whichever is found.
    QString terminal() const;
    void setTerminal(const QString& line);

    /// Whether commands start a connection agent where none runs; at first they do not.
    bool keeperWanted() const;
    void setKeeperWanted(bool wanted);
    /// After how many minutes without use an agent ends, with its connections; at least one. At first eight hours.
    int keeperIdleMinutes() const;
    void setKeeperIdleMinutes(int minutes);

private:
    std::unique_ptr<QSettings> m_store;
};

} // namespace rankwright
