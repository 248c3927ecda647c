// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/recordtable.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/sentdialog.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

SentCommand sentOf(quint64 number, const QString& purpose, const QString& line)
{
    SentCommand command;
    command.number = number;
    command.time = QDateTime::fromMSecsSinceEpoch(1700000000000 + qint64(number), Qt::UTC);
    command.cluster = u"lumi"_s;
    command.purpose = purpose;
    command.line = line;
    return command;
}

} // namespace

class SentDialogTest final : public test::Suite {
    Q_OBJECT
private slots:
    void initTestCase();
    void showsWhatWasSent();
    void filters();
    void textsOnDemand();
    void copiesAndSaves();
    void followsTheModel();

private:
    static QPushButton* button(const QWidget& dialog, const QString& text)
    {
        for (auto* one : dialog.findChildren<QPushButton*>()) {
            if (one->text() == text)
                return one;
        }
        return nullptr;
    }
    std::unique_ptr<Theme> m_theme;
};

void SentDialogTest::initTestCase()
{
    m_theme = std::make_unique<Theme>();
    m_theme->setMode(Theme::Mode::Light);
}

void SentDialogTest::showsWhatWasSent()
{
    SentModel model;
    const QAbstractItemModelTester tester(&model);
    SentCommand failed = sentOf(2, u"Cancels a job"_s, u"scancel 4711"_s);
    failed.end = SentCommand::End::Exited;
    failed.exitStatus = 1;
    failed.tookMs = 1500;
    model.assign({sentOf(1, u"Asks for your jobs in the queue"_s, u"squeue --me"_s), failed});
    SentDialog dialog(model);
    dialog.show();
    auto* table = dialog.findChild<RecordTable*>();
    QCOMPARE(table->shownRows(), 2);
    QCOMPARE(table->selectedId(), u"2"_s); // the newest first
    const auto cell = [&model](int column) { return model.index(1, column).data().toString(); };
    QCOMPARE(cell(SentModel::Purpose), u"Cancels a job"_s);
    QCOMPARE(cell(SentModel::Command), u"scancel 4711"_s);
    QCOMPARE(cell(SentModel::Outcome), u"exit status 1"_s);
    QCOMPARE(cell(SentModel::Took), u"1.50 s"_s);
    QCOMPARE(cell(SentModel::Input), u"nothing"_s);
    QVERIFY(dialog.findChild<QPlainTextEdit*>()->toPlainText().contains(u"scancel 4711"_s));
}

void SentDialogTest::filters()
{
    SentModel model;
    model.assign({sentOf(1, u"Asks"_s, u"squeue --me"_s), sentOf(2, u"Cancels"_s, u"scancel 4711"_s)});
    SentDialog dialog(model);
    dialog.show();
    auto* table = dialog.findChild<RecordTable*>();
    dialog.findChild<QLineEdit*>()->setText(u"squeue"_s);
    QCOMPARE(table->shownRows(), 1);
    QVERIFY(dialog.findChild<QPlainTextEdit*>()->toPlainText().contains(u"squeue --me"_s));
    dialog.findChild<QLineEdit*>()->setText(u"nothing like it"_s);
    QCOMPARE(table->shownRows(), 0);
    QVERIFY(dialog.findChild<QPlainTextEdit*>()->toPlainText().isEmpty());
    QVERIFY(!button(dialog, u"Copy"_s)->isEnabled());
}

void SentDialogTest::textsOnDemand()
{
    SentModel model;
    SentCommand script = sentOf(1, u"Submits the script"_s, u"sbatch"_s);
    script.input = "#!/bin/bash\nexport HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz012345\n";
    script.inputBytes = script.input.size();
    model.assign({script});
    SentDialog dialog(model);
    dialog.show();
    const auto* details = dialog.findChild<QPlainTextEdit*>();
    QVERIFY(!details->toPlainText().contains(u"#!/bin/bash"_s));
    QVERIFY(dialog.input() == SentInput::LeftOut);
    dialog.findChild<QCheckBox*>()->click();
    QVERIFY(dialog.input() == SentInput::Included);
    QVERIFY(details->toPlainText().contains(u"#!/bin/bash"_s));
    QVERIFY(!details->toPlainText().contains(u"hf_abc"_s));
}

void SentDialogTest::copiesAndSaves()
{
    SentModel model;
    SentDialog empty(model);
    QVERIFY(!button(empty, u"Copy"_s)->isEnabled());
    QVERIFY(!button(empty, u"Save as text …"_s)->isEnabled());
    model.assign({sentOf(1, u"Asks"_s, u"squeue --me"_s)});
    SentDialog dialog(model);
    QSignalSpy save(&dialog, &SentDialog::saveRequested);
    button(dialog, u"Copy"_s)->click();
    QVERIFY(QApplication::clipboard()->text().contains(u"squeue --me"_s));
    button(dialog, u"Save as text …"_s)->click();
    QCOMPARE(save.size(), 1);
    const auto says = [&dialog](const QString& text) {
        const auto labels = dialog.findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* each) { return each->text() == text; });
    };
    dialog.report(u"It cannot be written."_s);
    model.assign({sentOf(1, u"Asks"_s, u"squeue --me"_s), sentOf(2, u"Cancels"_s, u"scancel 4711"_s)});
    QVERIFY(says(u"It cannot be written."_s)); // commands go on meanwhile
    dialog.findChild<QLineEdit*>()->setText(u"squeue"_s);
    QVERIFY(!says(u"It cannot be written."_s));
}

void SentDialogTest::followsTheModel()
{
    SentModel model;
    SentDialog dialog(model);
    dialog.show();
    SentCommand command = sentOf(1, u"Asks"_s, u"squeue"_s);
    model.assign({command});
    const auto* details = dialog.findChild<QPlainTextEdit*>();
    QVERIFY(details->toPlainText().contains(u"goes on"_s));
    command.end = SentCommand::End::Exited;
    command.exitStatus = 0;
    model.assign({command});
    QVERIFY(details->toPlainText().contains(u"exit status 0"_s));
    model.assign({});
    QVERIFY(details->toPlainText().isEmpty());
}

RANKWRIGHT_WIDGET_TEST_MAIN(SentDialogTest)
#include "tst_sentdialog.moc"
