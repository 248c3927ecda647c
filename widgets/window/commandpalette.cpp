// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/commandpalette.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/theme.h"
#include "widgets/window/palettemodel.h"

#include <QApplication>
#include <QBoxLayout>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// Paints a row of the command palette: a heading, or a title with the letters that were met in bold and its shortcut
/// at the right.
class PaletteDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

using T = Theme::Token;

constexpr int rowMargin = 12;

QFont headingFont() { return Theme::uiFont(11, QFont::DemiBold); }
QFont keyFont() { return Theme::uiFont(11); }
QFont titleFont(bool met) { return Theme::uiFont(13, met ? QFont::Bold : QFont::Normal); }

/// The text in stretches that were met and stretches that were not; what has no room is cut with a mark.
void paintTitle(QPainter& painter, const QRect& line, const QString& title, const QList<int>& matched)
{
    int left = line.left();
    for (int from = 0; from < int(title.size()) && left < line.right();) {
        const bool met = matched.contains(from);
        int end = from + 1;
        while (end < int(title.size()) && matched.contains(end) == met)
            ++end;
        const QFontMetrics metrics(titleFont(met));
        const QString part = title.mid(from, end - from);
        const int room = line.right() - left;
        painter.setFont(titleFont(met));
        painter.drawText(QRect(left, line.top(), room, line.height()), Qt::AlignLeft | Qt::AlignVCenter,
            metrics.elidedText(part, Qt::ElideRight, room));
        left += metrics.horizontalAdvance(part);
        from = end;
    }
}

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = themeOf(this);
    const QString text = index.data(Qt::DisplayRole).toString();
    QRect line = option.rect.adjusted(rowMargin, 0, -rowMargin, 0);
    painter->save();
    if (index.data(PaletteModel::HeadingRole).toBool()) {
        painter->setFont(headingFont());
        painter->setPen(theme.colour(T::Foreground2));
        painter->drawText(line.adjusted(0, 6, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
        painter->restore();
        return;
    }
    if (option.state & QStyle::State_Selected) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(theme.colour(T::Accent), 1.5));
        painter->setBrush(theme.colour(T::AccentBackground));
        painter->drawRoundedRect(QRectF(option.rect).adjusted(4, 1, -4, -1), 6, 6);
    }
    const QString shortcut = index.data(PaletteModel::ShortcutRole).toString();
    const bool off = index.data(PaletteModel::OffRole).toBool();
    const QString mark = off ? PaletteModel::tr("not now") : shortcut;
    if (!mark.isEmpty()) {
        painter->setFont(keyFont());
        painter->setPen(theme.colour(T::Foreground2));
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, mark);
        line.setRight(line.right() - QFontMetrics(keyFont()).horizontalAdvance(mark) - rowMargin);
    }
    painter->setPen(theme.colour(off ? T::Foreground3 : T::Foreground));
    paintTitle(*painter, line, text, index.data(PaletteModel::MatchedRole).value<QList<int>>());
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const
{
    const bool heading = index.data(PaletteModel::HeadingRole).toBool();
    return {200, QFontMetrics(heading ? headingFont() : titleFont(false)).height() + 14};
}

constexpr int widest = 640;
constexpr int tallestPalette = 520;
constexpr int fromTop = 54; ///< below the top bar

} // namespace

CommandPalette::CommandPalette(QWidget* window)
    : QFrame(window), m_window(window), m_model(new PaletteModel(this)), m_field(new QLineEdit(this)),
      m_list(new QListView(this)), m_line(makeLabel({}, "caption", this))
{
    hide();
    setAccessibleName(tr("Commands"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 10, 10, 8);
    column->setSpacing(6);
    m_field->setPlaceholderText(tr("Search or run a command"));
    m_field->setAccessibleName(tr("Search or run a command"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new PaletteDelegate(m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setAccessibleName(tr("What answers"));
    m_list->setUniformItemSizes(false);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_line->setWordWrap(true);
    column->addWidget(m_field);
    column->addWidget(m_list, 1);
    column->addWidget(m_line);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(m_list, &QListView::clicked, this, [this](const QModelIndex& index) {
        if (index.data(PaletteModel::HeadingRole).toBool())
            return;
        select(index.row());
        choose();
    });
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* now) {
        // Nothing has it while another program is in front; it stays open then.
        if (isVisible() && now && now != this && !isAncestorOf(now))
            closePalette(false);
    });
}

CommandPalette::~CommandPalette() { disconnect(qApp, nullptr, this, nullptr); }

void CommandPalette::open(const QList<PaletteEntry>& entries, const QStringList& recent)
{
    QWidget* focus = QApplication::focusWidget();
    if (!isVisible())
        m_before = focus && focus->window() == m_window ? focus : m_window->focusWidget();
    m_model->setEntries(entries, recent);
    m_field->clear();
    search();
    qApp->installEventFilter(this); // of the keys in the field, clicks beside it, the size of the window
    show();
    raise();
    m_field->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::dismiss() { closePalette(true); }

void CommandPalette::closePalette(bool giveBack)
{
    if (!isVisible())
        return;
    qApp->removeEventFilter(this);
    // The focus first: hiding its holder would send it to whatever comes next.
    if (giveBack && m_before && m_before->isVisible())
        m_before->setFocus(Qt::PopupFocusReason);
    hide();
}

QString CommandPalette::selectedId() const { return m_list->currentIndex().data(PaletteModel::IdRole).toString(); }

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_field && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        return handleKey(key->key(), key->modifiers());
    }
    if (watched == m_window && event->type() == QEvent::Resize)
        placePalette();
    if (event->type() == QEvent::MouseButtonPress && isVisible()) {
        const auto* pressed = qobject_cast<QWidget*>(watched);
        if (pressed && pressed->window() == m_window && pressed != this && !isAncestorOf(pressed))
            closePalette(true);
    }
    return QFrame::eventFilter(watched, event);
}

bool CommandPalette::handleKey(int key, Qt::KeyboardModifiers modifiers)
{
    const int page = std::max(1, m_list->viewport()->height() / std::max(1, m_list->sizeHintForRow(0)) - 1);
    switch (key) {
    case Qt::Key_Escape: dismiss(); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: choose(); return true;
    case Qt::Key_Up:
    case Qt::Key_Backtab: step(-1); return true;
    case Qt::Key_Down:
    case Qt::Key_Tab: step(1); return true;
    case Qt::Key_PageUp: step(-page); return true;
    case Qt::Key_PageDown: step(page); return true;
    case Qt::Key_Home:
    case Qt::Key_End:
        if (!(modifiers & Qt::ControlModifier))
            return false; // within the text
        select(key == Qt::Key_Home ? m_model->entryFrom(0, 1) : m_model->entryFrom(m_model->rowCount() - 1, -1));
        return true;
    default: return false;
    }
}

void CommandPalette::search()
{
    m_model->setQuery(m_field->text());
    m_list->scrollToTop();
    select(m_model->entryFrom(0, 1));
    placePalette();
}

void CommandPalette::select(int row)
{
    const QModelIndex index = m_model->index(row);
    if (row >= 0 && index.data(PaletteModel::HeadingRole).toBool())
        return;
    m_list->setCurrentIndex(row < 0 ? QModelIndex() : index);
    if (row > 0)
        m_list->scrollTo(index);
    describeChoice();
}

void CommandPalette::step(int steps)
{
    const int way = steps < 0 ? -1 : 1;
    int row = m_list->currentIndex().isValid() ? m_list->currentIndex().row() : -1;
    for (int i = 0; i < std::abs(steps); ++i) {
        const int next = m_model->entryFrom(row + way, way);
        if (next < 0)
            break;
        row = next;
    }
    if (row == m_list->currentIndex().row() && std::abs(steps) == 1) // round to the other end
        row = way > 0 ? m_model->entryFrom(0, 1) : m_model->entryFrom(m_model->rowCount() - 1, -1);
    select(row);
}

void CommandPalette::choose()
{
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid() || index.data(PaletteModel::OffRole).toBool())
        return; // the line below says why
    const QString id = index.data(PaletteModel::IdRole).toString();
    closePalette(true);
    emit chosen(id);
}

/// What is chosen, in words: below the list, and to a screen reader as the field's description.
void CommandPalette::describeChoice()
{
    const QModelIndex index = m_list->currentIndex();
    QString said;
    if (!index.isValid())
        said = m_field->text().trimmed().isEmpty() ? tr("Nothing can be done here.")
                                                   : tr("Nothing has this name. Try another word.");
    else if (index.data(PaletteModel::OffRole).toBool())
        said = tr("Not now: %1").arg(index.data(PaletteModel::ReasonRole).toString());
    m_line->setText(said.isEmpty() ? tr("Enter runs it, Esc goes back") : said);
    const QString title = index.data(Qt::DisplayRole).toString();
    QStringList parts{title, index.data(PaletteModel::ShortcutRole).toString(), said};
    if (index.isValid())
        parts.append(counted(m_model->entries(), tr("entry"), tr("entries")));
    parts.removeAll(QString());
    m_field->setAccessibleDescription(parts.join(u", "_s));
}

/// As high as what answers, up to the window.
void CommandPalette::placePalette()
{
    const int width = std::min(widest, m_window->width() - 32);
    const int most = std::max(160, std::min(tallestPalette, m_window->height() - fromTop - 16));
    int rows = 2 * m_list->frameWidth() + 4;
    for (int row = 0; row < m_model->rowCount() && rows < most; ++row)
        rows += m_list->sizeHintForRow(row);
    const int others = m_field->sizeHint().height() + m_line->heightForWidth(width - 20) + 34;
    setGeometry((m_window->width() - width) / 2, fromTop, width, std::min(most, std::max(rows, 40) + others));
}

void CommandPalette::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    painter.fillRect(rect(), theme.colour(T::Panel));
    painter.setPen(theme.colour(T::FieldLine));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

} // namespace rankwright
