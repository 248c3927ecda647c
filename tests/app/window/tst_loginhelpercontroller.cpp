// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/loginhelpercontroller.h"
#include "tests/app/support/openstore.h"
#include "tests/ssh/support/realsshd.h"
#include "tests/ssh/support/sshclient.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/hostkeydialog.h"
#include "widgets/clusters/promptdialog.h"
#include "widgets/login/keypanel.h"

#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>

using namespace rankwright;
using namespace rankwright::test;
using namespace Qt::StringLiterals;

namespace {

QPushButton* button(const QWidget& in, const QString& text)
{
    for (QPushButton* one : in.findChildren<QPushButton*>()) {
        if (one->text() == text)
            return one;
    }
    return nullptr;
}

QLineEdit* lineEdit(const QWidget& in, const QString& name)
{
    for (QLineEdit* one : in.findChildren<QLineEdit*>()) {
        if (one->accessibleName() == name)
            return one;
    }
    return nullptr;
}

QString shownText(const QWidget& in)
{
    QStringList texts;
    for (const QLabel* label : in.findChildren<QLabel*>()) {
        if (label->isVisibleTo(&in))
            texts.append(label->text());
    }
    return texts.join(u'\n');
}

struct Bench {
    explicit Bench(const QString& folder)
        : settings(folder), catalogue(loadCatalogue()), database(openStore(folder)), log(*database),
          connections(catalogue, log, settings, &window), helper(catalogue, connections, settings, &window)
    {
        window.resize(1024, 700);
        window.show();
    }
    QWidget window;
    Settings settings;
    Catalogue catalogue;
    std::unique_ptr<Database> database;
    JobLog log;
    Connections connections;
    LoginHelperController helper;
};

} // namespace

/// “Help me log in” as a person meets it who never used SSH, against OpenSSH's own server.
class LoginHelperControllerTest final : public Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void oneDialogAtATime();

    /// No key; a key is made; it is refused; it is registered; it lets in, with its passphrase and the host's key
    /// asked.
    void fromNoKeyToLoggedIn();

    /// A question of a test that was stopped is taken off the screen, and its answer goes nowhere.
    void aStoppedTestAsksNothing();

private:
    static void answerHostKey(const QWidget& window)
    {
        HostKeyDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = window.findChild<HostKeyDialog*>()) && dialog->isVisible());
        dialog->accept();
    }

    std::unique_ptr<SshHome> m_home;
    std::unique_ptr<Theme> m_theme;
};

void LoginHelperControllerTest::initTestCase()
{
    m_home = std::make_unique<SshHome>();
    // No `ssh` is found: it would name the account's own known_hosts file, whatever HOME says.
    const QString keygen = QStandardPaths::findExecutable(u"ssh-keygen"_s);
    if (keygen.isEmpty())
        QSKIP("ssh-keygen is not installed");
    QVERIFY(QDir(m_home->path(u"."_s)).mkpath(u"bin"_s));
    QVERIFY(QFile::link(keygen, m_home->path(u"bin/ssh-keygen"_s)));
    qputenv("PATH", m_home->path(u"bin"_s).toLocal8Bit());
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void LoginHelperControllerTest::oneDialogAtATime()
{
    Bench bench(m_home->path(u"."_s));
    bench.helper.show(u"practice"_s); // it has its own key
    QVERIFY(!bench.helper.dialog());
    bench.helper.show(u"lumi"_s);
    FirstLoginDialog* first = bench.helper.dialog();
    QVERIFY(first && first->isVisible());
    QCOMPARE(first->form().host, u"lumi.csc.fi"_s);
    QVERIFY(shownText(*first).contains(u"LUMI"_s));
    bench.helper.show(u"lumi"_s);
    QCOMPARE(bench.helper.dialog(), first);
    bench.helper.show(u"mahti"_s);
    QCOMPARE(bench.helper.dialog()->form().host, u"mahti.csc.fi"_s);
}

void LoginHelperControllerTest::fromNoKeyToLoggedIn()
{
    RealSshd sshd;
    if (!sshd.problem().isEmpty())
        QSKIP(qPrintable(sshd.problem()));
    const SshEndpoint endpoint = sshd.endpoint();
    {
        SshClient probe(endpoint);
        if (probe.connectNow() == LinkState::Offline && probe.shell().lastError()->fault == Fault::LoginRefused)
            QSKIP("this account may not log in by SSH (it may be locked)");
    }
    Bench bench(m_home->path(u"."_s));
    bench.helper.show(u"mahti"_s);
    FirstLoginDialog& dialog = *bench.helper.dialog();
    lineEdit(dialog, u"Host"_s)->setText(endpoint.host);
    lineEdit(dialog, u"Port"_s)->setText(QString::number(endpoint.port));
    lineEdit(dialog, u"User name"_s)->setText(endpoint.user);
    QPushButton* make = button(dialog, u"Make a new key…"_s);
    make->click();
    QTest::keyClicks(lineEdit(dialog, u"New passphrase"_s), u"correct horse"_s);
    QTest::keyClicks(lineEdit(dialog, u"The same passphrase again"_s), u"correct horse"_s);
    QTest::keyClick(lineEdit(dialog, u"The same passphrase again"_s), Qt::Key_Return);
    QTRY_VERIFY(dialog.form().identity.endsWith(u"/.ssh/id_ed25519"_s));
    const QString line = lineEdit(dialog, u"Public key"_s)->text();
    QVERIFY(line.startsWith(u"ssh-ed25519 AAAA"_s));
    QVERIFY(shownText(dialog).contains(u"MyCSC"_s));

    QPushButton* test = button(dialog, u"Test each step"_s);
    test->click();
    answerHostKey(bench.window); // it is on no record yet
    QTRY_VERIFY(test->text() == u"Test each step"_s);
    // A text that is new in a layout is shown by the event loop: these two may come a turn after the button's word.
    QTRY_VERIFY2(shownText(dialog).contains(u"It stops at “You are let in”."_s), qPrintable(shownText(dialog)));
    QTRY_VERIFY2(
        shownText(dialog).contains(u"The key is not registered yet (likely)"_s), qPrintable(shownText(dialog)));
    QVERIFY(!button(dialog, u"Connect"_s)->isEnabled());

    SshHome::write(sshd.path(u"authorized_keys"_s), line.toUtf8() + '\n');
    test->click();
    PromptDialog* asked = nullptr;
    QTRY_VERIFY((asked = bench.window.findChild<PromptDialog*>()) && asked->isVisible());
    QTest::keyClicks(asked->findChild<QLineEdit*>(), u"correct horse"_s);
    asked->accept();
    QTRY_VERIFY(test->text() == u"Test each step"_s);
    QVERIFY2(button(dialog, u"Connect"_s)->isEnabled(), qPrintable(shownText(dialog)));
}

void LoginHelperControllerTest::aStoppedTestAsksNothing()
{
    RealSshd sshd;
    if (!sshd.problem().isEmpty())
        QSKIP(qPrintable(sshd.problem()));
    const SshEndpoint endpoint = sshd.endpoint();
    Bench bench(m_home->path(u"."_s));
    bench.helper.show(u"mahti"_s);
    FirstLoginDialog& dialog = *bench.helper.dialog();
    lineEdit(dialog, u"Host"_s)->setText(endpoint.host);
    lineEdit(dialog, u"Port"_s)->setText(QString::number(endpoint.port));
    lineEdit(dialog, u"User name"_s)->setText(endpoint.user);
    dialog.keys().showKeys({}, endpoint.identities.first());
    QPushButton* test = button(dialog, u"Test each step"_s);
    test->click();
    QTRY_VERIFY(bench.window.findChild<HostKeyDialog*>());
    QCOMPARE(test->text(), u"Stop"_s);
    test->click();
    QTRY_VERIFY(!bench.window.findChild<HostKeyDialog*>());
    QCOMPARE(test->text(), u"Test each step"_s);
}

RANKWRIGHT_WIDGET_TEST_MAIN(LoginHelperControllerTest)
#include "tst_loginhelpercontroller.moc"
