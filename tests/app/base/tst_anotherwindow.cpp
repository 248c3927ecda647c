// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/anotherwindow.h"
#include "tests/support/testbase.h"

#include <QFile>
#include <QTemporaryDir>

using namespace rankwright;
using namespace Qt::StringLiterals;

class AnotherWindowTest final : public test::Suite {
    Q_OBJECT
private slots:
    void startsOnTheSameData();
    void saysWhenItCannot();
};

void AnotherWindowTest::startsOnTheSameData()
{
    QTemporaryDir folder;
    const QString program = folder.filePath(u"program"_s);
    const QString seen = folder.filePath(u"seen"_s);
    QFile file(program);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\nprintf '%s\\n' \"$@\" > '" + seen.toUtf8() + ".part'\nmv '" + seen.toUtf8() + ".part' '"
        + seen.toUtf8() + "'\n");
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QString data = folder.filePath(u"a folder"_s);
    QVERIFY_RESULT(startAnotherWindow(data, u"-odd name.json"_s, program));
    QTRY_VERIFY(QFile::exists(seen));
    QFile words(seen);
    QVERIFY(words.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(words.readAll()), u"--data-dir\n%1\n--design\n-odd name.json\n"_s.arg(data));
}

void AnotherWindowTest::saysWhenItCannot()
{
    QTemporaryDir folder;
    const auto started = startAnotherWindow(folder.path(), {}, folder.filePath(u"no such program"_s));
    QVERIFY(!started);
    QVERIFY(!started.error().remedy.isEmpty());
}

RANKWRIGHT_TEST_MAIN(AnotherWindowTest)
#include "tst_anotherwindow.moc"
