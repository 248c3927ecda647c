// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/cluster/remote/senttext.h"
#include "models/tables/sentmodel.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

namespace rankwright {

class SentDialog;

/// Shows what was sent to clusters, and writes it into a file on request. Owns the dialog and its list, not the log;
/// the log and the window outlive it. Lives on the GUI thread.
class SentController final : public QObject {
    Q_OBJECT
public:
    SentController(const SentLog& log, QWidget& window, QObject* parent = nullptr);
    ~SentController() override;

    void open();
    SentDialog* dialog() const; ///< null before the first open()
    /// The whole log as text, readable by the user alone. Error: the file cannot be written.
    Result<void> write(const QString& path, SentInput input) const;

private:
    void refresh();
    void save(SentInput input);

    const SentLog& m_log;
    QWidget& m_window;
    SentModel m_model;
    QTimer m_soon; ///< commands come in bursts
    QPointer<SentDialog> m_dialog;
};

} // namespace rankwright
