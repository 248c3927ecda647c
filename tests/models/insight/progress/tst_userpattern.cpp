// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/insight/progress/traininglogreader.h"
#include "models/insight/progress/userpattern.h"
#include "tests/support/cpuclock.h"
#include "tests/support/testbase.h"

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QString reported(const std::optional<ProgressHint>& hint)
{
    if (!hint)
        return {};
    const auto number = [](const auto& value) { return value ? QString::number(double(*value), 'g', 8) : u"-"_s; };
    return u"%1/%2 %3/%4 %5 %6 %7 %8"_s.arg(number(hint->epoch), number(hint->epochs), number(hint->step),
        number(hint->steps), number(hint->loss), number(hint->rate), hint->rateUnit, number(hint->etaSeconds));
}

} // namespace

/// Users' own expressions for progress, and lines skipped because later ones outdate them.
class UserPatternTest final : public test::Suite {
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void mistakes_data();
    void mistakes();
    void neverStandsStill();
    void goesBeforeTheKnownLayouts();
    void summaryIsTheSame_data();
    void summaryIsTheSame();
    void memoryStaysBounded();
    void longLinesAreCut();
    void offsets();
};

void UserPatternTest::reads_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* expression, const char* line, const char* expected) {
        QTest::newRow(name) << QString::fromUtf8(expression) << QString::fromUtf8(line) << QString::fromUtf8(expected);
    };
    row("step of steps", R"(tick (?<step>\d+) of (?<steps>\d+))", "tick 1,200 of 9000", "-/- -/- - -  -");
    row("thousands", R"(tick (?<step>[\d,]+) of (?<steps>\d+))", "tick 1,200 of 9000", "-/- 1200/9000 - -  -");
    row("all",
        R"(E(?<epoch>\d+)/(?<epochs>\d+) U(?<step>\d+)/(?<steps>\d+) L=(?<loss>\S+) (?<rate>[\d.]+) img/s eta (?<eta>\S+))",
        "E2/10 U30/600 L=1.5e-1 88.5 img/s eta 1:00:05", "2/10 30/600 0.15 88.5 samples/s 3605");
    row("seconds for a step", R"((?<step>\d+) took (?<rate>[\d.]+))", "7 took 0.5 s/step", "-/- 7/- - 0.5 s/it -");
    row("milliseconds", R"(n=(?<step>\d+) t=(?<rate>[\d.]+))", "n=7 t=52.5ms", "-/- 7/- - 52.5 ms/it -");
    row("time left in words", R"(#(?<step>\d+), left: (?<eta>.+))", "#9, left: 1h 2m 3s", "-/- 9/- - -  3723");
    row("not a number", R"(loss (?<loss>\S+))", "loss falls", "");
    row("loss that is none", R"(loss (?<loss>\S+))", "loss nan", "");
    row("other line", R"(tick (?<step>\d+))", "tock 7", "");
}

void UserPatternTest::reads()
{
    QFETCH(QString, expression);
    QFETCH(QString, line);
    QFETCH(QString, expected);
    const auto pattern = UserPattern::from(expression);
    QVERIFY2(pattern, pattern ? "" : qPrintable(pattern.error().oneLine()));
    const QString what = reported(pattern->read(line));
    QCOMPARE(what, expected == u"-/- -/- - -  -"_s ? QString() : expected);
}

void UserPatternTest::mistakes_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("word");
    QTest::newRow("empty") << u"  "_s << u"empty"_s;
    QTest::newRow("bracket") << u"step (?<step>\\d+"_s << u"character"_s;
    QTest::newRow("no named group") << u"step \\d+"_s << u"no named group"_s;
    QTest::newRow("group without a name") << u"step (\\d+)"_s << u"no named group"_s;
    QTest::newRow("unknown group") << u"(?<step>\\d+) (?<los>\\d+)"_s << u"\"los\""_s;
    QTest::newRow("long") << u"(?<step>\\d+)"_s + QString(2000, u'x') << u"longer"_s;
}

void UserPatternTest::mistakes()
{
    QFETCH(QString, expression);
    QFETCH(QString, word);
    const auto pattern = UserPattern::from(expression);
    QVERIFY(!pattern);
    QVERIFY2(pattern.error().what.contains(word), qPrintable(pattern.error().what));
    QVERIFY(!pattern.error().remedy.isEmpty() && !pattern.error().what.contains(u'\n'));
    QVERIFY(!userPatterns({u"(?<step>\\d+)"_s, expression}));
}

void UserPatternTest::neverStandsStill()
{
    for (const QString& expression : {u"(a+)+(?<step>\\d)$"_s, u"(?<step>(\\w|\\w\\w)+)!$"_s, u"(.*)*(?<loss>x)\\1y"_s,
             u"((((a*)*)*)*)*(?<eta>b)"_s, u"(?:.*,){12}(?<step>\\d)z"_s}) {
        const auto pattern = UserPattern::from(expression);
        QVERIFY(pattern);
        TrainingLogReader reader;
        reader.setPatterns({*pattern});
        const rankwright::test::CpuClock clock;
        for (int i = 0; i < 200; ++i)
            reader.feed(QByteArray(1500, 'a') + "," + QByteArray(300, ',') + "\n");
        QVERIFY2(clock.elapsedMs() < 4000, qPrintable(u"%1: %2 ms"_s.arg(expression).arg(clock.elapsedMs())));
    }
}

void UserPatternTest::goesBeforeTheKnownLayouts()
{
    TrainingLogReader reader;
    reader.setPatterns(*userPatterns({u"virus (?<step>\\d+) of (?<steps>\\d+), err (?<loss>[\\d.]+)"_s}));
    reader.feed("step 1/5 loss 9.0\n");
    QCOMPARE(reader.progress().step, std::optional<qint64>(1)); // as long as it has matched nothing
    reader.feed("3: virus 40 of 90, err 1.5\nstep 2/5 loss 8.0\n");
    QCOMPARE(reader.progress().step, std::optional<qint64>(40));
    QCOMPARE(reader.progress().steps, std::optional<qint64>(90));
    QCOMPARE(reader.progress().loss, std::optional<double>(1.5));
    QCOMPARE(reader.progress().framework, u"pattern"_s);
    reader.reset();
    reader.feed("virus 7 of 90, err 1.5\n");
    QCOMPARE(reader.progress().step, std::optional<qint64>(7)); // patterns stay
}

void UserPatternTest::summaryIsTheSame_data()
{
    QTest::addColumn<QByteArray>("log");
    QByteArray titan, nested, epochs, mixed, deepspeed;
    for (int i = 1; i <= 3000; ++i) {
        const QByteArray n = QByteArray::number(i);
        titan += "\x1b[31mstep: " + n + "  \x1b[32mloss:  " + QByteArray::number(7.0 / i, 'f', 4)
            + "  memory: 49.66GiB(52.28%)  tps: 5,8" + n + "  mfu: 34.2%\x1b[0m\n";
        nested += "\r  3%|#   | " + n + "/9000 [00:10<01:30,  3.00it/s]";
        if (i % 1000 == 0) {
            for (int k = 0; k <= 600; ++k)
                nested += "\r 3%|#   | " + QByteArray::number(k) + "/600 [00:10<01:30,  3.00it/s]";
        }
        epochs += "\rEpoch " + QByteArray::number(1 + i / 100) + "/31: 40%|###  | " + QByteArray::number(i % 100)
            + "/100 [00:01<00:02,  9.5it/s, loss=0." + n + "]" + (i % 100 == 99 ? "\n" : "");
        mixed += "step " + n + "/3000 loss 1." + n + " 20.5 samples/s\nplain words\n";
        if (i == 1500)
            mixed += "Epoch 3/10\n";
        deepspeed += "[Rank 0] step=" + n + ", skipped=0, lr=[1e-05]\nsteps: " + n
            + " loss: 2.5 iter time (s): 1.5 samples/sec: 21.5\n"
              "epoch=0/micro_step="
            + n + "/global_step=" + n + ", RunningAvgSamplesPerSec=31.2\n";
    }
    QTest::newRow("torchtitan") << titan;
    QTest::newRow("evaluation inside") << nested;
    QTest::newRow("epochs") << epochs;
    QTest::newRow("mixed") << mixed;
    QTest::newRow("three kinds of line") << deepspeed;
}

void UserPatternTest::summaryIsTheSame()
{
    QFETCH(QByteArray, log);
    for (const qsizetype length : {log.size(), log.size() - 1, log.size() / 2, log.size() / 3, log.size() - 777}) {
        TrainingLogReader whole;
        whole.feed(log.left(length));
        whole.finish();
        TrainingLogReader quick;
        quick.setSummaryOnly(true);
        for (qsizetype at = 0; at < length; at += 10000)
            QVERIFY(quick.feed(log.mid(at, qMin<qsizetype>(10000, length - at))).isEmpty());
        quick.finish();
        QCOMPARE(quick.progress(), whole.progress());
    }
}

void UserPatternTest::memoryStaysBounded()
{
    TrainingLogReader reader;
    reader.setSummaryOnly(true);
    for (int i = 0; i < 40000; ++i) // ever new shapes
        reader.feed("loss of " + QByteArray::number(i, 36).replace('1', 'q') + " /" + QByteArray::number(i) + "\n");
    QVERIFY(reader.progress().step == std::nullopt);
}

void UserPatternTest::longLinesAreCut()
{
    for (const int piece : {1000000, 999, 16 * 1024}) {
        TrainingLogReader reader;
        QList<LogLine> lines;
        const QByteArray log = "first\n" + QByteArray(100000, 'x') + "\nlast\r\n";
        for (qsizetype at = 0; at < log.size(); at += piece)
            lines += reader.feed(log.mid(at, piece));
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines.at(1).text.size(), TrainingLogReader::longestLine);
        QCOMPARE(lines.at(1).cutBytes, 100000 - TrainingLogReader::longestLine);
        QCOMPARE(lines.at(2).text, u"last"_s);
    }
}

void UserPatternTest::offsets()
{
    for (const int piece : {1, 3, 7, 100000}) {
        TrainingLogReader reader;
        reader.startAt(1000, 2);
        QList<LogLine> lines;
        const QByteArray log = "abc\n\x1b[31md\x1b[0m\r\n" + QByteArray(20000, 'x') + "\n\nlast\nopen";
        for (qsizetype at = 0; at < log.size(); at += piece)
            lines += reader.feed(log.mid(at, piece));
        lines += reader.finish();
        QCOMPARE(lines.size(), 6);
        for (const LogLine& line : std::as_const(lines)) {
            QCOMPARE(line.file, 2);
            const QByteArray there = log.mid(line.offset.value() - 1000, 12);
            QVERIFY2(line.text.isEmpty() || line.text == u"d"_s || there.startsWith(line.text.left(10).toUtf8()),
                there.constData());
        }
        QCOMPARE(lines.at(1).offset, qint64(1004));
        QCOMPARE(lines.last().text, u"open"_s);
    }
}

RANKWRIGHT_TEST_MAIN(UserPatternTest)
#include "tst_userpattern.moc"
