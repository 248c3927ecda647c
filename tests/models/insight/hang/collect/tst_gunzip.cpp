// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/hang/collect/gunzip.h"
#include "tests/support/testbase.h"

#include <QProcess>
#include <QRandomGenerator>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QByteArray gzipped(const QByteArray& text, const QString& level = u"-6"_s)
{
    QProcess gzip;
    gzip.start(u"gzip"_s, {u"-cn"_s, level});
    gzip.write(text);
    gzip.closeWriteChannel();
    gzip.waitForFinished(test::longWaitMs);
    return gzip.readAllStandardOutput();
}

QByteArray randomText(QRandomGenerator& random, int size, int letters)
{
    QByteArray text(size, '\0');
    for (char& letter : text)
        letter = char(random.bounded(letters));
    return text;
}

} // namespace

/// What gzip packed comes out as it went in, whatever it is; anything else is refused at little cost.
class GunzipTest final : public test::Suite {
    Q_OBJECT
private slots:
    void whatGzipPacks();
    void tooLarge();

    /// Each cut and each changed bit is noticed: by the codes, or by the checksum.
    void damaged();
};

void GunzipTest::whatGzipPacks()
{
    QRandomGenerator random(32);
    QList<QByteArray> texts{{}, "a", QByteArray(300000, 'x'), QByteArray("frames filename line ").repeated(4000)};
    for (const int letters : {2, 7, 40, 256}) {
        texts.append(randomText(random, 900, letters)); // the fixed code
        texts.append(randomText(random, 200000, letters)); // own codes, and as it is
    }
    for (const QByteArray& text : std::as_const(texts)) {
        for (const QString& level : {u"-1"_s, u"-6"_s, u"-9"_s}) {
            const auto read = gunzip(gzipped(text, level), 1 << 20);
            QVERIFY_RESULT(read);
            QCOMPARE(*read, text);
        }
    }
}

void GunzipTest::tooLarge()
{
    const QByteArray bomb = gzipped(QByteArray(64 << 20, '\0'), u"-9"_s);
    QVERIFY(bomb.size() < 100000);
    const auto read = gunzip(bomb, 8 << 20);
    QVERIFY(!read);
    QCOMPARE(read.error().what, u"The packed text is larger than 8 MiB."_s);
    QVERIFY_RESULT(gunzip(gzipped(QByteArray(1000, 'x')), 1000));
    QVERIFY(!gunzip(gzipped(QByteArray(1001, 'x')), 1000));
}

void GunzipTest::damaged()
{
    QRandomGenerator random(33);
    const QByteArray whole = gzipped(QByteArray("all_reduce broadcast ").repeated(20) + randomText(random, 200, 90));
    for (qsizetype length = 0; length < whole.size(); ++length)
        QVERIFY2(!gunzip(whole.left(length), 1 << 20), qPrintable(QString::number(length)));
    for (qsizetype bit = 8 * 10; bit < 8 * whole.size(); ++bit) { // the head has a time and a system, which say nothing
        QByteArray changed = whole;
        changed[bit / 8] = char(changed.at(bit / 8) ^ (1 << (bit % 8)));
        const auto read = gunzip(changed, 1 << 20);
        QVERIFY2(!read || *read == *gunzip(whole, 1 << 20), qPrintable(QString::number(bit)));
    }
    QVERIFY(!gunzip("this is not packed text at all", 1 << 20));
}

RANKWRIGHT_TEST_MAIN(GunzipTest)
#include "tst_gunzip.moc"
