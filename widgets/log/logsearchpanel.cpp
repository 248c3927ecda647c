// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logsearchpanel.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

LogSearchPanel::LogSearchPanel(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    m_summary = makeLabel({}, "quiet", this);
    m_progress = new QProgressBar(this);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(90);
    m_progress->setAccessibleName(tr("Share of the file searched"));
    m_stop = new QToolButton(this);
    m_stop->setText(tr("Stop"));
    auto* close = new QToolButton(this);
    close->setText(tr("Close"));
    head->addWidget(m_summary, 1);
    head->addWidget(m_progress);
    head->addWidget(m_stop);
    head->addWidget(close);
    m_list = new QListWidget(this);
    m_list->setFont(Theme::codeFont(11));
    m_list->setUniformItemSizes(true);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setAccessibleName(tr("Lines found in the whole file"));
    m_list->setFrameShape(QFrame::NoFrame);
    column->addLayout(head);
    column->addWidget(m_list, 1);
    connect(m_stop, &QToolButton::clicked, this, &LogSearchPanel::cancelled);
    connect(close, &QToolButton::clicked, this, [this] {
        emit cancelled();
        hide();
    });
    const auto choose = [this] {
        const int row = m_list->currentRow();
        if (row >= 0 && row < m_hits.size())
            emit hitChosen(m_hits.at(row));
    };
    connect(m_list, &QListWidget::itemActivated, this, choose);
    connect(m_list, &QListWidget::itemClicked, this, choose);
    hide();
}

void LogSearchPanel::begin(const QString& text)
{
    m_text = text;
    m_hits.clear();
    m_list->clear();
    setVisible(true);
    LogSearchState first;
    first.isRunning = true;
    show(first);
}

void LogSearchPanel::add(const QList<LogHit>& hits)
{
    const int current = m_list->currentRow();
    for (const LogHit& hit : hits) {
        const auto place = std::lower_bound(
            m_hits.begin(), m_hits.end(), hit, [](const LogHit& a, const LogHit& b) { return a.offset < b.offset; });
        const int row = int(std::distance(m_hits.begin(), place));
        m_hits.insert(place, hit);
        m_list->insertItem(row, hit.text.simplified());
    }
    if (current < 0)
        m_list->scrollToBottom(); // the newest places come first
}

void LogSearchPanel::show(const LogSearchState& state)
{
    m_stop->setVisible(state.isRunning);
    m_progress->setVisible(state.isRunning);
    m_progress->setValue(state.total > 0 ? int(1000 * state.searched / state.total) : 0);
    QString text = tr("%1 with “%2”").arg(counted(m_hits.size(), tr("line")), m_text.left(40));
    if (state.total > 0)
        text += state.searched < state.total
            ? tr(" in the newest %1 of %2").arg(humanBytes(Bytes{state.searched}), humanBytes(Bytes{state.total}))
            : tr(" in %1").arg(humanBytes(Bytes{state.total}));
    if (!state.trouble.isEmpty())
        text = state.trouble;
    else if (!state.isRunning && state.isCutShort)
        text += tr(" · stopped there");
    m_summary->setText(text);
}

QString LogSearchPanel::summary() const { return m_summary->text(); }

} // namespace rankwright
