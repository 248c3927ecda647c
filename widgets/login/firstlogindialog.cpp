// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/login/firstlogindialog.h"

#include "models/core/harmlesstext.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/login/keypanel.h"
#include "widgets/login/lightlist.h"
#include "widgets/login/mistakelist.h"

#include <QBoxLayout>
#include <QFormLayout>
#include <QGuiApplication>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

constexpr int usualLetters = 94; // wide, at any size of text
constexpr int usualHeight = 680;

} // namespace

FirstLoginDialog::FirstLoginDialog(const ClusterProfile& profile, const ConnectForm& form, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Help me log in"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 14);
    auto* area = m_area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    auto* page = new QWidget(area);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(22, 18, 22, 10);
    column->setSpacing(10);
    column->addWidget(makeText(tr("Log in to %1 for the first time").arg(profile.title), "figure", page));
    if (!profile.login.method.isEmpty())
        column->addWidget(makeText(tr("The site says: %1.").arg(profile.login.method), "quiet", page));
    column->addWidget(makeLabel(tr("1  Who are you there?"), "title", page));
    column->addWidget(buildForm(form, page));
    column->addWidget(makeLabel(tr("2  Your key"), "title", page));
    m_keys = new KeyPanel(profile.login, page);
    column->addWidget(m_keys);
    column->addWidget(makeLabel(tr("3  Step by step"), "title", page));
    m_test = new QPushButton(tr("Test each step"), page);
    m_test->setProperty("accent", true);
    m_test->setDefault(true);
    column->addWidget(m_test, 0, Qt::AlignLeft);
    m_hint = makeText({}, "plain", page);
    m_hint->setProperty("tone", u"warn"_s);
    m_hint->setAccessibleName(tr("What to do now"));
    m_hint->hide();
    column->addWidget(m_hint);
    m_lights = new LightList(page);
    column->addWidget(m_lights);
    m_banner = makeText({}, "quiet", page);
    m_banner->setAccessibleName(tr("What the server says"));
    m_banner->hide();
    column->addWidget(m_banner);
    m_mistakes = new MistakeList(page);
    column->addWidget(m_mistakes);
    column->addStretch();
    area->setWidget(page);
    outer->addWidget(area, 1);
    buildButtons();
    const QSize room = parent ? parent->window()->size() : QGuiApplication::primaryScreen()->availableGeometry().size();
    resize(qMin(usualLetters * fontMetrics().averageCharWidth(), room.width() - 40),
        qMin(usualHeight, room.height() - 40));
    fitTexts(*this, {500, 360});
    connect(m_test, &QPushButton::clicked, this, [this] {
        if (m_running)
            emit stopRequested();
        else
            emit testRequested();
    });
    showSteps(LoginSteps(), {}, Test::Over);
    (form.host.isEmpty() ? m_host : m_user)->setFocus();
}

QWidget* FirstLoginDialog::buildForm(const ConnectForm& form, QWidget* page)
{
    auto* box = new QWidget(page);
    auto* rows = new QFormLayout(box);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setHorizontalSpacing(16);
    m_user = new QLineEdit(form.user, box);
    m_user->setPlaceholderText(tr("as the site's portal shows it, no e-mail address"));
    m_host = new QLineEdit(form.host, box);
    m_port = new QLineEdit(QString::number(form.port), box);
    m_port->setValidator(new QIntValidator(1, 65535, m_port));
    m_port->setMaximumWidth(m_port->fontMetrics().horizontalAdvance(u"0000000000"_s));
    m_jump = new QLineEdit(form.jump, box);
    m_jump->setPlaceholderText(tr("none"));
    rows->addRow(tr("&User name"), m_user);
    rows->addRow(tr("&Host"), m_host);
    rows->addRow(tr("P&ort"), m_port);
    rows->addRow(tr("&Jump host"), m_jump);
    for (const auto& [field, name] :
        {std::pair{m_user, tr("User name")}, {m_host, tr("Host")}, {m_port, tr("Port")}, {m_jump, tr("Jump host")}}) {
        field->setAccessibleName(name);
        connect(field, &QLineEdit::textChanged, this, &FirstLoginDialog::check);
    }
    return box;
}

void FirstLoginDialog::buildButtons()
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(22, 4, 22, 0);
    m_summary = makeText({}, "quiet", this);
    m_summary->setAccessibleName(tr("Result"));
    m_connect = new QPushButton(tr("Connect"), this);
    m_connect->setAutoDefault(false);
    auto* close = new QPushButton(tr("Close"), this);
    close->setAutoDefault(false);
    row->addWidget(m_summary, 1);
    row->addWidget(m_connect);
    row->addWidget(close);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_connect, &QPushButton::clicked, this, &FirstLoginDialog::connectRequested);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
}

void FirstLoginDialog::check()
{
    const bool isWhole = !m_host->text().trimmed().isEmpty() && m_port->hasAcceptableInput();
    m_test->setEnabled(m_running || isWhole);
}

ConnectForm FirstLoginDialog::form() const
{
    return {m_host->text().trimmed(), m_port->text().toInt(), m_user->text().trimmed(), m_keys->identity(),
        m_jump->text().trimmed()};
}

void FirstLoginDialog::showSteps(const LoginSteps& steps, std::optional<LoginStepKind> current, Test test)
{
    const bool running = test == Test::Running;
    const bool hasEnded = m_running && !running;
    m_running = running;
    m_lights->showSteps(steps, current);
    m_mistakes->showLikely(steps.mistakes());
    m_summary->setText(running ? tr("Testing …") : steps.summary());
    m_test->setText(running ? tr("Stop") : tr("Test each step"));
    m_connect->setEnabled(!running && steps.outcome(LoginStepKind::Login).light == Light::Ok);
    if (!running)
        showHint({});
    check();
    const LoginStep* failed = hasEnded ? steps.firstFailed() : nullptr;
    if (running && current)
        scrollTo(*current);
    else if (failed)
        scrollTo(failed->kind);
}

/// In the next turn, when the rows have their new heights.
void FirstLoginDialog::scrollTo(LoginStepKind kind)
{
    constexpr int around = 40;
    const auto scroll = [this, kind] {
        m_lights->layout()->activate(); // the row has its new height, and the page below it its own
        m_area->widget()->layout()->activate();
        m_area->widget()->resize(m_area->widget()->width(), m_area->widget()->sizeHint().height());
        m_area->ensureWidgetVisible(m_lights->row(kind), 0, around);
    };
    QMetaObject::invokeMethod(this, scroll, Qt::QueuedConnection);
}

void FirstLoginDialog::showHint(const QString& text)
{
    m_hint->setText(u"→ "_s + text);
    m_hint->setVisible(!text.isEmpty());
}

/// Each line under a mark of ours: a server's text is never taken for one of the window's.
void FirstLoginDialog::showBanner(const QString& host, const QString& text)
{
    constexpr qsizetype mostLines = 12;
    QStringList lines;
    for (const QString& line : text.split(u'\n', Qt::SkipEmptyParts))
        lines.append(tr("%1 says: %2").arg(host, harmlessLine(line, 200)));
    m_banner->setText(lines.mid(0, mostLines).join(u'\n'));
    m_banner->setVisible(!lines.isEmpty());
}

} // namespace rankwright
