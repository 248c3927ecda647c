// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/loginhelpercontroller.h"

#include "widgets/login/keypanel.h"

#include <QDesktopServices>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright {

LoginHelperController::LoginHelperController(
    const Catalogue& catalogue, Connections& connections, Settings& settings, QWidget* window, QObject* parent)
    : QObject(parent), m_catalogue(catalogue), m_connections(connections), m_settings(settings), m_window(window),
      m_prompts(window)
{ }

LoginHelperController::~LoginHelperController() { delete m_dialog.data(); }

void LoginHelperController::show(const QString& cluster)
{
    const ClusterProfile* profile = m_catalogue.find(cluster);
    if (!profile || cluster == QString::fromUtf16(practiceName))
        return;
    if (m_dialog && m_cluster == cluster) {
        m_dialog->raise();
        m_dialog->activateWindow();
        return;
    }
    delete m_dialog.data();
    m_cluster = cluster;
    begin(*profile);
}

void LoginHelperController::begin(const ClusterProfile& profile)
{
    const auto saved = m_settings.login(profile.name);
    ConnectForm form{profile.login.host, profile.login.port.value_or(22), {}, {}, profile.login.jump};
    if (saved)
        form = {saved->host, saved->port, saved->user, saved->identity, saved->jump};
    m_check = std::make_unique<LoginCheck>(profile);
    m_check->setSentLog(&m_connections.sentLog());
    auto* dialog = new FirstLoginDialog(profile, form, m_window);
    m_dialog = dialog;
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->keys().setNewPath(KeyMaker::freePath(profile.name));
    readKeys(form.identity);
    LoginCheck* check = m_check.get();
    connect(dialog, &FirstLoginDialog::testRequested, this, &LoginHelperController::testLogin);
    connect(dialog, &FirstLoginDialog::stopRequested, this, [this, check] {
        check->stop();
        m_dialog->showSteps(check->steps(), {}, FirstLoginDialog::Test::Over);
    });
    connect(dialog, &FirstLoginDialog::connectRequested, this, &LoginHelperController::connectNow);
    connect(dialog, &QDialog::finished, check, &LoginCheck::stop);
    connect(&dialog->keys(), &KeyPanel::makeRequested, this, &LoginHelperController::makeKey);
    connect(&dialog->keys(), &KeyPanel::pageRequested, this, [](const QString& url) {
        if (url.startsWith(u"https://"_s))
            QDesktopServices::openUrl(QUrl(url, QUrl::StrictMode));
    });
    connect(check, &LoginCheck::changed, dialog, [check, dialog] {
        dialog->showSteps(check->steps(), check->current(),
            check->isRunning() ? FirstLoginDialog::Test::Running : FirstLoginDialog::Test::Over);
    });
    connect(check, &LoginCheck::hintArrived, dialog, &FirstLoginDialog::showHint);
    connect(check, &LoginCheck::bannerArrived, dialog, &FirstLoginDialog::showBanner);
    connect(check, &LoginCheck::promptRaised, this, [this, check](const LoginPrompt& prompt) {
        m_prompts.ask(prompt, check->asker(), [test = QPointer(check)](quint64 id, const PromptAnswer& answer) {
            if (test)
                test->answer(id, answer);
        });
    });
    dialog->show();
}

SavedLogin LoginHelperController::typed() const
{
    const ConnectForm form = m_dialog->form();
    return {form.host, form.port, form.user, form.identity, form.jump};
}

void LoginHelperController::testLogin()
{
    const ClusterProfile* profile = m_catalogue.find(m_cluster);
    if (profile && m_dialog)
        m_check->start(requestFor(*profile, {}, typed()));
}

void LoginHelperController::makeKey(const QString& path, const Secret& passphrase)
{
    m_dialog->keys().setBusy(true);
    m_maker.make(path, passphrase, m_dialog, [this](const Result<KeyFile>& key) {
        m_dialog->keys().setBusy(false);
        if (!key) {
            m_dialog->keys().showMakingFailed(
                QStringList{key.error().what, key.error().detail, key.error().remedy}.join(u' ').simplified());
            return;
        }
        readKeys(key->path);
        m_dialog->keys().setNewPath(KeyMaker::freePath(m_cluster));
    });
}

void LoginHelperController::readKeys(const QString& chosen)
{
    QList<KeyFile> keys = KeyMaker::ownKeys();
    const bool isThere
        = std::any_of(keys.cbegin(), keys.cend(), [&chosen](const KeyFile& key) { return key.path == chosen; });
    if (const auto own = isThere || chosen.isEmpty() ? std::nullopt : KeyMaker::read(chosen))
        keys.prepend(*own);
    m_dialog->keys().showKeys(keys, chosen);
}

void LoginHelperController::connectNow()
{
    m_settings.setLogin(m_cluster, typed());
    const QString cluster = m_cluster;
    m_dialog->accept();
    m_connections.connectTo(cluster);
}

} // namespace rankwright
