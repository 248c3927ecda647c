// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIODevice>
#include <QStringDecoder>
#include <QTextStream>

namespace rankwright {

/// What stands between every command and the terminal: texts of servers, logs and folders of others lose what could
/// move the cursor, change the title or turn the direction of writing (U+FFFD in texts, \u009b in JSON). Bytes pass as
/// they come; nothing is kept back but the part of a character.
class HarmlessOutput final : public QIODevice {
    Q_OBJECT
public:
    enum class Kind { Text, Json };
    /// `target` must outlive this device.
    HarmlessOutput(QTextStream& target, Kind kind);
    ~HarmlessOutput() override;
    bool isSequential() const override { return true; }
    /// Bytes of the user's own file, as they are; on a terminal as all else.
    void passExactly(const QByteArray& bytes);

protected:
    qint64 readData(char*, qint64) override { return -1; }
    qint64 writeData(const char* data, qint64 size) override;

private:
    QTextStream& m_target;
    Kind m_kind;
    QString m_held; ///< a carriage return whose line feed may come
    QStringDecoder m_decoder{QStringDecoder::Utf8};
};

/// The same at the end of what a command printed to `out`.
void writeExactly(QTextStream& out, const QByteArray& bytes);

} // namespace rankwright
