// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/learn/termguide.h"

#include "models/teaching/learn/explanation.h"
#include "models/teaching/learn/scripthelp.h"
#include "models/teaching/learn/term.h"
#include "models/teaching/learn/termlinks.h"
#include "widgets/learn/termpopover.h"
#include "widgets/learn/wordsdialog.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMetaMethod>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int leaveMs = 400; // to cross the gap between a word and its popover
constexpr const char* watchedProperty = "termLinksWatched";

/// Of one widget alone: its mark, its field, the field that its label belongs to.
QString ownTerm(const QWidget* widget)
{
    if (const QString marked = widget->property("term").toString(); !marked.isEmpty()) {
        const Term* term = findTerm(marked);
        return term != nullptr ? term->id : marked;
    }
    if (const QString named = termOfField(widget->objectName()); !named.isEmpty())
        return named;
    const auto* label = qobject_cast<const QLabel*>(widget);
    if (label != nullptr && label->buddy() != nullptr)
        return termOfField(label->buddy()->objectName());
    return {};
}

/// A row's control keeps its own tool tip, which says what the field does; its label explains the word.
bool explainsItself(const QWidget* widget)
{
    return widget->property("term").toString().isEmpty() && qobject_cast<const QLabel*>(widget) == nullptr;
}

} // namespace

TermGuide::TermGuide(QWidget* window, const Design& design) : QObject(window), m_window(window), m_design(design)
{
    m_leaving.setSingleShot(true);
    m_leaving.setInterval(leaveMs);
    connect(&m_leaving, &QTimer::timeout, this, &TermGuide::close);
    // The numbers shown would be of an earlier design.
    connect(&design, &Design::changed, this, [this] {
        if (!isOpen())
            return;
        if (const auto shown = explain(m_popover->shown().kind, m_popover->shown().id, &m_design.derived()))
            m_popover->showInstead(*shown);
    });
    // Tab out of it closes it: it stands behind everything in the order of the keyboard.
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* before, QWidget* now) {
        if (isOpen() && now != nullptr && m_popover->isAncestorOf(before) && !m_popover->isAncestorOf(now))
            close();
    });
    qApp->installEventFilter(this);
}

QString TermGuide::termOf(QWidget* widget, QWidget** owner)
{
    for (QWidget* each = widget; each != nullptr; each = each->parentWidget()) {
        if (const QString term = ownTerm(each); !term.isEmpty()) {
            if (owner != nullptr)
                *owner = each;
            return term;
        }
        if (each->isWindow())
            break;
    }
    return {};
}

TermPopover& TermGuide::madePopover()
{
    if (m_popover == nullptr) {
        m_popover = new TermPopover(m_window);
        connect(m_popover, &TermPopover::termRequested, this, [this](const QString& id) {
            m_stays = true;
            m_leaving.stop();
            if (const Term* term = findTerm(id))
                m_popover->showInstead(explain(*term, &m_design.derived()));
        });
        connect(m_popover, &TermPopover::nodesRequested, this, [this](const QString& id) {
            close();
            emit nodesRequested(id);
        });
        connect(m_popover, &TermPopover::allWordsRequested, this, [this](const QString& id) {
            close();
            showWords(id);
        });
        connect(m_popover, &TermPopover::entered, &m_leaving, &QTimer::stop);
        connect(m_popover, &TermPopover::left, this, [this] {
            if (!m_stays)
                m_leaving.start();
        });
    }
    return *m_popover;
}

void TermGuide::open(const Explanation& what, QWidget* at, const QRect& part, OpenedBy by)
{
    const bool stays = by == OpenedBy::Person;
    TermPopover& popover = madePopover();
    m_leaving.stop();
    m_stays = stays;
    popover.setOffersNodes(isSignalConnected(QMetaMethod::fromSignal(&TermGuide::nodesRequested)));
    const bool byKeyboard = stays && (at->hasFocus() || at->isAncestorOf(QApplication::focusWidget()));
    popover.open(what, at, part, byKeyboard ? TermPopover::Focus::Taken : TermPopover::Focus::Stays);
}

void TermGuide::show(const QString& term, QWidget* at)
{
    const Term* known = findTerm(term);
    if (known == nullptr || at == nullptr || !at->isVisible()) {
        showWords(term);
        return;
    }
    open(explain(*known, &m_design.derived()), at, {}, OpenedBy::Person);
}

/// The word under the cursor of a script.
bool TermGuide::helpAtCursor(QWidget* focused)
{
    const QVariant line = focused->property("helpLine");
    if (!line.isValid())
        return false;
    const auto hit = scriptHelp(line.toString(), focused->property("helpColumn").toInt());
    const auto what = hit ? explain(hit->kind, hit->id, &m_design.derived()) : std::nullopt;
    if (!what)
        return false;
    open(*what, focused, focused->inputMethodQuery(Qt::ImCursorRectangle).toRect(), OpenedBy::Person);
    return true;
}

void TermGuide::help(QWidget* focused)
{
    if (focused != nullptr && helpAtCursor(focused))
        return;
    QWidget* owner = nullptr;
    const QString id = focused != nullptr ? termOf(focused, &owner) : QString();
    const Term* term = id.isEmpty() ? nullptr : findTerm(id);
    if (term == nullptr) {
        showWords(id);
        return;
    }
    // The focused widget is what must stay seen; the bearer of the mark may be the whole page around it.
    open(explain(*term, &m_design.derived()), focused, {}, OpenedBy::Person);
}

void TermGuide::showWords(const QString& term)
{
    // A modal dialog lets no other window be used but its own.
    QWidget* modal = QApplication::activeModalWidget();
    const bool itself = m_words != nullptr && (modal == m_words || m_words->isAncestorOf(modal));
    QWidget* over = modal != nullptr && isOurs(modal) && !itself ? modal : m_window;
    if (m_words != nullptr && m_words->parentWidget() != over)
        m_words->deleteLater();
    if (m_words == nullptr || m_words->parentWidget() != over) {
        m_words = new WordsDialog(m_design, over);
        m_words->setCourse(m_course, m_given);
    }
    m_words->showAt(term);
}

void TermGuide::setCourse(const QString& name, const QString& given)
{
    m_course = name;
    m_given = given;
    if (m_words != nullptr)
        m_words->setCourse(name, given);
}

void TermGuide::close()
{
    m_leaving.stop();
    if (m_popover != nullptr)
        m_popover->shut();
}

TermPopover* TermGuide::popover() const { return m_popover; }

WordsDialog* TermGuide::words() const { return m_words; }

bool TermGuide::isOpen() const { return m_popover != nullptr && m_popover->isOpen(); }

bool TermGuide::isOurs(const QWidget* widget) const
{
    for (const QWidget* each = widget; each != nullptr; each = each->parentWidget()) {
        if (each == m_window)
            return true;
    }
    return false;
}

/// A label reports on which link the mouse is; asked for once, when the mouse first comes.
void TermGuide::watchLinks(QLabel* label)
{
    if (label->property(watchedProperty).toBool() || !label->text().contains(u"href=\"term:"))
        return;
    label->setProperty(watchedProperty, true);
    connect(label, &QLabel::linkHovered, this, [this, label](const QString& link) {
        m_linkLabel = label;
        m_link = linkedTerm(link);
        if (m_link.isEmpty() && isOpen() && !m_stays && m_popover->anchor() == label)
            m_leaving.start();
    });
}

bool TermGuide::hover(QWidget* widget, const QPoint& position)
{
    if (m_popover != nullptr && (widget == m_popover || m_popover->isAncestorOf(widget)))
        return false;
    const auto* label = qobject_cast<QLabel*>(widget);
    if (label != nullptr && m_linkLabel == label && !m_link.isEmpty()) {
        if (const Term* term = findTerm(m_link)) {
            const int line = label->fontMetrics().height();
            open(explain(*term, &m_design.derived()), widget,
                QRect(position - QPoint(line, line / 2), QSize(2 * line, line)), OpenedBy::Mouse);
            return true;
        }
    }
    const QString id = ownTerm(widget);
    const Term* term = id.isEmpty() || explainsItself(widget) ? nullptr : findTerm(id);
    if (term == nullptr)
        return false;
    if (isOpen() && m_popover->anchor() == widget)
        return true;
    open(explain(*term, &m_design.derived()), widget, {}, OpenedBy::Mouse);
    return true;
}

/// Of a key, or of one that is asked about before shortcuts get it.
bool TermGuide::pressed(QWidget* widget, const QKeyEvent& event)
{
    const bool decides = event.type() == QEvent::ShortcutOverride;
    const int key = event.key();
    if (key == Qt::Key_Escape && isOpen()) {
        if (!decides)
            close();
        return true;
    }
    if (key != Qt::Key_F1)
        return false;
    if (decides)
        return true;
    if (isOpen() && m_popover->isAncestorOf(widget))
        showWords(m_popover->shown().id);
    else
        help(widget);
    return true;
}

bool TermGuide::eventFilter(QObject* watched, QEvent* event)
{
    if (!watched->isWidgetType())
        return false;
    auto* widget = static_cast<QWidget*>(watched);
    switch (event->type()) {
    case QEvent::ToolTip:
        if (isOurs(widget)) {
            const auto* help = static_cast<QHelpEvent*>(event);
            return hover(widget, help->pos());
        }
        break;
    case QEvent::Enter:
        if (auto* label = qobject_cast<QLabel*>(widget); label != nullptr && isOurs(label))
            watchLinks(label);
        if (isOpen() && widget == m_popover->anchor())
            m_leaving.stop();
        break;
    case QEvent::Leave:
        if (isOpen() && !m_stays && widget == m_popover->anchor())
            m_leaving.start();
        break;
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress: {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() != Qt::NoModifier || !isOurs(widget))
            break;
        if (!pressed(widget, *key))
            break;
        event->accept();
        return true;
    }
    case QEvent::MouseButtonPress:
    case QEvent::Wheel:
        if (isOpen() && widget != m_popover && !m_popover->isAncestorOf(widget) && isOurs(widget))
            close();
        break;
    case QEvent::Hide:
    case QEvent::Resize:
        // What it belongs to has gone, or stands elsewhere.
        if (isOpen() && (widget == m_popover->anchor() || widget == m_popover->window()))
            close();
        break;
    default: break;
    }
    return false;
}

} // namespace rankwright
