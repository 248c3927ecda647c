// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/loginparts.h"

#include "widgets/base/card.h"
#include "widgets/base/wrappedlabel.h"

#include <QBoxLayout>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>

namespace rankwright {

QVBoxLayout* makeDialogColumn(QDialog* dialog, const QString& heading)
{
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(22, 20, 22, 18);
    column->setSpacing(12);
    QLabel* head = makeLabel(heading, "figure", dialog);
    head->setWordWrap(true); // a folder's path may stand in it
    column->addWidget(head);
    fitTexts(*dialog, {loginDialogWidth, 0});
    return column;
}

DialogButtons addButtons(QDialog* dialog, QVBoxLayout* column, const QString& accept, DefaultButton usual)
{
    const bool acceptIsDefault = usual == DefaultButton::Accept;
    auto* box = new QDialogButtonBox(dialog);
    const DialogButtons buttons{box->addButton(accept, QDialogButtonBox::AcceptRole),
        box->addButton(QDialog::tr("Cancel"), QDialogButtonBox::RejectRole)};
    setStyleProperty(buttons.accept, "accent", acceptIsDefault);
    buttons.accept->setAutoDefault(acceptIsDefault);
    buttons.accept->setDefault(acceptIsDefault);
    buttons.refuse->setAutoDefault(!acceptIsDefault);
    buttons.refuse->setDefault(!acceptIsDefault);
    QObject::connect(box, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
    QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addSpacing(4);
    column->addWidget(box);
    return buttons;
}

} // namespace rankwright
