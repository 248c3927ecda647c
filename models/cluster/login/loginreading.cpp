// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/loginreading.h"

#include "models/core/quantitytext.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

namespace {

QString nameOf(const HostScouting& seen) { return seen.isGateway ? u"the gateway "_s + seen.host : seen.host; }

QString keyText(const KeyFile& key, const QDateTime& now)
{
    QString text = QFileInfo(key.path).fileName();
    if (!key.type.isEmpty())
        text += u" ("_s + key.type + u')';
    if (key.isOnToken())
        text += u", on a security key that wants a touch"_s;
    if (key.certificate)
        text += u", its certificate "_s + validityText(*key.certificate, now);
    return text;
}

QString whereToRegister(const LoginRule& login)
{
    const KeyRegistration& page = login.keyRegistration;
    if (page.title.isEmpty())
        return u"Ask the site where public keys are registered."_s;
    return page.url.isEmpty() ? u"Register it in: %1."_s.arg(page.title)
                              : u"Register it in: %1 (%2)."_s.arg(page.title, page.url);
}

bool mentions(const Error& why, const QString& words)
{
    return why.what.contains(words, Qt::CaseInsensitive) || why.detail.contains(words, Qt::CaseInsensitive);
}

} // namespace

StepOutcome readKeys(
    const QList<KeyFile>& keys, std::optional<int> agentKeys, const LoginRule& login, const QDateTime& now)
{
    if (login.takesKeys == false)
        return {Light::Ok, u"This site takes no keys: a password or codes are asked for."_s, {}, {}};
    QStringList lines;
    QStringList open;
    QStringList expired;
    for (const KeyFile& key : keys) {
        lines << keyText(key, now);
        if (key.readByOthers)
            open << key.path;
        if (key.certificate && key.certificate->stateAt(now) == SshCertificate::State::Expired)
            expired << key.path;
    }
    if (agentKeys)
        lines << (*agentKeys > 0 ? u"the agent shows %1"_s.arg(counted(*agentKeys, u"key"_s))
                                 : u"the agent shows no key: it is empty or locked (ssh-add -X unlocks it)"_s);
    const QString evidence = lines.join(u'\n');
    if (!open.isEmpty())
        return {Light::Failed, evidence, u"Others may read the key. Allow only yourself: chmod 600 "_s + open.first(),
            {u"key_permissions"_s}};
    if (!expired.isEmpty() && expired.size() == keys.size())
        return {Light::Failed, evidence, u"Get a new certificate from the site and put it beside the key."_s,
            {u"expired"_s}};
    if (!keys.isEmpty() || agentKeys.value_or(0) > 0)
        return {Light::Ok, evidence, {}, {}};
    const bool isNeeded = login.takesKeys.value_or(false) || !login.keyRegistration.title.isEmpty();
    const QString seen = evidence.isEmpty() ? u"There is no key in ~/.ssh."_s : evidence;
    return {isNeeded ? Light::Failed : Light::Unknown, seen, u"Make a key here. %1"_s.arg(whereToRegister(login)),
        {u"key_not_registered"_s}};
}

StepOutcome readName(const HostScouting& seen)
{
    if (seen.addresses == QStringList{seen.host})
        return {Light::Ok, u"%1 is an address itself"_s.arg(nameOf(seen)), {}, {}};
    if (seen.nameFailure.isEmpty())
        return {Light::Ok, u"%1 is %2"_s.arg(nameOf(seen), seen.addresses.join(u", "_s)), {}, {}};
    return {Light::Failed, u"%1: %2"_s.arg(nameOf(seen), seen.nameFailure),
        u"Check the spelling, and that this machine is on the network; some names are known only inside the VPN."_s,
        {u"vpn_needed"_s}};
}

StepOutcome readPort(const HostScouting& seen)
{
    if (!seen.nameFailure.isEmpty())
        return {};
    const QString place = u"%1, port %2"_s.arg(nameOf(seen)).arg(seen.port);
    if (!seen.answered)
        return {Light::Failed, u"%1: %2"_s.arg(place, seen.portFailure),
            u"Start the site's VPN or try another network; check whether the site has maintenance today."_s,
            {u"vpn_needed"_s}};
    if (seen.software.isEmpty())
        return {Light::Failed, u"%1: something answers, and it is not an SSH server. %2"_s.arg(place, seen.failure),
            u"Check the port. A guest network may want you to sign in with a browser first; servers also hang up on "
            u"addresses from which too many logins failed: then wait some minutes."_s,
            {u"vpn_needed"_s}};
    return {Light::Ok, u"%1: %2"_s.arg(place, seen.software), {}, {}};
}

StepOutcome readHostKey(const HostScouting& seen)
{
    const QString key = u"%1 %2"_s.arg(seen.keyType, seen.fingerprint);
    switch (seen.verdict) {
    case HostScouting::KeyVerdict::NotSeen:
        return seen.answered && !seen.software.isEmpty() && !seen.failure.isEmpty()
            ? StepOutcome{Light::Unknown, seen.failure, u"Test again; if it stays so, ask the site."_s, {}}
            : StepOutcome{};
    case HostScouting::KeyVerdict::Known: return {Light::Ok, key + u"\nIt is the key on record."_s, {}, {}};
    case HostScouting::KeyVerdict::Published:
        return {Light::Ok, key + u"\nIt is one of those that the operator publishes."_s, {}, {}};
    case HostScouting::KeyVerdict::New:
        return {Light::Unknown, key + u"\nIt is not on record, and no published key is known here."_s,
            u"Compare it with the site's page when you are asked."_s, {}};
    case HostScouting::KeyVerdict::Refused: break;
    }
    return {Light::Failed, QStringList{seen.refusal.what, seen.refusal.detail}.join(u'\n').trimmed(),
        seen.refusal.remedy, {u"host_key_changed"_s}};
}

StepOutcome readMethods(const HostScouting& seen, OwnKeys keys)
{
    if (seen.methods.isEmpty()) {
        const bool tried
            = seen.verdict != HostScouting::KeyVerdict::NotSeen && seen.verdict != HostScouting::KeyVerdict::Refused;
        return tried
            ? StepOutcome{Light::Unknown, seen.failure.isEmpty() ? u"The server named none."_s : seen.failure, {}, {}}
            : StepOutcome{};
    }
    const QString evidence = u"%1 takes: %2"_s.arg(nameOf(seen), seen.methods.join(u", "_s));
    const bool takesTyped = seen.methods.contains(u"password"_s) || seen.methods.contains(u"keyboard-interactive"_s);
    if (takesTyped || (keys == OwnKeys::Some && seen.methods.contains(u"publickey"_s)))
        return {Light::Ok, evidence, {}, {}};
    if (seen.methods.contains(u"publickey"_s))
        return {Light::Failed, evidence, u"It takes keys only, and there is none here: make one, and register it."_s,
            {u"key_not_registered"_s}};
    return {Light::Failed, evidence, u"None of these is supported here (Kerberos, host-based)."_s, {}};
}

LoginStepKind stepOf(const Error& why)
{
    return why.fault == Fault::HostKeyRefused ? LoginStepKind::HostKey : LoginStepKind::Login;
}

StepOutcome readLoginFailure(const Error& why, const LoginRule& login)
{
    StepOutcome outcome{Light::Failed, QStringList{why.what, why.detail}.join(u'\n').trimmed(), why.remedy, {}};
    if (why.fault == Fault::HostKeyRefused) {
        outcome.mistakes = {u"host_key_changed"_s};
        return outcome;
    }
    if (why.fault == Fault::Cancelled) {
        outcome.light = Light::Unknown;
        return outcome;
    }
    if (why.fault == Fault::Offline || why.fault == Fault::TimedOut) {
        outcome.mistakes = {u"vpn_needed"_s};
        return outcome;
    }
    if (mentions(why, u"has expired"_s))
        outcome.mistakes << u"expired"_s;
    if (mentions(why, u"Too many authentication failures"_s) || mentions(why, u"ended the login"_s))
        outcome.mistakes << u"wrong_key"_s;
    if (mentions(why, u"wrong passphrase"_s) || mentions(why, u"password"_s))
        outcome.mistakes << u"passphrase_password"_s;
    if (login.takesKeys != false) {
        outcome.mistakes << u"key_not_registered"_s;
        outcome.advice = u"%1 %2"_s.arg(why.remedy, whereToRegister(login)).trimmed();
        if (!login.keyRegistration.delay.isEmpty())
            outcome.advice += u" A new key works after %1."_s.arg(login.keyRegistration.delay);
    }
    outcome.mistakes << u"wrong_user"_s << u"expired"_s;
    outcome.mistakes.removeDuplicates();
    return outcome;
}

StepOutcome loginWorked(const QString& user, const QString& host)
{
    return {Light::Ok, user.isEmpty() ? u"logged in to "_s + host : u"logged in to %1 as %2"_s.arg(host, user), {}, {}};
}

} // namespace rankwright::inline cluster
