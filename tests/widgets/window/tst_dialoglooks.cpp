// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/transfer/remotefilemodel.h"
#include "tests/shots/dialogfixture.h"
#include "tests/shots/hangfixture.h"
#include "tests/shots/reportfixture.h"
#include "tests/support/testbase.h"
#include "tests/widgets/support/looks.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/comparisondialog.h"
#include "widgets/clusters/connectdialog.h"
#include "widgets/clusters/draftdialog.h"
#include "widgets/clusters/hostkeydialog.h"
#include "widgets/clusters/promptdialog.h"
#include "widgets/clusters/sentdialog.h"
#include "widgets/clusters/uploaddialog.h"
#include "widgets/files/filespage.h"
#include "widgets/files/plandialog.h"
#include "widgets/files/resultsdialog.h"
#include "widgets/forward/reachdialog.h"
#include "widgets/jobs/jobtext.h"
#include "widgets/jobs/recordingsdialog.h"
#include "widgets/learn/wordsdialog.h"
#include "widgets/live/hangdialog.h"
#include "widgets/log/patterndialog.h"
#include "widgets/login/firstlogindialog.h"
#include "widgets/login/keypanel.h"
#include "widgets/report/reportdialog.h"
#include "widgets/script/importdialog.h"
#include "widgets/script/rewritedialog.h"
#include "widgets/window/shortcutlist.h"

#include <QBoxLayout>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>

#include <functional>
#include <memory>

using namespace Qt::StringLiterals;
using namespace rankwright;
using namespace rankwright::shots;

/// Every dialog with realistic words in it, as it opens, as small as it goes and on the smallest screen: nothing cut,
/// over another, nameless, pale or mute, none larger than the screen, and Tab comes round. Those of classes are in
/// tst_classlooks. With RANKWRIGHT_SHOTS=FOLDER each is kept as a picture in every look.
class DialogLooksTest final : public test::Suite {
    Q_OBJECT
private slots:
    void init() override;
    void isReadable_data();
    void isReadable();
    void questionsAreReadable_data();
    void questionsAreReadable();

private:
    using Made = std::unique_ptr<QDialog>;
    struct Shown {
        QString name;
        std::function<Made(DialogLooksTest&)> make;
    };
    static QList<Shown> dialogs();
    static QList<Shown> logins();
    static QList<Shown> clusters();
    static QList<Shown> files();
    static QList<Shown> jobs();
    static QList<Shown> hangs();
    static QList<Shown> rest();

    Theme m_theme;
    Catalogue m_catalogue = loadCatalogue();
    std::unique_ptr<Design> m_design;
    std::unique_ptr<RecordingModel> m_recordings;
    std::unique_ptr<SentModel> m_sent;
};

void DialogLooksTest::init()
{
    QTest::failOnWarning(
        QRegularExpression(u"^(?!This plugin does not support (propagateSizeHints|raise|grabbing)).*"_s));
    m_theme.setMode(Theme::Mode::Light);
    m_design = std::make_unique<Design>(m_catalogue);
    JobSpec spec;
    spec.cluster = u"lumi"_s;
    spec.account = u"project_465000001"_s;
    spec.partition = u"standard-g"_s;
    spec.resources.nodes = 2;
    spec.model = QJsonObject{{u"preset"_s, u"llama-3-8b"_s}};
    m_design->replace(spec);
    m_recordings = std::make_unique<RecordingModel>();
    m_sent = std::make_unique<SentModel>();
}

QList<DialogLooksTest::Shown> DialogLooksTest::logins()
{
    using Kind = LoginPrompt::Kind;
    return {{u"connect"_s,
                [](auto&) -> Made {
                    return std::make_unique<ConnectDialog>(
                        u"LUMI"_s, ConnectForm{u"lumi.csc.fi"_s, 22, u"ada"_s, u"/home/ada/.ssh/id_ed25519"_s, {}});
                }},
        {u"connect-failed"_s,
            [](auto&) -> Made {
                auto made = std::make_unique<ConnectDialog>(u"LUMI"_s, ConnectForm{u"lumi.csc.fi"_s, 22, {}, {}, {}});
                made->showFailure({Fault::LoginRefused, u"lumi.csc.fi does not accept this login."_s,
                    u"ada@lumi.csc.fi: Permission denied (publickey)."_s,
                    u"Check the user name, and that the public half of your key is registered with the site."_s});
                return made;
            }},
        {u"host-key-unknown"_s, [](auto&) -> Made { return std::make_unique<HostKeyDialog>(hostKey({})); }},
        {u"host-key-published"_s,
            [](auto&) -> Made { return std::make_unique<HostKeyDialog>(hostKey({hostKey({}).fingerprint})); }},
        {u"host-key-other"_s,
            [](auto&) -> Made {
                return std::make_unique<HostKeyDialog>(
                    hostKey({u"SHA256:ypbqdMWtk9ZdXEROkeEpv+3PCEXWjPLGI79IXGHe9ac"_s}));
            }},
        {u"prompt-password"_s,
            [](auto&) -> Made {
                LoginPrompt prompt = question(Kind::Password, {{u"Password"_s, false}});
                prompt.notice = u"That was not the password. The server allows two more attempts."_s;
                return std::make_unique<PromptDialog>(prompt);
            }},
        {u"prompt-code"_s,
            [](auto&) -> Made {
                LoginPrompt prompt
                    = question(Kind::KeyboardInteractive, {{u"Password: "_s, false}, {u"OTP: "_s, true}});
                prompt.instruction = u"Please enter your password and the code of your second factor."_s;
                prompt.banner = u"Authorised users only. All activity may be monitored.\n"
                                "Maintenance on Monday from 8:00 to 18:00."_s;
                return std::make_unique<PromptDialog>(prompt);
            }},
        {u"prompt-passphrase"_s, [](auto&) -> Made {
             LoginPrompt prompt = question(Kind::Passphrase, {{u"Passphrase of /home/ada/.ssh/id_ed25519"_s, false}});
             auto made = std::make_unique<PromptDialog>(prompt);
             made->offerToKeep();
             return made;
         }}};
}

QList<DialogLooksTest::Shown> DialogLooksTest::clusters()
{
    const auto first = [](const std::function<void(FirstLoginDialog&)>& fill) {
        return [fill](DialogLooksTest& test) -> Made {
            auto made = std::make_unique<FirstLoginDialog>(*test.m_catalogue.find(u"lumi"_s),
                ConnectForm{u"lumi.csc.fi"_s, 22, u"ada"_s, u"/home/ada/.ssh/id_ed25519"_s, {}});
            made->keys().setNewPath(u"/home/ada/.ssh/id_ed25519_lumi"_s);
            fill(*made);
            return made;
        };
    };
    KeyFile key;
    key.path = u"/home/ada/.ssh/id_ed25519"_s;
    key.type = u"ssh-ed25519"_s;
    key.publicLine = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKf0CiZ9rU7b6Zirjq8slAIl5r0xWaVoD0qCFZThjRw8n ada@laptop";
    const auto draft = [](DialogLooksTest& test) {
        ClusterDraft made{*test.m_catalogue.find(u"mahti"_s), {}};
        made.doubts = {
            {u"$.billing"_s, u"Slurm does not report prices. Enter them by hand where the site publishes them."_s},
            {u"$.nodes[0].gpu.memory"_s,
                u"The name “a100” is of two models: 40 GiB was taken, since nodes of this size have it. Check it on a node."_s}};
        return made;
    };
    return {{u"first-login-empty"_s, first([](FirstLoginDialog&) {})},
        {u"first-login-key"_s, first([key](FirstLoginDialog& d) { d.keys().showKeys({key}, key.path); })},
        {u"first-login-failed"_s, first([key](FirstLoginDialog& d) {
             d.keys().showKeys({key}, key.path);
             d.showSteps(triedSteps(true), {}, FirstLoginDialog::Test::Over);
         })},
        {u"first-login-running"_s, first([key](FirstLoginDialog& d) {
             d.keys().showKeys({key}, key.path);
             d.showSteps(triedSteps(false), LoginStepKind::Scratch, FirstLoginDialog::Test::Running);
             d.showHint(u"Touch your security key now."_s);
             d.showBanner(u"lumi.csc.fi"_s, u"Authorised users only. All activity may be monitored."_s);
         })},
        {u"draft"_s,
            [draft](DialogLooksTest& test) -> Made {
                return std::make_unique<DraftDialog>(
                    draft(test), u"/home/ada/.local/share/rankwright/clusters"_s, QStringList{u"mahti"_s});
            }},
        {u"draft-failed"_s,
            [draft](DialogLooksTest& test) -> Made {
                auto made = std::make_unique<DraftDialog>(
                    draft(test), u"/home/ada/.local/share/rankwright/clusters"_s, QStringList());
                made->showError(
                    {Fault::Io, u"/home/ada/.local/share/rankwright/clusters/mahti.json cannot be written."_s,
                        u"No space left on device"_s, u"Free some room on the disk, then save again."_s});
                return made;
            }},
        {u"sent-nothing"_s, [](DialogLooksTest& test) -> Made { return std::make_unique<SentDialog>(*test.m_sent); }},
        {u"sent"_s,
            [](DialogLooksTest& test) -> Made {
                SentCommand asked;
                asked.number = 1;
                asked.time = QDateTime::fromMSecsSinceEpoch(1700000000123, Qt::UTC);
                asked.cluster = u"lumi"_s;
                asked.purpose = u"Asks for your jobs in the queue"_s;
                asked.line = u"export LC_ALL=C; squeue --me -h -o %i"_s;
                asked.end = SentCommand::End::Exited;
                asked.exitStatus = 0;
                asked.tookMs = 240;
                SentCommand streams = asked;
                streams.number = 2;
                streams.purpose = u"Samples the GPUs of a job's nodes"_s;
                streams.line = u"bash -c 'a program\nof several lines' rankwright 4711 2 nid000001 nid000002"_s;
                streams.inputBytes = 5120;
                streams.end = SentCommand::End::Open;
                streams.exitStatus.reset();
                streams.tookMs.reset();
                test.m_sent->assign({asked, streams});
                return std::make_unique<SentDialog>(*test.m_sent);
            }},
        {u"comparison"_s,
            [](auto&) -> Made {
                return std::make_unique<ComparisonDialog>(u"LUMI"_s,
                    EntryComparison{
                        {{u"$.partitions[0].maxTime"_s, u"partition small-g: longest time"_s, u"3-00:00:00"_s,
                             u"2-00:00:00"_s},
                            {u"$.partitions"_s, u"partition dev-g: most nodes of one job"_s, u"32"_s, u"16"_s},
                            {u"$.partitions"_s, u"partition largemem"_s, {}, u"there, without GPUs"_s}},
                        {u"Slurm reported no QoS: their limits are not compared."_s}});
            }},
        {u"comparison-none"_s,
            [](auto&) -> Made { return std::make_unique<ComparisonDialog>(u"LUMI"_s, EntryComparison{}); }}};
}

QList<DialogLooksTest::Shown> DialogLooksTest::files()
{
    return {{u"upload"_s,
                [](auto&) -> Made {
                    auto made = std::make_unique<UploadDialog>(
                        u"train.py is not in the working folder. Once it is copied, the launch goes on."_s,
                        u"LUMI, /scratch/project_465000001/ada/llama8b"_s, u"/home/ada"_s);
                    made->addPath(u"/home/ada/projects/llama8b/train.py"_s);
                    made->addPath(u"/home/ada/projects/llama8b/configs"_s);
                    made->showNotes({u"3 files, 29 KiB. 1 file is there already."_s,
                        u"notes.md is newer on the cluster: it is left as it is."_s});
                    return made;
                }},
        {u"upload-running"_s,
            [](auto&) -> Made {
                auto made = std::make_unique<UploadDialog>(
                    QString(), u"LUMI, /scratch/project_465000001/ada/llama8b"_s, u"/home/ada"_s);
                made->addPath(u"/home/ada/projects/llama8b"_s);
                made->showNotes({});
                for (QPushButton* one : made->template findChildren<QPushButton*>()) {
                    if (one->isDefault())
                        one->click();
                }
                made->showProgress(310LL << 20, 900LL << 20);
                return made;
            }},
        {u"files"_s,
            [](auto&) -> Made {
                auto made = std::make_unique<QDialog>();
                made->setWindowTitle(u"Files on LUMI"_s);
                auto* page = new FilesPage(made.get());
                auto* column = new QVBoxLayout(made.get());
                column->setContentsMargins(0, 0, 0, 0);
                column->addWidget(page);
                made->resize(900, 640);
                page->setOnline(true);
                page->setRooms({{u"home"_s, "/users/ada", 17LL << 30, 20LL << 30, 91'200, 100'000, {}, u"lfs quota"_s},
                    {u"scratch"_s, "/scratch/project_465000001", 41LL << 40, 50LL << 40, 1'200'000, 2'000'000, {},
                        u"lfs quota"_s}});
                FileListing listing;
                listing.root = "/users/ada";
                listing.entries = {{"checkpoints", FileEntry::Kind::Folder, 0, 1'772'352'000, 0755, {}},
                    {"data", FileEntry::Kind::Link, 0, 1'772'352'000, 0777, "/scratch/project_465000001/data"},
                    {"a-name-as-long-as-people-give-to-the-files-of-a-sweep-over-learning-rates.yaml",
                        FileEntry::Kind::File, 1'410, 1'772'352'000, 0644, {}},
                    {"train.py", FileEntry::Kind::File, 18'220, 1'772'352'000, 0644, {}}};
                page->model().setListing("/users/ada", listing);
                page->transfers().show({1, u"↑ llama8b to /scratch/project_465000001/ada"_s,
                    TransferRow::State::Running, u"310 of 900 MiB · 22 MiB/s · 27 s left"_s, 0.34});
                page->transfers().show({2, u"↓ checkpoints to /home/ada/results"_s, TransferRow::State::Failed,
                    u"The connection was lost; what is there is kept. Resume goes on where it stopped."_s, 0.71});
                return made;
            }},
        {u"files-offline"_s,
            [](auto&) -> Made {
                auto made = std::make_unique<QDialog>();
                auto* page = new FilesPage(made.get());
                auto* column = new QVBoxLayout(made.get());
                column->setContentsMargins(0, 0, 0, 0);
                column->addWidget(page);
                made->resize(900, 640);
                page->setOnline(false);
                page->setRooms({});
                page->showNote(u"The cluster is not connected."_s);
                return made;
            }},
        {u"transfer-plan"_s,
            [](auto&) -> Made {
                return std::make_unique<PlanDialog>(u"Upload to /scratch/project_465000001/ada/llama8b"_s, somePlan(),
                    QStringList{u"12 files are left out by .rankwrightignore."_s,
                        u"home is nearly full: 17 of 20 GiB and 91,200 of 100,000 files."_s});
            }},
        {u"results"_s, [](auto&) -> Made {
             return std::make_unique<ResultsDialog>(u"Results of job 9304902 (gpt-imdb)"_s,
                 QList<ResultRow>{{u"gpt-imdb-9304902.out"_s, u"output"_s, 482'113, true},
                     {u"gpt-imdb-9304902.err"_s, u"output"_s, 0, true},
                     {u"checkpoints/step_6400"_s, u"checkpoint"_s, 12LL << 30, false},
                     {u"metrics/a-name-as-long-as-people-give-to-the-files-of-a-sweep.csv"_s, u"other"_s, 91'233,
                         false}},
                 u"/home/ada/results/9304902"_s);
         }}};
}

QList<DialogLooksTest::Shown> DialogLooksTest::jobs()
{
    const auto report = [](bool end) {
        return [end](DialogLooksTest&) -> Made {
            auto made = std::make_unique<ReportDialog>();
            made->showReport(test::someReport(), test::someSpeedup(),
                {u"The first 40 s were not recorded: the job had begun before it was watched."_s},
                ReportDialog::OpenDesign::OfItsKind);
            if (end) {
                QScrollBar* bar = made->template findChild<QScrollArea*>()->verticalScrollBar();
                connect(bar, &QScrollBar::rangeChanged, bar, [bar](int, int most) { bar->setValue(most); });
                made->report(u"Saved as /home/ada/reports/gpt-imdb-7100412.md"_s);
            }
            return made;
        };
    };
    const auto reach = [](ReachDialog::Page page) {
        return [page](DialogLooksTest&) -> Made {
            auto made = std::make_unique<ReachDialog>();
            made->showSubject(reached());
            made->showForwards(
                {{1, u"127.0.0.1:8889"_s, u"nid005526, port 8889"_s, u"9304946"_s,
                     u"Through a Slurm step on nid005526 · 3 open · 1.2 MB in, 14 kB out"_s, true, false},
                    {2, u"127.0.0.1:6007"_s, u"nid005525, port 6006"_s, u"9304946"_s,
                        u"Nothing answers on port 6006 of nid005525: from the login node: Connection refused"_s, true,
                        true},
                    {3, u"127.0.0.1:8265"_s, u"nid005525, port 8265"_s, u"9304811"_s, u"Job 9304811 has ended."_s,
                        false, false}});
            made->showLines(u"ssh -t ada@lumi.csc.fi 'srun --overlap --jobid=9304946 --nodes=1 --ntasks=1 "
                            "--nodelist=nid005526 --pty bash -l'"_s,
                u"code --remote ssh-remote+ada@lumi.csc.fi /scratch/project_465000001/ada"_s,
                u"Host lumi-nid005526\n    HostName nid005526\n    User ada\n    ProxyJump ada@lumi.csc.fi\n"_s);
            made->report(u"Port 8889 of nid005526 is available at 127.0.0.1:8889."_s);
            made->setPage(page);
            return made;
        };
    };
    return {{u"report"_s, report(false)}, {u"report-end"_s, report(true)},
        {u"report-waiting"_s,
            [](auto&) -> Made {
                auto made = std::make_unique<ReportDialog>();
                made->showWaiting(u"9304902"_s);
                return made;
            }},
        {u"report-summing"_s,
            [](auto&) -> Made {
                auto made = std::make_unique<ReportDialog>();
                made->showWaiting(u"9304902"_s);
                made->showSumming(0.42);
                return made;
            }},
        {u"report-failed"_s,
            [](auto&) -> Made {
                auto made = std::make_unique<ReportDialog>();
                made->showError({Fault::RemoteExit, u"Slurm has no record of job 9304902."_s,
                    u"sacct: error: Slurm accounting storage is disabled"_s,
                    u"Open the recording instead: it has the samples, without what Slurm accounted."_s});
                return made;
            }},
        {u"recordings"_s,
            [](auto& test) -> Made {
                test.m_recordings->assign(recordings());
                return std::make_unique<RecordingsDialog>(*test.m_recordings, 2LL << 30);
            }},
        {u"recordings-undo"_s,
            [](auto& test) -> Made {
                test.m_recordings->assign(recordings());
                auto made = std::make_unique<RecordingsDialog>(*test.m_recordings, 2LL << 30);
                made->report(u"2 recordings (72 MiB) were removed."_s, RecordingsDialog::Undo::Offered);
                return made;
            }},
        {u"recordings-none"_s,
            [](auto& test) -> Made { return std::make_unique<RecordingsDialog>(*test.m_recordings, 2LL << 30); }},
        {u"reach-ports"_s, reach(ReachDialog::Page::Ports)}, {u"reach-shell"_s, reach(ReachDialog::Page::Shell)}};
}

/// A look at the ranks: under way, with what it found, of many ranks, and refused while an older answer stands there.
QList<DialogLooksTest::Shown> DialogLooksTest::hangs()
{
    const auto found = [](int ranks) {
        auto made = std::make_unique<HangDialog>();
        made->showSubject(u"9304946"_s, u"lumi"_s, u"llama8b · 9304946 on LUMI"_s);
        made->showAnswer(hangVerdict(hangingEvidence(ranks)), QDateTime(QDate(2026, 3, 2), QTime(14, 9, 12)));
        return made;
    };
    return {{u"hang-looking"_s,
                [](auto&) -> Made {
                    auto made = std::make_unique<HangDialog>();
                    made->showSubject(u"9304946"_s, u"lumi"_s, u"llama8b · 9304946 on LUMI"_s);
                    made->showInspecting(3.4, 4);
                    return made;
                }},
        {u"hang-found"_s, [found](auto&) -> Made { return found(32); }},
        {u"hang-1024"_s, [found](auto&) -> Made { return found(1024); }},
        {u"hang-refused"_s, [found](auto&) -> Made {
             auto made = found(32);
             made->showTrouble(
                 {Fault::RemoteExit, u"Slurm does not let the measuring step run alongside the job's own."_s,
                     u"srun: error: Unable to create step for job 9304946: Requested nodes are busy"_s,
                     u"This needs Slurm 20.11 or newer; nothing comes until the job's step has ended."_s});
             return made;
         }}};
}

QList<DialogLooksTest::Shown> DialogLooksTest::rest()
{
    const auto words = [](const QString& at) {
        return [at](DialogLooksTest& test) -> Made {
            auto made = std::make_unique<WordsDialog>(*test.m_design);
            made->setCourse(u"Getting started with AI on LUMI"_s, {});
            made->showAt(at);
            return made;
        };
    };
    return {{u"words"_s, words({})}, {u"words-term"_s, words(u"zero"_s)}, {u"words-none"_s, words(u"xyzzy"_s)},
        {u"pattern"_s,
            [](auto&) -> Made {
                auto made
                    = std::make_unique<PatternDialog>(uR"(tick (?<step>\d+) of (?<steps>\d+), err (?<loss>[\d.]+))"_s);
                made->showPreview({{u"0: tick 40 of 90, err 1.5, 0.8 s each"_s, u"step 40 of 90, loss 1.5"_s},
                                      {u"0: tick 41 of 90, err 1.4, 0.8 s each"_s, u"step 41 of 90, loss 1.4"_s}},
                    400, {});
                return made;
            }},
        {u"pattern-wrong"_s,
            [](auto&) -> Made {
                auto made = std::make_unique<PatternDialog>(uR"(tick (?<step>\d+ of)"_s);
                made->showPreview({}, 400, u"The bracket at 6 is not closed."_s);
                return made;
            }},
        {u"import"_s,
            [](auto&) -> Made {
                return std::make_unique<ImportDialog>(u"train.sbatch"_s,
                    QList<NotUnderstood>{{7, u"#SBATCH --hint=nomultithread"_s,
                                             u"The form has no field for this directive; it is kept as it is."_s},
                        {19, u"source /appl/local/csc/soft/ai/env.sh && ulimit -c 0 && export PYTHONUNBUFFERED=1"_s,
                            u"This command is kept in front of the launch."_s},
                        {31, u"srun --label --kill-on-bad-exit=1 singularity exec $SIF bash -c '$CMD'"_s,
                            u"What is started is only known when the script runs."_s}});
            }},
        {u"rewrite"_s,
            [](auto&) -> Made {
                const RewriteDialog::Texts texts{
                    u"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --time=10\nsrun python train.py\n"_s,
                    u"#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --time=00:10:00\nset -euo pipefail\nsrun python train.py\n"_s};
                return std::make_unique<RewriteDialog>(u"train.sbatch"_s, texts,
                    QList<NotUnderstood>{
                        {4, u"srun python train.py"_s, u"What is started is only known when the script runs."_s}});
            }},
        {u"shortcuts"_s, [](auto&) -> Made { return std::make_unique<ShortcutList>(); }}};
}

QList<DialogLooksTest::Shown> DialogLooksTest::dialogs()
{
    return logins() + clusters() + files() + jobs() + hangs() + rest();
}

void DialogLooksTest::isReadable_data()
{
    QTest::addColumn<int>("dialog");
    const QList<Shown> all = dialogs();
    for (int dialog = 0; dialog < int(all.size()); ++dialog)
        QTest::addRow("%s", qPrintable(all.at(dialog).name)) << dialog;
}

void DialogLooksTest::isReadable()
{
    QFETCH(int, dialog);
    const Shown shown = dialogs().at(dialog);
    m_theme.apply();
    const Made made = shown.make(*this);
    made->show();
    QVERIFY(QTest::qWaitForWindowExposed(made.get(), test::longWaitMs));
    QApplication::setActiveWindow(made.get());
    const QStringList faults = test::dialogFaults(*made, m_theme, shown.name);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

void DialogLooksTest::questionsAreReadable_data()
{
    QTest::addColumn<int>("which");
    for (const auto& [name, which] :
        {std::pair{"cancel a job", 0}, {"remove a recording", 1}, {"remove several recordings", 2}})
        QTest::addRow("%s", name) << which;
}

/// Small questions hold up whoever asks: they are looked at while they wait.
void DialogLooksTest::questionsAreReadable()
{
    QFETCH(int, which);
    m_theme.apply();
    QWidget window;
    window.resize(1280, 720);
    window.show();
    bool seen = false;
    QStringList faults;
    const auto lookAt = [&] {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            auto* box = qobject_cast<QMessageBox*>(widget);
            if (!box || !box->isVisible())
                continue;
            seen = true;
            QApplication::setActiveWindow(box);
            faults = test::dialogFaults(*box, m_theme, u"question-%1"_s.arg(which));
            box->reject();
        }
    };
    QTimer::singleShot(0, this, lookAt);
    if (which == 0)
        confirmCancel(&window, jobRows().at(1).job);
    else if (which == 1)
        confirmRemoval(&window, {recordings().at(1)});
    else
        confirmRemoval(&window, recordings());
    QTRY_VERIFY(seen);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
}

RANKWRIGHT_WIDGET_TEST_MAIN(DialogLooksTest)
#include "tst_dialoglooks.moc"
