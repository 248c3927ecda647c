// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/datafolder.h"
#include "app/documents/clusterfile.h"
#include "app/workbench/workbench.h"
#include "models/script/document/design.h"
#include "tests/support/testbase.h"
#include "widgets/clusters/clustercard.h"
#include "widgets/clusters/clusterlist.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Cluster files that come, change and go while the window is open.
class CatalogueAgainTest final : public test::Suite {
    Q_OBJECT
private slots:
    void aNewEntryIsThereAtOnce();
    void aReplacedEntryCountsAtOnce();
    void nothingNewDisturbsNobody();

private:
    static std::unique_ptr<Workbench> bench(const QTemporaryDir& folder)
    {
        WorkbenchOptions options;
        options.dataFolder = *prepareDataFolder(folder.filePath(u"data"_s));
        options.userCatalogue = folder.filePath(u"clusters"_s);
        options.theme = Theme::Mode::Light;
        auto made = Workbench::make(options);
        return made ? std::move(*made) : nullptr;
    }
    static ClusterProfile ravenAs(const QString& name)
    {
        ClusterProfile profile = *loadCatalogue().find(u"raven"_s);
        profile.name = name;
        profile.order.reset();
        return profile;
    }
};

void CatalogueAgainTest::aNewEntryIsThereAtOnce()
{
    QTemporaryDir folder;
    const auto workbench = bench(folder);
    QVERIFY(workbench);
    Design& design = workbench->design();
    design.edit(u"Name"_s, [](JobSpec& spec) { spec.name = u"mine"_s; });
    const JobSpec before = design.spec();
    QVERIFY_RESULT(saveClusterFile(folder.filePath(u"clusters"_s), ravenAs(u"mine"_s)));
    workbench->readCatalogueAgain();
    QCOMPARE(design.spec(), before); // the design is as it was, and so is what can be undone
    QCOMPARE(design.undoLabel(), u"Name"_s);
    QVERIFY(design.catalogue().find(u"mine"_s));
    QCOMPARE(design.derived().profile, design.catalogue().find(before.cluster));
    auto* list = workbench->window().findChild<ClusterList*>();
    QCOMPARE(list->model()->rowCount(), int(design.catalogue().clusters.size()));
    design.edit(u"Cluster"_s, [](JobSpec& spec) { spec.cluster = u"mine"_s; });
    QCOMPARE(design.derived().resolved.node.name, design.catalogue().find(u"raven"_s)->nodes.first().name);
}

void CatalogueAgainTest::aReplacedEntryCountsAtOnce()
{
    QTemporaryDir folder;
    const auto workbench = bench(folder);
    QVERIFY(workbench);
    Design& design = workbench->design();
    JobSpec spec;
    spec.cluster = u"raven"_s;
    spec.resources.nodes = 1;
    design.replace(spec);
    ClusterProfile own = ravenAs(u"raven"_s);
    for (NodeShape& node : own.nodes)
        node.gpu.word = u"accelerator"_s;
    QVERIFY_RESULT(saveClusterFile(folder.filePath(u"clusters"_s), own));
    workbench->readCatalogueAgain();
    QCOMPARE(design.derived().resolved.node.gpu.word, u"accelerator"_s);
    QVERIFY(design.derived().script.text().contains(u"accelerator"_s));
    // A file that is gone: the built-in entry is back.
    QVERIFY(QFile::remove(clusterFilePath(folder.filePath(u"clusters"_s), u"raven"_s)));
    workbench->readCatalogueAgain();
    QCOMPARE(design.derived().resolved.node.gpu.word, u"GPU"_s);
}

/// Each connect reads the catalogue again, with what the cluster reports of itself.
void CatalogueAgainTest::nothingNewDisturbsNobody()
{
    QTemporaryDir folder;
    const auto workbench = bench(folder);
    QVERIFY(workbench);
    Design& design = workbench->design();
    const ClusterProfile* profile = design.derived().profile;
    workbench->window().showPage(MainWindow::Page::Clusters);
    workbench->window().show();
    const ClusterCard* card = workbench->window().findChild<ClusterCard*>();
    QVERIFY(card);
    QSignalSpy changed(&design, &Design::changed);
    workbench->readCatalogueAgain();
    QCOMPARE(changed.size(), 0);
    QCOMPARE(design.derived().profile, profile);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCOMPARE(workbench->window().findChild<ClusterCard*>(), card);
}

RANKWRIGHT_WIDGET_TEST_MAIN(CatalogueAgainTest)
#include "tst_catalogueagain.moc"
