// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/closingquestion.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {
QString tr(const char* text) { return QCoreApplication::translate("Workbench", text); }
} // namespace

void askBeforeClosing(QWidget& window, const QStringList& jobs, const std::function<void()>& close)
{
    auto* box = new QMessageBox(QMessageBox::Information, tr("Close Rankwright"),
        tr("Job %1 goes on without this window. What becomes of it is looked up the next time you connect.")
            .arg(jobs.join(u", "_s)),
        QMessageBox::NoButton, &window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* agreed = box->addButton(tr("Close the window"), QMessageBox::AcceptRole);
    box->addButton(tr("Stay"), QMessageBox::RejectRole);
    QObject::connect(box, &QMessageBox::buttonClicked, &window, [agreed, close](QAbstractButton* clicked) {
        if (clicked == agreed)
            close();
    });
    box->open();
}

} // namespace rankwright
