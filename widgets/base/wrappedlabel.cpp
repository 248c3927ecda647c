// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/wrappedlabel.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLayout>
#include <QMenu>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr QChar breakHere(0x200b);
constexpr QChar joinHere(0x2060);
constexpr qsizetype shortWord = 18; // shorter ones have room in every column
constexpr qsizetype mostWidths = 64; // a window that is dragged wider asks for every width

/// Whether the same text may be of another height afterwards.
bool changesHeight(QEvent::Type type)
{
    return type == QEvent::FontChange || type == QEvent::ApplicationFontChange || type == QEvent::StyleChange
        || type == QEvent::Polish || type == QEvent::ContentsRectChange || type == QEvent::LayoutDirectionChange
        || type == QEvent::LocaleChange || type == QEvent::DynamicPropertyChange || type == QEvent::ParentChange
        || type == QEvent::ScreenChangeInternal;
}

/// Follows the size of one dialog.
class WholeTexts final : public QObject {
public:
    WholeTexts(QWidget& dialog, int least) : QObject(&dialog), m_dialog(dialog), m_least(least)
    {
        dialog.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show)
            fit();
        return QObject::eventFilter(watched, event);
    }

private:
    void fit()
    {
        const QLayout* layout = m_dialog.layout();
        if (!layout || !layout->hasHeightForWidth())
            return;
        const int height = qMax(m_least, layout->totalMinimumHeightForWidth(m_dialog.width()));
        if (height != m_dialog.minimumHeight())
            m_dialog.setMinimumHeight(height);
    }

    QWidget& m_dialog;
    int m_least;
};

} // namespace

void fitTexts(QWidget& dialog, QSize least)
{
    dialog.setMinimumSize(least);
    new WholeTexts(dialog, least.height());
}

WrappedLabel::WrappedLabel(QWidget* parent) : QLabel(parent) { setWordWrap(true); }

WrappedLabel::WrappedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { setWordWrap(true); }

int WrappedLabel::heightForWidth(int width) const
{
    const Subject now{
        text(), textFormat(), textInteractionFlags(), alignment(), margin(), indent(), minimumSize(), wordWrap()};
    if (!(now == m_subject) || m_heights.size() >= mostWidths) {
        m_heights.clear();
        m_subject = now;
    }
    const auto known = m_heights.constFind(width);
    if (known != m_heights.cend())
        return *known;
    const int height = QLabel::heightForWidth(width);
    m_heights.insert(width, height);
    return height;
}

QString WrappedLabel::withBreaks(const QString& text)
{
    static const QString separators = u"/_=,:;.-+@"_s;
    QStringList words = text.split(u' ');
    for (QString& word : words) {
        if (word.size() <= shortWord)
            continue;
        QString broken;
        qsizetype whole = 0; // characters since the last place to break
        for (const QChar each : std::as_const(word)) {
            const bool isFull = whole >= shortWord && !each.isLowSurrogate();
            if (isFull || (whole > shortWord / 2 && separators.contains(broken.back()))) {
                broken.append(breakHere);
                whole = 0;
            }
            broken.append(each);
            ++whole;
        }
        word = broken;
    }
    return words.join(u' ');
}

QString WrappedLabel::withWholeOptions(const QString& text)
{
    QString whole;
    bool isOption = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar each = text.at(i);
        if (i == 0 || text.at(i - 1).isSpace())
            isOption = each == u'-';
        whole += each;
        if (isOption && each == u'-')
            whole += joinHere;
        isOption = isOption && (each == u'-' || each == u'_' || each.isLetterOrNumber()); // its value may be broken
    }
    return whole;
}

void WrappedLabel::copySelection() const
{
    QString text = selectedText();
    text.remove(joinHere);
    QApplication::clipboard()->setText(text.remove(breakHere).replace(QChar::ParagraphSeparator, u'\n'));
}

void WrappedLabel::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy) && hasSelectedText())
        copySelection();
    else
        QLabel::keyPressEvent(event);
}

void WrappedLabel::contextMenuEvent(QContextMenuEvent* event)
{
    if (!text().contains(breakHere) && !text().contains(joinHere)) {
        QLabel::contextMenuEvent(event);
        return;
    }
    QMenu menu(this);
    QAction* copy = menu.addAction(tr("Copy"), this, &WrappedLabel::copySelection);
    copy->setEnabled(hasSelectedText());
    menu.exec(event->globalPos());
}

bool WrappedLabel::event(QEvent* event)
{
    if (changesHeight(event->type()))
        m_heights.clear();
    const bool handled = QLabel::event(event);
    if (changesHeight(event->type()))
        m_heights.clear(); // what was asked for meanwhile
    return handled;
}

} // namespace rankwright
