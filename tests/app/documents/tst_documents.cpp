// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/datafolder.h"
#include "app/base/settings.h"
#include "app/documents/documents.h"
#include "models/script/document/designjson.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <memory>
#include <vector>

using namespace rankwright;
using namespace Qt::StringLiterals;

class DocumentsTest final : public test::Suite {
    Q_OBJECT

    struct Bench {
        explicit Bench(const QString& folder)
            : catalogue(loadCatalogue()), design(catalogue), settings(folder), documents(design, settings, folder)
        { }
        void name(const QString& text)
        {
            design.edit(u"Name"_s, [&text](JobSpec& spec) { spec.name = text; });
        }
        Catalogue catalogue;
        Design design;
        Settings settings;
        Documents documents;
    };

    static void write(const QString& path, const QByteArray& bytes)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(path));
    }
    static QByteArray contents(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// As a window that ended without clearing up.
    static void leaveBehind(const QString& folder, const QString& name)
    {
        Bench one(folder);
        one.name(name);
        one.documents.flushAutosave();
    }

private slots:
    void savesAndOpensAgain()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"my design.json"_s);
        Bench one(folder.path());
        one.name(u"trial"_s);
        QVERIFY(one.design.isModified());
        QVERIFY(!one.documents.save()); // no file yet
        QVERIFY_RESULT(one.documents.saveAs(path));
        QVERIFY(!one.design.isModified());
        QCOMPARE(one.documents.title(), u"my design"_s);
        Bench again(folder.path());
        const auto opened = again.documents.open(path);
        QVERIFY_RESULT(opened);
        QVERIFY(opened->unknownMembers.isEmpty() && !opened->script);
        QCOMPARE(again.design.spec(), one.design.spec());
        QVERIFY(!again.design.isModified());
        QCOMPARE(again.settings.recentDesigns(), QStringList{path});
    }

    void aFailedSaveKeepsTheOldFile()
    {
        QTemporaryDir folder;
        Bench one(folder.path());
        one.name(u"trial"_s);
        const auto saved = one.documents.saveAs(folder.filePath(u"no/such/folder/x.json"_s));
        QVERIFY(!saved);
        QCOMPARE(saved.error().fault, Fault::Io);
        QVERIFY(one.design.isModified());
        QVERIFY(one.documents.path().isEmpty());
    }

    void aBadFileChangesNothing()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"bad.json"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"version\": 1, \"resources\": {\"nodes\": \"two\"}}");
        file.close();
        Bench one(folder.path());
        one.name(u"mine"_s);
        const auto opened = one.documents.open(path);
        QVERIFY(!opened);
        QVERIFY2(opened.error().oneLine().contains(u"bad.json"_s), qPrintable(opened.error().oneLine()));
        QCOMPARE(one.design.spec().name, u"mine"_s);
    }

    /// sbatch takes no more than 4 MB: one sentence, and nothing of what is open changes.
    void aTextLargerThanAScriptIsRefused()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"huge.sbatch"_s);
        write(path, "#!/bin/bash\n#SBATCH --nodes=2\nsrun python train.py\n" + QByteArray(4 * 1024 * 1024, '#') + '\n');
        Bench one(folder.path());
        one.name(u"mine"_s);
        const auto opened = one.documents.open(path);
        QVERIFY(!opened);
        QVERIFY2(opened.error().what.endsWith(u"huge.sbatch is larger than 4 MB, and sbatch takes no more."_s),
            qPrintable(opened.error().oneLine()));
        QVERIFY(!opened.error().remedy.isEmpty());
        QCOMPARE(one.design.spec().name, u"mine"_s);
        QVERIFY(!one.documents.isScript());
    }

    void aScriptStaysItsAuthors()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"run.sbatch"_s);
        const QByteArray script = "#!/bin/bash\n#SBATCH --job-name=llama\n#SBATCH --partition=standard-g\n"
                                  "#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n#SBATCH --hint=nomultithread\n"
                                  "srun torchrun --nnodes=2 --nproc_per_node=8 train.py\n";
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(script) == script.size());
        file.close();
        Bench one(folder.path());
        QVERIFY_RESULT(one.documents.saveAs(folder.filePath(u"other.json"_s)));
        one.design.edit(u"Cluster"_s, [](JobSpec& spec) { spec.cluster = u"mahti"_s; });
        const auto opened = one.documents.open(path);
        QVERIFY_RESULT(opened);
        QVERIFY(opened->script);
        QCOMPARE(opened->script->cluster, u"lumi"_s); // nobody else has this partition
        QVERIFY(opened->script->why.contains(u"standard-g"_s));
        QCOMPARE(one.design.spec().cluster, u"lumi"_s);
        QCOMPARE(one.design.spec().name, u"llama"_s);
        QCOMPARE(one.design.spec().resources.nodes.value_or(0), 2);
        QCOMPARE(one.design.spec().launcher, std::optional(Launcher::Torchrun));
        const auto& rest = opened->script->notUnderstood;
        QVERIFY(std::any_of(rest.cbegin(), rest.cend(), [](const NotUnderstood& part) { return part.line == 6; }));
        QCOMPARE(one.design.derived().script.text().toUtf8(), script);
        // It is not the other design's file. Who only looks at a script has changed nothing.
        QVERIFY(one.documents.path().isEmpty());
        QVERIFY(!one.design.isModified() && !one.design.canUndo());
        QCOMPARE(QFileInfo(one.documents.script()).fileName(), u"run.sbatch"_s);
        QCOMPARE(one.documents.title(), u"run.sbatch"_s);
    }

    void whatIsNoScriptChangesNothing()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"core"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray("#!/bin/sh\n\0\0", 12)) == 12);
        file.close();
        Bench one(folder.path());
        one.name(u"mine"_s);
        const auto opened = one.documents.open(path);
        QVERIFY(!opened);
        QVERIFY(opened.error().what.contains(u"is not text"_s));
        QCOMPARE(one.design.spec().name, u"mine"_s);
    }

    void unsavedWorkComesBack()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"x.json"_s);
        {
            Bench one(folder.path());
            one.name(u"saved"_s);
            QVERIFY_RESULT(one.documents.saveAs(path));
            one.name(u"not saved"_s);
            one.documents.flushAutosave();
        }
        Bench again(folder.path());
        const auto restored = again.documents.restoreAutosave();
        QVERIFY_RESULT(restored);
        QVERIFY(*restored);
        QCOMPARE(again.design.spec().name, u"not saved"_s);
        QVERIFY(again.design.isModified());
        QCOMPARE(again.documents.path(), path);
        // Saving clears it: the next start has nothing to restore.
        QVERIFY_RESULT(again.documents.save());
        Bench third(folder.path());
        QCOMPARE(*third.documents.restoreAutosave(), false);
    }

    /// W16: a second window on the same data took over the first one's unsaved design, and both wrote one file.
    void eachWindowHasItsOwnDraft()
    {
        QTemporaryDir folder;
        auto one = std::make_unique<Bench>(folder.path());
        one->name(u"of the first window"_s);
        one->documents.flushAutosave();
        auto two = std::make_unique<Bench>(folder.path());
        QCOMPARE(*two->documents.restoreAutosave(), false);
        QVERIFY_RESULT(two->documents.saveAs(folder.filePath(u"second.json"_s)));
        two->name(u"of the second window"_s);
        two->documents.flushAutosave();
        one->documents.flushAutosave();
        // Both end without saving; each work comes back once, with the file that it belongs to.
        one.reset();
        two.reset();
        Bench next(folder.path());
        QCOMPARE(*next.documents.restoreAutosave(), true);
        QCOMPARE(next.design.spec().name, u"of the first window"_s);
        QVERIFY(next.documents.path().isEmpty());
        Bench another(folder.path());
        QCOMPARE(*another.documents.restoreAutosave(), true);
        QCOMPARE(another.design.spec().name, u"of the second window"_s);
        QCOMPARE(another.documents.title(), u"second"_s);
        Bench third(folder.path());
        QCOMPARE(*third.documents.restoreAutosave(), false);
    }

    void autosavesByItself()
    {
        QTemporaryDir folder;
        Bench one(folder.path());
        one.name(u"not saved"_s);
        QTRY_VERIFY(QFile::exists(folder.filePath(u"unsaved-design.json"_s)));
        one.design.undo();
        QTRY_VERIFY(!QFile::exists(folder.filePath(u"unsaved-design.json"_s)));
    }

    /// Typing without a pause of two seconds lost all of it: each change began the waiting again.
    void typingWithoutAPauseIsKept()
    {
        QTemporaryDir folder;
        Bench one(folder.path());
        int typed = 0;
        const auto isKept = [&] {
            one.name(u"typed %1"_s.arg(++typed));
            return QFile::exists(folder.filePath(u"unsaved-design.json"_s));
        };
        QVERIFY(test::comes(isKept, 500));
    }

    /// A file opened at the start threw away what a crash had left.
    void openingAFileKeepsWhatACrashLeft_data()
    {
        QTest::addColumn<bool>("byOpening");
        QTest::newRow("a file is opened") << true;
        QTest::newRow("it is only not asked for") << false;
    }
    void openingAFileKeepsWhatACrashLeft()
    {
        QFETCH(const bool, byOpening);
        QTemporaryDir folder;
        const QString path = folder.filePath(u"other.json"_s);
        leaveBehind(folder.path(), u"of the crash"_s);
        {
            Bench other(folder.path());
            QVERIFY(byOpening ? other.documents.saveAs(path).hasValue() : true);
            if (byOpening)
                QVERIFY_RESULT(other.documents.open(path));
            other.name(u"another work"_s);
            other.documents.flushAutosave();
        }
        QStringList names;
        std::vector<std::unique_ptr<Bench>> windows;
        for (int i = 0; i < 2; ++i) {
            windows.push_back(std::make_unique<Bench>(folder.path()));
            QCOMPARE(*windows.back()->documents.restoreAutosave(), true);
            names.append(windows.back()->design.spec().name);
        }
        names.sort();
        QCOMPARE(names, (QStringList{u"another work"_s, u"of the crash"_s}));
    }

    void tellsWhatWasRestored()
    {
        QTemporaryDir folder;
        leaveBehind(folder.path(), u"first"_s);
        Bench one(folder.path());
        QCOMPARE(one.documents.restoredWork().kind, RestoredWork::Kind::Nothing);
        QCOMPARE(*one.documents.restoreAutosave(), true);
        QCOMPARE(one.documents.restoredWork().kind, RestoredWork::Kind::Restored);
        QCOMPARE(one.documents.restoredWork().title, u"first"_s);
        QVERIFY(one.documents.restoredWork().file.isEmpty());
        QVERIFY(one.documents.restoredWork().keptAt.isValid());
        // As a step: the document before is one undo away.
        QVERIFY(one.design.canUndo());
    }

    void brokenAutosavesAreSetAside_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("cut") << QByteArray("{\"version\": 1, \"name\": \"ha");
        QTest::newRow("no JSON") << QByteArray("\0\1\2\3garbage", 11);
        QTest::newRow("another type") << QByteArray("{\"version\": 1, \"resources\": 7}");
        QTest::newRow("of the future") << QByteArray("{\"version\": 99}");
    }

    /// It is said once, nothing is lost, and the next start is as any.
    void brokenAutosavesAreSetAside()
    {
        QFETCH(const QByteArray, bytes);
        QTemporaryDir folder;
        write(folder.filePath(u"unsaved-design.json"_s), bytes);
        {
            Bench one(folder.path());
            const auto restored = one.documents.restoreAutosave();
            QVERIFY(!restored);
            QCOMPARE(one.documents.restoredWork().kind, RestoredWork::Kind::SetAside);
            const QString moved = one.documents.restoredWork().movedTo;
            QVERIFY2(restored.error().oneLine().contains(moved), qPrintable(restored.error().oneLine()));
            QFile kept(moved);
            QVERIFY(kept.open(QIODevice::ReadOnly));
            QCOMPARE(kept.readAll(), bytes);
            one.name(u"new work"_s);
            one.documents.flushAutosave();
            one.documents.dropAutosave();
        }
        Bench next(folder.path());
        QCOMPARE(*next.documents.restoreAutosave(), false);
        QVERIFY(QDir(folder.path()).entryList({u"*.tries"_s}).isEmpty());
    }

    /// Work that brings the program down must not be opened for ever.
    void aCrashLoopEnds()
    {
        QTemporaryDir folder;
        leaveBehind(folder.path(), u"deadly"_s);
        for (int crash = 0; crash < 2; ++crash) {
            auto one = std::make_unique<Bench>(folder.path());
            QCOMPARE(*one->documents.restoreAutosave(), true);
            // As a crash leaves it: no destructor, the lock goes with the process.
            const QByteArray draft = contents(folder.filePath(u"unsaved-design.json"_s));
            const QByteArray tries = contents(folder.filePath(u"unsaved-design.json.tries"_s));
            QCOMPARE(tries, QByteArray::number(crash + 1));
            one.reset();
            write(folder.filePath(u"unsaved-design.json"_s), draft);
            write(folder.filePath(u"unsaved-design.json.tries"_s), tries);
        }
        Bench third(folder.path());
        const auto restored = third.documents.restoreAutosave();
        QVERIFY(!restored);
        QVERIFY2(restored.error().what.contains(u"restored 2 times"_s), qPrintable(restored.error().what));
        QCOMPARE(third.documents.restoredWork().kind, RestoredWork::Kind::SetAside);
        QVERIFY(third.documents.open(third.documents.restoredWork().movedTo).hasValue()); // whoever wants it
        QCOMPARE(third.design.spec().name, u"deadly"_s);
    }

    void workThatIsSurvivedIsRestoredAgain_data()
    {
        QTest::addColumn<bool>("byEdit");
        QTest::newRow("an edit") << true;
        QTest::newRow("time") << false;
    }
    void workThatIsSurvivedIsRestoredAgain()
    {
        QFETCH(const bool, byEdit);
        QTemporaryDir folder;
        leaveBehind(folder.path(), u"harmless"_s);
        Bench one(folder.path());
        one.documents.setSurvival(byEdit ? 3600000 : 50);
        QCOMPARE(*one.documents.restoreAutosave(), true);
        const QString tries = folder.filePath(u"unsaved-design.json.tries"_s);
        QVERIFY(QFile::exists(tries));
        if (byEdit)
            one.name(u"went on"_s);
        QTRY_VERIFY(!QFile::exists(tries));
    }

    void countsWorkThatWaits()
    {
        QTemporaryDir folder;
        auto one = std::make_unique<Bench>(folder.path());
        auto two = std::make_unique<Bench>(folder.path());
        for (Bench* each : {one.get(), two.get()}) {
            each->name(u"unsaved"_s);
            each->documents.flushAutosave();
        }
        QCOMPARE(one->documents.otherDraftsWaiting(), 0); // the other window has its own
        two.reset();
        QCOMPARE(one->documents.otherDraftsWaiting(), 1);
        Bench three(folder.path());
        QCOMPARE(*three.documents.restoreAutosave(), true);
        QCOMPARE(one->documents.otherDraftsWaiting(), 0);
    }

    void settingsKeepTheLoginWithoutASecret()
    {
        QTemporaryDir folder;
        Settings settings(folder.path());
        QCOMPARE(settings.theme(), QString());
        settings.setTheme(u"dark"_s);
        QCOMPARE(settings.theme(), u"dark"_s);
        QVERIFY(!settings.login(u"lumi"_s));
        const SavedLogin login{u"lumi.csc.fi"_s, 2222, u"ada"_s, u"/home/ada/.ssh/id_ed25519"_s, u"gate"_s};
        settings.setLogin(u"lu/mi"_s, login);
        QCOMPARE(*settings.login(u"lu/mi"_s), login);
    }

    void recentDesignsCanBeTakenOutAndPutBack()
    {
        QTemporaryDir folder;
        Settings settings(folder.path());
        for (const char* name : {"/d/a.json", "/d/b.json", "/d/c.json"})
            settings.addRecentDesign(QString::fromLatin1(name));
        const QStringList before = settings.recentDesigns();
        QVERIFY(settings.removeRecentDesign(u"/d/b.json"_s));
        QVERIFY(!settings.removeRecentDesign(u"/d/b.json"_s));
        QCOMPARE(settings.recentDesigns(), (QStringList{u"/d/c.json"_s, u"/d/a.json"_s}));
        settings.setRecentDesigns(before);
        QCOMPARE(settings.recentDesigns(), before);
    }

    void recentDesignsAreTenAndUnique()
    {
        QTemporaryDir folder;
        Settings settings(folder.path());
        for (int i = 0; i < 12; ++i)
            settings.addRecentDesign(u"/d/%1.json"_s.arg(i));
        settings.addRecentDesign(u"/d/5.json"_s);
        QCOMPARE(settings.recentDesigns().size(), 10);
        QCOMPARE(settings.recentDesigns().first(), u"/d/5.json"_s);
        QCOMPARE(settings.recentDesigns().count(u"/d/5.json"_s), 1);
    }

    void theDataFolderIsPrivate()
    {
        QTemporaryDir folder;
        const auto made = prepareDataFolder(folder.filePath(u"a/b"_s));
        QVERIFY_RESULT(made);
        QVERIFY(!(QFileInfo(*made).permissions() & (QFile::ReadGroup | QFile::ReadOther)));
        qputenv("RANKWRIGHT_DATA_DIR", folder.filePath(u"named"_s).toUtf8());
        QCOMPARE(*prepareDataFolder(), folder.filePath(u"named"_s));
        qunsetenv("RANKWRIGHT_DATA_DIR");
        QFile file(folder.filePath(u"file"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(!prepareDataFolder(file.fileName()));
    }
};

RANKWRIGHT_TEST_MAIN(DocumentsTest)
#include "tst_documents.moc"
