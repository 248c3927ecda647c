// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/enumwords.h"
#include "models/planner/design/fieldtable.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QString textOf(QStringView path)
{
    QFile file(test::sourcePath(path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

/// The table from which the design file, the form's order and the order of findings come.
class FieldTableTest final : public test::Suite {
    Q_OBJECT
private slots:
    void everyPathOnce();
    void everyNamedField();
    void membersAreTheirOwn();
    void groupsInOrder();
    void orderOfTheForm();
    void manualNamesEveryField();
    void wordsOfEveryEnumerator();
    void wordsThatNoDesignMayUse();

private:
    template <typename Enum>
    void checkWords(Enum last);
};

void FieldTableTest::everyPathOnce()
{
    QSet<QString> paths;
    for (const SpecField& field : specFields()) {
        QVERIFY2(!paths.contains(field.path), field.path.data());
        paths.insert(field.path);
        QCOMPARE(specField(QString(field.path)), &field);
    }
}

/// Findings, script lines and choices name fields by these constants alone.
void FieldTableTest::everyNamedField()
{
    static const QRegularExpression constant(u"inline constexpr QLatin1StringView \\w+\\{\"([\\w.]+)\"\\};"_s);
    QSet<QString> named;
    auto matches = constant.globalMatch(textOf(u"/models/planner/design/jobspec.h"));
    while (matches.hasNext())
        named.insert(matches.next().captured(1));
    QVERIFY(named.size() > 50);
    for (const QString& path : named)
        QVERIFY2(specField(path) != nullptr, qPrintable(path));
    QCOMPARE(named.size(), qsizetype(specFields().size()));
}

/// No two rows lead to the same place of a design.
void FieldTableTest::membersAreTheirOwn()
{
    JobSpec spec;
    QSet<const void*> places;
    for (const SpecField& field : specFields()) {
        std::visit(
            [&](const auto& member) {
                QCOMPARE(static_cast<const void*>(&member.in(spec)), static_cast<const void*>(&member.of(spec)));
                places.insert(&member.in(spec));
            },
            field.member);
    }
    QCOMPARE(places.size(), qsizetype(specFields().size()));
}

void FieldTableTest::groupsInOrder()
{
    FieldGroup group = FieldGroup::Model;
    for (const SpecField& field : specFields()) {
        QVERIFY2(field.group >= group, field.path.data());
        group = field.group;
    }
}

void FieldTableTest::orderOfTheForm()
{
    QCOMPARE(formOrder(field::model), 0);
    QVERIFY(formOrder(field::precision) < formOrder(field::globalBatch));
    QVERIFY(formOrder(field::nodes) < formOrder(field::time));
    QCOMPARE(formOrder(u"resources.sauna"), int(specFields().size()));
    QCOMPARE(formOrder({}), int(specFields().size()));
}

void FieldTableTest::manualNamesEveryField()
{
    const QString manual = textOf(u"/docs/design_file.md");
    for (const SpecField& field : specFields()) {
        const QString name = QString(field.path).section(u'.', -1);
        const bool named = manual.contains(u'`' + name + u'`') || manual.contains(u'.' + name + u'`');
        QVERIFY2(named, field.path.data());
    }
}

template <typename Enum>
void FieldTableTest::checkWords(Enum last)
{
    QSet<QString> words;
    for (int i = 0; i <= int(last); ++i) {
        const auto value = static_cast<Enum>(i);
        const EnumWord<Enum>& row = enumWord(value);
        QVERIFY(!row.word.isEmpty() && !row.title.isEmpty());
        QCOMPARE(toText(value), QString(row.word));
        QVERIFY2(!words.contains(row.word), row.word.data());
        words.insert(row.word);
        QCOMPARE(enumeratorOf<Enum>(QString(row.word)), row.inFile ? std::optional(value) : std::nullopt);
    }
    QCOMPARE(qsizetype(enumWords<Enum>().size()), words.size());
    QCOMPARE(enumeratorOf<Enum>(u"sauna"), std::nullopt);
    QCOMPARE(enumeratorOf<Enum>({}), std::nullopt);
}

void FieldTableTest::wordsOfEveryEnumerator()
{
    checkWords(Strategy::Horovod);
    checkWords(Launcher::Horovod);
    checkWords(Framework::Generic);
    checkWords(Precision::Bf16);
    checkWords(Optimizer::AdamW8bitPaged);
    checkWords(ActivationCheckpointing::Full);
    checkWords(AttentionKind::Standard);
    checkWords(Offload::Activations);
    checkWords(FrozenWeights::Nf4);
    checkWords(LossKind::Fused);
    checkWords(AdapterMethod::Counted);
    checkWords(Quantisation::Gptq);
    checkWords(NumaBinding::CoreComplex);
}

void FieldTableTest::wordsThatNoDesignMayUse()
{
    QCOMPARE(toText(Optimizer::Lamb), u"lamb"_s);
    QCOMPARE(fileWords<Optimizer>(),
        QStringList({u"adamw"_s, u"adamw8bit"_s, u"adafactor"_s, u"sgd"_s, u"sgd-momentum"_s, u"adamw-paged"_s,
            u"adamw8bit-paged"_s}));
}

RANKWRIGHT_TEST_MAIN(FieldTableTest)
#include "tst_fieldtable.moc"
