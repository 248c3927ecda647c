// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/jobstages.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/guide/guidecontent.h"
#include "widgets/guide/guidewords.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
enum RowState { ToCome, Now, Done, Wrong };
constexpr int rowCount = 3;
} // namespace

JobStages::JobStages(QWidget* parent) : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    for (int i = 0; i < rowCount; ++i) {
        Row row;
        row.shape = new QLabel(this);
        row.title = makeLabel({}, "title", this);
        row.title->setWordWrap(true);
        row.text = makeLabel({}, "quiet", this);
        row.text->setWordWrap(true);
        row.text->setContentsMargins(0, 0, 0, 8);
        grid->addWidget(row.shape, 2 * i, 0, Qt::AlignTop);
        grid->addWidget(row.title, 2 * i, 1);
        grid->addWidget(row.text, 2 * i + 1, 1);
        m_rows.append(row);
    }
    m_live = new QPushButton(tr("Watch it live"), this);
    m_live->setObjectName(u"guide.live"_s);
    m_report = new QPushButton(tr("The whole report"), this);
    m_jobs = new QPushButton(tr("All jobs"), this);
    m_jobs->setProperty("link", true);
    int at = 2 * rowCount;
    for (QPushButton* button : {m_live, m_report, m_jobs})
        grid->addWidget(button, at++, 1, Qt::AlignLeft);
    connect(m_live, &QPushButton::clicked, this, &JobStages::liveClicked);
    connect(m_report, &QPushButton::clicked, this, &JobStages::reportClicked);
    connect(m_jobs, &QPushButton::clicked, this, &JobStages::jobsClicked);
}

void JobStages::paint(const Row& row, int state, const QString& title, const QString& text)
{
    const Tone tone = state == Done ? Tone::Good : state == Wrong ? Tone::Bad : state == Now ? Tone::Busy : Tone::Quiet;
    const QString icon = state == Now ? u"play"_s : state == ToCome ? u"ring"_s : toneIcon(tone);
    row.shape->setPixmap(
        iconPixmap(icon, themeOf(this).colour(state == ToCome ? Theme::Token::Foreground3 : toneColour(tone)),
            qMax(16, fontMetrics().height()), devicePixelRatioF()));
    row.title->setText(title);
    row.title->setAccessibleName(state == Done ? tr("%1, done").arg(title)
            : state == Now                     ? tr("%1, now").arg(title)
                                               : title);
    row.text->setText(text);
    row.text->setVisible(!text.isEmpty());
}

void JobStages::setContent(const GuideContent& content)
{
    const GuideStage stage = content.stage;
    const bool isLaunched = stage != GuideStage::NotLaunched;
    const bool hasRun = stage == GuideStage::Running || stage == GuideStage::Completed || stage == GuideStage::Ended;
    const bool hasEnded = stage == GuideStage::Completed || stage == GuideStage::Ended;
    const QString job = content.job.isEmpty() ? tr("Queued") : tr("Queued as job %1").arg(content.job);
    paint(m_rows.at(0),
        hasRun           ? Done
            : isLaunched ? Now
                         : ToCome,
        job,
        stage == GuideStage::Queued ? content.stageText
            : isLaunched            ? QString()
                                    : tr("Nothing has been launched yet."));
    paint(m_rows.at(1),
        hasEnded                           ? Done
            : stage == GuideStage::Running ? Now
                                           : ToCome,
        tr("Running"), stage == GuideStage::Running ? content.stageText : QString());
    paint(m_rows.at(2),
        stage == GuideStage::Completed   ? Done
            : stage == GuideStage::Ended ? Wrong
                                         : ToCome,
        stage == GuideStage::Ended ? tr("Ended") : tr("Completed"), hasEnded ? content.stageText : QString());
    m_live->setText(hasEnded ? tr("Look at its GPUs") : tr("Watch it live"));
    m_live->setVisible(isLaunched);
    m_report->setVisible(hasEnded);
    m_jobs->setVisible(isLaunched);
}

QWidget* JobStages::focusTarget() const { return m_live->isVisibleTo(this) ? m_live : nullptr; }

} // namespace rankwright
