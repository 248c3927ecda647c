// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/forward/reachdialog.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTreeWidget>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The dialog of ports and shells: what it offers, asks for and never shows.
class ReachDialogTest final : public rankwright::test::Suite {
    Q_OBJECT
private slots:
    void servicesOfTheOutputComeFirst();
    void asksForAPort();
    void listKeepsItsSelection();
    void tokensAreNotShown();
    void textsOfOthersAreHarmless();
    void everythingHasAName();
    void fitsAtTwiceTheText();
    void looks();

private:
    static ReachSubject subject()
    {
        FoundService jupyter;
        jupyter.name = u"Jupyter"_s;
        jupyter.node = u"n2"_s;
        jupyter.port = 8889;
        jupyter.path = u"/lab"_s;
        jupyter.token = u"s3cret-token"_s;
        return {u"123"_s, u"Practice cluster"_s, {u"n1"_s, u"n2"_s, u"n3"_s}, {jupyter}, {}};
    }
    template <typename Widget>
    static Widget* named(const ReachDialog& dialog, const QString& name)
    {
        for (Widget* widget : dialog.findChildren<Widget*>()) {
            if (widget->accessibleName() == name)
                return widget;
        }
        return nullptr;
    }
    static QPushButton* button(const ReachDialog& dialog, const QString& text)
    {
        for (QPushButton* one : dialog.findChildren<QPushButton*>()) {
            if (one->text() == text)
                return one;
        }
        return nullptr;
    }
};

void ReachDialogTest::servicesOfTheOutputComeFirst()
{
    ReachDialog dialog;
    dialog.showSubject(subject());
    QCOMPARE(named<QSpinBox>(dialog, u"Port of the node"_s)->value(), 8889);
    QCOMPARE(dialog.node(), u"n2"_s);
    auto* service = named<QComboBox>(dialog, u"Service"_s);
    QVERIFY(service->itemText(0).contains(u"8889"_s));
    service->setCurrentIndex(1);
    emit service->activated(1);
    QCOMPARE(named<QSpinBox>(dialog, u"Port of the node"_s)->value(), 6006);
}

void ReachDialogTest::asksForAPort()
{
    ReachDialog dialog;
    dialog.showSubject(subject());
    dialog.setNode(u"n3"_s);
    QSignalSpy wanted(&dialog, &ReachDialog::forwardRequested);
    named<QSpinBox>(dialog, u"Port of the node"_s)->setValue(7000);
    button(dialog, u"Bring it here"_s)->click();
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.first(), (QVariantList{u"n3"_s, 7000, 0}));
    QSignalSpy shell(&dialog, &ReachDialog::shellRequested);
    button(dialog, u"Open a shell on this node"_s)->click();
    QCOMPARE(shell.value(0).value(0).toString(), u"n3"_s);
}

void ReachDialogTest::listKeepsItsSelection()
{
    ReachDialog dialog;
    dialog.showSubject(subject());
    QVERIFY(!button(dialog, u"Stop"_s)->isEnabled());
    QList<ForwardRow> rows{
        {1, u"127.0.0.1:6006"_s, u"n1, port 6006"_s, u"123"_s, u"From the login node"_s, true, false},
        {2, u"127.0.0.1:6007"_s, u"n2, port 6006"_s, u"123"_s, u"Job 123 has ended."_s, false, false}};
    dialog.showForwards(rows);
    auto* list = dialog.findChild<QTreeWidget*>();
    QVERIFY(!button(dialog, u"Stop"_s)->isEnabled()); // the newest has ended
    list->setCurrentItem(list->topLevelItem(0));
    QVERIFY(button(dialog, u"Stop"_s)->isEnabled());
    rows.append({3, u"127.0.0.1:6008"_s, u"n2, port 6008"_s, u"123"_s, u"Looking for a way …"_s, true, false});
    dialog.showForwards(rows);
    QVERIFY(list->topLevelItem(2)->isSelected()); // what was just asked for
    rows.removeLast();
    dialog.showForwards(rows);
    list->setCurrentItem(list->topLevelItem(0));
    rows.first().state = u"From the login node · 1 open"_s;
    dialog.showForwards(rows);
    QSignalSpy stopped(&dialog, &ReachDialog::stopRequested);
    button(dialog, u"Stop"_s)->click();
    QCOMPARE(stopped.value(0).value(0).toULongLong(), 1ULL);
}

void ReachDialogTest::tokensAreNotShown()
{
    ReachDialog dialog;
    dialog.showSubject(subject());
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        QVERIFY(!label->text().contains(u"s3cret"_s));
    const auto* service = named<QComboBox>(dialog, u"Service"_s);
    for (int i = 0; i < service->count(); ++i)
        QVERIFY(!service->itemText(i).contains(u"s3cret"_s));
}

void ReachDialogTest::textsOfOthersAreHarmless()
{
    ReachDialog dialog;
    ReachSubject odd = subject();
    odd.cluster = u"<b>x</b>\n\u202egnp"_s;
    dialog.showSubject(odd);
    dialog.showForwards(
        {{1, u"127.0.0.1:1"_s, u"n1, port 1"_s, u"1"_s, u"<img src=file:///etc/passwd>"_s, true, true}});
    const auto* list = dialog.findChild<QTreeWidget*>();
    QVERIFY(!list->topLevelItem(0)->toolTip(3).contains(u"<img"_s));
}

void ReachDialogTest::everythingHasAName()
{
    ReachDialog dialog;
    dialog.showSubject(subject());
    for (const QWidget* widget : dialog.findChildren<QWidget*>()) {
        const bool isInput = widget->focusPolicy() != Qt::NoFocus
            && (qobject_cast<const QComboBox*>(widget) || qobject_cast<const QSpinBox*>(widget)
                || qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QTreeWidget*>(widget));
        if (isInput)
            QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
    }
}

void ReachDialogTest::fitsAtTwiceTheText()
{
    ReachDialog dialog;
    QFont font = dialog.font();
    font.setPointSizeF(font.pointSizeF() * 2);
    dialog.setFont(font);
    dialog.showSubject(subject());
    dialog.showLines(u"ssh -t ada@login 'srun …'"_s, u"code --remote ssh-remote+login /scratch"_s, u"Host x\n"_s);
    dialog.ensurePolished();
    QVERIFY2(dialog.minimumSizeHint().width() <= 1024 && dialog.minimumSizeHint().height() <= 700,
        qPrintable(u"%1 x %2"_s.arg(dialog.minimumSizeHint().width()).arg(dialog.minimumSizeHint().height())));
}

/// Both pages, light and dark; with RANKWRIGHT_SHOTS=FOLDER they are kept as pictures.
void ReachDialogTest::looks()
{
    Theme theme;
    for (const auto& [mode, name] :
        {std::pair(Theme::Mode::Light, u"light"_s), std::pair(Theme::Mode::Dark, u"dark"_s)}) {
        theme.setMode(mode);
        theme.apply();
        ReachDialog dialog;
        dialog.showSubject(subject());
        dialog.showForwards({{1, u"127.0.0.1:8889"_s, u"n2, port 8889"_s, u"123"_s,
                                 u"Through a Slurm step on n2 · 3 open · 1.2 MB in, 14 kB out"_s, true, false},
            {2, u"127.0.0.1:6007"_s, u"n1, port 6006"_s, u"123"_s,
                u"Nothing answers on port 6006 of n1: from the login node: Connection refused"_s, true, true},
            {3, u"127.0.0.1:8265"_s, u"n1, port 8265"_s, u"120"_s, u"Job 120 has ended."_s, false, false}});
        dialog.showLines(u"ssh -t ada@login.example.org 'srun --overlap --jobid=123 --nodes=1 --ntasks=1 --nodelist=n2 "
                         "--pty bash -l'"_s,
            u"code --remote ssh-remote+ada@login.example.org /scratch/project/ada"_s,
            u"Host practice-n2\n    HostName n2\n    User ada\n    ProxyJump ada@login.example.org\n"_s);
        dialog.report(u"Port 8889 of n2 is available at 127.0.0.1:8889."_s);
        for (const auto page : {ReachDialog::Page::Ports, ReachDialog::Page::Shell}) {
            dialog.setPage(page);
            dialog.show();
            QVERIFY(QTest::qWaitForWindowExposed(&dialog, test::longWaitMs));
            QCoreApplication::processEvents();
            const QPixmap picture = dialog.grab();
            QVERIFY(!picture.isNull());
            if (const QString folder = qEnvironmentVariable("RANKWRIGHT_SHOTS"); !folder.isEmpty())
                QVERIFY(picture.save(u"%1/reach_%2_%3.png"_s.arg(folder, name).arg(int(page))));
        }
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(ReachDialogTest)
#include "tst_reachdialog.moc"
