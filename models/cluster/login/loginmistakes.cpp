// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/cluster/login/loginmistakes.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace rankwright::inline cluster {

const QList<LoginMistake>& loginMistakes()
{
    static const QList<LoginMistake> all = {
        {u"wrong_user"_s, u"Wrong user name"_s,
            u"The name on the cluster often differs from the one on your laptop or in the portal, and is never an "
            u"e-mail address. A server does not say whether the name or the key was wrong."_s,
            u"Look it up in the site's portal (profile or account page) and type it as written there."_s},
        {u"key_not_registered"_s, u"The key is not registered yet"_s,
            u"A key opens a door only where its public half is on record. Many sites take public keys in their portal "
            u"alone, and copy them to the machines every few minutes or once an hour."_s,
            u"Paste the public key (the .pub file) into the site's page. If you have just done so, wait an hour and "
            u"test again."_s},
        {u"wrong_key"_s, u"Another key was offered"_s,
            u"An agent offers its keys one after another, and servers hang up after some six of them (“Too many "
            u"authentication failures”): the right one may never have been seen."_s,
            u"Choose the file of the registered key in the connection's settings; then it is offered first."_s},
        {u"passphrase_password"_s, u"Passphrase and password are two things"_s,
            u"The passphrase opens the key file on this machine and is sent nowhere. The password belongs to your "
            u"account on the cluster, and many clusters take none at all."_s,
            u"Look who asks: “passphrase of a key on this machine” wants the one that you chose when the key was "
            u"made."_s},
        {u"key_permissions"_s, u"The key file can be read by others"_s,
            u"SSH programs refuse a private key that other users of this machine could read: it is a secret like a "
            u"password."_s,
            u"Allow only yourself to read it (chmod 600 on the key, 700 on the folder .ssh)."_s},
        {u"host_key_changed"_s, u"The host key is not the one on record"_s,
            u"Each server proves itself by a key of its own. Another key means that the machine was set up again, or "
            u"that somebody stands between you and it."_s,
            u"Compare with the fingerprints on the site's own page. Remove the old line only if the site confirms the "
            u"new key."_s},
        {u"vpn_needed"_s, u"The network does not let you through"_s,
            u"Some clusters answer only inside the university's network, its VPN, or from addresses that were "
            u"registered; some guest networks block SSH altogether."_s,
            u"Start the VPN, or try another network, for example that of your telephone."_s},
        {u"expired"_s, u"The account, key or certificate has expired"_s,
            u"Accounts end with their project, keys may be registered until a date, and certificates last a day or "
            u"less. An expired one is refused like an unknown one."_s,
            u"Sign in to the site's portal: look at the end dates and get a new certificate where the site uses "
            u"them."_s},
        {u"noisy_startup"_s, u"The shell's start-up files print or exit"_s,
            u"Programs start a shell on the cluster without a person. Whatever .bashrc prints then gets between their "
            u"words, and an exit in it ends every command before it begins."_s,
            u"Put “case $- in *i*) ;; *) return ;; esac” as the first line of .bashrc on the cluster."_s},
        {u"no_project"_s, u"No project to charge"_s,
            u"Being let in does not mean that jobs may run: Slurm wants an account with time left, and whoever leads "
            u"the project has to add you to it."_s,
            u"Ask the project's leader to add you, or apply for a project; new members may have to wait a day."_s},
    };
    return all;
}

const LoginMistake* loginMistake(const QString& id)
{
    const auto& all = loginMistakes();
    const auto found
        = std::find_if(all.cbegin(), all.cend(), [&id](const LoginMistake& each) { return each.id == id; });
    return found == all.cend() ? nullptr : &*found;
}

} // namespace rankwright::inline cluster
