// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"

#include <QDir>
#include <QSettings>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int keptRecent = 10;
constexpr qsizetype keptRecentClusters = 5;

/// A cluster's name is the user's own text; a slash in it would open a group.
QString loginGroup(const QString& cluster)
{
    return u"login/"_s + QString(cluster).replace(u'/', u'_').replace(u'\\', u'_');
}

QString autosavedKey(int draft) { return draft == 1 ? u"designs/autosaved"_s : u"designs/autosaved-%1"_s.arg(draft); }

} // namespace

Settings::Settings(const QString& dataFolder, QObject* parent)
    : QObject(parent),
      m_store(std::make_unique<QSettings>(QDir(dataFolder).filePath(u"settings.ini"_s), QSettings::IniFormat))
{ }

Settings::~Settings() = default;

QString Settings::theme() const
{
    const QString found = m_store->value(u"theme"_s).toString();
    return found == u"light"_s || found == u"dark"_s ? found : u"system"_s;
}

void Settings::setTheme(const QString& theme) { m_store->setValue(u"theme"_s, theme); }

QByteArray Settings::windowGeometry() const { return m_store->value(u"window/geometry"_s).toByteArray(); }
void Settings::setWindowGeometry(const QByteArray& geometry) { m_store->setValue(u"window/geometry"_s, geometry); }
QByteArray Settings::windowState() const { return m_store->value(u"window/state"_s).toByteArray(); }
void Settings::setWindowState(const QByteArray& state) { m_store->setValue(u"window/state"_s, state); }

QStringList Settings::userPatterns() const { return m_store->value(u"output/progressPatterns"_s).toStringList(); }
void Settings::setProgressPatterns(const QStringList& expressions)
{
    m_store->setValue(u"output/progressPatterns"_s, expressions);
}

QStringList Settings::recentDesigns() const { return m_store->value(u"designs/recent"_s).toStringList(); }

void Settings::addRecentDesign(const QString& path)
{
    QStringList paths = recentDesigns();
    if (!paths.isEmpty() && paths.first() == path)
        return;
    paths.removeAll(path);
    paths.prepend(path);
    paths = paths.mid(0, keptRecent);
    m_store->setValue(u"designs/recent"_s, paths);
}

QStringList Settings::recentClusters() const { return m_store->value(u"clusters/recent"_s).toStringList(); }

void Settings::addRecentCluster(const QString& cluster)
{
    QStringList clusters = recentClusters();
    if (!clusters.isEmpty() && clusters.first() == cluster)
        return;
    clusters.removeAll(cluster);
    clusters.prepend(cluster);
    m_store->setValue(u"clusters/recent"_s, QStringList(clusters.mid(0, keptRecentClusters)));
}

std::optional<SavedLogin> Settings::login(const QString& cluster) const
{
    const QString group = loginGroup(cluster);
    if (!m_store->contains(group + u"/host"_s))
        return std::nullopt;
    SavedLogin login;
    login.host = m_store->value(group + u"/host"_s).toString();
    login.port = m_store->value(group + u"/port"_s, 22).toInt();
    login.user = m_store->value(group + u"/user"_s).toString();
    login.identity = m_store->value(group + u"/identity"_s).toString();
    login.jump = m_store->value(group + u"/jump"_s).toString();
    return login;
}

void Settings::setLogin(const QString& cluster, const SavedLogin& login)
{
    const QString group = loginGroup(cluster);
    m_store->setValue(group + u"/host"_s, login.host);
    m_store->setValue(group + u"/port"_s, login.port);
    m_store->setValue(group + u"/user"_s, login.user);
    m_store->setValue(group + u"/identity"_s, login.identity);
    m_store->setValue(group + u"/jump"_s, login.jump);
}

bool Settings::lineNumbers() const { return m_store->value(u"output/lineNumbers"_s, true).toBool(); }
void Settings::setLineNumbers(bool on) { m_store->setValue(u"output/lineNumbers"_s, on); }

bool Settings::ownRunsUsed() const { return m_store->value(u"planner/ownRuns"_s, true).toBool(); }
void Settings::setOwnRunsUsed(bool on) { m_store->setValue(u"planner/ownRuns"_s, on); }

QString Settings::autosavedPath(int draft) const { return m_store->value(autosavedKey(draft)).toString(); }
void Settings::setAutosavedPath(const QString& path, int draft) { m_store->setValue(autosavedKey(draft), path); }

} // namespace rankwright
