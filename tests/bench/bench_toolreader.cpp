// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How fast any output of a GPU tool is read (`parse gpu`), layout by layout, and what the worst inputs cost: time must
// grow in step with the input.
#include "models/insight/telemetry/tools/toolreader.h"
#include "tests/bench/benchreport.h"
#include "tests/bench/usage.h"

#include <QDir>
#include <QMap>

#include <malloc.h>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype streamBytes = 4'000'000;
constexpr qsizetype mega = 1'000'000;

qsizetype devicesIn(const ToolReading& reading)
{
    qsizetype count = 0;
    for (const ToolTick& tick : reading.ticks)
        count += tick.devices.size();
    return count;
}

/// Each recorded output, over and over, as a tool in a loop prints it; of each layout the one with the most devices.
void benchLayouts()
{
    QMap<QString, std::pair<qsizetype, QByteArray>> layouts;
    const QDir folder(QStringLiteral(RANKWRIGHT_SOURCE_DIR) + u"/tests/data/telemetry/samples"_s);
    for (const QString& name : folder.entryList({u"*.txt"_s}, QDir::Files)) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QByteArray output = file.readAll();
        const ToolReading reading = readGpuTool(output);
        const qsizetype devices = devicesIn(reading);
        if (devices > 0 && output.endsWith('\n') && devices > layouts.value(reading.format).first)
            layouts.insert(reading.format, {devices, output});
    }
    for (const auto& [format, sample] : layouts.asKeyValueRange()) {
        const QByteArray stream = sample.second.repeated(streamBytes / sample.second.size() + 1);
        QList<double> runs;
        double speed = 0;
        for (int run = 0; run < 3; ++run) {
            const double start = bench::cpuSeconds();
            const ToolReading reading = readGpuTool(stream);
            const double seconds = bench::cpuSeconds() - start;
            runs.append(double(devicesIn(reading)) / seconds);
            speed = double(stream.size()) / 1e6 / seconds;
        }
        bench::report(qPrintable(u"%1 (%2 MB/s)"_s.arg(format).arg(speed, 0, 'f', 1)), runs, "device samples/s");
    }
}

QByteArray xmlReport(qsizetype bytes)
{
    QByteArray gpu;
    for (int at = 0; at < 8; ++at)
        gpu += "\t<gpu id=\"00000000:0" + QByteArray::number(at)
            + ":00.0\">\n\t\t<product_name>NVIDIA H100</product_name>\n"
              "\t\t<fb_memory_usage>\n\t\t\t<total>81559 MiB</total>\n\t\t\t<used>70000 "
              "MiB</used>\n\t\t</fb_memory_usage>\n"
              "\t\t<utilization>\n\t\t\t<gpu_util>97 %</gpu_util>\n\t\t</utilization>\n\t</gpu>\n";
    return "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n" + gpu.repeated(bytes / gpu.size()) + "</nvidia_smi_log>\n";
}

void worst(const char* what, const std::function<QByteArray(qsizetype size)>& make, qsizetype size)
{
    QList<double> seconds;
    double most = 0;
    for (const qsizetype part : {size / 2, size}) {
        const QByteArray input = make(part);
        malloc_trim(0);
        if (QFile marks(u"/proc/self/clear_refs"_s); marks.open(QIODevice::WriteOnly))
            marks.write("5"); // the most resident memory is counted again
        const double before = bench::residentMib();
        const double start = bench::cpuSeconds();
        const ToolReading reading = readGpuTool(input);
        seconds.append(bench::cpuSeconds() - start);
        most = bench::mostResidentMib() - before;
    }
    std::printf("%-58s  half %7.3f s  whole %7.3f s  x %.1f  memory beside the input %7.1f MiB\n", what,
        seconds.first(), seconds.last(), seconds.last() / std::max(1e-6, seconds.first()), most);
    std::fflush(stdout);
}

void benchWorst()
{
    const auto repeated = [](const char* piece) {
        return
            [piece = QByteArray(piece)](qsizetype size) -> QByteArray { return piece.repeated(size / piece.size()); };
    };
    worst("a line of 100 MB", repeated("a"), 100 * mega);
    worst("a line of 100 MB of commas", repeated(", "), 100 * mega);
    worst("a line of 100 MB of blanks and words", repeated("GPU 0: "), 100 * mega);
    worst("a line of 50 MB of colours", repeated("\x1b[31m"), 50 * mega);
    worst("1 million open brackets in a line", repeated("["), mega);
    worst("1 million open brackets, a line each", repeated("[\n"), 2 * mega);
    worst("1 million open braces with keys in a line", repeated("{\"card0\": "), 10 * mega);
    worst(
        "50 MB of JSON that never ends",
        [](qsizetype size) -> QByteArray {
            return QByteArray("{\"card0\": {\n") + QByteArray("\"GPU use (%)\": \"97\",\n").repeated(size / 21);
        },
        50 * mega);
    worst("50 MB of XML", xmlReport, 50 * mega);
    worst(
        "50 MB of XML in one line", [](qsizetype size) { return xmlReport(size).replace('\n', ' '); }, 50 * mega);
    worst("50 MB of open XML elements", repeated("<gpu id=\"0\">\n"), 50 * mega);
    worst(
        "100,000 nodes with a line each",
        [](qsizetype size) {
            QByteArray text;
            for (qsizetype node = 0; node < size / 20; ++node)
                text += "nid" + QByteArray::number(node) + ": 0, 97 %, 1 MiB\n";
            return text;
        },
        2 * mega);
    worst(
        "100,000 devices in one tick",
        [](qsizetype size) {
            QByteArray text("index, utilization.gpu [%], memory.used [MiB], memory.total [MiB]\n");
            for (qsizetype gpu = 0; gpu < size / 20; ++gpu)
                text += QByteArray::number(gpu) + ", 97 %, 1 MiB, 2 MiB\n";
            return text;
        },
        2 * mega);
}

} // namespace

/// With an argument only the layouts, or only the worst inputs: "layouts", "worst".
int main(int argc, char** argv)
{
    const QByteArray only = argc > 1 ? argv[1] : "";
    if (only != "worst")
        benchLayouts();
    if (only != "layouts")
        benchWorst();
    return 0;
}
