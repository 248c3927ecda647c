// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "widgets/base/toasts.h"

#include <QApplication>
#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr int bound = 500; // far beyond what any layout needs
constexpr int few = 5; // of the messages, of one row and back again

/// Counts the layouts that a widget is asked for, and lets no more through than the bound: a test that fails ends.
class LayoutCount final : public QObject {
public:
    explicit LayoutCount(QWidget& of) : m_of(of) { of.installEventFilter(this); }
    int taken() { return std::exchange(m_count, 0); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        return watched == &m_of && event->type() == QEvent::LayoutRequest && ++m_count > bound;
    }

private:
    QWidget& m_of;
    int m_count = 0;
};

/// The layouts that a change takes: a row is asked for first, then what holds it.
int settle(LayoutCount& layouts)
{
    for (int round = 0; round < 4; ++round)
        QApplication::processEvents();
    return layouts.taken();
}

} // namespace

/// Messages over a page of any size come to rest: they are laid out once for what has changed, and not for their own
/// place.
class ToastsTest final : public test::Suite {
    Q_OBJECT
private slots:
    void restAtEverySize_data();
    void restAtEverySize();
};

void ToastsTest::restAtEverySize_data()
{
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(200, 120), QSize(290, 300), QSize(600, 400), QSize(1024, 700), QSize(1920, 1080)})
        QTest::addRow("%d x %d", size.width(), size.height()) << size;
}

void ToastsTest::restAtEverySize()
{
    QFETCH(QSize, size);
    QWidget page;
    page.resize(size);
    for (int i = 0; i < 12; ++i) {
        auto* button = new QPushButton(u"Button"_s, &page);
        button->setGeometry(i * 160, i * 90, 120, 40);
        auto* words = new QLabel(u"Words of the page."_s, &page);
        words->setGeometry(i * 160, i * 90 + 44, 120, 20);
    }
    Toasts toasts(&page);
    LayoutCount layouts(toasts);
    page.show();
    QApplication::processEvents();
    const QString sentence = u"The connection to the cluster was lost; it is tried again by itself. "_s;
    for (int i = 0; i < 4; ++i) {
        toasts.showNotice({Notice::JobEnd, QString::number(i)}, sentence.repeated(i + 1).trimmed(),
            i % 2 ? u"Report"_s : QString(), [] {});
        const int first = settle(layouts);
        for (int round = 0; round < 20; ++round)
            QApplication::processEvents();
        const int later = layouts.taken();
        QVERIFY2(first <= few && later == 0, qPrintable(u"message %1: %2, then %3"_s.arg(i).arg(first).arg(later)));
    }
    // One that says more at its place is as high as it needs, at once.
    toasts.showNotice(Notice::Upload, u"One file."_s, u"Report"_s, [] {});
    QApplication::processEvents();
    toasts.updateNotice(Notice::Upload, sentence.repeated(3).trimmed(), u"Report"_s, [] {});
    const QSize updated = toasts.size();
    for (int round = 0; round < 20; ++round)
        QApplication::processEvents();
    QCOMPARE(toasts.size(), updated);
    for (const QLabel* label : toasts.findChildren<QLabel*>()) {
        if (label->isVisible())
            QVERIFY2(label->heightForWidth(label->width()) <= label->height() + 1 || size.height() < 500,
                qPrintable(label->text()));
    }
    QVERIFY(layouts.taken() <= few);
    for (const int step : {40, -60, 1}) {
        page.resize(page.width() + step, page.height() - step);
        QVERIFY(settle(layouts) <= few);
        for (int round = 0; round < 20; ++round)
            QApplication::processEvents();
        QCOMPARE(layouts.taken(), 0);
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(ToastsTest)
#include "tst_toasts.moc"
