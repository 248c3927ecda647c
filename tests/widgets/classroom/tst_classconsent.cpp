// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/classroom/classconsentdialog.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// What a person is asked before a class begins.
class ClassConsentTest final : public test::Suite {
    Q_OBJECT
private slots:
    void enterRefusesWhatIsNotKnown_data();
    void enterRefusesWhatIsNotKnown();
    void whatIsRefusedHasNoWayOn_data();
    void whatIsRefusedHasNoWayOn();
    void aNewKeyIsSeenWithoutScrolling();
    void saysWhatItWillDoBeforeWhoSigned();
    void progressIsOffUntilItIsTicked();
    void withoutAFolderThereIsNoQuestion();
    void hostileTextsStayText();
    void escapeRefuses();
    void anUnknownClusterCannotBeBegun();

private:
    using Trust = ClassConsent::Trust;
    static ClassConsent consent(Trust trust);
    void show(const ClassConsent& consent);
    QPushButton* button(const QString& name) const { return m_dialog->findChild<QPushButton*>(name); }

    Theme m_theme;
    std::unique_ptr<ClassConsentDialog> m_dialog;
};

ClassConsent ClassConsentTest::consent(Trust trust)
{
    ClassConsent made;
    made.title = u"Our course"_s;
    made.author = u"Ada"_s;
    made.effects = {u"It works on LUMI."_s, u"It runs nothing on this computer."_s};
    made.trust = trust;
    made.fingerprint = u"SHA256:new"_s;
    made.knownFingerprint = u"SHA256:old"_s;
    made.why = u"The key has changed."_s;
    made.forget = u"rankwright-cli class forget 'course.rwclass'"_s;
    made.sharedFile = u"/scratch/course/k7m2p4xq.progress"_s;
    made.sharedLine = {u"k7m2p4xq"_s, u"one"_s, {CheckState::NotYet}, {}, QDateTime()};
    return made;
}

void ClassConsentTest::show(const ClassConsent& consent)
{
    m_dialog = std::make_unique<ClassConsentDialog>(consent);
    m_dialog->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get(), test::longWaitMs));
    QApplication::setActiveWindow(m_dialog.get());
}

void ClassConsentTest::enterRefusesWhatIsNotKnown_data()
{
    QTest::addColumn<int>("trust");
    QTest::addColumn<bool>("accepts");
    QTest::newRow("shipped") << int(Trust::Shipped) << true;
    QTest::newRow("known") << int(Trust::Known) << true;
    QTest::newRow("first") << int(Trust::First) << false;
    QTest::newRow("changed") << int(Trust::Changed) << false;
    QTest::newRow("refused") << int(Trust::Refused) << false;
}

void ClassConsentTest::enterRefusesWhatIsNotKnown()
{
    QFETCH(const int, trust);
    QFETCH(const bool, accepts);
    show(consent(Trust(trust)));
    QSignalSpy accepted(m_dialog.get(), &QDialog::accepted);
    QSignalSpy finished(m_dialog.get(), &QDialog::finished);
    QTest::keyClick(m_dialog.get(), Qt::Key_Return);
    QCOMPARE(finished.size(), 1);
    QCOMPARE(accepted.size(), accepts ? 1 : 0);
}

void ClassConsentTest::whatIsRefusedHasNoWayOn_data()
{
    QTest::addColumn<int>("trust");
    QTest::newRow("changed") << int(Trust::Changed);
    QTest::newRow("refused") << int(Trust::Refused);
}

void ClassConsentTest::whatIsRefusedHasNoWayOn()
{
    QFETCH(const int, trust);
    show(consent(Trust(trust)));
    QVERIFY(!button(u"accept"_s));
    QVERIFY(!m_dialog->findChild<QCheckBox*>());
    QStringList texts;
    for (const QLabel* label : m_dialog->findChildren<QLabel*>())
        texts.append(label->text());
    QVERIFY(texts.contains(u"The key has changed."_s));
    QCOMPARE(texts.contains(u"rankwright-cli class forget 'course.rwclass'"_s), trust == int(Trust::Changed));
}

/// At 700 pixels' height it lay below the fold: one agreed without having seen what was to be compared.
void ClassConsentTest::aNewKeyIsSeenWithoutScrolling()
{
    ClassConsent made = consent(Trust::First);
    for (int i = 0; i < 12; ++i)
        made.effects.append(
            u"One more thing that it will do, in a sentence as long as those of a whole course of two days."_s);
    show(made);
    bool isSeen = false;
    for (const QLabel* label : m_dialog->findChildren<QLabel*>())
        isSeen = isSeen || (label->text() == made.fingerprint && !label->visibleRegion().isEmpty());
    QVERIFY(isSeen);
}

void ClassConsentTest::saysWhatItWillDoBeforeWhoSigned()
{
    show(consent(Trust::First));
    int effect = -1;
    int key = -1;
    for (const QLabel* label : m_dialog->findChildren<QLabel*>()) {
        const int at = label->mapTo(m_dialog.get(), QPoint()).y();
        if (label->text().contains(u"It works on LUMI."_s))
            effect = at;
        if (label->text() == u"SHA256:new"_s)
            key = at;
    }
    QVERIFY(effect >= 0 && key > effect);
}

void ClassConsentTest::progressIsOffUntilItIsTicked()
{
    show(consent(Trust::Known));
    auto* shares = m_dialog->findChild<QCheckBox*>(u"shares"_s);
    QVERIFY(shares && !shares->isChecked());
    QVERIFY(!m_dialog->sharesProgress());
    const auto* line = m_dialog->findChild<QLabel*>(u"sharedLine"_s);
    QVERIFY(line->text().contains(u"\"exercise\":\"one\""_s) && !line->text().contains(u"name"_s));
    shares->setFocus();
    QTest::keyClick(shares, Qt::Key_Space);
    QVERIFY(m_dialog->sharesProgress());
    QCOMPARE(m_dialog->sharedName(), QString()); // nobody's, unless it is given
    QTest::keyClicks(m_dialog->findChild<QLineEdit*>(u"shareName"_s), u"Ada L."_s);
    QCOMPARE(m_dialog->sharedName(), u"Ada L."_s);
    QVERIFY(line->text().contains(u"\"name\":\"Ada L.\""_s)); // exactly what would be written
}

void ClassConsentTest::withoutAFolderThereIsNoQuestion()
{
    ClassConsent without = consent(Trust::Shipped);
    without.sharedFile.clear();
    show(without);
    QVERIFY(!m_dialog->findChild<QCheckBox*>());
    QVERIFY(!m_dialog->sharesProgress());
}

void ClassConsentTest::hostileTextsStayText()
{
    const QString hostile = u"<h1>Trusted</h1><img src='file:///etc/passwd'>"_s;
    ClassConsent made = consent(Trust::First);
    made.title = hostile;
    made.author = hostile;
    made.effects = {hostile};
    made.sharedFile = hostile;
    show(made);
    for (const QLabel* label : m_dialog->findChildren<QLabel*>())
        QVERIFY2(label->text().isEmpty() || label->textFormat() == Qt::PlainText, qPrintable(label->text()));
}

void ClassConsentTest::escapeRefuses()
{
    show(consent(Trust::Shipped));
    QSignalSpy accepted(m_dialog.get(), &QDialog::accepted);
    QTest::keyClick(m_dialog.get(), Qt::Key_Escape);
    QCOMPARE(accepted.size(), 0);
    QVERIFY(!m_dialog->isVisible());
}

void ClassConsentTest::anUnknownClusterCannotBeBegun()
{
    ClassConsent made = consent(Trust::Known);
    made.clusterKnown = false;
    show(made);
    QCOMPARE(m_dialog->findChildren<QPushButton*>().size(), 1);
    QVERIFY(!m_dialog->findChild<QCheckBox*>());
    QSignalSpy accepted(m_dialog.get(), &QDialog::accepted);
    QTest::keyClick(m_dialog.get(), Qt::Key_Return);
    QCOMPARE(accepted.size(), 0);
    QVERIFY(!m_dialog->isVisible());
}

RANKWRIGHT_WIDGET_TEST_MAIN(ClassConsentTest)
#include "tst_classconsent.moc"
