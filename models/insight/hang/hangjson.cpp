// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/hangjson.h"

#include "models/core/jsonvalue.h"

#include <QJsonArray>

namespace rankwright::inline insight {

using namespace Qt::StringLiterals;

QJsonObject hangJson(const HangVerdict& verdict)
{
    QJsonArray ranks, odd, proofs;
    for (const HangRow& row : verdict.rows) {
        ranks.append(QJsonObject{
            {u"rank"_s, orNull(row.rank)},
            {u"node"_s, orNull(row.node)},
            {u"gpu"_s, orNull(row.gpu)},
            {u"pid"_s, orNull(row.pid)},
            {u"state"_s, row.state ? QJsonValue(toText(*row.state)) : QJsonValue()},
            {u"waitChannel"_s, orNull(row.waitChannel)},
            {u"function"_s, orNull(row.function)},
            {u"file"_s, orNull(row.file)},
            {u"line"_s, orNull(row.line)},
            {u"stack"_s, row.stack.isEmpty() ? QJsonValue() : QJsonArray::fromStringList(row.stack)},
            {u"collective"_s, orNull(row.collective)},
            {u"last"_s, orNull(row.last)},
        });
    }
    for (const int rank : verdict.odd)
        odd.append(rank);
    for (const HangProof& proof : verdict.proofs)
        proofs.append(QJsonObject{{u"words"_s, proof.words}, {u"source"_s, proof.source}});
    return {
        {u"ranks"_s, ranks},
        {u"sentence"_s, verdict.sentence},
        {u"odd"_s, odd},
        {u"evidence"_s, proofs},
        {u"notes"_s, QJsonArray::fromStringList(verdict.notes)},
        {u"seconds"_s, verdict.seconds},
    };
}

} // namespace rankwright::inline insight
