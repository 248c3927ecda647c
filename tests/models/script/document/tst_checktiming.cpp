// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/authoredit.h"
#include "models/script/document/design.h"
#include "tests/support/testbase.h"
#include "tests/support/waiting.h"

#include <QDirIterator>
#include <QFile>
#include <QRandomGenerator>
#include <QSignalSpy>

#include <algorithm>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

const Catalogue& allClusters()
{
    static const Catalogue all = loadCatalogue();
    return all;
}

const QString shortScript = u"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gres=gpu:4\n#SBATCH --time=01:00:00\n"
                            "srun python train.py --lr 1e-4\n"_s;

JobSpec opened(const QString& text)
{
    JobSpec fresh;
    fresh.cluster = u"generic"_s;
    return withAuthorText(fresh, text, *allClusters().find(fresh.cluster));
}

QStringList saidBy(const QList<Finding>& findings)
{
    QStringList all;
    for (const Finding& finding : findings)
        all.append(u"%1 %2 %3 %4 %5"_s.arg(finding.line())
                       .arg(toText(finding.severity), finding.rule, finding.field, finding.text));
    return all;
}

QString fieldsOf(const AuthorScript& author)
{
    QString all;
    for (auto it = author.fields.fields.cbegin(); it != author.fields.fields.cend(); ++it) {
        all += it.key() + u'=' + it->value + u' ' + QString::number(int(it->state)) + u' ' + it->why;
        for (const ScriptPlace& place : it->places)
            all += u" %1:%2-%3"_s.arg(place.line).arg(place.begin).arg(place.end);
        all += u'\n';
    }
    return all;
}

QStringList scriptsOf(const QString& folder)
{
    QStringList texts;
    QStringList paths;
    QDirIterator files(test::sourcePath(folder), {u"*.sh"_s}, QDir::Files);
    while (files.hasNext())
        paths.append(files.next());
    paths.sort();
    for (const QString& path : std::as_const(paths)) {
        QFile file(path);
        if (file.open(QIODevice::ReadOnly))
            texts.append(QString::fromUtf8(file.readAll()));
    }
    return texts;
}

} // namespace

class CheckTimingTest : public test::Suite {
    Q_OBJECT
private slots:
    void withTheChange();
    void whenPainted();
    void askedBefore();
    void theNextKeyPutsItOff();
    void ownDesignsAreCheckedAtOnce();
    void sameAsFromScratch_data();
    void sameAsFromScratch();
};

void CheckTimingTest::withTheChange()
{
    Design design(allClusters());
    QSignalSpy changed(&design, &Design::changed), checked(&design, &Design::checked);
    design.replace(opened(shortScript));
    QCOMPARE(changed.size(), 1);
    QCOMPARE(checked.size(), 1);
    QVERIFY(design.derived().isChecked());
}

/// Fields and text are there with the change; the findings come when nothing else is to be done.
void CheckTimingTest::whenPainted()
{
    Design design(allClusters());
    design.setCheckTiming(Design::CheckTiming::WhenPainted);
    QSignalSpy changed(&design, &Design::changed), checked(&design, &Design::checked);
    design.replace(opened(shortScript));
    QCOMPARE(changed.size(), 1);
    QVERIFY(checked.isEmpty());
    QVERIFY(!design.derived().isChecked());
    QCOMPARE(design.derived().author->fields.find(u"resources.nodes"_s)->value, u"2"_s);
    QVERIFY(checked.wait(test::longWaitMs));
    QVERIFY(design.derived().isChecked());
    QCOMPARE(changed.size(), 1);
    QCOMPARE(saidBy(design.derived().findings()),
        saidBy(derive(design.spec(), *allClusters().find(u"generic"_s)).findings()));
}

/// Who launches does not wait for them, and gets those of this very design.
void CheckTimingTest::askedBefore()
{
    Design design(allClusters());
    design.setCheckTiming(Design::CheckTiming::WhenPainted);
    design.setRules([](const ResolvedSpec& resolved) {
        return QList<Finding>{{Severity::Error, u"CLASS"_s, u"class-nodes"_s, field::nodes, std::nullopt,
            u"%1 nodes"_s.arg(resolved.nodes), std::nullopt, {}}};
    });
    design.replace(opened(shortScript));
    QVERIFY(design.edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 3; }));
    QVERIFY(!design.derived().isChecked());
    const QStringList said = saidBy(design.derived().findings());
    QVERIFY2(std::any_of(said.cbegin(), said.cend(), [](const QString& one) { return one.endsWith(u"3 nodes"); }),
        qPrintable(said.join(u'\n')));
    QSignalSpy checked(&design, &Design::checked);
    QVERIFY(checked.wait(test::longWaitMs)); // views hear of it all the same
}

void CheckTimingTest::theNextKeyPutsItOff()
{
    Design design(allClusters());
    design.setCheckTiming(Design::CheckTiming::WhenPainted);
    QSignalSpy checked(&design, &Design::checked);
    design.replace(opened(shortScript));
    for (const int nodes : {3, 4, 5})
        QVERIFY(design.edit(u"Nodes"_s, [nodes](JobSpec& spec) { spec.resources.nodes = nodes; }));
    QVERIFY(checked.isEmpty());
    QVERIFY(checked.wait(test::longWaitMs));
    QCoreApplication::processEvents();
    QCOMPARE(checked.size(), 1);
}

void CheckTimingTest::ownDesignsAreCheckedAtOnce()
{
    Design design(allClusters());
    design.setCheckTiming(Design::CheckTiming::WhenPainted);
    QSignalSpy checked(&design, &Design::checked);
    QVERIFY(design.edit(u"Nodes"_s, [](JobSpec& spec) { spec.resources.nodes = 3; }));
    QCOMPARE(checked.size(), 1);
    QVERIFY(design.derived().isChecked());
}

void CheckTimingTest::sameAsFromScratch_data()
{
    QTest::addColumn<QString>("folder");
    for (const QString& folder : {u"strangers"_s, u"handwritten"_s, u"containers"_s})
        QTest::newRow(qPrintable(folder)) << u"/tests/data/"_s + folder;
}

/// Whatever was edited, by the form or in the text, and taken back: what a design keeps from one edit to the next is
/// what a program reads that never saw the text before.
void CheckTimingTest::sameAsFromScratch()
{
    QFETCH(QString, folder);
    QRandomGenerator random(30);
    const ClusterProfile& profile = *allClusters().find(u"generic"_s);
    int edited = 0;
    const QStringList texts = scriptsOf(folder);
    QVERIFY(!texts.isEmpty());
    for (const QString& text : texts) {
        Design design(allClusters());
        design.setCheckTiming(Design::CheckTiming::WhenPainted);
        design.replace(opened(text));
        if (!design.derived().author)
            continue;
        for (int step = 0; step < 6; ++step) {
            const QString now = design.derived().author->text;
            switch (random.bounded(5)) {
            case 0:
                edited += design.edit(
                    u"nodes"_s, [&](JobSpec& spec) { spec.resources.nodes = 2 + random.bounded(7); }, u"nodes"_s);
                break;
            case 1:
                edited += design.edit(
                    u"time"_s, [&](JobSpec& spec) { spec.time = Seconds{600 * (1 + random.bounded(40))}; });
                break;
            case 2: design.undo(); break;
            case 3: { // a line is typed, or goes
                QStringList lines = now.split(u'\n');
                const int at = random.bounded(static_cast<int>(lines.size()));
                if (random.bounded(2) == 0)
                    lines.insert(at, u"export ADDED_%1=$(date) # 'x"_s.arg(step));
                else
                    lines.removeAt(at);
                design.edit(u"text"_s, [&](JobSpec& spec) { spec.overrides = authorBlocks(lines.join(u'\n')); });
                break;
            }
            default: { // a key anywhere
                QString typed = now;
                const QString keys = u"x\"'#$=\\ {("_s;
                typed.insert(random.bounded(static_cast<int>(typed.size()) + 1),
                    keys.at(random.bounded(static_cast<int>(keys.size()))));
                design.edit(
                    u"key"_s, [&](JobSpec& spec) { spec.overrides = authorBlocks(typed); }, u"key"_s);
            }
            }
            const Derived& kept = design.derived();
            const Derived fresh = derive(design.spec(), profile);
            QVERIFY(kept.author && fresh.author);
            QCOMPARE(kept.author->text, fresh.author->text);
            QCOMPARE(kept.script.text(), fresh.script.text());
            QCOMPARE(fieldsOf(*kept.author), fieldsOf(*fresh.author));
            QCOMPARE(kept.resolved.spec, fresh.resolved.spec);
            QCOMPARE(saidBy(kept.findings()), saidBy(fresh.findings()));
            QCOMPARE(saidBy(kept.silenced()), saidBy(fresh.silenced()));
        }
    }
    QVERIFY(edited > texts.size() / 2);
}

RANKWRIGHT_TEST_MAIN(CheckTimingTest)
#include "tst_checktiming.moc"
