// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/closingquestion.h"

#include "widgets/base/translate.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace { } // namespace

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

void askBeforeStopping(QWidget& window, const QStringList& jobs, const std::function<void()>& stop)
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Stop the practice cluster"),
        jobs.size() == 1 ? tr("Job %1 ends with it, and what it has not saved is lost.").arg(jobs.first())
                         : tr("%1 jobs end with it (%2), and what they have not saved is lost.")
                               .arg(QString::number(jobs.size()), jobs.join(u", "_s)),
        QMessageBox::NoButton, &window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* agreed = box->addButton(tr("Stop it"), QMessageBox::DestructiveRole);
    box->setDefaultButton(box->addButton(tr("Keep it running"), QMessageBox::RejectRole));
    QObject::connect(box, &QMessageBox::buttonClicked, &window, [agreed, stop](QAbstractButton* clicked) {
        if (clicked == agreed)
            stop();
    });
    box->open();
}

} // namespace rankwright
