// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/settings.h"
#include "app/classroom/classsigner.h"
#include "app/store/joblog.h"
#include "app/window/classteaching.h"
#include "app/window/links/connections.h"
#include "models/teaching/classroom/classreader.h"
#include "tests/app/support/openstore.h"
#include "tests/support/testbase.h"
#include "widgets/base/theme.h"
#include "widgets/classroom/classeditordialog.h"
#include "widgets/classroom/classpreviewdialog.h"
#include "widgets/classroom/classprogressdialog.h"
#include "widgets/design/designpage.h"
#include "widgets/window/mainwindow.h"

#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <memory>

using namespace rankwright;
using namespace Qt::StringLiterals;

/// A teacher makes a class in the window, and it opens for attendees.
class ClassTeachingTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void savesWhatAttendeesCanVerify();
    void saysWhyItCannotBeWritten();
    void opensUnsignedOnesForEditing();
    void changesAreNotReplaced();
    void anotherNewClassIsNoCopyOfTheLast();
    void previewsOnlyWhatIsInOrder();
    void withoutAConnectionItSaysSo();

private:
    struct Bench {
        explicit Bench(const QString& folder)
            : catalogue(loadCatalogue()), design(catalogue), settings(folder),
              window(design, theme, MainWindow::Pages{new DesignPage(design), nullptr, nullptr, nullptr}),
              database(test::openStore(folder)), log(*database), connections(catalogue, log, settings, &window),
              teaching(ClassTeaching::Parts{design, connections, window, folder})
        {
            window.show();
            teaching.open();
            ClassFile file = teaching.editor()->file();
            file.author = u"Ada, Institute"_s;
            teaching.editor()->setFile(file);
        }
        QString shown() const
        {
            QStringList texts;
            for (const QLabel* label : teaching.editor()->findChildren<QLabel*>())
                if (!label->isHidden())
                    texts.append(label->text());
            return texts.join(u'\n');
        }
        Theme theme;
        Catalogue catalogue;
        Design design;
        Settings settings;
        MainWindow window;
        std::unique_ptr<Database> database;
        JobLog log;
        Connections connections;
        ClassTeaching teaching;
    };
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Bench> m_bench;
};

void ClassTeachingTest::init()
{
    QTest::failOnWarning(QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise)).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<Bench>(m_folder->path());
    QVERIFY(m_bench->teaching.editor());
}

void ClassTeachingTest::savesWhatAttendeesCanVerify()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not here");
    QSignalSpy saved(&m_bench->teaching, &ClassTeaching::classSaved);
    const QString path = m_folder->filePath(u"course.rwclass"_s);
    m_bench->teaching.save(m_bench->teaching.editor()->file(), path);
    QTRY_COMPARE(saved.size(), 1);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto read = readClass(file.readAll(), u"course.rwclass"_s);
    QVERIFY_RESULT(read);
    QTemporaryDir attendee;
    const auto verdict = verifyClass(*read, attendee.path());
    QVERIFY_RESULT(verdict);
    QCOMPARE(verdict->trust, ClassTrust::NewKey);
    QVERIFY(m_bench->shown().contains(verdict->fingerprint)); // to be put on a slide
    QVERIFY(!m_bench->teaching.editor()->isChanged());
}

void ClassTeachingTest::saysWhyItCannotBeWritten()
{
    if (QStandardPaths::findExecutable(u"ssh-keygen"_s).isEmpty())
        QSKIP("ssh-keygen is not here");
    QSignalSpy failed(&m_bench->teaching, &ClassTeaching::failed);
    m_bench->teaching.save(m_bench->teaching.editor()->file(), m_folder->filePath(u"none/course.rwclass"_s));
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(m_bench->shown().contains(u"cannot be written"_s));
}

void ClassTeachingTest::opensUnsignedOnesForEditing()
{
    const ClassFile made = newClass(u"lumi"_s, u"Another course"_s, u"Bob"_s);
    QFile file(m_folder->filePath(u"unsigned.rwclass"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(writeClass(made));
    file.close();
    m_bench->teaching.read(file.fileName());
    QTRY_COMPARE(m_bench->teaching.editor()->file().title, u"Another course"_s);
    QSignalSpy failed(&m_bench->teaching, &ClassTeaching::failed);
    m_bench->teaching.read(m_folder->path());
    QTRY_COMPARE(failed.size(), 1);
}

void ClassTeachingTest::changesAreNotReplaced()
{
    m_bench->teaching.editor()->findChild<QPushButton*>(u"addExercise"_s)->click();
    QVERIFY(m_bench->teaching.editor()->isChanged());
    QFile file(m_folder->filePath(u"other.rwclass"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(writeClass(newClass(u"lumi"_s, u"Another course"_s, u"Bob"_s)));
    file.close();
    QSignalSpy failed(&m_bench->teaching, &ClassTeaching::failed);
    m_bench->teaching.read(file.fileName());
    QTRY_COMPARE(failed.size(), 1);
    QVERIFY(m_bench->teaching.editor()->file().title != u"Another course"_s);
}

void ClassTeachingTest::anotherNewClassIsNoCopyOfTheLast()
{
    ClassTeaching& teaching = m_bench->teaching;
    const QString path = m_folder->filePath(u"first.rwclass"_s);
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(writeClass(newClass(u"lumi"_s, u"First course"_s, u"Bob"_s)));
    file.close();
    teaching.read(path);
    QTRY_COMPARE(teaching.editor()->file().title, u"First course"_s);
    teaching.beginNew();
    QVERIFY(teaching.editor()->file().title != u"First course"_s);
    QVERIFY(
        !teaching.editor()->findChild<QPushButton*>(u"save"_s)->isEnabled()); // whose class it is, somebody has to say
    ClassFile made = teaching.editor()->file();
    made.author = u"Ada"_s;
    teaching.editor()->setFile(made);
    teaching.editor()->findChild<QPushButton*>(u"save"_s)->click();
    auto* asks = teaching.editor()->findChild<QFileDialog*>();
    QVERIFY(
        asks && !asks->selectedFiles().value(0).endsWith(u"first.rwclass"_s)); // no key press from being written over
    asks->close();
    // What is typed stays, and no file is asked for only to be refused.
    teaching.editor()->findChild<QPushButton*>(u"addExercise"_s)->click();
    const ClassFile typed = teaching.editor()->file();
    teaching.beginNew();
    QVERIFY(teaching.editor()->file() == typed);
    QVERIFY(m_bench->shown().contains(u"changes that are not saved"_s));
    QTRY_VERIFY(!teaching.editor()->findChild<QFileDialog*>());
    teaching.openFile();
    QVERIFY(!teaching.editor()->findChild<QFileDialog*>());
}

void ClassTeachingTest::previewsOnlyWhatIsInOrder()
{
    ClassEditorDialog* editor = m_bench->teaching.editor();
    ClassFile broken = editor->file();
    broken.account = u"a;rm"_s;
    emit editor->previewWanted(broken);
    QVERIFY(!editor->findChild<ClassPreviewDialog*>());
    emit editor->previewWanted(editor->file());
    QVERIFY(editor->findChild<ClassPreviewDialog*>());
}

void ClassTeachingTest::withoutAConnectionItSaysSo()
{
    ClassEditorDialog* editor = m_bench->teaching.editor();
    QSignalSpy failed(&m_bench->teaching, &ClassTeaching::failed);
    editor->findChild<QPushButton*>(u"checkSite"_s)->click();
    QCOMPARE(failed.size(), 1);
    QVERIFY(m_bench->shown().contains(u"LUMI is not connected"_s));
    QVERIFY(!editor->findChild<QPushButton*>(u"connectSite"_s)->isHidden()); // and the way on stands beside it
    ClassFile file = editor->file();
    file.progressFolder = u"/scratch/course"_s;
    emit editor->progressWanted(file);
    auto* dialog = editor->findChild<ClassProgressDialog*>();
    QVERIFY(dialog);
    bool isSaid = false;
    for (const QLabel* label : dialog->findChildren<QLabel*>())
        isSaid = isSaid || label->text().contains(u"is not connected"_s);
    QVERIFY(isSaid);
}

RANKWRIGHT_WIDGET_TEST_MAIN(ClassTeachingTest)
#include "tst_classteaching.moc"
