// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/remotefilemodel.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/files/filespage.h"
#include "widgets/files/filetree.h"
#include "widgets/files/plandialog.h"
#include "widgets/files/resultsdialog.h"
#include "widgets/files/transfertable.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeWidget>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Files of a cluster on screen.
class FilesPageTest final : public test::Suite {
    Q_OBJECT
private slots:
    void placesAndRoom();
    void chosenFilesAreFetched();
    void droppedFilesAreSent();
    void draggedToTheTransfersIsFetched();
    void whatHasArrivedIsDraggedOut();
    void folderIsShownOnceThePlacesAreKnown();
    void offlineNothingCanBeAsked();
    void transfersAreCancelledAndGoneOnWith();
    void planIsShownFirst();
    void aHostileNameIsNoMarkup();
    void resultsAreTicked();

private:
    static QPushButton* button(const QWidget& widget, const QString& text)
    {
        for (auto* each : widget.findChildren<QPushButton*>()) {
            if (each->text() == text)
                return each;
        }
        return nullptr;
    }
    static void fill(FilesPage& page)
    {
        page.setRooms({{u"home"_s, "/home/me", 900, 1000, 90, 100, 5000, u"quota"_s},
            {u"scratch"_s, "/scratch/me", {}, {}, {}, {}, {}, {}}});
        FileListing listing;
        listing.root = "/home/me";
        listing.entries = {{"data", FileEntry::Kind::Folder, 0, 0, 0755, {}},
            {"a.py", FileEntry::Kind::File, 10, 0, 0644, {}}, {"b.py", FileEntry::Kind::File, 10, 0, 0644, {}}};
        page.model().setListing("/home/me", listing);
    }
    Theme m_theme;
};

void FilesPageTest::placesAndRoom()
{
    FilesPage page;
    QSignalSpy wanted(&page.model(), &RemoteFileModel::folderWanted);
    fill(page);
    QCOMPARE(wanted.first().at(0).toByteArray(), "/home/me");
    auto* place = page.findChild<QComboBox*>();
    QCOMPARE(place->count(), 2);
    place->setCurrentIndex(1);
    emit place->activated(1);
    QCOMPARE(wanted.last().at(0).toByteArray(), "/scratch/me");
    QVERIFY(roomSentence({u"x"_s, "/x", {}, {}, {}, {}, {}, {}}).contains(u"not known"_s));
    QVERIFY(roomSentence({u"x"_s, "/x", 1024, 2048, {}, {}, {}, {}}).contains(u"used"_s));
}

void FilesPageTest::chosenFilesAreFetched()
{
    FilesPage page;
    fill(page);
    QSignalSpy asked(&page, &FilesPage::downloadRequested);
    QPushButton* const download = button(page, u"Download…"_s);
    QVERIFY(!download->isEnabled());
    auto* tree = page.findChild<FileTree*>();
    tree->selectAll();
    QVERIFY(download->isEnabled());
    download->click();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().at(0).toByteArray(), "/home/me");
    QCOMPARE(asked.first().at(1).value<QList<QByteArray>>().size(), 3);
}

void FilesPageTest::droppedFilesAreSent()
{
    FilesPage page;
    page.resize(800, 600);
    fill(page);
    QSignalSpy asked(&page, &FilesPage::uploadRequested);
    auto* tree = page.findChild<FileTree*>();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(u"/tmp/a"_s), QUrl(u"https://example.org/b"_s)});
    const QPointF at = tree->visualRect(page.model().index(0, 0)).center();
    QDragEnterEvent enter(at.toPoint(), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QVERIFY(QCoreApplication::sendEvent(tree->viewport(), &enter));
    QVERIFY(enter.isAccepted());
    QDropEvent drop(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(tree->viewport(), &drop);
    QVERIFY(drop.isAccepted());
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().at(0).toStringList(), QStringList{u"/tmp/a"_s});
    QCOMPARE(asked.first().at(1).toByteArray(), "/home/me/data");
}

void FilesPageTest::draggedToTheTransfersIsFetched()
{
    FilesPage page;
    FilesPage other;
    for (FilesPage* each : {&page, &other}) {
        each->resize(800, 600);
        fill(*each);
    }
    QSignalSpy asked(&page, &FilesPage::downloadRequested);
    auto* tree = page.findChild<FileTree*>();
    QVERIFY(!tree->dragData()); // nothing is chosen
    tree->selectionModel()->select(page.model().index(1, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
    QVERIFY(tree->model()->flags(page.model().index(1, 0)) & Qt::ItemIsDragEnabled);
    const std::unique_ptr<QMimeData> data(tree->dragData());
    QVERIFY(data && !data->hasUrls()); // no name that somebody outside could try to open
    const auto dropOn = [&data](FilesPage& on) {
        auto* table = on.findChild<TransferTable*>();
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(table->viewport(), &enter);
        QDropEvent drop({5, 5}, Qt::CopyAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(table->viewport(), &drop);
        return enter.isAccepted() && drop.isAccepted();
    };
    QSignalSpy others(&other, &FilesPage::downloadRequested);
    other.findChild<FileTree*>()->selectAll();
    QVERIFY(!dropOn(other)); // of another cluster
    QCOMPARE(others.size(), 0);
    QVERIFY(dropOn(page));
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().at(1).value<QList<QByteArray>>(), QList<QByteArray>{"a.py"});
    page.setOnline(false);
    dropOn(page);
    QCOMPARE(asked.size(), 1);
}

void FilesPageTest::whatHasArrivedIsDraggedOut()
{
    const QTemporaryDir folder;
    const QString here = folder.filePath(u"a.py"_s);
    QFile file(here);
    QVERIFY(file.open(QIODevice::WriteOnly));
    TransferList list;
    const auto* table = list.findChild<TransferTable*>();
    const auto drag
        = [model = table->model()] { return std::unique_ptr<QMimeData>(model->mimeData({model->index(0, 0)})); };
    list.show({7, u"Download a.py"_s, TransferRow::State::Running, u"half"_s, 0.5});
    QVERIFY(!drag());
    list.show({7, u"Download a.py"_s, TransferRow::State::Done, u"1 file"_s, 1, {here, folder.filePath(u"gone"_s)}});
    QVERIFY(drag());
    QCOMPARE(drag()->urls(), QList<QUrl>{QUrl::fromLocalFile(here)});
}

void FilesPageTest::folderIsShownOnceThePlacesAreKnown()
{
    FilesPage page;
    QSignalSpy wanted(&page.model(), &RemoteFileModel::folderWanted);
    page.showFolder("/scratch/me/run 1");
    QCOMPARE(wanted.size(), 0);
    fill(page);
    QCOMPARE(wanted.last().at(0).toByteArray(), "/scratch/me/run 1");
    page.showFolder("/scratch/me");
    QCOMPARE(wanted.last().at(0).toByteArray(), "/scratch/me");
    QCOMPARE(page.findChild<QComboBox*>()->currentIndex(), 1);
}

void FilesPageTest::offlineNothingCanBeAsked()
{
    FilesPage page;
    fill(page);
    page.setOnline(false);
    QVERIFY(!button(page, u"Upload files…"_s)->isEnabled());
    page.setOnline(true);
    QVERIFY(button(page, u"Upload files…"_s)->isEnabled());
}

void FilesPageTest::transfersAreCancelledAndGoneOnWith()
{
    TransferList list;
    QSignalSpy cancelled(&list, &TransferList::cancelRequested);
    QSignalSpy resumed(&list, &TransferList::resumeRequested);
    list.show({7, u"Upload"_s, TransferRow::State::Running, u"half"_s, 0.5});
    QVERIFY(!button(list, u"Resume"_s)->isEnabled());
    button(list, u"Cancel transfer"_s)->click();
    QCOMPARE(cancelled.first().at(0).toInt(), 7);
    list.show({7, u"Upload"_s, TransferRow::State::Failed, u"the disk is full"_s, 0.5});
    button(list, u"Resume"_s)->click();
    QCOMPARE(resumed.first().at(0).toInt(), 7);
    QVERIFY(button(list, u"Remove from the list"_s));
    list.remove(7);
    QVERIFY(!button(list, u"Resume"_s)->isEnabled());
}

void FilesPageTest::planIsShownFirst()
{
    TransferPlan plan;
    plan.entries = {{{"a", FileEntry::Kind::File, 5, 0, 0644, {}}, TransferVerdict::New, {}},
        {{"b", FileEntry::Kind::File, 5, 0, 0644, {}}, TransferVerdict::Newer, u"newer"_s},
        {{"c", FileEntry::Kind::File, 5, 0, 0644, {}}, TransferVerdict::Same, {}}};
    plan.files = 1;
    plan.newer = 1;
    plan.same = 1;
    PlanDialog dialog(u"Upload p"_s, plan, {u"The quota would be left with little."_s});
    const auto* list = dialog.findChild<QTreeWidget*>();
    QCOMPARE(list->topLevelItemCount(), 2); // what is there already is counted alone
    QCOMPARE(list->topLevelItem(0)->text(0), u"b"_s); // what needs an answer comes first
    QVERIFY(!dialog.replacesNewer());
    dialog.findChild<QCheckBox*>()->setChecked(true);
    QVERIFY(dialog.replacesNewer());
    TransferPlan nothing;
    PlanDialog idle(u"Upload p"_s, nothing, {});
    QVERIFY(!idle.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->isEnabled());
}

void FilesPageTest::aHostileNameIsNoMarkup()
{
    TransferPlan plan;
    plan.entries = {{{"<b>x</b>\n", FileEntry::Kind::File, 5, 0, 0644, {}}, TransferVerdict::New, {}}};
    plan.files = 1;
    PlanDialog dialog(u"<i>p</i>"_s, plan, {});
    QCOMPARE(dialog.findChild<QTreeWidget*>()->topLevelItem(0)->text(0), u"<b>x</b>\\n"_s);
    for (const auto* label : dialog.findChildren<QLabel*>())
        QCOMPARE(label->textFormat(), Qt::PlainText);
}

void FilesPageTest::resultsAreTicked()
{
    ResultsDialog dialog(u"Job 7 left 2 files"_s,
        {{u"slurm-7.out"_s, u"output"_s, 100, true}, {u"model.pt"_s, u"checkpoint"_s, 1 << 20, false}}, u"/tmp/x"_s);
    QCOMPARE(dialog.chosen(), QList<int>{0});
    dialog.findChild<QTreeWidget*>()->topLevelItem(1)->setCheckState(0, Qt::Checked);
    QCOMPARE(dialog.chosen(), (QList<int>{0, 1}));
    QVERIFY(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->text().contains(u"2 files"_s));
}

RANKWRIGHT_WIDGET_TEST_MAIN(FilesPageTest)
#include "tst_filespage.moc"
