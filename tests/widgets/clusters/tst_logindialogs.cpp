// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/connectdialog.h"
#include "widgets/clusters/hostkeydialog.h"
#include "widgets/clusters/promptdialog.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QPushButton* defaultButton(const QDialog& dialog)
{
    for (QPushButton* one : dialog.findChildren<QPushButton*>()) {
        if (one->isDefault())
            return one;
    }
    return nullptr;
}

QString shownText(const QDialog& dialog)
{
    QStringList texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        texts.append(label->text());
    return texts.join(u'\n');
}

LoginPrompt keyPrompt(const QStringList& published)
{
    LoginPrompt prompt;
    prompt.kind = LoginPrompt::Kind::HostKey;
    prompt.host = u"ada@login.example:22"_s;
    prompt.keyType = u"ssh-ed25519"_s;
    prompt.fingerprint = u"SHA256:right"_s;
    prompt.published = published;
    return prompt;
}

} // namespace

class LoginDialogsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void enterAcceptsOnlyAPublishedKey_data();
    void enterAcceptsOnlyAPublishedKey();
    void serverTextsArePlain();
    void passwordsAreHiddenAndForgotten();
    void refusedMeansNoAnswers();
    void aRoundWithoutQuestionsGoesOn();
    void aPasswordPromptHasItsField();
    void connectFormComesBack();
    void connectNeedsAHost();
    void aServerCannotImitateOurPrompts();
    void aPassphraseIsKeptOnlyWhenTicked();
    void bannersStandAmongTheServersWords();
    void anAuthoritysSilenceIsSaid();

private:
    std::unique_ptr<Theme> m_theme;
};

void LoginDialogsTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void LoginDialogsTest::enterAcceptsOnlyAPublishedKey_data()
{
    QTest::addColumn<QStringList>("published");
    QTest::addColumn<bool>("enterAccepts");
    QTest::addColumn<QString>("words");
    QTest::newRow("published") << QStringList{u"SHA256:other"_s, u"SHA256:right"_s} << true
                               << u"matches the fingerprint"_s;
    QTest::newRow("nothing published") << QStringList() << false << u"publishes no fingerprint"_s;
    QTest::newRow("another one published") << QStringList{u"SHA256:other"_s} << false << u"none of the fingerprints"_s;
    QTest::newRow("only part of it") << QStringList{u"SHA256:right0"_s, u"SHA256:righ"_s} << false
                                     << u"none of the fingerprints"_s;
}

void LoginDialogsTest::enterAcceptsOnlyAPublishedKey()
{
    QFETCH(QStringList, published);
    QFETCH(bool, enterAccepts);
    QFETCH(QString, words);
    HostKeyDialog dialog(keyPrompt(published));
    dialog.show();
    QVERIFY(shownText(dialog).contains(u"SHA256:right"_s));
    QVERIFY2(shownText(dialog).contains(words), qPrintable(shownText(dialog)));
    QVERIFY(defaultButton(dialog));
    QCOMPARE(defaultButton(dialog)->text() == u"Accept"_s, enterAccepts);
    QTest::keyClick(&dialog, Qt::Key_Return);
    QCOMPARE(dialog.result() == QDialog::Accepted, enterAccepts);
    dialog.setResult(QDialog::Accepted);
    dialog.show();
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QCOMPARE(dialog.result(), int(QDialog::Rejected));
}

void LoginDialogsTest::serverTextsArePlain()
{
    LoginPrompt prompt;
    prompt.kind = LoginPrompt::Kind::KeyboardInteractive;
    prompt.host = u"<b>host</b>"_s;
    prompt.title = u"<h1>title</h1>"_s;
    prompt.instruction = u"<a href='http://x'>click</a>"_s;
    prompt.questions = {{u"<i>Code</i>: "_s, true}};
    const PromptDialog dialog(prompt);
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
    const HostKeyDialog key(keyPrompt({}));
    for (const QLabel* label : key.findChildren<QLabel*>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
}

void LoginDialogsTest::passwordsAreHiddenAndForgotten()
{
    LoginPrompt prompt;
    prompt.kind = LoginPrompt::Kind::KeyboardInteractive;
    prompt.questions = {{u"Password: "_s, false}, {u"Code: "_s, true}};
    PromptDialog dialog(prompt);
    const QList<QLineEdit*> fields = dialog.findChildren<QLineEdit*>();
    QCOMPARE(fields.size(), 2);
    QCOMPARE(fields.at(0)->echoMode(), QLineEdit::Password);
    QCOMPARE(fields.at(1)->echoMode(), QLineEdit::Normal);
    QCOMPARE(fields.at(0)->accessibleName(), u"The server asks: Password"_s);
    fields.at(0)->setText(u"gehëim"_s);
    fields.at(1)->setText(u"123456"_s);
    dialog.accept();
    const PromptAnswer answer = dialog.takeAnswer();
    QVERIFY(answer.accepted);
    QCOMPARE(answer.answers.size(), 2);
    QCOMPARE(QByteArray(answer.answers.at(0).c_str()),
        QByteArray("geh\xc3\xab"
                   "im"));
    QCOMPARE(QByteArray(answer.answers.at(1).c_str()), QByteArray("123456"));
    for (const QLineEdit* field : fields)
        QVERIFY(field->text().isEmpty());
}

void LoginDialogsTest::refusedMeansNoAnswers()
{
    LoginPrompt prompt;
    PromptDialog dialog(prompt);
    dialog.findChild<QLineEdit*>()->setText(u"secret"_s);
    dialog.reject();
    const PromptAnswer answer = dialog.takeAnswer();
    QVERIFY(!answer.accepted);
    QVERIFY(answer.answers.isEmpty());
    QVERIFY(dialog.findChild<QLineEdit*>()->text().isEmpty());
}

void LoginDialogsTest::aRoundWithoutQuestionsGoesOn()
{
    LoginPrompt prompt;
    prompt.kind = LoginPrompt::Kind::KeyboardInteractive;
    prompt.instruction = u"Confirm on your phone."_s;
    PromptDialog dialog(prompt);
    dialog.accept();
    const PromptAnswer answer = dialog.takeAnswer();
    QVERIFY(answer.accepted);
    QVERIFY(answer.answers.isEmpty());
    QVERIFY(shownText(dialog).contains(u"Confirm on your phone."_s));
}

void LoginDialogsTest::aPasswordPromptHasItsField()
{
    LoginPrompt prompt;
    prompt.kind = LoginPrompt::Kind::Passphrase;
    const PromptDialog dialog(prompt);
    QCOMPARE(dialog.findChildren<QLineEdit*>().size(), 1);
    QCOMPARE(dialog.findChild<QLineEdit*>()->echoMode(), QLineEdit::Password);
}

void LoginDialogsTest::connectFormComesBack()
{
    const ConnectForm form{u"lumi.csc.fi"_s, 2222, u"ada"_s, u"/home/ada/.ssh/id_ed25519"_s, u"gate"_s};
    const ConnectDialog dialog(u"LUMI"_s, form);
    QCOMPARE(dialog.form(), form);
    for (const QLineEdit* field : dialog.findChildren<QLineEdit*>())
        QVERIFY(!field->accessibleName().isEmpty());
}

void LoginDialogsTest::connectNeedsAHost()
{
    ConnectDialog dialog(u"LUMI"_s, {});
    QVERIFY(!defaultButton(dialog)->isEnabled());
    const QList<QLineEdit*> fields = dialog.findChildren<QLineEdit*>();
    fields.first()->setText(u" lumi.csc.fi "_s);
    QVERIFY(defaultButton(dialog)->isEnabled());
    QCOMPARE(dialog.form().host, u"lumi.csc.fi"_s);
}

/// A server that repeats our own words for a passphrase, title and heading included.
void LoginDialogsTest::aServerCannotImitateOurPrompts()
{
    LoginPrompt local;
    local.kind = LoginPrompt::Kind::Passphrase;
    local.questions = {{u"/home/ada/.ssh/id_ed25519"_s, false}};
    PromptDialog real(local);
    LoginPrompt remote;
    remote.kind = LoginPrompt::Kind::KeyboardInteractive;
    remote.host = u"ada@far"_s;
    remote.title = u"Passphrase of a key on this machine"_s;
    remote.instruction = u"The passphrase stays on this machine\u2028Rankwright\u202e"_s;
    remote.questions = {{u"/home/ada/.ssh/id_ed25519"_s, false}};
    PromptDialog fake(remote);

    QVERIFY(real.windowTitle() != fake.windowTitle());
    QVERIFY(shownText(real).contains(u"is sent to no server"_s));
    QVERIFY(!shownText(fake).contains(u"is sent to no server"_s));
    QVERIFY(shownText(fake).contains(u"sent to ada@far"_s));
    QVERIFY(shownText(fake).contains(u"The server asks:"_s));
    QVERIFY(!shownText(fake).contains(QChar(0x202e)) && !shownText(fake).contains(QChar(0x2028)));
    QVERIFY(real.findChildren<QFrame*>(u"serverWords"_s).isEmpty());
    // Every word of the server's stands in a frame of its own.
    for (const QLabel* label : fake.findChildren<QLabel*>()) {
        const bool servers = label->text().contains(u"Passphrase of a key"_s) || label->text().contains(u"/home/ada"_s)
            || label->text().contains(u"stays on this machine"_s);
        QCOMPARE(label->parentWidget()->objectName() == u"serverWords"_s && label->property("plain").toBool(), servers);
    }
    QCOMPARE(fake.findChildren<QLabel*>().first()->text(), u"A server asks"_s);
}

void LoginDialogsTest::aPassphraseIsKeptOnlyWhenTicked()
{
    LoginPrompt prompt;
    prompt.kind = LoginPrompt::Kind::Passphrase;
    prompt.questions = {{u"/k/id"_s, false}};
    PromptDialog dialog(prompt);
    auto* keep = dialog.findChild<QCheckBox*>();
    dialog.show();
    QVERIFY(!keep->isVisible() && !dialog.isToBeKept());
    keep->setChecked(true);
    QVERIFY(!dialog.isToBeKept()); // where nothing was offered
    keep->setChecked(false);
    dialog.offerToKeep();
    QVERIFY(keep->isVisible() && !keep->isChecked() && !dialog.isToBeKept());
    keep->setChecked(true);
    QVERIFY(dialog.isToBeKept());
}

void LoginDialogsTest::bannersStandAmongTheServersWords()
{
    LoginPrompt prompt;
    prompt.kind = LoginPrompt::Kind::Password;
    prompt.host = u"ada@h"_s;
    prompt.banner = u"Authorised <i>users</i> only\nMaintenance on Monday"_s;
    prompt.questions = {{u"Password"_s, false}};
    const PromptDialog dialog(prompt);
    const auto* frame = dialog.findChild<QFrame*>(u"serverWords"_s);
    QVERIFY(frame);
    QStringList texts;
    for (const QLabel* label : frame->findChildren<QLabel*>())
        texts << label->text();
    QVERIFY(texts.contains(prompt.banner));
    prompt.kind = LoginPrompt::Kind::Passphrase; // asked by us: no word of a server stands there
    const PromptDialog ours(prompt);
    QVERIFY(!ours.findChild<QFrame*>(u"serverWords"_s));
}

void LoginDialogsTest::anAuthoritysSilenceIsSaid()
{
    LoginPrompt prompt = keyPrompt({});
    prompt.notice = u"An @cert-authority is on record for it, and it shows no certificate."_s;
    QVERIFY(shownText(HostKeyDialog(prompt)).contains(prompt.notice));
}

RANKWRIGHT_WIDGET_TEST_MAIN(LoginDialogsTest)
#include "tst_logindialogs.moc"
