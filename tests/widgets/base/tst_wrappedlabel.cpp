// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/card.h"
#include "widgets/base/wrappedlabel.h"

#include <QApplication>
#include <QClipboard>
#include <QTextLayout>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// A height that is remembered is the one that a label without memory finds, whatever happened in between.
class WrappedLabelTest final : public test::Suite {
    Q_OBJECT
private slots:
    void isAsHighAsALabelWithoutMemory();
    void aRoleMayBeGivenLater();
    void labelsOfThePagesRemember();
    void optionsStayWhole();
};

void WrappedLabelTest::isAsHighAsALabelWithoutMemory()
{
    QWidget page;
    auto* remembers = new WrappedLabel(&page);
    auto* measures = new QLabel(&page);
    measures->setWordWrap(true);
    page.show();
    const auto both = [&](const auto& change) {
        change(static_cast<QLabel*>(remembers));
        change(measures);
        for (int round = 0; round < 2; ++round) {
            for (int width = 40; width < 400; width += 37)
                QCOMPARE(remembers->heightForWidth(width), measures->heightForWidth(width));
        }
    };
    const QString words = u"The state of the optimiser is sharded over 8 ranks. "_s;
    both([&](QLabel* label) { label->setText(words.repeated(3)); });
    both([&](QLabel* label) { label->setText(words); });
    both([&](QLabel* label) { label->setText(u"<b>Error.</b> "_s + words.repeated(4)); });
    both([&](QLabel* label) { label->setTextFormat(Qt::PlainText); });
    both([&](QLabel* label) { label->setWordWrap(false); });
    both([&](QLabel* label) { label->setWordWrap(true); });
    both([&](QLabel* label) { label->setMargin(9); });
    both([&](QLabel* label) { label->setIndent(30); });
    both([&](QLabel* label) { label->setMinimumHeight(90); });
    both([&](QLabel* label) { label->setMinimumHeight(0); });
    both([&](QLabel* label) { label->setContentsMargins(0, 11, 20, 7); });
    both([&](QLabel* label) {
        QFont larger = label->font();
        larger.setPointSizeF(larger.pointSizeF() * 2);
        label->setFont(larger);
    });
    both([&](QLabel* label) { label->setStyleSheet(u"padding: 12px; font-size: 9px"_s); });
    both([&](QLabel* label) { label->setStyleSheet({}); });
    both([&](QLabel* label) { label->setText({}); });
    // What reaches it from above: the style sheet of the page, and a page that is taken elsewhere.
    both([&](QLabel* label) { label->setText(words.repeated(2)); });
    page.setStyleSheet(u"QLabel { font-size: 23px }"_s);
    both([](QLabel*) {});
    QWidget other;
    other.setStyleSheet(u"QLabel { font-size: 8px; padding: 3px }"_s);
    other.show();
    both([&](QLabel* label) { label->setParent(&other); });
}

void WrappedLabelTest::aRoleMayBeGivenLater()
{
    QWidget page;
    auto* remembers = new WrappedLabel(u"one two three four five six seven eight nine ten"_s, &page);
    auto* measures = new QLabel(remembers->text(), &page);
    measures->setWordWrap(true);
    page.show();
    QCOMPARE(remembers->heightForWidth(90), measures->heightForWidth(90));
    for (QLabel* label : {static_cast<QLabel*>(remembers), measures}) {
        setStyleProperty(label, "figure", true);
    }
    QCOMPARE(remembers->heightForWidth(90), measures->heightForWidth(90));
}

void WrappedLabelTest::labelsOfThePagesRemember()
{
    QWidget page;
    QVERIFY(qobject_cast<WrappedLabel*>(makeLabel(u"text"_s, "quiet", &page)));
    QVERIFY(!makeLabel(u"text"_s, "quiet", &page)->wordWrap());
}

/// “--epochs” ended a line behind its dashes. What is copied has nothing else in it.
void WrappedLabelTest::optionsStayWhole()
{
    const QString plain = u"train_ddp.py --global-batch 64 --epochs 3 -m a-b --lr=1e-4"_s;
    const QString shown = WrappedLabel::withWholeOptions(plain);
    const auto linesOf = [](const QString& text) {
        QTextLayout layout(text, QFont());
        QStringList lines;
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(1); // as narrow as its words allow
            lines.append(text.mid(line.textStart(), line.textLength()).remove(QChar(0x2060)).trimmed());
        }
        layout.endLayout();
        return lines;
    };
    QVERIFY(linesOf(plain).contains(u"--"_s));
    const QStringList lines = linesOf(shown);
    for (const QString& whole : {u"--global-batch"_s, u"--epochs"_s, u"-m"_s})
        QVERIFY2(lines.contains(whole), qPrintable(lines.join(u'|')));
    WrappedLabel label(shown);
    label.setTextFormat(Qt::PlainText);
    label.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label.show();
    label.setSelection(0, int(shown.size()));
    QTest::keyClick(&label, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), plain);
    QCOMPARE(WrappedLabel::withWholeOptions(u"a - b, well-known"_s).remove(QChar(0x2060)), u"a - b, well-known"_s);
    QVERIFY(!WrappedLabel::withWholeOptions(u"well-known"_s).contains(QChar(0x2060)));
}

RANKWRIGHT_WIDGET_TEST_MAIN(WrappedLabelTest)
#include "tst_wrappedlabel.moc"
