// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"

#include <QDir>
#include <QSettings>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostIdleMinutes = 7 * 24 * 60;
constexpr int keptRecent = 10;
constexpr qsizetype keptRecentClusters = 5;
constexpr qsizetype keptPaletteUses = 20;

/// A cluster's name is the user's own text; a slash in it would open a group.
QString loginGroup(const QString& cluster)
{
    return u"login/"_s + QString(cluster).replace(u'/', u'_').replace(u'\\', u'_');
}

QString autosavedKey(int draft) { return draft == 1 ? u"designs/autosaved"_s : u"designs/autosaved-%1"_s.arg(draft); }

QString guideKey(int draft) { return draft == 1 ? u"guide/place"_s : u"guide/place-%1"_s.arg(draft); }

QString classKey(const QString& name, int draft)
{
    return draft == 1 ? u"class/"_s + name : u"class/%1-%2"_s.arg(name).arg(draft);
}

} // namespace

Settings::Settings(const QString& dataFolder, QObject* parent)
    : QObject(parent),
      m_store(std::make_unique<QSettings>(QDir(dataFolder).filePath(u"settings.ini"_s), QSettings::IniFormat))
{ }

Settings::~Settings() = default;

QString Settings::theme() const { return m_store->value(u"theme"_s).toString(); }
void Settings::setTheme(const QString& theme) { m_store->setValue(u"theme"_s, theme); }

QByteArray Settings::windowGeometry() const { return m_store->value(u"window/geometry"_s).toByteArray(); }
void Settings::setWindowGeometry(const QByteArray& geometry) { m_store->setValue(u"window/geometry"_s, geometry); }
QByteArray Settings::windowState() const { return m_store->value(u"window/state"_s).toByteArray(); }
void Settings::setWindowState(const QByteArray& state) { m_store->setValue(u"window/state"_s, state); }

QStringList Settings::openSections() const { return m_store->value(u"design/openSections"_s).toStringList(); }
void Settings::setOpenSections(const QStringList& names) { m_store->setValue(u"design/openSections"_s, names); }
bool Settings::stillPictures() const { return m_store->value(u"window/stillPictures"_s, false).toBool(); }
void Settings::setStillPictures(bool still) { m_store->setValue(u"window/stillPictures"_s, still); }
bool Settings::notificationsWanted() const { return m_store->value(u"window/notifications"_s, false).toBool(); }
void Settings::setNotificationsWanted(bool wanted) { m_store->setValue(u"window/notifications"_s, wanted); }
bool Settings::scriptFolded() const { return m_store->value(u"design/scriptFolded"_s, false).toBool(); }
void Settings::setScriptFolded(bool folded) { m_store->setValue(u"design/scriptFolded"_s, folded); }

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

bool Settings::removeRecentDesign(const QString& path)
{
    QStringList paths = recentDesigns();
    if (paths.removeAll(path) == 0)
        return false;
    m_store->setValue(u"designs/recent"_s, paths);
    return true;
}

void Settings::setRecentDesigns(const QStringList& paths)
{
    m_store->setValue(u"designs/recent"_s, QStringList(paths.mid(0, keptRecent)));
}

bool Settings::welcomed() const { return m_store->value(u"welcome/past"_s, false).toBool(); }
void Settings::setWelcomed(bool past) { m_store->setValue(u"welcome/past"_s, past); }

std::optional<int> Settings::practiceSeconds() const
{
    bool known = false;
    const int seconds = m_store->value(u"welcome/practiceSeconds"_s).toInt(&known);
    return known && seconds > 0 ? std::optional(seconds) : std::nullopt;
}

void Settings::setPracticeSeconds(int seconds) { m_store->setValue(u"welcome/practiceSeconds"_s, seconds); }

QStringList Settings::paletteUses() const { return m_store->value(u"palette/uses"_s).toStringList(); }

void Settings::addPaletteUse(const QString& id)
{
    QStringList ids = paletteUses();
    if (!ids.isEmpty() && ids.first() == id)
        return;
    ids.removeAll(id);
    ids.prepend(id);
    m_store->setValue(u"palette/uses"_s, QStringList(ids.mid(0, keptPaletteUses)));
}

QByteArray Settings::classPlace(const QString& key) const
{
    return m_store->value(u"class/place-"_s + key).toByteArray();
}

void Settings::setClassPlace(const QString& key, const QByteArray& place)
{
    m_store->setValue(u"class/place-"_s + key, place);
}

QString Settings::openClass(int draft) const { return m_store->value(classKey(u"open"_s, draft)).toString(); }

QString Settings::agreedClass(int draft) const { return m_store->value(classKey(u"agreed"_s, draft)).toString(); }

void Settings::setOpenClass(const QString& path, const QString& digest, int draft)
{
    m_store->setValue(classKey(u"open"_s, draft), path);
    m_store->setValue(classKey(u"agreed"_s, draft), digest);
}

QByteArray Settings::guidePlace(int draft) const { return m_store->value(guideKey(draft)).toByteArray(); }

void Settings::setGuidePlace(const QByteArray& place, int draft)
{
    if (place.isEmpty())
        m_store->remove(guideKey(draft));
    else
        m_store->setValue(guideKey(draft), place);
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

bool Settings::controlMasterUsed() const
{
    return m_store->value(u"connection/useControlMaster"_s).toString() != u"never"_s;
}

void Settings::setControlMasterUsed(bool on)
{
    m_store->setValue(u"connection/useControlMaster"_s, on ? u"auto"_s : u"never"_s);
}

bool Settings::ownRunsUsed() const { return m_store->value(u"planner/ownRuns"_s, true).toBool(); }
void Settings::setOwnRunsUsed(bool on) { m_store->setValue(u"planner/ownRuns"_s, on); }

QString Settings::autosavedPath(int draft) const { return m_store->value(autosavedKey(draft)).toString(); }

/// On disk at once: a crash may be the next thing that happens.
void Settings::setAutosavedPath(const QString& path, int draft)
{
    if (autosavedPath(draft) == path)
        return;
    m_store->setValue(autosavedKey(draft), path);
    m_store->sync();
}

QString Settings::terminal() const { return m_store->value(u"reach/terminal"_s).toString(); }
void Settings::setTerminal(const QString& line) { m_store->setValue(u"reach/terminal"_s, line); }

bool Settings::keeperWanted() const { return m_store->value(u"connection/keeper"_s, false).toBool(); }
void Settings::setKeeperWanted(bool wanted) { m_store->setValue(u"connection/keeper"_s, wanted); }

int Settings::keeperIdleMinutes() const
{
    return qBound(1, m_store->value(u"connection/keeperIdleMinutes"_s, 8 * 60).toInt(), mostIdleMinutes);
}

void Settings::setKeeperIdleMinutes(int minutes) { m_store->setValue(u"connection/keeperIdleMinutes"_s, minutes); }

} // namespace rankwright
