// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/rewritedialog.h"

#include "models/core/quantitytext.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/wrappedlabel.h"
#include "widgets/script/differenceview.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int lossesHeight = 110;

QString listOf(const QList<NotUnderstood>& losses)
{
    QStringList lines;
    for (const NotUnderstood& loss : losses)
        lines.append((loss.line > 0 ? RewriteDialog::tr("Line %1: ").arg(loss.line) : QString()) + loss.why);
    return lines.join(u'\n');
}

} // namespace

RewriteDialog::RewriteDialog(
    const QString& title, const Texts& texts, const QList<NotUnderstood>& losses, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Rewrite as a Rankwright design"));
    resize(960, 600);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 12);
    column->setSpacing(8);
    column->addWidget(
        makeText(tr("The script is then written from the fields of the form, with this program's own checks and "
                    "settings. Left: %1 as it is; right: what would be written. Undo brings the text back.")
                     .arg(title),
            "quiet", this));
    auto* difference = new DifferenceView(this);
    ComparedScript author;
    author.text = texts.author;
    author.caption = tr("− %1 as it is   + rewritten").arg(title);
    difference->setShownOnly();
    difference->setScripts(texts.rewritten, {author});
    column->addWidget(difference, 1);
    if (!losses.isEmpty()) {
        column->addWidget(makeLabel(
            tr("%1 of the start would not be the same:").arg(counted(losses.size(), tr("part"))), "fault", this));
        auto* area = new QScrollArea(this);
        area->setObjectName(u"losses"_s);
        area->setWidgetResizable(true);
        area->setFrameShape(QFrame::NoFrame);
        area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        area->setMaximumHeight(lossesHeight);
        area->setAccessibleName(tr("What would not be the same"));
        auto* list = makeText(listOf(losses), "plain", area);
        list->setTextFormat(Qt::PlainText);
        list->setTextInteractionFlags(Qt::TextSelectableByMouse);
        area->setWidget(list);
        column->addWidget(area);
    }
    auto* box = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    QPushButton* rewrite = box->addButton(tr("Rewrite"), QDialogButtonBox::AcceptRole);
    rewrite->setObjectName(u"rewrite"_s);
    box->button(QDialogButtonBox::Cancel)->setDefault(true);
    connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(box);
    fitTexts(*this, {560, 420});
}

} // namespace rankwright
