// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/promptdialog.h"

#include "widgets/base/factgrid.h"
#include "widgets/clusters/loginparts.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace rankwright {

namespace {

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
    column->addWidget(makeText(tr("What you type is sent to the server and stored nowhere."), "caption", this));
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

} // namespace rankwright
