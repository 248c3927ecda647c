// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/core/units.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

/// Figures from sbatch(1) (--mem, --time) and from the table of measured spellings in the script rules (R07).
class UnitsTest : public test::Suite {
    Q_OBJECT
private slots:
    void memory_data();
    void memory();
    void memoryWritten_data();
    void memoryWritten();
    void time_data();
    void time();
    void timeWritten_data();
    void timeWritten();
    void numbers_data();
    void numbers();
    void bytesForPeople_data();
    void bytesForPeople();
    void durations_data();
    void durations();
};

void UnitsTest::memory_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("bytes"); // -1: refused
    QTest::newRow("LUMI full node, Slurm G is GiB") << u"480G"_s << qint64(515396075520);
    QTest::newRow("Raven, bare number is MiB") << u"125000"_s << qint64(131072000000);
    QTest::newRow("Raven with M") << u"500000M"_s << qint64(524288000000);
    QTest::newRow("half a tebibyte more") << u"1.5T"_s << qint64(1649267441664);
    QTest::newRow("lower case") << u"60g"_s << qint64(64424509440);
    QTest::newRow("K") << u"1024K"_s << qint64(1048576);
    QTest::newRow("P") << u"2P"_s << qint64(2251799813685248);
    QTest::newRow("as people write it") << u" 480 GiB "_s << qint64(515396075520);
    QTest::newRow("GB, as sbatch reads it") << u"128GB"_s << qint64(137438953472); // measured with Slurm 22.05
    QTest::newRow("gb") << u"1gb"_s << qint64(1073741824);
    QTest::newRow("nothing asked") << u"0"_s << qint64(0);
    QTest::newRow("Mahti's share") << u"122.5G"_s << qint64(131533373440);
    const QStringList refused{{}, u"G"_s, u"-1G"_s, u"1,5G"_s, u"480B"_s, u"480 G B"_s, u"1e3"_s, u"iB"_s,
        u"9999999999T"_s, u"99999999999999999999"_s, u"480G;rm"_s, u"0x10"_s, u"4iB"_s};
    for (const QString& text : refused)
        QTest::newRow(qPrintable(u"refused: "_s + text)) << text << qint64(-1);
}

void UnitsTest::memory()
{
    QFETCH(QString, text);
    QFETCH(qint64, bytes);
    const auto result = parseSlurmMemory(text);
    QCOMPARE(result.hasValue(), bytes >= 0);
    if (result)
        QCOMPARE(result->count, bytes);
    else
        QVERIFY(!result.error().what.isEmpty() && !result.error().remedy.isEmpty());
}

void UnitsTest::memoryWritten_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("whole GiB") << qint64(515396075520) << u"480G"_s;
    QTest::newRow("whole MiB") << qint64(131072000000) << u"125000M"_s;
    QTest::newRow("rounded up to MiB") << qint64(1048577) << u"2M"_s;
    QTest::newRow("negative") << qint64(-5) << u"0G"_s;
}

void UnitsTest::memoryWritten()
{
    QFETCH(qint64, bytes);
    QTEST(slurmMemory(Bytes{bytes}), "text");
}

void UnitsTest::time_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("seconds"); // -1: refused
    QTest::newRow("R07 DPX: 15 is minutes") << u"15"_s << qint64(900);
    QTest::newRow("R07 LTM: 2:00 is two minutes") << u"2:00"_s << qint64(120);
    QTest::newRow("R07 MLB: 0-2 is two hours") << u"0-2"_s << qint64(7200);
    QTest::newRow("R07: 48 is 48 minutes") << u"48"_s << qint64(2880);
    QTest::newRow("sbatch HH:MM:SS") << u"01:30:00"_s << qint64(5400);
    QTest::newRow("sbatch D-HH:MM") << u"2-12:30"_s << qint64(217800);
    QTest::newRow("sbatch D-HH:MM:SS") << u"3-00:00:00"_s << qint64(259200);
    QTest::newRow("48 hours as one writes them") << u"48:00:00"_s << qint64(172800);
    const QStringList refused{{}, u"1:2:3:4"_s, u"-5"_s, u"1h"_s, u"1-"_s, u"1-2:3:4:5"_s, u"UNLIMITED"_s, u"1.5"_s,
        u"::"_s, u"99999999999"_s, u"1 - 2"_s};
    for (const QString& text : refused)
        QTest::newRow(qPrintable(u"refused: "_s + text)) << text << qint64(-1);
}

void UnitsTest::time()
{
    QFETCH(QString, text);
    QFETCH(qint64, seconds);
    const auto result = parseSlurmTime(text);
    QCOMPARE(result.hasValue(), seconds >= 0);
    if (result)
        QCOMPARE(result->count, seconds);
    else
        QVERIFY(result.error().remedy.contains(u"D-HH:MM:SS"_s));
}

void UnitsTest::timeWritten_data()
{
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("an hour") << qint64(3600) << u"01:00:00"_s;
    QTest::newRow("just below a day") << qint64(86399) << u"23:59:59"_s;
    QTest::newRow("a day") << qint64(86400) << u"1-00:00:00"_s;
    QTest::newRow("gpumedium") << qint64(129600) << u"1-12:00:00"_s;
    QTest::newRow("negative") << qint64(-1) << u"00:00:00"_s;
}

void UnitsTest::timeWritten()
{
    QFETCH(qint64, seconds);
    QTEST(slurmTime(Seconds{seconds}), "text");
    QFETCH(QString, text);
    if (seconds >= 0)
        QCOMPARE(parseSlurmTime(text)->count, seconds);
}

void UnitsTest::numbers_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("decimals");
    QTest::addColumn<QString>("text");
    QTest::newRow("no trailing zero") << 4.0 << 1 << u"4"_s;
    QTest::newRow("one digit") << 41.26 << 1 << u"41.3"_s;
    QTest::newRow("thousands") << 196608.0 << 1 << u"196\u2009608"_s;
    QTest::newRow("millions") << 1234567.5 << 2 << u"1\u2009234\u2009567.5"_s;
    QTest::newRow("negative") << -1500.0 << 0 << u"−1\u2009500"_s;
    QTest::newRow("negative zero") << -0.01 << 1 << u"0"_s;
    QTest::newRow("unknown") << qQNaN() << 1 << u"–"_s;
    QTest::newRow("endless") << qInf() << 1 << u"–"_s;
    QTest::newRow("three digits stay whole") << 999.0 << 1 << u"999"_s;
}

void UnitsTest::numbers()
{
    QFETCH(double, value);
    QFETCH(int, decimals);
    QTEST(humanNumber(value, decimals), "text");
}

void UnitsTest::bytesForPeople_data()
{
    QTest::addColumn<qint64>("bytes");
    QTest::addColumn<QString>("text");
    QTest::newRow("bytes") << qint64(12) << u"12\u2009B"_s;
    QTest::newRow("header example") << qint64(536870912) << u"512\u2009MiB"_s;
    QTest::newRow("header example GiB") << qint64(44345537331) << u"41.3\u2009GiB"_s;
    QTest::newRow("moves on rather than 1024.0 MiB") << qint64(1073741823) << u"1\u2009GiB"_s;
    QTest::newRow("negative") << qint64(-2097152) << u"−2\u2009MiB"_s;
    QTest::newRow("largest") << std::numeric_limits<qint64>::max() << u"8\u2009EiB"_s;
}

void UnitsTest::bytesForPeople()
{
    QFETCH(qint64, bytes);
    QTEST(humanBytes(Bytes{bytes}), "text");
}

void UnitsTest::durations_data()
{
    QTest::addColumn<qint64>("seconds");
    QTest::addColumn<QString>("text");
    QTest::newRow("seconds") << qint64(45) << u"45\u2009s"_s;
    QTest::newRow("minutes") << qint64(900) << u"15\u2009min"_s;
    QTest::newRow("minutes and seconds") << qint64(579) << u"9\u2009min 39\u2009s"_s;
    QTest::newRow("header example") << qint64(6720) << u"1\u2009h 52\u2009min"_s;
    QTest::newRow("gpumedium limit") << qint64(129600) << u"36\u2009h"_s;
    QTest::newRow("standard-g limit") << qint64(172800) << u"2\u2009days"_s;
    QTest::newRow("49 hours") << qint64(176400) << u"49\u2009h"_s;
    QTest::newRow("100 hours") << qint64(360000) << u"4\u2009days 4\u2009h"_s;
    QTest::newRow("negative") << qint64(-60) << u"−1\u2009min"_s;
    QTest::newRow("smallest") << std::numeric_limits<qint64>::min() << humanDuration(Seconds{-(qint64(1) << 62)});
}

void UnitsTest::durations()
{
    QFETCH(qint64, seconds);
    QTEST(humanDuration(Seconds{seconds}), "text");
}

RANKWRIGHT_TEST_MAIN(UnitsTest)
#include "tst_units.moc"
