// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/insight/alerts/alert.h"
#include "models/insight/diagnosis/diagnosis.h"

#include <QJsonObject>

namespace rankwright {

/// Alerts and failures found in an output as recordings and exports tell them, and back. What is not known is null.
QJsonObject alertJson(const Alert& alert);
/// Members that are missing or of another kind give empty fields.
Alert alertFrom(const QJsonObject& json);

QJsonObject failureJson(const Diagnosis& diagnosis);
Diagnosis failureFrom(const QJsonObject& json);

} // namespace rankwright
