// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/remotefilemodel.h"
#include "tests/support/testbase.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// The tree of a cluster's folders, and the answers that it is made of.
class RemoteFileModelTest final : public test::Suite {
    Q_OBJECT
private slots:
    void listsWhereOneLooks();
    void saysWhyNot();
    void readsListings();
    void refusesNamesThatLeadOut();
    void everyCutIsNoticed();
};

namespace {

FileListing listing(const QByteArray& root, const QList<FileEntry>& entries)
{
    FileListing made;
    made.root = root;
    made.entries = entries;
    return made;
}

} // namespace

void RemoteFileModelTest::listsWhereOneLooks()
{
    RemoteFileModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy wanted(&model, &RemoteFileModel::folderWanted);
    model.setRoot("/home/me");
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.takeFirst().at(0).toByteArray(), "/home/me");
    model.setListing("/home/me",
        listing("/home/me",
            {{"b", FileEntry::Kind::File, 2048, 0, 0644, {}}, {"z", FileEntry::Kind::Folder, 0, 0, 0755, {}}}));
    QCOMPARE(model.rowCount(), 2);
    const QModelIndex folder = model.index(0, 0);
    QCOMPARE(folder.data().toString(), u"z/"_s); // folders first
    QVERIFY(model.hasChildren(folder));
    model.fetchMore(folder); // once, however often it is asked: the tester has looked, too
    model.fetchMore(folder);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.takeFirst().at(0).toByteArray(), "/home/me/z");
    model.setListing("/home/me/z", listing("/home/me/z", {{"\xff", FileEntry::Kind::File, 1, 0, 0644, {}}}));
    QCOMPARE(model.rowCount(folder), 1);
    QCOMPARE(model.index(0, 0, folder).data().toString(), u"\\xff"_s);
    QCOMPARE(model.pathOf(model.index(0, 0, folder)), "/home/me/z/\xff");
    QCOMPARE(model.folderAt(model.index(0, 0, folder)), "/home/me/z");
    model.setListing("/elsewhere", listing("/elsewhere", {})); // of a place left meanwhile
    model.refresh(folder);
    model.setListing("/home/me/z", listing("/home/me/z", {}));
    QCOMPARE(model.index(0, 0, folder).data().toString(), u"empty"_s);
}

void RemoteFileModelTest::saysWhyNot()
{
    RemoteFileModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setRoot({});
    model.setFailure({}, {Fault::RemoteExit, u"Not allowed."_s, {}, {}});
    QCOMPARE(model.index(0, 0).data().toString(), u"Not allowed."_s);
    QCOMPARE(model.kindOf(model.index(0, 0)), FileEntry::Kind::Other);
    QVERIFY(!(model.flags(model.index(0, 0)) & Qt::ItemIsSelectable));
}

void RemoteFileModelTest::readsListings()
{
    const QByteArrayList fields{"/home/me", "f 5 1700000000.5 644", "a\nb", "", "l 3 1 777", "l", "a", "end", ""};
    const auto read = parseListing(fields.join('\0'), 10);
    QVERIFY_RESULT(read);
    QCOMPARE(read->entries.size(), 2);
    QCOMPARE(read->entries.at(0), (FileEntry{"a\nb", FileEntry::Kind::File, 5, 1700000000, 0644, {}}));
    QCOMPARE(read->entries.at(1).target, "a");
    const auto cut = parseListing(fields.join('\0'), 1);
    QVERIFY(cut && cut->isCut && cut->entries.size() == 1);
    const auto missing = parseListing(QByteArray("missing\0", 8), 10);
    QVERIFY(missing && missing->root.isEmpty());
}

void RemoteFileModelTest::refusesNamesThatLeadOut()
{
    const QByteArrayList fields{"/h", "f 5 1 644", "../x", "", "f 5 1 644", "/etc/passwd", "", "f 5 1 644", "a", "",
        "f 5 1 644", "a", "", "end", ""};
    const auto read = parseListing(fields.join('\0'), 10);
    QVERIFY_RESULT(read);
    QCOMPARE(read->entries.size(), 1);
    QCOMPARE(read->refused, (QList<QByteArray>{"../x", "/etc/passwd", "a"}));
}

void RemoteFileModelTest::everyCutIsNoticed()
{
    const QByteArray whole = QByteArrayList{"/h", "f 5 1 644", "a", "", "end", ""}.join('\0');
    QVERIFY_RESULT(parseListing(whole, 10));
    for (qsizetype size = 0; size < whole.size(); ++size)
        QVERIFY2(!parseListing(whole.left(size), 10), QByteArray::number(size).constData());
    const QByteArray states = QByteArrayList{"81a4 5 1", "a", "end", ""}.join('\0');
    const auto read = parseStates(states);
    QVERIFY_RESULT(read);
    QCOMPARE(read->value("a").kind, FileEntry::Kind::File);
    QCOMPARE(read->value("a").mode, 0644);
    for (qsizetype size = 0; size < states.size(); ++size)
        QVERIFY2(!parseStates(states.left(size)), QByteArray::number(size).constData());
    QVERIFY(!parseSums("abc"));
}

RANKWRIGHT_TEST_MAIN(RemoteFileModelTest)
#include "tst_remotefilemodel.moc"
