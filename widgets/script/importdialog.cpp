// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/script/importdialog.h"

#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/base/theme.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>

namespace rankwright {

using namespace Qt::StringLiterals;

ImportDialog::ImportDialog(const QString& title, const QList<NotUnderstood>& parts, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("What the form does not say"));
    resize(760, 480);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(22, 20, 22, 18);
    column->setSpacing(10);
    column->addWidget(makeLabel(tr("What the form does not say of %1").arg(title), "figure", this));
    column->addWidget(makeText(
        tr("For these parts there is no field. What is kept is in the script as your own lines."), "quiet", this));
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setAccessibleName(tr("Parts of the script without a field"));
    auto* page = new QWidget(area);
    auto* grid = new QGridLayout(page);
    grid->setHorizontalSpacing(14);
    grid->setVerticalSpacing(2);
    int row = 0;
    for (const NotUnderstood& part : parts) {
        auto* number = makeLabel(part.line > 0 ? tr("line %1").arg(part.line) : QString(), "quiet", page);
        grid->addWidget(number, row, 0, Qt::AlignTop | Qt::AlignRight);
        auto* text = makeText(part.text, "plain", page);
        text->setTextFormat(Qt::PlainText);
        text->setFont(Theme::codeFont(12));
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(text, row++, 1);
        grid->addWidget(makeText(part.why, "quiet", page), row++, 1);
        grid->setRowMinimumHeight(row++, 8);
    }
    grid->setColumnStretch(1, 1);
    grid->setRowStretch(row, 1);
    area->setWidget(page);
    column->addWidget(area, 1);
    auto* box = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(box);
}

} // namespace rankwright
