// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/loginmistakes.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/login/firstlogindialog.h"
#include "widgets/login/keypanel.h"
#include "widgets/login/lightlist.h"
#include "widgets/login/mistakelist.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

ClusterProfile profile()
{
    ClusterProfile made;
    made.name = u"test"_s;
    made.title = u"Test Cluster"_s;
    made.login.method = u"SSH key registered in the portal"_s;
    made.login.takesKeys = true;
    made.login.keyRegistration = {u"Portal, Profile"_s, u"https://portal.example.org"_s, u"up to an hour"_s};
    return made;
}

KeyFile key(const QString& path)
{
    KeyFile made;
    made.path = path;
    made.type = u"ssh-ed25519"_s;
    made.publicLine = "ssh-ed25519 AAAAC3Nz ada@laptop";
    return made;
}

QPushButton* button(const QWidget& in, const QString& text)
{
    for (QPushButton* one : in.findChildren<QPushButton*>()) {
        if (one->text() == text)
            return one;
    }
    return nullptr;
}

QLineEdit* field(const QWidget& in, const QString& name)
{
    for (QLineEdit* one : in.findChildren<QLineEdit*>()) {
        if (one->accessibleName() == name)
            return one;
    }
    return nullptr;
}

QString visibleText(const QWidget& in)
{
    QStringList texts;
    for (const QLabel* label : in.findChildren<QLabel*>()) {
        if (label->isVisibleTo(&in))
            texts.append(label->text());
    }
    return texts.join(u'\n');
}

} // namespace

class FirstLoginDialogTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        m_theme = std::make_unique<Theme>();
        m_theme->setMode(Theme::Mode::Light);
    }

    void formComesBack()
    {
        const ConnectForm form{u"login.example.org"_s, 2222, u"ada"_s, u"/k/id"_s, u"gate"_s};
        FirstLoginDialog dialog(profile(), form);
        dialog.keys().showKeys({key(u"/k/id"_s)}, form.identity);
        QCOMPARE(dialog.form(), form);
        // a key whose file is gone stays chosen
        dialog.keys().showKeys({}, form.identity);
        QCOMPARE(dialog.form(), form);
        dialog.keys().showKeys({key(u"/k/id"_s)}, {});
        QCOMPARE(dialog.form().identity, QString());
    }

    void withoutAHostThereIsNothingToTest()
    {
        FirstLoginDialog dialog(profile(), {});
        QPushButton* test = button(dialog, u"Test each step"_s);
        QVERIFY(!test->isEnabled());
        field(dialog, u"Host"_s)->setText(u"h"_s);
        QVERIFY(test->isEnabled());
        field(dialog, u"Port"_s)->setText(u"0"_s);
        QVERIFY(!test->isEnabled());
    }

    void aKeyIsMadeByKeyboard()
    {
        FirstLoginDialog dialog(profile(), {u"h"_s, 22, u"ada"_s, {}, {}});
        dialog.keys().setNewPath(u"/home/ada/.ssh/id_ed25519"_s);
        dialog.show();
        QSignalSpy tests(&dialog, &FirstLoginDialog::testRequested);
        QString path;
        QByteArray passphrase;
        connect(&dialog.keys(), &KeyPanel::makeRequested, this, [&](const QString& where, const Secret& secret) {
            path = where;
            passphrase = secret.c_str();
        });
        QTest::keyClick(button(dialog, u"Make a new key…"_s), Qt::Key_Space);
        QLineEdit* first = field(dialog, u"New passphrase"_s);
        QLineEdit* again = field(dialog, u"The same passphrase again"_s);
        QVERIFY(first->isVisible());
        QCOMPARE(first->echoMode(), QLineEdit::Password);
        QTest::keyClicks(first, u"correct horse"_s);
        QTest::keyClicks(again, u"correct hose"_s);
        QTest::keyClick(again, Qt::Key_Return);
        QVERIFY(path.isEmpty());
        QVERIFY(visibleText(dialog).contains(u"✕ The two passphrases differ."_s));
        again->clear();
        QTest::keyClicks(again, u"correct horse"_s);
        QTest::keyClick(again, Qt::Key_Return);
        QCOMPARE(path, u"/home/ada/.ssh/id_ed25519"_s);
        QCOMPARE(passphrase, QByteArray("correct horse"));
        QVERIFY(first->text().isEmpty() && again->text().isEmpty());
        QCOMPARE(tests.size(), 0); // Enter there is not the dialog's
        dialog.keys().showKeys({key(path)}, path);
        QVERIFY(!first->isVisible());
        QVERIFY(visibleText(dialog).contains(u"Portal, Profile"_s));
        QCOMPARE(dialog.form().identity, path);
    }

    void thePublicHalfIsCopied()
    {
        FirstLoginDialog dialog(profile(), {u"h"_s, 22, u"ada"_s, {}, {}});
        dialog.show();
        dialog.keys().showKeys({key(u"/k/id"_s)}, {});
        button(dialog, u"Copy the public key"_s)->click();
        QCOMPARE(QApplication::clipboard()->text(), u"ssh-ed25519 AAAAC3Nz ada@laptop"_s);
        QSignalSpy pages(&dialog.keys(), &KeyPanel::pageRequested);
        button(dialog, u"Open the site's page"_s)->click();
        QCOMPARE(pages.value(0).value(0).toString(), u"https://portal.example.org"_s);
    }

    void sitesWithoutKeysOrPages()
    {
        ClusterProfile none = profile();
        none.login.takesKeys = false;
        KeyPanel panel(none.login);
        panel.showKeys({key(u"/k/id"_s)}, {});
        QVERIFY(visibleText(panel).contains(u"takes no keys"_s));
        QVERIFY(!field(panel, u"Public key"_s)->isVisibleTo(&panel));
        ClusterProfile unknown = profile();
        unknown.login.keyRegistration = {};
        KeyPanel other(unknown.login);
        other.showKeys({key(u"/k/id"_s)}, {});
        QVERIFY(visibleText(other).contains(u"not known here"_s));
        QVERIFY(!button(other, u"Open the site's page"_s)->isVisibleTo(&other));
    }

    void lightsSayThemselves()
    {
        LightList list;
        LoginSteps steps;
        steps.set(LoginStepKind::Name, {Light::Ok, u"192.0.2.7"_s, {}, {}});
        steps.set(LoginStepKind::Port, {Light::Failed, u"refused"_s, u"Start the VPN."_s, {u"vpn_needed"_s}});
        steps.set(LoginStepKind::Key, {Light::Unknown, {}, {}, {}});
        list.showSteps(steps, LoginStepKind::HostKey);
        const QString text = visibleText(list);
        for (const QString& part : {u"✓"_s, u"✕"_s, u"?"_s, u"works"_s, u"fails"_s, u"not known"_s, u"to come"_s,
                 u"being tested …"_s, u"→ Start the VPN."_s})
            QVERIFY2(text.contains(part), qPrintable(part));
        QStringList names;
        for (const QLabel* label : list.findChildren<QLabel*>())
            names << label->accessibleName();
        QVERIFY(names.contains(u"The port answers: fails. refused. Start the VPN."_s));
    }

    void likelyMistakesComeFirst()
    {
        FirstLoginDialog dialog(profile(), {u"h"_s, 22, u"ada"_s, {}, {}});
        LoginSteps steps;
        steps.set(LoginStepKind::Login, {Light::Failed, u"no"_s, {}, {u"wrong_user"_s}});
        dialog.showSteps(steps, {}, FirstLoginDialog::Test::Over);
        QVERIFY(visibleText(dialog).contains(u"Wrong user name (likely)"_s));
        QVERIFY(!visibleText(dialog).contains(u"No project to charge"_s));
        button(dialog, u"Show the ten commonest mistakes"_s)->click();
        for (const LoginMistake& mistake : loginMistakes())
            QVERIFY2(visibleText(dialog).contains(mistake.title), qPrintable(mistake.title));
        QVERIFY(!button(dialog, u"Connect"_s)->isEnabled());
        steps.set(LoginStepKind::Login, {Light::Ok, u"in"_s, {}, {}});
        dialog.showSteps(steps, {}, FirstLoginDialog::Test::Over);
        QVERIFY(button(dialog, u"Connect"_s)->isEnabled());
    }

    void aTestCanBeStopped()
    {
        FirstLoginDialog dialog(profile(), {u"h"_s, 22, u"ada"_s, {}, {}});
        QSignalSpy tests(&dialog, &FirstLoginDialog::testRequested);
        QSignalSpy stops(&dialog, &FirstLoginDialog::stopRequested);
        button(dialog, u"Test each step"_s)->click();
        QCOMPARE(tests.size(), 1);
        dialog.showSteps({}, LoginStepKind::Name, FirstLoginDialog::Test::Running);
        dialog.showHint(u"Touch your security key now."_s);
        QVERIFY(visibleText(dialog).contains(u"→ Touch your security key now."_s));
        button(dialog, u"Stop"_s)->click();
        QCOMPARE(stops.size(), 1);
        dialog.showSteps({}, {}, FirstLoginDialog::Test::Over);
        QVERIFY(!visibleText(dialog).contains(u"Touch"_s));
    }

    /// Whoever looks at the form above sees what failed below.
    void whatFailedIsScrolledTo()
    {
        FirstLoginDialog dialog(profile(), {u"h"_s, 22, u"ada"_s, {}, {}});
        dialog.resize(640, 420);
        dialog.show();
        auto* area = dialog.findChild<QScrollArea*>();
        QCOMPARE(area->verticalScrollBar()->value(), 0);
        LoginSteps steps;
        dialog.showSteps(steps, LoginStepKind::Login, FirstLoginDialog::Test::Running);
        steps.set(LoginStepKind::Software, {Light::Failed, u"no image"_s, {}, {}});
        dialog.showSteps(steps, {}, FirstLoginDialog::Test::Over);
        const QWidget* row = dialog.findChild<LightList*>()->row(LoginStepKind::Software);
        QTRY_VERIFY(area->viewport()->rect().contains(row->mapTo(area->viewport(), QPoint(0, row->height() / 2))));
        QVERIFY(area->verticalScrollBar()->value() > 0);
    }

    /// Words of a server are marked as such, and cannot become marks of ours.
    void serversWordsAreMarked()
    {
        FirstLoginDialog dialog(profile(), {u"h"_s, 22, u"ada"_s, {}, {}});
        dialog.showBanner(u"ada@h"_s, u"Welcome <b>all</b>\n✓ works\n"_s);
        QVERIFY(visibleText(dialog).contains(u"ada@h says: Welcome <b>all</b>\nada@h says: ✓ works"_s));
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            QVERIFY(label->textFormat() == Qt::PlainText || !label->text().contains(u'<'));
    }

    /// At twice the size of text and the smallest window: everything can be reached, nothing is cut off sideways.
    void largeTextFits()
    {
        const QFont before = QApplication::font();
        QFont large = before;
        if (before.pixelSize() > 0)
            large.setPixelSize(before.pixelSize() * 2);
        else
            large.setPointSizeF(before.pointSizeF() * 2);
        QApplication::setFont(large);
        QWidget window;
        window.resize(1024, 700);
        FirstLoginDialog dialog(profile(), {u"login.example.org"_s, 22, u"ada"_s, {}, {}}, &window);
        LoginSteps steps;
        for (const LoginStep& step : LoginSteps().all())
            steps.set(step.kind, {Light::Failed, QString(u"evidence "_s).repeated(30), u"do something"_s, {}});
        dialog.showSteps(steps, {}, FirstLoginDialog::Test::Over);
        dialog.keys().showKeys({key(u"/k/id"_s)}, {});
        dialog.show();
        QVERIFY(dialog.height() <= 700 && dialog.width() <= 1024);
        const auto* area = dialog.findChild<QScrollArea*>();
        QVERIFY(area->verticalScrollBar()->maximum() > 0);
        QVERIFY2(area->widget()->minimumSizeHint().width() <= area->viewport()->width(),
            qPrintable(u"%1 of %2"_s.arg(area->widget()->minimumSizeHint().width()).arg(area->viewport()->width())));
        QApplication::setFont(before);
    }

    void everyControlHasAName()
    {
        FirstLoginDialog dialog(profile(), {u"h"_s, 22, u"ada"_s, {}, {}});
        for (const QLineEdit* one : dialog.findChildren<QLineEdit*>())
            QVERIFY(!one->accessibleName().isEmpty());
        for (const QComboBox* one : dialog.findChildren<QComboBox*>())
            QVERIFY(!one->accessibleName().isEmpty());
    }

private:
    std::unique_ptr<Theme> m_theme;
};

RANKWRIGHT_WIDGET_TEST_MAIN(FirstLoginDialogTest)
#include "tst_firstlogindialog.moc"
