// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/hostkeydialog.h"

#include "widgets/base/factgrid.h"
#include "widgets/base/theme.h"
#include "widgets/clusters/loginparts.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

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
    fingerprint->setMinimumWidth(loginDialogWidth - 44); // without the margins
    column->addWidget(fingerprint);
    if (!prompt.notice.isEmpty())
        column->addWidget(makeText(prompt.notice, "plain", this));
    QString verdict;
    if (matches)
        verdict = tr("✓ It matches the fingerprint that the operator publishes.");
    else if (published)
        verdict
            = tr("✕ It matches none of the fingerprints that the operator publishes. Somebody may be intercepting the "
                 "connection, or the operator has a new key: ask them before you go on.");
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
    const DialogButtons buttons = addButtons(this, column, matches ? tr("Accept") : tr("Accept anyway"),
        matches ? DefaultButton::Accept : DefaultButton::Refuse);
    (matches ? buttons.accept : buttons.refuse)->setFocus();
}

} // namespace rankwright
