// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/transfer/transferrun.h"

#include "app/cli/clioutput.h"
#include "models/cluster/transfer/filenames.h"
#include "models/core/quantitytext.h"

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

constexpr int mostRetries = 50;

QString verdictWord(TransferVerdict verdict)
{
    switch (verdict) {
    case TransferVerdict::New: return u"new"_s;
    case TransferVerdict::Changed: return u"changed"_s;
    case TransferVerdict::Same: return u"same"_s;
    case TransferVerdict::Compare: return u"changed"_s; // a checksum is missing
    case TransferVerdict::Newer: return u"newer"_s;
    case TransferVerdict::Refused: break;
    }
    return u"refused"_s;
}

} // namespace

QList<CliOption> transferOptions(const QList<CliOption>& own)
{
    return loginOptions(own
        + QList<CliOption>{
            {.name = "dry-run", .text = "say what would be copied, and copy nothing"},
            {.name = "resume", .text = "continue by itself after a lost connection"},
            {.name = "replace-newer", .text = "replace also files that are newer on the other side"},
        });
}

TransferRun::TransferRun(CliLogin& login) : m_login(login) { }

TransferRun::~TransferRun() = default;

void TransferRun::start()
{
    m_login.onInterruption([this] {
        m_transfer.reset(); // ends the command; what has arrived of a large file is kept
        m_login.finish({Fault::Cancelled, u"Stopped."_s, {}, u"The same command goes on where this one ended."_s});
    });
    startNextTransfer();
}

void TransferRun::setRoom(const QList<StorageRoom>& rooms, const QByteArray& folder)
{
    m_rooms = rooms;
    m_folder = folder;
}

void TransferRun::startNextTransfer()
{
    if (m_next >= m_makers.size()) {
        printSum();
        m_login.finish(m_sum.newer + m_sum.refused > 0 ? ExitNo : ExitDone);
        return;
    }
    m_tenth = 0;
    m_transfer = m_makers.at(m_next++)();
    connect(m_transfer.get(), &FileTransfer::transferPlanned, this, &TransferRun::handlePlan);
    connect(m_transfer.get(), &FileTransfer::progressed, this, &TransferRun::showProgress);
    connect(m_transfer.get(), &FileTransfer::finished, this, &TransferRun::handleEnd);
    m_transfer->compareSides();
}

void TransferRun::handlePlan(const TransferPlan& plan)
{
    const CliContext& context = m_login.context();
    printPlan(plan);
    for (const StorageRoom& room : std::as_const(m_rooms)) {
        if (!m_folder.isEmpty() && (m_folder == room.path || m_folder.startsWith(QByteArray(room.path + '/')))) {
            for (const QString& warning : roomWarnings(room, plan.bytes, plan.files))
                context.err << u"warning: "_s << warning << u'\n';
        }
    }
    context.err.flush();
    if (!context.has(u"dry-run"_s)) {
        m_transfer->go(context.has(u"replace-newer"_s));
        return;
    }
    m_wouldFiles += plan.files;
    m_wouldBytes += plan.bytes;
    m_sum.skipped += plan.same;
    m_sum.newer += plan.newer;
    m_sum.refused += plan.refused;
    m_transfer.release()->deleteLater();
    startNextTransfer();
}

void TransferRun::printPlan(const TransferPlan& plan)
{
    const CliContext& context = m_login.context();
    const bool isDry = context.has(u"dry-run"_s);
    for (const PlannedEntry& each : plan.entries) {
        const bool isProblem = each.verdict == TransferVerdict::Newer || each.verdict == TransferVerdict::Refused;
        if (isDry && context.json)
            m_entries.append(QJsonObject{{u"path"_s, shownName(each.entry.path, 4096)},
                {u"verdict"_s, verdictWord(each.verdict)}, {u"bytes"_s, each.entry.size},
                {u"reason"_s, each.reason.isEmpty() ? QJsonValue() : QJsonValue(each.reason)}});
        else if (isDry && each.entry.kind != FileEntry::Kind::Folder)
            context.out << verdictWord(each.verdict).leftJustified(9) << shownName(each.entry.path, 4096)
                        << (each.reason.isEmpty() ? QString() : u" ("_s + each.reason + u')') << u'\n';
        else if (isProblem)
            context.err << u"not copied: %1: %2\n"_s.arg(shownName(each.entry.path), each.reason);
    }
}

/// One line whenever another tenth has gone.
void TransferRun::showProgress(const TransferProgress& progress)
{
    const int tenth = int(10 * progress.bytes / qMax<qint64>(1, progress.totalBytes));
    if (tenth <= m_tenth)
        return;
    m_tenth = tenth;
    m_login.context().err << progressText(progress) << u'\n';
    m_login.context().err.flush();
}

void TransferRun::handleEnd(const Result<TransferSummary>& outcome)
{
    m_transfer.release()->deleteLater(); // it is the sender
    if (outcome) {
        m_sum.files += outcome->files;
        m_sum.bytes += outcome->bytes;
        m_sum.skipped += outcome->skipped;
        m_sum.newer += outcome->newer;
        m_sum.refused += outcome->refused;
        m_sum.resumedBytes += outcome->resumedBytes;
        m_sum.seconds += outcome->seconds;
        startNextTransfer();
        return;
    }
    const Error why = outcome.error();
    const bool isLink = why.fault == Fault::Offline || why.fault == Fault::TimedOut;
    if (isLink && m_login.context().has(u"resume"_s) && ++m_retries <= mostRetries)
        awaitLink(why);
    else
        m_login.finish(why);
}

void TransferRun::awaitLink(const Error& why)
{
    m_login.context().err << why.what << u" Waiting for the connection.\n"_s;
    m_login.context().err.flush();
    RemoteShell& shell = m_login.session().shell();
    const auto again = [this] {
        --m_next;
        startNextTransfer();
    };
    if (shell.state() == LinkState::Online) {
        QMetaObject::invokeMethod(this, again, Qt::QueuedConnection);
        return;
    }
    auto* once = new QObject(this);
    connect(&shell, &RemoteShell::stateChanged, once, [again, once](LinkState state) {
        if (state != LinkState::Online)
            return;
        once->deleteLater();
        once->disconnect();
        again();
    });
}

void TransferRun::printSum()
{
    const CliContext& context = m_login.context();
    const bool isDry = context.has(u"dry-run"_s);
    if (context.json) {
        QJsonObject answer{{u"files"_s, isDry ? m_wouldFiles : m_sum.files},
            {u"bytes"_s, isDry ? m_wouldBytes : m_sum.bytes}, {u"skipped"_s, m_sum.skipped},
            {u"resumed"_s, m_sum.resumedBytes}, {u"seconds"_s, m_sum.seconds}, {u"newer"_s, m_sum.newer},
            {u"refused"_s, m_sum.refused}, {u"dryRun"_s, isDry}};
        if (isDry)
            answer.insert(u"entries"_s, m_entries);
        printJson(context.out, answer);
        return;
    }
    context.out << (isDry ? u"would copy %1 (%2)"_s : u"copied %1 (%2)"_s)
                       .arg(counted(isDry ? m_wouldFiles : m_sum.files, u"file"_s),
                           humanBytes(Bytes{isDry ? m_wouldBytes : m_sum.bytes}));
    if (m_sum.skipped > 0)
        context.out << u", %1 there already"_s.arg(m_sum.skipped);
    if (m_sum.newer > 0)
        context.out << u", %1 newer on the other side left alone"_s.arg(m_sum.newer);
    if (m_sum.refused > 0)
        context.out << u", %1 refused"_s.arg(m_sum.refused);
    context.out << u'\n';
}

} // namespace rankwright
