// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/connectdialog.h"

#include "widgets/base/factgrid.h"
#include "widgets/clusters/loginparts.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFormLayout>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace rankwright {

ConnectDialog::ConnectDialog(const QString& clusterTitle, const ConnectForm& form, QWidget* parent)
    : QDialog(parent), m_host(new QLineEdit(form.host, this)), m_port(new QLineEdit(QString::number(form.port), this)),
      m_user(new QLineEdit(form.user, this)), m_identity(new QLineEdit(form.identity, this)),
      m_jump(new QLineEdit(form.jump, this))
{
    setWindowTitle(tr("Connect"));
    QVBoxLayout* column = makeDialogColumn(this, tr("Connect to %1").arg(clusterTitle));
    m_failure = makeText({}, "plain", this);
    m_failure->setProperty("tone", QStringLiteral("bad"));
    m_failure->hide();
    column->addWidget(m_failure);
    m_port->setValidator(new QIntValidator(1, 65535, m_port));
    m_port->setMaximumWidth(90);
    m_user->setPlaceholderText(tr("your user name on the cluster"));
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
    const DialogButtons buttons = addButtons(this, column, tr("Connect"), DefaultButton::Accept);
    const auto check = [this, accept = buttons.accept] {
        accept->setEnabled(!m_host->text().trimmed().isEmpty() && m_port->hasAcceptableInput());
    };
    connect(m_host, &QLineEdit::textChanged, this, check);
    connect(m_port, &QLineEdit::textChanged, this, check);
    check();
    (form.host.isEmpty() ? m_host : form.user.isEmpty() ? m_user : static_cast<QWidget*>(buttons.accept))->setFocus();
}

void ConnectDialog::showFailure(const Error& why)
{
    m_failure->setText(
        QStringList{tr("The last attempt failed: %1").arg(why.what), why.detail, why.remedy}.join(u'\n').trimmed());
    m_failure->show();
}

ConnectForm ConnectDialog::form() const
{
    return {m_host->text().trimmed(), m_port->text().toInt(), m_user->text().trimmed(), m_identity->text().trimmed(),
        m_jump->text().trimmed()};
}

} // namespace rankwright
