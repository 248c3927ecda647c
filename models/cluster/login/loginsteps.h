// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QList>
#include <QString>
#include <QStringList>

namespace rankwright::inline cluster {

/// What a first login is made of, in the order in which it is tested.
enum class LoginStepKind { Key, Name, Port, HostKey, Method, Login, StartUp, Slurm, Account, Scratch, Software };

/// Pending: not tested yet. Unknown: tested, and nothing can be said; never taken for either of the others.
enum class Light { Pending, Ok, Failed, Unknown };

/// What a test of one step found.
struct StepOutcome {
    Light light = Light::Pending;
    QString evidence; ///< what was seen, one line or a few
    QString advice; ///< what to do; empty: nothing
    QStringList mistakes; ///< ids of loginMistakes() that it looks like, likeliest first
    bool operator==(const StepOutcome&) const = default;
};

struct LoginStep {
    LoginStepKind kind = LoginStepKind::Key;
    StepOutcome outcome;
    bool operator==(const LoginStep&) const = default;
};

/// All steps in order, each with its light.
class LoginSteps {
public:
    LoginSteps();
    const QList<LoginStep>& all() const { return m_steps; }
    const StepOutcome& outcome(LoginStepKind kind) const;
    void set(LoginStepKind kind, const StepOutcome& outcome);
    /// Null: none has failed.
    const LoginStep* firstFailed() const;
    /// The mistakes that the failed steps look like, likeliest first, each once.
    QStringList mistakes() const;
    /// The whole in one sentence.
    QString summary() const;
    bool operator==(const LoginSteps&) const = default;

private:
    QList<LoginStep> m_steps;
};

/// "The name is found".
QString stepTitle(LoginStepKind kind);
/// The word for programs: "name", "hostKey".
QString stepWord(LoginStepKind kind);
/// A shape that differs without colour: "○", "✓", "✕", "?".
QString lightSymbol(Light light);
/// "pending", "ok", "failed", "unknown".
QString lightWord(Light light);

/// [{"step", "title", "light", "evidence", "advice", "mistakes"}], as `login-help --json` prints it.
QJsonArray stepsJson(const LoginSteps& steps);

} // namespace rankwright::inline cluster
