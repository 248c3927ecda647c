// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/linkcard.h"

#include "models/cluster/catalogue/catalogue.h"
#include "models/core/harmlesstext.h"
#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/tonedelegate.h"
#include "widgets/clusters/clustertext.h"

#include <QBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <QMap>

#include <algorithm>
#include <cmath>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

/// "login nodes by name: a, b · CPU work: c".
QString otherHosts(const LoginRule& login)
{
    QStringList purposes;
    QMap<QString, QStringList> hosts;
    for (const LoginHost& other : login.others) {
        if (!purposes.contains(other.purpose))
            purposes.append(other.purpose);
        hosts[other.purpose].append(other.host);
    }
    QStringList parts;
    for (const QString& purpose : std::as_const(purposes)) {
        const QString names = hosts.value(purpose).join(u", "_s);
        parts.append(purpose.isEmpty() ? names : purpose + u": "_s + names);
    }
    return parts.join(u'\n');
}

} // namespace

LinkCard::LinkCard(const ClusterProfile& profile, QWidget* parent)
    : QFrame(parent), m_title(profile.title), m_practice(profile.name == QStringView(practiceName)),
      m_acceptsJobs(profile.acceptsJobs)
{
    setProperty("card", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 13, 16, 15);
    column->setSpacing(10);
    buildHead();
    if (!profile.summary.isEmpty())
        column->addWidget(makeText(profile.summary, "quiet", this));
    m_activity = new QWidget(this);
    auto* activity = new QVBoxLayout(m_activity);
    activity->setContentsMargins(0, 2, 0, 2);
    activity->setSpacing(6);
    m_activityText = makeLabel({}, "plain", m_activity);
    m_activityBar = new QProgressBar(m_activity);
    m_activityBar->setTextVisible(false);
    m_activityBar->setMaximumWidth(460);
    activity->addWidget(m_activityText);
    activity->addWidget(m_activityBar);
    column->addWidget(m_activity);
    m_error = makeText({}, "plain", this);
    m_error->setProperty("tone", u"bad"_s);
    m_remedy = makeText({}, "quiet", this);
    column->addWidget(m_error);
    column->addWidget(m_remedy);
    m_hint = makeText({}, "plain", this);
    m_hint->setProperty("tone", u"warn"_s);
    m_hint->setAccessibleName(tr("What to do"));
    column->addWidget(m_hint);
    m_banner = makeText({}, "quiet", this);
    m_banner->setAccessibleName(tr("What the server says"));
    column->addWidget(m_banner);
    buildFacts(profile);
    showLink(LinkInfo());
}

void LinkCard::buildHead()
{
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    m_names = row;
    m_state = makeLabel({}, "quiet", this);
    m_figures = makeLabel({}, "quiet", this);
    m_on = new QPushButton(m_practice ? tr("Start practice cluster") : tr("Connect…"), this);
    m_on->setProperty("accent", true);
    m_off = new QPushButton(m_practice ? tr("Stop practice cluster") : tr("Disconnect"), this);
    m_use = new QPushButton(tr("Use in design"), this);
    m_use->setToolTip(tr("Make %1 the cluster of the open design").arg(m_title));
    row->addWidget(makeLabel(m_title, "figure", this));
    row->addWidget(m_state);
    row->addWidget(m_figures);
    row->addStretch();
    m_draft = new QPushButton(tr("Draft an entry…"), this);
    m_draft->setToolTip(tr("Ask this cluster's Slurm for its nodes, partitions and limits, and draft a cluster file"));
    connect(m_draft, &QPushButton::clicked, this, &LinkCard::draftClicked);
    m_compare = new QPushButton(tr("Compare…"), this);
    m_compare->setToolTip(tr("Ask this cluster's Slurm and list in what it differs from the entry shown here"));
    connect(m_compare, &QPushButton::clicked, this, &LinkCard::compareClicked);
    m_buttons = new QHBoxLayout;
    m_buttons->setSpacing(12);
    m_help = new QPushButton(tr("Help me log in…"), this);
    m_help->setToolTip(tr("Make a key, see where the site takes it, and test each step of the login"));
    connect(m_help, &QPushButton::clicked, this, &LinkCard::helpClicked);
    for (QPushButton* button : {m_on, m_off, m_help, m_compare, m_draft, m_use})
        m_buttons->addWidget(button);
    m_head = new QBoxLayout(QBoxLayout::LeftToRight);
    m_head->setSpacing(12);
    m_head->addLayout(m_names, 1);
    m_head->addLayout(m_buttons);
    m_head->setAlignment(m_buttons, Qt::AlignLeft);
    static_cast<QVBoxLayout*>(layout())->addLayout(m_head);
    connect(m_on, &QPushButton::clicked, this, [this] {
        if (m_practice)
            emit startClicked();
        else
            emit connectClicked();
    });
    connect(m_off, &QPushButton::clicked, this, [this] {
        if (m_practice)
            emit stopClicked();
        else
            emit disconnectClicked();
    });
    connect(m_use, &QPushButton::clicked, this, &LinkCard::useClicked);
}

void LinkCard::buildFacts(const ClusterProfile& profile)
{
    auto* facts = new FactGrid(tr("not published"), 1, this);
    facts->add(tr("Run by"), profile.operatorName);
    QString status = profile.status;
    if (!profile.acceptsJobs)
        status = tr("takes no jobs: %1").arg(status);
    facts->add(tr("Status"), status);
    if (!m_practice) {
        QString host = profile.login.host;
        if (profile.login.port)
            host += u':' + QString::number(*profile.login.port);
        facts->addCode(tr("Login host"), host);
        if (!profile.login.jump.isEmpty())
            facts->addCode(tr("Through"), profile.login.jump);
        if (!profile.login.others.isEmpty())
            facts->add(tr("Other hosts"), otherHosts(profile.login));
        facts->addCode(tr("Fingerprints"), profile.login.fingerprints.join(u'\n'));
        if (!profile.login.jumpFingerprints.isEmpty())
            facts->addCode(tr("… of the gateway"), profile.login.jumpFingerprints.join(u'\n'));
    }
    facts->add(m_practice ? tr("Access") : tr("Login"), profile.login.method);
    if (!m_practice && profile.login.takesKeys != false) {
        const KeyRegistration& page = profile.login.keyRegistration;
        facts->add(tr("Keys go into"), QStringList{page.title, page.url}.join(u'\n').trimmed());
    }
    if (!m_practice)
        facts->add(tr("Second factor"), profile.login.secondFactor);
    if (!profile.login.note.isEmpty())
        facts->add(tr("Notes"), profile.login.note);
    layout()->addWidget(facts);
}

void LinkCard::showLink(const LinkInfo& link)
{
    const bool idle = link.state == LinkState::Offline || link.state == LinkState::Lost;
    const bool working = !link.activity.isEmpty();
    m_state->setText(m_practice ? practiceWords(link.state) : toWords(link.state));
    setStyleProperty(m_state, "pill", QString::fromLatin1(pillOf(toneOf(link.state))));
    m_on->setVisible(idle && !working && (m_acceptsJobs || m_practice));
    m_off->setVisible(!idle || working);
    m_help->setVisible(idle && !working && !m_practice && m_acceptsJobs);
    m_draft->setVisible(link.state == LinkState::Online);
    m_compare->setVisible(link.state == LinkState::Online);
    m_off->setText(m_practice                 ? tr("Stop practice cluster")
            : link.state == LinkState::Online ? tr("Disconnect")
                                              : tr("Stop connecting"));
    QStringList figures;
    if (link.state == LinkState::Online) {
        if (!link.user.isEmpty())
            figures.append(link.user);
        if (link.latencyMs)
            figures.append(tr("%1\u2009ms").arg(std::lround(*link.latencyMs)));
        if (link.lineBytesPerSecond && *link.lineBytesPerSecond < slowLineBytesPerSecond)
            figures.append(tr("slow line: %1 a second").arg(humanBytes(Bytes{qint64(*link.lineBytesPerSecond)})));
        if (!link.slurmVersion.isEmpty())
            figures.append(tr("Slurm %1").arg(link.slurmVersion));
    }
    m_figures->setText(figures.join(u" · "_s));
    m_activity->setVisible(working);
    m_activityText->setText(link.activity);
    m_activityBar->setRange(0, link.activityFraction ? 1000 : 0);
    if (link.activityFraction)
        m_activityBar->setValue(int(std::lround(*link.activityFraction * 1000)));
    m_activityBar->setAccessibleName(link.activity);
    showError(link);
    showBanners(link);
    arrangeHead();
}

void LinkCard::arrangeHead()
{
    const QMargins margins = layout()->contentsMargins();
    const int room = width() - margins.left() - margins.right();
    const int needed = m_names->sizeHint().width() + m_head->spacing() + m_buttons->sizeHint().width();
    m_head->setDirection(needed <= room ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    updateGeometry();
}

/// As narrow as the buttons below the name are: the page shows no more than it has room for.
QSize LinkCard::minimumSizeHint() const
{
    const QMargins margins = layout()->contentsMargins();
    const int widest = std::max(m_names->minimumSize().width(), m_buttons->minimumSize().width());
    return {widest + margins.left() + margins.right(), QFrame::minimumSizeHint().height()};
}

void LinkCard::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    arrangeHead();
}

/// Each line under a mark of ours: a server's text is never taken for one of the window's.
void LinkCard::showBanners(const LinkInfo& link)
{
    constexpr qsizetype mostLines = 12;
    QStringList lines;
    for (const auto& [host, text] : link.banners) {
        for (const QString& line : text.split(u'\n', Qt::SkipEmptyParts))
            lines.append(tr("%1 says: %2").arg(host, harmlessLine(line, 200)));
    }
    m_banner->setText(lines.mid(0, mostLines).join(u'\n'));
    m_banner->setVisible(!lines.isEmpty());
    const bool lives = link.state != LinkState::Offline && link.state != LinkState::Lost;
    m_hint->setText(u"→ "_s + link.hint);
    m_hint->setVisible(lives && !link.hint.isEmpty());
}

void LinkCard::showError(const LinkInfo& link)
{
    const bool failed = link.error && link.state != LinkState::Online;
    const Error why = link.error.value_or(Error());
    m_error->setVisible(failed);
    m_error->setText(u"✕ "_s + why.what);
    QStringList more;
    for (const QString& part : {why.remedy, why.detail}) {
        if (!part.isEmpty())
            more.append(part);
    }
    m_remedy->setVisible(failed && !more.isEmpty());
    m_remedy->setText(more.join(u'\n'));
}

} // namespace rankwright
