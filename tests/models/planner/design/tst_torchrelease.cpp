// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/planner/design/torchrelease.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Which PyTorch a name says.
class TorchReleaseTest final : public test::Suite {
    Q_OBJECT
private slots:
    void names_data();
    void names();
};

void TorchReleaseTest::names_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("release"); // empty: none is said
    QTest::newRow("LUMI") << u"lumi-multitorch-full-u24r70f21m50t210-20260415_130625.sif"_s << u"2.10"_s;
    QTest::newRow("module") << u"pytorch-gpu/py3/2.8.0"_s << u"2.8.0"_s;
    QTest::newRow("image") << u"docker://pytorch/pytorch:2.3.1-cuda12.1-cudnn8-runtime"_s << u"2.3.1"_s;
    // the last releases before 2.0
    QTest::newRow("the first line of releases") << u"pytorch/1.13.1"_s << u"1.13.1"_s;
    QTest::newRow("before any that runs today") << u"pytorch/0.4.1"_s << QString();
    // NVIDIA's are named after year and month
    QTest::newRow("a month") << u"nvcr.io/nvidia/pytorch:24.01-py3"_s << QString();
    QTest::newRow("another program") << u"tensorflow/2.15.0"_s << QString();
}

void TorchReleaseTest::names()
{
    QFETCH(QString, name);
    const QVersionNumber found = torchReleaseOf(name);
    QTEST(found.isNull() ? QString() : found.toString(), "release");
}

RANKWRIGHT_TEST_MAIN(TorchReleaseTest)
#include "tst_torchrelease.moc"
