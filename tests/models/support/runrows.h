// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/planner/estimate/runs/runtable.h"

#include <QMap>

namespace rankwright::test {

using namespace Qt::StringLiterals;

using Cells = QMap<QString, QString>;

/// Reads one row that has these cells.
inline RunRow rowOf(const Cells& cells)
{
    QByteArray head;
    QByteArray line;
    for (auto cell = cells.cbegin(); cell != cells.cend(); ++cell) {
        head += (head.isEmpty() ? "" : ",") + cell.key().toUtf8();
        line += (line.isEmpty() ? "\"" : ",\"") + QString(cell.value()).replace(u'"', u"\"\""_s).toUtf8() + '"';
    }
    const auto rows = readRuns(head + "\r\n" + line + "\r\n");
    return rows && rows->size() == 1 ? rows->first() : RunRow();
}

/// A complete row (Llama 3 8B on eight H100, torchtitan), changed by some cells.
inline RunRow changed(const Cells& cells)
{
    Cells all{{u"id"_s, u"a"_s}, {u"source"_s, u"github:pytorch/torchtitan (2024-12)"_s},
        {u"hardware"_s, u"H100-SXM-80GB"_s}, {u"n_nodes"_s, u"1"_s}, {u"gpus_per_node"_s, u"8"_s},
        {u"n_gpus"_s, u"8"_s}, {u"model"_s, u"Llama 3/3.1 8B"_s}, {u"params_b"_s, u"8.0303"_s}, {u"layers"_s, u"32"_s},
        {u"hidden"_s, u"4096"_s}, {u"heads"_s, u"32"_s}, {u"kv_heads"_s, u"8"_s}, {u"ffn"_s, u"14336"_s},
        {u"vocab"_s, u"128256"_s}, {u"seq_len"_s, u"8192"_s}, {u"strategy"_s, u"FSDP2"_s}, {u"tp"_s, u"1"_s},
        {u"pp"_s, u"1"_s}, {u"dp"_s, u"8"_s}, {u"zero_stage"_s, u"3"_s}, {u"micro_batch"_s, u"2"_s},
        {u"grad_accum"_s, u"1"_s}, {u"global_batch"_s, u"16"_s}, {u"precision"_s, u"bf16 (fp32 params/reduce)"_s},
        {u"optimizer"_s, u"AdamW (fused)"_s}, {u"act_ckpt"_s, u"selective(op)"_s}, {u"attention"_s, u"flash(SDPA)"_s},
        {u"notes"_s, u"mem_kind=reserved"_s}};
    all.insert(cells);
    return rowOf(all);
}

} // namespace rankwright::test
