// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/sharedtext.h"
#include "tests/support/testbase.h"

#include <QJsonArray>
#include <QJsonObject>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What is taken out of a text before it is given to others, and what is left alone. No token here was ever valid.
class SharedTextTest final : public test::Suite {
    Q_OBJECT
private slots:
    void secretsGo_data();
    void secretsGo();
    void halfAPairHidesNothing();
    void otherTextsStay_data();
    void otherTextsStay();
    void membersOfJson();
    void namesOfUsers();
    void inProportion();
};

void SharedTextTest::secretsGo_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shared");
    const auto row
        = [](const char* name, const QString& text, const QString& shared) { QTest::newRow(name) << text << shared; };
    row("export", u"export HF_TOKEN=abcdefgh123\nsrun x"_s, u"export HF_TOKEN=(left out)\nsrun x"_s);
    row("quoted", u"export WANDB_API_KEY=\"0123456789abcdef\""_s, u"export WANDB_API_KEY=\"(left out)\""_s);
    row("single quotes", u"MY_PASSWORD='it is long' x"_s, u"MY_PASSWORD='(left out)' x"_s);
    row("print of a dict", u"{'HF_TOKEN': 'abcdefgh', 'A': 1}"_s, u"{'HF_TOKEN': '(left out)', 'A': 1}"_s);
    row("YAML", u"  aws_secret_access_key: AbC/dEf+123\n"_s, u"  aws_secret_access_key: (left out)\n"_s);
    row("option", u"python a.py --hf-token abcdefgh1 --lr 1"_s, u"python a.py --hf-token (left out) --lr 1"_s);
    row("option with =", u"a.py --api_key=12345 -v"_s, u"a.py --api_key=(left out) -v"_s);
    row("two on a line", u"A_SECRET=x1 B_SECRET=y2;"_s, u"A_SECRET=(left out) B_SECRET=(left out);"_s);
    row("database", u"DB_PASS=p DB_PWD=q"_s, u"DB_PASS=(left out) DB_PWD=(left out)"_s);
    row("shell in a shell", uR"x(bash -c 'export A_API_KEY='\''ab cd'\'' && run')x"_s,
        uR"x(bash -c 'export A_API_KEY='\''(left out)'\'' && run')x"_s);
    row("token of a shell in a shell", uR"x(bash -c 'HF_TOKEN='\''abcdefgh1'\'' run')x"_s,
        uR"x(bash -c 'HF_TOKEN='\''(left out)'\'' run')x"_s);
    row("shell in a shell, cut", uR"x(bash -c 'A_PASSWORD='\''abcd)x"_s, uR"x(bash -c 'A_PASSWORD='\''(left out))x"_s);
    row("quotes in other quotes", uR"x(sh -c 'A_PASSWORD='"'"'ab cd'"'"' run')x"_s,
        uR"x(sh -c 'A_PASSWORD='"'"'(left out)'"'"' run')x"_s);
    row("escaped quotes", uR"x(bash -c "A_PASSWORD=\"it's\" run")x"_s,
        uR"x(bash -c "A_PASSWORD=\"(left out)\" run")x"_s);
    row("JSON in JSON", uR"x("{\"api_key\": \"ab\\cd\", \"a\": 1}")x"_s,
        uR"x("{\"api_key\": \"(left out)\", \"a\": 1}")x"_s);
    row("quote in quotes", uR"x(A_PASSWORD='it'\''s' run)x"_s, u"A_PASSWORD='(left out)' run"_s);
    row("joined quotes", u"A_PASSWORD=ab'cd'ef run"_s, u"A_PASSWORD=(left out) run"_s);
    row("joined quotes with spaces", uR"x(A_PASSWORD="ab"'c d'ef run)x"_s, u"A_PASSWORD=(left out) run"_s);
    row("joined in other quotes", uR"x(sh -c "A_PASSWORD=ab'c d'ef run")x"_s, u"sh -c \"A_PASSWORD=(left out) run\""_s);
    row("the end of other quotes joins nothing", uR"x(sh -c "A_PASSWORD=abcd" "next word")x"_s,
        u"sh -c \"A_PASSWORD=(left out)\" \"next word\""_s);
    row("spaces in outer quotes", u"export \"A_PASSWORD=ab cd\" x"_s, u"export \"A_PASSWORD=(left out)\" x"_s);
    row("spaces in outer single quotes", u"env 'A_PASSWORD=ab cd' run"_s, u"env 'A_PASSWORD=(left out)' run"_s);
    row("a command in outer quotes", u"bash -lc 'A_PASSWORD=abcd run'"_s, u"bash -lc 'A_PASSWORD=(left out) run'"_s);
    row("a reference and a secret", uR"x(A_PASSWORD="$HOST"'abcdef' run)x"_s, u"A_PASSWORD=(left out) run"_s);
    row("quotes that end nowhere", u"A_PASSWORD=ab'cd ef"_s, u"A_PASSWORD=(left out)"_s);
    row("dollar and quotes", uR"x(A_PASSWORD=$'a\'b' run)x"_s, u"A_PASSWORD=$'(left out)' run"_s);
    row("escaped characters", uR"x(A_PASSWORD=a\ b\$c run)x"_s, u"A_PASSWORD=(left out) run"_s);
    row("Hugging Face", u"token is hf_abcdefghijklmnopqrstuv."_s, u"token is (left out)."_s);
    row("behind a colour", u"\033[32mhf_abcdefghijklmnopqrstuv\033[0m"_s, u"\033[32m(left out)\033[0m"_s);
    row("behind a colour, a word", u"\033[32msk-abcdefghij0123456789xyz"_s, u"\033[32m(left out)"_s);
    row("behind an escaped break", u"x\\nsk-abcdefghij0123456789xyz"_s, u"x\\n(left out)"_s);
    row("GitHub", u"clone ghp_0123456789abcdefghijABCDEFGHIJ012345"_s, u"clone (left out)"_s);
    row("AWS", u"id AKIAABCDEFGHIJKLMNOP ok"_s, u"id (left out) ok"_s);
    row("address", u"git clone https://me:abc123@host/x.git"_s, u"git clone https://(left out)@host/x.git"_s);
    row("bearer", u"-H 'Authorization: Bearer abcdefghijkl0123'"_s, u"-H 'Authorization: Bearer (left out)'"_s);
    row("web token", u"got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.abc-DEF_1 ."_s, u"got (left out) ."_s);
    row("wandb login", u"wandb login --relogin 0123456789abcdef0123456789abcdef01234567"_s,
        u"wandb login --relogin (left out)"_s);
    row("sshpass", u"sshpass -p geheim ssh x"_s, u"sshpass -p (left out) ssh x"_s);
    row("private key", u"a\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1r\n-----END OPENSSH PRIVATE KEY-----\nb"_s,
        u"a\n(left out)\nb"_s);
    row("private key that is cut", u"-----BEGIN RSA PRIVATE KEY-----\nMIIEow"_s, u"(left out)"_s);
}

void SharedTextTest::secretsGo()
{
    QFETCH(const QString, text);
    QFETCH(const QString, shared);
    SharedText cleaner;
    QCOMPARE(cleaner.text(text), shared);
    QVERIFY(cleaner.secretsLeftOut() > 0);
    SharedText again;
    QCOMPARE(again.text(shared), shared);
    QCOMPARE(again.secretsLeftOut(), 0);
}

/// A text that was cut between the two halves of a character, or JSON with "\\ud83d" in it.
void SharedTextTest::halfAPairHidesNothing()
{
    const QString cut = u"A_SECRET=x1 "_s + QChar(0xd83d);
    SharedText cleaner;
    QVERIFY(cleaner.text(cut).startsWith(u"A_SECRET=(left out) "_s));
    QVERIFY(!cleaner.json(QJsonObject{{u"a"_s, cut}}).toObject().value(u"a"_s).toString().contains(u"x1"_s));
    QCOMPARE(cleaner.secretsLeftOut(), 2);
}

void SharedTextTest::otherTextsStay_data()
{
    QTest::addColumn<QString>("text");
    for (const QString& text : {u"export HF_TOKEN=$MY_TOKEN"_s, u"export HF_TOKEN=\"$(cat ~/.token)\""_s,
             u"HF_TOKEN_PATH=/home/x/.cache/token"_s, u"max_tokens=4096 pad_token_id: 0 eos_token='</s>'"_s,
             u"tokens: 123456 tokens/s: 1234.5"_s, u"token: 532"_s, u"--max-tokens 2048 --tokenizer-name gpt2"_s,
             u"TOKENIZERS_PARALLELISM=false"_s, u"token = os.environ[\"HF_TOKEN\"]"_s, u"use_auth_token=True"_s,
             u"def f(password: str, token: Optional[str] = None)"_s, u"key: value, primary_key=3"_s,
             u"KeyError: 'model'"_s, u"password for user:"_s, u"step 10 loss 2.5 https://host:8080/x@y"_s,
             u"commit 0123456789abcdef0123456789abcdef01234567"_s, u"risk-averse-sk-learn-model-for-all"_s,
             u"PWD=/scratch/x OLDPWD=/home/x"_s, u"API_TOKEN=<your token here>"_s,
             uR"x(bash -c 'A_PASSWORD='\''$MINE'\'' run')x"_s, uR"x(echo "A_PASSWORD=\"$MINE\"")x"_s, QString()})
        QTest::newRow(qPrintable(text.left(40))) << text;
}

void SharedTextTest::otherTextsStay()
{
    QFETCH(const QString, text);
    SharedText cleaner;
    QCOMPARE(cleaner.text(text), text);
    QCOMPARE(cleaner.secretsLeftOut(), 0);
}

void SharedTextTest::membersOfJson()
{
    const QJsonObject design{
        {u"variables"_s, QJsonObject{{u"HF_TOKEN"_s, u"abcdefgh"_s}, {u"OMP_NUM_THREADS"_s, u"7"_s}}},
        {u"command"_s, u"python --api-key \"abc def\" x"_s}, {u"apiKey"_s, QJsonValue()},
        {u"list"_s, QJsonArray{u"A_SECRET=1x"_s, 2}}, {u"tokensPerSecond"_s, 1.5}};
    SharedText cleaner;
    const QJsonObject made = cleaner.json(design).toObject();
    QCOMPARE(made.value(u"variables"_s).toObject().value(u"HF_TOKEN"_s).toString(), u"(left out)"_s);
    QCOMPARE(made.value(u"variables"_s).toObject().value(u"OMP_NUM_THREADS"_s).toString(), u"7"_s);
    QCOMPARE(made.value(u"command"_s).toString(), u"python --api-key \"(left out)\" x"_s);
    QVERIFY(made.value(u"apiKey"_s).isNull());
    QCOMPARE(made.value(u"list"_s).toArray(), (QJsonArray{u"A_SECRET=(left out)"_s, 2}));
    QCOMPARE(made.value(u"tokensPerSecond"_s).toDouble(), 1.5);
    QCOMPARE(cleaner.secretsLeftOut(), 3);
}

void SharedTextTest::namesOfUsers()
{
    SharedText cleaner(u"smithj"_s);
    QCOMPARE(cleaner.text(u"/users/smithj/run/smithj.log USER=smithj ~smithj smithj2 blacksmithj"_s),
        u"/users/user/run/smithj.log USER=user ~user smithj2 blacksmithj"_s);
    QCOMPARE(cleaner.secretsLeftOut(), 0);
    QCOMPARE(SharedText(u"root"_s).text(u"/root/x"_s), u"/root/x"_s);
}

/// A log may be one long line of anything.
void SharedTextTest::inProportion()
{
    for (const QString& piece : {u"a"_s, u"token"_s, u"-----BEGIN RSA PRIVATE KEY-----"_s, u"eyJhbGciOiJ."_s,
             u"PASSWORD=\""_s, u"://a:b"_s, u"curl "_s, u"Bearer "_s, u"A_SECRET "_s, u"A_SECRET=b\n"_s,
             uR"x(A_SECRET=\")x"_s, uR"x(A_SECRET='\'')x"_s}) {
        SharedText cleaner(u"smithj"_s);
        const QString text = piece.repeated(400'000 / piece.size());
        QVERIFY(cleaner.text(text).size() <= 3 * text.size());
    }
}

RANKWRIGHT_TEST_MAIN(SharedTextTest)
#include "tst_sharedtext.moc"
