// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

constexpr int deepest = 64;

/// A value of amd-smi: plain (6.0), {"value": 688, "unit": "W"} (6.1 and later) or "N/A".
QString cellOf(const QJsonValue& value)
{
    if (!value.isObject())
        return value.toVariant().toString();
    const QJsonObject object = value.toObject();
    return object.value(u"value"_s).toVariant().toString() + u' ' + object.value(u"unit"_s).toString();
}

/// Use of each accelerator die of a partition ("xcp_0": [...]): their mean, where the device has no figure of its own.
void readInstances(ToolDevice& device, const QJsonObject& partitions)
{
    double sum = 0;
    int known = 0;
    for (const QJsonValue& dies : partitions) {
        for (const QJsonValue& die : dies.toArray()) {
            if (const auto use = number(cellOf(die))) {
                sum += *use;
                ++known;
            }
        }
    }
    if (known > 0 && !device.utilizationPercent)
        device.utilizationPercent = sum / known;
}

void readAmdValues(ToolDevice& device, const QJsonObject& object, int depth)
{
    for (auto member = object.begin(); member != object.end(); ++member) {
        const bool isBlock = member->isObject() && !member->toObject().contains(u"value"_s);
        if (member.key() == u"gfx_busy_inst")
            readInstances(device, member->toObject());
        else if (!isBlock)
            amdValue(device, member.key().toLower(), cellOf(*member));
        else if (member.key() == u"vram") // `static` reports the size alone
            amdValue(device, u"vram_total"_s, cellOf(member->toObject().value(u"size"_s)));
        else if (depth < deepest && member.key() != u"process_list" && member.key() != u"limit")
            readAmdValues(device, member->toObject(), depth + 1);
    }
}

/// Objects one after another, perhaps cut into pieces by srun, perhaps spread over lines, with other lines between.
class JsonReader final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        const bool opens = line == u"[" || line == u"{" || line.startsWith(u"{\"") || line.startsWith(u"[{");
        if (m_depth > 0 && (line == u"[" || line == u"{" || line.startsWith(u"{\"card"))) {
            sink.ignore(m_text); // the one before was cut off
            reset();
        }
        if (m_depth == 0 && !opens)
            return false;
        if (m_depth > 0 && !m_quoted && (line.startsWith(u"WARNING") || line.startsWith(u"ERROR")))
            return false;
        scan(line, sink);
        return true;
    }

    void finish(ToolSink& sink) override
    {
        if (m_depth > 0)
            sink.cut();
    }

private:
    void reset()
    {
        m_text.clear();
        m_depth = 0;
        m_quoted = m_escaped = false;
    }

    void scan(const QString& line, ToolSink& sink)
    {
        qsizetype begin = 0;
        for (qsizetype at = 0; at < line.size(); ++at) {
            const QChar sign = line.at(at);
            const bool escaped = std::exchange(m_escaped, false);
            if (m_quoted) {
                m_escaped = sign == u'\\' && !escaped;
                m_quoted = sign != u'"' || escaped;
                continue;
            }
            m_quoted = sign == u'"' && m_depth > 0;
            if (sign == u'{' || sign == u'[') {
                begin = m_depth == 0 ? at : begin;
                ++m_depth;
            } else if ((sign == u'}' || sign == u']') && m_depth > 0 && --m_depth == 0) {
                m_text += QStringView(line).mid(begin, at + 1 - begin);
                read(sink);
                reset();
                begin = at + 1;
            }
        }
        if (m_depth > 0)
            m_text += QStringView(line).mid(begin);
    }

    void read(ToolSink& sink)
    {
        const QJsonDocument document = QJsonDocument::fromJson(m_text.toUtf8());
        const bool taken = document.isArray() ? readAmd(document.array(), sink) : readObject(document.object(), sink);
        if (!taken)
            sink.ignore(m_text);
    }

    static bool readObject(const QJsonObject& object, ToolSink& sink)
    {
        if (object.value(u"gpu_data"_s).isArray()) // amd-smi 7
            return readAmd(object.value(u"gpu_data"_s).toArray(), sink);
        if (object.contains(u"gpu"_s))
            return readAmd(QJsonArray{object}, sink);
        QMap<int, QJsonObject> cards; // "card10" is before "card2" in the order of text
        for (auto card = object.begin(); card != object.end(); ++card) {
            bool fine = false;
            const int number = card.key().startsWith(u"card") ? card.key().mid(4).toInt(&fine) : 0;
            if (fine && number >= 0 && card->isObject())
                cards.insert(number, card->toObject());
        }
        if (cards.isEmpty() && !object.contains(u"system"_s))
            return false;
        sink.recognised("rocm-smi", "rocm-smi-json");
        sink.understood();
        for (auto [number, keys] : cards.asKeyValueRange()) {
            ToolDevice device;
            device.id = QString::number(number);
            for (auto key = keys.begin(); key != keys.end(); ++key)
                rocmValue(device, key.key(), key->toVariant().toString());
            sink.device(device);
        }
        sink.endTick();
        return true;
    }

    static bool readAmd(const QJsonArray& devices, ToolSink& sink)
    {
        bool any = false, processes = false;
        for (const QJsonValue& value : devices) {
            const QJsonObject object = value.toObject();
            if (value.isArray() || !object.contains(u"gpu"_s))
                continue;
            ToolDevice device;
            device.id = object.value(u"gpu"_s).toVariant().toString();
            if (device.id.isEmpty())
                continue;
            any = true;
            const bool onlyProcesses = object.contains(u"process_list"_s) && object.size() == 2;
            processes = processes || onlyProcesses;
            if (onlyProcesses)
                continue;
            readAmdValues(device, object, 0);
            sink.device(device);
        }
        if (!any)
            return false;
        sink.understood();
        sink.recognised("amd-smi", processes ? "amd-smi-process-json" : "amd-smi-json");
        sink.endTick();
        return true;
    }

    QString m_text;
    int m_depth = 0;
    bool m_quoted = false, m_escaped = false;
};

} // namespace

void addJsonReader(Readers& readers) { readers.push_back(std::make_unique<JsonReader>()); }

} // namespace rankwright::inline insight::toolreading
