// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The guided first job, every step, with real questions: shots_guide FOLDER [PART OF A NAME].
#include "models/script/document/design.h"
#include "models/teaching/guide/guidequestions.h"
#include "tests/shots/camera.h"
#include "widgets/guide/answercard.h"
#include "widgets/guide/guidepage.h"

#include <QBoxLayout>
#include <QRadioButton>

using namespace Qt::StringLiterals;
using namespace rankwright;

namespace {

GuideContent contentOf(GuideStep step, const GuideContext& asked, const Derived& derived)
{
    GuideContent content;
    content.question = guideQuestion(step, asked);
    content.reached = step;
    content.soFar = guideSummary(derived, asked, step);
    content.nextText = step == GuideStep::Launch ? u"Launch"_s
        : step == GuideStep::Watch               ? u"Go on in Design"_s
                                                 : u"Next: the script"_s;
    content.obstacle = guideObstacle(content.question);
    content.derived = &derived;
    content.clusterTitle = asked.profile().title;
    content.isPractice = asked.isPractice();
    content.parts = guideScriptParts(derived.script, derived.resolved);
    GuideSurroundings around;
    around.isOnline = asked.isPractice();
    content.checks = guideChecks(derived, asked, around);
    content.mayConnect = !around.isOnline;
    if (step == GuideStep::Launch)
        content.question.entries = guideLaunchEntries(derived, asked);
    content.expected = guideExpectation(derived, asked, GuideSurroundings(), QDateTime::currentDateTime());
    content.stage = GuideStage::Completed;
    content.stageText = u"Completed."_s;
    content.job = u"1234"_s;
    JobRecord record;
    record.state = JobState::Completed;
    record.gpus = 8;
    record.elapsed = Seconds{64};
    content.closing = guideClosing(record, nullptr, u"GCD"_s, GuideBilling::Free);
    return content;
}

void shoot(const shots::Camera& camera, const QString& cluster, const QString& model, int pixels)
{
    static const Catalogue catalogue = loadCatalogue();
    GuideContext asked{catalogue, guidedDesign(cluster, catalogue)};
    asked.spec.model = QJsonObject{{u"preset"_s, model}};
    const Derived derived = derive(asked.spec, asked.profile());
    for (int i = 0; i < guideSteps; ++i) {
        const QString name = u"guide_%1_%2_%3_%4px"_s.arg(cluster).arg(i + 1).arg(model).arg(pixels);
        if (!camera.wants(name))
            continue;
        QWidget host;
        auto* column = new QVBoxLayout(&host);
        column->setContentsMargins(0, 0, 0, 0);
        auto* page = new GuidePage(&host);
        column->addWidget(page);
        if (pixels > 13)
            host.setStyleSheet(u"QWidget { font-size: %1px; }"_s.arg(pixels));
        page->setContent(contentOf(GuideStep(i), asked, derived));
        page->focusStep();
        for (AnswerCard* card : page->findChildren<AnswerCard*>())
            card->setUnfolded(card->button()->isChecked());
        camera.capture(name, host);
    }
}

} // namespace

int main(int argc, char** argv)
{
    return shots::takePictures(argc, argv, [](shots::Camera camera) {
        for (const QSize size : {camera.size, QSize(1024, 700)}) {
            camera.size = size;
            shoot(camera, u"practice"_s, u"gpt-neo-1.3b"_s, 13);
            shoot(camera, u"lumi"_s, u"llama-3-8b"_s, 13);
            shoot(camera, u"lumi"_s, u"llama-3-8b"_s, 26);
        }
    });
}
