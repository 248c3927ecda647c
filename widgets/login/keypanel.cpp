// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/login/keypanel.h"

#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

using namespace Qt::StringLiterals;

namespace rankwright {

namespace {

QPushButton* makeButton(const QString& text, QWidget* parent)
{
    auto* button = new QPushButton(text, parent);
    button->setAutoDefault(false);
    return button;
}

/// Overwritten before it is released.
void forget(QLineEdit* field)
{
    field->setText(QString(field->text().size(), u' '));
    field->clear();
}

} // namespace

KeyPanel::KeyPanel(const LoginRule& login, QWidget* parent)
    : QWidget(parent), m_login(login), m_choice(new QComboBox(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* row = new QHBoxLayout;
    m_choice->setAccessibleName(tr("Key"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_choice->setMinimumContentsLength(12);
    m_new = makeButton(tr("Make a new key…"), this);
    row->addWidget(m_choice, 1);
    row->addWidget(m_new);
    column->addLayout(row);
    m_about = makeText({}, "quiet", this);
    column->addWidget(m_about);
    buildMaking();
    column->addWidget(m_making);
    m_public = new QWidget(this);
    auto* publicPart = new QVBoxLayout(m_public);
    publicPart->setContentsMargins(0, 0, 0, 0);
    publicPart->setSpacing(6);
    m_where = makeText({}, "plain", m_public);
    m_line = new QLineEdit(m_public);
    m_line->setReadOnly(true);
    m_line->setFont(Theme::codeFont(11));
    m_line->setAccessibleName(tr("Public key"));
    auto* copy = makeButton(tr("Copy the public key"), m_public);
    m_page = makeButton({}, m_public);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(copy);
    buttons->addWidget(m_page);
    buttons->addStretch();
    publicPart->addWidget(m_where);
    publicPart->addWidget(m_line);
    publicPart->addLayout(buttons);
    column->addWidget(m_public);
    connect(copy, &QPushButton::clicked, this, [this, copy] {
        QGuiApplication::clipboard()->setText(m_line->text());
        copy->setText(tr("Copied ✓"));
        QTimer::singleShot(2000, copy, [copy] { copy->setText(tr("Copy the public key")); });
    });
    connect(m_page, &QPushButton::clicked, this, [this] { emit pageRequested(m_login.keyRegistration.url); });
    connect(m_choice, &QComboBox::currentIndexChanged, this, &KeyPanel::showChosen);
    connect(m_new, &QPushButton::clicked, this, [this] {
        m_making->setVisible(!m_making->isVisible());
        if (m_making->isVisible())
            m_passphrase->setFocus();
    });
    showKeys({}, {});
}

void KeyPanel::buildMaking()
{
    m_making = new QFrame(this);
    m_making->setProperty("well", true);
    auto* column = new QVBoxLayout(m_making);
    column->setSpacing(8);
    m_target = makeText({}, "quiet", m_making);
    column->addWidget(m_target);
    auto* form = new QFormLayout;
    m_passphrase = new QLineEdit(m_making);
    m_again = new QLineEdit(m_making);
    for (QLineEdit* field : {m_passphrase, m_again}) {
        field->setEchoMode(QLineEdit::Password);
        field->setMaxLength(500);
        field->setInputMethodHints(Qt::ImhSensitiveData | Qt::ImhNoPredictiveText | Qt::ImhNoAutoUppercase);
        field->installEventFilter(this);
    }
    form->addRow(tr("New &passphrase"), m_passphrase);
    form->addRow(tr("The same &again"), m_again);
    m_passphrase->setAccessibleName(tr("New passphrase"));
    m_again->setAccessibleName(tr("The same passphrase again"));
    column->addLayout(form);
    m_failure = makeText({}, "plain", m_making);
    m_failure->setProperty("tone", u"bad"_s);
    m_failure->hide();
    column->addWidget(m_failure);
    m_make = makeButton(tr("Make the key"), m_making);
    column->addWidget(m_make, 0, Qt::AlignLeft);
    connect(m_make, &QPushButton::clicked, this, &KeyPanel::makeKey);
    m_making->hide();
}

/// Enter makes the key, and does not reach the dialog's default button.
bool KeyPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            makeKey();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void KeyPanel::setNewPath(const QString& path)
{
    m_newPath = path;
    m_target->setText(
        tr("A key is two files: the private half stays at %1 on this machine, locked by a passphrase that "
           "you choose now. The public half is what the site gets. Nobody can reset a passphrase: write "
           "it down in your password manager.")
            .arg(path));
}

void KeyPanel::makeKey()
{
    if (!m_make->isEnabled())
        return;
    const QByteArray typed = m_passphrase->text().toUtf8();
    const QString why = passphraseObjection(typed.constData(), m_again->text().toUtf8().constData());
    if (!why.isEmpty()) {
        showMakingFailed(why);
        return;
    }
    m_failure->hide();
    const Secret passphrase(typed);
    forget(m_passphrase);
    forget(m_again);
    emit makeRequested(m_newPath, passphrase);
}

void KeyPanel::showMakingFailed(const QString& why)
{
    m_failure->setText(u"✕ "_s + why);
    m_failure->show();
}

void KeyPanel::setBusy(bool busy)
{
    m_make->setEnabled(!busy);
    m_new->setEnabled(!busy);
    m_make->setText(busy ? tr("Making the key …") : tr("Make the key"));
}

void KeyPanel::showKeys(const QList<KeyFile>& keys, const QString& path)
{
    m_keys = keys;
    {
        const QSignalBlocker quiet(m_choice);
        m_choice->clear();
        m_choice->addItem(tr("Agent and usual keys"), QString());
        for (const KeyFile& key : keys)
            m_choice->addItem(QFileInfo(key.path).fileName(), key.path);
        int at = m_choice->findData(path);
        if (at < 0) {
            m_choice->addItem(QFileInfo(path).fileName(), path);
            at = m_choice->count() - 1;
        }
        m_choice->setCurrentIndex(at);
    }
    const bool made = chosen() && chosen()->path == m_newPath;
    if (made)
        m_making->hide();
    showChosen();
}

QString KeyPanel::identity() const { return m_choice->currentData().toString(); }

const KeyFile* KeyPanel::chosen() const
{
    const QString path = identity();
    for (const KeyFile& key : m_keys) {
        if (path.isEmpty() ? !key.publicLine.isEmpty() : key.path == path)
            return &key;
    }
    return nullptr;
}

void KeyPanel::showChosen()
{
    const KeyFile* key = chosen();
    QStringList about;
    if (m_login.takesKeys == false)
        about << tr("This site takes no keys: you will be asked for a password or a code.");
    else if (!key)
        about << (identity().isEmpty() ? tr("There is no key on this machine yet.")
                                       : tr("Its public half is not beside it."));
    else
        about << tr("%1, %2").arg(key->path, key->type.isEmpty() ? tr("kind not known") : key->type);
    if (key && key->isOnToken())
        about << tr("It is on a security key: touch that when its light blinks.");
    if (key && key->certificate)
        about << tr("Its certificate %1.").arg(validityText(*key->certificate, QDateTime::currentDateTimeUtc()));
    m_about->setText(about.join(u'\n'));
    const bool hasPublic = key && !key->publicLine.isEmpty() && m_login.takesKeys != false;
    m_public->setVisible(hasPublic);
    if (!hasPublic)
        return;
    m_line->setText(QString::fromUtf8(key->publicLine));
    m_line->setCursorPosition(0);
    const KeyRegistration& page = m_login.keyRegistration;
    QString where = page.title.isEmpty()
        ? tr("The site has to know this public key. Where it takes keys is not known here: ask the site.")
        : tr("The site has to know this public key. Paste it into: %1.").arg(page.title);
    if (!page.delay.isEmpty())
        where += u' ' + tr("A new key works after %1.").arg(page.delay);
    m_where->setText(where);
    m_page->setText(tr("Open the site's page"));
    m_page->setToolTip(page.url);
    m_page->setVisible(!page.url.isEmpty());
}

} // namespace rankwright
