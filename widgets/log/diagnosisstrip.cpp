// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/diagnosisstrip.h"

#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/linkbutton.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// The advice begins with what happened: its first sentence is the title.
qsizetype endOfFirstSentence(const QString& text)
{
    const qsizetype stop = text.indexOf(u". "_s);
    return stop < 0 ? text.size() : stop + 1;
}

} // namespace

QString diagnosisPlace(const Diagnosis& diagnosis)
{
    QStringList parts;
    if (diagnosis.rank)
        parts.append(DiagnosisStrip::tr("rank %1").arg(*diagnosis.rank));
    if (diagnosis.gpu)
        parts.append(DiagnosisStrip::tr("GPU %1").arg(*diagnosis.gpu));
    if (!diagnosis.node.isEmpty())
        parts.append(diagnosis.node);
    else if (!diagnosis.amongNodes.isEmpty())
        parts.append(oneOfRanks(diagnosis));
    if (diagnosis.line)
        parts.append(DiagnosisStrip::tr("line %1").arg(humanNumber(double(*diagnosis.line), 0)));
    return parts.join(u" · "_s);
}

DiagnosisStrip::DiagnosisStrip(QWidget* parent) : QFrame(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 8, 10, 8);
    column->setSpacing(3);
    m_title = makeLabel({}, "section", this);
    m_title->setWordWrap(true);
    m_title->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_evidence = new LinkButton({}, this);
    m_evidence->setStyleSheet(u"text-align: left; padding-left: 0"_s);
    m_evidence->setFont(Theme::codeFont(11));
    m_evidence->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_advice = makeLabel({}, "quiet", this);
    m_advice->setWordWrap(true);
    m_advice->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    column->addWidget(m_title);
    column->addWidget(m_evidence);
    column->addWidget(m_advice);
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    m_change = makeLabel({}, "plain", this);
    m_change->setWordWrap(true);
    m_change->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_apply = new QPushButton(tr("Apply to the design"), this);
    m_apply->setAutoDefault(false);
    row->addWidget(m_change, 1);
    row->addWidget(m_apply, 0, Qt::AlignTop);
    column->addLayout(row);
    for (QLabel* label : {m_title, m_advice, m_change})
        label->setTextFormat(Qt::PlainText); // a log's text is never markup
    setAccessibleName(tr("What went wrong"));
    connect(m_evidence, &QPushButton::clicked, this, [this] {
        if (!m_diagnoses.isEmpty())
            emit evidenceClicked(m_diagnoses.first());
    });
    connect(m_apply, &QPushButton::clicked, this, &DiagnosisStrip::changeClicked);
    offer({});
    setVisible(false);
}

void DiagnosisStrip::offer(const std::optional<OfferedChange>& change)
{
    const OfferedChange offered = change.value_or(OfferedChange());
    const QString text = QStringList{offered.text, offered.reason, offered.done}.join(u' ').trimmed();
    m_change->setText(text);
    m_change->setVisible(change.has_value());
    m_apply->setVisible(change && offered.done.isEmpty());
    m_apply->setEnabled(offered.whyNot.isEmpty());
    m_apply->setToolTip(offered.whyNot);
    m_apply->setAccessibleName(tr("Apply to the design: %1").arg(offered.text));
    m_apply->setAccessibleDescription(offered.whyNot.isEmpty() ? offered.reason : offered.whyNot);
    updateGeometry();
}

void DiagnosisStrip::setCanJump(bool on)
{
    m_canJump = on;
    m_evidence->setEnabled(on);
}

void DiagnosisStrip::show(const QList<Diagnosis>& diagnoses)
{
    m_diagnoses = diagnoses;
    setVisible(!diagnoses.isEmpty());
    if (diagnoses.isEmpty())
        offer({});
    fill();
}

void DiagnosisStrip::setBrief(bool brief)
{
    if (std::exchange(m_brief, brief) != brief)
        fill();
}

void DiagnosisStrip::fill()
{
    if (m_diagnoses.isEmpty())
        return;
    const Diagnosis& first = m_diagnoses.first();
    const qsizetype stop = endOfFirstSentence(first.advice);
    const QString place = diagnosisPlace(first);
    m_title->setText(place.isEmpty() ? first.advice.left(stop) : u"%1  (%2)"_s.arg(first.advice.left(stop), place));
    m_title->setVisible(!m_brief);
    QString advice = first.advice.mid(stop).trimmed();
    for (qsizetype i = 1; i < m_diagnoses.size(); ++i)
        advice += u'\n' + tr("Also: %1").arg(m_diagnoses.at(i).advice);
    if (m_brief)
        advice = tr("What it means and what to do is explained under “Alerts”.");
    m_advice->setText(advice);
    m_advice->setVisible(!advice.isEmpty());
    m_evidence->setNote(m_canJump ? tr("Show this line in the output") : QString());
    m_evidence->setWhole(first.evidence);
    m_evidence->setAccessibleName(tr("Evidence: %1").arg(first.evidence));
    setAccessibleDescription(spoken());
    updateGeometry();
}

QString DiagnosisStrip::spoken() const
{
    if (m_diagnoses.isEmpty())
        return {};
    if (m_brief)
        return u"%1 %2"_s.arg(m_diagnoses.first().evidence, m_advice->text());
    return u"%1 %2 %3"_s.arg(m_title->text(), m_diagnoses.first().evidence, m_advice->text());
}

void DiagnosisStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(this);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.colour(Theme::Token::BadBackground));
    painter.drawRoundedRect(rect(), 5, 5);
    painter.setBrush(theme.colour(Theme::Token::Bad));
    painter.drawRoundedRect(QRect(0, 0, 4, height()), 2, 2);
}

} // namespace rankwright
