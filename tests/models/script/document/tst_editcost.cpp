// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/script/document/authoredit.h"
#include "models/script/document/design.h"
#include "models/script/document/scriptfindings.h"
#include "models/script/read/scriptreader.h"
#include "models/script/write/scriptwriter.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

/// How often the parts of the program that take time were called.
struct Work {
    int resolved = 0;
    int written = 0;
    int parsed = 0;
    int read = 0;
    int bound = 0; ///< also where an edit of fields is proved
};
Work work;

/// Counts a call, and not those of the same kind that it makes itself.
template <typename Call>
auto once(int& count, const Call& call)
{
    const int before = ++count;
    const auto result = call();
    count = before;
    return result;
}

} // namespace

// The linker puts these in the place of the functions of these names (ld(1), --wrap; the names stand in CMakeLists.txt,
// too): the program itself counts nothing.
ResolvedSpec trueResolve(const JobSpec& spec, const ClusterProfile& profile) asm(
    "__real__ZN10rankwright7planner7resolveERKNS0_7JobSpecERKNS_7cluster14ClusterProfileE");
ResolvedSpec countedResolve(const JobSpec& spec, const ClusterProfile& profile) asm(
    "__wrap__ZN10rankwright7planner7resolveERKNS0_7JobSpecERKNS_7cluster14ClusterProfileE");
ScriptDocument trueGenerated(const ResolvedSpec& resolved, const ClusterProfile& profile) asm(
    "__real__ZN10rankwright6script15generatedScriptERKNS_7planner12ResolvedSpecERKNS_7cluster14ClusterProfileE");
ScriptDocument countedGenerated(const ResolvedSpec& resolved, const ClusterProfile& profile) asm(
    "__wrap__ZN10rankwright6script15generatedScriptERKNS_7planner12ResolvedSpecERKNS_7cluster14ClusterProfileE");
WrittenScript trueWritten(const ResolvedSpec& resolved, const ClusterProfile& profile) asm(
    "__real__ZN10rankwright6script13writtenScriptERKNS_7planner12ResolvedSpecERKNS_7cluster14ClusterProfileE");
WrittenScript countedWritten(const ResolvedSpec& resolved, const ClusterProfile& profile) asm(
    "__wrap__ZN10rankwright6script13writtenScriptERKNS_7planner12ResolvedSpecERKNS_7cluster14ClusterProfileE");
ScriptDocument trueWrite(const ResolvedSpec& resolved, const ClusterProfile& profile) asm(
    "__real__ZN10rankwright6script11writeScriptERKNS_7planner12ResolvedSpecERKNS_7cluster14ClusterProfileE");
ScriptDocument countedWrite(const ResolvedSpec& resolved, const ClusterProfile& profile) asm(
    "__wrap__ZN10rankwright6script11writeScriptERKNS_7planner12ResolvedSpecERKNS_7cluster14ClusterProfileE");
BatchText trueParse(const QString& text) asm("__real__ZN10rankwright6script10parseBatchERK7QString");
BatchText countedParse(const QString& text) asm("__wrap__ZN10rankwright6script10parseBatchERK7QString");
ScriptReading trueRead(const BatchText& batch, const ClusterProfile& profile) asm(
    "__real__ZN10rankwright6script10readScriptERKNS0_9BatchTextERKNS_7cluster14ClusterProfileE");
ScriptReading countedRead(const BatchText& batch, const ClusterProfile& profile) asm(
    "__wrap__ZN10rankwright6script10readScriptERKNS0_9BatchTextERKNS_7cluster14ClusterProfileE");
std::shared_ptr<const BoundScript> trueBind(const BatchText& batch) asm(
    "__real__ZN10rankwright6script10readFieldsERKNS0_9BatchTextE");
std::shared_ptr<const BoundScript> countedBind(const BatchText& batch) asm(
    "__wrap__ZN10rankwright6script10readFieldsERKNS0_9BatchTextE");
Result<EditedScript> trueSet(const std::shared_ptr<const BoundScript>& read, const QList<FieldEdit>& edits) asm(
    "__real__ZN10rankwright6script9setFieldsERKSt10shared_ptrIKNS0_11BoundScriptEERK5QListINS0_9FieldEditEE");
Result<EditedScript> countedSet(const std::shared_ptr<const BoundScript>& read, const QList<FieldEdit>& edits) asm(
    "__wrap__ZN10rankwright6script9setFieldsERKSt10shared_ptrIKNS0_11BoundScriptEERK5QListINS0_9FieldEditEE");

ResolvedSpec countedResolve(const JobSpec& spec, const ClusterProfile& profile)
{
    ++work.resolved;
    return trueResolve(spec, profile);
}
ScriptDocument countedGenerated(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    return once(work.written, [&] { return trueGenerated(resolved, profile); });
}
WrittenScript countedWritten(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    return once(work.written, [&] { return trueWritten(resolved, profile); });
}
ScriptDocument countedWrite(const ResolvedSpec& resolved, const ClusterProfile& profile)
{
    return once(work.written, [&] { return trueWrite(resolved, profile); });
}
BatchText countedParse(const QString& text)
{
    ++work.parsed;
    return trueParse(text);
}
ScriptReading countedRead(const BatchText& batch, const ClusterProfile& profile)
{
    ++work.read;
    return trueRead(batch, profile);
}
std::shared_ptr<const BoundScript> countedBind(const BatchText& batch)
{
    ++work.bound;
    return trueBind(batch);
}
Result<EditedScript> countedSet(const std::shared_ptr<const BoundScript>& read, const QList<FieldEdit>& edits)
{
    const Result<EditedScript> edited = trueSet(read, edits);
    if (edited && edited->read != read) // what it proves the edit by
        ++work.bound;
    return edited;
}

/// What one edit computes: counted, since a time says more of the machine than of the program.
class EditCostTest final : public test::Suite {
    Q_OBJECT
private slots:
    void anEditComputesOnce_data();
    void anEditComputesOnce();

private:
    JobSpec own(const QString& line, const QString& instead) const;
    JobSpec authored() const;
    const Catalogue m_catalogue = loadCatalogue();
};

/// A design of two nodes; `line` of its script is replaced by what somebody typed.
JobSpec EditCostTest::own(const QString& line, const QString& instead) const
{
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"lumi"_s;
    spec.partition = u"standard-g"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 2;
    spec.time = Seconds{12 * 3600};
    spec.command = u"train.py --lr 0.1"_s;
    const ClusterProfile& lumi = *m_catalogue.find(spec.cluster);
    const Derived derived = derive(spec, lumi);
    return line.isEmpty() ? spec : editedSpec(derived, derived.script.text().replace(line, instead));
}

JobSpec EditCostTest::authored() const
{
    JobSpec fresh;
    fresh.cluster = u"lumi"_s;
    return withAuthorText(fresh,
        u"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n#SBATCH --ntasks-per-node=8\n#SBATCH --time=01:00:00\n"
        "#SBATCH --partition=standard-g\nsrun python3 train.py --lr 0.1\n"_s,
        *m_catalogue.find(fresh.cluster));
}

void EditCostTest::anEditComputesOnce_data()
{
    QTest::addColumn<JobSpec>("spec");
    QTest::addColumn<QString>("from"); // typed into the script; empty: the form is edited
    QTest::addColumn<QString>("to");
    QTest::addColumn<QList<int>>("most"); // resolved, written, parsed, read, bound
    const JobSpec plain = own({}, {});
    const JobSpec typed = own(u"set -euo pipefail\n"_s, u"set -euo pipefail\necho mine\n"_s);
    const JobSpec spelled = own(u"#SBATCH --nodes=2\n"_s, u"#SBATCH -N 2 # two\n"_s);
    const QString none, two = u"--nodes=2"_s, four = u"--nodes=4"_s;
    QTest::newRow("own: the form") << plain << none << none << QList<int>{1, 1, 1, 0, 0};
    QTest::newRow("own: a field in the script") << plain << two << four << QList<int>{2, 2, 2, 2, 0};
    QTest::newRow("own: a word that is not a field")
        << plain << u"# Launch"_s << u"# Start"_s << QList<int>{1, 1, 2, 2, 0};
    QTest::newRow("own with typed lines: the form") << typed << none << none << QList<int>{1, 1, 1, 0, 1};
    QTest::newRow("own with typed lines: a field") << typed << two << four << QList<int>{2, 2, 2, 2, 1};
    QTest::newRow("own with typed lines: a key")
        << typed << u"echo mine"_s << u"echo mines"_s << QList<int>{1, 1, 2, 2, 0};
    QTest::newRow("own with a typed spelling: the form") << spelled << none << none << QList<int>{2, 2, 3, 0, 2};
    QTest::newRow("author's: the form") << authored() << none << none << QList<int>{1, 0, 1, 1, 1};
    QTest::newRow("author's: a field in the script") << authored() << two << four << QList<int>{1, 0, 1, 1, 1};
}

void EditCostTest::anEditComputesOnce()
{
    QFETCH(JobSpec, spec);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QList<int>, most);
    Design design(m_catalogue);
    design.replace(spec);
    QString text = design.derived().script.text();
    QVERIFY2(text.contains(from), qPrintable(text));
    text.replace(from, to);
    work = {};
    if (from.isEmpty()) {
        QVERIFY(design.edit(u"Nodes"_s, [](JobSpec& edited) { edited.resources.nodes = 4; }));
    } else { // as ScriptController does
        const JobSpec after = editedSpec(design.derived(), text);
        QVERIFY(design.edit(u"Typing"_s, [&after](JobSpec& edited) { edited = after; }));
        QVERIFY(design.derived().script.text().contains(to));
    }
    const QList<int> done{work.resolved, work.written, work.parsed, work.read, work.bound};
    qInfo("%d resolved, %d written, %d parsed, %d read, %d bound", work.resolved, work.written, work.parsed, work.read,
        work.bound);
    for (qsizetype i = 0; i < most.size(); ++i)
        QVERIFY2(done.at(i) <= most.at(i), qPrintable(QString::number(i)));
}

RANKWRIGHT_TEST_MAIN(EditCostTest)
#include "tst_editcost.moc"
