// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/documents.h"
#include "models/script/document/designjson.h"
#include "tests/support/testbase.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

class RecentDesignsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void readsADesign();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void namesAScript();
    void keepsTheOrder();

private:
    QString fileOf(const QString& name, const QByteArray& bytes) const
    {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
    }
    QTemporaryDir m_folder;
    Catalogue m_catalogue = loadCatalogue();
};

void RecentDesignsTest::readsADesign()
{
    JobSpec spec;
    spec.name = u"another name"_s;
    spec.cluster = u"lumi"_s;
    spec.resources.nodes = 2;
    const RecentDesign read = readRecentDesign(fileOf(u"llama8b.json"_s, writeDesign(spec)), m_catalogue);
    QCOMPARE(read.trouble, QString());
    QCOMPARE(read.summary.title, u"llama8b"_s); // as the file is called
    QCOMPARE(read.summary.nodes, 2);
    QCOMPARE(read.summary.cluster, u"LUMI"_s);
}

void RecentDesignsTest::saysWhatIsWrong_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("trouble");
    QTest::newRow("cut") << QByteArray("{\"version\": 1, \"na") << u"This is not a design that can be read."_s;
    QTest::newRow("another thing") << QByteArray("{\"model_type\": \"llama\"}")
                                   << u"This is not a design that can be read."_s;
    QTest::newRow("huge") << QByteArray(2 * 1024 * 1024, '{') << u"The file is too large for a design."_s;
}

void RecentDesignsTest::saysWhatIsWrong()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const QString, trouble);
    QCOMPARE(readRecentDesign(fileOf(u"x.json"_s, bytes), m_catalogue).trouble, trouble);
    QCOMPARE(
        readRecentDesign(m_folder.filePath(u"gone.json"_s), m_catalogue).trouble, u"The file is not there any more."_s);
    QCOMPARE(readRecentDesign(m_folder.path(), m_catalogue).trouble, u"This is not a file."_s);
}

void RecentDesignsTest::namesAScript()
{
    const RecentDesign read = readRecentDesign(fileOf(u"run.sh"_s, "#!/bin/bash\n#SBATCH --nodes=2\n"), m_catalogue);
    QCOMPARE(read.trouble, QString());
    QCOMPARE(read.summary.verdict, u"Batch script"_s);
    QCOMPARE(read.summary.nodes, 0);
}

void RecentDesignsTest::keepsTheOrder()
{
    const QStringList paths{
        fileOf(u"b.json"_s, writeDesign({})), m_folder.filePath(u"gone.json"_s), fileOf(u"a.json"_s, writeDesign({}))};
    QStringList found;
    for (const RecentDesign& read : readRecentDesigns(paths, m_catalogue))
        found.append(read.path);
    QCOMPARE(found, paths);
}

RANKWRIGHT_TEST_MAIN(RecentDesignsTest)
#include "tst_recentdesigns.moc"
