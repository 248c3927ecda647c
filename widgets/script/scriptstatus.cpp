// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/scriptstatus.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/theme.h"
#include "widgets/script/scriptcompleter.h"
#include "widgets/script/scripteditor.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// Three lines of small print, five where no link stands below: a strip that grows and shrinks would shift the script.
constexpr int textHeight = 45;
constexpr int linkHeight = 30;

QPushButton* link(const QString& text, const QString& tip, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setProperty("link", true);
    button->setCursor(Qt::PointingHandCursor);
    button->setToolTip(tip);
    return button;
}

} // namespace

ScriptStatus::ScriptStatus(ScriptEditor& editor, QWidget* parent) : QWidget(parent), m_editor(editor)
{
    auto* across = new QHBoxLayout(this);
    across->setContentsMargins(14, 6, 4, 4);
    across->setSpacing(8);
    m_sign = new QLabel(this);
    m_sign->setFixedSize(16, 16);
    across->addWidget(m_sign, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    m_text = makeLabel({}, "caption", this);
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_text->setFixedHeight(textHeight);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_text);
    auto* actions = new QHBoxLayout;
    actions->setSpacing(3);
    m_fix = link({}, tr("One click changes the script; Ctrl+Z takes it back"), this);
    m_back = link(tr("Use generated"), tr("Use the generated line again (Ctrl+Shift+Backspace)"), this);
    m_field = link(tr("Show the field"), tr("F12"), this);
    for (auto* button : {m_fix, m_back, m_field})
        actions->addWidget(button);
    actions->addStretch(1);
    column->addLayout(actions);
    column->addStretch(1);
    across->addLayout(column, 1);
    connect(&m_editor, &ScriptEditor::lineEntered, this, &ScriptStatus::showLine);
    connect(&m_editor, &ScriptEditor::textRefused, this, [this](const QString& why) {
        m_refusal = why;
        refresh();
    });
    connect(&m_editor, &ScriptEditor::textEdited, this, [this] { m_refusal.clear(); });
    connect(m_fix, &QPushButton::clicked, this, [this] {
        if (m_remark)
            emit m_editor.fixRequested(*m_remark);
    });
    connect(m_back, &QPushButton::clicked, this, [this] { emit m_editor.giveBackRequested(m_line); });
    connect(m_field, &QPushButton::clicked, this, [this] {
        if (const FieldPath field = m_editor.fieldOf(m_line); !field.isEmpty())
            emit m_editor.fieldRequested(field);
    });
    setMinimumHeight(textHeight + linkHeight + 4);
    showLine(0);
}

QString ScriptStatus::text() const { return m_reported; }

/// As many whole sentences as there is room for; of a first one that is too long, its beginning. The tool tip has all.
void ScriptStatus::fitText()
{
    const bool hasLinks = std::any_of(m_links.begin(), m_links.end(), [](const auto& link) { return link.second; });
    const int height = hasLinks ? textHeight : textHeight + linkHeight;
    m_text->setFixedHeight(height);
    const auto fits = [&](const QString& text) {
        const QRect room(0, 0, m_text->width(), 10000);
        return m_text->width() <= 60
            || m_text->fontMetrics().boundingRect(room, Qt::TextWordWrap, text).height() <= height;
    };
    QString shown = m_reported;
    while (!fits(shown)) {
        const qsizetype end = shown.lastIndexOf(u". "_s, shown.size() - 2);
        if (end < 0)
            break;
        shown.truncate(end + 1);
    }
    const QString first = shown;
    for (qsizetype cut = first.lastIndexOf(u' '); cut > 0 && !fits(shown); cut = first.lastIndexOf(u' ', cut - 1))
        shown = first.left(cut) + u" …"_s;
    m_text->setText(shown);
}

/// The first that stands for something, and of the others what there is room for: all have keys.
void ScriptStatus::fitLinks()
{
    constexpr int sides = 14 + 16 + 8 + 4; // margins and the sign
    int room = width() - sides;
    bool first = true;
    for (const auto& [button, wanted] : std::as_const(m_links)) {
        const bool fits = first || button->sizeHint().width() <= room;
        button->setVisible(wanted && fits);
        if (!wanted || !fits)
            continue;
        room -= button->sizeHint().width() + 3;
        first = false;
    }
}

void ScriptStatus::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitLinks();
    fitText();
}

void ScriptStatus::showLine(int line)
{
    m_line = line;
    refresh();
}

void ScriptStatus::refresh()
{
    using T = Theme::Token;
    const QList<int> remarks = m_editor.remarksAt(m_line);
    m_remark = remarks.isEmpty() ? std::nullopt : std::optional(remarks.first());
    const QList<ScriptLine>& lines = m_editor.documentShown().lines;
    const bool known = m_line >= 0 && m_line < lines.size();
    const bool yours = known && isYours(lines.at(m_line));
    QString reported;
    QString fix;
    QPixmap sign;
    const auto icon = [this](const QString& name, T token) {
        return iconPixmap(name, themeOf(this).colour(token), 15, devicePixelRatioF());
    };
    if (!m_refusal.isEmpty()) {
        reported = m_refusal;
        sign = icon(u"warning"_s, T::Warn);
    } else if (m_remark) {
        const ScriptRemark& remark = m_editor.remarks().at(*m_remark);
        reported = remark.isSilenced() ? tr("Silenced (%1): %2").arg(remark.finding.rule, remark.finding.text)
                                       : remark.finding.text;
        fix = remark.fix();
        sign = remark.isSilenced()                         ? icon(u"hint"_s, T::Foreground3)
            : remark.finding.severity == Severity::Error   ? icon(u"error"_s, T::Bad)
            : remark.finding.severity == Severity::Warning ? icon(u"warning"_s, T::Warn)
                                                           : icon(u"hint"_s, T::Accent);
    } else if (yours) {
        reported = m_editor.noteOf(m_line);
        sign = icon(u"edit"_s, T::Warn);
    } else if (known && !lines.at(m_line).reason.isEmpty()) {
        const ScriptLine& script = lines.at(m_line);
        reported = script.source.isEmpty() ? script.reason : tr("%1 (%2)").arg(script.reason, script.source);
        sign = icon(u"hint"_s, T::Foreground3);
    } else {
        reported = m_editor.showsAuthor()
            ? tr("The author's text: an edit of a field changes its places here and nothing else. Ctrl+Space offers "
                 "what fits.")
            : tr("Type here: what has a field changes the form, everything else is kept as yours. "
                 "Ctrl+Space offers what fits.");
        sign = icon(u"edit"_s, T::Foreground3);
    }
    m_reported = reported;
    m_text->setToolTip(richToolTip(reported));
    m_sign->setPixmap(sign);
    m_fix->setText(fix);
    m_links = {{m_fix, !fix.isEmpty()}, {m_back, yours}, {m_field, !m_editor.fieldOf(m_line).isEmpty()}};
    fitLinks();
    fitText();
}

void ScriptStatus::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_text)
        refresh();
}

} // namespace rankwright
