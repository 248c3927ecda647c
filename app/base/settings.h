// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>

#include <memory>
#include <optional>

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
    Q_DISABLE_COPY_MOVE(Settings)
public:
    explicit Settings(const QString& dataFolder, QObject* parent = nullptr);
    ~Settings() override;

    QString theme() const; ///< "system", "light" or "dark"
    void setTheme(const QString& theme);
    QByteArray windowGeometry() const;
    void setWindowGeometry(const QByteArray& geometry);
    QByteArray windowState() const;
    void setWindowState(const QByteArray& state);
    QStringList recentDesigns() const; ///< paths, newest first
    void addRecentDesign(const QString& path);
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
    /// File that an autosaved design belongs to, by the number of its draft; empty: never saved.
    QString autosavedPath(int draft = 1) const;
    void setAutosavedPath(const QString& path, int draft = 1);

private:
    std::unique_ptr<QSettings> m_store;
};

} // namespace rankwright
