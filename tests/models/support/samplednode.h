// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/models/support/samplerrun.h"

namespace rankwright::test {

using namespace Qt::StringLiterals;

using Environment = QHash<QString, QString>;

/// A shell that holds `mebibytes` and starts `then` beside itself, as a rank or one of its helpers.
class Member final {
public:
    Member(const Environment& environment, int mebibytes, const QString& then = {})
    {
        QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
        for (auto [name, value] : environment.asKeyValueRange())
            all.insert(name, value);
        m_process.setProcessEnvironment(all);
        m_process.start(u"bash"_s, {u"-c"_s, hold(mebibytes, then)});
        m_process.waitForReadyRead(test::longWaitMs);
        m_said = QString::fromUtf8(m_process.readAllStandardOutput());
    }
    ~Member()
    {
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(test::longWaitMs))
            m_process.kill();
        m_process.waitForFinished(test::longWaitMs);
    }
    Q_DISABLE_COPY_MOVE(Member)

    /// Says its process id once the memory is held, and ends with its stdin.
    static QString hold(int mebibytes, const QString& then = {})
    {
        return u"printf -v x '%*s' %1 ''; "_s.arg(mebibytes * 1048576) + then + u" echo $$; read -r x; wait"_s;
    }
    qint64 pid() const { return m_process.processId(); }
    QString said() const { return m_said; }

private:
    QProcess m_process;
    QString m_said;
};

/// Suites that run beside each other name different jobs: the sampler counts all processes of its job.
inline TelemetryFeed::Target here(GpuVendor vendor = GpuVendor::Amd, const QString& job = u"7100"_s)
{
    TelemetryFeed::Target target;
    target.job = job;
    target.vendor = vendor;
    target.way = SamplingWay::Here;
    target.ranksEveryMs = 1000;
    return target;
}

inline void put(const QString& path, const QByteArray& text)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// amdgpu's and kfd's files as the kernel lays them out (facts of gpu_busy_percent ... in docs/telemetry.md): an MI250X
/// node whose BMC has a display, and whose cards are not numbered in the order of their addresses.
class MadeUpNode final {
public:
    MadeUpNode()
    {
        put(drm(0) + u"vendor"_s, "0x1a03\n"); // the BMC's display
        card(1, 131, "0000:d1:00.0", 53504, 11, "97", 60e9, 0, 0, 56000);
        card(2, 128, "0000:c1:00.0", 49408, 12, "88", 50e9, 466200000, 500000000, 57400);
        card(3, 129, "0000:c6:00.0", 50688, 13, "0", 11e6, 0, 0, 41000);
        card(4, 130, "0000:c9:00.0", 51456, 14, "busy", 12e6, 301500000, 500000000, 40000);
        card(5, 132, "0000:d6:00.0", 54784, 15, "50", 13e6, 90000000, 500000000, 39000); // another job's
        QFile::remove(path(u"/dev/dri/renderD132"_s));
        put(path(u"/sys/class/kfd/kfd/topology/nodes/0/gpu_id"_s), "0\n"); // a processor
    }
    QString root() const { return m_root.path(); }
    QString path(const QString& below) const { return m_root.path() + below; }
    void holds(qint64 pid, int gpu, qint64 bytes) const
    {
        put(path(u"/sys/class/kfd/kfd/proc/%1/vram_%2"_s.arg(pid).arg(gpu)), QByteArray::number(bytes) + '\n');
    }
    QString drm(int number) const { return path(u"/sys/class/drm/card%1/device/"_s.arg(number)); }

private:
    void card(int number, int render, const QByteArray& address, int location, int gpu, const QByteArray& busy,
        double used, qint64 microwatt, qint64 cap, int milli) const
    {
        const QString device = drm(number);
        put(device + u"vendor"_s, "0x1002\n");
        put(device + u"uevent"_s, "DRIVER=amdgpu\nPCI_CLASS=38000\nPCI_SLOT_NAME=" + address + '\n');
        put(device + u"gpu_busy_percent"_s, busy + '\n');
        put(device + u"mem_info_vram_used"_s, QByteArray::number(qint64(used)) + '\n');
        put(device + u"mem_info_vram_total"_s, "68702699520\n");
        const QString hwmon = device + u"hwmon/hwmon%1/"_s.arg(number + 3);
        if (microwatt > 0)
            put(hwmon + u"power1_average"_s, QByteArray::number(microwatt) + '\n');
        put(hwmon + u"power1_cap"_s, QByteArray::number(cap) + '\n');
        put(hwmon + u"temp1_input"_s, QByteArray::number(milli) + '\n');
        put(hwmon + u"freq1_input"_s, "1700000000\n");
        put(device + u"drm/renderD%1/dev"_s.arg(render), "226:1\n");
        put(path(u"/dev/dri/renderD%1"_s.arg(render)), "");
        const QString node = path(u"/sys/class/kfd/kfd/topology/nodes/%1/"_s.arg(number + 3));
        put(node + u"gpu_id"_s, QByteArray::number(gpu) + '\n');
        put(node + u"properties"_s,
            "cpu_cores_count 0\nlocation_id " + QByteArray::number(location) + "\ndomain 0\ndrm_render_minor "
                + QByteArray::number(render) + '\n');
    }
    QTemporaryDir m_root;
};

} // namespace rankwright::test
