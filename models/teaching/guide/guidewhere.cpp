// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/teaching/guide/guidequestions.h"

#include "models/core/quantitytext.h"

using namespace Qt::StringLiterals;

namespace rankwright::inline teaching::guideparts {

namespace {

QString gpusOf(const NodeShape& shape)
{
    const QString memory = shape.gpu.memory.count > 0 ? u" of "_s + gibText(double(shape.gpu.memory.count)) : QString();
    return u"%1%2 on a node"_s.arg(gpusText(shape.gpus, shape.gpu.word), memory);
}

QString loginWords(const LoginRule& login)
{
    return login.method.isEmpty() ? u"with an account of the site"_s : u"with "_s + login.method.section(u';', 0, 0);
}

GuideAnswer practiceAnswer(const ClusterProfile& profile)
{
    GuideAnswer answer;
    answer.id = profile.name;
    answer.title = u"On this machine"_s;
    answer.term = u"the practice cluster"_s;
    answer.termId = u"slurm"_s;
    answer.advised = true;
    answer.tone = Tone::Good;
    answer.verdict = u"No account"_s;
    const NodeShape* shape = profile.nodes.isEmpty() ? nullptr : &profile.nodes.first();
    answer.figures = (shape ? u"looks like %1 · "_s.arg(gpusOf(*shape)) : QString()) + u"costs nothing"_s;
    answer.why = u"A real Slurm with %1 partitions runs on this machine: the same commands, the same log, the same "
                 "mistakes. Nothing leaves it and nobody is billed. The price: its %2 are stand-ins, so that a small "
                 "real training runs on the processors and speeds are not those of a real cluster."_s
                     .arg(profile.partitions.size())
                     .arg(shape ? gpusText(shape->gpus, shape->gpu.word) + u" a node"_s : u"GPUs"_s);
    return answer;
}

GuideAnswer siteAnswer(const ClusterProfile& profile, const GuideContext& context)
{
    GuideAnswer answer;
    answer.id = profile.name;
    answer.title = profile.title;
    const bool known = context.knownClusters.contains(profile.name);
    answer.tone = Tone::Quiet;
    answer.verdict = known ? u"You were here"_s : u"Needs an account"_s;
    const NodeShape* shape = profile.nodeShape({});
    if (shape && shape->gpus > 0)
        answer.figures = gpusOf(*shape) + (shape->count ? u" · "_s + nodesText(*shape->count) : QString());
    else
        answer.figures = u"its nodes are not described"_s;
    JobSpec moved = movedTo(context.spec, profile.name, context.catalogue);
    const auto price = guidePrice(resolve(moved, profile), profile);
    answer.why = u"Your job runs on real GPUs%1: what you see there is what your training will do. The price: you log "
                 "in %2, name a project that pays (%3), and wait in the queue until others have finished."_s.arg(
                     shape && !shape->gpu.model.isEmpty() ? u" (%1)"_s.arg(shape->gpu.model) : QString(),
                     loginWords(profile.login), priceWords(price));
    if (!profile.acceptsJobs) {
        answer.tone = Tone::Bad;
        answer.verdict = u"Accepts no jobs"_s;
        answer.obstacle = u"%1 accepts no jobs: %2."_s.arg(profile.title, profile.status);
    }
    return answer;
}

/// The design's own first, then those one was on, then the catalogue's.
QStringList sitesFor(const GuideContext& context)
{
    QStringList names{context.spec.cluster};
    names += context.knownClusters;
    for (const ClusterProfile& profile : context.catalogue.clusters) {
        if (profile.acceptsJobs && profile.nodeShape({}))
            names.append(profile.name);
    }
    names.removeDuplicates();
    names.removeAll(QString::fromUtf16(practiceName));
    return names;
}

} // namespace

GuideQuestion askWhere(const GuideContext& context)
{
    GuideQuestion question;
    question.step = GuideStep::Where;
    question.title = u"Where shall it run?"_s;
    question.text = u"A job is a script that waits in a queue until enough GPUs are free. The queue is Slurm's; the "
                    "cluster behind it may be a large one, or the small one that comes with this program."_s;
    const QString word = resolve(context.spec, context.profile()).node.gpu.word;
    if (!word.isEmpty() && word != u"GPU")
        question.text += u" A %1 is what Slurm counts as one GPU there."_s.arg(word);
    const auto add = [&](GuideAnswer answer) {
        answer.spec = fitted(movedTo(context.spec, answer.id, context.catalogue), context);
        if (answer.id == context.spec.cluster) {
            answer.spec = context.spec;
            question.chosen = int(question.answers.size());
        }
        question.answers.append(answer);
    };
    if (const ClusterProfile* practice = context.catalogue.find(QString::fromUtf16(practiceName)))
        add(practiceAnswer(*practice));
    for (const QString& name : sitesFor(context)) {
        const ClusterProfile* profile = context.catalogue.find(name);
        if (profile && question.answers.size() < mostAnswers - 1)
            add(siteAnswer(*profile, context));
    }
    GuideEntry others;
    others.field = field::cluster;
    others.label = u"Another cluster"_s;
    others.help = u"%1 clusters are known by their published figures; yours can be asked on the Clusters page."_s.arg(
        context.catalogue.clusters.size());
    others.fixed = true;
    for (const ClusterProfile& profile : context.catalogue.clusters)
        others.choices.append(profile.title);
    others.value = context.profile().title;
    question.entries = {others};
    if (context.isLocked(field::cluster))
        lock(question, context.settled.locks.value(QString(field::cluster)));
    return question;
}

} // namespace rankwright::inline teaching::guideparts
