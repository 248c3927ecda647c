// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/alertnotes.h"

#include "widgets/base/card.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include <array>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

Theme::Token edgeOf(Tone tone)
{
    switch (tone) {
    case Tone::Good: return Theme::Token::Good;
    case Tone::Warn: return Theme::Token::Warn;
    case Tone::Bad: return Theme::Token::Bad;
    case Tone::Busy: return Theme::Token::Accent;
    default: return Theme::Token::Foreground3;
    }
}

} // namespace

/// Title, what was seen, what it means, what to do, and up to five links: look where it hangs, show it, copy
/// the option, open the design, show the line that says so.
class AlertNotes::Note final : public QWidget {
public:
    explicit Note(QWidget* parent)
        : QWidget(parent), m_title(makeLabel({}, "title", this)), m_text(makeLabel({}, "quiet", this)),
          m_meaning(makeLabel({}, "quiet", this)), m_advice(makeLabel({}, {}, this))
    {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(13, 1, 2, 1);
        column->setSpacing(3);
        for (QLabel* label : {m_title, m_text, m_meaning, m_advice}) {
            label->setWordWrap(true);
            label->setTextInteractionFlags(Qt::TextSelectableByMouse);
            column->addWidget(label);
        }
        for (QPushButton*& link : m_links) {
            link = new QPushButton(this);
            link->setProperty("link", true);
            link->setStyleSheet(QStringLiteral("QPushButton { padding: 0; }")); // under the text above
            column->addWidget(link, 0, Qt::AlignLeft);
        }
    }
    void present(const AlertText& finding)
    {
        m_tone = finding.tone;
        put(m_title, finding.word.isEmpty() ? finding.title : finding.word + u" \u00b7 "_s + finding.title);
        put(m_text, finding.text);
        put(m_meaning, finding.meaning);
        put(m_advice, finding.advice);
        m_advice->setToolTip(finding.source.isEmpty() ? QString() : AlertNotes::tr("Source: %1").arg(finding.source));
        link(4, finding.inspectionObstacle ? AlertNotes::tr("Where does it hang?") : QString());
        const QString why = finding.inspectionObstacle.value_or(QString());
        link(4)->setEnabled(why.isEmpty());
        link(4)->setToolTip(richToolTip(why));
        link(4)->setAccessibleDescription(why);
        link(0, finding.gpu ? finding.gpuAction : QString());
        link(1, finding.option.isEmpty() ? QString() : AlertNotes::tr("Copy %1").arg(elided(finding.option)));
        link(2, finding.field.isEmpty() ? QString() : AlertNotes::tr("Open the design there"));
        link(3, finding.failure.isEmpty() ? QString() : AlertNotes::tr("Show its line in the output"));
        setAccessibleName(finding.word.isEmpty() ? finding.title : finding.word + u": "_s + finding.title);
        setAccessibleDescription(QStringList{finding.text, finding.meaning, finding.advice}.join(u' ').simplified());
        update();
    }
    QPushButton* link(int which) const { return m_links.at(size_t(which)); }

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
    static QString elided(const QString& text) { return text.size() > 34 ? text.left(33) + u'\u2026' : text; }
    static void put(QLabel* label, const QString& text)
    {
        label->setText(text);
        label->setVisible(!text.isEmpty());
    }
    void link(int which, const QString& text)
    {
        link(which)->setText(text);
        link(which)->setVisible(!text.isEmpty());
    }

    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_meaning;
    QLabel* m_advice;
    std::array<QPushButton*, 5> m_links{};
    Tone m_tone = Tone::Quiet;
};

AlertNotes::AlertNotes(QWidget* parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Alerts"));
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

void AlertNotes::setFindings(const QList<AlertText>& findings)
{
    if (m_findings == findings)
        return;
    m_findings = findings;
    while (m_notes.size() < findings.size()) {
        auto* note = new Note(widget());
        const qsizetype place = m_notes.size();
        m_column->insertWidget(int(place), note);
        m_notes.append(note);
        connect(note->link(0), &QPushButton::clicked, this, [this, place] {
            if (place < m_findings.size() && m_findings.at(place).gpu)
                emit gpuClicked(*m_findings.at(place).gpu);
        });
        connect(note->link(1), &QPushButton::clicked, this, [this, place] {
            if (place < m_findings.size())
                QGuiApplication::clipboard()->setText(m_findings.at(place).option);
        });
        connect(note->link(4), &QPushButton::clicked, this, &AlertNotes::hangInspectionClicked);
        connect(note->link(2), &QPushButton::clicked, this, [this, place] {
            if (place < m_findings.size())
                emit fieldClicked(m_findings.at(place).field);
        });
        connect(note->link(3), &QPushButton::clicked, this, [this, place] {
            if (place < m_findings.size())
                emit lineClicked(m_findings.at(place).failure);
        });
    }
    for (qsizetype place = 0; place < m_notes.size(); ++place) {
        m_notes.at(place)->setVisible(place < findings.size());
        if (place < findings.size())
            m_notes.at(place)->present(findings.at(place));
    }
}

} // namespace rankwright
