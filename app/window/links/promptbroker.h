// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/links/passphrasestore.h"
#include "models/cluster/remote/loginprompt.h"

#include <QObject>
#include <QPointer>

#include <functional>

class QDialog;
class QWidget;

namespace rankwright {

/// Turns the questions of a login into dialogs, one after another, and hands the answers back. Remembers nothing
/// secret: an answer leaves the dialog and goes straight to the connection; a passphrase whose box was ticked goes to
/// the system's key store as well, and is taken from there the next time. Lives on the GUI thread.
class PromptBroker final : public QObject {
    Q_OBJECT
public:
    using Reply = std::function<void(quint64 promptId, const PromptAnswer& answer)>;

    /// `window` is the dialogs' parent.
    explicit PromptBroker(QWidget* window, QObject* parent = nullptr);

    /// Asks as soon as earlier questions are answered. `asker` is the object that waits: when it dies, its questions go
    /// with it.
    void ask(const LoginPrompt& prompt, QObject* asker, Reply reply);

private:
    struct Waiting {
        LoginPrompt prompt;
        QPointer<QObject> asker;
        Reply reply;
    };
    void showNext();
    void showDialog();
    void askStore();
    void answer(const PromptAnswer& answer);

    QPointer<QWidget> m_window;
    QList<Waiting> m_waiting;
    QPointer<QDialog> m_dialog;
    PassphraseStore m_store;
    bool m_asksStore = false; ///< the first question waits for it
};

} // namespace rankwright
