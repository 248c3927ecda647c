// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/solutiontrial.h"

#include "widgets/base/card.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostLines = 2000;
constexpr int linesHeight = 150;

} // namespace

SolutionTrial::SolutionTrial(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* words = makeLabel(
        tr("Runs every exercise's solution as a job of yours and looks whether its checks are seen."), "quiet", this);
    words->setWordWrap(true);
    column->addWidget(words);
    auto* row = new QHBoxLayout;
    m_place = new QComboBox(this);
    m_place->setAccessibleName(tr("Run the solutions on"));
    auto* label = makeLabel(tr("On"), "quiet", this);
    label->setBuddy(m_place);
    m_run = new QPushButton(this);
    m_run->setObjectName(u"runSolutions"_s);
    m_run->setAutoDefault(false);
    m_busy = new QProgressBar(this);
    m_busy->setRange(0, 0);
    m_busy->setTextVisible(false);
    m_busy->setFixedWidth(90);
    m_busy->setAccessibleName(tr("Running the solutions"));
    m_busy->hide();
    row->addWidget(label);
    row->addWidget(m_place);
    row->addWidget(m_run);
    row->addWidget(m_busy);
    row->addStretch(1);
    column->addLayout(row);
    m_said = makeLabel({}, "plain", this);
    m_said->setObjectName(u"solutionsSaid"_s);
    m_said->setWordWrap(true);
    m_said->hide();
    column->addWidget(m_said);
    m_lines = new QPlainTextEdit(this);
    m_lines->setReadOnly(true);
    m_lines->setAccessibleName(tr("Messages while the solutions ran"));
    m_lines->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_lines->setMaximumBlockCount(mostLines);
    m_lines->setFixedHeight(linesHeight);
    m_lines->setTabChangesFocus(true);
    m_lines->hide();
    column->addWidget(m_lines);
    connect(m_run, &QPushButton::clicked, this, [this] {
        if (m_isRunning)
            emit stopWanted();
        else
            emit runWanted(m_place->currentData().toString());
    });
    updateButton();
}

void SolutionTrial::setPlaces(const QList<Place>& places)
{
    const QString chosen = m_place->currentData().toString();
    m_place->clear();
    for (const Place& place : places)
        m_place->addItem(place.title, place.cluster);
    m_place->setCurrentIndex(qMax(0, m_place->findData(chosen)));
    updateButton();
}

void SolutionTrial::setFault(const QString& why)
{
    m_fault = why;
    updateButton();
}

void SolutionTrial::showRunning(const QString& how)
{
    m_isRunning = true;
    m_said->setText(how);
    setStyleProperty(m_said, "tone", u"plain"_s);
    m_said->show();
    m_lines->clear();
    m_lines->show();
    updateButton();
}

void SolutionTrial::addLine(const QString& line) { m_lines->appendPlainText(line); }

void SolutionTrial::showEnd(const QString& text, Tone tone)
{
    m_isRunning = false;
    m_said->setText(text);
    setStyleProperty(m_said, "tone", tone == Tone::Bad ? u"bad"_s : u"good"_s);
    m_said->show();
    updateButton();
}

void SolutionTrial::updateButton()
{
    m_run->setText(m_isRunning ? tr("Stop, and cancel its job") : tr("Run the solutions"));
    m_run->setEnabled(m_isRunning || (m_fault.isEmpty() && m_place->count() > 0));
    m_run->setToolTip(m_isRunning ? QString() : m_fault);
    m_place->setEnabled(!m_isRunning);
    m_busy->setVisible(m_isRunning);
}

} // namespace rankwright
