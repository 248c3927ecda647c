// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/recordingevents.h"
#include "models/insight/alerts/alert.h"
#include "models/insight/diagnosis/diagnosis.h"
#include "models/insight/progress/rankbinding.h"

namespace rankwright {

/// "alerts": those of that moment.
RecordingEvent alertsEvent(const QList<Alert>& alerts, qint64 nowMs);
/// "failures": all that the output had reported by then.
RecordingEvent failuresEvent(const QList<Diagnosis>& failures, qint64 nowMs);
/// "binding": where the ranks had reported to be by then.
RecordingEvent bindingEvent(const RankBinding& binding, qint64 nowMs);

/// What an event says, in today's members: recordings of version 1 named those of alerts otherwise. Error: it is
/// damaged; it says which event and what in it.
Result<QJsonObject> eventJson(const RecordingEvent& event);
/// The same of an event "alerts".
Result<QList<Alert>> alertsIn(const RecordingEvent& event);
/// The same of an event "failures".
Result<QList<Diagnosis>> failuresIn(const RecordingEvent& event);
/// The same of an event "binding".
Result<RankBinding> bindingIn(const RecordingEvent& event);

} // namespace rankwright
