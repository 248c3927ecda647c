// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/sentmodel.h"

#include "models/cluster/remote/senttext.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline tables {

namespace {

Tone sentTone(const SentCommand& command)
{
    switch (command.end) {
    case SentCommand::End::Open: return Tone::Busy;
    case SentCommand::End::Failed: return Tone::Bad;
    case SentCommand::End::Dropped: return Tone::Quiet;
    case SentCommand::End::Exited: break;
    }
    // A status of its own is an answer of many programs, and no fault.
    return command.exitStatus.value_or(0) == 0 && command.exitSignal.isEmpty() ? Tone::Good : Tone::Warn;
}

QList<RecordModel<SentCommand>::Column> sentColumns()
{
    using Column = RecordModel<SentCommand>::Column;
    const Qt::Alignment right = Qt::AlignRight | Qt::AlignVCenter;
    Column time{.title = u"Time"_s,
        .text = [](const SentCommand& command) { return command.time.toLocalTime().toString(u"HH:mm:ss"_s); }};
    time.sort = [](const SentCommand& command) { return QVariant(command.number); };
    Column cluster{.title = u"Cluster"_s, .text = [](const SentCommand& command) { return command.cluster; }};
    Column purpose{.title = u"What for"_s, .text = [](const SentCommand& command) { return command.purpose; }};
    purpose.toolTip = purpose.text;
    Column line{.title = u"Command"_s, .text = [](const SentCommand& command) { return columnSentLine(command.line); }};
    line.toolTip = [](const SentCommand& command) { return shortSentLine(command.line, 1000); };
    Column input{.title = u"Input"_s, .text = sentInputText};
    input.sort
        = [](const SentCommand& command) { return QVariant(command.inputBytes + command.moreInputBytes.value_or(0)); };
    input.alignment = right;
    Column outcome{.title = u"Outcome"_s, .text = sentEndText};
    outcome.tone = sentTone;
    outcome.toolTip = sentEndText;
    Column took{.title = u"Took"_s, .text = sentTimeText};
    took.sort = [](const SentCommand& command) { return QVariant(command.tookMs.value_or(-1)); };
    took.alignment = right;
    return {time, cluster, purpose, line, input, outcome, took};
}

} // namespace

SentModel::SentModel(QObject* parent)
    : RecordModel<SentCommand>(
        sentColumns(), [](const SentCommand& command) { return QString::number(command.number); }, parent)
{ }

} // namespace rankwright::inline tables
