// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/telemetry/sampling/ranklines.h"
#include "models/insight/telemetry/sampling/telemetryfeed.h"
#include "models/insight/telemetry/sampling/ticklines.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

namespace rankwright::test {

/// The real sampling command on this machine, with stubs for srun, ssh and the vendors' tools in front of the PATH.
class SamplerRun final {
public:
    explicit SamplerRun(const TelemetryFeed::Target& target, const QHash<QString, QString>& extra = {})
    {
        using namespace Qt::StringLiterals;
        const QDir source(rankwright::test::sourcePath(u"/tests/data/telemetry/tools"));
        for (const QString& name : source.entryList(QDir::Files)) {
            const QString copy = m_tools.filePath(name);
            if (QFile::copy(source.filePath(name), copy))
                QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        }
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"PATH"_s, m_tools.path() + u':' + environment.value(u"PATH"_s));
        for (auto [name, value] : extra.asKeyValueRange())
            environment.insert(name, value);
        m_process.setProcessEnvironment(environment);
        m_process.start(u"/bin/sh"_s, {u"-c"_s, samplingCommand(target)});
    }
    ~SamplerRun()
    {
        m_process.closeWriteChannel();
        if (!m_process.waitForFinished(longWaitMs))
            m_process.kill();
        m_process.waitForFinished(longWaitMs);
    }
    Q_DISABLE_COPY_MOVE(SamplerRun)

    QProcess& process() { return m_process; }

    /// Reads lines, with heartbeats, until `done` says true of one; false when it never does.
    template <typename Done>
    bool readUntil(Done done)
    {
        for (int waited = 0; waited < longWaitMs; waited += 100) {
            m_process.write("h\n");
            m_process.waitForReadyRead(100);
            while (m_process.canReadLine()) {
                const QByteArray line = m_process.readLine();
                m_longest = qMax(m_longest, line.size());
                if (done(line.trimmed()))
                    return true;
            }
        }
        return false;
    }
    qsizetype longestLine() const { return m_longest; }

private:
    QTemporaryDir m_tools;
    QProcess m_process;
    qsizetype m_longest = 0;
};

} // namespace rankwright::test
