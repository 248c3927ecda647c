// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/guiderehearsal.h"

#include "app/session/clustersession.h"
#include "app/submit/dryrun.h"

namespace rankwright {

void GuideRehearsal::ask(ClusterSession& session, const QString& script, const SubmitOrder& order)
{
    if (isAsked(script))
        return;
    m_asked = Asked{script, std::nullopt};
    m_guard = std::make_unique<QObject>();
    QObject::connect(session.guard(), &QObject::destroyed, m_guard.get(), [this] {
        m_asked.reset();
        m_guard.release()->deleteLater();
    });
    askDryRun(session.client(), session.jobLog().dataFolder(), order, m_guard.get(),
        [this](const Result<StartForecast>& answer) {
            m_asked->answer = answer;
            m_answered();
        });
}

std::optional<Result<StartForecast>> GuideRehearsal::answer(const QString& script) const
{
    return isAsked(script) ? m_asked->answer : std::nullopt;
}

void GuideRehearsal::forget()
{
    m_asked.reset();
    m_guard.reset();
}

} // namespace rankwright
