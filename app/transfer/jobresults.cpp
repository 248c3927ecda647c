// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/transfer/jobresults.h"

#include "app/watch/outputfilesofjob.h"
#include "models/cluster/transfer/filenames.h"

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int levels = 3;
constexpr qsizetype mostResults = 20000;

void sortResults(QList<JobResultFile>& files)
{
    std::stable_sort(files.begin(), files.end(), [](const JobResultFile& a, const JobResultFile& b) {
        return a.kind != b.kind ? a.kind < b.kind : a.modified > b.modified;
    });
}

/// Adds the outputs that are still there, which may lie anywhere.
void askOutputs(RemoteShell& shell, const QList<QByteArray>& outputs, QList<JobResultFile> files, QObject* guard,
    const Then<QList<JobResultFile>>& then)
{
    if (outputs.isEmpty()) {
        sortResults(files);
        then(files);
        return;
    }
    QList<QByteArray> below;
    for (const QByteArray& path : outputs)
        below.append(path.mid(1));
    askRemote(shell, "/", below, guard, [files, then](const Result<FileStates>& states) mutable {
        if (!states && files.isEmpty()) {
            then(fail(states.error()));
            return;
        }
        for (const FileEntry& entry : states ? *states : FileStates()) {
            if (entry.kind == FileEntry::Kind::File)
                files.append({JobResultFile::Kind::Output, "/" + folderOf(entry.path), baseOf(entry.path), entry.size,
                    entry.modified});
        }
        sortResults(files);
        then(files);
    });
}

} // namespace

bool looksLikeCheckpoint(const QByteArray& path)
{
    const QByteArray name = baseOf(path).toLower();
    for (const char* ending :
        {".pt", ".pth", ".ckpt", ".safetensors", ".distcp", ".orbax", ".h5", ".keras", ".msgpack"}) {
        if (name.endsWith(ending))
            return true;
    }
    for (const QByteArray& folder : folderOf(path).toLower().split('/')) {
        for (const char* begin : {"checkpoint", "ckpt", "global_step", "iter_0", "epoch=", "step_"}) {
            if (folder.startsWith(begin))
                return true;
        }
    }
    return false;
}

void askJobResults(RemoteShell& shell, const JobRecord& job, QObject* guard, Then<QList<JobResultFile>> then)
{
    if (job.workdir.isEmpty() && job.standardOutput.isEmpty()) {
        then(fail(Fault::Invalid, u"The cluster does not report the folder of job %1 any more."_s.arg(job.id), {},
            u"Name the folder itself."_s));
        return;
    }
    shell.run(outputQuestion(job), guard, [&shell, job, guard, then](const Result<CommandOutcome>& answer) {
        QList<QByteArray> outputs; // patterns are found in the folder by their date
        for (const OutputFile& file : outputFilesOf(job, answer ? answer->output : QByteArray())) {
            if (!file.isPattern && file.path.startsWith(u'/'))
                outputs.append(file.path.toUtf8());
        }
        if (job.workdir.isEmpty()) { // an empty path would be the home folder
            askOutputs(shell, outputs, {}, guard, then);
            return;
        }
        listRemote(shell, job.workdir.toUtf8(), levels, mostResults, guard,
            [&shell, job, guard, then, outputs](const Result<FileListing>& listing) {
                if (!listing) {
                    then(fail(listing.error()));
                    return;
                }
                QList<JobResultFile> files;
                QList<QByteArray> elsewhere = outputs;
                const qint64 begun = job.started.isValid() ? job.started.toSecsSinceEpoch() : 0;
                for (const FileEntry& entry : listing->entries) {
                    if (entry.kind != FileEntry::Kind::File)
                        continue;
                    const bool isOutput = elsewhere.removeOne(listing->root + '/' + entry.path)
                        || elsewhere.removeOne(job.workdir.toUtf8() + '/' + entry.path);
                    if (!isOutput && (begun == 0 || entry.modified < begun))
                        continue;
                    files.append({isOutput                    ? JobResultFile::Kind::Output
                            : looksLikeCheckpoint(entry.path) ? JobResultFile::Kind::Checkpoint
                                                              : JobResultFile::Kind::Other,
                        listing->root, entry.path, entry.size, entry.modified});
                }
                askOutputs(shell, elsewhere, files, guard, then);
            });
    });
}

} // namespace rankwright
