// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logpane.h"

#include "widgets/base/theme.h"
#include "widgets/log/terminalcolours.h"

#include <QFontMetrics>
#include <QLocale>
#include <QPainter>
#include <QScrollBar>
#include <QTextBlock>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

// A block's user state: rank + 1 in the low bits (0 = no rank), then flags.
constexpr int rankMask = 0xfffff;
constexpr int progressFlag = 1 << 20;

constexpr int badgeHeight = 15;
constexpr int leastBadge = 26;
constexpr int leastDigits = 3;

int stateOf(const LogLine& line)
{
    return ((line.rank ? *line.rank + 1 : 0) & rankMask) | (line.isProgress ? progressFlag : 0);
}

/// Where a shown line is in its file.
class LinePlace final : public QTextBlockUserData {
public:
    LinePlace(const LogLine& line, qint64 offset)
        : m_file(line.file), m_offset(offset), m_readFrom(line.readFrom), m_nth(line.nth)
    { }
    int m_file;
    qint64 m_offset;
    std::optional<qint64> m_readFrom;
    qint64 m_nth;
};

const LinePlace* placeOf(const QTextBlock& block) { return static_cast<const LinePlace*>(block.userData()); }

class BadgeMargin final : public QWidget {
public:
    explicit BadgeMargin(LogPane* pane) : QWidget(pane), m_pane(pane) { }

protected:
    void paintEvent(QPaintEvent* event) override { m_pane->paintBadges(event); }

private:
    LogPane* m_pane;
};

} // namespace

LogPane::LogPane(int maxLines, QWidget* parent) : QPlainTextEdit(parent), m_margin(new BadgeMargin(this))
{
    setReadOnly(true);
    setUndoRedoEnabled(false);
    setMaximumBlockCount(maxLines);
    setFrameShape(QFrame::NoFrame);
    // The card is the frame; only the focus shows.
    setStyleSheet(u"QPlainTextEdit { border: 1px solid transparent; padding: 0; background: transparent; }"
                  "QPlainTextEdit:focus { border: 1px solid palette(highlight); }"_s);
    setPlaceholderText(tr("No output yet."));
    setFont(Theme::codeFont(12));
    setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    document()->setDocumentMargin(2);
    setAccessibleName(tr("Output of the job"));
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy != 0)
            m_margin->scroll(0, dy);
        else
            m_margin->update(0, rect.y(), m_margin->width(), rect.height());
    });
    placeMargin();
}

void LogPane::setLines(const QList<LogLine>& lines)
{
    clear();
    append(lines);
}

void LogPane::append(const QList<LogLine>& lines)
{
    QTextCursor cursor(document());
    cursor.beginEditBlock();
    const int before = m_highestRank;
    for (const LogLine& line : lines) {
        m_highestRank = std::max(m_highestRank, line.rank.value_or(0));
        cursor.movePosition(QTextCursor::End);
        const int last = cursor.block().userState();
        const bool empty = document()->isEmpty() && last < 0;
        const bool replace = line.isProgress && last >= 0 && last == stateOf(line);
        if (!empty && !replace)
            cursor.insertBlock();
        write(cursor, line, replace ? WriteTo::LastLine : WriteTo::NewLine);
    }
    cursor.endEditBlock();
    if (m_highestRank != before)
        placeMargin();
    m_margin->update();
}

void LogPane::write(QTextCursor& cursor, const LogLine& line, WriteTo where)
{
    if (where == WriteTo::LastLine) {
        cursor.movePosition(QTextCursor::StartOfBlock);
        cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    }
    const Theme& theme = themeOf(this);
    QTextCharFormat format;
    format.setForeground(theme.colour(line.isNote ? Theme::Token::Foreground3
            : line.isError                        ? Theme::Token::Bad
                                                  : Theme::Token::Foreground));
    const QString text = line.text.left(longestShown);
    const qint64 cut
        = line.cutBytes + (line.text.size() > text.size() ? line.text.mid(text.size()).toUtf8().size() : 0);
    if (line.spans.isEmpty() || line.isError) {
        cursor.insertText(text, format);
    } else {
        int done = 0;
        for (const TextSpan& span : line.spans) {
            cursor.insertText(text.mid(done, span.start - done), format);
            cursor.insertText(text.mid(span.start, span.length), terminalFormat(span.style, theme));
            done = span.start + span.length;
        }
        cursor.insertText(text.mid(done), format);
    }
    if (cut > 0) {
        format.setForeground(theme.colour(Theme::Token::Foreground3));
        cursor.insertText(tr(" … %1 more bytes").arg(QLocale(QLocale::English).toString(cut)), format);
    }
    cursor.block().setUserState(stateOf(line));
    cursor.block().setUserData(line.offset && !line.isNote ? new LinePlace(line, *line.offset) : nullptr);
}

QTextBlock LogPane::blockAt(int file, qint64 offset) const
{
    QTextBlock best;
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        const LinePlace* place = placeOf(block);
        if (place && place->m_file == file && place->m_offset <= offset)
            best = block;
        else if (place && place->m_file == file && best.isValid())
            break;
    }
    return best;
}

bool LogPane::showOffset(int file, qint64 offset)
{
    const QTextBlock block = blockAt(file, offset);
    if (!block.isValid())
        return false;
    QTextCursor cursor(block);
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    setTextCursor(cursor);
    centerCursor();
    return true;
}

std::optional<std::pair<int, qint64>> LogPane::topPlace() const
{
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        if (const LinePlace* place = placeOf(block))
            return std::pair(place->m_file, place->m_offset);
    }
    return {};
}

void LogPane::scrollToPlace(int file, qint64 offset)
{
    const QTextBlock block = blockAt(file, offset);
    if (block.isValid())
        verticalScrollBar()->setValue(block.firstLineNumber());
}

void LogPane::setLineNumbers(bool on)
{
    m_numbers = on;
    placeMargin();
    m_margin->update();
}

void LogPane::setLinesBefore(int file, qint64 readFrom, qint64 lines)
{
    m_before[{file, readFrom}] = lines;
    m_margin->update();
}

void LogPane::forgetNumbers()
{
    m_before.clear();
    m_digits = leastDigits;
    placeMargin();
}

std::optional<qint64> LogPane::numberOf(const QTextBlock& block) const
{
    const LinePlace* place = placeOf(block);
    if (!place || place->m_nth <= 0 || !place->m_readFrom)
        return {};
    if (place->m_readFrom == 0)
        return place->m_nth;
    const auto before = m_before.find({place->m_file, *place->m_readFrom});
    return before == m_before.end() ? std::nullopt : std::optional(before->second + place->m_nth);
}

void LogPane::setMarksFiles(bool on)
{
    m_marksFiles = on;
    m_margin->update();
}

bool LogPane::findNext(const QString& text, QTextDocument::FindFlags flags)
{
    if (text.isEmpty())
        return true;
    if (find(text, flags))
        return true;
    const QTextCursor before = textCursor();
    moveCursor(flags.testFlag(QTextDocument::FindBackward) ? QTextCursor::End : QTextCursor::Start);
    if (find(text, flags))
        return true;
    setTextCursor(before);
    return false;
}

void LogPane::placeMargin()
{
    const QString widest(QString::number(m_highestRank).size(), u'0');
    const QFontMetrics metrics(Theme::codeFont(11));
    m_numberWidth = m_numbers ? metrics.horizontalAdvance(QString(m_digits, u'0')) + 10 : 0;
    m_marginWidth = m_numberWidth + std::max(leastBadge, metrics.horizontalAdvance(widest) + 10) + 12;
    setViewportMargins(m_marginWidth, 0, 0, 0);
    const QRect inside = contentsRect();
    m_margin->setGeometry(inside.left(), inside.top(), m_marginWidth, inside.height());
}

void LogPane::resizeEvent(QResizeEvent* event)
{
    QPlainTextEdit::resizeEvent(event);
    placeMargin();
}

void LogPane::changeEvent(QEvent* event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::StyleChange && m_margin)
        placeMargin();
}

void LogPane::paintBadges(QPaintEvent* event)
{
    QPainter painter(m_margin);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Theme::codeFont(11));
    const int shift = viewport()->y() - m_margin->y();
    int digits = m_digits;
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() + shift > event->rect().bottom())
            break;
        const LinePlace* where = m_marksFiles ? placeOf(block) : nullptr;
        if (where)
            painter.fillRect(
                QRectF(m_marginWidth - 7.0, place.top() + shift, 3, place.height()), Theme::category(where->m_file));
        if (const std::optional<qint64> number = m_numbers ? numberOf(block) : std::nullopt) {
            const QString text = QString::number(*number);
            digits = std::max(digits, int(text.size()));
            painter.setPen(themeOf(this).colour(Theme::Token::Foreground3));
            painter.drawText(QRectF(0, place.top() + shift, m_numberWidth - 6, QFontMetrics(font()).height()),
                Qt::AlignRight | Qt::AlignVCenter, text);
        }
        const int rank = block.userState() < 0 ? -1 : (block.userState() & rankMask) - 1;
        if (rank >= 0)
            paintBadge(painter, place.translated(0, shift), rank);
    }
    if (digits > m_digits) { // a wider column for the next picture: nothing may move inside this one
        m_digits = digits;
        QMetaObject::invokeMethod(
            this, [this] { placeMargin(); }, Qt::QueuedConnection);
    }
}

void LogPane::paintBadge(QPainter& painter, const QRectF& place, int rank)
{
    const QString text = QString::number(rank);
    const QColor colour = Theme::category(rank);
    const int width = std::max(leastBadge, QFontMetrics(painter.font()).horizontalAdvance(text) + 10);
    const QRectF badge(
        m_numberWidth + 2, place.top() + (QFontMetrics(font()).height() - badgeHeight) / 2.0, width, badgeHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(badge, 3, 3);
    painter.setPen(Theme::foregroundOn(colour));
    painter.drawText(badge, Qt::AlignCenter, text);
}

} // namespace rankwright
