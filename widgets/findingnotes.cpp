// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findingnotes.h"

#include "widgets/card.h"
#include "widgets/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace rankwright {

namespace {

Theme::Token edgeOf(Tone tone)
{
    switch (tone) {
    case Tone::Good: return Theme::Token::Good;
    case Tone::Warn: return Theme::Token::Warn;
    case Tone::Bad: return Theme::Token::Bad;
    case Tone::Busy: return Theme::Token::Accent;
    default: return Theme::Token::Ink3;
    }
}

} // namespace

class FindingNotes::Note final : public QWidget {
public:
    explicit Note(QWidget* parent)
        : QWidget(parent), m_title(makeLabel({}, "title", this)), m_text(makeLabel({}, "quiet", this)),
          m_action(new QPushButton(this))
    {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(13, 1, 2, 1);
        column->setSpacing(2);
        for (QLabel* label : {m_title, m_text}) {
            label->setWordWrap(true);
            label->setTextInteractionFlags(Qt::TextSelectableByMouse);
            column->addWidget(label);
        }
        m_action->setProperty("link", true);
        m_action->setStyleSheet(QStringLiteral("QPushButton { padding: 0; }")); // its text stands under the text above
        column->addWidget(m_action, 0, Qt::AlignLeft);
    }
    void present(const LiveFinding& finding)
    {
        m_tone = finding.tone;
        m_title->setText(finding.title);
        m_text->setText(finding.text);
        m_text->setVisible(!finding.text.isEmpty());
        m_action->setText(finding.action);
        m_action->setVisible(!finding.action.isEmpty());
        setAccessibleName(finding.title);
        update();
    }
    QPushButton* action() const { return m_action; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(themeOf(this).colour(edgeOf(m_tone)));
        painter.drawRoundedRect(QRectF(0, 0, 3, height()), 1.5, 1.5);
    }

private:
    QLabel* m_title;
    QLabel* m_text;
    QPushButton* m_action;
    Tone m_tone = Tone::Quiet;
};

FindingNotes::FindingNotes(QWidget* parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("What I see"));
    auto* page = new QWidget(this);
    page->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
    m_column = new QVBoxLayout(page);
    m_column->setContentsMargins(0, 0, 6, 0);
    m_column->setSpacing(13);
    m_column->addStretch();
    setWidget(page);
    page->setAutoFillBackground(false); // setWidget() switches it on
}

void FindingNotes::setFindings(const QList<LiveFinding>& findings)
{
    if (m_findings == findings)
        return;
    m_findings = findings;
    while (m_notes.size() < findings.size()) {
        auto* note = new Note(widget());
        const qsizetype place = m_notes.size();
        m_column->insertWidget(int(place), note);
        m_notes.append(note);
        connect(note->action(), &QPushButton::clicked, this, [this, place] {
            if (place < m_findings.size() && m_findings.at(place).gpu)
                emit gpuClicked(*m_findings.at(place).gpu);
        });
    }
    for (qsizetype place = 0; place < m_notes.size(); ++place) {
        m_notes.at(place)->setVisible(place < findings.size());
        if (place < findings.size())
            m_notes.at(place)->present(findings.at(place));
    }
}

} // namespace rankwright
