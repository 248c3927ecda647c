// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/documents.h"
#include "models/script/document/designjson.h"
#include "tests/app/support/windowbench.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <cstdio>

using namespace rankwright;
using namespace Qt::StringLiterals;

// The whole window in a process of its own, which is killed and started again. This program is that process, too, when
// it is called with the word "window":
//   window FOLDER NAME   restores what there is, prints "restored NAME" or "restored nothing" or "aside PATH",
//                               calls the design NAME (not when it is "-"), prints "kept" once that is on disk, waits

namespace {

void report(const QString& line)
{
    std::printf("%s\n", qPrintable(line));
    std::fflush(stdout);
}

int runWindow(const QStringList& words)
{
    test::WindowBench bench(words.value(0));
    if (!bench.start())
        return 3;
    Documents& documents = bench.workbench->documents();
    const RestoredWork& work = documents.restoredWork();
    switch (work.kind) {
    case RestoredWork::Kind::Nothing: report(u"restored nothing"_s); break;
    case RestoredWork::Kind::Restored: report(u"restored "_s + bench.design().spec().name); break;
    case RestoredWork::Kind::SetAside: report(u"aside "_s + work.movedTo); break;
    }
    const QString name = words.value(1);
    if (name == u"-"_s) {
        report(u"kept"_s);
        return QApplication::exec();
    }
    bench.design().edit(u"Name"_s, [&name](JobSpec& spec) { spec.name = name; });
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &look, [&] {
        for (const QString& file : QDir(words.value(0)).entryList({u"unsaved-design*.json"_s})) {
            QFile draft(QDir(words.value(0)).filePath(file));
            if (draft.open(QIODevice::ReadOnly) && draft.readAll().contains(name.toUtf8())) {
                look.stop();
                report(u"kept"_s);
                return;
            }
        }
    });
    look.start(50);
    return QApplication::exec();
}

} // namespace

class CrashRestoreTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup();
    void workSurvivesAKill();
    void severalCrashesInARow();
    void twoWindows();
    void aBrokenAutosaveIsSaidOnce();
    void aCrashLoopEnds();

private:
    struct Window {
        ~Window() { kill(); }
        void kill()
        {
            process.kill(); // SIGKILL
            process.waitForFinished(test::longWaitMs);
        }
        QString line()
        {
            while (!process.canReadLine() && process.waitForReadyRead(test::longWaitMs)) { }
            return QString::fromUtf8(process.readLine()).trimmed();
        }
        QProcess process;
    };
    Window& start(const QString& name)
    {
        auto window = std::make_unique<Window>();
        window->process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        window->process.start(QCoreApplication::applicationFilePath(), {u"window"_s, m_folder->path(), name});
        m_windows.push_back(std::move(window));
        return *m_windows.back();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::vector<std::unique_ptr<Window>> m_windows;
};

void CrashRestoreTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support propagateSizeHints).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
}

void CrashRestoreTest::cleanup()
{
    m_windows.clear();
    m_folder.reset();
}

void CrashRestoreTest::workSurvivesAKill()
{
    Window& first = start(u"precious"_s);
    QCOMPARE(first.line(), u"restored nothing"_s);
    QCOMPARE(first.line(), u"kept"_s);
    first.kill();
    QCOMPARE(first.process.exitStatus(), QProcess::CrashExit);
    Window& second = start(u"-"_s);
    QCOMPARE(second.line(), u"restored precious"_s);
}

/// Each time with a change after it: work goes on, so it is restored however often.
void CrashRestoreTest::severalCrashesInARow()
{
    QString before = u"restored nothing"_s;
    for (int i = 0; i < 4; ++i) {
        const QString name = u"version-%1"_s.arg(i);
        Window& window = start(name);
        QCOMPARE(window.line(), before);
        QCOMPARE(window.line(), u"kept"_s);
        window.kill();
        before = u"restored "_s + name;
    }
}

void CrashRestoreTest::twoWindows()
{
    Window& one = start(u"one"_s);
    QCOMPARE(one.line(), u"restored nothing"_s);
    QCOMPARE(one.line(), u"kept"_s);
    Window& two = start(u"two"_s);
    QCOMPARE(two.line(), u"restored nothing"_s); // the first window's work is its own
    QCOMPARE(two.line(), u"kept"_s);
    one.kill();
    two.kill();
    QStringList restored{start(u"-"_s).line(), start(u"-"_s).line()};
    restored.sort();
    QCOMPARE(restored, (QStringList{u"restored one"_s, u"restored two"_s}));
    QCOMPARE(start(u"-"_s).line(), u"restored nothing"_s);
}

void CrashRestoreTest::aBrokenAutosaveIsSaidOnce()
{
    QFile draft(m_folder->filePath(u"unsaved-design.json"_s));
    QVERIFY(draft.open(QIODevice::WriteOnly) && draft.write("{\"version\": 1, \"na") > 0);
    draft.close();
    Window& one = start(u"-"_s);
    const QString said = one.line();
    QVERIFY2(said.startsWith(u"aside "_s), qPrintable(said));
    QVERIFY(QFile::exists(said.mid(6)));
    one.kill();
    QCOMPARE(start(u"-"_s).line(), u"restored nothing"_s);
}

/// Killed directly after restoring, again and again: the third time it starts without it.
void CrashRestoreTest::aCrashLoopEnds()
{
    Window& first = start(u"deadly"_s);
    QCOMPARE(first.line(), u"restored nothing"_s);
    QCOMPARE(first.line(), u"kept"_s);
    first.kill();
    for (int i = 0; i < 2; ++i) {
        Window& window = start(u"-"_s);
        QCOMPARE(window.line(), u"restored deadly"_s);
        window.kill();
    }
    Window& last = start(u"-"_s);
    const QString said = last.line();
    QVERIFY2(said.startsWith(u"aside "_s), qPrintable(said));
    const auto kept = [&said] {
        QFile file(said.mid(6));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const auto read = readDesign(kept(), said);
    QVERIFY_RESULT(read);
    QCOMPARE(read->spec.name, u"deadly"_s);
}

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QStringList words = QApplication::arguments();
    if (words.value(1) == u"window"_s)
        return runWindow(words.mid(2));
    CrashRestoreTest suite;
    return QTest::qExec(&suite, argc, argv);
}
#include "tst_crashrestore.moc"
