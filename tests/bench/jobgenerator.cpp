// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/jobgenerator.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace rankwright::bench {

using namespace Qt::StringLiterals;

namespace {

constexpr int variants = 32;
constexpr int bytesPerGpu = 56;

} // namespace

JobGenerator::JobGenerator(int nodes, int gpusPerNode) : m_gpus(gpusPerNode)
{
    std::mt19937 random(3);
    for (int variant = 0; variant < variants; ++variant) {
        QByteArray body;
        for (int gpu = 0; gpu < gpusPerNode; ++gpu) {
            const bool first = gpu % 2 == 0;
            body += QByteArray::number(gpu) + ';' + QByteArray::number(88 + int(random() % 12)) + ";4294"
                + QByteArray::number(900000 + int(random() % 99999)) + ";68702699520;"
                + (first ? QByteArray::number(380 + int(random() % 60)) : QByteArray()) + ";500;"
                + QByteArray::number(52 + int(random() % 8)) + ';' + (first ? "" : "s") + ";1600;;1;"
                + (gpu + 1 < gpusPerNode ? "|" : "\n");
        }
        m_bodies.append(body);
    }
    for (int node = 0; node < nodes; ++node) {
        m_nodes.append(u"nid%1"_s.arg(node + 5000, 6, 10, QLatin1Char('0')));
        m_names.append(m_nodes.last().toLatin1());
    }
    m_order.resize(nodes);
    std::iota(m_order.begin(), m_order.end(), 0);
    std::shuffle(m_order.begin(), m_order.end(), random);
}

QByteArray JobGenerator::gpuLines(int from, int to, qint64 takenMs)
{
    QByteArray text;
    text.reserve(qsizetype(to - from) * (m_gpus * bytesPerGpu + 40));
    const QByteArray stamp = ' ' + QByteArray::number(takenMs) + ' ';
    for (int index = from; index < to; ++index)
        text += "@rw-gpus " + m_names.at(m_order.at(index)) + stamp + m_bodies.at(m_count++ % m_bodies.size());
    return text;
}

QByteArray JobGenerator::rankLines(int from, int to, qint64 takenMs) const
{
    QByteArray text;
    const auto worldSize = QByteArray::number(m_nodes.size() * m_gpus);
    for (int index = from; index < to; ++index) {
        const int node = m_order.at(index);
        text += "@rw-ranks " + m_names.at(node) + ' ' + QByteArray::number(takenMs) + " 56;549755813888;322122547200;"
            + QByteArray::number(m_gpus) + ';';
        for (int local = 0; local < m_gpus; ++local) {
            const QByteArray first = QByteArray::number(local * 7 + 1);
            const QByteArray gpu = QByteArray::number(local);
            text += '|' + QByteArray::number(4000 + local) + ';' + QByteArray::number(node * m_gpus + local) + ';' + gpu
                + ';' + worldSize + ';' + first + '-' + QByteArray::number(local * 7 + 7) + ";10"
                + QByteArray::number(local) + ";4294967296;R;" + gpu + ";42949672960;" + gpu + ';';
        }
        text += '\n';
    }
    return text;
}

} // namespace rankwright::bench
