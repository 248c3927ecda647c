// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/firstlogin/firstloginreport.h"

#include "models/cluster/login/loginmistakes.h"
#include "models/core/jsonvalue.h"

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

QJsonObject keyJson(const KeyFile& key)
{
    QJsonObject object{
        {u"path"_s, key.path},
        {u"type"_s, orNull(key.type)},
        {u"publicKey"_s, orNull(QString::fromUtf8(key.publicLine))},
        {u"encrypted"_s, key.isEncrypted},
        {u"onSecurityKey"_s, key.isOnToken()},
        {u"certificate"_s, QJsonValue()},
    };
    if (key.certificate)
        object.insert(u"certificate"_s,
            QJsonObject{
                {u"keyId"_s, orNull(key.certificate->keyId)},
                {u"principals"_s, QJsonArray::fromStringList(key.certificate->principals)},
                {u"validFrom"_s, key.certificate->validFrom ? timeJson(*key.certificate->validFrom) : QJsonValue()},
                {u"validUntil"_s, key.certificate->validUntil ? timeJson(*key.certificate->validUntil) : QJsonValue()},
                {u"validity"_s, validityText(*key.certificate, QDateTime::currentDateTimeUtc())},
            });
    return object;
}

void printIndented(const QString& text, QTextStream& out)
{
    for (const QString& line : text.split(u'\n', Qt::SkipEmptyParts))
        out << u"             "_s << line << u'\n';
}

} // namespace

void printStep(const LoginStep& step, QTextStream& out)
{
    out << u' ' << lightSymbol(step.outcome.light) << u' ' << lightWord(step.outcome.light).leftJustified(9)
        << stepTitle(step.kind) << u'\n';
    printIndented(step.outcome.evidence, out);
    if (!step.outcome.advice.isEmpty())
        printIndented(u"→ "_s + step.outcome.advice, out);
    out.flush();
}

QJsonObject firstLoginJson(const ClusterProfile& profile, const LoginCheck& check)
{
    QJsonArray keys;
    for (const KeyFile& key : check.keys())
        keys.append(keyJson(key));
    QJsonArray mistakes;
    for (const QString& id : check.steps().mistakes()) {
        if (const LoginMistake* mistake = loginMistake(id))
            mistakes.append(QJsonObject{{u"id"_s, mistake->id}, {u"title"_s, mistake->title}, {u"why"_s, mistake->why},
                {u"remedy"_s, mistake->remedy}});
    }
    const KeyRegistration& page = profile.login.keyRegistration;
    return {
        {u"cluster"_s, profile.name},
        {u"host"_s, check.endpoint() ? orNull(check.endpoint()->host) : QJsonValue()},
        {u"user"_s, check.endpoint() ? orNull(check.endpoint()->user) : QJsonValue()},
        {u"ok"_s, check.steps().firstFailed() == nullptr},
        {u"summary"_s, check.steps().summary()},
        {u"registration"_s,
            page.title.isEmpty() ? QJsonValue()
                                 : QJsonValue(QJsonObject{{u"title"_s, page.title}, {u"url"_s, orNull(page.url)},
                                     {u"delay"_s, orNull(page.delay)}})},
        {u"keys"_s, keys},
        {u"steps"_s, stepsJson(check.steps())},
        {u"mistakes"_s, mistakes},
    };
}

void printHelp(const ClusterProfile& profile, const LoginCheck& check, QTextStream& out)
{
    out << u'\n' << check.steps().summary() << u'\n';
    const bool loginFailed = check.steps().outcome(LoginStepKind::Login).light != Light::Ok;
    const KeyRegistration& page = profile.login.keyRegistration;
    if (loginFailed && profile.login.takesKeys != false) {
        for (const KeyFile& key : check.keys()) {
            if (!key.publicLine.isEmpty())
                out << u"\nYour public key ("_s << key.path << u".pub), one line, to be registered with the site:\n"_s
                    << QString::fromUtf8(key.publicLine) << u'\n';
        }
        if (check.keys().isEmpty())
            out << u"\nMake a key with: rankwright-cli login-help "_s << profile.name << u" --make-key\n"_s;
        out << (page.title.isEmpty() ? u"Where this site takes public keys is not known here: ask the site.\n"_s
                                     : u"Paste it in: %1 %2\n"_s.arg(page.title, page.url));
        if (!page.delay.isEmpty())
            out << u"A new key works after "_s << page.delay << u".\n"_s;
    }
    const QStringList ids = check.steps().mistakes();
    if (!ids.isEmpty())
        out << u"\nWhat it looks like:\n"_s;
    for (const QString& id : ids) {
        if (const LoginMistake* mistake = loginMistake(id))
            out << u"  • "_s << mistake->title << u": "_s << mistake->why << u"\n    → "_s << mistake->remedy << u'\n';
    }
    out.flush();
}

} // namespace rankwright
