// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/classroom/classconsentdialog.h"

#include "models/core/harmlesstext.h"
#include "widgets/base/card.h"
#include "widgets/base/scrollpage.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int dialogWidth = 560;
constexpr int dialogHeight = 560;

bool isRefused(ClassConsent::Trust trust)
{
    return trust == ClassConsent::Trust::Changed || trust == ClassConsent::Trust::Refused;
}

bool isPossible(const ClassConsent& consent) { return !isRefused(consent.trust) && consent.clusterKnown; }

bool isKnown(ClassConsent::Trust trust)
{
    return trust == ClassConsent::Trust::Shipped || trust == ClassConsent::Trust::Known;
}

} // namespace

ClassConsentDialog::ClassConsentDialog(const ClassConsent& consent, QWidget* parent)
    : QDialog(parent), m_consent(consent)
{
    setWindowTitle(!isPossible(consent) ? tr("Class refused") : tr("Open a class"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(20, 18, 20, 16);
    outer->setSpacing(10);
    auto* scroll = new ScrollPage(this);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::StrongFocus); // arrows scroll what does not fit
    scroll->setAccessibleName(tr("What this class will do"));
    auto* page = new QWidget(scroll);
    page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 8, 0);
    column->setSpacing(8);
    addText(column, consent.title, "title");
    addText(column, tr("by %1").arg(consent.author), "quiet");
    if (isRefused(consent.trust))
        addTrust(column);
    if (!consent.clusterKnown)
        addText(column,
            tr("Its cluster is not known to this program. Ask your teacher for the cluster file, and put it among yours "
               "(Clusters page), or draft one there once you are connected."),
            "fault");
    addText(column, !isPossible(consent) ? tr("What it would do") : tr("What it will do"), "section");
    for (const QString& effect : consent.effects)
        addText(column, u"•  "_s + effect, "plain");
    if (!isRefused(consent.trust))
        addTrust(column);
    if (isPossible(consent))
        addProgress(column);
    column->addStretch(1);
    scroll->setWidget(page);
    outer->addWidget(scroll, 1);
    addFingerprint(outer);
    addButtons(outer);
    resize(dialogWidth, dialogHeight);
}

QLabel* ClassConsentDialog::addText(QVBoxLayout* column, const QString& text, const char* role)
{
    auto* label = makeLabel(text, role, this);
    label->setWordWrap(true);
    column->addWidget(label);
    return label;
}

void ClassConsentDialog::addTrust(QVBoxLayout* column)
{
    addText(column, tr("Who made it"), "section");
    const auto addKey = [this, column](const QString& text, const QString& fingerprint) {
        addText(column, text, "quiet");
        auto* key = addText(column, fingerprint, "plain");
        key->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        key->setFont(Theme::codeFont());
        key->setAccessibleName(tr("Fingerprint %1").arg(fingerprint));
    };
    switch (m_consent.trust) {
    case ClassConsent::Trust::Shipped: addText(column, tr("It is part of this program."), "plain"); break;
    case ClassConsent::Trust::Known:
        addText(column, tr("Signed, with the key that you accepted before."), "plain");
        addKey(tr("Its fingerprint:"), m_consent.fingerprint);
        break;
    case ClassConsent::Trust::First:
        addText(column,
            tr("Signed, with a key that was not seen here before. Compare the fingerprint with what your teacher shows: "
               "on a slide, or in the invitation. Once accepted it is remembered for this title and author."),
            "plain");
        break;
    case ClassConsent::Trust::Changed:
        addText(column, m_consent.why, "fault");
        addKey(tr("The key that you accepted before:"), m_consent.knownFingerprint);
        addKey(tr("The key that signed this file:"), m_consent.fingerprint);
        addText(column,
            tr("Ask your teacher, not by the way this file came. If the key has changed for a good reason, forget the old "
               "one deliberately, in a terminal; the file then opens as if for the first time:"),
            "plain");
        addText(column, m_consent.forget, "plain")
            ->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        break;
    case ClassConsent::Trust::Refused:
        addText(column, m_consent.why, "fault");
        if (!m_consent.fingerprint.isEmpty())
            addKey(tr("The key that it names:"), m_consent.fingerprint);
        break;
    }
}

/// Of a new key, beside the buttons: it must be seen before agreeing.
void ClassConsentDialog::addFingerprint(QVBoxLayout* column)
{
    if (m_consent.trust != ClassConsent::Trust::First || !isPossible(m_consent))
        return;
    addText(column, tr("A new key. Is this fingerprint the one that your teacher shows?"), "plain");
    auto* key = addText(column, m_consent.fingerprint, "plain");
    key->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    key->setFont(Theme::codeFont());
    key->setAccessibleName(tr("Fingerprint %1").arg(m_consent.fingerprint));
}

void ClassConsentDialog::addProgress(QVBoxLayout* column)
{
    if (m_consent.sharedFile.isEmpty())
        return;
    addText(column, tr("Progress"), "section");
    m_shares = new QCheckBox(tr("Note my steps for the teacher"), this);
    m_shares->setObjectName(u"shares"_s);
    column->addWidget(m_shares);
    m_name = new QLineEdit(m_consent.sharedLine.name, this);
    m_name->setObjectName(u"shareName"_s);
    m_name->setMaxLength(nameLength);
    m_name->setPlaceholderText(tr("Your name, if the teacher is to see one"));
    m_name->setAccessibleName(m_name->placeholderText());
    column->addWidget(m_name);
    addText(column,
        tr("A line like this is added to %1; whoever can read that folder can read it:").arg(m_consent.sharedFile),
        "caption");
    auto* line = addText(column, {}, "caption");
    line->setObjectName(u"sharedLine"_s);
    line->setFont(Theme::codeFont());
    const auto showLine = [this, line] {
        ProgressLine shared = m_consent.sharedLine;
        shared.name = sharedName();
        line->setText(QString::fromUtf8(progressLine(shared)).trimmed());
        m_shares->setAccessibleDescription(
            tr("Adds lines like this to %1: %2").arg(m_consent.sharedFile, line->text()));
    };
    connect(m_name, &QLineEdit::textChanged, this, showLine);
    showLine();
}

void ClassConsentDialog::addButtons(QVBoxLayout* column)
{
    auto* box = new QDialogButtonBox(this);
    auto* refuse = box->addButton(!isPossible(m_consent) ? tr("Close") : tr("Cancel"), QDialogButtonBox::RejectRole);
    refuse->setObjectName(u"refuse"_s);
    refuse->setAutoDefault(true);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(box);
    QPushButton* first = refuse;
    if (isPossible(m_consent)) {
        const bool isFirst = m_consent.trust == ClassConsent::Trust::First;
        auto* accept
            = box->addButton(isFirst ? tr("Open, and remember this key") : tr("Begin"), QDialogButtonBox::AcceptRole);
        accept->setObjectName(u"accept"_s);
        accept->setAutoDefault(false);
        connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
        if (isKnown(m_consent.trust)) {
            accept->setAutoDefault(true);
            accept->setProperty("accent", true);
            first = accept;
        }
    }
    first->setDefault(true);
    first->setFocus(Qt::OtherFocusReason);
}

bool ClassConsentDialog::sharesProgress() const { return m_shares && m_shares->isChecked(); }

QString ClassConsentDialog::sharedName() const { return m_name ? harmlessLine(m_name->text(), nameLength) : QString(); }

} // namespace rankwright
