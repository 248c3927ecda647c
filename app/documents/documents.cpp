// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/documents.h"

#include "app/base/settings.h"
#include "models/script/batch/scriptbytes.h"
#include "models/script/batch/scriptcluster.h"
#include "models/script/bind/scriptfields.h"
#include "models/script/document/authoredit.h"
#include "models/script/document/designjson.h"
#include "models/script/read/scriptimport.h"
#include "models/script/write/overrides.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// A design is a few kilobytes; anything far beyond is another kind of file.
constexpr qint64 largestDesign = 16 * 1024 * 1024;
// Restored so often without surviving it, work is no longer opened by itself.
constexpr int mostTries = 2;

Result<QByteArray> readWhole(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Fault::Io, u"%1 could not be opened."_s.arg(path), file.errorString(),
            u"Check the path and its permissions."_s);
    if (file.size() > largestDesign)
        return fail(Fault::Unreadable, u"%1 is too large to be a design or a script."_s.arg(path), {},
            u"Choose a design file (JSON) or a batch script."_s);
    return file.readAll();
}

Result<void> writeWhole(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(Fault::Io, u"%1 could not be written; the old file is unchanged."_s.arg(path), file.errorString(),
            u"Check permissions and disk space, or save under another name."_s);
    return {};
}

/// A script says so in its first characters; in one without “#!” there are directives.
bool isScriptText(const QByteArray& bytes)
{
    const QByteArray head = bytes.startsWith("\xEF\xBB\xBF") ? bytes.mid(3).trimmed() : bytes.trimmed();
    return head.startsWith("#") || (!head.startsWith('{') && head.contains("\n#SBATCH"));
}

// A card does not justify reading more; designs have a few kilobytes.
constexpr qint64 largestRead = 1024 * 1024;

QString troubleOf(const QFileInfo& file)
{
    if (!file.exists())
        return u"The file is not there any more."_s;
    if (!file.isFile())
        return u"This is not a file."_s;
    if (Documents::isJobFileName(file.fileName()))
        return {};
    return file.size() > largestRead ? u"The file is too large for a design."_s : QString();
}

} // namespace

Documents::Documents(Design& design, Settings& settings, const QString& dataFolder, QObject* parent)
    : QObject(parent), m_design(design), m_settings(settings), m_draft(dataFolder)
{
    m_autosave.setSingleShot(true);
    m_autosave.setInterval(2000);
    m_survival.setSingleShot(true);
    m_survival.setInterval(20000);
    connect(&m_survival, &QTimer::timeout, this, &Documents::handleSurvival);
    connect(&m_autosave, &QTimer::timeout, this, &Documents::flushAutosave);
    connect(&m_design, &Design::changed, this, &Documents::scheduleAutosave);
}

Documents::~Documents()
{
    if (m_survival.isActive())
        handleSurvival(); // it ends in an orderly way
}

Result<OpenedFile> Documents::open(const QString& path)
{
    const auto bytes = readWhole(path);
    if (!bytes)
        return fail(bytes.error());
    if (!isScriptText(*bytes))
        return openDesign(path, *bytes);
    if (bytes->contains('\0'))
        return fail(Fault::Unreadable, u"%1 is not text."_s.arg(path), {}, u"Choose a batch script as plain text."_s);
    return openScript(path, *bytes);
}

Result<OpenedFile> Documents::openDesign(const QString& path, const QByteArray& bytes)
{
    const auto read = readDesign(bytes, QFileInfo(path).fileName());
    if (!read)
        return fail(read.error());
    m_design.replace(read->spec);
    m_design.markSaved();
    dropAutosave();
    setPath(QFileInfo(path).absoluteFilePath());
    emit documentReplaced();
    return OpenedFile{read->unknownMembers, {}};
}

Result<OpenedFile> Documents::openScript(const QString& path, const QByteArray& bytes)
{
    if (bytes.size() > largestScript)
        return fail(Fault::Unreadable, u"%1 is larger than 4 MB, and sbatch takes no more."_s.arg(path), {},
            u"Choose a batch script."_s);
    const ScriptBytes script = ScriptBytes::read(bytes);
    const auto read = readScriptText(script, m_design.spec().cluster);
    if (!read)
        return fail(read.error());
    // The script holds it until it is edited.
    m_design.replace(read->spec, Design::Kept::InItsFile, read->known());
    m_design.markSaved();
    dropAutosave();
    setPath({});
    m_script = QFileInfo(path).absoluteFilePath();
    emit pathChanged(m_path); // the title is the script's
    emit documentReplaced();
    m_settings.addRecentDesign(m_script);
    return OpenedFile{{}, read->opened};
}

Result<Documents::ReadScript> Documents::readScriptText(const ScriptBytes& script, const QString& cluster) const
{
    const BatchText batch = parseBatch(script.text);
    const ScriptCluster found = clusterOf(batch, m_design.catalogue(), cluster);
    const ClusterProfile* profile = m_design.catalogue().find(found.name);
    if (profile == nullptr)
        return fail(Fault::Invalid, u"The cluster “%1” is not in the catalogue."_s.arg(found.name), {},
            u"Choose a cluster for the design, then open the script again."_s);
    if (isOwnScript(batch)) {
        ScriptReading reading = readScript(batch, *profile);
        const JobSpec spec = designOf(reading, batch, *profile);
        dropOwnLines(reading, spec, *profile);
        return ReadScript{spec, {found.name, found.why, reading.notUnderstood}, {}};
    }
    JobSpec fresh;
    fresh.cluster = found.name;
    fresh.overrides = authorBlocks(script.text, script.isUtf8 ? ScriptEncoding::Utf8 : ScriptEncoding::Latin1);
    const AuthorScript author = authorScriptOf(batch, *profile);
    return ReadScript{withAuthorScript(fresh, author), {found.name, found.why, author.reading.notUnderstood}, author};
}

bool Documents::isScript() const { return m_path.isEmpty() && !m_script.isEmpty() && m_design.derived().author; }

bool Documents::hasMoreThanItsScript() const
{
    const std::optional<AuthorScript>& author = m_design.derived().author;
    JobSpec bare;
    bare.cluster = m_design.spec().cluster;
    bare.overrides = m_design.spec().overrides;
    return author && withAuthorScript(bare, *author) != m_design.spec();
}

Result<void> Documents::saveScriptAs(const QString& path)
{
    const auto bytes = scriptFile(m_design.derived().script.text(), m_design.spec().overrides);
    if (!bytes)
        return fail(bytes.error());
    if (const auto written = writeWhole(path, *bytes); !written)
        return written;
    m_design.markSaved();
    dropAutosave();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    if (absolute != m_script || !m_path.isEmpty()) {
        setPath({});
        m_script = absolute;
        emit pathChanged(m_path);
    }
    m_settings.addRecentDesign(m_script);
    return {};
}

void Documents::begin(const JobSpec& spec)
{
    m_design.replace(spec);
    m_design.markSaved();
    dropAutosave();
    setPath({});
    emit documentReplaced();
}

void Documents::beginUnsaved(const JobSpec& spec)
{
    m_design.replace(spec, Design::Kept::Nowhere);
    setPath({});
    emit documentReplaced();
}

Result<void> Documents::saveAs(const QString& path)
{
    if (const auto written = writeWhole(path, writeDesign(m_design.spec())); !written)
        return written;
    m_design.markSaved();
    dropAutosave();
    setPath(QFileInfo(path).absoluteFilePath());
    return {};
}

Result<void> Documents::saveScript(const QString& path) const
{
    const auto bytes = scriptFile(m_design.derived().script.text(), m_design.spec().overrides);
    if (!bytes)
        return fail(bytes.error());
    return writeWhole(path, *bytes);
}

bool Documents::isScriptName(const QString& path)
{
    static const QStringList endings{u"sh"_s, u"bash"_s, u"sbatch"_s, u"slurm"_s, u"job"_s};
    return endings.contains(QFileInfo(path).suffix(), Qt::CaseInsensitive);
}

Result<void> Documents::save()
{
    if (isScript())
        return saveScriptAs(m_script);
    if (m_path.isEmpty())
        return fail(Fault::Invalid, u"The design has no file yet."_s, {}, u"Choose one."_s);
    return saveAs(m_path);
}

Result<bool> Documents::restoreAutosave()
{
    m_restored = {};
    if (!m_draft.holdsEarlierWork())
        return false;
    m_restored.keptAt = QFileInfo(m_draft.path()).lastModified();
    if (const int tries = m_draft.triesBefore(); tries >= mostTries)
        return setAside(
            u"Unsaved work was restored %1 times, and each time the program ended right after it."_s.arg(tries), {},
            EarlierDraft::Readable);
    m_draft.countTry();
    const auto bytes = readWhole(m_draft.path());
    if (!bytes)
        return setAside(
            u"Unsaved work of an earlier start could not be read."_s, bytes.error().oneLine(), EarlierDraft::Damaged);
    const auto read = readDesign(*bytes, QFileInfo(m_draft.path()).fileName());
    if (!read)
        return setAside(
            u"Unsaved work of an earlier start could not be read."_s, read.error().oneLine(), EarlierDraft::Damaged);
    m_draft.adopt();
    restore(read->spec);
    m_restored.kind = RestoredWork::Kind::Restored;
    m_unsurvived = read->spec;
    m_restored.title = title();
    m_restored.file = m_path.isEmpty() ? m_script : m_path;
    m_survival.start();
    emit documentReplaced();
    return true;
}

void Documents::restore(const JobSpec& unsaved)
{
    const QString path = m_settings.autosavedPath(m_draft.number());
    if (!path.isEmpty()) {
        // The file's own content is what "saved" means; a file that is gone leaves the work simply unsaved.
        if (const auto original = readWhole(path); original && isScriptText(*original)) {
            const ScriptBytes script = ScriptBytes::read(*original);
            if (const auto saved = readScriptText(script, unsaved.cluster); saved) {
                m_design.replace(saved->spec, Design::Kept::InItsFile, saved->known());
                m_design.markSaved();
                m_script = path;
                emit pathChanged(m_path);
            }
        } else if (original) {
            if (const auto saved = readDesign(*original, path); saved) {
                m_design.replace(saved->spec);
                m_design.markSaved();
                m_path = path;
                emit pathChanged(m_path);
            }
        }
    }
    m_design.edit(u"Restore unsaved work"_s, [&unsaved](JobSpec& spec) { spec = unsaved; });
}

/// Nothing of it is lost, and it is not in the way of the next start.
Unexpected<Error> Documents::setAside(const QString& what, const QString& evidence, EarlierDraft draft)
{
    const bool readable = draft == EarlierDraft::Readable;
    m_restored.kind = RestoredWork::Kind::SetAside;
    m_restored.why = what;
    m_restored.readable = readable;
    m_restored.movedTo = m_draft.setAside();
    if (m_restored.movedTo.isEmpty()) {
        const QString path = m_draft.path();
        m_draft.leaveEarlierWork();
        return fail(Fault::Io, what, evidence, u"It is still in %1."_s.arg(path));
    }
    m_draft.adopt();
    return fail(Fault::Unreadable, what, evidence,
        (readable ? u"It was not opened, and is kept in %1: open it like any design."_s : u"It is kept in %1."_s)
            .arg(m_restored.movedTo));
}

void Documents::handleSurvival()
{
    m_survival.stop();
    m_draft.forgetTries();
}

void Documents::flushAutosave()
{
    m_autosave.stop();
    m_draft.leaveEarlierWork(); // it was declined here: the next window offers it
    if (!m_design.isModified()) {
        dropAutosave();
        return;
    }
    m_settings.setAutosavedPath(isScript() ? m_script : m_path, m_draft.number());
    if (const auto written = writeWhole(m_draft.path(), writeDesign(m_design.spec())); !written)
        emit autosaveFailed(written.error());
}

void Documents::dropAutosave()
{
    m_autosave.stop();
    m_draft.leaveEarlierWork(); // another file was opened first: what a crash left is not thrown away for it
    m_survival.stop();
    m_draft.forgetTries();
    QFile::remove(m_draft.path());
}

bool Documents::isJobFileName(const QString& path) { return path.endsWith(u".rwjob"_s, Qt::CaseInsensitive); }

QStringList Documents::recent() const
{
    QStringList paths = m_settings.recentDesigns();
    paths.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
    return paths;
}

QString Documents::title() const
{
    if (!m_path.isEmpty())
        return QFileInfo(m_path).completeBaseName();
    if (isScript())
        return QFileInfo(m_script).fileName();
    return m_design.spec().name.isEmpty() ? u"Untitled"_s : m_design.spec().name;
}

void Documents::setPath(const QString& path)
{
    m_path = path;
    m_script.clear();
    if (!path.isEmpty())
        m_settings.addRecentDesign(path);
    emit pathChanged(m_path);
}

/// Counted from the first change that is not kept: typing without a pause loses two seconds, not all of it.
void Documents::scheduleAutosave()
{
    if (m_survival.isActive() && m_design.spec() != m_unsurvived)
        handleSurvival();
    if (!m_autosave.isActive())
        m_autosave.start();
}

RecentDesign readRecentDesign(const QString& path, const Catalogue& catalogue)
{
    RecentDesign design;
    design.path = path;
    const QFileInfo info(path);
    const QString title = info.completeBaseName();
    design.summary.title = title;
    design.trouble = troubleOf(info);
    if (!design.trouble.isEmpty())
        return design;
    if (Documents::isJobFileName(path)) {
        design.summary.verdict = u"Job file"_s;
        return design;
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        design.trouble = u"The file cannot be read."_s;
        return design;
    }
    const QByteArray bytes = file.read(largestRead);
    if (Documents::isScriptName(path) || !bytes.trimmed().startsWith('{')) {
        design.summary.verdict = u"Batch script"_s;
        return design;
    }
    const auto read = readDesign(bytes, info.fileName());
    if (!read) {
        design.trouble = u"This is not a design that can be read."_s;
        return design;
    }
    design.summary = summarise(read->spec, catalogue);
    design.summary.title = title;
    return design;
}

QList<RecentDesign> readRecentDesigns(const QStringList& paths, const Catalogue& catalogue)
{
    QList<RecentDesign> designs;
    for (const QString& path : paths)
        designs.append(readRecentDesign(path, catalogue));
    return designs;
}

} // namespace rankwright
