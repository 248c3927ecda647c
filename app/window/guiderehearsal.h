// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/slurm/jobrecord.h"
#include "models/core/error.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace rankwright {

class ClusterSession;
struct SubmitOrder;

/// What Slurm says to a script without queueing it (sbatch --test-only), asked once for each script. Lives on the GUI
/// thread.
class GuideRehearsal final {
public:
    /// `answered` is called whenever an answer has come.
    explicit GuideRehearsal(const std::function<void()>& answered) : m_answered(answered) { }

    /// Asks, unless this script is asked about already.
    void ask(ClusterSession& session, const QString& script, const SubmitOrder& order);
    /// To this script; empty: not asked, or on its way.
    std::optional<Result<StartForecast>> answer(const QString& script) const;
    bool isAsked(const QString& script) const { return m_asked && m_asked->script == script; }
    void forget();

private:
    struct Asked {
        QString script;
        std::optional<Result<StartForecast>> answer; ///< empty: on its way
    };
    std::function<void()> m_answered;
    std::optional<Asked> m_asked;
    std::unique_ptr<QObject> m_guard; ///< of the question
};

} // namespace rankwright
