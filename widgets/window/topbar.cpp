// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/topbar.h"

#include "models/core/harmlesstext.h"
#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/icons.h"
#include "widgets/base/richtooltip.h"
#include "widgets/window/searchbutton.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int widestClass = 170; // of its title
constexpr int classFrom = 1180; // below, the bar has no room for it

using T = Theme::Token;

T tokenOf(LinkState state)
{
    switch (state) {
    case LinkState::Online: return T::Good;
    case LinkState::Connecting:
    case LinkState::NeedsAnswer: return T::Warn;
    case LinkState::Lost: return T::Bad;
    case LinkState::Offline: return T::Foreground3;
    }
    return T::Foreground3;
}

/// Filled when online, a ring when not, a ring with a point while something goes on: distinguished without colour.
QIcon dotIcon(LinkState state, const QColor& foreground)
{
    QPixmap picture(32, 32);
    picture.setDevicePixelRatio(2);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(foreground, 1.6));
    painter.setBrush(state == LinkState::Online ? QBrush(foreground) : QBrush(Qt::NoBrush));
    painter.drawEllipse(QPointF(8, 8), 3.8, 3.8);
    if (state == LinkState::Connecting || state == LinkState::NeedsAnswer) {
        painter.setBrush(foreground);
        painter.drawEllipse(QPointF(8, 8), 1, 1);
    }
    return QIcon(picture);
}

QString tr2(const char* text) { return QCoreApplication::translate("TopBar", text); }

} // namespace

QString toWord(LinkState state)
{
    switch (state) {
    case LinkState::Offline: return tr2("not connected");
    case LinkState::Connecting: return tr2("connecting");
    case LinkState::NeedsAnswer: return tr2("waits for you");
    case LinkState::Online: return tr2("connected");
    case LinkState::Lost: return tr2("link lost");
    }
    return {};
}

QString linkCost(const LinkInfo& link)
{
    if (link.state != LinkState::Online)
        return {};
    QStringList parts{counted(1, tr2("connection")), counted(link.openChannels, tr2("channel"))};
    if (link.bytesPerSecond)
        parts.append(*link.bytesPerSecond < 100 ? tr2("%1 B/s").arg(humanNumber(*link.bytesPerSecond, 0))
                                                : tr2("%1 kB/s").arg(humanNumber(*link.bytesPerSecond / 1000, 1)));
    if (link.commandsPerMinute)
        parts.append(tr2("%1 commands/min").arg(humanNumber(*link.commandsPerMinute, 1)));
    return parts.join(u" · "_s);
}

TopBar::TopBar(const Catalogue& catalogue, QWidget* parent) : QWidget(parent), m_catalogue(catalogue)
{
    setFixedHeight(47);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 0, 16, 1);
    row->setSpacing(10);
    auto* mark = new QLabel(this);
    mark->setPixmap(iconPixmap(u"rankwright"_s, Qt::black, 22, devicePixelRatioF()));
    m_name = new QLabel(u"Rankwright"_s, this);
    m_name->setFont(Theme::uiFont(15, QFont::DemiBold));
    m_menuBar = new QMenuBar(this);
    m_menuBar->setNativeMenuBar(false);
    m_menuBar->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_chip = new QPushButton(this);
    m_chip->setProperty("chip", true);
    m_chipMenu = new QMenu(m_chip);
    connect(m_chipMenu, &QMenu::aboutToShow, this, &TopBar::fillMenu);
    m_chip->setMenu(m_chipMenu);
    m_account = makeLabel({}, "quiet", this);
    m_class = new QPushButton(lineIcon(u"mortarboard"_s), {}, this);
    m_class->setObjectName(u"classChip"_s);
    m_class->setProperty("chip", true);
    m_class->hide();
    connect(m_class, &QPushButton::clicked, this, &TopBar::classRequested);
    m_cost = makeElidedLabel("caption", this);
    m_cost->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_cost->setToolTip(tr("What this window asks of the login node"));
    row->addWidget(mark);
    row->addWidget(m_name);
    row->addSpacing(2);
    row->addWidget(m_menuBar, 0, Qt::AlignVCenter);
    row->addSpacing(6);
    row->addWidget(m_chip);
    row->addWidget(m_account);
    row->addWidget(m_class);
    row->addWidget(m_cost, 1);
    m_search = new SearchButton(this);
    connect(m_search, &SearchButton::clicked, this, &TopBar::paletteRequested);
    row->addWidget(m_search);
    m_messages = new QToolButton(this);
    m_messages->setIcon(lineIcon(u"hint"_s));
    m_messages->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_messages->setFocusPolicy(Qt::StrongFocus);
    connect(m_messages, &QToolButton::clicked, this, [this] { emit messagesRequested(m_messages); });
    row->addWidget(m_messages);
    setUnread(0);
    refresh();
}

void TopBar::setRecents(const QStringList& clusters) { m_recents = clusters; }

void TopBar::setUnread(int messages)
{
    m_messages->setText(messages > 0 ? QString::number(messages) : QString());
    m_messages->setToolTip(tr("What was reported in this session"));
    m_messages->setAccessibleName(messages > 0 ? tr("Messages, %n new", nullptr, messages) : tr("Messages"));
}

void TopBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    painter.fillRect(rect(), theme.colour(T::Panel));
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.colour(T::Line));
}

void TopBar::setCluster(const QString& name, const QString& account)
{
    if (name == m_cluster && account == m_designAccount)
        return;
    m_cluster = name;
    m_designAccount = account;
    refresh();
}

void TopBar::showLink(const LinkInfo& link)
{
    m_links.insert(link.cluster, link);
    refresh();
}

void TopBar::setClass(const QString& title, const QString& trust)
{
    // A title is the teacher's, a file's: one short line, and no "&" that underlines.
    QString shown = m_class->fontMetrics().elidedText(title, Qt::ElideRight, widestClass);
    m_class->setText(shown.replace(u'&', u"&&"_s));
    const QString whole = title.isEmpty() ? QString() : tr("Class: %1 (%2)").arg(title, trust);
    m_class->setToolTip(plainToolTip(whole));
    m_class->setAccessibleName(whole);
    makeRoom();
}

QString TopBar::chipText() const { return m_chipText; }

LinkInfo TopBar::linkOf(const QString& cluster) const
{
    const auto found = m_links.constFind(cluster);
    if (found != m_links.constEnd())
        return *found;
    LinkInfo none;
    none.cluster = cluster;
    const ClusterProfile* profile = m_catalogue.find(cluster);
    none.title = profile ? profile->title : cluster;
    return none;
}

void TopBar::refresh()
{
    const LinkInfo link = linkOf(m_cluster);
    const Theme& theme = themeOf(this);
    QStringList parts{link.title.isEmpty() ? tr("no cluster") : link.title};
    parts.append(toWord(link.state));
    if (!link.user.isEmpty() && link.state == LinkState::Online)
        parts.append(link.user);
    if (link.latencyMs && link.state == LinkState::Online)
        parts.append(tr("%1 ms").arg(humanNumber(*link.latencyMs, 0)));
    m_chipText = parts.join(u" · "_s);
    m_chipTitle = parts.first();
    m_chip->setText(m_chipText);
    m_chip->setIcon(dotIcon(link.state, theme.colour(tokenOf(link.state))));
    m_chip->setIconSize(QSize(16, 16));
    m_chip->setAccessibleName(tr("Connection: %1").arg(m_chipText));
    QStringList reported{m_chipText + u'.', tr("Connections of all clusters")};
    if (link.error)
        reported = {link.error->what, link.error->remedy};
    else if (!link.activity.isEmpty())
        reported = {link.activity};
    m_chip->setToolTip(richToolTip(reported.join(u' ').trimmed()));
    const QString account = m_designAccount.isEmpty() ? link.account : m_designAccount;
    m_account->setText(account);
    m_account->setToolTip(tr("The account that is billed"));
    m_cost->setText(link.activity.isEmpty() ? linkCost(link) : link.activity);
    makeRoom();
}

/// The field gives way to whatever else is in the bar; then the account, the program's name and what the chip says
/// beside the cluster. The menus give way to nothing.
void TopBar::makeRoom()
{
    m_class->setVisible(!m_class->text().isEmpty() && width() >= classFrom);
    int room = width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
    const QList<QWidget*> giveWay{m_name, m_account, m_chip, m_search, m_cost};
    for (int i = 0; i < layout()->count(); ++i) {
        QLayoutItem* item = layout()->itemAt(i);
        const bool isEmpty = item->isEmpty() && !item->spacerItem();
        if (!isEmpty && !giveWay.contains(item->widget()))
            room -= layout()->spacing() + item->sizeHint().width();
    }
    const auto needed = [this](const QWidget& part) { return part.sizeHint().width() + layout()->spacing(); };
    const QFontMetrics metrics = m_chip->fontMetrics();
    const int chipFrame = needed(*m_chip) - metrics.horizontalAdvance(m_chip->text());
    const int chip = chipFrame + metrics.horizontalAdvance(m_chipText);
    const int name = needed(*m_name);
    const int account = m_account->text().isEmpty() ? 0 : needed(*m_account);
    room -= m_search->foldedWidth() + 2 * layout()->spacing();
    const bool isChipWhole = room >= chip;
    const bool isNamed = room >= chip + name;
    const bool isBilledSaid = account > 0 && room >= chip + name + account;
    m_chip->setText(isChipWhole ? m_chipText : m_chipTitle);
    m_name->setVisible(isNamed);
    m_account->setVisible(isBilledSaid);
    room -= isChipWhole ? chip : chipFrame + metrics.horizontalAdvance(m_chipTitle);
    room -= (isNamed ? name : 0) + (isBilledSaid ? account : 0);
    const int cost = m_cost->text().isEmpty() ? 0 : qMin(180, m_cost->sizeHint().width());
    m_search->setFolded(room + m_search->foldedWidth() - cost < m_search->fullWidth());
}

bool TopBar::event(QEvent* event)
{
    // A part wants another width: its font came, its text or the menus changed.
    if (event->type() == QEvent::LayoutRequest && m_search)
        makeRoom();
    return QWidget::event(event);
}

void TopBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    makeRoom();
}

void TopBar::addCluster(QMenu& menu, const ClusterProfile& profile)
{
    const LinkInfo link = linkOf(profile.name);
    const bool connected = link.state != LinkState::Offline && link.state != LinkState::Lost;
    const QString text = connected ? tr("Disconnect from %1 (%2)").arg(profile.title, toWord(link.state))
                                   : tr("Connect to %1 (%2)").arg(profile.title, toWord(link.state));
    auto* action = menu.addAction(dotIcon(link.state, themeOf(this).colour(tokenOf(link.state))), text);
    action->setEnabled(connected || profile.acceptsJobs);
    connect(action, &QAction::triggered, this, [this, connected, name = profile.name] {
        if (connected)
            emit disconnectRequested(name);
        else
            emit connectRequested(name);
    });
}

/// The design's cluster, those that are connected, earlier ones; all others in a menu of their own.
void TopBar::fillMenu()
{
    m_chipMenu->clear();
    qDeleteAll(m_chipMenu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly)); // clear() leaves them
    QStringList first{m_cluster};
    for (const ClusterProfile& profile : m_catalogue.clusters) {
        const LinkState state = linkOf(profile.name).state;
        if (state != LinkState::Offline)
            first.append(profile.name);
    }
    first += m_recents;
    first.removeDuplicates();
    for (const QString& name : std::as_const(first)) {
        if (const ClusterProfile* profile = m_catalogue.find(name))
            addCluster(*m_chipMenu, *profile);
    }
    m_chipMenu->addSeparator();
    QMenu* others = m_chipMenu->addMenu(tr("Other clusters"));
    for (const ClusterProfile& profile : m_catalogue.clusters) {
        if (!first.contains(profile.name))
            addCluster(*others, profile);
    }
    m_chipMenu->addSeparator();
    connect(m_chipMenu->addAction(lineIcon(u"clusters"_s), tr("Clusters page")), &QAction::triggered, this,
        &TopBar::clustersRequested);
}

void TopBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_cost)
        refresh();
}

} // namespace rankwright
