// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include <memory>

namespace rankwright {

/// SHA-256 of what passes by: OpenSSL's where the build found it (it uses the processor's own instructions), else Qt's.
/// The result may be read at any moment, and the hash gone on with.
class FileHash {
    Q_DISABLE_COPY_MOVE(FileHash)
public:
    FileHash();
    ~FileHash();

    void addData(QByteArrayView bytes);
    QByteArray hex() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace rankwright
