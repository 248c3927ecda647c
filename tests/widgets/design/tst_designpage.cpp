// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testbase.h"
#include "tests/widgets/support/windowfaults.h"
#include "widgets/base/figurebutton.h"
#include "widgets/base/linkbutton.h"
#include "widgets/base/quantityedit.h"
#include "widgets/base/theme.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/design/batchview.h"
#include "widgets/design/designpage.h"
#include "widgets/design/estimatecards.h"
#include "widgets/design/findingspanel.h"
#include "widgets/design/verdictbar.h"
#include "widgets/form/designform.h"
#include "widgets/rankmap/rankmapview.h"
#include "widgets/script/scripteditor.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QToolButton>

#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

template <typename Widget>
Widget* fieldOf(QWidget& page, QLatin1StringView path)
{
    return page.findChild<Widget*>(path);
}

QPushButton* buttonOf(QWidget& page, const QString& text)
{
    for (auto* button : page.findChildren<QPushButton*>()) {
        if (button->text() == text)
            return button;
    }
    return nullptr;
}

void retype(QLineEdit* edit, const QString& text)
{
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, text);
}

QStringList visibleFaults(QWidget& page)
{
    QStringList texts;
    for (auto* label : page.findChildren<QLabel*>()) {
        if (label->property("fault").toBool() && label->isVisibleTo(&page))
            texts.append(label->text());
    }
    return texts;
}

} // namespace

class TestDesignPage final : public test::Suite {
    Q_OBJECT
private slots:
    void offersEveryWayOut();
    void keepsWithinItsPanel();
    void figuresGiveWayWhole();
    void init() override;
    void answersAnEditAtOnce();
    void mergesKeystrokesOfOneField();
    void keepsTextThatCannotBeRead();
    void leavesTheSpellingWhileTyping();
    void writesTheSpellingWhenLeft();
    void showsWhatWasChosen();
    void offersPartitionsAndAccounts();
    void choosesTheStrategy();
    void changesTheCluster();
    void selectsARankEverywhere();
    void appliesAFix();
    void whatCanBeDoneIsInView();
    void lightsTheFieldsLines();
    void goesFromALineToItsField();
    void blocksTheLaunch();
    void showsTheSubmission();
    void saysHowADryRunEnded_data();
    void saysHowADryRunEnded();
    void forgetsAForecastAfterAnEdit();
    void foldsTheScript();
    void wrapsTheScript();
    void keepsTheScriptWhereItIs();
    void opensTheScriptAtItsTop();
    void foldsWhatIsRoutine();
    void endsWithALine();
    void showsWhatDoesNotFitFirst();

private:
    void build(const std::function<void(JobSpec&)>& change = {});

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    // A window of its own would give the offscreen platform its smallest size, which that warns about.
    std::unique_ptr<QWidget> m_host;
    DesignPage* m_page = nullptr;
};

void TestDesignPage::init()
{
    QTest::failOnWarning(QRegularExpression(u".*"_s));
    build();
}

void TestDesignPage::build(const std::function<void(JobSpec&)>& change)
{
    m_host.reset();
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.name = u"llama"_s;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    spec.resources.nodes = 2;
    spec.time = Seconds{12 * 3600};
    spec.command = u"train.py"_s;
    spec.training.globalBatch = 512;
    spec.training.microBatch = 4;
    if (change)
        change(spec);
    m_design->replace(spec);
    m_host = std::make_unique<QWidget>();
    m_host->resize(1400, 850);
    m_page = new DesignPage(*m_design, m_host.get());
    m_page->resize(1400, 850);
    m_host->show();
}

void TestDesignPage::answersAnEditAtOnce()
{
    auto* nodes = fieldOf<QuantityEdit>(*m_page, field::nodes);
    QVERIFY(nodes);
    retype(nodes, u"4"_s);
    // No event loop has run since the key: everything follows in the same call.
    QCOMPARE(m_design->spec().resources.nodes, std::optional<int>(4));
    QCOMPARE(m_page->findChild<RankMapView*>()->dataShown().plan.ranks.size(), 32);
    QVERIFY(m_page->findChild<ScriptEditor*>()->text().contains(u"#SBATCH --nodes=4"_s));
}

void TestDesignPage::mergesKeystrokesOfOneField()
{
    retype(fieldOf<QuantityEdit>(*m_page, field::globalBatch), u"1024"_s);
    QCOMPARE(m_design->spec().training.globalBatch, std::optional<qint64>(1024));
    QCOMPARE(m_design->undoLabel(), u"Global batch"_s);
    QVERIFY(m_design->undo());
    QCOMPARE(m_design->spec().training.globalBatch, std::optional<qint64>(512));
    QVERIFY(!m_design->canUndo());
    QCOMPARE(fieldOf<QuantityEdit>(*m_page, field::globalBatch)->text(), u"512"_s);
}

void TestDesignPage::keepsTextThatCannotBeRead()
{
    auto* time = fieldOf<QuantityEdit>(*m_page, field::time);
    retype(time, u"abc"_s);
    QCOMPARE(time->text(), u"abc"_s);
    QCOMPARE(m_design->spec().time, std::optional<Seconds>(Seconds{12 * 3600}));
    QCOMPARE(visibleFaults(*m_page).size(), 1);
    QVERIFY(!visibleFaults(*m_page).first().isEmpty());
    QVERIFY(time->property("invalid").toBool());
    QVERIFY(!buttonOf(*m_page, u"Launch"_s)->isEnabled());
    // An edit elsewhere must not take the text away.
    retype(fieldOf<QuantityEdit>(*m_page, field::nodes), u"3"_s);
    QCOMPARE(time->text(), u"abc"_s);
    QCOMPARE(visibleFaults(*m_page).size(), 1);
    retype(time, u"2:00:00"_s);
    QCOMPARE(visibleFaults(*m_page).size(), 0);
    QCOMPARE(m_design->spec().time, std::optional<Seconds>(Seconds{7200}));
}

void TestDesignPage::leavesTheSpellingWhileTyping()
{
    auto* time = fieldOf<QuantityEdit>(*m_page, field::time);
    retype(time, u"90"_s);
    QCOMPARE(time->text(), u"90"_s);
    QCOMPARE(m_design->spec().time, std::optional<Seconds>(Seconds{5400}));
    QVERIFY2(time->hint().startsWith(humanDuration(Seconds{5400})), qPrintable(time->hint()));
}

void TestDesignPage::writesTheSpellingWhenLeft()
{
    auto* time = fieldOf<QuantityEdit>(*m_page, field::time);
    retype(time, u"90"_s);
    QTest::keyClick(time, Qt::Key_Return);
    QCOMPARE(time->text(), u"01:30:00"_s);
}

void TestDesignPage::showsWhatWasChosen()
{
    auto* gpus = fieldOf<QuantityEdit>(*m_page, field::gpusPerNode);
    QCOMPARE(gpus->text(), QString());
    QCOMPARE(gpus->placeholder(), u"8"_s);
    QVERIFY(!gpus->accessibleDescription().isEmpty());
    QCOMPARE(gpus->accessibleName(), u"GCDs per node"_s);
    auto* partition = fieldOf<QuantityEdit>(*m_page, field::partition);
    QCOMPARE(partition->placeholder(), u"standard-g"_s);
    QCOMPARE(partition->hint(), u"whole nodes"_s);
    QCOMPARE(fieldOf<QuantityEdit>(*m_page, field::nodes)->hint(), u"max %1"_s.arg(humanNumber(1024)));
}

void TestDesignPage::offersPartitionsAndAccounts()
{
    auto* partition = fieldOf<QuantityEdit>(*m_page, field::partition);
    QCOMPARE(partition->options().mid(0, 3), (QStringList{u"small-g"_s, u"standard-g"_s, u"dev-g"_s}));
    QCOMPARE(partition->options().size(), m_design->derived().profile->partitions.size());
    emit partition->optionChosen(u"dev-g"_s);
    QCOMPARE(m_design->spec().partition, std::optional<QString>(u"dev-g"_s));
    ClusterFacts facts;
    facts.accounts = QStringList{u"project_462000265"_s};
    m_page->setFacts(facts);
    auto* account = fieldOf<QuantityEdit>(*m_page, field::account);
    QCOMPARE(account->options(), QStringList{u"project_462000265"_s});
    emit account->optionChosen(u"project_462000265"_s);
    QCOMPARE(m_design->spec().account, std::optional<QString>(u"project_462000265"_s));
}

void TestDesignPage::choosesTheStrategy()
{
    QToolButton* single = nullptr;
    QToolButton* deep = nullptr;
    for (auto* button : m_page->findChildren<QToolButton*>()) {
        if (button->text() == u"Single")
            single = button;
        if (button->text() == u"3D")
            deep = button;
    }
    QVERIFY(single && deep);
    QVERIFY(deep->isEnabled());
    single->click();
    QCOMPARE(m_design->spec().parallel.strategy, std::optional<Strategy>(Strategy::Single));
    QVERIFY(m_design->undo());
    QVERIFY(!single->isChecked());
}

void TestDesignPage::changesTheCluster()
{
    auto* cluster = fieldOf<QComboBox>(*m_page, field::cluster);
    QVERIFY(cluster);
    const int index = cluster->findData(u"raven"_s);
    QVERIFY(index >= 0);
    cluster->setCurrentIndex(index);
    emit cluster->activated(index);
    QCOMPARE(m_design->spec().cluster, u"raven"_s);
    QCOMPARE(fieldOf<QuantityEdit>(*m_page, field::gpusPerNode)->accessibleName(), u"GPUs per node"_s);
    QVERIFY(m_design->undo());
    QCOMPARE(cluster->currentData().toString(), u"lumi"_s);
}

void TestDesignPage::selectsARankEverywhere()
{
    build([](JobSpec& spec) { spec.launcher = Launcher::Srun; });
    auto* map = m_page->findChild<RankMapView*>();
    map->setFocus();
    for (int i = 0; i < 6; ++i) // the first arrow takes rank 0
        QTest::keyClick(map, Qt::Key_Right);
    QCOMPARE(map->selectedRank(), 5);
    QCOMPARE(m_page->selectedRank(), 5);
    bool reported = false;
    for (auto* label : m_page->findChildren<QLabel*>())
        reported = reported || label->text().startsWith(u"Rank 5 ·"_s);
    QVERIFY(reported);
    QVERIFY(map->accessibleDescription().contains(u"GCD 5"_s));
    QTest::keyClick(map, Qt::Key_Down);
    QCOMPARE(m_page->selectedRank(), 13);
    auto* batch = m_page->findChild<BatchView*>();
    QTest::keyClick(batch, Qt::Key_Home);
    QCOMPARE(map->selectedRank(), 0);
    retype(fieldOf<QuantityEdit>(*m_page, field::nodes), u"1"_s);
    m_page->selectRank(15); // not there any more
    QCOMPARE(map->selectedRank(), -1);
}

void TestDesignPage::appliesAFix()
{
    // 100 h on standard-g, whose limit is two days (LUMI user guide, partitions).
    build([](JobSpec& spec) {
        spec.time = Seconds{100 * 3600};
        spec.partition = u"standard-g"_s;
    });
    const auto& findings = m_design->derived().findings;
    const auto found
        = std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.fix.has_value(); });
    QVERIFY(found != findings.end());
    auto* button = buttonOf(*m_page, found->fix->label);
    QVERIFY(button);
    const JobSpec before = m_design->spec();
    const QString label = found->fix->label;
    button->click();
    QVERIFY(m_design->spec() != before);
    QCOMPARE(m_design->undoLabel(), label);
    QVERIFY(m_design->undo());
    QCOMPARE(m_design->spec(), before);
}

void TestDesignPage::lightsTheFieldsLines()
{
    m_host->activateWindow();
    m_page->focusField(field::nodes);
    QApplication::setActiveWindow(m_host.get());
    fieldOf<QuantityEdit>(*m_page, field::globalBatch)->setFocus();
    fieldOf<QuantityEdit>(*m_page, field::nodes)->setFocus();
    const auto* editor = m_page->findChild<ScriptEditor*>();
    QVERIFY(!editor->litLines().isEmpty());
    QCOMPARE(editor->litLines(), m_design->derived().script.linesOf(field::nodes));
}

void TestDesignPage::goesFromALineToItsField()
{
    QApplication::setActiveWindow(m_host.get());
    auto* editor = m_page->findChild<ScriptEditor*>();
    const QList<int> lines = m_design->derived().script.linesOf(field::time);
    QVERIFY(!lines.isEmpty());
    editor->setCursorPosition(lines.first(), 0);
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_F12);
    QCOMPARE(QApplication::focusWidget(), fieldOf<QuantityEdit>(*m_page, field::time));
}

void TestDesignPage::blocksTheLaunch()
{
    QSignalSpy connectAsked(m_page, &DesignPage::connectRequested);
    QSignalSpy launched(m_page, &DesignPage::launchRequested);
    auto* launch = buttonOf(*m_page, u"Launch"_s);
    QVERIFY(launch->isEnabled());
    m_page->setLaunchBlocked(u"Not connected to LUMI."_s);
    QVERIFY(!launch->isEnabled());
    QVERIFY(!buttonOf(*m_page, u"Dry run"_s)->isEnabled());
    buttonOf(*m_page, u"Connect"_s)->click();
    QCOMPARE(connectAsked.count(), 1);
    m_page->setLaunchBlocked({});
    launch->click();
    QCOMPARE(launched.count(), 1);
}

void TestDesignPage::showsTheSubmission()
{
    QSignalSpy stopped(m_page, &DesignPage::stopRequested);
    QSignalSpy shown(m_page, &DesignPage::showJobRequested);
    SubmitState state;
    state.stage = SubmitState::Stage::Sending;
    state.text = u"Sending"_s;
    m_page->showSubmitState(state);
    QVERIFY(!buttonOf(*m_page, u"Launch"_s)->isEnabled());
    buttonOf(*m_page, u"Stop"_s)->click();
    QCOMPARE(stopped.count(), 1);
    state.stage = SubmitState::Stage::Submitted;
    state.job = u"9304946"_s;
    m_page->showSubmitState(state);
    QVERIFY(!buttonOf(*m_page, u"Stop"_s)->isVisible());
    buttonOf(*m_page, u"Show job 9304946"_s)->click();
    QCOMPARE(shown.first().first().toString(), u"9304946"_s);
    state.stage = SubmitState::Stage::Refused;
    state.error = {Fault::RemoteExit, u"Invalid account."_s, u"sbatch: error"_s, u"Choose another."_s};
    m_page->showSubmitState(state);
    bool reported = false;
    for (auto* label : m_page->findChildren<QLabel*>())
        reported = reported || label->text() == u"Invalid account. Choose another.";
    QVERIFY(reported);
}

void TestDesignPage::saysHowADryRunEnded_data()
{
    using Answer = StartForecast::Answer;
    QTest::addColumn<int>("answer");
    QTest::addColumn<QString>("note");
    QTest::addColumn<QString>("line");
    QTest::newRow("taken, no estimate") << int(Answer::Accepted) << QString()
                                        << u"Dry run: the scheduler would take this script; it gave no estimate of the "
                                           "start. Nothing was queued."_s;
    QTest::newRow("not asked") << int(Answer::NotAsked) << u"No dry run was made."_s
                               << u"No dry run was made. Nothing was queued."_s;
    QTest::newRow("refused in one of a list")
        << int(Answer::PartlyRefused) << u"In debug Slurm would refuse it: too long."_s
        << u"In debug Slurm would refuse it: too long. Nothing was queued."_s;
}

void TestDesignPage::saysHowADryRunEnded()
{
    QFETCH(int, answer);
    QFETCH(QString, note);
    QFETCH(QString, line);
    SubmitState state;
    state.stage = SubmitState::Stage::Rehearsing;
    m_page->showSubmitState(state);
    state.stage = SubmitState::Stage::Rehearsed;
    state.text = u"x"_s;
    state.forecast.answer = StartForecast::Answer(answer);
    state.forecast.note = note;
    m_page->showSubmitState(state);
    bool isSaid = false;
    for (auto* label : m_page->findChildren<QLabel*>())
        isSaid = isSaid || label->text() == line;
    QVERIFY(isSaid);
}

void TestDesignPage::forgetsAForecastAfterAnEdit()
{
    SubmitState state;
    state.stage = SubmitState::Stage::Rehearsing;
    m_page->showSubmitState(state);
    state.stage = SubmitState::Stage::Rehearsed;
    state.forecast.start = QDateTime::currentDateTime().addSecs(3600);
    m_page->showSubmitState(state);
    FigureButton* start = nullptr;
    for (auto* figure : m_page->findChildren<FigureButton*>()) {
        if (figure->caption().startsWith(u"expected start"_s))
            start = figure;
    }
    QVERIFY(start);
    QVERIFY(start->value().startsWith(u"≈"_s));
    retype(fieldOf<QuantityEdit>(*m_page, field::nodes), u"9"_s);
    QCOMPARE(start->caption(), u"start before the last edit"_s);
}

void TestDesignPage::foldsTheScript()
{
    auto* editor = m_page->findChild<ScriptEditor*>();
    QVERIFY(editor->isVisible());
    m_page->resize(960, 650);
    QApplication::processEvents();
    QVERIFY(!editor->isVisible());
    QVERIFY(m_page->findChild<FindingsPanel*>()->isVisibleTo(m_page));
    for (auto* button : m_page->findChildren<QToolButton*>()) {
        if (button->text() == u"Script")
            button->click();
    }
    QVERIFY(editor->isVisible());
    m_page->resize(1400, 850);
    QApplication::processEvents();
    QVERIFY(editor->isVisible());
    QVERIFY(m_page->findChild<RankMapView*>()->isVisible());
}

/// At 1280 px lines were cut after some 26 characters.
void TestDesignPage::wrapsTheScript()
{
    m_page->resize(1211, 754);
    QApplication::processEvents();
    auto* editor = m_page->findChild<ScriptEditor*>();
    const QStringList lines = editor->text().split(u'\n');
    int longest = 0;
    for (int line = 0; line < lines.size(); ++line)
        longest = lines.at(line).size() > lines.at(longest).size() ? line : longest;
    editor->goToLine(longest);
    QTRY_VERIFY(editor->SendScintilla(QsciScintilla::SCI_WRAPCOUNT, ulong(longest)) > 2);
    // Rows that go on are further right than where the line begins.
    const long begin = editor->SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, ulong(longest));
    const long end = editor->SendScintilla(QsciScintilla::SCI_GETLINEENDPOSITION, ulong(longest));
    const auto x = [editor](long at) { return editor->SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0ul, at); };
    const auto y = [editor](long at) { return editor->SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0ul, at); };
    long second = begin;
    while (second < end && y(second) == y(begin))
        ++second;
    QVERIFY(second < end);
    QVERIFY2(x(second) > editor->SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0ul,
                 editor->SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, 0ul)),
        qPrintable(QString::number(x(second))));
    QVERIFY(!editor->horizontalScrollBar()->isVisible());
}

/// Typing at a line's end emptied the pane; what is typed or taken back elsewhere left it scrolled.
void TestDesignPage::keepsTheScriptWhereItIs()
{
    m_page->resize(1211, 754);
    QApplication::processEvents();
    auto* editor = m_page->findChild<ScriptEditor*>();
    const auto top = [editor] {
        QApplication::processEvents();
        return std::pair(editor->firstVisibleLine(), int(editor->SendScintilla(QsciScintilla::SCI_GETXOFFSET)));
    };
    const auto before = top();
    QCOMPARE(before, std::pair(0, 0));
    auto* nodes = fieldOf<QuantityEdit>(*m_page, field::nodes);
    retype(nodes, u"4"_s);
    QCOMPARE(top(), before);
    QVERIFY(m_design->undo());
    QCOMPARE(top(), before);
    const int line = m_design->derived().script.linesOf(field::nodes).first();
    editor->goToLine(line);
    QCOMPARE(top(), before);
    QTest::keyClick(editor, Qt::Key_End);
    for (const char each : "  # a remark that is much longer than the pane is wide")
        QTest::keyClick(editor, each == 0 ? 'x' : each);
    QCOMPARE(top(), before);
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(editor, Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(top(), before);
    nodes->setFocus();
    editor->SendScintilla(QsciScintilla::SCI_SETFIRSTVISIBLELINE, 7ul);
    const auto lower = top();
    retype(nodes, u"8"_s);
    QCOMPARE(top(), lower);
}

void TestDesignPage::opensTheScriptAtItsTop()
{
    auto* editor = m_page->findChild<ScriptEditor*>();
    editor->goToLine(editor->lines() - 2);
    QApplication::processEvents();
    QVERIFY(editor->firstVisibleLine() > 0);
    JobSpec other = m_design->spec();
    other.name = u"another"_s;
    m_design->replace(other);
    QApplication::processEvents();
    QCOMPARE(editor->firstVisibleLine(), 0);
    QCOMPARE(editor->currentLine(), 0);
}

/// What is the same in every job is one row each, until somebody wants to see it.
void TestDesignPage::foldsWhatIsRoutine()
{
    auto* editor = m_page->findChild<ScriptEditor*>();
    const auto lineWith
        = [editor](const QString& text) { return int(editor->text().left(editor->text().indexOf(text)).count(u'\n')); };
    const int guards = lineWith(u"# Guards"_s);
    QVERIFY(editor->folds().isFolded(guards));
    QVERIFY(!editor->folds().isFolded(lineWith(u"#SBATCH --nodes"_s)));
    QVERIFY(!editor->folds().isFolded(lineWith(u"# Launch"_s)));
    retype(fieldOf<QuantityEdit>(*m_page, field::nodes), u"4"_s);
    QVERIFY(editor->folds().isFolded(guards));
    editor->goToLine(guards + 1); // as a finding does
    QVERIFY(!editor->folds().isFolded(guards));
    // Another's folds take their place, and give it back.
    m_page->setScriptFolds(QList<ScriptFold>{});
    QVERIFY(!editor->folds().isFolded(lineWith(u"# Environment of every task"_s)));
    m_page->setScriptFolds(std::nullopt);
    QVERIFY(editor->folds().isFolded(lineWith(u"# Environment of every task"_s)));
}

/// Whoever deleted the end of the last line was shown another text than the one that is launched.
void TestDesignPage::endsWithALine()
{
    auto* editor = m_page->findChild<ScriptEditor*>();
    editor->setFocus();
    editor->setCursorPosition(editor->lines() - 1, 0);
    QTest::keyClick(editor, Qt::Key_Backspace);
    QApplication::processEvents();
    QCOMPARE(editor->text(), m_design->derived().script.text());
}

/// At 1280 × 800 what does not fit had its remedy below the edge.
void TestDesignPage::showsWhatDoesNotFitFirst()
{
    build([](JobSpec& spec) { spec.model = QJsonObject{{u"preset"_s, u"llama-3-70b"_s}}; });
    m_page->resize(1211, 754);
    QApplication::processEvents();
    QVERIFY(m_design->derived().estimate.hasValue());
    QVERIFY(!m_design->derived().remedies.isEmpty());
    QPushButton* way = buttonOf(*m_page->findChild<EstimateCards*>(), m_design->derived().remedies.first().label);
    QVERIFY(way);
    QCOMPARE(way->visibleRegion().boundingRect(), way->rect());
}

/// In a window of 1280 × 800 the one finding had its links below its edge.
void TestDesignPage::whatCanBeDoneIsInView()
{
    QWidget side;
    auto* column = new QVBoxLayout(&side);
    column->setSizeConstraint(QLayout::SetNoConstraint);
    auto* panel = new FindingsPanel(&side);
    panel->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    column->addStretch(1);
    column->addWidget(panel);
    side.resize(317, 700);
    Finding finding;
    finding.severity = Severity::Warning;
    finding.field = u"model"_s;
    finding.text
        = u"685 GiB are expected on each GCD, likely 515 to 912, and 63.9 can be used: the job would end in its "
          "first steps, out of memory."_s;
    panel->setFindings({finding});
    side.show();
    QApplication::processEvents();
    auto* link = panel->findChild<QPushButton*>();
    QVERIFY(link && link->isVisible());
    QCOMPARE(link->visibleRegion().boundingRect(), link->rect());
}

/// What cannot fit has several ways out: a link for each, and the click says which.
void TestDesignPage::offersEveryWayOut()
{
    Finding unfit;
    unfit.severity = Severity::Error;
    unfit.text = u"441 GiB are expected on each GPU."_s;
    unfit.fix = Fix{u"Use FSDP"_s, {}};
    unfit.otherFixes = {Fix{u"Use 4 nodes"_s, {}}, Fix{u"8-bit AdamW"_s, {}}};
    FindingsPanel panel;
    panel.setFindings({unfit});
    QSignalSpy asked(&panel, &FindingsPanel::fixRequested);
    for (auto* button : panel.findChildren<QPushButton*>()) {
        if (button->text() == u"8-bit AdamW" || button->text() == u"Use FSDP")
            button->click();
    }
    QCOMPARE(asked.size(), 2);
    QCOMPARE(asked.at(0), (QList<QVariant>{0, 0}));
    QCOMPARE(asked.at(1), (QList<QVariant>{0, 2}));
}

/// A long fix or a word that has no end made the list wider than its panel, which does not scroll sideways.
void TestDesignPage::keepsWithinItsPanel()
{
    Finding finding;
    finding.severity = Severity::Warning;
    finding.field = u"model"_s;
    finding.text = u"78.3 GiB are expected on each GCD by "_s + u"a"_s.repeated(60) + u"."_s;
    finding.fix = Fix{u"Recompute selectively, use all 8 GCDs of a node, then 4 nodes"_s, {}};
    QWidget side;
    FindingsPanel panel(&side);
    panel.setFindings({finding});
    panel.resize(300, 500);
    side.resize(300, 500);
    side.show();
    QTRY_VERIFY(test::clippedTexts(panel).isEmpty());
    const auto* fix = panel.findChild<LinkButton*>();
    QVERIFY(!fix->text().contains(u'…'));
    // Where a word may be broken is seen, but not copied.
    const auto labels = panel.findChildren<WrappedLabel*>();
    auto* text = *std::find_if(
        labels.begin(), labels.end(), [](const QLabel* label) { return label->text().contains(u"GiB"_s); });
    text->setSelection(0, 109);
    QVERIFY(text->hasSelectedText());
    QTest::keyClick(text, Qt::Key_C, Qt::ControlModifier);
    QVERIFY(QApplication::clipboard()->text().contains(u"a"_s.repeated(60)));
}

/// A bar too narrow for a long time of a step pressed its figures together: each ended with a mark.
void TestDesignPage::figuresGiveWayWhole()
{
    QWidget window;
    VerdictBar bar(&window);
    // 70B on two nodes, in large steps: "469 GiB", "7 min 40 s 5 min 49 s–10 min 7 s".
    m_design->edit(u"Model"_s, [](JobSpec& spec) {
        spec.model = QJsonObject{{u"preset"_s, u"llama-3-70b"_s}};
        spec.training.globalBatch = 65536;
        spec.training.microBatch = 1;
    });
    QVERIFY(m_design->derived().estimate.hasValue());
    bar.setDerived(m_design->derived(), {}, 0);
    bar.setEstimate(m_design->derived().estimate, u"GCD"_s);
    window.show();
    Finding error;
    error.severity = Severity::Error;
    const QList<Finding> many(12, error);
    QVERIFY(bar.minimumSizeHint().width() < 940); // what a window of 1024 leaves
    for (int width = 940; width < 1600; width += 7) {
        bar.setDerived(m_design->derived(), {}, 0);
        window.resize(width, bar.sizeHint().height());
        bar.resize(window.size());
        QApplication::processEvents();
        bar.setDerived(m_design->derived(), many, 0);
        QApplication::processEvents();
        const QStringList marked = test::markedFigures(bar);
        QVERIFY2(marked.isEmpty(), qPrintable(u"%1: %2"_s.arg(width).arg(marked.join(u'\n'))));
    }
}

RANKWRIGHT_WIDGET_TEST_MAIN(TestDesignPage)
#include "tst_designpage.moc"
