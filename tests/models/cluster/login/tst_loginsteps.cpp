// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/loginmistakes.h"
#include "models/cluster/login/loginsteps.h"

#include "tests/support/testbase.h"

#include <QJsonObject>
#include <QSet>

using namespace rankwright;
using namespace Qt::StringLiterals;

class LoginStepsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void elevenStepsInOrder();

    /// Colour is not the only difference.
    void lightsDifferInShapeAndWord();
    void summaries();
    void mistakesComeOnceAndOfFailedStepsAlone();
    void tenMistakes();
    void json();
};

void LoginStepsTest::elevenStepsInOrder()
{
    const LoginSteps steps;
    QStringList words;
    for (const LoginStep& step : steps.all()) {
        words << stepWord(step.kind);
        QCOMPARE(step.outcome.light, Light::Pending);
        QCOMPARE(int(step.kind), int(words.size()) - 1);
        QVERIFY(!stepTitle(step.kind).isEmpty());
    }
    QCOMPARE(words,
        (QStringList{u"key"_s, u"name"_s, u"port"_s, u"hostKey"_s, u"method"_s, u"login"_s, u"startUp"_s, u"slurm"_s,
            u"account"_s, u"scratch"_s, u"software"_s}));
}

void LoginStepsTest::lightsDifferInShapeAndWord()
{
    QSet<QString> symbols;
    QSet<QString> words;
    for (const Light light : {Light::Pending, Light::Ok, Light::Failed, Light::Unknown}) {
        symbols << lightSymbol(light);
        words << lightWord(light);
    }
    QCOMPARE(symbols.size(), 4);
    QCOMPARE(words.size(), 4);
}

void LoginStepsTest::summaries()
{
    LoginSteps steps;
    QCOMPARE(steps.summary(), u"Nothing has been tested yet."_s);
    steps.set(LoginStepKind::Key, {Light::Ok, {}, {}, {}});
    QVERIFY(steps.summary().contains(u"10 of 11"_s));
    for (const LoginStep& step : LoginSteps().all())
        steps.set(step.kind, {Light::Ok, {}, {}, {}});
    QCOMPARE(steps.summary(), u"Everything works: you can launch jobs."_s);
    steps.set(LoginStepKind::Scratch, {Light::Unknown, {}, {}, {}});
    QVERIFY2(steps.summary().contains(u"1 of 11"_s), qPrintable(steps.summary()));
    steps.set(LoginStepKind::Slurm, {Light::Failed, u"no sinfo"_s, {}, {}});
    QVERIFY(steps.summary().contains(stepTitle(LoginStepKind::Slurm)));
    QCOMPARE(steps.firstFailed()->kind, LoginStepKind::Slurm);
}

void LoginStepsTest::mistakesComeOnceAndOfFailedStepsAlone()
{
    LoginSteps steps;
    steps.set(LoginStepKind::Name, {Light::Ok, {}, {}, {u"vpn_needed"_s}});
    steps.set(LoginStepKind::Login, {Light::Failed, {}, {}, {u"expired"_s, u"wrong_user"_s}});
    steps.set(LoginStepKind::Account, {Light::Failed, {}, {}, {u"no_project"_s, u"expired"_s}});
    QCOMPARE(steps.mistakes(), (QStringList{u"expired"_s, u"wrong_user"_s, u"no_project"_s}));
}

void LoginStepsTest::tenMistakes()
{
    QCOMPARE(loginMistakes().size(), 10);
    QSet<QString> ids;
    for (const LoginMistake& mistake : loginMistakes()) {
        ids << mistake.id;
        QVERIFY(!mistake.title.isEmpty() && mistake.why.endsWith(u'.') && mistake.remedy.endsWith(u'.'));
        QCOMPARE(loginMistake(mistake.id), &mistake);
    }
    QCOMPARE(ids.size(), 10);
    QVERIFY(!loginMistake(u"nothing"_s));
}

void LoginStepsTest::json()
{
    LoginSteps steps;
    steps.set(LoginStepKind::Port, {Light::Failed, u"no answer"_s, u"Start the VPN."_s, {u"vpn_needed"_s}});
    const QJsonArray all = stepsJson(steps);
    QCOMPARE(all.size(), 11);
    const QJsonObject port = all.at(2).toObject();
    QCOMPARE(port,
        (QJsonObject{{u"step"_s, u"port"_s}, {u"title"_s, u"The port answers"_s}, {u"light"_s, u"failed"_s},
            {u"evidence"_s, u"no answer"_s}, {u"advice"_s, u"Start the VPN."_s},
            {u"mistakes"_s, QJsonArray{u"vpn_needed"_s}}}));
    QVERIFY(all.at(0).toObject().value(u"evidence"_s).isNull());
}

RANKWRIGHT_TEST_MAIN(LoginStepsTest)
#include "tst_loginsteps.moc"
