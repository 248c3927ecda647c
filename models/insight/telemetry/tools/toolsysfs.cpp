// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/telemetry/tools/toolparts.h"

#include <QMap>

using namespace Qt::StringLiterals;

namespace rankwright::inline insight::toolreading {

namespace {

/// Files under /sys/class/drm/cardN/device of the amdgpu driver, as `grep -H ""` ("PATH:VALUE") or `tail -n +1`
/// ("==> PATH <==" and the value below) print them. Microwatt, millidegree (kernel documentation, amdgpu/thermal).
class Sysfs final : public LineReader {
public:
    bool readLine(const QString& line, ToolSink& sink) override
    {
        const QString text = line.trimmed();
        if (text.startsWith(u"==> ") && text.endsWith(u" <==")) {
            m_path = text.mid(4, text.size() - 8);
            return cardOf(m_path) >= 0;
        }
        const qsizetype colon = text.startsWith(u'/') || text.startsWith(u"card") ? text.lastIndexOf(u':') : -1;
        if (colon > 0 && cardOf(text.left(colon)) >= 0)
            return readFile(text.left(colon), text.mid(colon + 1), sink);
        if (m_path.isEmpty())
            return false;
        const QString path = std::exchange(m_path, QString());
        return cardOf(path) >= 0 && readFile(path, text, sink);
    }

    void finish(ToolSink& sink) override { flush(sink); }

private:
    using Files = QMap<QString, QString>;

    /// ".../card3/device/..." -> 3; -1: not such a path.
    static int cardOf(const QString& path)
    {
        const qsizetype end = path.indexOf(u"/device/");
        const qsizetype begin = end < 0 ? -1 : path.lastIndexOf(u'/', end - 1) + 1;
        if (begin < 0 || path.mid(begin, 4) != u"card")
            return -1;
        bool fine = false;
        const int number = path.mid(begin + 4, end - begin - 4).toInt(&fine);
        return fine ? number : -1;
    }

    bool readFile(const QString& path, const QString& value, ToolSink& sink)
    {
        const QString file = path.section(u'/', -1);
        const int card = cardOf(path);
        if (m_cards.value(card).contains(file)) // the next time round
            flush(sink);
        m_cards[card].insert(file, value);
        return true;
    }

    static std::optional<double> scaled(const QString& cell, double divisor)
    {
        const auto read = number(cell);
        return read ? std::optional<double>(*read / divisor) : std::nullopt;
    }

    static void addErrors(ToolDevice& device, const QString& file, const QString& value)
    {
        const bool isTail = file.endsWith(u"_err_count") && value.startsWith(u"ue:");
        if (!isTail && !file.endsWith(u"_err_count:ue"))
            return;
        if (const auto errors = count(isTail ? value.mid(3) : value))
            device.memoryErrors = device.memoryErrors.value_or(0) + *errors;
    }

    void flush(ToolSink& sink)
    {
        if (m_cards.isEmpty())
            return;
        for (auto [card, files] : m_cards.asKeyValueRange()) {
            ToolDevice device;
            device.utilizationPercent = number(files.value(u"gpu_busy_percent"_s));
            device.memoryUsedBytes = bytes(files.value(u"mem_info_vram_used"_s), 1);
            device.memoryTotalBytes = bytes(files.value(u"mem_info_vram_total"_s), 1);
            for (const QString& file : {u"power1_average"_s, u"power1_input"_s}) { // MI200, MI300
                const auto power = scaled(files.value(file), 1e6);
                if (!device.powerWatts && power && *power > 0)
                    device.powerWatts = power;
            }
            for (const QString& file : {u"temp1_input"_s, u"temp2_input"_s}) { // edge, junction
                if (!device.temperatureCelsius)
                    device.temperatureCelsius = scaled(files.value(file), 1e3);
            }
            device.memoryActivePercent = number(files.value(u"mem_busy_percent"_s));
            for (auto [file, value] : files.asKeyValueRange()) // "ue: 0", whose name grep ends at the last colon
                addErrors(device, file, value);
            const QString vendor = files.value(u"vendor"_s).trimmed();
            if (device == ToolDevice() || (!vendor.isEmpty() && vendor != u"0x1002")) // the BMC's display
                continue;
            device.id = QString::number(card);
            sink.recognised("sysfs", "amdgpu-sysfs");
            sink.device(device);
        }
        m_cards.clear();
        sink.endTick();
    }

    QMap<int, Files> m_cards;
    QString m_path;
};

} // namespace

void addSysfsReader(Readers& readers) { readers.push_back(std::make_unique<Sysfs>()); }

} // namespace rankwright::inline insight::toolreading
