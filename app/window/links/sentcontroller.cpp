// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/links/sentcontroller.h"

#include "widgets/clusters/sentdialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QSaveFile>

namespace rankwright {

using namespace Qt::StringLiterals;

namespace {

constexpr int burstMs = 200;

} // namespace

SentController::SentController(const SentLog& log, QWidget& window, QObject* parent)
    : QObject(parent), m_log(log), m_window(window)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(burstMs);
    connect(&m_soon, &QTimer::timeout, this, &SentController::refresh);
    for (const auto signal : {&SentLog::commandBegan, &SentLog::ended}) {
        connect(&m_log, signal, this, [this] {
            if (m_dialog && m_dialog->isVisible() && !m_soon.isActive())
                m_soon.start();
        });
    }
}

SentController::~SentController() { delete m_dialog; }

SentDialog* SentController::dialog() const { return m_dialog; }

void SentController::open()
{
    refresh();
    if (!m_dialog) {
        m_dialog = new SentDialog(m_model, &m_window);
        connect(m_dialog, &SentDialog::saveRequested, this, &SentController::save);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void SentController::refresh() { m_model.assign(m_log.all()); }

void SentController::save(SentInput input)
{
    auto* dialog = new QFileDialog(m_dialog, tr("Save what was sent"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Text (*.txt)"));
    dialog->setDefaultSuffix(u"txt"_s);
    dialog->selectFile(u"sent-commands.txt"_s);
    connect(dialog, &QFileDialog::fileSelected, this, [this, input](const QString& path) {
        const auto written = write(path, input);
        m_dialog->report(written ? tr("%1 was written.").arg(QFileInfo(path).fileName()) : written.error().oneLine());
    });
    dialog->open();
}

Result<void> SentController::write(const QString& path, SentInput input) const
{
    QSaveFile file(path);
    const QByteArray text = sentFile(m_log.all(), input).toUtf8();
    // Readable by the user alone: no program knows every secret.
    if (file.open(QIODevice::WriteOnly) && file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)
        && file.write(text) == text.size() && file.commit())
        return {};
    return fail(Fault::Io, tr("%1 cannot be written.").arg(QFileInfo(path).fileName()), file.errorString(),
        tr("Choose another folder."));
}

} // namespace rankwright
