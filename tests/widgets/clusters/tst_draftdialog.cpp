// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/draftdialog.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The dialog of “Add my cluster”: entry, uncertain points, name, path.
class DraftDialogTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void showsEntryDoubtsAndPath();
    void savesUnderTheNameTyped();
    void wrongNamesCannotBeSaved();
    void reportsWhatBecameOfIt();

private:
    static QString shown(const QWidget& dialog)
    {
        QStringList texts;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            texts.append(label->text());
        return texts.join(u'\n');
    }
    static QPushButton* save(const QWidget& dialog)
    {
        for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
            if (button->text() == u"Save"_s)
                return button;
        }
        return nullptr;
    }
    ClusterDraft m_draft;
    std::unique_ptr<Theme> m_theme;
};

void DraftDialogTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
    m_draft.profile.name = u"mine"_s;
    m_draft.profile.login.host = u"login.example.org"_s;
    m_draft.doubts.append({u"$.billing"_s, u"Slurm does not report prices."_s});
}

void DraftDialogTest::showsEntryDoubtsAndPath()
{
    DraftDialog dialog(m_draft, u"/home/ada/clusters"_s, {});
    dialog.show();
    QVERIFY(dialog.findChild<QPlainTextEdit*>()->toPlainText().contains(u"\"host\": \"login.example.org\""_s));
    QVERIFY(shown(dialog).contains(u"Slurm does not report prices."_s));
    QVERIFY(shown(dialog).contains(u"/home/ada/clusters/mine.json"_s));
}

void DraftDialogTest::savesUnderTheNameTyped()
{
    DraftDialog dialog(m_draft, u"/home/ada/clusters"_s, {u"lumi"_s});
    QSignalSpy asked(&dialog, &DraftDialog::saveRequested);
    dialog.findChild<QLineEdit*>()->setText(u"other-1"_s);
    QVERIFY(dialog.findChild<QPlainTextEdit*>()->toPlainText().contains(u"\"name\": \"other-1\""_s));
    save(dialog)->click();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().first().value<ClusterProfile>().name, u"other-1"_s);
    dialog.findChild<QLineEdit*>()->setText(u"lumi"_s);
    QVERIFY(shown(dialog).contains(u"replaces the existing entry"_s));
}

void DraftDialogTest::wrongNamesCannotBeSaved()
{
    DraftDialog dialog(m_draft, u"/x"_s, {});
    for (const QString& name : {u""_s, u"../x"_s, u"My Cluster"_s}) {
        dialog.findChild<QLineEdit*>()->setText(name);
        QVERIFY(!save(dialog)->isEnabled());
    }
}

void DraftDialogTest::reportsWhatBecameOfIt()
{
    DraftDialog dialog(m_draft, u"/x"_s, {});
    dialog.showError({Fault::Io, u"/x/mine.json cannot be written."_s, {}, u"Check the folder's permissions."_s});
    QVERIFY(shown(dialog).contains(u"cannot be written"_s) && save(dialog)->isEnabled());
    dialog.showSaved(u"/x/mine.json"_s);
    QVERIFY(shown(dialog).contains(u"Saved as /x/mine.json"_s) && !save(dialog)->isEnabled());
}

RANKWRIGHT_WIDGET_TEST_MAIN(DraftDialogTest)
#include "tst_draftdialog.moc"
