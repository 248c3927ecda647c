// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/promptbroker.h"

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
            // Its dialog would ask for a secret that nobody waits for any more.
            if (m_dialog && !m_waiting.isEmpty() && !m_waiting.first().asker)
                m_dialog->reject();
        },
        Qt::QueuedConnection);
    showNext();
}

void PromptBroker::showNext()
{
    if (m_dialog)
        return;
    m_waiting.removeIf([](const Waiting& waiting) { return !waiting.asker; });
    if (m_waiting.isEmpty())
        return;
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
        connect(dialog, &QDialog::finished, this, [this, dialog](int result) {
            PromptAnswer given;
            if (result == QDialog::Accepted)
                given = dialog->takeAnswer();
            given.accepted = result == QDialog::Accepted;
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
