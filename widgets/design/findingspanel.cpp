// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/findingspanel.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/linkbutton.h"
#include "widgets/base/scrollpage.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/design/designtext.h"

#include <QApplication>
#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int longActions = 32; // characters of all links that are side by side in 300 px

using T = Theme::Token;

T tokenOf(Severity severity)
{
    switch (severity) {
    case Severity::Error: return T::Bad;
    case Severity::Warning: return T::Warn;
    case Severity::Hint: return T::Accent;
    }
    return T::Foreground2;
}

QString iconOf(Severity severity)
{
    switch (severity) {
    case Severity::Error: return u"error"_s;
    case Severity::Warning: return u"warning"_s;
    case Severity::Hint: return u"hint"_s;
    }
    return {};
}

/// The severity's shape, inked when it is painted.
class SeverityMark final : public QWidget {
public:
    SeverityMark(Severity severity, QWidget* parent) : QWidget(parent), m_severity(severity) { setFixedSize(18, 18); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.drawPixmap(
            1, 1, iconPixmap(iconOf(m_severity), themeOf(this).colour(tokenOf(m_severity)), 16, devicePixelRatioF()));
    }

private:
    Severity m_severity;
};

QString wordOf(Severity severity)
{
    const QString word = toText(severity);
    return word.left(1).toUpper() + word.mid(1);
}

} // namespace

FindingsPanel::FindingsPanel(QWidget* parent) : QWidget(parent)
{
    setProperty("strip", true);
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Findings"));
    setProperty("keepsClear", true); // no message lies over it
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 6, 6);
    column->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    m_pill = new QLabel(this);
    m_rest = makeLabel({}, "quiet", this);
    head->addWidget(m_pill);
    head->addWidget(m_rest, 1);
    m_more = iconButton(u"arrow-up"_s, tr("More room for the findings"), this);
    m_more->setCheckable(true);
    m_more->hide();
    connect(m_more, &QToolButton::toggled, this, [this](bool tall) {
        const QString what = tall ? tr("Less room for the findings") : tr("More room for the findings");
        m_more->setIcon(lineIcon(tall ? u"arrow-down"_s : u"arrow-up"_s));
        m_more->setToolTip(what);
        m_more->setAccessibleName(what);
        emit tallWanted(tall);
    });
    head->addWidget(m_more);
    column->addLayout(head);
    m_scroll = new ScrollPage(this);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* page = new QWidget(m_scroll);
    page->setProperty("strip", true);
    m_rows = new QVBoxLayout(page);
    m_rows->setContentsMargins(0, 0, 8, 0);
    m_rows->setSpacing(10);
    m_rows->addStretch(1);
    m_scroll->setWidget(page);
    column->addWidget(m_scroll, 1);
    m_scroll->hide();
    updateHead({}, 0);
}

/// As high as the first findings are, with what can be done about them; more of them scroll.
QSize FindingsPanel::sizeHint() const
{
    constexpr int head = 58;
    constexpr int most = 296;
    const int room = std::max(240, width() - 14 - 6 - 8 - 8); // margins and scroll bar
    int rows = 0;
    for (int i = 0; i < m_shown.size() && rows < most; ++i) {
        const QLayoutItem* row = m_rows->itemAt(i);
        rows += (row->hasHeightForWidth() ? row->heightForWidth(room) : row->sizeHint().height()) + m_rows->spacing();
    }
    return {320, rows == 0 ? 48 : head + std::min(rows, most)};
}

void FindingsPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        updateGeometry();
}

void FindingsPanel::setFindings(const QList<Finding>& findings, const QList<Finding>& silenced)
{
    QStringList wanted;
    for (const Finding& finding : findings)
        wanted.append(toText(finding.severity) + finding.rule + finding.field + QString::number(finding.line())
            + finding.text + finding.fixLabels().join(u'|'));
    for (const Finding& finding : silenced)
        wanted.append(u"silenced"_s + finding.rule + QString::number(finding.line()) + finding.text);
    if (wanted == m_shown)
        return;
    // A fix that was clicked takes its own row away: the keyboard stays at its place in the list.
    const bool hadFocus = isAncestorOf(QApplication::focusWidget());
    const qsizetype focused = rowWithFocus();
    const qsizetype kept = focused < 0 ? -1 : wanted.indexOf(m_shown.at(focused));
    m_shown = wanted;
    while (m_rows->count() > 1) {
        QLayoutItem* item = m_rows->takeAt(0);
        // The click that applied a fix is still being handled in one of these rows.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (int i = 0; i < findings.size(); ++i)
        m_rows->insertWidget(i, makeRow(findings.at(i), i));
    for (const Finding& finding : silenced)
        m_rows->insertWidget(m_rows->count() - 1, makeSilencedRow(finding));
    m_scroll->setVisible(!wanted.isEmpty());
    m_more->setVisible(wanted.size() > 1);
    updateHead(findings, silenced.size());
    updateGeometry();
    if (hadFocus)
        focusRow(int(kept >= 0 ? kept : std::max<qsizetype>(focused, 0)));
}

void FindingsPanel::updateHead(const QList<Finding>& findings, qsizetype silenced)
{
    const auto count = [&findings](Severity severity) {
        return int(std::count_if(
            findings.begin(), findings.end(), [severity](const Finding& f) { return f.severity == severity; }));
    };
    const int errors = count(Severity::Error);
    const int warnings = count(Severity::Warning);
    const int hints = count(Severity::Hint);
    QStringList rest;
    if (errors > 0 && warnings > 0)
        rest.append(counted(warnings, tr("warning")));
    if (hints > 0)
        rest.append(counted(hints, tr("hint")));
    if (silenced > 0)
        rest.append(tr("%1 silenced").arg(silenced));
    m_pill->setText(errors > 0 ? counted(errors, tr("error"))
            : warnings > 0     ? counted(warnings, tr("warning"))
                               : tr("No errors"));
    setStyleProperty(m_pill, "pill", errors > 0 ? u"bad"_s : warnings > 0 ? u"warn"_s : u"good"_s);
    m_rest->setText(rest.join(u" · "_s));
}

QWidget* FindingsPanel::makeRow(const Finding& finding, int index)
{
    auto* row = new QWidget(m_scroll->widget());
    row->setAccessibleName(wordOf(finding.severity) + u". "_s + finding.text);
    auto* across = new QHBoxLayout(row);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(8);
    across->addWidget(new SeverityMark(finding.severity, row), 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    column->setSpacing(1);
    auto* text = new WrappedLabel(row);
    text->setTextFormat(Qt::RichText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setText(
        u"<b>%1.</b> %2"_s.arg(wordOf(finding.severity), WrappedLabel::withBreaks(finding.text).toHtmlEscaped()));
    if (!finding.source.isEmpty())
        text->setToolTip(tr("Source: %1 (%2)").arg(finding.source, finding.rule));
    column->addWidget(text);
    auto* actions = new QHBoxLayout;
    actions->setSpacing(10);
    const QStringList fixes = finding.fixLabels();
    for (qsizetype which = 0; which < fixes.size(); ++which) {
        auto* fix = new LinkButton(fixes.at(which), row);
        fix->setWraps();
        fix->setNote(tr("One click changes the design; Ctrl+Z takes it back"));
        connect(fix, &QPushButton::clicked, this, [this, index, which] { emit fixRequested(index, int(which)); });
        // A long fix has a line of its own: a narrow panel would cut it, and the sentence above with it.
        const int others = (finding.field.isEmpty() ? 0 : 15) + (finding.lines ? 8 : 0);
        if (fixes.size() > 1 || fixes.at(which).size() + others > longActions)
            column->addWidget(fix, 0, Qt::AlignLeft);
        else
            actions->addWidget(fix);
    }
    if (!finding.field.isEmpty()) {
        auto* field = new LinkButton(tr("Show the field"), row);
        connect(field, &QPushButton::clicked, this, [this, path = finding.field] { emit fieldRequested(path); });
        actions->addWidget(field);
    }
    if (finding.lines)
        actions->addWidget(lineLink(finding.lines->first, row));
    actions->addStretch(1);
    if (actions->count() > 1)
        column->addLayout(actions);
    else
        delete actions;
    across->addLayout(column, 1);
    return row;
}

QPushButton* FindingsPanel::lineLink(int line, QWidget* row)
{
    auto* button = new LinkButton(tr("Line %1").arg(line), row);
    connect(button, &QPushButton::clicked, this, [this, line] { emit lineRequested(line - 1); });
    return button;
}

QWidget* FindingsPanel::makeSilencedRow(const Finding& finding)
{
    auto* row = new QWidget(m_scroll->widget());
    auto* across = new QHBoxLayout(row);
    across->setContentsMargins(26, 0, 0, 0); // where the sentences of findings begin
    across->setSpacing(8);
    auto* text = makeLabel({}, "quiet", row);
    text->setTextFormat(Qt::RichText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const QString head = finding.lines ? tr("Silenced in line %1.").arg(finding.lines->first) : tr("Silenced.");
    text->setText(u"%1 %2"_s.arg(head, WrappedLabel::withBreaks(finding.text).toHtmlEscaped()));
    text->setToolTip(
        tr("A comment in the script silences %1: it does not count as a finding and does not stop a launch.")
            .arg(finding.rule));
    across->addWidget(text, 1);
    if (finding.lines)
        across->addWidget(lineLink(finding.lines->first, row), 0, Qt::AlignTop);
    return row;
}

void FindingsPanel::focusFirst() { focusRow(0); }

qsizetype FindingsPanel::rowWithFocus() const
{
    const QWidget* focus = QApplication::focusWidget();
    for (int i = 0; focus && i < m_shown.size(); ++i) {
        const QWidget* row = m_rows->itemAt(i)->widget();
        if (row == focus || row->isAncestorOf(focus))
            return i;
    }
    return -1;
}

void FindingsPanel::focusRow(int index)
{
    if (m_shown.isEmpty()) {
        setFocus(Qt::OtherFocusReason);
        return;
    }
    QWidget* row = m_rows->itemAt(std::min(index, int(m_shown.size()) - 1))->widget();
    QWidget* target = row; // a finding may have nothing to click
    for (auto* button : row->findChildren<QPushButton*>()) {
        if (!button->isHidden() && button->isEnabled()) {
            target = button;
            break;
        }
    }
    target->setFocus(Qt::OtherFocusReason);
    m_scroll->ensureWidgetVisible(row, 0, 0);
    // What was made just now has its place when the layout is done.
    QTimer::singleShot(0, row, [this, row] { m_scroll->ensureWidgetVisible(row, 0, 0); });
}

} // namespace rankwright
