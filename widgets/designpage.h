// SPDX-FileCopyrightText: 2026 The Rankwright authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/document/design.h"
#include "models/document/submitstate.h"

#include <QWidget>

namespace rankwright {

/// The Design page: form, node map, batch picture, findings, live script, verdict row. Shows a Design and edits it;
/// asks for Dry run and Launch by signals. Does not submit, does not save.
class DesignPage final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DesignPage)
public:
    explicit DesignPage(Design& design, QWidget* parent = nullptr);

    /// Progress and outcome of the dry run or the submission, beside the buttons.
    void showSubmitState(const SubmitState& state);
    /// Why Launch is off (no connection ...); empty: on.
    void setLaunchBlocked(const QString& why);
    /// Accounts that the connected cluster told; offered in the form.
    void setAccounts(const QStringList& accounts);
    void focusField(const FieldPath& field);

signals:
    void rehearseRequested();
    void launchRequested();
    void connectRequested();
    void showJobRequested(const QString& jobId); ///< a submitted job was clicked
};

} // namespace rankwright
