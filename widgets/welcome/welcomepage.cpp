// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/welcome/welcomepage.h"

#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/keycap.h"
#include "widgets/base/richtooltip.h"
#include "widgets/base/scrollpage.h"
#include "widgets/base/theme.h"
#include "widgets/welcome/classstrip.h"
#include "widgets/welcome/designtile.h"

#include "widgets/welcome/tilelayout.h"
#include "widgets/welcome/waycard.h"

#include <QAbstractButton>
#include <QApplication>
#include <QBoxLayout>
#include <QDropEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QShortcut>

#include <algorithm>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int widest = 1280; ///< of the contents: beyond, lines are too long to be taken in at a glance
constexpr int mostDesigns = 8;

void clearTiles(TileLayout& tiles)
{
    while (QLayoutItem* item = tiles.takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

} // namespace

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Welcome"));
    setAcceptDrops(true);
    addKey(u"1"_s, &WelcomePage::guideRequested);
    addKey(u"2"_s, &WelcomePage::chooseClusterRequested);
    addKey(u"3"_s, &WelcomePage::watchRequested);
    addKey(u"4"_s, &WelcomePage::askClassFile);
}

void WelcomePage::addKey(const QString& key, void (WelcomePage::*choice)())
{
    auto* shortcut = new QShortcut(QKeySequence(key), this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, choice);
}

void WelcomePage::setClassFiles(bool taken)
{
    m_takesClassFiles = taken;
    if (m_class)
        m_class->setVisible(taken);
}

void WelcomePage::askClassFile()
{
    if (m_takesClassFiles)
        emit classFileRequested({});
}

void WelcomePage::setFacts(const WelcomeFacts& facts)
{
    m_facts = facts;
    if (m_scroll)
        showFacts();
}

void WelcomePage::setNotes(const QList<WelcomeNote>& notes)
{
    if (notes == m_notes)
        return;
    m_notes = notes;
    if (m_scroll)
        showNotes();
}

void WelcomePage::setDesigns(const QList<RecentDesign>& designs)
{
    if (designs == m_designs)
        return;
    m_designs = designs;
    if (m_scroll)
        showDesigns();
}

void WelcomePage::setTemplates(const QList<DesignTemplate>& templates, const QString& cluster)
{
    m_templates = templates;
    m_cluster = cluster;
    if (m_scroll)
        showTemplates();
}

void WelcomePage::focusFirst()
{
    build();
    m_learn->button()->setFocus(Qt::OtherFocusReason);
}

void WelcomePage::build()
{
    if (m_scroll)
        return;
    m_scroll = new ScrollPage(this);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    auto* body = new QWidget(m_scroll);
    m_column = new QVBoxLayout(body);
    m_column->setSpacing(16);
    buildHead(m_column);
    buildWays(m_column);
    m_class = new ClassStrip(body);
    connect(m_class, &ClassStrip::openRequested, this, &WelcomePage::askClassFile);
    m_class->setVisible(m_takesClassFiles);
    m_column->addWidget(m_class);
    buildDesigns(m_column);
    buildTemplates(m_column);
    m_column->addStretch(1);
    buildFoot(m_column);
    m_scroll->setWidget(body);
    body->setAutoFillBackground(false);
    m_scroll->viewport()->setAutoFillBackground(false);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_scroll);
    m_scroll->show(); // at once: what is built while its parent comes into view would be seen one frame later
    limitWidth();
    showFacts();
    showNotes();
    showDesigns();
    showTemplates();
}

void WelcomePage::buildHead(QVBoxLayout* column)
{
    auto* head = new QVBoxLayout;
    head->setSpacing(4);
    QLabel* title = makeLabel(tr("What would you like to do?"), "heading", this);
    title->setFont(Theme::uiFont(24, QFont::DemiBold));
    title->setWordWrap(true);
    QLabel* text = makeLabel(
        tr("The first way needs no account. Nothing is sent to a cluster before you say so."), "quiet", this);
    text->setWordWrap(true);
    head->addWidget(title);
    head->addWidget(text);
    column->addLayout(head);
    m_noteColumn = new QVBoxLayout;
    m_noteColumn->setSpacing(8);
    column->addLayout(m_noteColumn);
}

void WelcomePage::buildWays(QVBoxLayout* column)
{
    m_learn = new WayCard(WelcomePicture::Practice,
        {tr("Learn on the practice cluster"), tr("Start my first job"), tr("Enter")}, WayCard::Place::First, this);
    m_design = new WayCard(WelcomePicture::Fitting, {tr("Design a job for my cluster"), tr("Choose a cluster"), u"2"_s},
        WayCard::Place::Further, this);
    m_watch = new WayCard(WelcomePicture::Watching, {tr("Watch a job that runs"), tr("Choose a job"), u"3"_s},
        WayCard::Place::Further, this);
    m_watch->setText(tr("Log in, pick one of your jobs, see all of its GPUs. Nothing in the job is changed."));
    connect(m_learn, &WayCard::chosen, this, &WelcomePage::guideRequested);
    connect(m_design, &WayCard::chosen, this, &WelcomePage::chooseClusterRequested);
    connect(m_watch, &WayCard::chosen, this, &WelcomePage::watchRequested);
    auto* tiles = new TileLayout({.leastCharacters = 32, .mostColumns = 3, .firstWeight = 1.22}, 16);
    for (WayCard* card : {m_learn, m_design, m_watch})
        tiles->addWidget(card);
    column->addLayout(tiles);
}

QWidget* WelcomePage::headOf(const QString& title, QWidget* right)
{
    auto* head = new QWidget(this);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 6, 0, 0);
    row->addWidget(makeLabel(title, "title", head));
    row->addStretch(1);
    row->addWidget(right);
    return head;
}

void WelcomePage::buildDesigns(QVBoxLayout* column)
{
    m_all = new QPushButton(tr("All designs"), this);
    m_all->setProperty("link", true);
    connect(m_all, &QPushButton::clicked, this, &WelcomePage::allDesignsRequested);
    m_designPart = new QWidget(this);
    auto* part = new QVBoxLayout(m_designPart);
    part->setContentsMargins(0, 0, 0, 0);
    part->setSpacing(8);
    part->addWidget(headOf(tr("Recent designs"), m_all));
    m_designTiles = new TileLayout({.leastCharacters = 32, .mostColumns = 4}, 12);
    part->addLayout(m_designTiles);
    column->addWidget(m_designPart);
}

void WelcomePage::buildTemplates(QVBoxLayout* column)
{
    m_templatePart = new QWidget(this);
    auto* part = new QVBoxLayout(m_templatePart);
    part->setContentsMargins(0, 0, 0, 0);
    part->setSpacing(8);
    m_templateHead = makeElidedLabel("quiet", this);
    m_templateHead->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    QWidget* head = headOf(tr("Or begin with a template"), m_templateHead);
    static_cast<QBoxLayout*>(head->layout())->setStretch(2, 4);
    part->addWidget(head);
    m_templateTiles = new TileLayout({.leastCharacters = 24, .mostColumns = 5}, 10);
    part->addLayout(m_templateTiles);
    m_notOffered = makeLabel({}, "quiet", this);
    m_notOffered->setWordWrap(true);
    part->addWidget(m_notOffered);
    m_otherCluster = new QPushButton(tr("Choose another cluster"), this);
    m_otherCluster->setProperty("link", true);
    connect(m_otherCluster, &QPushButton::clicked, this, &WelcomePage::chooseClusterRequested);
    part->addWidget(m_otherCluster, 0, Qt::AlignLeft);
    column->addWidget(m_templatePart);
}

void WelcomePage::buildFoot(QVBoxLayout* column)
{
    auto* tiles = new TileLayout({}, 22);
    const std::pair<QString, QString> keys[] = {{tr("Tab"), tr("next")}, {tr("Enter"), tr("choose")},
        {tr("Ctrl K"), tr("find anything")}, {tr("F1"), tr("what is this?")}};
    for (const auto& [key, what] : keys) {
        auto* pair = new QWidget(this);
        auto* row = new QHBoxLayout(pair);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(7);
        row->addWidget(new KeyCap(key, pair));
        row->addWidget(makeLabel(what, "quiet", pair));
        tiles->addWidget(pair);
    }
    tiles->addWidget(makeLabel(tr("Help › Welcome brings this page back"), "quiet", this));
    for (int i = 0; i < tiles->count(); ++i)
        tiles->itemAt(i)->widget()->setProperty("keepsClear", true); // of messages
    column->addLayout(tiles);
}

void WelcomePage::showFacts()
{
    const QString start = m_facts.practiceSeconds ? tr("A real Slurm on this machine, %1 to start, no account.")
                                                        .arg(humanDuration(Seconds{*m_facts.practiceSeconds}))
                                                  : tr("A real Slurm on this machine, no account.");
    const QString steps = m_facts.guideSteps
        ? tr("%1 to a job that has finished.").arg(counted(*m_facts.guideSteps, tr("short step")))
        : tr("A few short steps to a job that has finished.");
    m_learn->setText(start + u' ' + steps);
    m_learn->button()->setText(m_facts.guideAt > 0 ? tr("Go on with my first job") : tr("Start my first job"));
    if (m_facts.guideAt > 0 && m_facts.guideSteps)
        m_learn->setNote(tr("step %1 of %2").arg(m_facts.guideAt).arg(*m_facts.guideSteps));
    else
        m_learn->setNote(
            m_facts.guideMinutes ? tr("about %1").arg(counted(*m_facts.guideMinutes, tr("minute"))) : QString());
    m_design->setText(
        (m_facts.clusters.value_or(0) > 0
                ? tr("%1 known, yours can be asked.")
                      .arg(*m_facts.clusters == 1 ? tr("1 cluster is") : tr("%1 clusters are").arg(*m_facts.clusters))
                : tr("Yours can be asked what it has."))
        + u' ' + tr("See whether it fits before you queue."));
}

void WelcomePage::showNotes()
{
    while (QLayoutItem* item = m_noteColumn->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    for (const WelcomeNote& note : std::as_const(m_notes)) {
        auto* strip = new QFrame(this);
        strip->setProperty("card", true);
        auto* row = new QHBoxLayout(strip);
        row->setContentsMargins(15, 8, 10, 8);
        row->setSpacing(12);
        QLabel* text = makeLabel(note.text, "plain", strip);
        text->setWordWrap(true);
        if (const QString tone = toneName(note.tone); !tone.isEmpty())
            text->setProperty("tone", tone);
        row->addWidget(text, 1);
        if (!note.action.isEmpty()) {
            auto* button = new QPushButton(note.action, strip);
            button->setAccessibleDescription(note.text);
            connect(button, &QPushButton::clicked, this, [this, id = note.id] { emit noteActed(id); });
            row->addWidget(button);
        }
        const auto addQuiet = [&](const QString& words, void (WelcomePage::*chosen)(const QString&)) {
            if (words.isEmpty())
                return;
            auto* button = new QPushButton(words, strip);
            button->setFlat(true);
            button->setAccessibleDescription(note.text);
            connect(button, &QPushButton::clicked, this, [this, chosen, id = note.id] { emit(this->*chosen)(id); });
            row->addWidget(button);
        };
        addQuiet(note.other, &WelcomePage::noteOtherActed);
        addQuiet(note.dismissal, &WelcomePage::noteDismissed);
        m_noteColumn->addWidget(strip);
    }
    orderTabs();
}

void WelcomePage::showDesigns()
{
    const auto* before = qobject_cast<DesignTile*>(QApplication::focusWidget());
    const bool focused = before && m_designPart->isAncestorOf(before);
    clearTiles(*m_designTiles);
    DesignTile* first = nullptr;
    for (const RecentDesign& design : m_designs.mid(0, mostDesigns)) {
        auto* tile = new DesignTile(design, m_designPart);
        connect(tile, &DesignTile::clicked, this, [this, path = design.path] { emit designRequested(path); });
        connect(tile, &DesignTile::removeRequested, this, [this, path = design.path] { emit designRemoved(path); });
        m_designTiles->addWidget(tile);
        tile->show();
        first = first ? first : tile;
    }
    m_designPart->setVisible(!m_designs.isEmpty());
    orderTabs();
    if (focused) // one of them went: the keyboard stays among them
        (first ? static_cast<QWidget*>(first) : m_learn->button())->setFocus(Qt::OtherFocusReason);
}

void WelcomePage::showTemplates()
{
    clearTiles(*m_templateTiles);
    QStringList reasons;
    int offered = 0;
    for (const DesignTemplate& each : std::as_const(m_templates)) {
        if (!each.isOffered()) {
            reasons.append(u"%1: %2"_s.arg(each.title, each.whyNot));
            continue;
        }
        auto* tile = new DesignTile(each, m_templatePart);
        connect(tile, &DesignTile::clicked, this, [this, id = each.id] { emit templateRequested(id); });
        m_templateTiles->addWidget(tile);
        tile->show();
        ++offered;
    }
    m_templatePart->setVisible(!m_templates.isEmpty());
    m_templateHead->setText(m_cluster.isEmpty() ? tr("each opens as an ordinary design")
                                                : tr("each opens as an ordinary design for %1").arg(m_cluster));
    m_notOffered->setVisible(!reasons.isEmpty());
    m_otherCluster->setVisible(!reasons.isEmpty());
    if (offered == 0 && !m_templates.isEmpty())
        m_notOffered->setText(m_templates.first().whyNot);
    else
        m_notOffered->setText(reasons.join(u'\n'));
    orderTabs();
}

/// As it is read, whatever was built later.
void WelcomePage::orderTabs()
{
    QList<QWidget*> order;
    const auto addTiles = [&order](const TileLayout& tiles) {
        for (int i = 0; i < tiles.count(); ++i)
            order.append(tiles.itemAt(i)->widget());
    };
    for (int i = 0; i < m_noteColumn->count(); ++i) {
        for (QPushButton* button : m_noteColumn->itemAt(i)->widget()->findChildren<QPushButton*>())
            order.append(button);
    }
    for (const WayCard* card : {m_learn, m_design, m_watch})
        order.append(card->button());
    order.append(m_class->button());
    order.append(m_all);
    addTiles(*m_designTiles);
    addTiles(*m_templateTiles);
    order.append(m_otherCluster);
    for (qsizetype i = 1; i < order.size(); ++i)
        setTabOrder(order.at(i - 1), order.at(i));
}

void WelcomePage::limitWidth()
{
    const int usual = width() >= 900 ? 44 : 20;
    const int side = std::max(usual, (width() - widest) / 2);
    m_column->setContentsMargins(side, 22, side, 14);
}

void WelcomePage::showEvent(QShowEvent* event)
{
    build();
    QWidget::showEvent(event);
    emit pageShown();
}

/// Enter chooses what has the focus; where nothing has it, the first way.
void WelcomePage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
        QWidget::keyPressEvent(event);
        return;
    }
    auto* button = qobject_cast<QAbstractButton*>(QApplication::focusWidget());
    if (button && isAncestorOf(button))
        button->click();
    else
        emit guideRequested();
}

void WelcomePage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_column)
        limitWidth();
}

void WelcomePage::dragEnterEvent(QDragEnterEvent* event)
{
    const bool isClass = m_takesClassFiles && !ClassStrip::draggedClassFile(*event->mimeData()).isEmpty();
    if (m_class)
        m_class->setDropping(isClass);
    event->setAccepted(isClass); // anything else is the window's
    if (isClass)
        event->acceptProposedAction();
}

void WelcomePage::dragLeaveEvent(QDragLeaveEvent*)
{
    if (m_class)
        m_class->setDropping(false);
}

void WelcomePage::dropEvent(QDropEvent* event)
{
    if (m_class)
        m_class->setDropping(false);
    const QString path = ClassStrip::draggedClassFile(*event->mimeData());
    event->setAccepted(!path.isEmpty());
    if (!path.isEmpty())
        emit classFileRequested(path);
}

} // namespace rankwright
