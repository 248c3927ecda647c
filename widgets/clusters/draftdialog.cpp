// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/draftdialog.h"

#include "models/cluster/catalogue/profilewriter.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/theme.h"
#include "widgets/base/wrappedlabel.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>

namespace rankwright {

using namespace Qt::StringLiterals;

DraftDialog::DraftDialog(const ClusterDraft& draft, const QString& folder, const QStringList& taken, QWidget* parent)
    : QDialog(parent), m_draft(draft), m_folder(folder), m_taken(taken)
{
    setWindowTitle(tr("Add a cluster"));
    resize(960, 620);
    fitTexts(*this, {560, 380});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(22, 20, 22, 18);
    column->setSpacing(10);
    column->addWidget(makeLabel(tr("A draft of this cluster's entry"), "figure", this));
    column->addWidget(
        makeText(tr("It holds what the cluster's own Slurm says. What Slurm does not know is left open or "
                    "taken over from another cluster, and listed at the right."),
            "quiet", this));
    auto* row = new QHBoxLayout;
    row->setSpacing(14);
    m_text = new QPlainTextEdit(this);
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(Theme::codeFont(12));
    m_text->setAccessibleName(tr("The entry as a cluster file"));
    row->addWidget(m_text, 3);
    row->addWidget(buildDoubts(this), 2);
    column->addLayout(row, 1);
    auto* naming = new QHBoxLayout;
    auto* label = makeLabel(tr("&Name"), "plain", this);
    m_name = new QLineEdit(draft.profile.name, this);
    m_name->setMaximumWidth(240);
    m_name->setAccessibleName(tr("Name of the entry"));
    label->setBuddy(m_name);
    m_where = makeText({}, "quiet", this);
    naming->addWidget(label);
    naming->addWidget(m_name);
    naming->addWidget(m_where, 1);
    column->addLayout(naming);
    m_reported = makeText({}, "plain", this);
    m_reported->hide();
    column->addWidget(m_reported);
    auto* box = new QDialogButtonBox(this);
    m_save = box->addButton(tr("Save"), QDialogButtonBox::ActionRole);
    setStyleProperty(m_save, "accent", true);
    box->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, [this] { emit saveRequested(m_draft.profile); });
    connect(m_name, &QLineEdit::textChanged, this, &DraftDialog::rename);
    column->addWidget(box);
    rename();
}

QWidget* DraftDialog::buildDoubts(QWidget* parent)
{
    auto* area = new QScrollArea(parent);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(tr("What is uncertain"));
    auto* list = new Card(tr("What is uncertain"), area);
    list->setCaption(QString::number(m_draft.doubts.size()));
    for (const DraftDoubt& doubt : std::as_const(m_draft.doubts)) {
        auto* pair = new QVBoxLayout;
        pair->setSpacing(1);
        pair->addWidget(makeText(doubt.place, "caption", list));
        pair->addWidget(makeText(doubt.text, "plain", list));
        list->body()->addLayout(pair);
    }
    list->body()->addStretch();
    area->setWidget(list);
    return area;
}

void DraftDialog::rename()
{
    const QString name = m_name->text().trimmed();
    const bool good = isClusterName(name);
    m_save->setEnabled(good);
    if (!good) {
        m_where->setText(tr("A name consists of lower-case letters, digits, '-', '_' and '.'."));
        return;
    }
    m_draft.profile.name = name;
    m_draft.profile.title = name;
    m_text->setPlainText(QString::fromUtf8(writeClusterProfile(m_draft.profile)));
    const QString path = QDir::toNativeSeparators(QDir(m_folder).filePath(name + u".json"_s));
    m_where->setText(m_taken.contains(name) ? tr("Saved as %1; it replaces the existing entry “%2”.").arg(path, name)
                                            : tr("Saved as %1").arg(path));
}

void DraftDialog::showSaved(const QString& path)
{
    m_save->setEnabled(false);
    m_name->setEnabled(false);
    setStyleProperty(m_reported, "tone", u"good"_s);
    m_reported->setText(tr("✓ Saved as %1, and in the list of clusters now. Corrections made there with any editor are "
                           "read at the next start.")
                            .arg(QDir::toNativeSeparators(path)));
    m_reported->show();
}

void DraftDialog::showError(const Error& why)
{
    setStyleProperty(m_reported, "tone", u"bad"_s);
    m_reported->setText(u"✕ "_s + why.what + (why.remedy.isEmpty() ? QString() : u' ' + why.remedy));
    m_reported->show();
}

} // namespace rankwright
