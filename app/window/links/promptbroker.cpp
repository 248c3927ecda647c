// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/promptbroker.h"

#include "widgets/clusters/hostkeydialog.h"
#include "widgets/clusters/promptdialog.h"

namespace rankwright {

PromptBroker::PromptBroker(QWidget* window, QObject* parent) : QObject(parent), m_window(window) { }

void PromptBroker::ask(const LoginPrompt& prompt, QObject* asker, Reply reply)
{
    m_waiting.append({prompt, asker, std::move(reply)});
    connect(
        asker, &QObject::destroyed, this,
        [this] {
            // Its dialog would ask for a secret that is not needed any more.
            if (m_dialog && !m_waiting.isEmpty() && !m_waiting.first().asker)
                m_dialog->reject();
        },
        Qt::QueuedConnection);
    showNext();
}

void PromptBroker::showNext()
{
    if (m_dialog || m_asksStore)
        return;
    m_waiting.removeIf([](const Waiting& waiting) { return !waiting.asker; });
    if (m_waiting.isEmpty())
        return;
    if (m_waiting.first().prompt.staysHere() && PassphraseStore::isAvailable())
        askStore();
    else
        showDialog();
}

void PromptBroker::askStore()
{
    const LoginPrompt prompt = m_waiting.first().prompt;
    const QString keyFile = prompt.questions.value(0).text;
    if (!prompt.notice.isEmpty()) { // the last answer did not open the key, wherever it came from
        m_store.forget(keyFile);
        showDialog();
        return;
    }
    m_asksStore = true;
    m_store.read(keyFile, this, [this, id = prompt.id](const std::optional<Secret>& passphrase) {
        m_asksStore = false;
        const bool isSame = !m_waiting.isEmpty() && m_waiting.first().asker && m_waiting.first().prompt.id == id;
        if (isSame && passphrase)
            answer({true, {*passphrase}});
        else if (isSame)
            showDialog();
        else
            showNext();
    });
}

void PromptBroker::showDialog()
{
    const LoginPrompt& prompt = m_waiting.first().prompt;
    if (prompt.kind == LoginPrompt::Kind::HostKey) {
        auto* dialog = new HostKeyDialog(prompt, m_window);
        connect(dialog, &QDialog::finished, this, [this](int result) {
            PromptAnswer given;
            given.accepted = result == QDialog::Accepted;
            answer(given);
        });
        m_dialog = dialog;
    } else {
        auto* dialog = new PromptDialog(prompt, m_window);
        if (prompt.staysHere() && PassphraseStore::isAvailable())
            dialog->offerToKeep();
        connect(dialog, &QDialog::finished, this, [this, dialog, file = prompt.questions.value(0).text](int result) {
            PromptAnswer given;
            if (result == QDialog::Accepted)
                given = dialog->takeAnswer();
            given.accepted = result == QDialog::Accepted;
            if (given.accepted && dialog->isToBeKept() && !given.answers.isEmpty())
                m_store.store(file, given.answers.constFirst());
            answer(given);
        });
        m_dialog = dialog;
    }
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->open();
}

void PromptBroker::answer(const PromptAnswer& answer)
{
    const Waiting waiting = m_waiting.takeFirst();
    m_dialog.clear();
    if (waiting.asker)
        waiting.reply(waiting.prompt.id, answer);
    // In the next turn: the dialog that has just ended is still on the stack.
    QMetaObject::invokeMethod(this, &PromptBroker::showNext, Qt::QueuedConnection);
}

} // namespace rankwright
