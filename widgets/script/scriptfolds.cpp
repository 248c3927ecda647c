// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/scriptfolds.h"

#include "widgets/base/icons.h"
#include "widgets/base/theme.h"

#include <QAbstractButton>
#include <QEvent>
#include <QPainter>
#include <Qsci/qsciscintilla.h>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

using Base = QsciScintillaBase;
using T = Theme::Token;

constexpr int pad = 6;
constexpr int smallestIcon = 12;

/// The one line that stands for a part.
class FoldStrip final : public QAbstractButton {
public:
    explicit FoldStrip(QWidget* parent) : QAbstractButton(parent)
    {
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
    }
    void setIconName(const QString& name)
    {
        m_icon = name;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = themeOf(this);
        painter.fillRect(rect(), theme.colour(T::LineHighlight));
        const int side = qMax(smallestIcon, qMin(height() - 2, fontMetrics().ascent()));
        const QPixmap icon = iconPixmap(m_icon, theme.colour(T::Foreground2), side, devicePixelRatioF());
        painter.drawPixmap(pad, (height() - side) / 2, icon);
        painter.setPen(theme.colour(T::Foreground2));
        const QRect room = rect().adjusted(2 * pad + side, 0, -pad, 0);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
            fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
        if (hasFocus()) {
            painter.setPen(QPen(theme.colour(T::Accent), 2));
            painter.drawRect(rect().adjusted(1, 1, -1, -1));
        }
    }

private:
    QString m_icon;
};

} // namespace

ScriptFolds::ScriptFolds(QsciScintilla& editor) : QObject(&editor), m_editor(editor)
{
    connect(&m_editor, &Base::SCN_UPDATEUI, this, &ScriptFolds::placeStrips);
    // The cursor is never out of sight.
    connect(&m_editor, &QsciScintilla::cursorPositionChanged, this, [this](int line) { open(line); });
    m_editor.viewport()->installEventFilter(this);
}

ScriptFolds::~ScriptFolds() = default;

void ScriptFolds::setFolds(const QList<ScriptFold>& folds)
{
    if (folds == m_folds)
        return;
    m_folds = folds;
    QSet<QString> titles;
    for (const ScriptFold& fold : folds)
        titles.insert(fold.title);
    m_opened.intersect(titles);
    m_closed.intersect(titles);
    apply();
}

/// The strips stay, hidden: with the next text, after each key, the same parts come back.
void ScriptFolds::forget()
{
    if (m_folds.isEmpty())
        return;
    m_folds.clear();
    m_isOpen.clear();
    showAll();
    for (QAbstractButton* strip : std::as_const(m_strips)) {
        if (strip->hasFocus())
            m_editor.setFocus(Qt::OtherFocusReason);
        strip->hide();
    }
}

/// No line is hidden and none has room for a strip; what one reads stays where it is, of a line that goes over several
/// rows the row.
void ScriptFolds::showAll()
{
    const Place place = placeAtTop();
    m_editor.SendScintilla(Base::SCI_SHOWLINES, 0ul, long(qMax(0, m_editor.lines() - 1)));
    m_editor.clearAnnotations();
    scrollTo(place);
}

ScriptFolds::Place ScriptFolds::placeAtTop() const
{
    const long row = m_editor.SendScintilla(Base::SCI_GETFIRSTVISIBLELINE);
    const long line = m_editor.SendScintilla(Base::SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(row));
    return {line, row - m_editor.SendScintilla(Base::SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(line))};
}

void ScriptFolds::scrollTo(const Place& place)
{
    const long row = m_editor.SendScintilla(Base::SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(place.line));
    m_editor.SendScintilla(Base::SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(row + place.within));
}

void ScriptFolds::setRemarks(const QList<ScriptRemark>& remarks)
{
    m_remarks = remarks;
    m_remarks.removeIf([](const ScriptRemark& remark) { return remark.isSilenced(); });
    for (qsizetype i = 0; i < m_folds.size(); ++i) {
        if (m_isOpen.at(i) != shouldBeOpen(m_folds.at(i))) {
            apply();
            return;
        }
    }
}

bool ScriptFolds::isFolded(int line) const
{
    for (qsizetype i = 0; i < m_folds.size(); ++i)
        if (line >= m_folds.at(i).first && line <= m_folds.at(i).last)
            return !m_isOpen.at(i);
    return false;
}

void ScriptFolds::open(int line)
{
    for (qsizetype i = 0; i < m_folds.size(); ++i) {
        const ScriptFold& fold = m_folds.at(i);
        if (line < fold.first || line > fold.last || m_isOpen.at(i))
            continue;
        m_opened.insert(fold.title);
        m_closed.remove(fold.title);
        apply();
        return;
    }
}

bool ScriptFolds::shouldBeOpen(const ScriptFold& fold) const
{
    if (m_opened.contains(fold.title))
        return true;
    // The line with the cursor is never out of sight.
    int line = 0;
    int column = 0;
    m_editor.getCursorPosition(&line, &column);
    if (m_editor.hasFocus() && line >= fold.first && line <= fold.last)
        return true;
    return !m_closed.contains(fold.title)
        && std::any_of(m_remarks.cbegin(), m_remarks.cend(), [&fold](const ScriptRemark& remark) {
               return remark.firstLine() <= fold.last && remark.lastLine() >= fold.first;
           });
}

void ScriptFolds::apply()
{
    const int count = m_editor.lines();
    const Place top = placeAtTop();
    m_editor.SendScintilla(Base::SCI_SHOWLINES, 0ul, long(qMax(0, count - 1)));
    m_editor.clearAnnotations();
    QAbstractButton* focused = nullptr;
    for (QAbstractButton* strip : std::as_const(m_strips))
        focused = strip->hasFocus() ? strip : focused;
    const qsizetype kept = m_strips.indexOf(focused);
    while (m_strips.size() > m_folds.size()) {
        QAbstractButton* last = m_strips.takeLast();
        last->hide();
        last->deleteLater();
    }
    if (kept >= m_strips.size())
        m_editor.setFocus(Qt::OtherFocusReason);
    m_isOpen.clear();
    for (qsizetype i = 0; i < m_folds.size(); ++i) {
        const ScriptFold& fold = m_folds.at(i);
        const bool isOpen = shouldBeOpen(fold);
        m_isOpen.append(isOpen);
        if (i >= m_strips.size()) {
            auto* strip = new FoldStrip(m_editor.viewport());
            QWidget::setTabOrder(m_strips.isEmpty() ? static_cast<QWidget*>(&m_editor) : m_strips.last(), strip);
            m_strips.append(strip);
            connect(strip, &QAbstractButton::clicked, this, [this, i] {
                const QString title = m_folds.value(i).title;
                const bool wasOpen = m_isOpen.value(i);
                (wasOpen ? m_closed : m_opened).insert(title);
                (wasOpen ? m_opened : m_closed).remove(title);
                apply();
            });
        }
        const QString lines = u"%1–%2"_s.arg(fold.first + 1).arg(fold.last + 1);
        QAbstractButton* strip = m_strips.at(i);
        static_cast<FoldStrip*>(strip)->setIconName(fold.isLocked ? u"lock"_s
                : isOpen                                          ? u"arrow-down"_s
                                                                  : u"chevron-right"_s);
        strip->setText(isOpen ? tr("%1: %2 (fold)").arg(lines, fold.title) : tr("%1: %2").arg(lines, fold.title));
        strip->setAccessibleName(isOpen ? tr("Fold lines %1: %2, %3").arg(lines, fold.title, fold.reason)
                                        : tr("Show lines %1: %2, %3").arg(lines, fold.title, fold.reason));
        strip->setToolTip(strip->accessibleName());
        if (fold.first < 1 || fold.last >= count)
            continue; // of another text than this
        m_editor.annotate(fold.first - 1, u" "_s, 0); // the room of the strip
        if (!isOpen)
            m_editor.SendScintilla(Base::SCI_HIDELINES, static_cast<unsigned long>(fold.first), long(fold.last));
    }
    m_editor.setAnnotationDisplay(
        m_folds.isEmpty() ? QsciScintilla::AnnotationHidden : QsciScintilla::AnnotationStandard);
    scrollTo(top);
    placeStrips();
}

/// Over the room that was made for them, wherever the text was scrolled to.
void ScriptFolds::placeStrips()
{
    for (qsizetype i = 0; i < m_strips.size() && i < m_folds.size(); ++i) {
        const int above = m_folds.at(i).first - 1;
        const long end = m_editor.SendScintilla(Base::SCI_GETLINEENDPOSITION, static_cast<unsigned long>(above));
        const int height = int(m_editor.SendScintilla(Base::SCI_TEXTHEIGHT, static_cast<unsigned long>(above)));
        const int y = int(m_editor.SendScintilla(Base::SCI_POINTYFROMPOSITION, 0ul, end)) + height;
        QAbstractButton* strip = m_strips.at(i);
        const QRect room(0, y, m_editor.viewport()->width(), height);
        if (strip->geometry() != room)
            strip->setGeometry(room);
        const bool isSeen = m_folds.at(i).last < m_editor.lines() && room.intersects(m_editor.viewport()->rect());
        if (!isSeen && strip->hasFocus()) // no typing into what is out of sight
            m_editor.setFocus(Qt::OtherFocusReason);
        strip->setVisible(isSeen);
    }
}

bool ScriptFolds::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && !m_strips.isEmpty())
        QMetaObject::invokeMethod(
            this, &ScriptFolds::placeStrips, Qt::QueuedConnection); // once the lines are wrapped again
    return QObject::eventFilter(watched, event);
}

} // namespace rankwright
