// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer.h"
#include "app/cli/netcommands.h"
#include "app/practicecluster.h"

#include <QEventLoop>

using namespace Qt::StringLiterals;

namespace rankwright {
namespace {

void printStatus(const PracticeStatus& status, const CliContext& context)
{
    if (context.json) {
        printJson(context.out, status.json);
        return;
    }
    TextFacts facts;
    facts.add(u"running"_s, status.running ? u"yes"_s : u"no"_s);
    if (status.running) {
        facts.add(u"login"_s, u"%1@%2 port %3"_s.arg(status.user, status.host).arg(status.port));
        facts.add(u"key"_s, status.identity);
        facts.add(u"account"_s, status.account);
        facts.add(u"folder"_s, status.workdir);
        facts.add(u"training"_s, status.trainScript);
        for (const QString& difference : status.differences)
            facts.add(u"differs"_s, difference);
    }
    facts.print(context.out);
}

} // namespace

int runPractice(const CliContext& context)
{
    const QString word = context.positional.value(0);
    if (word != u"up"_s && word != u"down"_s && word != u"status"_s)
        return report(
            context, {Fault::Invalid, u"practice %1 is not known."_s.arg(word), {}, u"Give up, down or status."_s});
    QStringList words{word};
    if (context.has(u"purge"_s)) {
        if (word != u"down"_s)
            return report(context, {Fault::Invalid, u"--purge goes with down only."_s, {}, u"Leave it out."_s});
        words.append(u"--purge"_s);
    }
    PracticeCluster practice;
    QObject::connect(&practice, &PracticeCluster::progressed, &practice, [&context](const PracticeStep& step) {
        context.err << u"[%1/%2] "_s.arg(step.number).arg(step.of) << step.text << u'\n';
        context.err.flush();
    });
    QEventLoop loop;
    int code = ExitDone;
    practice.order(words, &loop, [&](const Result<QByteArray>& answer) {
        if (!answer) {
            code = report(context, answer.error(), ExitNo);
        } else if (const auto status = readPracticeStatus(answer->trimmed().isEmpty() ? "{}" : *answer); !status) {
            code = report(context, status.error(), ExitNo);
        } else {
            printStatus(*status, context);
            code = word == u"status"_s && !status->running ? ExitNo : ExitDone;
        }
        loop.quit();
    });
    loop.exec();
    return code;
}

} // namespace rankwright
