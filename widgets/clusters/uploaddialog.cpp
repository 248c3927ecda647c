// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/clusters/uploaddialog.h"

#include "models/core/units.h"
#include "widgets/base/card.h"
#include "widgets/base/factgrid.h"
#include "widgets/clusters/loginparts.h"

#include <QBoxLayout>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>

namespace rankwright {

namespace {
constexpr int listHeight = 96;
}

UploadDialog::UploadDialog(const QString& why, const QString& target, const QString& from, QWidget* parent)
    : QDialog(parent), m_from(from), m_list(new QListWidget(this)), m_message(makeText({}, "plain", this)),
      m_bar(new QProgressBar(this)), m_file(new QPushButton(tr("Add files…"), this)),
      m_folder(new QPushButton(tr("Add a folder…"), this)), m_remove(new QPushButton(tr("Remove"), this))
{
    setWindowTitle(tr("Upload"));
    QVBoxLayout* column = makeDialogColumn(this, tr("Upload to %1").arg(target));
    if (!why.isEmpty())
        column->addWidget(makeText(why, "plain", this));
    m_list->setAccessibleName(tr("What is sent"));
    m_list->setFixedHeight(listHeight);
    column->addWidget(m_list);
    auto* choose = new QHBoxLayout;
    choose->addWidget(m_file);
    choose->addWidget(m_folder);
    choose->addWidget(m_remove);
    choose->addStretch(1);
    column->addLayout(choose);
    column->addWidget(
        makeText(tr("Each goes under its own name. What is there already, byte for byte, is not sent again; "
                    "a newer file that differs is never replaced."),
            "caption", this));
    m_notes = makeText({}, "plain", this);
    column->addWidget(m_notes);
    m_bar->setAccessibleName(tr("Progress of the upload"));
    m_bar->setRange(0, 1000);
    column->addWidget(m_bar);
    column->addWidget(m_message);
    const DialogButtons buttons = addButtons(this, column, tr("Upload"), DefaultButton::Accept);
    m_send = buttons.accept;
    m_stop = buttons.refuse;
    // It closes when all is there; the buttons' box would close it at the click, and with it end the upload.
    findChild<QDialogButtonBox*>()->disconnect(SIGNAL(accepted()), this);
    connect(m_send, &QPushButton::clicked, this, &UploadDialog::begin);
    connect(m_file, &QPushButton::clicked, this, [this] { browse(QFileDialog::ExistingFiles, tr("Files to upload")); });
    connect(m_folder, &QPushButton::clicked, this, [this] { browse(QFileDialog::Directory, tr("Folder to upload")); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        delete m_list->currentItem();
        listAgain();
    });
    connect(m_list, &QListWidget::currentRowChanged, this, [this] { refresh(); });
    refresh();
}

void UploadDialog::browse(int mode, const QString& title)
{
    auto* dialog = new QFileDialog(this, title, m_from);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::FileMode(mode));
    dialog->setOption(QFileDialog::ShowDirsOnly, mode == QFileDialog::Directory);
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& paths) {
        for (const QString& path : paths)
            addPath(path);
    });
    dialog->open();
}

void UploadDialog::addPath(const QString& path)
{
    if (path.isEmpty() || paths().contains(path))
        return;
    m_list->addItem(path);
    listAgain();
}

void UploadDialog::listAgain()
{
    const bool any = m_list->count() > 0;
    m_notes->clear();
    m_message->setText(any ? tr("Looking at what is chosen …") : QString());
    setStyleProperty(m_message, "tone", QStringLiteral("plain"));
    m_notesAreCurrent = false;
    refresh();
    if (any)
        emit pathsChanged(paths());
}

QStringList UploadDialog::paths() const
{
    QStringList all;
    for (int row = 0; row < m_list->count(); ++row)
        all.append(m_list->item(row)->text());
    return all;
}

void UploadDialog::begin()
{
    m_sending = true;
    m_message->setText(tr("Comparing with what is there …"));
    setStyleProperty(m_message, "tone", QStringLiteral("plain"));
    refresh();
    emit sendRequested(paths());
}

void UploadDialog::showProgress(qint64 sent, qint64 total)
{
    m_bar->setValue(int(1000 * sent / qMax<qint64>(1, total)));
    m_message->setText(tr("%1 of %2 sent").arg(humanBytes(Bytes{sent}), humanBytes(Bytes{total})));
}

void UploadDialog::showComparing(int done, int total)
{
    m_bar->setValue(1000 * done / qMax(1, total));
    m_message->setText(tr("Comparing with what is there: %1 of %2").arg(done).arg(total));
}

void UploadDialog::showNotes(const QStringList& notes)
{
    m_notesAreCurrent = true;
    m_notes->setText(notes.join(u'\n'));
    m_message->clear();
    refresh();
}

void UploadDialog::showFailure(const Error& why)
{
    m_sending = false;
    m_message->setText(why.oneLine());
    setStyleProperty(m_message, "tone", QStringLiteral("bad"));
    refresh();
}

void UploadDialog::reject()
{
    if (m_sending) {
        emit stopRequested();
        return;
    }
    QDialog::reject();
}

void UploadDialog::refresh()
{
    m_bar->setVisible(m_sending);
    m_bar->setValue(0);
    m_notes->setVisible(!m_notes->text().isEmpty());
    m_message->setVisible(!m_message->text().isEmpty());
    for (QPushButton* button : {m_file, m_folder})
        button->setEnabled(!m_sending);
    m_remove->setEnabled(!m_sending && m_list->currentItem());
    m_send->setEnabled(!m_sending && m_notesAreCurrent && m_list->count() > 0);
    m_stop->setText(m_sending ? tr("Stop") : tr("Cancel"));
}

} // namespace rankwright
