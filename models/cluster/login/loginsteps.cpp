// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/loginsteps.h"

#include "models/core/jsonvalue.h"

#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

struct Words {
    LoginStepKind kind;
    const char* word;
    const char* title;
};

constexpr Words words[] = {
    {LoginStepKind::Key, "key", "You have a key"},
    {LoginStepKind::Name, "name", "The host's name is found"},
    {LoginStepKind::Port, "port", "The port answers"},
    {LoginStepKind::HostKey, "hostKey", "It is the right machine"},
    {LoginStepKind::Method, "method", "A way to log in is offered"},
    {LoginStepKind::Login, "login", "You are let in"},
    {LoginStepKind::StartUp, "startUp", "The shell starts cleanly"},
    {LoginStepKind::Slurm, "slurm", "Slurm is there"},
    {LoginStepKind::Account, "account", "You have a project"},
    {LoginStepKind::Scratch, "scratch", "You can write to scratch"},
    {LoginStepKind::Software, "software", "PyTorch is within reach"},
};

const Words& wordsOf(LoginStepKind kind) { return words[static_cast<int>(kind)]; }

} // namespace

LoginSteps::LoginSteps()
{
    for (const Words& each : words)
        m_steps.append({each.kind, {}});
}

const StepOutcome& LoginSteps::outcome(LoginStepKind kind) const { return m_steps.at(static_cast<int>(kind)).outcome; }

void LoginSteps::set(LoginStepKind kind, const StepOutcome& outcome)
{
    m_steps[static_cast<int>(kind)].outcome = outcome;
}

const LoginStep* LoginSteps::firstFailed() const
{
    for (const LoginStep& step : m_steps) {
        if (step.outcome.light == Light::Failed)
            return &step;
    }
    return nullptr;
}

QStringList LoginSteps::mistakes() const
{
    QStringList ids;
    for (const LoginStep& step : m_steps) {
        if (step.outcome.light == Light::Failed)
            ids += step.outcome.mistakes;
    }
    ids.removeDuplicates();
    return ids;
}

QString LoginSteps::summary() const
{
    int pending = 0;
    int unknown = 0;
    for (const LoginStep& step : m_steps) {
        pending += step.outcome.light == Light::Pending ? 1 : 0;
        unknown += step.outcome.light == Light::Unknown ? 1 : 0;
    }
    if (const LoginStep* failed = firstFailed())
        return u"It stops at “%1”."_s.arg(stepTitle(failed->kind));
    if (pending == m_steps.size())
        return u"Nothing has been tested yet."_s;
    if (pending > 0)
        return u"So far all is well; %1 of %2 steps are still to be tested."_s.arg(pending).arg(m_steps.size());
    return unknown > 0 ? u"You are in. Nothing is known about %1 of %2 steps."_s.arg(unknown).arg(m_steps.size())
                       : u"Everything works: you can launch jobs."_s;
}

QString stepTitle(LoginStepKind kind) { return QString::fromUtf8(wordsOf(kind).title); }

QString stepWord(LoginStepKind kind) { return QString::fromUtf8(wordsOf(kind).word); }

QString lightSymbol(Light light)
{
    switch (light) {
    case Light::Pending: break;
    case Light::Ok: return u"✓"_s;
    case Light::Failed: return u"✕"_s;
    case Light::Unknown: return u"?"_s;
    }
    return u"○"_s;
}

QString lightWord(Light light)
{
    switch (light) {
    case Light::Pending: break;
    case Light::Ok: return u"ok"_s;
    case Light::Failed: return u"failed"_s;
    case Light::Unknown: return u"unknown"_s;
    }
    return u"pending"_s;
}

QJsonArray stepsJson(const LoginSteps& steps)
{
    QJsonArray all;
    for (const LoginStep& step : steps.all())
        all.append(QJsonObject{
            {u"step"_s, stepWord(step.kind)},
            {u"title"_s, stepTitle(step.kind)},
            {u"light"_s, lightWord(step.outcome.light)},
            {u"evidence"_s, orNull(step.outcome.evidence)},
            {u"advice"_s, orNull(step.outcome.advice)},
            {u"mistakes"_s, QJsonArray::fromStringList(step.outcome.mistakes)},
        });
    return all;
}

} // namespace rankwright::inline cluster
