// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/files/plandialog.h"

#include "models/cluster/transfer/filenames.h"
#include "models/core/quantitytext.h"
#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/wrappedlabel.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostRows = 2000;
constexpr QSize planDialogSize(640, 480);

QString verdictText(TransferVerdict verdict)
{
    switch (verdict) {
    case TransferVerdict::New: return PlanDialog::tr("new");
    case TransferVerdict::Changed:
    case TransferVerdict::Compare: return PlanDialog::tr("changed");
    case TransferVerdict::Same: return PlanDialog::tr("there already");
    case TransferVerdict::Newer: return PlanDialog::tr("newer there");
    case TransferVerdict::Refused: break;
    }
    return PlanDialog::tr("not copied");
}

/// What needs a person comes first; what is there already is left out.
int rankOf(TransferVerdict verdict)
{
    return verdict == TransferVerdict::Refused ? 0 : verdict == TransferVerdict::Newer ? 1 : 2;
}

} // namespace

QString planSentence(const TransferPlan& plan)
{
    QStringList parts{plan.files == 0 ? PlanDialog::tr("Nothing is left to copy")
                                      : PlanDialog::tr("%1 (%2) will be copied")
                                            .arg(counted(plan.files, u"file"_s), humanBytes(Bytes{plan.bytes}))};
    if (plan.same > 0)
        parts.append(PlanDialog::tr("%1 there already").arg(counted(plan.same, u"file"_s)));
    if (plan.newer > 0)
        parts.append(PlanDialog::tr("%1 newer on the other side").arg(counted(plan.newer, u"file"_s)));
    if (plan.refused > 0)
        parts.append(PlanDialog::tr("%1 not copied, for the reasons below")
                         .arg(counted(plan.refused, u"entry"_s, u"entries"_s)));
    return parts.join(u"; "_s) + u'.';
}

PlanDialog::PlanDialog(const QString& title, const TransferPlan& plan, const QStringList& notes, QWidget* parent)
    : QDialog(parent), m_replace(new QCheckBox(this))
{
    setWindowTitle(tr("What would be copied"));
    auto* column = new QVBoxLayout(this);
    QLabel* head = makeText(title, "title", this);
    column->addWidget(head);
    column->addWidget(makeText(planSentence(plan), "plain", this));
    if (!notes.isEmpty())
        column->addWidget(makeText(notes.join(u'\n'), "plain", this));
    auto* list = new QTreeWidget(this);
    list->setAccessibleName(tr("What would be copied"));
    list->setHeaderLabels({tr("File"), tr("Size"), tr("What becomes of it")});
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->header()->setStretchLastSection(false);
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    int rows = 0;
    qint64 left = 0;
    for (int rank = 0; rank <= 2; ++rank) {
        for (const PlannedEntry& each : plan.entries) {
            const bool isQuiet = each.verdict == TransferVerdict::Same
                || (each.entry.kind == FileEntry::Kind::Folder && each.verdict != TransferVerdict::Refused);
            if (isQuiet || rankOf(each.verdict) != rank)
                continue;
            if (++rows > mostRows) {
                ++left;
                continue;
            }
            const QString what = verdictText(each.verdict);
            auto* item = new QTreeWidgetItem(list,
                {shownName(each.entry.path),
                    each.entry.kind == FileEntry::Kind::File ? humanBytes(Bytes{each.entry.size}) : QString(),
                    each.verdict == TransferVerdict::Refused ? what + u": "_s + each.reason : what});
            item->setToolTip(0, shownName(each.entry.path, 1000).toHtmlEscaped());
            item->setToolTip(2, each.reason.toHtmlEscaped());
        }
    }
    if (left > 0)
        new QTreeWidgetItem(list, {tr("… and %1 more").arg(left), {}, {}});
    column->addWidget(list, 1);
    m_replace->setText(tr("Replace what is newer on the other side"));
    m_replace->setVisible(plan.newer > 0);
    column->addWidget(m_replace);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    QPushButton* copy = buttons->button(QDialogButtonBox::Ok);
    copy->setText(tr("Copy"));
    copy->setEnabled(plan.files > 0);
    setStyleProperty(copy, "accent", true);
    connect(m_replace, &QCheckBox::toggled, copy, [copy, plan](bool on) { copy->setEnabled(on || plan.files > 0); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(planDialogSize);
    fitTexts(*this, {460, 320});
}

bool PlanDialog::replacesNewer() const { return m_replace->isChecked(); }

} // namespace rankwright
