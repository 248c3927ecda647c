// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/logindialogs.h"

#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int dialogWidth = 460;

QVBoxLayout* makeDialogColumn(QDialog* dialog, const QString& heading)
{
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(22, 20, 22, 18);
    column->setSpacing(12);
    column->addWidget(makeLabel(heading, "figure", dialog));
    dialog->setMinimumWidth(dialogWidth);
    return column;
}

/// The accepting and the refusing button; whichever is the default takes Enter, Escape always refuses.
struct Buttons {
    QPushButton* accept = nullptr;
    QPushButton* refuse = nullptr;
};

Buttons addButtons(QDialog* dialog, QVBoxLayout* column, const QString& accept, bool acceptIsDefault)
{
    auto* box = new QDialogButtonBox(dialog);
    const Buttons buttons{box->addButton(accept, QDialogButtonBox::AcceptRole),
        box->addButton(QDialog::tr("Cancel"), QDialogButtonBox::RejectRole)};
    setStyleProperty(buttons.accept, "accent", acceptIsDefault);
    buttons.accept->setAutoDefault(acceptIsDefault);
    buttons.accept->setDefault(acceptIsDefault);
    buttons.refuse->setAutoDefault(!acceptIsDefault);
    buttons.refuse->setDefault(!acceptIsDefault);
    QObject::connect(box, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addSpacing(4);
    column->addWidget(box);
    return buttons;
}

QString headingOf(const LoginPrompt& prompt)
{
    switch (prompt.kind) {
    case LoginPrompt::Kind::Password: return PromptDialog::tr("Password");
    case LoginPrompt::Kind::Passphrase: return PromptDialog::tr("Passphrase of a key");
    default: return prompt.title.isEmpty() ? PromptDialog::tr("Login") : prompt.title;
    }
}

QList<LoginPrompt::Question> questionsOf(const LoginPrompt& prompt)
{
    // Rounds without a question are normal in keyboard-interactive logins; a password always needs its field.
    if (!prompt.questions.isEmpty() || prompt.kind == LoginPrompt::Kind::KeyboardInteractive)
        return prompt.questions;
    return {{headingOf(prompt), false}};
}

} // namespace

PromptDialog::PromptDialog(const LoginPrompt& prompt, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Login"));
    QVBoxLayout* column = makeDialogColumn(this, headingOf(prompt));
    column->addWidget(makeText(prompt.host, "quiet", this));
    if (!prompt.instruction.isEmpty())
        column->addWidget(makeText(prompt.instruction, "plain", this));
    for (const LoginPrompt::Question& question : questionsOf(prompt)) {
        QString words = question.text.trimmed();
        if (words.endsWith(u':'))
            words.chop(1);
        QLabel* label = makeText(words, "quiet", this);
        auto* field = new QLineEdit(this);
        field->setEchoMode(question.echo ? QLineEdit::Normal : QLineEdit::Password);
        field->setAccessibleName(words);
        field->setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText | Qt::ImhNoAutoUppercase);
        label->setBuddy(field);
        auto* pair = new QVBoxLayout;
        pair->setSpacing(4);
        pair->addWidget(label);
        pair->addWidget(field);
        column->addLayout(pair);
        m_fields.append(field);
    }
    column->addWidget(makeText(tr("What you type goes to the server and is kept nowhere."), "caption", this));
    addButtons(this, column, m_fields.isEmpty() ? tr("Go on") : tr("Log in"), true);
    if (!m_fields.isEmpty())
        m_fields.first()->setFocus();
}

PromptAnswer PromptDialog::takeAnswer()
{
    PromptAnswer answer;
    answer.accepted = result() == QDialog::Accepted;
    for (QLineEdit* field : std::as_const(m_fields)) {
        if (answer.accepted)
            answer.answers.append(Secret(field->text().toUtf8()));
        field->setText(QString(field->text().size(), u' '));
        field->clear();
    }
    return answer;
}

HostKeyDialog::HostKeyDialog(const LoginPrompt& prompt, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("First contact"));
    const bool published = !prompt.published.isEmpty();
    const bool matches = published && prompt.published.contains(prompt.fingerprint);
    QVBoxLayout* column = makeDialogColumn(this, tr("Is this the right machine?"));
    column->addWidget(makeText(tr("%1 shows this host key (%2):").arg(prompt.host, prompt.keyType), "quiet", this));
    QLabel* fingerprint = makeText(prompt.fingerprint, "plain", this);
    fingerprint->setFont(Theme::codeFont(13));
    fingerprint->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    fingerprint->setAccessibleName(tr("Fingerprint"));
    fingerprint->setMinimumWidth(dialogWidth - 20);
    column->addWidget(fingerprint);
    QString verdict;
    if (matches)
        verdict = tr("✓ It equals the fingerprint that the operator publishes.");
    else if (published)
        verdict
            = tr("✕ It is none of the fingerprints that the operator publishes. Somebody may stand between you and the "
                 "cluster, or the operator has a new key: ask them before you go on.");
    else
        verdict = tr(
            "The operator publishes no fingerprint that we know of. Compare it with what they told you; if in doubt, "
            "ask them.");
    QLabel* words = makeText(verdict, "plain", this);
    words->setProperty("tone", matches ? u"good"_s : published ? u"bad"_s : u"warn"_s);
    words->setAccessibleName(tr("Verdict"));
    column->addWidget(words);
    if (published && !matches) {
        QLabel* known = makeText(prompt.published.join(u'\n'), "plain", this);
        known->setFont(Theme::codeFont(12));
        known->setAccessibleName(tr("Published fingerprints"));
        auto* pair = new QVBoxLayout;
        pair->setSpacing(4);
        pair->addWidget(makeText(tr("Published:"), "quiet", this));
        pair->addWidget(known);
        column->addLayout(pair);
    }
    if (!prompt.knownHostsFile.isEmpty())
        column->addWidget(makeText(tr("Accepted keys are written to %1.").arg(prompt.knownHostsFile), "caption", this));
    const Buttons buttons = addButtons(this, column, matches ? tr("Accept") : tr("Accept anyway"), matches);
    (matches ? buttons.accept : buttons.refuse)->setFocus();
}

ConnectDialog::ConnectDialog(const QString& clusterTitle, const ConnectForm& form, QWidget* parent)
    : QDialog(parent), m_host(new QLineEdit(form.host, this)), m_port(new QLineEdit(QString::number(form.port), this)),
      m_user(new QLineEdit(form.user, this)), m_identity(new QLineEdit(form.identity, this)),
      m_jump(new QLineEdit(form.jump, this))
{
    setWindowTitle(tr("Connect"));
    QVBoxLayout* column = makeDialogColumn(this, tr("Connect to %1").arg(clusterTitle));
    m_port->setValidator(new QIntValidator(1, 65535, m_port));
    m_port->setMaximumWidth(90);
    m_user->setPlaceholderText(tr("your name on the cluster"));
    m_identity->setPlaceholderText(tr("agent and default keys"));
    m_jump->setPlaceholderText(tr("none"));
    auto* choose = new QPushButton(tr("Choose…"), this);
    choose->setAutoDefault(false);
    choose->setAccessibleName(tr("Choose a private key"));
    connect(choose, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Private key"), m_identity->text());
        if (!path.isEmpty())
            m_identity->setText(path);
    });
    auto* identity = new QHBoxLayout;
    identity->addWidget(m_identity, 1);
    identity->addWidget(choose);
    auto* rows = new QFormLayout;
    rows->setLabelAlignment(Qt::AlignLeft);
    rows->setHorizontalSpacing(16);
    rows->setVerticalSpacing(9);
    rows->addRow(tr("&Host"), m_host);
    rows->addRow(tr("&Port"), m_port);
    rows->addRow(tr("&User"), m_user);
    rows->addRow(tr("&Key"), identity);
    rows->addRow(tr("&Jump host"), m_jump);
    static_cast<QLabel*>(rows->labelForField(identity))->setBuddy(m_identity);
    for (const auto& [field, name] : {std::pair{m_host, tr("Host")}, {m_port, tr("Port")}, {m_user, tr("User")},
             {m_identity, tr("Private key")}, {m_jump, tr("Jump host")}})
        field->setAccessibleName(name);
    column->addLayout(rows);
    column->addWidget(makeText(tr("Passwords and codes are asked for when the server wants them."), "caption", this));
    const Buttons buttons = addButtons(this, column, tr("Connect"), true);
    const auto check = [this, accept = buttons.accept] {
        accept->setEnabled(!m_host->text().trimmed().isEmpty() && m_port->hasAcceptableInput());
    };
    connect(m_host, &QLineEdit::textChanged, this, check);
    connect(m_port, &QLineEdit::textChanged, this, check);
    check();
    (form.host.isEmpty() ? m_host : form.user.isEmpty() ? m_user : static_cast<QWidget*>(buttons.accept))->setFocus();
}

ConnectForm ConnectDialog::form() const
{
    return {m_host->text().trimmed(), m_port->text().toInt(), m_user->text().trimmed(), m_identity->text().trimmed(),
        m_jump->text().trimmed()};
}

} // namespace rankwright
