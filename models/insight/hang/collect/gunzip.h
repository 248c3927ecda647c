// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/core/error.h"

#include <QByteArray>

namespace rankwright::inline insight {

/// Unpacks gzip data (RFC 1952, one member; RFC 1951). Error: not gzip, truncated or damaged (the checksum is
/// verified), or unpacked larger than `most` bytes: memory and time stay in proportion to that.
Result<QByteArray> gunzip(QByteArrayView packed, qsizetype most);

} // namespace rankwright::inline insight
