// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/promptdialog.h"

#include "models/core/harmlesstext.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/loginparts.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace rankwright {

namespace {

/// Ours alone: nothing of a server's can be a heading.
QString headingOf(const LoginPrompt& prompt)
{
    switch (prompt.kind) {
    case LoginPrompt::Kind::Password: return PromptDialog::tr("Password for the cluster");
    case LoginPrompt::Kind::Passphrase: return PromptDialog::tr("Passphrase of a key on this machine");
    default: return PromptDialog::tr("A server asks");
    }
}

QString titleOf(const LoginPrompt& prompt)
{
    return prompt.staysHere() ? PromptDialog::tr("Key on this machine") : PromptDialog::tr("Login");
}

QString whereItGoes(const LoginPrompt& prompt)
{
    if (prompt.staysHere())
        return PromptDialog::tr("The passphrase stays on this machine: it is sent to no server and stored nowhere.");
    if (prompt.hasServerTexts())
        return PromptDialog::tr("What you type is sent to %1 and stored nowhere. The passphrase of a key is never "
                                "asked for by a server: do not type it here.")
            .arg(prompt.host);
    return PromptDialog::tr("The password is sent to %1 and stored nowhere.").arg(prompt.host);
}

QList<LoginPrompt::Question> questionsOf(const LoginPrompt& prompt)
{
    // Rounds without a question are normal in keyboard-interactive logins; a password always needs its field.
    if (!prompt.questions.isEmpty() || prompt.hasServerTexts())
        return prompt.questions;
    return {{headingOf(prompt), false}};
}

QString withoutColon(const QString& text)
{
    QString words = harmlessLine(text);
    if (words.endsWith(u':'))
        words.chop(1);
    return words;
}

QString inLines(const QString& text)
{
    QStringList lines;
    for (const QString& line : text.split(u'\n').mid(0, 12))
        lines.append(harmlessLine(line, 200));
    return lines.join(u'\n');
}

/// A frame that holds words of the server and nothing else, under a caption of ours.
QFrame* makeServerFrame(const QString& caption, const QStringList& texts, QWidget* parent)
{
    auto* frame = new QFrame(parent);
    frame->setProperty("well", true);
    frame->setObjectName(QStringLiteral("serverWords"));
    auto* column = new QVBoxLayout(frame);
    column->setSpacing(4);
    QLabel* head = makeText(caption, "caption", frame);
    head->setProperty("quiet", true); // readable on the frame's ground, too
    column->addWidget(head);
    for (const QString& text : texts) {
        QLabel* words = makeText(text, "plain", frame);
        words->setFont(Theme::codeFont(12));
        column->addWidget(words);
    }
    return frame;
}

} // namespace

PromptDialog::PromptDialog(const LoginPrompt& prompt, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(titleOf(prompt));
    QVBoxLayout* column = makeDialogColumn(this, headingOf(prompt));
    if (!prompt.staysHere())
        column->addWidget(makeText(prompt.host, "quiet", this));
    if (!prompt.notice.isEmpty())
        column->addWidget(makeText(prompt.notice, "plain", this));
    QStringList said;
    if (!prompt.banner.isEmpty() && !prompt.staysHere())
        said.append(inLines(prompt.banner));
    if (prompt.hasServerTexts()) {
        for (const QString& text : {prompt.title, prompt.instruction}) {
            if (!text.isEmpty())
                said.append(inLines(text));
        }
    }
    if (!said.isEmpty())
        column->addWidget(makeServerFrame(tr("The server says:"), said, this));
    for (const LoginPrompt::Question& question : questionsOf(prompt))
        addQuestion(prompt, question, column);
    m_keep = new QCheckBox(tr("&Keep it in this system's key store"), this);
    m_keep->hide();
    column->addWidget(m_keep);
    m_where = makeText(whereItGoes(prompt), "caption", this);
    column->addWidget(m_where);
    addButtons(this, column,
        m_fields.isEmpty()       ? tr("Go on")
            : prompt.staysHere() ? tr("Open the key")
                                 : tr("Log in"),
        DefaultButton::Accept);
    if (!m_fields.isEmpty())
        m_fields.first()->setFocus();
}

void PromptDialog::addQuestion(const LoginPrompt& prompt, const LoginPrompt::Question& question, QVBoxLayout* column)
{
    const QString words = withoutColon(question.text);
    auto* field = new QLineEdit(this);
    field->setEchoMode(question.echo ? QLineEdit::Normal : QLineEdit::Password);
    field->setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText | Qt::ImhNoAutoUppercase);
    auto* pair = new QVBoxLayout;
    pair->setSpacing(4);
    if (prompt.hasServerTexts()) {
        pair->addWidget(makeServerFrame(tr("The server asks:"), {words}, this));
        field->setAccessibleName(tr("The server asks: %1").arg(words));
        field->setPlaceholderText(tr("Answer to %1").arg(prompt.host));
    } else {
        QLabel* label = makeText(words, "quiet", this);
        label->setBuddy(field);
        field->setAccessibleName(words);
        pair->addWidget(label);
    }
    pair->addWidget(field);
    column->addLayout(pair);
    m_fields.append(field);
}

void PromptDialog::offerToKeep()
{
    m_keep->show();
    m_where->setText(
        tr("The passphrase stays on this machine: it is sent to no server, and kept only if you tick the box; "
           "then whoever can use your session here can use the key."));
}

bool PromptDialog::isToBeKept() const { return m_keep->isVisibleTo(this) && m_keep->isChecked(); }

PromptAnswer PromptDialog::takeAnswer()
{
    PromptAnswer answer;
    answer.accepted = result() == QDialog::Accepted;
    for (QLineEdit* field : std::as_const(m_fields)) {
        if (answer.accepted) {
            QByteArray typed = field->text().toUtf8();
            answer.answers.append(Secret(typed));
            typed.fill('\0'); // detaches nothing: the secret has a copy of its own
        }
        field->setText(QString(field->text().size(), u' '));
        field->clear();
    }
    return answer;
}

} // namespace rankwright
