// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/write/lifecycle.h"

#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace rankwright::inline script {

std::optional<SignalRequest> parseSignal(const QString& text)
{
    static const QRegularExpression form(
        u"^(?:(R?B?R?):)?(?:SIG)?(HUP|INT|QUIT|ABRT|KILL|ALRM|TERM|USR[12]|URG|CONT|STOP|TSTP|TTIN|TTOU|"
        "CHLD|XCPU|\\d{1,2})(?:@(\\d{1,5}))?$"_s,
        QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text.trimmed());
    if (!match.hasMatch())
        return std::nullopt;
    SignalRequest request;
    request.name = match.captured(2).toUpper();
    if (!match.captured(3).isEmpty())
        request.seconds = match.captured(3).toInt();
    request.batchShellOnly = match.captured(1).contains(u'B', Qt::CaseInsensitive);
    return request.seconds <= 65535 ? std::optional(request) : std::nullopt; // as sbatch(1) says
}

bool isChain(const QString& array)
{
    static const QRegularExpression oneAtATime(u"%1$"_s);
    return oneAtATime.match(array.trimmed()).hasMatch();
}

QString continuationCondition(const ResolvedSpec& resolved)
{
    const auto& options = resolved.spec.options;
    if (options.dependency.value_or(QString()).contains(u"afterany:"_s))
        return u"true"_s;
    QStringList conditions;
    if (options.requeue.value_or(false) || options.requeueAtLimit.value_or(0) > 0)
        conditions.append(u"${SLURM_RESTART_COUNT:-0} > 0"_s); // unset in the first run
    if (isChain(options.array.value_or(QString())))
        conditions.append(u"${SLURM_ARRAY_TASK_ID:-0} > ${SLURM_ARRAY_TASK_MIN:-0}"_s);
    return conditions.isEmpty() ? QString() : u"(( %1 ))"_s.arg(conditions.join(u" || "_s));
}

qint64 limitReachedAfter(const ResolvedSpec& resolved)
{
    // slurmctld looks every 30 s, and SECONDS starts late by what the prologue takes: 15 s, in longer jobs a minute.
    const qint64 early = qBound(qint64(45), resolved.time.count / 10, qint64(90));
    const auto signal = parseSignal(resolved.signal);
    return qMax<qint64>(resolved.time.count / 4, resolved.time.count - (signal ? signal->seconds : 0) - early);
}

qint64 requeueAfter(const ResolvedSpec& resolved)
{
    const auto signal = parseSignal(resolved.signal);
    const qint64 lead = signal ? signal->seconds : qMin<qint64>(120, resolved.time.count / 4);
    return qMax(resolved.time.count / 2, resolved.time.count - qBound(qint64(15), lead / 2, qint64(60)));
}

} // namespace rankwright::inline script
