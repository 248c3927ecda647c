// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/connectionnote.h"

#include "widgets/base/card.h"
#include "widgets/base/icons.h"

#include <QAccessible>
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int noteWidth = 440;

QLabel* makeWrapped(const char* role, QWidget* parent)
{
    QLabel* label = makeLabel({}, role, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

ConnectionNote::ConnectionNote(QWidget& anchor, QWidget* parent)
    : QFrame(parent), m_anchor(&anchor), m_title(makeWrapped("title", this)), m_what(makeWrapped("plain", this)),
      m_remedy(makeWrapped("plain", this)), m_detail(makeWrapped("caption", this)),
      m_retry(new QPushButton(tr("Try again…"), this))
{
    setProperty("card", true);
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Why the connection failed"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 12);
    column->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    auto* close = new QToolButton(this);
    close->setIcon(lineIcon(u"close"_s));
    close->setIconSize(QSize(14, 14));
    close->setAccessibleName(tr("Dismiss"));
    close->setToolTip(tr("Dismiss (Esc)"));
    close->setFocusPolicy(Qt::StrongFocus);
    head->addWidget(close, 0, Qt::AlignTop);
    column->addLayout(head);
    m_what->setProperty("tone", u"bad"_s);
    for (QLabel* label : {m_what, m_remedy, m_detail})
        column->addWidget(label);
    auto* buttons = new QHBoxLayout;
    m_retry->setProperty("accent", true);
    auto* page = new QPushButton(tr("All about this connection"), this);
    page->setProperty("link", true);
    buttons->addWidget(m_retry);
    buttons->addWidget(page);
    buttons->addStretch(1);
    column->addLayout(buttons);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_retry, &QPushButton::clicked, this, [this] {
        hide();
        emit retryClicked(m_cluster);
    });
    connect(page, &QPushButton::clicked, this, [this] {
        hide();
        emit clustersClicked(m_cluster);
    });
    parent->installEventFilter(this);
    anchor.installEventFilter(this);
    hide();
}

void ConnectionNote::showLink(const LinkInfo& link)
{
    // A link that is opened again by itself says so in the chip; what needs a person stands here.
    const bool failed
        = link.error && link.activity.isEmpty() && (link.state == LinkState::Offline || link.state == LinkState::Lost);
    if (!failed) {
        if (link.cluster == m_cluster)
            hide();
        return;
    }
    const Error& why = *link.error;
    m_cluster = link.cluster;
    m_title->setText(link.state == LinkState::Lost ? tr("The connection to %1 was lost").arg(link.title)
                                                   : tr("Not connected to %1").arg(link.title));
    m_what->setText(u"✕ "_s + why.what);
    m_remedy->setText(why.remedy);
    m_remedy->setVisible(!why.remedy.isEmpty());
    m_detail->setText(why.detail);
    m_detail->setVisible(!why.detail.isEmpty());
    // Nothing was mistyped where the login worked before: one click, and whatever it asks of a person.
    m_retry->setText(link.waitsForPerson ? tr("Connect") : tr("Try again…"));
    m_retry->setToolTip(link.waitsForPerson ? tr("Logs in again; you may be asked for a code or a confirmation")
                                            : tr("Shows host and user again before it connects"));
    show();
    raise();
    placeNote();
    QAccessibleEvent reported(m_what, QAccessible::Alert);
    QAccessible::updateAccessibility(&reported);
}

QString ConnectionNote::text() const
{
    return QStringList{m_title->text(), m_what->text(), m_remedy->text(), m_detail->text()}.join(u'\n').trimmed();
}

void ConnectionNote::placeNote()
{
    if (!m_anchor || !isVisible())
        return;
    const QWidget* room = parentWidget();
    const int width = std::min(noteWidth, room->width() - 16);
    layout()->activate();
    const int height = std::min(heightForWidth(width), room->height() - 8); // with the frame, unlike the layout's
    const QPoint corner = m_anchor->mapTo(window(), QPoint(0, m_anchor->height() + 2));
    const QPoint place = room->mapFrom(window(), corner);
    setGeometry(
        std::clamp(place.x(), 8, std::max(8, room->width() - width - 8)), std::max(0, place.y()), width, height);
}

bool ConnectionNote::event(QEvent* event)
{
    const bool done = QFrame::event(event);
    if (event->type() == QEvent::LayoutRequest) // larger text, another theme
        placeNote();
    return done;
}

bool ConnectionNote::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        placeNote();
    // Nothing in the page wanted it.
    if (watched == parent() && event->type() == QEvent::KeyPress && isVisible()
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        hide();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void ConnectionNote::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        hide();
    else
        QFrame::keyPressEvent(event);
}

} // namespace rankwright
