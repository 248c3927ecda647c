// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/slurm/submitstate.h"
#include "tests/app/support/windowbench.h"
#include "tests/support/cpuclock.h"
#include "tests/widgets/support/readable.h"
#include "widgets/base/toasts.h"
#include "widgets/design/designpage.h"
#include "widgets/design/numberspot.h"
#include "widgets/form/designform.h"
#include "widgets/rankmap/rankmapview.h"
#include "widgets/script/scripteditor.h"

#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QRandomGenerator>
#include <QScrollBar>
#include <QTabBar>
#include <QTimer>

#include <cstdio>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

constexpr quint32 usualSeed = 20'261'122;
constexpr int usualSteps = 5000;
constexpr int roundsToRest = 200; // of the event loop: what stays wrong then is a fault, nobody waits for it
constexpr int looksEvery = 20; // steps between two looks at all texts of the window

quint32 numberFrom(const char* variable, quint32 otherwise)
{
    bool read = false;
    const uint number = qEnvironmentVariable(variable).toUInt(&read);
    return read ? number : otherwise;
}

/// Says each step and its processor time on the error output, so that a walk which does not go on is seen where it is.
void trace(int index, const QString& what, qint64 ms)
{
    static const bool wanted = qEnvironmentVariableIsSet("RANKWRIGHT_WALK_TRACE");
    if (wanted)
        std::fprintf(stderr, "%d: %s, %lld ms\n", index, qPrintable(what), static_cast<long long>(ms));
}

QString firstDifference(const QString& shown, const QString& of)
{
    const QStringList lines = shown.split(u'\n');
    const QStringList others = of.split(u'\n');
    qsizetype at = 0;
    while (at < lines.size() && at < others.size() && lines.at(at) == others.at(at))
        ++at;
    return u"line %1 “%2”, not “%3”"_s.arg(at + 1).arg(lines.value(at), others.value(at));
}

/// What would leave the window for processes, networks, files or a native dialog.
bool leavesTheWindow(const QWidget* widget)
{
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    if (!button)
        return false;
    for (const QString& word : {u"connect"_s, u"practice"_s, u"start"_s, u"try again"_s, u"draft"_s, u"open"_s}) {
        if (button->text().contains(word, Qt::CaseInsensitive)
            || button->accessibleName().contains(word, Qt::CaseInsensitive))
            return true;
    }
    return false;
}

bool isControl(const QWidget* widget)
{
    for (; widget && !widget->isWindow(); widget = widget->parentWidget()) {
        // The list of the command palette is used by clicks and takes no focus.
        const bool isUsed = widget->focusPolicy() != Qt::NoFocus || qobject_cast<const QAbstractItemView*>(widget);
        if (isUsed && !qobject_cast<const DesignForm*>(widget))
            return true;
    }
    return false;
}

} // namespace

/// A person who does not know what he does, for 5,000 steps: wheel, clicks, drags, keys and sizes over all pages. What
/// must always hold is looked at all the time. RANKWRIGHT_WALK_SEED and RANKWRIGHT_WALK_STEPS choose another walk.
class WindowWalksTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void cleanup() { m_bench.reset(); }
    void holdsWhateverIsDone();
    void showsAllTextsAtEverySize_data();
    void showsAllTextsAtEverySize();
    void reachesEverythingByTab_data();
    void reachesEverythingByTab();

private:
    QString step(int index);
    QString stepTo(int kind);
    QString turn();
    QString click();
    QString drag();
    QString press();
    QString resize();
    QString report();
    QString faults(bool all);
    QString staleWords();
    QString differingValues();
    QString vanishedDecision();
    QString message();
    void turnAfterClick(QWidget* widget, QPoint place);
    QWidget* anyWidget(bool interactive);
    QWidget* widgetAt(QPoint& place);
    void closeWhatOpened();
    int upTo(int bound) { return int(m_random.bounded(quint32(bound))); }
    MainWindow& window() { return m_bench->window(); }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<test::WindowBench> m_bench;
    QRandomGenerator m_random;
    std::optional<JobSpec> m_reported; ///< the design of which an outcome was reported
    std::optional<NoticeKey> m_decision; ///< of the message that waits for one
    QString m_unexpected; ///< the design changed although nothing was used
};

void WindowWalksTest::init()
{
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise|grabbing)).*"_s));
    m_folder = std::make_unique<QTemporaryDir>();
    m_bench = std::make_unique<test::WindowBench>(m_folder->path());
    QVERIFY(m_bench->start());
}

QWidget* WindowWalksTest::anyWidget(bool interactive)
{
    QList<QWidget*> choice;
    for (QWidget* widget : window().findChildren<QWidget*>()) {
        if (widget->isVisible() && widget->window() == &window() && !widget->visibleRegion().isEmpty()
            && (!interactive || (widget->isEnabled() && isControl(widget))))
            choice.append(widget);
    }
    return choice.isEmpty() ? &window() : choice.at(upTo(int(choice.size())));
}

QWidget* WindowWalksTest::widgetAt(QPoint& place)
{
    QWidget* widget = anyWidget(upTo(4) != 0);
    const QRect area = widget->visibleRegion().boundingRect();
    place = area.topLeft() + QPoint(upTo(area.width()), upTo(area.height()));
    // What is really there: a child may lie over it.
    if (QWidget* child = widget->childAt(place)) {
        place = child->mapFrom(widget, place);
        widget = child;
    }
    return widget;
}

QString WindowWalksTest::turn()
{
    QPoint place;
    QWidget* widget = widgetAt(place);
    const JobSpec before = m_bench->design().spec();
    test::turnWheel(*widget, upTo(2) ? 1 : -1, place);
    if (m_bench->design().spec() != before)
        m_unexpected = u"the wheel changed the design"_s;
    return u"wheel over "_s + test::nameOf(widget);
}

QString WindowWalksTest::click()
{
    QPoint place;
    QWidget* widget = widgetAt(place);
    if (leavesTheWindow(widget))
        return u"nothing"_s;
    const QString what = u"click on %1 at %2,%3"_s.arg(test::nameOf(widget)).arg(place.x()).arg(place.y());
    const bool control = isControl(widget);
    // The one that waits may have given way to a newer one of the program's own: that one is answered then.
    if (window().findChild<Toasts*>()->isAncestorOf(widget))
        m_decision.reset();
    const JobSpec before = m_bench->design().spec();
    const QPointer<QWidget> kept = widget;
    QTest::mouseClick(widget, Qt::LeftButton, {}, place);
    if (!control && m_bench->design().spec() != before)
        m_unexpected = u"a click beside every control changed the design"_s;
    if (kept && control && upTo(3) == 0)
        turnAfterClick(kept, place);
    return what;
}

/// A field that was clicked has the focus: the wheel scrolls there, too.
void WindowWalksTest::turnAfterClick(QWidget* widget, QPoint place)
{
    if (QApplication::activePopupWidget() || !widget->isVisible() || widget->window() != &window())
        return;
    const auto valueOf = [](const QWidget* of) {
        const auto* combo = qobject_cast<const QComboBox*>(of);
        const auto* edit = qobject_cast<const QLineEdit*>(of);
        const auto* spin = qobject_cast<const QAbstractSpinBox*>(of);
        return combo ? combo->currentText() : edit ? edit->text() : spin ? spin->text() : QString();
    };
    const JobSpec before = m_bench->design().spec();
    const QString value = valueOf(widget);
    test::turnWheel(*widget, upTo(2) ? 1 : -1, place);
    if (m_bench->design().spec() != before || valueOf(widget) != value)
        m_unexpected = u"the wheel changed a value after a click on "_s + test::nameOf(widget);
}

QString WindowWalksTest::drag()
{
    QPoint from;
    QWidget* widget = widgetAt(from);
    if (leavesTheWindow(widget) || qobject_cast<QComboBox*>(widget))
        return u"nothing"_s;
    const QString what = u"drag over "_s + test::nameOf(widget);
    const QPointer<QWidget> kept = widget;
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    if (kept)
        QTest::mouseMove(widget, from + QPoint(upTo(300) - 150, upTo(200) - 100));
    if (kept)
        QTest::mouseRelease(widget, Qt::LeftButton, {}, from + QPoint(upTo(300) - 150, upTo(200) - 100));
    return what;
}

QString WindowWalksTest::press()
{
    static const QList<QKeyCombination> keys{Qt::Key_Tab, Qt::Key_Tab, Qt::SHIFT | Qt::Key_Tab, Qt::Key_Left,
        Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home, Qt::Key_End, Qt::Key_Backspace, Qt::Key_Delete,
        Qt::Key_Escape, Qt::Key_Space, Qt::Key_Return, Qt::Key_F7, Qt::Key_F8, Qt::Key_F9, Qt::Key_F12,
        Qt::CTRL | Qt::Key_Z, Qt::CTRL | Qt::Key_Z, Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_1,
        Qt::CTRL | Qt::Key_2, Qt::CTRL | Qt::Key_3, Qt::CTRL | Qt::Key_4, Qt::CTRL | Qt::Key_5, Qt::CTRL | Qt::Key_1,
        Qt::CTRL | Qt::Key_F};
    QWidget* widget = QApplication::focusWidget();
    if (!widget)
        return u"nothing"_s;
    const QString where = test::nameOf(widget);
    if (upTo(3) == 0) {
        static const QString characters = u"0123456789abMG:=-./ é"_s;
        const QChar typed = characters.at(upTo(int(characters.size())));
        if (typed == u' ' && leavesTheWindow(widget))
            return u"nothing"_s;
        QTest::sendKeyEvent(QTest::Click, widget, Qt::Key_unknown, typed, Qt::NoModifier);
        return u"typed “%1” in "_s.arg(typed) + where;
    }
    const QKeyCombination key = keys.at(upTo(int(keys.size())));
    if ((key.key() == Qt::Key_Space || key.key() == Qt::Key_Return) && leavesTheWindow(widget))
        return u"nothing"_s;
    QTest::keyClick(widget, key.key(), key.keyboardModifiers());
    return QKeySequence(key).toString() + u" in "_s + where;
}

QString WindowWalksTest::resize()
{
    static const QList<QSize> sizes{{1024, 700}, {1280, 800}, {1366, 768}, {1440, 900}, {1600, 900}, {1920, 1080}};
    const QSize size = sizes.at(upTo(int(sizes.size())));
    window().resize(size);
    return u"size %1×%2"_s.arg(size.width()).arg(size.height());
}

/// What a submission reports while the person goes on.
QString WindowWalksTest::report()
{
    using Stage = SubmitState::Stage;
    SubmitState state;
    state.stage = QList<Stage>{Stage::Submitted, Stage::Rehearsed, Stage::Refused}.at(upTo(3));
    state.text = u"Outcome of a walk."_s;
    state.job = u"4711"_s;
    if (state.stage == Stage::Refused)
        state.error = {Fault::RemoteExit, u"Outcome of a walk."_s, {}, {}};
    SubmitState busy;
    busy.stage = Stage::Sending;
    m_bench->workbench->designPage().showSubmitState(busy);
    m_bench->workbench->designPage().showSubmitState(state);
    m_reported = m_bench->design().spec();
    return u"an outcome"_s;
}

QString WindowWalksTest::stepTo(int kind)
{
    if (kind < 30)
        return turn();
    if (kind < 60)
        return click();
    if (kind < 66)
        return drag();
    if (kind < 96)
        return press();
    if (kind < 98)
        return resize();
    return upTo(4) == 0 ? message() : report();
}

/// A message that waits for a decision, as after a lost connection.
QString WindowWalksTest::message()
{
    auto* toasts = window().findChild<Toasts*>();
    const NoticeKey key{
        QList<Notice>{Notice::Connection, Notice::Launch, Notice::Recovery, Notice::Upload}.at(upTo(4)), u"walk"_s};
    toasts->showNotice(key, u"Message of a walk."_s, u"Decide"_s, [] {});
    m_decision = key;
    return u"a message"_s;
}

/// A message with a button stays until it is answered or sent away, or a newer one takes its place; its button is in
/// the list then.
QString WindowWalksTest::vanishedDecision()
{
    if (!m_decision)
        return {};
    const auto* toasts = window().findChild<Toasts*>();
    const QList<Message>& all = toasts->messages();
    const auto kept = std::find_if(
        all.begin(), all.end(), [this](const Message& one) { return one.key == *m_decision && !one.over; });
    if (kept == all.end())
        return u"a message that waits for a decision is not in the list"_s;
    int buttons = 0;
    for (const QPushButton* button : toasts->findChildren<QPushButton*>())
        buttons += button->isVisibleTo(&window()) ? 1 : 0;
    return buttons > 0 ? QString() : u"a message that waits for a decision went by itself"_s;
}

QString WindowWalksTest::step(int index)
{
    const test::CpuClock clock;
    const auto* toasts = window().findChild<Toasts*>();
    const auto hasKey = [toasts] { return toasts->isAncestorOf(QApplication::focusWidget()); };
    const int kind = upTo(100);
    const bool had = hasKey();
    const QString what = stepTo(kind);
    // Whoever clicks or presses a key at a message answers it or sends it away; Esc does so from anywhere.
    if (kind >= 30 && kind < 96
        && (had || hasKey() || what.startsWith(u"Esc"_s) || what.contains(u"“Decide”"_s)
            || what.contains(u"Dismiss"_s)))
        m_decision.reset();
    QApplication::processEvents();
    closeWhatOpened();
    if (!window().isVisible()) { // "Quit" of the command palette
        window().show();
        closeWhatOpened();
    }
    trace(index, what, clock.elapsedMs());
    return what;
}

void WindowWalksTest::closeWhatOpened()
{
    while (QWidget* popup = QApplication::activePopupWidget())
        popup->close();
    for (QWidget* each : QApplication::topLevelWidgets()) {
        if (each != &window() && each->isVisible())
            each->close();
    }
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QApplication::setActiveWindow(&window());
    QApplication::processEvents();
}

QString WindowWalksTest::staleWords()
{
    if (!m_reported || *m_reported == m_bench->design().spec())
        return {};
    for (const QLabel* label : window().findChildren<QLabel*>()) {
        if (label->isVisibleTo(&window()) && label->text().contains(u"Outcome of a walk."_s))
            return u"the outcome of another design is shown: "_s + label->text();
    }
    return {};
}

/// One value is the same wherever it is shown: in the design, the script and the picture of the nodes.
QString WindowWalksTest::differingValues()
{
    const auto* editor = window().findChild<ScriptEditor*>();
    const Derived& derived = m_bench->design().derived();
    if (editor && editor->text() != derived.script.text())
        return u"the script that is shown is not the design's: "_s
            + firstDifference(editor->text(), derived.script.text());
    const auto* map = window().findChild<RankMapView*>();
    if (map && map->dataShown().plan.ranks.size() != derived.ranks.ranks.size())
        return u"the picture shows %1 ranks, the design has %2"_s.arg(map->dataShown().plan.ranks.size())
            .arg(derived.ranks.ranks.size());
    for (const NumberSpot* spot : window().findChildren<NumberSpot*>()) {
        const bool isNodes = spot->isVisible() && spot->accessibleName().startsWith(u"Nodes:"_s);
        if (isNodes && spot->value() != derived.resolved.nodes)
            return u"the picture's number says “%1”, the design has %2 nodes"_s.arg(spot->accessibleName())
                .arg(derived.resolved.nodes);
    }
    return {};
}

QString WindowWalksTest::faults(bool all)
{
    if (!m_unexpected.isEmpty())
        return m_unexpected;
    // What takes some turns of the event loop is given them: layouts, and who gets the focus of what went out of sight.
    // A window that came up by itself, after an answer from outside, is closed as one that a step opened.
    const auto hasFocus = [this] {
        if (!window().isActiveWindow())
            closeWhatOpened();
        const QWidget* focus = QApplication::focusWidget();
        return focus && focus->isVisible() && focus->isEnabled();
    };
    bool isLost = !hasFocus();
    for (int round = 0; round < roundsToRest && isLost; ++round) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 1);
        isLost = !hasFocus();
    }
    if (isLost) {
        const QWidget* focus = QApplication::focusWidget();
        return u"the focus is lost: %1, visible %2, enabled %3, window active %4"_s.arg(test::nameOf(focus))
            .arg(focus && focus->isVisible())
            .arg(focus && focus->isEnabled())
            .arg(window().isActiveWindow());
    }
    if (const QString stale = staleWords(); !stale.isEmpty())
        return stale;
    if (const QString vanished = vanishedDecision(); !vanished.isEmpty())
        return vanished;
    if (const QString differs = differingValues(); !differs.isEmpty() || !all)
        return differs;
    QStringList clipped = test::clippedTexts(window());
    for (int round = 0; round < roundsToRest && !clipped.isEmpty(); ++round) {
        QApplication::processEvents();
        clipped = test::clippedTexts(window());
    }
    if (!clipped.isEmpty())
        return u"cut: "_s + clipped.join(u", "_s);
    if (const QStringList marked = test::markedTexts(window()); !marked.isEmpty())
        return u"ends with a mark: "_s + marked.join(u", "_s);
    QStringList over = test::overlappingTexts(window());
    for (int round = 0; round < roundsToRest && !over.isEmpty(); ++round) {
        QApplication::processEvents();
        over = test::overlappingTexts(window());
    }
    if (!over.isEmpty())
        return u"over another: "_s + over.join(u", "_s);
    return {};
}

void WindowWalksTest::holdsWhateverIsDone()
{
    const quint32 seed = numberFrom("RANKWRIGHT_WALK_SEED", usualSeed);
    const int steps = int(numberFrom("RANKWRIGHT_WALK_STEPS", usualSteps));
    m_random.seed(seed);
    qInfo("walk of %d steps, RANKWRIGHT_WALK_SEED=%u", steps, seed);
    // A menu or a question runs its own event loop until it is left: as with Esc.
    QTimer loops;
    connect(&loops, &QTimer::timeout, this, [] {
        for (QWidget* own : {QApplication::activePopupWidget(), QApplication::activeModalWidget()}) {
            if (own)
                own->close();
        }
    });
    loops.start(100);
    QStringList last;
    for (int i = 0; i < steps; ++i) {
        last.append(step(i));
        const QString fault = faults(i % looksEvery == 0);
        if (!fault.isEmpty()) {
            if (const QString shots = qEnvironmentVariable("RANKWRIGHT_SHOTS"); !shots.isEmpty())
                window().grab().save(shots + u"/walk_%1.png"_s.arg(seed));
            last = last.mid(qMax<qsizetype>(0, last.size() - looksEvery));
            QFAIL(qPrintable(u"seed %1, step %2, %3×%4: %5\nbefore: %6"_s.arg(seed)
                                 .arg(i)
                                 .arg(window().width())
                                 .arg(window().height())
                                 .arg(fault, last.join(u"\n        "_s))));
        }
    }
}

void WindowWalksTest::showsAllTextsAtEverySize_data()
{
    QTest::addColumn<int>("page");
    QTest::addColumn<QSize>("size");
    for (int page = 0; page < 5; ++page) {
        for (const QSize size : {QSize(960, 540), QSize(1024, 700), QSize(1280, 800), QSize(1920, 1080)})
            QTest::addRow("page %d at %d x %d", page + 1, size.width(), size.height()) << page << size;
    }
}

/// Also at twice the size of everything on a screen of 1920 × 1080, which leaves 960 × 540.
void WindowWalksTest::showsAllTextsAtEverySize()
{
    QFETCH(int, page);
    QFETCH(QSize, size);
    window().showPage(MainWindow::Page(page));
    window().resize(size);
    QApplication::processEvents();
    QCOMPARE(window().size(), size);
    QVERIFY2(window().minimumSizeHint().width() <= size.width() && window().minimumSizeHint().height() <= size.height(),
        qPrintable(u"needs %1×%2"_s.arg(window().minimumSizeHint().width()).arg(window().minimumSizeHint().height())));
    const QStringList clipped = test::clippedTexts(window()) + test::markedTexts(window());
    QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(u'\n')));
}

void WindowWalksTest::reachesEverythingByTab_data()
{
    QTest::addColumn<int>("page");
    QTest::addColumn<int>("key");
    for (int page = 0; page < 5; ++page) {
        QTest::addRow("page %d, Tab", page + 1) << page << int(Qt::Key_Tab);
        QTest::addRow("page %d, back", page + 1) << page << int(Qt::Key_Backtab);
    }
}

/// Tab goes through everything and comes back to where it began; a part that it never leaves would be missed here.
void WindowWalksTest::reachesEverythingByTab()
{
    QFETCH(int, page);
    QFETCH(int, key);
    window().showPage(MainWindow::Page(page));
    QApplication::processEvents();
    QWidget* const first = window().findChild<QToolButton*>(u"navigation"_s);
    QWidget* const begin = first ? first : test::tabStops(window()).first();
    begin->setFocus(Qt::TabFocusReason);
    QSet<QWidget*> met;
    for (int i = 0; i < 500; ++i) {
        QWidget* focus = QApplication::focusWidget();
        QVERIFY(focus);
        if (met.contains(focus) && focus == begin)
            break;
        met.insert(focus);
        QTest::keyClick(focus, Qt::Key(key), key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier);
    }
    QCOMPARE(QApplication::focusWidget(), begin);
    QStringList missed;
    for (QWidget* stop : test::tabStops(window())) {
        if (!met.contains(stop))
            missed.append(test::nameOf(stop));
    }
    QVERIFY2(missed.isEmpty(), qPrintable(missed.join(u'\n')));
}

RANKWRIGHT_WIDGET_TEST_MAIN(WindowWalksTest)
#include "tst_windowwalks.moc"
