// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/fixedword.h"
#include "tests/support/testbase.h"

#include <array>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace fruits {

enum class Fruit { Apple, Pear };

QStringView wordOf(Fruit fruit)
{
    constexpr std::array<QStringView, 2> words{u"apple", u"pear"};
    return std::size_t(fruit) < words.size() ? words.at(std::size_t(fruit)) : QStringView();
}

} // namespace fruits

using fruits::Fruit;

class FixedWordTest final : public test::Suite {
    Q_OBJECT
private slots:
    void aKnownWordIsItsValue();
    void aNewerWordIsKept();
    void noWordIsNoValue();
};

void FixedWordTest::aKnownWordIsItsValue()
{
    for (const Fruit fruit : {Fruit::Apple, Fruit::Pear}) {
        const auto word = FixedWord<Fruit>::read(FixedWord<Fruit>(fruit).text());
        QVERIFY(word == fruit);
        QVERIFY(word.value() == fruit);
        QVERIFY(!word.isEmpty());
    }
    QVERIFY(FixedWord<Fruit>::read(u"pear"_s) != Fruit::Apple);
}

void FixedWordTest::aNewerWordIsKept()
{
    for (const QString& written : {u"quince"_s, u"Apple"_s, u"apple "_s}) {
        const auto word = FixedWord<Fruit>::read(written);
        QVERIFY(!word.value());
        QVERIFY(!word.isEmpty());
        QVERIFY(word != Fruit::Apple);
        QVERIFY(word != FixedWord<Fruit>());
        QCOMPARE(word.text(), written);
    }
}

void FixedWordTest::noWordIsNoValue()
{
    const FixedWord<Fruit> none;
    QVERIFY(none.isEmpty());
    QVERIFY(!none.value());
    QCOMPARE(none.text(), QString());
    QVERIFY(none == FixedWord<Fruit>::read(QString()));
    QVERIFY(none != Fruit::Apple);
}

RANKWRIGHT_TEST_MAIN(FixedWordTest)
#include "tst_fixedword.moc"
