// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/loginlimits.h"

#include "models/cluster/draft/reportedlimits.h"

#include <QEventLoop>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

Result<std::optional<ClusterFacts>> factsOf(CliLogin& login)
{
    if (login.session().facts())
        return login.session().facts();
    bool interrupted = false;
    QEventLoop loop;
    std::optional<ClusterFacts> answer;
    QObject guard;
    login.onInterruption([&] {
        interrupted = true;
        loop.quit();
    });
    login.session().client().discover(&guard, [&](const Result<ClusterFacts>& facts) {
        if (facts)
            answer = *facts;
        loop.quit();
    });
    loop.exec();
    login.onInterruption({});
    if (interrupted)
        return fail(Fault::Cancelled, u"Interrupted; nothing was submitted."_s);
    return answer;
}

} // namespace

Result<ClusterProfile> profileWithLimits(CliLogin& login, const ClusterProfile& profile)
{
    const auto facts = factsOf(login);
    if (!facts)
        return fail(facts.error());
    return *facts ? withReportedLimits(profile, **facts) : profile;
}

} // namespace rankwright
