// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Pictures of a job's output alone: causes, colours, two ranks side by side, a search, a pattern.
//   QT_QPA_PLATFORM=offscreen shots_logs FOLDER
#include "models/insight/diagnosis/logdiagnoser.h"
#include "models/insight/progress/traininglogreader.h"
#include "widgets/base/card.h"
#include "widgets/base/theme.h"
#include "widgets/log/joblogview.h"
#include "widgets/log/patterndialog.h"

#include <QApplication>
#include <QBoxLayout>
#include <QDir>
#include <QLineEdit>

using namespace rankwright;
using namespace Qt::StringLiterals;

namespace {

QByteArray sampleLog()
{
    QByteArray log = "srun: job 9304946 has been allocated resources\n";
    for (int step = 4410; step < 4436; ++step) {
        const QByteArray n = QByteArray::number(step);
        log += "0: \x1b[36m[titan]\x1b[0m step: \x1b[31m" + n + "\x1b[0m  \x1b[32mloss:  2.3" + n.right(3)
            + "\x1b[0m  \x1b[33mmemory: 49.66GiB(52.28%)\x1b[0m  \x1b[34mtps: 5,856\x1b[0m  \x1b[35mmfu: "
              "34.29%\x1b[0m\n";
        if (step % 5 == 0)
            log += "1: \x1b[2m2026-03-02 14:12:31\x1b[0m \x1b[1;97;42m INFO \x1b[0m shard " + n + " opened\n";
    }
    log += "3: \x1b[1;33mWARNING\x1b[0m dataloader waited 11.8 s\n"
           "3: Traceback (most recent call last):\n"
           "3: torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of "
           "63.98 "
           "GiB of which 1.52 GiB is free.\n"
           "srun: error: nid005528: task 3: Exited with exit code 1\n"
        + QByteArray(20000, 'x') + "\n\r 37%|####      | 4440/12000 [1:52:02<3:10:44,  1.51s/it, loss=2.31]\r";
    return log;
}

void fill(JobLogView& view)
{
    TrainingLogReader reader;
    reader.startAt(0);
    LogDiagnoser diagnoser;
    view.setFiles({{0, u"/s/run.out"_s, u"run.out"_s, {}}});
    view.append(reader.feed(sampleLog()));
    view.append(reader.finish());
    diagnoser.feed(sampleLog());
    view.showDiagnoses(diagnoser.diagnoses());
}

void take(QWidget& widget, const QDir& folder, const QString& name)
{
    widget.setAttribute(Qt::WA_StyledBackground);
    widget.show();
    for (int round = 0; round < 5; ++round)
        QApplication::processEvents();
    widget.grab().save(folder.filePath(name + u".png"_s));
}

void shoot(const QDir& folder, const QString& mode, const QSize& size)
{
    const QString tail = u"_%1_%2"_s.arg(mode).arg(size.width());
    for (const QString& kind : {u"cause"_s, u"split"_s, u"search"_s}) {
        QWidget page;
        page.resize(size);
        auto* column = new QVBoxLayout(&page);
        auto* card = new Card(u"Output"_s, &page);
        column->addWidget(card);
        auto* view = new JobLogView(card);
        card->head()->addWidget(view->controls());
        card->body()->addWidget(view, 1);
        fill(*view);
        if (kind == u"split"_s) {
            view->showDiagnoses({});
            view->setRankFilter(0);
            view->setSplit(true);
        } else if (kind == u"search"_s) {
            view->showDiagnoses({});
            view->controls()->findChild<QLineEdit*>()->setText(u"dataloader waited"_s);
            QObject::connect(view, &JobLogView::searchWanted, view, [view](int, const LogQuery&) {
                view->addHits({{0, 1000, u"3: WARNING dataloader waited 9.1 s"_s},
                    {0, 2000, u"3: WARNING dataloader waited 11.8 s"_s},
                    {0, 400, u"7: WARNING dataloader waited 3.0 s"_s}});
                LogSearchState state;
                state.isRunning = true;
                state.searched = 3LL << 30;
                state.total = 10LL << 30;
                view->showSearch(state);
            });
            for (QAction* action : view->controls()->findChildren<QAction*>()) {
                if (action->text().startsWith(u"Search the whole"_s))
                    action->trigger();
            }
        }
        take(page, folder, u"logs_"_s + kind + tail);
    }
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QDir folder(application.arguments().value(1, u"."_s));
    Theme theme;
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        theme.apply();
        const QString mode = dark ? u"dark"_s : u"light"_s;
        shoot(folder, mode, {640, 420});
        shoot(folder, mode, {1280, 700});
        PatternDialog dialog(uR"(step: (?<step>\d+)\s+loss:\s+(?<loss>[\d.]+))"_s);
        dialog.showPreview({{u"[titan] step: 4410  loss:  2.3410"_s, u"step 4410, loss 2.341"_s},
                               {u"[titan] step: 4411  loss:  2.3411"_s, u"step 4411, loss 2.3411"_s}},
            300, {});
        take(dialog, folder, u"logs_pattern_"_s + mode);
    }
    return 0;
}
